"""``python -m benchmarks.experiments``: Figures 2 to 5 in full, in three variants, for the book.

Kept are integers: the correct test rows of each run, for each setting, method and ε; and the fingerprint of the code,
the seed and the number of runs, from which any part can be made again bit for bit. What stands in the file already and
was made by the same code stays: where only :mod:`fdpedu.simulation` has changed, only the book's own trees are grown
anew. With ``--keep`` finished tasks are kept in a folder, and a study that was stopped goes on from there.
"""

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from benchmarks.accuracy import progress
from benchmarks.stamp import stamp
from fdpedu.experiments import METHODS, Study
from fdpedu.experiments.protocol import RUNS
from fdpedu.experiments.store import REPORT, Store, fingerprint
from fdpedu.experiments.stored import Stored, read_stored, stored_text
from fdpedu.experiments.tasks import Results

ORDER = ("published", "corrected", "printed")
MORE = {"corrected": ("default",)}  # curves beside the report's


def studies(runs: int, seed: int) -> list[Study]:
    """All figures in all variants."""
    return [Study.of(figure, variant, runs=runs, seed=seed) for figure in (3, 5, 2, 4) for variant in ORDER]


def measured(study: Study, run: Callable[[Study], list[Results]], old: Stored | None) -> list[Results]:
    """The results of a study and, where it has more curves, of these; from the old file if it has them of this code."""
    more = () if study.settings[0].figure == 2 else MORE.get(study.variant.name, ())
    found = kept(study, METHODS, old) if old and old.code == fingerprint(REPORT) else run(study)
    if more:
        fresh = old and old.designs == fingerprint()
        beside = kept(study, more, old) if old and fresh else run(replace(study, methods=more))
        found = [replace(a, correct={**a.correct, **b.correct}) for a, b in zip(found, beside, strict=True)]
    return found


def kept(study: Study, methods: tuple[str, ...], old: Stored) -> list[Results]:
    """What stands in a file of some methods."""
    there = {one.setting: one for one in old.of(study.variant.name, study.settings[0].figure)}
    return [
        replace(one, correct={key: counts for key, counts in one.correct.items() if key[0] in methods})
        for one in (there[setting] for setting in study.settings)
    ]


def usable(file: Path | None, runs: int, seed: int) -> Stored | None:
    """The file as it is, if it was made with the same seed and as many runs."""
    if file is None or not file.exists():
        return None
    old = read_stored(file)
    return old if (old.runs, old.seed) == (runs, seed) else None


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
    old = usable(chosen.json, chosen.runs, chosen.seed)

    def run(study: Study) -> list[Results]:
        return study.results(jobs=chosen.jobs, keep=keep)

    every = [measured(study, run, old) for study in progress(planned, len(planned))]
    if chosen.json:
        prints = {"code": fingerprint(REPORT), "designs": fingerprint()}
        head = {**stamp(), **prints, "runs": chosen.runs, "seed": chosen.seed}
        chosen.json.write_text(stored_text([found for results in every for found in results], head), "utf8")


if __name__ == "__main__":
    main()
