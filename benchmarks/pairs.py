"""Two actions timed in turn, A B A B …: the ratio of their CPU times is the median over pairs.

A machine whose speed drifts does not matter then. CPU time of the process, and of its children where it starts any.
"""

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

Clock = Callable[[], float]
PEERS = Path(__file__).resolve().parent.parent / "peers"


@dataclass(frozen=True)
class Row:
    """A ratio to measure: what, against what, the limit that it must keep (None: it is only shown), and how often.

    ``quick`` rows are those of a minute's run, whose limit leaves ``QUICK_SLACK`` for noise.
    """

    group: str
    name: str
    ours: Clock
    peer: Clock
    limit: float | None = None
    pairs: int = 7
    quick: bool = False


QUICK_SLACK = 1.5


@dataclass(frozen=True)
class Ratio:
    """What came of a row: median, smallest and largest ratio over the pairs, and the CPU seconds of ours."""

    group: str
    name: str
    median: float
    least: float
    most: float
    seconds: float
    limit: float | None
    pairs: int

    @property
    def beyond(self) -> bool:
        return self.limit is not None and self.median > self.limit

    def to_dict(self) -> dict:
        return asdict(self)


def measure(row: Row, *, quick: bool = False) -> Ratio:
    """Time the pairs of a row, after one warm-up of each where they are short."""
    first = row.ours(), row.peer()
    pairs = [(row.ours(), row.peer()) for _ in range(min(row.pairs, 3) if quick else row.pairs)]
    if len(pairs) <= 2:
        pairs.append(first)
    ratios = [a / b for a, b in pairs]
    limit = row.limit * QUICK_SLACK if quick and row.limit is not None else row.limit
    seconds = statistics.median(a for a, _ in pairs)
    return Ratio(row.group, row.name, statistics.median(ratios), min(ratios), max(ratios), seconds, limit, len(pairs))


def cpu(action: Callable[[], object], times: int = 1) -> Clock:
    """CPU seconds of this process for one action, done so many times."""

    def run() -> float:
        start = time.process_time()
        for _ in range(times):
            action()
        return (time.process_time() - start) / times

    return run


def child(statement: str) -> Clock:
    """CPU seconds of a Python process that runs a statement."""

    def run() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", statement], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return run


def ask_peer(script: str, *arguments: object, place: int = 0, scale: float = 1) -> Clock:
    """What another library says that it took, in its own environment: the number at ``place``, times ``scale``."""
    python = PEERS.parent / ".peers" / "bin" / "python"

    def run() -> float:
        command = [str(python), str(PEERS / script), *map(str, arguments)]
        seconds = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        return float(seconds[place]) * scale

    return run
