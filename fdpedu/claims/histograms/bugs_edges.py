"""The zoo, chapter 7: plausible bugs in bin edges that are made of data."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

PRIVATE, TOGETHER = "fdpedu.histograms.edges.private_quantile_domain", "fdpedu.histograms.together"
JOINT = "fdpedu.histograms.joint"
_RELEASED = "quantile_domain(released, federation.domain, most)"
_RAW = (
    "sum(NodeHistograms.tally(query, (own := answer.__self__._records), own._everybody, federation.domain) "
    "for query in [NodeHistograms(federation.domain.everything, cost)] for answer in federation._endpoints)"
    ".reshape(released.shape)"
)

TWINS = (
    Broken(
        "edges from the data",
        PRIVATE,
        _RELEASED,
        f"quantile_domain({_RAW}, federation.domain, most)",
        "Noise belongs to counts; where the edges are is no count.",
        "thm-quantile-edges",
        "made of what is released",
    ),
    Broken(
        "no noise where nobody is",
        PRIVATE,
        _RELEASED,
        f"quantile_domain(released * ({_RAW} > 0), federation.domain, most)",
        "An empty cell has nobody to protect, and its noise only hides that it is empty.",
        "thm-quantile-edges",
        "made of what is released",
    ),
    Broken(
        "edges undivided over features",
        PRIVATE,
        "NodeHistograms(federation.domain.everything, cost)",
        "NodeHistograms(federation.domain.everything, cost * federation.domain.n_features)",
        "Each feature has edges of its own, so each may use all of ε.",
        "thm-quantile-edges",
        "made of what is released",
    ),
    Broken(
        "edges for free",
        f"{TOGETHER}.combined_derivation",
        "combine([before, _rewritten(_proof(second), codes, rounds)]",
        "combine([_rewritten(_proof(second), codes, rounds)]",
        "Edges are part of the domain, and a domain is public, so only the tree is charged.",
        "thm-quantile-edges",
        "both stages",
    ),
    Broken(
        "the dearer stage only",
        f"{TOGETHER}.combined_derivation",
        "guarantees[0].value + guarantees[1].value",
        "max(guarantees[0].value, guarantees[1].value)",
        "Two ledgers that each keep to ε keep to ε together.",
        "thm-quantile-edges",
        "both stages",
    ),
    Broken(
        "a code is a code",
        f"{TOGETHER}._rewritten",
        "chain.from_iterable(codes[name][c] for c in mask)",
        "mask",
        "Both domains have the same features, so a region of one is a region of the other.",
        "thm-quantile-edges",
        "both stages",
    ),
    Broken(
        "one share of noise",
        "fdpedu.histograms.edges.prefix_error",
        "Fraction(parties, honest) * ",
        "",
        "The noise in a cell is one discrete Laplace number, however many colluders it withstands.",
        "lem-edge-ranks",
        "prefixes",
    ),
    Broken(
        "the first edge that reaches its share",
        "fdpedu.histograms.edges._places",
        "abs(bins * rising[k] - i * rising[-1])",
        "(bins * rising[k] < i * rising[-1]) * len(totals) + k",
        "The quantile is the first edge at which the share is reached, on a coarse grid, too.",
        "lem-edge-ranks",
        "ranks",
    ),
    Broken(
        "the sensitivity of a count",
        f"{JOINT}.joint_sensitivity",
        '2 * (as_integer(bins, "bins", minimum=2) - 1)',
        'as_integer(bins, "bins", minimum=2)',
        "A record is in one bin, so one term of the sum moves, by b·1.",
        "lem-joint-quantile-sensitivity",
        "moves",
    ),
    Broken(
        "the factor 2 forgotten",
        f"{JOINT}.trusted_joint_quantiles",
        "2 * joint_sensitivity(most)",
        "joint_sensitivity(most)",
        "Counts are monotone, so half of the noise is enough.",
        "thm-joint-quantiles",
        "replayed law",
    ),
    Broken(
        "only the first bin counts",
        f"{JOINT}.joint_utility",
        "for a, b in pairwise(ends)",
        "for a, b in list(pairwise(ends))[:1]",
        "Where the first share is right, the others follow.",
        "lem-joint-quantile-sensitivity",
        "moves",
    ),
    Broken(
        "intervals closed on the left",
        f"{JOINT}.Chain._onward",
        "self._prefix[k + 1 : stop] - self._prefix[k]",
        "self._prefix[k : stop - 1] - self._prefix[k]",
        "Whether a bin has its upper edge or its lower one is a matter of taste.",
        "thm-joint-quantiles",
        "chain",
    ),
    Broken(
        "an edge may stand twice",
        f"{JOINT}.Chain.law",
        "lambda t: k + 1 + t",
        "lambda t: k + t",
        "Two quantiles may well be one number, so the next edge may stand where the last one does.",
        "thm-joint-quantiles",
        "replayed law",
    ),
    Broken(
        "greedy, edge by edge",
        f"{JOINT}.Chain._tabulated",
        "(sum(low for low, _ in row), sum(high for _, high in row))",
        "(one, one)",
        "Drawing each edge by the weights of its own bin draws all of them by the product of the weights.",
        "thm-joint-quantiles",
        "chain",
    ),
    Broken(
        "each feature's edges for all of ε",
        "fdpedu.federation.queries.Query.rate",
        "self.epsilon / (self.n_releases * self.sensitivity)",
        "self.epsilon / self.sensitivity",
        "Edges are chosen feature by feature, so the features do not add up.",
        "thm-quantile-edges",
        "law of edges",
    ),
    Broken(
        "an edge nearly there",
        f"{TOGETHER}._coarse_codes",
        "not ends or not set(coarse.edges) <= set(fine.edges)",
        "not ends",
        "An edge between two fine ones is nearly one of them.",
        "thm-quantile-edges",
        "other domains",
    ),
    Broken(
        "squares for absolute values",
        f"{JOINT}.joint_utility",
        "abs(bins * sum(cells[a:b]) - total)",
        "(bins * sum(cells[a:b]) - total) ** 2",
        "How a miss is measured is a matter of utility, not of privacy.",
        "thm-joint-quantiles",
        "inequality",
    ),
    Broken(
        "a record changes a count by 1",
        f"{JOINT}.trusted_joint_quantiles_pmf",
        "1 if epsilon is None else joint_sensitivity(most)",
        "1",
        "A record changes one count by 1, so the utility has the sensitivity 1.",
        "thm-joint-quantiles",
        "weights",
    ),
)
