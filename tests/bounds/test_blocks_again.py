"""A block that is drawn by α: its sides, its source, its limits and defaults."""

from collections import Counter
from fractions import Fraction

import pytest

from fdpedu.bounds import Block, block_pmf, private_block
from fdpedu.bounds.blocks import root_law
from fdpedu.exact import Rate
from fdpedu.randomness import Rehearsal

XOR = ([[0, 0], [0, 1], [1, 0], [1, 1]] * 25, [0, 1, 1, 0] * 25)
BEST = {Block((0, 0), (1, 0), (1, 0)), Block((1, 0), (0, 0), (0, 0))}


@pytest.mark.parametrize("score", ["errors", "gini"])
def test_sides_that_leave_less_are_more_likely(score):
    """Each of 25 rows in four cells: any other block errs 50 times, and that is halved 50 times."""
    assert {private_block(*XOR, [2, 2], rng=Rehearsal(seed), alpha="1/2", score=score) for seed in range(20)} == BEST


def test_frequencies_of_both_sides():
    """800 draws: the law of each side, three classes, within 5 standard deviations; false alarms below 10⁻⁵."""
    codes, labels = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 0], [1, 2]], [0, 0, 1, 2, 2, 0]
    source, public = Rehearsal(11), {"alpha": "1/4", "n_classes": 3}
    stated = block_pmf(codes, labels, [2, 3], **public)
    draws = [private_block(codes, labels, [2, 3], rng=source, **public) for _ in range(800)]
    for side in ("root", "left", "right"):
        found, law = Counter(getattr(block, side) for block in draws), Counter()
        for block, mass in stated.items():
            law[getattr(block, side)] += mass
        assert len(set(law.values())) > 1 and sum(law.values()) == 1
        for split, mass in law.items():
            assert abs(found[split] - 800 * mass) < 5 * float(800 * mass * (1 - mass)) ** 0.5


@pytest.mark.parametrize("rule", [{"epsilon": "1/10"}, {"alpha": "9/10"}])
def test_all_words_are_of_the_source_that_is_given(rule):
    draws = [[private_block(*XOR, [2, 2], rng=Rehearsal(seed), **rule) for seed in range(40)] for _ in range(2)]
    assert draws[0] == draws[1] and len({block.left for block in draws[0]}) == 2


def test_gini_is_in_whole_steps_unless_told():
    """Two rows of two classes leave 1/2, of which whole steps see nothing."""
    law, rows = {}, ([[0, 0], [0, 1]], [0, 1])
    for name, how in {"": {}, "1": {"lattice": 1}, "2": {"lattice": 2}}.items():
        draws = [private_block(*rows, [2, 2], 9, Rehearsal(seed), score="gini", **how) for seed in range(40)]
        law[name] = draws, block_pmf(*rows, [2, 2], alpha="1/2", score="gini", **how)
    assert law[""] == law["1"] and law["1"][0] != law["2"][0] and law["1"][1] != law["2"][1]
    assert set(law[""][1].values()) == {Fraction(1, 8)}


def test_as_many_blocks_as_can_be_listed():
    assert len(block_pmf([[0]], [0], [21], alpha="1/2")) == 20**3


def test_rows_that_cost_every_block_the_same_change_nothing():
    """900 rows of either class in each cell are 3600 errors in any block; with the same words the same is drawn."""
    cells = [[x, y] for x in (0, 1) for y in (0, 1)]
    codes, labels = [*XOR[0][:8], [0, 0], [1, 1]], [*XOR[1][:8], 1, 1]
    more = codes + cells * 1800, labels + [0] * 3600 + [1] * 3600
    draws = [[private_block(*rows, [2, 2], 1, Rehearsal(i)) for i in range(12)] for rows in ((codes, labels), more)]
    assert draws[0] == draws[1] and len(set(draws[0])) > 2


def test_the_law_of_the_root_has_an_index_for_each():
    """With F(last) = 1, and bounds on either side of the sums of α³ + α⁴, 2·(1 + α) and α²: of losses 3, 0 and 2."""
    law = root_law([([1], [2, 3]), ([0, 0], [0, 1]), ([0], [2])], Rate.of(alpha="1/2"))
    assert (law.terms, law.last) == (3, 2)
    lower, upper = law.bounds(3, 32)
    parts = [Fraction(3, 16), Fraction(3), Fraction(1, 4)]
    for k in range(3):
        mass = 2**32 * sum(parts[: k + 1]) / sum(parts)
        assert mass - 1 <= lower[k] <= mass <= upper[k] <= mass + 1
