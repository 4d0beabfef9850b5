"""The zoo, chapter 4: plausible bugs in what is charged; those in what is accepted as a proof stand beside it."""

from __future__ import annotations

from fdpedu.claims.broken_derivations import TWINS as DERIVATIONS
from fdpedu.claims.mutation import Broken

_GATHER = """request = write_request(number, asked, self.domain)
    seats = self._seats if answered is None else _counted(self._seats, answered)
    answers = self.transport.gather(number, self._names, request, seats)"""
_CHARGE_FIRST = f"""number = self.ledger.charge(charges, book)  # whatever fails from here on has been paid for
    self.rounds += 1
    {_GATHER}"""
_ASK_FIRST = f"""number = self.ledger.rounds + 1
    {_GATHER}
    self.ledger.charge(charges, book)"""

_LEDGER = (
    Broken(
        "float comparison",
        "fdpedu.accounting.ledger.Ledger.charge",
        "if cost > self.budget:",
        "if float(cost) > float(self.budget):",
        "Exact costs are enough; the last comparison may be one of floats.",
        "lem-filter",
        "no float decides",
    ),
    Broken(
        "levels in parallel",
        "fdpedu.accounting.forest.Forest.below",
        "self.own(r) + most[r]",
        "max(self.own(r), most[r])",
        "A child's records are fewer, so only the larger of the two costs counts.",
        "lem-filter",
        "nested",
    ),
    Broken(
        "each level anew",
        "fdpedu.accounting.forest.Forest.through",
        "above, at = above + self.own(at), self.parent[at]",
        "above, at = above, self.parent[at]",
        "Each level of a tree has the whole budget again.",
        "lem-filter",
        "nested",
    ),
    Broken(
        "saved budget to leaf and child",
        "fdpedu.accounting.forest.Forest.through",
        "above + self.own(region) + self.below(region)",
        "above + self.own(region)",
        "What a node has saved is still there for its leaf when a child has spent it.",
        "lem-filter",
        "nested",
    ),
    Broken(
        "overlap taken for nesting",
        "fdpedu.accounting.forest.Forest.make_room",
        "all(region.contains(below) for below in meeting)",
        "True",
        "Two regions that overlap can share one path.",
        "lem-filter",
        "overlapping",
    ),
    Broken(
        "different is disjoint",
        "fdpedu.domain.region.Region.is_disjoint",
        "((self._packed & other._packed) + fill) & spare != spare",
        "self._packed != other._packed",
        "Two different regions are two disjoint regions.",
        "thm-parallel",
        "regions",
    ),
    Broken(
        "books in parallel",
        "fdpedu.accounting.ledger._cost",
        "sum((forest.below() for forest in forests), Fraction(0))",
        "max((forest.below() for forest in forests), default=Fraction(0))",
        "Two computations have a budget each.",
        "lem-filter",
        "overlapping",
    ),
    Broken(
        "one charge a region",
        "fdpedu.accounting.ledger.Ledger.charge",
        "enumerate(batch, 1)",
        "enumerate({charge.region: charge for charge in batch}.values(), 1)",
        "A region is looked at once a round, however many queries look at it.",
        "thm-sequential",
        "noisy counts",
    ),
    Broken(
        "masks of a refused round kept",
        "fdpedu.federation.federation.Federation.release",
        _CHARGE_FIRST,
        _ASK_FIRST,
        "What is masked may be sent before it is paid for; if it is refused, its masks can serve the next round.",
        "thm-round",
        "fresh masks",
    ),
)

_TREES = (
    Broken(
        "budget added again at each level",
        "fdpedu.trees.fit_federated_tree",
        "_release_round(federation, book, level, node_epsilon, waiting, answered)",
        "_release_round(federation, book, level, (t + 1) * node_epsilon, waiting, answered)",
        "What the levels above did not need is there again on each level below.",
        "thm-federated-tree",
        "cost",
    ),
    Broken(
        "unspent budget before it is known",
        "fdpedu.trees.fit_federated_tree",
        "leaf_epsilon(t + 1)",
        "leaf_epsilon(t)",
        "A node that becomes a leaf has not used its histograms, so it has not paid for them.",
        "thm-federated-tree",
        "cost",
    ),
    Broken(
        "depth off by one, by hand",
        "fdpedu.accounting.by_hand.theorem_6",
        "node = for_nodes / depth if depth",
        "node = for_nodes / (depth + 1) if depth",
        "A tree of depth d has d + 1 levels, so the budget of the nodes has d + 1 parts.",
        "thm-federated-tree",
        "by hand",
    ),
    Broken(
        "one histogram counts",
        "fdpedu.accounting.columns.exact_factor",
        "** columns",
        "",
        "Each histogram looks at a column of its own.",
        "lem-columns",
        "exact factor",
    ),
)

TWINS = (*_LEDGER, *_TREES, *DERIVATIONS)
