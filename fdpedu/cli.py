"""The command line: ``fdpedu demo``, ``verify`` and ``check-derivation``, also as ``python -m fdpedu``.

Exit status: 0 when all went well, 1 when a derivation is refused or a check fails, 2 for options that make no sense or
need what is not installed. A check that could not be run for that reason is told, and is no failure.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fdpedu import __version__

if TYPE_CHECKING:
    from fdpedu.demo import Demo


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")  # ε is on every page, whatever the locale says
    parser = _parser()
    options = parser.parse_args(arguments)
    warnings.formatwarning = lambda message, *_: f"warning: {message}\n"
    try:
        return int(options.run(options))
    except ValueError as error:
        print(f"fdpedu {options.command}: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        from fdpedu.claims.verify import how_to_install

        if not (missing := how_to_install(error)):
            raise
        print(f"fdpedu {options.command}: {missing}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fdpedu", description="Federated differentially private decision trees, taught."
    )
    parser.add_argument("--version", action="version", version=f"fdpedu {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    demo = commands.add_parser("demo", help="many small practices grow a private tree on real data")
    demo.add_argument("--epsilon", default="1", help="privacy budget of the tree, such as 1, 0.5 or 1/3 (default 1)")
    demo.add_argument("--parties", type=int, default=40, help="number of practices (default 40)")
    demo.add_argument("--max-depth", type=int, default=2, help="depth of the tree (default 2)")
    demo.add_argument(
        "--features", default=None, help="comma-separated names, or 'all' (default: three, chosen beforehand)"
    )
    demo.add_argument(
        "--tolerate", type=int, default=1, help="colluding practices that the noise withstands (default 1)"
    )
    demo.add_argument("--seed", type=int, default=None, help="reproducible, and therefore not private")
    demo.add_argument("--repeats", type=int, default=20, help="runs for the accuracy figures (default 20)")
    demo.add_argument("--save-derivation", metavar="FOLDER", help="write derivation.json and manifest.json there")
    demo.add_argument("--json", action="store_true", help="print one JSON object")
    demo.set_defaults(run=_demo)

    verify = commands.add_parser("verify", help="run the checks of the book's claims on the installed code")
    verify.add_argument(
        "labels", nargs="*", metavar="LABEL", help="claims to check, such as lem-increment (default: all)"
    )
    verify.add_argument("--deep", action="store_true", help="larger sizes: minutes instead of seconds")
    verify.add_argument("--json", action="store_true", help="print one JSON object")
    verify.set_defaults(run=_verify)

    check = commands.add_parser("check-derivation", help="re-check the JSON of a derivation ('-' for standard input)")
    check.add_argument("file")
    check.add_argument("--manifest", metavar="FILE", help="what crossed the transport: checks completeness too")
    check.set_defaults(run=_check_derivation)
    return parser


def _demo(options: argparse.Namespace) -> int:
    from fdpedu.datasets import CLINICAL, CLINICAL_REASON, wisconsin_features
    from fdpedu.demo import run_demo

    names: Sequence[str] = CLINICAL
    if options.features is not None:
        chosen = [name.strip() for name in options.features.split(",")]
        names = wisconsin_features() if chosen == ["all"] else chosen
    demo = run_demo(
        epsilon=options.epsilon,
        parties=options.parties,
        max_depth=options.max_depth,
        features=names,
        tolerate=options.tolerate,
        seed=options.seed,
        repeats=options.repeats,
        progress=_progress_bar(),
    )
    if options.save_derivation:
        _save(options.save_derivation, demo)
    if options.json:
        print(json.dumps(demo.to_dict(), ensure_ascii=False, indent=1))
    else:
        print(demo.to_text())
        if names == CLINICAL:
            print(f"\nWhy these three features: {CLINICAL_REASON} All 30: --features all")
    return 0


def _verify(options: argparse.Namespace) -> int:
    from fdpedu.claims.verify import verify

    results = verify(options.labels or None, options.deep, progress=_progress_bar())
    if options.json:
        told = {"ok": results.ok, "failed": len(results.failed), "not_run": len(results.not_run), "deep": options.deep}
        content = {**told, "results": [result.to_dict() for result in results]}
        print(json.dumps(content, ensure_ascii=False, indent=1))
    else:
        print(results.to_text())
    return 1 if results.failed else 0


def _check_derivation(options: argparse.Namespace) -> int:
    from fdpedu.derivation_checker import AXIOMS, AXIOMS_WITH_MANIFEST, DerivationRefused, check_derivation

    if options.file == options.manifest == "-":
        raise ValueError("only one of the two files can be standard input")
    text, manifest = _read(options.file), _read(options.manifest) if options.manifest else None
    try:
        guarantee = check_derivation(text, manifest)
    except DerivationRefused as refusal:
        print(f"refused  {refusal}")
        return 1
    print(f"accepted  {guarantee}")
    if manifest is not None:
        print("complete  every release has its query, and every query its release")
    print("It rests on:", *(AXIOMS if manifest is None else AXIOMS_WITH_MANIFEST), sep="\n  - ")
    return 0


def _read(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"cannot read {file}: {type(error).__name__}") from None


def _save(folder: str, demo: Demo) -> None:
    """Write what ``check-derivation`` reads: the derivation of the release, and the manifest of its transport."""
    try:
        where = Path(folder)
        where.mkdir(parents=True, exist_ok=True)
        (where / "derivation.json").write_text(demo.tree.derivation.to_json(indent=1), encoding="utf-8")
        (where / "manifest.json").write_text(demo.federation.manifest_json(indent=1), encoding="utf-8")
    except OSError as error:
        raise ValueError(f"cannot write to {folder}: {type(error).__name__}") from None


def _progress_bar() -> Callable[[int, int], None]:
    """A bar on the terminal; nothing where standard error is not one."""
    return _progress if sys.stderr.isatty() else lambda done, of: None


def _progress(done: int, of: int) -> None:
    bar = "█" * (30 * done // of)
    print(f"\r  {bar:<30} {done}/{of}", end="\r" if done < of else "\r" + " " * 50 + "\r", file=sys.stderr, flush=True)
