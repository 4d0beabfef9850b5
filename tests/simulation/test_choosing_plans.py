"""Trees of choices: their exact laws, whose rows each level looks at, what is paid, and blocks of three splits.

Seeded chi-square tests, two-sided: too far off and too close are both refused, each with probability 10⁻⁸ of a false
alarm, so below 10⁻⁶ for all tests of this file.
"""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.simulation import CodedRows, blocks, choosing, growth, own_shape
from fdpedu.simulation.blocks import Owner, log_sums
from fdpedu.simulation.choosing import Rotating
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.simulation.plan import Nodes
from tests.support.chi import agrees
from tests.support.choosing_laws import blocks_law, flips_law, tree_law
from tests.support.simulated import every_record

SMALL = Domain([Numeric.grid("x", 0, 3, 3), Numeric.grid("y", 0, 2, 2)], (0, 1))
GAPS = Domain([Numeric.grid("x", 0, 2, 2, missing=True), Categorical("w", ["a", "b", "c"])], (0, 1))
THREE = Domain(GAPS.features, (0, 1, 2))
NONE = np.zeros(0, dtype=np.int64)


def some_rows(domain, n, seed, parties=1):
    """Codes, labels and parties of a few rows; the class follows from the codes and from chance."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, [feature.n_codes for feature in domain.features], (n, domain.n_features))
    labels = (codes[:, 0] + (rng.random(n) < 0.3)) % domain.n_classes
    return codes, labels, rng.integers(0, parties, n)


def coded(domain, codes, labels, parties, n_parties, runs):
    records = every_record(domain)
    truth = np.zeros((1, len(records)), dtype=int)
    return CodedRows(domain, codes[None], labels[None], parties[None], records[None], truth, n_parties).repeated(runs)


def nodes_of(plan, codes, labels, runs, level=0, told=None, deepest=False):
    """So many nodes with the same rows each."""
    places = np.tile(plan.grid.places(codes.astype(np.uint8), labels), (runs, 1))
    at = np.repeat(np.arange(runs), len(codes))
    counts = plan.grid.count(places, at, runs)
    return Nodes(counts, plan.grid.everything(runs), np.zeros(runs), places, at, at * 0, deepest, level, told)


def named(grid, choice, inside):
    """Each node's split as a feature and the sides of its region; None where there is none."""
    return [
        (int(j), frozenset(frozenset(np.flatnonzero(side).tolist()) for side in (here & left, here & ~left)))
        if found
        else None
        for found, j, left, here in zip(*choice, (inside[:, i, j] for i, j in enumerate(choice.feature)), strict=True)
    ]


# --- one node ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("domain", [SMALL, GAPS, THREE], ids=["borders", "gaps and wards", "three classes"])
@pytest.mark.parametrize("n", [0, 9])
def test_the_law_of_a_designers_split(domain, n):
    """Permute-and-flip among all candidates at the level's ε, on an empty node too: 15,000 splits."""
    codes, labels, _ = some_rows(domain, n, 1)
    plan = plan_of("rotating", domain, 3, 3, Parameters(max_depth=4, leaf_share="1/3"))
    assert type(plan) is Rotating and plan.levels == (1, 2, 2, 1)
    for level in (0, 1):
        nodes = nodes_of(plan, codes, labels, 15_000, level)
        region = [frozenset(range(feature.n_codes)) for feature in domain.features]
        law = flips_law(domain, region, codes.tolist(), labels.tolist(), plan.levels[level])
        found = plan.decide(nodes, Rehearsal(level)).choice
        agrees(Counter(named(plan.grid, found, nodes.inside)), law)


@pytest.mark.parametrize("domain", [SMALL, GAPS, THREE], ids=["borders", "gaps and wards", "three classes"])
@pytest.mark.parametrize("n", [0, 9])
def test_the_law_of_a_block(domain, n):
    """All three splits at once, against the list of all blocks: 12,000 of them."""
    codes, labels, _ = some_rows(domain, n, 2)
    plan = plan_of("owner", domain, 1, 6, Parameters(max_depth=2, leaf_share="1/2"))
    assert type(plan) is Owner and plan.block == 3
    nodes = nodes_of(plan, codes, labels, 12_000)
    decided = plan.decide(nodes, Rehearsal(5))
    region = [frozenset(range(feature.n_codes)) for feature in domain.features]
    law = blocks_law(domain, region, codes.tolist(), labels.tolist(), plan.block)
    roots = named(plan.grid, decided.choice, nodes.inside)
    sides = growth._inside(nodes.inside, decided.choice, np.arange(24_000))
    below = named(
        plan.grid, plan.decide(Nodes(*nodes[:1], sides, *nodes[2:7], 1, decided.told), ZeroWords()).choice, sides
    )
    found = Counter()
    for i, root in enumerate(roots):
        pair = below[2 * i : 2 * i + 2]
        of_left = min(np.flatnonzero(sides[:, 2 * i, root[0]])) < min(np.flatnonzero(sides[:, 2 * i + 1, root[0]]))
        found[(root, *(pair if of_left else pair[::-1]))] += 1
    agrees(found, law)


def test_log_sums_of_weights_far_apart():
    """Neither too large nor too small for floats; a candidate that there is not has no weight."""
    scores = np.array([[-5000.0, -5000.0, -np.inf], [0, -np.inf, -np.inf]])
    assert log_sums(scores) == pytest.approx([-5000 + np.log(2), 0])


# --- whole trees ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("domain", [SMALL, GAPS], ids=["borders", "gaps and wards"])
@pytest.mark.parametrize(("n_parties", "absent"), [(1, None), (2, None), (2, 1), (3, None)])
def test_the_law_of_rotating_trees(domain, n_parties, absent):
    """What 30,000 trees of depth 2 or 3 say of every record, all at once; with a party that has no rows, too."""
    depth, epsilon, share = (3 if domain is SMALL else 2), Fraction(4), Fraction(1, 4)
    codes, labels, parties = some_rows(domain, 10, 3, n_parties)
    if absent is not None:
        parties[:] = 1 - absent
    law, orders = defaultdict(float), list(permutations(range(n_parties)))
    for order in orders:
        designers = [order[level % n_parties] for level in range(depth)]

        def decide(level, region, told, designers=designers):
            own = [i for i in range(10) if parties[i] == designers[level] and _holds(region, codes[i])]
            cost = (1 - share) * epsilon / designers.count(designers[level])
            found = flips_law(domain, region, codes[own].tolist(), labels[own].tolist(), cost)
            return {(split, None): mass for split, mass in found.items()}

        rows = codes.tolist(), labels.tolist()
        for labelled, mass in tree_law(domain, rows, share * epsilon, depth, decide).items():
            law[labelled] += mass / len(orders)
    plan = plan_of("rotating", domain, n_parties, epsilon, Parameters(max_depth=depth, leaf_share=share))
    found = predicted_labels(plan, coded(domain, codes, labels, parties, n_parties, 30_000), Rehearsal(7))
    agrees(Counter(map(tuple, found.tolist())), law)


@pytest.mark.parametrize("depth", [2, 4])
@pytest.mark.parametrize("domain", [SMALL, GAPS], ids=["borders", "gaps and wards"])
def test_the_law_of_an_owners_trees(domain, depth):
    """One block, and blocks below a block, where some sides cannot be divided further."""
    epsilon, share = Fraction(4), Fraction(1, 4)
    codes, labels, parties = some_rows(domain, 10, 4)
    step = (1 - share) * epsilon / (depth // 2)

    def decide(level, region, told):
        if level % 2:
            return {(told and told[0], None): 1.0}
        own = [i for i in range(10) if _holds(region, codes[i])]
        given = domain, region, codes[own].tolist(), labels[own].tolist(), step
        found = blocks_law(*given)
        return {(block and block[0], block and tuple((side,) for side in block[1:])): p for block, p in found.items()}

    law = tree_law(domain, (codes.tolist(), labels.tolist()), share * epsilon, depth, decide)
    plan = plan_of("owner", domain, 1, epsilon, Parameters(max_depth=depth, leaf_share=share))
    found = predicted_labels(plan, coded(domain, codes, labels, parties, 1, 20_000), Rehearsal(depth))
    agrees(Counter(map(tuple, found.tolist())), law)


def _holds(region, record):
    return all(code in present for code, present in zip(record.tolist(), region, strict=True))


# --- whose rows, what is paid, and where ------------------------------------------------------------------------------


def test_each_level_sees_the_rows_of_its_designer_alone(monkeypatch):
    """In each run in its own order; in a level below the last party the first one's again."""
    codes, labels, parties = some_rows(SMALL, 60, 5, 3)
    plan, seen = plan_of("rotating", SMALL, 3, 5, Parameters(max_depth=5)), []

    def decide(plan, nodes, source):
        seen.append((nodes.level, nodes.told, {i: {*nodes.parties[nodes.at == i]} for i in set(nodes.at.tolist())}))
        return own(plan, nodes, source)

    own = Rotating.decide
    monkeypatch.setattr(Rotating, "decide", decide)
    predicted_labels(plan, coded(SMALL, codes, labels, parties, 3, 30), Rehearsal(1))
    assert {level for level, *_ in seen} == {0, 1, 2} or len(seen) >= 3
    orders = {tuple(told[:3].tolist()) for told in seen[0][1]}
    assert orders == set(permutations(range(3)))
    for level, told, found in seen:
        assert all(each == {told[i, level % 3]} for i, each in found.items()) and found


def test_the_order_of_the_parties_is_uniform():
    """Of four parties, as far as three levels go: each of 24 orders as likely."""
    plan = plan_of("rotating", SMALL, 4, 5, Parameters(max_depth=3))
    orders = plan.begin(24_000, Rehearsal(2))
    assert orders.shape == (24_000, 3)
    agrees(Counter(map(tuple, orders.tolist())), {order: 1 / 24 for order in permutations(range(4), 3)})


@pytest.mark.parametrize(("n_parties", "depth"), [(1, 4), (2, 5), (3, 4), (5, 4), (256, 3), (4, 0)])
def test_what_a_party_pays(n_parties, depth):
    """Its own levels cost (1−s)ε together, and the leaves sε, whoever has which place in the order."""
    given = Parameters(max_depth=depth, leaf_share="1/5")
    plan = plan_of("rotating", SMALL, n_parties, "7/2", given)
    paid = Counter()
    for level, cost in enumerate(plan.levels):
        paid[level % n_parties] += cost
    assert set(paid.values()) <= {Fraction(14, 5)} and len(plan.levels) == depth
    assert plan.leaf == (Fraction(7, 10) if depth else Fraction(7, 2))
    owner = plan_of("owner", SMALL, n_parties, "7/2", Parameters(max_depth=depth // 2 * 2, leaf_share="1/5"))
    assert owner.block * (depth // 2) + owner.leaf == Fraction(7, 2) and owner.n_parties == 1


def test_leaves_have_their_share_wherever_they_are(monkeypatch):
    """A leaf whose region nothing divides has sε, too; the noise is that of the parties, and of who may be missing."""
    asked = []

    def noise(rate, n_parties, tolerate, size, source):
        asked.append((rate.rate, n_parties, tolerate, size))
        return np.zeros(size)

    monkeypatch.setattr(choosing, "summed_noise", noise)
    line = Domain([Numeric.grid("x", 0, 2, 2)], (0, 1))
    codes, labels, parties = some_rows(line, 9, 1, 3)
    given = Parameters(max_depth=3, leaf_share="1/4", tolerate=2)
    predicted_labels(plan_of("rotating", line, 3, 4, given), coded(line, codes, labels, parties, 3, 2), ZeroWords())
    assert [one for one in asked if one[-1]] == [(Fraction(1), 3, 2, 8)]
    asked.clear()
    plan = plan_of("owner", line, 3, 4, Parameters(max_depth=4, leaf_share="1/4"))
    predicted_labels(plan, coded(line, codes, labels, parties, 3, 2), ZeroWords())
    assert [one for one in asked if one[-1]] == [(Fraction(1), 1, 0, 8)]


@pytest.mark.parametrize("method", ["rotating", "owner"])
def test_neither_stops_at_few_rows_nor_reads_a_lattice(method):
    """What is asked of rows beforehand, and in which steps, is not for these methods to be told."""
    codes, labels, parties = some_rows(SMALL, 30, 6, 2)
    rows = coded(SMALL, codes, labels, parties, 2, 40)
    found = [
        predicted_labels(plan_of(method, SMALL, 2, 3, Parameters(2, least, lattice=m)), rows, Rehearsal(3)).tolist()
        for least, m in ((10, 4), (10**9, 7))
    ]
    assert found[0] == found[1]


def test_blocks_are_counted_in_parts(monkeypatch):
    """Rows × candidates at a time, as few as one row: the same blocks."""
    codes, labels, _ = some_rows(THREE, 50, 7)
    plan = plan_of("owner", THREE, 1, 9, Parameters(max_depth=2))
    nodes = nodes_of(plan, codes, labels, 3)
    whole = plan.joint_counts(nodes.places, nodes.at, 3)
    monkeypatch.setattr(blocks, "_AT_ONCE", 1)
    assert np.array_equal(plan.joint_counts(nodes.places, nodes.at, 3), whole)
    position, slot = plan.every
    left = [plan.candidates.left[p, s][codes[:, plan.candidates.feature_of[s]]] for p, s in
            zip(position, slot, strict=True)]  # fmt: skip
    for c in range(3):
        right = [[int((a & b & (labels == c)).sum()) for b in left] for a in left]
        assert whole[c].tolist() == [right] * 3


def test_nodes_are_decided_in_parts(monkeypatch):
    """A block at a time, or many: without noise the same trees."""
    rng = np.random.default_rng(8)
    codes, tests = (rng.integers(0, [3, 3], (6, n, 2)) for n in (40, 20))
    labels = (codes.sum(axis=2) + np.arange(6)[:, None] * (rng.random((6, 40)) < 0.4)) % 3
    rows = CodedRows(THREE, codes, labels, labels * 0, tests, tests[..., 0] * 0, 1)
    plan = plan_of("owner", THREE, 1, 9, Parameters(max_depth=4))
    whole = predicted_labels(plan, rows, ZeroWords()).tolist()
    monkeypatch.setattr(blocks, "_AT_ONCE", 1)
    assert predicted_labels(plan, rows, ZeroWords()).tolist() == whole and len(set(map(tuple, whole))) == 6


def test_own_shapes():
    """Depth and leaf share by N·ε; an owner's in pairs of levels; none of methods without a rule."""
    assert own_shape("rotating", 149, 1) == {"max_depth": 4, "leaf_share": Fraction(7, 20)}
    assert own_shape("rotating", 4000, "1/2") == {"max_depth": 5, "leaf_share": Fraction(1, 5)}
    assert [own_shape("owner", n, 1)["max_depth"] for n in (399, 400, 10_000)] == [2, 4, 6]
    assert own_shape("local", 400, 1) == own_shape("default", 400, 1) == {}
