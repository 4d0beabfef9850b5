"""Chapter 7. Bin edges that are quantiles: from released counts, and by the joint exponential mechanism."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.histograms import laws_edges as law
from fdpedu.claims.histograms import laws_edges_joint as joint
from fdpedu.claims.histograms.records import ADD_REMOVE, OBSERVER
from fdpedu.claims.records import Check, Claim

EDGES, JOINT = "fdpedu.histograms.edges", "fdpedu.histograms.joint"
TRUSTED = "whoever draws sees the exact counts: a trusted aggregator, or one party with its own rows"

CLAIMS = (
    Claim(
        "thm-quantile-edges",
        "Edges from released counts cost what the counts cost",
        "histograms",
        "report, section 3.2, which leaves it open",
        status="proved+checked",
        code=(
            EDGES,
            f"{EDGES}.private_quantile_domain",
            f"{EDGES}.quantile_edges",
            "fdpedu.histograms.together",
            "fdpedu.histograms.together.combined_derivation",
        ),
        checks=(
            Check(
                "law of edges",
                "exhaustive",
                "three fine bins of one and two features, counts up to {size}, all neighbours: the exact "
                "distribution of the edges, all noisy counts clamped and tried",
                law.private_edges,
                law.small_grids,
                1,
                3,
            ),
            Check(
                "made of what is released",
                "property",
                "{size} random rounds: the edges are those of the pooled counts and one share of rate ε/p a party; "
                "ε is charged",
                law.released_edges,
                law.random_edges,
                30,
                1000,
            ),
            Check(
                "wide grids",
                "exact",
                "{size} records on grids of 2, 255 and 256 codes, three classes, 2 and 9 parties: as by hand",
                law.released_edges,
                law.wide_grids,
                100,
                5000,
            ),
            Check(
                "both stages",
                "property",
                "{size} random grids, unions of their bins, costs on both: what each record pays in the one account",
                law.paid_twice,
                law.two_accounts,
                30,
                1000,
            ),
            Check(
                "other domains",
                "exhaustive",
                "a second domain whose bins are not made of the first's is refused",
                law.unlike,
                lambda _: ((kind,) for kind in law.KINDS),
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "the fine grid, both budgets and the number of bins are public"),
        uses=("thm-histogram", "thm-sequential", "lem-filter"),
    ),
    Claim(
        "lem-edge-ranks",
        "How far an edge is from its quantile",
        "histograms",
        "this book",
        status="proved+checked",
        code=(EDGES, f"{EDGES}.quantile_edges", f"{EDGES}.prefix_error"),
        checks=(
            Check(
                "ranks",
                "exhaustive",
                "three and four fine bins, small counts, noise up to {size} in each cell, 2 to 4 bins",
                law.ranks,
                law.small_noise,
                1,
                2,
            ),
            Check(
                "prefixes",
                "exact",
                "up to {size} cells, one share of noise and two in each: the probability that a prefix is beyond B is "
                "at most β, and that of a fifth of B is not",
                law.prefix_noise,
                lambda most: product((1, 2, 5, most), (Fraction(1, 2), Fraction(1, 20), Fraction(1, 1000)), (1, 2)),
                12,
                16,
            ),
        ),
        assumptions=("integers", "the shares of noise are independent"),
        uses=("thm-tolerate",),
    ),
    Claim(
        "lem-joint-quantile-sensitivity",
        "One record moves the joint utility by 2(b − 1)/b",
        "histograms",
        "Gillenwater, Joseph and Kulesza 2021; add/remove, equal shares",
        status="proved+checked",
        code=(JOINT, f"{JOINT}.joint_sensitivity", f"{JOINT}.joint_utility"),
        checks=(
            Check(
                "moves",
                "exhaustive",
                "two to four fine bins, counts up to {size}, all edges and records: the largest move",
                joint.sensitivity,
                joint.sizes,
                3,
                5,
            ),
        ),
        assumptions=("neighbours: one record added or removed",),
    ),
    Claim(
        "thm-joint-quantiles",
        "All edges of a feature at once, for a trusted aggregator",
        "histograms",
        "Gillenwater, Joseph and Kulesza 2021; on a public grid, drawn exactly",
        status="proved+checked",
        code=(JOINT, f"{JOINT}.trusted_joint_quantiles", f"{JOINT}.trusted_joint_quantiles_pmf"),
        checks=(
            Check(
                "inequality",
                "exhaustive",
                "two to four fine bins, counts up to {size}, all neighbours, two α: the worst ratio of the exact "
                "distributions",
                joint.private,
                joint.neighbours,
                2,
                3,
            ),
            Check(
                "weights",
                "exhaustive",
                "counts up to {size}, two ε: probabilities are the stated weights, normed",
                joint.base,
                joint.bases,
                1,
                3,
            ),
            Check(
                "replayed law",
                "exact",
                "all tapes of {size} words of 4 bits and of more for more edges: the shipped sampler has the stated "
                "distribution, but for the tapes on which nothing is decided yet",
                joint.sampled,
                joint.tapes,
                2,
                3,
            ),
            Check(
                "chain",
                "exact",
                "few and 10¹² records, up to 7 fine bins, ε from 10⁻⁴⁰⁰ on: the chain's probabilities to {size} bits",
                joint.chained,
                joint.chains,
                64,
                256,
            ),
            Check(
                "ranks",
                "exhaustive",
                "counts up to {size}, two α, three β: the probability that an edge is further off than stated",
                joint.ranks,
                joint.rank_cases,
                2,
                3,
            ),
        ),
        assumptions=("neighbours: one record added or removed", "exact draws, of integers", TRUSTED),
        uses=("lem-joint-quantile-sensitivity", "thm-exponential"),
    ),
)
