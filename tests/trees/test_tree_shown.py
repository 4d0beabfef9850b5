"""How a private tree is shown and written: drawn as far as a drawing can hold it, and its file by its form."""

import json
from dataclasses import replace

import pytest

from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.federations import AGE, federate
from fdpedu.domain import Domain
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Tree, fit_federated_tree
from fdpedu.trees.tree_file import from_document, to_document

DATA = [[[30, "well"]] * 40, [[70, "ill"]] * 50]
TREE = fit_federated_tree(federate(DATA, AGE, 4, Rehearsal(2)), max_depth=1, min_samples_split=2)


def deep(depth):
    """A tree of so many levels, on a domain of as many bins and one more."""
    domain = Domain.from_spec({"features": {"x": [0, 12, 12]}, "classes": ["well", "ill"]})
    node = Node((1, 2))
    for code in reversed(range(depth)):
        node = Node((1, 2), CodeSplit(0, frozenset(range(code + 1))), Node((0, 0)), node)
    return replace(TREE, root=node, domain=domain, feature_names=("x",), leaf_releases=())


def wide(n):
    """A leaf of so many classes."""
    domain = Domain.from_spec({"features": {"x": [0, 4, 4]}, "classes": [f"c{k}" for k in range(n)]})
    leaf = Node((1,) * n)
    return replace(TREE, root=leaf, domain=domain, classes=domain.classes, feature_names=("x",), leaf_releases=())


@pytest.mark.parametrize(
    ("tree", "drawn"), [(deep(8), True), (deep(9), False), (wide(6), True), (wide(7), False)], ids=str
)
def test_what_is_too_large_for_a_drawing_is_shown_as_text(tree, drawn):
    """Eight levels and six classes; either one more, and it is text."""
    shown = tree._repr_html_()
    assert ("<svg" in shown) is drawn and ("<pre" in shown) is not drawn


def test_a_drawing_has_a_title():
    assert ">Decision tree</title>" in TREE._repr_html_() and "fd-interval" in TREE._repr_html_()


def test_a_document_is_laid_out_unless_asked_for_one_line():
    text = TREE.to_json()
    assert text.split("\n")[1] == ' "schema": "fdpedu-tree/1",'
    assert TREE.to_json(None).count("\n") == 0 and json.loads(text) == json.loads(TREE.to_json(None))
    assert Tree.from_json(text) == TREE and to_document(TREE) == text and to_document(TREE, None) == TREE.to_json(None)


def test_a_file_holds_the_document_and_is_named_where_it_is_refused(tmp_path):
    TREE.save(tmp_path / "t.json")
    assert (tmp_path / "t.json").read_text("utf8") == TREE.to_json()
    for path in (tmp_path / "t.json", str(tmp_path / "t.json")):
        assert Tree.load(path) == TREE
    (tmp_path / "bad.json").write_text("{}", "utf8")
    with pytest.raises(FileRefused, match=r"bad\.json: "):
        Tree.load(tmp_path / "bad.json")
    for read in (Tree.from_json, from_document):
        with pytest.raises(FileRefused, match=r"^the text: "):
            read("{}")
        with pytest.raises(FileRefused, match=r"^my file: "):
            read("{}", "my file")
