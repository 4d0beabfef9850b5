"""``python -m benchmarks.carried``: what NVIDIA FLARE costs as a carrier, and how long a kill holds up a tree.

Three sites on one machine, by mutual TLS on the loopback device. A round and a tree are compared, in turn, with parties
of one process whose ledgers are in files, as the sites' are. Then each process is killed as the first answer of a
tree's second round has come, and the seconds to the finished tree are kept; every ledger has charged each round once.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.repeated import a_row_a_line
from benchmarks.stamp import stamp
from fdpedu.accounting import Ledger
from fdpedu.federation import ClassCounts, Federation, Limits, Party
from fdpedu.trees import fit_federated_tree
from tests.support.afield import DOMAIN, rows_of
from tests.support.flare import Carried, killers

ROUNDS, TREES = 25, 9


def study(times: int) -> dict[str, Any]:
    """All of it, ``times`` kills of each kind."""
    with tempfile.TemporaryDirectory(prefix="fdpedu-") as name:
        field = Carried(Path(name), budget=10**4)
        try:
            begun = time.monotonic()
            field.begin()
            found = {"times": times, "carries after": round(time.monotonic() - begun, 1)}
            with field.carried(patience=300) as federation:
                found |= compared(federation, near(field))
                found["kills"] = killed(field, federation, times)
                field.require_paid_once(federation.ledger.rounds, federation.ledger.spent)
        finally:
            field.end()
    return found


def near(field: Carried) -> Federation:
    """The same parties in this process, each with a ledger in a file; and the aggregator's."""

    def ledger(name: str) -> Ledger:
        return Ledger.open(field.folder / f"near {name}.db", field.agreed.total, domain=DOMAIN, colluders=1)

    anybody = Limits(members="anybody", tolerate=0)
    parties = [Party(rows_of(k), DOMAIN, ledger=ledger(name), limits=anybody) for k, name in enumerate(field.own)]
    return Federation(parties, DOMAIN, ledger("aggregator"))


def compared(carried: Federation, here: Federation) -> dict[str, Any]:
    """For a round and a tree: seconds of both, and the median, least and most of the ratios of pairs."""

    def round_of(federation: Federation) -> None:
        federation.release([ClassCounts(DOMAIN.everything, "1/100")])

    def tree_of(federation: Federation) -> None:
        fit_federated_tree(federation, epsilon=1, max_depth=3, design="default")

    found = {}
    for name, act, pairs in (("round", round_of, ROUNDS), ("tree", tree_of, TREES)):
        act(carried), act(here)
        seconds = [(_seconds(act, carried), _seconds(act, here)) for _ in range(pairs)]
        ratios = [ours / peer for ours, peer in seconds]
        found[name] = {
            "seconds": round(statistics.median(ours for ours, _ in seconds), 4),
            "in one process": round(statistics.median(peer for _, peer in seconds), 4),
            "ratio": [round(value, 2) for value in (statistics.median(ratios), min(ratios), max(ratios))],
        }
        print(name, found[name], flush=True)
    return found


def killed(field: Carried, federation: Federation, times: int) -> dict[str, list[float]]:
    """Seconds from each kill to the finished tree."""
    found: dict[str, list[float]] = {}
    for name, kill in killers(field).items():
        field.flare.kill("carry")  # it would count the jobs that end so soon, and pause longer and longer
        field.flare.carry()
        for _ in range(times):
            field.flare.wait()
            time.sleep(2)
            field.tree(federation, kill, epsilon=1)
            found.setdefault(name, []).append(round(field.seconds, 1))
        print(name, found[name], flush=True)
    return found


def _seconds(act: Any, federation: Federation) -> float:
    begun = time.perf_counter()
    act(federation)
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.carried", description="What FLARE costs as a carrier.")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE", required=True, help="write all numbers to FILE")
    chosen = parser.parse_args()
    found = study(chosen.times)
    chosen.json.write_text(a_row_a_line({**stamp(), **found}) + "\n", "utf8")


if __name__ == "__main__":
    main()
