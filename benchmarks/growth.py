"""Small fits against other libraries', and how a fit grows with the number of parties and with the depth.

The budget is one at which nearly every node is split: at ε = 1 the noise of so few rows decides, and one tree has ten
times as many nodes as the next. What grows is taken a query: the CPU time, the bytes of all messages, and the bytes of
the derivation. (Where a row compares bytes, its "seconds" in what ``--json`` keeps are bytes as well.)
"""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.pairs import Clock, Row, ask_peer, cpu
from benchmarks.trees import parties_of, rows_of, scaled

SMALL = (250, 50, 10, 2)  # rows, features, bins, classes: the settings of the report
BUDGET = 300


def rows() -> Iterator[Row]:
    yield from _against_small_trees()
    yield from _with_parties()
    yield from _with_depth()


def _against_small_trees() -> Iterator[Row]:
    """A tree of 250 rows and depth 10 spends its time on a thousand queries to each party, whatever it counts."""
    from sklearn.tree import DecisionTreeClassifier

    X, y = rows_of(*SMALL[:2], 2)
    for depth in (3, 10):
        plain, quick = DecisionTreeClassifier(max_depth=depth), depth == 3
        group = f"a fit of 250 rows × 50, 5 parties, depth {depth}"
        ours = _small_fit(depth)
        yield Row(group, "/ scikit-learn's tree on all rows", ours, cpu(lambda p=plain: p.fit(X, y), 20), quick=quick)
        theirs = ask_peer("small_trees.py", *SMALL[:2], depth)
        yield Row(group, "/ diffprivlib's tree on all rows", ours, theirs, pairs=3)


def _with_parties() -> Iterator[Row]:
    """Each of K parties draws K − 1 masks, so the time for a query grows faster than K in the end; the bytes do not."""
    for what, shapes, most in (
        ("seconds", ((2, 6), (10, 6), (20, 6), (100, 6), (100, 10)), {(100, 6): 2.5}),
        ("bytes", ((2, 6), (10, 6), (20, 6), (100, 6)), {(100, 6): 1.2}),
    ):
        for shape in shapes:
            parties, depth = shape
            name, pairs = f"250 rows × 50, depth {depth}, K = {parties}", 1 if parties == 100 else 3
            many, five = _of_a_query(what, parties, depth), scaled(_of_a_query(what, 5, depth), parties / 5)
            group = f"{what} a query with K parties / K/5 times those with 5"
            yield Row(group, name, many, five, most.get(shape), pairs)


def _with_depth() -> Iterator[Row]:
    """Regions deep in the tree are written in more words. Every level is a round, and the leaves are one more."""
    for what, most in (("seconds", 1.0), ("bytes", 1.25), ("bytes of the derivation", 1.0)):
        for depth in (6, 8, 10):
            name, quick = f"250 rows × 50, 5 parties, depth {depth}", depth == 6 and what == "seconds"
            deep, flat = _of_a_query(what, 5, depth), _of_a_query(what, 5, 3)
            yield Row(f"{what} a query at a depth / at depth 3", name, deep, flat, most, 3, quick=quick)
    rounds = _of_a_query("rounds", 5, 10)
    yield Row("rounds / levels and one", "250 rows × 50, 5 parties, depth 10", rounds, lambda: 11, 1.0, 1)


def _small_fit(depth: int) -> Clock:
    return lambda: _grown(5, depth).seconds


@dataclass(frozen=True)
class _Grown:
    seconds: float
    queries: int
    bytes: int
    rounds: int
    derivation: int


def _of_a_query(what: str, parties: int, depth: int) -> Clock:
    """What a fit takes, over the number of its queries; or its rounds."""

    def run() -> float:
        grown = _grown(parties, depth)
        if what == "rounds":
            return float(grown.rounds)
        total = {"seconds": grown.seconds, "bytes": grown.bytes, "bytes of the derivation": grown.derivation}[what]
        return total / grown.queries

    return run


def _grown(parties: int, depth: int) -> _Grown:
    """A tree whose nodes are split as long as a split is found."""
    from fdpedu.accounting import Ledger
    from fdpedu.federation import Federation
    from fdpedu.trees import fit_federated_tree

    domain, members = parties_of((*SMALL, depth), parties)
    made = []

    def fit() -> None:
        federation = Federation(members, domain, Ledger(BUDGET))
        made.append((federation, fit_federated_tree(federation, max_depth=depth, min_samples_split=0)))

    seconds = cpu(fit)()
    federation, tree = made[0]
    queries = sum(len(entry["queries"]) for entry in federation.manifest.rounds)
    return _Grown(seconds, queries, federation.bytes_sent, federation.rounds, len(tree.derivation.to_json()))
