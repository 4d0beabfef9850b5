"""What a party answers about its lower bounds: the exact numbers, how far a record moves them, and what they cost."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Ledger, check_derivation
from fdpedu.bounds import lattice_bound
from fdpedu.cart import local_best_impurity, local_impurity_steps
from fdpedu.cart.local_grid import layout_of, steps_of
from fdpedu.claims import strategies
from fdpedu.claims.bounds import laws_query as law
from fdpedu.claims.bounds import laws_query_noise as noise
from fdpedu.derivation_checker import DerivationRefused
from fdpedu.dlpa import insider_epsilon
from fdpedu.dlpa.guarantee import insider_cost
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Federation, NodeBounds, NodeHistograms, Party
from fdpedu.randomness import ZeroWords

X = Numeric.grid("x", 0, 3, bins=3)
MIXED = Domain([X, Categorical("w", tuple("ABCD")), Numeric.grid("y", 0, 2, bins=2)], ("a", "b", "c"))
FEW = settings(max_examples=max(5, settings().max_examples // 5))  # the register tries more
BINARY = Domain([Categorical("w", tuple("ABCD")), X, Categorical("v", tuple("KLM"))], ("a", "b"))


# --- the exact numbers ---


def each_by_itself(table, domain, lattice):
    """Feature by feature, as a fraction, rounded down."""
    parts = np.split(np.array(table), np.cumsum([feature.n_codes for feature in domain.features])[:-1])
    least = [local_best_impurity(part, ordered=f.ordered) for part, f in zip(parts, domain.features, strict=True)]
    return [math.floor(lattice * number) for number in least]


def tables_of(domain, most):
    row = st.tuples(*[st.integers(0, most)] * domain.n_classes)
    return st.lists(st.one_of(row, st.just((0,) * domain.n_classes)), min_size=domain.n_codes, max_size=domain.n_codes)


@given(
    st.sampled_from([MIXED, BINARY]).flatmap(
        lambda domain: st.tuples(
            st.just(domain),
            st.sampled_from([3, 50, 10**5, 10**7, 2**38]).flatmap(lambda most: tables_of(domain, most)),
        )
    ),
    st.sampled_from([1, 2, 4, 60, 999, 2**16]),
)
def test_all_features_at_once_are_each_by_itself(case, lattice):
    """Of few rows and of many, with codes and features without rows, of two classes and of three."""
    domain, table = case
    assert local_impurity_steps(table, domain, lattice).tolist() == each_by_itself(table, domain, lattice)


@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.int16])
def test_the_table_is_not_written_to(kind):
    table = np.array([[4, 0], [1, 3], [0, 9], [7, 7], [2, 2], [0, 5], [3, 1], [1, 1], [2, 4], [9, 0]], dtype=kind)
    before = table.copy()
    table.flags.writeable = False
    found = local_impurity_steps(table, BINARY, 1000)
    assert found.tolist() == each_by_itself(before, BINARY, 1000) and found.dtype == np.int64
    assert np.array_equal(table, before)


@pytest.mark.parametrize("lattice", [1, 4, 9, 2**16])
@pytest.mark.parametrize("rows", [2**21, 2**21 + 2**19, 2**22, 2**22 + 2**21])
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_where_integers_grow_too_long(rows, lattice, classes):
    """The largest numerator there is: half of the rows on either side, each with as many of each class."""
    n = int(rows / lattice ** (1 / 3)) // (2 * classes)
    domain = Domain([Numeric.grid("x", 0, 2, bins=2)], range(classes))
    for off in (0, 1):
        table = [[n] * classes, [n + off] * classes]
        assert local_impurity_steps(table, domain, lattice).tolist() == [lattice_bound(table, lattice)]


@pytest.mark.parametrize("c", [7_586_713_596, 8_741_889_378, 193_995_355_336, 15_737_609_607_210])
def test_borders_that_floats_do_not_tell_apart(c):
    """The one in the middle leaves 3c/2, a whole number; those beside it leave less, in the 25th digit."""
    law.large([[3 * c - 1, c - 1], [1, 1], [1, 1], [c - 1, 3 * c - 1]], 1)
    assert local_best_impurity([[3 * c - 1, c - 1], [1, 1], [1, 1], [c - 1, 3 * c - 1]]) < 3 * c // 2


def test_nearly_tied_splits_of_many_rows():
    """Two borders whose impurities differ in the seventeenth digit, on either side of a step."""
    n = 2**45
    for off in (-2, -1, 0, 1, 2):
        law.large([[n, 0], [2**10, 2**10 + off], [0, n], [1, 1]], 3)
        law.large([[n, n // 2, 3], [n // 2, n + off, 1], [n + off, n, n]], 2**9)


def test_large_counts_are_exact_for_many_classes():
    """Of categories, all subsets are tried, in numbers of any length."""
    rng = np.random.default_rng(4)
    for most in (10**6, 10**12):
        table = rng.integers(0, most, (MIXED.n_codes, 3))
        assert local_impurity_steps(table, MIXED, 2**12).tolist() == each_by_itself(table, MIXED, 2**12)


def wards(n, classes):
    return Domain([Categorical("ward", tuple(range(n))), X], tuple(range(classes)))


def test_many_categories():
    """Of two classes as many as one likes; of three up to 14, of which only those with rows take time."""
    rng = np.random.default_rng(5)
    for domain in (wards(200, 2), wards(14, 3)):
        table = rng.integers(0, 4, (domain.n_codes, domain.n_classes))
        assert local_impurity_steps(table, domain, 60).tolist() == each_by_itself(table, domain, 60)
    assert layout_of(wards(200, 2)).by_share == (0,) and layout_of(wards(14, 3)).in_subsets == (0,)


MANY = (
    "for lower bounds with more than two classes, a feature may have at most 14 categories; 'ward' has 15: merge some "
    "of them, or give them a public order"
)
COUNTS = "table must be counts ≥ 0 of shape (codes, classes) that add up to at most 2**53"


@pytest.mark.parametrize(
    ("table", "domain", "lattice", "told"),
    [
        ([[0] * 3] * 18, wards(15, 3), 4, MANY),
        ([[1, 2]] * 4, BINARY, 4, "table must be counts of shape (10, 2), all features' codes and classes; got (4, 2)"),
        (
            [[1, 2, 3]] * 10,
            BINARY,
            4,
            "table must be counts of shape (10, 2), all features' codes and classes; got (10, 3)",
        ),
        ([[1, -1]] * 10, BINARY, 4, COUNTS),
        ([[2**52, 0]] * 10, BINARY, 4, COUNTS),
        (
            [[2**46, 0], *[[0, 0]] * 8, [1, 0]],
            BINARY,
            2**16,
            "table must be of so few rows that 65536 times the sum of its counts is at most 2**62",
        ),
        ([[1, 2]] * 10, BINARY, 0, "lattice must be an integer ≥ 1, got 0"),
        ([[1, 2]] * 10, BINARY, 2**16 + 1, "lattice must be at most 65536, got 65537"),
        ([[1, 2]] * 10, None, 4, "domain must be a Domain, got NoneType"),
    ],
)
def test_what_is_no_table_is_refused_in_these_words(table, domain, lattice, told):
    with pytest.raises(ValueError) as refused:
        local_impurity_steps(table, domain, lattice)
    assert str(refused.value) == told


def test_the_most_rows_of_the_finest_lattice():
    table = [[2**45, 0], [0, 0], [0, 2**45], *[[0, 0]] * 7]
    assert local_impurity_steps(table, BINARY, 2**16).tolist() == [0, 0, 0]
    assert steps_of(np.array(table), layout_of(BINARY), 2**16).tolist() == [0, 0, 0]


# --- what a record moves, and what it costs ---


@pytest.mark.claim("thm-node-bounds")
@FEW
@given(law.random_neighbours(strategies))
def test_a_record_moves_each_bound_by_at_most_m(case):
    law.moves(*case)


@pytest.mark.claim("thm-node-bounds")
@FEW
@given(law.random_cases(strategies, codes=4, classes=5))
def test_a_party_answers_the_definition(case):
    law.definition(*case[:3])


@pytest.mark.parametrize(("p", "classes", "lattice"), [(1, 2, 1), (2, 3, 7), (4, 2, 3)])
def test_the_sensitivity_is_attained(p, classes, lattice):
    law.attained(p, classes, lattice)


def test_one_record_of_ten_features():
    """All bounds of a node move at once, by m each: a third of the way up in steps of 1/3."""
    domain = Domain([Numeric.grid(f"x{j}", 0, 2, bins=2) for j in range(10)], ("a", "b"))
    rows = [[*[0.5] * 10, "a"]] * 10 + [[*[0.5] * 10, "b"]]
    query = NodeBounds(domain.everything, 1, 3)
    assert law.answered(query, rows, domain) == [2] * 10
    assert law.answered(query, [*rows, rows[-1]], domain) == [5] * 10


@FEW
@given(law.random_parties(strategies))
def test_without_noise_it_is_a_lower_bound(case):
    law.below_every_split(*case)


@FEW
@given(noise.random_rounds(strategies))
def test_a_release_is_floors_and_noise(case):
    noise.release_law(*case)


@pytest.mark.parametrize("asked", [[(3, Fraction(1, 5)), (0, Fraction(1, 5))], [(1, Fraction(1, 7)), (9, Fraction(2))]])
def test_noise_is_of_its_own(asked):
    noise.noise_of_a_party(asked, 3, 10 if asked[1][0] == 0 else 8)


def test_every_number_has_words_of_every_party():
    noise.own_words(3, 1, 9)


# --- against insiders ---


@pytest.mark.parametrize(("lattice", "loss"), [(1, "0.6059"), (10, "1.0132"), (100, "1.3091"), (1000, "1.5372")])
def test_what_a_lattice_costs_against_one_of_two(lattice, loss):
    """One bound at ε = 1/10, two parties, shares made for nobody: the finer the lattice, the more the other learns."""
    domain = Domain([X], ("a", "b"))
    ledger, query = Ledger(1), NodeBounds(domain.everything, "1/10", lattice)
    ledger.bind(domain)
    ledger.charge([query.charge(domain, 0, "operating system")])
    derivation = ledger.derivation()
    found = insider_cost(derivation, 2, 0)
    assert found.lower <= insider_epsilon("1/10", 2, 1, sensitivity=lattice).upper
    assert Fraction(loss) < found.lower <= found.upper < Fraction(loss) + Fraction(1, 10**4)
    assert insider_cost(derivation, 2, 1).upper == Fraction(1, 10)  # of shares made for one colluder


def test_a_run_with_bounds_and_histograms_costs_insiders_the_sum():
    """On a path: p losses of bounds of m steps, and p of histograms; a part beside it costs less."""
    law.entered(3, 4, Fraction(1, 2), 5)
    ledger, whole = Ledger(9), MIXED.everything
    ledger.bind(MIXED)
    asked = [
        NodeBounds(whole, "3/10", 4),
        NodeHistograms(whole, "3/5"),
        NodeBounds(whole.restrict(0, [0]), "3/10", 9),
        NodeBounds(whole.restrict(0, [1, 2]), "3/10", 2),
    ]
    ledger.charge([query.charge(MIXED, 0, "operating system") for query in asked])
    found = insider_cost(ledger.derivation(), 4, 0, 2)
    each = [insider_epsilon(e, 4, 2, sensitivity=m) for e, m in (("1/10", 4), ("1/5", 1), ("1/10", 9))]
    assert 3 * sum(one.lower for one in each) <= found.upper and found.lower <= 3 * sum(one.upper for one in each)


# --- in a ledger's file, and in a federation ---


def test_what_bounds_cost_is_kept_in_a_file_and_checked(tmp_path):
    """With releases and sensitivity; a derivation that says another sensitivity is refused."""
    path, whole = tmp_path / "budget.db", MIXED.everything
    ledger = Ledger.open(path, 2)
    ledger.bind(MIXED)
    asked = [NodeBounds(whole, "1/2", 4), NodeHistograms(whole, 1)]
    ledger.charge([query.charge(MIXED, 0, "operating system") for query in asked])
    text = Ledger.open(path).derivation().to_json()
    assert text == ledger.derivation().to_json() and check_derivation(text).spent == Fraction(3, 2)
    content = json.loads(text)
    (release,) = [step for step in releases_in(content) if step["claim"] == "thm-node-bounds"]
    assert (release["releases"], release["sensitivity"], release["rate"]) == (3, 4, "1/24")
    release["sensitivity"] = 1
    with pytest.raises(DerivationRefused):
        check_derivation(json.dumps(content))


def releases_in(content):
    """All steps of a derivation that are releases."""
    if isinstance(content, dict):
        own = [content] if content.get("rule") == "release" else []
        return own + [step for part in content.values() for step in releases_in(part)]
    return [step for part in content for step in releases_in(part)] if isinstance(content, list) else []


def test_parties_with_one_class_or_no_rows_have_bounds_of_zero():
    """Nothing is infinite, and nothing is left out: a bound is 0 where a party's rows are pure."""
    domain = Domain([X, Numeric.grid("y", 0, 2, bins=2)], ("a", "b"))
    pure, mixed = [[0.5, 0.5, "a"], [1.5, 1.5, "a"]], [[0.5, 0.5, "a"], [0.5, 1.5, "b"], [2.5, 1.5, "a"]]
    parties = [Party(rows, domain) for rows in (pure, [], mixed)]
    federation = Federation(parties, domain, Ledger(1), rng=ZeroWords())
    (found,) = federation.release([NodeBounds(domain.everything, 1, 60)])
    assert found.tolist() == [30, 30]


def test_the_sum_of_floors_is_less_than_the_floor_of_the_sum():
    """Three parties of 2/3 each: without a lattice 2, in whole steps 0."""
    domain = Domain([X], ("a", "b"))
    parties = [Party([[0.5, "a"], [0.5, "b"], [0.5, "b"]], domain) for _ in range(3)]
    federation = Federation(parties, domain, Ledger(2), rng=ZeroWords())
    asked = [NodeBounds(domain.everything, "1/2", m) for m in (1, 3, 2)]
    assert [answer.tolist() for answer in federation.release(asked)] == [[0], [6], [3]]
