"""Whole trees: against LightGBM on one thread, against the floor of reading the data, and against more of the same.

A fit is all that happens once the parties hold their encoded rows: keys, rounds, noise, masks, sums, splits, ledger and
derivation. "From raw values" adds what happens before: parties check and encode their rows, LightGBM bins its own.
"""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from benchmarks.pairs import Clock, Row, ask_peer, cpu
from benchmarks.samplers import inexact_share

ROWS = (1000, 10_000, 100_000, 1_000_000)


def rows() -> Iterator[Row]:
    yield from _against_lightgbm()
    yield from _growth()
    yield from _checks()
    yield from _demo()
    yield from _choices()
    yield from _guarantees()


def _against_lightgbm() -> Iterator[Row]:
    usual = [(n, 20, 32, 2, depth) for depth in (5, 8) for n in ROWS]
    others = [(100_000, 20, 8, 2, 8), (100_000, 20, 256, 2, 8), (100_000, 20, 32, 5, 8), (100_000, 50, 10, 2, 10)]
    # A million rows, and ten thousand, at depth 8; for these 15 until each party had a ledger and a digest of its own.
    limits = {usual[-1]: 2.0, usual[-3]: 25.0}
    for shape in usual + others:
        ours, peer = _fit(shape, raw=True), ask_peer("trees.py", *shape, place=1)
        group, quick = "a fit from raw values / LightGBM from raw values", shape == usual[-3]
        yield Row(group, _shape_in_words(shape), ours, peer, limits.get(shape), _pairs(shape), quick=quick)
    # Of a million rows a third of the time is counting, less than LightGBM takes for all. The rest would be the same
    # for a thousand rows: noise, masks, signatures, and what six ledgers book and five parties read of 500 queries.
    for shape in usual + others:
        group, limit = "a fit / LightGBM's training on binned data", 3.5 if shape == usual[-1] else None
        yield Row(group, _shape_in_words(shape), _fit(shape), ask_peer("trees.py", *shape), limit, _pairs(shape))
    for shape in usual[-4:]:
        group = "a fit / reading the codes once a level"
        yield Row(group, _shape_in_words(shape), _fit(shape), _floor(shape), None, _pairs(shape))


def _shape_in_words(shape) -> str:
    n, p, bins, classes, depth = shape
    return f"{n:,} rows × {p}, {bins} bins, {classes} classes, depth {depth}"


def _pairs(shape) -> int:
    return 2 if shape[0] == 10**6 else 3


def _growth() -> Iterator[Row]:
    """How a fit grows with the number of parties: the same rows, divided among more of them."""
    for n in (10_000, 1_000_000):
        shape = (n, 20, 32, 2, 8)
        for parties in (2, 20, 100):
            share = parties / 5
            yield Row(
                "a fit of K parties / K/5 fits of 5",
                f"{n:,} rows, K = {parties}",
                _fit(shape, parties),
                scaled(_fit(shape), share),
                2.0 if (n, parties) == (1_000_000, 100) else None,
                2,
            )


def _checks() -> Iterator[Row]:
    """Checking a derivation against the fit that made it: 1,023 nodes of 50 features."""
    from fdpedu.accounting import check_derivation

    shape = (100_000, 50, 10, 2, 10)

    @lru_cache
    def derivation() -> str:
        return _grow(shape).derivation.to_json()

    yield Row(
        "checking a derivation / the fit",
        "depth 10, 50 features",
        lambda: cpu(lambda: check_derivation(derivation()))(),
        _fit(shape),
        0.1,
        3,
    )


def _demo() -> Iterator[Row]:
    """The fit of the front page, with exact noise and with NumPy's; a plain tree."""
    from sklearn.tree import DecisionTreeClassifier

    from fdpedu.accounting import Ledger
    from fdpedu.datasets import wisconsin
    from fdpedu.federation import Federation, Party
    from fdpedu.federation.queries import noise
    from fdpedu.trees import fit_federated_tree

    X, y, domain = wisconsin()
    exact = noise.polya_share

    def fit(share) -> object:
        noise.polya_share = share
        try:
            practices = [Party(X[k:400:40], domain, labels=y[k:400:40]) for k in range(40)]
            return fit_federated_tree(Federation(practices, domain, Ledger(1)), max_depth=2).derivation.guarantee
        finally:
            noise.polya_share = exact

    plain = DecisionTreeClassifier(max_depth=2, min_samples_split=10)
    ours, inexact = cpu(lambda: fit(exact), 5), cpu(lambda: fit(inexact_share), 5)
    group = "the fit of the front page: 400 rows, 40 parties, depth 2"
    yield Row(group, "/ the same with numpy's inexact noise", ours, inexact, 3.0, quick=True)
    yield Row(group, "/ scikit-learn's tree on all rows", ours, cpu(lambda: plain.fit(X[:400], y[:400]), 20))


def _choices() -> Iterator[Row]:
    """Trees of choices against the tree of counts of the same depth; and an exact block against one split."""
    from fdpedu.accounting import Ledger
    from fdpedu.federation import ChosenBlock, ChosenSplit, Curator
    from fdpedu.randomness import Rehearsal

    group = "a fit of a rotating tree / a fit of the default, of one depth"
    for n, parties, limit in ((250, 2, None), (5000, 5, 2.0), (5000, 100, None), (1_000_000, 5, None)):
        shape = (n, 25, 10, 2, 5)
        ours = _fit(shape, parties, design="rotating")
        name = f"{n:,} rows × 25, {parties} parties, depth 5"
        yield Row(group, name, ours, _fit(shape, parties), limit, _pairs(shape), quick=limit is not None)
    group = "a fit of a screened tree / a fit of the default, of one depth"
    for n, parties in ((5000, 5), (1_000_000, 5)):
        shape = (n, 25, 10, 2, 5)
        name = f"{n:,} rows × 25, {parties} parties, depth 5"
        yield Row(group, name, _fit(shape, parties, design="screened"), _fit(shape, parties), None, _pairs(shape))
    group = "a fit paid in ρ / the same paid in ε"
    for n, parties in ((250, 2), (250, 100), (1_000_000, 2), (1_000_000, 100)):
        shape = (n, 25, 10, 2, 5)
        name = f"{n:,} rows × 25, {parties} parties, depth 5"
        quick = n == 250 and parties == 2
        yield Row(group, name, _fit(shape, parties, delta=1e-6), _fit(shape, parties), 1.5, _pairs(shape), quick=quick)
    for p in (5, 25):
        domain, (owner,) = parties_of((5000, p, 10, 2, 2), 1)

        def told(kind, domain=domain, owner=owner) -> object:
            return Curator(owner, Ledger(1), Rehearsal(1)).release([kind(domain.everything, 1)])

        block, split = cpu(lambda told=told: told(ChosenBlock)), cpu(lambda told=told: told(ChosenSplit), 5)
        yield Row("an exact block of three splits / one split", f"5,000 rows × {p}, 10 bins", block, split, None, 2)


def _guarantees() -> Iterator[Row]:
    """What every tree costs an insider, all levels of it and nothing remembered, against growing one."""
    from fdpedu.dlpa import tree_guarantee
    from fdpedu.dlpa.series import gamma_function

    def state(epsilon: str, p: int, depth: int, noise: str) -> object:
        gamma_function.cache_clear()
        rules = {"n_parties": 5, "colluders": 1, "tolerate": 0, "noise": noise}
        return tree_guarantee(epsilon, n_features=p, max_depth=depth, **rules)

    group = "the guarantee of a whole tree / one fit"
    for shape in ((1000, 20, 32, 2, 5), (100_000, 50, 10, 2, 10)):
        for epsilon, noise in (("1", "polya"), ("1e-6", "polya"), ("1e-6", "gamma")):
            case = f"{noise}, ε = {epsilon}; {_shape_in_words(shape)}"
            stated = cpu(lambda e=epsilon, shape=shape, noise=noise: state(e, shape[1], shape[-1], noise), 5)
            yield Row(group, case, stated, _fit(shape), 1.0, 3, quick=shape[-1] == 5)


@lru_cache(maxsize=2)
def rows_of(n: int, p: int, classes: int):
    """The rows that ``peers/trees.py`` has, too."""
    rng = np.random.default_rng(0)
    X = rng.random((n, p))
    score = X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * rng.standard_normal(n)
    return X, np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score)


@lru_cache(maxsize=1)
def parties_of(shape, parties: int):
    from fdpedu.domain import Domain, Numeric
    from fdpedu.federation import Party, deal
    from fdpedu.randomness import Rehearsal

    n, p, bins, classes, _ = shape
    X, y = rows_of(n, p, classes)
    domain = Domain([Numeric.grid(f"x{j}", 0, 1, bins=bins) for j in range(p)], range(classes))
    return domain, [Party(X[part], domain, labels=y[part]) for part in deal(n, parties, Rehearsal(0))]


def _grow(shape, parties: int = 5, **options):
    from fdpedu.accounting import Ledger
    from fdpedu.federation import Federation
    from fdpedu.trees import fit_federated_tree

    domain, members = parties_of(shape, parties)
    ledger = Ledger(1, delta=options.pop("delta", None))
    return fit_federated_tree(Federation(members, domain, ledger), max_depth=shape[-1], **options)


def _fit(shape, parties: int = 5, *, raw: bool = False, **options) -> Clock:
    """A fit with the system's entropy, as a release has it; the parties are made before, or with it."""

    def prepare_and_grow() -> object:
        if raw:
            parties_of.cache_clear()
        return _grow(shape, parties, **options)

    def run() -> float:
        rows_of(shape[0], shape[1], shape[3])
        if not raw:
            parties_of(shape, parties)
        return cpu(prepare_and_grow)()

    return run


def _floor(shape) -> Clock:
    codes = np.zeros((shape[0], shape[1]), dtype=np.uint8)
    return cpu(lambda: [codes.sum(dtype=np.int64) for _ in range(shape[-1])])


def scaled(clock: Clock, factor: float) -> Clock:
    return lambda: clock() * factor
