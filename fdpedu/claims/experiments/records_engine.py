"""Chapter 10. What an evaluation may draw otherwise than a release: noise at once, histograms that nobody asks for."""

from itertools import product

from fdpedu.claims.experiments import laws_engine as laws
from fdpedu.claims.records import Check, Claim

NOT_RELEASED = "no privacy: nothing is released"

CLAIMS = (
    Claim(
        "lem-summed-noise",
        "The noise of a sum, drawn at once",
        "experiments",
        "this book",
        status="proved+checked",
        code=("fdpedu.experiments.budget.Budget.noise",),
        checks=(
            Check(
                "shares added up",
                "exact",
                "up to {size} parties, all numbers of colluders: what simulation.noise.summed_noise draws for a cell "
                "has the generating function of all shares, to degree 12",
                laws.sum_of_shares,
                laws.parties,
                6,
                12,
            ),
            Check(
                "one number",
                "exact",
                "{size} cells of real-valued noise: each is one difference of two exponential numbers",
                laws.one_real_number,
                lambda cells: [(cells,)],
                5,
                100,
            ),
        ),
        assumptions=(NOT_RELEASED, "shares of the parties independent of each other"),
        uses=("thm-polya-shares", "lem-laplace-divisible"),
    ),
    Claim(
        "lem-unvisited",
        "Histograms that Algorithm 6 does not ask for may be drawn",
        "experiments",
        "this book; on the report's Algorithm 6",
        status="proved+checked",
        code=("fdpedu.experiments.choosing.choose_and_remove",),
        checks=(
            Check(
                "one by one",
                "exhaustive",
                "up to {size} features, each with one of four bounds and one of four tables, as printed and mended: "
                "both engines, beside a procedure that looks at no other histogram",
                laws.those_before_the_first,
                lambda most: product(range(1, most + 1), (False, True)),
                3,
                4,
            ),
        ),
        assumptions=(NOT_RELEASED, "noise of different features independent", "features in the order of their bounds"),
    ),
)
