"""One vote of all parties costs ε: the law of what is released, and the shipped draw over all tapes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

from fdpedu.claims.better_trees.choice import GAPS, TWO, WARDS
from fdpedu.claims.better_trees.law import Record, as_arrays, coded, enclosed_choice, inside, losses_by_hand, records
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.federations import federate
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import bounds, enumerate_law
from fdpedu.claims.trees.federated import ONE_PARTY
from fdpedu.domain import Domain, Region
from fdpedu.federation import Federation, SplitVote
from fdpedu.federation.records import Records
from fdpedu.mechanisms import permute_and_flip_pmf
from fdpedu.privacy import Law, datasets, max_ratio
from fdpedu.randomness import ZeroWords
from fdpedu.trees.clamped_tables import Data

HALF = Fraction(1, 2)


def vote_law(
    domain: Domain, region: Region, data: Data, alpha: Fraction, lattice: int, loss: str = "mixed"
) -> list[Fraction]:
    """The law of one party's vote on these records, from the losses that it draws by; α = e^{−ε/m}."""
    own = Records(*as_arrays(domain, data), domain)
    losses = SplitVote(region, Fraction(1), loss, lattice).tally(own, own.within([region])[0], domain)
    law: list[Any] = permute_and_flip_pmf((-losses).tolist(), alpha=alpha)
    return law


def totals_law(laws: Sequence[Sequence[Fraction]]) -> dict[tuple[int, ...], Fraction]:
    """The law of the numbers of votes, from those of the parties' votes."""
    found = {(0,) * len(laws[0]): Fraction(1)}
    for law in laws:
        more: dict[tuple[int, ...], Fraction] = {}
        for totals, mass in found.items():
            for at, p in enumerate(law):
                key = (*totals[:at], totals[at] + 1, *totals[at + 1 :])
                more[key] = more.get(key, Fraction(0)) + mass * p
        found = more
    return found


def within(
    one: Sequence[Fraction], other: Sequence[Fraction], others: Sequence[Sequence[Fraction]], steps: int, record: Record
) -> None:
    """Two laws of a party's vote: beside each law of another's, totals are e^ε times as likely at most, and the vote.

    The base of a step is ½, so e^ε is 2 to the number of steps.
    """
    for theirs in others:
        laws: list[Law] = [dict(totals_law([mine, theirs])) for mine in (one, other)]
        require(sum(laws[0].values()) == 1, "the probabilities do not add up to 1")
        worst = max(max_ratio(*laws), max_ratio(*laws[::-1]))
        require(worst <= 2**steps, f"with {record} totals are {worst} times as likely, e^ε is {2**steps}")
    # the other party knows its own vote, so it sees this one
    alone = max(max(p / q, q / p) for p, q in zip(one, other, strict=True))
    require(alone <= 2**steps, f"with {record} a vote is {alone} times as likely, e^ε is {2**steps}")


def one_epsilon(domain: Domain, data: Data, loss: str, lattice: int, record: Record) -> None:
    """With a record more at one of two parties no totals are more than e^ε times as likely, nor with its vote alone."""
    region = domain.everything
    one, other = (vote_law(domain, region, some, HALF, lattice, loss) for some in (data, (*data, record)))
    within(one, other, [vote_law(domain, region, (), HALF, lattice, loss), one], lattice, record)


def neighbours(most: int) -> Iterator[tuple[Domain, Data, str, int, Record]]:
    """All data of a party of at most so many records, where values may be missing one less; every record added."""
    for domain, fewer in ((TWO, 0), (WARDS, 0), (GAPS, 1)):
        every = records(domain)
        for data in (*datasets(every, most - fewer), (every[0], every[3]) * 4):
            for loss, lattice in (("mixed", 2), ("gini", 1)):
                yield from ((domain, tuple(data), loss, lattice, record) for record in every)


def noiseless(domain: Domain, region: Region, parts: Sequence[Any], loss: str, lattice: int) -> None:
    """Where all words are zero, each party's 1 stands at the first split of least loss on its own records."""
    expected = [losses_by_hand(domain, region, inside(coded(domain, rows), region), loss, lattice) for rows in parts]
    if not expected[0]:
        return
    query = SplitVote(region, Fraction(1), loss, lattice)
    got = released(federate(parts, domain, 1, ZeroWords()), query)
    wanted = [0] * len(expected[0])
    for losses in expected:
        wanted[losses.index(min(losses))] += 1
    require(list(got) == wanted, f"the totals are {got}, and the parties' best splits {wanted}")


def released(federation: Federation, query: SplitVote) -> tuple[int, ...]:
    """The totals."""
    (answer,) = federation.release([query])
    return tuple(answer.tolist())


def drawn(parts: Sequence[Any], region: Region, words: int) -> None:
    """A round of two parties, over all tapes of so many 3-bit words, has the law of both parties' records at ε = 2."""
    query = SplitVote(region, Fraction(2), "mixed", 4)
    found, rest = enumerate_law(lambda tape: released(federate(parts, GAPS, 2, tape), query), 3, words)
    follows(found, rest, [enclosed_choice(GAPS, region, coded(GAPS, rows), Fraction(2), 4) for rows in parts])


def follows(found: Mapping[tuple[int, ...], Fraction], rest: Fraction, laws: Sequence[Any]) -> None:
    """What was found over all tapes has the law of the totals of these votes, as far as tapes have an answer."""
    require(rest < Fraction(3, 4), f"{float(rest):.0%} of the tapes have no answer")
    for totals in found:
        require(sum(totals) == len(laws), f"{sum(totals)} votes of {len(laws)} parties")
    for totals, mass in totals_law(laws).items():
        got, (low, high) = found.get(totals, Fraction(0)), bounds(mass)
        require(
            got <= high and low <= got + rest,
            f"{totals} has probability {float(high):.4f}, drawn {float(got):.4f}, {float(rest):.4f} left open",
        )


def tapes(words: int) -> Iterator[tuple[Any, Region, int]]:
    """Two parties whose records differ; and a node that one of them has no record of."""
    one = [[0.5, 0.5, "ill"], [0.5, 1.5, "ill"], [1.5, 0.5, "well"]]
    other = [[0.5, 0.5, "well"], [0.5, 1.5, "ill"], [1.5, 1.5, "ill"]]
    known, gaps = (GAPS.everything.restrict(0, codes) for codes in ({0, 1}, {1, 2}))
    yield [one, other], known, words
    yield [one, other[:2]], gaps, words


def random_votes(draw: ModuleType) -> Any:
    """Parties, a node, and how splits are judged."""

    def of(case: Any) -> Any:
        rest = (draw.st.sampled_from(["errors", "gini", "mixed"]), draw.integers(1, 9))
        return draw.tuples(draw.st.just(case[0]), draw.regions(case[0]), draw.st.just(case[1]), *rest)

    return draw.domains_with_parties().flatmap(of)


def priced(lattice: int, epsilon: Fraction, n_parties: int) -> None:
    """One release of sensitivity m at the rate ε/m, whatever the number of splits and of parties is."""
    query = SplitVote(GAPS.everything, epsilon, "mixed", lattice)
    charge = query.charge(GAPS, 0, "operating system", session=None if n_parties == 1 else "0" * 64)
    stated = (charge.releases, charge.sensitivity, charge.rate, charge.region)
    require(stated == (1, lattice, epsilon / lattice, GAPS.everything), f"it is charged as {stated}")


def prices(most: int) -> Iterator[tuple[int, Fraction, int]]:
    """Lattices up to so many steps."""
    yield from product((1, 3, most), (Fraction(1, 7), Fraction(2)), (1, 4))


CLAIMS = (
    Claim(
        "lem-split-vote",
        status="proved+checked",
        code=("fdpedu.federation.queries.votes.SplitVote",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "three small domains, all data of a party of at most {size} records, every record added: the "
                "distribution of "
                "the totals beside an empty party and beside a full one, and of the vote alone",
                one_epsilon,
                neighbours,
                1,
                2,
            ),
            Check(
                "noiseless",
                "property",
                "{size} random cases without noise: each party votes for its own best split, empty or not",
                noiseless,
                random_votes,
                30,
                400,
            ),
            Check(
                "tapes",
                "exact",
                "rounds of two parties over all tapes of {size} words: the distribution of the totals",
                drawn,
                tapes,
                3,
                4,
            ),
            Check(
                "price", "exact", "lattices up to {size} steps: what the ledger is charged", priced, prices, 9, 2**16
            ),
        ),
        assumptions=(ADD_REMOVE, ONE_PARTY, "integers", "ideal masks", "running time is not covered"),
        uses=("lem-mixed-loss", "lem-chosen-split", "lem-missing-code", "thm-round"),
    ),
)

_TALLY = "losses_of(*sides, self.loss, self.lattice)"
TWINS = (
    Broken(
        "an empty region does not vote",
        "fdpedu.federation.queries.votes.OneHot.noisy",
        "votes[first[:-1] + drawn - 1] = 1",
        "votes[first[:-1] + drawn - 1] = np.any(exact)",
        "A party without rows in a node has no opinion, so it keeps out.",
        "lem-split-vote",
        "noiseless",
    ),
    Broken(
        "both sides must have rows",
        "fdpedu.federation.queries.choices.Choice.tally",
        _TALLY,
        "np.where((sides[0].sum(1) == 0) | (sides[1].sum(1) == 0), 10**6, losses_of(*sides, self.loss, self.lattice))",
        "A split with an empty side divides nothing, so it must not be chosen.",
        "lem-split-vote",
        "neighbours",
    ),
    Broken(
        "entropy as a score",
        "fdpedu.federation.queries.choices.Choice.tally",
        "return losses_of(*sides, self.loss, self.lattice)",
        "from fdpedu.cart import entropy; "
        "return sum(np.floor(self.lattice * entropy(s) * s.sum(1)).astype(int) for s in sides)",
        "Entropy is an impurity like Gini's, so it has the same sensitivity.",
        "lem-split-vote",
        "neighbours",
    ),
    Broken(
        "a vote in the wrong place",
        "fdpedu.federation.queries.votes.OneHot.noisy",
        "first[:-1] + drawn - 1",
        "first[:-1] + np.maximum(np.asarray(drawn) - 2, 0)",
        "Positions are counted from 1, like splits.",
        "lem-split-vote",
        "noiseless",
    ),
    Broken(
        "the sum of votes at sensitivity 1",
        "fdpedu.federation.queries.votes.SplitVote.sensitivity",
        "return self.lattice",
        "return 1",
        "A party has one vote, so a record moves one number by 1.",
        "lem-split-vote",
        "price",
    ),
)
