"""No option is passed over in silence: alone and beside each other one it changes what a command says, or is refused.

The options of a command are its parser's, so a new one without a case here is red. For all pairs of options: what the
second one adds to the first is seen in the exit status, in what is printed, or in a file; or the command refuses it by
its name. All runs draw the same words, so that nothing else can differ. `fit` has a table of its own, by the parts of
its document (test_options_matter.py).
"""

import contextlib
import io
import json
import shutil
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import fdpedu.cli
from fdpedu.accounting import Ledger
from fdpedu.boosting import fit_federated_boosting
from fdpedu.cli import parser
from fdpedu.cli.wording import _commands
from fdpedu.domain import Domain
from fdpedu.federation import Curator, Party
from fdpedu.randomness import Rehearsal
from fdpedu.trees import fit_privatree
from tests.support.draws import drawn_from
from tests.support.two_sites import run

SPEC = {"features": {"age": [0, 2000, 4], "ward": ["A", "B ü"]}, "classes": ["no", "yes"]}
OTHER = {**SPEC, "features": {**SPEC["features"], "age": [0, 1500, 4]}}
AGES = [100.5 + 37 * i for i in range(50)]
MADE = ("new.csv", "new.json", "new.db", "new", "new2.db")  # what commands write


class Option(NamedTuple):
    """How an option is typed alone, in place of which words, on which file; how beside another one; what it needs."""

    words: tuple[str, ...]
    file: str = "rows.csv"
    instead: tuple[str, ...] = ()
    beside: tuple[str, ...] | None = None
    needs: str | None = None


def option(*words, **more):
    return Option(words, **more)


CSV = {
    "--delimiter": option("--delimiter", "!", file="bangs.csv"),
    "--decimal": option("--decimal", ",", file="commas.csv"),
    "--thousands": option("--thousands", "'", file="quotes.csv", beside=("--thousands", ".")),
    "--encoding": option("--encoding", "utf-16", file="wide.csv"),
    "--json": option("--json"),
}
OUT = {
    "--out": option("--out", "new.csv"),
    "--overwrite": option("--out", "old.csv", "--overwrite", beside=("--overwrite",)),
}
PLAIN = {  # a command as it is typed without an option; FILE is its file of rows
    "predict": ["predict", "tree.json", "FILE"],
    "score": ["score", "tree.json", "FILE", "other.csv", "--label", "back", "--epsilon", "1"],
    "certify": ["certify", "tree.json", "FILE", "--label", "back", "--rows", "1"],
    "check-data": ["check-data", "FILE", "--domain", "domain.json"],
    "demo": [
        "demo",
        "--seed",
        "1",
        "--repeats",
        "1",
        "--parties",
        "2",
        "--features",
        "worst radius",
        "--max-depth",
        "1",
        "--design",
        "default",
    ],
    "show": ["show", "tree.json"],
    "check-derivation": ["check-derivation", "tree.json"],
    "budget create": ["budget", "create", "new.db", "--domain", "domain.json", "--limit", "1"],
    "budget evidence": ["budget", "evidence", "paid.db", "--out", "new.json"],
}
OPTIONS = {
    "predict": {
        "tree": option("ensemble.json", instead=("tree.json",)), "data": option("other.csv", instead=("FILE",)),
        "--probabilities": option("--probabilities"),
        "--threshold": option("--threshold", "9", needs="tree"),
        "--scores": option("--scores", needs="tree"),
        "--keep": option("--keep", "id"), **OUT, **CSV,
    },
    "score": {
        "tree": option("ensemble.json", instead=("tree.json",)), "data": option("rows2.csv", instead=("FILE",)),
        "--label": option("--label", "flip"), "--epsilon": option("--epsilon", "2"),
        "--delta": option("--delta", "1e-6"), "--tolerate": option("--tolerate", "0"),
        "--confusion": option("--confusion"),
        "--threshold": option("--threshold", "9", needs="tree"),
        "--budget": option("--budget", "new.db"),
        "--by": option("--by", "site", instead=("other.csv",)),
        "--sites": option("--sites", "n,s,w", needs="--by"),
        "--curator": option("--curator", "other.csv", instead=("FILE", "other.csv"),
                            beside=("--curator", "rows2.csv")), **CSV,
        **{name: one._replace(words=(name, f"{one.file}={one.words[-1]}"), beside=one.beside or one.words)
           for name, one in CSV.items() if name != "--json"},
    },
    "certify": {
        "tree": option("tree2.json", instead=("tree.json",)), "data": option("other.csv", instead=("FILE",)),
        "--label": option("--label", "flip"), "--rows": option("--rows", "2"),
        "--target": option("--target", "1/2", instead=("--rows", "1")), "--confidence": option("--confidence", "1/2"),
        **CSV,
    },
    "check-data": {
        "data": option("other.csv", instead=("FILE",)), "--domain": option("--domain", "domain2.json"),
        "--label": option("--label", "back"), **CSV,
    },
    "demo": {
        "--epsilon": option("--epsilon", "2"), "--parties": option("--parties", "4"),
        "--max-depth": option("--max-depth", "2"), "--design": option("--design", "votes"),
        "--features": option("--features", "worst texture"), "--tolerate": option("--tolerate", "0"),
        "--mixed": option("--mixed"), "--seed": option("--seed", "2"), "--repeats": option("--repeats", "2"),
        "--save-derivation": option("--save-derivation", "new"),
        "--overwrite": option("--save-derivation", "old", "--overwrite", beside=("--overwrite",)),
        "--json": option("--json"),
    },
    "show": {
        "file": option("tree2.json", instead=("tree.json",)), "--as": option("--as", "html"),
        "--json": option("--json"),
    },
    "check-derivation": {
        "file": option("tree2.json", instead=("tree.json",)), "--manifest": option("--manifest", "evidence.json"),
        "--budget": option("--budget", "paid.db"), "--json": option("--json"),
    },
    "budget create": {
        "file": option("new2.db", instead=("new.db",)), "--domain": option("--domain", "domain2.json"),
        "--limit": option("--limit", "2"), "--delta": option("--delta", "1e-6"),
        "--colluders": option("--colluders", "1"), "--json": option("--json"),
    },
    "budget evidence": {
        "file": option("paid2.db", instead=("paid.db",)), "--out": option("--out", "new.csv"),
        "--json": option("--json"),
        "--overwrite": option(
            "--out", "old.csv", "--overwrite", instead=("--out", "new.json"), beside=("--overwrite",)
        ),
    },
}  # fmt: skip
OF_ITS_OWN = {"fit", "figures", "verify", "budget"}  # which have other tests; and what has commands below it
OF_ITS_OWN |= {"identity", "identity create", "identity show", "site", "field"}  # test_cli_afield.py
OF_ITS_OWN |= {"audit"}  # tests/cli/test_auditing.py
OF_ITS_OWN |= {"exercise", "sheet", "quiz", "grade"}  # tests/cli/test_teaching.py
OF_ITS_OWN |= {"carry", "carry flare"}  # tests/carriers/test_command.py


def test_no_option_is_left_out():
    commands = dict(_commands(parser()))
    commands |= {f"{name} {below}": made for name in commands for below, made in _commands(commands[name]).items()}
    assert set(commands) == {*OPTIONS, *OF_ITS_OWN} and set(PLAIN) == set(OPTIONS)
    for name, options in OPTIONS.items():
        found = {next(iter(a.option_strings[-1:]), a.dest) for a in commands[name]._actions}
        assert found - {"--help"} == set(options), name


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.chdir(tmp_path_factory.mktemp("together"))
    patch.setattr(fdpedu.cli, "parser", cache(parser))  # making it anew is a quarter of a run
    Path("old").mkdir()
    for name in ("old.csv", "old/derivation.json", "old/manifest.json"):
        Path(name).write_text("kept\n", "utf8")
    for name, spec in (("domain.json", SPEC), ("domain2.json", OTHER)):
        Path(name).write_text(json.dumps(spec), "utf8")
    rows = [[age, "AB"[i % 2].replace("B", "B ü"), ("no", "yes")[age > 900]] for i, age in enumerate(AGES)]
    names = ["age", "ward", "back", "id", "flip", "site"]
    whole = [[*row, i, ("no", "yes")[row[2] == "no"], "nsw"[i % 2]] for i, row in enumerate(rows)]
    write = {"rows": ",", "bangs": "!", "commas": ";", "quotes": ",", "wide": ",", "rows2": ",", "other": ","}
    for name, sign in write.items():
        number = {"commas": lambda age: f"{age}".replace(".", ","), "quotes": lambda age: f"{age:,}".replace(",", "'")}
        chosen = {"rows2": whole[:30], "other": whole[5:]}.get(name, whole)
        lines = [names, *([number.get(name, str)(row[0]), *row[1:]] for row in chosen)]
        text = "\n".join(sign.join(map(str, line)) for line in lines)
        Path(f"{name}.csv").write_text(text, "utf-16" if name == "wide" else "utf8")
    domain = Domain.from_spec(SPEC)
    for k, (tree, budget) in enumerate((("tree.json", "paid.db"), ("tree2.json", "paid2.db")), start=1):
        with Ledger.open(budget, 2, domain=domain) as ledger:
            fit_privatree(
                Party(rows, domain), ledger, epsilon=k, max_depth=k, splits="random", leaves="counts", rng=Rehearsal(k)
            ).save(tree)
    owner = Curator(Party(rows, domain), Ledger(9), Rehearsal(1))
    grown = fit_federated_boosting(owner, nominal_size=len(rows), rounds=1, trees_per_round=1, rng=Rehearsal(1))
    grown.save("ensemble.json")
    assert run("budget", "evidence", "paid.db", "--out", "evidence.json") == 0
    yield
    patch.undo()


def typed(command, *names):
    """The words of a command with these options and what they need; the first one has its file, others stand beside."""
    words, known = list(PLAIN[command]), OPTIONS[command]
    needed = dict.fromkeys(one for name in names for one in (known[name].needs, name) if one)
    for name in needed:
        one = known[name]
        new = one.words if name == names[0] or one.beside is None else one.beside
        places = [words.index(word) for word in one.instead if word in words]
        if places:
            words[places[0] : places[-1] + 1] = new
        else:
            words += new
    file = known[names[0]].file if names else "rows.csv"
    return tuple(file if word == "FILE" else word for word in words)


@cache
def outcome(words):
    """The exit status, what is printed, what is said of what went wrong, and what is written."""
    for name in MADE:
        shutil.rmtree(name) if Path(name).is_dir() else Path(name).unlink(missing_ok=True)
    old = {path: path.read_bytes() for path in (Path("old.csv"), *Path("old").iterdir())}
    if "--budget" in words and "new.db" in words:
        Ledger.open("new.db", 2, domain=Domain.from_spec(SPEC)).close()
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), drawn_from("the same"):
        status = run(*words)
    written = {}
    for path in (*map(Path, MADE), *Path("new").rglob("*"), *old):
        if path.suffix == ".db" and path.exists():
            with Ledger.open(path) as ledger:
                written[path] = ledger.total, ledger.spent, ledger.colluders, ledger.domain.to_text()
        elif path.is_file():
            written[path] = path.read_bytes()
    for path, content in old.items():
        path.write_bytes(content)
    return (status, out.getvalue(), written), err.getvalue()


@pytest.mark.parametrize(("command", "name"), [(command, name) for command in OPTIONS for name in OPTIONS[command]])
def test_an_option_changes_what_a_command_says(command, name):
    one = OPTIONS[command][name]
    plain = typed(command, *filter(None, [one.needs]))
    before = outcome(tuple(one.file if word == "rows.csv" else word for word in plain))[0]
    after, err = outcome(typed(command, name))
    assert after != before and after[0] in (0, 1) and not err.startswith("fdpedu "), err


def may_say_nothing(words, first, name):
    """Nothing stands where something would be written over; a file has no number of thousands; a column said twice."""
    pairs = ("--decimal", "--thousands"), ("--sites", "--by")
    return (name == "--overwrite" and set(words) & set(MADE)) or (first, name) in pairs


SWITCHES = {
    *("--json", "--out", "--overwrite", "--probabilities", "--delta", "--budget", "--by", "--sites", "--curator"),
    *("--target", "--label", "--save-derivation", "--design", "--as", "--manifest", "file"),
}  # what makes a command do something else; others say how much


@pytest.mark.parametrize("command", OPTIONS)
def test_no_option_is_passed_over_beside_another(command, request):
    """Beside each that makes the command do something else; ``--deep``: beside all."""
    found, deep = [], request.config.getoption("--deep")
    for first in OPTIONS[command]:
        if not deep and first not in SWITCHES:
            continue
        for name, other in OPTIONS[command].items():
            words = typed(command, first, name)
            without, _ = outcome(typed(command, first, *filter(None, [other.needs])))
            if name == first or without[0] == 2 or may_say_nothing(words, first, name):
                continue  # what a refused command would have done with one word more is nobody's question
            if outcome(words)[0] == without:
                found.append(" ".join(words))
    assert not found, "\n".join(found)
