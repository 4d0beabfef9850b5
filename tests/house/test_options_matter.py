"""Every option of `fit` changes what it names, in the document and in the promise that is printed beforehand."""

import contextlib
import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from fdpedu.accounting import Budget, Ledger
from fdpedu.boosting import boosting_guarantee
from fdpedu.cli import parser
from fdpedu.cli.wording import _commands
from fdpedu.showing import text_table
from fdpedu.trees.designs import find_design
from fdpedu.trees.promise import tree_promise
from fdpedu.trees.shape import Asked
from tests.support.two_sites import DOMAIN, SITES, run, write_two_sites

BASE = {"--domain": "domain.json", "--label": "back", "--epsilon": "1", "data": SITES}
COUNTS = {**BASE, "--design": "default", "--max-depth": "2"}
SURE = {**COUNTS, "--epsilon": "50"}
TURNS = {**BASE, "--nominal-size": "100"}
ALONE = {"--tolerate": "0"}  # then a curious party knows its own noise, and what it learns depends on the path
BOOST = {**BASE, "--model": "boosting", "--nominal-size": "120", "--rounds": "2", "--trees-per-round": "2"}
OWNER = {**BASE, "--curator": SITES[0], "data": ()}
PRIVA = {**OWNER, "--model": "privatree", "--max-depth": "2"}
EDGES = {**PRIVA, "--edges": "joint", "--edge-bins": "2"}
DOTS = {**COUNTS, "data": (SITES[0], "dots.csv"), "--domain": "wide.json", "--decimal": ","}
PROMISE = "promise"
OPTIONS = {  # what is changed, in which command, into what; and the parts that are others then
    "--epsilon": (COUNTS, "1/2", ["derivation.budget", "costs", PROMISE]),
    "--delta": (COUNTS, "1e-6", ["derivation.measure", "derivation.budget", PROMISE]),
    "--tolerate": (COUNTS, "0", ["tolerate", "derivation.colluders", PROMISE]),
    "--budget": (COUNTS, "b.db", ["left"]),
    "--model": (TURNS, "boosting", ["schema"]),
    "--design": ({**COUNTS, **ALONE}, "rotating", ["design", PROMISE]),
    "--nominal-size": ({**TURNS, **ALONE}, "1000000", ["costs", PROMISE]),
    "--max-depth": (COUNTS, "1", ["rounds", "costs"]),
    "--min-samples-split": (SURE, "1000", ["leaves"]),
    "--leaf-share": ({**COUNTS, **ALONE}, "1/3", ["costs", PROMISE]),
    "--prune": (COUNTS, True, ["design.prune"]),
    "--features-per-node": (COUNTS, "1", ["design.features_per_node"]),
    "--form": ({**BOOST, "--delta": "1e-6"}, "curves", ["form"]),
    "--monotone": ({**BOOST, "--delta": "1e-6", "--form": "curves"}, "age=-1", ["monotone"]),
    "--threshold": (BOOST, "counted", ["schema", "costs"]),
    "--rounds": (BOOST, "3", ["rounds", "costs"]),
    "--trees-per-round": (BOOST, "3", ["trees_per_round"]),
    "--splits": (PRIVA, "histograms", ["design.splits"]),
    "--public-rows": (PRIVA, SITES[1], ["design.splits", PROMISE]),
    "--split-score": (PRIVA, "gini", ["design.score"]),
    "--edges": (EDGES, "histogram", ["design.edges"]),
    "--edge-bins": (EDGES, "3", ["design.edge_bins"]),
    "--leaves": (PRIVA, "counts", ["design.leaves"]),
    "--curator": ({**BASE, "--nominal-size": "60"}, None, ["design.name", "n_parties", PROMISE]),
    "--domain": (COUNTS, "wide.json", ["domain"]),
    "--label": (SURE, "flip", ["labels"]),
    "--by": ({**COUNTS, "data": ("all.csv",), "--by": "site"}, "half", ["n_parties"]),
    "--sites": ({**COUNTS, "data": ("all.csv",), "--by": "site"}, "0,1,2", ["n_parties"]),
    "data": (COUNTS, (*SITES, "third.csv"), ["n_parties"]),
    "--manifest": (COUNTS, "m.json", ["manifest"]),
    "--delimiter": (COUNTS, ";", ["status"]),
    "--decimal": (COUNTS, "third.csv:age=,", ["status"]),
    "--thousands": (DOTS, ".", ["status"]),
    "--encoding": (COUNTS, "utf-16", ["status"]),
}  # fmt: skip
MORE = [  # options that mean something for several models
    ("--epsilon", BOOST, "1/2", ["derivation.budget", PROMISE]), ("--tolerate", BOOST, "0", ["tolerate", PROMISE]),
    ("--max-depth", BOOST, "1", ["questions"]), ("--nominal-size", BOOST, "1e3", ["nominal_size"]),
    ("--delta", BOOST, "1e-6", ["derivation.measure", PROMISE]), ("--epsilon", PRIVA, "1/2", ["costs", PROMISE]),
    ("--curator", BOOST, None, ["n_parties", PROMISE]),
    ("--curator", {**BOOST, "--delta": "1e-6"}, None, ["n_parties"]),
    ("--rounds", {**BOOST, "--delta": "1e-6"}, "3", ["rounds"]), ("--max-depth", PRIVA, "1", ["rounds"]),
    ("--leaf-share", PRIVA, "1/2", ["costs"]), ("--nominal-size", OWNER | {"--nominal-size": "60"}, "1e5", ["rounds"]),
    ("--epsilon", OWNER | {"--nominal-size": "60"}, "1/2", ["costs", PROMISE]),
    ("--epsilon", TURNS, "2", ["costs", PROMISE]),
    ("--leaf-share", {**TURNS, **ALONE}, "3/4", ["costs", PROMISE]), ("--tolerate", TURNS, "0", ["tolerate", PROMISE]),
    ("--max-depth", TURNS, "1", ["rounds", "costs"]),
    ("--delta", {**COUNTS, "--epsilon": "1/2", "--design": "screened"}, "1e-6", ["derivation.measure", PROMISE]),
]  # fmt: skip
CASES = [*((option, *case) for option, case in OPTIONS.items()), *MORE]
ELSEWHERE = {"--out", "--overwrite", "--json", "--help"}  # the first writes the document that is looked at here
ELSEWHERE |= {"--federation", "--identity", "--passphrase", "--journal", "--patience"}  # test_cli_afield.py


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.chdir(tmp_path_factory.mktemp("options"))
    write_two_sites()
    rows = [row for site in SITES for row in csv.DictReader(Path(site).read_text("utf8").splitlines())]
    for i, row in enumerate(rows):
        row |= {"flip": {"no": "yes", "yes": "no"}[row["back"]], "site": i % 2, "half": i % 3}
    files = {SITES[0]: rows[:60], SITES[1]: rows[60:], "all.csv": rows, "third.csv": rows[:30]}
    files["dots.csv"] = [{**row, "age": "1.000"} for row in rows[:30]]
    for name, chosen in files.items():
        with open(name, "w", newline="", encoding="utf8") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(chosen)
    Path("wide.json").write_text(
        json.dumps({**DOMAIN, "features": {"age": [0, 2000, 8], "ward": ["A", "B ü"]}}), "utf8"
    )
    yield
    patch.undo()


def words(options):
    """The command that is typed."""
    named = [(name, value) for name, value in options.items() if name != "data" and value is not None]
    typed = [word for name, value in named for word in ((name,) if value is True else (name, value))]
    return ["fit", *typed, *options["data"]]


def grown(options):
    """The parts of what a command makes, by name."""
    for name in ("new.json", "m.json"):
        Path(name).unlink(missing_ok=True)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(*words(options), "--out", "new.json")
    with Ledger.open("b.db") as ledger:
        found = {"status": status, "left": str(ledger.remaining()), "manifest": Path("m.json").exists()}
    if status:
        return found
    document = json.loads(Path("new.json").read_text("utf8"))
    flat = dict(pair for name, value in document.items() for pair in ((name, value), *_below(name, value)))
    releases = list(_releases(document["derivation"]["proof"]))
    leaves = list(_leaves(document["root"])) if "root" in document else []
    found |= flat | {"costs": sorted(releases), "leaves": len(leaves), "labels": leaves}
    return found | {PROMISE: out.getvalue().partition("\n\n")[0].partition("\n")[2]}


def _below(name, value):
    return [(f"{name}.{key}", below) for key, below in value.items()] if isinstance(value, dict) else []


def _releases(step):
    if step["rule"] == "release":
        yield step.get("epsilon") or step["rho"]
    for premise in step.get("premises", ()):
        yield from _releases(premise)


def _leaves(node):
    sides = [node[side] for side in ("left", "right") if isinstance(node.get(side), dict)]
    if not sides:
        counts = node.get("counts") or [0]
        yield counts.index(max(counts))
    for side in sides:
        yield from _leaves(side)


def other(option, base, value):
    """The same command with the one change."""
    if option == "--curator":
        return {**base, "--curator": SITES[0], "data": ()}
    if option == "--public-rows":
        return {**base, option: value, "--max-depth": "2"}
    if option == "--decimal":
        return {**base, option: value, "data": (*SITES, "dots.csv")}
    return {**base, option: value}


def looked_at(case):
    """The parts that the change should have changed, and has not."""
    option, base, value, parts = case
    before, after = grown(base), grown(other(option, base, value))
    return [part for part in parts if before.get(part) == after.get(part)]


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case[0]} of {case[1].get('--model', case[1].get('--design'))}"
)
def test_each_option_changes_what_it_names(case):
    assert looked_at(case) == []


def test_no_option_is_left_out():
    actions = _commands(parser())["fit"]._actions
    assert {next(iter(a.option_strings[-1:]), a.dest) for a in actions} == {*OPTIONS, *ELSEWHERE}


def promised(options):
    """What the library promises of the same options, as the command prints it."""
    budget = Budget.of(options["--epsilon"], delta=options.get("--delta"))
    number = {name: int(float(options[name])) for name in ("--max-depth", "--nominal-size", "--rounds",
              "--trees-per-round", "--min-samples-split", "--tolerate") if name in options}  # fmt: skip
    sizes = {"n_features": 2, "n_parties": len(options["data"]), "tolerate": number.get("--tolerate", 1)}
    what = "ensemble" if options.get("--model") == "boosting" else "tree"
    if "--curator" in options:
        rows = [(f"whoever sees the {what}", str(budget)), ("the owner", "sees the rows")]
        public = options.get("--public-rows")
        rows += [(public, "is public: nothing protects it")] * bool(public)
    elif options.get("--model") == "boosting":
        rows = boosting_guarantee(
            budget, form=options.get("--form", "trees"), nominal_size=number["--nominal-size"],
            rounds=number["--rounds"], trees_per_round=number["--trees-per-round"],
            max_depth=number.get("--max-depth"), **sizes,
        ).rows()  # fmt: skip
    else:
        design = find_design(options.get("--design", "screened" if "--delta" in options else "rotating"))
        if "--features-per-node" in options:
            design = replace(design, features_per_node=int(options["--features-per-node"]))
        design = replace(design, prune="--prune" in options)
        asked = [
            number.get("--max-depth"),
            options.get("--leaf-share"),
            number.get("--min-samples-split"),
            number.get("--nominal-size"),
        ]
        rows = tree_promise(design, Asked(*asked), budget, **sizes).rows()
    return text_table(rows, indent="  ")


def of_promises(cases):
    """Commands whose promise is printed, each once."""
    found = {}
    for option, base, value, _ in cases:
        for options in (base, other(option, base, value)):
            if "--by" not in options and option not in (
                "--decimal",
                "--encoding",
                "--delimiter",
                "--thousands",
                "--model",
            ):
                found[" ".join(map(str, words(options)))] = options
    return found


def test_what_is_printed_beforehand_is_what_the_library_promises():
    """To the letter, with all options said; and the document promises outsiders no more than that."""
    wrong, seen = {}, of_promises(CASES)
    for name, options in seen.items():
        if "--budget" in options:
            continue
        found = grown(options)
        if found.get(PROMISE) != promised(options):
            wrong[name] = (found.get(PROMISE), promised(options))
    assert wrong == {} and len(seen) > 25
