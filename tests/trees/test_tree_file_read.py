"""Documents of trees at the borders of what is read: numbers, codes, keys, counts."""

import json
from pathlib import Path

import pytest

from fdpedu.claims.federations import federate
from fdpedu.claims.histograms import tree_counts as topic
from fdpedu.domain import Domain
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Design, Tree, fit_federated_tree
from tests.support.private_trees import (
    DOMAIN,
    content_of,
    first_leaf,
    grown,
    of_three,
    read,
)

REUSING = Design(fresh_leaves=False)


def by_ward(word_of, budget=10**6, depth=1, words=None, **options):
    """A tree on sixty rows, whose class is that of its ward."""
    rows = [[x % 4 + 0.5, "ABC"[x % 3], word_of["ABC"[x % 3]]] for x in range(60)]
    federation = federate([rows[::2], rows[1::2]], DOMAIN, budget, words or Rehearsal(1))
    return fit_federated_tree(federation, max_depth=depth, min_samples_split=2, **options)


WARDS = by_ward({"A": "a", "B": "a", "C": "b"}), by_ward({"A": "b", "B": "a", "C": "a"})


def refused(content, word):
    with pytest.raises(FileRefused, match=rf"^t\.json: .*{word}"):
        read(content)


@pytest.mark.parametrize("tree", WARDS, ids=["C apart", "A apart"])
def test_any_codes_of_a_category_may_go_left(tree):
    assert tree.root.split.feature == 1 and read(content_of(tree)) == tree
    assert {len(tree.root.split.left), 3 - len(tree.root.split.left)} == {1, 2}


@pytest.mark.parametrize("left", [[3], [-1], [True], [0.0], ["A"], [0, 3], [1, -1], [None]])
def test_a_code_that_the_feature_does_not_have(left):
    content = content_of(WARDS[0])
    content["root"]["split"]["left"] = left
    refused(content, "split .* code")


@pytest.mark.parametrize("left", [[], [0, 1, 2]])
def test_a_split_that_sends_all_to_one_side(left):
    content = content_of(WARDS[0])
    content["root"]["split"]["left"] = left
    refused(
        content,
        "split .* some codes",
    )


@pytest.mark.parametrize("left", [[1], [3], [0, 2], [1, 2, 3]])
def test_an_ordered_feature_is_cut_at_a_border(left):
    content = content_of(WARDS[0])
    content["root"]["split"] = {"feature": "x", "left": left}
    refused(content, "split .* smallest codes")


def test_a_split_below_may_name_codes_that_lie_elsewhere():
    """Of an ordered feature the smallest codes, those of the other side among them; the node has some of each."""
    rows = [[x % 4 + 0.5, "A", "abca"[x % 4]] for x in range(60)]
    federation = federate([rows[::2], rows[1::2]], DOMAIN, 10**6, Rehearsal(1))
    tree = fit_federated_tree(federation, max_depth=3, min_samples_split=2)
    assert tree.depth > 1 and read(content_of(tree)) == tree
    content = content_of(tree)
    path, node = [], content["root"]
    while "split" in node["right"]:
        path, node = [*path, node], node["right"]
    assert path
    node["split"]["left"] = list(range(max(node["split"]["left"]) + 1))
    assert [leaf.counts for leaf in read(content).leaves()] == [leaf.counts for leaf in tree.leaves()]


def test_unknown_and_missing_keys_of_nodes():
    tree = WARDS[0]
    for change, keys in (
        (lambda c: c["root"].update(more=1), "counts, left, right, split"),
        (lambda c: c["root"].pop("left"), "counts, left, right, split"),
        (lambda c: c["root"].update(estimate=[1, 2, 3]), "counts, left, right, split"),
    ):
        content = content_of(tree)
        change(content)
        refused(content, f"all records .* {keys}$")
    content = content_of(tree)
    content["root"]["left"]["label"] = "a"
    refused(content, r"w in \{[ABC, ]+\} .* counts$")
    content["root"]["left"]["estimate"] = [1, 2, 3]
    refused(content, r"w in \{[ABC, ]+\} .* counts, estimate$")
    for key in ("root", "rounds", "domain", "derivation"):
        content = content_of(tree)
        del content[key]
        refused(content, key)


@pytest.mark.parametrize("n", [2**63 - 1, -(2**63) + 1])
def test_the_largest_numbers_of_a_leaf(n):
    """As counts of a bare root, and as what it predicts from; one more is refused."""
    tree = by_ward({"A": "a", "B": "a", "C": "b"}, depth=0)
    content = content_of(tree)
    content["root"] = {"counts": [max(n, 0), 1, 0], "estimate": [n, 1, 0.5]}
    again = read(content)
    assert again.root.counts == (max(n, 0), 1, 0) and again.root.estimate == (n, 1, 0.5)
    content["root"]["counts"] = [n + (1 if n > 0 else -1), 1, 0]
    refused(content, "integer for each class")
    content["root"] = {"counts": [0, 1, 0], "estimate": [n + (1 if n > 0 else -1), 1, 0.5]}
    refused(content, "estimate")


def test_counts_below_0_are_shown_as_0_and_predicted_from_as_they_are():
    """As in files of old; what adds up already is read as it stands."""
    tree = by_ward({"A": "a", "B": "a", "C": "b"}, depth=0)
    content = content_of(tree)
    content["root"] = {"counts": [5, -1, 0]}
    again = read(content)
    assert min(again.root.counts) >= 0 and again.root.estimate == (5, -1, 0) and again.root.label == 0
    content["root"] = {"counts": [0, 0, 4]}
    again = read(content)
    assert again.root.counts == (0, 0, 4) and again.root.estimate is None
    deep = WARDS[0]
    content = content_of(deep)
    content["root"]["left"]["counts"] = [-3, 2, 2]
    again = read(content)
    sums = tuple(a + b for a, b in zip(again.root.left.counts, again.root.right.counts, strict=True))
    assert again.root.counts == sums and min(again.root.left.counts) >= 0
    assert again.root.left.estimate == (-3, 2, 2)


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("rounds", [0, True, 10**18 + 1, 10**30]),
        ("n_parties", [0, "2", True, 10**18 + 1]),
        ("tolerate", [2, 0, -1, 10**18]),
        ("rule", [{"stop": "sometimes"}]),
        ("clip", [{"clip": 3}]),
        ("more", [3]),
    ],
)
def test_keys_and_numbers_that_are_none_are_refused_by_name(key, values):
    for value in values:
        content = content_of(WARDS[0])
        content["design" if isinstance(value, dict) else key] = value
        refused(content, "no others" if key == "more" else key)


def test_the_largest_numbers_that_are_read():
    content = content_of(WARDS[0])
    content.update(rounds=10**18, n_parties=10**18, tolerate=10**18 - 1)
    again = read(content)
    assert (again.n_parties, again.tolerate) == (10**18, 10**18 - 1)
    del content["n_parties"]
    assert read(content).tolerate == 10**18 - 1
    content["tolerate"] = 10**18
    refused(content, "tolerate")


def test_a_tree_that_reads_histograms_is_held_against_those_of_its_inner_nodes():
    """Its leaves need none, but a bare root does; and one histogram is enough."""
    for q in (None, 1):
        tree = by_ward({"A": "a", "B": "a", "C": "b"}, design=Design(fresh_leaves=False, features_per_node=q))
        content = content_of(tree)
        assert read(content) == tree and "leaf_releases" not in content
        content["root"] = {"counts": [0, 1, 2]}
        assert read(content).depth == 0
        content["root"] = content_of(WARDS[0])["root"]
        content["root"]["left"]["split"] = {"feature": "x", "left": [0]}
        content["root"]["left"].update(left={"counts": [0, 0, 1]}, right={"counts": [0, 1, 0]})
        with pytest.raises(FileRefused, match="histograms"):
            read(content)


def test_merged_leaves_are_read_where_the_design_says_so():
    """A leaf with releases of several leaves in it: all of them, and no single one that is its own."""
    tree = by_ward({"A": "a", "B": "a", "C": "b"}, depth=3, words=Rehearsal(4), design=Design(prune=True))
    assert read(content_of(tree)) == tree and len(tree.leaf_releases) >= len(tree.leaves())
    assert read(content_of(tree)).leaf_releases == tree.leaf_releases


STRIPES = Domain.from_spec({"features": {"x": [0, 12, 12]}, "classes": ["well", "ill"]})
STRIPED = [[x + 0.5, ("well", "ill")[x // 3 % 2]] for x in range(12)] * 9


def striped(depth):
    federation = federate([STRIPED[::2], STRIPED[1::2]], STRIPES, 10**6, Rehearsal(1))
    return fit_federated_tree(federation, max_depth=depth, min_samples_split=2)


STRIPED_TREE = striped(2)


def require_sums(node):
    if not node.is_leaf:
        assert node.counts == tuple(a + b for a, b in zip(node.left.counts, node.right.counts, strict=True))
        require_sums(node.left)
        require_sums(node.right)


@pytest.mark.parametrize("path", [[], ["left"], ["right"], ["right", "left"], ["right", "right"]])
@pytest.mark.parametrize("change", [[7, 0], [0, 1], [50, 50]])
def test_counts_that_do_not_add_up_are_made_to(path, change):
    """At any node, and though none is negative; labels and what leaves predict from stay."""
    content = content_of(STRIPED_TREE)
    node = content["root"]
    for side in path:
        node = node[side]
    node["counts"] = [n + more for n, more in zip(node["counts"], change, strict=True)]
    again = read(content)
    require_sums(again.root)
    labels = [leaf["estimate"] if "estimate" in leaf else leaf["counts"] for leaf in leaves(content["root"])]
    assert [list(leaf.estimate or leaf.counts) for leaf in again.leaves()] == labels
    assert [leaf.split for _, leaf in again.nodes()] == [leaf.split for _, leaf in STRIPED_TREE.nodes()]


def leaves(node):
    return leaves(node["left"]) + leaves(node["right"]) if "split" in node else [node]


def test_a_tree_of_two_levels_is_read_as_it_is():
    assert (
        STRIPED_TREE.depth == 2 and len(STRIPED_TREE.leaves()) == 3 and read(content_of(STRIPED_TREE)) == STRIPED_TREE
    )


def test_an_estimate_is_read_back_and_may_be_missing():
    tree, _ = grown(budget=1)
    content = content_of(tree)
    assert read(content) == tree
    del first_leaf(content)["estimate"]
    again = read(content)
    assert again != tree and again.leaves()[0].estimate is None and again.leaves()[1:] == tree.leaves()[1:]


@pytest.mark.parametrize(
    "estimate", [[1.0, 2.0], [1.0, 2.0, 3.0, 4.0], [1.0, True, 2.0], ["1", 2, 3], [1e300, 0, 0], [2**63, 0, 0], 5, []]
)
def test_an_estimate_that_is_none_is_refused(estimate):
    content = content_of(grown(budget=1)[0])
    first_leaf(content)["estimate"] = estimate
    with pytest.raises(FileRefused, match=r"t\.json: .*(estimate|lacks)"):
        read(content)


@pytest.mark.parametrize("counts", [[1, 2], [1, 2, 3, 4], [1, True, 2], [1.0, 2, 3], ["1", 2, 3], [2**63, 0, 0], []])
@pytest.mark.parametrize("where", ["root", "leaf"])
def test_counts_that_are_none_are_refused(counts, where):
    content = content_of(grown(budget=1)[0])
    (content["root"] if where == "root" else first_leaf(content))["counts"] = counts
    with pytest.raises(FileRefused, match=r"t\.json: .* integer for each class"):
        read(content)


def test_an_inner_node_has_no_estimate():
    content = content_of(grown(budget=1)[0])
    content["root"]["estimate"] = [1.0, 2.0, 3.0]
    with pytest.raises(FileRefused, match="counts, left, right, split"):
        read(content)


def test_counts_of_an_old_file_are_shown_whole():
    """Predictions stay as they were; what is shown adds up."""
    tree = Tree.load(Path(__file__).parent / "data" / "tree-2.json")
    topic.require_sums(tree.to_dict())
    assert Tree.from_json(tree.to_json()) == tree
    assert tree.leaves()[0].estimate == (8, -1, 8)


@pytest.mark.parametrize("key", ["design", "leaf_releases"])
@pytest.mark.parametrize("value", ["", None, 3])
def test_nothing_is_no_design_and_no_list(key, value):
    """An empty text was read as the design by default."""
    with pytest.raises(FileRefused, match=r"options|leaf_releases"):
        read({**json.loads(of_three()[0].to_json()), key: value})


def test_old_files_have_none_of_it():
    tree, _ = grown()
    content = content_of(tree)
    assert list(content) == [
        *("schema", "program", "rounds", "domain", "root", "design", "n_parties", "tolerate", "leaf_releases"),
        *("derivation", "digest"),
    ]
    for key in ("design", "n_parties", "tolerate", "leaf_releases"):
        del content[key]
    again = read(content)
    assert again == tree and (again.design, again.n_parties, again.tolerate, again.leaf_releases) == (
        None,
        None,
        None,
        (),
    )
    assert set(content_of(again)) == {"schema", "program", "rounds", "domain", "root", "derivation", "digest"}


def test_without_parties_any_tolerance_above_the_colluders_is_read():
    content = content_of(grown()[0])
    del content["n_parties"]
    content["tolerate"] = 7
    assert read(content).tolerate == 7
