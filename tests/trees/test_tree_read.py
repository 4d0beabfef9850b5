"""Documents of trees at the borders of what is read: numbers, codes, keys, and in which words a refusal says it."""

import json
import re

import pytest

from fdpedu.claims.federations import federate
from fdpedu.domain import Domain
from fdpedu.files import FileRefused, digest
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Design, Tree, fit_federated_tree

DOMAIN = Domain.from_spec({"features": {"x": [0, 4, 4], "w": ["A", "B", "C"]}, "classes": ["a", "b", "c"]})


def grown(word_of, budget=10**6, depth=1, words=None, **options):
    """A tree on sixty rows, whose class is that of its ward."""
    rows = [[x % 4 + 0.5, "ABC"[x % 3], word_of["ABC"[x % 3]]] for x in range(60)]
    federation = federate([rows[::2], rows[1::2]], DOMAIN, budget, words or Rehearsal(1))
    return fit_federated_tree(federation, max_depth=depth, min_samples_split=2, **options)


WARDS = grown({"A": "a", "B": "a", "C": "b"}), grown({"A": "b", "B": "a", "C": "a"})


def content_of(tree):
    return json.loads(tree.to_json())


def read(content, where="t.json"):
    content.pop("digest", None)
    return Tree.from_json(json.dumps({**content, "digest": digest(content)}), where)


def refused(content, message):
    with pytest.raises(FileRefused) as refusal:
        read(content)
    assert re.fullmatch(message, str(refusal.value)), str(refusal.value)


@pytest.mark.parametrize("tree", WARDS, ids=["C apart", "A apart"])
def test_any_codes_of_a_category_may_go_left(tree):
    assert tree.root.split.feature == 1 and read(content_of(tree)) == tree
    assert {len(tree.root.split.left), 3 - len(tree.root.split.left)} == {1, 2}


@pytest.mark.parametrize("left", [[3], [-1], [True], [0.0], ["A"], [0, 3], [1, -1], [None]])
def test_a_code_that_the_feature_does_not_have(left):
    content = content_of(WARDS[0])
    content["root"]["split"]["left"] = left
    refused(content, "t.json: the split on all records names a code that its feature does not have")


@pytest.mark.parametrize("left", [[], [0, 1, 2]])
def test_a_split_that_sends_all_to_one_side(left):
    content = content_of(WARDS[0])
    content["root"]["split"]["left"] = left
    refused(
        content,
        "t.json: the split on all records must send some codes of its node to the left and some to the right",
    )


@pytest.mark.parametrize("left", [[1], [3], [0, 2], [1, 2, 3]])
def test_an_ordered_feature_is_cut_at_a_border(left):
    content = content_of(WARDS[0])
    content["root"]["split"] = {"feature": "x", "left": left}
    refused(content, "t.json: the split on all records must send the smallest codes of an ordered feature to the left")


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
        refused(content, f"t.json: the node on all records needs exactly the keys {keys}")
    content = content_of(tree)
    content["root"]["left"]["label"] = "a"
    refused(content, r"t.json: the node on w in \{[ABC, ]+\} needs exactly the keys counts")
    content["root"]["left"]["estimate"] = [1, 2, 3]
    refused(content, r"t.json: the node on w in \{[ABC, ]+\} needs exactly the keys counts, estimate")
    for key in ("root", "rounds", "domain", "derivation"):
        content = content_of(tree)
        del content[key]
        refused(
            content,
            "t.json: a tree needs exactly the keys derivation, domain, root, rounds; "
            "it may have design, leaf_releases, n_parties, tolerate, and no others",
        )


@pytest.mark.parametrize("n", [2**63 - 1, -(2**63) + 1])
def test_the_largest_numbers_of_a_leaf(n):
    """As counts of a bare root, and as what it predicts from; one more is refused."""
    tree = grown({"A": "a", "B": "a", "C": "b"}, depth=0)
    content = content_of(tree)
    content["root"] = {"counts": [max(n, 0), 1, 0], "estimate": [n, 1, 0.5]}
    again = read(content)
    assert again.root.counts == (max(n, 0), 1, 0) and again.root.estimate == (n, 1, 0.5)
    content["root"]["counts"] = [n + (1 if n > 0 else -1), 1, 0]
    refused(content, "t.json: a node needs an integer for each class")
    content["root"] = {"counts": [0, 1, 0], "estimate": [n + (1 if n > 0 else -1), 1, 0.5]}
    refused(content, "t.json: the estimate of a leaf needs a number for each class")


def test_counts_below_0_are_shown_as_0_and_predicted_from_as_they_are():
    """As in files of old; what adds up already is read as it stands."""
    tree = grown({"A": "a", "B": "a", "C": "b"}, depth=0)
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
    ("key", "value", "message"),
    [
        ("rounds", 10**18 + 1, "t.json: rounds must be a positive integer"),
        ("n_parties", 10**18 + 1, "t.json: n_parties must be at most 10{18}, got 10{17}1"),
        ("n_parties", True, "t.json: n_parties must be an integer ≥ 2, got True"),
        ("tolerate", 10**18, "t.json: tolerate must be at most 1, got 10{18}"),
        ("tolerate", -1, "t.json: tolerate must be an integer ≥ 1, got -1"),
    ],
)
def test_numbers_that_are_none_are_refused_by_name(key, value, message):
    content = content_of(WARDS[0])
    content[key] = value
    refused(content, message)


def test_the_largest_numbers_that_are_read():
    content = content_of(WARDS[0])
    content.update(rounds=10**18, n_parties=10**18, tolerate=10**18 - 1)
    again = read(content)
    assert (again.rounds, again.n_parties, again.tolerate) == (10**18, 10**18, 10**18 - 1)
    del content["n_parties"]
    assert read(content).tolerate == 10**18 - 1
    content["tolerate"] = 10**18
    refused(content, "t.json: tolerate must be at most 9{18}, got 10{18}")


def test_leaf_releases_beside_leaves_that_have_none():
    content = content_of(WARDS[0])
    content["design"]["fresh_leaves"] = False
    refused(content, "t.json: leaf_releases must be left out where the design has no fresh leaves")


def test_a_tree_that_reads_histograms_is_held_against_those_of_its_inner_nodes():
    """Its leaves need none, but a bare root does; and one histogram is enough."""
    for q in (None, 1):
        tree = grown({"A": "a", "B": "a", "C": "b"}, design=Design(fresh_leaves=False, features_per_node=q))
        content = content_of(tree)
        assert read(content) == tree and "leaf_releases" not in content
        content["root"] = {"counts": [0, 1, 2]}
        assert read(content).depth == 0
        content["root"] = content_of(WARDS[0])["root"]
        content["root"]["left"]["split"] = {"feature": "x", "left": [0]}
        content["root"]["left"].update(left={"counts": [0, 0, 1]}, right={"counts": [0, 1, 0]})
        with pytest.raises(FileRefused, match=r"has no release of class × bin histograms of all features on "):
            read(content)


def test_merged_leaves_are_read_where_the_design_says_so():
    """A leaf with releases of several leaves in it: all of them, and no single one that is its own."""
    tree = grown({"A": "a", "B": "a", "C": "b"}, depth=3, words=Rehearsal(4), design=Design(prune=True))
    assert read(content_of(tree)) == tree and len(tree.leaf_releases) >= len(tree.leaves())
    assert read(content_of(tree)).leaf_releases == tree.leaf_releases
