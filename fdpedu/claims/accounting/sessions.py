"""Positions of parties in sessions: what divides records in a document, in a ledger, and in a manifest.

Checks of thm-checker-sound, thm-manifest-complete and lem-party-coordinate.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from fdpedu.accounting import Charge, Cost, Ledger
from fdpedu.accounting.cost import GAUSSIAN
from fdpedu.claims.accounting.derivations import (
    BIT,
    Content,
    combined,
    document,
    release,
    releases,
    restated,
    verdict,
    walk,
)
from fdpedu.claims.checking import require
from fdpedu.claims.federations import AGE
from fdpedu.domain import Region
from fdpedu.federation import ClassCounts, DesignedSplit, Federation, Manifest, Party
from fdpedu.randomness import Rehearsal

MONDAY, TUESDAY = "0" * 64, "1" * 64  # names of sessions
Placed = tuple[str, tuple[int, ...]]  # a session and positions in it; no positions: all parties
PLACED: tuple[Placed, ...] = (("", ()), *product((MONDAY, TUESDAY), ((0,), (1,), (0, 1))))
_PLACES = tuple(product(range(3), range(3)))  # of a record's party: on Monday's list, and on Tuesday's


def _held(placed: Placed) -> set[tuple[int, int]]:
    """The places of the records that pay."""
    session, positions = placed
    return {place for place in _PLACES if not positions or place[session == TUESDAY] in positions}


def _named(placed: Placed) -> Content:
    return {f"party {placed[0]}": [*placed[1]]} if placed[1] else {}


def positions(rule: str, first: Placed, second: Placed) -> None:
    """Two premises on positions in two sessions: accepted iff the rule holds on the sets of records.

    In a document of fdpedu 0.1.0 there are no positions.
    """
    expected = rule == "sequential" or not _held(first) & _held(second)
    premises = release(1, _named(first)), release(2, _named(second))
    content = document(combined(rule, {}, *premises), [BIT])
    found = verdict(content)
    require((found is not None) == expected, f"the checker says {found}, the rule holds on the records: {expected}")
    found = verdict({**content, "schema": "fdpedu-derivation/7"})
    expected = expected and not first[1] + second[1]
    require((found is not None) == expected, f"the checker says {found} of positions in a document of fdpedu 0.1.0")


def designed(kind: str, designer: int, placed: Placed) -> None:
    """A release stands on a position only if it is a designed split, and then on its designer's alone."""
    step = release(1, _named(placed), type=kind, parameters={"designer": designer})
    expected = kind == "by-hand" or not placed[1] or (kind == "designed-split" and placed[1] == (designer,))
    found = verdict(document(step, [BIT]))
    require((found is not None) == expected, f"the checker says {found} of a {kind} on {placed[1] or 'all parties'}")


def booked(charged: tuple[Placed, ...]) -> None:
    """Charges on positions in two sessions, in one account: no record pays more than the ledger books."""
    ledger, bit = Ledger(100), Region((3,), 1)
    for number, (session, some) in enumerate(charged):
        region = bit.of_party(some, session) if some else bit
        ledger.charge([Charge(region, 2**number, "a count", "noise", 1, "thm-histogram")])
    worst = max(sum(2**i for i, placed in enumerate(charged) if place in _held(placed)) for place in _PLACES)
    require(worst <= ledger.spent, f"a record pays {worst}, the ledger books {ledger.spent}")


def heaps(most: int) -> Iterator[tuple[tuple[Placed, ...]]]:
    """All lists of two up to so many charges."""
    yield from ((charged,) for n in range(2, most + 1) for charged in product(PLACED, repeat=n))


# --- Shares, and what they cost ---

ON_SHARES = ("less ξ in both", "less ξ in the query", "one share more", "one party missing more", "another list")


def shares_changed(parties: int, tolerate: int, what: str) -> None:
    """Two sessions of a ledger in ρ, accepted with their manifest; what withstands less, or costs more, is refused."""
    ledger, manifests = Ledger(rho=1, colluders=tolerate), []
    for _ in range(2):
        members = [Party([], AGE) for _ in range(parties)]
        federation = Federation(members, AGE, ledger, rng=Rehearsal(0), tolerate=tolerate)
        federation.release([ClassCounts(AGE.everything, Cost(GAUSSIAN, Fraction(1, 4)))])
        manifests.append(federation.manifest)
    content, manifest = ledger.derivation().content, json.loads(Manifest.joined(manifests).to_json())
    require(verdict(content, manifest) is not None, "they are refused as they are")
    forged, entry = copy.deepcopy(content), manifest["rounds"][1]
    if what.startswith("less ξ"):
        entry["queries"][0]["xi"] = "0"
        if what.endswith("both"):
            steps = [step for step in walk(forged["proof"]) if step["rule"] != "adaptive"]
            for step in steps:
                xi = releases(content)[0]["xi"] if step["rule"] == "sequential" or step.get("round") == 1 else "0"
                step["xi"] = xi
    elif what == "one share more":
        entry["shares"] += 1
    elif what == "one party missing more":
        entry["missing"] += 1
    else:
        first = manifest["rounds"][0]
        entry["session"], entry["receivers"] = first["session"], first["receivers"][::-1]
    found = verdict(forged, manifest)
    require(found is None, f"the checker says {found}")


# --- Forged alike in both files, so that query and release do not differ ---

ALIKE = ("designer", "designer of all", "by hand", "by hand of all", "no sessions", "no session once", "older sessions")


def alike_changed(parties: int, what: str) -> None:
    """A split that each party designs: accepted; what says so of a stranger, by hand, or of no session is refused."""
    federation = Federation([Party([], AGE) for _ in range(parties)], AGE, Ledger(9), rng=Rehearsal(0))
    for designer in range(parties):
        federation.release([DesignedSplit(AGE.everything, 1, designer)])
    content, manifest = federation.ledger.derivation().content, json.loads(federation.manifest.to_json())
    require(verdict(content, manifest) is not None, "they are refused as they are")
    queries = [entry["queries"][0] for entry in manifest["rounds"]]
    steps = sorted(releases(content), key=lambda step: int(step["round"]))
    for one in (steps[-1], queries[-1]):
        if what.startswith("designer"):
            one["parameters"]["designer"] = parties
            one["region"] = {name: [parties] for name in one["region"]}
        elif what.startswith("by hand"):
            one["type"] = "by-hand"
    for one in (*steps, *queries) if what not in ("designer", "by hand", "older sessions") else ():
        one["region"] = {}
    for entry in manifest["rounds"][:1] if what == "no session once" else manifest["rounds"]:
        for key in ("session", "shares", "missing") if what.startswith("no session") else ():
            del entry[key]
    if what == "older sessions":
        manifest["schema"] = "fdpedu-manifest/4"
    rules = combined("sequential", {}, *steps)
    found = verdict(restated({**content, "proof": rules}), manifest)
    require(found is None, f"the checker says {found}")
