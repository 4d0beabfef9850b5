"""Masks with a few neighbours: what they leave to see."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, product

import numpy as np

from fdpedu.claims.checking import Refuted, require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum.ideal import ideal_tables, view_counts
from fdpedu.privacy import hockey_stick, mix
from fdpedu.secure_sum import KeyPair, Masks, commit_coins, components, encode, joint_coins, neighbour_masks
from fdpedu.secure_sum.neighbours import Graph

Pairs = tuple[tuple[int, int], ...]


def graph_of(parties: int, pairs: Pairs) -> Graph:
    """The graph with these edges."""
    return tuple(frozenset(j for pair in pairs if k in pair for j in pair if j != k) for k in range(parties))


def all_pairs(parties: int) -> Iterator[Pairs]:
    """The edges of every graph, few ones first."""
    every = list(combinations(range(parties), 2))
    return chain.from_iterable(combinations(every, size) for size in range(len(every) + 1))


def component_sums(modulus: int, parties: int, pairs: Pairs, gone: int) -> None:
    """Given all masks of those that are gone, encodings are uniform among those with the sum of each component.

    All masks and all values of the honest that are there; the last parties are gone: they collude, or their masks were
    opened because they are missing.
    """
    graph, there = graph_of(parties, pairs), range(parties - gone)
    own_pairs = [KeyPair() for _ in range(parties)]
    publics = [pair.public for pair in own_pairs]
    with ideal_tables(len(pairs), modulus) as tables:
        masks = [neighbour_masks(k, own_pairs[k], publics, graph).draw(1, tables.size, modulus) for k in there]
        ends = [(k, j) for k, j in pairs if k in there and j not in there]
        known = [Masks(k, {j: own_pairs[k].shared_key(publics[j])}).draw(1, tables.size, modulus) for k, j in ends]
    open_masks = [
        sum((one.astype(np.int64) for (k, _), one in zip(ends, known, strict=True) if k == own), 0) for own in there
    ]
    groups = components(graph, there)
    views = modulus ** (len(there) - len(groups) + len(known))
    for values in product(range(modulus), repeat=len(there)):
        sent = [encode(np.full(tables.size, x), mask, modulus) for x, mask in zip(values, masks, strict=True)]
        peeled = [(one.astype(np.int64) - taken) % modulus for one, taken in zip(sent, open_masks, strict=True)]
        for group in groups:
            total = sum(peeled[k] - values[k] for k in group)
            require(not np.any(total % modulus), f"what is seen of the parties {group} is not their sum")
        counts = view_counts([*known, *(one.astype(np.uint64) for one in peeled)], modulus)
        require(len(set(counts.values())) == 1, "some views are likelier than others")
        require(len(counts) == views, f"{len(counts)} views occur, of {views} with these sums")


def small_graphs(most: int) -> Iterator[tuple[int, int, Pairs, int]]:
    """All graphs on 2 to 4 parties, R from 2 up to ``most``, all numbers of those that are gone."""
    for parties, modulus in product(range(2, 5), range(2, most + 1)):
        for pairs in all_pairs(parties):
            yield from ((modulus, parties, pairs, gone) for gone in range(parties - 1))


def delta_is_added(noise: tuple[int, ...], failure: Fraction) -> None:
    """Two parties, each with a share of noise mod R; the total is ε-DP, and both numbers are seen with probability δ.

    Of the mixture, e^ε and the distance between neighbours are computed exactly: δ is enough, and no less is.
    """
    modulus, weight = len(noise), sum(noise)
    share = [Fraction(w, weight) for w in noise]

    def seen(value: int, apart: bool) -> list[Fraction]:
        """The law of what is seen: both numbers, or a total that takes the first row of the table."""
        law = [Fraction(0)] * modulus**2
        for a, b in product(range(modulus), repeat=2):
            sent = ((value + a) % modulus, b)
            law[sent[0] * modulus + sent[1] if apart else sum(sent) % modulus] += share[a] * share[b]
        return [*([Fraction(0)] * modulus**2), *law] if apart else [*law, *([Fraction(0)] * modulus**2)]

    totals = [seen(value, apart=False) for value in (0, 1)]
    alone = [seen(value, apart=True) for value in (0, 1)]
    bound = max(_ratio(*totals), _ratio(*totals[::-1]))
    one, other = (mix([1 - failure, failure], [total, both]) for total, both in zip(totals, alone, strict=True))
    worst = max(hockey_stick(one, other, bound), hockey_stick(other, one, bound))
    require(worst <= failure, f"δ = {worst} is more than the probability {failure} of a bad graph")
    require(worst > 0, "nothing is added although both numbers are seen")


def _ratio(p: list[Fraction], q: list[Fraction]) -> Fraction:
    """The largest ratio of two laws whose zeros are the same."""
    return max(a / b for a, b in zip(p, q, strict=True) if b)


def coins_are_common(parties: int) -> None:
    """No party changes its coins, or the list, after it has committed; all coins and the list make the joint ones."""
    members = [bytes([k]) * 32 for k in range(parties)]
    coins = [bytes([100 + k]) * 32 for k in range(parties)]
    promised = [commit_coins(own, members) for own in coins]
    found = {joint_coins(coins, promised, members)}
    for k in range(parties):
        others = [*coins[:k], bytes(32), *coins[k + 1 :]]
        _require_refused(others, promised, members, f"member {k} shows other coins than it has committed to")
        own = [*promised[:k], commit_coins(bytes(32), members), *promised[k + 1 :]]
        found.add(joint_coins(others, own, members))
    turned = members[::-1]
    _require_refused(coins, promised, turned, "the list is turned round after all have committed to another")
    found.add(joint_coins(coins, [commit_coins(own, turned) for own in coins], turned))
    require(len(found) == parties + 2, "two different tosses, or lists, make the same joint coins")


def _require_refused(coins: list[bytes], promised: list[bytes], members: list[bytes], what: str) -> None:
    try:
        joint_coins(coins, promised, members)
    except ValueError:
        return
    raise Refuted(f"accepted, although {what}")


CLAIMS = (
    Claim(
        "thm-neighbours",
        status="proved+checked",
        code=(
            "fdpedu.secure_sum.neighbours",
            *(
                f"fdpedu.secure_sum.neighbours.{name}"
                for name in "commit_coins joint_coins components neighbour_masks".split()
            ),
        ),
        checks=(
            Check(
                "component sums",
                "exhaustive",
                "all graphs on two to four parties, all numbers of them gone, all values and all masks, R to {size}",
                component_sums,
                small_graphs,
                3,
            ),
            Check(
                "a bad graph",
                "exact",
                "two parties, four distributions of a share, four probabilities that they share no masks: δ is enough",
                delta_is_added,
                lambda _: product(
                    ((4, 2, 1), (9, 3, 1, 3), (8, 4, 2, 1, 2, 4), (2, 1)), map(Fraction, ("1/100", "1/3", "1", "3/4"))
                ),
                more=[((4, 2, 1), Fraction(1, 7))],
            ),
            Check(
                "coins",
                "exact",
                "two to {size} parties: coins that were not committed to, and other lists, are refused",
                coins_are_common,
                lambda most: ((n,) for n in range(2, most + 1)),
                5,
                12,
            ),
        ),
        assumptions=(
            "parties and aggregator are honest but curious",
            "who colludes, and who is missing, does not depend on the graph",
            "ideal masks",
            "integers mod $R$",
        ),
        uses=("asm-key-stream", "thm-sum-colluders", "asm-signatures", "lem-canonical"),
    ),
)

TWINS = (
    Broken(
        "coins chosen last",
        "fdpedu.secure_sum.neighbours.joint_coins",
        "if commit_coins(own, listed) != commitment:",
        "if len(commitment) != 32:",
        "A hash of everybody's coins is random, whoever shows his last.",
        "thm-neighbours",
        "coins",
    ),
    Broken(
        "a graph for any list",
        "fdpedu.secure_sum.neighbours.commit_coins",
        "_identities(members), coins",
        "len(_identities(members)), coins",
        "Coins are coins, whoever tosses them.",
        "thm-neighbours",
        "coins",
    ),
)
