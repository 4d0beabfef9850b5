"""A score on private rows: what is released, what it costs, and what cannot be asked for."""

import html
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.boosting import fit_federated_boosting
from fdpedu.claims.federations import AGE, federate, grow
from fdpedu.domain import Domain, Numeric
from fdpedu.estimators import NoisyScore, noisy_score
from fdpedu.estimators.scoring import model_of
from fdpedu.federation import ClassCounts, Federation, Limits, OutcomeCounts, Party
from fdpedu.randomness import Rehearsal, SystemSource, ZeroWords
from fdpedu.secure_sum import Identity, hashed
from fdpedu.trees import fit_federated_tree
from tests.support import private_trees as sixty
from tests.support.federations import BELIEVING

ROWS = [[[20, "well"], [30, "well"], [35, "ill"]], [[80, "ill"], [70, "well"], [90, "ill"]], []]
PARTIES = [Party(rows, AGE) for rows in ROWS]
TREE = grow((AGE, ROWS), 1, ZeroWords(), max_depth=1, min_samples_split=2, design="averaged")[0]  # ill above 50


def two_classes():
    """An ensemble of these rows, without noise."""
    asker = Federation(PARTIES, AGE, Ledger(1), rng=ZeroWords())
    return fit_federated_boosting(asker, nominal_size=6, rounds=2, trees_per_round=2, rng=Rehearsal(1))


def score(right, wrong, deviation=1.0, epsilon=1):
    """Of a tree that predicts one class only."""
    return NoisyScore(((right, wrong),), Fraction(epsilon), deviation, None)


def test_without_noise_it_is_the_count():
    """The tree is right about four of six; an empty party brings nothing, and order does not matter."""
    found = noisy_score(TREE, PARTIES, "1/2", rng=ZeroWords())
    assert (found.right, found.wrong, found.value, found.epsilon) == (4, 2, 4 / 6, Fraction(1, 2))
    assert found.by_class == ((2, 1), (2, 1))
    again = noisy_score(TREE, PARTIES[::-1], "1/2", rng=ZeroWords())
    assert again == found and {type(n) for pair in found.by_class for n in pair} == {int}


def test_noise_is_of_the_operating_system_unless_a_source_is_given():
    guarantee = noisy_score(TREE, PARTIES, 1).derivation.guarantee
    assert guarantee.randomness == (SystemSource.kind,) and guarantee.colluders == 1 and guarantee.value == 1
    assert noisy_score(TREE, PARTIES, 1, rng=Rehearsal(1)).derivation.guarantee.randomness == (Rehearsal.kind,)


@pytest.mark.parametrize(
    ("right", "wrong", "value"), [(3, 1, 0.75), (-3, 1, 0), (5, -2, 1), (-1, -1, 0.5), (0, 0, 0.5)]
)
def test_the_value_is_made_of_what_is_left(right, wrong, value):
    """Negative counts become 0; of nothing, one half."""
    assert score(right, wrong).value == value


@given(st.integers(30, 10**6), st.integers(30, 10**6), st.floats(0.01, 3))
@settings(max_examples=50, deadline=None)
def test_the_standard_error_is_that_of_the_quotient(right, wrong, deviation):
    """To first order: √((∂/∂r)² + (∂/∂w)²)·σ, by differences."""
    step = 1e-3

    def value(a, b):
        return a / (a + b)

    by_right = (value(right + step, wrong) - value(right - step, wrong)) / (2 * step)
    by_wrong = (value(right, wrong + step) - value(right, wrong - step)) / (2 * step)
    expected = deviation * math.hypot(by_right, by_wrong)
    assert score(right, wrong, deviation).standard_error == pytest.approx(expected, rel=1e-3, abs=1e-9)


def test_a_standard_error_says_that_nothing_is_known():
    """At most one half; and so where nothing is left. A larger ε makes it smaller, colluders make it larger."""
    assert score(1, 1, 99.0).standard_error == 0.5 == score(-1, 0).standard_error
    errors = [noisy_score(TREE, PARTIES, 9, tolerate=t, rng=ZeroWords()).standard_error for t in (0, 1, 2)]
    assert 0 < errors[0] < errors[1] < errors[2] < noisy_score(TREE, PARTIES, 3, rng=ZeroWords()).standard_error
    single = 2 * math.exp(-9) / (1 - math.exp(-9)) ** 2  # the variance of one discrete Laplace number
    found = noisy_score(TREE, PARTIES, 9, tolerate=1, rng=ZeroWords()).deviation
    assert found**2 == pytest.approx(single * 3 / 2)


def test_its_words():
    """As text and in a notebook: value, noise, counts, cost; what is no promise says so."""
    assert str(score(80, 20, 1.5)) == "0.800 ± 0.012 (noisy counts: right 80, wrong 20; ε = 1)"
    assert score(80, 20)._repr_html_().startswith('<p class="fdpedu">0.800 ± 0.008 (noisy')
    page = noisy_score(TREE, PARTIES, "1/3")._repr_html_()
    assert "ε = 1/3)" in page and "<br>The counts are 1/3-differentially private" in page and page.endswith(".</p>")
    assert "Nothing is promised: document: noise" in noisy_score(TREE, PARTIES, 1, rng=ZeroWords())._repr_html_()


def test_the_budget_of_the_tree_pays():
    """In an account of its own, with the claim behind it; a second score pays again; and never more than there is."""
    federation = federate(ROWS, AGE, 2, Rehearsal(4))
    tree = fit_federated_tree(federation, epsilon=1)
    ledger = federation.ledger
    noisy_score(tree, PARTIES, "2/3", budget=ledger, rng=Rehearsal(5))
    assert ledger.spent == Fraction(5, 3) and ledger.accounts[-1] == f"score after round {tree.rounds}"
    last = list(ledger.derivation().releases())[-1][1]
    assert (last["type"], last["claim"]) == ("outcome-counts", "lem-noisy-score")
    assert (last["epsilon"], last["sensitivity"], last["colluders"]) == ("2/3", 1, 1)
    with pytest.raises(BudgetExceeded):
        noisy_score(tree, PARTIES, "1/2", budget=ledger, rng=Rehearsal(6))
    noisy_score(tree, PARTIES, "1/3", budget=ledger, rng=Rehearsal(7))
    assert ledger.spent == 2 == ledger.derivation().guarantee.value


def test_a_budget_that_promises_more_than_the_noise_withstands_is_not_charged():
    ledger = Ledger(1, domain=AGE, colluders=2)
    with pytest.raises(ValueError, match="colluders"):
        noisy_score(TREE, PARTIES, "1/2", budget=ledger)
    assert ledger.spent == 0


OTHER = Domain([Numeric.grid("age", 0, 100, bins=4)], AGE.classes)
WRONG = {
    "no tree": ({"tree": None}, "tree must be a Tree"),
    "no parties": ({"parties": None}, "parties"),
    "one party": ({"parties": PARTIES[:1]}, "a score needs a list of at least 2 parties"),
    "rows in place of parties": ({"parties": ROWS}, r"each made by Party\(rows, domain\)"),
    "a party of another domain": ({"parties": [PARTIES[0], Party([], OTHER)]}, "parties of the model's domain"),
    "a party twice": ({"parties": [PARTIES[0], PARTIES[0]]}, "a party is scored once"),
    "a party whose ledger is the budget": ({"parties": "own", "epsilon": 1}, "a party's own ledger"),
    "no cost": ({"epsilon": 0}, "epsilon must be greater than 0"),
    "too small a cost": ({"epsilon": "1e-30"}, "must be at least"),
    "a cost that is none": ({"epsilon": "much"}, "epsilon must be a finite number"),
    "all are tolerated": ({"tolerate": 3}, "tolerate"),
    "a truth value": ({"tolerate": True}, "tolerate"),
    "an owner who tolerates others": ({"parties": PARTIES[0], "tolerate": 1}, "tolerate must be left out for one own"),
    "an owner who tolerates text": ({"parties": PARTIES[0], "tolerate": "0"}, "tolerate must be an integer"),
    "an owner of another domain": ({"parties": Party([], OTHER)}, "parties of the model's domain"),
    "an owner with a ledger": (
        {"parties": Party([], AGE, ledger=Ledger(1), limits=BELIEVING)},
        "party must have no ledger of its own",
    ),
    "no source": ({"rng": 3}, "rng must be None"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_asked_for_costs_nothing(case):
    changed, words = WRONG[case]
    ledger = Ledger(5)
    if changed.get("parties") == "own":
        changed = {**changed, "parties": [PARTIES[0], Party([], AGE, ledger=ledger, limits=BELIEVING)]}
    with pytest.raises(ValueError, match=words):
        noisy_score(**{"tree": TREE, "parties": PARTIES, "epsilon": 1, "budget": ledger, **changed})
    assert ledger.spent == 0


def test_the_budget_must_be_a_ledger_of_the_tree_s_domain():
    with pytest.raises(ValueError, match="budget must be a Ledger"):
        noisy_score(TREE, PARTIES, 1, budget="budget.db")
    with pytest.raises(ValueError, match="another domain"):
        noisy_score(TREE, PARTIES, 1, budget=Ledger(5, domain=OTHER))


def test_what_a_party_allows_holds_for_a_score_too():
    """Its limits and its identity go with it: a party that wants five members takes no part among three."""
    key = Identity.create()
    careful = Party(
        ROWS[0], AGE, identity=key, limits=Limits(tolerate=0, queries=[OutcomeCounts], minimum=3, members=[key.public])
    )
    with pytest.raises(ValueError, match="takes no part"):
        noisy_score(TREE, [careful, *PARTIES[1:]], 1)
    many = Party(ROWS[0], AGE, identity=key, limits=Limits(members="anybody", tolerate=0, minimum=5))
    with pytest.raises(ValueError, match="takes no part"):
        noisy_score(TREE, [many, *PARTIES[1:]], 1)
    few = Party(
        ROWS[0], AGE, identity=key, limits=Limits(members="anybody", tolerate=0, minimum=3, queries=[OutcomeCounts])
    )
    assert noisy_score(TREE, [few, *PARTIES[1:]], 1, rng=ZeroWords()).right == 4
    counts_only = Party(ROWS[0], AGE, limits=Limits(members="anybody", tolerate=0, queries=[ClassCounts]))
    with pytest.raises(ValueError, match="outcome-counts"):
        noisy_score(TREE, [counts_only, *PARTIES[1:]], 1)
    keys = [key, Identity.create(), Identity.create()]
    limits = Limits(tolerate=0, members=[one.public for one in keys])
    known = [
        Party(rows, AGE, identity=one, limits=limits, rng=ZeroWords()) for rows, one in zip(ROWS, keys, strict=True)
    ]
    assert noisy_score(TREE, known, 1, rng=ZeroWords()).right == 4


def test_a_score_without_a_derivation_promises_nothing_and_says_nothing_of_it():
    shown = NoisyScore(((3, 1),), Fraction(1), 0.5, None)._repr_html_()
    assert shown == f'<p class="fdpedu">{html.escape(str(NoisyScore(((3, 1),), Fraction(1), 0.5, None)))}<br></p>'


def test_a_score_states_what_it_counted():
    """Its derivation names the type of the query and the model that the question carried."""
    derivation = noisy_score(TREE, PARTIES, 1, rng=Rehearsal(1)).derivation
    ((_, release),) = derivation.releases()
    assert release["type"] == "outcome-counts" and derivation.content["budget"] == "1"
    assert release["parameters"] == {"model": hashed(model_of(TREE).to_wire()).hex()}


def test_a_party_with_a_ledger_of_its_own_is_scored():
    """It charges its ledger; the counts are the same; beyond its budget nothing is released."""
    ledger = Ledger("3/2")
    members = [Party(ROWS[0], AGE, ledger=ledger, limits=BELIEVING), *PARTIES[1:]]
    assert noisy_score(TREE, members, 1, rng=ZeroWords()) == noisy_score(TREE, PARTIES, 1, rng=ZeroWords())
    assert ledger.spent == 1
    with pytest.raises(ValueError, match="over budget"):
        noisy_score(TREE, members, 1, rng=ZeroWords())
    assert ledger.spent == 1


def test_the_noise_of_several_classes_adds_up():
    """Of K classes the right ones are a sum of K noisy counts, so its deviation is √K times that of one count."""
    one = NoisyScore(((60, 20),), Fraction(1), 1.0, None)
    four = NoisyScore(((15, 5),) * 4, Fraction(1), 1.0, None)
    assert four.value == one.value and four.standard_error == pytest.approx(2 * one.standard_error)


def test_a_party_is_called_by_its_name_in_a_score_too():
    careful = Party(ROWS[0], AGE, name="the north", limits=Limits(members="anybody", tolerate=0, minimum=5))
    with pytest.raises(ValueError, match=r"the north 1.*takes no part"):
        noisy_score(TREE, [careful, *PARTIES[1:]], 1)


@pytest.mark.parametrize("odd", [None, 5, "north"])
def test_parties_of_a_score_that_are_no_list(odd):
    with pytest.raises(ValueError, match=r"^parties must be a list|^parties: "):
        noisy_score(TREE, odd, 1)


def test_a_score_is_charged_before_it_is_released(monkeypatch):
    tree, _ = sixty.of_three()
    parties, asked = [Party(rows, sixty.DOMAIN) for rows in sixty.THIRDS], []
    monkeypatch.setattr(Federation, "release", lambda *given: asked.append(given))
    budget = Ledger("1/2")
    with pytest.raises(BudgetExceeded):
        noisy_score(tree, parties, 1, budget=budget)
    assert not asked and budget.spent == 0


def test_a_budget_records_which_noise_a_score_had():
    tree, _ = sixty.of_three()
    budget = Ledger(2)
    noisy_score(
        tree, [Party(rows, sixty.DOMAIN) for rows in sixty.THIRDS], 1, tolerate=2, budget=budget, rng=Rehearsal(1)
    )
    assert budget.derivation().guarantee.randomness == (Rehearsal.kind,) and budget.colluders == 2


# --- of one owner of all rows -----------------------------------------------------------------------------------------


def owner():
    return Party([row for part in ROWS for row in part], AGE)


def test_one_owner_counts_alone():
    """The same counts as of the same rows at several sites; nobody is tolerated, and the noise is shared by nobody."""
    budget = Ledger(1)
    found = noisy_score(TREE, owner(), "1/2", budget=budget, rng=ZeroWords())
    assert found.by_class == noisy_score(TREE, PARTIES, "1/2", rng=ZeroWords()).by_class and budget.spent == 0.5
    assert noisy_score(TREE, owner(), 1, tolerate=0).derivation.guarantee.colluders == 0
    single = 2 * math.exp(-9) / (1 - math.exp(-9)) ** 2
    assert noisy_score(TREE, owner(), 9).deviation ** 2 == pytest.approx(single)
    in_rho = noisy_score(TREE, owner(), 1, delta=1e-6)
    assert in_rho.derivation.guarantee.delta == Fraction(1, 10**6)


def test_the_noise_of_one_owner_is_that_of_discrete_laplace():
    """Of 400 scores at ε = 1, four counts each, the sample variance of the noise; seeded, false alarms below 10⁻⁷.

    The variance of a discrete Laplace number is v = 2a/(1 − a)², a = 1/e, and its kurtosis is below 7. So the mean of
    1,600 squares has a standard error below v·√(6/1600) = 0.061·v, and 0.35·v is more than 5.7 of them.
    """
    source = Rehearsal(8)
    exact = np.array(noisy_score(TREE, owner(), 1, rng=ZeroWords()).by_class)
    noise = np.array([noisy_score(TREE, owner(), 1, rng=source).by_class for _ in range(400)]) - exact
    variance = 2 * math.exp(-1) / (1 - math.exp(-1)) ** 2
    assert abs(np.mean(noise**2.0) - variance) < 0.35 * variance


def test_a_budget_that_promises_colluders_is_not_charged_by_one_owner():
    ledger = Ledger(1, domain=AGE, colluders=1)
    with pytest.raises(ValueError, match="colluders"):
        noisy_score(TREE, owner(), "1/2", budget=ledger)
    assert ledger.spent == 0


@given(st.integers(-60, 60), st.integers(-60, 60), st.integers(2, 32), st.booleans())
@settings(max_examples=100, deadline=None)
def test_noise_that_leaves_nothing_to_say_is_never_a_score(right, wrong, classes, confusion):
    """Whatever is released: a score is printed where counts are clear of their noise, else that nothing is known."""
    by_class = ((right, wrong), *[(0, 0)] * (classes - 1))
    found = NoisyScore(by_class, Fraction(1), 3.0, None, ((0,),) if confusion else ())
    noise = 3 * math.sqrt(classes)
    if max(right, 0) + max(wrong, 0) < 2 * noise:
        assert found.too_noisy
    assert str(found).startswith("unknown: the noise is too large") == found.too_noisy == (found.standard_error > 0.25)
    assert f"takes about {found.rows_needed:,} rows" in str(found) or not found.too_noisy


@pytest.mark.parametrize("confusion", [False, True])
def test_so_many_rows_are_enough(confusion):
    """Of the rows that are needed every share has a standard error of .05 at most, and one has nearly that."""
    for deviation in (0.7, 3.0, 40.0):
        cells = ((0,),) if confusion else ()
        need = NoisyScore(((0, 0),) * 3, Fraction(1), deviation, None, cells).rows_needed
        splits = [(need - wrong, wrong) for wrong in range(0, need + 1, max(1, need // 20))]
        errors = [
            NoisyScore((split, (0, 0), (0, 0)), Fraction(1), deviation, None, cells).standard_error for split in splits
        ]
        assert 0.04 < max(errors) <= 0.05


def test_of_noise_that_is_none_one_row_is_enough():
    """At a large ε the size of the noise underflows; what is paid for is said all the same."""
    for deviation in (0.0, 5e-324, 1e-300):
        found = NoisyScore(((0, 0), (3, 1)), Fraction(2000), deviation, None)
        assert found.rows_needed == 1 and str(found) and found._repr_html_()


def test_the_readme_says_how_many_rows_a_score_takes():
    """One owner's at ε = 1/10, of two classes."""
    text = " ".join((Path(__file__).parents[2] / "README.md").read_text("utf8").split())
    needed = noisy_score(TREE, owner(), "1/10").rows_needed
    assert f"at ε = 1/10 takes {needed} rows for a standard error of 0.05" in text


def test_a_score_at_another_threshold():
    """The counts are those of predictions at it; refused by name for what has no such score, and nothing is charged."""
    grown, rows = two_classes(), PARTIES
    scores = sorted(set(grown.decision_function([[age] for age in range(0, 100, 5)]).tolist()))
    for threshold in [None, scores[0] - 1, *scores, 0]:
        found = noisy_score(grown, rows, 1, threshold=threshold, rng=ZeroWords())
        said = grown.predict([row[:1] for part in ROWS for row in part], threshold=threshold)
        assert found.right == sum(said == [row[1] for part in ROWS for row in part])
    ledger = Ledger(5)
    for model, threshold, words in (
        (TREE, 1, "threshold must be left out: it is for an ensemble of two classes, and this is a tree"),
        (grown, "x", "threshold must be a finite number"),
        (grown, 10**6, "threshold must be from -"),
        (grown, math.inf, "threshold must be a finite number"),
    ):
        with pytest.raises(ValueError, match=words):
            noisy_score(model, rows, 1, threshold=threshold, budget=ledger)
    assert ledger.spent == 0
