"""How many nodes a tree may have, so that what it asks can be told and answered, and its derivation be written.

A request, an answer and a derivation are of limited size. A tree that outgrew them would be refused in its midst, and
what it had paid by then would be lost. So a level makes no more nodes than the limits leave room for; the others become
leaves. All of it is counted from the domain, the costs and the nodes made so far, so from what is public or released.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, lcm

from fdpedu import derivation_checker as checker
from fdpedu.accounting.size import FEATURE, HEAD, RULE, Size, digits, of_texts
from fdpedu.federation import ClassCounts, ClassHistogram, Federation, NodeHistograms, Query
from fdpedu.federation.endpoint import MAX_NUMBERS
from fdpedu.federation.messages import MAX_FIELDS, MAX_REQUEST_BYTES
from fdpedu.federation.queries import write_queries
from fdpedu.trees.costs import Costs

_FIELDS, _FIELDS_EACH = 8, 3  # of a query, and of each coordinate in which its region is restricted
_BYTES_EACH = 40  # of such a coordinate, without its codes


@dataclass(frozen=True)
class Room:
    """What limits the nodes of one tree.

    Parameters
    ----------
    nodes : of the whole tree, at most
    histograms : how many queries an open node takes
    numbers : in the answers of an open node, and in those of a leaf, at most
    query : the bytes of a query of all records, at most
    widest : the most codes that a feature has
    features : how many there are
    """

    nodes: int
    histograms: int
    numbers: tuple[int, int]
    query: int
    widest: int
    features: int

    @classmethod
    def of(cls, federation: Federation, costs: Costs, drawn: int) -> Room:
        """The room for a tree with these costs, whose nodes ask for so many features; beside what is charged already.

        Raises
        ------
        ValueError
            If there is none even for a tree without a split; before anything is charged.
        """
        domain, whole = federation.domain, federation.domain.everything
        asked = list[Query]()
        if costs.depth and drawn < domain.n_features:
            asked = [ClassHistogram(whole, costs.node / drawn, j) for j in range(domain.n_features)]
        elif costs.depth:
            asked = [NodeHistograms(whole, costs.node)]
        rates = [costs.of_leaf(paid) for paid in range(costs.depth + 1)] if costs.leaf else []
        leaves = [ClassCounts(whole, rate) for rate in rates]
        histograms = drawn if drawn < domain.n_features else 1
        cells = sum(sorted(query.size(domain) for query in asked)[-histograms:])
        room = cls(
            _most_nodes(federation, asked, leaves, histograms),
            histograms,
            (cells, domain.n_classes),
            max(len(write_queries([query], domain)) for query in [*asked, *leaves]),
            max(feature.n_codes for feature in domain.features),
            domain.n_features,
        )
        if room.nodes < 1:
            raise ValueError(
                "nothing was charged: the derivation of this ledger is nearly as long as one may be; "
                "keep a part of the budget for a second ledger"
            )
        return room

    def below(self, made: int, level: int, depth: int) -> int:
        """How many nodes the next level may have, at this depth; ``made`` are all so far, ``level`` those above it."""
        coordinates = min(depth, self.features)
        fields = _FIELDS + _FIELDS_EACH * coordinates
        size = self.query + (_BYTES_EACH + self.widest // 4) * coordinates
        queries = min(MAX_FIELDS // fields, (MAX_REQUEST_BYTES - 2**14) // size) - 16
        cells, classes = self.numbers
        return min(
            self.nodes - made,
            (queries - level) // self.histograms,
            (MAX_NUMBERS - level * classes) // max(cells, classes),
        )


def _most_nodes(federation: Federation, asked: Sequence[Query], leaves: Sequence[Query], histograms: int) -> int:
    """Of how many nodes the derivation can be written, each with all its releases, counts of its own among them."""
    domain, budget = federation.domain, federation.ledger.budget
    charges = [[query.charge(domain, federation.colluders, "any") for query in kind] for kind in (asked, leaves)]
    common = lcm(budget.denominator, *(charge.epsilon.denominator for kind in charges for charge in kind))
    total = Size(digits(common) + digits(ceil(budget * common)))
    widest = max(feature.n_codes for feature in domain.features)
    each = Size(12 + 4 * widest, 1, 2).plus(RULE, 2).plus(total, 2)  # its region, and two rules with their totals
    for kind, times in zip(charges, (histograms, 1), strict=True):
        each = each.plus(Size(*(max(found, default=0) for found in zip(*(c.size for c in kind), strict=True))), times)
    used, comparisons = _used(federation)
    limits = (checker.MAX_CHARACTERS, checker.MAX_BRACKETS, checker.MAX_QUOTES)
    by_size = (((most - own) // one) for most, own, one in zip(limits, used, each, strict=True))
    return min(*by_size, 2 * (checker.MAX_COMPARISONS // (domain.n_features + 1) - comparisons))


def _used(federation: Federation) -> tuple[Size, int]:
    """What the derivation of the charges so far takes, and how many pairs of parts it compares."""
    if federation.ledger.rounds:
        text = federation.ledger.derivation().to_json()
        size = Size(len(text), text.count("[") + text.count("{"), text.count('"'))
        return size.plus(RULE, 3), text.count('"parallel"')
    size = HEAD.plus(RULE, 3)
    for feature in federation.domain.features:
        size = size.plus(FEATURE).plus(of_texts(feature.name))
    return size, 0
