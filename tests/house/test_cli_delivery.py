"""What was paid for is never lost: whatever happens to files and to standard output, one line says where it is."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fdpedu.accounting import Ledger
from fdpedu.cli import main
from fdpedu.trees import Tree

ROWS = "age,back\n" + "".join(f"{10 + i},{'yes' if i > 20 else 'no'}\n" for i in range(40))
ASKED = ("--domain", "domain.json", "--label", "back", "--epsilon", "1", "--budget", "b.db")
FIT = ("fit", *ASKED, "--design", "default", "a.csv", "b.csv")  # a design that spends all of ε on every tree
SCORE = ("score", "tree.json", "a.csv", "b.csv", "--label", "back", "--epsilon", "1", "--budget", "b.db")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two sites, a budget of ε = 3, and a tree that was paid for."""
    folder, before = tmp_path_factory.mktemp("made"), Path.cwd()
    os.chdir(folder)
    domain = {"features": {"age": [0, 100, 4]}, "classes": ["no", "yes"]}
    Path("domain.json").write_text(json.dumps(domain), "utf8")
    for site in "ab":
        Path(f"{site}.csv").write_text(ROWS, "utf8")
    assert main(["budget", "create", "b.db", "--domain", "domain.json", "--limit", "3"]) == 0
    assert main([*FIT, "--out", "tree.json"]) == 0
    os.chdir(before)
    return folder


@pytest.fixture
def folder(made, tmp_path, monkeypatch):
    """A copy for each test."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def run(*arguments, **options):
    command = [sys.executable, "-m", "fdpedu", *arguments]
    return subprocess.run(command, stderr=subprocess.PIPE, **{"stdout": subprocess.DEVNULL, **options})


def spent():
    with Ledger.open("b.db") as ledger:
        return ledger.spent


def closed_pipe():
    """The writing end of a pipe that nobody reads."""
    ours, theirs = os.pipe()
    os.close(ours)
    return os.fdopen(theirs, "w")


def full_disk():
    return open("/dev/full", "w")


@pytest.mark.parametrize(
    ("broken", "more"),
    [
        (closed_pipe, ("--json",)),
        (closed_pipe, ("--out", "new.json", "--json")),
        (full_disk, ("--json",)),
        (full_disk, ("--out", "new.json", "--json")),
    ],
)
def test_a_tree_whose_output_fails_is_where_one_line_says(folder, broken, more):
    with broken() as output:
        done = run(*FIT, *more, stdout=output)
    said = done.stderr.decode("utf8")
    assert spent() == 2 and "Traceback" not in said and "Exception ignored" not in said
    (line,) = [line for line in said.splitlines() if "warning" not in line]
    place = re.fullmatch(r"fdpedu fit: cannot write to standard output: .*; the tree is in (\S+)", line)[1]
    assert Tree.load(place).derivation.guarantee.value == 3 and (place == "new.json") == bool(set(more) & {"--out"})
    assert done.returncode == (0 if broken is closed_pipe else 2)


@pytest.mark.parametrize("broken", [closed_pipe, full_disk])
@pytest.mark.parametrize("more", [(), ("--out", "new.json")])
def test_what_every_tree_costs_is_read_before_anything_is_paid(folder, broken, more):
    """As text, it is printed first; where nobody can read it, no tree is grown."""
    with broken() as output:
        done = run(*FIT, *more, stdout=output)
    assert done.returncode == 2 and spent() == 1 and not Path("new.json").exists()
    assert re.fullmatch(
        r"fdpedu fit: cannot write to standard output: .*; nothing was charged\n", done.stderr.decode("utf8")
    )


@pytest.mark.parametrize("broken", [closed_pipe, full_disk])
def test_a_score_whose_output_fails_is_told_in_that_line(folder, broken):
    with broken() as output:
        done = run(*SCORE, stdout=output)
    assert spent() == 2
    assert re.search(r"cannot write to standard output: .*; the score is [01]\.\d+ ± ", done.stderr.decode("utf8"))


@pytest.mark.parametrize("command", [FIT, SCORE])
def test_with_no_output_at_all_nothing_is_charged(folder, command):
    done = run(*command, stdout=None, preexec_fn=lambda: os.close(1))
    assert done.returncode == 2 and "nothing was charged" in done.stderr.decode("utf8") and spent() == 1


def test_what_is_free_ends_with_one_line_too(folder):
    with full_disk() as output:
        done = run("show", "tree.json", stdout=output)
    assert done.returncode == 2 and done.stderr.decode("utf8").count("\n") == 1
    with closed_pipe() as output:
        done = run("show", "tree.json", stdout=output)
    assert done.returncode == 0 and b"Traceback" not in done.stderr


def test_a_name_that_is_no_text_can_be_printed(folder):
    """A name in another encoding, as old disks have: the tree is there, and both outputs say so."""
    for more, name in (((), b"t\xf6.json"), (("--json",), b"u\xf6.json")):
        done = run(*FIT, "--out", name, *more, stdout=subprocess.PIPE)
        assert done.returncode == 0, done.stderr
        assert Tree.load(os.fsdecode(name)).derivation.guarantee.value == 3
        assert b"\\udcf6.json" in done.stdout
    assert json.loads(done.stdout)["out"] == os.fsdecode(b"u\xf6.json")
