"""A row is in one part, a part has one vote, and no forgery that is certified against changes a prediction."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.robust import fit_partition_ensemble
from fdpedu.robust.ensemble import certified_rows_of_votes, part_of

DOMAIN = Domain([Numeric.grid("x", 0, 4, bins=4), Categorical("w", ("A", "B"))], ("no", "yes", "maybe"))
CELLS = st.tuples(st.sampled_from([0.5, 1.5, 2.5, 3.5]), st.sampled_from("AB"), st.sampled_from(DOMAIN.classes))
GRID = [[x, w] for x in (0.5, 1.5, 2.5, 3.5) for w in "AB"]


@given(votes=st.lists(st.integers(0, 4), min_size=2, max_size=3))
def test_certified_rows_are_the_most_that_votes_stand(votes):
    """Each forged row moves one vote from any class to any other; all ways are tried. One more changes the winner."""
    (certified,) = certified_rows_of_votes([votes]).tolist()
    winner, reached = int(np.argmax(votes)), {tuple(votes)}
    for rows in range(certified + 2):
        changed = any(np.argmax(found) != winner for found in reached)
        assert changed == (rows > certified and sum(votes) > 0)
        moves = list(product(range(len(votes)), repeat=2))
        reached |= {moved(found, a, b) for found in reached for a, b in moves if found[a]}


def moved(votes, a, b):
    found = list(votes)
    found[a] -= 1
    found[b] += 1
    return tuple(found)


@given(rows=st.lists(CELLS, min_size=1, max_size=25), extra=CELLS, parts=st.integers(1, 5), data=st.data())
@settings(max_examples=40)
def test_a_row_changes_one_vote_at_most(rows, extra, parts, data):
    """Added or removed, whatever it is and wherever it stands; the order of rows does not matter either."""

    def fitted(members):
        return fit_partition_ensemble([m[:2] for m in members], [m[2] for m in members], DOMAIN, parts, max_depth=2)

    order = data.draw(st.permutations(rows))
    before, after = fitted(rows).votes(GRID), fitted([*order, extra]).votes(GRID)
    assert (np.abs(before - after).sum(axis=1) <= 2).all() and (before.sum(axis=1) == parts).all()
    assert (fitted(order).votes(GRID) == before).all()


@given(rows=st.lists(CELLS, min_size=4, max_size=20), forged=st.lists(CELLS, max_size=3), seed=st.integers(0, 9))
@settings(max_examples=40)
def test_what_is_certified_is_not_changed(rows, forged, seed):
    """Rows are added, and as many as one likes of the clean ones removed."""
    ensemble = fit_partition_ensemble([r[:2] for r in rows], [r[2] for r in rows], DOMAIN, 7, max_depth=2)
    gone = seed % 3
    now = [*rows[gone:], *forged]
    after = fit_partition_ensemble([r[:2] for r in now], [r[2] for r in now], DOMAIN, 7, max_depth=2)
    stands = ensemble.certified_rows(GRID) >= gone + len(forged)
    assert (ensemble.predict(GRID)[stands] == after.predict(GRID)[stands]).all()


def test_certified_accuracy_counts_what_is_right_and_firm():
    rows = [[x + 0.5, w] for x in range(4) for w in "AB"] * 20
    labels = ["yes" if x > 2 else "no" for x, _ in rows]
    spread = [[x - 0.5 + (i + 1) / 200, w] for i, (x, w) in enumerate(rows)]
    ensemble = fit_partition_ensemble(spread, labels, DOMAIN, 9)
    found = [ensemble.certified_accuracy(GRID, [("no", "yes")[x > 2] for x, _ in GRID], rows) for rows in range(6)]
    assert found[0] == np.mean(ensemble.predict(GRID) == [("no", "yes")[x > 2] for x, _ in GRID])
    assert found == sorted(found, reverse=True) and found[0] > 0.9 and found[5] == 0
    assert ensemble.certified_accuracy(GRID[:1], ["maybe"], 0) == 0


def test_a_table_with_names_is_read_by_names():
    pandas = pytest.importorskip("pandas")
    rows, labels = (
        [[x + i / 100, w] for i in range(9) for x in (0.1, 3.1) for w in "AB"],
        ["no", "no", "yes", "yes"] * 9,
    )
    frame = pandas.DataFrame({"more": 1, "w": [w for _, w in rows], "x": [x for x, _ in rows]})
    by_name, by_place = (fit_partition_ensemble(table, labels, DOMAIN, 3) for table in (frame, rows))
    assert (by_name.votes(GRID) == by_place.votes(GRID)).all() and (by_name.votes(frame) == by_place.votes(rows)).all()


def test_a_part_is_a_function_of_the_row():
    """Of its values and class alone: not of its type, of its neighbours, or of the run."""
    rows = np.array([[3, "A"], [np.float64(3), "A"], [3.5, "A"], [3, "B"], [3, "A"]], dtype=object)
    parts = part_of(rows, np.array([0, 0, 0, 0, 1]), 1000)
    assert parts[0] == parts[1] and len(set(parts.tolist())) == 4
    assert (part_of(rows[::-1], np.array([1, 0, 0, 0, 0]), 1000)[::-1] == parts).all()
    spread = part_of(np.arange(4000, dtype=object)[:, None], np.zeros(4000, dtype=int), 10)
    assert np.abs(np.bincount(spread, minlength=10) - 400).max() < 110  # 5.8 standard deviations; and the same each run


def test_empty_parts_vote_for_the_first_class():
    ensemble = fit_partition_ensemble([[3.5, "A"]], ["yes"], DOMAIN, 4)
    assert ensemble.votes(GRID).tolist() == [[3, 1, 0]] * 8 and set(ensemble.predict(GRID)) == {"no"}
    assert [ensemble.certified_accuracy(GRID, ["no"] * 8, rows) for rows in range(3)] == [1, 1, 0]
    assert ensemble.certified_rows(GRID).tolist() == [1] * 8 and repr(ensemble) == "PartitionEnsemble(4 trees)"
