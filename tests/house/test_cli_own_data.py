"""The commands for one's own data, as one would type them: from CSV files to a tree, and what is refused on the way."""

import csv
import io
import json
import os
import random
from fractions import Fraction
from pathlib import Path

import pytest

from fdpedu.accounting import Charge, Ledger
from fdpedu.boosting import Ensemble
from fdpedu.cli import main
from fdpedu.dlpa import LevelCost, tree_guarantee
from fdpedu.dlpa.guarantee import insider_cost
from fdpedu.trees import Tree

DOMAIN = {"features": {"age": [0, 100, 4], "ward": ["A", "B ü"]}, "classes": ["no", "yes"]}
SITES = ("north.csv", "the south, ü.csv")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two sites' files, a domain, and a budget of ε = 1, in a folder whose name has a blank and an umlaut."""
    place = tmp_path / "a study, ü"
    place.mkdir()
    monkeypatch.chdir(place)
    rng = random.Random(3)
    for site in SITES:
        with open(site, "w", newline="", encoding="utf8") as file:
            writer = csv.writer(file)
            writer.writerow(["id", "ward", "readmitted", "age"])
            for i in range(60):
                age = rng.randrange(100)
                writer.writerow([i, rng.choice(["A", "B ü"]), "yes" if age > 60 else "no", age])
    Path("domain.json").write_text(json.dumps(DOMAIN), "utf8")
    assert run("budget", "create", "b.db", "--domain", "domain.json", "--limit", "1") == 0
    return place


def run(*arguments):
    """The exit status of a command; argparse ends in its own way."""
    try:
        return main(list(map(str, arguments)))
    except SystemExit as stop:
        return stop.code


def fit(*more, budget="b.db", epsilon="1/2", sites=SITES):
    kept = ("--budget", budget) if budget else ()
    options = ("--domain", "domain.json", "--label", "readmitted", "--epsilon", epsilon, *kept)
    return run("fit", *options, *more, *sites)


def left():
    """What is left of the budget, as the file says."""
    with Ledger.open("b.db") as ledger:
        return str(ledger.remaining())


def test_from_files_to_a_tree_that_is_checked(folder, capsys):
    """Fit, show, predict and check, one after the other, and the budget knows."""
    assert fit("--out", "tree ü.json", "--manifest", "manifest.json") == 0
    out = capsys.readouterr().out
    assert "The budget b.db has ε = 1/2 left." in out and "The tree is in tree ü.json." in out
    assert str(Tree.load("tree ü.json")) in out
    assert left() == "1/2"
    assert run("check-derivation", "tree ü.json", "--manifest", "manifest.json") == 0
    assert "complete  every release" in capsys.readouterr().out
    for file, phrase in (
        ("tree ü.json", "differentially private"),
        ("domain.json", "ward"),
        ("manifest.json", "class counts of a leaf"),
        ("b.db", "last charge"),
    ):
        assert run("show", file) == 0
        assert phrase in capsys.readouterr().out
        assert run("show", file, "--json") == 0
        assert json.loads(capsys.readouterr().out)["kind"] in ("tree", "domain", "manifest", "budget")


def test_models_of_one_budget_are_checked_with_all_their_manifests(folder, capsys):
    """A tree tells all that its budget has paid, also for trees before it: one manifest alone leaves them out."""
    for k in (1, 2):
        assert fit("--out", f"t{k}.json", "--manifest", f"m{k}.json") == 0
    capsys.readouterr()
    first, second = ("--manifest", "m1.json"), ("--manifest", "m2.json")
    for manifests in ((*first, *second), (*second, *first)):
        assert run("check-derivation", "t2.json", *manifests) == 0
        assert "complete  every release" in capsys.readouterr().out
    refused = [
        (second, "is all there that the budget paid for?"),
        (first, "is all there that the budget paid for?"),
    ]
    for manifests, phrase in refused:
        assert run("check-derivation", "t2.json", *manifests) == 1
        assert phrase in " ".join(capsys.readouterr().out.split())
    assert run("check-derivation", "t1.json", *first) == 0
    assert run("check-derivation", "t1.json", *first, *second) == 1  # it does not know what was paid for later
    assert "whose release is not in the derivation" in " ".join(capsys.readouterr().out.split())
    assert run("check-derivation", "t2.json", *first, "--manifest", "t1.json") == 1
    assert "t1.json: expected a manifest" in capsys.readouterr().err


def test_predictions_are_those_of_the_tree(folder, capsys):
    """One line a row, in the order of the file, whatever the order of its columns."""
    assert fit("--out", "tree.json") == 0
    capsys.readouterr()
    tree = Tree.load("tree.json")
    with open(SITES[0], encoding="utf8") as file:
        rows = [[int(row["age"]), row["ward"]] for row in csv.DictReader(file)]
    assert run("predict", "tree.json", SITES[0], "--probabilities") == 0
    printed = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["class"] for row in printed] == tree.predict(rows).tolist()
    assert [[float(row["no"]), float(row["yes"])] for row in printed] == tree.predict_proba(rows).round(6).tolist()
    assert run("predict", "tree.json", SITES[0], "--json") == 0
    assert [row["class"] for row in json.loads(capsys.readouterr().out)] == tree.predict(rows).tolist()
    assert run("predict", "tree.json", SITES[0], "--out", "classes.csv") == 0
    assert Path("classes.csv").read_text("utf8").split() == ["class", *tree.predict(rows).tolist()]
    for kept in (SITES[0], "tree.json"):
        before = Path(kept).read_bytes()
        assert run("predict", "tree.json", SITES[0], "--out", kept) == 2
        assert Path(kept).read_bytes() == before and "is named twice" in capsys.readouterr().err


def test_one_file_is_divided_by_a_column(folder, capsys):
    """With --by, the values of that column are the sites."""
    with open("all.csv", "w", newline="", encoding="utf8") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["age", "ward", "readmitted", "site"])
        writer.writerows([f"{i % 100},5", "A", "no" if i % 3 else "yes", f"site {i % 4}"] for i in range(200))
    options = ("--by", "site", "--decimal", ",", "--json", "--manifest", "m.json")
    assert fit(*options, budget=None, sites=["all.csv"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["epsilon"] == "1/2" and printed["remaining"] == "0" and printed["rounds"] >= 1
    assert len(json.loads(Path("m.json").read_text("utf8"))["rounds"][0]["receivers"]) == 4
    given = "given the set of sites, which is taken for public"
    for sites, status, says in (
        ((), 0, given),
        (("--sites", "site 0, site 1,site 2,site 3,site 4"), 0, "5 sites"),
        (("--sites", "site 0,site 1"), 1, "expected one of the 2 parties that were given"),
        (("--sites", "site 0,site 0"), 1, "--sites: "),
    ):
        out = () if status else ("--out", f"{len(sites)}.json")
        assert fit("--by", "site", "--decimal", ",", *sites, *out, budget=None, sites=["all.csv"]) == status
        printed = " ".join("".join(capsys.readouterr()).split())
        assert (given in printed) == (not sites)
        assert status == 0 or says in printed
        if not status:
            assert fit("--by", "site", "--decimal", ",", *sites, "--json", budget=None, sites=["all.csv"]) == 0
            assert (given in (json.loads(capsys.readouterr().out)["given"] or "")) == (not sites)
    assert json.loads(Path("2.json").read_text("utf8"))["n_parties"] == 5
    assert fit("--sites", "a,b") == 2 and "give --by" in capsys.readouterr().err


def test_what_is_refused_costs_nothing(folder, capsys):
    """Status 1 for data and budgets that are refused, 2 for what makes no sense; the budget stays whole."""
    Path("bad.csv").write_text("age,ward,readmitted\n30,A,no\n40,C-secret,yes\n", "utf8")
    refused = [
        (fit(epsilon="3/2"), 1, "ε = 3/2 was asked, and ε = 1 is left in the ledger"),
        (fit(sites=["bad.csv", SITES[0]]), 1, "column 'ward'"),
        (fit(epsilon="0"), 2, "epsilon must be greater than 0"),
        (fit("--tolerate", "2"), 2, "tolerate"),
        (fit("--max-depth", "65"), 2, "--max-depth must be at most 64"),
        (fit("--leaf-share", "1"), 2, "strictly between 0 and 1"),
        (fit("--out", "no/such/folder/tree.json"), 2, "cannot write"),
        (fit("--out", "."), 2, "it is a folder"),
        (fit("--by", "site"), 2, "--by divides one file"),
        (fit(budget="none.db"), 2, "fdpedu budget create"),
        (fit(sites=[SITES[0]]), 2, "at least two sites"),
        (fit(sites=["nowhere.csv", SITES[0]]), 2, "cannot read"),
        (fit(sites=[SITES[0], f"./{SITES[0]}"]), 2, "is named twice"),
        (fit("--out", "b.db"), 2, "is named twice"),
        (fit("--manifest", SITES[1]), 2, "is named twice"),
        (fit("--out", "x.json", "--manifest", "x.json"), 2, "is named twice"),
        (fit("--out", "domain.json"), 2, "is named twice"),
        (fit("--by", "id", sites=[SITES[0]]), 1, "does it name sites, or persons?"),
        (fit("--by", "ward", sites=[SITES[0]]), 1, "by must be the column of the site"),
        (fit("--by", "readmitted", sites=[SITES[0]]), 1, "by must be the column of the site"),
    ]
    out, err = capsys.readouterr()
    assert not out and "secret" not in err and "Traceback" not in err
    for (status, expected, phrase), line in zip(refused, err.splitlines(), strict=True):
        assert status == expected and phrase in line, line
    assert left() == "1" and sorted(os.listdir()) == sorted([*SITES, "bad.csv", "domain.json", "b.db"])


def test_a_deep_tree_is_paid_and_shown(folder, capsys):
    """Deeper than what is drawn: as text, and in a notebook too."""
    fine = {"features": {"age": [0, 100, 100]}, "classes": ["no", "yes"]}
    Path("fine.json").write_text(json.dumps(fine), "utf8")
    for site in ("a.csv", "b.csv"):  # a tree that peels off one age after the other
        rows = [f"{age},{('no', 'yes')[age % 2]}" for age in range(1, 100) for _ in range(100 - age)]
        Path(site).write_text("\n".join(["age,readmitted", *rows]), "utf8")
    options = ("--domain", "fine.json", "--label", "readmitted", "--epsilon", "100000", "--max-depth", "12")
    options += ("--design", "default", "--min-samples-split", "0")
    assert run("fit", *options, "--out", "deep.json", "a.csv", "b.csv") == 0
    assert capsys.readouterr().out.count("├─") > 9
    tree = Tree.load("deep.json")
    assert tree.depth > 8 and tree._repr_html_().startswith("<pre") and str(tree) == tree.to_text()
    assert repr(tree) == f"Tree(depth {tree.depth}, {len(tree.leaves())} leaves, 2 classes)"
    assert run("show", "deep.json") == 0


def test_ctrl_c_ends_with_words(folder, capsys, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("fdpedu.trees.fit_federated_tree", stopped)
    assert fit("--out", "t.json") == 130
    assert "what was charged to a budget stays charged" in capsys.readouterr().err
    assert not Path("t.json").exists() and not list(Path().glob(".fdpedu-*"))


def test_a_tree_that_is_overtaken_says_what_it_has_paid(folder, capsys, monkeypatch):
    """Another program takes the rest of the budget between two rounds; nobody overspends.

    The second level is that of the other party, whose records have paid for none yet; the third is refused.
    """
    from fdpedu.federation import Federation

    release, rounds = Federation.release, []

    def overtaken(federation, *arguments, **named):
        if len(rounds) == 1:
            with Ledger.open("b.db") as other:
                region = other.domain.everything
                other.charge([Charge(region, other.remaining(), "a count", "m", 1, "thm-histogram", colluders=1)], "x")
        rounds.append(1)
        return release(federation, *arguments, **named)

    monkeypatch.setattr(Federation, "release", overtaken)
    assert fit("--out", "tree.json", epsilon="3/4") == 1
    err = capsys.readouterr().err
    assert "what this tree has charged in 2 rounds stays paid" in err and left() == "0"
    assert "unfinished, the tree is in" in err and "tree.json" in err
    assert Tree.load("tree.json").unfinished and len(Tree.load("tree.json").paid_in) == 2
    assert run("show", "tree.json") == run("predict", "tree.json", SITES[0]) == 0
    assert "It is unfinished" in capsys.readouterr().out


@pytest.mark.parametrize("model", [[], ["--model", "boosting", "--nominal-size", "120"]])
def test_an_unfinished_model_takes_the_place_of_no_other(folder, capsys, monkeypatch, model):
    """What stood in --out stays there, whatever --overwrite says; and a model without --out is in a new file."""
    from fdpedu.federation import Federation
    from fdpedu.secure_sum import RoundLost

    assert fit("--out", "m.json", *model, epsilon="1/4") == 0
    before, release, rounds = Path("m.json").read_bytes(), Federation.release, []

    def silent(federation, *arguments, **named):
        rounds.append(release(federation, *arguments, **named))
        if len(rounds) == 3:
            raise RoundLost("nobody answers")
        return rounds[-1]

    monkeypatch.setattr(Federation, "release", silent)
    assert fit("--out", "m.json", "--overwrite", *model, epsilon="1/4") == 1
    err = capsys.readouterr().err
    assert "nobody answers" in err and "in 3 rounds stays paid" in err and Path("m.json").read_bytes() == before
    (beside,) = Path().glob("fdpedu-*.json")
    kind = Ensemble if model else Tree
    assert beside.name in err and kind.load(beside).unfinished and len(kind.load(beside).paid_in) == 3


def test_a_budget_is_made_once(folder, capsys):
    assert run("budget", "create", "b.db", "--domain", "domain.json", "--limit", "5") == 2
    assert "exists" in capsys.readouterr().err and left() == "1"


def test_a_tampered_tree_is_refused(folder, capsys):
    """Whoever changes the file and even its digest cannot make it another tree than the one that was paid for."""
    assert fit("--out", "tree.json") == 0
    whole = Path("tree.json").read_text("utf8")
    Path("tree.json").write_text(whole.replace('"left"', '"right"', 1), "utf8")
    capsys.readouterr()
    for command in (("show", "tree.json"), ("predict", "tree.json", SITES[0]), ("check-derivation", "tree.json")):
        assert run(*command) == 1
        assert "tree.json: it was changed" in capsys.readouterr().err or "twice" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["fti"], "did you mean fit?"),
        (["verfy"], "did you mean verify?"),
        (["budget", "creat", "x"], "did you mean create?"),
        (["demo", "--epsilom", "1"], "did you mean --epsilon?"),
        (["predict", "t.json", "d.csv", "--probability"], "did you mean --probabilities?"),
        (["dance"], "(see fdpedu --help)"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_nearest(arguments, meant, capsys):
    assert run(*arguments) == 2
    err = capsys.readouterr().err
    assert meant in err and err.count("\n") == 1


# --- What is promised before a tree is grown, for every option of fit ------------------------------------------------

COUNTS = "--design default"
PROMISED = {"n_features": 2, "max_depth": 3, "n_parties": 2, "colluders": 1, "tolerate": 0}  # of noisy counts
CHANGED = {  # an option, and what it changes for the insider, if anything
    f"{COUNTS} --epsilon 1/3": {"epsilon": "1/3"},
    f"{COUNTS} --max-depth 1": {"max_depth": 1},
    f"{COUNTS} --max-depth 0": {"max_depth": 0},
    f"{COUNTS} --leaf-share 1/4": {"leaf_share": "1/4"},
    f"{COUNTS} --tolerate 1": {"tolerate": 1},
    f"{COUNTS} --features-per-node 1": {"n_features": 1},
    f"{COUNTS} --sites 3": {"n_parties": 3},
    "--design algorithm-5-clipped --leaf-share 2/3": {"unspent_to_leaf": False, "leaf_share": "2/3"},
    "--design averaged": {},
    f"{COUNTS} --min-samples-split 2": {},
    f"{COUNTS} --prune": {},
}


def chosen(levels, *, epsilon="1/2", share="1/5", parties=2, tolerate=0):
    """What the guarantee says of choices: so many levels of the party that designs most, and a leaf."""
    splits, leaf = (1 - Fraction(share)) * Fraction(epsilon), Fraction(share) * Fraction(epsilon)
    own = [LevelCost(splits / max(1, levels), shared=False)] * levels
    stated = {"levels": own, "leaf": leaf if levels else Fraction(epsilon)}
    return {"epsilon": epsilon, "n_parties": parties, "colluders": 1, "tolerate": tolerate, **stated}


CHOSEN = {  # the same of the design that is taken unless one is named
    "": chosen(2),
    "--nominal-size 200": chosen(2, share="7/20"),
    "--nominal-size 4000": chosen(3),
    "--epsilon 1/3": chosen(2, epsilon="1/3"),
    "--max-depth 1": chosen(1),
    "--max-depth 0": chosen(0),
    "--leaf-share 1/4": chosen(2, share="1/4"),
    "--tolerate 1": chosen(2, tolerate=1),
    "--sites 3": chosen(2, parties=3),
    "--sites 3 --max-depth 3": chosen(1, parties=3),
    "--prune": chosen(2),
}


def grown(option):
    """Fit with the option; of three sites the third has the rows of the first."""
    words, epsilon, sites = option.split(), "1/2", SITES
    for name in ("--epsilon", "--sites"):
        if name in words:
            place = words.index(name)
            value, words = words[place + 1], words[:place] + words[place + 2 :]
            epsilon, sites = (value, sites) if name == "--epsilon" else (epsilon, (*SITES, "third.csv"))
    Path("third.csv").write_bytes(Path(SITES[0]).read_bytes())
    tolerate = [] if "--tolerate" in words else ["--tolerate", "0"]
    return fit(*words, *tolerate, "--out", "grown.json", "--overwrite", budget=None, epsilon=epsilon, sites=sites)


@pytest.mark.claim("thm-tree-before-the-run")
def test_what_is_printed_about_an_insider_is_what_trees_with_these_options_cost(folder, capsys):
    """Both lines, as the guarantee has them; and the tree that is grown does not cost more."""
    seen = {}
    counted = {option: {**PROMISED, "epsilon": "1/2", **changes} for option, changes in {COUNTS: {}, **CHANGED}.items()}
    for option, promise in {**counted, **CHOSEN}.items():
        assert grown(option) == 0
        guarantee = tree_guarantee(**promise)
        out = " ".join(capsys.readouterr().out.split())
        for row in guarantee.rows():
            assert " ".join(" ".join(row).split()) in out.partition("?")[0], (option, row)
        seen[option] = " ".join(guarantee.rows()[1])
        tree = Tree.load("grown.json")
        paid = insider_cost(tree.derivation, promise["n_parties"], promise["tolerate"])
        assert paid.lower <= guarantee.insider.upper
    assert all((seen[option] != seen[COUNTS]) == bool(changes) for option, changes in CHANGED.items()), seen
