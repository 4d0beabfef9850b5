"""A record lies at one party, and the ledger knows it: choices of different parties stand beside one another."""

import itertools
import json
import multiprocessing
import shutil
import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu import derivation_checker as checker
from fdpedu.accounting import BudgetExceeded, Derivation, Ledger, check_derivation
from fdpedu.accounting.limits import counts_of, needs_of, needs_of_full_tree
from fdpedu.accounting.writing import stated_domain
from fdpedu.claims.accounting.composition import charge
from fdpedu.claims.strategies import domains, epsilons, regions
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.domain import Categorical, Domain, Numeric
from tests.support.accounting import WARDS, validate, ward
from tests.support.budget_files import sql

STORED = Path(__file__).parent / "data" / "budget-1.db"  # written by a program of version 1
PLACES = [0, 1, 2, 255]
parties = st.one_of(st.none(), st.sets(st.sampled_from(PLACES), min_size=1))
WIDE = Domain([Numeric.grid("age", 0, 16, bins=16), Categorical("party", tuple(range(8)))], ("well", "ill"))
MONDAY, TUESDAY = "0" * 64, "1" * 64  # names of sessions


def most_paid(domain, bookings):
    """The most that one record pays, by looking at every record and its party's positions in two sessions."""
    points = list(itertools.product(*(range(f.n_codes) for f in domain.features), range(domain.n_classes)))
    return max(
        sum((epsilon for region, epsilon in bookings if holds(region, point, place)), Fraction(0))
        for point in points
        for place in itertools.product([*PLACES, 7], repeat=2)
    )


def holds(region, point, place):
    inside = all(code in region.codes(j) for j, code in enumerate(point[:-1]))
    at = place[region.session == TUESDAY]
    return inside and point[-1] in region.class_codes and at in region.party_indexes


@st.composite
def placed_heaps(draw):
    """A domain and costs on regions that overlap as they like, of some parties in one of two sessions or of all."""
    domain, bookings = draw(domains(most_features=2, most_codes=3, most_classes=2)), []
    for _ in range(draw(st.integers(1, 6))):
        region, some = draw(regions(domain)), draw(parties)
        session = draw(st.sampled_from([MONDAY, TUESDAY]))
        bookings.append((region if some is None else region.of_party(some, session), draw(epsilons)))
    return domain, bookings


@settings(max_examples=150, deadline=None)
@given(placed_heaps(), st.integers(1, 2))
def test_no_record_pays_more_than_the_ledger_books(case, books):
    """Whatever the regions: ledger, odometer and checker say the same, count the same, and never too little."""
    domain, bookings = case
    ledger = Ledger(1000, domain=domain)
    for i, (region, epsilon) in enumerate(bookings):
        ledger.charge([charge(region, epsilon)], str(i % books))
    derivation = ledger.derivation()
    text = derivation.to_json()
    assert most_paid(domain, bookings) <= max(ledger.odometer().values()) <= ledger.spent
    assert ledger.spent == check_derivation(text).spent
    assert sorted(map(repr, (region for region, _ in derivation.releases()))) == sorted(repr(r) for r, _ in bookings)
    some = any(not region.of_all_parties for region, _ in bookings)
    assert json.loads(text)["domain"] == stated_domain(domain) and ("party " in text) == some
    assert ledger.counts == counts_of(ledger._region_trees, domain, ledger.total)
    validate("derivation", text)
    for own in (domain, None):
        read = Derivation.from_json(text, own)
        assert read.to_json() == text and read.is_of(domain) and read.spent == ledger.spent
        assert (("party " in read.render()), "at one party" in read.render()) == (some, some)


@settings(max_examples=60, deadline=None)
@given(placed_heaps())
def test_one_account_of_nested_or_disjoint_regions_is_exact(case):
    """Where the regions fit into one tree, the ledger's number is what some record pays."""
    domain, bookings = case
    ledger = Ledger(1000, domain=domain)
    for region, epsilon in bookings:
        ledger.charge([charge(region, epsilon)])
    if len(ledger._region_trees) == 1:
        ends = {place for region, _ in bookings for place in region.party_indexes}
        assert ends <= set(range(256)) and ledger.spent == most_paid(domain, bookings)


@st.composite
def rotations(draw):
    """The order of K parties, a depth, a leaf share, a cost, and how each node is divided; now and then not at all."""
    k = draw(st.integers(1, 6))
    order = draw(st.permutations(draw(st.lists(st.integers(0, 255), min_size=k, max_size=k, unique=True))))
    depth, share = draw(st.integers(0, 5)), Fraction(draw(st.integers(1, 9)), 10)
    return order, depth, share, draw(epsilons), draw(st.randoms(use_true_random=False))


def grown(ledger, case, account=""):
    """Charge a rotating tree: per level the choices of one party, then all leaf counts."""
    order, depth, share, epsilon, coins = case
    designers = [order[level % len(order)] for level in range(depth)]
    level, leaves = [WIDE.everything], []
    for designer in designers:
        own = (1 - share) * epsilon / designers.count(designer)
        opened = [region for i, region in enumerate(level) if i == 0 or coins.random() < 0.8]
        leaves += [region for region in level if region not in opened]
        ledger.charge([charge(region.of_party({designer}, MONDAY), own) for region in opened], account)
        level = [side for region in opened for side in divided(region, coins)]
    leaves += level
    ledger.charge([charge(region, share * epsilon if depth else epsilon) for region in leaves], account)
    return leaves


def divided(region, coins):
    """Both sides of a random split."""
    j = coins.choice([j for j in range(WIDE.n_features) if len(region.codes(j)) > 1])
    codes = sorted(region.codes(j))
    cut = coins.randint(1, len(codes) - 1) if j else len(codes) // 2
    return region.restrict(j, codes[:cut]), region.restrict(j, codes[cut:])


@settings(max_examples=80, deadline=None)
@given(rotations())
def test_a_rotating_tree_costs_exactly_its_budget(case):
    """Whatever the number of parties, their order and the depth; one of the features is called party."""
    epsilon, ledger = case[3], Ledger(1, domain=WIDE)
    grown(ledger, case)
    assert ledger.spent == epsilon and ledger.remaining() == 1 - epsilon
    derivation = ledger.derivation()
    guarantee = check_derivation(derivation.to_json())
    assert guarantee.spent == epsilon and guarantee.value == 1
    assert derivation.is_of(WIDE) and Derivation.from_json(derivation.to_json()).is_of(WIDE)
    assert ledger.counts == counts_of(ledger._region_trees, WIDE, ledger.total)
    assert (f"party {MONDAY}" in derivation.to_json()) == (case[1] > 0)


@settings(max_examples=80, deadline=None)
@given(rotations())
def test_what_a_full_tree_needs_is_known_beforehand(case):
    """The counts of a whole tree are within the bounds that a design asks for before anything is charged."""
    ledger = Ledger(1, domain=WIDE)
    before = ledger.counts
    leaves = grown(ledger, case)
    depth = case[1]
    regions = needs_of_full_tree(WIDE, depth)
    needs = needs_of([charge(leaves[0], Fraction(1, 3))], 2 ** (depth + 1)) + regions
    for name in ("names", "comparisons"):
        assert getattr(ledger.counts, name) - getattr(before, name) <= regions[name]
    whole = sum(checker.letters(region.to_json(WIDE.everything)) for region, _ in ledger.derivation().releases())
    assert whole <= regions["letters"] and ledger.counts.letters - before.letters <= needs["letters"]


@settings(max_examples=30, deadline=None)
@given(st.lists(rotations(), min_size=2, max_size=3))
def test_trees_in_different_accounts_add_up(cases):
    """Positions are those of one tree's list, so nothing is said of two lists: the costs of two trees are added."""
    ledger = Ledger(3, domain=WIDE)
    for number, case in enumerate(cases):
        grown(ledger, case, f"tree {number}")
    assert ledger.spent == check_derivation(ledger.derivation().to_json()).spent == sum(case[3] for case in cases)


def test_a_party_that_asks_twice_of_one_record_is_charged_twice():
    """Hostile rounds on one ledger: one party for all levels, a level twice, cells that overlap."""
    ledger, whole = Ledger(1, domain=WARDS), WARDS.everything
    ledger.charge([charge(whole.of_party({k}, MONDAY), "2/5") for k in range(256)])
    assert ledger.spent == Fraction(2, 5)
    ledger.charge([charge(ward(0, 1).of_party({3}, MONDAY), "2/5")])
    assert ledger.spent == Fraction(4, 5) and ledger.remaining(whole.of_party({4}, MONDAY)) == Fraction(3, 5)
    both = ward(0).of_party({2, 3}, MONDAY)
    for again in (whole.of_party({3}, MONDAY), ward(1, 2).of_party({3}, MONDAY), both, ward(0)):
        with pytest.raises(BudgetExceeded):
            ledger.charge([charge(again, "2/5")])
    others = whole.of_party({4}, MONDAY), ward(2).of_party({3}, MONDAY)
    assert {ledger.spent_on(region) for region in others} == {Fraction(2, 5)}


def test_without_parties_nothing_is_written_otherwise():
    ledger = Ledger(1, domain=WARDS)
    ledger.charge([charge(ward(0), "1/2"), charge(ward(1), "1/3")])
    before = ledger.derivation().to_json()
    assert "party" not in before and ledger.counts.features == 1 and ledger.counts.letters < 2 * len(before)
    ledger.charge([charge(ward(2).of_party([9], MONDAY), "1/4")])
    after = ledger.derivation()
    assert after.content["domain"]["features"] == [{"name": "ward", "codes": 4}]
    assert (
        f'"region":{{"0":[2],"party {MONDAY}":[9]}}' in after.to_json() and "on ward in {C}, party 10" in after.render()
    )
    assert "party 10" in after._repr_html_() and "party 10" in after.draw()


def test_positions_of_two_sessions_add_up_in_one_account():
    """By construction: whatever the account is called, in memory and in a file that is opened again."""
    ledger = Ledger(2, domain=WARDS)
    ledger.charge([charge(WARDS.everything.of_party({0}, MONDAY), 1)])
    ledger.charge([charge(WARDS.everything.of_party({1}, TUESDAY), "1/2")])
    assert ledger.spent == Fraction(3, 2) == check_derivation(ledger.derivation().to_json()).spent
    assert ledger.remaining(WARDS.everything.of_party({1}, MONDAY)) == Fraction(3, 2)
    with pytest.raises(BudgetExceeded):
        ledger.charge([charge(WARDS.everything.of_party({1}, TUESDAY), 1)])


def test_a_region_of_no_session_is_refused_by_the_checker():
    """As fdpedu 0.1.0 wrote it, with the coordinate as a feature; and with a session that is none."""
    ledger = Ledger(1, domain=WARDS)
    ledger.charge([charge(ward(2).of_party([9], MONDAY), "1/4"), charge(ward(2).of_party([10], MONDAY), "1/4")])
    text = ledger.derivation().to_json()
    assert Derivation.from_json(text, WARDS).spent == Fraction(1, 4)
    with pytest.raises(DerivationRefused, match=r"no session.* fdpedu 0\.1\.0"):
        check_derivation(text.replace('"codes":4}', '"codes":4},{"name":"party","codes":256,"coordinate":"party"}'))
    for other in (MONDAY[1:], MONDAY + "0", "", MONDAY[1:] + "A"):
        with pytest.raises(DerivationRefused, match="unknown coordinate 'party"):
            check_derivation(text.replace(MONDAY, other))
    with pytest.raises(DerivationRefused, match="parallel premises 0 and 1"):
        check_derivation(text.replace(f'{MONDAY}":[10]', f'{TUESDAY}":[10]'))
    with pytest.raises(DerivationRefused, match="parallel premises 0 and 1"):
        check_derivation(text.replace('":[10]', '":[9]').replace('":[9]', '":[9,11]'))


def test_a_region_of_another_number_of_features_is_no_region_of_some_parties():
    ledger = Ledger(1, domain=WARDS)
    with pytest.raises(ValueError, match="must lie in the ledger's domain"):
        ledger.charge([charge(WIDE.everything.of_party({0}, MONDAY), 1)])


def _charge_in_another_process(path):
    ledger = Ledger.open(path)
    ledger.charge([charge(ward(1).of_party({2, 255}, MONDAY), "1/4")])


@settings(max_examples=25, deadline=None)
@given(case=placed_heaps())
def test_a_budget_file_keeps_the_parties_of_its_regions(case, tmp_path_factory):
    domain, bookings = case
    path = tmp_path_factory.mktemp("budget") / "b.db"
    with Ledger.open(path, 1000, domain=domain) as ledger:
        for region, epsilon in bookings:
            ledger.charge([charge(region, epsilon)])
        written = ledger.derivation().to_json()
    with Ledger.open(path) as again, closing(sqlite3.connect(path)) as connection:
        assert again.derivation().to_json() == written and list(again.odometer()) == list(
            ledger_order(bookings, domain)
        )
        rows = connection.execute("SELECT region FROM charge ORDER BY round, place").fetchall()
    masks = [(*r.features, r.classes) for r, _ in bookings]
    for (text,), (region, _), own in zip(rows, bookings, masks, strict=True):
        of_parties = (
            "" if region.of_all_parties else f" @{sum(1 << k for k in region.party_indexes):x} {region.session}"
        )
        assert text == " ".join(f"{mask:x}" for mask in own) + of_parties


def ledger_order(bookings, domain):
    """The regions as a ledger in memory lists them."""
    ledger = Ledger(1000, domain=domain)
    for region, epsilon in bookings:
        ledger.charge([charge(region, epsilon)])
    return ledger.odometer()


def test_two_processes_share_regions_of_some_parties(tmp_path):
    path = tmp_path / "b.db"
    ledger = Ledger.open(path, 1, domain=WARDS)
    some = [WARDS.everything.of_party(indexes, MONDAY) for indexes in ({2}, {0, 1})]
    ledger.charge([charge(region, cost) for region, cost in zip(some, ("1/2", "3/4"), strict=True)])
    child = multiprocessing.get_context("spawn").Process(target=_charge_in_another_process, args=(path,))
    child.start()
    child.join()
    assert child.exitcode == 0 and ledger.rounds == 2 and ledger.spent == Fraction(3, 4) + Fraction(1, 4)
    assert [*ledger.odometer()][-1] == ward(1).of_party({2, 255}, MONDAY)


@pytest.mark.parametrize(
    "parties",
    [
        *("@", f"@0 {MONDAY}", f"@-1 {MONDAY}", f"@x {MONDAY}", f"@{1 << 256:x} {MONDAY}", f"@1 {MONDAY} @2 {MONDAY}"),
        *("1 @1", "@1", "@1 1", f"@1 {MONDAY[1:]}g", f"@1 {MONDAY} "),
    ],
)
def test_a_file_whose_parties_are_none_is_refused(tmp_path, parties):
    path = tmp_path / "b.db"
    ledger = Ledger.open(path, 1, domain=WARDS)
    ledger.charge([charge(ward(1).of_party({2}, MONDAY), "1/2")])
    sql(path, f"UPDATE charge SET region = '2 3 {parties}'")
    with pytest.raises(ValueError, match="damaged"):
        Ledger.open(path)


def test_a_file_of_a_program_that_knew_no_parties_means_all_of_them(tmp_path):
    """Its regions are of all parties, and a region of some parties is charged beside them."""
    path = shutil.copyfile(STORED, tmp_path / "b.db")
    with Ledger.open(path) as ledger:
        before, regions = ledger.spent, list(ledger.odometer())
        assert all(region.of_all_parties for region in regions) and "coordinate" not in ledger.derivation().to_json()
        some = ledger.domain.everything.of_party({4}, MONDAY)
        ledger.charge([charge(some, "1/48")], "a rotating tree")
    with Ledger.open(path) as again:
        assert list(again.odometer()) == [*regions, some] and again.spent == before + Fraction(1, 48)
        assert check_derivation(again.derivation().to_json()).spent == again.spent
