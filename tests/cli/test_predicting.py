"""Predictions on the command line: no two columns, and no two keys of an answer, share a name."""

import csv
import io
import itertools
import json
from pathlib import Path

import pytest

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain
from fdpedu.federation import Federation, Party
from fdpedu.trees import fit_federated_tree
from tests.support.two_sites import SITES, run, write_two_sites

CLASSES = [
    ["no", "yes"], ["class", "other"], ["id", "x"], [1, "1"], [True, "True", "class"], [1.5, "1.5"],
    ["probability of 'id'", "id"],
]  # fmt: skip
KEPT = [[], ["id"], ["class"], ["id", "id"], ["x", "id"], ["probability of 'id'"], ["probability of 1", "1"]]


def unique(pairs):
    found = dict(pairs)
    assert len(found) == len(pairs), pairs
    return found


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A tree for each list of classes, and rows that have each name as a column."""
    folder, patch = tmp_path_factory.mktemp("models"), pytest.MonkeyPatch()
    patch.chdir(folder)
    for k, classes in enumerate(CLASSES):
        domain = Domain.from_spec({"features": {"age": [0, 10, 2]}, "classes": classes})
        parties = [Party([[3], [8]], domain, labels=classes[:2], name=name) for name in "ab"]
        tree = fit_federated_tree(Federation(parties, domain, Ledger(9)), max_depth=1, design="default")
        tree.save(f"{k}.json")
    names = ["age", *sorted({name for names in KEPT for name in names})]
    for row in ("head", "3", "8"):
        with open("rows.csv", "a", newline="", encoding="utf8") as file:
            csv.writer(file).writerow(names if row == "head" else [row, *(f"{row} {name}" for name in names[1:])])
    yield folder
    patch.undo()


@pytest.mark.parametrize("shares", [[], ["--probabilities"]])
def test_every_column_has_a_name_of_its_own(models, capsys, shares):
    """Kept, answer and shares, as text and JSON: all are there, or the option that asks for a second one is named."""
    refused = 0
    for k, keep in itertools.product(range(len(CLASSES)), KEPT):
        command = ["predict", f"{k}.json", "rows.csv", *shares, *(word for name in keep for word in ("--keep", name))]
        capsys.readouterr()
        status, said = run(*command), capsys.readouterr()
        if status:
            refused += 1
            twice = next(name for name in keep if f"--keep {name}: " in said.err)
            assert keep.count(twice) == 2 or twice in ["class", *map(str, CLASSES[k])] or "probability of" in twice
            assert not said.out and status == 2 == run(*command, "--json")
            continue
        head, *rows = csv.reader(io.StringIO(said.out))
        assert len(set(head)) == len(head) == len(keep) + 1 + len(CLASSES[k]) * bool(shares)
        assert [row[: len(keep)] for row in rows] == [[f"{age} {name}" for name in keep] for age in (3, 8)]
        assert run(*command, "--json") == 0
        again = json.loads(capsys.readouterr().out, object_pairs_hook=unique)
        assert [list(row) for row in again] == [head] * 2
        assert [list(map(str, row.values())) for row in again] == rows
    assert 10 < refused < len(CLASSES) * len(KEPT) / 2


def test_a_share_is_called_as_its_class_is_unless_that_is_taken(models, capsys):
    for k, names in ((0, ["no", "yes"]), (1, ["probability of 'class'", "probability of 'other'"]),
                     (3, ["probability of 1", "probability of '1'"])):  # fmt: skip
        assert run("predict", f"{k}.json", "rows.csv", "--probabilities") == 0
        assert next(csv.reader(io.StringIO(capsys.readouterr().out))) == ["class", *names]


def test_no_answer_has_a_key_twice_or_loses_one(tmp_path, monkeypatch, capsys):
    """Of every command with --json: what a document holds stands in what is shown of it."""
    monkeypatch.chdir(tmp_path)
    write_two_sites()
    fit = ("fit", "--domain", "domain.json", "--label", "back", "--epsilon", "1/2", "--max-depth", "1", *SITES)
    files = {"tree": "t.json", "manifest": "m.json", "derivation": "d.json", "domain": "domain.json", "budget": "b.db"}
    commands = [
        (*fit, "--out", "t.json", "--manifest", "m.json"),
        ("score", "t.json", "--label", "back", "--epsilon", "1/4", "--budget", "b.db", *SITES),
        ("check-data", "--domain", "domain.json", "--label", "back", *SITES),
        ("check-derivation", "t.json"), ("budget", "create", "n.db", "--domain", "domain.json", "--limit", "1"),
    ]  # fmt: skip
    for command in commands:
        assert run(*command, "--json") == 0
        if command[0] == "fit":
            document = json.loads(Path("t.json").read_text("utf8"))
            Path("d.json").write_text(json.dumps(document["derivation"]), "utf8")
    for kind, file in files.items():
        capsys.readouterr()
        assert run("show", file, "--json") == 0
        shown = json.loads(capsys.readouterr().out, object_pairs_hook=unique)
        assert shown["kind"] == kind
        if kind in ("manifest", "derivation"):
            document = json.loads(Path(file).read_text("utf8"))
            assert {name: shown[name] for name in document} == document
