"""No command writes over anything: whatever stands where it is to write is kept, and known for what it is."""

import argparse
import json
import os
import shutil
from pathlib import Path

import pytest

from fdpedu.accounting import Ledger
from fdpedu.cli import parser
from fdpedu.cli.wording import _commands
from fdpedu.files import dumps
from fdpedu.secure_sum import Identity
from tests.support.notebooks import SET, written
from tests.support.two_sites import SITES, run, write_two_sites

SITES_FIT = ("fit", "--domain", "domain.json", "--label", "back", "--epsilon", "1/9", "--budget", "b.db")
FIT = (*SITES_FIT, "--max-depth", "1", *SITES)
WRITERS = {  # each option by which a command writes a file; PLACE is where
    "fit --out": (*FIT, "--out", "PLACE"),
    "fit --manifest": (*FIT, "--manifest", "PLACE"),
    "predict --out": ("predict", "tree.json", SITES[0], "--out", "PLACE"),
    "demo --save-derivation": ("demo", "--seed", "1", "--repeats", "1", "--save-derivation", "PLACE"),
    "figures --out": ("figures", *"--figure 5 --runs 2 --jobs 1 --methods local --epsilon 1 --out PLACE".split()),
    "budget evidence --out": ("budget", "evidence", "paid.db", "--out", "PLACE"),
    "sheet --out": ("sheet", "--chapter", "2", "--out", "PLACE"),
    "quiz --out": ("quiz", "--chapter", "2", "--out", "PLACE"),
    "grade --out": ("grade", "handed_in.ipynb", "--set", "set.toml", "--out", "PLACE"),
    "budget create file": ("budget", "create", "PLACE", "--domain", "domain.json", "--limit", "1"),
}  # fmt: skip
IN_FOLDER = {
    "demo --save-derivation": "manifest.json",
    "figures --out": "figure5-corrected.svg",
    "sheet --out": "answers.ipynb",
    "grade --out": "handed_in.txt",
}  # what they write there
READ = {"domain", "budget", "curator", "public_rows", "tree", "data", "neighbour"}  # names of files that are read only
READ_BY = {"show file", "check-derivation file", "check-derivation --manifest", "budget evidence file"}
READ_BY |= {f"{command} --passphrase" for command in ("identity create", "identity show", "site", "fit")}
READ_BY |= {"identity show file", "site --identity", "fit --identity", "fit --federation"}
READ_BY |= {"carry flare --kit", "carry flare --sites", "carry flare --federation"}  # folders
READ_BY |= {"sheet --set", "grade --set", "exercise --file"}  # the last is written where nothing is: test_teaching.py
NO_OTHER = {"identity create file", "fit --journal"}  # of any other kind: test_cli_afield.py, test_journal.py


def is_of_a_file(action):
    return action.metavar in ("FILE", "CSV", "DIR", "FOLDER") or action.dest in ("file", "out")


def test_every_option_that_names_a_file_is_known_to_read_or_to_write():
    """A new one is looked at by the tests of this file."""
    found = set()
    commands = dict(_commands(parser()))
    for name, command in list(commands.items()):
        commands |= {f"{name} {inner}": below for inner, below in _commands(command).items()}
    for name, command in commands.items():
        for action in command._actions:
            if is_of_a_file(action) and not isinstance(action, argparse._SubParsersAction) and action.dest not in READ:
                found.add(f"{name} {next(iter(action.option_strings), action.dest)}")
    assert found - READ_BY - NO_OTHER == set(WRITERS)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two sites, a budget of which nothing is spent, and a tree that was paid for by another."""
    folder, patch = tmp_path_factory.mktemp("made"), pytest.MonkeyPatch()
    patch.chdir(folder)
    write_two_sites()
    assert run("budget", "create", "paid.db", "--domain", "domain.json", "--limit", "1") == 0
    other = ["paid.db" if word == "b.db" else word for word in FIT]
    assert run(*other, "--out", "tree.json", "--manifest", "manifest.json") == 0
    written(folder, "handed_in")
    Path("set.toml").write_text(SET, "utf8")
    patch.undo()
    return folder


@pytest.fixture
def folder(made, tmp_path, monkeypatch):
    shutil.copytree(made, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")


def hard_link(place):
    Path("elsewhere").write_text("somebody's", "utf8")
    os.link("elsewhere", place)


THERE = {
    "rows": lambda place: place.write_text("id,class\n1,ill\n", "utf8"),
    "a domain": lambda place: shutil.copy("domain.json", place),
    "a tree": lambda place: shutil.copy("tree.json", place),
    "a manifest": lambda place: shutil.copy("manifest.json", place),
    "a derivation": lambda place: place.write_text(json.dumps({"schema": "fdpedu-derivation/7"}), "utf8"),
    "an ensemble": lambda place: place.write_text(dumps("fdpedu-ensemble/1", {}), "utf8"),
    "a picture": lambda place: place.write_bytes(b"\x89PNG\r\n"),
    "notes": lambda place: place.write_text("to be kept", "utf8"),
}
NEVER = {
    "a budget": lambda place: Ledger.open(place, 1).close(),
    "a key": lambda place: Identity.create().save(place, "word"),
    "a link": lambda place: place.symlink_to("tree.json"),
    "a link to nothing": lambda place: place.symlink_to("nothing"),
    "a hard link": hard_link,
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "the screen": lambda place: place.symlink_to("/dev/stdout"),
}


def tried(writer, make, *more):
    """The status of the command, the place, and whether it and its surroundings are as they were."""
    place = Path("there")
    if writer in IN_FOLDER:
        place.mkdir()
        place /= IN_FOLDER[writer]
    make(place)
    before = everything()
    status = run(*("there" if word == "PLACE" else word for word in WRITERS[writer]), *more)
    return status, place, everything() == before


def everything():
    """What all files hold, and where links lead; a budget by what is spent."""
    found = {}
    for path in sorted(Path().rglob("*")):
        if path.is_symlink():
            found[path] = os.readlink(path)
        elif path.is_file() and path.name != "b.db":
            found[path] = path.read_bytes()
    with Ledger.open("b.db") as ledger:
        return found, ledger.spent


@pytest.mark.parametrize("kind", THERE)
@pytest.mark.parametrize("writer", WRITERS)
def test_what_is_there_is_kept_and_nothing_is_spent(folder, capsys, writer, kind):
    """Told by its content, under a name that says nothing; the refusal is one line with the option that goes on."""
    status, place, same = tried(writer, THERE[kind])
    said = capsys.readouterr().err.splitlines()
    assert (status, same, len(said)) == (2, True, 1)
    assert place.name in said[0] and ("say --overwrite" in said[0] or writer.startswith("budget"))


@pytest.mark.parametrize("kind", NEVER)
@pytest.mark.parametrize("writer", WRITERS)
def test_what_is_never_written_over(folder, capsys, writer, kind):
    """Whatever is said: budgets and keys, and what is another file than it seems."""
    status, place, same = tried(writer, NEVER[kind], *["--overwrite"] * (not writer.startswith("budget")))
    said = capsys.readouterr().err
    assert (status, same) == (2, True) and place.name in said and "Traceback" not in said


@pytest.mark.parametrize("writer", [writer for writer in WRITERS if not writer.startswith("budget")])
def test_it_is_replaced_if_one_says_so(folder, writer):
    status, place, same = tried(writer, THERE["rows"], "--overwrite")
    assert status == 0 and not same and not place.read_text("utf8").startswith("id,class\n1,ill")


@pytest.mark.parametrize("writer", ["fit --out", "fit --manifest", "predict --out"])
@pytest.mark.parametrize("way", ["itself", "another spelling", "a link", "a hard link"])
def test_no_input_is_an_output(folder, capsys, writer, way):
    """Under whatever name, whatever is said."""
    command = WRITERS[writer]
    for file in {"domain.json", *SITES} & {*command} | {"tree.json"} & {*command}:
        place = {"itself": file, "another spelling": f"./{file}"}.get(way, "there")
        Path("there").unlink(missing_ok=True)
        if way == "a link":
            Path("there").symlink_to(file)
        elif way == "a hard link":
            os.link(file, "there")
        before = everything()
        assert run(*(place if word == "PLACE" else word for word in command), "--overwrite") == 2
        assert everything() == before
        assert "is named twice" in capsys.readouterr().err


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_file_and_a_link_to_it_are_no_two_sites(folder, capsys, link):
    """A row would count twice, and be paid for once."""
    link(SITES[0], "other.csv")
    assert run(*SITES_FIT, SITES[0], "other.csv") == 2 and everything()[1] == 0
    assert "other.csv is named twice" in capsys.readouterr().err


def test_both_outputs_of_one_command_are_two_files(folder, capsys):
    assert run(*FIT, "--out", "new.json", "--manifest", "./new.json") == 2 and everything()[1] == 0
    assert "./new.json is named twice" in capsys.readouterr().err
    assert not Path("new.json").exists()


def test_the_same_figures_go_on_and_others_of_their_kind_make_way(folder):
    """They cost nothing but time; what a person has written there is kept."""
    command = [("new" if word == "PLACE" else word) for word in WRITERS["figures --out"]]
    for runs in ("2", "3"):
        command[command.index("--runs") + 1] = runs
        assert run(*command) == 0
    place = Path("new/figure5-corrected.csv")
    place.write_text("my notes\n" + place.read_text("utf8"), "utf8")
    command[command.index("--runs") + 1] = "2"
    assert run(*command) == 2
