"""``fdpedu audit --self``: bets against the claims of the installed package, through its real federation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fdpedu.accounting import Cost
    from fdpedu.audit import Audit
    from fdpedu.domain import Domain, Rows
    from fdpedu.federation import Query
    from fdpedu.trees import Tree

PARTIES = 3
DEPTH = 2
DELTA = Fraction(1, 10**6)
"""Of what is paid in ρ alone."""
MOST_TREES = 400
"""Trees take a hundredth of a second each, so there are fewer of them than answers."""
_ROWS = [[x % 3 + 0.5, "ABC"[x % 2], ("well", "ill")[x % 3 % 2]] for x in range(9)]
_RECORD = [2.5, "C", "ill"]
_AT_ONCE = 250


def n_own_audits() -> int:
    """How many things are looked at."""
    from fdpedu.claims.laws.queries import ASKED

    return len(ASKED) + 1


def own_audits(epsilon: Fraction, alpha: Fraction, runs: int, seed: int | None) -> Iterator[tuple[str, Audit]]:
    """What is looked at, and its audit: every type of query with its noise, and the released tree.

    Each has its part of α. Nothing withstands colluders here, so noise is the least that is ever drawn.

    Parameters
    ----------
    epsilon : what each query and the tree cost, and what is claimed of them, greater than 0
    alpha : the error of all audits together
    runs : of each, but fewer of trees
    seed : of the order of the data
    """
    from fdpedu.audit import audit
    from fdpedu.claims.laws.queries import ASKED, DOMAINS, domains_of

    data: tuple[Rows, Rows] = _ROWS, [*_ROWS, _RECORD]
    given: dict[str, Any] = {"epsilon": epsilon, "alpha": alpha / n_own_audits(), "seed": seed}
    for name, asked in ASKED.items():
        (domain, *_), classes = domains_of(name), DOMAINS[0].classes
        both = [[[*row[:-1], domain.classes[classes.index(row[-1])]] for row in rows] for rows in data]
        query, delta = _priced(asked(domain.everything, epsilon, 2), epsilon)
        found = audit(_answers(domain, query), *both, runs=runs, batch=True, delta=delta, **given)
        yield f"the answer to {name}", _named(found)
    found = audit(_tree(DOMAINS[0], epsilon), *data, runs=min(runs, MOST_TREES), **given)
    yield f"the released tree of depth {DEPTH}", _named(found)


def _named(found: Audit) -> Audit:
    found.pair = f"{len(_ROWS)} rows of {PARTIES} parties", "the same and one more row of the first party"
    return found


def _priced(query: Query, epsilon: Fraction) -> tuple[Query, Fraction]:
    """The query at the price of ε; what costs ρ alone, at the ρ that keeps (ε, δ)."""
    from fdpedu.accounting import Cost, gaussian_budget

    if query.cost.is_pure:
        return query, Fraction(0)
    return replace(query, cost=Cost("gaussian", gaussian_budget(epsilon, DELTA).limit.value)), DELTA


def _answers(domain: Domain, query: Query) -> Callable[[Rows, int], NDArray[np.int64]]:
    """Answers to a query, many of them in a round, of one session."""
    import numpy as np

    def answers(rows: Rows, n: int) -> NDArray[np.int64]:
        asked = _asker(domain, rows, query, replace(query.cost, value=n * query.cost.value))
        rounds = [asked.release([query] * min(_AT_ONCE, n - first)) for first in range(0, n, _AT_ONCE)]
        return np.array([answer for one in rounds for answer in one])

    return answers


def _asker(domain: Domain, rows: Rows, query: Query, budget: Cost) -> Any:
    """A federation of these rows, or one owner of all of them if that is who answers such a query."""
    from fdpedu.accounting import Ledger
    from fdpedu.federation import Curator, Federation, Party
    from fdpedu.federation.queries.closed_set import is_known

    if not is_known(query):
        return Curator(Party(rows, domain), Ledger(budget))
    return Federation(_parties(domain, rows), domain, Ledger(budget), tolerate=0)


def _parties(domain: Domain, rows: Rows) -> list[Any]:
    """The rows dealt in turn; whatever comes after the ninth is the first party's."""
    from fdpedu.federation import Party

    dealt = [rows[k : len(_ROWS) : PARTIES] for k in range(PARTIES)]
    return [Party([*own, *(rows[len(_ROWS) :] if k == 0 else [])], domain) for k, own in enumerate(dealt)]


def _tree(domain: Domain, epsilon: Fraction) -> Callable[[Rows], Tree]:
    """The tree that the parties grow."""

    def tree(rows: Rows) -> Tree:
        from fdpedu.accounting import Ledger
        from fdpedu.federation import Federation
        from fdpedu.trees import fit_federated_tree

        federation = Federation(_parties(domain, rows), domain, Ledger(epsilon), tolerate=0)
        return fit_federated_tree(federation, max_depth=DEPTH, min_samples_split=2)

    return tree
