"""``fdpedu audit``: its exit status, what it prints, and what it refuses."""

import json
import re
import sys
from pathlib import Path

import pytest

from fdpedu.audit import PAIRS
from fdpedu.cli import auditing, own_audit
from tests.support.two_sites import run

MINE = """
import math, random, sys
def noise(epsilon):
    u = [int(math.log(1 - random.random()) / -epsilon) for _ in range(2)]
    return u[0] - u[1]
def one(data): return len(data) + noise(1)
def two(data): return len(data) + noise(2)
def bad(data): return data["x"]
def few(data): return data[1:][0]
def mean(data): return round(sum(row["x"] for row in data) / len(data) + 0.01 * noise(1), 3)
def quits(data): sys.exit(0)
def sometimes(data): return 0 if random.random() < (0.9, 0.05)[len(data) % 2] else sys.exit(0)
def zähle(data): return one(data)
calls = 0
def stopped(data):
    global calls
    calls += 1
    if calls == 900:
        calls = 0
        raise KeyboardInterrupt
    return one(data)
class Inside:
    @staticmethod
    def two(data): return two(data)
number = 3
"""


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """In a folder with a module and two files: a command's exit status, and what it printed, on one line."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    name = f"mine_{tmp_path.name.replace('-', '_')}"
    Path(f"{name}.py").write_text(MINE, "utf8")
    Path("broken.py").write_text("1/0", "utf8")
    Path("a.csv").write_text("x,y\n1,a\n2.5,b\n", "utf8")
    Path("b.csv").write_text("\ufeffx;y\r\n1;a\r\n", "utf8")

    def call(*arguments):
        capsys.readouterr()
        status = run("audit", *(word.replace("mine", name) for word in arguments))
        return status, " ".join("".join(capsys.readouterr()).replace(name, "mine").split())

    return call


def test_the_right_noise_passes_and_half_of_it_is_refuted(said):
    """A stranger's own two lines: exit 0, with a bound; exit 1, with the runs."""
    status, text = said("mine:one", "--seed", "1")
    assert status == 0 and "Not refuted. With an error of at most 1e-6 for all pairs together, ε is at least" in text
    assert "That is a bound, for these pairs, events and runs, and no proof that ε = 1 holds." in text
    assert all(f"{one} {other} 2000" in text for one, other in PAIRS)
    status, text = said("mine:two", "--seed", "1")
    assert status == 1 and "Refuted: ε = 1 does not hold with D = [] and D′ = [1]. After" in text
    assert "[] [1] 2000" in text and "[0, 1]" not in text
    assert said("mine:two", "--epsilon", "2")[0] == 0


def test_a_function_may_stand_in_a_file_or_in_a_class(said):
    assert said("mine.py:two", "--runs", "2000")[0] == said("mine:Inside.two")[0] == 1


def test_a_program_that_ends_itself_has_put_something_out(said):
    """With status 0 it would look as if it had been audited, and not refuted."""
    status, text = said("mine:sometimes", "--runs", "400")
    assert status == 1 and "Refuted" in text


def test_a_file_may_be_a_link_and_spelt_otherwise(said):
    """A link to what is not called .py; a name in capitals; letters and dots apart, as some systems write them."""
    for name in ("link.py", "CAPITAL.PY"):
        Path("plain").write_text(MINE, "utf8")
        Path(name).symlink_to("plain")
        assert said(f"{name}:two")[0] == 1
    assert said("mine:za\u0308hle", "--runs", "100")[0] == 0


def test_rows_of_files_are_dictionaries(said):
    """Numbers where a cell is one; the pair is called by its files."""
    status, text = said("mine:mean", "--data", "a.csv", "--neighbour", "b.csv")
    assert status == 1 and "does not hold with D = a.csv and D′ = b.csv." in text
    assert auditing._rows("a.csv") == [{"x": 1, "y": "a"}, {"x": 2.5, "y": "b"}]
    assert auditing._rows("b.csv") == [{"x": 1, "y": "a"}]


def test_json_has_what_is_printed(said):
    status, text = said("mine:two", "--json", "--seed", "1", "--alpha", "1e-3", "--delta", "1e-9")
    found = json.loads(text)
    assert status == 1 and found["refuted"] and not found["stopped"] and found["alpha"] == "1e-3"
    (pair,) = found["pairs"]
    assert (pair["D"], pair["D_prime"], pair["runs"], pair["refuted"], pair["raised"]) == ("[]", "[1]", 2000, True, 0)
    assert 500 < pair["refuted_at"] < 2000 and pair["wealth"] > 4000 and "the output" in pair["event"]
    assert found["epsilon_lower"] == pair["epsilon_lower"] > 1
    status, text = said("mine:one", "--json", "--runs", "100")
    assert status == 0 and len(json.loads(text)["pairs"]) == 4 and json.loads(text)["epsilon"] == "1"


REFUSED = [
    (
        ["mine:bad"],
        "Nothing was audited with D = [] and D′ = [1]: every run raised an exception, the last one TypeError",
    ),
    (["mine:none"], "mine has no none: name a function that it has, as MODULE:FUNCTION"),
    (["mine:number"], "mine:number must be a function, got int"),
    (["mine"], "name the function as MODULE:FUNCTION, such as"),
    ([], "name the function as MODULE:FUNCTION, such as"),
    (["nowhere:x"], "cannot import nowhere: ModuleNotFoundError: No module named 'nowhere'"),
    (["nowhere.py:x"], "cannot import nowhere.py: FileNotFoundError"),
    (["broken:x"], "cannot import broken: ZeroDivisionError: division by zero"),
    (["mine:one", "--data", "a.csv"], "--data and --neighbour are given together"),
    (["mine:one", "--neighbour", "a.csv"], "--data and --neighbour are given together"),
    (
        ["mine:one", "--data", "a.csv", "--neighbour", "a.csv"],
        "must be two data sets that differ, and they have the same",
    ),
    (["mine:one", "--data", "a.csv", "--neighbour", "c.csv"], "cannot read c.csv"),
    (["mine:one", "--data", "a.csv", "--neighbour", "d.csv"], "d.csv: row 2 has 1 cells, and the header has 2"),
    (["mine:one", "--data", "e.csv", "--neighbour", "a.csv"], "e.csv: expected a header with a name of its own for"),
    (["mine:one", "--data", "f.csv", "--neighbour", "a.csv"], "f.csv: expected a header with a name of its own for"),
    (["mine:one", "--data", "a.csv", "--neighbour", "long.csv"], "--neighbour: long.csv is no CSV: field larger than"),
    (["mine:one", "--data", "utf16.csv", "--neighbour", "a.csv"], "--data: utf16.csv: expected text in UTF-8"),
    (["mine:one", "--data", "a.csv", "--neighbour", ""], "--neighbour: path must be the name of a file, got ''"),
    (
        ["mine:quits"],
        "Nothing was audited with D = [] and D′ = [1]: every run raised an exception, the last one SystemExit",
    ),
    (["dangling.py:one"], "cannot import dangling.py: FileNotFoundError"),
    (["mine:one", "--runs", "7"], "--runs must be an integer ≥ 8, got 7"),
    (["mine:one", "--alpha", "0"], "--alpha must be greater than 0 and less than 1, got 0"),
    (["mine:one", "--delta", "-1"], "--delta must be at least 0 and less than 1, got -1"),
    (["mine:one", "--epsilon", "x"], "--epsilon must be a finite number"),
    (["--self", "mine:one"], "MODULE:FUNCTION must be left out with --self, got 'mine:one'"),
    (["--self", "--data", "a.csv"], "--data must be left out with --self: it has rows of its own"),
    (["--self", "--delta", "1e-6"], "--delta must be left out with --self: what is audited claims none, or 10⁻⁶"),
    (["--self", "--epsilon", "0"], "--epsilon must be greater than 0, got 0"),
]


@pytest.mark.parametrize(("arguments", "sentence"), REFUSED)
def test_refusals_end_with_status_2(said, arguments, sentence):
    Path("d.csv").write_text("x,y\n1,2\n1\n", "utf8")
    Path("e.csv").write_text("", "utf8")
    Path("f.csv").write_text("x,x\n1,2\n", "utf8")
    Path("long.csv").write_text("x\n" + 200_000 * "9", "utf8")
    Path("utf16.csv").write_text("x\n1", "utf-16")
    Path("dangling.py").symlink_to("nowhere")
    status, text = said(*arguments)
    assert status == 2 and sentence in text


def test_what_is_refuted_on_one_pair_is_refuted(said):
    """Even if nothing was audited on another."""
    status, text = said("mine:few", "--runs", "200")
    assert status == 1 and "Refuted: ε = 1 does not hold with D = [0] and D′ = [0, 1]." in text


def test_stopped_by_the_keyboard_it_says_what_is_known(said):
    """Status 130, or 1 if that is a refutation; what is known holds whenever one stops."""
    status, text = said("mine:stopped")
    assert status == 130 and "Stopped by Ctrl-C at the 1. of 4 pairs; this holds whenever one stops." in text
    assert 500 <= int(re.search(r"\[\] \[1\] (\d+) ", text)[1]) < 900 and "Not refuted." in text
    status, text = said("mine:stopped", "--epsilon", "0", "--json")
    found = json.loads(text)
    assert found["stopped"] and status == (1 if found["refuted"] else 130) and 500 <= found["pairs"][0]["runs"] < 900
    status, text = said("mine:stopped", "--runs", "8000")
    assert status == 130 and "at the 1. of 4 pairs" in text and "[] [1]" not in text


def test_the_package_audits_itself(said, monkeypatch):
    """Each type of query and the tree is looked at; what is refuted is named."""
    monkeypatch.setattr(own_audit, "MOST_TREES", 8)
    status, text = said("--self", "--runs", "8", "--seed", "1")
    assert status == 0 and text.count("the answer to") == own_audit.n_own_audits() - 1
    assert "the released tree of depth 2" in text and "What is not refuted is not confirmed" in text
    assert "one row more; with an error of at most 1e-6 for all together" in text


def test_a_fault_of_the_package_would_be_found(said, monkeypatch):
    """Counts of classes without their noise."""
    from fdpedu.federation.queries import noise

    everything = own_audit.own_audits

    def some(*arguments):
        yield next(x for x in everything(*arguments) if x[0] == "the answer to class-counts")

    monkeypatch.setattr(own_audit, "own_audits", some)
    assert said("--self", "--runs", "400", "--seed", "1", "--json")[0] == 0
    monkeypatch.setattr(noise.POLYA_SHARES.__class__, "noisy", lambda self, exact, *_: exact)
    status, text = said("--self", "--runs", "400", "--seed", "1")
    assert status == 1 and "the answer to class-counts: Refuted: ε = 1 does not hold" in text
