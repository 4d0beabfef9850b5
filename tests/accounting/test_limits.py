"""The ledger refuses, before anything is charged, what the checker would not read."""

import json
import sys
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu import derivation_checker as checker
from fdpedu.accounting import Budget, Ledger, check_derivation
from fdpedu.accounting.limits import counts_of, require_acceptable
from fdpedu.accounting.writing import release_step
from fdpedu.claims.accounting.composition import charge
from fdpedu.claims.strategies import heaps_of_charges, trees_of_charges
from fdpedu.domain import Categorical, Domain, Numeric
from tests.support.accounting import WARDS, from_a_stack, planted, ward


def booked_or_refused(ledger, rounds):
    """Each round is refused, and then nothing is charged; or booked, and then the checker accepts the derivation."""
    for number, charges in enumerate(rounds):
        before = ledger.derivation().content if ledger.rounds else None
        try:
            ledger.charge(charges, str(number % 2))
        except ValueError as refusal:
            assert "nothing was charged, because the derivation would be refused" in str(refusal)
            assert (ledger.derivation().content if ledger.rounds else None) == before
        else:
            assert check_derivation(ledger.derivation().to_json()).spent == ledger.spent


@contextmanager
def lowered(limit, most):
    """With a limit as low as that."""
    before = checker.MAX_COUNTS[limit]
    checker.MAX_COUNTS[limit] = most
    try:
        yield
    finally:
        checker.MAX_COUNTS[limit] = before


LOW = {"levels": 12, "comparisons": 9, "steps": 30, "names": 12, "letters": 1500, "digits": 6, "features": 3}


cases = st.one_of(trees_of_charges(), heaps_of_charges())


@settings(max_examples=60, deadline=None)
@given(cases, st.integers(1, 3), st.sampled_from(sorted(LOW)), st.integers(1, 9))
def test_what_is_booked_the_checker_accepts(case, size, limit, part):
    """With a limit so low that small ledgers meet it: booked and accepted, or refused and not charged; no third way."""
    domain, bookings = case
    charges = [charge(region, epsilon, releases=1 + i % 3) for i, (region, epsilon) in enumerate(bookings)]
    ledger = Ledger(1000, domain=domain)
    with lowered(limit, LOW[limit] * part // 9):
        booked_or_refused(ledger, [charges[i : i + size] for i in range(0, len(charges), size)])


def measured(text):
    """What is looked at before a text is parsed."""
    return len(text), sum(1 for _ in checker._ITEM.finditer(text))


def most_measured(counts):
    """The same of the largest text that holds so much: a release has fewer characters than a rule, and more items."""
    rule = len('{"rule":"sequential","rho":"","xi":"","region":{},"premises":[]},') + 2 * (2 * counts["digits"] + 1)
    feature = len(',{"name":,"codes":256}')
    characters = counts["steps"] * rule + counts["features"] * feature + counts["letters"] + 1000
    return characters, 26 * counts["steps"] + 2 * counts["names"] + 4 * counts["features"] + 50


def test_what_keeps_to_the_counts_is_never_refused_before_it_is_parsed():
    most = most_measured(checker.MAX_COUNTS)
    assert most[0] <= checker.MAX_CHARACTERS <= 1.03 * most[0] and most[1] <= checker.MAX_ITEMS <= 1.03 * most[1]


def test_the_largest_derivation_is_charged_and_accepted():
    """As many steps and letters as there may be, a total of 75 digits, and texts of brackets and quotation marks."""
    ledger, whole, cost = Ledger(1, domain=WARDS), WARDS.everything, Fraction(1, 10**5)
    ledger.charge([charge(whole, Fraction(10**70 + 1, 10**74))])
    _, letters = checker.stated_in(release_step((2, 35_996), charge(whole, cost, query="q")))
    filled = charge(whole, cost, query='[{"' * ((166 - letters) // 4))
    ledger.charge([filled] * 35_996)
    counts, text = ledger.counts, ledger.derivation().to_json()
    assert counts.steps == 35_999 and counts.letters > 0.97 * checker.MAX_COUNTS["letters"] and counts.digits == 75
    assert check_derivation(text).spent == ledger.spent == Fraction(10**70 + 1, 10**74) + 35_996 * cost
    ledger.charge([charge(whole, cost)])
    with pytest.raises(ValueError, match="it has more than 36000 steps"):
        ledger.charge([charge(whole, cost)])
    assert check_derivation(ledger.derivation().to_json()).spent == ledger.spent


@settings(max_examples=150, deadline=None)
@given(cases, st.integers(1, 3))
def test_ledger_and_checker_count_the_same(case, books):
    """Each limit may be what the ledger has counted; one less, and both refuse."""
    domain, bookings = case
    ledger = Ledger(1000, domain=domain)
    for i, (region, epsilon) in enumerate(bookings):
        query = ["a count", 'a "count"', "{[ ]}", "ε"][i % 4]
        one = charge(region, epsilon, i, releases=10**i, query=query)
        parameters = (("model", '{"a"}[ε'), ("feature", -(10**18)))[: i % 3]
        ledger.charge([replace(one, type="some-counts", parameters=parameters)], str(i % books))
    text, counts = ledger.derivation().to_json(), ledger.counts
    assert measured(text)[0] < most_measured(vars(counts))[0] and measured(text)[1] < most_measured(vars(counts))[1]
    for limit in checker.MAX_COUNTS:
        with lowered(limit, most := getattr(counts, limit)):
            assert check_derivation(text).spent == ledger.spent
            require_acceptable(ledger._region_trees, domain, ledger.total)
        with lowered(limit, most - 1):
            with pytest.raises(ValueError, match=f"{most - 1} (features|{limit})"):
                check_derivation(text)
            with pytest.raises(ValueError, match=f"nothing was charged, .* more than {most - 1} {limit}"):
                require_acceptable(ledger._region_trees, domain, ledger.total)


def test_the_comparisons_of_all_books_count(monkeypatch):
    """Three disjoint regions a book take 3 comparisons: three books are booked, and with the fourth it would be 12."""
    monkeypatch.setitem(checker.MAX_COUNTS, "comparisons", 9)
    ledger = Ledger(1000, domain=WARDS)
    regions = [ward(code) for code in range(3)]
    for book in "abc":
        ledger.charge([charge(region, Fraction(1)) for region in regions], book)
    with pytest.raises(ValueError, match="nothing was charged"):
        ledger.charge([charge(region, Fraction(1)) for region in regions], "d")
    assert ledger.rounds == 3 and check_derivation(ledger.derivation().to_json()).spent == 3


def test_deep_regions_are_charged_or_refused_and_never_a_crash():
    """390 regions in one another, from an ordinary stack and from one that is nearly full."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 200, bins=200) for j in range(2)], (0, 1))
    regions = [domain.everything]
    for level in range(389):
        regions.append(regions[-1].restrict(level // 199, range(199 - level % 199)))
    ledger = Ledger(1000, domain=domain)
    with pytest.raises(ValueError, match="more than 200 levels"):
        ledger.charge([charge(region, 1) for region in regions])
    assert ledger.rounds == 0
    ledger.charge([charge(region, 1) for region in regions[:150]])
    assert ledger.spent == 150 and ledger.remaining(regions[149]) == 850 and ledger.spent_on(regions[7]) == 150
    assert check_derivation(ledger.derivation().to_json()).spent == 150
    from_a_stack(sys.getrecursionlimit() - 100, lambda: ledger.charge([charge(regions[150], 1)]))
    assert ledger.spent == 151 == check_derivation(ledger.derivation().to_json()).spent


def test_no_charge_meets_no_limit():
    require_acceptable([], None, Budget.of(1))
    assert counts_of([], None, Budget.of(1)) == checker.Inventory(steps=1, digits=1)


def test_no_total_has_more_than_75_digits():
    """Above and below: a common denominator of all costs, and the budget as so many parts of it."""
    first, second = Fraction(1, 2**120), Fraction(1, 5**100)  # over 10^100·2^20, of 107 digits
    for budget, costs, digits in (
        (1, [first], 37),
        (1, [second], 70),
        (1, [Fraction(1, 10**74)], 75),
        (9, [Fraction(1, 10**74)], 75),
        (10, [Fraction(1, 10**74)], 76),
        (Fraction(1, 3), [Fraction(1, 10**74)], 75),
        (Fraction(1, 11), [Fraction(1, 10**74)], 76),
        (1, [first, second], 107),
    ):
        ledger = Ledger(budget, domain=WARDS)
        if digits <= 75:
            ledger.charge([charge(ward(0), cost) for cost in costs])
            assert ledger.counts.digits == digits and ledger.derivation().guarantee.spent == sum(costs)
            continue
        with pytest.raises(ValueError, match=r"nothing was charged, .* it has more than 75 digits"):
            ledger.charge([charge(ward(0), cost) for cost in costs])
        assert ledger.spent == 0


def test_the_names_of_features_count():
    """A domain is named only if a derivation can name its features."""
    with pytest.raises(ValueError, match="it has more than 6000000 letters"):
        Ledger(1, domain=Domain([Categorical("x" * 6_000_000, (0, 1))], (0, 1)))
    nine = Domain([Categorical(f'"{j}', (0, 1)) for j in range(9)], (0, 1))
    assert Ledger(1, domain=nine).counts.letters == 9 * len('"\\"0"') + 8


def test_without_a_domain_no_less_is_counted():
    """Every coordinate counts as named then, as it cannot be known which codes there are."""
    bound, free = Ledger(1, domain=WARDS), Ledger(1)
    for ledger in (bound, free):
        ledger.charge([charge(ward(0), "1/2"), charge(ward(1, 2), "1/2")])
    assert bound.counts.names == 2 < free.counts.names == 4 and bound.counts.letters < free.counts.letters
    free.bind(WARDS)
    assert free.counts == bound.counts


def nested(levels):
    grid = Domain([Numeric.grid("x", 0, 250, bins=250)], (0, 1))
    return grid, planted(
        [(grid.everything.restrict(0, range(250 - level)), Fraction(1, 999)) for level in range(levels)]
    )


@pytest.mark.parametrize("known", [True, False])
def test_regions_are_nested_in_two_hundred_levels_and_no_more(known):
    grid, tree = nested(201)
    with pytest.raises(ValueError) as caught:
        require_acceptable([tree], grid if known else None, Budget.of(1))
    assert str(caught.value).startswith(
        "nothing was charged, because the derivation would be refused: it has more than 200 levels. Charge fewer"
    )
    grid, tree = nested(200)
    ledger = Ledger(1, domain=grid)
    ledger.charge([each for booked in tree.charges.values() for _, each in booked])
    assert json.loads(ledger.derivation().to_json())["budget"] == "1" and ledger.derivation().guarantee.value == 1
