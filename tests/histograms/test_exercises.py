"""The mathematics that the exercises of chapter 7 rely on."""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.cart import exact_scaled_half_gini
from fdpedu.claims.noisy_counts import worst_ratio
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exercises.catalogue import find
from fdpedu.exercises.histograms.substitution import compare, probability
from fdpedu.exercises.noisy_cells import at_most
from fdpedu.federation import NodeHistograms
from fdpedu.histograms import bin_of, clip, clipping_bias, impurity_from_counts, least_squares, round_with_sums
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.sources.gubler import bin_as_printed
from tests.support.exercises import cases_of, check


def wrong(name, misconception):
    return next(one.answer for one in find(name).wrong if one.name == misconception)


def test_bins_are_the_library_s_and_the_report_s():
    """The reference is `bin_of`; the wrong answer that is named after the report is what the report prints."""
    printed = wrong("hist-cell", "prints the report's bins")
    for (x, edges), code in cases_of("hist-cell"):
        assert code == bin_of(x, edges) == Numeric("x", tuple(edges)).encode([float(x)])[0]
        inside = edges[0] <= x < edges[-1]
        assert (printed(x, edges) == bin_as_printed(x, edges)) if inside else bin_as_printed(x, edges) is None


def test_records_out_of_nothing():
    """Twenty times the bias of an empty cell, and twenty means of the clipped law summed to 200 terms."""
    exercise = find("hist-clipping")
    ((cells, alpha),) = exercise.cases()
    assert exercise.reference == cells * clipping_bias(0, alpha=alpha)
    masses = [discrete_laplace_pmf(k, alpha=alpha) for k in range(-200, 201)]
    mean = sum(int(clip(np.array([k]))[0]) * mass for k, mass in zip(range(-200, 201), masses, strict=True))
    assert abs(cells * mean - exercise.reference) < 1e-50


def test_a_node_s_budget_is_divided_as_the_library_does():
    """The rate is that of a query on such a domain, one histogram a feature."""
    for (numeric, categories, bins, epsilon), rate in cases_of("hist-budget"):
        features = [Numeric.grid(f"x{j}", 0, 1, bins=bins) for j in range(numeric)]
        features += [Categorical(f"c{j}", tuple(range(n))) for j, n in enumerate(categories)]
        query = NodeHistograms(Domain(features, (0, 1)).everything, epsilon)
        assert query.rate.rate == rate and query.n_releases == numeric + len(categories)


def test_impurities_are_the_library_s():
    for (counts, border), value in cases_of("hist-impurity"):
        assert abs(float(value) - impurity_from_counts(counts)[border - 1]) < 1e-12


def test_what_is_shared_out_adds_up():
    """Whole, at least 0, less than 1 from the share, and no other such numbers are nearer in any remainder."""
    for (shares, total), whole in cases_of("hist-rounding"):
        assert sum(shares) == sum(whole) == total and min(whole) >= 0
        raised = [share % 1 for share, n in zip(shares, whole, strict=True) if n > share]
        lowered = [share % 1 for share, n in zip(shares, whole, strict=True) if n < share]
        assert all(abs(n - share) < 1 for share, n in zip(shares, whole, strict=True))
        assert not raised or not lowered or min(raised) >= max(lowered)
        assert round_with_sums([-1, *[0] * len(shares)], [total, *shares]).tolist() == [total, *whole]


def test_edges_are_quantiles_of_what_was_released():
    """Increasing inner edges; each reaches a target that the edge before it does not; without noise, every target."""
    for (counts, bins), edges in cases_of("hist-edges"):
        sums = np.cumsum(counts)
        assert edges == sorted(set(edges)) and all(0 < k < len(counts) for k in edges) and len(edges) < bins
        assert bool(edges) <= (sums[-1] > 0)
        for k in edges:
            targets = [i for i in range(1, bins) if bins * sums[k - 1] >= i * sums[-1]]
            assert any(all(bins * sums[j - 1] < i * sums[-1] for j in range(1, k)) for i in targets)
    assert find("hist-edges").reference([1] * 12, 4) == [3, 6, 9]


def test_three_counts_are_the_least_squares():
    """They add up, and no other estimates that add up are nearer: by the normal equations, and against others."""
    for ((parent, left, right), variances), (total, one, other) in cases_of("hist-least-squares"):
        pulls = [
            (e - v) / Fraction(w) for e, v, w in zip((total, one, other), (parent, left, right), variances, strict=True)
        ]
        assert least_squares([-1, 0, 0], [parent, left, right], variances) == [total, one, other]
        assert total == one + other and pulls[0] + pulls[1] == pulls[0] + pulls[2] == 0


def test_no_event_is_worth_more_than_four():
    """The worst ratio of the two laws is 4; the reference's event attains it, with the probabilities of the law."""
    data, other, event = find("hist-substitution").reference
    assert worst_ratio([1, 0, 0], [0, 1, 0], Fraction(1, 2)) == 4
    assert (probability(data, event), probability(other, event)) == (Fraction(4, 9), Fraction(1, 9))
    assert compare(data, other, event)[0] == "broken"
    for t in (-3, -1, 0, 2):
        summed = sum(discrete_laplace_pmf(k, alpha="1/2") for k in range(-300, t + 1))
        assert abs(at_most(t) - summed) < 1e-80
    assert check("hist-substitution", ([0, 0, 2], [0, 1, 2], [(2, None), (None, 0), (None, None)])).passed


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (([0], [1]), "3 values"),
        (([3], [1], [(None, None)] * 3), "up to 20 records"),
        (([0], [1], [(None, None)] * 2), "3 values"),
        (([0], [1], [(1, 0), (None, None), (None, None)]), "never happens"),
        (([0], [1], [(99, None), (None, None), (None, None)]), "limits lie between"),
    ],
)
def test_the_reply_to_what_is_no_event(answer, said):
    reply = check("hist-substitution", answer)
    assert not reply.passed and said in " ".join(str(reply).split()).lower()


@pytest.mark.parametrize(
    ("exercise", "name", "answer"),
    [
        ("hist-impurity", "clips the sums",
         lambda c, b: float(sum(map(exact_scaled_half_gini, s := [np.maximum(p.sum(axis=0), 0).tolist()
                                                              for p in (np.array(c)[:b], np.array(c)[b:])]))
                            / max(1, sum(map(sum, s))))),
        ("hist-budget", "makes dummies", lambda n, c, b, e: e / (n + sum(c))),
        ("hist-rounding", "rounds each child", lambda shares, total: [int(s + Fraction(1, 2)) for s in shares]),
        ("hist-least-squares", "shares the gap equally",
         lambda v, w: [t := Fraction(v[0] * (w[1] + w[2]) + (v[1] + v[2]) * w[0], sum(w)),
                       v[1] + (t - v[1] - v[2]) / 2, v[2] + (t - v[1] - v[2]) / 2]),
    ],
)  # fmt: skip
def test_a_trap_of_the_text_has_a_reply_of_its_own(exercise, name, answer):
    """Wrong answers as a reader would write them are named."""
    reply = check(exercise, answer)
    assert not reply.passed and reply.misconception == name
