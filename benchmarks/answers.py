"""Answers of another library: its process, in an environment of its own, reads a question a line and ends with ours."""

import json
import os
import subprocess
from functools import cache
from typing import Any

from benchmarks.pairs import PEERS


def ask(environment: str, script: str, **question: object) -> Any:
    """What ``peers/SCRIPT`` answers; its process is started at the first question."""
    peer = _peer(environment, script)
    assert peer.stdin and peer.stdout
    peer.stdin.write(json.dumps(question) + "\n")
    peer.stdin.flush()
    return json.loads(peer.stdout.readline())


@cache
def _peer(environment: str, script: str) -> subprocess.Popen:
    """On one thread."""
    python = PEERS.parent / environment / "bin" / "python"
    command, threads = [str(python), str(PEERS / script)], {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=threads)
