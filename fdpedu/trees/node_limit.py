"""Upper bound on the nodes of a tree's next level, so that requests and the derivation stay within their limits.

A request, an answer and a derivation are limited. A tree that outgrew them would be refused in its midst, and what it
had paid by then would be lost. So a level makes no more nodes than the limits allow; the others become leaves. All of
it is counted from the domain, the costs and what is charged, so from what is public or released.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from fdpedu.accounting.limits import Needs, left, needs_of, needs_of_side, require_left
from fdpedu.dlpa import count_noise_shares
from fdpedu.domain import Domain
from fdpedu.federation import ClassCounts, ClassHistogram, NodeHistograms, Query
from fdpedu.federation.asker import Asker
from fdpedu.federation.endpoint import MAX_NUMBERS
from fdpedu.federation.messages import MAX_FIELDS, MAX_REQUEST_BYTES
from fdpedu.federation.queries import write_queries
from fdpedu.trees.costs import Costs

_FIELDS, _FIELDS_EACH = 8, 3  # of a query, and of each coordinate in which its region is restricted
_BYTES_EACH = 40  # of such a coordinate, without its codes


def checked_questions(domain: Domain, costs: Costs, *drawn: int) -> tuple[list[Query], list[Query]]:
    """One of each kind and cost that a tree may ask of its nodes, and of its leaves; refuses what no party may answer.

    So noise that cannot be drawn, and costs that are no short fractions, are refused before anything is charged.
    ``drawn`` is how many features a node asks for, at each level; or one number for all.
    """
    whole, p, asked = domain.everything, domain.n_features, list[Query]()
    for q in dict.fromkeys(drawn[: costs.depth]):
        cost = costs.paid(costs.of_level(drawn.index(q)))
        each = cost.scaled(Fraction(1, q))
        asked += [ClassHistogram(whole, each, j) for j in range(p)] if q < p else [NodeHistograms(whole, cost)]
    of_leaves = [costs.of_leaf(paid) for paid in range(costs.depth + 1)] if costs.leaf else []
    leaves: list[Query] = [ClassCounts(whole, costs.paid(value)) for value in of_leaves]
    for query in (*asked, *leaves):
        query.check(domain)
    return asked, leaves


@dataclass(frozen=True)
class NodeLimit:
    """What limits the nodes of one tree.

    Parameters
    ----------
    federation : its domain is asked about, and its ledger is charged
    histograms : how many queries an open node takes
    numbers : in the answers of an open node, and in those of a leaf, at most
    query : the bytes of a query of all records, at most
    node, still : what the derivation needs for a node of the next level, and still for one of the last, at most
    """

    federation: Asker
    histograms: int
    numbers: tuple[int, int]
    query: int
    node: Needs
    still: Needs

    @classmethod
    def of(cls, federation: Asker, costs: Costs, *drawn: int) -> NodeLimit:
        """The limit for a tree with these costs; ``drawn`` is how many features a node asks for, at each level.

        Raises
        ------
        ValueError
            If there is none even for a tree without a split, or for what :func:`checked_questions` refuses; before
            anything is charged.
        """
        domain, p = federation.domain, federation.domain.n_features
        asked, leaves = checked_questions(domain, costs, *drawn)
        histograms = max(q if q < p else 1 for q in drawn)
        shares = count_noise_shares(federation.n_parties, federation.tolerate)
        charged = partial(
            Query.charge, domain=domain, colluders=federation.colluders, randomness="any", n_noise_shares=shares
        )
        opened, counted = ([charged(q) for q in kind] for kind in (asked, leaves))
        still = needs_of(counted) | Counter(steps=2)  # counts and a sequence, or its sides in parallel in a sequence
        node = needs_of(opened, histograms) + needs_of_side(domain) + still
        ledger, paid = federation.ledger, [charge.cost for charge in (*opened, *counted)]
        require_left(ledger.counts, ledger.total, paid, node + Counter(steps=1))  # with other trees in sequence
        return cls(
            federation,
            histograms,
            (sum(sorted(query.size(domain) for query in asked)[-histograms:]), domain.n_classes),
            max(len(write_queries([query], domain)) for query in [*asked, *leaves]),
            node,
            still,
        )

    def below(self, level: int, depth: int) -> int:
        """The number of nodes that the next level may have at this depth, given the number of open nodes above it."""
        domain, ledger = self.federation.domain, self.federation.ledger
        coordinates, widest = min(depth, domain.n_features), max(feature.n_codes for feature in domain.features)
        fields = _FIELDS + _FIELDS_EACH * coordinates
        size = self.query + (_BYTES_EACH + widest // 4) * coordinates
        queries = min(MAX_FIELDS // fields, (MAX_REQUEST_BYTES - 2**14) // size) - 16
        cells, classes = self.numbers
        once = Counter({name: level * need for name, need in self.still.items()})
        return min(
            left(ledger.counts, self.node, once),
            (queries - level) // self.histograms,
            (MAX_NUMBERS - level * classes) // max(cells, classes),
        )
