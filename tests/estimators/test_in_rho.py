"""The estimator with a small δ: what a fit costs, of which design it is, and what a search and a score say."""

from fractions import Fraction

import pytest
from sklearn.model_selection import GridSearchCV

from fdpedu.accounting import Amount, BudgetExceeded, Cost, Ledger
from fdpedu.estimators import FederatedTreeClassifier, noisy_score, search_cost
from fdpedu.federation import Party
from fdpedu.randomness import Rehearsal

DOMAIN = {"features": {"age": [0, 100, 4]}, "classes": ["no", "yes"]}
X = [[i] for i in range(1, 99)]
Y = ["yes" if i > 50 else "no" for i in range(1, 99)]


def model(**options):
    return FederatedTreeClassifier(DOMAIN, max_depth=1, rng=Rehearsal(4), **options)


def test_a_fit_with_a_small_delta():
    """Screened by itself, another design if named; choices are refused, as they cost ε."""
    fitted = model(epsilon=1, delta=1e-6).fit(X, Y)
    assert fitted.tree_.design.keep == 4 and fitted.derivation_.guarantee.delta == Fraction(1, 10**6)
    assert model(epsilon=1).fit(X, Y).derivation_.guarantee.delta == 0
    assert model(epsilon=1, delta=1e-6, design="default").fit(X, Y).tree_.design.keep is None
    with pytest.raises(ValueError, match="choices"):
        model(epsilon=1, delta=1e-6, design="rotating").fit(X, Y)
    for delta in (0, 1, -1, "x"):
        with pytest.raises(ValueError, match="delta"):
            model(epsilon=1, delta=delta).fit(X, Y)


def test_a_budget_in_rho_is_charged_for_fits_and_scores(tmp_path):
    path = tmp_path / "b.db"
    Ledger.open(path, 2, delta=1e-6).close()
    fitted = model(epsilon="1/2", delta=1e-6, budget=path).fit(X, Y)
    before = Ledger.open(path).spent
    score = fitted.noisy_score(X, Y, epsilon="1/4", delta=1e-6)
    assert "ρ" in str(score) and score.derivation.guarantee.value == Fraction(1, 4)
    with Ledger.open(path) as ledger:
        assert ledger.spent.value == before.value + score.cost.value and ledger.derivation().guarantee.value == 2
    with pytest.raises(ValueError, match="ρ"):
        fitted.noisy_score(X, Y, epsilon="1/4")
    with pytest.raises(ValueError, match="delta must be given"):
        model(epsilon=1, budget=path).fit(X, Y)
    with pytest.raises(ValueError, match="delta must be left out"):
        model(epsilon=1, delta=1e-6, budget=Ledger(1)).fit(X, Y)
    with pytest.raises(ValueError, match="epsilon"):
        model(epsilon=None, delta=1e-6, budget=path).fit(X, Y)
    assert model(epsilon=None, budget=path).fit(X, Y).tree_.design.keep == 4


def test_a_score_of_so_little_that_its_noise_has_no_room_charges_no_budget():
    fitted = model(epsilon=1, delta=1e-6).fit(X, Y)
    domain = fitted.tree_.domain
    parties, budget = [Party([row], domain) for row in ([5, "no"], [95, "yes"])], Ledger(2, delta=1e-6, domain=domain)
    for epsilon, refused in (("1/100000", True), ("1/10", False)):
        before = budget.spent
        if refused:
            with pytest.raises(BudgetExceeded, match=r"ξ = .* was asked.*nothing was charged"):
                noisy_score(fitted.tree_, parties, epsilon, delta=1e-6, budget=budget, rng=Rehearsal(1))
        else:
            noisy_score(fitted.tree_, parties, epsilon, delta=1e-6, budget=budget, rng=Rehearsal(1))
        assert (budget.spent == before) == refused


def test_a_search_says_what_it_costs_in_rho():
    search = GridSearchCV(model(epsilon=1, delta=1e-6, budget=Ledger(2, delta=1e-6)), {"max_depth": [0, 1]}, cv=3)
    said = search_cost(search, X, Y)
    assert (said.fits, said.cost) == (7, Amount(7 * Fraction(2801, 10**5), 7 * Fraction(1, 10**5)))
    assert not said.is_affordable and "ρ = " in str(said)
    with pytest.raises(ValueError, match="no ε"):
        assert said.epsilon
    with pytest.raises(ValueError, match="one measure"):
        search_cost(GridSearchCV(model(epsilon=1), {"delta": [None, 1e-6]}, cv=3), X, Y)


@pytest.mark.parametrize("epsilon", [Cost("gaussian", "1/40"), 1])
def test_a_score_by_itself(epsilon):
    """A cost in ρ alone promises ρ; with ε and δ the counts keep both."""
    tree = model(epsilon=1).fit(X, Y).tree_
    parties = [Party(X[k::2], tree.domain, labels=Y[k::2]) for k in range(2)]
    delta = 1e-6 if epsilon == 1 else None
    score = noisy_score(tree, parties, epsilon, delta=delta, rng=Rehearsal(1))
    guarantee = score.derivation.guarantee
    assert (guarantee.delta == 0) == (delta is None) and guarantee.rho >= score.cost.value
    assert 3 < score.deviation < 9 and str(guarantee.rho) in score._repr_html_()


def test_a_score_is_booked_in_the_budget_as_in_its_own_account():
    """The same release in both, with the variance and the ξ of as many shares as there are honest parties."""
    tree = model(epsilon=1).fit(X, Y).tree_
    parties = [Party(X[k::3], tree.domain, labels=Y[k::3]) for k in range(3)]
    budget = Ledger(2, delta=1e-6)
    score = noisy_score(tree, parties, 1, delta=1e-6, tolerate=0, budget=budget, rng=Rehearsal(1))
    (own,), (booked,) = ([step for _, step in d.releases()] for d in (score.derivation, budget.derivation()))
    assert own == booked and Fraction(own["xi"]) > 0
