"""Sites afield that NVIDIA FLARE carries messages to: its processes, those of the sites, and whoever is killed."""

import threading
import time

from fdpedu.demo.flare import SERVER, Consortium
from fdpedu.federation import Sockets
from fdpedu.trees import fit_federated_tree
from tests.support.afield import Field
from tests.support.repository import ROOT

PYTHON = ROOT / ".field" / "bin" / "python"


class Carried(Field):
    """Three sites, and FLARE between them and the aggregator."""

    def __init__(self, folder, n=3, **terms):
        super().__init__(folder, n, **terms)
        self.flare = Consortium(folder, list(self.own), str(PYTHON))
        self.seconds = 0.0

    def socket(self, name):
        return self.flare.socket(name)

    def begin(self):
        """Everything runs, and the job carries."""
        self.flare.prepare()
        self.start_all()
        self.flare.start_all()
        self.flare.wait()

    def end(self):
        self.flare.stop()
        self.stop()

    def sockets(self, patience=60):
        return Sockets(self.folder / "sites", patience=patience)

    def carried(self, *, patience=60, **options):
        """The aggregator's federation, through FLARE."""
        sockets = self.sockets(patience)
        parties = [sockets.party(name, identity) for name, identity in self.agreed.members.items()]
        return self.of(parties, sockets, **{"journal": True, "ledger": None} | options)

    def tree(self, federation, kill=None, **options):
        """A tree; when the first answer of its second round has come, ``kill`` is called, and the time runs."""
        killed = []

        def progress(done, of):
            if done > len(self.own) and kill is not None and not killed:
                killed.append(time.monotonic())
                kill()

        grown = fit_federated_tree(federation, **{"max_depth": 3, "design": "default", "progress": progress} | options)
        self.seconds = time.monotonic() - killed[0] if killed else 0.0
        return grown

    def back(self, start, seconds=0.0):
        """What was killed is started again."""
        threading.Timer(seconds, start).start()


def killers(field, name="south"):
    """What a crash can take, by its name."""
    flare = field.flare

    def client(seconds, **what):
        flare.kill(name, **what)
        field.back(lambda: flare.start(name), seconds)

    def server(**what):
        flare.kill(SERVER, **what)
        field.back(lambda: flare.start(SERVER), 1)

    def site():
        field.kill(name)
        field.back(lambda: field.start(name), 2)

    return {
        "the site's job": lambda: flare.kill(name, parent=False),
        "the client": lambda: client(1, job=False),
        "client and job, back at once": lambda: client(0),
        "client and job, back after 8 s": lambda: client(8),
        "the server's job": lambda: flare.kill(SERVER, parent=False),
        "the server": lambda: server(job=False),
        "the server and its job": server,
        "the site's own process": site,
    }
