"""The ledger against a brute-force reading of the filter lemma, and derivations against the independent checker."""

import itertools
import json
import threading
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import domains, regions

from fdpedu.accounting import BudgetExceeded, Charge, Ledger, check_derivation, split_budget
from fdpedu.domain import Categorical, Domain

epsilons = st.fractions(Fraction(1, 12), 1, max_denominator=12)


def charge(region, epsilon, colluders=1):
    return Charge(region, epsilon, "a count", "discrete Laplace in Pólya shares", 1, "thm-histogram", colluders)


def paid(domain, charges):
    """The most that one record pays, by looking at every record of the domain."""
    points = list(itertools.product(*(range(f.n_codes) for f in domain.features), range(domain.n_classes)))
    codes, labels = (
        np.array([p[:-1] for p in points], dtype=np.uint8),
        np.array([p[-1] for p in points], dtype=np.uint8),
    )
    inside = [c.region.holds(codes, labels, domain.everything) for c in charges]
    return max(
        (
            sum((c.epsilon for c, held in zip(charges, inside, strict=True) if held[i]), Fraction(0))
            for i in range(len(points))
        ),
        default=Fraction(0),
    )


@st.composite
def nested(draw, domain, region, levels=3):
    """Charges on a region, then on the two sides of a random split of it, and so on: what a tree does."""
    charges = [charge(region, draw(epsilons)) for _ in range(draw(st.integers(0, 2)))]
    wide = [j for j in range(domain.n_features) if len(region.codes(j)) > 1]
    if levels and wide and draw(st.booleans()):
        j = draw(st.sampled_from(wide))
        codes = sorted(region.codes(j))
        cut = draw(st.integers(1, len(codes) - 1))
        for side in (codes[:cut], codes[cut:]):
            charges += draw(nested(domain, region.restrict(j, side), levels - 1))
    return charges


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_nested_charges_cost_exactly_what_the_worst_record_pays(data):
    """In any order of booking, and the derivation's checker arrives at the same total."""
    domain = data.draw(domains(most_features=2, most_codes=4, most_classes=2))
    charges = data.draw(nested(domain, domain.everything).filter(len).flatmap(st.permutations))
    ledger = Ledger(1000, domain=domain)
    for one in charges:
        ledger.charge([one])
    assert ledger.spent == paid(domain, charges) == ledger.derivation().guarantee.value
    for one in charges:
        inside = [c for c in charges if not c.region.is_disjoint(one.region)]
        assert ledger.remaining(one.region) == 1000 - paid(domain, inside)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_overlapping_charges_are_never_understated(data):
    """Regions that overlap without nesting may cost more than the worst record pays, never less, and never more than
    all of it.
    """
    domain = data.draw(domains(most_features=2, most_codes=3, most_classes=2))
    charges = [charge(data.draw(regions(domain)), data.draw(epsilons)) for _ in range(data.draw(st.integers(1, 5)))]
    ledger = Ledger(1000, domain=domain)
    ledger.charge(charges)
    assert paid(domain, charges) <= ledger.spent <= sum(c.epsilon for c in charges)
    assert ledger.derivation().guarantee.value == ledger.spent


WARDS = Domain([Categorical("ward", tuple("ABCD"))], (0, 1))


def ward(*codes):
    return WARDS.everything.restrict(0, codes)


def test_a_refused_round_changes_nothing():
    ledger = Ledger(1, domain=WARDS)
    ledger.charge([charge(ward(0, 1), "1/2")])
    before = ledger.derivation().to_json()
    with pytest.raises(BudgetExceeded, match=r"3/2, more than the budget 1; nothing was charged"):
        ledger.charge([charge(ward(2), "1/4"), charge(ward(0), "1/2"), charge(ward(0), "1/2")])
    assert ledger.derivation().to_json() == before and ledger.remaining(ward(2)) == 1


def test_no_float_decides():
    """Ten charges of 0.1 fill a budget of 1 exactly; an eleventh of 10⁻³⁰⁰ is refused."""
    ledger = Ledger(1, domain=WARDS)
    for _ in range(10):
        ledger.charge([charge(ward(0), 0.1)])
    assert ledger.spent == 1 and ledger.remaining() == 0
    with pytest.raises(BudgetExceeded):
        ledger.charge([charge(ward(0), "1/1" + "0" * 300)])


def test_threads_neither_lose_nor_double_a_charge():
    """Of 40 threads that each want 1/30, exactly 30 succeed."""
    ledger, refused, start = Ledger(1, domain=WARDS), [], threading.Barrier(40)

    def spend():
        start.wait()
        try:
            ledger.charge([charge(ward(0, 3), "1/30")])
        except BudgetExceeded:
            refused.append(1)

    threads = [threading.Thread(target=spend) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 10 and ledger.spent == 1


def test_the_weakest_release_decides_the_colluders():
    ledger = Ledger(1, domain=WARDS)
    ledger.charge([charge(ward(0), "1/4", colluders=3), charge(ward(1), "1/4", colluders=2)])
    assert ledger.derivation().guarantee == ("pure", Fraction(1, 4), 0, 2)


@pytest.mark.parametrize(
    "call",
    [
        lambda: Ledger(0),
        lambda: Ledger(-1),
        lambda: Ledger("much"),
        lambda: Ledger(1, measure="rdp"),
        lambda: Ledger(1, relation="substitution"),
        lambda: Ledger(1).charge([]),
        lambda: Ledger(1).charge([1]),
        lambda: Ledger(1).derivation(),
        lambda: Ledger(1, domain=WARDS).derivation(),
        lambda: charge(ward(0), 0),
        lambda: split_budget(1, 1),
        lambda: split_budget(1, 0),
        lambda: Ledger(1, domain=WARDS).bind(Domain([Categorical("x", (1, 2))], (0, 1))),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(ValueError):
        call()


def test_rendering_shows_every_rule():
    ledger = Ledger(1, domain=WARDS)
    ledger.charge([charge(ward(0, 1, 2, 3), "1/2")])
    ledger.charge([charge(ward(0), "1/4"), charge(ward(1, 2), "1/3")])
    assert ledger.derivation().render().splitlines() == [
        "5/6        for regions and budgets chosen from earlier releases (filter lemma)",
        "  5/6      = 1/2 + 1/3 in sequence, on all records",
        "    1/2    a count, round 1",
        "    1/3    = max(1/4, 1/3), on disjoint parts",
        "      1/4  a count, round 2, on ward in {A}",
        "      1/3  a count, round 2, on ward in {B, C}",
    ]
    page = ledger.derivation()._repr_html_()
    assert page.count("<ul ") == page.count("</ul>") == 4 and page.count("<li>") == page.count("</li>") == 6
    json.loads(ledger.derivation().to_json())
    assert check_derivation(ledger.derivation().to_json(indent=2)).value == Fraction(5, 6)
