"""Structures and their strings; the least loss over all splits, at every size; and the tree that has it."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.cart.least_loss import feature_splits, grow_at, leaf_losses, least_loss, least_losses, most_cells
from fdpedu.cart.structures import LEAF, Structure, count_structures, to_string, to_structure
from fdpedu.domain import Categorical, Domain, Numeric

PLAIN = Domain([Numeric.grid("a", 0, 4, bins=4), Numeric.grid("b", 0, 3, bins=3)], ("x", "y", "z"))
MIXED = Domain([Numeric.grid("a", 0, 3, bins=3, missing=True), Categorical("w", tuple("ABC"))], ("x", "y"))


def test_strings_and_structures_are_each_other():
    """Of all strings of two features up to depth 3: written again they have nothing detached, and so only once."""
    for depth in range(4):
        length = 2**depth - 1
        strings = (
            list(product((LEAF, 0, 1), repeat=length)) if depth < 3 else [(0, 1, LEAF, 0, 1, 1, LEAF), (LEAF, *[1] * 6)]
        )
        for string in strings:
            structure = to_structure(string)
            again = to_string(structure, depth)
            assert to_structure(again) == structure and to_string(to_structure(again), depth) == again
            assert all(a in (b, LEAF) for a, b in zip(again, string, strict=True))  # what is detached becomes −1
    assert len({to_structure(s) for s in product((LEAF, 0, 1), repeat=7)}) == count_structures(2, 3)


def test_a_structure_knows_its_size_and_can_be_put_into_a_deeper_string():
    tree = Structure(3, Structure(1), Structure(0, None, Structure(2)))
    assert (tree.depth, tree.n_nodes, tree.features) == (3, 4, (3, 1, 0, 2))
    assert to_structure(to_string(tree, 5)) == tree and str(tree) == "3(1, 0(·, 2))"
    assert to_string(type("Tree", (), {"structure": tree})(), 3) == (3, 1, LEAF, LEAF, 0, LEAF, 2)


def test_the_splits_of_a_feature_are_those_of_the_domain():
    """Borders, either side for missing values, each category alone."""
    assert feature_splits(PLAIN, 0) == ((0, 1, -1), (0, 2, -1), (0, 3, -1))
    assert {extra for _, _, extra in feature_splits(MIXED, 0)} == {-1, 3}
    assert [(a, b) for a, b, _ in feature_splits(MIXED, 1)] == [(0, 1), (1, 2), (2, 3)]


def place(k, levels):
    return Fraction(k, levels - 1)


def by_hand(counts, lattice):
    n, levels = sum(counts), len(counts)
    if not n:
        return 0
    mean = sum(c * place(k, levels) for k, c in enumerate(counts)) / n
    return int(lattice * sum(c * (place(k, levels) - mean) ** 2 for k, c in enumerate(counts)))


@pytest.mark.parametrize("times", [1, 40, 300, 70_000, 2**29, 2**31, 2**40])
@pytest.mark.parametrize("levels", [2, 3, 16, 256])
def test_a_leaf_has_its_loss_at_every_number_of_rows(times, levels):
    """Sizes past bytes, past 16 bits, and past what 64 bits hold when squared; steps rounded down, exactly."""
    rng = np.random.default_rng(levels)
    for _ in range(3):
        counts = [int(c) * times for c in rng.integers(0, 4, levels)]
        for lattice in (1, 1000, 2**16):
            if sum(counts) * lattice < 2**62:
                assert leaf_losses(np.array([counts]), "squared", lattice)[0] == by_hand(counts, lattice)
                assert leaf_losses(np.array([counts]), "errors", lattice)[0] == lattice * (sum(counts) - max(counts))


@pytest.mark.parametrize("times", [1, 300, 70_000])
def test_the_least_loss_is_that_of_so_many_times_the_rows(times):
    """Rows many times over have so many times the errors, and the same best tree."""
    rng = np.random.default_rng(1)
    codes, labels = rng.integers(0, 3, (12, 2)).astype(np.uint8), rng.integers(0, 3, 12).astype(np.uint8)
    columns, many = np.repeat(codes, times, axis=0).T.copy(), np.repeat(labels, times)
    structures = [to_structure(s) for s in ((0, 1, 1), (1, 0, LEAF), (0, 0, 1))]
    once = least_losses(codes.T.copy(), labels, structures, PLAIN, "errors", 1)
    assert least_losses(columns, many, structures, PLAIN, "errors", 1).tolist() == (once * times).tolist()
    for structure in structures:
        one, other = (
            grow_at(*rows, structure, PLAIN, "errors", 1) for rows in ((codes.T.copy(), labels), (columns, many))
        )
        assert one.split == other.split and tuple(times * c for c in one.counts) == other.counts


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 1)), max_size=14), st.integers(0, 2**32))
def test_a_deeper_structure_has_no_larger_loss(rows, seed):
    """To ask once more, anywhere, never hurts; and the order of rows does not matter."""
    codes = np.array([row[:2] for row in rows], dtype=np.uint8).reshape(len(rows), 2)
    labels = np.array([row[2] for row in rows], dtype=np.uint8)
    string = np.random.default_rng(seed).integers(-1, 2, 7).tolist()
    deep = to_structure(string)
    flat = Structure(deep.feature) if deep.feature is not None else deep
    for loss in ("errors", "squared"):
        shallow = least_loss(codes, labels, flat, PLAIN, loss, lattice=64)
        assert least_loss(codes, labels, deep, PLAIN, loss, lattice=64) <= shallow
        order = np.random.default_rng(seed).permutation(len(rows))
        assert least_loss(codes[order], labels[order], deep, PLAIN, loss, lattice=64) == least_loss(
            codes, labels, deep, PLAIN, loss, lattice=64
        )


def test_the_largest_table_is_counted_before_it_is_made():
    """Twice the codes of each feature on the longest path, times the classes."""
    assert most_cells(Structure(), PLAIN) == 3
    assert most_cells(Structure(0, Structure(1)), PLAIN) == 3 * 8 * 6
    assert most_cells(Structure(1, Structure(1, Structure(0)), Structure(0)), PLAIN) == 3 * 6 * 6 * 8


def test_a_tree_at_home_has_its_structure_less_what_divides_nothing():
    """With one kind of row all questions are left out; with two, one stays."""
    columns = np.array([[0, 0, 2], [1, 1, 1]], dtype=np.uint8)
    root = grow_at(columns, np.array([0, 0, 1], dtype=np.uint8), to_structure((1, 0, 0)), PLAIN, "errors", 1)
    assert root.split.feature == 0 and root.left.is_leaf and root.right.is_leaf
    assert root.counts == (2, 1, 0) and root.left.counts == (2, 0, 0)
