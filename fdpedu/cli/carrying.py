"""``fdpedu carry``: an engine that hospitals run already brings messages to the sites' sockets."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from functools import partial

from fdpedu.cli.parser import DONE, REFUSED, STOPPED, Commands, Refused, refusing

LEAVING = 5.0  # seconds in which what is to be said is said


def add(commands: Commands) -> None:
    carry = commands.add_parser("carry", help="let an engine that hospitals run carry messages to the sites")
    engines = carry.add_subparsers(dest="engine", required=True, metavar="flare")
    flare = engines.add_parser("flare", help="NVIDIA FLARE: submit the job that carries, and again when it ends")
    flare.add_argument("--kit", required=True, metavar="FOLDER", help="the startup kit of somebody who may submit jobs")
    flare.add_argument(
        "--sites", required=True, metavar="FOLDER", help="where sockets are opened, on the machine of FLARE's server"
    )
    flare.add_argument(
        "--federation", metavar="FILE", help="what all owners have agreed on: then it is said which site is not there"
    )
    flare.set_defaults(run=_flare)


def _flare(options: argparse.Namespace) -> int:
    from fdpedu.carriers import Carrying, CarryingRefused
    from fdpedu.federation import Agreement

    logging.getLogger().addHandler(logging.NullHandler())  # what FLARE says of lost lines is said in our words
    names = [] if options.federation is None else list(Agreement.load(options.federation).members)
    carrying = Carrying(options.kit, options.sites, partial(print, flush=True), names)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a service that is stopped ends its job, too
    try:
        with refusing(CarryingRefused):
            carrying.run()
    except Refused:
        _leave(REFUSED)
        raise
    except KeyboardInterrupt:
        _leave(STOPPED)
        raise KeyboardInterrupt("stopped, and its job ends with it; what a site has paid stays paid") from None
    return DONE


def _leave(status: int) -> None:
    """End the program a little later in any case: threads of FLARE whose server is gone may wait for ever."""
    if getattr(sys.modules.get("nvflare"), "__file__", None):
        end = threading.Timer(LEAVING, os._exit, [status])
        end.daemon = True
        end.start()
