"""A block of three splits: its law, what it costs, how it is drawn, and what is refused."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.bounds import Block, block_pmf, private_block
from fdpedu.claims.bounds import laws_blocks as law
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
        law.one_epsilon(rows, (1, 2, 1), [2, 3], 3, score, lattice)
        law.stated_law(rows, [2, 3], 3, score, lattice)
        law.root(rows, [2, 3], 3, score, lattice)
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
    codes, labels = law.columns(rows)
    draws = [private_block(codes, labels, sizes, epsilon, source, score=score, lattice=lattice) for _ in range(n)]
    found = Counter(draws) + Counter(block.root for block in draws)
    stated = {
        T: np.exp(-epsilon / lattice * law.loss(rows, T, score, lattice)) for T in block_pmf([], [], sizes, alpha="1/2")
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


RANGES = "codes must be from 0 to below the feature's size, and labels from 0 to below n_classes"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sizes": []}, "sizes must be of features with 1 to 500 borders in all, got 0"),
        ({"sizes": [256, 248]}, "sizes must be of features with 1 to 500 borders in all, got 502"),
        ({"sizes": [1, 2]}, "sizes must be an integer ≥ 2, got 1"),
        ({"sizes": [2, 257]}, "sizes must be at most 256, got 257"),
        ({"sizes": 2}, "sizes must be a list, got 2"),
        ({"sizes": [2]}, "codes must be of shape (n, 1), and labels of shape (n,)"),
        ({"labels": [0]}, "codes must be of shape (n, 2), and labels of shape (n,)"),
        ({"codes": [0, 1]}, "codes must be of shape (n, 2), and labels of shape (n,)"),
        ({"codes": [[0, 2], [0, 0]]}, RANGES),
        ({"codes": [[0, -1], [0, 0]]}, RANGES),
        ({"labels": [0, 2]}, RANGES),
        ({"labels": [0, -1]}, RANGES),
        ({"n_classes": 1}, "n_classes must be an integer ≥ 2, got 1"),
        ({"n_classes": 1001}, "n_classes must be at most 1000, got 1001"),
        ({"score": "entropy"}, "score must be one of errors, gini; got 'entropy'"),
        ({"score": None}, "score must be one of errors, gini; got None"),
        ({"lattice": 0}, "lattice must be an integer ≥ 1, got 0"),
        ({"lattice": 10**6 + 1}, "lattice must be at most 1000000, got 1000001"),
    ],
)  # fmt: skip
def test_refusals(change, message):
    good = {"codes": [[0, 1], [1, 0]], "labels": [0, 1], "sizes": [2, 2]}
    for function, rest in ((private_block, {"epsilon": 1, "rng": ZeroWords()}), (block_pmf, {"alpha": "1/2"})):
        with pytest.raises(ValueError) as refused:
            function(**{**good, **rest, **change})
        assert str(refused.value) == message


def test_budgets_are_refused():
    for wrong in ({"epsilon": 0}, {"epsilon": 1, "alpha": "1/2"}, {}, {"alpha": 1}):
        with pytest.raises(ValueError, match=r"epsilon|alpha"):
            private_block([[0]], [0], [2], rng=ZeroWords(), **wrong)
    with pytest.raises(ValueError, match="at most 100000 blocks, got 103823"):
        block_pmf([[0]], [0], [48], alpha="1/2")
    assert len(block_pmf([[0]], [0], [6], alpha="1/2")) == 125
