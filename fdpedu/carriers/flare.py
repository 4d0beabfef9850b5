"""NVIDIA FLARE carries bytes between ``NAME.sock`` in the aggregator's folder and the socket of each site.

A job of FLARE has an end at each site and one beside the aggregator. What is written to a socket of the folder is sent
to the site of that name, whose end writes it to the site's own socket and sends the answer back. The ends hold no data,
no key and no budget, and need not be believed. A site that was heard and then leaves three messages unanswered ends the
job, because FLARE gives a running job to no client that comes back; :mod:`fdpedu.carriers.job` submits it again.
"""

from __future__ import annotations

import json
import time
from functools import cache, partial
from pathlib import Path
from typing import Any

from fdpedu.carriers.line import HELLO, SILENT, Line, answer_at, is_turn

TOPIC, LOCAL = "fdpedu", "fdpedu.json"
ANSWER, AT_SITE, PAUSE = 3.0, 2.0, 0.5  # seconds for a message; for the site, whose silence is told; between two looks


class AtAggregator:
    """What ``AggregatorEnd`` does: it has a socket for each site in ``sites``, while it is its turn there."""

    def __init__(self, sites: str, turn: str) -> None:
        super().__init__()
        self._folder, self._turn = Path(sites), turn

    def control_flow(self, abort_signal: Any, fl_ctx: Any) -> None:
        engine = fl_ctx.get_engine()
        names = [client.name for client in engine.get_clients()]
        lines = [Line(partial(_carried, engine, name), self._folder / f"{name}.sock") for name in names]
        try:
            while not abort_signal.triggered and not any(line.is_gone for line in lines):
                if not is_turn(self._folder, self._turn):
                    break  # another job has begun, or nobody wants one, and FLARE has not ended this one
                for line in lines:
                    line.look()
                time.sleep(PAUSE)
        finally:
            for line in lines:
                line.close()

    def start_controller(self, *_: Any) -> None: ...  # FLARE asks for these three
    def stop_controller(self, *_: Any) -> None: ...
    def process_result_of_unknown_task(self, *_: Any) -> None: ...


class AtSite:
    """What ``SiteEnd`` does: it hands messages to the socket that the site's own file ``local/fdpedu.json`` names."""

    def handle_event(self, event_type: str, fl_ctx: Any) -> None:
        if event_type == "_start_run":
            fl_ctx.get_engine().register_aux_message_handler(TOPIC, self.hand_over)

    def hand_over(self, topic: str, request: Any, fl_ctx: Any) -> Any:
        message, local = request["message"], Path(fl_ctx.get_engine().get_workspace().get_site_config_dir())
        try:
            answer = answer_at(json.loads((local / LOCAL).read_text("utf8"))["socket"], message, AT_SITE)
        except (OSError, ValueError, LookupError, TypeError):  # of the socket, or of the file
            answer = SILENT if message == HELLO else b""  # the site is silent; its end is there
        return type(request)({"answer": answer})

    def execute(self, *_: Any) -> Any:
        raise NotImplementedError("this end is given messages, and no task")


def _carried(engine: Any, name: str, message: bytes) -> bytes | None:
    from nvflare.apis.shareable import Shareable

    with engine.new_context() as own:
        found = engine.send_aux_request([name], TOPIC, Shareable({"message": message}), ANSWER, own, optional=True)
    return (found or {}).get(name, {}).get("answer")


@cache
def __getattr__(name: str) -> Any:
    """The two classes that a job names, made when FLARE asks for them."""
    if name not in ("SiteEnd", "AggregatorEnd"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from nvflare.apis.executor import Executor
    from nvflare.apis.impl.controller import Controller

    bases = (AtSite, Executor) if name == "SiteEnd" else (AtAggregator, Controller)
    return type(name, bases, {"__module__": __name__})
