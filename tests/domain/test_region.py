"""Regions against sets of records and plain comparisons: their algebra, their words, and how they are written."""

import itertools
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fdpedu.claims.strategies import domains, regions
from fdpedu.domain import Categorical, Region


@given(st.data())
def test_region_algebra_is_the_algebra_of_record_sets(data):
    """Disjoint, contains and hull agree with the sets of records that the regions stand for."""
    domain = data.draw(domains(most_features=2, most_codes=3, most_classes=2))
    points = list(itertools.product(*(range(f.n_codes) for f in domain.features), range(domain.n_classes)))
    codes = np.array([p[:-1] for p in points], dtype=np.uint8)
    labels = np.array([p[-1] for p in points], dtype=np.uint8)
    a, b = data.draw(regions(domain)), data.draw(regions(domain))
    inside = [set(np.flatnonzero(r.holds(codes, labels, domain.everything))) for r in (a, b, a.hull(b))]
    assert a.is_disjoint(b) == (not inside[0] & inside[1])
    assert a.contains(b) == (inside[1] <= inside[0])
    assert inside[0] | inside[1] <= inside[2]


PLACES = [0, 1, 255]
MONDAY, TUESDAY = "0" * 64, "1" * 64  # names of sessions
some_parties = st.one_of(st.none(), st.sets(st.sampled_from(PLACES), min_size=1))


@given(st.data())
def test_a_record_lies_at_one_party_which_is_one_more_coordinate_in_each_session(data):
    """Regions against the sets of triples (record, position of its party on Monday, on Tuesday) that they stand for."""
    domain = data.draw(domains(most_features=2, most_codes=3, most_classes=2))
    whole = domain.everything
    points = list(itertools.product(*(range(f.n_codes) for f in domain.features), range(domain.n_classes)))

    def placed():
        region, parties = data.draw(regions(domain)), data.draw(some_parties)
        return region if parties is None else region.of_party(parties, data.draw(st.sampled_from([MONDAY, TUESDAY])))

    def cells(region):
        rows = [
            p for p in points if p[-1] in region.class_codes and all(c in region.codes(j) for j, c in enumerate(p[:-1]))
        ]
        own, every = [k for k in [*PLACES, 7] if k in region.party_indexes], [*PLACES, 7]
        return set(itertools.product(rows, *((every, own) if region.session == TUESDAY else (own, every))))

    a, b = placed(), placed()
    assert a.is_disjoint(b) == b.is_disjoint(a) == (not cells(a) & cells(b))
    assert a.contains(b) == (cells(b) <= cells(a)) and whole.contains(a)
    assert cells(a) | cells(b) <= cells(a.hull(b)) and a.hull(b).contains(a) and a.hull(b).contains(b)
    assert (a == b) == (cells(a) == cells(b)) and (a != b or hash(a) == hash(b))
    j = data.draw(st.integers(0, domain.n_features - 1))
    codes = data.draw(st.sets(st.sampled_from(sorted(a.codes(j))), min_size=1))
    for part in (a.restrict(j, codes), a.restrict_class(a.class_codes)):
        assert (part.parties, part.session) == (a.parties, a.session)
    if not a.is_disjoint(b) and {a.session, b.session} == {MONDAY, TUESDAY}:
        with pytest.raises(ValueError, match="one session"):
            Region.from_json(b.to_json(whole), a)
    elif not a.is_disjoint(b):
        both = Region.from_json(b.to_json(whole), a)
        assert cells(both) == cells(a) & cells(b) and Region.from_json(both.to_json(a), a) == both
    assert Region.from_json(a.to_json(whole), whole) == a and Region.from_json(a.to_json(a.hull(b)), a.hull(b)) == a
    assert (f"party {a.session}" in a.to_json(whole)) == (not a.of_all_parties) == ("parties" in repr(a))
    words = re.search(r"(?:^|, )party (.*)$", domain.describe(a))
    assert a.of_all_parties if words is None else {int(k) - 1 for k in words[1].split(" or ")} == a.party_indexes


def test_what_is_no_position_of_a_party_is_refused():
    whole = Region((3,), 3)
    for wrong in (0, "0", None, [256], [-1], ["0"], [True], [0.5]):
        with pytest.raises(ValueError, match="positions of parties"):
            whole.of_party(wrong, MONDAY)
    for some in (whole, whole.of_party([1], MONDAY)):
        with pytest.raises(ValueError, match="at least one party"):
            some.of_party([] if some is whole else [0], MONDAY)
    for none in ("", "0", "0" * 63 + "g", "0" * 65, MONDAY.encode(), None, 0):
        with pytest.raises(ValueError, match="name of their session"):
            whole.of_party({0}, none)
    assert whole.of_party(range(256), MONDAY) == whole == Region.from_json({f"party {MONDAY}": range(256)}, whole)
    codes = np.zeros((1, 1), dtype=np.uint8)
    with pytest.raises(ValueError, match="at which party"):
        whole.of_party([0], MONDAY).holds(codes, np.zeros(1, dtype=np.uint8), whole)


@pytest.mark.parametrize("features", [1, 2, 63, 64, 65, 100])
def test_the_algebra_of_regions_of_many_features(features):
    """Of 256 codes each, against sets of codes: disjoint, nested, hull, and the table of a region's members."""
    rng = np.random.default_rng(features)
    whole = Region(tuple((1 << 256) - 1 for _ in range(features)), (1 << 256) - 1)
    for _ in range(20):
        a = b = whole
        for j in {0, features - 1, int(rng.integers(features))}:
            a, b = (
                r.restrict(j, rng.integers(250, 256, rng.integers(1, 4))) if rng.random() < 0.7 else r for r in (a, b)
            )
        a, b = (r.restrict_class([0, 255, int(rng.integers(256))]) if rng.random() < 0.5 else r for r in (a, b))
        sides = [[*(r.codes(j) for j in range(features)), r.class_codes] for r in (a, b)]
        pairs = list(zip(*sides, strict=True))
        assert a.is_disjoint(b) == b.is_disjoint(a) == any(not x & y for x, y in pairs)
        assert a.contains(b) == all(y <= x for x, y in pairs) and a.contains(a) and whole.contains(a)
        hull = a.hull(b)
        assert [*(hull.codes(j) for j in range(features)), hull.class_codes] == [x | y for x, y in pairs]
        assert Region.from_json(a.to_json(whole), whole) == a and Region.from_json(a.to_json(hull), hull) == a


@given(st.data())
def test_a_region_is_read_as_it_was_written(data):
    """Whatever part of whichever region: what is named restricts that region, and no more than that."""
    domain = data.draw(domains())
    whole, outer, inner = domain.everything, data.draw(regions(domain)), data.draw(regions(domain))
    assert Region.from_json(outer.to_json(whole), whole) == outer
    assume(not outer.is_disjoint(inner))
    both = Region.from_json(inner.to_json(whole), outer)
    assert outer.contains(both) and inner.contains(both)
    for j in range(domain.n_features):
        assert both.codes(j) == outer.codes(j) & inner.codes(j)
    assert both.class_codes == outer.class_codes & inner.class_codes


def holds(words, record):
    """Whether a record, name → raw value, fits a description as people read it: each part is a condition."""
    if words == "all records":
        return True
    for part in re.split(r", (?![^{]*\})", words):
        part, *also = part.split(" or missing")
        if part.startswith("class "):
            fits = record["class"] in part.removeprefix("class ").split(" or ")
        elif found := re.fullmatch(r"(\w+) (not )?missing", part):
            fits = (record[found[1]] is None) == (found[2] is None)
        elif record[name := re.search(r"x\d", part)[0]] is None:
            fits = bool(also)
        elif found := re.fullmatch(r"(\w+) in \{(.*)\}", part):
            fits = record[found[1]] in found[2].split(", ")
        else:
            low, _, high = re.fullmatch(r"(?:(\S+) < )?(\w+)(?: ≤ (\S+))?", part).groups()
            fits = (low is None or float(low) < record[name]) and (high is None or record[name] <= float(high))
        if not fits:
            return False
    return True


def values(feature):
    """For each code a raw value that has it; beyond the ends of the range, too."""
    if isinstance(feature, Categorical):
        return [*feature.categories, *[None] * feature.missing]
    return [feature.edges[0] - 9, *feature.edges[2:-1], feature.edges[-1] + 9, *[None] * feature.missing]


@given(st.data())
def test_a_description_holds_for_the_records_of_the_region(data):
    """Whoever reads the words finds the same records as whoever looks at the codes (a numeric part is a range)."""
    domain = data.draw(domains())
    region = domain.everything.restrict_class(data.draw(st.sets(st.integers(0, domain.n_classes - 1), min_size=1)))
    for j, feature in enumerate(domain.features):
        first, last = sorted(data.draw(st.integers(0, feature.n_codes - 1)) for _ in range(2))
        gap = {feature.n_codes - 1} if feature.missing and data.draw(st.booleans()) else set()
        region = region.restrict(j, {*range(first, last + 1), *gap})
    words = domain.describe(region)
    assert (words == "all records") == (region == domain.everything)
    records = list(itertools.product(*map(values, domain.features), domain.classes))
    codes = domain.encode([list(record[:-1]) for record in records])
    inside = region.holds(codes, domain.encode_labels([record[-1] for record in records]), domain.everything)
    names = [*(feature.name for feature in domain.features), "class"]
    for record, expected in zip(records, inside, strict=True):
        assert holds(words, dict(zip(names, [*record[:-1], str(record[-1])], strict=True))) == expected


@given(st.data())
def test_restricting_intersects(data):
    domain = data.draw(domains())
    region = data.draw(regions(domain))
    j = data.draw(st.integers(0, domain.n_features - 1))
    for codes, restrict in (
        (region.codes(j), lambda some: region.restrict(j, some).codes(j)),
        (region.class_codes, lambda some: region.restrict_class(some).class_codes),
    ):
        some = data.draw(st.sets(st.integers(0, 255))) | {min(codes)}
        assert restrict(some) == restrict(list(some) * 2) == codes & some


@given(st.data())
def test_the_codes_inside_stand_one_feature_after_the_other(data):
    domain = data.draw(domains())
    region, sizes = data.draw(regions(domain)), [feature.n_codes for feature in domain.features]
    expected = [code in region.codes(j) for j, size in enumerate(sizes) for code in range(size)]
    assert region.inside(sizes).tolist() == expected
    for other in (sizes[1:], [*sizes, 2]):
        with pytest.raises(ValueError):
            region.inside(other)


@pytest.mark.parametrize("n", [1, 3])
def test_regions_of_different_domains_are_never_compared(n):
    """Two features or another number of them: every operation on two regions says no."""
    two, other = Region((3, 3), 3), Region((3,) * n, 3)
    codes, labels = np.zeros((1, 2), dtype=np.uint8), np.zeros(1, dtype=np.uint8)
    for ask in (
        lambda: two.is_disjoint(other),
        lambda: two.contains(other),
        lambda: two.hull(other),
        lambda: two.to_json(other),
        lambda: two.holds(codes, labels, other),
        lambda: other.holds(codes, labels, other),
    ):
        with pytest.raises(ValueError):
            ask()


WHOLE = Region((15, 3), 3)


@pytest.mark.parametrize(
    "code", [np.timedelta64(1), np.timedelta64(1, "s"), "1", None, 1j, 0.5, -1, 256, [1]], ids=repr
)
def test_what_is_no_code_is_refused(code):
    for restrict in (lambda: WHOLE.restrict(0, [0, code]), lambda: WHOLE.restrict_class([0, code])):
        with pytest.raises(ValueError, match="codes"):
            restrict()


@pytest.mark.parametrize("kind", [int, float, np.int8, np.uint64, np.float32, Fraction])
def test_whole_numbers_of_any_type_are_codes(kind):
    assert WHOLE.restrict(0, [kind(0), kind(2)]) == Region((5, 3), 3) and WHOLE.restrict_class([kind(1)]).classes == 2


wide_masks = st.one_of(st.sampled_from([1, 1 << 255, (1 << 256) - 1, 3 << 254]), st.integers(1, (1 << 256) - 1))


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.tuples(wide_masks, wide_masks), min_size=n + 1, max_size=n + 1)))
def test_regions_of_256_codes_are_compared_coordinate_by_coordinate(pairs):
    """All coordinates in one integer give the same answers as one coordinate after another."""
    a, b = (Region(tuple(pair[side] for pair in pairs[:-1]), pairs[-1][side]) for side in (0, 1))
    meeting = [x & y for x, y in pairs]
    if all(meeting):
        c = Region(tuple(meeting[:-1]), meeting[-1])
        assert a.contains(c) and b.contains(c) and not a.is_disjoint(c)
        assert hash(c) == hash(Region(c.features, c.classes)) and (c == a) == (meeting == [x for x, _ in pairs])
    assert a.is_disjoint(b) == (not all(meeting)) == b.is_disjoint(a)
    assert a.contains(b) == all(x | y == x for x, y in pairs)


@pytest.mark.parametrize(
    "call",
    [
        lambda: Region((15,), 3).restrict(0, [-1]),
        lambda: Region((-1,), 1),
        lambda: Region((1, 1), 1).is_disjoint(Region((1,), 1)),
    ],
)
def test_what_is_no_region_is_refused(call):
    with pytest.raises(ValueError):
        call()
