"""What a closed set admits is of its types, exactly: subclasses and look-alikes are refused before anything happens.

A subclass could state one region, cost, sensitivity or code when it is checked, and another when it is used.
"""

from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Charge, Ledger
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.exact import Rate
from fdpedu.federation import ClassCounts, ClassHistogram, Federation, NodeBounds, NodeHistograms, Party
from fdpedu.histograms import private_histogram
from fdpedu.randomness import Rehearsal, SeededSource, SystemSource
from fdpedu.sampling import geometric, negative_binomial, two_sided_geometric

AGE, WARD = Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))
DOMAIN = Domain([AGE, WARD], ("well", "ill"))
ONE = Fraction(1)


class Counting(Rehearsal):
    """A seeded source that counts what was drawn."""

    drawn = 0

    def words(self, size):
        self.drawn += size
        return super().words(size)


def counted(region):
    return Charge(region, ONE, "a count", "m", 1, "thm-histogram")


def subclass(thing):
    """The same content in a subclass that adds nothing."""
    mine = object.__new__(type("Mine", (type(thing),), {}))
    for name, value in getattr(thing, "__dict__", {}).items():
        object.__setattr__(mine, name, value)
    return mine


class LookAlike:
    """Has whatever the thing has, under the same names, and its type's name."""

    def __init__(self, thing):
        object.__setattr__(self, "_thing", thing)

    def __getattr__(self, name):
        return getattr(self._thing, name)

    def __iter__(self):
        return iter(self._thing)

    def __eq__(self, other):
        return self._thing == other

    def __hash__(self):
        return hash(self._thing)

    def __len__(self):
        return len(self._thing)


def federation(parties=None, domain=DOMAIN, ledger=None, rng=None):
    parties = [Party([[30, "A", "ill"]], DOMAIN), Party([], DOMAIN)] if parties is None else parties
    return Federation(
        parties, domain, Ledger(9) if ledger is None else ledger, rng=Rehearsal(1) if rng is None else rng
    )


def released(query):
    """A round with this query, as well as a good one; nothing of it may be charged, sent or drawn."""
    source = Counting(3)
    f = federation(rng=source)
    sent = len(f.transport.manifest)
    try:
        f.release([ClassCounts(DOMAIN.everything, ONE), query])
    finally:
        assert f.ledger.spent == f.rounds == source.drawn == 0 and len(f.transport.manifest) == sent


def charged(charge):
    ledger = Ledger(9, domain=DOMAIN)
    try:
        ledger.charge([counted(DOMAIN.everything), charge])
    finally:
        assert ledger.spent == ledger.rounds == 0


def asked_again(query):
    """A query whose region is exchanged after it was made: what is asked is checked when it is charged, too."""

    def with_region(region):
        object.__setattr__(query, "region", region)
        released(query)

    return with_region


EVERYTHING, RATE = DOMAIN.everything, Rate.of(epsilon="1/2")
PARTY = Party([[30, "A", "ill"]], DOMAIN)
CASES = {
    "charge": (charged, counted(EVERYTHING)),
    "class counts": (released, ClassCounts(EVERYTHING, ONE)),
    "class histogram": (released, ClassHistogram(EVERYTHING, ONE, 1)),
    "node histograms": (released, NodeHistograms(EVERYTHING, ONE)),
    "node bounds": (released, NodeBounds(EVERYTHING, ONE, 4)),
    "region of a charge": (counted, EVERYTHING),
    "region of class counts": (lambda region: ClassCounts(region, ONE), EVERYTHING),
    "region of a class histogram": (lambda region: ClassHistogram(region, ONE, 0), EVERYTHING),
    "region of node histograms": (lambda region: NodeHistograms(region, ONE), EVERYTHING),
    "region of node bounds": (lambda region: NodeBounds(region, ONE, 4), EVERYTHING),
    "region of a private histogram": (lambda region: private_histogram(federation(), "age", 1, region), EVERYTHING),
    "region exchanged later": (asked_again(ClassCounts(EVERYTHING, ONE)), EVERYTHING),
    "region of what remains": (lambda region: Ledger(1, domain=DOMAIN).remaining(region), EVERYTHING),
    "region of what is spent": (lambda region: Ledger(1, domain=DOMAIN).spent_on(region), EVERYTHING),
    "domain of a ledger": (lambda domain: Ledger(1, domain=domain), DOMAIN),
    "domain of a ledger, later": (lambda domain: Ledger(1).bind(domain), DOMAIN),
    "domain of a party": (lambda domain: Party([], domain), DOMAIN),
    "domain of a federation": (lambda domain: federation(domain=domain), DOMAIN),
    "party": (lambda party: federation([Party([], DOMAIN), party]), PARTY),
    "ledger": (lambda ledger: federation(ledger=ledger), Ledger(1)),
    "numeric feature": (lambda feature: Domain([WARD, feature], (0, 1)), AGE),
    "categorical feature": (lambda feature: Domain([feature, AGE], (0, 1)), WARD),
    "system source": (lambda source: federation(rng=source), SystemSource()),
    "rate of geometric numbers": (lambda rate: geometric(rate, 3, Rehearsal(1)), RATE),
    "rate of two-sided numbers": (lambda rate: two_sided_geometric(rate, 3, Rehearsal(1)), RATE),
    "rate of a share": (lambda rate: negative_binomial(rate, 3, 3, Rehearsal(1)), RATE),
    "rate of all the noise": (lambda rate: negative_binomial(rate, 1, 3, Rehearsal(1)), RATE),
}


@pytest.mark.parametrize("disguise", [subclass, LookAlike])
@pytest.mark.parametrize("case", sorted(CASES))
def test_of_its_type_and_of_no_other(case, disguise):
    """The thing itself is admitted, which its disguise is not; the refusal says so."""
    call, thing = CASES[case]
    with pytest.raises(ValueError):
        call(disguise(thing))


@pytest.mark.parametrize("lattice", [True, 4.0, "4", None, 0, -1, 2**16 + 1, np.int64(4), type("Mine", (int,), {})(4)])
def test_a_lattice_exchanged_later_is_refused(lattice):
    """Before anything is charged; what only equals an integer is none."""
    query = NodeBounds(EVERYTHING, ONE, 4)
    object.__setattr__(query, "lattice", lattice)
    with pytest.raises(ValueError, match="lattice"):
        released(query)


@pytest.mark.parametrize("disguise", [subclass, LookAlike])
@pytest.mark.parametrize("case", [case for case in sorted(CASES) if case.startswith("rate")])
def test_what_is_kept_for_a_rate_is_not_given_to_its_disguise(case, disguise):
    """A table that was made before would be found for whatever equals its rate."""
    call, thing = CASES[case]
    call(thing)
    with pytest.raises(ValueError):
        call(disguise(thing))


@pytest.mark.parametrize("case", [case for case in sorted(CASES) if CASES[case][0] not in (charged, released)])
def test_the_thing_itself_is_admitted(case):
    call, thing = CASES[case]
    if case != "region exchanged later":
        call(thing)


@pytest.mark.parametrize(
    "parts",
    [([1, 1], 1), ((1, np.int64(1)), 1), ((1, True), 1), ((1, 1), 1.0), ((1.0, 1), 1), ((), 0), ((0, 1), 1), "ab"],
)
def test_a_region_holds_a_tuple_of_integers(parts):
    """A list could be changed after it was charged; what only equals an integer is none."""
    with pytest.raises(ValueError, match="region"):
        Region(*parts)


@pytest.mark.parametrize("code", [0.5, -1, 256, np.float64(1.5)])
def test_codes_are_integers(code):
    with pytest.raises(ValueError, match="codes"):
        DOMAIN.everything.restrict(0, [code])


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"rate": ONE, "alpha": ONE / 2},
        {"rate": 1},
        {"rate": 0.5},
        {"rate": Fraction(0)},
        {"rate": -ONE},
        {"alpha": ONE},
        {"alpha": 2 * ONE},
        {"alpha": 0.5},
    ],
)
def test_a_rate_is_one_fraction(given):
    with pytest.raises(ValueError, match=r"alpha|rate"):
        Rate(**given)


@pytest.mark.parametrize("randomness", ["", None, 3, ["operating system"]])
def test_the_kind_of_randomness_is_text(randomness):
    with pytest.raises(ValueError, match="randomness"):
        Charge(EVERYTHING, ONE, "a count", "m", 1, "thm-histogram", randomness=randomness)


def test_a_seeded_source_may_be_anybody_s():
    """It promises nothing, so its kinds are open; the derivation says that the noise was seeded."""
    mine = type("Mine", (SeededSource,), {})(np.random.default_rng(1))
    f = federation(rng=mine)
    f.release([ClassCounts(EVERYTHING, ONE)])
    assert f.ledger.derivation().content["randomness"] == ["seeded generator"]
