"""``fdpedu demo``: small practices grow a private tree on real data; ``fdpedu field``: on machines of their own."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fdpedu.cli.parser import DONE, Commands, add_overwrite, print_json
from fdpedu.files import PreparedFile, reason
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
    add_overwrite(demo, "save_derivation")
    demo.add_argument("--json", action="store_true", help="print one JSON object")
    demo.set_defaults(run=_demo)
    field = commands.add_parser(
        "field", help="five sites as processes of their own on this machine: one is killed, and nothing is paid twice"
    )
    field.add_argument("--epsilon", default="1", help="privacy budget of the tree, such as 1, 0.5 or 1/3 (default 1)")
    field.add_argument(
        "--carrier", choices=("none", "flare"), default="none", help="flare: three sites, and NVIDIA FLARE between them"
    )
    field.add_argument("--json", action="store_true", help="print one JSON object")
    field.set_defaults(run=_field)


def _demo(options: argparse.Namespace) -> int:
    from fdpedu.datasets import CLINICAL, CLINICAL_REASON, wisconsin_features

    names: Sequence[str] = CLINICAL
    if options.features is not None:
        chosen = [name.strip() for name in options.features.split(",")]
        names = wisconsin_features() if chosen == ["all"] else chosen
    with ExitStack() as stack:
        places = [stack.enter_context(place) for place in _places(options)]
        demo = _run(options, names)
        derivation, manifest = demo.tree.derivation.to_json(indent=1), demo.federation.manifest.to_json(indent=1)
        for place, text in zip(places, (derivation, manifest), strict=False):
            place.write(text + "\n")
    if options.json:
        print_json(demo.to_dict())
    else:
        print(demo.to_text())
        if names == CLINICAL:
            print(f"\nWhy these three features: {CLINICAL_REASON} All 30: --features all")
    return DONE


def _field(options: argparse.Namespace) -> int:
    from fdpedu.demo.field import run_field
    from fdpedu.exact import as_positive_fraction

    epsilon = as_positive_fraction(options.epsilon, "epsilon")
    say = (lambda _: None) if options.json else partial(print, flush=True)
    found = run_field(say, epsilon=epsilon, carrier=options.carrier)
    if options.json:
        print_json(found.to_dict())
    else:
        print(found.to_text())
    return DONE


def _run(options: argparse.Namespace, names: Sequence[str]) -> Demo:
    from fdpedu.demo import run_demo

    return run_demo(
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


def _places(options: argparse.Namespace) -> Iterator[PreparedFile]:
    """Where the derivation of the release is written, and the manifest of its transport; nowhere, unless it is said."""
    if not options.save_derivation:
        return
    where = Path(options.save_derivation)
    try:
        where.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"cannot write to {where}: {reason(error)}") from None
    for name in ("derivation.json", "manifest.json"):
        yield PreparedFile(where / name, overwrite=options.overwrite)
