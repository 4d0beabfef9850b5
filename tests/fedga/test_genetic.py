"""The genetic operators: laws by replaying all coins on small strings, and what every outcome has in common."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.cart.structures import LEAF
from fdpedu.randomness import Rehearsal, ReplayedWords, TapeExhausted
from fdpedu.structures.genetic import (
    FLIP_SHARE,
    MUTATIONS,
    node_flip,
    node_swap,
    offspring,
    one_point_crossover,
    places,
    random_string,
    substring_swap,
    tournament,
)

LENGTHS = (1, 3, 7, 15)
STRINGS = st.sampled_from(LENGTHS).flatmap(lambda n: st.tuples(*[st.integers(LEAF, 3)] * n))


def law(call, words, word_bits=2):
    """Outcomes and their probabilities over all tapes that last; refused words are drawn again, so the law is exact."""
    found = Counter()
    for tape in product(range(2**word_bits), repeat=words):
        try:
            found[call(ReplayedWords(tape, word_bits))] += 1
        except TapeExhausted:
            continue
    return {outcome: Fraction(n, found.total()) for outcome, n in found.items()}


def uniform(law_):
    return len({*law_.values()}) == 1


def test_a_tournament_is_won_by_rank():
    """The member of rank r of n wins with probability ((n − r + 1)^k − (n − r)^k)/n^k; of equals the first does."""
    for k in (1, 2, 3):
        found = law(lambda coins, k=k: tournament([0.2, 0.9, 0.4, 0.7], k, coins), k)
        assert found == {i: Fraction((5 - r) ** k - (4 - r) ** k, 4**k) for r, i in enumerate((1, 3, 2, 0), 1)}
    assert law(lambda coins: tournament([0.5, 0.5], 2, coins), 2) == {0: Fraction(3, 4), 1: Fraction(1, 4)}


def test_crossover_exchanges_tails_at_a_uniform_place():
    """Every cut inside is as likely; so the root comes with the head of its string."""
    a, b = (0, 1, 2, 3, 4, 5, 6, 7, 8), (9, 10, 11, 12, 13, 14, 15, 16, 17)
    found = law(lambda coins: one_point_crossover(a, b, coins), 1, 3)
    assert found == {(a[:k] + b[k:], b[:k] + a[k:]): Fraction(1, 8) for k in range(1, 9)}
    assert one_point_crossover((3,), (4,), ReplayedWords([])) == ((3,), (4,))
    assert one_point_crossover((), (), ReplayedWords([])) == ((), ())


def test_a_flip_gives_one_of_three_places_another_letter():
    """Each place and each other letter with the same probability; with one feature it is a leaf or no leaf."""
    found = law(lambda coins: node_flip((0, LEAF, 1), 2, coins), 4)
    others = {0: (1, LEAF), LEAF: (0, 1), 1: (0, LEAF)}
    expected = {tuple(new if i == at else e for i, e in enumerate((0, LEAF, 1))) for at in range(3)
                for new in others[(0, LEAF, 1)[at]]}  # fmt: skip
    assert found.keys() == expected and len(expected) == 6 and uniform(found)
    assert node_flip((0,), 1, Rehearsal(1)) == (LEAF,) and node_flip((LEAF,), 1, Rehearsal(1)) == (0,)


def test_a_swap_exchanges_two_of_three_places():
    found = law(lambda coins: node_swap((4, 5, 6), 7, coins), 2)
    assert found.keys() == {(5, 4, 6), (6, 5, 4), (4, 6, 5)} and uniform(found)


def test_a_substring_swap_puts_three_parts_into_any_order():
    found = law(lambda coins: substring_swap((4, 5, 6), 7, coins), 5)
    assert len(found) == 6 and all(sorted(outcome) == [4, 5, 6] for outcome in found) and uniform(found)
    assert substring_swap((4,), 7, ReplayedWords([])) == (4,)


def test_a_random_string_has_uniform_features_and_a_share_of_leaves():
    found = law(lambda coins: random_string(2, 1, 0.2, coins), 2)
    assert found == {(0,): Fraction(1, 2), (1,): Fraction(1, 2)}
    found = law(lambda coins: random_string(2, 2, 0.2, coins), 6)
    assert all(string.count(LEAF) == 1 for string in found) and len(found) == 12 and uniform(found)
    for ratio, leaves in ((0, 0), (0.5, 4), (1, 7)):
        string = random_string(5, 3, ratio, Rehearsal(1))
        assert len(string) == 7 and string.count(LEAF) == leaves and all(LEAF <= entry < 5 for entry in string)


@given(STRINGS, st.integers(0, 10**6))
def test_mutations_keep_length_and_letters(string, seed):
    """Swaps keep the multiset of entries; a flip changes as many places as it says."""
    for name, mutation in MUTATIONS.items():
        found = mutation(string, 4, Rehearsal(seed))
        assert len(found) == len(string) and all(entry in range(LEAF, 4) for entry in found)
        if name == "node flip":
            assert sum(a != b for a, b in zip(string, found, strict=True)) == places(FLIP_SHARE, len(string))
        else:
            assert sorted(found) == sorted(string)


def test_the_parts_of_a_substring_swap_stay_whole():
    """Of what follows what, at most two pairs inside change; and none of the three parts is empty."""
    string, seen = tuple(range(7)), set()
    for seed in range(400):
        found = substring_swap(string, 7, Rehearsal(seed))
        broken = sum(b != a + 1 for a, b in pairwise(found))
        assert broken <= 2
        seen.add(broken)
    assert seen == {0, 1, 2}


def test_a_generation_draws_one_mutation_for_all_its_offspring():
    """All three are reachable; what is made is made from the population's letters, and as many as asked."""
    strings = [(0, 1, 2), (2, 1, 0), (1, 0, 2)]
    kinds = set()
    for seed in range(40):
        made = offspring(strings, [0.1, 0.2, 0.3], 5, 3, 4, Rehearsal(seed))
        assert len(made) == 5 and all(len(string) == 3 for string in made)
        kinds.add("flip" if any({3, LEAF} & {*string} for string in made) else "swap")
    assert kinds == {"flip", "swap"} and [*MUTATIONS] == ["node flip", "node swap", "substring swap"]
    for word, mutation in enumerate(MUTATIONS.values()):
        alone = [(0, 1, 2)] * 2
        tape = [word, 0, 0, 0, 0, 0, 0] + [1] * 30  # mutation, two tournaments of two, the cut; then the mutation
        expected = mutation((0, 1, 2), 4, ReplayedWords(tape[6:], 4))
        assert offspring(alone, [1, 1], 1, 2, 4, ReplayedWords(tape, 4)) == [expected]


def test_fitter_parents_have_more_offspring():
    strings = [(0,) * 7, (1,) * 7]
    made = [s for seed in range(60) for s in offspring(strings, [0.9, 0.1], 2, 3, 2, Rehearsal(seed))]
    count = Counter(entry for string in made for entry in string)
    assert count[0] > 2 * count[1] > 0


@pytest.mark.parametrize(("length", "expected"), [(1, 1), (3, 1), (7, 1), (15, 3), (31, 6)])
def test_how_many_places_a_share_is(length, expected):
    assert places(0.2, length) == expected
