"""How often the best split is chosen: against an exact enumeration, and step by step."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.cart import exact_scaled_half_gini
from fdpedu.exact import Rate
from fdpedu.histograms import probability_of_best_split, selection, step_table
from fdpedu.mechanisms import discrete_laplace_noise
from fdpedu.randomness import Rehearsal, ZeroWords

TABLE = [[3, 1], [1, 2], [0, 3]]


def test_step_tables_by_hand():
    """Whole counts of every n; the totals do not depend on the bins; a step within a bin is shared out."""
    assert step_table(100, 5).tolist() == [[4, 16], [4, 16], [16, 4], [16, 4], [16, 4]]
    assert step_table(10, 2, step="1/4", below=1, above=0).tolist() == [[2, 2], [6, 0]]
    assert step_table(60, 3, step=0.5, below="1/3", above="3/4").tolist() == [[13, 7], [9, 11], [6, 14]]
    assert step_table(0, 2).tolist() == [[0, 0], [0, 0]]
    for n, bins in product((1, 7, 99, 10**9), (2, 3, 40, 256)):
        table = step_table(n, bins)
        assert table.shape == (bins, 2) and table.min() >= 0 and abs(int(table.sum()) - n) <= 1
        flat = step_table(n, bins, below="11/25", above="11/25")
        assert table.sum(axis=0).tolist() == flat.sum(axis=0).tolist() == step_table(n, 5).sum(axis=0).tolist()
    assert np.ptp(step_table(1000, 10, below="11/25", above="11/25"), axis=0).tolist() == [0, 0]


def chosen_by_hand(tables, epsilon, runs, source):
    """Run by run from the same words: the first split of the least impurity among those of two non-empty sides.

    Shares: mechanisms.discrete_laplace_noise: the words are to be the same, and how they are used is what is checked.
    """
    rate = Rate(rate=Fraction(epsilon) / len(tables))
    noise = [discrete_laplace_noise(rate, runs * t.size, source).reshape(runs, *t.shape) for t in tables]
    for run in range(runs):
        best = None
        for j, table in enumerate(tables):
            cells = np.maximum(table + noise[j][run], 0)
            for border in range(1, len(cells)):
                sides = [side.sum(axis=0).tolist() for side in (cells[:border], cells[border:])]
                if not all(map(sum, sides)):
                    continue
                squares = (Fraction(sum(count**2 for count in side), sum(side)) for side in sides)
                value = (1 - sum(squares) / int(cells.sum())) / 2
                if best is None or value < best[0]:
                    best = value, j, border
        yield best and best[1:]


def left_behind(table, border):
    """Exact G of a border."""
    sides = table[:border].sum(axis=0).tolist(), table[border:].sum(axis=0).tolist()
    return sum(map(exact_scaled_half_gini, sides)) / int(table.sum())


@pytest.mark.parametrize("epsilon", ["1/10", "1", "4"])
@pytest.mark.parametrize(
    "tables",
    [
        [TABLE],
        [TABLE, [[2, 3], [2, 3]]],
        [[[2, 3], [2, 3]], TABLE, TABLE],
        [[[1, 0, 2], [0, 2, 0], [1, 0, 0], [0, 1, 3]]],
    ],
)
def test_choices_run_by_run(tables, epsilon):
    """The share of the runs that chose a best split, and the mean regret, as computed one by one."""
    arrays = [np.array(table) for table in tables]
    runs, borders = 150, [(j, b) for j, t in enumerate(arrays) for b in range(1, len(t))]
    exact = {(j, b): left_behind(arrays[j], b) for j, b in borders}
    unsplit = exact_scaled_half_gini(arrays[0].sum(axis=0).tolist()) / int(arrays[0].sum())
    regrets = [
        (exact[choice] if choice else unsplit) - min(exact.values())
        for choice in chosen_by_hand(arrays, epsilon, runs, Rehearsal(8))
    ]
    found = probability_of_best_split(tables, epsilon, runs, Rehearsal(8))
    share = sum(regret == 0 for regret in regrets) / runs
    assert found.probability == pytest.approx(share) and found.runs == runs
    assert found.standard_error == pytest.approx((share * (1 - share) / runs) ** 0.5)
    assert found.regret == pytest.approx(float(sum(regrets)) / runs)


def test_against_all_outcomes():
    """One feature, three bins, two classes, α = e^(−2): all noise from −3 to 3, weighted by its law."""
    alpha, table = np.exp(-2), np.array(TABLE)
    outcomes = np.array(list(product(range(-3, 4), repeat=6)))
    weights = np.prod((1 - alpha) / (1 + alpha) * alpha ** np.abs(outcomes), axis=1)
    cells = np.maximum(table.ravel() + outcomes, 0).reshape(-1, 3, 2)
    left = cells.cumsum(axis=1)[:, :-1]
    right = cells.sum(axis=1)[:, None] - left
    with np.errstate(invalid="ignore"):
        scores = left.prod(axis=2) / left.sum(axis=2) + right.prod(axis=2) / right.sum(axis=2)
    scores = np.where((left.sum(axis=2) > 0) & (right.sum(axis=2) > 0), scores, np.inf)
    best = min((1, 2), key=lambda border: left_behind(table, border))
    hit = np.isfinite(scores.min(axis=1)) & (scores.argmin(axis=1) + 1 == best)
    exact = float(weights[hit].sum())
    found = probability_of_best_split([TABLE], 2, 100_000, Rehearsal(12))
    assert 0.3 < exact < 0.95 and abs(found.probability - exact) < 1 - float(weights.sum()) + 5 * found.standard_error


def test_more_rows_and_fewer_bins_help():
    """Without noise it is certain; N and ε count together; useless features cost what they are paid."""

    def chance(n, bins, epsilon, useless=0):
        tables = [step_table(n, bins), *[step_table(n, bins, below="11/25", above="11/25")] * useless]
        return probability_of_best_split(tables, epsilon, rng=Rehearsal(3)).probability

    assert probability_of_best_split([step_table(50, 40)], 1, 10, ZeroWords()).probability == 1
    assert chance(200, 5, "1/10") > chance(200, 10, "1/10") + 0.1 > chance(200, 40, "1/10") + 0.4
    assert chance(1000, 10, "1/10") > chance(200, 10, "1/10") + 0.3
    assert abs(chance(1000, 20, "1/10") - chance(200, 20, "1/2")) < 0.07
    assert abs(chance(1000, 20, 1, useless=9) - chance(1000, 20, "1/10")) < 0.07


def test_an_empty_node_has_nothing_to_choose():
    """All splits are equally good, and none regrets anything."""
    found = probability_of_best_split([[[0, 0], [0, 0]]], 1, 50, Rehearsal(1))
    assert (found.probability, found.standard_error, found.regret) == (1, 0, 0)
    assert probability_of_best_split([[[0, 0], [0, 0]]], 1, 50, ZeroWords()).regret == 0


def test_not_splitting_is_no_best_split():
    """Where noise empties a side there is no choice, and what is lost is all that the best split gains."""
    table = [[1, 0], [0, 1]]
    found = probability_of_best_split([table], "1/100", 4000, Rehearsal(2))
    assert 0.2 < found.probability < 0.9
    assert found.regret == pytest.approx((1 - found.probability) * 0.25)


def test_the_largest_node_is_computed():
    found = probability_of_best_split([[[2**51, 0], [0, 1]]], 1, 2, Rehearsal(1))
    assert found.runs == 2


def test_a_thousand_runs_and_as_many_as_there_is_room_for(monkeypatch):
    assert probability_of_best_split([TABLE], 1, rng=ZeroWords()).runs == 1000
    monkeypatch.setattr(selection, "MAX_CELLS", 12)
    assert probability_of_best_split([TABLE], 1, 2, ZeroWords()).runs == 2
    with pytest.raises(ValueError, match=r"^runs .* 2 "):
        probability_of_best_split([TABLE, [[4, 0], [0, 6]]], 1, 3)
