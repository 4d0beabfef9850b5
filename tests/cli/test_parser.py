"""What is typed in another form is read, or the form is named; refusals name options of the command."""

import io
import json
import sys
from pathlib import Path

import pytest

from fdpedu.accounting import Ledger
from fdpedu.cli import parser
from fdpedu.derivation_checker import check_derivation
from fdpedu.privacy import as_law
from tests.support.two_sites import SITES, run, write_two_sites

FIT = ("fit", "--domain", "domain.json", "--label", "back", "--epsilon", "1/4", "--max-depth", "1")
OWN = (*FIT[:-2], "--model", "privatree", "--max-depth", "1", "--curator", SITES[0])
BUDGETS = {"eps.db": (), "rho.db": ("--delta", "1e-6"), "own.db": ("--colluders", "0"), "two.db": ("--colluders", "2")}


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.chdir(tmp_path_factory.mktemp("typed"))
    write_two_sites()
    for name, more in BUDGETS.items():
        assert run("budget", "create", name, "--domain", "domain.json", "--limit", "2", *more) == 0
    assert run(*FIT, "--out", "tree.json", *SITES) == 0
    yield
    patch.undo()


SCORE = ("score", "tree.json", "--label", "back", "--epsilon", "1/4")
PYTHON = ("Ledger(", "Charge", "fdpedu.", "in_rho", "delta=", "colluders=", "epsilon=")


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("more", [(), ("--delta", "1e-6")])
@pytest.mark.parametrize(
    "command", [FIT, OWN, SCORE, (*SCORE, "--curator", SITES[0])], ids=["fit", "own", "score", "of own"]
)
def test_a_budget_of_the_other_kind_is_refused_by_options_that_do(command, more, budget, capsys):
    """Nothing is charged, and no sentence quotes Python; what is of its kind goes through."""
    with Ledger.open(budget) as ledger:
        before = ledger.spent
    capsys.readouterr()
    status = run(*command, *more, "--budget", budget, *(SITES if "--curator" not in command else ()))
    said = capsys.readouterr().err
    if status == 0:
        return
    assert status == 2 and not [word for word in PYTHON if word in said] and said.count("\n") == 1, said
    assert "--delta" in said or "--colluders" in said or "--tolerate" in said
    with Ledger.open(budget) as ledger:
        assert ledger.spent == before


@pytest.mark.parametrize("typed", ["1e-6", "10^-6", "10**-6", "10⁻⁶", "1e−6", " 1/1000000"])
def test_a_small_delta_in_every_form_that_messages_print(typed, capsys):
    Path("new.db").unlink(missing_ok=True)
    assert run("budget", "create", "new.db", "--domain", "domain.json", "--limit", "1", "--delta", typed) == 0
    assert "(1, 10⁻⁶)" in capsys.readouterr().out
    Path("new.db").unlink()


TYPED = {"1e2": True, "10^2": True, "100": True} | dict.fromkeys(["1,500", "1.5", "100/1", "hundred", "1 500", ""])


@pytest.mark.parametrize("typed", TYPED)
def test_whole_numbers(typed, capsys):
    """Read, or the form is named."""
    assert run(*FIT, "--nominal-size", typed, *SITES) == (0 if TYPED[typed] else 2)
    named = "--nominal-size: expected a whole number, such as 1500, 1e3 or 10^6, without a sign"
    assert TYPED[typed] or named in capsys.readouterr().err


def test_standard_input_is_a_file_for_every_command_that_reads_one(monkeypatch, capsys):
    """As bytes or as text: what is shown and predicted is the same; two of them cannot be."""
    tree, rows = Path("tree.json").read_text("utf8"), "age,ward\n5,A\n80,A\n"
    Path("rows.csv").write_text(rows, "utf8")
    for command, text in (
        (["show", "FILE"], tree), (["show", "FILE", "--as", "html"], tree), (["predict", "FILE", "rows.csv"], tree),
        (["predict", "tree.json", "FILE"], rows), (["check-derivation", "FILE"], tree),
    ):  # fmt: skip
        said = []
        for file in ("rows.csv" if text == rows else "tree.json", "-"):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf8"))
            assert run(*(file if word == "FILE" else word for word in command)) == 0
            said.append(capsys.readouterr().out)
        assert (
            said[1].split("Its derivation")[0].split("<title>")[0]
            == said[0].split("Its derivation")[0].split("<title>")[0]
        )
    assert run("predict", "-", "-") == 2
    assert "only one of the files can be standard input" in capsys.readouterr().err


def test_what_a_command_printed_is_told_from_a_derivation(capsys):
    assert run(*FIT, "--json", *SITES) == 0
    Path("answer.json").write_text(capsys.readouterr().out, "utf8")
    assert run("check-derivation", "answer.json") == 2
    assert "answer.json is what a command printed with --json" in capsys.readouterr().err
    derivation = json.loads(Path("tree.json").read_text("utf8"))["derivation"]
    assert check_derivation(json.dumps(derivation))


@pytest.mark.parametrize(
    ("typed", "never"), [(["--manifest", "a.json", "b.json"], "--json"), (["--xi"], "--p"), (["-x"], "-h")]
)
def test_no_suggestion_is_silly(typed, never, capsys):
    assert run("check-derivation", "tree.json", *typed) == 2
    said = capsys.readouterr().err
    assert f"did you mean {never}" not in said and said.count("\n") == 1
    assert len(typed) == 1 or "is given again for each further one" in said


ENOUGH = {  # what each command needs before it looks at what it does not know
    ("show",): ("f",), ("predict",): ("f", "g"), ("check-derivation",): ("f",), ("score",): ("f", "--epsilon", "1"),
    ("fit",): ("--epsilon", "1"), ("check-data",): ("f", "--domain", "d"), ("budget", "evidence"): ("f", "--out", "g"),
    ("budget", "create"): ("f", "--domain", "d", "--limit", "1"),
    ("certify",): ("f", "g", "--label", "l", "--rows", "1"),
}  # fmt: skip


@pytest.mark.parametrize("command", ENOUGH, ids=" ".join)
def test_an_option_of_another_command_is_never_meant_by_itself(command, capsys):
    """For all options of all commands that this one has not; and a mistyped one is answered with one of its own."""
    own = parser()._of(dict(zip(("command", "what"), command, strict=False)))
    known = {name for name in own._known() if name.startswith("--")}
    others = {name for name in parser()._known() if name.startswith("--")} - known - {"--version"}
    assert len(others) > 40
    for name in others:
        for typed in ((name, "x"), (f"{name}=x",)):
            assert run(*command, *ENOUGH[command], *typed) == 2
            said = capsys.readouterr().err
            assert said.startswith(f"fdpedu {' '.join(command)}: it has no {name}") and "did you mean" not in said
            assert ("> FILE" in said) == (name == "--out") and said.count("\n") == 1
    for name in known:
        assert run(*command, *ENOUGH[command], f"{name}{name[-1]}") == 2
        said = capsys.readouterr().err
        assert (meant := said.split("did you mean ")[1].split("?")[0]) in known, meant


def test_laws_out_of_columns_with_names():
    """A Series is read by its index; an outcome that is not itself is refused, also inside a tuple."""
    pd = pytest.importorskip("pandas")
    assert as_law(pd.Series(["1/4", "3/4"], index=["a", "b"])) == as_law({"a": "1/4", "b": "3/4"})
    nan = float("nan")
    for law in ({nan: 1}, {("a", nan): 1}, pd.Series(["1"], index=[nan])):
        with pytest.raises(ValueError, match="law: an outcome is NaN"):
            as_law(law)
    with pytest.raises(ValueError, match="each outcome once"):
        as_law(pd.Series(["1/2", "1/2"], index=["a", "a"]))
