"""What the checker just allows: the largest numbers, the widest domain, the most comparisons."""

import copy
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.derivation_checker import Guarantee
from tests.support.checked import DOCUMENT, release, said, spending, step

SYSTEM, SEEDED = ("operating system",), ("seeded generator",)


def test_the_largest_numbers():
    """400 digits in a number, in a product and in a sum; 10^18 as an integer; no digit and no unit more."""
    most = str(10**400 - 1)
    assert said(spending(most)).value == 10**400 - 1 and said(spending(f"1/{most}")).spent == Fraction(1, 10**400 - 1)
    assert said(spending(str(10**400 - 2), "1")).value == 10**400 - 1
    long = "proof: its total has more than 400 digits, it is not as stated"
    assert said(spending(most, "1", total="1")) == long
    assert said(spending(f"1/{10**399 + 1}", f"1/{10**399 + 7}", total="1")) == long
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


def test_the_most_comparisons():
    """Of two premises all coordinates of the shorter one count: a million in one document, and not one more."""
    assert sum(min(a, b) for i, a in enumerate(LENGTHS) for b in LENGTHS[:i]) == 1_000_000
    assert said(side_by_side(*LENGTHS)).value == 1
    assert said(side_by_side(*LENGTHS, 1)) == "proof: it takes more than 1000000 comparisons"


LENGTHS = [4096] * 11 + [2434, 12] + [4096] * 11


def test_a_parallel_step_looks_at_every_pair():
    """Whichever two premises overlap, they are found, in the order of the later one."""
    for i in range(4):
        for j in range(i):
            document = side_by_side(1, 2, 1, 3)
            document["proof"]["premises"][i]["region"]["0"] = document["proof"]["premises"][j]["region"]["0"]
            assert said(document) == f"proof: parallel premises {j} and {i} can hold the same record"


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
        (1, 1, True, SYSTEM + SEEDED, "1 colluder; the noise was seeded: a rehearsal, not a release"),
        (0, Fraction(1, 3), False, SEEDED, "0 colluders; in this run no record paid more than 1/3; regions and costs "
         "were fixed beforehand; the noise was seeded: a rehearsal, not a release"),
    ],
)  # fmt: skip
def test_a_guarantee_in_words(colluders, spent, adaptive, randomness, more):
    said_aloud = str(Guarantee("pure", Fraction(1), Fraction(0), colluders, Fraction(spent), adaptive, randomness))
    assert said_aloud == f"1-differentially private (one record added or removed), with {more}"


def test_what_is_said_aloud_is_what_was_read():
    """Both caveats are of the text: without the adaptive step, and with seeded noise, they are said."""
    assert said(DOCUMENT).adaptive and said(DOCUMENT).randomness == SYSTEM + SEEDED
    fixed = spending("1", budget="2")
    assert not said(fixed).adaptive
    assert str(said({**fixed, "randomness": [*SYSTEM]})).endswith(
        "0 colluders; regions and costs were fixed beforehand"
    )
    assert said({**fixed, "randomness": [*SYSTEM]}).randomness == SYSTEM
