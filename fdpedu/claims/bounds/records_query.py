"""Chapter 9. The query for lower bounds: what it answers, and what it costs against whom."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.bounds import laws_query as law
from fdpedu.claims.bounds import laws_query_noise as noise
from fdpedu.claims.bounds.records import CONVENTION
from fdpedu.claims.records import Check, Claim

ADD_REMOVE = "neighbours: one record added or removed; a substitution costs twice"
OBSERVER = "an outsider, the aggregator included, and up to `tolerate` colluding parties; all honest but curious"
PUBLIC = "ranges, bins, categories, classes and the lattice are public; a region is, too, or comes of earlier releases"

CLAIMS = (
    Claim(
        "thm-node-bounds",
        "The lower bounds of p features are p releases of sensitivity m",
        "bounds",
        "this book; corrects the report's section 3.5",
        status="proved+checked",
        code=(
            "fdpedu.cart.local_grid.local_impurity_steps",
            "fdpedu.cart.local_grid.steps_of",
            "fdpedu.federation",
            "fdpedu.federation.queries.bounds.NodeBounds",
        ),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "a feature of two bins: all data of at most {size} records, every record added, a region and a part of "
                "it, m = 1, 2, 5; two features, three classes: fewer",
                law.moves,
                law.small,
                3,
                8,
            ),
            Check(
                "random neighbours",
                "property",
                "{size} random domains, regions, lattices and neighbours: the moves, and the worst ratio of the laws",
                law.moves,
                law.random_neighbours,
                40,
                3000,
            ),
            Check(
                "attained",
                "exact",
                "1 to {size} features, 2 and 5 classes, lattices 1, 2, 4 and 9: one record moves each bound by m",
                law.attained,
                lambda most: product(range(1, most + 1), (2, 5), (1, 2, 4, 9)),
                3,
                8,
            ),
            Check(
                "definition",
                "property",
                "{size} random domains of up to five codes and four classes, regions, lattices to 1000, against the "
                "rows and every split",
                lambda *case: law.definition(*case[:3]),
                law.random_cases,
                40,
                3000,
            ),
            Check(
                "large counts",
                "exact",
                "tables of up to 2^{size} rows and near ties, m = 1, 3 and 65,536, against fractions for every border",
                law.large,
                law.large_tables,
                50,
                52,
            ),
            Check(
                "below every split",
                "property",
                "{size} random federations: the released sum without noise against the best splits of all rows",
                law.below_every_split,
                law.random_parties,
                15,
                1000,
            ),
            Check(
                "release",
                "property",
                "{size} random rounds of three queries: released are the sums of the parties' floors plus one share of "
                "the stated rate a party",
                noise.release_law,
                noise.random_rounds,
                8,
                1000,
            ),
            Check(
                "joint law of a party's noise",
                "exact",
                "rounds of one or two queries, of {size} numbers at most: a fair bit for each negative binomial "
                "number, over all tapes",
                noise.noise_of_a_party,
                noise.mixed_rounds,
                5,
                6,
            ),
            Check(
                "own words",
                "exact",
                "{size} tapes of 64-bit words, altered half by half: each bound of each round is made of two words of "
                "each party, of its own",
                noise.own_words,
                lambda seeds: ((2 + seed % 2, 1 + seed % 3, seed) for seed in range(seeds)),
                1,
                5,
            ),
            Check(
                "against colluders",
                "exact",
                "1 to {size} numbers, two α, three numbers of shares, m = 1, 2 and 5: the worst ratio less one share",
                noise.against_colluders,
                lambda most: product(range(1, most + 1), (Fraction(1, 2), Fraction(9, 10)), (2, 3, 5), (1, 2, 5)),
                2,
                3,
            ),
            Check(
                "entered",
                "exact",
                "up to {size} features, lattices 1, 4 and 1000, 2 and 5 parties: ledger, checker, and an insider's ε",
                law.entered,
                lambda most: product(range(1, most + 1), (1, 4, 1000), (Fraction(1, 10), Fraction(1)), (2, 5)),
                3,
                12,
            ),
            Check(
                "one form",
                "exact",
                "lattices to {size} and 65,536, two regions, two costs: what is written of a query, and read of it",
                law.one_form,
                lambda most: [(epsilon, [*range(1, most + 1), 2**16]) for epsilon in (Fraction(1), Fraction(1, 3))],
                8,
                100,
            ),
            Check(
                "refused",
                "exact",
                "too many categories, noise that nobody draws, a region of another domain: before anything is charged",
                law.refused,
                law.unanswerable,
            ),
        ),
        assumptions=(CONVENTION, ADD_REMOVE, "integers", OBSERVER, PUBLIC),
        uses=(
            "lem-lattice-bound",
            "lem-bounds-vector",
            "thm-impurity-lower-bound",
            "thm-lattice-first",
            "thm-tolerate",
            "thm-insider-lattice",
            "thm-sequential",
            "thm-parallel",
            "thm-private-sum",
        ),
    ),
)
