"""Of the two sides of a node a party counts the one asked about first; what it says of the other is as if counted."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Ledger
from fdpedu.claims.strategies import domains, regions, tables
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, Federation, NodeHistograms, Party
from fdpedu.federation import records as records_module
from fdpedu.federation.records import Records, _are_sides
from fdpedu.randomness import ZeroWords

DOMAIN = Domain([Numeric.grid("x", 0, 8, bins=8), Numeric.grid("y", 0, 6, bins=6)], ("a", "b", "c"))
WHOLE = DOMAIN.everything
LEFT, RIGHT = WHOLE.restrict(0, range(3)), WHOLE.restrict(0, range(3, 8))
LOW, HIGH = LEFT.restrict(1, [0, 2, 4]), LEFT.restrict(1, [1, 3, 5])


class Plain:
    """A party that counts every row of every region, with its rows, and the rows that ours goes through."""

    def __init__(self, codes, labels, domain=DOMAIN):
        self.codes, self.labels, self.domain = codes, labels, domain
        self.party, self.counted = Records(codes, labels, domain), list[int]()
        by_row = self.party.histograms
        self.party.histograms = lambda rows: self.counted.append(len(rows)) or by_row(rows)

    def expected(self, query):
        inside = query.region.holds(self.codes, self.labels, self.domain.everything)
        shown = range(self.domain.n_features)
        if type(query) is ClassCounts:
            return np.bincount(self.labels[inside], minlength=self.domain.n_classes).tolist()
        tables = []
        for j in [query.feature] if type(query) is ClassHistogram else shown:
            table = np.zeros((self.domain.features[j].n_codes, self.domain.n_classes), dtype=int)
            np.add.at(table, (self.codes[inside, j], self.labels[inside]), 1)
            tables += table.ravel().tolist()
        return tables

    def ask(self, *queries):
        """The numbers of rows that were counted for a round's histograms, if all answers are right."""
        self.counted.clear()
        found = self.party.within(query.region for query in queries)
        for query, rows in zip(queries, found, strict=True):
            assert query.tally(self.party, rows, self.domain).tolist() == self.expected(query)
        return list(self.counted)

    def nodes(self, *asked):
        return self.ask(*(NodeHistograms(region, 1) for region in asked))

    def size(self, region):
        return int(region.holds(self.codes, self.labels, self.domain.everything).sum())


@pytest.fixture
def plain():
    rng = np.random.default_rng(3)
    labels = rng.choice(3, p=[0.6, 0.3, 0.1], size=500).astype(np.uint8)
    return Plain(np.stack([rng.integers(0, 8, 500), rng.integers(0, 6, 500)], axis=1).astype(np.uint8), labels)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_sequence_of_rounds_is_counted_right(data):
    """Sides in either order or one alone, of nodes of this round or an earlier one; twice; other queries in between."""
    domain = data.draw(domains())
    rows = data.draw(tables(domain, most=15))
    plain = Plain(domain.encode([r[:-1] for r in rows]), domain.encode_labels([r[-1] for r in rows]), domain)
    earlier = [domain.everything]
    for _ in range(data.draw(st.integers(1, 5))):
        asked = []
        for outer in data.draw(st.lists(st.sampled_from(earlier), min_size=1, max_size=3)):
            j = data.draw(st.integers(0, domain.n_features))
            codes = sorted(outer.class_codes if j == domain.n_features else outer.codes(j))
            side = data.draw(st.sets(st.sampled_from(codes), max_size=len(codes)))
            for part in (side, set(codes) - side):
                if part:
                    asked.append(outer.restrict_class(part) if j == domain.n_features else outer.restrict(j, part))
        asked += data.draw(st.lists(regions(domain), max_size=2))
        if data.draw(st.booleans()):
            asked = data.draw(st.permutations(asked))
        kinds = [
            NodeHistograms,
            NodeHistograms,
            NodeHistograms,
            ClassCounts,
            lambda *fields: ClassHistogram(*fields, 0),
        ]
        plain.ask(*(data.draw(st.sampled_from(kinds))(region, 1) for region in asked))
        earlier = [*earlier[-4:], *asked]


def test_the_first_side_is_counted_whichever_is_larger(plain):
    """Three levels, of which one row is looked at in the first, and about half of them in the others."""
    assert plain.nodes(WHOLE) == [500]
    assert plain.nodes(LEFT, RIGHT) == [plain.size(LEFT)]
    right = RIGHT.restrict(0, [3]), RIGHT.restrict(0, range(4, 8))
    assert plain.nodes(HIGH, LOW, right[1], right[0]) == [plain.size(HIGH), plain.size(right[1])]
    assert plain.size(right[1]) > plain.size(right[0])
    classes = HIGH.restrict_class([1]), HIGH.restrict_class([0, 2])
    assert plain.nodes(*classes) == [plain.size(classes[0])]


def test_an_empty_side_is_a_side():
    plain = Plain(np.zeros((4, 2), dtype=np.uint8), np.zeros(4, dtype=np.uint8))
    plain.nodes(WHOLE)
    assert plain.nodes(RIGHT, LEFT) == [0]
    assert plain.nodes(LOW, HIGH) == [4]


def test_regions_that_are_no_sides_are_counted(plain):
    """A gap, an overlap, two coordinates apart, a third part, a part of the first side, the other side of another."""
    for first, second in (
        (LEFT, WHOLE.restrict(0, range(4, 8))),
        (LEFT, WHOLE.restrict(0, range(2, 8))),
        (LEFT, RIGHT.restrict(1, [0])),
        (WHOLE.restrict(1, [0]), RIGHT),
        (LOW, RIGHT.restrict(1, [1, 3, 5])),
        (LEFT, LOW),
    ):
        plain.nodes(WHOLE)
        assert plain.nodes(first, second) == [plain.size(first), plain.size(second)]
    plain.nodes(WHOLE)
    thirds = [WHOLE.restrict(0, codes) for codes in ([0, 1], [2, 3, 4], [5, 6, 7])]
    assert plain.nodes(*thirds) == [plain.size(region) for region in thirds]


def test_what_is_not_at_hand_is_counted(plain):
    """A node of whose histograms there are none, or none of the last round; a first side of which there are none."""
    assert plain.nodes(LEFT, RIGHT) == [plain.size(LEFT), plain.size(RIGHT)]
    plain.nodes(WHOLE)
    plain.ask(ClassCounts(WHOLE, 1))
    assert plain.nodes(LEFT, RIGHT) == [plain.size(LEFT), plain.size(RIGHT)]
    plain.nodes(WHOLE)
    plain.nodes(WHOLE.restrict(1, [0]))
    assert plain.nodes(LEFT, RIGHT) == [plain.size(LEFT), plain.size(RIGHT)]
    plain.nodes(WHOLE)
    assert plain.ask(ClassCounts(LEFT, 1), NodeHistograms(RIGHT, 1)) == [plain.size(RIGHT)]
    plain.nodes(WHOLE)
    assert plain.ask(ClassCounts(LEFT, 1), NodeHistograms(RIGHT, 1), NodeHistograms(LEFT, 1)) == [
        plain.size(RIGHT),
        plain.size(LEFT),
    ]


def test_sides_are_found_behind_others(plain):
    """The last region inside a node that is no second side may be a first one; other nodes may come in between."""
    plain.nodes(WHOLE)
    assert plain.nodes(LOW, LEFT, RIGHT) == [plain.size(LOW), plain.size(LEFT)]
    plain.nodes(WHOLE)
    plain.nodes(LEFT, RIGHT)
    above, below = RIGHT.restrict(1, [0]), RIGHT.restrict(1, range(1, 6))
    assert plain.nodes(LOW, above, HIGH, below) == [plain.size(LOW), plain.size(above)]
    plain.nodes(WHOLE)
    assert plain.nodes(LEFT, WHOLE.restrict(1, [0]), RIGHT) == [
        plain.size(LEFT),
        plain.size(WHOLE.restrict(1, [0])),
        plain.size(RIGHT),
    ]


def test_a_region_twice_in_a_round_is_counted_once(plain):
    plain.nodes(WHOLE)
    assert plain.nodes(LEFT, LEFT, RIGHT, RIGHT, LEFT) == [plain.size(LEFT)]
    assert plain.nodes(LEFT, RIGHT) == [plain.size(LEFT), plain.size(RIGHT)]


def test_other_rows_than_were_found_are_counted_as_they_are(plain):
    (rows,) = plain.party.within([LEFT])
    query = NodeHistograms(LEFT, 1)
    assert query.tally(plain.party, rows, DOMAIN).sum() == 2 * len(rows)
    assert query.tally(plain.party, rows[:7], DOMAIN).sum() == 14
    assert query.tally(plain.party, rows.copy(), DOMAIN).sum() == 2 * len(rows)
    assert NodeHistograms(RIGHT, 1).tally(plain.party, rows, DOMAIN).sum() == 2 * len(rows)
    assert plain.counted == [len(rows), 7, len(rows), len(rows)]


def test_as_much_is_kept_as_fits(plain, monkeypatch):
    """By a number that everybody knows: of queries and cells. What is not kept is counted when it is needed."""
    size = DOMAIN.n_codes * 3
    monkeypatch.setattr(records_module, "MAX_KEPT", 2 * size)
    halves = [side.restrict(1, codes) for side in (LEFT, RIGHT) for codes in (range(3), range(3, 6))]
    plain.nodes(WHOLE)
    plain.nodes(LEFT, RIGHT)
    assert plain.nodes(*halves) == [plain.size(halves[0]), plain.size(halves[2]), plain.size(halves[3])]
    assert [region for _, region in plain.party._exact] == halves[:2]
    monkeypatch.setattr(records_module, "MAX_KEPT", size - 1)
    plain.nodes(WHOLE)
    assert plain.nodes(LEFT, RIGHT) == [plain.size(LEFT), plain.size(RIGHT)]
    assert not plain.party._exact and not plain.party._before


def test_what_is_kept_is_of_two_rounds(plain):
    for codes in ([0], [1], [2]):
        plain.nodes(WHOLE.restrict(0, codes), WHOLE.restrict(1, codes))
    assert [len(kept) for kept in (plain.party._before, plain.party._exact)] == [2, 2]
    plain.nodes(WHOLE)
    plain.nodes(LEFT, RIGHT)
    assert plain.party._sides == {RIGHT: (WHOLE, LEFT)}
    plain.ask(ClassCounts(WHOLE, 1))
    plain.ask(ClassCounts(WHOLE, 1))
    assert not plain.party._before and not plain.party._exact and not plain.party._sides


def test_what_is_kept_cannot_be_written_to(plain):
    plain.nodes(WHOLE)
    plain.nodes(LEFT, RIGHT)
    for counts in [*plain.party._before.values(), *plain.party._exact.values()]:
        with pytest.raises(ValueError, match="read-only"):
            counts += 1


def test_noise_is_added_to_every_cell_after_counting():
    """The noise of a node's two sides is not that of the node divided up, and none of it stays in what is kept."""
    rng = np.random.default_rng(5)
    rows = [[x, y, "abc"[c]] for x, y, c in zip(*rng.integers(0, [[8], [6], [3]], (3, 300)).tolist(), strict=True)]
    plain = Plain(DOMAIN.encode([r[:-1] for r in rows]), DOMAIN.encode_labels([r[-1] for r in rows]))
    parties = [Party(rows[k::2], DOMAIN) for k in range(2)]
    federation, noise = Federation(parties, DOMAIN, Ledger(10), rng=np.random.default_rng(5)), {}
    for asked in ([WHOLE], [LEFT, RIGHT], [LOW, HIGH]):
        queries = [NodeHistograms(region, "1/5") for region in asked]
        for query, answer in zip(queries, federation.release(queries), strict=True):
            noise[query.region] = answer.ravel() - plain.expected(query)
    for outer, first, second in ((WHOLE, LEFT, RIGHT), (LEFT, LOW, HIGH)):
        assert np.mean(noise[second] == noise[outer] - noise[first]) < 0.2
    assert all(5 < noise[region].std() < 30 and abs(noise[region].mean()) < 8 for region in noise)


def test_more_cells_than_sixteen_bits_can_number():
    """256 bins, 200 classes: the sides of two levels, counted and not."""
    rng = np.random.default_rng(0)
    domain = Domain([Numeric.grid(f"x{j}", 0, 1, bins=256) for j in range(2)], range(200))
    codes, labels = rng.integers(0, 256, (5000, 2)).astype(np.uint8), rng.integers(0, 200, 5000).astype(np.uint8)
    plain = Plain(codes, labels, domain)
    assert plain.party.cells.dtype == np.uint32
    whole = domain.everything
    sides = whole.restrict(1, range(100)), whole.restrict(1, range(100, 256))
    plain.nodes(whole)
    assert plain.nodes(*sides) == [plain.size(sides[0])]
    below = [side.restrict_class(some) for side in sides for some in (range(150), range(150, 200))]
    assert plain.nodes(*below) == [plain.size(below[0]), plain.size(below[2])]


@pytest.mark.parametrize("n", [4095, 4096, 4097, 9000])
def test_positions_of_many_rows(n):
    """Blocks of rows that are full and that are not."""
    rng = np.random.default_rng(1)
    codes = np.stack([rng.integers(0, 8, n), rng.integers(0, 6, n)], axis=1).astype(np.uint8)
    labels = rng.integers(0, 3, n).astype(np.uint8)
    first = np.array([0, 8])
    assert (Records(codes, labels, DOMAIN).cells == (first + codes) * 3 + labels[:, None]).all()


def test_sides_of_a_region():
    assert _are_sides(LEFT, RIGHT, WHOLE) and _are_sides(RIGHT, LEFT, WHOLE) and _are_sides(LOW, HIGH, LEFT)
    assert _are_sides(WHOLE.restrict_class([1]), WHOLE.restrict_class([0, 2]), WHOLE)
    assert not _are_sides(LOW, HIGH, WHOLE)
    assert not _are_sides(LEFT, LEFT, WHOLE) and not _are_sides(WHOLE, WHOLE, WHOLE)
    corners = LEFT.restrict(1, [0]), RIGHT.restrict(1, range(1, 6))
    assert not _are_sides(*corners, WHOLE)
    assert not _are_sides(LEFT.restrict(1, [0]), RIGHT.restrict(1, [0]), WHOLE)


SMALL = Domain.from_spec({"features": {"x": [0, 4, 4], "z": [0, 2, 2]}, "classes": ["a", "b"]})


def test_a_difference_of_large_counts_is_exact():
    """Seventy thousand rows in a cell of the second side, which is not counted but taken as a difference."""
    rows = np.repeat([[0.5, 0.5], [3.5, 1.5]], [5, 70_000], axis=0)
    parties = [Party(rows, SMALL, labels=["b"] * len(rows)), Party([], SMALL)]
    federation = Federation(parties, SMALL, Ledger(10), rng=ZeroWords())
    whole = SMALL.everything
    federation.release([NodeHistograms(whole, 1)])
    sides = [whole.restrict(0, codes) for codes in ([0, 1], [2, 3])]
    small, large = federation.release([NodeHistograms(side, 1) for side in sides])
    assert small.tolist() == [[0, 5], [0, 0], [0, 0], [0, 0], [0, 5], [0, 0]]
    assert large.tolist() == [[0, 0], [0, 0], [0, 0], [0, 70_000], [0, 0], [0, 70_000]]
