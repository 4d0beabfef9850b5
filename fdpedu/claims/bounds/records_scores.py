"""Chapter 9. Rows with weights, other scores of sensitivity 1, and a block of three splits for one ε."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.bounds import cases, laws, laws_blocks
from fdpedu.claims.bounds import laws_scores as law
from fdpedu.claims.bounds.records import ADD_REMOVE, CONVENTION, EXACT, FAMILY, SHAPES
from fdpedu.claims.records import Check, Claim

TWO_CLASSES = "two classes: $a$ rows of class 0 and $b$ of class 1"
KS = (Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(2))

CLAIMS = (
    Claim(
        "lem-local-weights",
        "A row of weight w moves the bound by less than w",
        "bounds",
        "this book",
        status="proved+checked",
        code=("fdpedu.bounds.scores.half_gini_score", "fdpedu.bounds.scores.least_score"),
        checks=(
            Check(
                "random weights",
                "property",
                "{size} random tables of three bins and classes with weights up to 3, and a row more in each cell",
                law.weighted,
                lambda draw: draw.tuples(
                    draw.tuples(*[draw.tuples(*[cases.weights(draw)] * 3)] * 3),
                    draw.st.fractions(Fraction(1, 6), 3, max_denominator=6),
                ),
                30,
                2000,
            ),
            Check(
                "weights 1",
                "exhaustive",
                f"all tables of {SHAPES} with at most {{size}} rows: it is the local bound",
                law.whole_weights,
                laws.small_tables,
                4,
                6,
            ),
        ),
        assumptions=(CONVENTION, FAMILY, "neighbours: one row added or removed, whose weight is public", EXACT),
        uses=("lem-local-bound",),
    ),
    Claim(
        "thm-concave-scores",
        "Scores that one record moves by at most 1",
        "bounds",
        "this book",
        status="proved+checked",
        code=(
            "fdpedu.bounds.scores.LossScore",
            "fdpedu.bounds.scores.half_gini_score",
            "fdpedu.bounds.scores.power_score",
        ),
        checks=(
            Check(
                "random losses",
                "property",
                "{size} random sets of predictions and tables of up to five bins, three classes; every record added",
                law.loss_score,
                lambda draw: draw.tuples(
                    cases.losses(draw, 3), draw.st.lists(draw.nodes(9, 3), min_size=1, max_size=5)
                ),
                30,
                2000,
            ),
            Check(
                "powers",
                "exhaustive",
                "k = 1, 5/4, 3/2, 2, all nodes of at most {size} rows of each class: formula, increments, errors",
                law.power,
                lambda most: product(range(most + 1), range(most + 1), KS),
                8,
                40,
            ),
            Check(
                "k = 3/2",
                "exhaustive",
                "all nodes of 1 to {size} rows of each class: the square of what is enclosed, as integers",
                law.power_by_squares,
                lambda most: product(range(1, most + 1), repeat=2),
                8,
                40,
            ),
            Check(
                "slopes",
                "exact",
                "slopes 1/4, 1/2, …, 2: beyond 1 a record moves the score by more than 1, and the losses are refused",
                law.steep,
                lambda _: ((Fraction(k, 4),) for k in range(1, 9)),
            ),
        ),
        assumptions=(ADD_REMOVE, EXACT, TWO_CLASSES + ", where it says so"),
        uses=("lem-local-bound",),
    ),
    Claim(
        "thm-block",
        "Three splits for one ε",
        "bounds",
        "this book",
        status="proved+checked",
        code=("fdpedu.bounds.blocks.block_pmf", "fdpedu.bounds.blocks.private_block"),
        checks=(
            Check(
                "neighbours",
                "exhaustive",
                "four cells or three, two classes: all data of at most {size} records, every record added, two scores",
                laws_blocks.one_epsilon,
                laws_blocks.small,
                2,
                3,
            ),
            Check(
                "law",
                "exact",
                "three classes, unequal features, two scores on lattices: the law, from losses record by record",
                laws_blocks.stated_law,
                laws_blocks.few,
            ),
            Check(
                "root",
                "exact",
                "the same data: the enclosures from which the root is drawn hold its share of all blocks",
                laws_blocks.root,
                laws_blocks.few,
            ),
            Check(
                "tapes",
                "exact",
                "the sampler played over all tapes of {size} words of 3 bits: the law, up to tapes without an answer",
                laws_blocks.drawn,
                laws_blocks.tapes,
                3,
                5,
            ),
        ),
        assumptions=(
            "neighbours: one record added or removed",
            "a trusted aggregator sees all rows; the outsider sees the block",
            "integers; bins, classes, scores, ε and m are public; running time is not covered",
        ),
        uses=("thm-concave-scores", "thm-exponential-monotone", "thm-alias-table"),
    ),
)
