"""The exercises: references pass, stubs fail politely, wrong answers get their own hint, nothing breaks `check`."""

import builtins
import itertools
import os
import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction

import numpy as np
import pytest
from conftest import ROOT

from fdpedu import mechanisms, privacy
from fdpedu.claims.laws import clamped_pmf
from fdpedu.claims.small import SMALL_ZOO
from fdpedu.claims.small_mechanisms import SMALL_MECHANISMS
from fdpedu.exercises import catalogue, check, hint, solution, stub, task
from fdpedu.exercises.cart.categories import best_prefix, best_subset
from fdpedu.exercises.cart.weights import compare_criteria
from fdpedu.exercises.catalogue import find
from fdpedu.exercises.mechanisms.selection import compare_utilities
from fdpedu.exercises.privacy.threshold import compare_counts, noisy_count, released_count
from fdpedu.exercises.record import Exercise, Misconception
from fdpedu.exercises.trial import observe
from fdpedu.exercises.values import close, number, show
from fdpedu.sampling.alias import fill_columns

EXERCISES = list(catalogue())
WRONG = [pytest.param(entry, wrong, id=f"{entry.id}: {wrong.name}") for entry in EXERCISES for wrong in entry.wrong]
each = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda entry: entry.id)
each_wrong = pytest.mark.parametrize(("exercise", "wrong"), WRONG)


def impurity(a, b):
    return a * b / (a + b) if a + b else 0


# --- The records ---


@each
def test_the_reference_passes(exercise):
    """The reference is right on every case, within two seconds, and the reply says on how many."""
    start = time.perf_counter()
    reply = check(exercise.id, exercise.reference)
    assert reply.passed and reply.decided and reply.tried == len(exercise.cases())
    assert time.perf_counter() - start < 2
    if exercise.asks_for_function:
        said = " ".join(str(reply).split())
        assert f"all {reply.tried:,} cases" in said and "evidence, not a proof" in said


@each
def test_the_stub_fails_politely(exercise):
    """The stub runs as it stands, and the reply says that there is no answer yet."""
    space = {}
    exec(stub(exercise.id).replace(f'check("{exercise.id}"', f'reply = check("{exercise.id}"'), space)
    reply = space["reply"]
    assert reply.verdict == "NOT ANSWERED YET" and not reply.passed and not reply.decided
    assert f'hint("{exercise.id}")' in str(reply)


@each
def test_the_solution_stands_alone(exercise):
    """The source text of the solution, run in an empty namespace, passes; it has the stub's signature."""
    space = {}
    exec(solution(exercise.id), space)
    name = exercise.reference.__name__ if exercise.asks_for_function else "answer"
    assert check(exercise.id, space[name]).passed
    if exercise.asks_for_function:
        assert exercise.stub.splitlines()[0] in solution(exercise.id).splitlines()


@each_wrong
def test_a_wrong_answer_gets_its_own_hint(exercise, wrong):
    """Each named wrong answer is rejected within two seconds, and told of its misconception."""
    start = time.perf_counter()
    reply = check(exercise.id, wrong.answer)
    assert time.perf_counter() - start < 2
    assert reply.verdict == "FAIL" and reply.misconception == wrong.name
    assert dict(reply.rows)["why"] == wrong.hint


@each_wrong
def test_the_counterexample_is_the_smallest(exercise, wrong):
    """No case of a smaller size fails, found by trying them all without the checker's order."""
    answer, reference = exercise.as_function(wrong.answer), exercise.as_function(exercise.reference)

    def fails(case):
        outcome = observe(exercise, answer, case)
        return outcome.fault or not exercise.agrees(case, outcome.value, reference(*case))

    failing = [case for case in reversed(exercise.cases()) if fails(case)]
    reply = check(exercise.id, wrong.answer)
    assert reply.counterexample in failing
    assert exercise.size(*reply.counterexample) == min(exercise.size(*case) for case in failing)


@each_wrong
def test_the_reply_is_deterministic(exercise, wrong):
    """The same answer gets the same reply."""
    one, other = check(exercise.id, wrong.answer), check(exercise.id, wrong.answer)
    assert one == other and str(one) == str(other) and one.rows == other.rows


@each
def test_cases_come_in_order_of_size_and_once(exercise):
    """So "smallest" means something, and the number of cases counts different ones."""
    cases = exercise.cases()
    sizes = [exercise.size(*case) for case in cases]
    assert sizes == sorted(sizes)
    assert len({repr(case) for case in cases}) == len(cases)


@each
def test_a_record_is_complete(exercise):
    """Texts are there, hints differ, at least two misconceptions; an id begins as its chapter's name does."""
    texts = (exercise.title, exercise.task, exercise.hint, exercise.domain, exercise.explanation)
    assert all(text.strip() for text in texts) and exercise.chapter.startswith(exercise.id.split("-")[0])
    assert exercise.level in ("warm-up", "apply", "extend") and len(exercise.wrong) >= 2
    assert (
        len({wrong.hint for wrong in exercise.wrong})
        == len({wrong.name for wrong in exercise.wrong})
        == len(exercise.wrong)
    )
    name = exercise.reference.__name__ if exercise.asks_for_function else "answer"
    assert name in exercise.stub and (name in exercise.task or not exercise.asks_for_function)
    assert exercise.task.count("$") % 2 == exercise.task.count("`") % 2 == 0
    with pytest.raises(FrozenInstanceError):
        exercise.title = "other"


IDS = {
    "cart": [
        "cart-impurity", "cart-threshold", "cart-best-split", "cart-pooled", "cart-break-unweighted", "cart-categories",
        "cart-increment", "cart-memory",
    ],
    "privacy": [
        "privacy-randomized-response", "privacy-sensitivity", "privacy-max-ratio", "privacy-hockey-stick",
        "privacy-neighbours", "privacy-break-threshold", "privacy-group", "privacy-posterior", "privacy-delta",
    ],
    "mechanisms": [
        "mech-response", "mech-unbiased", "mech-interval", "mech-digits", "mech-alias", "mech-reachable",
        "mech-monotone", "mech-permute-flip", "mech-noisy-max", "mech-leaf",
    ],
    "accounting": [
        "acc-ledger", "acc-regions", "acc-filter", "acc-float", "acc-columns", "acc-forge", "acc-check", "acc-optimal",
        "acc-zcdp", "acc-saved",
    ],
}  # fmt: skip


@pytest.mark.parametrize("chapter", IDS)
def test_ids_are_fixed_and_levels_are_three(chapter):
    """The chapter's text relies on them."""
    assert [entry.id for entry in catalogue(chapter)] == IDS[chapter]
    assert {entry.level for entry in catalogue(chapter)} == {"warm-up", "apply", "extend"}
    assert {entry.chapter for entry in EXERCISES} == set(IDS)


@each
def test_the_chapter_starts_from_the_stub(exercise):
    """The cell of the chapter is the stub, to the letter."""
    (page,) = (ROOT / "book" / "chapters").glob(f"*_{exercise.chapter}.md")
    assert stub(exercise.id) in page.read_text("utf8")


# --- The mathematics that the exercises rely on ---


def test_the_table_to_predict_has_one_best_threshold():
    """The best threshold by n·G is unique, scikit-learn finds it too, and without weights another one wins."""
    from sklearn.tree import DecisionTreeClassifier

    exercise = find("cart-threshold")
    (x, y), (threshold, impurity) = exercise.cases()[0], exercise.reference
    stump = DecisionTreeClassifier(max_depth=1).fit([[value] for value in x], y).tree_
    sides = [stump.impurity[side] * stump.n_node_samples[side] / 2 for side in (1, 2)]
    assert stump.threshold[0] == threshold and close(float(sum(sides)), impurity)
    assert compare_criteria(x, y)[0] == "broken"


def test_four_rows_are_the_fewest_that_break_the_unweighted_criterion():
    """Every pattern of equal and different values with two or three rows, and every labelling, fails to."""

    def broken(n):
        for steps, y in itertools.product(itertools.product((0, 1), repeat=n - 1), itertools.product((0, 1), repeat=n)):
            x = list(itertools.accumulate(steps, initial=1))
            if compare_criteria(x, y)[0] == "broken":
                yield x, list(y)

    assert not list(broken(2)) and not list(broken(3))
    x, y = find("cart-break-unweighted").reference
    assert len(x) == 4 and any(sorted(zip(*one, strict=True)) == sorted(zip(x, y, strict=True)) for one in broken(4))


def test_the_unknown_patient_is_the_only_consistent_one():
    """In every case exactly one age can be added so that it is a neighbour of t, with t halfway to the other."""
    exercise = find("cart-memory")
    for t, known in exercise.cases():

        def consistent(age, t=t, known=known):
            ages = sorted([*known, age])
            pairs = [pair for pair in itertools.pairwise(ages) if sum(pair) / 2 == t and pair[0] < pair[1]]
            return age not in known and any(age in pair for pair in pairs)

        assert [age for age in range(0, 130) if consistent(age)] == [exercise.reference(t, known)]


def test_any_order_that_works_is_right():
    """Downwards is as good as upwards; what counts is the best beginning."""
    upwards = find("cart-categories").reference
    assert check("cart-categories", lambda counts: upwards(counts)[::-1]).passed
    assert best_prefix([(0, 1), (1, 0), (0, 1)], [0, 2, 1]) == best_subset([(0, 1), (1, 0), (0, 1)]) == 0


@pytest.mark.parametrize(
    "rows", [([1, 2, 3, 3], [0, 0, 1, 0]), (np.array([1.0, 1.0, 2.5, 9.0]), np.array([0, 1, 0, 0]))]
)
def test_any_table_that_breaks_it_is_right(rows):
    """Also mirrored, from NumPy, or with more rows; the reply says how few would do."""
    reply = check("cart-break-unweighted", rows)
    assert reply.passed and "has 4 rows" in str(reply)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (([1, 2], [0]), "one label for each row"),
        (([1, 2], [0, 2]), "0 or 1"),
        (([1, float("nan")], [0, 1]), "NaN"),
        (([], []), "no threshold"),
        ((list(range(101)), [0] * 101), "at most 100"),
        (([1, 10**400], [0, 1]), "are enough"),
        (7, "2 values"),
    ],
)
def test_an_invalid_table_is_told_what_is_wrong(rows, said):
    """A table that is none is not called a table that breaks nothing."""
    reply = check("cart-break-unweighted", rows)
    assert reply.verdict == "FAIL" and said in str(reply)


def test_the_sensitivities_to_predict():
    """By exhaustive search over all data sets of up to two records."""
    exercise = find("privacy-sensitivity")
    (ages,) = exercise.cases()[0]
    for relation, value in zip(("add-remove", "substitution"), exercise.reference, strict=True):
        found = privacy.sensitivity(lambda d: [len(d), sum(d)], ages, max_size=2, relation=relation)
        assert found.value == value


def test_the_laws_to_compute_are_the_library_s():
    """Ratio, least δ, neighbours and the factor of randomised response agree with the library on all cases."""
    for case in find("privacy-max-ratio").cases():
        assert find("privacy-max-ratio").reference(*case) == privacy.max_ratio(*case)
    for case in find("privacy-hockey-stick").cases():
        assert find("privacy-hockey-stick").reference(*case) == privacy.hockey_stick(*case)
    for case in find("privacy-neighbours").cases():
        assert find("privacy-neighbours").reference(*case) == set(privacy.neighbours(*case))
    yes, no = ["3/4", "1/4"], ["1/4", "3/4"]
    assert privacy.max_ratio(yes, no) == privacy.max_ratio(no, yes) == find("privacy-randomized-response").reference


def test_the_factor_of_a_group_is_attained():
    """By two geometric counts, clamped: a changed record moves both."""
    for factor, added, substituted in find("privacy-group").cases():
        if factor == 1 or added + substituted > 3:
            continue
        bound = added + 2 * substituted + 1
        one, other = (
            privacy.product_law(*(clamped_pmf(1 / Fraction(factor), count, bound) for count in counts))
            for counts in ((added + substituted, 0), (0, substituted))
        )
        assert privacy.max_ratio(one, other) == find("privacy-group").reference(factor, added, substituted)


def test_the_largest_posterior_is_attained():
    """By randomised response, and no output of any law in quarters that is within the factor goes further."""
    reference = find("privacy-posterior").reference
    for prior, factor in find("privacy-posterior").cases():
        truth = Fraction(factor) / (1 + factor)
        assert privacy.posterior(prior, [truth, 1 - truth], [1 - truth, truth], 0) == reference(prior, factor)
    for p, q in find("privacy-max-ratio").cases():
        worst = privacy.max_ratio(p, q)
        for o in (o for o in range(len(p)) if p[o] and worst < 10):
            assert privacy.posterior("1/3", p, q, o) <= reference(Fraction(1, 3), worst)


def test_the_noise_below_the_threshold_is_as_claimed():
    """Without the threshold e^ε = 2 holds for all neighbouring counts, tightly; with it, it fails."""
    laws = [noisy_count(n) for n in range(6)]
    assert laws == [
        [sum(clamped_pmf(Fraction(1, 2), n, 5)[:6]), *clamped_pmf(Fraction(1, 2), n, 5)[6:]] for n in range(6)
    ]
    for n in range(5):
        assert privacy.max_ratio(laws[n], laws[n + 1]) == privacy.max_ratio(laws[n + 1], laws[n]) == 2
        assert privacy.check_dp(released_count(n), released_count(n + 1), 2).holds is (n + 1 < 3)


def test_the_threshold_is_the_broken_twin_of_the_small_zoo():
    """One bug, one law; its sound twin is the noise without the threshold."""
    twins = SMALL_ZOO["exact above a threshold"]
    for n in range(6):
        assert privacy.as_law(released_count(n)) == twins.broken(("a",) * n)
        assert privacy.as_law(noisy_count(n)) == twins.sound(("a",) * n)


def test_every_event_that_breaks_the_threshold_is_right():
    """All pairs of counts and all events: right iff they are neighbours and p(event) > 2·q(event)."""
    events = [event for size in range(7) for event in itertools.combinations(range(6), size)]
    for n, other in itertools.product(range(6), repeat=2):
        p, q = released_count(n), released_count(other)
        for event in events:
            breaks = abs(n - other) == 1 and sum(p[k] for k in event) > 2 * sum(q[k] for k in event)
            assert (compare_counts(n, other, event)[0] == "broken") is breaks


def test_the_laws_of_chapter_3_are_the_library_s():
    """Randomised response, its estimate, intervals, permute-and-flip and the noisy maximum: on all cases."""
    for truth, k, alpha in find("mech-response").cases():
        law = [mechanisms.randomised_response_pmf(j, truth, categories=k, alpha=alpha) for j in range(k)]
        assert find("mech-response").reference(truth, k, alpha) == law
    for reported, n, alpha in find("mech-unbiased").cases():
        yes = mechanisms.estimate_counts([n - reported, reported], alpha=alpha)[1]
        assert find("mech-unbiased").reference(reported, n, alpha) == yes
    for alpha, miss in find("mech-interval").cases():
        interval = mechanisms.count_interval(0, alpha=alpha, confidence=1 - miss)
        assert find("mech-interval").reference(alpha, miss) == interval.half_width
    for (coins,) in find("mech-permute-flip").cases():
        utilities = [-[1, Fraction(1, 2), Fraction(1, 4)].index(coin) for coin in coins]
        assert find("mech-permute-flip").reference(coins) == mechanisms.permute_and_flip_pmf(utilities, alpha="1/2")


def test_digits_and_sign_have_the_two_sided_law():
    """Every integer is reached by exactly one draw, and that has the probability of the law."""
    alpha = Fraction(2, 3)
    for base in (2, 3, 4):
        draws = itertools.product((False, True), range(base), range(4))
        law = {}
        for negative, low, high in draws:
            digit = alpha**low * (1 - alpha) / (1 - alpha**base)
            mass = digit * alpha ** (base * high) * (1 - alpha**base) * (alpha if negative else 1) / (1 + alpha)
            assert law.setdefault(find("mech-digits").reference(negative, low, high, base), mass) is mass
        assert law == {k: mechanisms.discrete_laplace_pmf(k, alpha=alpha) for k in range(-4 * base, 4 * base)}


def test_the_columns_are_the_library_s_and_any_others_that_fit():
    """The reference is the shipped one; a table from the largest to the smallest passes too."""
    for weights, height in find("mech-alias").cases():
        assert find("mech-alias").reference(weights, height) == fill_columns(weights, height)

    def eager(weights, height):
        left, thresholds, alias, open_ = list(weights), [0] * len(weights), [0] * len(weights), set(range(len(weights)))
        while open_:
            c, giver = (pick(open_, key=lambda k: (left[k], k)) for pick in (min, max))
            thresholds[c], alias[c] = min(left[c], height), giver
            left[giver] -= height - thresholds[c]
            open_.remove(c)
        return np.array(thresholds), tuple(alias)

    assert check("mech-alias", eager).passed


def test_the_toy_machine_keeps_three_bits():
    """Its sums are those of NumPy's half precision, cut to three bits by a division that is exact."""
    from fdpedu.exercises.mechanisms.noise import _kept

    for total in range(-200, 200):
        size = max(abs(total).bit_length() - 3, 0)
        assert _kept(total) == 2**size * round(total / 2**size) and abs(total - _kept(total)) <= 2**size / 2


def test_what_breaks_the_exponential_mechanism_without_two():
    """All pairs of utilities of two candidates: right iff neighbours and a ratio above 3; never if all move one way."""
    vectors = list(itertools.product(range(-2, 3), repeat=2))
    for one, other in itertools.product(vectors, repeat=2):
        near = all(abs(u - v) <= 1 for u, v in zip(one, other, strict=True))
        p, q = (mechanisms.exponential_pmf(u, alpha="1/2") for u in (one, other))
        worst = max(privacy.max_ratio(p, q), privacy.max_ratio(q, p))
        breaks = near and worst > 3
        assert (compare_utilities(list(one), list(other))[0] == "broken") is breaks
        assert worst < 4 or not near
        if near and worst > 2:
            assert {v - u for u, v in zip(one, other, strict=True)} == {1, -1}


def test_the_budget_of_the_leaves_holds():
    """Permute-and-flip with coins e^(−ε·gap/2), or e^(−ε·gap) for monotone counts, loses at most what was allowed."""
    constant = Fraction(7, 19)
    assert constant > mechanisms.leaf_error_constant(2).upper
    for depth, monotone, gap in itertools.product(range(4), (False, True), (1, 3, 10, 30)):
        epsilon = find("mech-leaf").reference(depth, 100, Fraction(1, 10), constant, monotone)
        law = mechanisms.permute_and_flip_pmf([0, gap], epsilon, monotone=monotone)
        assert mechanisms.expected_error(law, [0, gap]).upper * 2**depth <= 10


def test_the_exercise_and_the_small_zoo_tell_of_the_same_bug():
    """The winner with his own noise: what the twin releases without data, it never releases with a record of his."""
    twins = SMALL_MECHANISMS["the winner's count too"]
    noisy = next(wrong for wrong in find("mech-noisy-max").wrong if wrong.name == "releases the winning noisy count")
    assert noisy.answer([0, 0], [0, 0, 5]) == (0, 0)
    assert ("a", 0) in twins.broken(()) and ("a", 0) not in twins.broken(("a",))


@pytest.mark.parametrize(
    ("id", "answer", "said"),
    [
        ("mech-monotone", ([0, 0], [1]), "the same length"),
        ("mech-monotone", ([0, 0], [99, 0]), "are enough"),
        ("mech-monotone", ([0.5, 0], [1, 0]), "whole number"),
        ("mech-monotone", ([], []), "1 to 20"),
        ("mech-monotone", ([0, 0], [1, 1]), "stays below 2"),
        ("mech-monotone", ([0, 3], [1, 2]), "More than 3 is asked for"),
        ("mech-alias", lambda weights, height: weights, "a pair (thresholds, alias)"),
        ("mech-alias", lambda weights, height: (weights, [7] * len(weights)), "an alias is a column"),
        ("mech-alias", lambda weights, height: ([-1] * len(weights), weights), "a threshold lies between"),
        ("mech-alias", lambda weights, height: ([], []), "need 1 entries"),
        ("mech-interval", lambda alpha, miss: 0.5, "whole number"),
        ("mech-noisy-max", lambda utilities, noise: 0, "2 values"),
        ("mech-response", lambda truth, categories, alpha: Fraction(1), "a list was expected"),
    ],
)
def test_odd_answers_about_mechanisms(id, answer, said):
    reply = check(id, answer)
    assert reply.verdict == "FAIL" and said.lower() in " ".join(str(reply).lower().split())


@pytest.mark.parametrize("pair", [([0, 5], [1, 4]), ((1, -4), (0, -3)), (np.array([0, 3, 3]), np.array([1, 2, 2]))])
def test_any_utilities_that_break_it_are_right(pair):
    assert check("mech-monotone", pair).passed


@pytest.mark.parametrize("event", [{3}, frozenset({3}), (3,), [3, 3], np.array([3]), 3, range(3, 5)])
def test_an_event_may_be_any_set(event):
    assert check("privacy-break-threshold", (3, 2, event)).passed


@pytest.mark.parametrize("answer", [lambda d, u: (x for x in privacy.neighbours(d, u)), lambda d, u: [
    list(reversed(x)) for x in privacy.neighbours(d, u)] * 2])  # fmt: skip
def test_neighbours_may_come_in_any_order(answer):
    """From a generator, unsorted, repeated: a set of multisets is meant."""
    assert check("privacy-neighbours", answer).passed


@pytest.mark.parametrize(
    ("id", "answer", "said"),
    [
        ("privacy-break-threshold", (3, 2, [7]), "between 0 and 5"),
        ("privacy-break-threshold", (3, 2, []), "0, and 2·0 = 0"),
        ("privacy-break-threshold", (3, 2, "3"), "not text"),
        ("privacy-break-threshold", (3, 2), "3 values"),
        ("privacy-delta", ([1], [1, 0]), "list the same ones"),
        ("privacy-delta", (["1/2"], ["1/2"]), "add up to 1/2"),
        ("privacy-delta", ([2, -1], [1, 0]), "negative"),
        ("privacy-delta", ([1] * 51, [1] * 51), "At most 50"),
        ("privacy-neighbours", lambda d, u: u, "tuple of records, not text"),
        ("privacy-neighbours", lambda d, u: "ab", "not text"),
        ("privacy-neighbours", lambda d, u: np.array(1), "not an array"),
        ("privacy-neighbours", lambda d, u: [(1,)], "a letter of the universe"),
        ("privacy-neighbours", lambda d, u: itertools.repeat(()), "More than 1000"),
        ("privacy-max-ratio", lambda p, q: "inf", "not text"),
        ("privacy-max-ratio", lambda p, q: -np.inf, "infinite"),
    ],
)
def test_odd_answers_about_laws(id, answer, said):
    reply = check(id, answer)
    assert reply.verdict == "FAIL" and said in " ".join(str(reply).split())


def test_two_laws_may_be_written_as_text():
    assert check("privacy-delta", (["3/5", "2/5"], ["1/4", "3/4"])).passed


# --- Numbers ---


@pytest.mark.parametrize("kind", [float, np.float64, Fraction, lambda v: np.array(float(v)), np.longdouble])
def test_numbers_of_any_kind_are_read(kind):
    """Floats, fractions and NumPy's scalars are answers; floats are said to have been compared within rounding."""
    exact = find("cart-impurity").reference
    reply = check("cart-impurity", lambda a, b: kind(float(exact(a, b))) if kind is not Fraction else exact(a, b))
    assert reply.passed and ("within rounding" in str(reply)) is (kind is not Fraction)


def test_comparison():
    """Exact for whole numbers and fractions, a relative 10⁻⁹ for floats, item by item for lists."""
    third = Fraction(1, 3)
    assert close(1 / 3, third) and not close(1 / 3 + 1e-8, third) and not close(third + Fraction(1, 10**12), third)
    assert close([1, 0.1 + 0.2], (1, Fraction(3, 10))) and not close([1], [1, 2]) and not close(None, 0)
    assert not close(10**400, 1.0) and not close(1e308, Fraction(1, 3)) and close(None, None)


def test_a_number_rounded_by_hand_is_told_so():
    reply = check("cart-threshold", (5.5, 0.667))
    assert not reply.passed and "more than rounding away" in str(reply)
    assert check("cart-threshold", [5.5, 2 / 3]).passed
    assert "The threshold is right, the impurity is not" in str(check("cart-threshold", (5.5, 7)))


# --- Odd answers ---


class Hostile:
    """A value whose every use fails."""

    def __repr__(self):
        raise RuntimeError("no")

    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = None


def raises(error):
    def answer(a, b):
        raise error

    return answer


def recurses(a, b):
    return recurses(a, b)


def yields(a, b):
    yield impurity(a, b)


ODD = {
    "raises": (raises(KeyError("k")), "raised KeyError: k"),
    "raises with a line": (lambda a, b: impurity(a, b) / 0, "in line"),
    "raises a non-text": (raises(ValueError(Hostile())), "raised ValueError"),
    "exits": (raises(SystemExit(3)), "raised SystemExit: 3"),
    "interrupts": (raises(KeyboardInterrupt()), "raised KeyboardInterrupt"),
    "NaN": (lambda a, b: float("nan"), "NaN is not a number"),
    "infinite": (lambda a, b: np.inf, "infinite"),
    "complex": (lambda a, b: 1j, "not a complex"),
    "text": (lambda a, b: "0", "not text"),
    "bool": (lambda a, b: False, "not a bool"),
    "list": (lambda a, b: [0], "not a list"),
    "array": (lambda a, b: np.zeros((2, 3)), "not an array of shape (2, 3)"),
    "function": (lambda a, b: impurity, "not a function"),
    "generator": (yields, "wrap it in list()"),
    "coroutine-like": (lambda a, b: object(), "not an object"),
    "hostile": (lambda a, b: Hostile(), "expected"),
    "huge list": (lambda a, b: list(range(10**6)), "…"),
    "huge number": (lambda a, b: 10**10_000, "that cannot be shown"),
    "huge text": (lambda a, b: "x" * 10**6, "..."),
    "recursion": (recurses, "raised RecursionError"),
    "too few arguments": (lambda a: 0, "does it take these arguments?"),
    "a class": (dict, "expected"),
    "never written": (raises(NotImplementedError()), "NOT ANSWERED YET"),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_answers_get_a_useful_reply(name):
    """The reply shows input, answer, expectation and reason, is short, and renders in both forms."""
    answer, said = ODD[name]
    reply = check("cart-impurity", answer)
    assert not reply.passed and said in " ".join(str(reply).split())
    assert "scaled_impurity(" in str(reply) and "expected" in dict(reply.rows)
    assert len(str(reply)) < 2000 and len(reply._repr_html_()) < 8000


@pytest.mark.parametrize("answer", [None, ..., NotImplemented])
def test_nothing_is_no_answer(answer):
    assert all(check(entry.id, answer).verdict == "NOT ANSWERED YET" for entry in EXERCISES)


@pytest.mark.parametrize(
    ("id", "answer", "said"),
    [
        ("cart-impurity", 0.5, "without calling it"),
        ("cart-impurity", "scaled_impurity", "not text"),
        ("cart-threshold", impurity, "not a function"),
        ("cart-threshold", (5.5,), "2 values"),
        ("cart-categories", lambda counts: [0], "no order of the categories"),
        ("cart-categories", lambda counts: [0.0, 1.0], "whole number"),
        ("cart-best-split", lambda x, y: (1, 2, 3), "not 3"),
    ],
)
def test_an_answer_of_the_wrong_form(id, answer, said):
    reply = check(id, answer)
    assert reply.verdict == "FAIL" and said in " ".join(str(reply).split())


def test_each_call_has_its_own_copy():
    """An answer that empties its input harms itself only, and not the reference, the cases or the reply."""

    def greedy(counts):
        a, b = (sum(pair[i] for pair in counts) for i in (0, 1))
        counts.clear()
        return Fraction(b, a + b) if a + b else None

    assert check("cart-pooled", greedy).passed and check("cart-pooled", greedy).passed
    assert check("cart-pooled", lambda counts: counts.clear() or 7).counterexample == ([(0, 0)],)


def test_printing_is_part_of_the_reply_and_goes_nowhere_else(capsys):
    """What the answer printed for the input in question is shown; print is not broken afterwards."""

    def loud(a, b):
        print("looking at", a, b)
        print("x" * 5000, file=sys.stderr)
        return a + b

    reply = check("cart-impurity", loud)
    assert "looking at 1 0" in dict(reply.rows)["printed"] and len(str(reply)) < 2000
    assert capsys.readouterr() == ("", "")
    print("still here")
    assert capsys.readouterr().out == "still here\n"


def test_warnings_of_an_answer_do_not_matter():
    """Whatever the caller's filters (here: errors), NumPy's warnings do not decide."""

    def noisy(a, b):
        value = np.float64(a) * b / np.float64(a + b)
        return 0 if np.isnan(value) else value

    assert check("cart-impurity", noisy).passed


# --- Answers that do not end ---


def loops(a, b):
    while True:
        pass


def nothing_runs():
    """No answer runs on, a moment after its reply."""
    for thread in threading.enumerate():
        if thread.name == "fdpedu exercise":
            thread.join(1)
    return not [thread for thread in threading.enumerate() if thread.name == "fdpedu exercise"]


def test_an_endless_loop_is_not_decided():
    """It is stopped, its thread ends, and the reply shows the input and gives no verdict."""
    reply = check("cart-impurity", lambda a, b: loops(a, b) if a + b == 2 else impurity(a, b), seconds=0.3)
    assert reply.verdict == "NOT DECIDED" and not reply.passed and not reply.decided
    assert "scaled_impurity(2, 0)" in str(reply) and "3 of 861" in str(reply) and "loop" in str(reply)
    assert nothing_runs()


def test_a_slow_answer_is_not_decided():
    """Slow is not wrong: the reply says how far it got, and how to wait longer."""

    def slow(a, b):
        time.sleep(0.01)
        return impurity(a, b)

    reply = check("cart-impurity", slow, seconds=0.3)
    assert reply.verdict == "NOT DECIDED" and 1 < reply.tried < 40 and "seconds=3" in str(reply)


def test_a_value_found_before_the_time_is_up_is_decided():
    """A counterexample stands, even when a later input never ends."""
    reply = check("cart-impurity", lambda a, b: 7 if a + b == 0 else loops(a, b), seconds=0.3)
    assert reply.verdict == "FAIL" and reply.counterexample == (0, 0) and reply.misconception is None


def test_an_answer_that_swallows_the_stop_once_gives_no_verdict():
    """What it returns after the time is up does not count."""

    def swallows(a, b):
        try:
            loops(a, b)
        except BaseException:
            return impurity(a, b)

    assert check("cart-impurity", swallows, seconds=0.3).verdict == "NOT DECIDED"


def test_an_answer_that_swallows_every_stop_is_left_behind():
    """The caller gets away within a bounded time, and is told that it still runs."""
    enough = threading.Event()

    def swallows(a, b):
        while not enough.is_set():
            try:
                enough.wait(0.01)
            except BaseException:
                continue

    start = time.perf_counter()
    reply = check("cart-impurity", swallows, seconds=0.2)
    enough.set()
    assert nothing_runs()
    assert reply.verdict == "NOT DECIDED" and "still runs" in str(reply) and time.perf_counter() - start < 4


def test_it_works_away_from_the_main_thread():
    """A notebook may run cells elsewhere."""
    replies = []
    thread = threading.Thread(target=lambda: replies.append(check("cart-impurity", loops, seconds=0.2)))
    thread.start()
    thread.join()
    assert replies[0].verdict == "NOT DECIDED"


def test_the_reader_can_interrupt():
    """Ctrl-C, or the notebook's stop button, ends the waiting and the answer."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background has it ignored
    try:
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.perf_counter()
        with pytest.raises(KeyboardInterrupt):
            check("cart-impurity", loops, seconds=60)
        assert time.perf_counter() - start < 5
        assert nothing_runs()
    finally:
        signal.signal(signal.SIGINT, before)


def test_in_a_terminal():
    """A fresh interpreter stops the loop, prints plain text, ends by itself, and loads nothing heavy."""
    code = """if True:
    import sys
    from fdpedu.exercises import check
    def loop(a, b):
        while True: pass
    print(check("cart-impurity", loop, seconds=0.3))
    print(*{"matplotlib", "hypothesis", "ipywidgets", "scipy", "sklearn"} & set(sys.modules))"""
    out = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=60)
    assert out.returncode == 0 and out.stderr == "", out.stderr
    assert out.stdout.startswith("NOT DECIDED  cart-impurity") and out.stdout.endswith("\n\n")


def test_in_a_notebook():
    """A kernel's main thread: the loop is stopped, the next cell works, and replies come as HTML and as text."""
    import nbformat
    from nbclient import NotebookClient

    cells = [
        "from fdpedu.exercises import check, stub\ndef loop(a, b):\n    while True: pass",
        'check("cart-impurity", loop, seconds=0.5)',
        'check("cart-impurity", lambda a, b: a * b / (a + b) ** 2 if a + b else 0)',
        'stub("cart-impurity")',
        'def fails(a, b):\n    return 1 / 0\ncheck("cart-impurity", fails)',
    ]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(book, timeout=60, kernel_name="python3").execute()
    outputs = [cell.outputs[0].data for cell in book.cells[1:]]
    assert outputs[0]["text/plain"].startswith("NOT DECIDED") and "NOT DECIDED" in outputs[0]["text/html"]
    assert "forgets n" in outputs[1]["text/html"] and outputs[2]["text/markdown"].startswith("```python")
    assert "in line 2: `return 1 / 0`" in " ".join(outputs[3]["text/plain"].split())
    assert all(len(cell.outputs) == 1 for cell in book.cells[1:])


# --- What the reader sees ---


def test_html_is_escaped_and_takes_the_page_s_colours():
    """Nothing of an answer becomes markup; nothing sets a colour or a background of its own."""
    page = check("cart-impurity", lambda a, b: "<script>alert('&')</script>")._repr_html_()
    assert "<script" not in page and "&lt;script&gt;" in page
    own = page.split(".fd-reply{")[1]
    assert not re.search(r"#[0-9a-f]{3}|rgb|background:(?!none)", own) and "currentColor" in own
    assert 'aria-hidden="true"' in page


@each
def test_replies_render_as_well_formed_html(exercise):
    import xml.etree.ElementTree as ElementTree

    for answer in (exercise.reference, exercise.wrong[0].answer, ...):
        ElementTree.fromstring(check(exercise.id, answer)._repr_html_())


def test_the_catalogue_lists_and_finds():
    """As text, as HTML, by chapter; an unknown id is told the nearest."""
    assert len(catalogue()) >= 8 and str(catalogue()).splitlines()[0].startswith("cart-impurity ")
    assert catalogue()._repr_html_().count("<tr>") == len(catalogue()) + 1
    with pytest.raises(ValueError, match="cart-impurity"):
        check("cart-impurty", impurity)
    with pytest.raises(ValueError, match="nearest: cart-"):
        hint("zzzzzz")
    with pytest.raises(ValueError, match="cart"):
        catalogue("no such chapter")
    with pytest.raises(ValueError, match="seconds"):
        check("cart-impurity", impurity, seconds=0)


@each
def test_texts_for_the_reader(exercise):
    """Task and hint are Markdown; stub and solution are code, also where a notebook shows them."""
    assert task(exercise.id) == exercise.task == repr(task(exercise.id)) == task(exercise.id)._repr_markdown_()
    assert hint(exercise.id) == exercise.hint
    assert stub(exercise.id)._repr_markdown_().startswith("```python\nfrom fdpedu")
    compile(stub(exercise.id), "stub", "exec")


def test_show_is_short_and_never_fails():
    assert show((Fraction(1, 2), [np.float64(0.5), None])) == "(1/2, [0.5, None])"
    assert len(show([[list(range(1000))] * 1000] * 1000)) < 400
    assert show([Hostile()]) == "[<Hostile instance>]" and show(object()) == "<object object>"
    assert number(np.int8(3)) == 3 and type(number(np.int8(3))) is int


def test_a_misconception_is_named_only_when_the_answer_behaves_like_it():
    """An answer that fails on the same input, but differs later, gets the general hint."""
    exercise = find("cart-impurity")
    reply = check(exercise.id, lambda a, b: exercise.wrong[0].answer(a, b) if a + b < 4 else 0)
    assert not reply.passed and reply.misconception is None and dict(reply.rows)["hint"] == exercise.hint


def test_a_chapter_s_exercise_is_one_record():
    """A record made from scratch works with the checker: this is all that a new chapter writes."""
    from fdpedu.exercises.checking import judge

    double = Exercise(
        id="toy-double", chapter="toy", level="warm-up", kind="implement", title="Twice", task="`double(n)`", hint="+",
        domain="n < 10", cases=lambda: [(n,) for n in range(10)], size=lambda n: n, reference=lambda n: 2 * n,
        read=number, stub="def double(n):\n    ...", wrong=(Misconception("squares", lambda n: n * n, "2n, not n²."),),
    )  # fmt: skip
    assert judge(double, lambda n: n + n, 5).passed
    assert judge(double, lambda n: n**2, 5).misconception == "squares"
    assert judge(replace(double, title="2"), builtins.abs, 5).counterexample == (1,)
