"""Work is bounded by limits in the checker; older files are refused by name."""

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import jsonschema
import pytest

from fdpedu.accounting import check_derivation
from fdpedu.accounting.worked.by_hand import Shape, theorem_6
from fdpedu.claims.accounting.laws_derivations import worst_record
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.domain import Domain, Numeric
from tests.support.accounting import validate

DATA = Path(__file__).parent / "data"


def stored(name):
    return (DATA / name).read_text("utf8")


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_older_files_are_refused_by_name(version):
    """A derivation as that version wrote it."""
    text = stored(f"derivation-{version}.json")
    with pytest.raises(DerivationRefused, match=f"older version, as fdpedu-derivation/{version}; this checker reads"):
        check_derivation(text)
    with pytest.raises(jsonschema.ValidationError):
        validate("derivation", text)


def test_an_older_manifest_is_refused_by_name():
    """Version 2 of a derivation came with version 1 of a manifest."""
    manifest = stored("manifest-of-derivation-2.json")
    with pytest.raises(DerivationRefused, match="manifest: it was written by an older version, as fdpedu-manifest/1"):
        check_derivation(stored("derivation-5.json"), manifest)


def test_a_file_of_this_version_is_read():
    """Stored once: what it proves stays the same, and both files are of the published schemas."""
    text, manifest = stored("derivation-5.json"), stored("manifest-of-derivation-5.json")
    assert check_derivation(text, manifest) == ("pure", 4, 0, 1, 4, True, ("seeded generator",))
    validate("derivation", text)
    validate("manifest", manifest)
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
def release(index, region=None, **other):
    return {"rule": "release", "round": 1, "index": index, "query": "q", "mechanism": "m", "releases": 1,
        "sensitivity": 1, "rate": "1", "epsilon": "1", "region": region or {}, "colluders": 0, "claim": "c", **other}
def rule(premises, name="parallel", region=None):
    return {"rule": name, "epsilon": "1", "region": region or {}, "premises": premises}
def deep(levels, region):
    step = rule([release(1), release(2)], "sequential", {str(levels): [0]} if region else {})
    for level in range(levels):
        step = rule([step], "sequential", {str(level): [0]} if region else {})
    return rule([step], "sequential", region)
def document(proof, features=[{"codes": 256}] * 2):
    return {"schema": "fdpedu-derivation/5", "measure": "pure", "relation": "add-remove",
        "randomness": ["operating system"], "budget": "9", "colluders": 0,
        "domain": {"features": features, "classes": 2},
        "proof": {"rule": "adaptive", "epsilon": "9", "region": {}, "premises": [proof]},
        "guarantee": {"measure": "pure", "value": "9", "delta": "0", "colluders": 0}}
"""
READ = """
import resource, sys
from fdpedu.derivation_checker import DerivationRefused, check_derivation
text = open(sys.argv[1], encoding="utf8").read()
try:
    print("accepted", check_derivation(text))
except DerivationRefused as refusal:
    print("refused", str(refusal)[:4000])
try:  # on Linux ru_maxrss also counts the process that started this one
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    print(int(status["VmHWM"].split()[0]) // 1024)
except FileNotFoundError:
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
