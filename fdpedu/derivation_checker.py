"""An independent checker of privacy derivations. It imports nothing of the package, so that one can read it alone.

``check_derivation(text)`` takes the JSON text of a derivation and either returns the guarantee that it proves or raises
:class:`DerivationRefused`, naming the step and the rule that failed. All arithmetic is on fractions. A derivation is a
tree; its leaves are releases, and its inner nodes are rules:

============ ===================================================================== =========================
rule         it must hold that                                                     cost of the step
============ ===================================================================== =========================
release      ε = releases × sensitivity × rate, or 2ρ × (variance − 1) ≥           as stated
             l2_squared; they are those of its type; it stands once
sequential   every premise's region lies in the region of the step                 the sum of the premises
parallel     the same, and the premises' regions are pairwise disjoint             the largest premise
adaptive     at the root, one premise: regions and costs may be chosen on the way  the budget, not less
============ ===================================================================== =========================

**Measures.** A derivation has one. In the measure *pure* a cost is ε. In the measure *gaussian* it is a pair (ρ, ξ):
for every two neighbours both outputs can be drawn, up to factors e^{±ξ} in their probabilities, by one kernel from one
number, which comes from N(0, 2ρ) for the one and from N(2ρ, 2ρ) for the other. Sums and maxima are taken part by part.
A budget of (ρ, ξ) may be converted, at the root and once: with δ_G the exact δ of these two normal laws,

    δ_G(ε − 2ξ) ≤ (1 − ξ)·δ        implies        (ε, δ).

It is a difference of two tails of N(0, 1), each a density times Mills' ratio 1/(z + 1/(z + 2/(z + …))). Truncations of
this fraction lie above and below it in turn. What is irrational is rounded outwards (:mod:`decimal`, 60 digits), so
that no error can accept. Older texts have the measure *concentrated*: at every whole order λ ≥ 2 the Rényi divergence
is at most λ·ρ + ξ, a release has 2ρ × variance ≥ l2_squared, and the conversion is at one stated order.

**Types.** By how much a record moves an answer follows from the type of the query, its parameters and the domain
(``_moved_by``). It is worked out here anew; a release that states something else is refused. Of the trees in a query
the text has a hash only, so their number is what the release says, and whoever reads a model compares it. A type that
is not known here, or ``by-hand``, is trusted.

**Regions.** A step names only the coordinates in which it looks at less than the step that it stands in, each with a
non-empty part of the codes that it has there. A coordinate that is not named is as in the enclosing step, and at the
root unrestricted. So a premise lies in its step by the way it is written. Two premises are disjoint iff a coordinate
that both name has disjoint codes: where one is silent, it has all codes of the enclosing step, and the other's too.

A coordinate is a feature, the class, or for each session the position on its list of the party at which the record
lies, ``"party "`` and the session's name. So positions divide the records within one session only. A split that one
party designs may stand on the designer's position; what any other type of query asks, all parties answer.

**Soundness.** If a text is accepted, then for every record z the releases of this run whose region holds z cost at most
``spent`` together. *Proof* by induction on the step: it pays at most the step's cost, and nothing if z is outside the
step's region. A release: by definition. Sequential: the sum of what the premises charge z. Parallel: the regions are
disjoint, so at most one premise charges z. Adaptive: that of the premise.

What is guaranteed is more than an account of one run. If regions and costs were fixed beforehand (no adaptive step),
every run costs the same, and ε is what was spent. If they were chosen on the way, another run may have cost more; then
ε is the budget, which no run exceeds (filter lemma). In ρ only the budget is ever promised.

Colluders are never chosen on the way: a document promises their
number, and no release may withstand fewer. All this rests on :data:`AXIOMS`, what the checker cannot see and therefore
trusts. Given the manifest of what crossed the transport it also sees that every release has its query and every query
its release, once, in the session that it names, of one list of parties a session, of whom as many made the noise as a
release withstands colluders and pays ξ for, and that whoever designed alone is one of them; then the last axiom is only
that the manifest is complete. What fdpedu 0.1.0 wrote says nothing of sessions and shares: see :func:`axioms_with`.

**Limits** (:data:`MAX_COUNTS`) bound the work of reading. A ledger refuses beforehand what would exceed them.
"""
# Longer than 400 lines because one has to be able to read the checker alone, and copy it as one file.

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

SCHEMA, MANIFEST_SCHEMA = "fdpedu-derivation/9", "fdpedu-manifest/5"
IN_ORDERS = "fdpedu-derivation/8"  # where ρ was concentrated; budget files that were begun in it go on in it
READ = {  # what fdpedu 0.1.0 wrote, first when there was only ε; no region there names a party
    SCHEMA: (SCHEMA, IN_ORDERS, "fdpedu-derivation/7", "fdpedu-derivation/6"),
    MANIFEST_SCHEMA: (MANIFEST_SCHEMA, "fdpedu-manifest/4", "fdpedu-manifest/3"),
}
_IN_EPSILON = "fdpedu-derivation/6"
_OLDER = tuple(f"fdpedu-{kind}/{k}" for kind, last in (("derivation", 5), ("manifest", 2)) for k in range(1, last + 1))
AXIOMS = (
    "each query looks at the records of its region only, and has the sensitivity that is stated, in ρ the square of "
    "the ℓ₂ sensitivity of its whole answer, and the number of cells in which neighbours can differ; a record lies at "
    "one party in each session, which depends on no other record, and the number of parties is fixed",
    "each mechanism draws its noise, or its answer, from random words that are random, so that a release costs at most "
    "sensitivity × rate against the stated colluders; or, in ρ, tells no more than normal noise of a variance 1 less "
    "than stated, up to factors e^{±ξ} with the stated ξ, for integers and shares; or, in the measure concentrated, "
    "costs at most what Gaussian noise of the stated variance on the integers costs, and beside it the stated ξ",
    "budget and number of colluders were fixed beforehand; regions and costs too, or, under the adaptive rule, chosen "
    "from public facts and releases of earlier rounds, by a rule that keeps every run, not only this, in the budget",
    "the list of releases is complete",
)
AXIOMS_WITH_MANIFEST = (*AXIOMS[:-1], "the manifest is complete")
AXIOMS_WITH_OLDER_MANIFEST = (  # one of fdpedu 0.1.0
    *AXIOMS_WITH_MANIFEST,
    "noise was in as many shares as a release states to withstand and to pay for: the manifest, of fdpedu 0.1.0, does "
    "not say how many there were, so they were not compared",
)
RELATION = "one record added or removed, whose place depends on no other record"  # between neighbours, in words
REHEARSED = {  # kinds of randomness with which nothing is private, and what is said of them
    "seeded generator": "the noise was seeded: a rehearsal, not a release",
    "rehearsal": "the noise was a stand-in's: a rehearsal, not a release",
}
_KINDS_OF_RANDOMNESS = ("operating system", *REHEARSED)
DESIGNED, BY_HAND = "designed-split", "by-hand"  # types: one party chooses; no query of a federation
PURE, GAUSSIAN, CONCENTRATED = "pure", "gaussian", "concentrated"
_OF_ONE_CELL = "class-counts class-histogram target-counts outcome-counts confusion-counts".split()
_CHOICES = f"{DESIGNED} chosen-split chosen-block leaf-label joint-edges".split()
_VOTES, _OF_EACH_FEATURE = ("split-vote", "structure-vote"), ("node-histograms", "group-counts")
_OF_PULLS = ("intercept-sums", "residual-sums", "pull-vectors")
_IN_RHO = ("l2_squared", "cells", "variance")
_NOISE = {PURE: ("releases", "sensitivity", "rate"), GAUSSIAN: _IN_RHO, CONCENTRATED: _IN_RHO}  # of a query
_COST = {PURE: ("epsilon",), GAUSSIAN: ("rho", "xi"), CONCENTRATED: ("rho", "xi")}  # of a step
_ASKED = "type parameters query region"  # the other keys of a query; a release has all of them too
_ROUND, _SESSION = "round queries receivers answers", "session shares missing"  # the latter since manifest/5
PARTY, _POSITIONS = re.compile("party ([0-9a-f]{64})"), (1 << 256) - 1  # a coordinate: positions in a session
_TYPE, _PARAMETER = re.compile("[a-z][a-z0-9-]{0,63}"), re.compile("[a-z][a-z_]{0,31}")
_NUMBER = re.compile("[0-9]{1,400}(/(?!0+$)[0-9]{1,400})?")
_HIDDEN = re.compile(  # in a text: controls, and whatever has no shape or turns a line around
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U00013430-\U0001345f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    + "".join(f"{chr(end - 1)}{chr(end)}" for end in range(0x1FFFF, 0x110000, 0x10000))
    + "]"
)
_read = lru_cache(maxsize=1024)(Fraction)  # the same few numbers stand in a derivation thousands of times
_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

MAX_COUNTS = {  # of one derivation
    "features": 4096,
    "steps": 36_000,  # releases and rules
    "levels": 200,  # of steps inside one another, below the root
    "names": 50_000,  # of coordinates in regions, and of parameters of queries
    "letters": 6_000_000,  # of the values in releases, of the regions, and of the features' names, as JSON writes them
    "comparisons": 1_000_000,  # of coordinates, by the parallel rule
    "digits": 75,  # of a common denominator of budget and costs, and of the budget as a multiple of its inverse
}
MAX_PARAMETERS, MAX_TEXT = 16, 200  # of a query; characters of one that is a text
MAX_INTEGER, TOO_LONG = 10**18, 10**400  # of an integer; the least number that is too long for a fraction
MAX_ORDER = 10**6  # of an older conversion

# A text may come from anybody, so it is measured before it is parsed: its characters; its texts, lists and objects. No
# derivation that keeps to the counts is refused then, if it is written without blanks. Beside letters, a release has at
# most 150 characters, a rule 65 and two totals of 2·75 + 1, a feature 22, all else 1000:
#     36,000·367 + 4096·22 + 6,000,000 + 1000 < 19,500,000.
# A release has 15 keys, 8 texts and 3 objects, a rule 11 items, a name 2, a feature 4, all else 50:
#     36,000·26 + 50,000·2 + 4096·4 + 50 < 1,060,000.
MAX_CHARACTERS, MAX_ITEMS = 19_500_000, 1_060_000
_ITEM = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]', re.DOTALL)  # a text, or where a list or an object begins


Pair = tuple[Fraction, Fraction]  # what is paid: ε and 0, or ρ and ξ
Masks = dict[str, int]  # coordinates that are restricted, each with its codes as a bit mask


class Guarantee(NamedTuple):
    """What holds by add/remove, against an outsider and up to ``colluders`` parties: ε, (ε, δ), or (ρ, ξ).

    ``value`` is ε, or ρ where nothing was converted; then ``delta`` is 0 and ``rho`` is not None.
    """

    measure: str
    value: Fraction
    delta: Fraction
    colluders: int
    spent: Any  # no record paid more in this run: ε, or (ρ, ξ)
    adaptive: bool  # it holds although regions and costs may have been chosen on the way
    randomness: tuple[str, ...]  # where the noise came from
    rho: Fraction | None = None
    xi: Fraction = Fraction(0)
    order: int | None = None  # of an older conversion

    @property
    def promise(self) -> str:
        """What holds, in the words of every text."""
        if self.rho is None:
            return in_words(self.measure, self.value, self.xi, self.value, self.delta, None)
        converted = self.value if self.delta else None
        return in_words(self.measure, self.rho, self.xi, converted, self.delta, self.order)

    def __str__(self) -> str:
        against = f"{self.colluders} {'colluder' if self.colluders == 1 else 'colluders'}"
        private = f"{self.value}-differentially private" if self.rho is None else f"private with {self.promise}"
        text = f"{private} ({RELATION}), with {against}"
        if isinstance(self.spent, tuple):
            text += f"; in this run no record paid more than ρ = {self.spent[0]}, ξ = {self.spent[1]}"
        elif self.spent != self.value:
            text += f"; in this run no record paid more than {self.spent}"
        text += "; regions and costs were fixed beforehand" * (not self.adaptive)
        return text + "".join(f"; {REHEARSED[kind]}" for kind in self.randomness if kind in REHEARSED)


def in_words(
    measure: str, value: Fraction, xi: Fraction, epsilon: Fraction | None, delta: Fraction, order: int | None
) -> str:
    """A budget or what it promises, in the words of every text.

    >>> in_words("gaussian", Fraction(2801, 10**5), Fraction(1, 10**5), Fraction(1), Fraction(1, 10**6), None)
    '(ε, δ) = (1, 10⁻⁶), from ρ = 2801/100000, ξ ≤ 1/100000'
    """
    if measure == PURE:
        return f"ε = {value}"
    limits = f"ρ = {value}, ξ ≤ {xi}" + f", order {order}" * (order is not None)
    return limits if epsilon is None else f"(ε, δ) = ({epsilon}, {_small(delta)}), from {limits}"


def _small(delta: Fraction) -> str:
    """A power of ten as one; else the fraction."""
    exponent = len(str(delta.denominator)) - 1
    if delta != Fraction(1, 10**exponent) or exponent < 3:
        return str(delta)
    return "10⁻" + str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


class DerivationRefused(ValueError):
    """The text does not prove what it claims; the message names the step and the reason."""


@dataclass
class Inventory:
    """What a derivation holds, each at most as :data:`MAX_COUNTS` says."""

    features: int = 0
    steps: int = 0
    levels: int = 0
    names: int = 0
    letters: int = 0
    comparisons: int = 0
    digits: int = 0
    common: int = 1  # the denominator that has so many

    def excess(self) -> str:
        """The first limit that is exceeded, in words; empty if none is."""
        beyond = (f"{most} {name}" for name, most in MAX_COUNTS.items() if getattr(self, name) > most)
        return next((f"it has more than {limit}" for limit in beyond), "")


def letters(values: Any) -> int:
    """Characters inside a list or an object, as JSON writes it without blanks."""
    return len(_as_json(values)) - 2


def stated_in(release: dict[str, Any]) -> tuple[int, int]:
    """Names and letters of a release, but for its region."""
    return len(release["parameters"]), letters([value for key, value in release.items() if key != "region"])


def digits_of(common: int, budget: Fraction) -> int:
    """The digits of a common denominator, or of the budget's numerator over it: no total has more."""
    return len(str(max(common, math.ceil(budget * common))))


class _Round(NamedTuple):
    """What a manifest says of a round: of how many parties, in which session, in how many shares of noise."""

    parties: int
    session: str | None = None  # None in what was written before manifest/5; then what follows is not known either
    shares: int = 0
    withstood: int = 0


@dataclass
class _Reading:
    """What is known while a document is read: what it promises, what was counted, and which releases were met."""

    measure: str
    budget: Pair
    whole: Masks
    colluders: int
    positions: bool  # whether regions may name parties: those of fdpedu 0.1.0 do not
    queries: dict[str, tuple[dict[str, Any], _Round]] | None  # those without a release so far
    releases: set[str] = field(default_factory=set)
    counts: Inventory = field(default_factory=Inventory)

    def count(self, path: str, **more: int) -> None:
        """Count what was met; refuse what is beyond a limit."""
        for name, number in more.items():
            setattr(self.counts, name, getattr(self.counts, name) + number)
        _need(not (excess := self.counts.excess()), path, excess)


def check_derivation(json_text: str, manifest: str | None = None) -> Guarantee:
    """Accept a derivation, or raise :class:`DerivationRefused`: from its text alone, or together with a manifest.

    Claims: thm-checker-sound, thm-manifest-complete
    """
    document = _parse(json_text, "document", SCHEMA)
    needed = "schema measure relation randomness budget colluders domain proof guarantee"
    _need_keys(document, needed, "document", optional="program")
    measure = document["measure"]
    other = GAUSSIAN if document["schema"] == SCHEMA else CONCENTRATED
    measures = (PURE,) if document["schema"] == _IN_EPSILON else (PURE, other)
    _need(
        measure in measures,
        "document",
        f"in the schema {document['schema']} the measure must be {' or '.join(measures)}",
    )
    _need(document["relation"] == "add-remove", "document", "the neighbour relation must be add-remove")
    kinds = document["randomness"]
    known = isinstance(kinds, list) and kinds and all(k in _KINDS_OF_RANDOMNESS for k in kinds)
    _need(known, "document", "noise from this source of randomness proves nothing")
    colluders = _integer(document["colluders"], 0, "document", "colluders")
    stated = None if manifest is None else _parse(manifest, "manifest", MANIFEST_SCHEMA)
    queries = None if stated is None else _check_manifest(stated, colluders)
    positions = document["schema"] in (SCHEMA, IN_ORDERS) and (stated is None or stated["schema"] == MANIFEST_SCHEMA)
    (budget, promised), (whole, names) = _budget(document["budget"], measure), _whole(document["domain"])
    reading = _Reading(measure, budget, whole, colluders, positions, queries)
    reading.count("document", features=len(names), letters=letters(names))
    try:
        spent, _ = _check(document["proof"], {}, {}, reading, "proof", 0)
    except RecursionError:
        raise DerivationRefused("proof: it is nested too deeply for the stack that its caller has left") from None
    for name in reading.queries or ():
        _need(False, name, "the manifest has a query whose release is not in the derivation")
    fits = all(paid <= most for paid, most in zip(spent, budget, strict=True))
    _need(fits, "proof", f"the total {_shown(measure, spent)} is more than the budget {_shown(measure, budget)}")
    adaptive = document["proof"]["rule"] == "adaptive"
    if adaptive:  # another run may have cost more than this one, but not more than this
        cost = _stated(document["proof"], reading, "proof")
        reason = f"the adaptive rule gives the budget {_shown(measure, budget)}, the step states"
        _need(cost == budget, "proof", f"{reason} {_shown(measure, cost)}")
    claimed, pure = document["guarantee"], measure == PURE
    value = budget[0] if adaptive else spent[0]  # in ε, what every run of fixed regions and costs has spent
    number = {"value": str(value), "delta": "0"} if pure else document["budget"]
    proved = {"measure": measure, **number, "colluders": colluders}
    fixed = all(type(claimed.get(key)) is type(one) for key, one in proved.items()) if type(claimed) is dict else False
    _need(fixed and claimed == proved, "guarantee", f"what is proved is {proved}")
    kinds = tuple(sorted(set(kinds)))
    if pure:
        return Guarantee(measure, value, Fraction(0), colluders, spent[0], adaptive, kinds)
    epsilon, delta, order = promised
    return Guarantee(measure, epsilon or budget[0], delta, colluders, spent, adaptive, kinds, *budget, order)


def axioms_with(manifest: str | None) -> tuple[str, ...]:
    """What an accepted derivation rests on: alone, or together with a manifest that was accepted too."""
    if manifest is None:
        return AXIOMS
    schema = _parse(manifest, "manifest", MANIFEST_SCHEMA)["schema"]
    return AXIOMS_WITH_MANIFEST if schema == MANIFEST_SCHEMA else AXIOMS_WITH_OLDER_MANIFEST


def _budget(stated: Any, measure: str) -> tuple[Pair, tuple[Fraction | None, Fraction, int | None]]:
    """The limit that is stated, and ε, δ and order of its conversion, if it is converted."""
    if measure == PURE:
        return (_fraction(stated, "budget"), Fraction(0)), (None, Fraction(0), None)
    converted, order = isinstance(stated, dict) and "epsilon" in stated, None
    keys = "rho xi epsilon delta" + " order" * (measure == CONCENTRATED) if converted else "rho xi"
    _need_keys(stated, keys, "budget")
    rho, xi = (_fraction(stated[key], "budget") for key in ("rho", "xi"))
    if not converted:
        return (rho, xi), (None, Fraction(0), None)
    epsilon, delta = (_fraction(stated[key], "budget") for key in ("epsilon", "delta"))
    _need(0 < delta < 1, "budget", "delta must lie strictly between 0 and 1")
    less = f"ρ = {rho} and ξ = {xi} give no ({epsilon}, {delta})"
    if measure == CONCENTRATED:
        order = _integer(stated["order"], 2, "budget", "order")
        _need(order <= MAX_ORDER, "budget", f"order must be at most {MAX_ORDER}")
        sound = epsilon > 0 and is_converted_at(order, epsilon, delta, rho, xi)
        _need(sound, "budget", f"{less} at the order {order}")
    else:
        _need(xi < 1 and 2 * xi < epsilon, "budget", f"{less}: ξ must be less than 1 and less than ε/2")
        _need(_ends(epsilon - 2 * xi, rho)[0] >= _NEAR, "budget", f"{less} that is computed here: take a smaller δ")
        _need(is_converted(epsilon, delta, rho, xi), "budget", less)
    return (rho, xi), (epsilon, delta, order)


def is_converted(epsilon: Fraction, delta: Fraction, rho: Fraction, xi: Fraction) -> bool:
    """Whether (ρ, ξ) certainly implies (ε, δ); where ε/μ − μ/2 is less than 1/4 nothing is certain.

    Claims: thm-gaussian-root
    """
    # thm-gaussian-root: δ_G = φ(a)·(M(a) − M(b)) grows with μ, and each factor is rounded to the side that refuses
    a, b = _ends(epsilon - 2 * xi, rho)
    low = delta * (1 - xi) * _ROOT
    return 0 <= xi < 1 and a >= _NEAR and _exp_above(-a * a / 2) * (_mills(a, 0) - _mills(b, 1)) <= low


def _ends(epsilon: Fraction, rho: Fraction) -> Pair:
    """ε/μ − μ/2 and ε/μ + μ/2, for a μ a little more than √(2ρ): an integer root of 60 digits or more, and 1."""
    unit = 10 ** (60 + len(str(rho.denominator)))
    mu = Fraction(math.isqrt(math.ceil(2 * rho * unit * unit)) + 1, unit)
    return epsilon / mu - mu / 2, epsilon / mu + mu / 2


def _mills(z: Fraction, odd: int, levels: int = 40) -> Fraction:
    """Mills' ratio of z ≥ 1/4: above it with an even number of levels of its fraction, below it with an odd one."""
    low, high = small, large = _quotient(z)
    for k in range(2 * (levels + math.ceil(45 * levels / (z * z))) + odd, 0, -1):
        small, large = _DOWN.add(low, _DOWN.divide(k, large)), _UP.add(high, _UP.divide(k, small))
    return Fraction(_DOWN.divide(1, large) if odd else _UP.divide(1, small))


def is_converted_at(order: int, epsilon: Fraction, delta: Fraction, rho: Fraction, xi: Fraction) -> bool:
    """Whether (ρ, ξ) of the measure concentrated certainly implies (ε, δ) at this order.

    Claims: thm-zcdp-to-dp
    """
    # thm-zcdp-to-dp: one inequality, with every logarithm rounded to the side that refuses
    exact = (order - 1) * (order * rho + xi - epsilon)
    right = exact - _log(Fraction(order - 1))[0] + order * _log(Fraction(order - 1, order))[1]
    return _log(delta)[0] >= right


_DOWN, _UP = (
    Context(prec=60, rounding=rounding, Emin=-(10**6), Emax=10**6) for rounding in (ROUND_FLOOR, ROUND_CEILING)
)
_ROOT = Fraction(25066282746310005024157652848110452530069867406, 10**46)  # √(2π) is a little more
_NEAR = Fraction(1, 4)


def _quotient(x: Fraction) -> tuple[Decimal, Decimal]:
    """A fraction, rounded down and up."""
    over, under = Decimal(x.numerator), Decimal(x.denominator)
    return _DOWN.divide(over, under), _UP.divide(over, under)


def _exp_above(x: Fraction) -> Fraction:
    """At least e^x for x ≤ 0, from −2000 on: rounded to the nearest, and one step more."""
    return Fraction(_UP.next_plus(_UP.exp(_quotient(max(x, Fraction(-2000)))[1])))


def _log(x: Fraction) -> Pair:
    """ln x, enclosed: the quotient is rounded down and up; logarithms are rounded to the nearest, so one step more."""
    if x == 1:  # beside 0 the next number has a million digits
        return Fraction(0), Fraction(0)
    low, high = _quotient(x)
    return Fraction(_DOWN.next_minus(_DOWN.ln(low))), Fraction(_UP.next_plus(_UP.ln(high)))


def _shown(measure: str, amount: Pair) -> str:
    return str(amount[0]) if measure == PURE else f"ρ = {amount[0]}, ξ = {amount[1]}"


def _stated(step: dict[str, Any], reading: _Reading, path: str) -> Pair:
    """The cost that a step states, in the derivation's measure."""
    found = [_fraction(step[key], path) for key in _COST[reading.measure]]
    return found[0], found[1] if len(found) > 1 else Fraction(0)


def _check(step: Any, around: Masks, places: Masks, reading: _Reading, path: str, depth: int) -> tuple[Pair, Masks]:
    """Cost and named coordinates of one step, after checking everything below it.

    ``around`` it is a region, and of its coordinates ``places`` are those of parties.
    """
    reading.count(path, steps=1, levels=max(0, depth - reading.counts.levels))
    rule = step.get("rule") if isinstance(step, dict) else None
    if rule == "release":
        return _check_release(step, around, places, reading, path)
    _need(rule in ("sequential", "parallel", "adaptive"), path, "unknown rule")
    _need_keys(step, f"rule {' '.join(_COST[reading.measure])} region premises", path)
    premises = step["premises"]
    _need(isinstance(premises, list) and premises, path, "a rule needs at least one premise")
    stated, named = _stated(step, reading, path), _region(step, around, reading, path)
    here = {**around, **named} if named else around
    at = _places(places, named, path)
    below = [_check(premise, here, at, reading, f"{path}.{i}", depth + 1) for i, premise in enumerate(premises)]
    costs, regions = zip(*below, strict=True)
    if rule == "parallel":
        _need_disjoint(regions, reading, path)
    if rule == "adaptive":
        _need(len(premises) == 1 and path == "proof", path, "the adaptive rule has one premise and stands at the root")
        return costs[0], named
    values, xis = zip(*costs, strict=True)
    cost = (max(values), max(xis)) if rule == "parallel" else (sum(values, Fraction(0)), sum(xis, Fraction(0)))
    shown = (_shown(reading.measure, each) for each in (cost, stated))
    _need(cost == stated, path, f"the {rule} rule gives {next(shown)}, the step states {next(shown)}")
    return cost, named


def _places(around: Masks, named: Masks, path: str) -> Masks:
    """The coordinate of parties in a step's region, if it has one: it is of one session."""
    found = {**around, **{name: codes for name, codes in named.items() if PARTY.fullmatch(name)}}
    _need(len(found) <= 1, path, "its region has positions of parties in two sessions")
    return found


def stands_right(kind: str, parameters: dict[str, Any], places: Masks) -> bool:
    """Whether a query of this type may stand on these positions of parties, by coordinate.

    Where one party has answered alone, its records alone may pay: those of the designer. All records may pay always, as
    in the ledger of a party that has only its own (lem-party-coordinate).
    """
    if not places or kind == BY_HAND:
        return True
    designer = parameters.get("designer") if kind == DESIGNED else None
    return type(designer) is int and 0 <= designer < 256 and [*places.values()] == [1 << designer]


def _check_release(
    step: dict[str, Any], around: Masks, places: Masks, reading: _Reading, path: str
) -> tuple[Pair, Masks]:
    noise, cost_keys = (" ".join(keys[reading.measure]) for keys in (_NOISE, _COST))
    _need_keys(step, f"{_ASKED} {noise} rule round index mechanism {cost_keys} colluders claim", path)
    withstood = _integer(step["colluders"], 0, path, "colluders")
    _need(withstood >= reading.colluders, path, f"it withstands {withstood} of the {reading.colluders} colluders")
    for key in ("mechanism", "claim"):
        _need_printable(step[key], path, key)
    asked, named, cost = (
        _asked(step, reading.measure, path),
        _region(step, around, reading, path),
        _stated(step, reading, path),
    )
    at = _places(places, named, path)
    alone = "only a designed-split may stand on a party's position, and on no other than its designer's"
    _need(stands_right(step["type"], step["parameters"], at), path, alone)
    _need(cost[0] > 0, path, "a release must cost more than 0")
    _need_moves(step, reading, path)
    if reading.measure == PURE:
        product = asked[0] * asked[1] * asked[2]
        _need(cost[0] == product, path, f"releases × sensitivity × rate is {product}, the release states {cost[0]}")
    else:
        # lem-smoothed-gaussian: the integers take 1 of the variance
        spare = asked[2] - (reading.measure == GAUSSIAN)
        enough = 2 * cost[0] * spare >= asked[0]
        _need(enough, path, f"ρ = {cost[0]} with variance {asked[2]} is too little for ℓ₂² = {asked[0]}")
    name = f"round {_integer(step['round'], 1, path, 'round')}, index {_integer(step['index'], 1, path, 'index')}"
    _need(name not in reading.releases, path, f"the release of {name} stands twice")
    reading.releases.add(name)
    budget = reading.budget
    parts = (part.denominator for part in (*budget, *cost))
    reading.counts.common = math.lcm(reading.counts.common, *parts)
    reading.counts.digits = digits_of(reading.counts.common, budget[0])
    names, characters = stated_in(step)
    reading.count(path, names=names, letters=characters)
    if reading.queries is not None:
        asked_for = "a release that no query of the manifest asked for: is all there that the budget paid for?"
        _need(name in reading.queries, name, f"the derivation has {asked_for}")
        query, at_round = reading.queries.pop(name)
        xi = "xi" if reading.measure != PURE and at_round.session is not None else ""
        _need_keys(query, f"{_ASKED} {' '.join(_NOISE[reading.measure])} {xi}", name)
        where = _named(query["region"], {}, reading, name)
        same = _asked(query, reading.measure, name) == asked and where == {**around, **named}
        _need(same, name, "query and release differ")
        _need(all(place == f"party {at_round.session}" for place in at), name, "it was asked in another session")
        _need(query["type"] != BY_HAND, name, f"the type {BY_HAND} is no query of a federation")
        _need_designer(query, at_round, name)
        if at_round.session is not None:
            _need_shares(query, at_round, cost, withstood, reading.measure, name)
    return cost, named


def _need_designer(query: dict[str, Any], at_round: _Round, name: str) -> None:
    """Who designed alone is one of the parties; so are then the positions on which the query stands."""
    if query["type"] == DESIGNED:
        designer, parties = _integer(query["parameters"].get("designer"), 0, name, "designer"), at_round.parties
        _need(designer < parties, name, f"its designer is party {designer}, and the round has {parties} receivers")


def _need_shares(query: dict[str, Any], at_round: _Round, cost: Pair, withstood: int, measure: str, name: str) -> None:
    """The noise that was asked for is in as many shares as the release withstands colluders, and pays ξ for."""
    _need(
        withstood <= at_round.withstood, name, f"its shares withstand {at_round.withstood} colluders, not {withstood}"
    )
    if "xi" in query:
        _need(_fraction(query["xi"], name) == cost[1], name, "query and release differ in ξ")
        least = least_xi(_fraction(query["variance"], name), query["cells"], at_round.shares, measure)
        _need(cost[1] >= least, name, f"{at_round.shares} shares of noise cost more than ξ = {cost[1]}")


def least_xi(variance: Fraction, cells: int, shares: int, measure: str = GAUSSIAN) -> Fraction:
    """cells·(θ + 3·10⁻¹³), or in the measure concentrated cells·3θ, of m shares of v = variance/m ≥ 2, rounded up.

    θ is 0 for one share, else at most (4 + 10⁻⁶)·(e^{−π²v} + (m − 2)·e^{−4π²v/3}).
    """
    # lem-gaussian-sum-renyi, lem-smoothed-gaussian
    times, more = (1, Fraction(3, 10**13)) if measure == GAUSSIAN else (3, Fraction(0))
    share = variance / shares
    if share < 2 and (more or shares > 1):
        return TOO_LONG * Fraction(1)  # nothing is proved of it
    if shares == 1:
        return cells * more
    pi_squared = Fraction(98696, 10000)  # π² is a little more
    first, second = (_exp_above(-pi_squared * share * part) for part in (1, Fraction(4, 3)))
    return cells * (times * (4 + Fraction(1, 10**6)) * (first + (shares - 2) * second) + more)


def _asked(entry: dict[str, Any], measure: str, path: str) -> tuple[int, int, Fraction, str, dict[str, Any]]:
    """What identifies a query, except its region: equal in a release and in the query that it answers.

    The sentence for people is not compared: type and parameters say what is asked.
    """
    _need_printable(entry["query"], path, "query")
    kind, parameters = entry["type"], entry["parameters"]
    _need(is_type(kind), path, "type must be a name in small letters, such as class-counts")
    _need(are_parameters(parameters), path, f"parameters must be at most {MAX_PARAMETERS} names, with numbers or texts")
    *whole, last = _NOISE[measure]
    first, second = (_integer(entry[key], 1, path, key) for key in whole)
    return first, second, _fraction(entry[last], path), kind, parameters


class _Moved(NamedTuple):
    """By how much a record moves each of so many parts of an answer; ``None`` where its type is not paid so."""

    parts: int | None  # as many as there are new trees, of whose number the text says nothing
    l1: int | None
    l2_squared: int | None
    cells: int = 1


def _moved_by(kind: str, parameters: dict[str, Any], n_features: int, n_classes: int, path: str) -> _Moved | None:
    """What a type of queries says of the sensitivity of an answer; ``None`` of a type that is not known here.

    >>> _moved_by("residual-sums", {"steps": 64}, 3, 256, "proof")
    _Moved(parts=None, l1=32, l2_squared=1024, cells=1)
    """

    def stated(name: str) -> int:
        return _integer(parameters.get(name), 1, path, name)

    if kind in _OF_ONE_CELL:
        return _Moved(1, 1, 1)
    if kind in _CHOICES:
        return _Moved(1, 1, None)
    if kind in _VOTES:
        return _Moved(1, stated("lattice"), None)
    if kind in _OF_EACH_FEATURE:
        return _Moved(n_features, 1, 1)
    if kind == "node-bounds":
        return _Moved(n_features, stated("lattice"), stated("lattice") ** 2)
    if kind == "gradient-sums":
        return _Moved(None, stated("clip"), stated("clip") ** 2)
    if kind == "square-sums":  # in steps of 1/4096, and four numbers move by 1/4, 1/2, 1/4 and 1
        return _Moved(1, 2 * 4096, 22 * 1024**2, 4)
    if kind not in _OF_PULLS:
        return None
    half, quarter = stated("steps") // 2, stated("steps") // 4
    return {
        "intercept-sums": _Moved(1, half + quarter, half**2 + quarter**2, 2),
        "residual-sums": _Moved(None, half, half**2),
        "pull-vectors": _Moved(None, None, 2 * half**2, min(n_classes, 1 + half)),  # −g, and others that add up to g
    }[kind]


def _need_moves(step: dict[str, Any], reading: _Reading, path: str) -> None:
    """The sensitivity that a release states is that of its type, and of so many cells."""
    kind, pure = step["type"], reading.measure == PURE
    n_features, n_classes = len(reading.whole) - 1, reading.whole["class"].bit_length()
    moved = _moved_by(kind, step["parameters"], n_features, n_classes, path)
    if moved is None:
        return
    each = (moved.l1 if pure else moved.l2_squared) or 0
    _need(each, path, f"a {kind} is not paid in {'ε' if pure else 'ρ'}")
    parts = moved.parts or (step["releases"] if pure else -(-step["l2_squared"] // each))
    names = ("releases", "sensitivity") if pure else ("l2_squared", "cells")
    proved = (parts, each) if pure else (parts * each, parts * moved.cells)
    found = tuple(step[name] for name in names)
    of_type = " and ".join(f"{name} {number}" for name, number in zip(names, proved, strict=True))
    _need(found == proved, path, f"of a {kind} with these parameters it must state {of_type}")


def is_type(name: Any) -> bool:
    """Whether a value may be the name of a type of queries."""
    return type(name) is str and _TYPE.fullmatch(name) is not None


def are_parameters(found: Any) -> bool:
    """Whether these can be the parameters of a query: few names, each with an integer or a text that is not long."""
    if type(found) is not dict or len(found) > MAX_PARAMETERS:
        return False
    named = all(type(name) is str and _PARAMETER.fullmatch(name) for name in found)
    return named and all(
        -MAX_INTEGER <= value <= MAX_INTEGER if type(value) is int else _is_short(value) for value in found.values()
    )


def _is_short(value: Any) -> bool:
    return type(value) is str and 0 < len(value) <= MAX_TEXT and _HIDDEN.search(value) is None


def _check_manifest(document: dict[str, Any], colluders: int) -> dict[str, tuple[dict[str, Any], _Round]]:
    """The queries by round and index, each awaiting its release; a round needs more receivers than colluders."""
    _need_keys(document, "schema rounds", "manifest", optional="program")
    _need(isinstance(document["rounds"], list), "manifest", "rounds must be a list")
    queries, rounds = dict[str, tuple[dict[str, Any], _Round]](), set[str]()
    sessions: dict[str, tuple[Any, ...]] = {}
    stated = document["schema"] == MANIFEST_SCHEMA
    for entry in document["rounds"]:
        _need_keys(entry, f"{_ROUND} {_SESSION}" if stated else _ROUND, "a round of the manifest")
        path = f"round {_integer(entry['round'], 1, 'manifest', 'round')}"
        _need(path not in rounds, "manifest", f"{path} stands there twice, and each round has a number of its own")
        rounds.add(path)
        for key in ("receivers", "answers"):
            names = entry[key]
            _need(isinstance(names, list), path, f"{key} must be a list of names")
            for name in names:
                _need_printable(name, path, f"each of the {key}", least=0)
            _need(len(set(names)) == len(names), path, f"a name stands twice among the {key}")
        _need(set(entry["answers"]) <= set(entry["receivers"]), path, "a party answered that was not asked")
        _need(len(entry["receivers"]) > colluders, path, f"it needs more receivers than the {colluders} colluders")
        _need(isinstance(entry["queries"], list) and entry["queries"], path, "it needs at least one query")
        at_round = _session(entry, sessions, path) if stated else _Round(len(entry["receivers"]))
        for index, query in enumerate(entry["queries"], 1):
            measure = GAUSSIAN if isinstance(query, dict) and "variance" in query else PURE  # or concentrated, as there
            xi = "xi" if stated and measure == GAUSSIAN else ""
            _need_keys(query, f"{_ASKED} {' '.join(_NOISE[measure])} {xi}", path)
            queries[f"{path}, index {index}"] = query, at_round
    return queries


def _session(entry: dict[str, Any], sessions: dict[str, tuple[Any, ...]], path: str) -> _Round:
    """The session of a round, which has one list of parties, and noise in shares of so many of them."""
    name, parties = entry["session"], tuple(entry["receivers"])
    _need(type(name) is str and PARTY.fullmatch(f"party {name}"), path, "session must be 64 hexadecimal digits")
    shares, missing = (_integer(entry[key], least, path, key) for key, least in (("shares", 1), ("missing", 0)))
    few = shares + missing <= len(parties)
    _need(few, path, f"of {len(parties)} parties there are no {shares} shares beside {missing} that may be missing")
    same = sessions.setdefault(name, (parties, shares, missing)) == (parties, shares, missing)
    _need(same, path, "a session has one list of parties, and here stands another than before")
    return _Round(len(parties), name, shares, len(parties) - shares - missing)


def _need_disjoint(regions: tuple[Masks, ...], reading: _Reading, path: str) -> None:
    """Each two premises have disjoint codes in a coordinate that both name."""
    for i, a in enumerate(regions):
        reading.count(path, comparisons=sum(min(len(a), len(b)) for b in regions[:i]))
        for j in range(i):
            few, many = (a, regions[j]) if len(a) < len(regions[j]) else (regions[j], a)
            if not any(name in many and not codes & many[name] for name, codes in few.items()):
                raise DerivationRefused(f"{path}: parallel premises {j} and {i} can hold the same record")


def _whole(domain: Any) -> tuple[Masks, list[str]]:
    """All codes of each coordinate, and what the features are called."""
    _need_keys(domain, "features classes", "domain")
    features, most = domain["features"], MAX_COUNTS["features"]
    few = isinstance(features, list) and 1 <= len(features) <= most
    _need(few, "domain", f"it needs a list of 1 to {most} features")
    stated = [feature if isinstance(feature, dict) else {} for feature in features]
    without = "its positions of parties are of no session that it names: fdpedu 0.1.0 wrote it so, and reads it"
    _need(all("coordinate" not in feature for feature in stated), "domain", without)
    _need(all(feature.keys() <= {"name", "codes"} for feature in stated), "domain", "a feature has a name and codes")
    sizes: list[Any] = [*(feature.get("codes") for feature in stated), domain["classes"]]
    for size in sizes:
        _need(type(size) is int and 1 <= size <= 256, "domain", "features and classes have 1 to 256 codes")
    names: list[Any] = [feature.get("name", "") for feature in stated]
    for name in names:
        _need_printable(name, "domain", "the name of a feature", least=0)
    coordinates = [*map(str, range(len(features))), "class"]
    return {name: (1 << size) - 1 for name, size in zip(coordinates, sizes, strict=True)}, names


def _region(step: dict[str, Any], around: Masks, reading: _Reading, path: str) -> Masks:
    """The named coordinates of a step's region, counted."""
    named = _named(step["region"], around, reading, path)
    reading.count(path, names=len(step["region"]), letters=letters(step["region"]))
    return named


def _named(region: Any, around: Masks, reading: _Reading, path: str) -> Masks:
    """The coordinates in which a region is less than what is around it; one that it does not name is as there."""
    _need(isinstance(region, dict), path, "a region must be an object")
    named: Masks = {}
    whole, older = reading.whole, "a region names a party, and those of fdpedu 0.1.0, as the schema is, do not"
    for name, codes in region.items():
        every, of_party = whole.get(name, _POSITIONS), PARTY.fullmatch(name)
        _need(name in whole or of_party, path, f"the region names an unknown coordinate {name[:20]!r}")
        _need(reading.positions or not of_party, path, older)
        _need(isinstance(codes, list) and codes, path, "a coordinate in a region needs at least one code")
        inside = all(type(code) is int and 0 <= code < 256 and every >> code & 1 for code in codes)
        _need(inside, path, "a code is out of range")
        _need(len(set(codes)) == len(codes), path, "a region names a code twice")
        mask, outer = sum(1 << code for code in codes), around.get(name, every)
        _need(not mask & ~outer, path, "its region is not part of the region of the step that it stands in")
        if mask != outer:
            named[name] = mask
    return named


def _integer(value: Any, least: int, path: str, key: str) -> int:
    if type(value) is not int or not least <= value <= MAX_INTEGER:
        raise DerivationRefused(f"{path}: {key} must be an integer ≥ {least} and at most 10^18")
    return value


def _fraction(text: Any, path: str) -> Fraction:
    fine = isinstance(text, str) and _NUMBER.fullmatch(text) is not None
    _need(fine, path, "a number must be text such as '1/3', never a float, nor with denominator 0")
    return _read(text)


def _parse(text: Any, name: str, schema: str) -> dict[str, Any]:
    """The object that a text stands for, if its schema is read, and it is not so long that reading it is a risk."""

    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        _need(len(found) == len(pairs), name, "a key stands twice in one object")
        return found

    def no_float(_: str) -> Any:
        raise DerivationRefused(f"{name}: floats have no place in a derivation")

    _need(isinstance(text, str), name, "expected JSON as text")
    _need(len(text) <= MAX_CHARACTERS, name, f"it is longer than {MAX_CHARACTERS} characters")
    items = sum(1 for _ in islice(_ITEM.finditer(text), MAX_ITEMS + 1))
    _need(items <= MAX_ITEMS, name, f"it has more than {MAX_ITEMS} texts, lists and objects")
    try:
        text = text.removeprefix("\ufeff")  # the byte order mark of a file
        found = json.loads(text, object_pairs_hook=no_duplicates, parse_float=no_float, parse_constant=no_float)
    except DerivationRefused:
        raise
    except (ValueError, RecursionError):
        raise DerivationRefused(f"{name}: it is not valid JSON, or is nested too deeply") from None
    stated = found.get("schema") if isinstance(found, dict) else None
    early = f"it is {stated}, which an early fdpedu 0.1.0 wrote, and reads; this checker reads {schema}"
    _need(stated not in _OLDER, name, early)
    _need(stated in READ[schema], name, f"it must be an object with the schema {schema}")
    program = found.get("program", "fdpedu")
    _need(_is_short(program), name, "program must be a short text, such as fdpedu 0.2.0")
    return dict(found)


def _need_keys(found: Any, names: str, path: str, optional: str = "") -> None:
    needed, keys = set(names.split()), set(found) if isinstance(found, dict) else set()
    whose = (
        f", and its program, {found['program']}, may be newer than this checker"
        if optional and "program" in keys
        else ""
    )
    _need(needed <= keys <= needed | {*optional.split()}, path, f"it needs exactly the keys {names.strip()}{whose}")


def _need_printable(text: Any, path: str, what: str, least: int = 1) -> None:
    """One line, in which nothing is hidden, nothing turns the line around, and nothing is a terminal's command."""
    _need(isinstance(text, str) and len(text) >= least, path, f"{what} must be text")
    visible = "visible characters, without controls, marks of direction and what has no width"
    _need(_HIDDEN.search(text) is None, path, f"{what} must be one line of {visible}")


def _need(condition: Any, path: str, reason: str) -> None:
    if not condition:
        raise DerivationRefused(f"{path}: {reason}")
