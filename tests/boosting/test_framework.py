"""Maddock's framework: by hand in fractions, counted by code, moved by one row, and refused by name."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Budget
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.gradients import UNIT
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sources.maddock import Choices, counted, fit_framework, leaf_weight, split_score
from fdpedu.sources.maddock.growing import Growth
from fdpedu.sources.maddock.model import as_columns, leaves_of
from fdpedu.sources.maddock.paying import PAID, STEPS, Asking, Mended, Printed
from fdpedu.sources.maddock.table import auc

NUMBERS = Domain([Numeric.grid(f"x{j}", 0, 6, bins=6) for j in range(3)], ("a", "b"))
ODD = Domain(
    [
        Numeric.grid("x", 0, 5, bins=5, missing=True),
        Categorical("ward", ("A", "B", "C")),
        Numeric.grid("y", 0, 3, bins=3),
    ],
    ("a", "b"),
)
SIX = [[0, 0, 5], [1, 4, 5], [1, 3, 1], [3, 0, 0], [4, 5, 1], [5, 1, 1]]  # codes of rows
CLASSES = [0, 0, 1, 1, 1, 0]
SPLITS = ("histogram", "partially random", "totally random")
WEIGHTS = ("averages", "gradient", "newton")
HALF = Fraction(1, 2)


def fitted(choices, *, rows=SIX, labels=CLASSES, domain=NUMBERS, paid="mended", epsilon=1, seed=None, coins=0):
    """Without noise unless a seed is given."""
    rng = ZeroWords() if seed is None else Rehearsal(seed)
    made = {"paid": paid, "epsilon": epsilon, "delta": "1e-6", "rng": rng, "coins": Rehearsal(coins)}
    return fit_framework(rows, labels, domain, choices, **made)


# --- By hand -------------------------------------------------------------------------------------------------------


def pair_at_zero(labels, weights):
    """(G, S) of rows at the score 0, in fractions."""
    each = Fraction(1, 4) if weights == "newton" else Fraction(1)
    return sum((HALF - y for y in labels), Fraction(0)), each * len(labels)


@st.composite
def small_tables(draw):
    n = draw(st.integers(0, 9))
    rows = draw(st.lists(st.tuples(*[st.integers(0, 5)] * 3), min_size=n, max_size=n))
    return np.array(rows, dtype=int).reshape(n, 3), np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))


@settings(max_examples=150, deadline=None)
@given(small_tables(), st.sampled_from(WEIGHTS), st.sampled_from(PAID), st.sampled_from([None, 1, 2]))
def test_without_noise_every_split_is_a_best_one_by_equation_5(table, weights, paid, k):
    """Each node of the first tree has a split of the largest exact score among all candidates."""
    rows, labels = table
    model = fitted(Choices(1, 2, "histogram", weights, features=k), rows=rows, labels=labels, paid=paid)
    inside = [np.ones(len(labels), dtype=bool)]

    def score(within, feature, left):
        goes = np.isin(rows[:, feature], left)
        sides = [pair_at_zero(labels[within & side].tolist(), weights) for side in (goes, ~goes)]
        return split_score(*sides, 1)

    for level in model.trees[0].levels:
        below = []
        for node, within in enumerate(inside):
            left = np.flatnonzero(~level.right[node])
            features = range(3 if k is None else k)
            best = max(score(within, j, range(c + 1)) for j, c in product(features, range(5)))
            assert score(within, level.features[node], left) == best
            goes = np.isin(rows[:, level.features[node]], left)
            below += [within & goes, within & ~goes]
        inside = below


@settings(max_examples=40, deadline=None)
@given(small_tables(), st.sampled_from(SPLITS), st.sampled_from(["gradient", "newton"]), st.sampled_from(PAID))
def test_weights_of_a_first_tree_are_equations_3_and_4(table, splits, weights, paid):
    """Of each leaf −G/(S + λ) in fractions, to the nearest 1/4096."""
    rows, labels = table
    model = fitted(Choices(1, 2, splits, weights, learning_rate=1), rows=rows, labels=labels, paid=paid)
    tree = model.trees[0]
    at = leaves_of(tree.levels, as_columns(rows, NUMBERS))
    for leaf in range(4):
        exact = leaf_weight(*pair_at_zero(labels[at == leaf].tolist(), weights), 1)
        assert abs(int(tree.weights[leaf]) - exact * UNIT) <= HALF


def test_six_rows_by_hand():
    """x0 ≤ 1 gives y = 0,0,1 | 1,1,0, with G = ±½ and S = ¾; x2 ≤ 1 gives 1,0,1,1 | 0,0, with G = −1, 1 and S = 1, ½.

    Their scores are 1/7 and 7/12, the best one, and its weights 1/2 and −2/3.
    """
    assert split_score((HALF, Fraction(3, 4)), (-HALF, Fraction(3, 4)), 1) == Fraction(1, 7)
    assert split_score((Fraction(-1), Fraction(1)), (Fraction(1), HALF), 1) == Fraction(7, 12)
    for paid in PAID:
        model = fitted(Choices(1, 1, learning_rate=1), paid=paid)
        (tree,) = model.trees
        assert (tree.levels[0].features.tolist(), tree.levels[0].right[0].tolist()) == ([2], [False] * 2 + [True] * 4)
        assert tree.weights.tolist() == [round(UNIT / 2), round(-UNIT * 2 / 3)]
        assert model.predict(SIX).tolist() == [0, 0, 1, 1, 1, 1]


@given(*[st.fractions(-9, 9, max_denominator=50)] * 2, *[st.fractions(0, 9, max_denominator=50)] * 3)
def test_a_split_gains_what_the_loss_of_its_leaves_falls(g_1, g_2, s_1, s_2, gamma):
    """Eq. (5) is what G·w + (S+λ)·w²/2 falls by from one best weight to two, less γ."""
    regularisation = Fraction(3, 2)

    def loss(g, s):
        w = leaf_weight(g, s, regularisation)
        return g * w + (s + regularisation) * w**2 / 2

    gained = loss(g_1 + g_2, s_1 + s_2) - loss(g_1, s_1) - loss(g_2, s_2) - gamma
    assert split_score((g_1, s_1), (g_2, s_2), regularisation, gamma) == gained


def test_weights_have_an_end():
    """Leaves of opposite signs end at ±256, however large the learning rate is."""
    (tree,) = fitted(Choices(1, 1, learning_rate=10**6)).trees
    assert tree.weights.tolist() == [2**20, -(2**20)]


def test_averages_are_shares_of_the_second_class_less_a_half():
    (tree,) = fitted(Choices(1, 1, "histogram", "averages")).trees
    assert tree.weights.tolist() == [UNIT // 4, -UNIT // 2]
    both = [fitted(Choices(4, 2, "histogram", "averages", features=1, batch=b), paid=p) for b in (1, 4) for p in PAID]
    assert len({tuple(model.scores(SIX)) for model in both}) == 1  # whether trees are grown at once makes no difference


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize(("splits", "k", "batch", "candidates"), [
    ("histogram", None, 1, "paid"),
    ("histogram", 1, 2, "paid"),
    ("histogram", 2, 3, "uniform"),
    ("partially random", 1, 2, "uniform"),
    ("partially random", 2, 1, "paid"),
    ("totally random", None, 2, "paid"),
    ("totally random", 1, 5, "uniform"),
])  # fmt: skip
def test_boosting_is_what_a_plain_loop_says(weights, splits, k, batch, candidates):
    """Given the splits, real weights without noise follow tree by tree; a batch's trees see the same scores."""
    rng = np.random.default_rng(1)
    rows, labels = rng.integers(0, 6, (80, 3)), rng.integers(0, 2, 80)
    choices = Choices(5, 3, splits, weights, candidates, 3, 1, k, "random", batch)
    model = fitted(choices, rows=rows, labels=labels, paid="as printed")
    score, waiting = np.zeros(80), np.zeros(80)
    for t, tree in enumerate(model.trees):
        if t % batch == 0:
            score, waiting = score + waiting, np.zeros(80)
        p = 1 / (1 + np.exp(-score)) if weights != "averages" else np.full(80, 0.5)
        at = leaves_of(tree.levels, as_columns(rows, NUMBERS))
        size = min(batch, 5 - t // batch * batch)
        for leaf in range(8):
            mine = at == leaf
            g, s = (p - labels)[mine].sum(), (p * (1 - p) if weights == "newton" else np.ones(80))[mine].sum()
            expected = -g / max(s, 1) / 5 if weights == "averages" else -0.3 / size * g / (s + 1)
            assert tree.weights[leaf] / UNIT == pytest.approx(expected, abs=1e-3)
            waiting[mine] += tree.weights[leaf] / UNIT
    assert (
        len(set(map(tuple, (set(level.features.tolist()) for level in model.trees[0].levels)))) == (3 if not k else 1)
        or k != 1
    )
    assert np.allclose(model.scores(rows), score + waiting)


def test_features_take_turns():
    """Cyclically, tree t has the features from t·k on; a random subset has k."""
    model = fitted(Choices(3, 2, "totally random", features=1))
    assert [set(level.features) for tree in model.trees for level in tree.levels] == [{0}, {0}, {1}, {1}, {2}, {2}]
    for coins in range(3):
        drawn = fitted(Choices(6, 3, "totally random", features=2, turns="random"), coins=coins)
        assert all(len({j for level in tree.levels for j in level.features}) <= 2 for tree in drawn.trees)
        assert len({j for tree in drawn.trees for level in tree.levels for j in level.features}) == 3


# --- Counted -------------------------------------------------------------------------------------------------------


@st.composite
def any_choices(draw):
    trees = draw(st.integers(1, 6))
    batch = draw(st.integers(1, trees))
    return Choices(
        trees,
        draw(st.integers(1, 3)),
        draw(st.sampled_from(SPLITS)),
        draw(st.sampled_from(WEIGHTS)),
        draw(st.sampled_from(["uniform", "paid"])),
        draw(st.integers(1, 7)),
        draw(st.integers(1, math.ceil(trees / batch))),
        draw(st.sampled_from([None, 1, 2, 3])),
        draw(st.sampled_from(["cyclical", "random"])),
        batch,
    )


@settings(max_examples=60, deadline=None)
@given(any_choices(), st.sampled_from(PAID))
def test_what_is_asked_is_what_table_1_says(choices, paid):
    """κ_s, κ_w and κ_c by recording each query; rounds and numbers, too; a run asks what is counted without rows."""
    counts, k, T, d = counted(choices, NUMBERS), choices.features or 3, choices.trees, choices.depth
    paying = choices.candidates == "paid" and choices.splits != "histogram"
    random = choices.splits == "totally random"
    splits = 0 if random else T if k == 1 else T * k * d
    assert (counts.splits, counts.weights, counts.candidates) == (splits, T * random, choices.moves * k * paying)
    assert choices.queries(3) == (counts.splits, counts.weights, counts.candidates)
    assert counts.releases == sum(choices.queries(3))
    levels = 1 if random or k == 1 else d
    assert counts.rounds == choices.batches * levels + choices.moves * paying
    cells = min(choices.n_candidates, 5) + 1
    if choices.splits == "histogram":
        numbers = 2 * T * (cells if k == 1 else k * cells * (2**d - 1))
    else:
        numbers = 2 * T * (2**d if random or k == 1 else 2 * k * (2**d - 1))
    assert counts.numbers == numbers + counts.candidates * cells
    assert counts.answer_bytes == 8 * counts.numbers
    assert fitted(choices, paid=paid, seed=3).counts == counts


def test_with_missing_values_and_categories_cells_are_counted_as_they_are():
    """6 + 3 + 3 cells: five bins and a gap, three categories, three bins."""
    assert counted(Choices(2, 1), ODD).numbers == 2 * 2 * (6 + 3 + 3)
    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.integers(0, n, 200) for n in (6, 3, 3)])
    labels = (rows[:, 0] == 5).astype(int)  # what is missing
    for splits in SPLITS:
        model = fitted(Choices(12, 3, splits), rows=rows, labels=labels, domain=ODD)
        assert auc(model.scores(rows), labels) == 1.0


def test_no_query_is_answered_that_was_not_paid_for():
    asking = Asking(Mended("newton"), Fraction(1), 2, ZeroWords())
    asking.ask("weights", [np.zeros((2, 2))] * 2)
    with pytest.raises(AssertionError):
        asking.ask("weights", [np.zeros((2, 2))])


# --- What one row moves --------------------------------------------------------------------------------------------


class Replayed(Asking):
    """Keeps the exact sums, and answers what does not depend on them, so that two runs ask the same."""

    def __init__(self, pairs, n_queries):
        super().__init__(pairs, Fraction(1), n_queries, ZeroWords())
        self.kept, self._answers = [], np.random.default_rng(5)

    def ask(self, what, exact):
        self.kept += [(what, sums) for sums in exact]
        super().ask(what, exact)
        units = self.pairs.units[1] if what == "candidates" else np.array(self.pairs.units)
        return [self._answers.normal(0, 3, sums.shape) * units for sums in exact]


def moved_most(choices, pairs, domain=NUMBERS, rows=SIX, labels=CLASSES):
    """The largest squared ℓ₂ change of a query, of pairs and of second numbers, if one of the rows is left out."""

    def asked(keep):
        columns = as_columns(np.array(rows)[keep], domain)
        asking = Replayed(pairs, sum(choices.queries(domain.n_features)))
        Growth(columns, np.array(labels)[keep], domain, choices, asking, Rehearsal(2)).model()
        return asking.kept

    every = list(range(len(rows)))
    whole, most = asked(every), [0.0, 0.0]
    for left_out in every:
        for (what, one), (_, other) in zip(whole, asked(every[:left_out] + every[left_out + 1 :]), strict=True):
            alone = what == "candidates"
            most[alone] = max(most[alone], float(((one - other) ** 2).sum()))
    return most


@settings(max_examples=15, deadline=None)
@given(any_choices())
def test_one_row_moves_no_query_by_more_than_its_length(choices):
    """Whatever was released before, mended and as printed: one row is in one cell of each query."""
    for pairs in (Mended(choices.weights), Printed(choices.weights)):
        pair, second = moved_most(choices, pairs)
        assert pair <= pairs.lengths[0] and second <= pairs.lengths[1]


class Enlarged(Mended):
    """Broken: κ = 4, for which the length m is too short."""

    def _second(self, p):
        return 4 * p * (STEPS - p) // STEPS


class Clipped(Mended):
    """Broken: the length of the gradient alone, for pairs with a count."""

    def __init__(self, weights):
        super().__init__(weights)
        self.lengths = Fraction(STEPS**2), self.lengths[1]


@pytest.mark.parametrize(("broken", "weights"), [(Enlarged, "newton"), (Clipped, "gradient")])
def test_broken_lengths_are_seen(broken, weights):
    """Longer pairs than are paid for stand in the tables."""
    pairs = broken(weights)
    scores = np.arange(-8 * UNIT, 8 * UNIT, 64)
    found = max((pairs.of(scores, np.full(len(scores), y)) ** 2).sum(axis=0).max() for y in (0, 1))
    paid = STEPS**2 if broken is Enlarged else pairs.lengths[0]
    assert found > paid


@pytest.mark.parametrize("weights", WEIGHTS)
def test_lengths_are_attained_and_no_longer_than_said(weights):
    """m², 5m²/4 and m²/2; and as printed the true length of (g, h) is 1, below 17/16."""
    scores = np.arange(-9 * UNIT, 9 * UNIT, 64) if weights != "averages" else np.zeros(1, dtype=int)
    for pairs in (Mended(weights), Printed(weights)):
        rows = np.concatenate([pairs.of(scores, np.full(len(scores), y)) for y in (0, 1)], axis=1)
        longest = (rows**2).sum(axis=0).max()
        if isinstance(pairs, Mended):
            assert (longest, (rows[1] ** 2).max()) == pairs.lengths and (rows == rows.astype(int)).all()
            assert longest == {"newton": 1, "gradient": 1.25, "averages": 0.5}[weights] * STEPS**2
        else:
            assert longest == pytest.approx({"newton": 1, "gradient": 2, "averages": 5 / 16}[weights], abs=3e-4)
            assert longest <= pairs.lengths[0] and (rows[1] ** 2).max() <= pairs.lengths[1]


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("paid", PAID)
def test_all_queries_together_cost_rho(weights, paid, monkeypatch):
    """κ·Δ²/(2(σ² − 1)) = ρ in fractions, for pairs and for second numbers; as printed, with σ² for σ² − 1."""
    kind, seen = Mended if paid == "mended" else Printed, []
    monkeypatch.setattr(kind, "noise", lambda self, variance, size, source: seen.append(variance) or np.zeros(size))
    choices = Choices(4, 2, "totally random", weights, "paid", moves=2)
    model = fitted(choices, paid=paid)
    rho, (pair, second) = Budget.of(1, delta="1e-6").limit.value, kind(weights).lengths
    one = 1 if paid == "mended" else 0
    assert set(seen) == {length * model.counts.releases / (2 * rho) + one for length in (pair, second)}
    assert seen[0] == second * 10 / (2 * rho) + one  # 4 + 2·3 queries; the first one is for candidates


def test_lengths_as_printed():
    """√17/4, of which the Hessian alone is ¼; √2 and 1 with a count."""
    assert [Printed(w).lengths for w in ("newton", "averages")] == [(Fraction(17, 16), Fraction(1, 16))] * 2
    assert Printed("gradient").lengths == (2, 1)


def test_noise_has_its_variance():
    """Within six standard errors of a variance of 10⁵ numbers; words of zeros are no noise."""
    for pairs in (Mended("newton"), Printed("newton")):
        found = pairs.noise(Fraction(40), 10**5, Rehearsal(1))
        assert abs(found.mean()) < 6 * math.sqrt(40 / 10**5) and abs(found.var() / 40 - 1) < 6 * math.sqrt(2 / 10**5)
        assert not pairs.noise(Fraction(40), 5, ZeroWords()).any()
    whole = Mended("newton").noise(Fraction(40), 100, Rehearsal(1))
    assert (whole == np.rint(whole)).all()


def test_paid_candidates_move_for_the_next_batch():
    """By histograms and without: with all rows in two of six bins, a single cut finds the border between these."""
    rows, labels = [[0, 0, 0]] * 20 + [[1, 0, 0]] * 20, [0] * 20 + [1] * 20
    for splits, n in (("histogram", 2), ("totally random", 40), ("partially random", 2)):
        choices = {"trees": n, "depth": 2, "splits": splits, "n_candidates": 1}
        fixed, moving = (
            fitted(Choices(**choices, candidates=c, moves=min(2, n)), rows=rows, labels=labels)
            for c in ("uniform", "paid")
        )
        assert auc(fixed.scores(rows), np.array(labels)) == 0.5
        assert auc(moving.scores(rows), np.array(labels)) == 1.0
