"""A public random subset of the features, and what is paid for it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from fdpedu.claims.checking import require
from fdpedu.claims.federations import LARGER, Case, from_sums_alone
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.replay import enumerate_law
from fdpedu.claims.trees.federated import ADD_REMOVE, OBSERVER
from fdpedu.claims.trees.pruning import grown
from fdpedu.domain import Region
from fdpedu.federation import ClassHistogram
from fdpedu.trees import DESIGNS, Tree
from fdpedu.trees.subset import drawn_features


# A subset of the features.
def subset_cost(case: Case, budget: Fraction, depth: int, left_out: int, seed: int) -> None:
    """Each node asks for q histograms of different features, ε_node/q each; the whole is ε, as the checker confirms."""
    domain = case[0]
    q = max(1, domain.n_features - left_out)
    design = replace(DESIGNS["default"], features_per_node=q)
    tree, answered, federation = grown(case, budget, seed, design, max_depth=depth, min_samples_split=2)
    proved = tree.derivation.guarantee
    require(proved.spent == federation.ledger.spent == budget, f"spent are {proved.spent} of {budget}")
    require(proved.value == budget and proved.colluders == federation.colluders, f"the guarantee is {proved}")
    asked: dict[Region, list[ClassHistogram]] = {}
    for query, _ in answered:
        if isinstance(query, ClassHistogram):
            asked.setdefault(query.region, []).append(query)
    require(bool(asked) == (q < domain.n_features and depth > 0), "histograms of single features were asked for")
    for region, queries in asked.items():
        features = {query.feature for query in queries}
        require(len(queries) == len(features) == q, f"a node asks for {len(queries)} histograms of {len(features)}")
        costs = {query.epsilon for query in queries}
        require(costs == {budget / 2 / depth / q}, f"they cost {costs}")
        wide = [j for j in range(domain.n_features) if len(region.codes(j)) > 1]
        require(len(features & set(wide)) == min(q, len(wide)), "features of one code were preferred")
    require(Tree.from_json(tree.to_json()) == tree, "the tree is not read back as it is")


def uniform(p: int, narrow: int, n: int) -> None:
    """By all tapes: of p features, the last ``narrow`` of one code, every subset of the others is equally likely."""
    region = Region((3,) * (p - narrow) + (1,) * narrow, 3)
    law, rest = enumerate_law(lambda tape: drawn_features(region, n, tape), 3, p + 1)
    found: dict[tuple[int, ...], Fraction] = {}
    for drawn, mass in law.items():
        require(list(drawn) == sorted(set(drawn)) and len(drawn) == n, f"drawn are {drawn}")
        wide = tuple(j for j in drawn if j < p - narrow)
        require(len(wide) == min(n, p - narrow), f"{drawn} has too few features that can divide the region")
        found[wide] = found.get(wide, Fraction(0)) + mass
    ways = _ways(p - narrow, min(n, p - narrow))
    require(len(found) == ways, f"{len(found)} subsets of {ways} occur")
    low, high = min(found.values()), max(found.values())
    require(
        high - low <= rest and high * ways <= 1, f"their probabilities are from {low} to {high}, {rest} is undecided"
    )


def _ways(n: int, k: int) -> int:
    return 1 if k in (0, n) else _ways(n - 1, k - 1) + _ways(n - 1, k)


def subset_from_releases(case: Case, depth: int, per_node: int, seed: int) -> None:
    """Parties without rows, given the same answers, are asked for the same features by the same public coins."""
    design = replace(DESIGNS["default"], features_per_node=per_node)
    rules = {"max_depth": depth, "min_samples_split": 2}
    from_sums_alone(case, lambda rows, _: grown((case[0], rows), 4, seed, design, **rules)[0].root)


CLAIMS = (
    Claim(
        "lem-feature-subset",
        status="proved+checked",
        code=("fdpedu.trees.subset", "fdpedu.trees.subset.drawn_features"),
        checks=(
            Check(
                "cost",
                "property",
                "{size} random domains, data, depths and q: features and cost of each query, the checker's total",
                subset_cost,
                lambda draw: draw.tuples(
                    draw.domains_with_parties().filter(lambda case: case[0].n_features > 2),
                    draw.budgets,
                    draw.integers(0, 3),
                    draw.integers(0, 2),
                    draw.integers(0, 99),
                ),
                16,
                600,
                more=[(LARGER, Fraction(7), 3, left_out, seed) for left_out in (0, 1, 2, 3, 9) for seed in range(2)],
            ),
            Check(
                "uniform",
                "exhaustive",
                "all tapes of 3-bit words: 3 and 4 features, up to 2 of one code, subsets of every size",
                uniform,
                lambda _: ((3, 0, 1), (3, 0, 2), (3, 0, 3), (3, 1, 1), (3, 1, 2), (4, 2, 1), (4, 2, 3)),
                more=[(2, 0, 1), (3, 2, 3)],
            ),
            Check(
                "only released",
                "property",
                "{size} random cases: parties without rows, given the same answers, are asked the same",
                subset_from_releases,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(), draw.integers(0, 3), draw.integers(1, 2), draw.integers(0, 99)
                ),
                15,
                500,
                more=[(LARGER, 3, 2, seed) for seed in range(3)],
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER),
        uses=("thm-federated-tree", "thm-histogram", "lem-filter"),
    ),
)

TWINS = (
    Broken(
        "the subset not divided among",
        "fdpedu.trees.growing.Growing.queries",
        "Fraction(1, len(self.features))",
        "1",
        "Each feature is a question of its own.",
        "lem-feature-subset",
        "cost",
    ),
    Broken(
        "always the same features",
        "fdpedu.trees.subset.drawn_features",
        "*shuffled(wide, coins)",
        "*wide",
        "Which features are asked for makes no difference to privacy, so the first ones will do.",
        "lem-feature-subset",
        "uniform",
    ),
    Broken(
        "nothing stays in its place",
        "fdpedu.trees.subset.shuffled",
        "np.arange(len(left), 0, -1, dtype=np.int64)",
        "np.maximum(np.arange(len(left), 0, -1, dtype=np.int64) - 1, 1)",
        "To be shuffled is to be moved.",
        "lem-feature-subset",
        "uniform",
    ),
    Broken(
        "features chosen by a look at the data",
        "fdpedu.trees.count_growth.CountGrowth.ask",
        "drawn_features(node.region, self.drawn, self.coins) if self.drawn < n_features else None",
        "tuple(sorted(sorted(range(n_features), key=lambda j: -sum(len(set(ask.__self__._records.columns[j]"
        "[ask.__self__._records.within([node.region])[0]].tolist())) for ask in self.federation._endpoints))"
        "[:self.drawn])) if self.drawn < n_features else None",
        "To leave out features that are constant costs nothing, as nothing is counted.",
        "lem-feature-subset",
        "only released",
    ),
)
