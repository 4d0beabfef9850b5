"""A party keeps its own ledger and its own limits, and believes no aggregator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum.messages import AGE, ALL, ONE, ROWS, Setup, answer_of, request
from fdpedu.exact import Integers
from fdpedu.federation import ClassCounts, ClassHistogram, Federation, Limits, NodeHistograms, Party
from fdpedu.federation import messages as language
from fdpedu.federation.endpoint import domain_digest
from fdpedu.federation.limits import ANYBODY
from fdpedu.federation.messages import Answer
from fdpedu.federation.queries import Query
from fdpedu.randomness import Rehearsal, Source, SystemSource, ZeroWords
from fdpedu.secure_sum import Identity, RoundLost, decode_sum


def own_ledger(costs: Sequence[Fraction], budget: int, asked: Sequence[int]) -> None:
    """Past its aggregator, each party is asked what it likes: it counts only what its own ledger has charged before."""
    setup = Setup(budget=budget)
    session = setup.begin()
    spent = [Fraction(0) for _ in setup.endpoints]
    for number, (cost, k) in enumerate(zip(costs, asked, strict=True), 1):
        endpoint, ledger, seen = setup.endpoints[k], setup.ledgers[k], list[Fraction]()
        counts = endpoint._counts

        def watched(queries: Sequence[Query], counts: Any = counts, ledger: Ledger = ledger) -> Any:
            seen.append(ledger.spent)  # noqa: B023  # called in this turn of the loop only
            return counts(queries)

        endpoint._counts = watched  # type: ignore[method-assign]
        got = answer_of(endpoint, language.write(request(session, number, ClassCounts(ALL, cost))))
        endpoint._counts = counts  # type: ignore[method-assign]
        fits = spent[k] + cost <= budget
        require((type(got) is Answer) == fits, f"asked for {cost} after {spent[k]} of {budget}, it says {got}")
        spent[k] += cost if fits else 0
        require(ledger.spent == spent[k], f"its ledger says {ledger.spent}, answered is {spent[k]}")
        require(seen == [spent[k]] * fits, f"it counts when its ledger says {seen}")
        if not fits:
            require(got.name == "over budget" and got.number == endpoint._last, f"it refuses so: {got}")


def small_costs(most: int) -> Iterator[tuple[tuple[Fraction, ...], int, tuple[int, ...]]]:
    """All sequences of requests of 1/2 and 2/3 to either of two parties, whose owners allow 1."""
    for n in range(1, most + 1):
        for costs in product((Fraction(1, 2), Fraction(2, 3)), repeat=n):
            yield from ((costs, 1, asked) for asked in product((0, 1), repeat=n))


TRIED = (
    *("nobody pinned", "all pinned", "one is not pinned", "three at least", "two tolerated", "one tolerated"),
    "counts only",
)


def limits_hold(tried: str) -> None:
    """What an owner does not allow, the party does not do, whoever asks; and nothing is charged."""
    others = [Identity.create().public for _ in range(2)]
    setup = Setup()
    all_of_them = [one.public for one in setup.identities]
    pinned: dict[str, dict[str, Any]] = {
        "nobody pinned": {"members": ANYBODY},
        "all pinned": {},
        "one is not pinned": {"members": [all_of_them[0], *others]},
        "three at least": {"minimum": 3},
        "two tolerated": {"tolerate": 2},
        "one tolerated": {"tolerate": 1},
        "counts only": {"queries": [ClassCounts]},
    }
    setup.endpoints[0]._limits = Limits(**{"members": all_of_them, "tolerate": 0, **pinned[tried]})
    try:
        session = setup.begin()
    except RoundLost as refusal:
        require(tried in ("one is not pinned", "three at least", "two tolerated"), f"it takes no part: {refusal}")
        require("not allowed" in str(refusal), f"it refuses so: {refusal}")
        return
    require(tried not in ("one is not pinned", "three at least", "two tolerated"), "it takes part")
    queries: list[Query] = [ClassCounts(ALL, ONE), ClassHistogram(ALL, Fraction(1, 2), 0), NodeHistograms(ALL, ONE)]
    for number, query in enumerate(queries, 1):
        got = answer_of(setup.endpoints[0], language.write(request(session, number, query)))
        allowed = tried != "counts only" or type(query) is ClassCounts
        require((type(got) is Answer) == allowed, f"asked for {query.type}, it says {got}")
    require(setup.ledgers[0].spent == (1 if tried == "counts only" else Fraction(5, 2)), "refused, and charged")


def invented_members(invented: int, stated: str) -> None:
    """An aggregator lists members that it has invented, whose noise it knows: the party is not counted with them.

    Its exact counts would be seen, for no more than one charge. Only an owner who says so believes such a list.
    """
    own, key, friend = Ledger(30), Identity.create(), Identity.create().public
    limits: dict[str, dict[str, Any]] = {
        "nothing": {},
        "pinned": {"limits": Limits(members=[key.public, friend], tolerate=0)},
        "noise": {"limits": Limits(members=ANYBODY, tolerate=1)},
        "anybody": {"limits": Limits(members=ANYBODY, tolerate=0)},
    }
    ledger, counts = Ledger(1), [0, 0]
    try:
        victim = Party(ROWS[0], AGE, ledger=own, identity=key, **limits[stated])
        members = [victim, *(Party([], AGE) for _ in range(invented))]
        federation = Federation(members, AGE, ledger, tolerate=0, rng=_KnownNoise())
        counts = federation.release([ClassCounts(ALL, ONE)])[0].tolist()
    except ValueError as refusal:
        require(stated != "anybody", f"it said that it believes any list, and refuses: {refusal}")
        require("limits" in str(refusal) or "not allowed" in str(refusal), f"it refuses so: {refusal}")
        require((own.rounds, ledger.rounds) == (0, 0), f"refused, and charged: {own}, {ledger}")
        return
    require(stated == "anybody", f"its counts of {counts} are seen among {invented} invented members")


def own_words(pinned: bool, given: Source) -> None:
    """Whoever has pinned its members draws from the operating system, whatever the federation draws from."""
    key, other = Identity.create(), Identity.create()
    limits = Limits(members=[key.public, other.public] if pinned else ANYBODY, tolerate=0)
    party = Party(ROWS[0], AGE, ledger=Ledger(1), limits=limits, identity=key)
    drawn_from = party.endpoint(given)._source
    require((type(drawn_from) is SystemSource) == pinned, f"its noise is drawn from {type(drawn_from).__name__}")
    require(pinned or drawn_from is given, "an owner who believes the aggregator has what it gives")


def one_session_a_name(first: tuple[int, int], second: tuple[int, int]) -> None:
    """Two lists of the same parties under one name: a position would mean two parties, so the second has no session."""
    parties = [Party(rows, AGE) for rows in ROWS[:2]]
    name, accepted = bytes(range(32)), list[bool]()
    for order in (first, second):
        seats = [parties[k].endpoint(ZeroWords()) for k in order]
        members = tuple(seat.identity for seat in seats)
        invitation = language.Invitation(name, domain_digest(AGE), members, 0, 0, ONE)
        accepted += [type(answer_of(seat, language.write(invitation))) is language.Contribution for seat in seats]
    require(accepted == [True, True, False, False], f"of two sessions of one name are accepted {accepted}")


class _KnownNoise(ZeroWords):
    """The first party's noise is honest; the aggregator knows that of the members that it has invented."""

    def spawn(self, n: int) -> list[Source]:
        return [SystemSource(), *(ZeroWords() for _ in range(n - 1))]


def asked_otherwise(parties: int, alone: int, cost: Fraction) -> None:
    """One party is asked more than the others, or for less noise: what they answer adds up to no number at all."""
    setup = Setup(parties)
    session = setup.begin()
    same, other = (request(session, 1, ClassCounts(ALL, epsilon)) for epsilon in (Fraction(1, 2), cost))
    words = []
    for k, endpoint in enumerate(setup.endpoints):
        got = answer_of(endpoint, language.write(other if k == alone else same))
        words.append(np.frombuffer(got.words, dtype=np.uint64))
    counts = counted(range(parties))
    agree = decode_sum(words).tolist() == counts.tolist()  # by chance with a probability of 2⁻⁶⁴ a number
    require(agree == (cost == Fraction(1, 2)), f"the sum {'is' if agree else 'is not'} learnt")


def counted(parties: Sequence[int]) -> Integers:
    rows = [row for k in parties for row in ROWS[k % len(ROWS)]]
    return np.array([sum(label == name for _, label in rows) for name in AGE.classes])


ASSUMED = ("integers mod $R$", "ideal keys, seals and masks")

CLAIMS = (
    Claim(
        "thm-party-ledger",
        status="proved+checked",
        code=(
            "fdpedu.federation.endpoint",
            "fdpedu.federation.endpoint.Endpoint._asked",
            "fdpedu.federation.limits.Limits",
            "fdpedu.federation.party.Party",
        ),
        checks=(
            Check(
                "own ledger",
                "exhaustive",
                "all sequences of up to {size} requests to either of two parties, of which the last are beyond the "
                "budget: what is answered, charged, and when it is counted",
                own_ledger,
                small_costs,
                2,
                4,
            ),
            Check(
                "limits",
                "exact",
                "an owner who pins members, wants three of them, two tolerated, or counts only",
                limits_hold,
                lambda _: ((tried,) for tried in TRIED),
            ),
            Check(
                "invented members",
                "exact",
                "a party with a ledger of its own among 1 to {size} members that the aggregator has invented: unless "
                "its owner says so, it takes no part, and nothing is charged",
                invented_members,
                lambda most: ((n, said) for n in (1, most) for said in ("nothing", "pinned", "noise", "anybody")),
                9,
                99,
                more=[(3, stated) for stated in ("nothing", "pinned", "noise", "anybody")],
            ),
            Check(
                "own words",
                "exact",
                "a party that has pinned its members, or believes any list, in a federation of known noise",
                own_words,
                lambda _: product((True, False), (ZeroWords(), Rehearsal(1))),
            ),
            Check(
                "one session a name",
                "exact",
                "two lists of the same two parties under one name, in the same order and in another one",
                one_session_a_name,
                lambda _: product(permutations(range(2)), repeat=2),
            ),
            Check(
                "asked otherwise",
                "exact",
                "2 to {size} parties, one of them asked at another rate: whether the answers add up to the counts",
                asked_otherwise,
                lambda most: (
                    (n, k, cost)
                    for n in range(2, most + 1)
                    for k, cost in product(range(n), (Fraction(1, 2), Fraction(1, 3), Fraction(3)))
                ),
                3,
                5,
            ),
        ),
        assumptions=(
            "the owner has compared and pinned all members; at most tolerate − missing of them collude",
            "the aggregator may deviate from the protocol; honest parties do not",
            *ASSUMED,
        ),
        uses=("thm-messages", "thm-announcements", "thm-equivocation", "thm-one-list", "thm-tolerate", "lem-filter"),
    ),
)

TWINS = (
    Broken(
        "refused round answered all the same",
        "fdpedu.federation.endpoint.Endpoint._charge",
        "if charges := self._charges(queries, ledger.colluders or 0):",
        "if (charges := self._charges(queries, 0)) and charges[0].cost.value <= ledger.remaining():",
        "The aggregator's ledger has accepted the round, so the party's own is only a record.",
        "thm-party-ledger",
        "own ledger",
    ),
    Broken(
        "charge after counting",
        "fdpedu.federation.endpoint.Endpoint._asked",
        "return self._charge(mine",
        "_ = self._counts(mine); return self._charge(mine",
        "As long as nothing is sent, the order does not matter.",
        "thm-party-ledger",
        "own ledger",
    ),
    Broken(
        "pinned list not looked at",
        "fdpedu.federation.limits.Limits.check_members",
        "not set(members) <= set(self.members)",
        "not set(members) & set(self.members)",
        "If one of the members is known, the others will be, too.",
        "thm-party-ledger",
        "limits",
    ),
    Broken(
        "a ledger is enough",
        "fdpedu.federation.party.Party.__init__",
        "ledger is not None and limits is None",
        "False",
        "A party that pays from its own ledger need not ask whom it is with.",
        "thm-party-ledger",
        "invented members",
    ),
    Broken(
        "pinned members skipped",
        "fdpedu.federation.limits.Limits.check_members",
        "not set(members) <= set(self.members)",
        "not members",
        "The noise of all members together protects each of them.",
        "thm-party-ledger",
        "invented members",
    ),
    Broken(
        "least tolerate not looked at",
        "fdpedu.federation.limits.Limits.check_members",
        "colluders < self.tolerate",
        "colluders < 0",
        "How many colluders are withstood is for the aggregator to say.",
        "thm-party-ledger",
        "invented members",
    ),
    Broken(
        "the federation's words for all",
        "fdpedu.federation.party.Party.endpoint",
        "source if self._source is None else self._source",
        "source",
        "One source for all parties makes a whole run repeatable.",
        "thm-party-ledger",
        "own words",
    ),
    Broken(
        "a name used twice",
        "fdpedu.federation.endpoint.Endpoint._invited",
        "got.name in self._sessions",
        "False",
        "The aggregator draws a new name for each session.",
        "thm-party-ledger",
        "one session a name",
    ),
    Broken(
        "any type of query",
        "fdpedu.federation.limits.Limits.check_query",
        "type(query) not in self.queries",
        "not self.queries",
        "What the domain knows may be asked.",
        "thm-party-ledger",
        "limits",
    ),
    Broken(
        "digest without the queries",
        "fdpedu.federation.endpoint.digest_of",
        '"queries": request.queries,',
        "",
        "All parties are sent the same request.",
        "thm-party-ledger",
        "asked otherwise",
    ),
)
