"""The mathematics that the exercises of chapter 12 rely on."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from fdpedu.accounting import Cost
from fdpedu.boosting import Course, Marginals, Rules
from fdpedu.boosting.stepping import enlarged
from fdpedu.boosting.steps import newton
from fdpedu.domain import Domain, Numeric
from fdpedu.exercises.boosting.enlarge import SCORES, scale, variance
from fdpedu.exercises.boosting.hessian import fails, found
from fdpedu.exercises.boosting.state import TABLE, own_scores, sums
from fdpedu.exercises.boosting.state import told as told_by_state
from fdpedu.exercises.catalogue import find
from fdpedu.federation import GradientSums
from fdpedu.gradients import UNIT, AdditiveModel, TreeShapes, positions, probabilities, pull_sums, pulls
from tests.support.exercises import cases_of, check

AGES = Domain([Numeric.grid("age", 0, 100, bins=8)], ("well", "ill"))


def asked(trees, leaves, clip, cost):
    """The library's question of so many trees; a number of leaves is a power of 2."""
    questions = ((0, 0b1111),) * (leaves.bit_length() - 1)
    return GradientSums(AGES.everything, cost, 64, AdditiveModel(), clip, 256, 256, TreeShapes((questions,) * trees))


# --- Steps and pulls ---


def test_the_library_s_step_is_a_newton_step_from_the_score_0():
    """With all probabilities 1/2, n rows of N in the leaf, h = 1/4, and N/(4L) for λ."""
    by_hand, N, L = find("boosting-step").reference, 64, 8
    for wells, ills in product(range(4), repeat=2):
        rows = [(0, Fraction(1, 2))] * wells + [(1, Fraction(1, 2))] * ills
        sides = np.array([[[len(rows) / N] + [(1 - len(rows) / N) / (L - 1)] * (L - 1)]])
        pulled = np.array([[32 * (wells - ills)] + [0] * (L - 1)])
        step = newton(pulled, sides, rows=N, curvature=1024, steps=64)[0, 0]
        assert step == pytest.approx(float(by_hand(rows, Fraction(N, 4 * L))))


def test_a_newton_step_is_the_least_of_the_expansion():
    """Of Σg·w + (Σh + λ)w²/2, against weights around it."""
    for (rows, penalty), weight in cases_of("boosting-step"):

        def expansion(w, rows=rows, penalty=penalty):
            return sum((p - y) * w + p * (1 - p) * w**2 / 2 for y, p in rows) + penalty * w**2 / 2

        assert all(expansion(weight) < expansion(weight + d) for d in (Fraction(1, 100), Fraction(-1, 100)))


def test_pulls_are_those_of_the_library_s_table():
    for (P, y, m, clip), pull in cases_of("boosting-pull"):
        at = np.flatnonzero(probabilities(m) == P)
        assert at.size and set(pulls(m, clip)[y, at].tolist()) == {pull}
        assert abs(pull) <= clip


# --- Costs and noise ---


def test_the_price_of_trees_is_what_their_question_says():
    for (trees, leaves, clip), (first, second, cells) in cases_of("boosting-price"):
        query = asked(trees, leaves, clip, "1/2")
        assert (query.n_releases * query.sensitivity, query.l2_squared, query.cells) == (first, second, cells)
        assert query.shape(AGES) == (trees, leaves)


def test_the_noise_of_a_score_is_that_of_the_library_s_questions():
    """From the rate of a question in ε, and from its ℓ₂ sensitivity and its Gaussian noise in ρ."""
    for (rounds, trees, rho, epsilon), (in_rho, in_epsilon) in cases_of("boosting-noise"):
        mean = Fraction(1, rounds * trees)
        pure = asked(trees, 2, 1, epsilon / rounds)
        assert in_epsilon == mean * 2 / pure.rate.rate**2
        concentrated = asked(trees, 2, 1, Cost("gaussian", rho / rounds))
        assert in_rho == mean * concentrated.l2_squared / (2 * rho / rounds)
        drawn = asked(trees, 2, 32, Cost("gaussian", rho / rounds)).gaussian(1)
        assert float(mean * drawn.variance) / 32**2 == pytest.approx(float(in_rho), rel=2e-3)


@pytest.mark.parametrize(("kappa", "first"), [("3.33", None), ("3.4", (12, 8)), ("4", (2, 1))])
def test_where_a_hessian_is_no_longer_free(kappa, first):
    """Up to 256 steps κ = 3.33 never fails; where 3.4 and 4 fail first."""
    k = Fraction(kappa)
    broken = []
    for m in range(2, 257):
        P = np.arange(m + 1)
        H = k.numerator * P * (m - P) // (k.denominator * m)
        broken += [(m, int(p)) for p in np.flatnonzero(P**2 + H**2 > m**2)]
        if kappa == "3.4":
            assert [fails(m, int(p)) for p in P] == (P**2 + H**2 > m**2).tolist()
    assert (broken[0] if broken else None) == first
    assert kappa != "3.4" or {m for m, _ in broken} >= set(range(26, 257))


def test_the_library_s_number_of_steps_breaks_too():
    """With 64 steps, as the library has, at a score that its table holds."""
    assert check("boosting-hessian", (64, 40)).passed and 40 in probabilities(64)
    assert found(12, 4)[0] == "other class" and found(5, 3)[0] == "rounded" and found(64, 10)[0] == "within"


# --- How far a step may go ---


def test_the_limits_are_those_of_what_is_left_after_a_round():
    """At the first limit nothing is left, at the second as much as before, with the other sign."""
    for (copies, rounds), (turning, growing) in cases_of("boosting-safe-step"):
        assert 1 - copies * turning / rounds == 0 and 1 - copies * growing / rounds == -1


def test_the_guard_is_the_library_s():
    """What copies lack, told to the library as the sums of a round: it takes the same steps, in units of 1/4096."""
    shares = Marginals(AGES, np.ones(8))
    for (copies, step, rounds), taken in cases_of("boosting-guard"):
        rules = Rules("trees", 100, rounds, 1, 1, 1, 8, 32, int(step * UNIT))
        course, missing, found = Course(rules, shares, shares.rows(9, b""), 0.0), Fraction(1), []
        for _ in range(rounds):
            sums = np.array([[round(10**6 * missing), -round(10**6 * missing)]])
            kept = course.after(AdditiveModel(), TreeShapes((((0, 0b1111),),)), sums)[1]
            found.append(kept.step)
            missing *= 1 - copies * Fraction(kept.step, UNIT) / rounds
        assert found == [int(each * UNIT) for each in taken]


# --- The gentle loss ---


def test_the_library_s_pulls_add_up_to_0_at_the_probability_that_was_found():
    """η·pull(1) + (1 − η)·pull(0), by the library's table with clip ½, changes its sign where P/m passes q."""
    table, (well, ill) = probabilities(4096), pulls(4096, 2048)
    for (q,), eta in cases_of("boosting-calibrated"):
        expected = eta.numerator * ill + (eta.denominator - eta.numerator) * well
        last = int(np.flatnonzero(expected < 0)[-1])
        low, high = table[last] - 1, table[np.flatnonzero(expected > 0)[0]] + 1
        assert (expected[: last + 1] < 0).all() and low <= q * 4096 <= high and high - low <= 36
        assert (2 * q - 1) * (q - eta) >= 0 and ((q == eta) == (q == Fraction(1, 2)))


def test_the_formula_is_that_of_the_lemma():
    """From η to σ(s*) and back."""
    back = find("boosting-calibrated").reference
    for n in range(2, 20):
        for k in range(1, n):
            eta = Fraction(k, n)
            high = max(eta, 1 - eta)
            q = (3 * high - 1) / (2 * high)
            assert back(q if eta >= Fraction(1, 2) else 1 - q) == eta


# --- What is broken ---


def test_the_server_enlarges_as_the_library_does_with_other_rows():
    """The library's own function tells real rows apart, too; it is given made-up ones."""
    model = AdditiveModel(((((0, 0b001),), (-UNIT // 2, 0)), (((0, 0b011),), (0, UNIT // 2))))
    every = model.scores(np.array([[0, 1, 2]], dtype=np.uint8), np.arange(3))
    assert [Fraction(int(s), UNIT) for s in every] == list(SCORES)
    scales = []
    for rows in ([0], [0, 1], [0, 2], [0, 0, 0, 2]):
        scales.append(enlarged(model, np.array([rows], dtype=np.uint8)).scale)
        if variance(rows):
            assert scale(rows) == -(-scales[-1] // 16)  # the least whole number that is no smaller
    assert scales[0] == 64 and len(set(scales)) == 3  # without a spread, fourfold is the most


def test_a_hospital_s_own_model_is_looked_up_in_the_library_s_table():
    """P at the scores −2, 0 and 2 with two steps, and the library's sums of pulls."""
    at = positions(np.array([-2, 0, 2]) * UNIT)
    assert dict(zip((-2, 0, 2), probabilities(2)[at].tolist(), strict=True)) == TABLE
    for rows in combinations_with_replacement(list(product((0, 1), repeat=2)), 3):
        x, y = np.array(rows).T
        own = own_scores(rows)
        for scores in ([0, 0], own):
            pull = pulls(2, 1)[y, positions(np.array(scores)[x] * UNIT)]
            assert sums(rows, scores) == pull_sums(x[None].astype(np.uint8), 2, pull)[0].tolist()


def test_no_smaller_hospital_is_broken():
    """Four rows and five are the least, two of each class in one leaf and one more; then k of each move it by k."""
    kinds, broken = list(product((0, 1), repeat=2)), []
    for n in range(5):
        for rows in combinations_with_replacement(kinds, n):
            broken += [(rows, row) for row in kinds if told_by_state(list(rows), [*rows, row])[0] == "broken"]
    assert len(broken) == 4 and all(len(rows) == 4 and len({x for x, _ in [*rows, row]}) == 1 for rows, row in broken)
    for k in range(2, 9):
        rows = [(1, 0)] * k + [(1, 1)] * k
        assert f"differ by {k}, and" in told_by_state(rows, [*rows, (1, 0)])[1]


def test_released_scores_move_an_answer_by_the_clip_at_most():
    """With the same scores on both sides, all data sets of up to three rows, and any scores."""
    kinds = list(product((0, 1), repeat=2))
    for rows in combinations_with_replacement(kinds, 3):
        for row, scores in product(kinds, product((-2, 0, 2), repeat=2)):
            moved = np.abs(np.array(sums([*rows, row], scores)) - sums(rows, scores)).sum()
            assert moved <= 1


def test_other_pairs_are_right_too():
    assert check("boosting-enlarge", ([2, 1], [1])).passed
    assert check("boosting-state", ([(1, 0), (1, 1)] * 3, [(1, 0), (1, 1)] * 3 + [(1, 0)])).passed


@pytest.mark.parametrize(
    ("exercise", "answer", "said"),
    [
        ("boosting-hessian", (1, 0), "from 2 to 4096"),
        ("boosting-hessian", (4097, 2532), "from 2 to 4096"),
        ("boosting-hessian", (12, 13), "from 0 to m"),
        ("boosting-hessian", (12, -1), "from 0 to m"),
        ("boosting-hessian", (12, 8.0), "whole number"),
        ("boosting-hessian", 12, "2 values"),
        ("boosting-enlarge", ([3], []), "0, 1 or 2"),
        ("boosting-enlarge", ([0] * 41, [0] * 40), "at most 40 rows"),
        ("boosting-enlarge", ([0], [1]), "one row more"),
        ("boosting-state", ([(0, 2)], []), "0 or 1"),
        ("boosting-state", ([(0, 0)] * 41, [(0, 0)] * 40), "at most 40 rows"),
        ("boosting-state", ([(0, 0)], [(0, 1), (1, 1)]), "one row more"),
    ],
)
def test_the_reply_to_what_is_no_answer(exercise, answer, said):
    reply = check(exercise, answer)
    assert not reply.passed and said in " ".join(str(reply).split()).lower()
