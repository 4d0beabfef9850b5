"""Chapter 6. What insiders gain from one release, and from a whole tree."""

from fractions import Fraction

from fdpedu.claims.dlpa import laws as law
from fdpedu.claims.dlpa import laws_guarantee as guarantee
from fdpedu.claims.dlpa import laws_insiders as insiders
from fdpedu.claims.records import Check, Claim

HONEST = "parties are honest but curious"
EXACT = "integers; every sampler exact"
ONE = "one release of one number"

CLAIMS = (
    Claim(
        "lem-remainder",
        "What insiders leave is a mixture of discrete Laplace distributions",
        "dlpa",
        "this book",
        status="proved+checked",
        code=("fdpedu.dlpa.remainder", "fdpedu.dlpa.remainder.Remainder"),
        checks=(
            Check(
                "moments",
                "exact",
                "the coefficients (τ)_k/k! as moments, k to {size}, six shapes",
                insiders.coefficients_are_moments,
                lambda most: ((Fraction(t), most) for t in ("1/100", "1/3", "1/2", "2/3", "4/5", "99/100")),
                20,
                60,
            ),
            Check(
                "term by term",
                "exact",
                "both series against sums term by term, k to {size}, four shapes, rates 1/30 to 30; convexity",
                insiders.remainder,
                insiders.remainders,
                6,
                20,
            ),
            Check(
                "tiny rates",
                "exact",
                "the recursion of three neighbours, k to {size}, at rates 1/10, 10⁻⁶ and 10⁻³⁰",
                insiders.neighbours_of_tiny_rates,
                insiders.tiny_rates,
                4,
                30,
            ),
        ),
    ),
    Claim(
        "thm-insider-polya",
        "What an insider gains",
        "dlpa",
        "this book; mends the last paragraph of the report's section 3.4",
        status="proved+checked",
        code=("fdpedu.dlpa.insiders", "fdpedu.dlpa.insiders.insider_epsilon"),
        checks=(
            Check(
                "bracket",
                "exact",
                "up to {size} parties, three ε: between exact sums at two rational α; the loss at 0 is the largest "
                "of four",
                law.insider_loss,
                law.insiders,
                4,
                7,
            ),
            Check(
                "bounds",
                "exact",
                "up to {size} parties, ε from 10⁻⁶ to 7: the gain lies between its bounds and does not decrease",
                insiders.between_bounds,
                insiders.small_and_large,
                4,
                8,
            ),
            Check(
                "played",
                "exact",
                "the shipped sampler over all words of {size} bits: the odds of each outcome that an insider can see",
                insiders.played,
                insiders.games,
                12,
                13,
            ),
        ),
        assumptions=(EXACT, HONEST, "one release of sensitivity 1"),
        uses=("thm-polya-shares", "lem-remainder"),
    ),
    Claim(
        "thm-insider-lattice",
        "What an insider gains on a lattice",
        "dlpa",
        "this book",
        status="proved+checked",
        code=("fdpedu.dlpa.insiders", "fdpedu.dlpa.insiders.insider_epsilon"),
        checks=(
            Check(
                "worst pair",
                "exact",
                "all pairs of values in a window, for sensitivities and lattices to {size}, three numbers of colluders",
                insiders.worst_pair,
                insiders.lattices,
                4,
                8,
            ),
        ),
        assumptions=(EXACT, HONEST, ONE),
        uses=("thm-insider-polya", "lem-remainder"),
    ),
    Claim(
        "thm-insider-gamma",
        "What an insider gains from gamma shares, and when no ε holds",
        "dlpa",
        "this book; refutes the last paragraph of the report's section 3.4",
        status="proved+checked",
        code=("fdpedu.dlpa.insiders", "fdpedu.dlpa.insiders.insider_epsilon"),
        checks=(
            Check(
                "two integrals",
                "exact",
                "Γ and K_ν by sums over the line, {size} pairs of ε and τ, within 10⁻¹⁸",
                insiders.bessel_by_integrals,
                insiders.gamma_cases,
                2,
                7,
            ),
            Check(
                "finer lattices",
                "exact",
                "lattices 1 to 10 to the {size}, three ε, τ on both sides of 1/2: growing, towards the limit",
                insiders.towards_gamma,
                insiders.fine,
                3,
                4,
            ),
        ),
        assumptions=("ideal real numbers", HONEST, ONE),
        uses=("thm-insider-lattice",),
    ),
    Claim(
        "thm-insider-delta",
        "What an insider gains when a small δ is allowed",
        "dlpa",
        "this book",
        status="proved+checked",
        code=("fdpedu.dlpa.insiders", "fdpedu.dlpa.insiders.insider_delta"),
        checks=(
            Check(
                "all moves",
                "exact",
                "sums over a window for every move, lattices to {size}, ε' on both sides of ε and of the loss",
                insiders.delta_by_sums,
                insiders.deltas,
                2,
                6,
            ),
        ),
        assumptions=(EXACT, HONEST, ONE),
        uses=("lem-remainder",),
    ),
    Claim(
        "thm-tree-before-the-run",
        "What every tree costs an insider, known before it is grown",
        "dlpa",
        "this book; mends the last paragraph of the report's section 3.4",
        status="proved+checked",
        code=("fdpedu.dlpa.guarantee", "fdpedu.dlpa.guarantee.tree_guarantee"),
        checks=(
            Check(
                "every tree",
                "exhaustive",
                "all shapes of trees to depth {size}, grown and charged by the shipped path: none costs more than E",
                guarantee.every_tree,
                guarantee.small_trees,
                2,
                3,
            ),
            Check(
                "every level",
                "exact",
                "{size} sets of public parameters, ε down to 10⁻⁶: each level's price, added up release by release",
                guarantee.levels_one_by_one,
                guarantee.before_any_run,
                3,
                5,
            ),
        ),
        assumptions=(EXACT, HONEST, "records are added or removed"),
        uses=("thm-insider-polya", "lem-filter", "thm-federated-tree", "thm-optimal-composition"),
    ),
)
