"""A federation afield: sites with rows, identities and budget files of their own, in processes or in this one."""

import json
import os
import signal
import time
from contextlib import suppress
from fractions import Fraction

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.claims.forks import begin_child
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Agreement, Federation, InProcess, Limits, Party, RemoteParty, Site, Sockets, serve
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.secure_sum import Identity

DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))], ("no", "yes"))
NAMES = ("north", "south", "east", "west")


def rows_of(k):
    """Site k's rows, fixed."""
    chance = Rehearsal(k).words(60).tolist()
    return [[word % 100, "AB"[word // 100 % 2], ("no", "yes")[word % 100 > 45]] for word in chance]


class Field:
    """Sites whose files are in a folder, and their aggregator; without noise, so that sums can be compared."""

    def __init__(self, folder, n=3, *, budget=1, noise=None, **terms):
        self.folder, self.noise, self.processes = folder, noise or (lambda k: ZeroWords()), {}
        (folder / "sites").mkdir(exist_ok=True)
        self.own = {name: Identity.create() for name in NAMES[:n]}
        self.aggregator = Identity.create()
        members = {name: own.public for name, own in self.own.items()}
        self.agreed = Agreement(
            domain=DOMAIN, members=members, aggregator=self.aggregator.public, budget=budget, **terms
        )
        self.journal = folder / "journal"

    def ledger(self, name):
        agreed = self.agreed
        return Ledger.open(self.folder / f"{name}.db", agreed.total, domain=DOMAIN, colluders=agreed.colluders)

    def party(self, name, **limits):
        k, agreed = NAMES.index(name), self.agreed
        allowed = agreed.limits() if not limits else Limits(**limits)
        own = {"ledger": self.ledger(name), "limits": allowed, "identity": self.own[name]}
        return Party(rows_of(k), DOMAIN, name=name, rng=self.noise(k), **own)

    def site(self, name):
        """As its process makes it when it starts."""
        return Site(self.party(name), self.agreed.aggregator)

    def start(self, name, wrapped=lambda site: site):
        """A process that serves the site; the site may be wrapped."""

        def work(say):
            say("begun")
            serve(wrapped(self.site(name)), self.socket(name))

        child, reading = begin_child(work)
        os.read(reading, 6)
        os.close(reading)
        self.processes[name] = child
        return child

    def socket(self, name):
        return self.folder / "sites" / f"{name}.sock"

    def kill(self, name):
        """As ``kill -9`` does."""
        child = self.processes.pop(name)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)

    def start_all(self):
        for name in self.own:
            self.start(name)
        end = time.monotonic() + 10
        while not all(self.socket(name).exists() for name in self.own) and time.monotonic() < end:
            time.sleep(0.01)
        return self

    def stop(self):
        for name in [*self.processes]:
            with suppress(ProcessLookupError):
                self.kill(name)

    def federation(self, *, patience=20, journal=True, ledger=None, **options):
        """The aggregator's, through sockets."""
        sockets = Sockets(self.folder / "sites", patience=patience)
        parties = [sockets.party(name, identity) for name, identity in self.agreed.members.items()]
        return self.of(parties, sockets, journal=journal, ledger=ledger, **options)

    def near(self, sites, *, journal=True, ledger=None, **options):
        """The same with sites of this process, without sockets; ``sites`` has an object for each name."""
        parties = [
            RemoteParty(name, identity, lambda message, name=name: sites[name].respond(message))
            for name, identity in self.agreed.members.items()
        ]
        return self.of(parties, InProcess(), journal=journal, ledger=ledger, **options)

    def of(self, parties, transport, *, journal, ledger, **options):
        agreed = self.agreed
        terms = {"tolerate": agreed.tolerate, "missing": agreed.missing, "identity": self.aggregator}
        kept = {"journal": self.journal} if journal else {}
        whole = self.ledger("aggregator") if ledger is None else ledger
        return Federation(parties, DOMAIN, whole, transport=transport, **{**terms, **kept, **options})

    @property
    def coins(self):
        """The public coins of the journal, from their beginning."""
        with self.journal.open() as file:
            return np.random.default_rng(int(json.loads(file.readline())["coins"], 16))

    def in_process(self, ledger=None, **options):
        """The same federation as one process has it: parties with ledgers of their own, and no noise."""
        parties = [Party(rows_of(NAMES.index(name)), DOMAIN) for name in self.own]
        agreed = self.agreed
        return Federation(
            parties,
            DOMAIN,
            Ledger(agreed.total) if ledger is None else ledger,
            tolerate=agreed.tolerate,
            missing=agreed.missing,
            rng=ZeroWords(),
            **options,
        )

    def charged(self, name):
        """How many rounds a ledger has charged, and what."""
        with self.ledger(name) as ledger:
            return ledger.rounds, ledger.spent

    def require_paid_once(self, rounds, spent=None):
        """Every ledger has charged every round once: the sites' and the aggregator's."""
        found = {name: self.charged(name) for name in (*self.own, "aggregator")}
        assert {paid for paid in found.values()} == {(rounds, spent or Fraction(self.agreed.total.limit.value))}, found
