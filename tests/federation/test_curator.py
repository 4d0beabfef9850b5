"""A curator of all rows: what is charged, counted and drawn, and what it refuses."""

import numpy as np
import pytest

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.derivation_checker import check_derivation
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, Curator, DesignedSplit, NodeHistograms, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from tests.support.federations import BELIEVING

TWO = Domain([Numeric.grid("x", 0, 2, bins=2), Numeric.grid("z", 0, 2, bins=2)], ("a", "b"))
WARDS = Domain.from_spec({"features": {"w": ["A", "B", "C"]}, "classes": ["a", "b"]})
ROWS = [[0.5, 1.5, "a"], [0.5, 1.5, "b"], [1.5, 0.5, "b"]]


def test_a_curator_counts_exactly_without_noise_and_charges_before_it_counts():
    curator = Curator(Party(ROWS, TWO), Ledger(2), ZeroWords())
    steps = []
    found = curator.release(
        [NodeHistograms(TWO.everything, "1/2"), ClassCounts(TWO.everything, "1/2")],
        answered=lambda done, of: steps.append((done, of)),
    )
    assert found[0].tolist() == [[1, 1], [0, 1], [0, 1], [1, 1]] and found[1].tolist() == [1, 2]
    assert steps == [(1, 2), (2, 2)] and curator.rounds == 1 and curator.ledger.spent == 1
    assert (curator.n_parties, curator.tolerate, curator.colluders, curator.domain) == (1, 0, 0, TWO)
    assert repr(curator).startswith("Curator(1 rounds, Ledger(budget 2, spent 1")
    with pytest.raises(BudgetExceeded):
        curator.release([ClassCounts(TWO.everything, "3/2")])
    assert curator.rounds == 1 and curator.ledger.spent == 1


def test_a_curators_noise_is_that_of_one_share():
    """The mean square of 4,000 numbers: 2α/(1−α)² = 1.84 at ε = 1; the chance to miss by a quarter is below 10⁻¹⁰."""
    curator = Curator(Party([], TWO), Ledger(1000), Rehearsal(5))
    numbers = np.concatenate([a for a in curator.release([ClassCounts(TWO.everything, "1/2")] * 2000)])
    alpha = np.exp(-0.5)
    assert abs((numbers**2).mean() / (2 * alpha / (1 - alpha) ** 2) - 1) < 0.25


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Curator(ROWS, Ledger(1)), "party must be a Party, got list"),
        (lambda: Curator(Party(ROWS, TWO), 1), "ledger must be a Ledger, got int"),
        (
            lambda: Curator(Party(ROWS, TWO, ledger=Ledger(1), limits=BELIEVING), Ledger(1)),
            "party must have no ledger of its own",
        ),
        (lambda: Curator(Party(ROWS, TWO), Ledger(1, colluders=1)), "the ledger promises to withstand 1 colluders"),
        (lambda: Curator(Party(ROWS, TWO), Ledger(1), rng=3), "rng must be None"),
        (lambda: curated([]), "a curator needs at least one query, and answers node-histograms, class-histogram"),
        (lambda: curated([DesignedSplit(TWO.everything, 1, 1)]), "designer must be a position from 0 to 0 of"),
        (lambda: curated([ClassCounts(WARDS.everything, 1)]), "the query's region does not belong"),
        (lambda: curated([ClassCounts(TWO.everything, 1)], account=3), "account must be a text of at most"),
        (lambda: curated([ClassCounts(TWO.everything, 1)], account="x" * 1001), "account must be a text of at most"),
        (lambda: curated([ClassCounts(TWO.everything, 1)], answered=3), "answered must be a function, got 3"),
    ],
)
def test_what_a_curator_refuses(make, words):
    with pytest.raises(ValueError) as refusal:
        make()
    assert str(refusal.value).startswith(words)


def curated(queries, **options):
    curator = Curator(Party(ROWS, TWO), Ledger(1), ZeroWords())
    try:
        curator.release(queries, **options)
    finally:
        assert curator.ledger.spent == 0 and curator.rounds == 0


def test_a_query_of_a_class_of_its_own_is_none_that_a_curator_answers():
    """It could count otherwise than its parent says."""

    class Otherwise(ClassCounts):
        def tally(self, records, rows, domain):
            return 1000 * super().tally(records, rows, domain)

    with pytest.raises(ValueError, match="a curator needs at least one query, and answers"):
        curated([Otherwise(TWO.everything, 1)])


def test_a_ledger_that_promises_nothing_or_no_colluders_is_a_curators():
    for ledger in (Ledger(1), Ledger(1, colluders=0)):
        curator = Curator(Party(ROWS, TWO), ledger, Rehearsal(1))
        curator.release([ClassCounts(TWO.everything, 1)], "x" * 1000)
        assert check_derivation(ledger.derivation().to_json()).colluders == 0
        assert ledger.spent == 1 and ledger.domain == TWO
