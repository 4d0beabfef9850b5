"""The commands around one owner's tree after Vos et al., as one would type them; and what one forger does to it."""

import csv
import json
from fractions import Fraction
from pathlib import Path

import pytest

from fdpedu.accounting import Ledger
from fdpedu.cart import fit_cart
from fdpedu.cart.losses import LOSSES
from fdpedu.cli import privatree as options_of_privatree
from fdpedu.domain import Domain, read_csv
from fdpedu.files import digest
from fdpedu.robust import certify
from fdpedu.trees import PrivaTree, Tree
from fdpedu.trees.designs.privatree.design import LEAVES, SPLITS
from fdpedu.trees.designs.privatree.edges import EDGES
from tests.support.two_sites import DOMAIN, SITES, run, write_two_sites

OWNER, OTHER = SITES
PUBLIC = ("--public-rows", OTHER, "--leaves", "counts", "--max-depth", "1")


@pytest.fixture
def folder(tmp_path, monkeypatch, capsys):
    """Two files of sixty rows, one of them public; a domain, and a budget of ε = 1."""
    monkeypatch.chdir(tmp_path)
    write_two_sites()
    capsys.readouterr()
    return tmp_path


@pytest.fixture
def trees(folder, capsys):
    """The same with three trees: of choices, of public splits with counts, and of public splits with labels."""
    for name, how in {"choice": ("--max-depth", "1"), "public": PUBLIC, "coins": ("--splits", "random")}.items():
        assert fit(*how, "--out", f"{name}.json", epsilon="50") == 0
    capsys.readouterr()
    return folder


def fit(*more, epsilon="1/2", model=("--model", "privatree", "--curator", OWNER)):
    return run("fit", "--domain", "domain.json", "--label", "back", "--epsilon", epsilon, *model, *more)


def left():
    with Ledger.open("b.db") as ledger:
        return str(ledger.remaining())


def test_choices_are_those_of_the_library():
    own = options_of_privatree
    assert (*own.SPLITS, "public") == SPLITS and set(own.SCORES) == set(LOSSES)
    assert (own.EDGES, own.LEAVES) == (EDGES, LEAVES)


SHALLOW = ("--max-depth", "2")  # the grid has a split at each node of such a tree
WAYS = {
    "choices": (SHALLOW, PrivaTree(), 3),
    "histograms": ((*SHALLOW, "--splits", "histograms", "--split-score", "gini"), PrivaTree("histograms", "gini"), 3),
    "coins": (("--splits", "random", "--leaves", "counts"), PrivaTree("random", leaves="counts"), 1),
    "public": (PUBLIC, PrivaTree("public", leaves="counts"), 1),
    "edges": (("--edges", "joint", "--edge-bins", "2", "--max-depth", "1"), PrivaTree(edges="joint", edge_bins=2), 3),
    "a share": ((*SHALLOW, "--leaf-share", "1/3"), PrivaTree(), 3),
    "a rule": ((*SHALLOW, "--leaf-share", "rule", "--nominal-size", "60"), PrivaTree(), 3),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_tree_is_grown_and_paid_for(folder, capsys, way):
    """The promise first; the budget has less; the file is that of the design, and its derivation is accepted."""
    options, design, rounds = WAYS[way]
    assert fit(*options, "--budget", "b.db", "--out", "t.json") == 0 and left() == "1/2"
    out = capsys.readouterr().out
    assert out.startswith("Every tree of this kind costs at most:\n  whoever sees the tree") and "sees the rows" in out
    assert ("is public: nothing protects it" in out) == (way == "public")
    tree = Tree.load("t.json")
    kept = tree.design.borders
    assert tree.design == PrivaTree(**{**vars(design), "borders": kept}) and bool(kept.kept) == (way == "edges")
    assert tree.rounds == rounds and tree.derivation.spent == Fraction(1, 2) and tree.n_parties == 1
    assert run("check-derivation", "t.json") == 0


def test_unless_more_is_said_it_has_four_levels(folder):
    assert fit("--out", "t.json") == 0
    tree = Tree.load("t.json")
    assert tree.design == PrivaTree() and 2 <= tree.depth <= 4 and 4 <= tree.rounds <= 5


def test_the_part_of_the_leaves_is_what_was_said(folder):
    for share, cost in (("1/3", "1/6"), ("rule", None)):
        more = ("--nominal-size", "60") if share == "rule" else ()
        assert fit("--leaf-share", share, "--leaves", "counts", "--out", f"{len(share)}.json", *more) == 0
        (found,) = {str(release.epsilon) for release in Tree.load(f"{len(share)}.json").leaf_releases}
        assert found == cost or (cost is None and Fraction(found) == Fraction(1, 4))  # at most a half


def test_public_rows_are_read_as_they_are_written(folder):
    """By their own form; and the splits are those of CART on them, of the asked depth."""
    with open(OTHER, encoding="utf8") as file:
        rows = list(csv.reader(file))
    Path("public.csv").write_text("\n".join(";".join(row) for row in rows) + "\n", "latin-1")
    form = ("--delimiter", "public.csv=;", "--encoding", "public.csv=latin-1")
    assert fit("--public-rows", "public.csv", "--max-depth", "2", *form, "--out", "t.json") == 0
    tree, domain = Tree.load("t.json"), Domain.from_spec(DOMAIN)
    table = read_csv(OTHER, domain, label="back")
    cart = fit_cart(table, table.column("back"), grid=domain, max_depth=2)
    assert [node.split for _, node in tree.nodes()] == [node.split for _, node in cart.nodes()] and tree.depth > 0


def test_as_json_the_tree_is_printed_with_how_it_was_grown(folder, capsys):
    assert fit("--edges", "histogram", "--edge-bins", "2", "--max-depth", "1", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["model"], printed["epsilon"], printed["colluders"]) == ("privatree", "1/2", 0)
    assert printed["options"]["edges"] == "histogram" and printed["options"]["borders"][1] is None
    assert set(printed["tree"]["left"]) == {"label"}


REFUSED = [
    (("--splits", "public"), "invalid choice: 'public'"),
    (("--split-score", "entropy"), "invalid choice: 'entropy'"),
    (("--splits", "choice", "--public-rows", OTHER), "--splits must be left out with --public-rows"),
    (("--public-rows", OWNER), "is named twice"),
    (("--public-rows", OTHER, "--out", OTHER, "--overwrite"), "is named twice"),
    (("--public-rows", "no.csv"), "cannot read no.csv"),
    (("--public-rows", OTHER, "--split-score", "gini"), "--split-score must be left out with --public-rows"),
    (("--public-rows", OTHER, "--leaf-share", "1/2"), "--leaf-share must be left out with --public-rows"),
    (("--splits", "random", "--edges", "joint"), "--edges must be left out with --splits random"),
    (("--splits", "random", "--edge-bins", "3"), "--edge-bins must be left out with --splits random"),
    (("--edge-bins", "3"), "--edge-bins is for --edges joint or histogram"),
    (("--edges", "public", "--edge-bins", "3"), "--edge-bins is for --edges joint or histogram"),
    (("--edges", "joint", "--edge-bins", "1"), "--edge-bins must be an integer ≥ 2, got 1"),
    (("--leaf-share", "rule"), "--nominal-size is for --leaf-share rule, which needs it"),
    (("--nominal-size", "60"), "--nominal-size is for --leaf-share rule, which needs it"),
    (("--nominal-size", "0", "--leaf-share", "rule"), "--nominal-size must be an integer ≥ 1, got 0"),
    (("--leaf-share", "1"), "--leaf-share must lie strictly between 0 and 1, got 1"),
    (("--leaf-share", "rules"), "--leaf-share must be a finite number"),
    (("--max-depth", "9"), "--max-depth must be at most 8"),
    (("--max-depth", "-1"), "--max-depth must be an integer ≥ 0, got -1"),
    (("--delta", "1e-6"), "--delta must be left out with --model privatree"),
    (("--by", "ward"), "--by must be left out with --curator: there are no sites"),
    (("--tolerate", "0"), "--tolerate must be left out with --curator: there are no sites"),
    (("--manifest", "m.json"), "--manifest must be left out with --curator: there are no sites"),
    (("--design", "owner"), "--design must be left out with --model privatree"),
    (("--min-samples-split", "0"), "--min-samples-split must be left out with --model privatree"),
    (("--prune",), "--prune must be left out with --model privatree"),
    (("--features-per-node", "1"), "--features-per-node must be left out with --model privatree"),
    (("--form", "trees"), "--form is for boosting"),
    ((OTHER,), "--curator names the one file"),
    (("--curator", OTHER), "--curator names the one file"),
    (("--delimiter", "nope=;"), "'nope' is no file of this command"),
]


@pytest.mark.parametrize(("options", "phrase"), REFUSED, ids=range(len(REFUSED)))
def test_what_makes_no_sense_is_refused_before_anything_is_charged(folder, capsys, options, phrase):
    assert fit(*options, "--budget", "b.db") == 2
    out, err = capsys.readouterr()
    (line,) = err.splitlines()
    assert not out and phrase in line and left() == "1" and not Path("m.json").exists()


def test_what_is_refused_by_the_data_or_the_budget(folder, capsys):
    Path("bad.csv").write_text("age,ward,back\n1,A,no\n2,SECRET,no\n", "utf8")
    Path("none.csv").write_text("age,ward,back\n", "utf8")
    budget = ("--budget", "b.db")
    refused = [
        (fit(*budget, "--public-rows", "bad.csv"), 1, "bad line 3, column 'ward': expected one of the 2 public"),
        (fit(*budget, "--public-rows", "none.csv"), 1, "public rows are needed to grow splits on, and it has none"),
        (fit(*budget, epsilon="3/2"), 1, "ε = 3/2 was asked"),
        (fit(*budget, epsilon="0"), 2, "--epsilon must be greater than 0, got 0"),
        (fit(*budget, *SITES, model=("--model", "privatree")), 2, "give the owner's file with --curator"),
    ]
    out, err = capsys.readouterr()
    assert not out
    for (status, expected, phrase), line in zip(refused, err.splitlines(), strict=True):
        assert status == expected and phrase in line and "SECRET" not in line
    assert left() == "1"


@pytest.mark.parametrize("option", ["--splits=choice", f"--public-rows={OTHER}", "--split-score=gini", "--edges=joint",
                                    "--edge-bins=3", "--leaves=counts"])  # fmt: skip
@pytest.mark.parametrize("model", [("--curator", OWNER), SITES, ("--model", "boosting", *SITES)])
def test_what_is_for_privatree_is_refused_for_others(folder, capsys, option, model):
    assert fit(option, "--budget", "b.db", model=model) == 2
    name = option.partition("=")[0]
    assert f"{name} is for privatree: leave it out, or say --model privatree" in capsys.readouterr().err
    assert left() == "1"


# --- in use -----------------------------------------------------------------------------------------------------------


def test_trees_of_labels_are_shown_and_predict(trees, capsys):
    """In every form, without numbers of leaves; probabilities are refused by name, and of counts there are some."""
    tree = Tree.load("choice.json")
    assert run("show", "choice.json") == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{tree.to_text()}\n\n50-differentially private") and "Its design: privatree." in out
    for form, start in (("sklearn", "|--- "), ("graphviz", "digraph Tree {"), ("html", "<!doctype html>")):
        assert run("show", "choice.json", "--as", form) == 0 and capsys.readouterr().out.startswith(start)
    assert run("predict", "choice.json", OTHER, "--keep", "id", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    table = read_csv(OTHER, tree.domain)
    assert [row["class"] for row in rows] == tree.predict(table).tolist() and set(rows[0]) == {"id", "class"}
    assert run("predict", "choice.json", OTHER, "--probabilities", "--out", "x.csv") == 2
    assert "--probabilities must be left out: of the leaves of the tree in choice.json" in capsys.readouterr().err
    assert not Path("x.csv").exists()
    assert run("predict", "public.json", OTHER, "--probabilities") == 0
    assert capsys.readouterr().out.startswith("class,no,yes\n")


def test_one_owner_scores_a_tree(trees, capsys):
    """Charged to the budget; sites and what is said of them have no place beside one owner."""
    score = ("score", "choice.json", "--label", "back", "--epsilon", "1/2")
    assert run(*score, "--curator", OTHER, "--budget", "b.db") == 0 and left() == "1/2"
    assert "with 0 colluders" in " ".join(capsys.readouterr().out.split())
    assert run(*score, *SITES) == 0 and "with 1 colluder" in " ".join(capsys.readouterr().out.split())
    refused = [
        (run(*score, "--curator", OTHER, "--tolerate", "0"), "--tolerate must be left out with --curator"),
        (run(*score, "--curator", OTHER, "--by", "ward"), "--by must be left out with --curator"),
        (run(*score, "--curator", OTHER, OWNER), "--curator names the one file"),
        (run(*score, "--curator", "choice.json"), "is named twice"),
        (run(*score), "give the CSV files of the sites"),
        (run(*score, OTHER), "a federation needs at least two sites"),
    ]
    for (status, phrase), line in zip(refused, capsys.readouterr().err.splitlines(), strict=True):
        assert status == 2 and phrase in line, line
    assert left() == "1/2"


def changed(change):
    """The file of the tree of choices after a change, with the digest that fits."""
    content = json.loads(Path("choice.json").read_text("utf8"))
    content.pop("digest")
    change(content)
    Path("changed.json").write_text(json.dumps({**content, "digest": digest(content)}), "utf8")


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c["design"].update(score="gini"),
        lambda c: c["design"].update(leaves="counts"),
        lambda c: c["design"].update(edges="joint", edge_bins=2),
        lambda c: c["design"].update(borders=[[2], None]),
        lambda c: c["design"].update(borders=[[9], None]),
        lambda c: c["design"].update(public="yes"),
    ],
)
def test_a_changed_file_is_refused(trees, capsys, change):
    """Its design says otherwise than what was paid for, or has what no design has."""
    changed(change)
    assert run("show", "changed.json") == 1
    line = capsys.readouterr().err
    assert "changed.json: " in line and "Traceback" not in line


# --- certify ----------------------------------------------------------------------------------------------------------


def certified(*more, tree="public.json", file=OTHER, label="back"):
    return run("certify", tree, file, "--label", label, *more)


def test_a_certificate_is_that_of_the_library(trees, capsys):
    """As text and as JSON, for so many rows and for a target; numbers are rounded down."""
    tree = Tree.load("public.json")
    table = read_csv(OTHER, tree.domain, label="back")
    rows = table, table.column("back")
    expected = certify(tree, *rows, rows=20)
    assert certified("--rows", "20") == 0
    out = capsys.readouterr().out
    assert out.startswith("forged rows             20\nmean accuracy at least") and expected.assumptions[0] in " ".join(
        out.split()
    )
    assert certified("--rows", "20", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["exact_bound"] == str(expected.bound) and printed["rows"] == 20 and len(printed["curve"]) == 21
    assert 0 <= expected.bound - Fraction(str(printed["bound"])) < Fraction(1, 10**7)
    assert certified("--target", "0.9", "--confidence", "99/100", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    expected = certify(tree, *rows, target="0.9", confidence="99/100")
    assert (printed["rows"], printed["confidence"]) == (expected.rows, "99/100")
    assert certified("--target", "1") == 1 and "none is certified" in capsys.readouterr().out


def test_what_cannot_be_certified_is_refused_by_name(trees, capsys):
    assert fit("--public-rows", OTHER, "--out", "labels.json") == 0
    boosting = ("--model", "boosting", "--nominal-size", "60", "--rounds", "1", "--trees-per-round", "1")
    assert fit("--out", "many.json", model=(*boosting, *SITES)) == 0
    Path("other.csv").write_text("height,ward,back\n1,A,no\n", "utf8")
    Path("bad.csv").write_text("age,ward,back\n1,A,SECRET\n", "utf8")
    Path("none.csv").write_text("age,ward,back\n", "utf8")
    capsys.readouterr()
    one = ("--rows", "1")
    refused = [
        (certified(*one, tree="choice.json"), 1, "choice.json: tree has splits that looked at rows"),
        (certified(*one, tree="labels.json"), 1, "labels.json: tree has labels only, which do not say how firm they"),
        (certified(*one, tree="coins.json"), 1, "fit it with --leaves counts"),
        (certified(*one, tree="many.json"), 1, "many.json holds an ensemble"),
        (certified(*one, tree="domain.json"), 1, "expected a tree or an ensemble"),
        (certified(*one, file="other.csv"), 1, "has no column 'age'"),
        (certified(*one, file="bad.csv"), 1, "bad line 2, the class: expected one of the 2 public"),
        (certified(*one, file="none.csv"), 1, "none.csv has no rows"),
        (certified(*one, label="nope"), 1, "has no column 'nope'"),
        (certified(*one, file="no.csv"), 2, "cannot read no.csv"),
        (certified(*one, file="public.json"), 2, "is named twice"),
        (certified("--rows", "-1"), 2, "--rows must be an integer ≥ 0, got -1"),
        (certified("--rows", "10001"), 2, "--rows must be at most 10000, got 10001"),
        (certified("--target", "2"), 2, "--target must be greater than 0 and at most 1, got 2"),
        (certified("--target", "0"), 2, "--target must be greater than 0"),
        (certified("--target", "most"), 2, "--target must be a finite number"),
        (certified(*one, "--confidence", "1"), 2, "--confidence must lie strictly between 0 and 1, got 1"),
        (certified(), 2, "one of the arguments --rows --target is required"),
        (certified(*one, "--target", "0.8"), 2, "not allowed with argument --rows"),
    ]
    for (status, expected, phrase), line in zip(refused, capsys.readouterr().err.splitlines(), strict=True):
        assert status == expected and phrase in line and "SECRET" not in line, line
