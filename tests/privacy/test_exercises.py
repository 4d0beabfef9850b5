"""The mathematics that the exercises of chapter 2 rely on, and what counts as an answer."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from fdpedu import privacy
from fdpedu.claims.noisy_counts import clamped_pmf
from fdpedu.claims.small_zoo import SMALL_ZOO
from fdpedu.exercises.catalogue import find
from fdpedu.exercises.privacy.threshold import compare_counts, noisy_count, released_count
from tests.support.exercises import check


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
    """One bug, one law; the sound one is the noise without the threshold."""
    both = SMALL_ZOO["exact above a threshold"]
    for n in range(6):
        assert privacy.as_law(released_count(n)) == both.broken(("a",) * n)
        assert privacy.as_law(noisy_count(n)) == both.sound(("a",) * n)


def test_every_event_that_breaks_the_threshold_is_right():
    """All pairs of counts and all events: right iff they are neighbours and p(event) > 2·q(event)."""
    events = [event for size in range(7) for event in itertools.combinations(range(6), size)]
    for n, other in itertools.product(range(6), repeat=2):
        p, q = released_count(n), released_count(other)
        for event in events:
            breaks = abs(n - other) == 1 and sum(p[k] for k in event) > 2 * sum(q[k] for k in event)
            assert (compare_counts(n, other, event)[0] == "broken") is breaks


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
        ("privacy-randomized-response", "3/1", "not text: write 3/1 without quotes"),
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
