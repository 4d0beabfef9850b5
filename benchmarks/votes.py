"""A tree by votes against chapter 8's tree of the same federation and depth: every party draws at every node."""

from collections.abc import Iterator
from functools import lru_cache, partial

import numpy as np

from benchmarks.pairs import Row, cpu
from benchmarks.trees import _fit

DEPTH = 3
GROUP = "a tree by votes / the tree of noisy counts, the same federation and depth"
SIZES = ((250, 10, 2), (250, 10, 5), (1_000_000, 10, 2), (1_000_000, 10, 100))  # rows, features of ten bins, parties


def rows() -> Iterator[Row]:
    yield Row(
        GROUP,
        "breast cancer, 5 parties",
        cpu(lambda: _grown("votes")),
        cpu(lambda: _grown("default")),
        2.0,
        5,
        quick=True,
    )
    for n, p, parties in SIZES:
        votes, counts = (_fit((n, p, 10, 2, DEPTH), parties, design=design) for design in ("votes", "default"))
        yield Row(GROUP, f"{n:,} rows × {p}, {parties} parties", votes, counts, None, 3)
    yield Row(
        "bytes of a tree by votes / of the tree of noisy counts",
        "breast cancer, 5 parties",
        partial(_bytes, "votes"),
        partial(_bytes, "default"),
        0.7,
        1,
        quick=True,
    )


@lru_cache(maxsize=1)
def _members():
    from fdpedu.datasets import wisconsin, wisconsin_features
    from fdpedu.federation import Party, deal
    from fdpedu.randomness import Rehearsal

    X, y, domain = wisconsin(wisconsin_features())
    order = np.random.default_rng(0).permutation(len(y))[:398]
    parts = [order[part] for part in deal(len(order), 5, Rehearsal(0))]
    return domain, [Party(X[part], domain, labels=y[part]) for part in parts]


def _federation(design: str):
    from fdpedu.accounting import Ledger
    from fdpedu.federation import Federation
    from fdpedu.trees import fit_federated_tree

    domain, members = _members()
    federation = Federation(members, domain, Ledger(1))
    return federation, fit_federated_tree(federation, design=design, max_depth=DEPTH)


def _grown(design: str) -> object:
    return _federation(design)[1]


def _bytes(design: str) -> float:
    """No time: the bytes of all messages."""
    return float(_federation(design)[0].transcript.bytes)
