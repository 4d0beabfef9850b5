"""A whole tree by votes: its transcript's law, its path through the shipped code, and what a record and a party pay."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.claims.better_trees.choice import TWO, WARDS
from fdpedu.claims.better_trees.insiders import public_numbers, require_numbers
from fdpedu.claims.better_trees.law import Record, class_counts, records, sides_of
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.laws.designs import DESIGN_LAWS
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import enumerate_law
from fdpedu.claims.secret_sharing.vote import HALF, totals_law, vote_law
from fdpedu.claims.trees.federated import OBSERVER, ONE_PARTY
from fdpedu.domain import Domain
from fdpedu.federation import Federation, Limits, Party, SplitVote
from fdpedu.privacy import Law, datasets, max_ratio
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import Identity, RoundLost
from fdpedu.trees import Votes
from fdpedu.trees.clamped_tables import Data, clamped
from fdpedu.trees.designs.votes import winner_of

_M, _LEAF = 2, 1  # steps of a vote and of a leaf: e^ε = 2^(2 + 1)


def transcript(domain: Domain, parties: tuple[Data, Data]) -> Law:
    """The law of what is released of a tree with one level: totals, the winner, two leaves' clamped counts."""
    region, found = domain.everything, dict[Any, Fraction]()
    laws = [vote_law(domain, region, data, HALF, _M) for data in parties]
    pairs, both = list(sides_of(domain, region)), (*parties[0], *parties[1])
    for totals, mass in totals_law(laws).items():
        best = [at for at, total in enumerate(totals) if total == max(totals)]
        for at in best:
            counts = [n for side in pairs[at] for n in class_counts(domain, side, both)]
            tables = [enumerate(clamped(n, HALF**_LEAF, 0, 1)) for n in counts]
            for some in product(*map(list, tables)):
                seen = tuple(k for k, _ in some)
                found[totals, at, seen] = mass / len(best) * prod((p for _, p in some), start=Fraction(1))
    return found


def whole_transcript(domain: Domain, own: Data, other: Data, record: Record) -> None:
    """With a record more at a party nothing is more than e^ε times as likely, or as unlikely."""
    laws = [transcript(domain, (some, other)) for some in (own, (*own, record))]
    require(sum(laws[0].values()) == 1, "the probabilities do not add up to 1")
    worst = max(max_ratio(*laws), max_ratio(*laws[::-1]))
    require(worst <= 2 ** (_M + _LEAF), f"a transcript is {worst} times as likely, e^ε is {2 ** (_M + _LEAF)}")


def small(most: int) -> Iterator[tuple[Domain, Data, Data, Record]]:
    """All data of a party of at most so many records, every record added, beside another party with none, or two."""
    for domain in (TWO, WARDS):
        every = records(domain)
        for data, record in product(datasets(every, most), every):
            yield from ((domain, tuple(data), other, record) for other in ((), (every[0], every[-1])))


def ties(totals: tuple[int, ...], words: int) -> None:
    """Each of the most voted is as likely, over all tapes, and nothing else ever wins."""
    found, rest = enumerate_law(lambda tape: winner_of(np.array(totals), tape), 3, words)
    best = [at for at, total in enumerate(totals) if total == max(totals)]
    require(set(found) == set(best), f"of {totals} wins {sorted(found)}")
    for at, mass in found.items():
        require(mass <= Fraction(1, len(best)) <= mass + rest, f"{at} wins with probability {mass} of {totals}")


def all_totals(words: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Up to three choices with totals from −1 to 2, as a liar may make them."""
    yield from ((totals, words) for n in (1, 2, 3) for totals in product(range(-1, 3), repeat=n))


VOTES = DESIGN_LAWS["votes"]


def numbers(*asked: Any) -> None:
    """Both numbers of a tree by votes."""
    require_numbers(Votes(), *asked)


def hostile(told: tuple[tuple[Any, Fraction], ...]) -> None:
    """An aggregator whose own ledger admits all: no cell of a party votes for more than its budget of 1.

    The party refuses a vote exactly where some cell would pay more, overlaps being added up.
    """
    own = [Ledger(1), Ledger(1)]
    keys = [Identity.create() for _ in own]
    pinned = Limits(members=[key.public for key in keys], tolerate=0)
    members = [
        Party([[0.5, 0.5, "ill"]], TWO, ledger=ledger, limits=pinned, identity=key, rng=ZeroWords())
        for ledger, key in zip(own, keys, strict=True)
    ]
    federation = Federation(members, TWO, Ledger(100), rng=ZeroWords(), tolerate=0)
    answered = list[tuple[Any, Fraction]]()
    cells = [TWO.everything.restrict(0, {a}).restrict(1, {b}) for a, b in product((0, 1), repeat=2)]
    for region, cost in told:
        try:
            federation.release([SplitVote(region, cost)], "one account")
        except RoundLost as lost:
            worst = sum(c for where, c in answered if not where.is_disjoint(region)) + cost
            require(worst > 1, f"refused {region} at {cost}: {lost}")
        else:
            answered.append((region, cost))
        for cell in cells:
            paid = sum(c for where, c in answered if where.contains(cell))
            require(all(paid <= ledger.spent <= 1 for ledger in own), f"a record has paid {paid} of 1")


def scripts(most: int) -> Iterator[tuple[tuple[tuple[Any, Fraction], ...]]]:
    """All scripts of few rounds, of nested, disjoint and overlapping regions."""
    whole = TWO.everything
    regions = (whole, whole.restrict(0, {0}), whole.restrict(0, {1}), whole.restrict(1, {0}))
    rounds = list(product(regions, (Fraction(1, 2), Fraction(2, 3))))
    yield from ((told,) for n in range(2, most + 1) for told in product(rounds, repeat=n))


CLAIMS = (
    Claim(
        "thm-votes-tree",
        status="proved+checked",
        code=(
            "fdpedu.trees.designs.votes",
            "fdpedu.trees.designs.votes.level_costs",
            "fdpedu.trees.grow.fit_federated_tree",
        ),
        checks=(
            Check(
                "transcript",
                "exhaustive",
                "two parties, depth 1, two domains: all data of at most {size} records, every record added, beside an "
                "empty party and another: totals, winner and clamped counts",
                whole_transcript,
                small,
                1,
                2,
            ),
            Check(
                "ties", "exact", "all totals of up to three choices, over tapes of {size} words", ties, all_totals, 3, 5
            ),
            Check(
                "every path",
                "property",
                "{size} random cases: with one record more, or none at all, and the same answers, the same is asked "
                "and grown, and the record pays at most ε",
                VOTES.every_path,
                VOTES.paths,
                8,
                500,
            ),
            Check(
                "accepted",
                "property",
                "{size} grown trees: their derivations, with and without a query",
                VOTES.accepted,
                VOTES.runs,
                8,
                300,
            ),
        ),
        assumptions=(ADD_REMOVE, ONE_PARTY, "integers", OBSERVER, "running time is not covered"),
        uses=("lem-split-vote", "thm-histogram", "thm-round", "lem-filter", "thm-tolerate"),
    ),
    Claim(
        "thm-votes-insiders",
        status="proved+checked",
        code=("fdpedu.trees.designs.votes", "fdpedu.trees.promise.tree_promise"),
        checks=(
            Check(
                "numbers",
                "exact",
                "2 to {size} parties, every number of colluders and of those tolerated: both numbers of tree_guarantee",
                numbers,
                public_numbers,
                4,
                7,
            ),
            Check(
                "hostile",
                "exhaustive",
                "all scripts of 2 to {size} votes that an aggregator without a budget asks for",
                hostile,
                scripts,
                2,
                3,
            ),
        ),
        assumptions=(ADD_REMOVE, "all other parties and the aggregator may be malicious", "integers", "ideal masks"),
        uses=("thm-votes-tree", "thm-party-ledger", "thm-insider-polya", "thm-tolerate"),
    ),
)

_ROWS = "respond.__self__._records"  # what only a simulation can reach: the exact rows of a party
_DESIGN = "fdpedu.trees.designs.votes"

TWINS = (
    Broken(
        "an empty node is not voted on",
        "fdpedu.trees.choice_growth.ChoiceGrowth.enter",
        "deepest or not len(",
        f"deepest or not any({_ROWS}.within([node.region])[0].size for respond in self.asker._endpoints) or not len(",
        "Where no party has rows there is nothing to vote on.",
        "thm-votes-tree",
        "every path",
    ),
    Broken(
        "full ε at every level",
        f"{_DESIGN}.level_costs",
        "/ shape.depth,)",
        ",)",
        "The nodes of a tree hold different records, so their costs stand in parallel.",
        "thm-votes-insiders",
        "numbers",
    ),
    Broken(
        "a tie voted on again, uncharged",
        f"{_DESIGN}.VotesGrowth.sides",
        "winner_of(answer, self.coins)",
        "winner_of(answer if (answer == answer.max()).sum() == 1 else "
        "sum(respond.__self__._noisy([self.question(node.region, self.turn - 1)]) for respond in self.asker._endpoints)"
        ", self.coins)",
        "It is the same question, and it has been paid for.",
        "thm-votes-tree",
        "every path",
    ),
    Broken(
        "the first of a tie",
        f"{_DESIGN}.winner_of",
        "int(best[int(uniform_below(np.array([len(best)]), coins)[0])]) if len(best) > 1 else int(best[0])",
        "int(best[0])",
        "Somebody has to win, and the order of the features is public.",
        "thm-votes-tree",
        "ties",
    ),
    Broken(
        "shares of 1/K called safe for voters",
        "fdpedu.dlpa.guarantee._of_levels",
        "found[s] = loss(rest[s])",
        "found[s] = Enclosure.exactly(rest[s])",
        "Each party draws its vote alone, so colluders have nothing to subtract.",
        "thm-votes-insiders",
        "numbers",
    ),
    Broken(
        "votes by losses in half steps",
        "fdpedu.federation.queries.choices.Choice.tally",
        "self.loss, self.lattice)",
        "self.loss, 2 * self.lattice)",
        "A finer lattice loses less to rounding.",
        "thm-votes-tree",
        "transcript",
    ),
    Broken(
        "a release that nobody asked for",
        "fdpedu.derivation_checker._check_release",
        "_need(name in reading.queries,",
        "if name not in reading.queries:\n            return cost, named\n        _need(True,",
        "A release without a query costs what it says, so it does no harm.",
        "thm-votes-tree",
        "accepted",
    ),
    Broken(
        "overlapping nodes are different nodes",
        "fdpedu.domain.region.Region.is_disjoint",
        "(common + fill) & spare != spare",
        "self._packed != other._packed",
        "Two nodes of a tree hold different records.",
        "thm-votes-insiders",
        "hostile",
    ),
)
