"""Chapter 10. What an evaluation need not grow."""

from fdpedu.claims.experiments import laws_lazy as laws
from fdpedu.claims.records import Check, Claim

CLAIMS = (
    Claim(
        "lem-lazy-expansion",
        "Leaving out nodes without a row changes no distribution",
        "experiments",
        "this book",
        status="proved+checked",
        code=("fdpedu.experiments.growing.grow_runs",),
        checks=(
            Check(
                "grown whole",
                "statistical",
                "ε = 2 and 8, {size} trees of each kind on ten rows: means of correct test rows and of their squares "
                "agree within five standard errors",
                laws.same_law,
                lambda runs: [("2", runs), ("8", runs)],
                300,
                3000,
                alpha=1e-5,
            ),
        ),
        assumptions=(
            "no privacy: nothing is released",
            "fresh noise at each node; no estimates that add up over the tree",
            "real-valued noise",
        ),
    ),
)
