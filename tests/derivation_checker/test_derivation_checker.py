"""The checker accepts valid derivations with their exact totals; it reads stored files, and says what is guaranteed."""

import ast
import json
import sys
from fractions import Fraction
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fdpedu.derivation_checker
from fdpedu.accounting import Charge, Ledger
from fdpedu.accounting.worked.by_hand import Shape, theorem_6
from fdpedu.claims.accounting.checker import worst_record
from fdpedu.claims.accounting.derivations import walk
from fdpedu.cli import main
from fdpedu.derivation_checker import RELATION, DerivationRefused, Guarantee, check_derivation
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassCounts, Federation, Party
from tests.support.accounting import from_a_stack, validate
from tests.support.checked import DOCUMENT, nested, release, said, spending, step
from tests.support.derivations import documents


@given(documents)
def test_valid_derivations_are_accepted_with_the_exact_total(pair):
    content, total = pair
    proved = ("pure", total, 0, content["colluders"], total, True, ("operating system",))
    assert check_derivation(json.dumps(content))[:7] == proved


@given(documents)
def test_a_dropped_premise_is_refused_or_costs_nothing(pair):
    """A rule without its first premise is refused, unless the sum or maximum is the same without it."""
    content, _ = pair
    rules = [s for s in walk(content["proof"]["premises"][0]) if len(s.get("premises", [])) > 1]
    if rules:
        dropped = Fraction(rules[0]["premises"].pop(0)["epsilon"])
        if rules[0]["rule"] == "sequential" or dropped > max(Fraction(p["epsilon"]) for p in rules[0]["premises"]):
            with pytest.raises(DerivationRefused, match="rule gives"):
                check_derivation(json.dumps(content))


@pytest.mark.claim("thm-checker-sound")
def test_what_is_guaranteed_is_the_budget_and_not_this_run():
    """A second count whose cost depends on the first: the cheap run proves what it spent, and guarantees the budget.

    Over all runs together the worst ratio is that of the dear one, which nothing in the cheap one's text tells.
    """
    domain, run = Domain([Categorical("ward", ("A", "B"))], (0, 1)), {}
    for first, second in ((2, 1), (0, 6)):  # a noisy count of 2 or more: again ε = 1; else ε = 6
        ledger = Ledger(7, domain=domain)
        for epsilon in (1, second):
            ledger.charge([Charge(domain.everything, Fraction(epsilon), "a count", "discrete Laplace", 1, "c")])
        run[first] = ledger.derivation().guarantee
    assert (run[2].spent, run[0].spent) == (2, 7) and run[2].value == run[0].value == 7
    assert str(run[2]).endswith("; in this run no record paid more than 2")


def test_a_full_stack_is_no_crash():
    """From a stack that is nearly full a deep text is refused by name, and never by a RecursionError."""
    text, said = json.dumps(nested(190)), set()

    def action():
        try:
            return str(check_derivation(text))
        except DerivationRefused as refusal:
            return str(refusal)

    for frames in range(0, sys.getrecursionlimit() - 250, 50):
        said.add(from_a_stack(frames, action))
    assert any("differentially private" in each for each in said)
    assert any("nested too deeply" in each for each in said) and len(said) <= 3


def test_it_imports_nothing_of_the_package():
    source = ast.parse(Path(fdpedu.derivation_checker.__file__).read_text("utf8"))
    modules = {n.module or "" for n in ast.walk(source) if isinstance(n, ast.ImportFrom)}
    modules |= {alias.name for n in ast.walk(source) if isinstance(n, ast.Import) for alias in n.names}
    assert modules == {
        "__future__",
        "dataclasses",
        "decimal",
        "fractions",
        "functools",
        "itertools",
        "json",
        "math",
        "re",
        "typing",
    }


SYSTEM, SEEDED = ("operating system",), ("seeded generator",)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=5), st.sampled_from(["sequential", "parallel"]))
def test_promised_colluders_and_the_rule_s_own_total(colluders, rule):
    """A release withstands as many as are promised, or more; a step names what is less than around it."""
    premises = [release(1, i, {"0": [i]}, (1, 1, f"{i}/7"), n, f"{i}/7") for i, n in enumerate(colluders, 1)]
    costs = [Fraction(i, 7) for i, _ in enumerate(colluders, 1)]
    total = sum(costs) if rule == "sequential" else max(costs)
    claimed = {"measure": "pure", "value": str(total), "delta": "0", "colluders": min(colluders)}
    proof = step(rule, str(total), *premises, region={"0": [1, 2, 3, 4, 5], "class": [0, 1]})
    document = {**DOCUMENT, "budget": "3", "colluders": min(colluders), "proof": proof, "guarantee": claimed}
    assert said(document)[:6] == ("pure", total, 0, min(colluders), total, False)
    document["colluders"] = claimed["colluders"] = min(colluders) + 1
    assert f"it withstands {min(colluders)} of the {min(colluders) + 1} colluders" in said(document)


@pytest.mark.parametrize(
    ("colluders", "spent", "adaptive", "randomness", "more"),
    [
        (0, 1, True, SYSTEM, "0 colluders"),
        (1, 1, True, SYSTEM, "1 colluder"),
        (2, Fraction(1, 2), True, SYSTEM, "2 colluders; in this run no record paid more than 1/2"),
        (1, 1, False, SYSTEM, "1 colluder; regions and costs were fixed beforehand"),
        (1, 1, True, SEEDED, "1 colluder; the noise was seeded: a rehearsal, not a release"),
        (1, 1, True, ("rehearsal",), "1 colluder; the noise was a stand-in's: a rehearsal, not a release"),
        (1, 1, True, SYSTEM + SEEDED, "1 colluder; the noise was seeded: a rehearsal, not a release"),
        (0, Fraction(1, 3), False, SEEDED, "0 colluders; in this run no record paid more than 1/3; regions and costs "
         "were fixed beforehand; the noise was seeded: a rehearsal, not a release"),
    ],
)  # fmt: skip
def test_a_guarantee_in_words(colluders, spent, adaptive, randomness, more):
    said_aloud = str(Guarantee("pure", Fraction(1), Fraction(0), colluders, Fraction(spent), adaptive, randomness))
    assert said_aloud == f"1-differentially private ({RELATION}), with {more}"


def test_what_is_said_aloud_is_what_was_read():
    """Both caveats are of the text: without the adaptive step, and with seeded noise, they are said."""
    assert said(DOCUMENT).adaptive and said(DOCUMENT).randomness == SYSTEM + SEEDED
    fixed = spending("1", budget="2")
    assert not said(fixed).adaptive
    assert str(said({**fixed, "randomness": [*SYSTEM]})).endswith(
        "0 colluders; regions and costs were fixed beforehand"
    )
    assert said({**fixed, "randomness": [*SYSTEM]}).randomness == SYSTEM


DATA = Path(__file__).parent / "data"


def stored(name):
    return (DATA / name).read_text("utf8")


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_older_files_are_refused_by_name(version):
    """A derivation as that version wrote it."""
    text = stored(f"derivation-{version}.json")
    with pytest.raises(
        DerivationRefused, match=f"it is fdpedu-derivation/{version}, which an early fdpedu 0.1.0 wrote"
    ):
        check_derivation(text)
    with pytest.raises(jsonschema.ValidationError):
        validate("derivation", text)


@pytest.mark.parametrize(("derivation", "version"), [(2, 1), (5, 2)])
def test_an_older_manifest_is_refused_by_name(derivation, version):
    """Version 2 of a derivation came with version 1 of a manifest, and version 5 with version 2."""
    manifest = stored(f"manifest-of-derivation-{derivation}.json")
    older = f"manifest: it is fdpedu-manifest/{version}, which an early fdpedu 0.1.0 wrote, and reads; this checker"
    with pytest.raises(DerivationRefused, match=older):
        check_derivation(stored("derivation-6.json"), manifest)
    with pytest.raises(jsonschema.ValidationError):
        validate("manifest", manifest)


def test_a_file_of_this_version_is_read():
    """Stored once: what it proves stays the same, and both files are of the published schemas."""
    text, manifest = stored("derivation-6.json"), stored("manifest-of-derivation-6.json")
    assert check_derivation(text, manifest)[:7] == ("pure", 4, 0, 1, 4, True, ("seeded generator",))
    validate("derivation", text)
    validate("manifest", manifest)
    assert worst_record(json.loads(text)) == 4


GRID = Domain([Numeric.grid("x", 0, 4, bins=4), Numeric.grid("z", 0, 4, bins=4)], ("a", "b"))
FULL = Shape(0, frozenset({0, 1}), Shape(1, frozenset({0})), Shape(0, frozenset({2})))


def wrong_shapes():
    good = json.loads(theorem_6(GRID, FULL, epsilon=3, max_depth=2).to_json())
    step = good["proof"]["premises"][0]["premises"][0]
    for key, value in [
        ("epsilon", 0.5), ("epsilon", "0.5"), ("sensitivity", 0), ("sensitivity", True), ("rule", "magic"),
        ("releases", 0), ("releases", True), ("releases", 10**18 + 1), ("releases", "2"),
        ("round", 0), ("region", {"y": [1]}), ("region", {"0": []}), ("region", {"0": [1, 1]}), ("query", ""),
        ("note", "x"), ("type", ""), ("type", 7), ("type", "Class-counts"), ("parameters", []),
        ("parameters", {"Feature": 1}), ("parameters", {"feature": True}), ("parameters", {"feature": "x" * 201}),
    ]:  # fmt: skip
        before = dict(step)
        step[key] = value
        yield f"{key}={value}", json.dumps(good)
        step.clear()
        step.update(before)
    for key in sorted(good.keys() - {"program"}):
        yield f"no {key}", json.dumps({k: v for k, v in good.items() if k != key})


@pytest.mark.parametrize(("name", "text"), list(wrong_shapes()))
def test_what_the_schema_refuses_the_checker_refuses(name, text):
    with pytest.raises(jsonschema.ValidationError):
        validate("derivation", text)
    with pytest.raises(DerivationRefused):
        check_derivation(text)


def test_a_query_outside_the_ledger_is_noticed():
    """Who asks the parties behind the ledger's back leaves a query without a release."""
    rows = [[1, 2, "a"]]
    f = Federation([Party(rows, GRID), Party(rows, GRID)], GRID, Ledger(1), rng=np.random.default_rng(2))
    f.release([ClassCounts(GRID.everything, "1/2")])
    before = f.ledger.derivation().to_json()
    f.release([ClassCounts(GRID.everything, "1/2")])
    with pytest.raises(DerivationRefused, match="round 2, index 1: the manifest has a query whose release"):
        check_derivation(before, f.manifest.to_json())


def test_the_command_line_checks_completeness(tmp_path, capsys):
    """demo writes both files; they are accepted, with completeness; a shortened manifest is refused with status 1."""
    folder = tmp_path / "out"
    assert main(["demo", "--repeats", "1", "--seed", "3", "--save-derivation", str(folder)]) == 0
    derivation, manifest = folder / "derivation.json", folder / "manifest.json"
    capsys.readouterr()
    assert main(["check-derivation", str(derivation), "--manifest", str(manifest)]) == 0
    out = capsys.readouterr().out
    assert "complete" in out and "the manifest is complete" in out and "list of releases" not in out
    assert main(["check-derivation", str(derivation)]) == 0
    assert "the list of releases is complete" in capsys.readouterr().out
    content = json.loads(manifest.read_text("utf8"))
    content["rounds"].pop()
    manifest.write_text(json.dumps(content), "utf8")
    assert main(["check-derivation", str(derivation), "--manifest", str(manifest)]) == 1
    assert "refused" in capsys.readouterr().out
    for file, manifests in (("-", ["--manifest", "-"]), (str(derivation), ["--manifest", "-"] * 2)):
        assert main(["check-derivation", file, *manifests]) == 2
        assert "only one of the files can be standard input" in capsys.readouterr().err
    assert main(["check-derivation", str(derivation), "--manifest", str(folder / "none")]) == 2
    (tmp_path / "file").write_text("")
    assert main(["demo", "--repeats", "1", "--seed", "3", "--save-derivation", str(tmp_path / "file")]) == 2
