"""``fdpedu carry``: an engine that hospitals run already brings messages to the sites' sockets."""

from __future__ import annotations

import argparse
import logging
import signal
from functools import partial

from fdpedu.cli.parser import DONE, Commands, refusing


def add(commands: Commands) -> None:
    carry = commands.add_parser("carry", help="let an engine that hospitals run carry messages to the sites")
    engines = carry.add_subparsers(dest="engine", required=True, metavar="flare")
    flare = engines.add_parser("flare", help="NVIDIA FLARE: submit the job that carries, and again when it ends")
    flare.add_argument("--kit", required=True, metavar="FOLDER", help="the startup kit of somebody who may submit jobs")
    flare.add_argument(
        "--sites", required=True, metavar="FOLDER", help="where sockets are opened, on the machine of FLARE's server"
    )
    flare.set_defaults(run=_flare)


def _flare(options: argparse.Namespace) -> int:
    from fdpedu.carriers.job import Carrying, CarryingRefused

    logging.getLogger().addHandler(logging.NullHandler())  # what FLARE says of lost lines is said in our words
    carrying = Carrying(options.kit, options.sites, partial(print, flush=True))
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a service that is stopped ends its job, too
    with refusing(CarryingRefused):
        carrying.run()
    return DONE
