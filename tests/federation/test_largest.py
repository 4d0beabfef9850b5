"""Exact counts are those of Python's integers, however many rows a party has: no type is too narrow, no float.

Columns are broadcast, so rows take no memory of their own. Beyond 2³¹ a row is made to weigh many: what counts rows
counts each of them W times, and the answer is W times as large.
"""

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, Federation, NodeHistograms, Party
from fdpedu.federation.queries.choices import ChosenBlock, LeafLabel, pairs_of_codes
from fdpedu.federation.queries.edges import JointEdges
from fdpedu.federation.queries.outcomes import Model, OutcomeCounts
from fdpedu.federation.queries.structures import StructureVote
from fdpedu.federation.records import Records
from fdpedu.randomness import Rehearsal

N = 2**24 + 2**14 + 3  # rows; odd, and a float of 24 bits stands still before it
W = 2**57 + 1  # what a row weighs; a float of 53 bits does not hold it
X = Numeric.grid("x", 0, 1, bins=256)
DOMAIN = Domain([Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B"))], ("a", "b"))
WHOLE = DOMAIN.everything
ROWS = [(0.5, "A", "a"), (1.5, "A", "a"), (2.5, "A", "b"), (1.2, "B", "b"), (1.7, "A", "a"), (0.1, "A", "b")]
COUNTS = [
    NodeHistograms(WHOLE, 1),
    ClassHistogram(WHOLE, 1, 1),
    ClassCounts(WHOLE, 1),
    LeafLabel(WHOLE, 1),
    JointEdges(WHOLE, 1, 0, 2),
    OutcomeCounts(WHOLE, 1, Model(((0, 0b001), (0,), (1,)))),
    StructureVote(WHOLE, 1, [(0, -1, -1), (1, 0, 0)], lattice=8),
]


@pytest.fixture
def heavy(monkeypatch):
    """Each row counts W times, wherever rows are counted."""
    count = np.bincount
    monkeypatch.setattr(np, "bincount", lambda cells, minlength=0: W * count(cells, minlength=minlength))


def party(rows=ROWS):
    return Records(DOMAIN.encode([r[:-1] for r in rows]), DOMAIN.encode_labels([r[-1] for r in rows]), DOMAIN)


def tally(query, records):
    (rows,) = records.within([query.region])
    found = query.tally(records, rows, DOMAIN)
    assert found.dtype == np.int64
    return found.tolist()


@pytest.mark.parametrize("query", COUNTS, ids=lambda query: query.type)
def test_counts_of_heavy_rows(query, request):
    light = tally(query, party())
    assert any(light)
    request.getfixturevalue("heavy")
    assert tally(query, party()) == [W * count for count in light]


def test_heavy_counts_that_come_as_a_difference(request):
    """A region's two sides, the second as what the first leaves."""
    request.getfixturevalue("heavy")
    records, asked = party(ROWS * 3), NodeHistograms(WHOLE, 1)
    sides = [WHOLE.restrict(0, codes) for codes in ([0], [1, 2])]
    tally(asked, records)
    for side, rows in zip(sides, records.within(sides), strict=True):
        expected = [0] * 10
        for i in rows.tolist():
            for cell in records.cells[i].tolist():
                expected[cell] += W
        found = NodeHistograms(side, 1).tally(records, rows, DOMAIN)
        assert found.tolist() == expected and len(rows) in (6, 12) and found.dtype == np.int64


def test_sums_of_heavy_parties(request):
    """What three parties add up under their masks: W times the counts, and the noise of the same tape."""
    asked, exact = (
        [NodeHistograms(WHOLE, 1), ClassCounts(WHOLE, 1)],
        [tally(query, party(ROWS * 3)) for query in COUNTS],
    )

    def sums():
        parties = [Party([r[:-1] for r in ROWS], DOMAIN, labels=[r[-1] for r in ROWS]) for _ in range(3)]
        return Federation(parties, DOMAIN, Ledger(2), rng=Rehearsal(5)).release(asked)

    light = sums()
    request.getfixturevalue("heavy")
    for few, many, counts in zip(light, sums(), (exact[0], exact[2]), strict=True):
        gained = [b - a for a, b in zip(few.ravel().tolist(), many.ravel().tolist(), strict=True)]
        assert many.dtype == np.int64 and gained == [(W - 1) * count for count in counts]


def test_histograms_of_the_most_rows_by_blocks():
    """One row repeated: a count beyond 2²⁴ in each feature."""
    records = party()
    counts = records.histograms(np.broadcast_to(np.intp(3), N))
    assert counts.dtype == np.int64 and sorted(counts.tolist())[-3:] == [0, N, N]


@pytest.mark.parametrize("label", [0, 1])
def test_pairs_of_codes_of_many_rows(label):
    """All pairs of one row, N times, and those of one row else."""
    columns = np.broadcast_to(np.array([[1], [0]], dtype=np.uint8), (2, N))
    found = pairs_of_codes(columns, np.broadcast_to(np.uint8(label), N), [2, 1], 2)
    each = [[0, 0, 0], [0, N, N], [0, N, N]]
    assert found.dtype == np.int64 and found[:, :, label].tolist() == each and not found[:, :, 1 - label].any()


def test_pairs_of_the_most_codes():
    """Three features of 256 codes: positions reach 767, and a code of eight bits does not."""
    columns = np.array([[255, 0], [255, 1], [255, 255]], dtype=np.uint8)
    found = pairs_of_codes(columns, np.zeros(2, dtype=np.uint8), [256] * 3, 1)[:, :, 0]
    places = [[255, 511, 767], [0, 257, 767]]
    expected = {}
    for row in places:
        for pair in ((i, j) for i in row for j in row):
            expected[pair] = expected.get(pair, 0) + 1
    assert {(int(i), int(j)): int(found[i, j]) for i, j in np.argwhere(found)} == expected


@pytest.mark.parametrize("weight", [2**33 + 1, 2**45 + 1])
def test_a_block_of_heavy_pairs(weight):
    """The losses of a block's sides from counts beyond 2³¹, in steps of 1/2¹⁶."""
    records, query = party(), ChosenBlock(WHOLE, 1, "errors", 2**16)
    pairs = query.tally(records, np.arange(6), DOMAIN).reshape(DOMAIN.n_codes, DOMAIN.n_codes, 2)
    for code in range(DOMAIN.n_codes):
        light, heavy = (query._losses(DOMAIN, WHOLE, times * pairs[code]) for times in (1, weight))
        assert heavy == [weight * loss for loss in light]


@pytest.mark.parametrize("lattice", [1, 2**16])
def test_the_errors_of_many_rows_at_the_finest_lattice(lattice):
    """Four million rows of either class that no split divides, at 2¹⁶ steps: thirty-eight bits."""
    query = StructureVote(WHOLE, 1, [(0, -1, -1), (1, 0, 0)], lattice=lattice)
    records, n = party([(0.5, "A", "a"), (0.5, "A", "b")]), 2**22 + 3
    rows = np.repeat(np.arange(2), [n, n + 5])
    assert query.tally(records, rows, DOMAIN).tolist() == [lattice * n] * 2


def test_positions_beyond_twenty_four_bits():
    """As many features, codes and classes as a domain may have: the last position is an integer, and its own."""
    features = [Numeric.grid(f"x{j}", 0, 1, bins=256) for j in range(256)]
    domain = Domain(features, range(256))
    assert domain.n_codes * domain.n_classes == 2**24
    codes = np.array([[255] * 256, [255] * 255 + [254], [0] * 256], dtype=np.uint8)
    found = Records(codes, np.array([255, 254, 1], dtype=np.uint8), domain).cells
    expected = [
        [(256 * j + int(code)) * 256 + label for j, code in enumerate(row)]
        for row, label in zip(codes, (255, 254, 1), strict=True)
    ]
    assert found.dtype == np.uint32 and found.tolist() == expected and found.max() == 2**24 - 1
