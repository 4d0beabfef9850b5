"""The command line with a small δ: budgets, trees, scores and what is shown; and bad input."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from fdpedu.accounting import Ledger
from fdpedu.cli import main
from fdpedu.trees import Tree

SITES = ("north.csv", "south.csv")
BUDGET = "(ε, δ) = (1, 10⁻⁶), from ρ = 2801/100000, ξ ≤ 1/100000"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A domain, and the files of two sites."""
    monkeypatch.chdir(tmp_path)
    spec = {"features": {"age": [0, 100, 4], "dose": {"low": 0, "high": 1, "bins": 3}}, "classes": ["no", "yes"]}
    Path("domain.json").write_text(json.dumps(spec))
    for k, site in enumerate(SITES):
        rows = [f"{(7 * i + k) % 100},{(i % 10) / 10},{'yes' if (7 * i + k) % 100 > 50 else 'no'}" for i in range(90)]
        Path(site).write_text("\n".join(["age,dose,back", *rows]))
    return tmp_path


def fit(*more, epsilon="1"):
    return main(["fit", "--domain", "domain.json", "--label", "back", "--epsilon", epsilon, *more, *SITES])


def test_a_tree_with_a_small_delta(capsys):
    """Screened unless another design is named; the account is accepted, and says the same as the promise before."""
    assert fit("--delta", "1e-6", "--out", "tree.json", "--manifest", "m.json") == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert f"This tree costs at most {BUDGET}" in printed and "δ = 1/1000000" in printed
    tree = Tree.load("tree.json")
    assert tree.design.keep == 4 and tree.derivation.guarantee.delta == Fraction(1, 10**6)
    assert main(["check-derivation", "tree.json", "--manifest", "m.json"]) == 0
    assert BUDGET in " ".join(capsys.readouterr().out.split())
    assert main(["check-derivation", "tree.json", "--json"]) == 0
    stated = json.loads(capsys.readouterr().out)["guarantee"]
    assert (stated["value"], stated["delta"], stated["rho"]) == ("1", "1/1000000", "2801/100000")
    assert main(["show", "tree.json"]) == 0 and BUDGET in capsys.readouterr().out
    assert fit("--delta", "1e-6", "--design", "default", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["epsilon"], report["xi"], report["design"]) == ("1", "1/100000", "default")


def test_a_budget_with_a_small_delta(capsys):
    """For a tree and a score; what is left is ρ and ξ, in words and for programs."""
    create = ["budget", "create", "b.db", "--domain", "domain.json", "--limit", "1", "--delta", "1e-6"]
    assert main(create) == 0 and BUDGET in " ".join(capsys.readouterr().out.split())
    assert fit("--delta", "1e-6", "--budget", "b.db", "--out", "t.json", epsilon="1/2") == 0
    assert "has ρ = " in capsys.readouterr().out
    score = ["score", "t.json", *SITES, "--label", "back", "--epsilon", "1/4", "--delta", "1e-6"]
    assert main([*score, "--budget", "b.db"]) == 0
    assert "ρ = " in capsys.readouterr().out
    assert main([*score, "--json"]) == 0
    assert json.loads(capsys.readouterr().out).keys() >= {"rho", "score"}
    with Ledger.open("b.db") as ledger:
        spent, total = ledger.spent, str(ledger.total)
    assert main(["show", "b.db"]) == 0
    shown = capsys.readouterr().out
    assert total == BUDGET and BUDGET in shown and f"ρ = {spent.value}" in shown
    assert main(["show", "b.db", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["spent"] == [str(spent.value), str(spent.xi)]


REFUSED = {
    "zero": (["--delta", "0"], "--delta"),
    "one": (["--delta", "1"], "--delta"),
    "negative": (["--delta=-1e-6"], "--delta"),
    "text": (["--delta", "small"], "--delta"),
    "large beside ε": (["--delta", "3/4"], "delta must be smaller beside ε = 1"),
    "choices": (["--delta", "1e-6", "--design", "rotating"], "choices"),
    "an owner": (["--delta", "1e-6", "--curator", "north.csv", "--design", "owner"], "--delta"),
    "a budget of ε": (["--delta", "1e-6", "--budget", "pure.db"], "delta must be left out"),
    "a budget of ρ": (["--budget", "rho.db"], "say --delta, such as 1e-6"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_input_is_refused_before_anything_is_charged(case, capsys):
    for name, delta in (("pure.db", []), ("rho.db", ["--delta", "1e-6"])):
        assert main(["budget", "create", name, "--domain", "domain.json", "--limit", "1", *delta]) == 0
    more, words = REFUSED[case]
    sites = () if case == "an owner" else SITES
    common = ["fit", "--domain", "domain.json", "--label", "back", "--epsilon", "1"]
    assert main([*common, *more, *sites]) == 2
    assert words.replace("delta must", "--delta must") in capsys.readouterr().err
    for name in ("pure.db", "rho.db"):
        with Ledger.open(name) as ledger:
            assert ledger.rounds == 0


def test_a_budget_is_made_of_a_delta_between_0_and_1(capsys):
    for delta in ("0", "1", "x"):
        assert main(["budget", "create", "b.db", "--domain", "domain.json", "--limit", "1", "--delta", delta]) == 2
        assert "--delta" in capsys.readouterr().err and not Path("b.db").exists()
