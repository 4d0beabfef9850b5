"""Chapter 6. Noise in shares, tolerated colluders."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.dlpa import checks_joint as joint
from fdpedu.claims.dlpa import laws as law
from fdpedu.claims.dlpa import laws_blocks as blocks
from fdpedu.claims.records import Check, Claim

INTEGERS = "integers; every sampler exact"
HONEST = "parties are honest but curious"

CLAIMS = (
    Claim(
        "lem-cycles",
        "A share from coloured cycles",
        "dlpa",
        "this book",
        status="proved+checked",
        code=("fdpedu.dlpa.shares.negative_binomial_by_cycles",),
        checks=(
            Check(
                "urn",
                "exact",
                "the loop as a recursion on fractions, g up to {size}, m = 1, 2, 3, 5",
                law.cycles_are_an_urn,
                lambda most: product((1, 2, 3, 5), [most]),
                12,
                30,
            ),
            Check(
                "replayed share",
                "exact",
                "the sampler over all tapes of {size} 4-bit words, three pairs of α and m",
                law.replayed_share,
                law.small_shares,
                4,
                5,
            ),
            *joint.CYCLES,
        ),
        assumptions=(INTEGERS,),
        uses=("asm-random-words",),
    ),
    Claim(
        "lem-nb-weights",
        "The weights of the negative binomial distribution, enclosed",
        "dlpa",
        "this book",
        status="proved+checked",
        code=("fdpedu.sampling.polya_weights", "fdpedu.sampling.polya_weights.coefficient"),
        checks=(
            Check(
                "coefficients",
                "exact",
                "Stirling's enclosure meets the product rounded down and up, for k to {size}, five m, three precisions",
                blocks.enclosed_coefficients,
                lambda most: product([0, 1, 2, 20, 40, 64, 65, 66, 200, most], [1, 2, 3, 99, 1000]),
                2000,
                20000,
            ),
            Check(
                "logarithms",
                "exact",
                "ln r(k) as a float against its enclosure, on both sides of 1,024 and to k below 10 to the {size}",
                blocks.float_logarithms,
                blocks.far_values,
                8,
            ),
        ),
        assumptions=("NumPy's exp, log and log1p are right to within a few units of the last place",),
    ),
    Claim(
        "lem-nb-blocks",
        "Negative binomial numbers by cells",
        "dlpa",
        "this book",
        status="proved+checked",
        code=("fdpedu.sampling.blocks", "fdpedu.sampling.blocks.negative_binomial"),
        checks=(
            Check(
                "certain words",
                "exact",
                "18 shipped tables, ε from 10 to 10⁻¹², about {size} cells of each against enclosures: none owns too "
                "much, what it lacks fits the residual",
                blocks.certain_words,
                blocks.shipped_tables,
                20,
                200,
            ),
            Check(
                "replayed share",
                "exact",
                "the shipped sampler over all words of {size} bits, six pairs of α and m",
                law.replayed_share,
                lambda bits: product(map(Fraction, ("1/3", "1/8")), (2, 3, 99), [bits], [1]),
                12,
                15,
            ),
            Check(
                "replayed attempt",
                "exact",
                "tables with blocks over all tapes of two {size}-bit words: Pr[k] = κ·r(k), up to what each cell lacks",
                blocks.replayed_attempt,
                blocks.small_tables,
                7,
                9,
            ),
            Check(
                "replayed residual",
                "exact",
                "given the words that choose a cell, in the table and beyond it, all further tapes of {size}-bit words",
                blocks.replayed_residual,
                blocks.small_tables,
                5,
                6,
            ),
            Check(
                "independence",
                "exact",
                "the joint distribution of two attempts of one call, over all tapes of four {size}-bit words",
                blocks.replayed_pair,
                lambda bits: [(Fraction(1, 2), 2, 0, bits)],
                5,
            ),
            *joint.NB_BLOCKS,
        ),
        assumptions=(INTEGERS,),
        uses=("lem-nb-weights", "thm-alias-table", "asm-random-words"),
    ),
    Claim(
        "thm-polya-shares",
        "Pólya shares add up to discrete Laplace",
        "dlpa",
        "this book; for integers what equation (1) of the report is for reals",
        status="proved+checked",
        code=("fdpedu.dlpa", "fdpedu.dlpa.shares", "fdpedu.dlpa.shares.polya_shares"),
        checks=(
            Check(
                "convolution",
                "exact",
                "m-fold convolution of the coefficients up to k = {size}, m = 1 to 10, any α",
                law.shares_make_a_geometric,
                lambda most: product(range(1, 11), [most]),
                15,
                40,
            ),
            Check(
                "replayed sum",
                "exact",
                "one share over all words of {size} bits, convolved over one, two and three parties",
                law.replayed_sum,
                lambda bits: [(1, 0, bits), (2, 0, bits), (3, 0, bits)],
                12,
                14,
            ),
            Check(
                "replayed difference",
                "exact",
                "one share over all tapes of two {size}-bit words: its distribution is that of a difference of "
                "independent numbers, two pairs of α and m",
                blocks.replayed_difference,
                lambda bits: [(Fraction(1, 8), 2, bits), (Fraction(1, 12), 4, bits)],
                7,
                8,
            ),
            Check(
                "own shares",
                "exact",
                "up to {size} parties, any number tolerated: each draws its own share, for the stated number of "
                "n_noise_shares",
                law.own_shares,
                lambda most: ((n, c, 40, seed) for n in range(1, most + 1) for c in range(n) for seed in range(3)),
                4,
                8,
            ),
            *joint.POLYA_SHARES,
        ),
        assumptions=(INTEGERS, HONEST),
        uses=("lem-cycles", "lem-nb-blocks"),
    ),
    Claim(
        "thm-tolerate",
        "Shares for K − c parties withstand c colluders",
        "dlpa",
        "this book; mends the last paragraph of the report's section 3.4",
        status="proved+checked",
        code=("fdpedu.dlpa", "fdpedu.dlpa.shares", "fdpedu.dlpa.shares.polya_shares"),
        checks=(
            Check(
                "honest shares",
                "exact",
                "one share over all words of {size} bits, convolved over the K − c honest parties",
                law.replayed_sum,
                lambda bits: [(2, 1, bits), (3, 1, bits), (5, 3, bits)],
                12,
                14,
            ),
            Check(
                "insiders",
                "exact",
                "up to {size} parties, three ε: up to c colluders face exactly ε, one more faces more",
                law.tolerated,
                law.tolerances,
                5,
                9,
            ),
            Check(
                "random insiders",
                "property",
                "the same for {size} random cases",
                law.tolerated,
                law.random_tolerances,
                40,
                500,
            ),
            *joint.TOLERATE,
        ),
        assumptions=(INTEGERS, HONEST),
        uses=("thm-polya-shares", "thm-discrete-laplace"),
    ),
)
