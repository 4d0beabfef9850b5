"""What commands that repeat a measurement have in common: their options, and the file that keeps what they found."""

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks.stamp import stamp


def read_options(program: str, description: str | None, seeds: int) -> argparse.Namespace:
    """The options ``seeds`` (two or more, for a mean has an error), ``jobs`` and ``json`` of the command line."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{program}", description=description)
    parser.add_argument("--seeds", type=int, default=seeds, help="repetitions, at least 2")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all numbers to FILE")
    chosen = parser.parse_args()
    if chosen.seeds < 2 or chosen.jobs < 1:
        parser.error("needs seeds ≥ 2 and jobs ≥ 1")
    return chosen


def keep(content: dict[str, Any], file: Path | None) -> None:
    """Write ``content`` with its stamp, if there is a file to write; to be called when all has been measured."""
    if file:
        file.write_text(json.dumps({**stamp(), **content}, ensure_ascii=False) + "\n", "utf8")
