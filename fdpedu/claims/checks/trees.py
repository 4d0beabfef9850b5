"""Checks of chapter 8: what a private tree costs, what it becomes without noise, and what it may depend on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from fdpedu.cart import Tree, fit_cart
from fdpedu.claims.checking import explore, need
from fdpedu.claims.checks.histograms import Rows, seat
from fdpedu.domain import Domain
from fdpedu.federation import Federation, InProcess
from fdpedu.randomness import Rehearsal, Source, ZeroWords
from fdpedu.trees import fit_federated_tree

Case = tuple[Domain, Sequence[Rows]]


def grow(case: Case, budget: object, rng: Source, **options: Any) -> tuple[Tree, Federation]:
    """A tree of these parties, and the federation that grew it."""
    domain, parts = case
    federation = seat(parts, domain, budget, rng, transport=options.pop("transport", None))
    return fit_federated_tree(federation, **options), federation


def cost(case: Case, budget: Fraction, share: Fraction, depth: int, least: int, unspent: bool, seed: int) -> None:
    """At most depth + 1 rounds; at most ε, which the checker confirms; ε exactly if nothing is left over.

    Every histogram costs ε_node/p = (1 − share)·ε/(p·depth), and a leaf at full depth share·ε (report, equation (3)).
    """
    options = {"max_depth": depth, "min_samples_split": least, "leaf_share": share, "unspent_to_leaf": unspent}
    tree, federation = grow(case, budget, Rehearsal(seed), **options)
    spent, proved = federation.ledger.spent, tree.derivation.guarantee
    need(proved.spent == spent <= budget, f"the ledger says {spent}, the checker {proved.spent}, the budget {budget}")
    need(proved.value == budget, f"the checker guarantees {proved.value}, although another run may cost {budget}")
    need(proved.colluders == 1, f"it withstands {proved.colluders} colluders")
    need(tree.depth <= depth and tree.rounds == federation.rounds <= depth + 1, f"{tree.rounds} rounds")
    need(spent == budget or not (unspent or tree.depth == depth), f"spent is {spent} of {budget}")
    if depth:
        node = (1 - share) * budget / depth
        leaves = {budget - levels * node if unspent else share * budget for levels in range(1, depth + 1)}
        costs = _costs(tree)
        need(costs["histogram"] <= {node / case[0].n_features}, f"histograms cost {costs['histogram']}")
        need(costs["leaf"] <= leaves, f"leaves cost {costs['leaf']}")


def _costs(tree: Tree) -> dict[str, set[Fraction]]:
    """What the releases of each kind cost."""
    costs: dict[str, set[Fraction]] = {"histogram": set(), "leaf": set()}

    def enter(step: dict[str, Any]) -> int:
        costs["leaf" if "leaf" in step["query"] else "histogram"].add(Fraction(step["epsilon"]))
        return 0

    tree.derivation.total(enter)
    return costs


def noiseless(case: Case, depth: int, least: int, unspent: bool) -> None:
    """Without noise it is CART on the same grid with the same stopping rules: nodes, splits, counts."""
    domain, parts = case
    rows = [row for part in parts for row in part]
    tree, _ = grow(case, 1, ZeroWords(), max_depth=depth, min_samples_split=least, unspent_to_leaf=unspent)
    if rows:
        X, y = [row[:-1] for row in rows], [row[-1] for row in rows]
        plain = fit_cart(X, y, grid=domain, max_depth=depth, min_samples_split=least)
        need(tree.root == plain.root, f"the tree is {tree.root}, CART gives {plain.root}")


class _Answers(InProcess):
    """A transport that keeps the answers, or gives those that another one kept."""

    def __init__(self, replay: Sequence[list[bytes]] = ()) -> None:
        super().__init__()
        self.kept, self._replay = list[list[bytes]](), list(replay)

    def gather(
        self, round_number: int, names: Sequence[str], request: bytes, seats: Sequence[Callable[[bytes], bytes]]
    ) -> list[bytes]:
        answers = super().gather(round_number, names, request, seats)
        self.kept.append(self._replay.pop(0) if self._replay else answers)
        return self.kept[-1]


def only_released(case: Case, depth: int, seed: int) -> None:
    """Parties without any rows, given the answers of others, grow the same tree: it depends on what travelled alone."""
    domain, parts = case
    options = {"max_depth": depth, "min_samples_split": 2}
    kept = _Answers()
    tree, _ = grow(case, 4, Rehearsal(seed), transport=kept, **options)
    empty: Case = (domain, [[]] * len(parts))
    again, _ = grow(empty, 4, ZeroWords(), transport=_Answers(kept.kept), **options)
    need(again.root == tree.root, f"the tree is {tree.root}, from its answers alone {again.root}")


def explore_cost(examples: int) -> int:
    return explore(
        cost,
        lambda draw: draw.tuples(
            draw.domains_with_parties(),
            draw.budgets,
            draw.shares,
            draw.integers(0, 4),
            draw.integers(0, 12),
            draw.booleans(),
            draw.integers(0, 99),
        ),
        examples,
    )


def explore_noiseless(examples: int) -> int:
    return explore(
        noiseless,
        lambda draw: draw.tuples(
            draw.domains_with_parties(), draw.integers(0, 4), draw.integers(2, 6), draw.booleans()
        ),
        examples,
    )


def explore_only_released(examples: int) -> int:
    return explore(
        only_released,
        lambda draw: draw.tuples(draw.domains_with_parties(), draw.integers(0, 3), draw.integers(0, 99)),
        examples,
    )
