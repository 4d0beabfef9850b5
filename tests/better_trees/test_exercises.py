"""The mathematics that the exercises of chapter 11 rely on."""

from fractions import Fraction

import pytest

from fdpedu.cart import candidates, split_losses
from fdpedu.dlpa import insider_epsilon
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exercises.better_trees.order import told
from fdpedu.exercises.catalogue import find
from fdpedu.mechanisms import discrete_laplace_pmf, permute_and_flip_pmf
from fdpedu.trees.designs.rotating import designers, level_costs
from tests.support.exercises import cases_of, check


def test_what_a_mixture_moves_by_is_approached_and_never_exceeded():
    """The library's mixed loss is ¾ of the errors and ¼ of the report's Gini: its constant is 1."""
    assert find("better-slopes").reference(Fraction(3, 4), Fraction(1, 4), Fraction(0)) == 1
    steps, raised = 10**6, []
    for n in range(1, 60):
        before, after = split_losses([[n, 0], [n, 1]], [[0, 0], [0, 0]], "mixed", steps).tolist()
        raised.append(after - before)
    assert max(raised) < steps and raised[-1] > Fraction(99, 100) * steps


def test_a_level_costs_what_the_library_charges():
    for (parties, depth, level, epsilon, share), cost in cases_of("better-levels"):
        assert cost == level_costs(designers(range(parties), depth), epsilon, share)[level]


def test_the_designer_draws_by_permute_and_flip():
    for (first, second, alpha), law in cases_of("better-flip"):
        assert law == list(permute_and_flip_pmf([-first, -second], alpha=alpha))
        assert sum(law) == 1


def test_candidates_are_counted_as_the_library_lists_them():
    for (codes, ordered, missing), number in cases_of("better-candidates"):
        feature = (
            Numeric.grid("x", 0, 1, bins=9, missing=missing)
            if ordered
            else Categorical("x", [f"kind {code}" for code in range(9)], missing=missing)
        )
        domain = Domain([feature], ("well", "ill"))
        kept = [*range(codes), *([9] if missing else [])]
        assert number == len(candidates(domain, domain.everything.restrict(0, kept)))


def test_an_attack_on_a_leaf_has_the_rates_of_the_noise():
    """Added up from the probabilities; above 0 the quotient is e^ε exactly, and never more."""
    for (alpha, threshold), (there, absent) in cases_of("better-attack"):
        inside = sum(discrete_laplace_pmf(k, alpha=alpha) for k in range(min(threshold, 0), abs(threshold)))
        tail = absent - (
            sum(discrete_laplace_pmf(k, alpha=alpha) for k in range(threshold, 1)) if threshold <= 0 else 0
        )
        assert inside >= 0 and tail >= 0
        assert there - absent == discrete_laplace_pmf(threshold - 1, alpha=alpha)
        assert there <= absent / alpha and (there == absent / alpha) == (threshold > 0)


def test_what_is_left_of_noise_decides_what_insiders_learn():
    """A leaf keeps its ε exactly if at least one whole noise is left."""
    for (parties, colluders, tolerate), (choice, shape) in cases_of("better-insiders"):
        if colluders < parties and parties <= 4:
            loss = insider_epsilon("1/5", parties, colluders, tolerate=tolerate)
            assert choice == 1 and (shape >= 1) == (loss.upper == Fraction(1, 5))


def test_no_other_share_of_the_root_makes_the_sum_of_scales_smaller():
    def scales(features, keep, depth, root):
        return features / root + ((depth - 1) ** 2 * keep / (1 - root) if depth > 1 else 0)

    for case, root in cases_of("better-shares"):
        if case[2] > 1:
            least = scales(*case, root)
            assert all(scales(*case, k / 100) >= least - 1e-9 for k in range(1, 100))


def test_other_pairs_are_right_too():
    assert check("better-empty", ([(1, 0), (0, 0)], [(1, 0)])).passed
    assert check("better-order", ([[1, 1], [1, 1], [1, 1]], [[1, 2], [1, 1], [1, 1]])).passed
    assert told([[1, 0], [0, 0], [0, 1]], [[2, 0], [0, 0], [0, 1]])[0] == "alike"


@pytest.mark.parametrize(
    ("exercise", "answer", "said"),
    [
        ("better-empty", ([(0, 2)], []), "0 or 1"),
        ("better-empty", ([(0, 0)] * 21, [(0, 0)] * 20), "at most 20 rows"),
        ("better-empty", ([(0, 0)], [(0, 1)]), "one row more"),
        ("better-empty", [], "2 values"),
        ("better-order", ([[0, 0]], [[0, 1]]), "3 values"),
        ("better-order", ([[-1, 0], [0, 0], [0, 0]], [[0, 0], [0, 0], [0, 0]]), "0 or more"),
        ("better-order", ([[0, 0]] * 3, [[0, 0]] * 3), "differ in 0 rows"),
    ],
)
def test_the_reply_to_what_is_no_answer(exercise, answer, said):
    reply = check(exercise, answer)
    assert not reply.passed and said in " ".join(str(reply).split()).lower()
