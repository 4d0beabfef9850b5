"""Derivation and manifest of one federation belong together, release by release."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from fdpedu.accounting import BudgetExceeded
from fdpedu.accounting.worked.by_hand import Shape, theorem_6
from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.accounting.derivations import Content, releases, restated, verdict, walk
from fdpedu.claims.accounting.sessions import ALIKE, ON_SHARES, alike_changed, shares_changed
from fdpedu.claims.checking import require
from fdpedu.claims.federations import AGE, Case, federate, grow
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.federation import ClassCounts, ClassHistogram, InProcess, Query
from fdpedu.federation.messages import Answer, read
from fdpedu.randomness import Rehearsal, ZeroWords

ALL, YOUNG, OLD = AGE.everything, AGE.everything.restrict(0, [0]), AGE.everything.restrict(0, [1])
Rounds = tuple[tuple[int, ...], ...]  # which queries each round asks
ON_DERIVATION = ("release left out", "release added", "release repeated", "release cheaper", "release moved")

QUERIES: tuple[Query, ...] = (
    ClassHistogram(ALL, Fraction(1), 0),
    ClassCounts(YOUNG, Fraction(1, 2)),
    ClassCounts(OLD, Fraction(1, 3)),
)


@dataclass(frozen=True)
class Released:
    """Derivation and manifest of a federation that has asked these queries."""

    rounds: Rounds
    derivation: str = field(repr=False)
    manifest: str = field(repr=False)

    @classmethod
    def after(cls, rounds: Rounds) -> Released:
        """Ask them, of two parties that have one row."""
        federation = federate([[[10, "ill"]], []], AGE, 100, Rehearsal(0))
        for numbers in rounds:
            federation.release([QUERIES[i] for i in numbers])
        return cls(rounds, federation.ledger.derivation().to_json(), federation.manifest.to_json())


def _without(step: Content, release: Content) -> Content | None:
    """The derivation without one release; None if nothing is left of it."""
    if step["rule"] == "release":
        return None if step is release else step
    premises = [kept for premise in step["premises"] if (kept := _without(premise, release)) is not None]
    return {**step, "premises": premises} if premises else None


def _with(content: Content, release: Content) -> None:
    """Another release, in sequence with all others."""
    root = content["proof"]["premises"]
    root[0] = {"rule": "sequential", "epsilon": "", "region": {}, "premises": [root[0], release]}


def _change_manifest(manifest: Content, change: str, at: int) -> bool:
    """Change the at-th query of the manifest; False if there is nothing to change."""
    places = [(entry["queries"], i) for entry in manifest["rounds"] for i in range(len(entry["queries"]))]
    queries, i = places[at]
    if change == "query left out":
        del queries[i]
        if not queries:
            manifest["rounds"] = [entry for entry in manifest["rounds"] if entry["queries"]]
    elif change == "query added":
        queries.append(copy.deepcopy(queries[i]))
    elif change == "query altered":
        queries[i]["rate"] = str(Fraction(queries[i]["rate"]) / 2)
    elif change == "type altered":
        queries[i]["type"] = "another-type"
    elif change == "parameter altered":
        queries[i]["parameters"] = {**queries[i]["parameters"], "feature": 1}
    elif change.startswith("receivers"):
        entry = next(entry for entry in manifest["rounds"] if entry["queries"] is queries)
        entry["receivers"] = entry["answers"] = entry["receivers"][: change == "receivers but one left out"]
        manifest["schema"] = "fdpedu-manifest/4"  # where there are no shares that would show it
        for entry in manifest["rounds"]:
            for key in ("session", "shares", "missing"):
                del entry[key]
    elif change == "queries exchanged":
        other, j = places[(at + 1) % len(places)]
        if queries[i] == other[j]:
            return False
        queries[i], other[j] = other[j], queries[i]
    else:
        manifest["rounds"].append({**copy.deepcopy(manifest["rounds"][-1]), "round": len(manifest["rounds"]) + 1})
    return True


def _change_derivation(content: Content, change: str, at: int) -> bool:
    """Change the at-th release, and state all sums anew; False if nothing would be left."""
    release = releases(content)[at]
    if change == "release left out":
        proof = _without(content["proof"], release)
        if proof is None:
            return False
        content["proof"] = proof
    elif change == "release added":
        _with(content, {**copy.deepcopy(release), "index": 99})
    elif change == "release repeated":
        _with(content, copy.deepcopy(release))
    elif change == "release cheaper":
        release["rate"] = str(Fraction(release["rate"]) / 2)
    else:
        release["round"] += 50
    restated(content)
    return True


ON_MANIFEST = (
    *("query left out", "query added", "query altered", "queries exchanged", "round repeated"),
    *("receivers left out", "receivers but one left out", "type altered", "parameter altered"),
)


def changed_is_refused(released: Released, what: str, at: int) -> None:
    """As they are, derivation and manifest are accepted together; with the change they are refused."""
    content, manifest = json.loads(released.derivation), json.loads(released.manifest)
    require(verdict(content, manifest) is not None, "they are refused as they are")
    changed = _change_manifest(manifest, what, at) if what in ON_MANIFEST else _change_derivation(content, what, at)
    found = verdict(content, manifest) if changed else None
    require(found is None, f"the checker says {found}")


def changes(most: int) -> Iterator[tuple[Released, str, int]]:
    """One to so many rounds of one to three queries, and a change of every kind to each query or release."""
    one_round = [(0,), (1, 2), (2, 0, 1), (0, 0)]
    for n in range(1, most + 1):
        for released in map(Released.after, product(one_round, repeat=n)):
            places = range(sum(map(len, released.rounds)))
            yield from product([released], (*ON_MANIFEST, *ON_DERIVATION), places)


def shape(node: Node) -> Shape | None:
    """The shape of a grown tree, which is all that Theorem 6 needs."""
    if not isinstance(node.split, CodeSplit) or not node.left or not node.right:
        return None
    return Shape(node.split.feature, node.split.left, shape(node.left), shape(node.right))


def complete_tree(case: Case, depth: int, seed: int) -> None:
    """A grown tree's derivation is complete by the manifest, and no longer when the last query is left out of it."""
    tree, federation = grow(case, 3, Rehearsal(seed), max_depth=depth, min_samples_split=2)
    content, manifest = tree.derivation.content, json.loads(federation.manifest.to_json())
    require(verdict(content, manifest) is not None, "derivation and manifest are refused")
    queries = sum(len(entry["queries"]) for entry in manifest["rounds"])
    require(queries == len(releases(content)), f"{queries} queries, {len(releases(content))} releases")
    _change_manifest(manifest, "query left out", queries - 1)
    require(verdict(content, manifest) is None, "accepted without its last query")


def by_hand(case: Case, budget: Fraction, share: Fraction, depth: int, unspent: bool, seed: int) -> None:
    """Equation (3) written out from the tree's shape alone is what the ledger derives, step by step."""
    options = {"max_depth": depth, "leaf_share": share, "unspent_to_leaf": unspent}
    tree, _ = grow(case, budget, Rehearsal(seed), min_samples_split=2, **options)
    written = theorem_6(case[0], shape(tree.root), epsilon=budget, randomness=Rehearsal.kind, **options)  # type: ignore[arg-type]
    require(
        written.content == tree.derivation.content, f"by hand:\n{written.render()}\ngrown:\n{tree.derivation.render()}"
    )
    require(written.guarantee.value == budget, f"the guarantee is {written.guarantee.value}")
    require(len(list(walk(written.content["proof"]))) > 1, "nothing is derived")


class _Answers(InProcess):
    """A transport that keeps the first party's masked numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[bytes] = []

    def gather(
        self, round_number: int, names: Sequence[str], request: bytes, endpoints: Sequence[Callable[[bytes], bytes]]
    ) -> list[bytes | None]:
        answers = super().gather(round_number, names, request, endpoints)
        self.kept.append(read(answers[0] or b"", Answer).words)
        return answers


def fresh_masks(costs: tuple[str, ...]) -> None:
    """No rows and no noise, so an answer is its masks: accepted rounds have new ones, and refused rounds have none."""
    transport = _Answers()
    federation = federate([[], []], AGE, 1, ZeroWords(), transport=transport)
    accepted = 0
    for cost in costs:
        try:
            federation.release([ClassCounts(ALL, Fraction(cost))])
            accepted += 1
        except BudgetExceeded:
            pass
        require(len(transport.kept) == accepted, f"{len(transport.kept)} rounds were answered, {accepted} accepted")
    require(len(set(transport.kept)) == accepted, "two rounds have the same masks")


CLAIMS = (
    Claim(
        "thm-manifest-complete",
        status="proved+checked",
        code=("fdpedu.derivation_checker.check_derivation", "fdpedu.federation.federation.Federation.manifest"),
        checks=(
            Check(
                "changes",
                "exhaustive",
                "federations of up to {size} rounds of one to three queries: accepted; and refused with any query or "
                "release left out, added, repeated, exchanged or altered, or with no more receivers than colluders",
                changed_is_refused,
                changes,
                2,
                3,
            ),
            Check(
                "shares",
                "exhaustive",
                "2 to {size} parties in two sessions of a ledger in ρ, whatever is tolerated: accepted; refused with "
                "less ξ, more shares or missing parties, or another list of the same session",
                shares_changed,
                lambda most: ((n, c, what) for n in range(2, most + 1) for c in range(n - 1) for what in ON_SHARES),
                4,
                7,
            ),
            Check(
                "alike",
                "exhaustive",
                "2 to {size} parties design a split each: accepted; refused where both files name a designer beyond "
                "the parties or a query by hand, or the manifest leaves a session out, or has one in an older schema",
                alike_changed,
                lambda most: product(range(2, most + 1), ALIKE),
                3,
                6,
            ),
            Check(
                "grown trees",
                "property",
                "{size} random trees: complete by their manifest, incomplete without the last query",
                complete_tree,
                lambda draw: draw.tuples(draw.domains_with_parties(), draw.integers(0, 3), draw.integers(0, 99)),
                25,
                300,
            ),
        ),
        assumptions=("the manifest is complete: everything that crossed the transport stands in it",),
        uses=("thm-checker-sound",),
    ),
)

TWINS = (
    Broken(
        "a designer from nowhere",
        "fdpedu.derivation_checker._need_designer",
        "designer < parties",
        "parties",
        "Release and query name the same designer.",
        "thm-manifest-complete",
        "alike",
    ),
    Broken(
        "queries by hand",
        "fdpedu.derivation_checker._check_release",
        'query["type"] != BY_HAND',
        "query",
        "A type is a name, and names are compared.",
        "thm-manifest-complete",
        "alike",
    ),
    Broken(
        "sessions where they are stated",
        "fdpedu.derivation_checker._check_manifest",
        'stated = document["schema"] == MANIFEST_SCHEMA',
        'stated = "session" in document["rounds"][0]',
        "A manifest that does not name sessions is an older one.",
        "thm-manifest-complete",
        "alike",
    ),
    Broken(
        "query without release",
        "fdpedu.derivation_checker.check_derivation",
        "for name in reading.queries or ():",
        "for name in ():",
        "What is derived is what was released.",
        "thm-manifest-complete",
        "changes",
    ),
    Broken(
        "release without query",
        "fdpedu.derivation_checker._check_release",
        "if reading.queries is not None:",
        "if name in (reading.queries or ()):",
        "A proof of more than was asked does no harm.",
        "thm-manifest-complete",
        "changes",
    ),
    Broken(
        "shares for free",
        "fdpedu.derivation_checker._need_shares",
        "least = least_xi(",
        "least = 0 * least_xi(",
        "A release states what it costs.",
        "thm-manifest-complete",
        "shares",
    ),
    Broken(
        "ξ of the release alone",
        "fdpedu.derivation_checker._need_shares",
        '_need(_fraction(query["xi"], name) == cost[1], name,',
        '_need(_fraction(query["xi"], name) <= cost[1], name,',
        "A query says what is asked, and not what it costs.",
        "thm-manifest-complete",
        "shares",
    ),
    Broken(
        "as many shares as there are parties",
        "fdpedu.derivation_checker._session",
        "len(parties) - shares - missing)",
        "len(parties) - 1)",
        "Noise in shares withstands all parties but one.",
        "thm-manifest-complete",
        "shares",
    ),
    Broken(
        "a list of parties for each round",
        "fdpedu.derivation_checker._session",
        "sessions.setdefault(name, (parties, shares, missing)) == (parties, shares, missing)",
        "parties",
        "Whom a round was sent to is a matter of that round.",
        "thm-manifest-complete",
        "shares",
    ),
    Broken(
        "counted, not compared",
        "fdpedu.derivation_checker._check_release",
        "_asked(query, reading.measure, name) == asked and where == {**around, **named}",
        "query",
        "As many releases as queries: then nothing is missing.",
        "thm-manifest-complete",
        "changes",
    ),
    Broken(
        "region within the enclosing step",
        "fdpedu.derivation_checker._check_release",
        "where == {**around, **named}",
        "where == named",
        "A release and its query name the same coordinates.",
        "thm-manifest-complete",
        "changes",
    ),
    Broken(
        "type not compared",
        "fdpedu.derivation_checker._check_release",
        "_asked(query, reading.measure, name) == asked and",
        '(_asked(query, reading.measure, name)[:3], query["parameters"]) == (asked[:3], step["parameters"]) and',
        "Region and costs tell queries apart.",
        "thm-manifest-complete",
        "changes",
    ),
    Broken(
        "parameters not compared",
        "fdpedu.derivation_checker._check_release",
        "_asked(query, reading.measure, name) == asked and",
        "_asked(query, reading.measure, name)[:4] == asked[:4] and",
        "Queries of one type, region and cost are one query.",
        "thm-manifest-complete",
        "changes",
    ),
)
