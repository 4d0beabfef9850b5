"""``python -m benchmarks.experiments``: Figures 2 to 5 in full, in three variants, for the book.

Kept are integers: the correct test rows of each run, for each setting, method and ε; and the fingerprint of the code,
the seed and the number of runs, from which any part can be made again bit for bit. With ``--keep`` finished tasks are
kept in a folder, and a study that was stopped goes on from there.
"""

import argparse
import json
from fractions import Fraction
from pathlib import Path

from benchmarks.accuracy import progress
from benchmarks.stamp import stamp
from fdpedu.experiments import Results, Study
from fdpedu.experiments.protocol import RUNS
from fdpedu.experiments.store import Store, fingerprint

ORDER = ("published", "corrected", "printed")


def studies(runs: int, seed: int) -> list[Study]:
    """All figures in all variants."""
    return [Study.of(figure, variant, runs=runs, seed=seed) for figure in (3, 5, 2, 4) for variant in ORDER]


def entry(found: Results) -> dict[str, object]:
    """One setting of one variant, as it is stored."""
    s = found.setting
    return {
        **{"figure": s.figure, "variant": found.variant.name, "n": s.n, "p": s.p, "max_depth": s.max_depth},
        **{"rho": str(s.rho), "leaf_share": str(s.leaf_share), "bounds_share": str(s.bounds_share)},
        "n_test": found.n_test,
        "correct": [[method, shown(epsilon), list(counts)] for (method, epsilon), counts in found.correct.items()],
    }


def shown(epsilon: Fraction | None) -> str | None:
    return None if epsilon is None else str(epsilon)


def stored(entries: list[dict[str, object]], runs: int, seed: int) -> str:
    """One line for each setting, so that a change shows which."""
    head = json.dumps({**stamp(), "code": fingerprint(), "runs": runs, "seed": seed}, ensure_ascii=False)
    lines = ",\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in entries)
    return f'{head[:-1]}, "settings": [\n{lines}\n]}}\n'


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.experiments", description="The report's figures.")
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep finished tasks there")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers to FILE")
    chosen = parser.parse_args()
    keep = Store(chosen.keep) if chosen.keep else None
    planned = studies(chosen.runs, chosen.seed)
    every = [study.results(jobs=chosen.jobs, keep=keep) for study in progress(planned, len(planned))]
    if chosen.json:
        entries = [entry(found) for results in every for found in results]
        chosen.json.write_text(stored(entries, chosen.runs, chosen.seed), "utf8")


if __name__ == "__main__":
    main()
