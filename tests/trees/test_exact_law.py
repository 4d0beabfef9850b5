"""The exact law of a whole small tree: by hand, by its recursion, and what it refuses."""

from fractions import Fraction
from itertools import product

import pytest

from fdpedu.claims.checking import Refuted
from fdpedu.claims.trees import laws_exact as law
from fdpedu.claims.trees import laws_transcripts as told
from fdpedu.claims.trees.laws_exact import HALF, ONE, THREE, TWO
from fdpedu.domain import Categorical, Domain
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.privacy import max_ratio
from fdpedu.trees import Design
from fdpedu.trees.clamped_tables import clamped
from fdpedu.trees.exact_law import SmallTrees, Split, Transcript, TreeLoss

THIRD = Fraction(1, 3)
YOUNG_ILL, OLD_ILL, OLD_WELL = (0.5, "ill"), (1.5, "ill"), (1.5, "well")
LEFT = frozenset({0})
YOUNG, OLD = ONE.everything.restrict(0, [0]), ONE.everything.restrict(0, [1])


def small(domain=ONE, alpha=THIRD, depth=1, **options):
    return SmallTrees(domain, alpha, depth, **{"low": 0, "high": 1, "design": "algorithm-5-clipped", **options})


# --- one cell ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-2, 3), (1, 4), (-5, -1)])
@pytest.mark.parametrize("count", range(-3, 7))
def test_a_clamped_count_has_the_mass_of_all_that_is_clamped_to_it(count, low, high):
    """Inner values as the mechanism says; the ends hold the tails, summed up to where next to nothing is left."""
    masses = dict(enumerate(clamped(count, THIRD, low, high), low))
    assert list(masses) == list(range(low, high + 1)) and sum(masses.values()) == 1
    far = {k: discrete_laplace_pmf(k - count, alpha=THIRD) for k in range(count - 60, count + 61)}
    for value, mass in masses.items():
        summed = sum(p for k, p in far.items() if min(max(k, low), high) == value)
        assert 0 <= mass - summed < THIRD**50


@pytest.mark.claim("thm-tree-law")
@pytest.mark.parametrize(("low", "high"), [(0, 1), (-2, 3), (1, 4), (0, 4)])
@pytest.mark.parametrize("count", range(6))
def test_where_one_cell_has_the_worst_ratio(count, low, high):
    """1/α exactly at or below the smaller count and below the upper clamp; α above it and above the lower clamp."""
    for k, p, q in zip(
        range(low, high + 1), clamped(count, THIRD, low, high), clamped(count + 1, THIRD, low, high), strict=True
    ):
        assert THIRD <= p / q <= 3
        assert (p / q == 3) == (k <= count and k < high)
        assert (p / q == THIRD) == (k > count and k > low)


# --- what is decided --------------------------------------------------------------------------------------------------


def test_the_decisions_on_two_bins_by_hand():
    """Printed test on counts of 0 and 1: split if both bins and both classes have somebody."""
    nodes = small().nodes
    decided = nodes.decided(ONE.everything)
    assert nodes.cells(ONE.everything) == [(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1)]
    assert decided.cuts == (None, (0, LEFT)) and decided.sides == ((), (YOUNG, OLD))
    tables = nodes.tables(ONE.everything).tolist()
    assert tables == [list(table) for table in product((0, 1), repeat=4)]
    for (a, b, c, d), number in zip(tables, decided.numbers.tolist(), strict=True):
        assert number == bool((a or b) and (c or d) and (a or c) and (b or d))


def test_a_side_of_one_bin_is_a_leaf_whatever_is_counted():
    nodes = small().nodes
    assert nodes.cells(OLD) == [(0, 1, 0), (0, 1, 1)]
    assert nodes.decided(OLD).cuts == (None,)
    assert nodes.decision_law(OLD, ((1, 0),)) == [1]


def test_categories_are_divided_in_the_order_of_their_shares():
    ward = Domain([Categorical("ward", ("A", "B", "C"))], ("well", "ill"))
    decided = small(ward).nodes.decided(ward.everything)
    assert {cut[1] for cut in decided.cuts[1:]} == {
        frozenset(codes) for codes in ({0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2})
    }


def test_few_rows_are_told_by_what_is_asked_for():
    """Averaged test: a least number of five rows stops every table of four cells at 0 or 1; of four, all but one."""
    assert [
        small(design="averaged", min_samples_split=n).nodes.decided(ONE.everything).numbers.sum() for n in (4, 5)
    ] == [
        1,
        0,
    ]


def test_a_decision_to_which_no_table_leads_has_no_probability():
    """Counts of 1 and 2 are always split: there is no leaf at the root, in any law, and no ratio of it."""
    trees = small(low=1, high=2)
    assert set(trees.nodes.decided(ONE.everything).numbers.tolist()) == {1}
    assert trees.nodes.worst_tables(ONE.everything, ((0, 0),), ()) == [0, 3]
    law = trees.law([OLD_WELL])
    assert len(law) == 16 and all(isinstance(tree, Split) for tree in law) and min(law.values()) > 0
    assert {count for tree in law for count in (*tree.left, *tree.right)} == {1, 2}
    told.transcripts(trees, [OLD_WELL])


def test_the_confident_test_knows_the_noise_of_one_cell():
    """α = 1/2: a deviation of 2, so 1.645·2·2 = 6.58 beyond the total of four cells, and 4.65 beyond that of two."""
    nodes = small(alpha=HALF, low=-2, high=2, design="default", min_samples_split=5).nodes
    decided, split = nodes.decided(ONE.everything), 0
    for (a, b, c, d), number in zip(nodes.tables(ONE.everything).tolist(), decided.numbers.tolist(), strict=True):
        few, absent = a + b + c + d + 6.58 < 5, min(a + c, b + d) + 4.65 < 1
        assert number == (max(a, b) > 0 and max(c, d) > 0 and not few and not absent)
        split += number
    assert 0 < split < sum(max(a, b) > 0 and max(c, d) > 0 for a, b, c, d in nodes.tables(ONE.everything).tolist())


@pytest.mark.parametrize(("design", "depth"), [("averaged", 1), ("default", 2), ("algorithm-5-as-printed", 2)])
@pytest.mark.claim("thm-tree-law")
def test_the_shipped_tree_takes_these_decisions_at_these_rates(design, depth):
    """Also with three bins and classes; and not with one cell of a table more."""
    for domain, low in ((ONE, -1), (TWO, 0), (THREE, 0)):
        for trees, seed in law.with_answers(domain, depth, low, low + 1, design)(6):
            law.shipped(trees, seed)
    trees.leaf_steps += 1
    with pytest.raises(Refuted, match="rate"):
        law._expected(
            trees, {("class-counts", trees.domain.everything): ((0, 0, 0), 0)}, trees.domain.everything, depth
        )


# --- laws by hand -----------------------------------------------------------------------------------------------------


@pytest.mark.claim("thm-tree-law")
def test_at_depth_0_there_is_one_leaf_with_all_that_is_spent():
    trees = small(depth=0, leaf_steps=2)
    well, ill = (clamped(n, THIRD**2, 0, 1) for n in (0, 1))
    assert trees.law([YOUNG_ILL]) == {(a, b): well[a] * ill[b] for a, b in product((0, 1), repeat=2)}
    assert trees.transcripts([YOUNG_ILL]) == trees.law([YOUNG_ILL])
    assert trees.loss([YOUNG_ILL], []) == TreeLoss(Fraction(9), Fraction(9), Fraction(9))


def by_hand(depth, unspent):
    """Probabilities of a leaf with the counts (0, 1), and of a split with (1, 0) and (0, 0), for one young patient."""
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


@pytest.mark.claim("thm-tree-law")
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("unspent", [False, True])
def test_a_tree_has_the_product_of_the_probabilities_of_its_decisions_and_leaves(depth, unspent):
    """At depth 2 no side can be split again: it pays for histograms, and its leaf costs what a last one does."""
    design = Design(stop=law.DESIGNS["algorithm-5-clipped"].stop, relative=True, unspent_to_leaf=unspent)
    found = small(depth=depth, leaf_steps=2, design=design).law([YOUNG_ILL])
    assert sum(found.values()) == 1 and len(found) == 4 + 16
    assert (found[0, 1], found[Split(0, LEFT, (1, 0), (0, 0))]) == by_hand(depth, unspent)


@pytest.mark.claim("thm-tree-law")
@pytest.mark.parametrize("design", ["averaged", "default", "algorithm-5-clipped", "algorithm-5-as-printed"])
def test_the_recursion_is_what_adding_up_gives(design):
    law.recursion(small(TWO, HALF, 1, leaf_steps=2, design=design), [(0.5, 1.5, "well"), (0.5, 0.5, "ill")])
    law.recursion(small(ONE, HALF, 2, low=-1, design=design), [YOUNG_ILL, YOUNG_ILL])
    law.recursion(small(THREE, THIRD, 1, design=design), [(2.5, "cured")])


@pytest.mark.claim("thm-tree-law")
def test_all_neighbours_by_hand_of_two_lines():
    """No record at all against one: the worst ratio, and its two ways, from the laws."""
    trees = small(leaf_steps=2)
    nobody, one = trees.law([]), trees.law([YOUNG_ILL])
    loss = trees.loss([], [YOUNG_ILL])
    assert loss.tree == max(max_ratio(nobody, one), max_ratio(one, nobody)) == trees.loss([YOUNG_ILL], []).tree
    assert loss.exp_epsilon == loss.transcript == 27 > loss.tree
    assert trees.loss([YOUNG_ILL], [YOUNG_ILL]) == TreeLoss(Fraction(1), Fraction(1), Fraction(27))
    law.all_neighbours(trees, [OLD_ILL, OLD_ILL])


@pytest.mark.claim("thm-tree-law")
def test_a_tree_may_attain_epsilon_and_comes_near_to_it():
    law.attained(1, 1, "averaged", 4)
    law.attained(2, 1, Design(stop=law.unless_full), 0)
    with pytest.raises(Refuted):
        law.attained(1, 1, "averaged", 3)
    with pytest.raises(Refuted):  # a third level has no split left, and is paid for nothing
        law.attained(3, 1, Design(stop=law.unless_full), 0)
    law.approached(3, HALF)


@pytest.mark.claim("lem-substitution-tree")
@pytest.mark.parametrize("design", ["averaged", "algorithm-5-clipped"])
def test_one_record_in_anothers_place(design):
    law.substitution(small(ONE, HALF, 2, high=2, design=design), [OLD_WELL])


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
def test_the_transcript_obeys_its_recursion():
    told.transcripts(small(ONE, HALF, 1, low=-1, high=1, leaf_steps=2), [YOUNG_ILL])
    told.transcripts(small(ONE, HALF, 2), [OLD_WELL, YOUNG_ILL])
    told.transcripts(small(ONE, HALF, 1, design="averaged"), [])


@pytest.mark.claim("lem-tree-transcript")
def test_features_in_parallel_are_not_seen_in_the_tree():
    trees = small(TWO, HALF, 2)
    told.in_parallel(trees, [(0.5, 0.5, "well")])
    assert trees.loss([], [(1.5, 1.5, "well")]) == TreeLoss(Fraction(76038, 18703), Fraction(32), Fraction(32))
    with pytest.raises(Refuted, match="a tree is"):
        told.in_parallel(small(TWO, HALF, 2, design="averaged"), [])


@pytest.mark.claim("lem-tree-transcript")
@pytest.mark.parametrize("case", list(told.image_cases(0)))
def test_what_else_is_made_of_the_transcript(case):
    told.images(*case)
    for other in {-1, 0, 1} - {case[3]}:
        with pytest.raises(Refuted, match="plain tree"):
            told.images(*case[:3], other)
