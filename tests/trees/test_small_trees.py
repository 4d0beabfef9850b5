"""The exact law of a whole small tree: by hand, by its recursion, and what it refuses."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest

from fdpedu.claims.checking import Refuted
from fdpedu.claims.replay import patched
from fdpedu.claims.trees import exact_law as topic
from fdpedu.claims.trees import transcripts as released
from fdpedu.claims.trees.exact_law import HALF, ONE, THREE, TWO
from fdpedu.domain import Domain
from fdpedu.privacy import max_ratio
from fdpedu.sources.gubler import AsPrinted
from fdpedu.trees import DESIGNS, Design, stopping
from fdpedu.trees.clamped_tables import clamped
from fdpedu.trees.exact_law import SmallTrees, Split, Transcript, TreeLoss
from tests.support.odd_values import ODD

THIRD = Fraction(1, 3)
YOUNG_ILL, OLD_ILL, OLD_WELL = (0.5, "ill"), (1.5, "ill"), (1.5, "well")
LEFT = frozenset({0})


def small(domain=ONE, alpha=THIRD, max_depth=1, **options):
    return SmallTrees(domain, alpha, max_depth, **{"low": 0, "high": 1, "design": "algorithm-5-clipped", **options})


@pytest.mark.parametrize(("design", "depth"), [("averaged", 1), ("default", 2), (AsPrinted(), 2)])
@pytest.mark.claim("thm-tree-law")
def test_the_shipped_tree_takes_these_decisions_at_these_rates(design, depth):
    """Also with three bins and classes; and not with one cell of a table more."""
    for domain, low in ((ONE, -1), (TWO, 0), (THREE, 0)):
        for trees, seed in topic.with_answers(domain, depth, low, low + 1, design)(6):
            topic.shipped(trees, seed)
    trees.leaf_steps += 1
    with pytest.raises(Refuted, match="rate"):
        topic._expected(
            trees, {("class-counts", trees.domain.everything): ((0, 0, 0), 0)}, trees.domain.everything, depth
        )


# --- laws by hand -----------------------------------------------------------------------------------------------------


@pytest.mark.claim("thm-tree-law")
def test_at_depth_0_there_is_one_leaf_with_all_that_is_spent():
    trees = small(max_depth=0, leaf_steps=2)
    well, ill = (clamped(n, THIRD**2, 0, 1) for n in (0, 1))
    assert trees.law([YOUNG_ILL]) == {(a, b): well[a] * ill[b] for a, b in product((0, 1), repeat=2)}
    assert trees.transcripts([YOUNG_ILL]) == trees.law([YOUNG_ILL])
    assert trees.loss([YOUNG_ILL], []) == TreeLoss(Fraction(9), Fraction(9), Fraction(9))


def by_hand(depth, unspent):
    """Probabilities of a leaf with the counts (0, 1), and of a split with (1, 0) and (0, 0), for one young patient.

    Shares: trees.clamped_tables.clamped: the law of one clamped count, and nothing of how a tree is made of them.
    """
    cells = [clamped(n, THIRD, 0, 1) for n in (0, 1, 0, 0)]
    split = sum(
        cells[0][a] * cells[1][b] * cells[2][c] * cells[3][d]
        for a, b, c, d in product((0, 1), repeat=4)
        if (a or b) and (c or d) and (a or c) and (b or d)
    )
    early = THIRD ** (2 + (depth - 1) * unspent)
    late = THIRD**2
    leaf = clamped(0, early, 0, 1)[0] * clamped(1, early, 0, 1)[1]
    young = clamped(0, late, 0, 1)[1] * clamped(1, late, 0, 1)[0]
    old = clamped(0, late, 0, 1)[0] ** 2
    return (1 - split) * leaf, split * young * old


DATA = ((0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0), (1, 1, 1), (1, 1, 1), (1, 0, 1))  # two codes and a class


@pytest.mark.parametrize("records", [DATA, DATA[:1], DATA[3:5]])
def test_a_leaf_counts_classes_and_no_codes(records):
    """At depth 0 the law is that of the class counts; and of a bare root at any depth."""
    rows = [[x + 0.5, y + 0.5, ("well", "ill")[label]] for x, y, label in records]
    counts = [sum(label == k for *_, label in records) for k in (0, 1)]
    well, ill = (clamped(count, THIRD**2, 0, 1) for count in counts)
    trees = SmallTrees(TWO, THIRD, 0, low=0, high=1, leaf_steps=2)
    assert trees.law(rows) == {(a, b): well[a] * ill[b] for a in (0, 1) for b in (0, 1)}
    never = Design(stop=lambda level, least: np.ones(len(level.tables), dtype=bool), unspent_to_leaf=False)
    assert SmallTrees(TWO, THIRD, 3, low=0, high=1, leaf_steps=2, design=never).law(rows) == trees.law(rows)


@pytest.mark.claim("thm-tree-law")
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("unspent", [False, True])
def test_a_tree_has_the_product_of_the_probabilities_of_its_decisions_and_leaves(depth, unspent):
    """At depth 2 no side can be split again: it pays for histograms, and its leaf costs what a last one does."""
    design = Design(stop=DESIGNS["algorithm-5-clipped"].stop, relative=True, unspent_to_leaf=unspent)
    found = small(max_depth=depth, leaf_steps=2, design=design).law([YOUNG_ILL])
    assert sum(found.values()) == 1 and len(found) == 4 + 16
    assert (found[0, 1], found[Split(0, LEFT, (1, 0), (0, 0))]) == by_hand(depth, unspent)


@pytest.mark.claim("thm-tree-law")
def test_all_neighbours_by_hand_of_two_lines():
    """No record at all against one: the worst ratio, and its two ways, from the laws."""
    trees = small(leaf_steps=2)
    nobody, one = trees.law([]), trees.law([YOUNG_ILL])
    loss = trees.loss([], [YOUNG_ILL])
    assert loss.tree == max(max_ratio(nobody, one), max_ratio(one, nobody)) == trees.loss([YOUNG_ILL], []).tree
    assert loss.exp_epsilon == loss.transcript == 27 > loss.tree
    assert trees.loss([YOUNG_ILL], [YOUNG_ILL]) == TreeLoss(Fraction(1), Fraction(1), Fraction(27))
    topic.all_neighbours(trees, [OLD_ILL, OLD_ILL])


@pytest.mark.claim("thm-tree-law")
def test_a_tree_may_attain_epsilon_and_comes_near_to_it():
    topic.attained(1, 1, "averaged", 4)
    topic.attained(2, 1, Design(stop=topic.unless_full), 0)
    with pytest.raises(Refuted):
        topic.attained(1, 1, "averaged", 3)
    with pytest.raises(Refuted):  # a third level has no split left, and is paid for nothing
        topic.attained(3, 1, Design(stop=topic.unless_full), 0)
    topic.approached(3, HALF)


# --- transcripts ------------------------------------------------------------------------------------------------------


@pytest.mark.claim("lem-tree-transcript")
def test_transcripts_by_hand():
    """16 tables; 9 make a leaf of 4 counts, and 7 two leaves of 4 each."""
    found = small().transcripts([YOUNG_ILL])
    assert len(found) == 9 * 4 + 7 * 16 and sum(found.values()) == 1
    leaf = Transcript((0, 1, 0, 1), None, (1, 0), ())
    split = Transcript((0, 1, 1, 0), (0, LEFT), (1, 0), (0, 1))
    assert leaf.tree() == (1, 0) and split.tree() == Split(0, LEFT, (1, 0), (0, 1))
    nobody, one = clamped(0, THIRD, 0, 1), clamped(1, THIRD, 0, 1)
    assert found[leaf] == nobody[0] * one[1] * nobody[0] * nobody[1] * nobody[1] * one[0]
    assert found[split] == nobody[0] * one[1] * nobody[1] * nobody[0] * nobody[1] * one[0] * nobody[0] * nobody[1]


@pytest.mark.claim("lem-tree-transcript")
def test_a_transcript_of_two_levels_shows_its_tree():
    inner = Transcript((1,), (1, LEFT), (0, 1), (1, 1))
    assert Transcript((0,), (0, LEFT), inner, (2, 0)).tree() == Split(0, LEFT, Split(1, LEFT, (0, 1), (1, 1)), (2, 0))


@pytest.mark.claim("lem-tree-transcript")
def test_features_in_parallel_are_not_seen_in_the_tree():
    trees = small(TWO, HALF, 2)
    released.in_parallel(trees, [(0.5, 0.5, "well")])
    assert trees.loss([], [(1.5, 1.5, "well")]) == TreeLoss(Fraction(76038, 18703), Fraction(32), Fraction(32))
    with pytest.raises(Refuted, match="a tree is"):
        released.in_parallel(small(TWO, HALF, 2, design="averaged"), [])


@pytest.mark.claim("lem-tree-transcript")
@pytest.mark.parametrize("case", list(released.image_cases(0)))
def test_what_else_is_made_of_the_transcript(case):
    released.images(*case)
    for other in {-1, 0, 1} - {case[3]}:
        with pytest.raises(Refuted, match="plain tree"):
            released.images(*case[:3], other)


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [[[0.5]], [[0.5, 1.5, "ill"]], [(0.5, "ill"), "ab"], [{0.5: 1, "ill": 2}]])
def test_a_record_has_a_value_of_each_feature_and_a_class(rows):
    with pytest.raises(ValueError, match="rows"):
        small().law(rows)


@pytest.mark.parametrize("rows", [[["x", "ill"]], [[0.5, "dead"]]])
def test_what_is_not_of_the_domain_is_refused_as_rows(rows):
    with pytest.raises(ValueError, match="rows row 0"):
        small().law(rows)


REFUSED = [
    ({"domain": None}, "domain"),
    ({"alpha": 0}, "alpha"),
    ({"alpha": 1}, "alpha"),
    ({"max_depth": -1}, "max_depth"),
    ({"max_depth": 9}, "max_depth"),
    ({"low": 1}, "high"),
    ({"low": -1001, "high": -999}, "low"),
    ({"high": 1001, "low": 999}, "high"),
    ({"leaf_steps": 0}, "leaf_steps"),
    ({"leaf_steps": 1001}, "leaf_steps"),
    ({"min_samples_split": -1}, "min_samples_split"),
    ({"design": "no such"}, "design"),
    ({"design": Design(features_per_node=1)}, "design"),
    ({"design": Design(fresh_leaves=False)}, "design"),
    ({"domain": TWO, "high": 4}, "8 cells"),
    ({"domain": Domain.from_spec({"features": {"x": [0, 256, 256]}, "classes": ["a", "b"]})}, "512 cells"),
]


@pytest.mark.parametrize(("options", "words"), REFUSED)
def test_what_has_no_small_law_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        small(**options)


def test_borders_are_accepted():
    assert small(low=-1000, high=-999, leaf_steps=1000, max_depth=8, min_samples_split=2**62).depth == 8
    assert small(low=999, high=1000).high == 1000
    assert small(high=16).high == 16 and 17**4 < 100_000


@pytest.mark.parametrize(("method", "outcomes"), [("law", 4 + 16), ("transcripts", 9 * 4 + 7 * 16)])
def test_more_outcomes_than_anybody_wants_are_refused(method, outcomes):
    with patched("fdpedu.trees.small_trees", MAX_TABLES=outcomes):
        assert len(getattr(small(), method)([])) == outcomes
    words = f"{outcomes} outcomes"
    with patched("fdpedu.trees.small_trees", MAX_TABLES=outcomes - 1), pytest.raises(ValueError, match=words):
        getattr(small(), method)([])


@pytest.mark.parametrize("odd", ODD)
def test_odd_rows_are_refused_or_read(odd):
    trees = small()
    for call in (trees.law, trees.transcripts, lambda rows: trees.loss(rows, []), lambda rows: trees.loss([], rows)):
        try:
            call(odd)
        except ValueError as error:
            assert str(error)


@pytest.mark.parametrize(
    "name", ["domain", "alpha", "max_depth", "low", "high", "leaf_steps", "min_samples_split", "design"]
)
def test_odd_arguments_are_refused_or_read(name):
    for odd in ODD:
        arguments = {"domain": ONE, "alpha": HALF, "max_depth": 1, "low": 0, "high": 1, name: odd}
        try:
            SmallTrees(**arguments)
        except ValueError as error:
            assert str(error)


@pytest.mark.parametrize("rows", [5, None, "rows"])
def test_rows_that_are_no_list_are_refused_by_their_name(rows):
    for call in (small().law, small().transcripts, partial(small().loss, []), lambda one: small().loss(one, [])):
        with pytest.raises(ValueError, match="rows"):
            call(rows)


def test_a_rule_without_a_name_is_reported_as_one():
    rule = partial(stopping.averaged)
    assert repr(small(design=Design(stop=rule))) == "SmallTrees(a rule, α = 1/3, depth 1, counts from 0 to 1)"
