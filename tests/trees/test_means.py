"""What a tree of a target predicts and shows: means of released levels, in every form, and never a class or a NaN."""

import copy
import json
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.cart import CodeSplit, Node
from fdpedu.domain import Domain
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Tree
from fdpedu.trees.intervals import count_intervals
from fdpedu.trees.means import leaf_means, level_mean
from fdpedu.viz import draw_tree, tree_as_text
from tests.support.private_trees import content_of, resigned
from tests.support.private_trees import grown as of_classes
from tests.support.stays import DOMAIN, HALVES, OF_MEANS, ROWS, grown, without_noise

TREE = grown()
X = [[age + 0.5, ward] for age in range(0, 80, 5) for ward in "AB"]
WEIGHTS = st.lists(st.one_of(st.integers(-50, 50), st.floats(-1e6, 1e6)), min_size=2, max_size=8)


# --- means ------------------------------------------------------------------------------------------------------------


@given(WEIGHTS)
def test_a_mean_is_that_of_what_is_left_and_within_the_middles(weights):
    middles = [float(2 * k + 1) for k in range(len(weights))]
    found = level_mean(weights, middles)
    left = [max(Fraction(weight), 0) for weight in weights]
    if not sum(left):
        assert found is None
    else:
        exact = sum(w * Fraction(m) for w, m in zip(left, middles, strict=True)) / sum(left)
        assert found == pytest.approx(float(exact), rel=1e-12) and middles[0] <= found <= middles[-1]


def test_rounding_does_not_leave_the_range():
    assert 3 * 0.1 / 3 > 0.1  # in floats
    assert level_mean([0, 3], [0.0, 0.1]) == 0.1


def test_a_leaf_without_anything_answers_as_the_node_above_it():
    nothing, split = Node((0, 0, 0), estimate=(-1.0, 0.0, -7.0)), CodeSplit(0, frozenset({0}))
    inner = Node((4, 0, 0), split, Node((4, 0, 0)), nothing)
    root = Node((4, 0, 4), split, inner, Node((0, 0, 4)))
    assert leaf_means(root, [1.0, 2.0, 4.0]) == [1.0, 1.0, 4.0]
    emptied = Node((0, 0, 0), split, nothing, nothing)
    assert leaf_means(Node((4, 0, 4), split, emptied, Node((4, 0, 4))), [1.0, 2.0, 4.0]) == [2.5, 2.5, 2.5]
    assert leaf_means(emptied, [1.0, 2.0, 4.0]) == [2.5, 2.5] == leaf_means(Node((0, 0, 0)), [1.0, 2.0, 4.0]) * 2


def test_a_leaf_predicts_from_what_was_released_and_not_from_what_is_shown():
    assert leaf_means(Node((1, 1), estimate=(0.5, 1.5)), [0.0, 4.0]) == [3.0]


# --- the tree ---------------------------------------------------------------------------------------------------------


def test_without_noise_it_predicts_the_mean_of_the_middles_exactly():
    """Levels of two days: the middle of each row's level, averaged over the rows of its leaf."""
    tree = without_noise()
    rows = [row for half in HALVES for row in half]
    leaf = tree.apply([row[:2] for row in rows])
    middles = np.array([DOMAIN.classes[code] for code in DOMAIN.encode_labels([row[2] for row in rows])])
    means = [float(Fraction(int(middles[leaf == k].sum()), int((leaf == k).sum()))) for k in range(4)]
    assert tree.predict(X).tolist() == [means[k] for k in tree.apply(X)]
    assert tree.predict(X).dtype == np.float64


def test_it_predicts_what_it_says_it_releases():
    found = TREE.releases_by_leaf()
    for mean, (release,) in zip(leaf_means(TREE.root, DOMAIN.classes), found, strict=True):
        left = [max(count, 0) for count in release.counts]
        assert mean == pytest.approx(float(np.dot(left, DOMAIN.classes) / sum(left)))
    assert len(count_intervals(TREE)) == 4 * DOMAIN.n_classes


@given(st.integers(0, 2**32), st.sampled_from(["1/100", 1, 50]), st.integers(0, 3))
def test_whatever_the_noise_is_it_predicts_numbers_within_the_range(seed, budget, depth):
    tree = grown(noise=np.random.default_rng(seed), budget=budget, max_depth=depth)
    predicted = tree.predict(X)
    assert ((predicted >= 1) & (predicted <= 15)).all() and predicted.shape == (len(X),)
    again = Tree.from_json(tree.to_json())
    assert again == tree and again.predict(X).tolist() == predicted.tolist()
    assert again.to_json() == tree.to_json() and str(again) == str(tree) and again.to_dict() == tree.to_dict()


# --- what it shows ----------------------------------------------------------------------------------------------------


def leaves_of(shown):
    return [shown] if "mean" in shown else leaves_of(shown["left"]) + leaves_of(shown["right"])


def test_plain_data_has_the_mean_in_place_of_a_label_and_one_count_of_rows():
    leaves = leaves_of(TREE.to_dict())
    assert [leaf["mean"] for leaf in leaves] == leaf_means(TREE.root, DOMAIN.classes)
    assert all(set(leaf) == {"mean", "shown", "unit", "counts"} and leaf["unit"] == "days" for leaf in leaves)
    assert [leaf["counts"] for leaf in leaves] == [[sum(leaf.counts)] for leaf in TREE.leaves()]
    below = TREE.to_dict(TREE.root.left)
    assert leaves_of(below) == leaves[: len(leaves_of(below))]
    assert json.loads(json.dumps(TREE.to_dict())) == TREE.to_dict()


FORMS = {
    "text": lambda tree: tree.to_text(),
    "as scikit-learn": lambda tree: tree.to_sklearn_text(decimals=3),
    "graph": lambda tree: tree.to_graphviz(),
    "drawing": lambda tree: tree._repr_html_(),
    "deep": lambda tree: grown(max_depth=8, domain=DOMAIN)._repr_html_() and tree._repr_html_(),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_shows_each_mean_and_no_class(form):
    shown = FORMS[form](TREE)
    for mean in leaf_means(TREE.root, DOMAIN.classes):
        assert (f"value: [{mean:.3f}]" if form == "as scikit-learn" else f"{mean:.6g} days") in shown
    said = " ".join(re.findall(r">([^<>]+)</(?:text|desc|title|figcaption)>", shown)) if "<svg" in shown else shown
    assert "days" in said or form == "as scikit-learn"
    assert "class" not in said and "%" not in said


def test_the_forms_by_hand():
    leaf = {"mean": 2.5, "unit": "days", "counts": [7]}
    root = {"test": "age ≤ 50", "counts": [9], "left": leaf, "right": {"mean": 10.0}}
    assert tree_as_text(root, []).splitlines() == ["age ≤ 50?", "├─ yes: 2.5 days  count 7", "└─ no:  10"]
    assert "Node 2 is a leaf: 2.5 days (count 7)." in draw_tree(root, [], title="T", layout="outline")
    for layout in ("top-down", "outline"):
        drawn = draw_tree(root, [], title="T", layout=layout)
        assert drawn.count("count 7</text>") == 1 and "2.5 days" in drawn and "hatch" not in drawn
    assert repr(TREE) == "Tree(depth 2, 4 leaves, 8 levels)"


# --- its file ---------------------------------------------------------------------------------------------------------


def changed(change):
    content = copy.deepcopy(content_of(TREE))
    change(content)
    return resigned(content)


CHANGES = {
    "classes in place of the target": lambda c: c["domain"].update(classes=list(range(8))) or c["domain"].pop("target"),
    "another number of levels": lambda c: c["domain"]["target"].update(levels=4),
    "a loss of classes": lambda c: c["design"].update(loss="mixed"),
    "pruned": lambda c: c["design"].update(prune=True),
    "no design": lambda c: c.pop("design"),
    "another design": lambda c: c["design"].update(name="rotating"),
    "a leaf's count": lambda c: c["root"].update(counts=c["root"]["counts"][:-1]),
    "no target": lambda c: c["domain"].pop("target"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_file_that_does_not_hold_together_is_refused(change):
    with pytest.raises(FileRefused):
        Tree.from_json(changed(change))


def test_a_file_that_was_changed_without_a_new_digest_is_refused(tmp_path):
    TREE.save(tmp_path / "t.json")
    text = (tmp_path / "t.json").read_text("utf8")
    (tmp_path / "t.json").write_text(text.replace('"high": 16', '"high": 160'), "utf8")
    with pytest.raises(FileRefused):
        Tree.load(tmp_path / "t.json")


def test_a_file_that_leaves_the_loss_to_the_domain_is_read_with_that_of_the_domain():
    again = Tree.from_json(changed(lambda content: content["design"].update(loss=None)))
    assert again.design == TREE.design and again.to_json() == TREE.to_json()


def test_a_tree_of_classes_is_no_tree_of_a_target():
    tree, _ = of_classes("votes", min_samples_split=None)
    content = content_of(tree)
    content["design"]["loss"] = "squared"
    with pytest.raises(FileRefused, match="the loss 'squared' is for a numeric target, and the domain has classes"):
        Tree.from_json(resigned(content))


def test_noise_of_empty_levels_pulls_a_mean_to_the_middle_the_more_the_more_levels_there_are():
    """All rows have the first level, and counts below 0 count as 0: so the noise of all others has a mean above 0."""
    means = []
    for levels in (8, 64):
        domain = Domain.from_spec({"features": {"age": [0, 80, 4]}, "target": [0, 16, levels]})
        parts = [[[10, 0.01]] * 20] * 2
        trees = [grown(parts, budget=1, noise=Rehearsal(k), domain=domain, max_depth=0) for k in range(40)]
        means.append(np.mean([tree.predict([[10]])[0] for tree in trees]))
    assert 1 < means[0] + 1 < means[1] < 8


# --- refusals ---------------------------------------------------------------------------------------------------------

SENTENCES = {
    "score": lambda: TREE.score([row[:2] for row in ROWS], [row[2] for row in ROWS]),
    "predict_proba": lambda: TREE.predict_proba(X),
    "pruning": lambda: TREE.pruned(),
    "an interval": lambda: TREE.to_dict(confidence="9/10"),
    "show_weights": lambda: TREE.to_sklearn_text(show_weights=True),
}


@pytest.mark.parametrize("what", SENTENCES)
def test_sentences_of_refusals(what):
    with pytest.raises(ValueError) as refused:
        SENTENCES[what]()
    assert str(refused.value) == what + OF_MEANS


@pytest.mark.parametrize(
    ("root", "classes", "words"),
    [
        ({"mean": float("nan")}, [], "root: mean must be a finite number, got nan"),
        ({"mean": "7"}, [], "root: mean must be a finite number, got '7'"),
        ({"mean": True}, [], "root: mean must be a finite number, got True"),
        ({"mean": 7}, ["a", "b"], "root: a leaf has a mean where there are no classes, and else a label"),
        ({"label": "a"}, [], "root: a leaf has a mean where there are no classes, and else a label"),
        ({"mean": 7, "label": "a"}, [], "root: a leaf has no 'label'"),
        ({"mean": 7, "counts": [1, 2]}, [], "root: counts must be 1 integers, got [1, 2]"),
    ],
)
def test_sentences_of_drawings(root, classes, words):
    with pytest.raises(ValueError) as refused:
        draw_tree(root, classes, title="T")
    assert str(refused.value) == words
