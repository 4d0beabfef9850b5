"""Five sites and their aggregator as processes on one machine, one of them killed and started again: ``fdpedu field``.

Nothing crosses a network, and nothing has to be installed: the sites are ``fdpedu site``, reached through Unix sockets
in a folder for temporary files. One site is killed (``kill -9``) as soon as the first answer of the second round has
come; whether it had answered by then is decided by chance. It is started again half a second later, is asked the same
question in the same bytes, and the round is finished. Every ledger has charged every round once.

With NVIDIA FLARE as the carrier there are three sites, whose sockets are elsewhere than the aggregator's. Between them
are FLARE's server, a client for each site, and the job that ``fdpedu carry`` submits; and what is killed is the whole
machine of a site: its own process, its client and the job's.

The rows are made up: visits to a hospital, by age and by how the patient came.
"""

from __future__ import annotations

import csv
import importlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import fdpedu
from fdpedu.accounting import Ledger
from fdpedu.demo.flare import SERVER, Consortium
from fdpedu.domain import Domain
from fdpedu.exact import one_of
from fdpedu.federation import Agreement, Federation, Sockets
from fdpedu.federation.sockets import require_sockets
from fdpedu.secure_sum import Identity
from fdpedu.showing import text_table
from fdpedu.trees import Tree, fit_federated_tree

SITES = ("north", "south", "east", "west", "centre")
CARRIERS = {"none": SITES, "flare": SITES[:3]}  # and their sites
BACK_AFTER, PATIENCE = 0.5, 180  # seconds: five programs begin at once
ROWS, DEPTH = 80, 2
_WORDS = {3: "Three", 5: "Five"}
SPEC = {
    "features": {"age": [0, 100, 5], "arrival": ["on foot", "referred", "ambulance"]},
    "classes": ["home", "admitted"],
}
Say = Callable[[str], None]


@dataclass(frozen=True)
class Field:
    """What was grown, and what each ledger says that it has charged: rounds, and ε."""

    tree: Tree
    charged: dict[str, tuple[int, Fraction]]
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """One object for ``--json``."""
        charged = {name: {"rounds": rounds, "epsilon": str(spent)} for name, (rounds, spent) in self.charged.items()}
        return {
            "tree": self.tree.to_dict(),
            "rounds": self.tree.rounds,
            "charged": charged,
            "derivation": self.tree.derivation.content,
            "seconds": round(self.seconds, 2),
        }

    def to_text(self) -> str:
        """The tree, the sum of its derivation, and who has paid what."""
        paid = [("", "rounds", "ε")]
        paid += [(name, str(rounds), str(spent)) for name, (rounds, spent) in self.charged.items()]
        return "\n".join(
            [
                self.tree.to_text(),
                "",
                f"What it costs, by its derivation: ε = {self.tree.derivation.spent}, in {self.tree.rounds} rounds.",
                f"It took {self.seconds:.1f} s, the kill included. Charged, each round once:",
                "",
                text_table(paid, indent="  "),
            ]
        )


@dataclass
class _Sites:
    """The sites' processes, by name; all files are in one folder."""

    folder: Path
    names: Sequence[str]
    digest: str
    say: Say
    flare: Consortium | None = None
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    coming: list[threading.Timer] = field(default_factory=list)

    def start(self, name: str) -> None:
        """A process of its own, as its owner would start it."""
        words = ["site", "federation.json", f"{name}.csv", "--agreed", self.digest, "--label", "goes"]
        words += ["--identity", f"{name}.pem", "--passphrase", "passphrase", "--budget", f"{name}.db"]
        words += ["--socket", f"{'sites' if self.flare is None else 'own'}/{name}.sock"]
        found = os.path.dirname(os.path.dirname(os.path.abspath(fdpedu.__file__)))
        paths = os.pathsep.join(filter(None, [found, os.environ.get("PYTHONPATH")]))
        self.running[name] = subprocess.Popen(
            [sys.executable, "-m", "fdpedu", *words],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": paths},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    def kill(self, name: str) -> None:
        """As a crash does it; it is started again after a while."""
        died = self.running[name]
        died.send_signal(signal.SIGKILL)
        self.say(f"  kill -9 {died.pid}: {name} is gone in the second round")
        if self.flare is not None:
            self.flare.kill(name)
            self.say("  and so are its client of FLARE, and the job's process there")
        self.coming.append(threading.Timer(BACK_AFTER, self._back, [name]))
        self.coming[-1].start()

    def _back(self, name: str) -> None:
        self.running[name].wait()
        self.start(name)
        self.say(f"  {name} is started again, as process {self.running[name].pid}")
        if self.flare is not None:
            self.flare.start(name)

    def stop(self) -> None:
        """All of them, and whoever is about to be started."""
        for timer in self.coming:
            timer.cancel()
            timer.join()
        if self.flare is not None:
            self.flare.stop()
        for process in self.running.values():
            process.kill()
        for process in self.running.values():
            process.wait()


def run_field(say: Say = print, *, epsilon: Fraction | int = 1, carrier: str = "none") -> Field:
    """Grow a tree with sites that have processes of their own; one of them is killed, and started again.

    Parameters
    ----------
    say : called with each line that tells what happens
    epsilon : what the tree may cost, and each site's budget
    carrier : "none", where the sites' sockets are the aggregator's, or "flare"
    """
    require_sockets()
    names = CARRIERS[one_of(CARRIERS, carrier, "carrier")]
    if carrier == "flare":
        importlib.import_module("nvflare")  # or the error says what to install
    with tempfile.TemporaryDirectory(prefix="fdpedu-") as name:
        folder = Path(name)
        agreed, identity = _written(folder, names, epsilon)
        flare = Consortium(folder, names) if carrier == "flare" else None
        begun = time.monotonic()
        sites = _Sites(folder, names, agreed.digest, say, flare)
        with _started(sites), _ledger(folder, "aggregator", agreed) as ledger:
            say(f"{_WORDS[len(names)]} sites, each with rows, an identity and a budget of its own, and an aggregator:")
            say(f"  process {os.getpid()}, the aggregator, with a budget, an identity and a journal")
            for one, process in sites.running.items():
                say(f"  process {process.pid}, {one}, with {ROWS} rows, reached through sites/{one}.sock")
            if flare is not None:
                _say_flare(flare, say)
            begun = time.monotonic()
            tree = _grown(folder, agreed, identity, ledger, _killer(sites))
            say(f"The tree is finished after {tree.rounds} rounds.\n")
            seconds = time.monotonic() - begun
        return Field(tree, {one: _charged(folder, one, agreed) for one in ("aggregator", *names)}, seconds)


def _say_flare(flare: Consortium, say: Say) -> None:
    """Which processes of FLARE carry, once they do."""
    flare.wait()
    for name, process in flare.running.items():
        what = {SERVER: "FLARE's server", "carry": "fdpedu carry, which has submitted the job"}
        say(f"  process {process.pid}, {what.get(name, f'the client of FLARE at {name}')}")


def _grown(
    folder: Path, agreed: Agreement, identity: Identity, ledger: Ledger, progress: Callable[[int, int], None]
) -> Tree:
    """The aggregator's part: what ``fdpedu fit --federation`` does."""
    sockets = Sockets(folder / "sites", patience=PATIENCE)
    with Federation(
        [sockets.party(name, public) for name, public in agreed.members.items()],
        agreed.domain,
        ledger,
        transport=sockets,
        tolerate=agreed.tolerate,
        identity=identity,
        journal=folder / "journal",
    ) as federation:
        return fit_federated_tree(federation, max_depth=DEPTH, design="default", progress=progress)


def _killer(sites: _Sites) -> Callable[[int, int], None]:
    """Progress that kills a site once, when the first answer of the second round has come."""
    killed = threading.Event()

    def progress(done: int, of: int) -> None:
        if done > len(sites.names) and not killed.is_set():
            killed.set()
            sites.kill(sites.names[-2])

    return progress


@contextmanager
def _started(sites: _Sites) -> Iterator[None]:
    try:
        if sites.flare is not None:
            sites.flare.prepare()
            sites.flare.start_all()
        for name in sites.names:
            sites.start(name)
        yield
    finally:
        sites.stop()


def _ledger(folder: Path, name: str, agreed: Agreement) -> Ledger:
    return Ledger.open(folder / f"{name}.db", agreed.total, domain=agreed.domain, colluders=agreed.colluders)


def _charged(folder: Path, name: str, agreed: Agreement) -> tuple[int, Fraction]:
    with _ledger(folder, name, agreed) as ledger:
        spent = ledger.spent
        assert isinstance(spent, Fraction)
        return ledger.rounds, spent


def _written(folder: Path, names: Sequence[str], epsilon: Fraction | int) -> tuple[Agreement, Identity]:
    """Each site's rows and identity, and what all have agreed on; in the folder, each file for its owner alone."""
    (folder / "sites").mkdir(exist_ok=True)
    secret = folder / "passphrase"
    secret.touch(mode=0o600)
    secret.write_text("of a demonstration\n", "utf8")
    chance, members = random.Random(62), dict[str, bytes]()
    for name in names:
        own = Identity.create()
        own.save(folder / f"{name}.pem", "of a demonstration")
        members[name] = own.public
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf8") as file:
            csv.writer(file).writerows([["age", "arrival", "goes"], *(_visit(chance) for _ in range(ROWS))])
    identity = Identity.create()
    agreed = Agreement(
        domain=Domain.from_spec(SPEC), members=members, aggregator=identity.public, budget=epsilon, tolerate=1
    )
    agreed.save(folder / "federation.json")
    return agreed, identity


def _visit(chance: random.Random) -> list[Any]:
    """Made up: the old, and those who come by ambulance, are often admitted."""
    age, arrival = chance.randrange(100), chance.choice(SPEC["features"]["arrival"])  # type: ignore[index]
    likely = (age > 60) + 2 * (arrival == "ambulance")
    return [age, arrival, "admitted" if chance.random() < (0.1, 0.6, 0.7, 0.95)[likely] else "home"]
