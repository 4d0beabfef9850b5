"""The commands around a boosted model, as one would type them: grown, shown, used, scored, checked; and refused."""

import json
from pathlib import Path

import pytest

from fdpedu import files
from fdpedu.accounting import Ledger
from fdpedu.boosting import Ensemble, boosting_guarantee
from tests.support.two_sites import DOMAIN, SITES, right_on_both_sites, run, write_two_sites

SMALL = ("--model", "boosting", "--nominal-size", "120", "--rounds", "2", "--trees-per-round", "3")
IN_RHO = ("--delta", "1e-6")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two sites' files, a domain, a budget of ε = 1 and one of (ε, δ) = (2, 10⁻⁶)."""
    monkeypatch.chdir(tmp_path)
    write_two_sites()
    Path("three.json").write_text(json.dumps({**DOMAIN, "classes": ["no", "yes", "perhaps"]}), "utf8")
    assert run("budget", "create", "rho.db", "--domain", "domain.json", "--limit", "2", *IN_RHO) == 0
    return tmp_path


@pytest.fixture
def models(folder, capsys):
    """The same with an ensemble of either form, paid for with much."""
    for form in ("trees", "curves"):
        assert fit("--form", form, *IN_RHO, "--out", f"{form}.json", epsilon="50") == 0
    capsys.readouterr()
    return folder


def fit(*more, epsilon="1/2", options=SMALL, domain="domain.json"):
    return run("fit", "--domain", domain, "--label", "back", "--epsilon", epsilon, *options, *more, *SITES)


def own(*more, epsilon="1/2", file=SITES[0], options=SMALL):
    return run(
        "fit", "--domain", "domain.json", "--label", "back", "--epsilon", epsilon, *options, *more, "--curator", file
    )


def left(file="b.db"):
    with Ledger.open(file) as ledger:
        return str(ledger.remaining())


def test_an_ensemble_is_grown_in_epsilon_and_in_rho(folder, capsys):
    """The promise first, to outsiders and insiders; then what was grown, and where it is; the budget has less."""
    capsys.readouterr()
    assert fit("--budget", "b.db", "--out", "p.json") == 0 and left() == "1/2"
    promise, _, rest = capsys.readouterr().out.partition("\n\n")
    sizes = {"n_features": 2, "n_parties": 2, "nominal_size": 120, "rounds": 2, "trees_per_round": 3}
    stated = boosting_guarantee("1/2", **sizes).rows()
    assert promise.startswith("Every ensemble of this kind costs at most:\n")
    assert all(name in promise and value in promise for name, value in stated)
    found = Ensemble.load("p.json")
    assert rest.startswith(found.to_text()) and "The ensemble is in p.json." in rest
    assert (found.form, found.rules.rounds, found.rules.trees_per_round, found.tolerate) == ("trees", 2, 3, 1)
    before = left("rho.db")
    assert fit(*IN_RHO, "--budget", "rho.db", "--out", "r.json", "--manifest", "m.json", "--max-depth", "2") == 0
    out = capsys.readouterr().out
    assert "δ = 1/1000000" in out and "The manifest is in m.json." in out and "rho.db has ρ" in out
    assert Ensemble.load("r.json").rules.questions == 2 and left("rho.db") != before
    assert run("check-derivation", "r.json", "--manifest", "m.json") == 0
    assert "complete" in capsys.readouterr().out


def test_as_json_the_whole_document_is_printed(folder, capsys):
    """Written to a file as it stands, it is the ensemble that was paid for."""
    capsys.readouterr()
    assert fit(*IN_RHO, "--form", "curves", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["model"], printed["form"], printed["rounds"], printed["out"]) == ("boosting", "curves", 5, None)
    assert printed["epsilon"] == "1/2" and printed["delta"] == "1/1000000" and "tree" not in printed
    assert Ensemble.from_json(json.dumps(printed["ensemble"])).form == "curves"


def test_an_ensemble_is_shown(models, capsys):
    """As text with its promise, as JSON, and as a page: of curves their drawing."""
    for form in ("trees", "curves"):
        found = Ensemble.load(f"{form}.json")
        assert run("show", f"{form}.json") == 0
        out = capsys.readouterr().out
        assert out.startswith(f"{found.to_text()}\n\nprivate with (ε, δ) = (50,") and "one curious party" in out
        assert run("show", f"{form}.json", "--json") == 0
        printed = json.loads(capsys.readouterr().out)
        assert (printed["kind"], printed["form"], printed["trees"]) == ("ensemble", form, 6)
        assert ("curves" in printed) == (form == "curves") and sum(printed["strengths"].values()) == pytest.approx(1)
        assert run("show", f"{form}.json", "--as", "html") == 0
        page = capsys.readouterr().out
        assert page.startswith("<!doctype html>") and f"<title>Private ensemble of {form}.json</title>" in page
        assert f"<h1>Private ensemble of {form}.json</h1>" in page and 'content="light dark"' in page
        assert ("<svg" in page) == (form == "curves") and page.endswith("</html>\n")


def test_forms_of_trees_are_not_for_ensembles(models, capsys):
    refused = [
        (run("show", "trees.json", "--as", "sklearn"), "--as sklearn is for trees, and trees.json holds an ensemble"),
        (run("show", "curves.json", "--as", "graphviz"), "take --as html"),
        (run("show", "trees.json", "--as", "html", "--json"), "give one of them"),
    ]
    for (status, phrase), line in zip(refused, capsys.readouterr().err.splitlines(), strict=True):
        assert status == 2 and phrase in line, line


def test_predictions_and_scores(models, capsys):
    """Predictions are the ensemble's own, and cost nothing; the score is charged to the budget."""
    Path("new.csv").write_text('patient,age,ward\np 1,20,A\n"p, 2",90,B ü\n', "utf8")
    found = Ensemble.load("trees.json")
    assert run("predict", "trees.json", "new.csv", "--keep", "patient", "--json", "--probabilities") == 0
    rows = json.loads(capsys.readouterr().out)
    table = [[20, "A"], [90, "B ü"]]
    assert [row["class"] for row in rows] == found.predict(table).tolist()
    assert [row["yes"] for row in rows] == pytest.approx(found.predict_proba(table)[:, 1].tolist(), abs=1e-6)
    score = ("score", "curves.json", *SITES, "--label", "back", "--epsilon")
    assert run(*score, "100", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    right = right_on_both_sites(Ensemble.load("curves.json"))
    assert (printed["right"], printed["wrong"], printed["score"]) == (right, 120 - right, pytest.approx(right / 120))
    assert run(*score, "1/2", "--budget", "b.db") == 0 and left() == "1/2"
    assert "in the data of the ensemble pays for both" in " ".join(capsys.readouterr().out.split())
    assert run(*score, "1", "--budget", "b.db") == 1 and left() == "1/2"


@pytest.mark.parametrize("more", [(), IN_RHO, (*IN_RHO, "--form", "curves")], ids=["ε", "ρ", "curves"])
def test_one_owner_of_all_rows(folder, capsys, more):
    """No sites: the promise is that of the budget, to whoever sees it; shown, used, scored and checked as any other."""
    capsys.readouterr()
    assert own(*more, "--budget", "rho.db" if more else "b.db", "--out", "own.json") == 0
    out = capsys.readouterr().out
    assert "whoever sees the ensemble  " in out and "sees the rows" in out and "party" not in out
    found = Ensemble.load("own.json")
    assert (found.n_parties, found.tolerate, found.guarantee.colluders) == (1, 0, 0)
    assert run("check-derivation", "own.json") == 0 and run("predict", "own.json", SITES[1]) == 0
    assert run("show", "own.json", "--as", "html") == 0
    capsys.readouterr()
    assert run("show", "own.json") == 0
    shown = capsys.readouterr().out
    assert shown.startswith(found.to_text()) and "curious" not in shown
    score = ("score", "own.json", "--curator", SITES[1], "--label", "back", "--epsilon", "1/4", *more[:2])
    assert run(*score, "--budget", "rho.db" if more else "b.db") == 0
    assert "noisy counts" in capsys.readouterr().out


def test_curves_that_may_only_rise(folder, capsys):
    """What is said of a feature stands in the file, the table, the page and the JSON of what is shown."""
    curves = (*IN_RHO, "--form", "curves")
    assert own(*curves, "--monotone", "age=+1", "--out", "m.json") == 0
    assert "age (may only rise)" in capsys.readouterr().out
    found = Ensemble.load("m.json")
    assert [(one.feature, one.direction) for one in found.monotone] == [(0, 1)]
    assert run("show", "m.json", "--json") == 0 and json.loads(capsys.readouterr().out)["monotone"] == {"age": 1}
    refused = [
        (
            own(*curves, "--monotone", "age", "--out", "x.json"),
            "--monotone must be a feature and +1 or -1, such as age=+1",
        ),
        (own(*curves, "--monotone", "age=2", "--out", "x.json"), "--monotone must be a feature and +1 or -1"),
        (own(*curves, "--monotone", "=+1", "--out", "x.json"), "--monotone must be a feature and +1 or -1"),
        (own(*curves, *["--monotone", "age=1"] * 2, "--out", "x.json"), "--monotone names 'age' twice"),
        (own(*curves, "--monotone", "wage=1", "--out", "x.json"), "--monotone must name features of the domain"),
        (own(*curves, "--monotone", "ward=1", "--out", "x.json"), "--monotone must name numeric features"),
        (own(*IN_RHO, "--monotone", "age=1", "--out", "x.json"), "--monotone is for --form curves"),
        (own("--monotone", "age=1", options=()), "--monotone is for boosting"),
    ]
    for (status, phrase), line in zip(refused, capsys.readouterr().err.splitlines(), strict=True):
        assert status == 2 and phrase in line, line
    assert not Path("x.json").exists()


@pytest.mark.parametrize("grow", [fit, own])
def test_a_threshold_that_is_counted(folder, capsys, grow):
    """It costs no more than was said, stands in what is shown, and rows are predicted by it."""
    assert grow("--threshold", "counted", "--budget", "b.db", "--out", "t.json") == 0 and left() == "1/2"
    found = Ensemble.load("t.json")
    assert found.to_text() in capsys.readouterr().out
    assert run("show", "t.json", "--json") == 0
    assert json.loads(capsys.readouterr().out)["threshold"] == found.threshold != 0
    assert run("predict", "t.json", SITES[0], "--json") == 0
    own_way = capsys.readouterr().out
    assert run("predict", "t.json", SITES[0], "--json", "--threshold", str(found.threshold)) == 0
    assert capsys.readouterr().out == own_way


def test_an_owner_beside_sites_is_refused_before_anything_is_charged(folder, capsys):
    capsys.readouterr()
    assert run("budget", "create", "promise.db", "--domain", "domain.json", "--limit", "1", "--colluders", "1") == 0
    capsys.readouterr()
    refused = [
        (own(SITES[1]), "--curator names the one file of an owner of all rows, and no other files"),
        (own("--curator", SITES[1]), "--curator names the one file"),
        (own("--by", "ward"), "--by must be left out with --curator: there are no sites"),
        (own("--sites", "a,b"), "--sites must be left out with --curator: there are no sites"),
        (own("--tolerate", "0"), "--tolerate must be left out with --curator: there are no sites"),
        (own("--manifest", "m.json"), "--manifest must be left out with --curator: there are no sites"),
        (own("--budget", "promise.db", "--out", "x.json"), "there are none with --curator"),
        (own("--form", "curves", "--out", "x.json"), "--form curves needs --delta"),
        (own("--max-depth", "7", "--budget", "b.db", "--out", "x.json"), "--max-depth must be at most 6, got 7"),
    ]
    out, err = capsys.readouterr()
    assert not out
    for (status, phrase), line in zip(refused, err.splitlines(), strict=True):
        assert status == 2 and phrase in line, line
    assert left() == "1" and left("promise.db") == "1" and not Path("x.json").exists()


REFUSED = [
    (("--form", "curves", "--out", "x.json"), "--form curves needs --delta, such as 1e-6"),
    (("--form", "bumps"), "invalid choice: 'bumps'"),
    (("--threshold", "1/2"), "invalid choice: '1/2'"),
    (("--design", "rotating"), "--design must be left out with --model boosting"),
    (("--min-samples-split", "0"), "--min-samples-split must be left out with --model boosting"),
    (("--leaf-share", "1/2"), "--leaf-share must be left out with --model boosting"),
    (("--prune",), "--prune must be left out with --model boosting"),
    (("--features-per-node", "1"), "--features-per-node must be left out with --model boosting"),
    (("--curator", "north.csv"), "--curator names the one file of an owner of all rows, and no other files"),
    ((), "--out is needed with --model boosting, or --json"),
    (("--nominal-size", "0", "--out", "x.json"), "--nominal-size must be an integer ≥ 1, got 0"),
    (("--nominal-size", "0", "--json"), "--nominal-size must be an integer ≥ 1, got 0"),
    (("--nominal-size", "2.5"), "expected a whole number, such as 1500, 1e3 or 10^6"),
    (("--max-depth", "7", "--out", "x.json"), "--max-depth must be at most 6, got 7"),
    (("--max-depth", "0", "--out", "x.json"), "--max-depth must be an integer ≥ 1, got 0"),
    (("--rounds", "65", "--out", "x.json"), "--rounds must be at most 64, got 65"),
    (("--trees-per-round", "0", "--out", "x.json"), "--trees-per-round must be an integer ≥ 1, got 0"),
    (("--tolerate", "2", "--out", "x.json"), "--tolerate must be less than the number of parties (2), got 2"),
    ((*IN_RHO, "--out", "x.json"), "--delta must be left out: the budget b.db is one of ε"),
    (("--out", "north.csv"), "is named twice"),
    (("--out", "b.db"), "is named twice"),
    (("--out", "rho.db"), "a database, such as a budget"),
    (("--out", "no/x.json"), "cannot write no/x.json"),
]


@pytest.mark.parametrize(("options", "phrase"), REFUSED)
def test_what_makes_no_sense_is_refused_before_anything_is_charged(folder, capsys, options, phrase):
    capsys.readouterr()
    assert fit("--budget", "b.db", *options) == 2
    out, err = capsys.readouterr()
    (line,) = err.splitlines()
    assert not out and phrase in line and left() == "1" and not Path("x.json").exists()


def test_what_boosting_cannot_do_without(folder, capsys):
    capsys.readouterr()
    boosting = ("--model", "boosting", "--out", "x.json", "--budget", "b.db")
    refused = [
        (fit(options=boosting), 2, "--model boosting needs --nominal-size: about how many rows"),
        (
            fit(*boosting, domain="three.json"),
            2,
            "needs --delta, such as 1e-6, for the 3 classes of three.json",
        ),
        (
            fit(*boosting, *IN_RHO, "--threshold", "counted", domain="three.json"),
            2,
            "--threshold is for two classes, and three.json has 3: leave it out",
        ),
        (
            fit(*boosting, *IN_RHO, "--form", "curves", "--monotone", "age=+1", domain="three.json"),
            2,
            "--monotone must be left out for the 3 classes of three.json",
        ),
        (fit(*boosting, epsilon="3/2"), 1, "ε = 3/2 was asked"),
        (fit(*boosting, epsilon="0"), 2, "--epsilon must be greater than 0, got 0"),
        (fit("--out", "x.json", "--budget", "rho.db"), 2, "say --delta, such as 1e-6, or take a budget of ε"),
    ]
    out, err = capsys.readouterr()
    assert not out
    for (status, expected, phrase), line in zip(refused, err.splitlines(), strict=True):
        assert status == expected and phrase in line, line
    assert left() == "1" and not Path("x.json").exists()


@pytest.mark.parametrize("option", [("--form", "curves"), ("--rounds", "2"), ("--threshold", "counted")])
def test_what_is_for_boosting_is_refused_for_a_tree(folder, capsys, option):
    capsys.readouterr()
    assert fit(*option, "--budget", "b.db", options=()) == 2
    assert f"{option[0]} is for boosting: leave it out, or say --model boosting" in capsys.readouterr().err
    assert left() == "1"


def changed(change, digest=True):
    """The ensemble's file after a change; with a digest that fits, unless that is forgotten."""
    document = json.loads(Path("trees.json").read_text("utf8"))
    old = document.pop("digest")
    schema = document.pop("schema")
    change(document)
    text = files.dumps(schema, document)
    return text if digest else json.dumps({**json.loads(text), "digest": old})


def heavier(document):
    document["batches"][0]["trees"][0]["weights"][0] += 1


def asks_otherwise(document):
    document["batches"][1]["trees"][0]["questions"][0][1].pop()


CHANGES = {
    "a weight": (heavier, True, "this ensemble is not the one it paid for"),
    "a weight, without its digest": (heavier, False, "its digest does not fit its content"),
    "a question": (asks_otherwise, True, "this ensemble is not the one it paid for"),
    "the last step": (lambda d: d.update(intercept=d["intercept"] + 2**14), True, "its intercept is not the one"),
    "the form": (lambda d: d.update(form="curves"), True, "each tree of a curve must ask about one feature"),
    "the scale": (lambda d: d.update(scale="16"), True, "scale must be an integer"),
    "a key": (lambda d: d.pop("histograms"), True, ""),
    "classes": (lambda d: d["domain"]["classes"].append("perhaps"), True, "domain"),
    "the derivation": (lambda d: d["derivation"].update(budget="1/100"), True, ""),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_file_is_refused_by_every_command(models, capsys, name):
    change, digest, phrase = CHANGES[name]
    Path("changed.json").write_text(changed(change, digest), "utf8")
    score = ("score", "changed.json", *SITES, "--label", "back", "--epsilon", "1/2", "--budget", "b.db")
    for command in (("show",), ("check-derivation",), ("predict", "changed.json", SITES[0]), score):
        assert run(*command, *(["changed.json"] if len(command) == 1 else [])) == 1
        line = capsys.readouterr().err
        assert "changed.json: " in line and phrase in line and "Traceback" not in line
    assert left() == "1"


def test_what_is_no_model_is_refused_by_name(folder, capsys):
    capsys.readouterr()
    assert run("predict", "domain.json", SITES[0]) == 1
    assert "domain.json: expected a tree or an ensemble, as fdpedu fit --out writes them, got no schema" in (
        capsys.readouterr().err
    )
    Path("m.json").write_text(files.dumps("fdpedu-manifest/4", {}), "utf8")
    assert run("score", "m.json", *SITES, "--label", "back", "--epsilon", "1") == 1
    assert "expected a tree or an ensemble" in capsys.readouterr().err
