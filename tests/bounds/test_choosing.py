"""One split of all for one ε: its law, what a record changes, and how it is drawn."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.bounds import private_block, private_split, split_pmf
from fdpedu.bounds.scored import scored_rows
from fdpedu.cart import exact_scaled_half_gini
from fdpedu.exact import Enclosure
from fdpedu.mechanisms import expected_error
from fdpedu.randomness import Rehearsal, ZeroWords

ROWS = ([[0, 2, 1], [0, 1, 0], [1, 0, 1], [1, 2, 1], [1, 1, 0], [0, 2, 0]], [0, 1, 2, 2, 0, 0])
SIZES = [2, 3, 2]
MECHANISMS = ("exponential", "permute-and-flip")


def test_a_law_by_hand():
    """Two rows of two classes in the first two of four bins: the first border leaves nothing, the others 1 error."""
    found = split_pmf([[0], [1]], [0, 1], [4], alpha="1/3", score="errors")
    assert found == {(0, 0): Fraction(3, 5), (0, 1): Fraction(1, 5), (0, 2): Fraction(1, 5)}
    flipped = split_pmf([[0], [1]], [0, 1], [3], alpha="1/3", score="errors", mechanism="permute-and-flip")
    assert flipped == {(0, 0): Fraction(5, 6), (0, 1): Fraction(1, 6)}


def test_losses_of_three_classes_and_three_features():
    """Each feature is counted in its own column; gini in steps of 1/60, which hold it exactly."""
    rows = scored_rows(*ROWS, SIZES, 3, "gini", 60)
    assert rows.splits == [(0, 0), (1, 0), (1, 1), (2, 0)]
    sides = [((2, 1, 0), (1, 0, 2)), ((0, 0, 1), (3, 1, 1)), ((1, 1, 1), (2, 0, 1)), ((2, 1, 0), (1, 0, 2))]
    expected = [60 * sum(map(exact_scaled_half_gini, pair)) for pair in sides]
    assert rows.losses() == expected == [80, 84, 100, 80]
    assert scored_rows(*ROWS, SIZES, 3, "errors", 7).losses() == [14, 14, 21, 14]
    some = np.array([True, False, True, True, False, False])
    assert rows.losses(some) == scored_rows(*(np.array(part)[some] for part in ROWS), SIZES, 3, "gini", 60).losses()
    assert scored_rows([[0], [0], [0]], [0, 0, 1], [2], 2, "gini", 1).losses() == [0]  # 2/3, rounded down


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_the_ratio_comes_close_to_e_to_the_epsilon(mechanism):
    """No smaller ε would do: nine features distinguish a record of another class, and the tenth does not."""
    alike, other = [[0] * 10] * 9, [*[1] * 9, 0]
    one, more = (
        split_pmf(rows, labels, [2] * 10, alpha="1/1000", score="errors", mechanism=mechanism)
        for rows, labels in ((alike, [0] * 9), ([*alike, other], [0] * 9 + [1]))
    )
    assert 890 < one[9, 0] / more[9, 0] <= 1000 and one[0, 0] < more[0, 0]


def test_mechanisms_differ_and_the_flip_errs_less():
    laws = [split_pmf(*ROWS, SIZES, alpha="1/2", n_classes=3, mechanism=name, lattice=5) for name in MECHANISMS]
    losses = [-loss for loss in scored_rows(*ROWS, SIZES, 3, "gini", 5).losses()]
    means = [expected_error(list(found.values()), losses) for found in laws]
    assert means[1] < means[0] and all(sum(found.values()) == 1 for found in laws)


def test_an_epsilon_gives_enclosures_and_a_lattice_divides_it():
    """ε = 3 in steps of 1/6 is α = e^{−1/2} for each step; a lattice of errors changes nothing."""
    found = split_pmf(*ROWS, SIZES, 3, n_classes=3, lattice=6)
    losses = scored_rows(*ROWS, SIZES, 3, "gini", 6).losses()
    weights = np.exp(-np.array(losses) / 2)
    assert all(isinstance(mass, Enclosure) for mass in found.values())
    assert np.allclose([float(mass) for mass in found.values()], weights / weights.sum(), rtol=1e-12)
    one, seven = (split_pmf(*ROWS, SIZES, 3, n_classes=3, score="errors", lattice=m) for m in (1, 7))
    assert {split: float(mass) for split, mass in one.items()} == {split: float(mass) for split, mass in seven.items()}


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("rule", [{"alpha": "1/2"}, {"epsilon": 2}])
def test_frequencies(mechanism, rule):
    """1000 draws against the law: no split is further off than 5 standard deviations; false alarms below 10⁻⁵."""
    n, source = 1000, Rehearsal(5)
    public = {"n_classes": 3, "mechanism": mechanism, "lattice": 4, **rule}
    stated = split_pmf(*ROWS, SIZES, **public)
    found = Counter(private_split(*ROWS, SIZES, rng=source, **public) for _ in range(n))
    assert set(found) <= set(stated) and len(stated) == 4
    for split, mass in stated.items():
        assert abs(found[split] - n * float(mass)) < 5 * (n * float(mass) * (1 - float(mass))) ** 0.5 + 1


def test_no_rows_many_rows_and_arrays():
    assert set(split_pmf([], [], [2, 2], alpha="1/2").values()) == {Fraction(1, 2)}
    assert private_split([], [], [2, 2], 1, ZeroWords(), mechanism="permute-and-flip") in {(0, 0), (1, 0)}
    rng = np.random.default_rng(0)
    codes, labels = rng.integers(0, 256, (3000, 2)).astype(np.uint8), rng.integers(0, 2, 3000).astype(np.int8)
    codes[:, 1] = np.where(labels, 150, 200)
    assert private_split(codes, labels, [256, 246], 10, Rehearsal(1)) in {(1, border) for border in range(150, 200)}
    assert private_split(codes, labels, [256, 246], 10, Rehearsal(1), mechanism=MECHANISMS[1])[0] == 1


def test_a_gain_has_the_same_law():
    """n·h less n·G differs from −n·G by a number that is the same for all splits, so its choice is the same."""
    rows = scored_rows(*ROWS, SIZES, 3, "gini", 60)
    whole = 60 * exact_scaled_half_gini([3, 1, 2])
    gains = [int(whole) - loss for loss in rows.losses()]
    weights = [Fraction(1, 2) ** (max(gains) - gain) for gain in gains]
    law_of = split_pmf(*ROWS, SIZES, alpha="1/2", n_classes=3, lattice=60)
    assert list(law_of.values()) == [weight / sum(weights) for weight in weights]


GOOD = {"codes": [[0, 1], [1, 0]], "labels": [0, 1], "sizes": [2, 2]}


@pytest.mark.parametrize("wrong", [{"epsilon": 0}, {"epsilon": 1, "alpha": "1/2"}, {}, {"alpha": 1}, {"alpha": 0}])
def test_budgets_are_refused(wrong):
    for function in (private_split, split_pmf):
        with pytest.raises(ValueError, match=r"epsilon|alpha"):
            function(**GOOD, **wrong)


def test_a_law_of_many_splits():
    """Of the exponential mechanism up to 500, of permute-and-flip up to 32."""
    wide = [[0] * 2], [0], [251, 251]
    assert len(split_pmf(*wide, alpha="1/2")) == 500
    assert len(split_pmf([[0]], [0], [33], alpha="1/2", mechanism="permute-and-flip")) == 32
    with pytest.raises(ValueError, match="sizes"):
        split_pmf([[0]], [0], [34], alpha="1/2", mechanism="permute-and-flip")


def test_defaults():
    """Two classes, n·h in whole steps, the exponential mechanism; a block has errors by default."""
    rows = [[0], [0], [0], [1], [1], [1], [1]], [0, 1, 1, 0, 0, 0, 1]
    stated = {"n_classes": 2, "mechanism": "exponential", "score": "gini", "lattice": 1}
    assert split_pmf(*rows, [3], alpha="1/2") == split_pmf(*rows, [3], alpha="1/2", **stated)
    assert split_pmf(*rows, [3], alpha="1/2", lattice=3) != split_pmf(*rows, [3], alpha="1/2")
    draws = {
        name: [private_split(*rows, [3], rng=Rehearsal(seed), alpha="1/2", **rule) for seed in range(40)]
        for name, rule in {"": {}, "stated": stated, "2": {"lattice": 2}, "flip": {"mechanism": MECHANISMS[1]}}.items()
    }
    assert draws[""] == draws["stated"] and draws[""] not in (draws["2"], draws["flip"])
    with pytest.raises(ValueError, match="labels"):
        private_split([[0]], [2], [2], 1)
    assert private_split([[0]], [0], [2], 1, ZeroWords()) == (0, 0)
    assert private_block([[0]], [0], [2], 1, ZeroWords()).root == (0, 0)
