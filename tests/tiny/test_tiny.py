"""The whole idea in one file: the same tree, the same law of noise and the same cost as the library's."""

import ast
import sys
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu import tiny
from fdpedu.accounting import Ledger
from fdpedu.derivation_checker import check_derivation
from fdpedu.domain import Domain
from fdpedu.federation import Federation, Party
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.randomness import SystemSource, ZeroWords
from fdpedu.trees.recursive import fit_recursively
from tests.support.repository import PACKAGE

SOURCE = (PACKAGE / "tiny.py").read_text("utf8")
UP_TO = 12  # the largest number whose probability is compared


def tails(p):
    """A coin that never shows heads: no noise."""
    return False


def played(tape, call):
    """What comes out when the coin shows this, and with which probability; all of the tape is used."""
    left, chance = list(tape), Fraction(1)

    def coin(p):
        nonlocal chance
        assert 0 < p <= 1 and type(p) is Fraction
        heads = left.pop(0)
        chance *= p if heads else 1 - p
        return heads

    result = call(coin)
    assert left == []
    return result, chance


def kept(alpha, n_parties, k):
    """The probability that the geometric number is k, and is kept."""
    number, chance = played([True] * k + [False] + [True] * k, lambda coin: tiny.half_share(alpha, n_parties, coin))
    assert number == k
    return chance


def times(one, other):
    """The first coefficients of the product of two power series."""
    return [sum(one[i] * other[k - i] for i in range(k + 1)) for k in range(len(one))]


@pytest.mark.parametrize("alpha", [Fraction(1, 2), Fraction(9, 10), Fraction(1, 7)])
@pytest.mark.parametrize("n_parties", [1, 2, 3, 5])
def test_the_shares_add_up_to_discrete_laplace(alpha, n_parties):
    """K numbers add up to a geometric one; the difference of two geometric ones has the library's law."""
    law = [kept(alpha, n_parties, k) for k in range(UP_TO)]
    total = [Fraction(1), *[Fraction(0)] * (UP_TO - 1)]
    for _ in range(n_parties):
        total = times(total, law)
    assert [chance / total[0] for chance in total] == [alpha**k for k in range(UP_TO)]
    # Σ_k (1−α)²·α^k·α^(k+z) = (1−α)/(1+α)·α^z
    assert [discrete_laplace_pmf(z, alpha=alpha) for z in range(-3, 4)] == [
        (1 - alpha) ** 2 / (1 - alpha**2) * alpha ** abs(z) for z in range(-3, 4)
    ]


def test_a_number_that_is_not_kept_is_drawn_again_and_a_share_has_two_sides():
    """1 is refused, then 0 is drawn; a share is the difference of two numbers, each drawn on its own."""
    alpha, refused, one = Fraction(1, 2), [True, False, False], [True, False, True]
    assert played([*refused, False], lambda coin: tiny.half_share(alpha, 3, coin)) == (
        0,
        Fraction(1, 4 * 2) * 2 / 3 * 1,
    )
    assert played([*one, False], lambda coin: tiny.share(alpha, 3, coin))[0] == 1
    assert played([False, *one], lambda coin: tiny.share(alpha, 3, coin))[0] == -1


@given(epsilon=st.fractions(Fraction(1, 1000), 30, max_denominator=10**9))
def test_alpha_is_a_little_more_noise_than_asked_for(epsilon):
    """e^(−ε) < α < 1, to fifty digits, and α is never farther than three parts in 2^20."""
    with localcontext(prec=50):
        exact = Fraction((-Decimal(epsilon.numerator) / Decimal(epsilon.denominator)).exp())
    assert exact < tiny.alpha_of(epsilon) < min(1, exact + Fraction(3, 2**20))


def test_an_epsilon_that_would_take_for_ever_is_refused():
    with pytest.raises(ValueError, match="epsilon of one number must be at least 1/1000"):
        tiny.alpha_of(Fraction(1, 1001))


@pytest.mark.parametrize("n_parties", [1, 2, 5])
def test_masks_cancel_and_hide(n_parties):
    """Together they are nothing, and no two parties and no two rounds have the same."""
    fed = tiny.Federation([()] * n_parties, 1, 1, tiny.Ledger(Fraction(1)))
    masks = np.array([[tiny.mask(k, fed.keys, number, 64) for k in range(n_parties)] for number in (1, 2)])
    assert masks.dtype == np.uint64 and not masks.sum(axis=1, dtype=np.uint64).any()
    if n_parties > 1:
        assert len(np.unique(masks)) == masks.size


def nested(node):
    """A tree of the library in the file's form."""
    if node.split is None:
        return node.label
    return tiny.Split(node.split.feature, max(node.split.left), nested(node.left), nested(node.right))


@st.composite
def tables(draw):
    n_features, n_bins, n_classes = draw(st.integers(1, 3)), draw(st.integers(2, 5)), draw(st.integers(2, 3))
    row = st.tuples(*[st.integers(0, n_bins - 1)] * n_features, st.integers(0, n_classes - 1))
    rows = np.array(draw(st.lists(st.tuples(row, st.integers(1, 9)), max_size=12)), dtype=object)
    codes = np.array([one for one, count in rows for _ in range(count)], dtype=np.int64).reshape(-1, n_features + 1)
    party = np.arange(len(codes)) % 2
    return n_bins, n_classes, [codes[party == k] for k in range(2)], n_features


@given(table=tables(), depth=st.integers(0, 3), least=st.integers(0, 12))
def test_without_noise_it_is_the_library_s_tree_at_the_library_s_cost(table, depth, least):
    """Algorithm 5 on the same rows: the same splits, the same labels, and what the independent checker adds up."""
    n_bins, n_classes, codes, n_features = table
    parties = [(one[:, :-1], one[:, -1]) for one in codes]
    fed = tiny.Federation(parties, n_bins, n_classes, tiny.Ledger(Fraction(1)), tails)
    tree = tiny.fit(fed, Fraction(1), depth, least)

    names = [f"x{j}" for j in range(n_features)]
    domain = Domain.from_spec({
        "features": {name: [0, n_bins, n_bins] for name in names},
        "classes": [f"c{c}" for c in range(n_classes)],
    })  # fmt: skip
    rows = [[[*(one[:-1] + 0.5).tolist(), f"c{one[-1]}"] for one in part] for part in codes]
    both = Federation([Party(part, domain) for part in rows], domain, Ledger(1), rng=ZeroWords())
    theirs = fit_recursively(both, max_depth=depth, min_samples_split=least)
    assert tree == nested(theirs.root)
    account = theirs.derivation.to_json().replace(ZeroWords.kind, SystemSource.kind)  # for the arithmetic alone
    assert sum(fed.ledger.levels.values()) == check_derivation(account).spent <= check_derivation(account).value == 1
    labels = [leaf.label for leaf in theirs.leaves()]
    for part in codes:
        predicted = [tiny.predict(tree, row) for row in part[:, :-1].tolist()]
        assert predicted == [labels[k] for k in theirs.route(part[:, :-1])]


def test_what_is_too_dear_is_refused_before_it_is_counted():
    """The ledger books first: a refused tree has asked nobody, and what was booked stays."""
    asked = []
    fed = tiny.Federation([(np.zeros((1, 1), int), np.zeros(1, int))] * 2, 2, 2, tiny.Ledger(Fraction(1, 4)), tails)
    fed.noisy_sum = lambda exact, epsilon: asked.append(epsilon)
    with pytest.raises(ValueError, match="level 0 would cost more than is left of 1/4"):
        tiny.fit(fed, Fraction(1), 1)
    assert asked == [] and fed.ledger.levels == {}


def test_every_question_is_booked_before_it_is_counted_and_has_masks_of_its_own(monkeypatch):
    """Of a whole tree, level by level and at its leaves: no number of a mask stands for two rounds."""
    rows = [(np.arange(16)[:, None] % 4, np.arange(16) % 4 // 2)] * 3
    fed, log = tiny.Federation(rows, 4, 2, tiny.Ledger(Fraction(1)), tails), []
    charge, histograms, mask = fed.ledger.charge, fed.histograms, tiny.mask
    monkeypatch.setattr(fed.ledger, "charge", lambda level, cost: (log.append("booked"), charge(level, cost))[1])
    monkeypatch.setattr(fed, "histograms", lambda party, box: (log.append("counted"), histograms(party, box))[1])
    monkeypatch.setattr(
        tiny, "mask", lambda me, keys, number, size: (log.append(number), mask(me, keys, number, size))[1]
    )
    tiny.fit(fed, Fraction(1), 2, 1)
    rounds = [log[k : k + 7] for k in range(0, len(log), 7)]
    assert [one[:4] for one in rounds] == [["booked"] + ["counted"] * 3] * len(rounds)
    assert [one[4:] for one in rounds] == [[number] * 3 for number in range(1, len(rounds) + 1)] and len(rounds) > 3


@pytest.mark.parametrize("depth", [0, 2])
def test_a_second_tree_on_the_same_ledger_is_refused(depth):
    """Its levels would be booked as those of the first, whose nodes hold other rows; it asks about the same ones."""
    rows = [(np.arange(8)[:, None] % 2, np.arange(8) % 2)] * 2
    fed = tiny.Federation(rows, 2, 2, tiny.Ledger(Fraction(5)), tails)
    tiny.fit(fed, Fraction(1), depth)
    before = fed.rounds, dict(fed.ledger.levels)
    with pytest.raises(ValueError, match="a second tree asks about the same rows: it needs a ledger of its own"):
        tiny.fit(fed, Fraction(1), depth)
    assert (fed.rounds, fed.ledger.levels) == before


def test_noise_reaches_every_cell():
    """By the operating system's coins no two of 12 sums of 24 zeros are alike; false alarms: below 1 in 10⁹ runs."""
    fed = tiny.Federation([()] * 3, 1, 1, tiny.Ledger(Fraction(1)))
    zeros = [np.zeros((4, 3, 2), dtype=np.int64)] * 3
    sums = [fed.noisy_sum(zeros, Fraction(1, 4)) for _ in range(12)]
    assert {one.shape for one in sums} == {(4, 3, 2)}
    assert len({one.tobytes() for one in sums}) == 12 and all(np.ptp(one) > 0 for one in sums)


def test_it_is_one_short_file_that_needs_nothing_else():
    """At most 200 lines, NumPy and the standard library, and it runs."""
    nodes = [node for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    used = {(getattr(node, "module", None) or node.names[0].name).split(".")[0] for node in nodes}
    assert used <= set(sys.stdlib_module_names) | {"numpy"} and SOURCE.count("\n") <= 200
