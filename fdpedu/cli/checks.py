"""``fdpedu verify`` and ``fdpedu check-derivation``: nothing has to be believed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fdpedu.cli.csv_data import require_apart
from fdpedu.cli.models import holds, is_answer, read_model
from fdpedu.cli.parser import DONE, REFUSED, Commands, print_json, text_of, wrapped
from fdpedu.files import FileRefused
from fdpedu.showing import TerminalBar, text_table

if TYPE_CHECKING:
    from fdpedu.federation.evidence import Evidence


def add(commands: Commands) -> None:
    verify = commands.add_parser("verify", help="run the checks of the book's claims on the installed code")
    verify.add_argument(
        "labels",
        nargs="*",
        metavar="LABEL",
        help="claims to check, such as lem-increment (default: all); with --list: words",
    )
    verify.add_argument("--deep", action="store_true", help="larger sizes: minutes instead of seconds")
    verify.add_argument(
        "--list",
        action="store_true",
        help="run nothing: list the claims in whose label, title, source or statement the words stand (default: all)",
    )
    verify.add_argument("--json", action="store_true", help="print one JSON object")
    verify.set_defaults(run=_verify)

    check = commands.add_parser("check-derivation", help="re-check the JSON of a derivation ('-' for standard input)")
    check.add_argument("file", help="of a derivation, or of a tree or an ensemble, which has one")
    check.add_argument(
        "--manifest",
        metavar="FILE",
        action="append",
        help="what crossed the transport, or the evidence of a budget: checks completeness too; several times if one "
        "budget paid for several models",
    )
    check.add_argument("--budget", metavar="FILE", help="the budget that paid, which holds the evidence: for its owner")
    check.add_argument("--json", action="store_true", help="print one JSON object")
    check.set_defaults(run=_check_derivation)


def _list(options: argparse.Namespace) -> int:
    from fdpedu.claims.records import in_short
    from fdpedu.claims.register import search

    if options.deep:
        raise ValueError("--list runs no checks, so --deep would mean nothing: give one of them")
    found = search(options.labels)
    if not found:
        raise ValueError(f"no claim holds {' and '.join(map(repr, options.labels))}: try fewer or shorter words")
    if options.json:
        print_json([{"label": c.label, "title": c.title, "source": c.source, "status": c.status} for c in found])
    else:
        rows = [(claim.label, claim.title, in_short(claim.source), claim.status) for claim in found]
        print(text_table([("claim", "title", "source", "status"), *rows]))
    return DONE


def _verify(options: argparse.Namespace) -> int:
    if options.list:
        return _list(options)
    from fdpedu.claims.verify import verify

    results = verify(options.labels or None, options.deep, progress=TerminalBar(patience=0))
    if options.json:
        report = {
            "ok": results.ok,
            "failed": len(results.failed),
            "not_run": len(results.not_run),
            "deep": options.deep,
        }
        print_json({**report, "results": [result.to_dict() for result in results]})
    else:
        print(results.to_text())
    return REFUSED if results.failed else DONE


def _check_derivation(options: argparse.Namespace) -> int:
    from fdpedu.accounting import Derivation
    from fdpedu.derivation_checker import DerivationRefused, axioms_with, check_derivation
    from fdpedu.federation.evidence import last_round

    named = options.manifest or []
    if [options.file, *named].count("-") > 1:
        raise ValueError("only one of the files can be standard input")
    require_apart([file for file in (options.file, *named) if file != "-"], [])
    if named and options.budget:
        raise ValueError("--manifest and --budget both say what was asked: give one of them")
    given, texts = text_of(options.file), [(file, text_of(file)) for file in named]
    text, evidence = _derivation_in(given, options.file), _evidence(options, texts or [(options.file, given)])
    manifest = _joined(texts) if texts and evidence is None else None
    try:
        if evidence is not None:
            derivation = Derivation.from_json(text, where=options.file)
            manifest, last = evidence.manifest(derivation).to_json(), last_round(derivation)
        guarantee = check_derivation(text, manifest)
    except (DerivationRefused, FileRefused) as refusal:
        if options.json:
            print_json({"accepted": False, "reason": str(refusal)})
        else:
            print(wrapped(f"refused  {refusal}", 9))
        return REFUSED
    axioms = axioms_with(manifest)
    if options.json:
        stated = {name: _plain(value) for name, value in guarantee._asdict().items() if name != "order" or value}
        report = {"accepted": True, "guarantee": stated, "complete": manifest is not None, "axioms": axioms}
        print_json(report if evidence is None else {**report, "rounds": last, "of_rounds": len(evidence.rounds)})
        return DONE
    print(wrapped(f"accepted  {guarantee}", 10))
    if manifest is not None:
        print("complete  every release has its query, and every query its release")
    if evidence is not None:
        print(f"          in its rounds 1 to {last}, of {len(evidence.rounds)} that the budget has paid for")
    print("It rests on:", *(wrapped(f"  - {axiom}", 4) for axiom in axioms), sep="\n")
    return DONE


def _evidence(options: argparse.Namespace, texts: Sequence[tuple[str, str]]) -> Evidence | None:
    """All that a budget has paid for: from its file, from a copy for others, or from that copy alone."""
    from fdpedu.federation.evidence import Evidence

    if options.budget:
        return Evidence.of_budget(options.budget)
    found = [Evidence.from_json(text, file) for file, text in texts if holds(text, "evidence")]
    if found and len(texts) > 1:
        raise ValueError("--manifest names the evidence of one budget, and no other file beside it")
    return found[0] if found else None


def _derivation_in(text: str, where: str) -> str:
    """The text of a derivation; from the document of a tree, an ensemble or a budget, that of the derivation in it."""
    if holds(text, "evidence"):
        from fdpedu.federation.evidence import Evidence

        return Evidence.from_json(text, where).derivation.to_json()
    if not any(holds(text, kind) for kind in ("tree", "ensemble")):
        if is_answer(text):
            raise ValueError(
                f"{where} is what a command printed with --json, and no derivation: give the file that --out writes"
            )
        return text
    return read_model(text, where).derivation.to_json()


def _joined(texts: Sequence[tuple[str, str]]) -> str:
    """The text of a manifest; of several, each with the name of its file, that of all their rounds."""
    from fdpedu.federation.manifest import Manifest

    if len(texts) == 1:
        return texts[0][1]
    return Manifest.joined([Manifest.from_json(text, file) for file, text in texts]).to_json()


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value if isinstance(value, (bool, int, str)) or value is None else str(value)
