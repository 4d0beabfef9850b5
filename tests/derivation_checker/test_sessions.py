"""Positions of parties are those of one session: two honest sessions make no cheap document, whatever is forged."""

# Longer than 400 lines because each forgery is shown with and without the manifest that gives it away.

import copy
import itertools
import json
import random
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest

from fdpedu import files
from fdpedu.accounting import Charge, Ledger
from fdpedu.claims.accounting.derivations import releases, restated, walk
from fdpedu.derivation_checker import AXIOMS, AXIOMS_WITH_MANIFEST, DerivationRefused, axioms_with, check_derivation
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassCounts, DesignedSplit, Federation, Manifest, NodeHistograms, Party
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Tree, fit_federated_tree
from tests.support.accounting import validate
from tests.support.checked import MONDAY, TUESDAY

DATA = Path(__file__).parent / "data"
AGES = Domain([Numeric.grid("age", 0, 4, bins=4)], ("n", "y"))
ALL, YOUNG, OLD = AGES.everything, AGES.everything.restrict(0, {0, 1}), AGES.everything.restrict(0, {2, 3})


def parties(k):
    return [Party([[i % 4 + 0.5, "ny"[i % 2]] for i in range(8 + j)], AGES, name=f"clinic {j}") for j in range(k)]


def two_sessions():
    """[A, B] where A designs, and [B, A] where A designs again: A has paid twice, and the ledger says 2."""
    a, b = parties(2)
    ledger, manifests = Ledger(5), []
    for members, designer in (((a, b), 0), ((b, a), 1)):
        f = Federation(members, AGES, ledger, rng=Rehearsal(1))
        f.release([DesignedSplit(ALL, 1, designer)], "one account")
        manifests.append(f.manifest)
    assert ledger.spent == 2
    return ledger.derivation().content, manifests


def side_by_side(content):
    """The costs of the forged union: all releases in parallel, and what is stated as it follows."""
    forged = copy.deepcopy(content)
    parts = [{**step, "region": step["region"]} for step in releases(forged)]
    forged["proof"] = {"rule": "parallel", "epsilon": "", "region": {}, "premises": parts}
    return restated(forged)


def refusal(content, manifest=None):
    with pytest.raises(DerivationRefused) as caught:
        check_derivation(json.dumps(content), None if manifest is None else manifest.to_json())
    return str(caught.value)


@pytest.mark.claim("thm-checker-sound", "lem-party-coordinate")
def test_two_honest_sessions_make_no_cheap_document():
    """Side by side they are refused; and with the manifests so is a document that makes one session of them."""
    content, manifests = two_sessions()
    joined = Manifest.joined(manifests)
    assert check_derivation(json.dumps(content), joined.to_json()).spent == 2
    assert [entry["receivers"] for entry in joined.rounds] == [
        entry["receivers"] for m in manifests for entry in m.rounds
    ]
    forged = side_by_side(content)
    for manifest in (None, joined):
        assert "parallel premises 0 and 1 can hold the same record" in refusal(forged, manifest)
    first, second = (entry["session"] for entry in joined.rounds)
    one = json.loads(json.dumps(forged).replace(second, first))
    assert check_derivation(json.dumps(one)).spent == 1  # a lie about what was asked, which a manifest shows
    assert "round 2, index 1: query and release differ" in refusal(one, joined)
    as_one = Manifest(json.loads(joined.to_json().replace(second, first)))
    assert "one list of parties" in refusal(one, as_one)


@pytest.mark.claim("lem-party-coordinate")
def test_a_designed_split_stands_on_its_designer_and_other_types_on_no_party():
    """A rotating tree whose levels are moved to other parties is refused, as a document and as a tree's."""
    federation = Federation(parties(2), AGES, Ledger(1), rng=Rehearsal(1))
    tree = fit_federated_tree(federation, max_depth=2, design="rotating", rng=Rehearsal(2))
    name = f"party {federation.session}"
    content = json.loads(tree.derivation.to_json())
    for step in releases(content):
        if "designer" in step["parameters"]:
            step["region"][name] = [step["region"].get(name, [0])[0] + 2]
    assert "no other than its designer's" in refusal(restated(content))
    document = json.loads(tree.to_json())
    del document["schema"], document["digest"]
    with pytest.raises(ValueError, match="no other than its designer's"):
        Tree.from_json(files.dumps("fdpedu-tree/2", {**document, "derivation": content}))
    ledger = Ledger(1, domain=AGES)
    ledger.charge([ClassCounts(ALL, 1).charge(AGES, 0, "operating system")])
    counts = json.loads(ledger.derivation().to_json())
    for region in ({f"party {MONDAY}": [0]}, {f"party {MONDAY}": [0, 1], "0": [1]}):
        releases(counts)[0]["region"] = region
        assert "only a designed-split may stand on a party's position" in refusal(counts)
    with pytest.raises(ValueError, match="region must be of all parties"):
        Charge(ALL.of_party({0}, MONDAY), 1, "counts", "noise", 1, "c", type="class-counts")
    for parameters, parties_there in (
        ({"designer": 1}, {0}),
        ({"designer": 0}, {0, 1}),
        ({}, {0}),
        ({"designer": "0"}, {0}),
    ):
        with pytest.raises(ValueError, match="of the designer alone"):
            region = ALL.of_party(parties_there, MONDAY)
            Charge(region, 1, "q", "noise", 1, "c", type="designed-split", parameters=tuple(parameters.items()))


def test_positions_of_two_sessions_are_in_no_region():
    ledger = Ledger(1, domain=AGES)
    ledger.charge([Charge(ALL.of_party({0}, MONDAY), 1, "q", "noise", 1, "c")])
    content = json.loads(ledger.derivation().to_json())
    releases(content)[0]["region"][f"party {TUESDAY}"] = [1]
    assert "positions of parties in two sessions" in refusal(content)


def in_rho(tolerate=1, missing=0):
    federation = Federation(
        parties(4), AGES, Ledger(1, delta=1e-6), rng=Rehearsal(3), tolerate=tolerate, missing=missing
    )
    fit_federated_tree(federation, max_depth=1, rng=Rehearsal(4))
    return json.loads(federation.ledger.derivation().to_json()), json.loads(federation.manifest.to_json())


@pytest.mark.claim("thm-manifest-complete")
@pytest.mark.parametrize(("tolerate", "missing"), [(0, 0), (1, 0), (2, 1), (3, 0)])
def test_shares_and_what_they_cost_are_compared(tolerate, missing):
    """Whatever of it is changed alone is refused; of both, what so many shares cannot withstand or cost."""
    content, manifest = in_rho(tolerate, missing)
    validate("manifest", json.dumps(manifest))
    assert check_derivation(json.dumps(content), json.dumps(manifest)).colluders == tolerate - missing
    shares = 4 - tolerate

    def refused(key, value, of_both=False):
        forged = copy.deepcopy(manifest)
        for entry in forged["rounds"]:
            for query in entry["queries"]:
                if key == "xi" and of_both:
                    query["xi"] = value
            if key != "xi":
                entry[key] = value
        own = copy.deepcopy(content)
        if key == "xi":
            for step in walk(own["proof"]):
                if step["rule"] != "adaptive":
                    step["xi"] = value
        return refusal(own, Manifest(forged))

    if shares > 1:
        assert "differ in ξ" in refused("xi", "0")
        assert "shares of noise cost more than ξ = 0" in refused("xi", "0", of_both=True)
    assert "its shares withstand" in refused("shares", shares + 1) or shares == 4
    assert "its shares withstand" in refused("missing", missing + 1) or "there are no" in refused(
        "missing", missing + 1
    )
    for key in ("session", "shares", "missing"):
        left_out = copy.deepcopy(manifest)
        del left_out["rounds"][0][key]
        assert "exactly the keys" in refusal(content, Manifest(left_out))


def test_documents_of_0_1_0_are_read_where_that_is_sound():
    """One without positions of parties, with its manifest; one with positions is refused, and told who reads it."""
    text, manifest = (
        (DATA / name).read_text("utf8") for name in ("derivation-7.json", "manifest-of-derivation-7.json")
    )
    assert check_derivation(text, manifest).measure == "concentrated"
    validate("derivation", text)
    validate("manifest", manifest)
    with pytest.raises(
        DerivationRefused, match=r"of no session that it names: fdpedu 0\.1\.0 wrote it so, and reads it"
    ):
        check_derivation((DATA / "derivation-of-parties-7.json").read_text("utf8"))


# --- A random forger ---


def honest():
    """Rounds of three sessions of the same clinics in other orders, with choices and counts, and what they cost."""
    a, b, c = parties(3)
    ledger, manifests = Ledger(50), []
    for members in ((a, b, c), (b, a, c), (c, b, a)):
        f = Federation(members, AGES, ledger, rng=Rehearsal(5))
        f.release([DesignedSplit(ALL, 1, 0)], "tree")
        f.release([DesignedSplit(YOUNG, "1/2", 1), DesignedSplit(OLD, "1/3", 2)], "tree")
        f.release([NodeHistograms(YOUNG, "1/4"), ClassCounts(OLD, "1/5")], "counts")
        manifests.append(f.manifest)
    return json.loads(ledger.derivation().to_json()), Manifest.joined(manifests)


def paid(regions_and_costs):
    """The most that one record pays: by going through all codes, classes, and positions in each session."""
    names = sorted({name for region, _ in regions_and_costs for name in region if name.startswith("party")})
    ranges = [range(4), range(2), *(range(5) for _ in names)]
    every = ["0", "class", *names]
    whole = {"0": range(4), "class": range(2)}
    return max(
        sum(
            cost
            for region, cost in regions_and_costs
            if all(z in region.get(name, whole.get(name, range(256))) for name, z in zip(every, record, strict=True))
        )
        for record in itertools.product(*ranges)
    )


def regions_of(step, around):
    here = {**around, **step["region"]}
    if step["rule"] == "release":
        yield here, Fraction(step["epsilon"])
    for premise in step.get("premises", []):
        yield from regions_of(premise, here)


def forged(content, chance):
    """One to three changes; sums, budget and guarantee follow, so that nothing but the rules can refuse."""
    content = copy.deepcopy(content)
    steps = list(walk(content["proof"]))[1:]
    leaves = releases(content)
    names = sorted({name for step in steps for name in step["region"] if name.startswith("party")})
    for _ in range(chance.randint(1, 3)):
        step, leaf, rule = (
            chance.choice(steps),
            chance.choice(leaves),
            chance.choice([s for s in steps if "premises" in s]),
        )
        change = chance.randrange(9)
        if change == 0:
            leaf["region"] = {chance.choice(names): [chance.randrange(3)]}
        elif change == 1:
            leaf["parameters"]["designer"] = chance.randrange(3)
            leaf["region"][chance.choice(names)] = [leaf["parameters"]["designer"]]
        elif change == 2:
            rule["rule"] = chance.choice(["parallel", "sequential", "adaptive"])
        elif change == 3:
            step["region"] = chance.choice(steps)["region"]
        elif change == 4:
            step["region"].pop(chance.choice([*step["region"], ""]), None)
        elif change == 5:
            leaf["rate"] = str(Fraction(leaf["rate"]) / chance.randint(2, 4))
        elif change == 6:
            leaf["type"] = chance.choice(["by-hand", "designed-split", "class-counts"])
        elif change == 7:
            chance.shuffle(rule["premises"])
            if len(rule["premises"]) > 1:
                moved = rule["premises"].pop()
                others = [s for s in walk(moved)]
                places = [s for s in steps if "premises" in s and all(s is not other for other in others)]
                chance.choice(places)["premises"].append(moved)
        else:
            step["region"][chance.choice([*names, f"party {MONDAY}", "0", "class", "5"])] = [chance.randrange(4)]
    if chance.random() < 0.3:
        flat = [{**step, "region": {name: sorted(codes) for name, codes in region.items()}}
                for step, (region, _) in zip(leaves, regions_of(content["proof"], {}), strict=True)]  # fmt: skip
        content["proof"] = {"rule": "parallel", "epsilon": "", "region": {}, "premises": flat}
    return restated(content)


@pytest.mark.claim("thm-checker-sound", "thm-manifest-complete")
def test_a_random_forger_gets_nothing_below_the_honest_cost():
    """Alone a document is accepted only if no record pays more than it says; with a manifest, if none has paid more."""
    content, manifest = honest()
    truth = [
        (query["region"], query["releases"] * query["sensitivity"] * Fraction(query["rate"]))
        for entry in manifest.rounds
        for query in entry["queries"]
    ]
    least, chance, accepted = paid(truth), random.Random(59), [0, 0]
    assert least <= check_derivation(json.dumps(content), manifest.to_json()).spent
    for _ in range(1500):
        document = forged(content, chance)
        text = json.dumps(document)
        for at, evidence in enumerate((None, manifest.to_json())):
            try:
                found = check_derivation(text, evidence)
            except DerivationRefused:
                continue
            accepted[at] += 1
            assert found.spent >= (least if at else paid(list(regions_of(document["proof"], {}))))
    assert accepted[0] > 50 and accepted[1] > 5  # some changes are harmless: so it is not refused whatever it is


# --- Forged in both files alike, so that release and query do not differ ---


def in_both(content, manifest, change):
    """The same change of each release and of its query; sums follow."""
    forged, rounds = copy.deepcopy(content), copy.deepcopy(manifest.content)
    asked = {(entry["round"], i): q for entry in rounds["rounds"] for i, q in enumerate(entry["queries"], 1)}
    for step in releases(forged):
        for one in (step, asked[step["round"], step["index"]]):
            change(one, step["round"])
    return restated(forged), Manifest(rounds)


def rotating(k=2):
    federation = Federation(parties(k), AGES, Ledger(1), rng=Rehearsal(1))
    tree = fit_federated_tree(federation, max_depth=4, design="rotating", rng=Rehearsal(2))
    return tree, federation.manifest, f"party {federation.session}"


@pytest.mark.claim("thm-manifest-complete")
@pytest.mark.parametrize("designer", [2, 3, 255, 10**18, -1, "0", None])
def test_a_designer_is_one_of_the_parties(designer):
    """Whoever else is named, and whether or not the query stands on a position: the round has two receivers."""
    tree, manifest, at = rotating()
    on_all = []

    def moved(one, number):
        if one["type"] == "designed-split":
            one["parameters"]["designer"] = designer
            one["region"] = {**one["region"], at: [designer]} if not on_all and designer in (2, 3, 255) else {}
            if designer is None:
                del one["parameters"]["designer"]

    for _ in range(2):
        content, forged = in_both({**tree.derivation.content, "proof": flat(tree.derivation.content)}, manifest, moved)
        assert "designer" in refusal(content, forged)
        on_all.append(True)


def flat(content):
    """All releases in sequence, each with its whole region."""
    steps = [
        {**step, "region": {name: sorted(codes) for name, codes in region.items()}}
        for step, (region, _) in zip(releases(content), regions_of(content["proof"], {}), strict=True)
    ]
    below = {"rule": "sequential", "epsilon": "", "region": {}, "premises": steps}
    return {"rule": "adaptive", "epsilon": "", "region": {}, "premises": [below]}


def test_a_tree_of_two_parties_has_no_third_designer():
    """Levels that two designed in turn, given to more: refused, and also where nobody says how many there were."""
    tree, _, at = rotating()
    document = json.loads(tree.to_json())
    content = {**document["derivation"], "proof": flat(document["derivation"])}
    for step in releases(content):
        if step["type"] == "designed-split":
            step["parameters"]["designer"] = step["round"] + 1
            step["region"][at] = [step["round"] + 1]
    restated(content)
    for key in ("schema", "digest", "program"):
        document.pop(key, None)
    check_derivation(json.dumps(content))  # alone it does not say how many parties there were
    for n_parties in ({"n_parties": 2}, {}):
        less = {key: value for key, value in document.items() if key != "n_parties"}
        text = files.dumps("fdpedu-tree/2", {**less, **n_parties, "derivation": content})
        with pytest.raises(ValueError, match=r"that party \d designed, and n_parties is"):
            Tree.from_json(text)


@pytest.mark.claim("thm-manifest-complete")
def test_what_was_charged_by_hand_is_no_query_of_a_federation():
    ledger = Ledger(1)
    f = Federation(parties(2), AGES, ledger, rng=Rehearsal(1))
    for _ in range(2):
        f.release([ClassCounts(ALL, "1/4")], "counts")
    content, manifest = ledger.derivation().content, f.manifest

    def relabelled(one, number):
        one["type"], one["region"] = "by-hand", {f"party {f.session}": [number - 1]}

    for change in (relabelled, lambda one, number: one.update(type="by-hand")):
        forged, both = in_both(content, manifest, change)
        assert check_derivation(json.dumps(forged))  # alone it may be
        assert "the type by-hand is no query of a federation" in refusal(forged, both)


@pytest.mark.claim("thm-manifest-complete")
def test_a_manifest_without_sessions_is_one_of_fdpedu_0_1_0_and_rests_on_an_axiom_more():
    content, manifest = in_rho()
    bare = copy.deepcopy(manifest)
    for entry in bare["rounds"]:
        for key in ("session", "shares", "missing"):
            del entry[key]
        for query in entry["queries"]:
            del query["xi"]
    for some in (bare, {**manifest, "rounds": [*manifest["rounds"][:-1], bare["rounds"][-1]]}):
        assert "exactly the keys round queries receivers answers session shares missing" in refusal(
            content, Manifest(some)
        )
        with pytest.raises(jsonschema.ValidationError):
            validate("manifest", json.dumps(some))
    for version in (3, 4):
        older = {**bare, "schema": f"fdpedu-manifest/{version}"}
        assert check_derivation(json.dumps(content), json.dumps(older))
        assert "they were not compared" in axioms_with(json.dumps(older))[-1]
        for entry in ({**bare["rounds"][0], **extra} for extra in ({"session": MONDAY}, {"shares": 1, "missing": 0})):
            forged = {**older, "rounds": [entry, *bare["rounds"][1:]]}
            assert "exactly the keys round queries receivers answers" in refusal(content, Manifest(forged))
            with pytest.raises(jsonschema.ValidationError):
                validate("manifest", json.dumps(forged))
    joined = Manifest.joined(
        [
            Manifest({**older, "rounds": older["rounds"][:1]}),
            Manifest({**manifest, "rounds": manifest["rounds"][1:]}),
        ]
    )
    assert joined.content == {**older, "program": joined.content["program"]}
    assert axioms_with(json.dumps(manifest)) == AXIOMS_WITH_MANIFEST and axioms_with(None) == AXIOMS


@pytest.mark.claim("thm-checker-sound")
def test_no_region_of_fdpedu_0_1_0_names_a_party():
    """Neither that of a release, nor that of a rule, nor that of a query; with or without the other file."""
    tree, manifest, at = rotating()
    content = tree.derivation.content
    older = "a region names a party, and those of fdpedu 0.1.0, as the schema is, do not"
    for version in (6, 7):
        for evidence in (None, manifest):
            assert older in refusal({**content, "schema": f"fdpedu-derivation/{version}"}, evidence)
        ledger = Ledger(1, domain=AGES)
        ledger.charge([Charge(ALL, 1, "q", "noise", 1, "c")])
        by_rule = json.loads(ledger.derivation().to_json())
        by_rule["schema"] = f"fdpedu-derivation/{version}"
        assert check_derivation(json.dumps(by_rule))
        by_rule["proof"]["premises"] = [
            {"rule": "sequential", "epsilon": "1", "region": {at: [0]}, "premises": by_rule["proof"]["premises"]}
        ]
        assert older in refusal(by_rule)
    bare = copy.deepcopy(manifest.content)
    for entry in bare["rounds"]:
        for key in ("session", "shares", "missing"):
            del entry[key]
    for version in (3, 4):
        assert older in refusal(content, Manifest({**bare, "schema": f"fdpedu-manifest/{version}"}))
