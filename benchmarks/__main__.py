"""``python -m benchmarks``: every ratio with its limit; exit status 1 if one is beyond it.

``--quick`` runs a minute's part of it with wider limits for noise, ``--json FILE`` keeps what was measured,
with the kind of processor, the date and the fingerprint of the code; the book's page on speed shows such a file.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from benchmarks import (
    admission,
    afield,
    audits,
    bounds,
    choices,
    consistency,
    ensembles,
    growth,
    histograms,
    one_owner,
    samplers,
    simulation,
    structures,
    sums,
    trees,
    votes,
)
from benchmarks.pairs import Ratio, Row, child, measure
from benchmarks.repeated import a_row_a_line
from benchmarks.stamp import stamp
from fdpedu.showing import TerminalBar


def imports() -> Iterator[Row]:
    numpy = child("import numpy")
    yield Row("imports", "fdpedu / numpy", child("import fdpedu"), numpy, 1.3, quick=True)
    yield Row("imports", "fdpedu.trees / numpy", child("import fdpedu.trees"), numpy)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed as ratios against peers.")
    parser.add_argument("--quick", action="store_true", help="a minute's part, with wider limits for noise")
    parser.add_argument("--json", metavar="FILE", type=Path, help="keep the result there")
    parser.add_argument("--only", metavar="WORD", default="", help="the rows whose group or name holds the word")
    options = parser.parse_args()
    parts = (
        samplers,
        choices,
        admission,
        sums,
        histograms,
        bounds,
        consistency,
        trees,
        growth,
        ensembles,
        one_owner,
        structures,
        audits,
        votes,
        simulation,
        afield,
    )
    every = chain(imports(), *(part.rows() for part in parts))
    chosen = [row for row in every if options.only in f"{row.group} {row.name}" and (row.quick or not options.quick)]
    found, bar = list[Ratio](), TerminalBar(patience=0)
    for done, row in enumerate(chosen):
        bar.what = row.group[:60]
        bar(done, len(chosen))
        ratio = measure(row, quick=options.quick)
        if not found or found[-1].group != ratio.group:
            print(f"\n{ratio.group:<66} {'median':>8} {'least':>8} {'most':>8} {'limit':>8}")
        limit = f"{ratio.limit:>8.3g}" if ratio.limit is not None else f"{'-':>8}"
        numbers = f"{ratio.median:>8.3g} {ratio.least:>8.3g} {ratio.most:>8.3g} {limit}"
        print(f"  {ratio.name:<64} {numbers}{'  BEYOND' if ratio.beyond else ''}", flush=True)
        found.append(ratio)
    bar(len(chosen), len(chosen))
    if options.json:
        content = {**stamp(), "ratios": [ratio.to_dict() for ratio in found]}
        options.json.write_text(a_row_a_line(content) + "\n", "utf8")
    return int(any(ratio.beyond for ratio in found))


if __name__ == "__main__":
    sys.exit(main())
