"""Sizes past every type, and coins that are each party's and each node's own."""

import numpy as np
import pytest

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import Rehearsal
from fdpedu.sources.elzein import fit_local_tree, fit_shared_tree, published_totals
from fdpedu.sources.elzein.growing import RULES, Growth
from fdpedu.sources.elzein.local import read_rows
from fdpedu.sources.elzein.selection import shared_totals
from fdpedu.sources.elzein.tree import SharedNode
from fdpedu.trees import Votes
from fdpedu.trees.designs import find_design
from tests.secret_sharing.test_simulation import nodes_of, planned

DOMAIN = Domain([Numeric.grid("x", 0, 8, bins=8), Categorical("w", ("A", "B", "C"))], ("a", "b"))
ROWS = [(1, "A", "a"), (2, "B", "a"), (5, "A", "b"), (6, "C", "b"), (7, "B", "a"), (3, "C", "b")]
TIMES = [1, 40, 300, 70_000]


def many(times, rows=ROWS):
    """So many times the rows, as arrays."""
    X = np.array([row[:2] for row in rows], dtype=object)
    return np.repeat(X, times, axis=0), np.repeat([row[2] for row in rows], times).tolist()


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_gains_of_many_times_the_rows_are_so_many_times_the_gains(times, criterion):
    one, more = (read_rows(*many(k), DOMAIN, "here") for k in (1, times))
    once, best = (rows.best(criterion, [0, 1]) for rows in (one, more))
    assert best.gains == pytest.approx(np.array(once.gains) * times)
    assert more.class_counts.tolist() == (one.class_counts * times).tolist()
    assert (
        fit_local_tree(*many(times), DOMAIN, max_depth=3).to_text()
        == fit_local_tree(*many(1), DOMAIN, max_depth=3).to_text()
    )


@pytest.mark.parametrize("times", TIMES)
def test_added_counts_of_many_times_the_rows_give_the_same_tree(times):
    """Counts that are added up by shares, past a byte and past 16 bits."""
    one, more = (
        fit_shared_tree([many(k), many(k, ROWS[2:])], DOMAIN, rule="histograms", max_depth=3, rng=Rehearsal(1))
        for k in (1, times)
    )
    assert one.to_text() == more.to_text()


def test_the_largest_residues_of_the_largest_modulus_add_up():
    """256 residues of 62 bits are more than any 64-bit sum of them holds."""
    q = 2**62
    sums = {k: [q - 1, q - 1 - k, 1] for k in range(256)}
    expected = [sum(sums[k][j] for k in sums) % q for j in range(3)]
    assert published_totals(sums, 256, q).tolist() == expected
    vectors = np.full((7, 2), (q - 1) // 7)
    assert shared_totals(vectors, q, Rehearsal(1)).tolist() == [7 * ((q - 1) // 7)] * 2


def test_a_coin_depends_on_the_words_of_every_party():
    """With one party's words changed, some coin of sixteen sides falls otherwise."""

    class Parties(Rehearsal):
        changed = -1

        def spawn(self, n):
            return [Rehearsal(1000 * (k == self.changed) + k) for k in range(n)]

    def coins(changed):
        source = Parties(1)
        source.changed = changed
        rows = [read_rows(*many(1), DOMAIN, "here")] * 3
        growth = Growth(rows, DOMAIN, RULES["mended"], "entropy", 1, source)
        return [growth._coin(SharedNode(0), 16) for _ in range(4)]

    assert all(coins(party) != coins(-1) for party in range(3)) and coins(-1) == coins(-1)


def test_each_node_has_draws_and_coins_of_its_own():
    """Forty nodes with the same rows do not all split alike: neither where votes are noisy nor where they tie."""
    rows = [[0, 0, 0], [1, 0, 1], [2, 1, 0], [2, 1, 1]]
    for epsilon, tables in ((1, [rows] * 3), (10**6, [[[0, 0, 0], [1, 0, 1]], [[1, 0, 0], [2, 0, 1]]])):
        plan = planned(len(tables), epsilon)
        choice = plan.decide(nodes_of(plan, tables, 40), Rehearsal(3)).choice
        assert len({(int(j), left.tobytes()) for j, left in zip(choice.feature, choice.left, strict=True)}) > 1


def test_a_design_of_one_s_own_that_only_looks_like_votes_is_refused():
    class Mine(Votes):
        pass

    with pytest.raises(ValueError, match="design must be one of"):
        find_design(Mine())
