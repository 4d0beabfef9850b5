"""The tree by shares: what it predicts, every message of it, what each has seen, and how it is shown."""

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims import strategies as draw
from fdpedu.claims.secret_sharing.parties import grown, small_parties
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.sources.elzein import Ballot, Message, Traffic, fit_local_tree, fit_shared_tree, node_messages
from fdpedu.sources.elzein.counting import COORDINATOR
from fdpedu.sources.elzein.tree import Blind, Seen

PAIR = Domain([Numeric.grid("age", 0, 100, bins=10), Categorical("ward", ("A", "B", "C"))], ("well", "ill"))
WARDS = "ABBCABCABCAB"


def rows(last, first):
    """Well up to the age ``last``; ill from ``first``, but in ward C."""
    ages = [10, 20, last, last, first, 55, 60, 65, 70, 75, 80, 90]
    return [[a, ward, "ill" if a >= first and ward != "C" else "well"] for a, ward in zip(ages, WARDS, strict=True)]


ONE, OTHER = rows(30, 50), rows(28, 52)
TEXT = """\
age ≤ 40: class well
age > 40
|   ward in {A}: class ill
|   ward in {B}: class ill
|   ward in {C}: class well"""


def pairs(*parts):
    return [([row[:-1] for row in rows], [row[-1] for row in rows]) for rows in parts]


def fit(*parts, rule="mended", depth=2, domain=PAIR, **options):
    return fit_shared_tree(pairs(*parts), domain, rule=rule, max_depth=depth, rng=Rehearsal(1), **options)


@pytest.fixture(scope="module")
def tree():
    return fit(ONE, OTHER)


def test_the_tree_in_words_and_as_data(tree):
    assert tree.to_text() == TEXT == str(tree) and tree.depth == 2 and len(tree.nodes()) == 6
    assert [node.label for node in tree.nodes()] == [None, 0, None, 1, 1, 0]
    assert fit(ONE, OTHER, depth=0).to_text() == "class well"
    found = tree.to_dict()
    assert "each party's own votes" in found["tells"]
    assert found["tests"] == ["age ≤ 40", "age > 40"] and [set(b) for b in found["branches"]] == [
        {"label", "ballots"},
        {"tests", "ballots", "branches"},
    ]
    assert found["branches"][0] == {
        "label": "well",
        "ballots": [
            {"about": "attribute", "totals": [0, 0, 2], "votes": [2, 2]},
            {"about": "label", "totals": [2, 0], "votes": [0, 0]},
        ],
    }
    assert found["branches"][1]["tests"] == ["ward in {A}", "ward in {B}", "ward in {C}"]
    assert found["ballots"] == [{"about": "attribute", "totals": [2, 0, 0], "votes": [0, 0]}]


def test_what_is_said_of_a_tree(tree):
    assert repr(tree) == (
        "SharedTree(mended, 2 parties, 6 nodes; no ε: every total and every threshold is an exact function of the rows)"
    )
    rows = [line.split(maxsplit=1) for line in tree.summary().splitlines()]
    said = {name: rest.strip() for name, rest in rows}
    traffic = tree.traffic
    assert said == {
        **{"rule": "mended", "parties": "2", "nodes": "6", "depth": "2 of 2"},
        **{"messages": str(traffic.messages), "bytes": str(traffic.bytes)},
        "ε": "none: it is an exact function of the rows",
    }
    html = tree._repr_html_()
    assert "tree by shares" in html and "A tree grown by secret sums" in html and "2 of 2" in html and "XX" not in html
    big = fit(*[ONE] * 8).summary()
    assert f"{fit(*[ONE] * 8).traffic.messages:,}" in big and "," in big


def test_what_a_tree_predicts(tree):
    X = [[40, "A"], [41, "A"], [41, "B"], [41, "C"], [0, "C"], [-5, "A"], [999, "B"]]
    assert tree.predict(X).tolist() == ["well", "ill", "ill", "well", "well", "well", "ill"]
    y = ["well", "ill", "well", "well", "ill", "well", "ill"]
    assert tree.score(X, y) == 5 / 7 and isinstance(tree.score(X, y), float)
    assert tree.predict([]).tolist() == []


@pytest.mark.claim("lem-shared-messages")
def test_every_message_of_a_stump(tree):
    """Two parties; votes of two bits on three choices, thresholds of 17 bits, votes on two labels."""
    stump = fit([row for row in ONE if row[1] != "C"], [row for row in OTHER if row[1] != "C"], depth=1)

    def added(kind, size):
        return [Message(a, b, f"{what} of {kind}", size) for what in ("shares", "sums") for a, b in ((0, 1), (1, 0))]

    def ordered(kind, size=4):
        return [Message(COORDINATOR, k, kind, size) for k in (0, 1)]

    root = [
        *ordered("node"),
        *added("votes on the attribute", 1),
        Message(0, COORDINATOR, "attribute", 4),
        *ordered("threshold"),
        *added("thresholds", 3),
    ]
    leaf = [*ordered("node"), *ordered("skip"), *added("votes on the label", 1)]
    assert stump.messages == [*root, *leaf, *leaf, *ordered("stop", 1)]
    assert stump.traffic == Traffic(13 + 2 * 8 + 2, 8 + 4 + 4 + 8 + 12 + 2 * 20 + 2)


@pytest.mark.claim("lem-shared-messages")
@pytest.mark.parametrize("n", [2, 4])
def test_the_messages_of_each_kind_of_node(n):
    parts = [ONE, OTHER] * (n // 2)
    tree = fit(*parts, depth=3)
    kinds = {0: "continuous", 1: "leaf", 2: "categorical", 3: "leaf", 5: "leaf"}
    for place, kind in kinds.items():
        steps = [one for step in tree.nodes()[place].steps for one in step.travel(n)]
        assert len(steps) == node_messages(n, kind)
    steps = tree.nodes()[1].steps
    assert [step.kind for step in steps] == [
        "node",
        "votes on the attribute",
        "attribute",
        "skip",
        "votes on the label",
    ]
    assert [step.kind for step in tree.nodes()[2].steps][-1] == "branches"
    median = fit(*parts, rule="median", depth=1)
    assert len(median.messages) == node_messages(n, "continuous") + 2 * (2 * n + 2 * n * (n - 1)) + n
    assert [step.kind for step in median.root.steps][-2:] == ["threshold", "votes on the threshold"]
    sums = fit(*parts, rule="histograms", depth=1)
    deepest = n + 2 * n * (n - 1)
    assert len(sums.messages) == node_messages(n, "histograms") + 2 * deepest + n
    assert [step.kind for step in sums.root.steps] == ["node", "histograms", "attribute", "branches"]
    assert [step.kind for step in sums.root.children[0].steps] == ["node", "histograms"]
    pure = fit(*[ONE[:2]] * n, rule="histograms", depth=1)
    assert [step.kind for step in pure.root.steps] == ["node", "histograms", "attribute", "skip"]
    assert len(pure.messages) == node_messages(n, "histograms") + n
    # 13 codes and two classes, of a leaf at full depth two numbers; rows are counted modulo 2^32
    assert [step.size for step in sums.root.steps] == [4, 26 * 4, 4, 4]
    assert sums.root.children[0].steps[1].size == 2 * 4


@pytest.mark.claim("lem-shared-messages")
def test_the_messages_of_ties():
    """Printed, a tie is voted on again and then falls by a coin; mended by a coin at once: 2N(N−1) each."""
    other = [[50, "A", "well"], [50, "B", "ill"], [50, "C", "ill"]]
    one = [[10, "A", "well"], [20, "A", "ill"], [30, "A", "ill"]]
    for rule, ties in (("printed", 2), ("mended", 1)):
        root = fit(one, other, rule=rule, depth=1).root
        messages = [message for step in root.steps for message in step.travel(2)]
        kind = "categorical" if root.attribute else "continuous"
        assert len(messages) == node_messages(2, kind) + ties * node_messages(2, "tie")
        assert [message.bytes for message in messages if message.kind.endswith("of coins")] == [32] * 4
        assert sum(message.kind == "shares of votes on the attribute again" for message in messages) == 2 * (ties - 1)


@settings(max_examples=20, deadline=None)
@given(small_parties(draw), st.sampled_from(["printed", "mended", "median", "histograms"]), st.integers(0, 3))
def test_messages_and_traffic_agree(case, rule, depth):
    tree, n = grown(case, rule, depth, 1), len(case[1])
    messages = tree.messages
    assert tree.traffic == Traffic(len(messages), sum(one.bytes for one in messages))
    assert Counter(one.kind for one in messages)["node"] == n * len(tree.nodes())
    assert [one.kind for one in messages[-n:]] == ["stop"] * n
    assert {one.sender for one in messages if one.receiver == COORDINATOR} <= {0}


def test_alone_nothing_is_sent():
    tree = fit_local_tree(*pairs(ONE)[0], PAIR, max_depth=2, rng=ZeroWords())
    assert tree.messages == [] and tree.traffic == Traffic(0, 0) and tree.n_parties == 1
    assert tree.root.ballots[0].totals == (1, 0, 0) and tree.root.steps


def test_the_coordinator_knows_attributes_and_branches(tree):
    """No threshold and no label, in words or as an object."""
    blind = tree.coordinator
    assert blind == Blind("age", (Blind(), Blind("ward", (Blind(),) * 3))) and set(vars(blind)) == {
        "attribute",
        "children",
    }
    assert str(blind) == "age?\n  1: leaf\n  2: ward?\n    1: leaf\n    2: leaf\n    3: leaf"
    assert str(Blind()) == "leaf"


@pytest.mark.claim("lem-certain-votes")
def test_what_parties_see_is_brute_force_over_all_votes(tree):
    """Of each ballot the totals, their own votes, and those of others that are the same in every election alike."""
    four = fit(ONE, OTHER, ONE[:3], OTHER[3:], rule="printed", depth=2)
    numbers = {id(node): i for i, node in enumerate(four.nodes())}
    ballots = [(numbers[id(node)], ballot) for node in four.nodes() for ballot in node.ballots]
    for members in (some for c in range(5) for some in combinations(range(4), c)):
        for seen, (node, ballot) in zip(four.seen_by(members), ballots, strict=True):
            voters = [k for k in range(4) if ballot.votes[k] is not None]
            alike = [
                votes
                for votes in product(range(len(ballot.totals)), repeat=len(voters))
                if tuple(votes.count(k) for k in range(len(ballot.totals))) == ballot.totals
                and all(vote == ballot.votes[k] for k, vote in zip(voters, votes, strict=True) if k in members)
            ]
            certain = sum(len({votes[at] for votes in alike}) == 1 for at, k in enumerate(voters) if k not in members)
            own = tuple(ballot.votes[k] for k in members)
            assert seen == Seen(node, ballot.about, ballot.totals, own, certain)
    assert any(ballot.votes.count(None) for _, ballot in ballots)


def test_a_ballots_certain_votes():
    ballot = Ballot("label", ("a", "b"), (2, 1), (0, None, 1, 0))
    assert [ballot.certain(members) for members in ((), (2,), (1, 2), (0,), (0, 2), (0, 3))] == [0, 2, 2, 0, 1, 1]
    assert tuple(len(b.votes) for b in fit(ONE, OTHER).root.ballots) == (2,)
