"""What totals tell: when votes are certain, how many bits they carry, and what noise on totals would cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import isclose, log2
from typing import Any

from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.federated import ONE_PARTY
from fdpedu.exact import Enclosure
from fdpedu.mechanisms import discrete_laplace_pmf
from fdpedu.sources.elzein import certain_votes, noisy_totals_win, threshold_information, vote_information
from fdpedu.sources.elzein.leaks import totals_rate

Votes = tuple[int, ...]


def _totals(votes: Votes, m: int) -> Votes:
    return tuple(votes.count(choice) for choice in range(m))


def certain(votes: Votes, n_choices: int, colluders: Votes) -> None:
    """As many votes as are the same in all elections that the colluders cannot tell from this one."""
    totals, own = _totals(votes, n_choices), [votes[k] for k in colluders]
    alike = [
        other
        for other in product(range(n_choices), repeat=len(votes))
        if _totals(other, n_choices) == totals and [other[k] for k in colluders] == own
    ]
    outsiders = [k for k in range(len(votes)) if k not in colluders]
    known = sum(len({other[k] for other in alike}) == 1 for k in outsiders)
    got = certain_votes(totals, own)
    require(got == known, f"{known} votes are certain, and it says {got}")
    agree = len({votes[k] for k in outsiders}) <= 1
    require(known == (len(outsiders) if agree else 0), f"{known} votes are certain of {len(outsiders)}")


def elections(most: int) -> Iterator[tuple[Votes, int, Votes]]:
    """All votes of 2 to so many parties on 2 to 4 choices, and all sets of colluders."""
    for n, m in product(range(2, most + 1), range(2, min(4, most) + 1)):
        for votes, c in product(product(range(m), repeat=n), range(n)):
            yield from ((votes, m, colluders) for colluders in combinations(range(n), c))


def only_if_all_but_one(votes: Votes, n_choices: int, colluders: Votes) -> None:
    """The source's sentence: nobody's vote is certain unless all votes are alike."""
    found = certain_votes(_totals(votes, n_choices), [votes[k] for k in colluders[:1]])
    require(not found or len(set(votes)) == 1, f"{found} votes are certain, and not all are alike")


def bits_of_votes(n_choices: int, outsiders: int) -> None:
    """The mutual information of a vote and the totals, by listing all elections."""
    joint, weight = Counter[tuple[int, Votes]](), Fraction(1, n_choices**outsiders)
    for votes in product(range(n_choices), repeat=outsiders):
        joint[votes[0], _totals(votes, n_choices)] += weight  # type: ignore[assignment]
    _information(joint, vote_information(n_choices, outsiders))


def bits_of_thresholds(n_values: int, outsiders: int) -> None:
    """The same of a threshold and the sum of all."""
    joint, weight = Counter[tuple[int, int]](), Fraction(1, n_values**outsiders)
    for values in product(range(n_values), repeat=outsiders):
        joint[values[0], sum(values)] += weight  # type: ignore[assignment]
    _information(joint, threshold_information(n_values, outsiders))


def _information(joint: Counter[Any], got: float) -> None:
    of_one, of_all = Counter[Any](), Counter[Any]()
    for (one, all_), mass in joint.items():
        of_one[one] += mass
        of_all[all_] += mass
    bits = sum(float(mass) * log2(mass / (of_one[one] * of_all[all_])) for (one, all_), mass in joint.items())
    require(isclose(bits, got, abs_tol=1e-9), f"{bits:.6f} bits, and it says {got:.6f}")


def few(most: int) -> Iterator[tuple[int, int]]:
    """Up to so many outsiders, up to five choices or values."""
    yield from product(range(1, 6), range(1, most + 1))


def sensitivity(epsilon: Fraction) -> None:
    """A vote that moves raises one total and lowers another: the worst ratio of both is e^ε, and no less."""
    rate = totals_rate(epsilon)
    one, other = (
        [discrete_laplace_pmf(seen - true, rate) for seen, true in ((0, moved), (0, -moved))] for moved in (0, 1)
    )
    ratio: Any = Enclosure.exactly(Fraction(1))
    for p, q in zip(one, other, strict=True):
        ratio = ratio * (p / q)
    limit: Any = discrete_laplace_pmf(0, epsilon) / discrete_laplace_pmf(1, epsilon)
    require(ratio.lower <= limit.upper, f"the ratio is {ratio}, e^ε is {limit}")
    require(limit.lower <= ratio.upper, f"the ratio is {ratio}: more noise than is paid for")


def budgets(number: int) -> Iterator[tuple[Fraction]]:
    """From a tenth on."""
    yield from ((Fraction(k, 10),) for k in range(1, number + 1))


def wins(n_parties: int, n_choices: int, epsilon: Fraction) -> None:
    """The probability that the first total stays the largest, by listing all noises up to a limit; a coin for ties."""
    reach, rate, found = 60, totals_rate(epsilon), 0.0
    law = {k: float(discrete_laplace_pmf(k, rate).upper) for k in range(-reach, reach + 1)}  # type: ignore[union-attr]
    for x, p in law.items():
        for others in _sorted_noise(law, n_choices - 1, x + n_parties):
            found += p * others
    got = noisy_totals_win(n_parties, n_choices, epsilon)
    require(abs(found - got) < 1e-6, f"{found:.6f}, and it says {got:.6f}")


def _sorted_noise(law: dict[int, float], m: int, top: int) -> Iterator[float]:
    """For 0, 1, … of the others level with the first, and none above: the probability, times the coin's."""
    less, level = sum(p for k, p in law.items() if k < top), law.get(top, 0.0)
    for t in range(m + 1):
        ways = 1.0
        for i in range(t):
            ways *= (m - i) / (i + 1)
        yield ways * level**t * less ** (m - t) / (t + 1)


def contests(most: int) -> Iterator[tuple[int, int, Fraction]]:
    """Up to so many parties and choices, two budgets."""
    for n, m in product((1, 2, most), (1, 2, 11)):
        yield from ((n, m, epsilon) for epsilon in (Fraction(1), Fraction(3)))


CURIOUS = "all parties are honest but curious, and channels are private"

CLAIMS = (
    Claim(
        "elzein-certainty-as-printed",
        status="refuted as stated",
        code=("fdpedu.sources.elzein.leaks.certain_votes",),
        checks=(Check("alike", "exhaustive", "up to {size} parties", only_if_all_but_one, elections, 3),),
        assumptions=(CURIOUS,),
        corrected_by="lem-certain-votes",
    ),
    Claim(
        "lem-certain-votes",
        status="proved+checked",
        code=(
            "fdpedu.sources.elzein.leaks",
            "fdpedu.sources.elzein.leaks.certain_votes",
            "fdpedu.sources.elzein.tree",
            "fdpedu.sources.elzein.tree.SharedTree.seen_by",
        ),
        checks=(
            Check(
                "elections",
                "exhaustive",
                "2 to {size} parties, up to four choices, all sets of colluders: against all elections that look alike",
                certain,
                elections,
                4,
                5,
            ),
        ),
        assumptions=(CURIOUS,),
        uses=("lem-selection",),
    ),
    Claim(
        "lem-vote-bits",
        status="proved+checked",
        code=(
            "fdpedu.sources.elzein.leaks",
            "fdpedu.sources.elzein.leaks.vote_information",
            "fdpedu.sources.elzein.leaks.threshold_information",
        ),
        checks=(
            Check("votes", "exact", "1 to {size} outsiders, up to five choices", bits_of_votes, few, 4, 6),
            Check("thresholds", "exact", "1 to {size} outsiders, up to five values", bits_of_thresholds, few, 4, 6),
        ),
        assumptions=("votes, and thresholds, are independent and uniform",),
    ),
    Claim(
        "lem-noisy-totals",
        status="proved+checked",
        code=(
            "fdpedu.sources.elzein.leaks",
            "fdpedu.sources.elzein.leaks.totals_rate",
            "fdpedu.sources.elzein.leaks.noisy_totals_win",
        ),
        checks=(
            Check(
                "sensitivity", "exact", "{size} budgets: the ratio for a vote that moves", sensitivity, budgets, 20, 50
            ),
            Check("wins", "exact", "up to {size} parties and eleven choices, to six digits", wins, contests, 5, 9),
        ),
        assumptions=("one record more or less may move one vote from one choice to another", ONE_PARTY, "integers"),
        uses=("thm-histogram",),
    ),
)

_LEAKS = "fdpedu.sources.elzein.leaks"
TWINS = (
    Broken(
        "certain only if all are alike",
        f"{_LEAKS}.certain_votes",
        "np.count_nonzero(rest) <= 1",
        "np.count_nonzero(counts) <= 1",
        "Only a unanimous total gives votes away.",
        "lem-certain-votes",
        "elections",
    ),
    Broken(
        "noisy totals at sensitivity 1",
        f"{_LEAKS}.totals_rate",
        " / 2",
        "",
        "A record lies at one party, and a party has one vote.",
        "lem-noisy-totals",
        "sensitivity",
    ),
    Broken(
        "bits of a choice that nobody makes",
        f"{_LEAKS}.vote_information",
        " * (t / n) * -math.log2(t / n)",
        " * -math.log2(t / n)",
        "Each total has its surprise, however few votes it stands for.",
        "lem-vote-bits",
        "votes",
    ),
    Broken(
        "all bits of a sum",
        f"{_LEAKS}.threshold_information",
        " - _entropy_of_sum(v, n - 1)",
        "",
        "A sum tells of a threshold as many bits as it has.",
        "lem-vote-bits",
        "thresholds",
    ),
)
