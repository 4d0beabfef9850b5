"""Chapter 8. The federated private tree."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.accounting import laws_manifests as derivations
from fdpedu.claims.checking import as_case
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees import laws as law
from fdpedu.claims.trees import laws_limit as limit
from fdpedu.claims.trees import laws_paths as paths

ADD_REMOVE = "neighbours: one record added or removed; a substitution costs twice"
OBSERVER = "an outsider, the aggregator included, and up to `tolerate` colluding parties; all honest but curious"

CLAIMS = (
    Claim(
        "thm-federated-tree",
        "The federated tree is private",
        "trees",
        "report, Theorem 6 and equation (3)",
        status="proved+checked",
        code=("fdpedu.trees", "fdpedu.trees.grow.fit_federated_tree", "fdpedu.trees.recursive.fit_recursively"),
        checks=(
            Check(
                "cost",
                "property",
                "{size} random domains, data, depths and shares: total, cost of each release, rounds",
                law.cost,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(),
                    draw.budgets,
                    draw.shares,
                    draw.integers(0, 4),
                    draw.integers(0, 12),
                    draw.booleans(),
                    draw.integers(0, 99),
                ),
                12,
                1000,
            ),
            Check(
                "every path",
                "property",
                "{size} random cases, all designs: with one record more and the same answers, the same is asked and "
                "grown, and the record pays at most ε; exactly ε where its leaf has the rest",
                paths.every_path,
                paths.with_a_record,
                20,
                1000,
            ),
            Check(
                "accepted",
                "property",
                "{size} random cases, all designs: the checker accepts derivation and manifest, for the budget",
                paths.accepted,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(),
                    paths.any_way(draw),
                    draw.shares,
                    draw.integers(0, 3),
                    draw.booleans(),
                    draw.integers(0, 99),
                ),
                15,
                1000,
            ),
            Check(
                "by name",
                "property",
                "{size} random cases, all designs: columns in any order, at parties and at prediction; leaves by hand",
                limit.by_name,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(),
                    paths.any_way(draw, plain=True),
                    draw.integers(0, 3),
                    draw.integers(0, 4),
                ),
                20,
                500,
            ),
            Check(
                "noiseless",
                "property",
                "{size} random cases: without noise, and with totals taken as they are, it is CART on the same grid",
                law.noiseless,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(), draw.integers(0, 4), draw.integers(2, 6), draw.booleans()
                ),
                20,
                1000,
            ),
            Check(
                "only released",
                "property",
                "{size} random cases: parties without rows, given the same answers, grow the same tree",
                law.only_released,
                lambda draw: draw.tuples(draw.domains_with_parties(), draw.integers(0, 3), draw.integers(0, 99)),
                15,
                500,
            ),
            Check(
                "by hand",
                "property",
                "{size} random cases: the derivation written out from the tree's shape alone is the ledger's",
                derivations.by_hand,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(),
                    draw.budgets,
                    draw.shares,
                    draw.integers(0, 3),
                    draw.booleans(),
                    draw.integers(0, 99),
                ),
                15,
                1000,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "running time is not covered"),
        uses=("thm-node-histograms", "thm-histogram", "thm-round", "lem-filter", "thm-post-processing"),
    ),
    Claim(
        "lem-confident-stopping",
        "A node that is large enough is seldom taken for small",
        "trees",
        "this book",
        status="checked",
        code=("fdpedu.trees.stopping.confident", "fdpedu.trees.stopping.noise_deviation"),
        checks=(
            Check(
                "variance",
                "exact",
                "two α, K = 1, 5 and 100, m = 1 and 4: the variance of the distribution itself, summed",
                law.variance,
                lambda _: product((Fraction(1, 3), Fraction(9, 10)), (1, 5, 100), (1, 4)),
            ),
            Check(
                "stops",
                "statistical",
                "{size} nodes of just enough rows, at each of three rates and two numbers of rows: 2.5 to 8 % stop",
                law.stops,
                as_case,
                4_000,
                40_000,
                alpha=6e-8,
            ),
        ),
        assumptions=("a sum of 20 or more independent noises is close to normal",),
        uses=("thm-polya-shares",),
    ),
)
