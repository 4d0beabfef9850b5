"""``python -m benchmarks.front_page``: the runs behind the book's front page, for two divisions of the patients.

Kept are integers: for each run the patients held back for whom each tree was right. No run was chosen: the tree that
the page draws has another seed, chosen so that it can be read. The noise is seeded, so the numbers can be made again;
this is a measurement on data that are public, and no release.
"""

import argparse
import warnings
from pathlib import Path
from typing import Any

from benchmarks.repeated import a_row_a_line
from benchmarks.stamp import stamp
from fdpedu.demo import Demo, run_demo
from fdpedu.demo.running import TEST_PATIENTS
from fdpedu.randomness import SeededReleaseWarning
from fdpedu.showing import TerminalBar

TREES = ("private", "local", "gridded", "central")
DIVISIONS = {"by diagnosis": False, "mixed": True}


def counted(demo: Demo) -> dict[str, list[int]]:
    """The patients for whom each kind of tree was right, a number for each run."""
    return {name: [round(TEST_PATIENTS * share) for share in getattr(demo, name)] for name in TREES}


def study(runs: int, seed: int) -> dict[str, Any]:
    """Both divisions, with what is needed to make them again."""
    warnings.simplefilter("ignore", SeededReleaseWarning)
    found: dict[str, Any] = {"seed": seed, "runs": runs, "patients": TEST_PATIENTS}
    for name, mixed in DIVISIONS.items():
        found[name] = counted(run_demo(mixed=mixed, seed=seed, repeats=runs, progress=TerminalBar(patience=0)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.front_page", description="The front page's runs.")
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE", required=True, help="write all numbers to FILE")
    chosen = parser.parse_args()
    found = study(chosen.runs, chosen.seed)
    chosen.json.write_text(a_row_a_line({**stamp(), **found}) + "\n", "utf8")


if __name__ == "__main__":
    main()
