"""CSV files on the command line: the options that say what they are, and the parties and budgets made of them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fdpedu.cli.parser import refusing
from fdpedu.files import reason

if TYPE_CHECKING:
    from fdpedu.accounting import Ledger
    from fdpedu.domain import Domain
    from fdpedu.federation import Party


def add_data(command: argparse.ArgumentParser) -> None:
    command.add_argument("data", nargs="+", metavar="CSV", help="files whose first line names the columns")
    command.add_argument("--domain", required=True, metavar="FILE", help="what is public: domain.json")
    add_csv(command)


def add_csv(command: argparse.ArgumentParser) -> None:
    command.add_argument("--delimiter", help="between values (default: found in the first line)")
    command.add_argument("--decimal", default=".", choices=(".", ","), help="in numbers (default .)")
    command.add_argument(
        "--thousands", choices=(",", ".", " ", "'", "none"), help="between thousands in numbers (default: nothing)"
    )
    command.add_argument("--encoding", default="utf-8-sig", help="of the files (default UTF-8)")
    command.add_argument("--json", action="store_true", help="print one JSON object")


def add_parties(command: argparse.ArgumentParser) -> None:
    """Options for the parties that hold the rows, and for the number of colluders that the noise withstands."""
    command.add_argument("--label", required=True, metavar="COLUMN", help="the column of the class")
    command.add_argument("--by", metavar="COLUMN", help="the column of the site, if all sites are in one file")
    command.add_argument(
        "--tolerate", type=int, default=1, help="colluding sites that the noise withstands (default 1)"
    )


def form_of(options: argparse.Namespace) -> dict[str, Any]:
    return {
        "delimiter": options.delimiter,
        "decimal": options.decimal,
        "thousands": options.thousands,
        "encoding": options.encoding,
    }


def require_readable(files: Sequence[str]) -> None:
    for file in files:
        try:
            with open(file, "rb"):
                pass
        except OSError as error:
            raise ValueError(f"cannot read {file}: {reason(error)}") from None


def require_apart(read: Sequence[str | None], written: Sequence[str | None]) -> None:
    """No file is read twice, and none is written that is read, or written twice."""
    seen = set[str]()
    for file in filter(None, [*read, *written]):
        path = os.path.realpath(file)
        if path in seen:
            raise ValueError(f"{file} is named twice: every site has a file of its own, and nothing is written over it")
        seen.add(path)


def read_parties(
    options: argparse.Namespace, domain: Domain, read: Sequence[str | None], written: Sequence[str | None]
) -> Sequence[Party]:
    """The parties of the files; one site a file, or with ``--by`` one site a value of that column, in one file.

    Parameters
    ----------
    options : with the data, the label and the column of the site
    domain : of the parties
    read, written : all files of the command, of which none is named twice
    """
    if options.by is not None and len(options.data) > 1:
        raise ValueError("--by divides one file into sites; without it, each file is a site")
    require_readable(options.data)
    require_apart(read, written)
    with refusing(ValueError):
        parties = _made_parties(options, domain)
    if len(parties) < 2:
        raise ValueError("a federation needs at least two sites: a file for each, or --by with the column of the site")
    return parties


def _made_parties(options: argparse.Namespace, domain: Domain) -> Sequence[Party]:
    from fdpedu.domain import read_csv
    from fdpedu.federation import Party, parties_from_frame

    if options.by is None:
        return [
            Party.from_csv(file, domain, label=options.label, name=Path(file).stem, **form_of(options))
            for file in options.data
        ]
    table = read_csv(options.data[0], domain, label=options.label, **form_of(options))
    return parties_from_frame(table, domain, label=options.label, by=options.by)


def opened_ledger(options: argparse.Namespace, domain: Domain) -> Ledger:
    """The budget in its file; or one of the tree's own, in memory."""
    from fdpedu.accounting import Ledger

    if options.budget is None:
        return Ledger(options.epsilon, domain=domain)
    if not Path(options.budget).exists():
        raise ValueError(f"there is no budget {options.budget}; make one with: fdpedu budget create")
    return Ledger.open(options.budget, domain=domain)
