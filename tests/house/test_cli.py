"""The demo and the command line, as one would type it."""

import io
import json
import os
import subprocess
import sys
from fractions import Fraction

import pytest

from fdpedu.cli import main
from fdpedu.demo import run_demo
from fdpedu.derivation_checker import check_derivation


def test_json_holds_what_it_promises(capsys, monkeypatch):
    options = ("--repeats", "2", "--epsilon", "0.5", "--parties", "3", "--max-depth", "2")
    assert main(["demo", "--json", *options]) == 0
    out, err = capsys.readouterr()
    content = json.loads(out)
    assert err == "" and content["epsilon"] == {"budget": "1/2", "spent": "1/2", "insider": "1/2"}
    assert all(0 < content["accuracy"][name] <= 1 for name in ("private", "local", "gridded", "central"))
    assert content["rounds"] == 3 and content["bytes"] > 1000 and "derivation" in content and "tree" in content
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(content["derivation"]).encode())))
    assert main(["check-derivation", "-"]) == 0
    assert capsys.readouterr().out.startswith("accepted  1/2-differentially private")


def test_a_seed_repeats_everything_and_warns(capsys):
    """In a process of its own, whose locale has no ε, as in this one."""
    options = ["demo", "--seed", "4", "--repeats", "1"]
    environment = {**os.environ, "PYTHONIOENCODING": "", "LC_ALL": "C"}
    command = [sys.executable, "-m", "fdpedu", *options]
    result = subprocess.run(command, capture_output=True, encoding="utf8", env=environment)
    assert result.returncode == 0 and result.stderr.startswith("warning: seeded releases are not private")
    assert result.stderr.count("warning") == 1
    for phrase in (
        "malignant",
        "≤",
        "one curious practice",
        "filter lemma",
        "rounds",
        "outside the guarantee",
        "one practice's own tree",
        "on the same bins",
    ):
        assert phrase in result.stdout
    assert main(options) == 0
    assert capsys.readouterr().out == result.stdout


def test_without_tolerance_an_insider_gains():
    demo = run_demo(tolerate=0, repeats=1, max_depth=1)
    assert demo.spent == 1 and demo.insider.lower > 1 and demo.to_dict()["epsilon"]["insider"] != "1"


def test_refused_derivations_exit_with_1(tmp_path):
    forged = tmp_path / "forged.json"
    content = run_demo(repeats=1, max_depth=1).tree.derivation.content
    content["guarantee"]["value"] = "1/2"
    forged.write_text(json.dumps(content), "utf8")
    assert main(["check-derivation", str(forged)]) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["demo", "--epsilon", "0"], "epsilon must be greater than 0"),
        (["demo", "--epsilon", "nan"], "epsilon must be a finite number"),
        (["demo", "--epsilon=-1"], "epsilon must be greater than 0"),
        (["demo", "--epsilon", "1e-20"], "epsilon/sensitivity must be at least"),
        (["demo", "--parties", "1"], "parties must be an integer ≥ 2"),
        (["demo", "--parties", "101"], "at most 100"),
        (["demo", "--max-depth", "13"], "at most 12"),
        (["demo", "--max-depth", "x"], "expected a whole number"),
        (["demo", "--max-depth", "9"], "--max-depth must be at most 8"),
        (["demo", "--design", "best"], "--design must be one of"),
        (["demo", "--design", "owner"], "fit_owner_tree"),
        (["demo", "--features", "height"], "unknown features"),
        (["demo", "--features", ""], "unknown features"),
        (["demo", "--features", "worst radius,worst radius"], "different"),
        (["demo", "--tolerate", "40"], "tolerate must be less"),
        (["demo", "--repeats", "0"], "repeats must be an integer ≥ 1"),
        (["demo", "--seed", "-1"], "seed must be an integer ≥ 0"),
        (["check-derivation", "/nowhere"], "cannot read"),
        (["dance"], "invalid choice"),
        ([], "required"),
    ],
)
def test_bad_options_exit_with_2_and_one_clear_line(arguments, message, capsys):
    try:
        status = main(arguments)
    except SystemExit as stop:  # argparse's own way
        status = stop.code
    err = capsys.readouterr().err
    assert status == 2 and message in err and "Traceback" not in err


def test_progress_is_reported():
    steps = []
    run_demo(repeats=3, max_depth=1, progress=lambda done, of: steps.append((done, of)))
    assert steps == [(1, 3), (2, 3), (3, 3)]


def test_all_features_cost_more_noise():
    """With 30 features every histogram gets a tenth of what three get; the total is the same."""
    from fdpedu.datasets import wisconsin_features

    demo = run_demo(features=wisconsin_features(), design="default", parties=40, repeats=1, max_depth=2)
    first = []
    demo.tree.derivation.total(lambda step: first.append(Fraction(step["rate"])) or 0)
    assert min(first) == Fraction(1, 2) / 2 / 30 and demo.spent == 1
    assert check_derivation(demo.tree.derivation.to_json()).value == 1


def test_a_demo_says_how_the_patients_are_divided(capsys):
    """A practice with one diagnosis learns little alone, which is said beside the numbers; ``--mixed`` changes both."""
    alone = {}
    for options in ([], ["--mixed"]):
        assert main(["demo", "--repeats", "9", "--seed", "4", "--max-depth", "1", "--json", *options]) == 0
        alone[bool(options)] = json.loads(capsys.readouterr().out)["accuracy"]["local"]
        main(["demo", "--repeats", "1", "--seed", "4", "--max-depth", "1", *options])
        assert ("same mix of patients." in capsys.readouterr().out) == bool(options)
    assert alone[True] > alone[False] + 0.1
