"""What a private tree costs, what it becomes without noise, and what it may depend on."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.cart import CodeSplit, Node, fit_cart
from fdpedu.claims.accounting.manifests import by_hand
from fdpedu.claims.checking import require
from fdpedu.claims.federations import LARGER, Case, from_sums_alone, grow
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.paths import accepted, any_way, every_path, fit, with_a_record
from fdpedu.domain import Domain, Numeric, Rows
from fdpedu.federation import Federation, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import Tree


def cost(case: Case, budget: Fraction, share: Fraction, depth: int, least: int, unspent: bool, seed: int) -> None:
    """At most depth + 1 rounds; at most ε, which the checker confirms; ε exactly if nothing is left over.

    Every histogram costs ε_node/p = (1 − share)·ε/(p·depth), and a leaf at full depth share·ε (report, equation (3)).
    """
    options = {"max_depth": depth, "min_samples_split": least, "leaf_share": share, "unspent_to_leaf": unspent}
    tree, federation = grow(case, budget, Rehearsal(seed), **options)
    spent, proved = federation.ledger.spent, tree.derivation.guarantee
    require(
        proved.spent == spent <= budget, f"the ledger says {spent}, the checker {proved.spent}, the budget {budget}"
    )
    require(proved.value == budget, f"the checker guarantees {proved.value}, although another run may cost {budget}")
    require(proved.colluders == 1, f"it withstands {proved.colluders} colluders")
    require(tree.depth <= depth and tree.rounds == federation.rounds <= depth + 1, f"{tree.rounds} rounds")
    require(spent == budget or not (unspent or tree.depth == depth), f"spent is {spent} of {budget}")
    if depth:
        node = (1 - share) * budget / depth
        leaves = {budget - levels * node if unspent else share * budget for levels in range(1, depth + 1)}
        costs = _costs(tree)
        require(costs["histogram"] <= {node / case[0].n_features}, f"histograms cost {costs['histogram']}")
        require(costs["leaf"] <= leaves, f"leaves cost {costs['leaf']}")


def _costs(tree: Tree) -> dict[str, set[Fraction]]:
    """What each release of each kind costs: a histogram of one feature, the counts of a leaf."""
    costs: dict[str, set[Fraction]] = {"histogram": set(), "leaf": set()}

    def enter(step: dict[str, Any]) -> int:
        costs["leaf" if step["type"] == "class-counts" else "histogram"].add(
            step["sensitivity"] * Fraction(step["rate"])
        )
        return 0

    tree.derivation.total(enter)
    return costs


def noiseless(case: Case, depth: int, least: int, unspent: bool) -> None:
    """Without noise it is CART on the same grid with the same stopping rules: nodes, splits, counts."""
    domain, parts = case
    rows = [row for part in parts for row in part]
    options = {"max_depth": depth, "min_samples_split": least, "unspent_to_leaf": unspent}
    tree, _ = grow(case, 1, ZeroWords(), design="averaged", **options)
    if rows:
        X, y = [row[:-1] for row in rows], [row[-1] for row in rows]
        plain = fit_cart(X, y, grid=domain, max_depth=depth, min_samples_split=least)
        require(tree.root == plain.root, f"the tree is {tree.root}, CART gives {plain.root}")


def only_released(case: Case, depth: int, seed: int) -> None:
    """Parties without any rows, given the sums of others, grow the same tree: it depends on what was released alone."""
    options = {"max_depth": depth, "min_samples_split": 2}
    from_sums_alone(case, lambda rows, turn: grow((case[0], rows), 4, Rehearsal(seed + turn), **options)[0].root)


def by_name(case: Case, way: str, depth: int, turn: int) -> None:
    """Each party has columns in an order of its own; leaves hold the counts, and predict the class, that hands find.

    Codes and classes are found here by going through edges, categories and classes.
    """
    domain, parts = case
    names = [*(feature.name for feature in domain.features), "class"]
    parties = [Party(_table(rows, names, turn + k), domain, label="class") for k, rows in enumerate(parts)]
    federation = Federation(parties, domain, Ledger(1), rng=ZeroWords())
    tree = fit(federation, way, {"max_depth": depth, "min_samples_split": 2})
    rows, leaves = [row for part in parts for row in part], tree.leaves()
    there = [_leaf_of(tree.root, row, domain) for row in rows]
    for leaf in leaves:
        own = [row[-1] for at, row in zip(there, rows, strict=True) if at is leaf]
        counts = [own.count(label) for label in domain.classes]
        require(list(leaf.counts) == counts, f"a leaf has the counts {leaf.counts}, by hand they are {counts}")
    if rows:
        predicted = tree.predict(_table(rows, names, turn)).tolist()
        expected = [domain.classes[leaf.counts.index(max(leaf.counts))] for leaf in there]
        require(predicted == expected, f"predicted are {predicted}, the largest classes of the leaves are {expected}")


def _table(rows: Rows, names: Sequence[str], turn: int) -> dict[str, list[Any]]:
    turned = [*names[turn % len(names) :], *names[: turn % len(names)]]
    return {name: [row[names.index(name)] for row in rows] for name in turned}


def _leaf_of(node: Node, row: Sequence[Any], domain: Domain) -> Node:
    while isinstance(node.split, CodeSplit) and node.left and node.right:
        feature = node.split.feature
        node = node.left if _code(domain.features[feature], row[feature]) in node.split.left else node.right
    return node


def _code(feature: Any, value: Any) -> int:
    """By hand: how many inner edges lie below the value, or its place among the categories; None is the last."""
    if value is None:
        return int(feature.n_codes) - 1
    if isinstance(feature, Numeric):
        return sum(value > edge for edge in feature.edges[1:-1])
    return int(feature.categories.index(value))


ADD_REMOVE = "neighbours: one record added or removed; a substitution costs twice"
ONE_PARTY = (
    "a person's rows lie at one party, which is no function of other records, and the number of parties is fixed"
)
OBSERVER = "an outsider, the aggregator included, and up to `tolerate` colluding parties; all honest but curious"

CLAIMS = (
    Claim(
        "thm-federated-tree",
        status="proved+checked",
        code=("fdpedu.trees", "fdpedu.trees.grow.fit_federated_tree", "fdpedu.trees.recursive.fit_recursively"),
        checks=(
            Check(
                "cost",
                "property",
                "{size} random domains, data, depths and shares: total, cost of each release, rounds",
                cost,
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
                every_path,
                with_a_record,
                80,
                1000,
            ),
            Check(
                "accepted",
                "property",
                "{size} random cases, all designs: the checker accepts derivation and manifest, for the budget",
                accepted,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(),
                    any_way(draw),
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
                by_name,
                lambda draw: draw.tuples(
                    draw.domains_with_parties(), any_way(draw, plain=True), draw.integers(0, 3), draw.integers(0, 4)
                ),
                20,
                500,
            ),
            Check(
                "noiseless",
                "property",
                "{size} random cases: without noise, and with totals taken as they are, it is CART on the same grid",
                noiseless,
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
                only_released,
                lambda draw: draw.tuples(draw.domains_with_parties(), draw.integers(0, 3), draw.integers(0, 99)),
                15,
                500,
                more=[(LARGER, 3, 0)],
            ),
            Check(
                "by hand",
                "property",
                "{size} random cases: the derivation written out from the tree's shape alone is the ledger's",
                by_hand,
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
)

_ROWS = "respond.__self__._records"  # what only a simulation can reach: the exact rows of a party

TWINS = (
    Broken(
        "depth less one",
        "fdpedu.trees.costs.Costs.within",
        "for_nodes / depth if depth",
        "for_nodes / max(1, depth - 1) if depth",
        "A tree of depth d has d − 1 levels that are split.",
        "thm-federated-tree",
        "cost",
    ),
    Broken(
        "budget passed down twice",
        "fdpedu.trees.costs.Costs.of_leaf",
        "self.of_levels(levels_paid)",
        "self.of_levels(levels_paid - 1)",
        "A leaf gets what its own level did not use, on top of what it inherited.",
        "thm-federated-tree",
        "cost",
    ),
    Broken(
        "pure nodes split",
        "fdpedu.trees.stopping.averaged",
        "few | (np.count_nonzero(totals > 0, axis=1) <= 1)",
        "few",
        "A stopping rule only saves time.",
        "thm-federated-tree",
        "noiseless",
    ),
    Broken(
        "budget added again at each level",
        "fdpedu.trees.count_growth.CountGrowth.ask",
        "node.queries(self.costs.paid(self.costs.of_level(self.depth)))",
        "node.queries(self.costs.paid((self.depth + 1) * self.costs.of_level(self.depth)))",
        "What the levels above did not need is there again on each level below.",
        "thm-federated-tree",
        "cost",
    ),
    Broken(
        "unspent budget before it is known",
        "fdpedu.trees.count_growth.CountGrowth.split",
        "self.costs.of_leaf(self.depth + 1)",
        "self.costs.of_leaf(self.depth)",
        "A node that becomes a leaf has not used its histograms, so it has not paid for them.",
        "thm-federated-tree",
        "cost",
    ),
    Broken(
        "depth off by one, by hand",
        "fdpedu.accounting.worked.by_hand.theorem_6",
        "node = for_nodes / depth if depth",
        "node = for_nodes / (depth + 1) if depth",
        "A tree of depth d has d + 1 levels, so the budget of the nodes has d + 1 parts.",
        "thm-federated-tree",
        "by hand",
    ),
    Broken(
        "a level too many",
        "fdpedu.trees.count_growth.CountGrowth._enter",
        "if depth == self.costs.depth:",
        "if depth == self.costs.depth + 1:",
        "A tree of depth d has d + 1 levels, and each of them asks for histograms.",
        "thm-federated-tree",
        "every path",
    ),
    Broken(
        "features in parallel, in a tree",
        "fdpedu.federation.queries.NodeHistograms.n_releases",
        "len(self.region.features)",
        "1",
        "Features are disjoint parts of the data, so each may have the budget of the node.",
        "thm-federated-tree",
        "every path",
    ),
    Broken(
        "raw stopping test",
        "fdpedu.trees.count_growth.CountGrowth._sides",
        "~self.design.stop(seen, self.least)",
        "~self.design.stop(seen, self.least) & (np.array([sum(len("
        f"{_ROWS}.within([node.region])[0]) for respond in self.federation._endpoints) for node in self.level])"
        " >= self.least)",
        "Whether a node has enough rows is a detail of the algorithm, and nothing that is released.",
        "thm-federated-tree",
        "every path",
    ),
    Broken(
        "bins between a party's own extremes",
        "fdpedu.domain.features.Numeric._codes",
        "np.asarray(self.edges[1:-1])",
        "np.linspace(*((min(values), max(values)) if len(values) else (0, 1)), self.n_bins + 1)[1:-1]",
        "Each party knows best between which values its bins should lie.",
        "thm-federated-tree",
        "every path",
    ),
    Broken(
        "leaf without all classes",
        "fdpedu.federation.queries.ClassCounts.tally",
        "occurrences(records.labels[rows], domain.n_classes)",
        "occurrences(records.labels[rows], 0)",
        "A class that nobody in the leaf has need not be counted there.",
        "thm-federated-tree",
        "every path",
    ),
    Broken(
        "budget to both leaf and child",
        "fdpedu.trees.count_growth.CountGrowth.split",
        "if fresh and node.chosen is None]",
        "if fresh]",
        "The class counts of an inner node are those of a leaf, so they may cost what a leaf may.",
        "thm-federated-tree",
        "every path",
    ),
    Broken(
        "depth from the number of rows",
        "fdpedu.trees.grow.fit_federated_tree",
        "Asked(max_depth, ",
        f"Asked(min(max_depth, sum(len({_ROWS}.labels) for respond in federation._endpoints).bit_length()), ",
        "How many rows there are is known to everybody, so the depth may follow from it.",
        "thm-federated-tree",
        "every path",
    ),
    Broken(
        "columns swapped",
        "fdpedu.domain.tables.Named.select",
        '{name!r}") for name in names]',
        '{name!r}") for name in reversed(names)]',
        "All columns are there, so their order does not matter.",
        "thm-federated-tree",
        "by name",
    ),
    Broken(
        "labels in the order of each party",
        "fdpedu.domain.Domain._read_labels",
        "members_of(cells, self.classes)",
        "members_of(cells, sorted(set(cells.tolist())))",
        "Sorted labels are in the same order everywhere.",
        "thm-federated-tree",
        "by name",
    ),
    Broken(
        "categories from the data",
        "fdpedu.domain.Categorical.read",
        "members_of(cells, self.categories)",
        "members_of(cells, sorted({cell for cell in cells.tolist() if cell is not None}))",
        "The categories that occur are the categories that there are.",
        "thm-federated-tree",
        "by name",
    ),
)
