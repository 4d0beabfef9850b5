"""What the checker just allows, in numbers, domain and comparisons; hostile texts are refused in little memory."""

import copy
import subprocess
import sys
import textwrap

import pytest

from fdpedu.derivation_checker import MAX_CHARACTERS
from tests.support.checked import DOCUMENT, release, said, spending, step


def test_the_largest_numbers():
    """75 digits in a budget and below costs; 10^18 as an integer; no digit and no unit more."""
    most, long = str(10**75 - 1), "proof.0: it has more than 75 digits"
    assert said(spending(most)).value == 10**75 - 1 and said(spending(f"1/{most}", budget="1")).spent > 0
    assert said(spending("1/31", budget=f"{10**74}/3")) == "proof.0: it has more than 75 digits"
    assert said(spending("1", budget=str(10**75))) == said(spending(f"1/{10**75}", budget="1")) == long
    parts = f"1/{10**37 + 1}", f"1/{10**37 + 2}", f"1/{10**37 + 3}"
    assert said(spending(*parts[:2], budget="1")).spent > 0
    assert said(spending(*parts, budget="1")) == "proof.2: it has more than 75 digits"
    for key in ("round", "index", "colluders"):
        document = copy.deepcopy(spending("1"))
        document["proof"]["premises"][0][key] = 10**18
        document["colluders"] = document["guarantee"]["colluders"] = document["proof"]["premises"][0]["colluders"]
        assert said(document).value == 1
    document["proof"]["premises"][0]["releases"] = 10**18
    assert said(document) == f"proof.0: releases × sensitivity × rate is {10**18}, the release states 1"


def test_the_widest_domain():
    """4096 features, of 256 codes and as many classes, or of one each."""
    for codes in (1, 256):
        domain = {"features": [{"codes": codes}] * 4096, "classes": codes}
        document = {**spending("1"), "domain": domain}
        document["proof"]["premises"][0]["region"] = {"4095": [codes - 1], "class": [codes - 1]}
        assert said(document).value == 1


def side_by_side(*lengths):
    """Premises in parallel that differ in coordinate 0, each naming so many coordinates."""
    premises = [
        release(1, i, {"0": [i], **{str(j): [0] for j in range(1, length)}}, (1, 1, "1"), 0, "1")
        for i, length in enumerate(lengths, 1)
    ]
    domain = {"features": [{"codes": 256}] + [{"codes": 2}] * 4095, "classes": 1}
    claimed = {"measure": "pure", "value": "1", "delta": "0", "colluders": 0}
    proof = step("parallel", "1", *premises)
    return {**DOCUMENT, "domain": domain, "colluders": 0, "proof": proof, "guarantee": claimed}


LENGTHS = [1161] * 7 + [1190] * 2 + [1162] * 25 + [1161] * 8


def test_the_most_comparisons():
    """Of two premises all coordinates of the shorter one count: a million in one document, and not one more."""
    assert sum(min(a, b) for i, a in enumerate(LENGTHS) for b in LENGTHS[:i]) == 1_000_000
    assert said(side_by_side(*LENGTHS)).value == 1
    assert said(side_by_side(*LENGTHS, 1)) == "proof: it has more than 1000000 comparisons"


def test_a_parallel_step_looks_at_every_pair():
    """Whichever two premises overlap, they are found, in the order of the later one."""
    for i in range(4):
        for j in range(i):
            document = side_by_side(1, 2, 1, 3)
            document["proof"]["premises"][i]["region"]["0"] = document["proof"]["premises"][j]["region"]["0"]
            assert said(document) == f"proof: parallel premises {j} and {i} can hold the same record"


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
    "fourteen million wide letters": '"[\\"" + "\\U0001F600" * 13_999_000 + "\\"]"',
    "a million keys in one object": '"{" + ",".join(f"\\"{i:x}\\":{i}" for i in range(900_000)) + "}"',
    "a million lists": '"[" + "[7]," * 999_000 + "300," * 2_400_000 + "300]"',
    "half a million objects": '"[" + "{\\"a\\":300}," * 499_000 + "300," * 2_000_000 + "300]"',
    "a million wide texts": '"[" + "\\"\U0001f600ab\\"," * 990_000 + "300," * 1_900_000 + "300]"',
    "too many steps": """J(document(rule([release(i) for i in range(1, 36_100)], "sequential")))""",
}


HEAD = """
import json, resource, sys
from fdpedu.derivation_checker import DerivationRefused, check_derivation
J = lambda content: json.dumps(content, separators=(",", ":"))
def release(index, region=None, **other):
    return {"rule": "release", "round": 1, "index": index, "type": "t", "parameters": {}, "query": "q",
        "mechanism": "m", "releases": 1, "sensitivity": 1, "rate": "1", "epsilon": "1", "region": region or {},
        "colluders": 0, "claim": "c", **other}
def rule(premises, name="parallel", region=None):
    return {"rule": name, "epsilon": "1", "region": region or {}, "premises": premises}
def deep(levels, region):
    step = rule([release(1), release(2)], "sequential", {str(levels): [0]} if region else {})
    for level in range(levels):
        step = rule([step], "sequential", {str(level): [0]} if region else {})
    return rule([step], "sequential", region)
def document(proof, features=[{"codes": 256}] * 2):
    return {"schema": "fdpedu-derivation/9", "measure": "pure", "relation": "add-remove",
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
    """As long as a text may be, written by one process and read by another: 300 MB at the most, by name."""
    file, where = tmp_path / "text", str(tmp_path / "text")
    write = f"{HEAD}\nopen({where!r}, 'w', encoding='utf8').write({textwrap.dedent(HOSTILE[name])})"
    subprocess.run([sys.executable, "-c", write], check=True)
    assert 1000 < len(file.read_text("utf8")) <= MAX_CHARACTERS
    done = subprocess.run([sys.executable, "-c", READ, where], check=True, capture_output=True, text=True)
    verdict, megabytes = done.stdout.splitlines()
    assert verdict.startswith("refused ") and int(megabytes) <= 300, done.stdout
