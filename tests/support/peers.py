"""Questions to independent libraries."""

import json
import subprocess

import pytest

from tests.support.repository import ROOT


def ask_peers(script: str, question: object) -> object:
    """What independent libraries answer: ``peers/<script>.py`` run in their own environment, JSON in and out."""
    python = ROOT / ".peers" / "bin" / "python"
    if not python.is_file():
        pytest.fail("the environment of independent libraries is missing: run `make test`")
    command = [str(python), str(ROOT / "peers" / f"{script}.py")]
    answer = subprocess.run(command, input=json.dumps(question), capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)
