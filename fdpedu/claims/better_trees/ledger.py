"""A record lies at one party: what the ledger books for choices of several parties, and what a party's own admits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from fdpedu.accounting import Charge, Ledger
from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.accounting.sessions import booked as booked_in_sessions
from fdpedu.claims.accounting.sessions import heaps
from fdpedu.claims.better_trees.choice import TWO
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.federated import ONE_PARTY
from fdpedu.domain import Domain, Numeric, Region
from fdpedu.federation import ClassCounts, DesignedSplit, Federation, Limits, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.secure_sum import Identity, RoundLost
from fdpedu.trees import fit_federated_tree
from fdpedu.trees.designs.rotating import designers, level_costs

CELLS = Domain([Numeric.grid(name, 0, 8, bins=8) for name in ("age", "dose")], ("well", "ill"))  # 64 cells
SHARE = Fraction(1, 5)
SYSTEM, MONDAY = "operating system", "0" * 64  # a session's name


def booked(designs: tuple[int, ...]) -> None:
    """Along a path of all levels and its leaf, the ledger books ε, and the checker agrees: so do the costs of the rule.

    The levels of one party add up to (1−s)ε; those of different parties stand in parallel; all pay for the leaf.
    """
    ledger, region, charges = Ledger(10), CELLS.everything, list[Charge]()
    costs = level_costs(designs, Fraction(3, 2), SHARE)
    for who, cost in zip(designs, costs, strict=True):
        charges.append(DesignedSplit(region, cost, who).charge(CELLS, 0, SYSTEM, session=MONDAY))
        region = region.restrict(0, sorted(region.codes(0))[1:])
        own = sum(cost for k, cost in zip(designs, costs, strict=True) if k == who)
        require(own == Fraction(6, 5), f"the levels of party {who} cost {own} together, (1 − s)ε is 6/5")
    ledger.bind(CELLS)
    ledger.charge([*charges, ClassCounts(region, SHARE * 3 / 2).charge(CELLS, 0, SYSTEM)], "one path")
    proved = ledger.derivation().guarantee.spent
    require(ledger.spent == proved == Fraction(3, 2), f"the ledger says {ledger.spent}, the checker {proved}, ε is 3/2")


def paths(most: int) -> Iterator[tuple[tuple[int, ...]]]:
    """Two to five parties in turn, up to seven levels; and up to so many levels, each of any of three parties."""
    yield from ((designers(range(k), depth),) for k in range(2, 6) for depth in range(1, 8))
    yield from ((designs,) for depth in range(1, most + 1) for designs in product(range(3), repeat=depth))


def whole_trees(parties: int, depth: int, share: Fraction, budget: Fraction, seed: int) -> None:
    """A grown tree: spent is ε, the checker accepts it; a party's own ledger has paid for its levels and the leaf."""
    rows = [[[age + 0.5, (age * k + seed) % 8 + 0.5, "ill"] for age in range(8)] for k in range(parties)]
    own = [Ledger(budget) for _ in rows]
    anybody = Limits(members="anybody", tolerate=0)
    members = [Party(some, CELLS, ledger=ledger, limits=anybody) for some, ledger in zip(rows, own, strict=True)]
    federation = Federation(members, CELLS, Ledger(budget), rng=Rehearsal(seed), tolerate=seed % 2)
    tree = fit_federated_tree(
        federation, design="rotating", max_depth=depth, leaf_share=share, rng=Rehearsal(seed + parties)
    )
    require(tree.rounds == federation.rounds == depth + 1, f"{tree.rounds} rounds")
    there = {step["parameters"].get("designer") for _, step in tree.derivation.releases()} - {None}
    require(len(there) == min(parties, depth), f"parties {there} design {depth} levels")
    for who, ledger in enumerate(own):
        expected = budget if who in there or not depth else share * budget
        require(ledger.spent == expected, f"party {who} has paid {ledger.spent}, not {expected}")
    content, manifest = tree.derivation.content, json.loads(federation.manifest.to_json())
    guarantee = verdict(content, manifest)
    require(guarantee is not None and guarantee.value == guarantee.spent == budget, f"the checker says {guarantee}")
    require(federation.ledger.spent == budget, f"the ledger says {federation.ledger.spent} of {budget}")
    manifest["rounds"].pop(0)
    require(verdict(content, manifest) is None, "accepted with a query less than was released")


Told = tuple[int, Region, Fraction]  # to which party, where, at what cost


def hostile(told: Sequence[Told]) -> None:
    """An aggregator whose own ledger admits all: what is answered of a party costs no cell more than its budget of 1.

    In every other round the parties sit in another order, in another session, so positions are no help. A party
    refuses only where its costs, all added up, are beyond its budget.
    """
    own = [Ledger(1), Ledger(1)]
    keys = [Identity.create() for _ in own]
    pinned = Limits(members=[key.public for key in keys], tolerate=0)
    members = [
        Party([[0.5, 0.5, "ill"]], TWO, ledger=ledger, limits=pinned, identity=key, rng=ZeroWords())
        for ledger, key in zip(own, keys, strict=True)
    ]
    sessions: list[Any] = [
        Federation(some, TWO, Ledger(100), rng=ZeroWords(), tolerate=0) for some in (members, members[::-1])
    ]
    for session in sessions:
        session._require_designers = lambda *_: None  # an honest one names an account of its own for each session
    answered: list[list[tuple[Region, Fraction]]] = [[], []]
    for number, (who, region, cost) in enumerate(told):
        asked = DesignedSplit(region, cost, who if number % 2 == 0 else 1 - who)
        try:
            sessions[number % 2].release([asked], "one account")
        except RoundLost as lost:
            require(sum(c for _, c in answered[who]) + cost > 1, f"party {who} refuses {region} at {cost}: {lost}")
        else:
            answered[who].append((region, cost))
        for cell in (TWO.everything.restrict(0, {a}).restrict(1, {b}) for a, b in product((0, 1), repeat=2)):
            paid, booked = sum(c for where, c in answered[who] if where.contains(cell)), own[who].spent
            require(paid <= booked <= 1, f"a record of party {who} has paid {paid} of 1, its ledger says {booked}")


def scripts(most: int) -> Iterator[tuple[tuple[Told, ...]]]:
    """One party for all levels; a level twice; cells that overlap; cells that do not; and all scripts of few rounds."""
    whole = TWO.everything
    left, right, low = whole.restrict(0, {0}), whole.restrict(0, {1}), whole.restrict(1, {0})
    yield (tuple((0, region, Fraction(2, 5)) for region in (whole, left, left)),)
    yield (((0, whole, Fraction(4, 5)), (0, whole, Fraction(4, 5))),)
    yield (tuple((1, region, Fraction(2, 5)) for region in (left, low, whole)),)
    yield (((0, left, Fraction(1)), (0, right, Fraction(1)), (1, low, Fraction(1))),)
    rounds = list(product((0, 1), (whole, left, low), (Fraction(1, 2), Fraction(2, 3))))
    yield from ((told,) for n in range(2, most + 1) for told in product(rounds, repeat=n) if told[0][0] == 0)


WHOLE, LEFT = TWO.everything, TWO.everything.restrict(0, {0})

CLAIMS = (
    Claim(
        "lem-party-coordinate",
        status="proved+checked",
        code=(
            "fdpedu.trees.designs.rotating.level_costs",
            "fdpedu.federation.queries.choices.DesignedSplit",
        ),
        checks=(
            Check(
                "booked",
                "exhaustive",
                "2 to 5 parties in turn, 1 to 7 levels; up to {size} levels, each of any of three parties: costs, and "
                "what ledger and checker say",
                booked,
                paths,
                4,
                7,
                more=[((4,) * 6,), (tuple(range(7)),), ((255, 0, 255),)],
            ),
            Check(
                "whole trees",
                "property",
                "{size} random numbers of parties, orders, depths, shares and budgets: spent is ε, in the federation's "
                "ledger and in those of the parties; the checker accepts, and not with a query less",
                whole_trees,
                lambda draw: draw.tuples(
                    draw.integers(2, 5), draw.integers(0, 5), draw.shares, draw.budgets, draw.integers(0, 99)
                ),
                6,
                200,
                more=[(6, 2, Fraction(1, 3), Fraction(7, 3), 1), (2, 6, Fraction(1, 5), Fraction(1), 2)],
            ),
            Check(
                "sessions",
                "exhaustive",
                "two to {size} charges on positions in two sessions, in one account: no record pays more than booked",
                booked_in_sessions,
                heaps,
                3,
                4,
            ),
            Check(
                "hostile aggregator",
                "exact",
                "one party for all levels, a level twice, overlapping cells, and all scripts of 2 to {size} such "
                "rounds, while the parties change their seats: what a party's own ledger stops",
                hostile,
                scripts,
                1,
                3,
                more=[
                    (((0, WHOLE, Fraction(1, 3)),) * 5,),
                    (
                        (
                            (1, LEFT, Fraction(1, 2)),
                            (0, WHOLE, Fraction(1)),
                            (1, WHOLE, Fraction(1)),
                            (0, LEFT, Fraction(1, 3)),
                        ),
                    ),
                ],
            ),
        ),
        assumptions=(ADD_REMOVE, ONE_PARTY, "integers"),
        uses=("lem-chosen-split", "lem-filter", "thm-checker-sound", "thm-manifest-complete"),
    ),
)

TWINS = (
    Broken(
        "full ε for every own level",
        "fdpedu.trees.designs.rotating.level_costs",
        "splits / own[party]",
        "splits",
        "Parties stand in parallel, so each level may cost all of (1 − s)ε.",
        "lem-party-coordinate",
        "booked",
    ),
    Broken(
        "positions of two sessions apart",
        "fdpedu.domain.region.Region.is_disjoint",
        "if self.session != other.session:",
        "if False:",
        "A record lies at one party, whatever the session is.",
        "lem-party-coordinate",
        "sessions",
    ),
    Broken(
        "positions in a party's own ledger",
        "fdpedu.federation.queries.query.Query.charge",
        "self.region if session is None else self.charged_region(session)",
        'self.charged_region(session or "0" * 64)',
        "A ledger that knows of parties may be used by each of them.",
        "lem-party-coordinate",
        "hostile aggregator",
    ),
)
