"""Commands for sites on machines of their own: from identities to a tree, and one line for whatever is wrong."""

import csv
import json
import os
import re
import signal
import socket
import threading
import time
from pathlib import Path

import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.forks import begin_child, end_child
from fdpedu.cli import parser
from fdpedu.cli.wording import _commands
from fdpedu.federation import Agreement
from fdpedu.trees import Tree
from tests.support.two_sites import DOMAIN, run

NAMES = ("north", "south")
SECRET = ("--passphrase", "secret")
TEXT = "of the tests, ü"


@pytest.fixture
def folder(tmp_path, monkeypatch, capsys):
    """Two sites and an aggregator as the page tells their owners to begin: everything is in one folder here."""
    monkeypatch.chdir(tmp_path)
    Path("secret").write_text(TEXT + "\n", "utf8")
    Path("secret").chmod(0o600)
    Path("sites").mkdir()
    public = {}
    for name in (*NAMES, "aggregator", "stranger"):
        assert run("identity", "create", f"{name}.pem", *SECRET) == 0
        public[name] = re.search("identity +([0-9a-f]{64})\n", capsys.readouterr().out)[1]
    for k, name in enumerate(NAMES):
        with open(f"{name}.csv", "w", newline="", encoding="utf8") as file:
            rows = [[(37 * i + k) % 100, "AB"[i % 2].replace("B", "B ü")] for i in range(60)]
            csv.writer(file).writerows([["age", "ward", "back"], *([*row, ("no", "yes")[row[0] > 50]] for row in rows)])
    members = {name: public[name] for name in NAMES}
    agreed = {"schema": "fdpedu-federation/1", "domain": DOMAIN, "members": members}
    Path("federation.json").write_text(
        json.dumps({**agreed, "aggregator": public["aggregator"], "budget": "2", "tolerate": 1}), "utf8"
    )
    return tmp_path


def site(name, *more, agreed=None, **instead):
    """The words of a site's command."""
    options = {"--identity": f"{name}.pem", "--budget": f"{name}.db", "--socket": f"sites/{name}.sock"}
    options |= {"--agreed": agreed or Agreement.load("federation.json").digest, "--label": "back"}
    options |= dict([SECRET]) | {f"--{name}": value for name, value in instead.items()}
    words = [word for pair in options.items() for word in pair if pair[1] is not None]
    return ["site", "federation.json", f"{name}.csv", *words, *more]


def fit(*more, **instead):
    options = {"--federation": "federation.json", "--sites": "sites", "--identity": "aggregator.pem"}
    options |= {"--journal": "journal", "--epsilon": "1", "--patience": "20"} | dict([SECRET])
    options |= {f"--{name.replace('_', '-')}": value for name, value in instead.items()}
    return ["fit", *(word for pair in options.items() for word in pair if pair[1] is not None), *more]


@pytest.fixture
def started(folder):
    """Both sites' processes, each as `fdpedu site` runs it."""
    begun = [begin_child(lambda say, name=name: say(run(*site(name)))) for name in NAMES]
    yield begun
    for child, reading in begun:
        os.kill(child, signal.SIGKILL)
        end_child(child, reading)


def charged(*names):
    found = []
    for name in names:
        with Ledger.open(f"{name}.db") as ledger:
            found.append((ledger.rounds, str(ledger.spent)))
    return found


def test_from_identities_to_a_tree(folder, started, capsys):
    """Show the terms, grow, and grow again by the journal: the same tree, and nobody pays anew."""
    assert run("show", "federation.json") == 0
    shown = capsys.readouterr().out
    assert Agreement.load("federation.json").digest in shown and "site north" in shown and "ε = 2" in shown
    assert run("identity", "show", "north.pem", *SECRET) == 0
    assert re.search("fingerprint +(.*)\n", capsys.readouterr().out)[1] in shown
    grow = ("--design", "default", "--max-depth", "2")
    assert run(*fit(*grow, "--out", "tree.json", "--manifest", "manifest.json")) == 0
    out = capsys.readouterr().out
    assert str(Tree.load("tree.json")) in out and "journal" not in out
    rounds = Tree.load("tree.json").rounds
    assert charged(*NAMES) == [(rounds, "1")] * 2
    assert run("check-derivation", "tree.json", "--manifest", "manifest.json") == 0
    assert oct(os.stat("journal").st_mode)[-3:] == "600"
    assert run(*fit(*grow, "--out", "again.json", "--manifest", "again.manifest.json")) == 0
    assert Path("again.json").read_bytes() == Path("tree.json").read_bytes()
    assert Path("again.manifest.json").read_bytes() == Path("manifest.json").read_bytes()
    assert charged(*NAMES) == [(rounds, "1")] * 2


@pytest.mark.parametrize(
    "more",
    [
        ("--model", "boosting", "--nominal-size", "120", "--rounds", "2", "--trees-per-round", "2", "--out", "m.json"),
        ("--design", "default", "--features-per-node", "1", "--out", "m.json"),
        ("--json",),
    ],
)
def test_other_models_and_a_budget_of_the_aggregator(folder, started, more, capsys):
    assert run("budget", "create", "b.db", "--limit", "2", "--domain", "domain.json") == 2
    Path("domain.json").write_text(json.dumps(DOMAIN), "utf8")
    assert run("budget", "create", "b.db", "--limit", "2", "--domain", "domain.json") == 0
    assert run(*fit(*more, budget="b.db")) == 0, capsys.readouterr().err
    rounds = charged("b")[0][0]
    assert run(*fit(*more, *(["--overwrite"] if "m.json" in more else []), budget="b.db")) == 0
    assert charged("b")[0][0] == rounds >= max(paid for paid, _ in charged(*NAMES)) > 0


def test_a_site_s_words_are_for_programs_too(folder, capsys):
    def work(say):
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs the tests may have it ignored
        run(*site("north", "--json"))

    child, reading = begin_child(work)
    end = time.monotonic() + 20
    while not Path("sites/north.sock").exists() and time.monotonic() < end:
        time.sleep(0.02)
    os.kill(child, signal.SIGINT)
    assert end_child(child, reading)[1] in (0, 130)
    assert not Path("sites/north.sock").exists()


def _secret_of_others():
    Path("secret").chmod(0o640)


def _pem_of_others():
    Path("north.pem").chmod(0o604)


def _listening():
    line = socket.socket(socket.AF_UNIX)
    line.bind("sites/north.sock")
    line.listen()
    return line


WRONG = [  # of a site's command: what is made wrong, or said; and what the one line says
    (None, {"agreed": "sha256:" + 64 * "0"}, "--agreed must be the digest.*fdpedu show"),
    (None, {"agreed": "north"}, "--agreed must be the digest"),
    (_pem_of_others, {}, "north.pem may be read by others.*chmod 600 north.pem"),
    (_secret_of_others, {}, "secret may be read by others.*chmod 600 secret"),
    (_listening, {}, "sites/north.sock is in use.*name another place"),
    (None, {"socket": "s" * 101}, "at most 100 bytes.*shorter folder"),
    (None, {"socket": "north.csv"}, "north.csv is there already, and is no socket"),
    (None, {"socket": "north.db"}, "north.db is named twice"),
    (None, {"identity": "stranger.pem"}, "none of the 2 members 'north', 'south'"),
    (None, {"identity": "nobody.pem"}, "cannot read nobody.pem: no such file.*fdpedu identity create"),
    (None, {"passphrase": "federation.json"}, "named twice"),
    (None, {"passphrase": None}, "--passphrase is needed, as there is no terminal"),
    (None, {"label": None}, "--label is needed"),
    (None, {"label": "b"}, "no column 'b'"),
    (None, {"budget": "nowhere/b.db"}, "there is no folder"),
]


@pytest.mark.parametrize(("make", "said", "line"), WRONG)
def test_what_a_site_refuses_costs_nothing(folder, make, said, line, capsys):
    kept = make() if make else None
    assert run(*site("north", **said)) in (1, 2)
    err = capsys.readouterr().err
    assert err.startswith("fdpedu site: ") and err.count("\n") == 1 and re.search(line, err), err
    assert not Path("north.db").exists() or charged("north") == [(0, "0")]
    if kept:
        kept.close()


def _another_journal():
    Path("journal").write_text('{"schema": "fdpedu-journal/9", "program": "fdpedu 99"}\n', "utf8")


WRONG_FITS = [
    (
        {"patience": "1/10"},
        None,
        "north 1.*silent.*sites/north.sock: no such file or directory, nobody.*again: if anything was paid",
    ),
    ({"sites": "nowhere"}, None, "--sites must be the folder with a socket for each site.*nowhere is no folder"),
    ({"identity": "stranger.pem"}, None, "not the aggregator's"),
    ({"journal": "north.csv"}, None, "north.csv: expected a journal"),
    ({}, _another_journal, "fdpedu-journal/9"),
    ({"journal": "sites"}, None, "cannot write the journal sites: is a directory"),
    ({"journal": None}, None, "--journal is needed with --federation"),
    ({"sites": None}, None, "--sites is needed with --federation"),
    ({"identity": None}, None, "--identity is needed with --federation"),
    ({"domain": "d.json"}, None, "--domain must be left out with --federation: it stands in federation.json"),
    ({"tolerate": "0"}, None, "--tolerate must be left out"),
    ({"label": "back"}, None, "--label must be left out.*fdpedu site"),
    ({"decimal": ","}, None, "--decimal must be left out"),
    ({"by": "ward"}, None, "--by must be left out"),
    ({"curator": "north.csv"}, None, "--curator must be left out"),
    ({"model": "privatree"}, None, "--curator"),
    ({"patience": "0"}, None, "--patience must be greater than 0"),
    ({"federation": None}, None, "--identity is for sites elsewhere"),
    ({"federation": "north.csv"}, None, "not JSON"),
    ({"out": "journal"}, None, "journal is named twice"),
]


@pytest.mark.parametrize(("said", "make", "line"), WRONG_FITS)
def test_what_an_aggregator_refuses_costs_nothing(folder, said, make, line, capsys):
    if make:
        make()
    assert run(*fit(**said)) in (1, 2)
    err = capsys.readouterr().err
    assert err.startswith("fdpedu fit: ") and err.count("\n") == 1 and re.search(line, err), err
    assert not Path("north.db").exists()
    assert run(*fit("north.csv")) == 2 and "north.csv" in capsys.readouterr().err


def test_a_site_that_refuses_is_not_called_silent(folder, started, capsys):
    assert run(*fit(epsilon="3")) == 1
    err = capsys.readouterr().err
    assert re.search("it refuses, .*If that can be mended, give this command again.*Another command needs another", err)
    assert "silent" not in err and "carrier" not in err and err.count("\n") == 1


def test_the_journal_of_another_fit_is_refused(folder, started, capsys):
    assert run(*fit("--max-depth", "1")) == 0
    before = charged(*NAMES)
    capsys.readouterr()
    assert run(*fit("--max-depth", "1", epsilon="1/2")) == 2
    err = capsys.readouterr().err
    assert re.search("the journal journal is another fit's.*first options again", err) and charged(*NAMES) == before


def test_an_identity_is_made_once(folder, capsys):
    before = Path("north.pem").read_bytes()
    assert run("identity", "create", "north.pem", *SECRET) == 2
    assert "north.pem exists" in capsys.readouterr().err and Path("north.pem").read_bytes() == before
    assert oct(os.stat("north.pem").st_mode)[-3:] == "600"
    assert run("identity", "show", "north.pem", "--passphrase", "secret", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["identity"] == Agreement.load("federation.json").members["north"].hex()
    assert run("identity", "create", "nowhere/a.pem", *SECRET) == 2
    assert "cannot write nowhere/a.pem: no such file or directory" in capsys.readouterr().err
    Path("secret").write_text("", "utf8")
    assert run("identity", "show", "north.pem", *SECRET) == 2 and "secret is empty" in capsys.readouterr().err


def test_a_passphrase_is_asked_for_at_a_terminal(folder, monkeypatch, capsys):
    typed = iter([TEXT, "one", "two", "a", "a"])
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda self: True})())
    monkeypatch.setattr("getpass.getpass", lambda prompt: next(typed))
    assert run("identity", "show", "north.pem") == 0
    assert run("identity", "create", "new.pem") == 2 and "differ" in capsys.readouterr().err
    assert not Path("new.pem").exists()
    assert run("identity", "create", "new.pem") == 0
    assert run("identity", "show", "new.pem", *SECRET) == 1
    assert "passphrase is another one" in capsys.readouterr().err


def test_no_option_is_left_out():
    """Each option of these commands is typed above."""
    commands = dict(_commands(parser()))
    said = {f"--{name}" for _, changed, _ in WRONG for name in changed} | {"--json"}
    own = {name for action in commands["site"]._actions for name in action.option_strings if name.startswith("--")}
    assert own - said == {"--help", "--delimiter", "--decimal", "--thousands", "--encoding"}  # as of all CSV files
    for name in ("create", "show"):
        made = _commands(commands["identity"])[name]
        assert {o for a in made._actions for o in a.option_strings} == {"-h", "--help", "--passphrase", "--json"}


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_field(form, capfd):
    """Five sites and their aggregator, one killed: all have paid each round once."""
    assert run("field", "--epsilon", "3", *form) == 0
    out = capfd.readouterr().out
    if form:
        found = json.loads(out)
        assert len(found["charged"]) == 6
        assert set(map(str, found["charged"].values())) == {str({"rounds": found["rounds"], "epsilon": "3"})}
    else:
        assert "kill -9" in out and "west is started again" in out and "ε = 3, in 3 rounds" in out
        assert len(re.findall(r"^  (?:aggregator|north|south|east|west|centre) +3 +3$", out, re.M)) == 6
    assert threading.active_count() < 20


def test_field_refuses_what_costs_nothing(capsys):
    assert run("field", "--epsilon", "0") == 2
    assert "--epsilon must be greater than 0" in capsys.readouterr().err
