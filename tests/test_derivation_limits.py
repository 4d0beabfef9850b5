"""Work is bounded, in the checker by limits and in the ledger by refusing first; older files are refused by name."""

import json
import subprocess
import sys
import textwrap
from fractions import Fraction
from importlib import resources
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu import derivation_checker as checker
from fdpedu.accounting import Charge, Ledger, check_derivation, limits
from fdpedu.accounting.by_hand import Shape, theorem_6
from fdpedu.claims.checks import accounting_limits as law
from fdpedu.claims.checks.accounting import charge
from fdpedu.claims.checks.accounting_derivations import worst_record
from fdpedu.claims.strategies import heaps_of_charges, trees_of_charges
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.domain import Categorical, Domain, Numeric

DATA = Path(__file__).parent / "data"
WARDS = Domain([Categorical("ward", tuple("ABCD"))], (0, 1))


def schema(name):
    return json.loads(resources.files("fdpedu.accounting").joinpath(f"{name}-schema.json").read_text("utf8"))


def stored(name):
    return (DATA / name).read_text("utf8")


@pytest.mark.parametrize("version", [1, 2])
def test_older_files_are_refused_by_name(version):
    """A derivation as that version wrote it."""
    text = stored(f"derivation-{version}.json")
    with pytest.raises(DerivationRefused, match=f"older version, as fdpedu-derivation/{version}; this checker reads"):
        check_derivation(text)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(text), schema("derivation"), cls=jsonschema.Draft202012Validator)


def test_an_older_manifest_is_refused_by_name():
    """Version 2 of a derivation came with version 1 of a manifest."""
    manifest = stored("manifest-of-derivation-2.json")
    with pytest.raises(DerivationRefused, match="manifest: it was written by an older version, as fdpedu-manifest/1"):
        check_derivation(stored("derivation-3.json"), manifest)


def test_a_file_of_this_version_is_read():
    """Stored once: what it proves stays the same, and both files are of the published schemas."""
    text, manifest = stored("derivation-3.json"), stored("manifest-of-derivation-3.json")
    assert check_derivation(text, manifest) == ("pure", 4, 0, 1, 4)
    for name, content in (("derivation", text), ("manifest", manifest)):
        jsonschema.validate(json.loads(content), schema(name), cls=jsonschema.Draft202012Validator)
    assert worst_record(json.loads(text)) == 4


# --- Size ---


def full(depth, features, bins):
    """The derivation of a full tree, its splits on one feature after another."""
    domain = Domain([Numeric.grid(f"feature {j}", 0, 9, bins=bins) for j in range(features)], ("a", "b"))
    shape = None
    for level in reversed(range(depth)):
        shape = Shape(level % features, frozenset(range(bins // 2)), shape, shape)
    return theorem_6(domain, shape, epsilon=1, max_depth=depth)


def test_a_derivation_is_linear_in_the_number_of_nodes():
    """Twice the nodes, twice the length; the number of features does not count, but for their names."""
    lengths = [len(full(depth, 12, 32).to_json()) for depth in (5, 6, 7)]
    assert lengths[2] - lengths[1] < 2.1 * (lengths[1] - lengths[0])
    assert len(full(6, 50, 32).to_json()) - lengths[1] < 38 * len('{"name":"feature 99","codes":32},') + 63 * len(
        "50" * 3
    )


def test_a_tree_of_a_thousand_nodes_fits_a_megabyte():
    derivation = full(10, 50, 32)
    assert len(derivation.to_json().encode()) <= 1_000_000 and derivation.guarantee.spent == 1


HOSTILE = {
    "lists in lists": '"[" * 9_000_000',
    "lists in lists, not too many": '"[" * 190_000',
    "small objects": '"[" + "{}," * 3_000_000 + "{}]"',
    "small lists, not too many": '"[" + "[]," * 199_000 + "[]]"',
    "small objects, not too many": '"[" + "{\\"a\\":7}," * 199_000 + "{}]"',
    "one object of many keys": '"{" + ",".join(f"\\"{i:08x}\\":{1000 + i}" for i in range(499_000)) + "}"',
    "many short texts": '"[" + ",".join(f"\\"{i:015d}\\"" for i in range(499_000)) + "]"',
    "many integers": '"[" + "300," * 2_400_000 + "300]"',
    "wide letters": '"[\\"" + "\\U0001F600" * 9_900_000 + "\\"]"',
    "a hundred thousand features": 'J(document(release(1), [{"codes": 2}] * 100_000))',
    "parallel premises": 'J(document(rule([release(i, {"0": [i % 256], "1": [i // 256]}) for i in range(1, 4000)])))',
    "long fractions": """J(document(rule([
        release(i, rate=f"1/{10**399 + i}", epsilon=f"1/{10**399 + i}") for i in range(1, 9000)], "sequential")))""",
    "long fractions side by side": """J(document(rule([
        release(i, {"0": [i % 256], "1": [i // 256]}, rate=f"{10**399 + i}/{10**399 + 2 * i + 1}",
        epsilon=f"{10**399 + i}/{10**399 + 2 * i + 1}") for i in range(1, 1300)])))""",
    "huge regions": """J(document(rule([release(i, {str(j): list(range(200)) for j in range(4000)})
        for i in range(1, 4)], "sequential"), [{"codes": 256}] * 4096))""",
    "all restricted, then one by one": """J(document(rule([release(i, {str(i % 4096): [0]}) for i in range(1, 20_000)],
        "sequential", {str(j): [0, 1] for j in range(4096)}), [{"codes": 3}] * 4096))""",
    "all restricted, in depth": """J(document(deep(195, {str(j): [0, 1] for j in range(4096)}),
        [{"codes": 3}] * 4096))""",
    "steps in steps": "J(document(deep(300, {})))",
}
HEAD = """
import json, resource, sys
from fdpedu.derivation_checker import DerivationRefused, check_derivation
J = lambda content: json.dumps(content, separators=(",", ":"))
def release(place, region=None, **other):
    return {"rule": "release", "round": 1, "place": place, "query": "q", "mechanism": "m", "releases": 1,
        "sensitivity": 1, "rate": "1", "epsilon": "1", "region": region or {}, "colluders": 0, "claim": "c", **other}
def rule(premises, name="parallel", region=None):
    return {"rule": name, "epsilon": "1", "region": region or {}, "premises": premises}
def deep(levels, region):
    step = rule([release(1), release(2)], "sequential", {str(levels): [0]} if region else {})
    for level in range(levels):
        step = rule([step], "sequential", {str(level): [0]} if region else {})
    return rule([step], "sequential", region)
def document(proof, features=[{"codes": 256}] * 2):
    return {"schema": "fdpedu-derivation/3", "measure": "pure", "relation": "add-remove",
        "randomness": ["operating system"], "budget": "9", "domain": {"features": features, "classes": 2},
        "proof": {"rule": "adaptive", "epsilon": "9", "region": {}, "premises": [proof]},
        "guarantee": {"measure": "pure", "value": "9", "delta": "0", "colluders": 0}}
"""
READ = """
import resource, sys
from pathlib import Path
from fdpedu.derivation_checker import DerivationRefused, check_derivation
text = open(sys.argv[1], encoding="utf8").read()
try:
    print("accepted", check_derivation(text))
except DerivationRefused as refusal:
    print("refused", str(refusal)[:4000])
if sys.platform == "linux":  # there ru_maxrss counts the process, too, that this one was forked from
    status = Path("/proc/self/status").read_text()
    print(int(status.split("VmHWM:")[1].split()[0]) // 1024)
else:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 2**20)
"""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_refused_in_little_memory(name, tmp_path):
    """Ten million characters at most, written by one process and read by another: 300 MB at the most, by name."""
    file, where = tmp_path / "text", str(tmp_path / "text")
    write = f"{HEAD}\nopen({where!r}, 'w', encoding='utf8').write({textwrap.dedent(HOSTILE[name])})"
    subprocess.run([sys.executable, "-c", write], check=True)
    assert 1000 < len(file.read_text("utf8")) <= 10_000_000
    done = subprocess.run([sys.executable, "-c", READ, where], check=True, capture_output=True, text=True)
    verdict, megabytes = done.stdout.splitlines()
    assert verdict.startswith("refused ") and int(megabytes) <= 300, done.stdout


# --- The ledger refuses first ---


def booked_or_refused(domain, rounds):
    """Each round is refused, and then nothing is charged; or booked, and then the checker accepts the derivation."""
    ledger = Ledger(1000, domain=domain)
    for number, charges in enumerate(rounds):
        before = ledger.derivation().content if ledger.rounds else None
        try:
            ledger.charge(charges, str(number % 2))
        except ValueError as refusal:
            assert "nothing was charged, because the derivation would be refused" in str(refusal)
            assert (ledger.derivation().content if ledger.rounds else None) == before
        else:
            assert check_derivation(ledger.derivation().to_json()).spent == ledger.spent


LOW = {"MAX_DEPTH": 12, "MAX_COMPARISONS": 9, "MAX_BRACKETS": 70, "MAX_QUOTES": 500, "MAX_CHARACTERS": 3000}
cases = st.one_of(trees_of_charges(), heaps_of_charges())


@settings(max_examples=60, deadline=None)
@given(cases, st.integers(1, 3), st.sampled_from(sorted(LOW)), st.integers(1, 9))
def test_what_is_booked_the_checker_accepts(case, size, limit, part):
    """With a limit so low that small ledgers meet it: booked and accepted, or refused and not charged; no third way."""
    domain, bookings = case
    charges = [charge(region, epsilon, releases=1 + i % 3) for i, (region, epsilon) in enumerate(bookings)]
    before = getattr(checker, limit)
    setattr(checker, limit, LOW[limit] * part // 9)
    try:
        booked_or_refused(domain, [charges[i : i + size] for i in range(0, len(charges), size)])
    finally:
        setattr(checker, limit, before)


@settings(max_examples=100, deadline=None)
@given(cases, st.integers(1, 2))
def test_the_bounds_are_bounds(case, books):
    """Never less than what is written: characters, brackets, quotation marks."""
    domain, bookings = case
    ledger = Ledger(1000, domain=domain)
    for i, (region, epsilon) in enumerate(bookings):
        query = ["a count", 'a "count"', "{[\n]}", "ε"][i % 4]
        ledger.charge([charge(region, epsilon, i, releases=10**i, query=query)], str(i % books))
    text = ledger.derivation().to_json()
    bound = limits.size_at_most(ledger._forests, domain, ledger.budget)
    actual = (len(text), text.count("[") + text.count("{"), text.count('"'))
    assert all(most >= real for most, real in zip(bound, actual, strict=True)), (bound, actual)
    assert all(most <= 1.5 * real + 300 for most, real in zip(bound, actual, strict=True)), (bound, actual)


def test_the_bounds_hold_where_regions_are_most_of_the_text():
    """A hundred parts of 128 codes each, and no room left by anything else."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 256, bins=256) for j in range(2)], (0, 1))
    halves = [domain.everything.restrict(0, range(k, k + 128)).restrict(1, [k]) for k in range(100)]
    ledger = Ledger(1000, domain=domain)
    ledger.charge([charge(region, 1) for region in halves])
    text = ledger.derivation().to_json()
    bound = limits.size_at_most(ledger._forests, domain, ledger.budget)
    assert len(text) <= bound.characters <= 1.3 * len(text)
    assert text.count("[") + text.count("{") <= bound.brackets and text.count('"') <= bound.quotes


def test_deep_regions_are_charged_or_refused_and_never_a_crash():
    """390 regions in one another, from an ordinary stack and from one that is nearly full."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 200, bins=200) for j in range(2)], (0, 1))
    regions = [domain.everything]
    for level in range(389):
        regions.append(regions[-1].restrict(level // 199, range(199 - level % 199)))
    ledger = Ledger(1000, domain=domain)
    with pytest.raises(ValueError, match="the regions are nested in 390 levels, more than 200"):
        ledger.charge([charge(region, 1) for region in regions])
    assert ledger.rounds == 0
    ledger.charge([charge(region, 1) for region in regions[:150]])
    assert ledger.spent == 150 and ledger.remaining(regions[149]) == 850 and ledger.spent_on(regions[7]) == 150
    assert check_derivation(ledger.derivation().to_json()).spent == 150

    def from_a_stack(frames):
        return from_a_stack(frames - 1) if frames else ledger.charge([charge(regions[150], 1)])

    with pytest.raises(ValueError, match="nothing was charged, because the derivation would be refused"):
        from_a_stack(sys.getrecursionlimit() - 300)
    assert ledger.spent == 150


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"releases": 0}, "releases must be an integer ≥ 1"),
        ({"releases": True}, "releases must be an integer ≥ 1"),
        ({"releases": 10**18 + 1}, "releases must be at most"),
        ({"sensitivity": 0}, "sensitivity must be an integer ≥ 1"),
        ({"sensitivity": 1.5}, "sensitivity must be an integer ≥ 1"),
        ({"colluders": -1}, "colluders must be an integer ≥ 0"),
        ({"epsilon": 0}, "epsilon must be greater than 0"),
        ({"epsilon": Fraction(1, 10**400)}, "epsilon must be a fraction of at most 400 digits"),
        ({"epsilon": Fraction(1, 10**399), "releases": 10}, "must be a fraction of at most 400 digits"),
        ({"query": ""}, "query must be text"),
        ({"mechanism": 7}, "mechanism must be text"),
        ({"claim": "\ud800"}, "claim must be text that can be written"),
        ({"region": None}, "region must be a Region"),
    ],
)
def test_a_charge_is_checked(change, reason):
    good = {"region": WARDS.everything, "epsilon": 1, "query": "q", "mechanism": "m", "sensitivity": 1, "claim": "c"}
    ledger = Ledger(1, domain=WARDS)
    ledger.charge([Charge(**{**good, "sensitivity": 3}, releases=4)])
    step = ledger.derivation().content["proof"]["premises"][0]
    assert (step["releases"], step["sensitivity"], step["rate"], ledger.derivation().spent) == (4, 3, "1/12", 1)
    with pytest.raises(ValueError, match=reason):
        Charge(**{**good, **change})


def test_a_ledger_knows_what_its_domain_may_be():
    with pytest.raises(ValueError, match="budget must be a fraction of at most 400 digits"):
        Ledger(Fraction(1, 10**400))
    other = Domain([Categorical("ward", tuple("ABCDE"))], (0, 1))
    for ledger in (Ledger(1, domain=WARDS), Ledger(1)):
        with pytest.raises(ValueError, match="every region must lie in the ledger's domain"):
            ledger.charge([charge(other.everything, "1/2")])
            ledger.bind(WARDS)
    assert Ledger(1, domain=WARDS).rounds == 0


def test_a_subclass_of_region_is_no_region():
    """Its own idea of what is disjoint would be charged by the ledger."""

    class Apart(type(WARDS.everything)):
        def is_disjoint(self, other):
            return True

    with pytest.raises(ValueError, match="region must be a Region, got Apart"):
        charge(Apart(WARDS.everything.features, WARDS.everything.classes), 1)


@pytest.mark.claim("thm-checker-sound")
@pytest.mark.parametrize("kind", ["nesting", "digits", "length", "comparisons"])
def test_the_ledger_refuses_first(kind):
    law.refused_first(kind)


@pytest.mark.claim("thm-checker-sound")
def test_regions_of_two_coordinates_and_limits():
    assert law.check_coordinates(1) == 2 * 4 * 16 * 16 and law.check_limits(1) == 12
