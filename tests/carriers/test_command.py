"""`fdpedu carry` and `fdpedu field --carrier flare`: their words, and one line for whatever is wrong."""

import re
import sys

import pytest

from fdpedu.carriers import job, presence
from fdpedu.cli import carrying
from fdpedu.federation import Agreement
from tests.support import fake_flare
from tests.support.afield import DOMAIN
from tests.support.two_sites import run


@pytest.fixture
def kit(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(carrying.signal, "signal", lambda *_: None)
    (tmp_path / "kit" / "startup").mkdir(parents=True)
    (tmp_path / "kit" / "startup" / "fed_admin.json").write_text("{}", "utf8")
    (tmp_path / "sites").mkdir()
    return tmp_path / "kit"


def carry(kit="kit", sites="sites", **more):
    return run("carry", "flare", "--kit", kit, "--sites", sites, *(f"--{name}={value}" for name, value in more.items()))


def one_line(capsys, command):
    err = capsys.readouterr().err
    assert err.startswith(f"fdpedu {command}: ") and err.count("\n") == 1
    return err


def test_without_flare_it_is_said_what_to_install(kit, monkeypatch, capsys):
    """Of both commands, and before anything is begun."""
    monkeypatch.setitem(sys.modules, "nvflare", None)
    assert carry() == 2 and "needs nvflare" in one_line(capsys, "carry")
    assert run("field", "--carrier", "flare") == 2
    assert "needs nvflare, which a plain installation leaves out: pip install 'fdpedu[flare]'" in one_line(
        capsys, "field"
    )


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ({"kit": "sites"}, "--kit must be the startup kit.*startup/fed_admin.json.*sites is none"),
        ({"sites": "kit/nowhere"}, "--sites must be the folder of the sockets, and kit/nowhere is none: make it first"),
    ],
)
def test_folders_are_named_by_their_options(kit, said, line, capsys):
    assert carry(**said) == 2
    assert re.search(line, one_line(capsys, "carry"))


@pytest.mark.parametrize("file", ["nowhere.json", "kit/startup/fed_admin.json", "kit"])
def test_an_agreement_that_is_none_is_named(kit, file, capsys):
    assert carry(federation=file) != 0
    assert file in one_line(capsys, "carry")


def test_a_carrier_that_is_none_is_refused(capsys):
    assert run("field", "--carrier", "pigeons") == 2
    assert "flare" in capsys.readouterr().err


def test_it_carries_until_it_is_stopped(kit, monkeypatch, tmp_path, capsys):
    """And ends its job; what it says is on standard output, a line for what happens."""
    server = fake_flare.Server(
        monkeypatch, tmp_path / "sites", [lambda server: None] * 2 + [lambda server: server.run()]
    )
    monkeypatch.setattr(job.time, "sleep", lambda seconds: None)
    assert carry() == 130 and server.aborted == ["job-1"]
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert lines[0].startswith("job job-1 is submitted, for north, south") and lines[1].startswith("north is reached")
    assert printed.err.startswith("fdpedu carry: stopped")


def test_the_agreement_says_whose_flare_is_missing(kit, monkeypatch, tmp_path, capsys):
    """And for whom a job is: not for a client of FLARE that is no site."""
    members = {"north": bytes([1]) * 32, "east": bytes([2]) * 32}
    agreed = Agreement(domain=DOMAIN, members=members, aggregator=bytes(32), budget=1)
    agreed.save("federation.json")
    monkeypatch.setattr(job.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(presence, "GATHERING", -1)
    server = fake_flare.Server(monkeypatch, tmp_path / "sites", [lambda server: None] * 2)
    assert carry(federation="federation.json") == 130
    assert server.submitted[0]["meta"]["deploy_map"] == {"app": ["server", "north"]}
    assert "for north. Not there: east, never connected to FLARE's server" in capsys.readouterr().out


def test_what_flare_refuses_is_one_line(kit, monkeypatch, tmp_path, capsys):
    server = fake_flare.Server(monkeypatch, tmp_path / "sites")
    server.kit_refused = True
    assert carry() == 1 and "does not know this kit" in one_line(capsys, "carry")


@pytest.mark.parametrize("real", [True, False])
def test_threads_of_a_flare_whose_server_is_gone_do_not_keep_it(kit, monkeypatch, tmp_path, real):
    """The program ends some seconds later in any case; where there is no FLARE, nobody else is ended."""
    server = fake_flare.Server(monkeypatch, tmp_path / "sites")
    server.kit_refused, ended = True, []
    if real:
        monkeypatch.setattr(sys.modules["nvflare"], "__file__", "nvflare/__init__.py", raising=False)
    monkeypatch.setattr(carrying, "LEAVING", 0)
    monkeypatch.setattr(carrying.os, "_exit", ended.append)
    monkeypatch.setattr(carrying.threading.Timer, "start", lambda timer: timer.function(*timer.args))
    assert carry() == 1
    assert ended == ([1] if real else [])
