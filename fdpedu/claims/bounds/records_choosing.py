"""Chapter 9. One split of all for one ε, and how often the noise of a bound removes the better feature."""

from fdpedu.claims.bounds import laws_choosing as law
from fdpedu.claims.bounds import laws_pruning as pruning
from fdpedu.claims.records import Check, Claim

CLAIMS = (
    Claim(
        "thm-private-split",
        "One split of all costs one ε",
        "bounds",
        "this book; the monotone exponential mechanism and permute-and-flip, on the report's n·G",
        status="proved+checked",
        code=("fdpedu.bounds.choosing.private_split", "fdpedu.bounds.choosing.split_pmf"),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "small grids, two or three classes: all data of at most {size} records, every record added",
                law.one_epsilon,
                law.small,
                2,
                3,
            ),
            Check(
                "neighbours at ε",
                "exact",
                "larger data on a lattice, every record added, ε = {size}: the laws, enclosed",
                law.one_epsilon,
                law.at_epsilon,
                1,
                2,
            ),
            Check(
                "law",
                "exact",
                "unequal features, two scores on lattices, α and ε: the laws, from losses record by record",
                law.stated_law,
                law.few,
            ),
            Check(
                "tail",
                "exact",
                "the same data: the chance of every excess, and the two means",
                law.tail,
                law.few,
            ),
            Check(
                "tapes",
                "exact",
                "the sampler played over all tapes of {size} words of 3 bits: the law, up to tapes without an answer",
                law.drawn,
                law.tapes,
                3,
                5,
            ),
        ),
        assumptions=(
            "neighbours: one record added or removed",
            "a trusted aggregator sees all rows; the outsider sees the split",
            "integers; bins, classes, score, ε and m are public; running time is not covered",
        ),
        uses=(
            "thm-concave-scores",
            "thm-exponential-monotone",
            "thm-permute-and-flip",
            "lem-permute-and-flip-dominates",
        ),
    ),
    Claim(
        "lem-pruning-probability",
        "How often noise removes the better feature",
        "bounds",
        "this book",
        status="proved+checked",
        code=("fdpedu.bounds.pruning", "fdpedu.bounds.pruning.pruning_probability"),
        checks=(
            Check(
                "summed",
                "exact",
                "gaps of both signs, on the lattice and between its steps: against the noise, number by number",
                pruning.summed,
                pruning.few,
            ),
            Check(
                "between",
                "exact",
                "gaps from 0 to 5/3 of {size} in three settings: both ends, and the opposite gap",
                pruning.between,
                pruning.settings,
                8,
                60,
            ),
            Check(
                "drawn",
                "statistical",
                "the shipped noise in four settings, {size} draws each",
                pruning.drawn,
                pruning.draws,
                4_000,
                200_000,
                alpha=4e-8,
            ),
        ),
        assumptions=(
            "nobody is missing and nobody colludes: the parties' shares add up to the stated noise",
            "the number that removes does not depend on the noise of this bound",
        ),
        uses=("thm-discrete-laplace", "lem-lattice-bound"),
    ),
)
