"""The zoo, chapter 9: plausible bugs in what a party answers about its lower bounds, and in what they cost."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

_PARTS = "{},\n        self.claim,\n        colluders,\n        randomness,\n        {},"

TWINS = (
    Broken(
        "undivided bounds",
        "fdpedu.federation.queries.NodeBounds.n_releases",
        "len(self.region.features)",
        "1",
        "The bounds of a node cost ε, and so does each of them (Algorithm 6 as printed).",
        "thm-node-bounds",
        "attained",
    ),
    Broken(
        "one step for one record",
        "fdpedu.federation.queries.NodeBounds.sensitivity",
        "self.lattice",
        "1",
        "An integer moves by 1 when a record is added, whatever its unit is.",
        "thm-node-bounds",
        "neighbours",
    ),
    Broken(
        "one release of sensitivity p·m",
        "fdpedu.federation.queries.Query.charge",
        _PARTS.format("self.sensitivity", "self.n_releases"),
        _PARTS.format("self.sensitivity * self.n_releases", "1"),
        "A vector of sensitivity p·m is one release of sensitivity p·m.",
        "thm-node-bounds",
        "entered",
    ),
    Broken(
        "one noise for all bounds of a node",
        "fdpedu.federation.queries.noise_of",
        "polya_share(rate, n_noise_shares, sum(query.size(domain) for query in alike), source)",
        "np.concatenate([polya_share(rate, n_noise_shares, 1, source).repeat(query.size(domain)) if hasattr(query, "
        '"lattice") else polya_share(rate, n_noise_shares, query.size(domain), source) for query in alike])',
        "The bounds are compared with each other, so they may share their noise.",
        "thm-node-bounds",
        "joint law of a party's noise",
    ),
    Broken(
        "noise in steps of the lattice",
        "fdpedu.federation.queries.noise_of",
        "polya_share(rate, n_noise_shares, sum(query.size(domain) for query in alike), source)",
        "np.concatenate([polya_share(type(rate)(rate=query.rate.rate * query.sensitivity), n_noise_shares, "
        "query.size(domain), source) * query.sensitivity for query in alike])",
        "Noise for the bound itself, times m, is noise for the bound times m.",
        "thm-node-bounds",
        "joint law of a party's noise",
    ),
    Broken(
        "rounded to the nearest step",
        "fdpedu.cart.local_grid._in_steps",
        "* lattice // (2 * both)",
        "* lattice + both) // (2 * both",
        "The nearest point of the lattice is the best one.",
        "thm-node-bounds",
        "below every split",
    ),
    Broken(
        "the region of bounds ignored",
        "fdpedu.federation.queries.NodeBounds.tally",
        "tally(records, rows, domain)",
        "tally(records, records.within([domain.everything])[0], domain)",
        "A bound over all rows of a party is a bound over those of a node.",
        "thm-node-bounds",
        "neighbours",
    ),
    Broken(
        "lattice not on the wire",
        "fdpedu.federation.queries.Query.own_values",
        "for name in self.own_fields()",
        'for name in self.own_fields() if name != "lattice"',
        "All parties know the lattice, so it need not be sent.",
        "thm-node-bounds",
        "one form",
    ),
    Broken(
        "positives only, on a grid",
        "fdpedu.cart.local_grid.steps_of",
        "left = np.cumsum(cells.T, axis=1)",
        "left = np.cumsum((cells * np.minimum(1, np.arange(cells.shape[1]))).T, axis=1)",
        "What a node leaves is counted in its positives (this stands in the code that the report's authors published).",
        "thm-node-bounds",
        "definition",
    ),
    Broken(
        "nothing where no split divides the rows",
        "fdpedu.cart.local_grid._least",
        "np.minimum.reduceat(_in_steps(left, right, lattice), first)",
        "np.minimum.reduceat(np.where(left.sum(0) * right.sum(0) > 0, _in_steps(left, right, lattice), 2**40), first) "
        "% 2**40",
        "A split has two sides with rows; where there is none, nothing is left over.",
        "thm-node-bounds",
        "definition",
    ),
    Broken(
        "integers of 64 bits for any counts",
        "fdpedu.cart.local_grid._least",
        "lattice * most**3 <= _MAX_PRODUCT",
        "most < 2**53",
        "The counts fit into 64 bits, so what is computed of them does.",
        "thm-node-bounds",
        "large counts",
    ),
    Broken(
        "the nearest float decides",
        "fdpedu.cart.local_grid._least_of_many",
        "return int(_in_steps(near[: len(left)], near[len(left) :], lattice).min())",
        "return int(lattice * (rows[0][0] + rows[1][0] - kept.max()) / 2)",
        "Sixteen digits are more than a bound needs.",
        "thm-node-bounds",
        "large counts",
    ),
)
