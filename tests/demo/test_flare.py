"""A consortium on one machine: what is provisioned, and that whoever is killed is one of its own."""

import json
import os
import subprocess
import sys
import time

import pytest

from fdpedu.demo import flare


@pytest.fixture
def consortium(tmp_path):
    made = flare.Consortium(tmp_path, ["north", "south"])
    yield made
    made.stop()


def sleeping(*words):
    return subprocess.Popen(
        [sys.executable, "-c", "import time; print(1, flush=True); time.sleep(60)", *map(str, words)]
    )


def test_what_is_provisioned_speaks_on_this_machine_only():
    """A server whose name is the loopback device's, a client for each site, and people with and without rights."""
    found = json.loads(flare._project(["north", "south"], 4321))
    (server,) = [one for one in found["participants"] if one["type"] == "server"]
    assert (server["name"], server["default_host"], server["fed_learn_port"]) == ("localhost", "localhost", 4321)
    assert [one["name"] for one in found["participants"] if one["type"] == "client"] == ["north", "south"]
    assert {one["role"] for one in found["participants"] if one["type"] == "admin"} == {
        "project_admin",
        "lead",
        "member",
    }
    assert any(part["path"].endswith("CertBuilder") for part in found["builders"])


def test_a_port_is_free():
    assert len({flare._free_port() for _ in range(5)}) > 1


def test_all_its_processes_are_stopped_and_nobody_else_s(consortium, tmp_path):
    """Those that name its folder, or what is in it, whoever started them; a folder whose name begins so is another."""
    own, below = sleeping(tmp_path), sleeping(tmp_path / "poc" / "kit")
    other, beside = sleeping(f"{tmp_path}2"), sleeping("--nothing")
    try:
        time.sleep(0.3)
        consortium.stop()
        assert own.wait(10) == below.wait(10) == -9
        assert other.poll() is None and beside.poll() is None
    finally:
        for process in (own, below, other, beside):
            process.kill()
            process.wait()


def test_a_job_is_killed_without_its_parent_and_a_parent_without_its_job(consortium):
    """Of one kit: the same site's, and no other's."""
    kit = consortium.kit("north")
    consortium.running["north"] = parent = sleeping(kit)
    job, other = sleeping(kit / "job"), sleeping(consortium.kit("south"))
    try:
        time.sleep(0.3)
        consortium.kill("north", parent=False)
        assert job.wait(10) == -9 and parent.poll() is None and other.poll() is None
        job = sleeping(kit / "job")
        time.sleep(0.3)
        consortium.kill("north", job=False)
        assert parent.returncode == -9 and job.poll() is None and "north" not in consortium.running
    finally:
        for process in (parent, job, other):
            process.kill()
            process.wait()


def test_a_wait_that_is_in_vain_says_for_whom(consortium, tmp_path):
    (tmp_path / "carry.out").write_text("no rights\n", "utf8")
    (tmp_path / "sites" / "north.sock").touch()
    with pytest.raises(TimeoutError, match="nothing to south yet: no rights"):
        consortium.wait(0)
    (tmp_path / "sites" / "south.sock").touch()
    consortium.wait(0)


def test_what_flare_cannot_prepare_is_said(tmp_path):
    """Where it is not installed: a Python without it."""
    consortium = flare.Consortium(tmp_path, ["north"], sys.executable)
    consortium.environment["PYTHONPATH"] = os.devnull
    with pytest.raises(RuntimeError, match=r"could not prepare its kits.*nvflare"):
        consortium.prepare()
