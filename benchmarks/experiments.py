"""``python -m benchmarks.experiments``: Figures 2 to 5 in full, in three variants, for the book.

Kept are integers: the correct test rows of each run, for each setting, method and ε; and the fingerprint of the code,
the seed and the number of runs, from which any part can be made again bit for bit. With ``--keep`` finished tasks are
kept in a folder, and a study that was stopped goes on from there.
"""

import argparse
from pathlib import Path

from benchmarks.accuracy import progress
from benchmarks.stamp import stamp
from fdpedu.experiments import METHODS, Study
from fdpedu.experiments.protocol import RUNS
from fdpedu.experiments.store import Store, fingerprint
from fdpedu.experiments.stored import stored_text

ORDER = ("published", "corrected", "printed")
MORE = {"corrected": ("default",)}  # curves beside the report's


def studies(runs: int, seed: int) -> list[Study]:
    """All figures in all variants; among the corrected curves the book's tree."""
    return [
        Study.of(figure, variant, runs=runs, seed=seed, methods=(*METHODS, *MORE.get(variant, ())))
        for figure in (3, 5, 2, 4)
        for variant in ORDER
    ]


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
        head = {**stamp(), "code": fingerprint(), "runs": chosen.runs, "seed": chosen.seed}
        chosen.json.write_text(stored_text([found for results in every for found in results], head), "utf8")


if __name__ == "__main__":
    main()
