"""Questions to independent libraries."""

import json
import os
import subprocess

import pytest

from tests.support.looked import print_of
from tests.support.repository import ROOT


def ask_peers(script: str, question: object) -> object:
    """What independent libraries answer: ``peers/<script>.py`` run in their own environment, JSON in and out.

    Their versions are pinned, so the same question is asked once (`make clean` forgets the answer).
    """
    python = ROOT / ".peers" / "bin" / "python"
    if not python.is_file():
        pytest.fail("the environment of independent libraries is missing: run `make test`")
    asked, code = json.dumps(question), ROOT / "peers" / f"{script}.py"
    kept = ROOT / "_build" / "peers" / f"{print_of([code, ROOT / 'locks' / 'peers.lock'], asked)}.json"
    if not kept.is_file():
        answer = subprocess.run([str(python), str(code)], input=asked, capture_output=True, text=True, check=False)
        assert answer.returncode == 0, answer.stderr
        kept.parent.mkdir(parents=True, exist_ok=True)
        whole = kept.with_suffix(f".{os.getpid()}")
        whole.write_text(answer.stdout, "utf8")
        whole.replace(kept)
    return json.loads(kept.read_text("utf8"))
