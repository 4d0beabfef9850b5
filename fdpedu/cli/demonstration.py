"""``fdpedu demo``: small practices grow a private tree on real data."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fdpedu.cli.parser import DONE, Commands, print_json
from fdpedu.files import reason
from fdpedu.showing import TerminalBar

if TYPE_CHECKING:
    from fdpedu.demo import Demo


def add(commands: Commands) -> None:
    demo = commands.add_parser("demo", help="small practices grow a private tree on real data")
    demo.add_argument("--epsilon", default="1", help="privacy budget of the tree, such as 1, 0.5 or 1/3 (default 1)")
    demo.add_argument("--parties", type=int, default=4, help="number of practices (default 4)")
    demo.add_argument("--max-depth", type=int, help="depth of the tree (default: the design's)")
    demo.add_argument("--design", default="rotating", metavar="NAME", help="how it is grown (default rotating)")
    demo.add_argument(
        "--features", default=None, help="comma-separated names, or 'all' (default: three, chosen beforehand)"
    )
    demo.add_argument(
        "--tolerate", type=int, default=1, help="colluding practices that the noise withstands (default 1)"
    )
    demo.add_argument(
        "--mixed", action="store_true", help="give every practice the same mix of patients, not one diagnosis each"
    )
    demo.add_argument("--seed", type=int, default=None, help="reproducible, and therefore not private")
    demo.add_argument("--repeats", type=int, default=20, help="runs for the accuracy figures (default 20)")
    demo.add_argument("--save-derivation", metavar="FOLDER", help="write derivation.json and manifest.json there")
    demo.add_argument("--json", action="store_true", help="print one JSON object")
    demo.set_defaults(run=_demo)


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
        design=options.design,
        features=names,
        tolerate=options.tolerate,
        mixed=options.mixed,
        seed=options.seed,
        repeats=options.repeats,
        progress=TerminalBar(patience=0),
    )
    if options.save_derivation:
        _save(options.save_derivation, demo)
    if options.json:
        print_json(demo.to_dict())
    else:
        print(demo.to_text())
        if names == CLINICAL:
            print(f"\nWhy these three features: {CLINICAL_REASON} All 30: --features all")
    return DONE


def _save(folder: str, demo: Demo) -> None:
    """Write what ``check-derivation`` reads: the derivation of the release, and the manifest of its transport."""
    where = Path(folder)
    try:
        where.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"cannot write to {folder}: {reason(error)}") from None
    demo.tree.derivation.save(where / "derivation.json")
    demo.federation.manifest.save(where / "manifest.json")
