"""CSV files on the command line: the options that say what they are, and the parties and budgets made of them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fdpedu.cli.parser import refusing, require_left_out
from fdpedu.files import reason

if TYPE_CHECKING:
    from fdpedu.accounting import Budget, Ledger
    from fdpedu.domain import Domain
    from fdpedu.federation import Party


def add_data(command: argparse.ArgumentParser, nargs: str = "+", *, needed: bool = True) -> None:
    command.add_argument("data", nargs=nargs, metavar="CSV", help="files whose first line names the columns")
    command.add_argument("--domain", required=needed, metavar="FILE", help="what is public: domain.json")
    add_csv(command)


def add_csv(command: argparse.ArgumentParser) -> None:
    form = command.add_argument_group(
        "form of the files",
        "Each of these may be given several times: for all files, or as FILE=VALUE for one of them; --decimal and "
        "--thousands also as COLUMN=VALUE, or FILE:COLUMN=VALUE, for a column that differs.",
    )
    for name, what in (
        ("delimiter", "between values (default: found in the first line)"),
        ("decimal", "in numbers, '.' or ',' (default '.')"),
        ("thousands", "between thousands in numbers: , . ' a blank, or none (default: nothing)"),
        ("encoding", "of the files (default UTF-8)"),
    ):
        form.add_argument(f"--{name}", action="append", default=[], metavar="VALUE", help=what)
    command.add_argument("--json", action="store_true", help="print one JSON object")


def add_parties(command: argparse.ArgumentParser, *, sites: str = "") -> None:
    """Options for the parties that hold the rows, and for the number of colluders that the noise withstands."""
    command.add_argument(
        "--label",
        metavar="COLUMN",
        help="the column of the class, or of the target (default: the one of the target's name)",
    )
    command.add_argument(
        "--by",
        metavar="COLUMN",
        help="the column of the site, if all sites are in one file; unless --sites fixes them, their set is taken for "
        "public",
    )
    command.add_argument(
        "--sites",
        metavar="NAME,NAME",
        help=f"all sites that --by may name, fixed beforehand: one may have no rows, and another one is refused{sites}",
    )
    command.add_argument(
        "--tolerate", type=int, default=1, help="colluding sites that the noise withstands (default 1)"
    )


def settle_label(options: argparse.Namespace, domain: Domain) -> None:
    """Take the target's own name as that of its column, unless another one is said; of classes it must be said."""
    options.label_said = options.label is not None
    if options.label_said:
        return
    if domain.target is None:
        raise ValueError("--label is needed: the column of the class")
    options.label = domain.target.name


def forms_of(options: argparse.Namespace, domain: Domain) -> dict[str, dict[str, Any]]:
    """For each file what its form is, as :func:`~fdpedu.domain.read_csv` takes it.

    Raises
    ------
    ValueError
        If something is said of what is neither a file nor a column, or what is said is no sign.
    """
    from fdpedu.domain.csv_files import columns_of_numbers

    files = [options.data] if isinstance(options.data, str) else list(options.data)
    files += filter(None, [getattr(options, "public_rows", None)])
    columns = [feature.name for feature in domain.features] + [
        label for label in [getattr(options, "label", None)] if label
    ]
    said = {name: [_said(name, text, files, columns) for text in getattr(options, name)] for name in _FORM}
    numbers = columns_of_numbers(domain, getattr(options, "label", None))
    about = {**dict.fromkeys(_FORM, columns), "thousands": numbers}
    return {file: {name: _for_file(file, said[name], _FORM[name], about[name]) for name in _FORM} for file in files}


_FORM = {"delimiter": None, "decimal": ".", "thousands": None, "encoding": "utf-8-sig"}
_SIGNS = {"decimal": (".", ","), "thousands": (",", ".", " ", "'", "none")}
_Said = tuple[str | None, str | None, str]  # of a file or of all, of a column or of all, and what is said


def _said(name: str, text: str, files: Sequence[str], columns: Sequence[str]) -> _Said:
    """What one option says, and of what."""
    of, _, value = text[:-1].rpartition("=")  # the last character may be the sign = itself
    value += text[-1:]
    if value not in _SIGNS.get(name, (value,)):
        raise ValueError(f"--{name} must be one of {' '.join(map(repr, _SIGNS[name]))}, got {value!r}")
    if not of:
        return None, None, value
    file = next((file for file in files if of in (file, Path(file).name)), None)
    if file is not None:
        return file, None, value
    for file in files:
        for start in (f"{file}:", f"{Path(file).name}:"):
            if name in _SIGNS and of.startswith(start) and of.removeprefix(start) in columns:
                return file, of.removeprefix(start), value
    if name in _SIGNS and of in columns:
        return None, of, value
    raise ValueError(
        f"--{name} {text}: {of!r} is no file of this command" + (", and no column" if name in _SIGNS else "")
    )


def _for_file(file: str, said: Sequence[_Said], usual: str | None, columns: Sequence[str]) -> Any:
    """The last word on the file; where columns have words of their own, one for each."""
    about = sorted(
        (one for one in said if one[0] in (None, file)), key=lambda one: (one[1] is not None, one[0] is not None)
    )
    whole = [value for _, column, value in about if column is None]
    base = whole[-1] if whole else usual
    own = {column: value for _, column, value in about if column is not None}
    return {**dict.fromkeys(columns, base), **own} if own else base


def require_readable(files: Sequence[str]) -> None:
    for file in files:
        try:
            with open(file, "rb"):
                pass
        except OSError as error:
            raise ValueError(f"cannot read {file}: {reason(error)}") from None


def require_apart(read: Sequence[str | None], written: Sequence[str | None]) -> None:
    """No file is read twice, and none is written that is read, or written twice."""
    seen = set[object]()
    for file in filter(None, [*read, *written]):
        place = _place_of(file)
        if place in seen:
            raise ValueError(f"{file} is named twice: every site has a file of its own, and nothing is written over it")
        seen.add(place)


def _place_of(file: str) -> object:
    """What is the same for all names of one file: links and hard links, too."""
    try:
        found = os.stat(file)
    except (OSError, ValueError):
        return os.path.realpath(file)
    return found.st_dev, found.st_ino


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
    if not options.data:
        raise ValueError(
            "give the CSV files of the sites, or one file and --by with the column of the site; or --curator with the "
            "file of one owner of all rows"
        )
    if options.by is not None and len(options.data) > 1:
        raise ValueError("--by divides one file into sites; without it, each file is a site")
    if options.sites is not None and options.by is None:
        raise ValueError("--sites says which names the column of --by may have: give --by, too, or leave it out")
    require_readable(options.data)
    require_apart(read, written)
    forms = forms_of(options, domain)
    with refusing(ValueError), _explaining_label(options):
        parties = _made_parties(options, domain, forms)
    if len(parties) < 2:
        raise ValueError(
            "a federation needs at least two sites: a file for each, or --by with the column of the site; or --curator "
            "for one owner of all rows"
        )
    return parties


@contextmanager
def _explaining_label(options: argparse.Namespace) -> Iterator[None]:
    """Say which option names the target's column, where it is not called as the target is."""
    try:
        yield
    except ValueError as refusal:
        absent = "the table has no column" in str(refusal) and repr(options.label) in str(refusal)
        if not absent or getattr(options, "label_said", True):
            raise
        raise ValueError(f"{refusal}; --label names the column of the target") from None


OF_SITES = ("by", "sites", "tolerate", "manifest")
"""What means nothing where one owner has all rows."""


def require_one_owner(options: argparse.Namespace) -> None:
    """Refuse files beside that of an owner of all rows, and what is said of sites."""
    if len(options.curator) > 1 or options.data:
        raise ValueError(
            "--curator names the one file of an owner of all rows, and no other files: leave it out where each site "
            "has a file of its own"
        )
    said = {name: "there are no sites" for name in OF_SITES if hasattr(options, name)}
    require_left_out(options, said, "with --curator")


def owner_promise(budget: Budget, what: str) -> list[tuple[str, str]]:
    """Against whom a model of one owner is private, and what it costs at most: there are no insiders."""
    return [(f"whoever sees the {what}", str(budget)), ("the owner", "sees the rows")]


def read_owner(
    options: argparse.Namespace, domain: Domain, read: Sequence[str | None], written: Sequence[str | None]
) -> Party:
    """The one party that holds all rows, from the one file of ``options.data``.

    Parameters
    ----------
    options, domain, read, written : as for :func:`read_parties`
    """
    from fdpedu.federation import Party

    require_readable([*options.data, *filter(None, [getattr(options, "public_rows", None)])])
    require_apart(read, written)
    (file,) = options.data
    form = forms_of(options, domain)[file]
    with refusing(ValueError), _explaining_label(options):
        return Party.from_csv(file, domain, label=options.label, name=Path(file).stem, **form)


def _made_parties(
    options: argparse.Namespace, domain: Domain, forms: Mapping[str, Mapping[str, Any]]
) -> Sequence[Party]:
    from fdpedu.domain import read_csv
    from fdpedu.federation import Party, parties_from_frame

    if options.by is None:
        return [
            Party.from_csv(file, domain, label=options.label, name=name, **forms[file])
            for file, name in zip(options.data, _sites(options.data), strict=True)
        ]
    names = None if options.sites is None else [name.strip() for name in options.sites.split(",")]
    table = read_csv(options.data[0], domain, label=options.label, **forms[options.data[0]])
    try:
        return parties_from_frame(table, domain, label=options.label, by=options.by, parties=names)
    except ValueError as refusal:
        said = str(refusal).replace("the frame", options.data[0], 1)
        raise ValueError(f"--sites: {said}" if said.startswith("parties must be") else said) from None


def given_sites(options: argparse.Namespace) -> str:
    """What is said with every promise, to people and programs (``given``), if rows decide the sites; else nothing."""
    if options.by is None or options.sites is not None:
        return ""
    return "All of it is given the set of sites, which is taken for public; --sites fixes it before any row is read."


def _sites(files: Sequence[str]) -> list[str]:
    """What messages call the sites: the names of their files, as far as these tell them apart."""
    names = [Path(file).stem for file in files]
    return [file if names.count(name) > 1 else name for file, name in zip(files, names, strict=True)]


def opened_ledger(options: argparse.Namespace, domain: Domain) -> Ledger:
    """The budget in its file; or one of the tree's own, in memory."""
    from fdpedu.accounting import Ledger

    if options.budget is None:
        return Ledger(options.epsilon, delta=options.delta, domain=domain)
    if not Path(options.budget).exists():
        raise ValueError(f"there is no budget {options.budget}; make one with: fdpedu budget create")
    ledger = Ledger.open(options.budget, domain=domain)
    try:
        _require_of_its_kind(options, domain, ledger)
    except BaseException:
        ledger.close()
        raise
    return ledger


def _require_of_its_kind(options: argparse.Namespace, domain: Domain, ledger: Ledger) -> None:
    """Refuse, by the options that would do, what costs the other measure or withstands another number of colluders."""
    budget, curator = f"the budget {options.budget}", getattr(options, "curator", None)
    if ledger.total.is_pure and options.delta is not None:
        raise ValueError(
            f"--delta must be left out: {budget} is one of ε; one of ρ is made by: fdpedu budget create --delta"
        )
    if not ledger.total.is_pure and options.delta is None:
        other = "take a budget of ε, made without --delta"
        why = f"say --delta, such as 1e-6, or {other}"
        if domain.target is not None and getattr(options, "model", None) == "tree":
            why = f"a numeric target is learnt by votes, which cost ε: {other}, or --model boosting"
        raise ValueError(f"{budget} is one of ρ ({ledger.total}), and has no ε by itself; {why}")
    withstood = 0 if curator else options.tolerate
    if ledger.colluders is not None and withstood < ledger.colluders:
        otherwise = "there are none with --curator, so" if curator else f"say --tolerate {ledger.colluders}, or"
        raise ValueError(
            f"{budget} promises to withstand {ledger.colluders} colluding sites, and this withstands {withstood}: "
            f"{otherwise} make a budget with: fdpedu budget create --colluders {withstood}"
        )


def plain(amount: object) -> object:
    """An amount of a ledger for JSON: ε as text, or ρ and ξ."""
    return [str(part) for part in amount] if isinstance(amount, tuple) else str(amount)


def left_in(ledger: Ledger) -> str:
    """What a ledger has left, for people."""
    return str(ledger.left()) if not ledger.total.is_pure else f"ε = {ledger.remaining()}"
