"""Derivations by hand and from grown trees are equal; columns are refused; schemas, pictures, manifests, the command
line.
"""

import json
from fractions import Fraction

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Ledger, check_derivation
from fdpedu.accounting.worked.by_hand import Shape, columns_in_parallel, theorem_6
from fdpedu.accounting.worked.columns import exact_factor, most_allowed, success, vote
from fdpedu.claims.accounting import laws_columns as columns
from fdpedu.claims.accounting.laws_manifests import shape
from fdpedu.claims.federations import grow
from fdpedu.claims.strategies import budgets, domains_with_parties, shares
from fdpedu.cli import main
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, Federation, Party
from fdpedu.viz import draw_derivation
from tests.support.accounting import validate


@settings(max_examples=60, deadline=None)
@given(domains_with_parties(), budgets, shares, st.integers(0, 3), st.integers(0, 9), st.booleans(), st.integers(0, 99))
def test_theorem_6_by_hand_is_what_a_grown_tree_derives(case, budget, share, depth, least, unspent, seed):
    """The same JSON, accepted with the same total, complete by the manifest, and both of the published schema."""
    options = {"max_depth": depth, "leaf_share": share, "unspent_to_leaf": unspent}
    tree, federation = grow(case, budget, np.random.default_rng(seed), min_samples_split=least, **options)
    by_hand = theorem_6(case[0], shape(tree.root), epsilon=budget, randomness="seeded generator", **options)
    assert by_hand.content == tree.derivation.content
    manifest = federation.manifest.to_json()
    assert check_derivation(by_hand.to_json(), manifest) == tree.derivation.guarantee
    validate("derivation", tree.derivation.to_json())
    validate("manifest", manifest)


GRID = Domain([Numeric.grid("x", 0, 4, bins=4), Numeric.grid("z", 0, 4, bins=4)], ("a", "b"))
FULL = Shape(0, frozenset({0, 1}), Shape(1, frozenset({0})), Shape(0, frozenset({2})))


def test_equation_3_by_hand():
    """ε = 3, λ = 1/3, d = 2, p = 2: each histogram costs 1/2 and each leaf 1; a branch 2·1 + 1 = 3."""
    derivation = theorem_6(GRID, FULL, epsilon=3, max_depth=2, leaf_share="1/3")
    assert derivation.guarantee == ("pure", 3, 0, 1, 3, True, ("operating system",))
    costs = []
    derivation.total(lambda step: costs.append(step["epsilon"]) or 0)
    assert sorted(costs) == ["1"] * 7  # three nodes, each two releases at 1/2, and four leaves
    each = []
    derivation.total(lambda step: each.append((step["releases"], step["sensitivity"], step["rate"])) or 0)
    assert sorted(each) == [(1, 1, "1")] * 4 + [(2, 1, "1/2")] * 3
    assert "= 2 × 1/2: class × bin histograms of all features, round 1" in derivation.render()
    with pytest.raises(ValueError, match="more than max_depth = 1"):
        theorem_6(GRID, FULL, epsilon=3, max_depth=1)


@settings(max_examples=40, deadline=None)
@given(st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20), st.integers(1, 20))
def test_columns_in_parallel_are_refused_with_the_exact_factor(alpha, m):
    """The checker names the rule and the two columns; in sequence they are more than the budget."""
    claimed = columns_in_parallel(columns.columns(m), 1)
    validate("derivation", claimed.to_json())  # well-formed, and wrong
    if m > 1:
        with pytest.raises(DerivationRefused, match=r"parallel premises 0 and 1 can hold the same record"):
            check_derivation(claimed.to_json())
        claimed.content["proof"].update(epsilon=str(m))
        claimed.content["proof"]["premises"][0].update(rule="sequential", epsilon=str(m))
        with pytest.raises(DerivationRefused, match=f"the total {m} is more than the budget 1"):
            check_derivation(claimed.to_json())
    columns.factor(m, alpha)


def test_the_vote_of_the_columns_beats_what_the_claim_allows():
    """25 columns at α = 3/5: no test of an ε-DP release is right more than 5/8 of the time; the vote is, and exactly
    as often as computed (false alarm below 10⁻⁹ by Hoeffding's bound at 4000 trials).
    """
    alpha, m, rng = Fraction(3, 5), 25, np.random.default_rng(4)
    assert success(alpha, m) > Fraction(9, 10) > most_allowed(alpha) == Fraction(5, 8)
    assert success(alpha, 1) == most_allowed(alpha)
    coins = rng.geometric(0.4, (2, 4000, m)) - 1
    present = rng.integers(0, 2, 4000)
    noisy = 7 + present[:, None] + coins[0] - coins[1]
    right = sum(vote([7] * m, row) == bool(there) for row, there in zip(noisy.tolist(), present, strict=True))
    assert abs(right / 4000 - float(success(alpha, m))) < 0.055


@pytest.mark.parametrize(
    "call",
    [
        lambda: exact_factor(1, 3),
        lambda: exact_factor("1/2", 0),
        lambda: success("1/2", 4),
        lambda: most_allowed(0),
        lambda: vote([], []),
        lambda: vote([1], [1, 2]),
        lambda: columns_in_parallel(GRID, 0),
    ],
)
def test_bad_input_is_refused(call):
    with pytest.raises(ValueError):
        call()


def wrong_shapes():
    good = json.loads(theorem_6(GRID, FULL, epsilon=3, max_depth=2).to_json())
    step = good["proof"]["premises"][0]["premises"][0]
    for key, value in [
        ("epsilon", 0.5), ("epsilon", "0.5"), ("sensitivity", 0), ("sensitivity", True), ("rule", "magic"),
        ("releases", 0), ("releases", True), ("releases", 10**18 + 1), ("releases", "2"),
        ("round", 0), ("region", {"y": [1]}), ("region", {"0": []}), ("region", {"0": [1, 1]}), ("query", ""),
        ("note", "x"),
    ]:  # fmt: skip
        before = dict(step)
        step[key] = value
        yield f"{key}={value}", json.dumps(good)
        step.clear()
        step.update(before)
    for key in list(good):
        yield f"no {key}", json.dumps({k: v for k, v in good.items() if k != key})


@pytest.mark.parametrize(("name", "text"), list(wrong_shapes()))
def test_what_the_schema_refuses_the_checker_refuses(name, text):
    with pytest.raises(jsonschema.ValidationError):
        validate("derivation", text)
    with pytest.raises(DerivationRefused):
        check_derivation(text)


def complete():
    rows = [[1, 2, "a"], [4, 1, "b"]] * 10
    tree, federation = grow((GRID, [rows, rows]), 2, np.random.default_rng(1), max_depth=2, min_samples_split=2)
    return tree.derivation, json.loads(federation.manifest.to_json())


def last(manifest):
    return manifest["rounds"][-1]


INCOMPLETE = {
    "a query without a release": (lambda m: last(m)["queries"].append(last(m)["queries"][0]), "not in the derivation"),
    "a round without releases": (lambda m: m["rounds"].append({**last(m), "round": 99}), "not in the derivation"),
    "a release without its query": (lambda m: last(m)["queries"].pop(), "no query of the manifest"),
    "a round that never was": (lambda m: m["rounds"].pop(), "no query of the manifest"),
    "another rate": (lambda m: last(m)["queries"][0].update(rate="9"), "query and release differ"),
    "another region": (lambda m: last(m)["queries"][0].update(region={"1": [3]}), "query and release differ"),
    "another sensitivity": (lambda m: last(m)["queries"][0].update(sensitivity=2), "query and release differ"),
    "another query": (lambda m: last(m)["queries"][0].update(query="rows"), "query and release differ"),
    "a region unknown": (lambda m: last(m)["queries"][0].update(region={"9": [3]}), "unknown coordinate"),
    "queries swapped": (lambda m: last(m)["queries"].reverse(), "query and release differ"),
    "a round twice": (lambda m: m["rounds"].append(last(m)), "stands there twice"),
    "a stranger answers": (lambda m: last(m)["answers"].append("Eve"), "not asked"),
    "an answer twice": (lambda m: last(m)["answers"].append(last(m)["answers"][0]), "twice"),
    "a float": (lambda m: last(m)["queries"][0].update(rate=0.5), "floats"),
    "an extra key": (lambda m: last(m).update(note="trust me"), "exactly the keys round queries"),
    "no query": (lambda m: last(m).update(queries=[]), "at least one query"),
    "names that are none": (lambda m: last(m).update(answers=[1]), "must be names"),
    "a query that is none": (lambda m: last(m).update(queries=[1]), "exactly the keys query region"),
    "rounds that are none": (lambda m: m.update(rounds={}), "must be a list"),
    "a round that is none": (lambda m: m.update(rounds=[1]), "exactly the keys round queries"),
    "one release for many": (lambda m: last(m)["queries"][0].update(releases=9), "query and release differ"),
    "releases true": (lambda m: last(m)["queries"][0].update(releases=True), "releases must be an integer"),
    "another schema": (lambda m: m.update(schema="fdpedu-manifest/3"), "an object with the schema fdpedu-manifest/2"),
    "an older schema": (lambda m: m.update(schema="fdpedu-manifest/1"), "written by an older version, as fdpedu-man"),
    "no rounds": (lambda m: m.pop("rounds"), "exactly the keys schema rounds"),
}


@pytest.mark.parametrize("name", INCOMPLETE)
def test_manifest_and_derivation_must_match(name):
    derivation, manifest = complete()
    assert check_derivation(derivation.to_json(), json.dumps(manifest)) == derivation.guarantee
    forge, reason = INCOMPLETE[name]
    forge(manifest)
    with pytest.raises(DerivationRefused, match=reason):
        check_derivation(derivation.to_json(), json.dumps(manifest))


@pytest.mark.parametrize("text", ["", "[]", "{", b"{}", 7, "1.5"])
def test_odd_manifests_are_refused(text):
    with pytest.raises(DerivationRefused, match="manifest"):
        check_derivation(complete()[0].to_json(), text)


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
    assert main(["check-derivation", "-", "--manifest", "-"]) == 2
    assert main(["check-derivation", str(derivation), "--manifest", str(folder / "none")]) == 2
    (tmp_path / "file").write_text("")
    assert main(["demo", "--repeats", "1", "--seed", "3", "--save-derivation", str(tmp_path / "file")]) == 2


def test_the_picture_says_what_the_text_says():
    """Every step of the rendered text stands in the picture, with its cost, and in the words for those who listen."""
    derivation = theorem_6(GRID, FULL, epsilon=3, max_depth=2, leaf_share="1/3")
    picture, lines = derivation.draw(caption="Three."), derivation.render().splitlines()
    assert picture.count("<svg") == 3 and "<figcaption>Three.</figcaption>" in picture
    assert f"{len(lines)} steps. Step 1 costs 3: the budget, as regions and costs" in picture
    assert f"Step {len(lines)}, under it costs" in picture


@pytest.mark.parametrize(
    ("root", "title"),
    [
        ({}, "t"),
        ({"cost": "1", "text": "x", "share": 2, "below": []}, "t"),
        ({"cost": "1", "text": "x", "share": 1, "below": []}, " "),
        (
            {
                "cost": "1",
                "text": "x",
                "share": 1,
                "below": [{"cost": "1", "text": "x", "share": 1, "below": []}] * 400,
            },
            "t",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(root, title):
    with pytest.raises(ValueError):
        draw_derivation(root, title=title)
