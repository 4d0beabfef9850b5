"""One vote for structures costs ε: the law of what is released, and the shipped draw over all tapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.cart.structures import to_string
from fdpedu.claims.better_trees.law import Record, coded, records
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, federate
from fdpedu.claims.fedga.structures import BITS, CELLS, CORNERS, THREE, all_structures, by_trees
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import enumerate_law
from fdpedu.claims.secret_sharing.vote import HALF, follows, within
from fdpedu.claims.trees.federated import ONE_PARTY
from fdpedu.domain import Domain
from fdpedu.federation import Federation, Population, StructureVote
from fdpedu.federation.records import Records
from fdpedu.mechanisms import permute_and_flip_pmf
from fdpedu.privacy import datasets
from fdpedu.randomness import ZeroWords
from fdpedu.trees.clamped_tables import Data

ALL = tuple(to_string(structure, 2) for structure in all_structures(2, 2))  # 19
FEW = ((0, -1, -1), (1, -1, -1))
Strings = tuple[tuple[int, ...], ...]


def structure_law(domain: Domain, strings: Strings, data: Data, alpha: Fraction, lattice: int) -> list[Fraction]:
    """The law of one party's vote on these records, from the losses that it draws by; α = e^{−ε/m}."""
    codes = np.array([record[:-1] for record in data], dtype=np.uint8).reshape(len(data), domain.n_features)
    own = Records(codes, np.array([record[-1] for record in data], dtype=np.uint8), domain)
    query = StructureVote(domain.everything, Fraction(1), Population(strings), "errors", lattice)
    losses = query.tally(own, own.within([domain.everything])[0], domain)
    law: list[Any] = permute_and_flip_pmf((-losses).tolist(), alpha=alpha)
    return law


def one_epsilon(domain: Domain, strings: Strings, data: Data, lattice: int, record: Record) -> None:
    """With a record more at one of two parties no totals are more than e^ε times as likely, nor its vote alone."""
    one, other = (structure_law(domain, strings, some, HALF, lattice) for some in (data, (*data, record)))
    within(one, other, [structure_law(domain, strings, (), HALF, lattice)], lattice, record)


def neighbours(most: int) -> Iterator[tuple[Domain, Strings, Data, int, Record]]:
    """All data of a party of at most so many records of two bits and a label, every record added; and four more."""
    every = records(BITS)
    parity = tuple((a, b, (a + b) % 2) for a, b in product((0, 1), repeat=2))
    for data, record in product((*datasets(every, most), parity), every):
        yield BITS, ALL, tuple(data), 1, record
    for record in product((2,), (0, 1), (0, 1)):  # lem-greedy-jump
        yield THREE, (to_string(CORNERS, 2), (1, -1, -1)), CELLS * 2, 1, record


def noiseless(case: Case, numbers: tuple[int, ...], loss: str, lattice: int) -> None:
    """Where all words are zero, each party's 1 stands at the first structure of least loss on its own records."""
    domain, parts = case
    entries = [number % (domain.n_features + 1) - 1 for number in numbers]
    strings = tuple(tuple(entries[at : at + 3]) for at in range(0, len(entries), 3))
    query = StructureVote(domain.everything, Fraction(1), Population(strings), loss, lattice)
    wanted = [0] * len(strings)
    for rows in parts:
        data = coded(domain, rows)
        losses = [by_trees(domain, data, each, loss, lattice) for each in query.structures.structures]
        wanted[losses.index(min(losses))] += 1
    got = released(federate(parts, domain, 1, ZeroWords()), query)
    require(list(got) == wanted, f"the totals are {got}, and the parties' best structures {wanted}")


def released(federation: Federation, query: StructureVote) -> tuple[int, ...]:
    """The totals."""
    (answer,) = federation.release([query])
    return tuple(answer.tolist())


def random_votes(draw: ModuleType) -> Any:
    """Parties, two to four structures of depth 2, and the number of steps."""
    numbers = draw.integers(2, 4).flatmap(lambda n: draw.tuples(*[draw.integers(0, 9)] * (3 * n)))
    return draw.tuples(draw.domains_with_parties(), numbers, draw.st.just("errors"), draw.integers(1, 9))


def drawn(parts: Sequence[Any], words: int) -> None:
    """A round of two parties, over all tapes of so many 3-bit words, has the law of both parties' records at ε = 2."""
    query = StructureVote(BITS.everything, Fraction(2), Population(FEW), "errors", 4)
    found, rest = enumerate_law(lambda tape: released(federate(parts, BITS, 2, tape), query), 3, words)
    laws = list[Any]()
    for rows in parts:
        losses = [by_trees(BITS, coded(BITS, rows), each, "errors", 4) for each in query.structures.structures]
        scores = [-Fraction(loss, 4) for loss in losses]
        laws.append(list(permute_and_flip_pmf(scores, Fraction(2), monotone=True)))
    follows(found, rest, laws)


def tapes(words: int) -> Iterator[tuple[Any, int]]:
    """Two parties whose records differ; and one without records."""
    one, other = [[0.5, 0.5, "ill"], [1.5, 0.5, "well"]], [[0.5, 0.5, "well"], [0.5, 1.5, "ill"]]
    yield [one, other], words
    yield [one, []], words


def priced(lattice: int, epsilon: Fraction, size: int) -> None:
    """One release of sensitivity m at the rate ε/m, whatever the number of structures is; its structures are named."""
    query = StructureVote(BITS.everything, epsilon, Population(ALL[:size]), "errors", lattice)
    charge = query.charge(BITS, 0, "operating system")
    stated = (charge.releases, charge.sensitivity, charge.rate, charge.region)
    require(stated == (1, lattice, epsilon / lattice, BITS.everything), f"it is charged as {stated}")
    other = StructureVote(BITS.everything, epsilon, Population(ALL[-size:]), "errors", lattice)
    require(query.parameters != other.parameters, "other structures are charged as the same question")


def prices(most: int) -> Iterator[tuple[int, Fraction, int]]:
    """Lattices up to so many steps."""
    yield from product((1, 3, most), (Fraction(1, 7), Fraction(2)), (2, 18))


CLAIMS = (
    Claim(
        "lem-structure-vote",
        status="proved+checked",
        code=("fdpedu.federation.queries.structures.StructureVote",),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "two parties and all 19 structures of two bits: all data of at most {size} records, a parity, cells, "
                "every record added: the distribution of the totals and of the vote alone",
                one_epsilon,
                neighbours,
                0,
                1,
            ),
            Check(
                "noiseless",
                "property",
                "{size} random cases without noise: each party votes for its own best structure, empty or not",
                noiseless,
                random_votes,
                20,
                300,
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
            Check("price", "exact", "lattices up to {size} steps: what is charged", priced, prices, 9, 2**16),
        ),
        assumptions=(ADD_REMOVE, ONE_PARTY, "integers", "ideal masks", "running time is not covered"),
        uses=("lem-least-loss", "lem-split-vote", "thm-round"),
    ),
)

_VOTE = "fdpedu.federation.queries.structures.StructureVote"
_LOSSES = "return least_losses(columns, labels, self.structures.structures, domain, self.loss, self.lattice)"
TWINS = (
    Broken(
        "greedy thresholds",
        f"{_VOTE}.tally",
        _LOSSES,
        "import numpy as np; from fdpedu.claims.fedga.structures import greedy_errors as at; "
        "every = self.structures.structures; "
        "return np.array([self.lattice * at(domain, columns, labels, structure) for structure in every])",
        "CART chooses a node's threshold before those below it.",
        "lem-structure-vote",
        "neighbours",
    ),
    Broken(
        "F1 times the number of rows",
        f"{_VOTE}.tally",
        _LOSSES,
        "from fdpedu.claims.fedga.structures import f1_losses; "
        "return f1_losses(domain, columns, labels, self.structures.structures, self.lattice)",
        "F1 lies between 0 and 1 as accuracy does, so n times F1 moves by 1 as a number of rows does.",
        "lem-structure-vote",
        "neighbours",
    ),
    Broken(
        "a vote for the structure before",
        "fdpedu.federation.queries.structures.StructureVote.drawn",
        "1 + int(permute_and_flip(scores, self.epsilon, source, sensitivity=m, monotone=True))",
        "max(1, int(permute_and_flip(scores, self.epsilon, source, sensitivity=m, monotone=True)))",
        "Positions are counted from 1.",
        "lem-structure-vote",
        "noiseless",
    ),
    Broken(
        "a vote that moves one number by 1",
        "fdpedu.federation.queries.structures.StructureVote.sensitivity",
        "return self.lattice",
        "return 1",
        "A party has one vote, so a record moves the totals by 1.",
        "lem-structure-vote",
        "price",
    ),
)
