"""Trees that are paid in ρ: what is charged, drawn, promised and kept; and what is refused beforehand."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Amount, Budget, BudgetExceeded, Cost, Ledger, check_derivation
from fdpedu.bounds import fit_saving_tree
from fdpedu.cart import CodeSplit
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.dlpa import count_noise_shares, gaussian_noise, sub_gaussian_reach, tree_guarantee
from fdpedu.dlpa.guarantee import insider_cost, promised
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import (
    ClassCounts,
    ClassHistogram,
    DesignedSplit,
    Federation,
    Limits,
    Manifest,
    NodeBounds,
    NodeHistograms,
    Party,
)
from fdpedu.histograms import combined_derivation
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.secure_sum import RoundLost
from fdpedu.simulation import CodedRows, simulate
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.noise import noise_scale, summed_noise
from fdpedu.simulation.parameters import Parameters
from fdpedu.trees import DESIGNS, Tree, count_intervals, fit_federated_tree, fit_owner_tree
from fdpedu.trees.cell_noise import as_if_pure, cell_deviation
from fdpedu.trees.costs import Costs
from fdpedu.trees.count_interval import reach_of
from fdpedu.trees.designs import Owner, find_design
from fdpedu.trees.promise import tree_promise
from fdpedu.trees.recursive import fit_recursively
from fdpedu.trees.shape import Asked
from tests.support.federations import BELIEVING

WIDE = Domain([Numeric.grid(f"x{j}", 0, 1, bins=3) for j in range(6)], ("no", "yes"))
RHO, XI = Fraction(2801, 10**5), Fraction(1, 10**5)
COUNTED = ("default", "averaged", "screened", "algorithm-5-clipped")


def rows(n, seed):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 6))
    return [[*map(float, x), "yes" if x[1] > 0.6 else "no"] for x in X]


PARTS = [rows(60, k) for k in range(4)]


def asked_of(ledger, tolerate=1, rng=None, parts=PARTS, **own):
    parties = [Party(part, WIDE, **own) for part in parts]
    return Federation(parties, WIDE, ledger, tolerate=tolerate, rng=Rehearsal(5) if rng is None else rng)


def steps(tree):
    return [step for _, step in tree.derivation.releases()]


@pytest.mark.parametrize("design", COUNTED)
@pytest.mark.parametrize("tolerate", [0, 2])
def test_every_design_of_counts_keeps_epsilon_and_delta(design, tolerate):
    """The checker grants it with the manifest; releases have the variance that ρ needs; the file is read again."""
    f = asked_of(Ledger(1, delta="1/1000000"), tolerate)
    tree = fit_federated_tree(f, design=design, max_depth=3)
    guarantee = check_derivation(tree.derivation.to_json(), f.manifest.to_json())
    assert guarantee.promise == "(ε, δ) = (1, 10⁻⁶), from ρ = 2801/100000, ξ ≤ 1/100000"
    assert (guarantee.value, guarantee.delta, guarantee.colluders) == (1, Fraction(1, 10**6), tolerate)
    assert guarantee.spent == f.ledger.spent and f.ledger.spent.within(Amount(RHO, XI))
    shares = count_noise_shares(4, tolerate)
    for step in steps(tree):
        rho, variance = Fraction(step["rho"]), Fraction(step["variance"])
        squared = 6 if step["type"] == "node-histograms" else 1
        assert (step["l2_squared"], step["cells"]) == (squared, squared)
        noise = gaussian_noise(rho, l2_squared=squared, cells=squared, n_shares=shares)
        assert (variance, Fraction(step["xi"])) == (noise.variance, noise.xi)
        needed = squared + 2 * rho  # the integers take 1 of the variance
        assert needed <= 2 * rho * variance < Fraction(1001, 1000) * max(needed, 4 * rho * shares)
    again = Tree.from_json(tree.to_json())
    assert again.leaf_releases == tree.leaf_releases and again.derivation.content == tree.derivation.content
    assert Manifest.from_json(f.manifest.to_json()).render() == f.manifest.render()
    assert "variance" in f.manifest.render() and "from ρ = 2801/100000" in tree.derivation._repr_html_()
    assert "<svg" in tree.derivation.draw() and "ℓ₂²" in tree.derivation.render()


def test_a_path_to_full_depth_pays_all_of_rho():
    for design in ("default", "screened"):
        f = asked_of(Ledger(1, delta=1e-6))
        fit_federated_tree(f, design=design, max_depth=2, min_samples_split=0 if design == "default" else None)
        assert f.ledger.spent.value == RHO and f.ledger.remaining().value == 0
        with pytest.raises(BudgetExceeded, match="nothing is left"):
            fit_federated_tree(f)


def test_without_noise_the_tree_is_the_same_in_both_measures():
    """Zero words are zero noise: what is asked does not depend on the measure."""
    trees = [fit_federated_tree(asked_of(ledger, rng=ZeroWords()), design="algorithm-5-clipped", max_depth=2)
             for ledger in (Ledger(1), Ledger(1, delta=1e-6))]  # fmt: skip
    assert trees[0].to_text() == trees[1].to_text() and isinstance(trees[0].root.split, CodeSplit)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.fractions("1/1000", 2), st.fractions("1/10", "9/10"), st.booleans(), st.integers(1, 40))
def test_costs_in_rho_are_divided_as_those_in_epsilon(depth, value, share, unspent, parties):
    """The same parts of the whole, in either measure; and no path takes more ξ than is there, or it is refused."""
    whole = Cost("gaussian", value, "1/1000")
    pure, rho = (
        Costs.within(each, None, share, depth, unspent_to_leaf=unspent, weights=[3] + [2] * (depth - 1))
        for each in (value, whole)
    )
    assert (rho.measure, rho.xi) == ("gaussian", Fraction(1, 1000))
    assert [pure.of_level(k) for k in range(depth)] == [rho.of_level(k) for k in range(depth)]
    assert [pure.of_leaf(k) for k in range(depth + 1)] == [rho.of_leaf(k) for k in range(depth + 1)]
    drawn = [9] * depth
    taken = sum(
        gaussian_noise(rho.of_level(k), l2_squared=9, cells=9, n_shares=parties).xi for k in range(depth)
    ) + max(
        gaussian_noise(rho.of_leaf(k), l2_squared=1, cells=1, n_shares=parties).xi
        for k in (range(depth + 1) if unspent else [depth])
    )
    enough = Costs.within(Cost("gaussian", value, taken or 1), None, share, depth, unspent_to_leaf=unspent,
                          weights=[3] + [2] * (depth - 1))  # fmt: skip
    enough.require_xi(parties, *drawn)
    if taken:
        short = Costs.within(Cost("gaussian", value, taken / 2), None, share, depth, unspent_to_leaf=unspent,
                             weights=[3] + [2] * (depth - 1))  # fmt: skip
        with pytest.raises(BudgetExceeded, match="ξ"):
            short.require_xi(parties, *drawn)


def test_too_many_small_shares_are_refused_before_anything_is_charged():
    f = asked_of(Ledger(rho=3), tolerate=0, parts=[rows(3, k) for k in range(40)])
    f.ledger._budget = Budget(Cost("gaussian", 3, "1/1000000000000"), None)
    with pytest.raises(BudgetExceeded, match="ξ"):
        fit_federated_tree(f, max_depth=2)
    assert f.ledger.rounds == f.rounds == 0


@pytest.mark.parametrize(
    ("grow", "words"),
    [
        (lambda f: fit_federated_tree(f, design="rotating"), "choices"),
        (lambda f: fit_recursively(f), "needs a ledger of ε"),
        (lambda f: fit_saving_tree(f), "needs a ledger of ε"),
        (lambda f: fit_federated_tree(f, epsilon=1), "measure of the ledger"),
        (lambda f: fit_federated_tree(f, epsilon=Cost("gaussian", 1)), "was asked"),
        (lambda f: f.release([ClassCounts(WIDE.everything, 1)]), "does not belong"),
        (lambda f: f.release([DesignedSplit(WIDE.everything, Cost("gaussian", "1/100"), 0)]), "choice"),
        (lambda f: f.release([ClassCounts(WIDE.everything, Cost("gaussian", "1/100", "1/9"))]), "no ξ of its own"),
        (lambda f: f.release([ClassCounts(WIDE.everything, Cost("gaussian", Fraction(1, 2**80)))]), "share"),
    ],
)
def test_what_cannot_be_paid_in_rho_is_refused_by_name(grow, words):
    f = asked_of(Ledger(1, delta=1e-6))
    with pytest.raises(ValueError, match=words):
        grow(f)
    assert f.ledger.rounds == f.rounds == 0 and f.bytes_sent > 0


def test_an_owners_tree_and_its_shape_are_paid_in_epsilon():
    with pytest.raises(ValueError, match="choices"):
        fit_owner_tree(Party(PARTS[0], WIDE), Ledger(1, delta=1e-6))
    with pytest.raises(ValueError, match="choices"):
        Owner().settled(Asked(), Cost("gaussian", 1))


def test_a_part_of_what_is_left():
    """Two trees of one budget, each with a part of ρ, and of ξ what is left."""
    f = asked_of(Ledger(1, delta=1e-6))
    for _ in range(2):
        fit_federated_tree(f, epsilon=Cost("gaussian", RHO / 2), max_depth=1)
    assert f.ledger.spent.value == RHO and f.ledger.derivation().guarantee.spent == f.ledger.spent


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["default", "screened"]))
def test_intervals_cover_and_say_how_far_the_noise_reaches(seed, design):
    """95 % each: of some hundred intervals few miss; all have the reach of K shares."""
    f = asked_of(Ledger(2, delta=1e-6), rng=Rehearsal(seed))
    tree = fit_federated_tree(f, design=design, max_depth=2)
    found = count_intervals(tree, confidence="9/10")
    for interval in found:
        release = tree.releases_by_leaf()[interval.leaf][0]
        noise = gaussian_noise(release.cost.value, l2_squared=1, cells=1, n_shares=3)
        deviation = math.sqrt(4 * noise.share)
        assert 1.6 * deviation < interval.half_width < 2.6 * deviation and interval.coverage.lower >= Fraction(9, 10)


@pytest.mark.parametrize("costs", [["1/50"], ["1/50"] * 3, ["1/50", "1/20"], ["1/20", "1/50", "1/50", "1/7"]])
@pytest.mark.parametrize(("parties", "honest"), [(5, 5), (9, 2)])
def test_the_reach_is_that_of_all_shares_of_all_releases(costs, parties, honest):
    """The parameters of K shares of each release add up, whether or not they are equal."""
    paid, miss = [Cost("gaussian", rho) for rho in costs], Fraction(1, 50)
    each = [gaussian_noise(cost.value, l2_squared=1, cells=1, n_shares=honest).share for cost in paid]
    t, within = reach_of(paid, (parties, honest), miss)
    assert t == sub_gaussian_reach(parties * sum(each), miss) and within.lower == 1 - miss
    assert t == reach_of(paid[::-1], (parties, honest), miss)[0]


def test_intervals_of_merged_leaves_with_different_costs():
    """Leaves that were made early have more ρ; a merged leaf has the noises of all leaves in it."""
    f = asked_of(Ledger(2, delta=1e-6), rng=Rehearsal(3))
    tree = fit_federated_tree(f, max_depth=4, min_samples_split=60).pruned()
    by_leaf = tree.releases_by_leaf()
    assert len({release.cost for releases in by_leaf for release in releases}) > 1
    for interval in count_intervals(tree, confidence="9/10"):
        costs = [release.cost for release in by_leaf[interval.leaf]]
        assert interval.half_width == reach_of(costs, (4, 3), Fraction(1, 10))[0]


def test_the_deviation_of_a_cell_is_that_of_all_shares():
    rng = Rehearsal(11)
    f = Federation([Party([], WIDE)] * 0 or [Party([], WIDE) for _ in range(3)], WIDE, Ledger(rho=500), rng=rng)
    asked = [NodeHistograms(WIDE.everything, Cost("gaussian", "1/100"))] * 30
    noise = np.concatenate([answer.ravel() for answer in f.release(asked)])
    expected = cell_deviation(Cost("gaussian", Fraction(1, 600)), 3, 2)
    assert abs(noise.std() / expected - 1) < 4 / math.sqrt(2 * len(noise)) and abs(noise.mean()) < 4 * expected / 32
    assert expected == pytest.approx(math.sqrt(3 * (6 / (2 * Fraction(1, 100)) + 1) / 2), rel=1e-3)
    assert as_if_pure(Cost("gaussian", Fraction(1, 32))) == 1


def test_neighbouring_queries_of_one_cost_have_the_noise_that_each_needs():
    """At the same ρ six histograms need √6 times the deviation of one count; in any order, in one round."""
    f = Federation([Party([], WIDE) for _ in range(3)], WIDE, Ledger(rho=500), tolerate=0, rng=Rehearsal(12))
    cost = Cost("gaussian", "1/200")
    kinds = [ClassCounts(WIDE.everything, cost), NodeHistograms(WIDE.everything, cost)] * 60
    for asked in (kinds, kinds[::-1]):
        answers = f.release(asked)
        for kind, squared in ((ClassCounts, 1), (NodeHistograms, 6)):
            noise = np.concatenate([a.ravel() for q, a in zip(asked, answers, strict=True) if type(q) is kind])
            assert abs(noise.std() / math.sqrt(squared * 100) - 1) < 5 / math.sqrt(2 * len(noise))
            assert len(np.unique(noise)) > 20


@pytest.mark.parametrize("cost", ["1/9", Cost("gaussian", "1/200")])
def test_equal_queries_of_a_round_have_noise_of_their_own(cost):
    """The noise of 400 equal queries, one beside another, is uncorrelated: five standard errors; so few are equal."""
    f = Federation([Party([], WIDE) for _ in range(3)], WIDE, Ledger(rho=9) if type(cost) is Cost else Ledger(99),
                   tolerate=0, rng=Rehearsal(12))  # fmt: skip
    noise = np.array(f.release([ClassCounts(WIDE.everything, cost)] * 400), dtype=float)
    for lag in (1, 2, 7):
        assert abs(np.corrcoef(noise[:-lag].ravel(), noise[lag:].ravel())[0, 1]) < 5 / math.sqrt(noise.size - 2 * lag)
    assert abs(np.corrcoef(noise.T)[0, 1]) < 5 / math.sqrt(len(noise))


@pytest.mark.parametrize(("parties", "tolerate"), [(5, 0), (6, 4)])
def test_simulated_noise_is_that_of_all_parties(parties, tolerate):
    """K shares, of which m make up the variance; five standard errors. A leaf has its own cost, not its node's."""
    cost, n = Cost("gaussian", "1/300"), 200_000
    noise = summed_noise(cost, parties, tolerate, n, Rehearsal(1))
    assert noise_scale(cost, parties, tolerate) == cell_deviation(cost, parties, parties - tolerate)
    assert abs(noise.std() / noise_scale(cost, parties, tolerate) - 1) < 5 / math.sqrt(2 * n)
    given = Parameters(max_depth=3, leaf_share="1/5", tolerate=tolerate)
    for design, levels in (("default", None), ("screened", True)):
        plan = plan_of(design, WIDE, parties, Budget.of(1, delta=1e-6).limit, given)
        leaf = Cost("gaussian", RHO / 5)
        assert plan.leaf_rate(3) == leaf
        assert plan.leaf_variance(3) == cell_deviation(leaf, parties, parties - tolerate) ** 2
        at = plan.at[1] if levels else plan
        assert at.cell_rate == Cost("gaussian", plan.costs.of_level(1) / (4 if levels else 6))


@pytest.mark.parametrize("design", ["default", "screened"])
def test_simulated_trees_have_the_law_of_federated_ones(design):
    """The mean share of right answers on the same rows, 60 trees each: within four standard errors (1 in 10,000)."""
    X = np.array([row[:-1] for part in PARTS for row in part])
    codes, labels = (X * 3).astype(int), np.array([row[-1] == "yes" for part in PARTS for row in part]).astype(int)
    parties = np.repeat(np.arange(4), 60)
    budget = Budget.of(2, delta=1e-6)
    train, test = (codes[None], labels[None], parties[None]), (codes[None], labels[None])
    runs = CodedRows(WIDE, *train, *test, n_parties=4).repeated(60)
    own = simulate(design, runs, epsilon=budget.limit, tolerate=1, max_depth=2, rng=np.random.default_rng(1)) / 240
    real = []
    for k in range(60):
        tree = fit_federated_tree(asked_of(Ledger(budget), rng=Rehearsal(k)), design=design, max_depth=2)
        real.append(np.mean(tree.predict(X) == np.where(labels, "yes", "no")))
    error = math.hypot(np.std(own), np.std(real)) / math.sqrt(60)
    assert abs(np.mean(own) - np.mean(real)) < 4 * error


def test_what_is_promised_before():
    """The outsider's (ε, δ), and for insiders beyond those tolerated the budget with fewer shares, converted once."""
    sizes = {"n_features": 6, "n_parties": 4, "tolerate": 1}
    budget = Budget.of(1, delta=1e-6)
    promise = tree_promise(find_design("screened"), Asked(), budget, colluders=2, **sizes)
    alone = tree_guarantee(1, delta=1e-6, noise="gaussian", n_parties=4, colluders=2, tolerate=1)
    assert promise == alone and alone.outsider.upper == 1 and alone.delta == Fraction(1, 10**6)
    assert 1.2 < float(alone.insider.upper) < 1.3 and "δ = 1/1000000" in alone.render() and "ε" in alone._repr_html_()
    kept = tree_guarantee(budget, noise="gaussian", n_parties=4, colluders=1, tolerate=1)
    assert kept.insider.upper == kept.insider.lower == 1
    for wrong in ({"n_features": 3}, {"max_depth": 2}, {"leaf_share": "1/2"}, {"levels": []}, {"leaf": 1}):
        with pytest.raises(ValueError, match="leave out"):
            tree_guarantee(1, delta=1e-6, noise="gaussian", n_parties=4, colluders=2, **wrong)
    for delta in (0, 1, "x"):
        with pytest.raises(ValueError, match="delta"):
            tree_guarantee(1, delta=delta, noise="gaussian", n_parties=4, colluders=2)
    tree = fit_federated_tree(asked_of(Ledger(budget)), max_depth=1)
    assert str(budget) in promised(tree.derivation.guarantee)
    with pytest.raises(ValueError, match="budget alone"):
        insider_cost(tree.derivation, 4, 1)


# --- parties ----------------------------------------------------------------------------------------------------------


def test_parties_own_ledgers_are_charged_in_rho(tmp_path):
    path = tmp_path / "own.db"
    own = [Ledger.open(path, rho="1/20"), Ledger(rho="1/10", colluders=0)]
    members = [Party(PARTS[k], WIDE, ledger=own[k], limits=BELIEVING) for k in (0, 1)]
    f = Federation(members, WIDE, Ledger(1, delta=1e-6), rng=Rehearsal(2))
    fit_federated_tree(f, max_depth=1)
    assert own[0].spent == own[1].spent == f.ledger.spent
    assert Ledger.open(path).derivation().guarantee.rho == Fraction(1, 20)


def test_a_party_books_what_the_aggregator_books():
    """Also ξ, which depends on how many shares make up the noise; release by release."""
    own = [Ledger(rho=3, colluders=1) for _ in range(6)]
    members = [Party([], WIDE, ledger=each, limits=BELIEVING) for each in own]
    f = Federation(members, WIDE, Ledger(rho=3), tolerate=1, rng=Rehearsal(2))
    f.release(
        [
            NodeHistograms(WIDE.everything, Cost("gaussian", 1)),
            ClassCounts(WIDE.everything, Cost("gaussian", 1)),
        ]
    )
    assert f.ledger.spent.xi > 0
    for each in own:
        assert each.derivation().content["proof"] == f.ledger.derivation().content["proof"]


@pytest.mark.parametrize("of_party", [Ledger(1), Ledger(rho=1)])
def test_a_party_whose_ledger_is_in_the_other_measure_does_not_take_part(of_party):
    other = Ledger(1, delta=1e-6) if of_party.measure == "pure" else Ledger(1)
    with pytest.raises((RoundLost, ValueError), match="one of"):
        Federation([Party([], WIDE, ledger=of_party, limits=BELIEVING), Party([], WIDE)], WIDE, other)
    assert of_party.rounds == 0


def test_an_owner_may_ask_for_a_least_rho():
    limits = Limits(members="anybody", tolerate=0, least_rho="1/100", least_epsilon=5)
    assert repr(limits).endswith("ε ≥ 5; ρ ≥ 1/100)")
    f = asked_of(Ledger(rho=1), limits=limits)
    f.release([ClassCounts(WIDE.everything, Cost("gaussian", "1/100"))])
    with pytest.raises(RoundLost, match="ρ = 1/100 or more"):
        f.release([ClassCounts(WIDE.everything, Cost("gaussian", "1/200"))])


@pytest.mark.parametrize("kind", [NodeHistograms, NodeBounds, ClassHistogram])
def test_an_answer_in_rho_is_one_vector(kind):
    """ℓ₂² is p for all histograms, p·m² for bounds; a party charges the same as the aggregator."""
    cost = Cost("gaussian", "1/8")
    own = {NodeHistograms: (), NodeBounds: (4,), ClassHistogram: (2,)}[kind]
    query = kind(WIDE.everything, cost, *own)
    squared = {NodeHistograms: 6, NodeBounds: 6 * 16, ClassHistogram: 1}[kind]
    charge = query.charge(WIDE, 0, "any", n_noise_shares=3)
    assert (query.l2_squared, query.cells) == (squared, query.n_releases) == (charge.l2_squared, charge.cells)
    assert charge.variance >= squared / (2 * cost.value) and charge == query.charge(WIDE, 0, "any", n_noise_shares=3)
    with pytest.raises(ValueError, match="no ε"):
        assert query.epsilon


def test_two_accounts_in_rho_add_up_and_two_measures_do_not():
    one, two = (fit_federated_tree(asked_of(Ledger(each, delta=1e-6)), max_depth=1).derivation for each in (1, 2))
    both = combined_derivation(one, two)
    assert both.guarantee.rho == one.guarantee.rho + two.guarantee.rho and both.guarantee.order is None
    pure = fit_federated_tree(asked_of(Ledger(1)), max_depth=1).derivation
    with pytest.raises(ValueError, match="one measure"):
        combined_derivation(one, pure)


def test_a_changed_variance_is_refused():
    tree = fit_federated_tree(asked_of(Ledger(1, delta=1e-6)), max_depth=1)
    content = json.loads(tree.derivation.to_json())

    def less(step):
        if step["rule"] == "release":
            step["variance"] = str(Fraction(step["variance"]) / 2)
        for premise in step.get("premises", ()):
            less(premise)

    less(content["proof"])
    with pytest.raises(DerivationRefused, match="too little"):
        check_derivation(json.dumps(content))


def test_designs_that_are_named_are_all_tried():
    assert set(COUNTED) == set(DESIGNS)
