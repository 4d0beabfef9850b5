"""A block of three splits: its law, what it costs, and how it is drawn."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.bounds import Block, block_pmf, private_block
from fdpedu.claims.bounds import blocks as topic
from fdpedu.claims.bounds import choosing
from fdpedu.exact import Rate
from fdpedu.mechanisms.blocks import root_law
from fdpedu.randomness import Rehearsal, ZeroWords

XOR = ([[0, 0], [0, 1], [1, 0], [1, 1]] * 25, [0, 1, 1, 0] * 25)


def test_a_law_by_hand():
    """One feature of three bins, one row in each of the first two, of two classes: errors of the eight blocks."""
    found = block_pmf([[0], [1]], [0, 1], [3], alpha="1/3")
    first, last = (0, 0), (0, 1)
    errors = {Block(first, a, b): 0 for a in (first, last) for b in (first, last)}
    errors |= {Block(last, a, b): int(a == last) for a in (first, last) for b in (first, last)}
    total = sum(Fraction(1, 3**k) for k in errors.values())
    assert found == {block: Fraction(1, 3**k) / total for block, k in errors.items()}


@pytest.mark.claim("thm-block")
def test_neighbours_differ_by_one_factor():
    """Three classes, unequal features; and the ratio e^ε is attained."""
    rows = [(0, 2, 2), (1, 1, 0), (1, 0, 2)]
    for score, lattice in (("errors", 1), ("gini", 3)):
        topic.one_epsilon(rows, (1, 2, 1), [2, 3], 3, score, lattice)
        topic.stated_law(rows, [2, 3], 3, score, lattice)
        topic.root(rows, [2, 3], 3, score, lattice)
    laws = [block_pmf([[0], [1]][:n], [0, 1][:n], [3], alpha="1/2") for n in (1, 2)]
    assert max(laws[0][T] / laws[1][T] for T in laws[0]) < 2


def test_the_order_of_rows_and_a_lattice_do_not_matter_to_errors():
    codes, labels = [[0, 1], [1, 0], [1, 1]], [0, 1, 0]
    once = block_pmf(codes, labels, [2, 2], alpha="1/2")
    assert once == block_pmf(codes[::-1], labels[::-1], [2, 2], alpha="1/2")
    seven = [private_block(codes, labels, [2, 2], 2, Rehearsal(i), lattice=7) for i in range(20)]
    assert seven == [private_block(codes, labels, [2, 2], 2, Rehearsal(i)) for i in range(20)]


def test_two_features_that_matter_together():
    """No single split of them lowers the errors; the block does, and is found with a moderate ε."""
    for score in ("errors", "gini"):
        found = {private_block(*XOR, [2, 2], 1, Rehearsal(seed), score=score) for seed in range(20)}
        assert found == {Block((0, 0), (1, 0), (1, 0)), Block((1, 0), (0, 0), (0, 0))}
    three = private_block(XOR[0], [2 * y for y in XOR[1]], [2, 2], 1, Rehearsal(0), n_classes=3)
    assert three in found


def test_frequencies():
    """600 draws against the law: no block is further away than 5 standard deviations; false alarms below 10⁻⁵."""
    codes, labels = [[0, 0], [0, 1], [1, 2], [1, 2], [0, 2]], [0, 1, 1, 0, 0]
    n, source = 600, Rehearsal(7)
    stated = block_pmf(codes, labels, [2, 3], alpha="1/2", score="gini", lattice=2)
    found = Counter(
        private_block(codes, labels, [2, 3], rng=source, alpha="1/2", score="gini", lattice=2) for _ in range(n)
    )
    assert set(found) <= set(stated) and len(stated) == 27
    for block, mass in stated.items():
        assert abs(found[block] - n * mass) < 5 * float(n * mass * (1 - mass)) ** 0.5 + 1


@pytest.mark.parametrize(
    ("bins", "epsilon", "score", "lattice"), [(2, 2, "errors", 3), (2, 4, "gini", 40), (3, 1, "errors", 3)]
)
def test_frequencies_of_an_epsilon(bins, epsilon, score, lattice):
    """600 draws on a lattice: no block or root is further off than 5 standard deviations; false alarms below 10⁻⁵."""
    last, sizes = bins - 1, [2, bins]
    rows = [(0, 0, 0), (0, last, 1), (1, 0, 1), (1, last, 0)]
    n, source = 600, Rehearsal(3)
    codes, labels = choosing.columns(rows)
    draws = [private_block(codes, labels, sizes, epsilon, source, score=score, lattice=lattice) for _ in range(n)]
    found = Counter(draws) + Counter(block.root for block in draws)
    stated = {
        T: np.exp(-epsilon / lattice * topic.loss(rows, T, score, lattice))
        for T in block_pmf([], [], sizes, alpha="1/2")
    }
    total = sum(stated.values())
    for root in {block.root for block in stated}:
        stated[root] = sum(weight for T, weight in stated.items() if getattr(T, "root", None) == root)
    for outcome, weight in stated.items():
        mass = weight / total
        assert abs(found[outcome] - n * mass) < 5 * (n * mass * (1 - mass)) ** 0.5 + 1


def test_no_rows_and_odd_shapes():
    """Without rows every block is as likely; labels and codes may be arrays of other integers."""
    law_of_none = block_pmf([], [], [2, 2], alpha="1/2")
    assert set(law_of_none.values()) == {Fraction(1, 8)} and private_block([], [], [2, 2], 1, ZeroWords())
    arrays = np.array(XOR[0], dtype=np.uint8), np.array(XOR[1], dtype=np.int16)
    assert private_block(*arrays, [2, 2], 1, Rehearsal(1)) == private_block(*XOR, [2, 2], 1, Rehearsal(1))


@pytest.mark.parametrize("epsilon", ["1/1000", 1000])
def test_extreme_epsilons(epsilon):
    """Enclosures that underflow, and probabilities that hardly differ."""
    codes, labels = XOR[0] * 20, XOR[1] * 20
    assert private_block(codes, labels, [2, 2], epsilon, Rehearsal(3), score="gini", lattice=10**6) in block_pmf(
        [], [], [2, 2], alpha="1/2"
    )


def test_budgets_are_refused():
    for wrong in ({"epsilon": 0}, {"epsilon": 1, "alpha": "1/2"}, {}, {"alpha": 1}):
        with pytest.raises(ValueError, match=r"epsilon|alpha"):
            private_block([[0]], [0], [2], rng=ZeroWords(), **wrong)
    with pytest.raises(ValueError, match="sizes"):
        block_pmf([[0]], [0], [48], alpha="1/2")
    assert len(block_pmf([[0]], [0], [6], alpha="1/2")) == 125


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


def test_gini_is_in_whole_steps_unless_said():
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
