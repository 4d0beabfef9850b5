"""Audits: many runs at once against a plain loop, and against the package's own federation."""

from collections.abc import Iterator

import numpy as np

from benchmarks.pairs import Clock, Row, cpu

CELLS, ROWS = 20, 40


def rows() -> Iterator[Row]:
    yield Row(
        "a run of a batched audit / of a plain loop",
        f"histograms of {CELLS} cells",
        _histograms(batch=True, runs=200_000),
        _histograms(batch=False, runs=400),
        0.01,
        quick=True,
    )
    yield Row(
        "a run of a batched audit / of a plain loop",
        f"whole trees, {ROWS} rows × 2, depth 2",
        _simulated_trees(40_000),
        _federated_trees(12),
        0.01,
        quick=True,
    )


def _per_run(audited, runs: int) -> Clock:
    """CPU seconds of a run of an audit."""
    clock = cpu(audited)
    return lambda: clock() / runs


def _histograms(*, batch: bool, runs: int) -> Clock:
    """Noisy counts of public cells: as one calls the package for each, and by one draw for all."""
    from fdpedu.audit import audit
    from fdpedu.mechanisms import discrete_laplace

    rng = np.random.default_rng(1)
    share = -np.expm1(-1)
    data = [k % CELLS for k in range(ROWS)]

    def one(codes):
        return discrete_laplace(np.bincount(codes, minlength=CELLS), epsilon=1)

    def many(codes, n):
        counts = np.bincount(codes, minlength=CELLS)
        return counts + (rng.geometric(share, (n, CELLS)) - rng.geometric(share, (n, CELLS)))

    mechanism = many if batch else one
    return _per_run(lambda: audit(mechanism, data, [*data, 3], runs=runs, batch=batch, seed=1), runs)


def _domain():
    from fdpedu.domain import Domain, Numeric

    return Domain([Numeric.grid(name, 0, 2, bins=2) for name in "xy"], ("well", "ill"))


def _codes():
    return [(k % 2, k // 2 % 2, k // 4 % 2) for k in range(ROWS)]


def _simulated_trees(runs: int) -> Clock:
    from fdpedu.audit import audit, simulated_trees

    trees = simulated_trees(_domain(), epsilon=1, max_depth=2, rng=np.random.default_rng(1))
    data = _codes()
    return _per_run(lambda: audit(trees, data, [*data, (0, 0, 1)], runs=runs, batch=True, seed=1), runs)


def _federated_trees(runs: int) -> Clock:
    """The labels of all cells, by trees that two parties grow."""
    from fdpedu.accounting import Ledger
    from fdpedu.audit import audit
    from fdpedu.federation import Federation, Party
    from fdpedu.trees import fit_federated_tree

    domain = _domain()
    cells = [[x + 0.5, y + 0.5] for x in range(2) for y in range(2)]

    def tree(rows):
        raw = [[x + 0.5, y + 0.5, ("well", "ill")[c]] for x, y, c in rows]
        parties = [Party(raw, domain), Party([], domain)]
        federation = Federation(parties, domain, Ledger(1), tolerate=0)
        return fit_federated_tree(federation, max_depth=2).predict(cells)

    data = _codes()
    return _per_run(lambda: audit(tree, data, [*data, (0, 0, 1)], runs=runs, seed=1), runs)
