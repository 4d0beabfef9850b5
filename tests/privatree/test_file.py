"""A tree of one owner in its file: read as it was written, and refused where it was changed."""

import json
from fractions import Fraction

import pytest

from fdpedu.claims.privatree.paths import whole_trees
from fdpedu.domain import Domain
from fdpedu.files import FileRefused
from fdpedu.trees import PrivaTree, Tree, count_intervals
from fdpedu.trees.designs import design_from_json
from tests.support.private_trees import content_of, resigned
from tests.support.privatrees import EVERY, MIXED, fitted, named, rows, spelled


@pytest.mark.claim("thm-privatree")
@pytest.mark.parametrize("options", EVERY, ids=named)
def test_a_tree_is_read_as_it_was_written(options, tmp_path):
    tree, _ = fitted(max_depth=2, **spelled(options))
    tree.save(tmp_path / "t.json")
    again = Tree.load(tmp_path / "t.json")
    assert again == tree and again.root == tree.root and again.to_json() == tree.to_json()
    assert again.design == tree.design and again.leaf_releases == tree.leaf_releases
    assert (again.n_parties, again.tolerate, again.rounds) == (tree.n_parties, tree.tolerate, tree.rounds)
    assert again.derivation.spent == tree.derivation.spent == 1
    X = [row[:-1] for row in rows(40, seed=9)]
    assert again.predict(X).tolist() == tree.predict(X).tolist()
    if options["leaves"] == "counts":
        assert count_intervals(again) == count_intervals(tree)


def test_a_fit_without_rows_and_one_of_large_counts_have_files():
    for table in ([], [[1.0, None, "A", 0.5, "a"]] * 70_000):
        for leaves in ("labels", "counts"):
            tree, _ = fitted(table, leaves=leaves, max_depth=1)
            assert Tree.from_json(tree.to_json()) == tree


def test_what_stands_in_a_file():
    tree, _ = fitted(edges="joint", edge_bins=3, max_depth=1)
    content = content_of(tree)
    design = content["design"]
    assert design == {
        "name": "privatree",
        "splits": "choice",
        "score": "errors",
        "edges": "joint",
        "edge_bins": 3,
        "leaves": "labels",
        "lattice": 1024,
        "prune": False,
        "borders": [list(some) if some else None for some in tree.design.borders.kept],
    }
    assert "leaf_releases" not in content and content["n_parties"] == 1 and content["tolerate"] == 0
    leaf = content["root"]["left"]
    assert set(leaf) == {"counts"} and sorted(leaf["counts"]) == [0, 0, 1]
    plain = content_of(fitted(splits="random", leaves="counts", max_depth=1)[0])
    assert "borders" not in plain["design"] and len(plain["leaf_releases"]) == 2
    assert design_from_json(design) == tree.design
    for domain in (MIXED, Domain.from_spec({"features": {"x": [0, 9, 9]}, "classes": ["a", "b"]})):
        whole_trees(domain, [], {"edges": "joint", "edge_bins": 3, "max_depth": 1}, Fraction(1), 1)


def test_public_rows_are_not_in_the_file():
    text = fitted(**spelled({"splits": "public"}))[0].to_json()
    assert '"public"' in text and json.loads(text)["design"].keys() == {
        *("name", "splits", "score", "edges", "edge_bins", "leaves", "lattice", "prune"),
    }


# --- changed, and signed again ----------------------------------------------------------------------------------------


def at_another_border(content):
    """The root at a border of x that was not kept; below it all is as it was."""
    kept = content["design"]["borders"][0]
    content["root"]["split"] = {"feature": "x", "left": list(range(next(k for k in range(1, 8) if k not in kept)))}


def with_other_borders(content):
    content["design"]["borders"] = [[1, 2], [1, 2], None, None]


def without_borders(content):
    del content["design"]["borders"]


def with_a_border_less(content):
    content["design"]["borders"][0].pop()


def with_borders_of_categories(content):
    content["design"]["borders"][2] = [1]


def with_borders_out_of_order(content):
    content["design"]["borders"][0].reverse()


def with_public_edges(content):
    content["design"]["edges"] = "public"


def with_public_edges_and_all_borders(content):
    content["design"]["edges"] = "public"
    del content["design"]["borders"]


def with_edges_of_the_other_kind(content):
    content["design"]["edges"] = {"joint": "histogram", "histogram": "joint"}[content["design"]["edges"]]


def of_more_wide_bins(content):
    content["design"]["edge_bins"] = 4


def of_the_other_splits(content):
    content["design"]["splits"] = {"choice": "histograms", "histograms": "choice"}[content["design"]["splits"]]


def of_another_score(content):
    content["design"]["score"] = "gini"


def of_a_coarser_lattice(content):
    content["design"]["lattice"] = 512


def with_counts_of_leaves(content):
    content["design"]["leaves"] = "counts"


def first_leaf(content):
    node = content["root"]
    while "left" in node:
        node = node["left"]
    return node


def with_two_labels(content):
    first_leaf(content)["counts"] = [1, 1, 0]


def with_no_label(content):
    first_leaf(content)["counts"] = [0, 0, 0]


def with_a_heavier_label(content):
    first_leaf(content)["counts"] = [0, 0, 2]


def with_true_and_false(content):
    first_leaf(content)["counts"] = [False, False, True]


def with_an_estimate(content):
    first_leaf(content)["estimate"] = [0.0, 0.0, 1.0]


def with_leaf_releases(content):
    everything = [{"region": {}, "counts": [1, 2, 3], "epsilon": "1/5"}]
    content["leaf_releases"] = everything


def with_a_node_more(content):
    leaf = first_leaf(content)
    below = {"counts": list(leaf["counts"])}
    leaf |= {"split": {"feature": "v", "left": [0]}, "left": below, "right": dict(below)}


def with_a_node_less(content):
    root = content["root"]
    for key in ("split", "left", "right"):
        del root["left"][key]


def with_an_unknown_option(content):
    content["design"]["clip"] = False


def with_a_wrong_name(content):
    content["design"]["name"] = "privatrees"


def with_a_public_root(content):
    content["design"]["public"] = None


def of_two_owners(content):
    content["tolerate"] = 1


CHANGES = [
    *(at_another_border, without_borders, with_a_border_less, with_borders_of_categories, with_borders_out_of_order),
    *(with_public_edges, with_edges_of_the_other_kind, of_the_other_splits),
    *(with_counts_of_leaves, with_two_labels, with_no_label, with_a_heavier_label, with_true_and_false),
    *(with_an_estimate, with_leaf_releases, with_a_node_more, with_a_node_less, with_an_unknown_option),
    *(with_a_wrong_name, with_a_public_root, of_two_owners),
]
TREES = [{"splits": splits, "edges": edges} for splits in ("choice", "histograms") for edges in ("joint", "histogram")]


def kind_of(options):
    return f"{options['splits']}-{options['edges']}"


@pytest.fixture(scope="module")
def written():
    return {kind_of(o): fitted(max_depth=2, edge_bins=3, **o)[0].to_json() for o in map(padded, TREES)}


def padded(options):
    return {**options, "leaves": "labels", "score": "errors"}


@pytest.mark.claim("thm-privatree")
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("options", TREES, ids=kind_of)
def test_a_file_that_was_changed_is_refused(change, options, written):
    content = json.loads(written[kind_of(options)])
    Tree.from_json(resigned(content))
    change(content)
    with pytest.raises(FileRefused):
        Tree.from_json(resigned(content))


@pytest.mark.parametrize(
    "change", [with_other_borders, of_another_score, of_a_coarser_lattice], ids=lambda c: c.__name__
)
@pytest.mark.parametrize("edges", ["joint", "histogram"])
def test_what_a_choice_was_made_by_is_part_of_what_was_paid(change, edges, written):
    """Of histograms no borders, score or steps are asked with, so no file shows by which they were read."""
    content = json.loads(written[f"choice-{edges}"])
    change(content)
    with pytest.raises(FileRefused, match="no release of split chosen on all rows"):
        Tree.from_json(resigned(content))


def test_more_wide_bins_than_were_drawn_are_refused_and_of_histograms_they_cannot_be_told(written):
    for name, seen in (("choice-joint", True), ("histograms-joint", True), ("choice-histogram", False)):
        content = json.loads(written[name])
        of_more_wide_bins(content)
        if seen:
            with pytest.raises(FileRefused):
                Tree.from_json(resigned(content))
        else:
            assert Tree.from_json(resigned(content)).design.edge_bins == 4


def test_a_label_that_was_moved_and_coins_that_were_none_cannot_be_seen(written):
    """No file can show which label was drawn, nor that splits were public: whoever signs it has to be believed."""
    content = json.loads(written["choice-joint"])
    first_leaf(content)["counts"] = first_leaf(content)["counts"][::-1]
    Tree.from_json(resigned(content))
    content["design"] |= {"splits": "random", "edges": "public"}
    del content["design"]["borders"]
    assert Tree.from_json(resigned(content)).design.public_splits


@pytest.mark.parametrize("splits", ["choice", "histograms", "random"])
def test_counts_that_were_not_released_are_refused(splits):
    content = content_of(fitted(splits=splits, leaves="counts", max_depth=1)[0])
    content["design"]["leaves"] = "labels"
    with pytest.raises(FileRefused):
        Tree.from_json(resigned(content))
    content = content_of(fitted(splits=splits, leaves="counts", max_depth=1)[0])
    content["leaf_releases"].pop()
    with pytest.raises(FileRefused):
        Tree.from_json(resigned(content))


def test_a_design_is_read_from_its_entry_alone():
    design = PrivaTree("histograms", "gini", "joint", 4, "counts", 64)
    assert PrivaTree.from_json(design.to_json()) == design
    with pytest.raises(ValueError, match="a design privatree has borders, edge_bins, edges"):
        PrivaTree.from_json({"name": "privatree", "depth": 3})
    with pytest.raises(ValueError, match="splits must be one of"):
        PrivaTree.from_json({"name": "privatree", "splits": "best"})
