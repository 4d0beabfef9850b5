"""``fdpedu figures``: the report's experiments, as printed, as published, as corrected."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fdpedu.cli.parser import DONE, Commands, add_overwrite, print_json
from fdpedu.files import PreparedFile
from fdpedu.showing import TerminalBar

if TYPE_CHECKING:
    from fdpedu.experiments import Results, Study

FIGURES = ("2", "3", "4", "5", "all")


def add(commands: Commands) -> None:
    figures = commands.add_parser("figures", help="run the report's experiments: Figures 2 to 5")
    figures.add_argument("--figure", default="3", choices=FIGURES, help="which figure (default 3)")
    figures.add_argument(
        "--variant", default="corrected", metavar="NAME", help="printed, published or corrected (default corrected)"
    )
    figures.add_argument(
        "--mend", nargs="+", default=[], metavar="FAULT", help="with --variant published: mend these of its faults"
    )
    figures.add_argument(
        "--methods", nargs="+", metavar="NAME", help="curves (default: the report's; corrected, the book's tree too)"
    )
    figures.add_argument("--n", type=int, help="rows, instead of the figure's")
    figures.add_argument("--p", type=int, help="only this number of features")
    figures.add_argument("--max-depth", type=int, help="only this depth")
    figures.add_argument("--rho", help="only this correlation, such as 0.3")
    figures.add_argument("--epsilon", nargs="+", help="budgets (default: the ten of the report, and 5 for Figure 2)")
    figures.add_argument("--runs", type=int, default=50, help="repetitions of each point (default 50)")
    figures.add_argument("--seed", type=int, default=0, help="of rows and noise (default 0)")
    figures.add_argument("--jobs", type=int, default=2, help="processes (default 2); results do not depend on it")
    figures.add_argument("--out", metavar="DIR", help="write CSV and SVG there, and go on where it was stopped")
    add_overwrite(figures, "out")
    figures.add_argument("--json", action="store_true", help="print a list of all points as JSON")
    figures.set_defaults(run=_figures)


def _figures(options: argparse.Namespace) -> int:
    from fdpedu.experiments.drawing import as_svg
    from fdpedu.experiments.records import as_csv, as_table, records

    numbers = (2, 3, 4, 5) if options.figure == "all" else (int(options.figure),)
    studies = [_study(options, number) for number in numbers]  # all are checked before the first one runs
    every = []
    with ExitStack() as stack:
        places = [
            [stack.enter_context(place) for place in _places(options, f"figure{number}-{study.variant.name}")]
            for number, study in zip(numbers, studies, strict=True)
        ]
        for number, study, own in zip(numbers, studies, places, strict=True):
            rows = records(_run(options, study))
            every += rows
            for place, write in zip(own, (as_csv, as_svg), strict=False):
                place.write(write(rows))
            if not options.json:
                print(as_table(rows), end="\n\n" if number != numbers[-1] else "\n")
    if options.json:
        print_json(every)
    return DONE


def _study(options: argparse.Namespace, figure: int) -> Study:
    from dataclasses import replace

    from fdpedu.experiments import METHODS, Study

    study = Study.of(
        figure,
        options.variant,
        runs=options.runs,
        seed=options.seed,
        epsilons=options.epsilon,
        methods=options.methods or (*METHODS, *("default",) * (options.variant == "corrected")),
        n=options.n,
        p=options.p,
        max_depth=options.max_depth,
        rho=options.rho,
    )
    return replace(study, variant=replace(study.variant, **_mended(study, options.mend))) if options.mend else study


def _mended(study: Study, names: list[str]) -> dict[str, Any]:
    """The name of the variant in which these faults are mended, and the faults that are left."""
    if study.variant.name != "published":
        raise ValueError("--mend mends faults of the published code: it needs --variant published")
    changed = "-".join(name.replace("_", "-") for name in names)
    return {"name": f"published-without-{changed}"[:60].rstrip("-"), "faults": study.variant.faults.without(*names)}


def _run(options: argparse.Namespace, study: Study) -> list[Results]:
    from fdpedu.experiments.store import Store

    keep = Store(Path(options.out) / "chunks") if options.out else None
    return study.results(jobs=options.jobs, keep=keep, progress=TerminalBar(patience=0))


def _places(options: argparse.Namespace, name: str) -> Iterator[PreparedFile]:
    """Where the points and their drawing are written, found writable before anything runs; earlier ones make way."""
    if not options.out:
        return
    from fdpedu.experiments.drawing import BEGINNING
    from fdpedu.experiments.records import as_csv
    from fdpedu.experiments.store import Store

    folder = Store(options.out).folder
    for end, own in (("csv", as_csv([])), ("svg", BEGINNING)):
        yield PreparedFile(folder / f"{name}.{end}", overwrite=options.overwrite, own=own)
