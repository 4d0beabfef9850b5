"""The commands around a private tree, as one would type them: how it is grown, shown in other forms, and scored."""

# Longer than 400 lines because all commands around a tree are tried on one folder of files.

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fdpedu.accounting import Ledger
from fdpedu.cli.growing import _designs
from fdpedu.trees import DESIGNS, SYSTEMS, Design, Tree
from fdpedu.trees.designs import Owner, Rotating, find_design
from tests.support.two_sites import SITES, right_on_both_sites, run, write_two_sites


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two sites' files, a domain, a budget of ε = 1 and a tree that was grown without it."""
    monkeypatch.chdir(tmp_path)
    write_two_sites()
    assert fit("--out", "tree.json", epsilon="50") == 0
    return tmp_path


def fit(*more, epsilon="1/2"):
    return run("fit", "--domain", "domain.json", "--label", "back", "--epsilon", epsilon, *more, *SITES)


def score(*more, tree="tree.json", epsilon="1/2", sites=SITES):
    return run("score", tree, *sites, "--label", "back", "--epsilon", epsilon, *more)


def left():
    with Ledger.open("b.db") as ledger:
        return str(ledger.remaining())


@pytest.mark.parametrize("name", [*DESIGNS, *SYSTEMS])
def test_a_tree_is_grown_by_the_design_that_is_named(folder, capsys, name):
    """What every such tree costs is printed first; the file, and `show`, name the design."""
    capsys.readouterr()
    assert fit("--design", name, "--out", f"{name}.json") == 0
    design = find_design(name).for_domain(Tree.load(f"{name}.json").domain)
    assert Tree.load(f"{name}.json").design == design
    first, _, rest = capsys.readouterr().out.partition("\n\n")
    assert first.startswith("Every tree of this kind costs at most:\n") and "one curious party of 2" in first
    assert rest.startswith(Tree.load(f"{name}.json").to_text())
    assert fit("--design", name, "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["design"] == name and printed["options"] == design.to_json()
    assert run("show", f"{name}.json") == 0 and f"\nIts design: {name}.\n" in capsys.readouterr().out
    assert run("show", f"{name}.json", "--json") == 0 and json.loads(capsys.readouterr().out)["design"] == name


def test_unless_a_design_is_named_parties_take_turns(folder, capsys):
    """Its derivation is accepted, together with the manifest; the nominal size gives depth and leaf share."""
    capsys.readouterr()
    assert fit("--budget", "b.db", "--out", "t.json", "--manifest", "m.json") == 0 and left() == "1/2"
    assert Tree.load("t.json").design == Rotating()
    assert run("check-derivation", "t.json", "--manifest", "m.json") == 0
    for size, rounds, leaf in (("299", 5, "7/40"), ("300", 5, "1/10"), ("4000", 6, "1/10")):
        assert fit("--nominal-size", size, "--out", f"{size}.json") == 0
        tree = Tree.load(f"{size}.json")
        assert tree.rounds <= rounds and {str(release.epsilon) for release in tree.leaf_releases} == {leaf}
    assert fit("--prune", "--out", "p.json") == 0 and Tree.load("p.json").design == Rotating(prune=True)
    capsys.readouterr()
    assert run("show", "p.json") == 0 and "Its design: rotating." in capsys.readouterr().out


def owner(*more, epsilon="1/2", file=SITES[0]):
    return run("fit", "--domain", "domain.json", "--label", "back", "--epsilon", epsilon, "--curator", file, *more)


def test_one_owner_of_all_rows_grows_a_tree(folder, capsys):
    """No federation: a file, charged to a budget; predicted with, shown and checked as any other."""
    assert run("budget", "create", "own.db", "--domain", "domain.json", "--limit", "1", "--colluders", "0") == 0
    capsys.readouterr()
    assert owner("--budget", "own.db", "--nominal-size", "60", "--out", "own.json") == 0
    out = capsys.readouterr().out
    assert "whoever sees the tree  ε = 1/2" in out and "party" not in out and "own.db has ε = 1/2 left" in out
    tree = Tree.load("own.json")
    assert tree.design == Owner() and tree.n_parties == 1 and tree.rounds == 2
    assert run("check-derivation", "own.json") == 0 and run("predict", "own.json", SITES[1]) == 0
    capsys.readouterr()
    assert run("show", "own.json") == 0
    shown = capsys.readouterr().out
    assert "Its design: owner." in shown and "curious" not in shown
    assert owner("--design", "owner", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["design"] == "owner" and printed["rounds"] == 3 and printed["colluders"] == printed["bytes"] == 0


def test_what_an_owner_cannot_say_is_refused(folder, capsys):
    """Before anything is charged."""
    assert run("budget", "create", "promise.db", "--domain", "domain.json", "--limit", "1", "--colluders", "1") == 0
    capsys.readouterr()
    budget = ("--budget", "b.db")
    refused = [
        (owner(*budget, SITES[1]), 2, "--curator names the one file"),
        (owner(*budget, "--curator", SITES[1]), 2, "--curator names the one file"),
        (owner(*budget, "--design", "rotating"), 2, "--design rotating is for sites"),
        (owner(*budget, "--tolerate", "0"), 2, "--tolerate must be left out with --curator: there are no sites"),
        (owner(*budget, "--by", "ward"), 2, "--by must be left out"),
        (owner(*budget, "--manifest", "m.json"), 2, "--manifest must be left out"),
        (owner(*budget, "--max-depth", "2"), 2, "--max-depth must be left out"),
        (owner(*budget, "--leaf-share", "1/4"), 2, "--leaf-share must be left out"),
        (owner(*budget, "--min-samples-split", "0"), 2, "--min-samples-split must be left out"),
        (owner(*budget, "--features-per-node", "1"), 2, "--features-per-node must be left out"),
        (owner(*budget, "--prune"), 2, "--prune must be left out"),
        (owner(*budget, "--nominal-size", "0"), 2, "--nominal-size must be an integer"),
        (owner(*budget, "--nominal-size", "2.5"), 2, "expected a whole number"),
        (owner(*budget, epsilon="3/2"), 1, "3/2"),
        (owner(*budget, file="nowhere.csv"), 2, "cannot read"),
        (owner(*budget, file="domain.json"), 2, "is named twice"),
        (owner(*budget, "--out", SITES[0]), 2, "is named twice"),
        (owner("--budget", "promise.db"), 2, "colluders"),
        (run("fit", "--domain", "domain.json", "--label", "back", "--epsilon", "1", *budget), 2, "give the CSV files"),
    ]
    err = capsys.readouterr().err
    for (status, expected, phrase), line in zip(refused, err.splitlines(), strict=True):
        assert status == expected and phrase in line, line
    assert left() == "1" and not Path("m.json").exists()


def test_options_that_a_design_has_no_use_for_are_refused(folder, capsys):
    """By the option's name, before anything is charged."""
    capsys.readouterr()
    refused = [
        (("--min-samples-split", "5"), 2, "'rotating' has no use for --min-samples-split"),
        (("--features-per-node", "1"), 2, "--features-per-node is for designs"),
        (("--design", "screened", "--features-per-node", "1"), 2, "--features-per-node is for designs"),
        (("--design", "default", "--nominal-size", "100"), 2, "no use for --nominal-size"),
        (("--design", "owner"), 2, "give the owner's file with --curator"),
        (("--design", "rotatin"), 2, "--design must be one of 'default'"),
        (("--nominal-size", "-3"), 2, "--nominal-size must be an integer ≥ 1"),
        (("--nominal-size", "0"), 2, "--nominal-size must be an integer ≥ 1"),
        (("--nominal-size", "2.5"), 2, "expected a whole number"),
        (("--nominal-size", "1,5"), 2, "expected a whole number"),
        (("--max-depth", "9"), 2, "--max-depth must be at most 8"),
        (("--max-depth", "65"), 2, "--max-depth must be at most 64"),
        (("--leaf-share", "0"), 2, "--leaf-share must be greater than 0"),
    ]
    found = [fit("--budget", "b.db", *options) for options, _, _ in refused]
    lines = capsys.readouterr().err.splitlines()
    for (options, expected, phrase), status, line in zip(refused, found, lines, strict=True):
        assert status == expected and phrase in line, (options, line)
    assert left() == "1"


def test_options_of_a_design_are_added_to_it(folder, capsys):
    """Pruning, and fewer features at each node; the tree's file keeps both."""
    counts = ("--design", "default", "--prune", "--features-per-node", "1")
    assert fit(*counts, "--out", "t.json") == 0
    design = Tree.load("t.json").design
    assert design.prune and design.features_per_node == 1 and design.shrink == DESIGNS["default"].shrink
    capsys.readouterr()
    assert fit(*counts, "--json") == 0
    assert Design.from_json(json.loads(capsys.readouterr().out)["options"]) == design
    assert not Tree.load("tree.json").design.prune
    capsys.readouterr()
    refused = [
        (fit("--design", "best", "--budget", "b.db"), 2, "--design must be one of 'default'"),
        (
            fit("--design", "default", "--features-per-node", "0", "--budget", "b.db"),
            2,
            "--features-per-node must be an integer ≥ 1",
        ),
        (fit("--features-per-node", "one", "--budget", "b.db"), 2, "expected a whole number"),
        (fit("--pruned", "--budget", "b.db"), 2, "did you mean --prune?"),
    ]
    for (status, expected, phrase), line in zip(refused, capsys.readouterr().err.splitlines(), strict=True):
        assert status == expected and phrase in line
    assert left() == "1"


def test_a_tree_is_shown_in_four_forms(folder, capsys):
    """As text with its promise; and alone, as scikit-learn writes it, as DOT, as a page, for other programs."""
    tree = Tree.load("tree.json")
    capsys.readouterr()
    assert run("show", "tree.json", "--as", "text") == 0
    assert capsys.readouterr().out.startswith(f"{tree.to_text()}\n\n50-differentially")
    for form, expected in (("sklearn", tree.to_sklearn_text()), ("graphviz", tree.to_graphviz())):
        assert run("show", "tree.json", "--as", form) == 0
        assert capsys.readouterr().out == expected + "\n"
    Path("a & b.json").write_bytes(Path("tree.json").read_bytes())
    assert run("show", "a & b.json", "--as", "html") == 0
    page = capsys.readouterr().out
    assert page.startswith('<!doctype html>\n<html lang="en"><meta charset="utf-8">') and page.endswith("</html>\n")
    assert "<title>Private tree of a &amp; b.json</title>" in page and "<svg" in page and ">age ≤ 50<" in page


def test_forms_are_for_trees(folder, capsys):
    capsys.readouterr()
    refused = [
        (run("show", "domain.json", "--as", "sklearn"), 2, "--as sklearn is for trees, and domain.json holds a domain"),
        (run("show", "b.db", "--as", "html"), 2, "b.db holds a budget"),
        (run("show", "tree.json", "--as", "html", "--json"), 2, "give one of them"),
        (run("show", "nowhere.json", "--as", "html"), 2, "cannot read"),
        (run("show", "tree.json", "--as", "dot"), 2, "invalid choice: 'dot'"),
        (run("show", SITES[0], "--as", "sklearn"), 1, "JSON"),
    ]
    for (status, expected, phrase), line in zip(refused, capsys.readouterr().err.splitlines(), strict=True):
        assert status == expected and phrase in line, line


def test_a_score_is_paid(folder, capsys):
    """As text and as JSON; charged to the budget, which refuses what it cannot pay."""
    capsys.readouterr()
    assert score("--budget", "b.db") == 0
    out = capsys.readouterr().out
    assert "noisy counts: right " in out and "; ε = 1/2)" in out and "The budget b.db has ε = 1/2 left." in out
    assert "The counts are 1/2-differentially private" in out and "pays for both" in " ".join(out.split())
    assert score("--json", epsilon="1/4") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed.keys() == {
        *("score", "standard_error", "too_noisy", "rows_needed", "right", "wrong", "epsilon", "remaining", "given")
    }
    assert printed["epsilon"] == "1/4" and printed["remaining"] is None and printed["given"] is None
    assert 0 <= printed["score"] <= 1
    assert score("--budget", "b.db", "--json", "--tolerate", "1", epsilon="1/4") == 0
    assert json.loads(capsys.readouterr().out)["remaining"] == "1/4" == left()
    assert score("--json", epsilon="100") == 0
    printed = json.loads(capsys.readouterr().out)
    right = right_on_both_sites(Tree.load("tree.json"))
    assert (printed["right"], printed["wrong"], printed["score"]) == (right, 120 - right, pytest.approx(right / 120))
    assert printed["standard_error"] < 1e-6


def test_a_score_that_is_lost_in_noise_is_none(folder, capsys):
    """For people and programs: nothing is said but how many rows it takes."""
    assert score("--json", epsilon="1/100") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["too_noisy"] and printed["score"] is None and printed["rows_needed"] > 1000
    assert score(epsilon="1/100") == 0
    assert capsys.readouterr().out.startswith("unknown: the noise is too large to say anything; ± 0.05 takes about ")


def test_a_score_of_one_file_by_site(folder, capsys):
    """With --by, and with numbers of other habits."""
    rows = [f"{i % 100},5;A;{'no' if i % 3 else 'yes'};site {i % 4}" for i in range(80)]
    Path("all.csv").write_text("\n".join(["age;ward;back;site", *rows]), "utf8")
    capsys.readouterr()
    assert score("--by", "site", "--decimal", ",", "--json", epsilon="100", sites=["all.csv"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["right"] + printed["wrong"] == 80 and "given the set of sites" in printed["given"]


NEW = 'patient,age,ward\np 1,20,A\n"p, 2",90,B ü\n'


def test_predictions_carry_a_key(folder, capsys):
    """As text, as JSON and into a file; columns in the order asked for, as the file has them."""
    Path("new.csv").write_text(NEW, "utf8")
    capsys.readouterr()
    assert run("predict", "tree.json", "new.csv", "--keep", "patient", "--keep", "ward") == 0
    assert capsys.readouterr().out == 'patient,ward,class\np 1,A,no\n"p, 2",B ü,yes\n'
    assert run("predict", "tree.json", "new.csv", "--keep", "patient", "--json", "--probabilities") == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["patient"], row["class"]) for row in rows] == [("p 1", "no"), ("p, 2", "yes")]
    assert all(set(row) == {"patient", "class", "no", "yes"} for row in rows)
    assert run("predict", "tree.json", "new.csv", "--keep", "patient", "--out", "out.csv") == 0
    assert Path("out.csv").read_text("utf8") == 'patient,class\np 1,no\n"p, 2",yes\n'
    assert run("predict", "tree.json", "new.csv", "--keep", "patien") == 1
    assert "'patient' should perhaps" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("age,ward\n10,A\n\n90,A\n", 3),
        ("age,ward\n10,A\n , \n90,A\n", 3),
        ('age,ward\n10,"A"\n90,A\n\n\n20,A\n', 4),
        ("age,ward\n\n10,A\n", 2),
        ("age,ward\n10,A\n90,A\n\n \n", None),
        ("\nage,ward\n10,A\n", None),
    ],
)
def test_each_row_has_an_answer_or_is_refused_by_its_line(folder, capsys, text, line):
    """A blank line between rows could be a row; those at the ends are none."""
    Path("new.csv").write_text(text, "utf8")
    capsys.readouterr()
    status = run("predict", "tree.json", "new.csv")
    said = capsys.readouterr()
    if line is None:
        rows = [row for row in text.splitlines() if row.strip(", ")]
        assert status == 0 and len(said.out.splitlines()) == len(rows)
    else:
        assert status == 1 and f"line {line}: it is blank" in said.err and not said.out


def test_a_score_that_is_refused_costs_nothing(folder, capsys):
    """Status 1 for data, budgets and trees that are refused, 2 for what makes no sense."""
    Path("bad.csv").write_text("age,ward,back\n30,A,no\n40,C-secret,yes\n", "utf8")
    Path("changed.json").write_text(Path("tree.json").read_text("utf8").replace('"left"', '"right"', 1), "utf8")
    other = {"features": {"age": [0, 9, 3]}, "classes": ["no", "yes"]}
    Path("other.json").write_text(json.dumps(other), "utf8")
    assert run("budget", "create", "other.db", "--domain", "other.json", "--limit", "1") == 0
    capsys.readouterr()
    budget = ("--budget", "b.db")
    refused = [
        (score(*budget, epsilon="3/2"), 1, "more than the budget 1"),
        (score(*budget, sites=["bad.csv", SITES[0]]), 1, "column 'ward'"),
        (score(*budget, tree="changed.json"), 1, "it was changed"),
        (score(*budget, epsilon="0"), 2, "epsilon must be greater than 0"),
        (score(*budget, "--tolerate", "2"), 2, "tolerate"),
        (score(*budget, sites=[SITES[0]]), 2, "at least two sites"),
        (score(*budget, sites=[SITES[0], f"./{SITES[0]}"]), 2, "is named twice"),
        (score(*budget, sites=[SITES[0], "tree.json"]), 2, "is named twice"),
        (score(*budget, "--by", "id"), 2, "--by divides one file"),
        (score(*budget, sites=["nowhere.csv", SITES[0]]), 2, "cannot read"),
        (score(*budget, tree="nowhere.json"), 2, "cannot read"),
        (score("--budget", "none.db"), 2, "fdpedu budget create"),
        (score("--budget", "other.db"), 2, "another domain"),
        (run("score", "tree.json", *SITES, "--label", "back"), 2, "--epsilon"),
        (score("--tolerated", "1"), 2, "did you mean --tolerate?"),
        (run("scor", "tree.json"), 2, "did you mean score?"),
    ]
    err = capsys.readouterr().err
    assert "secret" not in err and "Traceback" not in err
    for (status, expected, phrase), line in zip(refused, err.splitlines(), strict=True):
        assert status == expected and phrase in line, line
    assert left() == "1"


@pytest.mark.parametrize(
    ("line", "completed"), [("fdpedu sco", "score"), ("fdpedu fit --design algorithm-5-c", "algorithm-5-clipped")]
)
def test_the_shell_completes_new_words(line, completed):
    """Where argcomplete is installed: commands, and the names of designs."""
    assert _designs(prefix="a", parsed_args=None) == [*SYSTEMS, *DESIGNS]
    environment = {
        **os.environ,
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": "/dev/stdout",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }
    code = "import sys; sys.argv = ['fdpedu']; from fdpedu.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, encoding="utf8")
    assert done.stdout.strip() == completed
