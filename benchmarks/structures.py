"""A private vote among 40 structures against chapter 8's tree; a regression tree by votes against one of classes."""

from collections.abc import Iterator
from functools import lru_cache, partial

import numpy as np

from benchmarks.pairs import Row, cpu
from benchmarks.votes import _members

VOTE = "a private vote among 40 structures of two levels / the tree of noisy counts, the same federation"
NUMBERS = "a regression tree by votes / a tree of classes by votes, the same rows and depth"
SIZES = ((250, 2), (250, 5), (100_000, 2), (100_000, 100))


def rows() -> Iterator[Row]:
    yield Row(VOTE, "breast cancer, 5 parties", cpu(_voted), cpu(_grown), 5.0, 5, quick=True)
    for n, parties in SIZES:
        numbers, classes = (partial(_by_votes, n, parties, target) for target in (True, False))
        yield Row(
            NUMBERS,
            f"{n:,} rows × 10, {parties} parties, 16 levels",
            cpu(numbers),
            cpu(classes),
            4.0 if n == 250 and parties == 5 else None,
            3,
            quick=n == 250 and parties == 5,
        )


def _federation() -> object:
    from fdpedu.accounting import Ledger
    from fdpedu.federation import Federation

    domain, members = _members()
    return Federation(members, domain, Ledger(1))


def _voted() -> object:
    from fdpedu.structures import fit_private_structures

    return fit_private_structures(_federation(), generations=1)


def _grown() -> object:
    from fdpedu.trees import fit_federated_tree

    return fit_federated_tree(_federation(), max_depth=3)


@lru_cache(maxsize=4)
def _parties(n: int, parties: int, target: bool) -> tuple[object, list[object]]:
    from fdpedu.domain import Domain
    from fdpedu.federation import Party, deal
    from fdpedu.randomness import Rehearsal

    rng = np.random.default_rng(n)
    X = rng.random((n, 10))
    features = {f"x{j}": {"low": 0, "high": 1, "bins": 10} for j in range(10)}
    numbers = 30 * X[:, 0] * X[:, 1] + rng.random(n)
    domain = Domain.from_spec(
        {"features": features, "target": [0, 31, 16]} if target else {"features": features, "classes": [0, 1]}
    )
    y = numbers if target else (numbers > 8).astype(int)
    return domain, [Party(X[part], domain, labels=y[part]) for part in deal(n, parties, Rehearsal(0))]


def _by_votes(n: int, parties: int, target: bool) -> object:
    from fdpedu.accounting import Ledger
    from fdpedu.federation import Federation
    from fdpedu.trees import fit_federated_tree

    domain, members = _parties(n, parties, target)
    return fit_federated_tree(Federation(members, domain, Ledger(1)), design="votes", max_depth=3)
