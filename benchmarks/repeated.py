"""What commands that repeat a measurement have in common: their options, and the file that keeps what they found."""

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks.stamp import stamp

LINE = 160  # characters: what has more parts than fit stands in several lines


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
        file.write_text(a_row_a_line({**stamp(), **content}) + "\n", "utf8")


def a_row_a_line(content: Any, indent: str = "", *, is_row: bool = False) -> str:
    """JSON in which a difference shows what differs: an entry of a list is one line, unless it holds further rows."""
    line, inside = json.dumps(content, ensure_ascii=False), indent + " "
    if len(line) <= LINE or not isinstance(content, dict | list) or (is_row and not _has_rows(content)):
        return line
    if isinstance(content, dict):
        lines = [f"{json.dumps(name)}: {a_row_a_line(part, inside)}" for name, part in content.items()]
        return f"{{\n{inside}" + f",\n{inside}".join(lines) + f"\n{indent}}}"
    if not any(isinstance(part, dict | list) for part in content):
        return line
    return f"[\n{inside}" + f",\n{inside}".join(a_row_a_line(p, inside, is_row=True) for p in content) + f"\n{indent}]"


def _has_rows(content: Any) -> bool:
    """Whether there are dictionaries in a list somewhere inside."""
    parts = list(content.values() if isinstance(content, dict) else content)
    in_list = isinstance(content, list) and any(isinstance(part, dict) for part in parts)
    return in_list or any(_has_rows(part) for part in parts if isinstance(part, dict | list))
