"""``fdpedu audit``: bet against a claim of privacy, about any function of Python."""

from __future__ import annotations

import argparse
import csv
import importlib
import importlib.util
import io
import os
import sys
import unicodedata
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from fdpedu.cli.parser import DONE, REFUSED, STOPPED, Commands, print_json, require_left_out, wrapped
from fdpedu.files import read_text
from fdpedu.printable import one_line
from fdpedu.showing import TerminalBar, text_table

if TYPE_CHECKING:
    from fdpedu.audit import Audit

_OF_ITSELF = (
    "Each was claimed to be private with ε = {epsilon}, and what costs ρ alone with δ = 10⁻⁶; of nine rows of three "
    "parties and one row more; with an error of at most {alpha} for all together. What is not refuted is not "
    "confirmed: each ε is a bound, for these rows, this event and these runs."
)
_PAIRS = "[] and [1]; [0] and [0, 1]; [1, 1] and [0, 1, 1]; [0, 1] and [0, 0, 1]"


def add(commands: Commands) -> None:
    command = commands.add_parser(
        "audit",
        help="refute a claim of privacy about any function, or bound its ε from below",
        description="Bets against the claim that a function of Python is (ε, δ)-private: it is run on one of two data "
        "sets, by a coin, and the bet is on guessing which. A claim that holds is refuted with a probability of at "
        "most α, whenever one stops. A claim that is not refuted is not confirmed: there is a lower bound on ε.",
        epilog=f"Without --data it is run on four pairs of lists, with a quarter of α each: {_PAIRS}. "
        "A function that never returns is not covered. Exit status: 0 not refuted, 1 refuted, 2 nothing was audited.",
    )
    command.add_argument(
        "mechanism",
        nargs="?",
        metavar="MODULE:FUNCTION",
        help="from a list to an output: a module, or a file such as mine.py:count",
    )
    command.add_argument("--epsilon", default="1", help="of the claim (default 1)")
    command.add_argument("--delta", default="0", help="of the claim (default 0)")
    command.add_argument("--alpha", default="1e-6", help="the error that is allowed, of all pairs together (1e-6)")
    command.add_argument("--runs", type=int, default=2000, help="on each pair (default 2000)")
    command.add_argument("--seed", type=int, help="of the order of the data, not of the function's noise")
    command.add_argument(
        "--data", metavar="FILE", help="CSV with a header: D, as a list with a dictionary for each row"
    )
    command.add_argument("--neighbour", metavar="FILE", help="the same for D′")
    command.add_argument(
        "--self", dest="own", action="store_true", help="in place of a function: this package's queries and its trees"
    )
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(run=_audit)


def _audit(options: argparse.Namespace) -> int:
    from fdpedu.audit import PAIRS, audit_pairs

    if options.own:
        return _audit_own(options)
    pairs = _files(options) or PAIRS
    names = [(options.data, options.neighbour)] if options.data else None
    mechanism = _function(options.mechanism)
    claim = {name: getattr(options, name) for name in ("epsilon", "delta", "alpha", "runs", "seed")}
    found: list[Audit] = []
    stopped, bar = False, TerminalBar()
    try:
        for one in audit_pairs(mechanism, pairs, names=names, **claim):
            found += [one] if one not in found else []
            _show_progress(bar, one, options.runs)
            if one.refuted and one.runs >= options.runs:
                break
    except KeyboardInterrupt:
        stopped = True
    bar(1, 1)
    return _told(options, found, len(pairs), stopped)


def _audit_own(options: argparse.Namespace) -> int:
    """What the installed package claims of itself."""
    from fdpedu.audit.betting import as_alpha, as_epsilon
    from fdpedu.cli.own_audit import n_own_audits, own_audits

    if options.mechanism is not None:
        raise ValueError(f"MODULE:FUNCTION must be left out with --self, got {options.mechanism!r:.60}")
    require_left_out(options, dict.fromkeys(("data", "neighbour"), "it has rows of its own"), "with --self")
    if options.delta != "0":
        raise ValueError("--delta must be left out with --self: what is audited claims none, or 10⁻⁶")
    found: dict[str, Audit] = {}
    stopped, bar = False, TerminalBar("auditing", patience=0)
    try:
        claim = as_epsilon(options.epsilon), as_alpha(options.alpha)
        for name, one in own_audits(*claim, options.runs, options.seed):
            found[name] = one
            bar(min(len(found), n_own_audits() - 1), n_own_audits())
    except KeyboardInterrupt:
        stopped = True
    bar(1, 1)
    refuted = [name for name, one in found.items() if one.refuted]
    if options.json:
        claim_of = {name: getattr(options, name) for name in ("epsilon", "alpha")}
        looked = [{"looked_at": name, **_content(one)} for name, one in found.items()]
        print_json({"refuted": bool(refuted), **claim_of, "stopped": stopped, "audits": looked})
    else:
        head = ("looked at", "runs", "wealth", "ε at least", "")
        rows = [(name, *_cells(one)) for name, one in found.items()]
        print(text_table([head, *rows], right={1, 2, 3}))
        print(wrapped(_OF_ITSELF.format(epsilon=options.epsilon, alpha=options.alpha)))
        print(*(wrapped(f"{name}: {found[name].sentence}") for name in refuted), sep="\n", end="\n" * bool(refuted))
    return REFUSED if refuted else STOPPED if stopped else DONE


def _cells(one: Audit) -> tuple[str, ...]:
    """An audit as cells of a line."""
    return str(one.runs), f"{one.e_value:.3g}", f"{one.epsilon_lower:g}", "refuted" if one.refuted else ""


def _show_progress(bar: TerminalBar, found: Audit, runs: int) -> None:
    one, other = found.pair
    bar.what = one_line(f"{one} and {other}: wealth {found.e_value:.3g}")
    bar(min(found.runs, runs - 1), runs)


def _told(options: argparse.Namespace, found: list[Audit], pairs: int, stopped: bool) -> int:
    """What is known of all pairs; the exit status."""
    refuted = [one for one in found if one.refuted]
    silent = [one for one in found if one.all_raised]
    if silent and not refuted and not stopped:
        raise ValueError(silent[0].sentence)
    bound = max((one.epsilon_lower for one in found), default=0.0)
    if options.json:
        claim = {name: getattr(options, name) for name in ("epsilon", "delta", "alpha")}
        whole = {"refuted": bool(refuted), "epsilon_lower": bound, **claim, "stopped": stopped}
        print_json({**whole, "pairs": [_content(one) for one in found]})
    else:
        _print(options, found, pairs, stopped, bound)
    return REFUSED if refuted else STOPPED if stopped else DONE


def _content(one: Audit) -> dict[str, Any]:
    """An audit for JSON."""
    names = ("runs", "refuted", "refuted_at", "epsilon_lower", "event", "raised")
    return {
        "D": one.pair[0],
        "D_prime": one.pair[1],
        "wealth": one.e_value,
        **{name: getattr(one, name) for name in names},
    }


def _print(options: argparse.Namespace, found: list[Audit], pairs: int, stopped: bool, bound: float) -> None:
    head = ("D", "D′", "runs", "wealth", "ε at least", "")
    rows = [(*one.pair, *_cells(one)) for one in found]
    print(text_table([head, *rows], right={2, 3, 4}))
    if stopped:
        print(
            wrapped(f"Stopped by Ctrl-C at the {max(1, len(found))}. of {pairs} pairs; this holds whenever one stops.")
        )
    for one in found:
        if one.refuted:
            print(wrapped(one.sentence))
            return
    print(
        wrapped(
            f"Not refuted. With an error of at most {options.alpha} for all pairs together, ε is at least {bound:g}. "
            f"That is a bound, for these pairs, events and runs, and no proof that ε = {options.epsilon} holds."
        )
    )


def _function(named: str | None) -> Callable[[Any], Any]:
    """The function of a module, which may be a file."""
    module, colon, name = (named or "").rpartition(":")
    if not colon or not module or not name:
        raise ValueError(
            f"name the function as MODULE:FUNCTION, such as mine:count or mine.py:count, got {named!r:.60}"
        )
    try:
        found: Any = _module(module)
    except (Exception, SystemExit) as error:
        raise ValueError(f"cannot import {module}: {type(error).__name__}: {error}") from None
    for part in unicodedata.normalize("NFKC", name).split("."):  # as Python reads names: a keyboard may take them apart
        if not hasattr(found, part):
            raise ValueError(f"{module} has no {name}: name a function that it has, as MODULE:FUNCTION")
        found = getattr(found, part)
    if not callable(found):
        raise ValueError(f"{module}:{name} must be a function, got {type(found).__name__}")
    function: Callable[[Any], Any] = found
    return function


def _module(name: str) -> ModuleType:
    """A module as Python finds it from the working folder, or the file of one."""
    if name.lower().endswith(".py"):
        place = Path(name).resolve()  # whatever a link is called, it is read as Python
        sys.path.insert(0, str(place.parent))  # what it imports may stand beside it
        spec = importlib.util.spec_from_loader(place.stem, SourceFileLoader(place.stem, str(place)))
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(place.stem, module)
        spec.loader.exec_module(module)
        return module
    sys.path.insert(0, os.getcwd())
    return importlib.import_module(name)


def _files(options: argparse.Namespace) -> list[tuple[Any, Any]] | None:
    """The pair of the two files, or None if there are none."""
    named = options.data, options.neighbour
    if named == (None, None):
        return None
    if None in named:
        raise ValueError("--data and --neighbour are given together: D and D′, each in a file of its own")
    one, other = (_rows(file, option) for file, option in zip(named, ("--data", "--neighbour"), strict=True))
    if one == other:
        raise ValueError("--data and --neighbour must be two data sets that differ, and they have the same rows")
    return [(one, other)]


def _rows(file: str, option: str = "--data") -> list[dict[str, Any]]:
    """The rows of a CSV file with a header: numbers where a cell is one, else text."""
    try:
        text = read_text(file)
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
        header, *rows = [line for line in lines if line] or [[]]
    except ValueError as error:  # also of a file that is refused: its status 1 would say that the claim is
        raise ValueError(f"{option}: {error}") from None
    except csv.Error as error:
        raise ValueError(f"{option}: {file} is no CSV: {error}") from None
    if not header or len({*header}) < len(header):
        raise ValueError(f"{file}: expected a header with a name of its own for each column")
    for i, row in enumerate(rows):
        if len(row) != len(header):
            raise ValueError(f"{file}: row {i + 1} has {len(row)} cells, and the header has {len(header)}")
    return [dict(zip(header, map(_cell, row), strict=True)) for row in rows]


def _delimiter(text: str) -> str:
    """What separates most names of the header."""
    head = text.partition("\n")[0]
    return max(",;\t", key=head.count)


def _cell(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
