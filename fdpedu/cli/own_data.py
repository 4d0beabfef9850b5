"""``fdpedu budget`` and ``fdpedu check-data``: what is made ready before a private tree is grown."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from fdpedu.cli.csv_data import add_data, forms_of, require_apart, require_readable
from fdpedu.cli.parser import DONE, REFUSED, Commands, add_overwrite, print_json, refusing, wrapped
from fdpedu.files import PreparedFile


def add(commands: Commands) -> None:
    _add_budget(commands)
    _add_check_data(commands)


def _add_budget(commands: Commands) -> None:
    budget = commands.add_parser(
        "budget", help="a budget in a file, which no crash, restart or second process spends twice"
    )
    what = budget.add_subparsers(dest="what", required=True, metavar="create|evidence")
    create = what.add_parser("create", help="make the file; what it holds is fixed from then on")
    create.add_argument("file", help="a new file, on a local disk")
    create.add_argument("--domain", required=True, metavar="FILE", help="what is public: domain.json")
    create.add_argument("--limit", required=True, metavar="EPSILON", help="ε in all, such as 1, 0.5 or 1/3")
    create.add_argument(
        "--delta",
        metavar="DELTA",
        help="δ, such as 1e-6: the budget is then one of ρ (default: of ε, as it must be for a tree of a numeric "
        "target)",
    )
    create.add_argument(
        "--colluders", type=int, metavar="C", help="that all releases withstand (default: as the first)"
    )
    create.add_argument("--json", action="store_true", help="print one JSON object")
    create.set_defaults(run=_create_budget)
    evidence = what.add_parser(
        "evidence", help="what it paid for: all charges, and what was asked for each; for those who check a model"
    )
    evidence.add_argument("file", help="of the budget")
    evidence.add_argument(
        "--out", required=True, metavar="FILE", help="write it there, for check-derivation --manifest"
    )
    add_overwrite(evidence, "out")
    evidence.add_argument("--json", action="store_true", help="print one JSON object")
    evidence.set_defaults(run=_evidence)


def _add_check_data(commands: Commands) -> None:
    check = commands.add_parser(
        "check-data", help="what would be clipped or refused; for the data's owner, not private"
    )
    add_data(check)
    check.add_argument(
        "--label",
        metavar="COLUMN",
        help="the column of the class, or of the target (default: the one of the target's name, if there is one)",
    )
    check.set_defaults(run=_check_data)


def _create_budget(options: argparse.Namespace) -> int:
    from fdpedu.accounting import Budget, Ledger
    from fdpedu.domain import Domain

    domain = Domain.load(options.domain)
    if os.path.lexists(options.file) and not Path(options.file).is_dir():
        raise ValueError(
            f"{options.file} exists: a budget is not made anew, and what it holds is shown by `fdpedu show`"
        )
    total, colluders = Budget.of(options.limit, delta=options.delta), options.colluders
    with Ledger.open(options.file, total, domain=domain, colluders=colluders) as ledger:
        if options.json:
            print_json({"file": options.file, "budget": total.to_json(), "colluders": ledger.colluders})
        else:
            print(wrapped(f"{options.file} holds a budget of {total}, for the domain of {options.domain}."))
            print("Keep it on a local disk. An old copy that is put back cannot be noticed.")
    return DONE


def _evidence(options: argparse.Namespace) -> int:
    from fdpedu.federation.evidence import Evidence

    require_apart([options.file], [options.out])
    found = Evidence.of_budget(options.file)
    with PreparedFile(options.out, overwrite=options.overwrite) as place:
        place.write(found.to_json())
    if options.json:
        print_json({"file": options.file, "rounds": len(found.rounds), "known": found.known, "out": options.out})
    else:
        print(f"The evidence of {len(found.rounds)} rounds is in {options.out}.")
        if found.known < len(found.rounds):
            print(f"Of {len(found.rounds) - found.known} of them it is not known what was asked.")
    return DONE


def _check_data(options: argparse.Namespace) -> int:
    from fdpedu.domain import Domain, read_csv

    domain, reports = Domain.load(options.domain), {}
    require_readable(options.data)
    said = options.label is not None
    if domain.target is not None and not said:
        options.label = domain.target.name
    for file, form in forms_of(options, domain).items():
        with refusing(ValueError):
            table = read_csv(file, domain, label=options.label, **form)
            reports[file] = domain.check(table, label=options.label if said or options.label in table.names else None)
    if options.json:
        print_json({file: report.to_dict() for file, report in reports.items()})
    else:
        print("\n\n".join(f"{file}\n{report}" for file, report in reports.items()))
    return DONE if all(report.ok for report in reports.values()) else REFUSED
