"""Generations of votes: their joint law, their path through the shipped code, and what all others see."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.better_trees.law import Record, records
from fdpedu.claims.better_trees.losses import ADD_REMOVE
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, federate
from fdpedu.claims.fedga.structures import BITS
from fdpedu.claims.fedga.vote import structure_law
from fdpedu.claims.laws.fits import Fit, Options
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secret_sharing.vote import HALF, totals_law
from fdpedu.claims.trees.federated import OBSERVER, ONE_PARTY
from fdpedu.dlpa.guarantee import insider_cost
from fdpedu.domain import Domain
from fdpedu.privacy import Law, datasets, max_ratio
from fdpedu.randomness import Rehearsal
from fdpedu.structures import Structures, fit_private_structures
from fdpedu.structures.at_home import fit_at_home
from fdpedu.structures.released_file import Generation
from fdpedu.structures.voting import first_generation, next_generation
from fdpedu.trees.clamped_tables import Data

Strings = tuple[tuple[int, ...], ...]


def transcript(domain: Domain, parties: Sequence[Data], depth: int, size: int, seed: int) -> dict[Any, Fraction]:
    """The law of the votes of two generations, with the public coins of a seed; each vote has α = ½ and m = 1."""
    found = dict[Any, Fraction]()
    first = first_generation(domain.n_features, depth, size, Rehearsal(seed))
    for votes, mass in totals_law([structure_law(domain, first, own, HALF, 1) for own in parties]).items():
        second = next_generation([Generation(first, votes)], domain.n_features, size, Rehearsal(seed + 1))
        for more, p in totals_law([structure_law(domain, second, own, HALF, 1) for own in parties]).items():
            found[votes, second, more] = mass * p
    return found


def two_generations(domain: Domain, own: Data, other: Data, record: Record, seed: int) -> None:
    """With a record more at a party nothing that is seen is more than e^ε times as likely; e^ε = 2² here."""
    laws: list[Law] = [transcript(domain, (some, other), 1, 3, seed) for some in (own, (*own, record))]
    require(sum(laws[0].values()) == 1, "the probabilities do not add up to 1")
    worst = max(max_ratio(*laws), max_ratio(*laws[::-1]))
    require(worst <= 4, f"a transcript is {worst} times as likely, e^ε is 4")


def small(most: int) -> Iterator[tuple[Domain, Data, Data, Record, int]]:
    """All data of a party of at most so many records, every record added, beside another with none, or two."""
    every = records(BITS)
    for data, record, other in product(((every[0],), *datasets(every, most)), every, ((), (every[0], every[-1]))):
        yield BITS, tuple(data), other, record, len(data)


def _fit(asker: Any, options: Options, seed: int) -> Structures:
    return fit_private_structures(asker, population=5, rng=Rehearsal(seed), **options)


def _options(draw: ModuleType) -> Any:
    return draw.st.fixed_dictionaries({"max_depth": draw.integers(1, 2), "generations": draw.integers(1, 4)})


STRUCTURES = Fit(
    _fit,
    _options,
    told=lambda structures: structures.generations,
    pays_all=lambda structures, record, options: len(structures.generations) == options["generations"],
)
"""Every record pays for every generation, and so for all of ε."""


def accepted(case: Case, generations: int, seed: int) -> None:
    """The derivation is accepted for ε with its manifest, and not with a round less; the file is read as it was."""
    domain, parts = case
    federation = federate(parts, domain, 3, Rehearsal(seed), tolerate=0)
    found = fit_private_structures(federation, generations=generations, population=4, rng=Rehearsal(seed))
    content, manifest = found.derivation.content, json.loads(federation.manifest.to_json())
    guarantee = verdict(content, manifest)
    require(guarantee is not None and guarantee.value == 3 == guarantee.spent, f"the checker says {guarantee}")
    others = insider_cost(found.derivation, len(parts), 0, len(parts) - 1)
    require(others.lower == others.upper == 3, f"against all others together it says {others}")
    with TemporaryDirectory() as folder:
        found.save(f"{folder}/structures.json")
        again = Structures.load(f"{folder}/structures.json")
    require(again.to_json() == found.to_json(), "it is read as something else")
    manifest["rounds"].pop()
    require(verdict(content, manifest) is None, "accepted with a round less than was released")


def run_cases(draw: ModuleType) -> Any:
    """Parties with rows, a number of generations and a seed."""
    return draw.tuples(draw.domains_with_parties(), draw.integers(1, 4), draw.integers(0, 99))


# --- what others see, and what a party keeps --------------------------------------------------------------------------


def others_see(domain: Domain, own: Data, others: tuple[Data, Data], record: Record, seed: int) -> None:
    """Votes, the others' own votes and their trees at home together: no more than e^ε times as likely, e^ε = 2."""
    strings, laws = first_generation(domain.n_features, 1, 3, Rehearsal(seed)), list[Law]()
    for some in (own, (*own, record)):
        law = dict[Any, Fraction]()
        votes = [structure_law(domain, strings, data, HALF, 1) for data in (some, *others)]
        for drawn in product(range(len(strings)), repeat=3):
            mass = votes[0][drawn[0]] * votes[1][drawn[1]] * votes[2][drawn[2]]
            totals = tuple(drawn.count(at) for at in range(len(strings)))
            trees = tuple(home_tree(domain, data, strings) for data in others)
            seen = (totals, drawn[1:], trees)
            law[seen] = law.get(seen, Fraction(0)) + mass
        laws.append(law)
    worst = max(max_ratio(*laws), max_ratio(*laws[::-1]))
    require(worst <= 2, f"what the others see is {worst} times as likely, e^ε is 2")


def home_tree(domain: Domain, data: Data, strings: Strings) -> Any:
    """The tree of a party with these records; None where it has none."""
    if not data:
        return None
    rows = [[code + 0.5 for code in record[:-1]] for record in data]
    tree = fit_at_home(rows, [domain.classes[record[-1]] for record in data], strings, domain, "errors")
    return tree.root


def groups(most: int) -> Iterator[tuple[Domain, Data, tuple[Data, Data], Record, int]]:
    """All data of at most so many records at one party, beside two others."""
    every = records(BITS)
    for data, record in product(((every[0],), *datasets(every, most)), every):
        for others in (((), ()), ((every[0], every[3]), (every[5],))):
            yield BITS, tuple(data), others, record, len(data)


def own_is_own(data: Data, record: Record) -> None:
    """The party's own tree shows the record for certain: with it and without it the trees differ."""
    strings = ((0,), (1,))
    one, other = (home_tree(BITS, some, strings) for some in (data, (*data, record)))
    require(one != other, "the trees at home are the same")


def owners(most: int) -> Iterator[tuple[Data, Record]]:
    """Every record beside few others: counts of a leaf always change."""
    every = records(BITS)
    yield from ((tuple(data), record) for data in datasets(every, most) if data for record in every)


CLAIMS = (
    Claim(
        "thm-structures",
        status="proved+checked",
        code=(
            "fdpedu.structures",
            "fdpedu.structures.voting",
            "fdpedu.structures.voting.fit_private_structures",
            "fdpedu.structures.voting.first_generation",
            "fdpedu.structures.released",
        ),
        checks=(
            Check(
                "two generations",
                "exhaustive",
                "two parties, three structures of two bits: all data of at most {size} records and of one, every "
                "record added, beside an empty party and another: both generations' votes and structures",
                two_generations,
                small,
                0,
                1,
            ),
            Check(
                "every path",
                "property",
                "{size} random cases: with one record more, or none at all, and the same votes, the same is asked, and "
                "the record pays ε",
                STRUCTURES.every_path,
                STRUCTURES.paths,
                8,
                300,
            ),
            Check(
                "accepted",
                "property",
                "{size} runs: their derivations, with and without a round, and their files",
                accepted,
                run_cases,
                8,
                200,
            ),
        ),
        assumptions=(ADD_REMOVE, ONE_PARTY, "integers", OBSERVER, "running time is not covered"),
        uses=("lem-structure-vote", "lem-filter", "thm-round"),
    ),
    Claim(
        "thm-billboard",
        status="proved+checked",
        code=(
            "fdpedu.structures.at_home",
            "fdpedu.structures.voting",
            "fdpedu.structures.released.Structures.fit_at_home",
        ),
        checks=(
            Check(
                "others see",
                "exhaustive",
                "three parties: all data of at most {size} records of one, every record added: the totals with the "
                "others' own votes and trees",
                others_see,
                groups,
                0,
                1,
            ),
            Check(
                "own is own",
                "exhaustive",
                "all data of at most {size} records: the party's own tree shows one record more",
                own_is_own,
                owners,
                2,
                3,
            ),
        ),
        assumptions=(ADD_REMOVE, ONE_PARTY, "integers", "what a party grows at home is shown to nobody else"),
        uses=("thm-structures",),
    ),
)

_ROWS = "respond.__self__._records"  # what only a simulation can reach: the exact rows of a party
_PRIVATE = "fdpedu.structures.voting"
TWINS = (
    Broken(
        "generations in parallel",
        f"{_PRIVATE}._cost_of_each",
        "return budget.value / rounds",
        "return budget.value",
        "Each generation votes on other structures, so their costs stand in parallel.",
        "thm-structures",
        "every path",
    ),
    Broken(
        "the first structures from a party's CART",
        f"{_PRIVATE}._voted",
        "strings = first_generation(domain.n_features, depth, size, coins)",
        "strings = first_generation(domain.n_features, depth, size, coins); "
        "labels = federation._endpoints[0].__self__._records.labels; "
        "strings = (((int(labels.sum()) % domain.n_features,) * (2**depth - 1)), *strings[1:])",
        "A structure has no thresholds and no labels, so it tells nothing of rows.",
        "thm-structures",
        "every path",
    ),
    Broken(
        "offspring of exact losses",
        f"{_PRIVATE}._voted",
        "found.append(Generation(strings, tuple(votes.tolist())))",
        "found.append(Generation(strings, tuple(votes.tolist()))); found[-1] = Generation(strings, tuple((-sum("
        f"query.tally({_ROWS}, {_ROWS}.within([query.region])[0], domain) for respond in federation._endpoints)"
        " // 1024 + 99).tolist()))",
        "The server keeps the losses to itself; only structures are sent out.",
        "thm-structures",
        "every path",
    ),
    Broken(
        "a loss on either side",
        "fdpedu.federation.queries.structures.StructureVote.tally",
        "return least_losses(columns, labels, self.structures.structures, domain, self.loss, self.lattice)",
        "return 2 * least_losses(columns, labels, self.structures.structures, domain, self.loss, self.lattice)",
        "A split has two sides, and a record is wrong for one and missing at the other.",
        "thm-billboard",
        "others see",
    ),
)
