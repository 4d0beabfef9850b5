"""``fdpedu check-derivation`` with the evidence that a budget holds, and ``fdpedu budget evidence`` for others."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.accounting.composition import charge
from tests.support.two_sites import SITES, run, write_two_sites

FIT = ("fit", "--domain", "domain.json", "--label", "back", "--max-depth", "2", "--epsilon", "1/4", "--budget", "b.db")
COMPLETE = "complete every release has its query, and every query its release in its rounds {} of {} that"


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """In a folder with two sites' files and a budget: a command's exit status, and what it printed, on one line."""
    monkeypatch.chdir(tmp_path)
    write_two_sites()

    def call(*arguments):
        capsys.readouterr()
        status = run(*arguments)
        return status, " ".join("".join(capsys.readouterr()).split())

    return call


def test_models_are_checked_by_their_budget_whatever_else_it_paid_for(said):
    """Fit, score, fit: nothing was asked to be written, and each model is complete; so is a copy for others."""
    assert said(*FIT, "--out", "t1.json", *SITES)[0] == 0
    score = ("score", "t1.json", "--label", "back", "--epsilon", "1/8", "--budget", "b.db")
    assert said(*score, *SITES)[0] == 0
    assert said(*FIT, "--model", "boosting", "--nominal-size", "120", "--out", "t2.json", *SITES)[0] == 0
    with Ledger.open("b.db") as ledger:
        rounds = ledger.rounds
    copied = f"The evidence of {rounds} rounds is in e.json."
    assert said("budget", "evidence", "b.db", "--out", "e.json") == (0, copied)
    for way in (("--budget", "b.db"), ("--manifest", "e.json")):
        for model, last in (("t1.json", 3), ("t2.json", rounds)):
            status, out = said("check-derivation", model, *way)
            assert status == 0 and COMPLETE.format(f"1 to {last},", rounds) in out
    status, out = said("check-derivation", "e.json", "--json")
    assert status == 0 and json.loads(out)["complete"] and json.loads(out)["rounds"] == rounds
    assert said("show", "e.json")[1].startswith(f"What a budget has paid for, in {rounds} rounds; of {rounds} it is")
    assert f"rounds with evidence {rounds} " in said("show", "b.db")[1]


def test_an_owner_s_budget_holds_evidence_too(said):
    assert run("budget", "create", "o.db", "--domain", "domain.json", "--limit", "1", "--colluders", "0") == 0
    common = ("--label", "back", "--epsilon", "1/4", "--budget", "o.db", "--curator", SITES[0])
    assert said("fit", "--domain", "domain.json", "--nominal-size", "60", "--out", "t.json", *common)[0] == 0
    assert said("score", "t.json", *common)[0] == 0
    status, out = said("check-derivation", "t.json", "--budget", "o.db")
    assert status == 0 and COMPLETE.format("1 to 2,", 3) in out


def test_a_round_without_evidence_is_named_by_the_verdict(said):
    with Ledger.open("b.db") as ledger:
        ledger.charge([charge(ledger.domain.everything, Fraction(1, 8))], "before")
    assert said(*FIT, "--out", "t.json", *SITES)[0] == 0
    assert said("budget", "evidence", "b.db", "--out", "e.json") == (
        0,
        "The evidence of 4 rounds is in e.json. Of 1 of them it is not known what was asked.",
    )
    for way in (("--budget", "b.db"), ("--manifest", "e.json")):
        status, out = said("check-derivation", "t.json", *way)
        assert status == 1 and out.startswith("refused round 1: of what was asked there is no evidence")
        assert "account 'before'" in out
    assert said("check-derivation", "t.json")[0] == 0


def test_a_copy_holds_charges_and_what_was_asked_and_nothing_else_of_the_file(said):
    assert said(*FIT, "--out", "t.json", *SITES)[0] == 0
    assert said("budget", "evidence", "b.db", "--out", "e.json", "--json")[0] == 0
    content = json.loads(Path("e.json").read_text("utf8"))
    assert list(content) == ["schema", "program", "derivation", "rounds", "digest"]
    assert content["derivation"] == json.loads(Path("t.json").read_text("utf8"))["derivation"]
    assert all(list(one) == ["number", "account", "time", "asked"] for one in content["rounds"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("check-derivation", "t.json", "--manifest", "e.json", "--budget", "b.db"),
            "--manifest and --budget both say",
        ),
        (("check-derivation", "t.json", "--manifest", "e.json", "--manifest", "m.json"), "evidence of one budget"),
        (("check-derivation", "t.json", "--budget", "nowhere.db"), "cannot read nowhere.db"),
        (("check-derivation", "t.json", "--budget", "domain.json"), "domain.json"),
        (("budget", "evidence", "nowhere.db", "--out", "x.json"), "cannot read nowhere.db"),
        (("budget", "evidence", "b.db", "--out", "b.db"), "is named twice"),
        (("budget", "evidence", "new.db", "--out", "x.json"), "needs a domain and at least one charge"),
    ],
)
def test_what_makes_no_sense_is_refused(said, arguments, words):
    run("budget", "create", "new.db", "--domain", "domain.json", "--limit", "1")
    assert said(*FIT, "--out", "t.json", "--manifest", "m.json", *SITES)[0] == 0
    assert said("budget", "evidence", "b.db", "--out", "e.json")[0] == 0
    status, out = said(*arguments)
    assert status == 2 and words in out and not Path("x.json").exists()
