"""A nominal size that released counts contradict is said, and noise alone says it hardly ever."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.accounting import Cost, Ledger
from fdpedu.boosting import fit_federated_boosting
from fdpedu.domain import Domain
from fdpedu.federation import ClassCounts, Federation, NodeHistograms, Party
from fdpedu.randomness import Rehearsal
from fdpedu.trees import LargeDeltaWarning, NominalSizeWarning, fit_federated_tree, fit_owner_tree
from fdpedu.trees.noise_law import reach, shapes_of
from fdpedu.trees.nominal import FACTOR, FALSE_ALARM, reach_of, warn_of_delta, warn_of_size

DOMAIN = Domain.from_spec(
    {"features": {"age": {"low": 0, "high": 8, "bins": 8}, "ward": ["a", "b"]}, "classes": ["no", "yes"]}
)
ALL = DOMAIN.everything
COSTS = st.one_of(
    st.fractions(Fraction(1, 20), 4, max_denominator=20).map(lambda epsilon: Cost("pure", epsilon)),
    st.fractions(Fraction(1, 400), 1, max_denominator=400).map(lambda rho: Cost("gaussian", rho)),
)


def said(size, total, times, counted, *shares):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        warn_of_size(size, total, times, counted, *shares)
    return [str(one.message) for one in found if one.category is NominalSizeWarning]


@given(COSTS, st.integers(1, 10**5), st.integers(1, 3), st.integers(1, 40))
def test_it_is_said_exactly_where_noise_within_its_reach_cannot_explain_the_counts(cost, size, times, cells):
    """So where the size is right up to the factor, it is said only where the noise lies beyond the reach."""
    counted = [(ClassCounts(ALL, cost), cells)]
    t = reach_of(counted, 5, 4)
    most, least = FACTOR * size * times, -(-size * times // FACTOR)
    for total, expected in ((most + t, 0), (most + t + 1, 1), (least - t, 0), (least - t - 1, 1)):
        found = said(size, total, times, counted, 5, 4)
        assert len(found) == expected
        assert all(f"nominal_size is {size}, " in one for one in found)


@given(
    st.lists(st.tuples(st.fractions(Fraction(1, 9), 2, max_denominator=9), st.integers(1, 4)), min_size=1, max_size=3)
)
def test_the_reach_in_epsilon_is_that_of_the_exact_law(parts):
    """Pr[|noise| > t] ≤ 10⁻⁶ by the law of a sum of releases, written out."""
    counted = [(ClassCounts(ALL, epsilon), cells) for epsilon, cells in parts]
    rates = [query.rate for query, cells in counted for _ in range(cells)]
    t, within = reach(shapes_of(rates, Fraction(3, 2)), FALSE_ALARM)
    assert reach_of(counted, 3, 2) == t and within.lower >= 1 - FALSE_ALARM


@given(st.fractions(Fraction(1, 400), 1, max_denominator=400), st.integers(1, 300), st.integers(2, 9))
def test_the_reach_in_rho_is_a_tail_of_the_variance_of_all_cells(rho, cells, parties):
    """2·e^{−(t+1)²/(2v)} ≤ 10⁻⁶, where v adds up the parameters of all shares in all cells."""
    query = NodeHistograms(ALL, Cost("gaussian", rho))
    t = reach_of([(query, cells)], parties, parties - 1)
    v = cells * parties * query.gaussian(parties - 1).share
    assert (t + 1) ** 2 / (2 * float(v)) >= np.log(2 / float(FALSE_ALARM)) - 1e-9 >= t**2 / (2 * float(v)) - 1e-9


def test_without_a_size_or_without_counts_nothing_is_said():
    assert said(None, 10**9, 1, [(ClassCounts(ALL, 1), 2)], 2, 1) == said(1, 10**9, 1, [], 2, 1) == []


def grown(how, size, n=3000):
    rows = [[k % 8 + 0.5, "ab"[k % 2], ("no", "yes")[k % 8 > 3]] for k in range(n)]
    if how == "owner":
        return fit_owner_tree(Party(rows, DOMAIN), Ledger(1), nominal_size=size, rng=Rehearsal(1))
    ledger = Ledger(1, delta="1/1000000") if "ρ" in how else Ledger(1)
    both = Federation([Party(rows[k::2], DOMAIN) for k in range(2)], DOMAIN, ledger, rng=Rehearsal(1))
    if "boosting" in how:
        return fit_federated_boosting(both, nominal_size=size, rounds=2, trees_per_round=2, rng=Rehearsal(1))
    return fit_federated_tree(both, design=how.split()[0], nominal_size=size, rng=Rehearsal(1))


WAYS = ["boosting in ε", "boosting in ρ", "screened in ε", "screened in ρ", "rotating", "owner"]


@pytest.mark.filterwarnings("error::fdpedu.trees.nominal.NominalSizeWarning")
@pytest.mark.parametrize("how", WAYS)
def test_every_model_that_reads_a_size_compares_it(how):
    for size, words in ((300, "more rows, about (28|29|30|31)"), (30_000, "fewer rows, about (28|29|30|31)")):
        with pytest.warns(NominalSizeWarning, match=words):
            grown(how, size)
    for size in (1000, 3000, 9000):
        grown(how, size)


@pytest.mark.filterwarnings("error::fdpedu.trees.nominal.NominalSizeWarning")
@pytest.mark.parametrize("how", WAYS)
def test_no_rows_at_all_beside_a_size_within_the_noise_are_not_spoken_of(how):
    grown(how, 1, n=2)


@pytest.mark.parametrize(("delta", "size"), [("1/20", None), ("1/100", None), ("1/1500", 1500), ("1/1499", 1500)])
def test_a_delta_that_shows_whole_rows_is_spoken_of_before_anything_is_charged(delta, size):
    ledger = Ledger(1, delta=delta)
    both = Federation([Party([], DOMAIN), Party([], DOMAIN)], DOMAIN, ledger, rng=Rehearsal(1))
    with pytest.warns(LargeDeltaWarning, match=r"^delta is 1/"):
        fit_federated_tree(both, design="screened", nominal_size=size)
    with warnings.catch_warnings():
        warnings.simplefilter("error", LargeDeltaWarning)
        warn_of_delta(Fraction(99, 100) / (size or 100), size)
        warn_of_delta(None, size)
