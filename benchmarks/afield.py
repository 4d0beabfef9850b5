"""Sites in processes of their own, through sockets: a round and a tree against one process with ledgers in files."""

import atexit
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import count
from pathlib import Path

from benchmarks.pairs import Clock, Row

SITES = ("north", "south", "east")
BUDGET, COST = 1000, Fraction(1, 100)


def rows() -> Iterator[Row]:
    group = "three sites, sockets and a journal / in one process, ledgers in files"
    yield Row(group, "a round, in seconds on the clock", _round(afield=True), _round(afield=False), 2, pairs=15)
    yield Row(group, "a tree of depth 3, its session included", _tree(afield=True), _tree(afield=False), 2, pairs=5)


def _wall(action) -> Clock:
    """Seconds on the clock: what other processes do is waited for."""

    def run() -> float:
        begun = time.perf_counter()
        action()
        return time.perf_counter() - begun

    return run


@cache
def _field():
    """Three sites, each a process that answers through a socket, and what the aggregator needs; until the end."""
    from fdpedu.claims.forks import begin_child
    from fdpedu.domain import Domain, Numeric
    from fdpedu.federation import Agreement, Site, serve
    from fdpedu.secure_sum import Identity

    folder = Path(tempfile.mkdtemp(prefix="fdpedu-"))
    domain = Domain([Numeric.grid(name, 0, 100, bins=10) for name in "uvw"], ("no", "yes"))
    own, aggregator = {name: Identity.create() for name in SITES}, Identity.create()
    members = {name: one.public for name, one in own.items()}
    agreed = Agreement(domain=domain, members=members, aggregator=aggregator.public, budget=BUDGET)
    for name in SITES:
        child, _ = begin_child(
            lambda say, name=name: serve(
                Site(_party(folder, f"{name}.db", agreed, name, own[name]), aggregator.public), folder / f"{name}.sock"
            )
        )
        atexit.register(os.kill, child, signal.SIGKILL)
    while not all((folder / f"{name}.sock").exists() for name in SITES):
        time.sleep(0.01)
    return folder, agreed, aggregator


def _party(folder, file, agreed, name, identity=None):
    from fdpedu.accounting import Ledger
    from fdpedu.federation import Party

    ledger = Ledger.open(folder / file, agreed.total, domain=agreed.domain, colluders=1)
    k = SITES.index(name)
    rows = [[(7 * i + k) % 100, (11 * i) % 100, (13 * i) % 100, ("no", "yes")[i % 100 > 40]] for i in range(300)]
    own = {} if identity is None else {"identity": identity}
    from fdpedu.federation import Limits

    limits = agreed.limits() if identity is not None else Limits(members="anybody", tolerate=0)
    return Party(rows, agreed.domain, name=name, ledger=ledger, limits=limits, **own)


_numbers = count()


def _federation(*, afield: bool):
    """A new session; the aggregator's own ledger is in a file, too."""
    from fdpedu.accounting import Ledger
    from fdpedu.federation import Federation, Sockets

    folder, agreed, aggregator = _field()
    n = next(_numbers)
    ledger = Ledger.open(folder / f"{n}.db", agreed.total, domain=agreed.domain, colluders=1)
    if not afield:
        return Federation([_party(folder, f"{name}-here.db", agreed, name) for name in SITES], agreed.domain, ledger)
    sockets = Sockets(folder)
    parties = [sockets.party(name, identity) for name, identity in agreed.members.items()]
    more = {"transport": sockets, "identity": aggregator, "journal": folder / f"{n}.journal"}
    return Federation(parties, agreed.domain, ledger, **more)


def _round(*, afield: bool) -> Clock:
    """One histogram of all features; of a session that has begun."""

    @cache
    def begun():
        return _federation(afield=afield)

    def ask():
        from fdpedu.federation import NodeHistograms

        federation = begun()
        federation.release([NodeHistograms(federation.domain.everything, COST)])

    return _wall(ask)


def _tree(*, afield: bool) -> Clock:
    from fdpedu.trees import fit_federated_tree

    def grow():
        with _federation(afield=afield) as federation:
            fit_federated_tree(federation, max_depth=3, epsilon=1, design="default")

    return _wall(grow)
