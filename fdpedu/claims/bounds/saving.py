# Longer than 400 lines because its one theorem is checked in ten ways, and has twelve broken variants.

"""The tree with lower bounds pays ε on every path, and depends on what was released alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np

from fdpedu.bounds import NodeSaving, SavingTree, fit_saving_tree
from fdpedu.cart import CodeSplit, Node, best_grid_split, exact_scaled_half_gini
from fdpedu.claims.accounting.derivations import verdict
from fdpedu.claims.bounds.local import CONVENTION
from fdpedu.claims.bounds.saving_runs import SmallRuns, attained, whole_runs
from fdpedu.claims.checking import require
from fdpedu.claims.federations import LARGER, Case, federate, from_sums_alone
from fdpedu.claims.laws.askers import Kept, given
from fdpedu.claims.laws.fits import Fit
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.federated import ONE_PARTY
from fdpedu.domain import Categorical, Domain, Numeric, Region, Rows
from fdpedu.federation import Asker, Query
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import Tree, leaf_budgets
from fdpedu.trees.recursive import fit_recursively

Best = tuple[Fraction, frozenset[int]]  # the n·G that a feature's best split leaves, and the codes that go left
TWO_BINS = Domain([Numeric.grid(name, 0, 2, bins=2) for name in ("x", "y")], ("a", "b"))
BINS = Domain([Numeric.grid(name, 0, 4, bins=4) for name in ("x", "y")], ("a", "b"))


@dataclass(frozen=True)
class Options:
    """How a tree with bounds is grown in a case."""

    leaf_share: Fraction
    bounds_share: Fraction
    max_depth: int
    lattice: int
    unspent_to_leaf: bool
    min_samples_split: int = 3

    def fit(self, federation: Asker, **other: Any) -> SavingTree:
        """The shipped tree."""
        return fit_saving_tree(federation, **vars(self), **other)


# --- given answers ----------------------------------------------------------------------------------------------------


def grown(domain: Domain, parts: Sequence[Rows], how: Options, seed: int) -> tuple[SavingTree, Kept]:
    """The shipped tree of given answers, for ε = 1 of a ledger that would pay for more, and its asker."""
    asker = Kept(federate(parts, domain, 100, ZeroWords()), given(domain, seed))
    return how.fit(asker, epsilon=1), asker


def every_path(case: Case, record: Sequence[Any], how: Options, seed: int) -> None:
    """The law of every path, for a record of the last party; leaves are charged what the ledger says."""
    laws = Fit(
        lambda asker, options, seed: how.fit(asker, epsilon=1),
        lambda draw: None,
        told=lambda tree: (tree.root, tree.savings),
        pays_all=lambda tree, record, options: how.unspent_to_leaf,
    )
    laws.every_path(case, record, len(case[1]) - 1, {}, seed)
    tree, asker = grown(*case, how, seed)
    most = max(leaf.spent for leaf in leaf_budgets(tree, asker.ledger))
    require(most == asker.ledger.spent <= 1, f"some leaf is charged {most}, and the ledger {asker.ledger.spent}")


# --- decisions, by hand -----------------------------------------------------------------------------------------------


def by_hand(case: Case, how: Options, seed: int) -> None:
    """From the answers alone: in which order features are asked for, which are removed, what is saved, what is split.

    And nothing else is asked. The best split of one feature is that of the slow search in fractions.
    """
    tree, asked = grown(case[0], case[1], how, seed)
    answered = {
        (q.type, q.region, getattr(q, "feature", 0)): (q, a) for q, a in zip(asked.queries, asked.given, strict=True)
    }
    require(len(answered) == len(asked.queries), "something was asked twice")
    nodes = list(tree.savings.nodes if tree.savings else ())
    Follow(case[0], how, answered, nodes).node(tree.root, case[0].everything, 0, Fraction(0))
    require(
        not nodes and not answered, f"beyond the tree there are {len(nodes)} nodes and the answers to {list(answered)}"
    )


@dataclass
class Follow:
    """What must have been asked of a node, and made of the answers; what was used is taken out of both."""

    domain: Domain
    how: Options
    answered: dict[Any, tuple[Query, Any]]
    nodes: list[NodeSaving]

    def node(self, node: Node, region: Region, depth: int, saved: Fraction) -> None:
        """A node at a depth, to which so much was handed down."""
        how, paid, found = self.how, depth, dict[int, Best]()
        if depth < how.max_depth:
            found, saved = self.features(region, (1 - how.leaf_share) / how.max_depth + saved)
            paid += 1
        if found:
            feature, left = min((impurity, j, codes) for j, (impurity, codes) in found.items())[1:]
            require(node.left and node.right, f"the node on {region} is a leaf, by hand it is split")
            assert node.left and node.right
            require(node.split == CodeSplit(feature, left), f"split is {node.split}, by hand {feature}, {left}")
            self.node(node.left, region.restrict(feature, left), depth + 1, saved)
            self.node(node.right, region.restrict(feature, region.codes(feature) - left), depth + 1, saved)
            return
        left_over = 1 - paid * (1 - how.leaf_share) / how.max_depth + saved if how.max_depth else Fraction(1)
        cost = left_over if how.unspent_to_leaf or not how.max_depth else how.leaf_share
        query, _ = self.answered.pop(("class-counts", region, 0))
        require(query.epsilon == cost, f"a leaf is charged {query.epsilon}, by hand {cost}")

    def features(self, region: Region, budget: Fraction) -> tuple[dict[int, Best], Fraction]:
        """The best split of each feature that is asked for, none if the node stops; and what the others have saved."""
        how, p = self.how, self.domain.n_features
        query, steps = self.answered.pop(("node-bounds", region, 0))
        require(query.epsilon == how.bounds_share * budget, f"bounds are charged {query.epsilon} of {budget}")
        bounds = [Fraction(int(n), how.lattice) for n in steps]
        found, asked, totals = dict[int, Best](), list[tuple[int, Fraction | None]](), list[Any]()
        for j in sorted(range(p), key=lambda j: (bounds[j], j)):
            if found and bounds[j] > min(impurity for impurity, _ in found.values()):
                continue
            query, cells = self.answered.pop(("class-histogram", region, j))
            require(query.epsilon == (1 - how.bounds_share) * budget / p, f"a histogram is charged {query.epsilon}")
            inside = np.isin(np.arange(len(cells), dtype=np.int64), list(region.codes(j)))[:, None]
            cells = np.maximum(cells, 0) * inside
            totals.append(cells.sum(axis=0))
            best = best_grid_split([cells], Domain([self.domain.features[j]], self.domain.classes))
            if best is not None:
                found[j] = sum(map(exact_scaled_half_gini, (best.left, best.right)), Fraction(0)), best.split.left
            asked.append((j, found[j][0] if best else None))
        saved = (p - len(asked)) * (1 - how.bounds_share) * budget / p
        seen, expected = self.nodes.pop(0), NodeSaving(region, budget, tuple(bounds), tuple(asked), saved)
        require(seen == expected, f"the node tells {seen}, by hand {expected}")
        few = all(total.sum() < how.min_samples_split for total in totals)
        return {} if few or sum(map(any, zip(*totals, strict=True))) <= 1 else found, saved


# --- what the tree depends on, and becomes ----------------------------------------------------------------------------


def only_released(case: Case, how: Options, seed: int) -> None:
    """Parties without any rows, given the sums of others, ask the same queries and grow the same tree."""

    def grown(rows: Sequence[Rows], turn: int) -> Any:
        budget = (4, 40, 4000)[seed % 3]  # with more, what rows say is seen
        tree = how.fit(federate(rows, case[0], budget, Rehearsal(seed + turn)))
        return tree.root, tree.savings, tree.derivation.content, tree.leaf_releases

    from_sums_alone(case, grown)


def accepted(case: Case, how: Options, seed: int) -> None:
    """Its derivation is accepted with the manifest, for the budget; not if the last query is left out. It can be kept.

    What was saved is what the derivation does not charge: a node's budget less its bounds and histograms.
    """
    domain, parts = case
    federation = federate(parts, domain, 3, Rehearsal(seed))
    tree = how.fit(federation)
    content, manifest = tree.derivation.content, json.loads(federation.manifest.to_json())
    guarantee = verdict(content, manifest)
    require(guarantee is not None and guarantee.value == 3, f"the checker says {guarantee}")
    require(guarantee is not None and guarantee.spent == federation.ledger.spent <= 3, f"the checker says {guarantee}")
    manifest["rounds"].pop()  # one query each
    require(verdict(content, manifest) is None, "accepted with a query less than was released")
    for node in tree.savings.nodes if tree.savings else ():
        here = [step for region, step in tree.derivation.releases() if region == node.region]
        charged = sum(Fraction(step["epsilon"]) for step in here if step["type"] != "class-counts")
        require(
            node.budget - charged == node.saved, f"of {node.budget} are charged {charged}, reported is {node.saved}"
        )
    for kind in (Tree, SavingTree):
        again = kind.from_json(tree.to_json())
        require(again.root == tree.root and again.leaf_releases == tree.leaf_releases, "it is not read back as it is")


def noiseless(case: Case, how: Options) -> None:
    """Without noise it is the tree of Algorithm 5: no bound removes a feature with a better split, or an earlier."""
    domain, parts = case
    tree = how.fit(federate(parts, domain, 1, ZeroWords()))
    rest = {name: value for name, value in vars(how).items() if name not in ("bounds_share", "lattice")}
    plain = fit_recursively(federate(parts, domain, 1, ZeroWords()), **rest)
    require(tree.root == plain.root, f"the tree is {tree.root}, by Algorithm 5 {plain.root}")
    for node in tree.savings.nodes if tree.savings else ():
        above = [j for j, left in node.asked if left is not None and node.bounds[j] > left]
        require(not above, f"the bounds of features {above} are above what a split leaves: {node}")


MIXED = Domain(
    [Numeric.grid("x", 0, 3, bins=3), Categorical("w", ("A", "B", "C")), Numeric.grid("y", 0, 2, bins=2)],
    ("a", "b", "c"),
)


def options(draw: ModuleType) -> Any:
    """A strategy of options."""
    drawn = draw.tuples(
        draw.shares, draw.shares, draw.integers(0, 3), draw.integers(1, 5), draw.booleans(), draw.integers(0, 5)
    )
    return drawn.map(lambda some: Options(*some))


def with_a_record(draw: ModuleType) -> Any:
    """Parties with rows, a record to add, options and a seed."""

    def of(case: Case) -> Any:
        drawn = draw.tuples(draw.records(case[0]), options(draw), draw.integers(0, 99))
        return drawn.map(lambda rest: (case, *rest))

    return draw.domains_with_parties().flatmap(of)


def with_a_seed(draw: ModuleType) -> Any:
    """A strategy: parties with rows, options, and a seed."""
    return draw.tuples(draw.domains_with_parties(), options(draw), draw.integers(0, 99))


def given_answers(seeds: int) -> Iterator[tuple[Case, Options, int]]:
    """Three domains without rows, depth 2: in about two of five nodes the answers remove a feature."""
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    for seed in range(seeds):
        how = Options(half, quarter, 2, 1 + seed % 4, seed % 4 < 2, 2)
        yield from (((domain, [[], []]), how, seed) for domain in (TWO_BINS, BINS, MIXED))


def rows_that_matter(seeds: int) -> Iterator[tuple[Case, Options, int]]:
    """Rows whose second feature says all, whose first says nothing: with little noise, the first one is removed."""
    rows = [[x, y, "ab"[y > 2]] for x in (1, 2, 3, 4) for y in (1, 2, 3, 4)]
    for seed in range(seeds):
        yield (BINS, [rows, rows[::2]]), Options(Fraction(1, 2), Fraction(1, 4), 1, 4, True, 2), seed


def opposite_parties(depth: int) -> Iterator[tuple[Case, Options]]:
    """Of two parties the second feature says all, the opposite each; of both together it says as little as the first.

    So its bound is 0, it is asked for first, and its splits are as good as those of the first feature, whose bound is
    attained. The first feature is not removed, and wins the tie.
    """
    one = [[x, y, "ab"[y > 1]] for x in (1, 2) for y in (1, 2)]
    other = [[x, y, "ba"[y > 1]] for x in (1, 2) for y in (1, 2)]
    for lattice in (1, 4):
        yield (TWO_BINS, [one, other]), Options(Fraction(1, 2), Fraction(1, 4), depth, lattice, True, 2)


ADD_REMOVE = "neighbours: one record added or removed; a substitution costs twice"
OBSERVER = "an outsider, the aggregator included, and up to `tolerate` colluding parties; all honest but curious"
PUBLIC = "ranges, bins, categories, classes, shares, depth and lattice are public and fixed before"

LARGER_RUNS = [(LARGER, Options(Fraction(1, 3), Fraction(2, 5), 2, 1 + seed, seed < 2, 2), seed) for seed in range(3)]

CLAIMS = (
    Claim(
        "thm-saving-tree",
        status="proved+checked",
        code=(
            "fdpedu.bounds.saving",
            "fdpedu.bounds.saving.FitSavingTree.look",
            "fdpedu.bounds.saving.fit_saving_tree",
        ),
        checks=(
            Check(
                "whole runs",
                "exhaustive",
                "two features of two bins, depth 1, all clamped answers: the distribution of all runs of the shipped "
                "procedure, "
                "on data of at most {size} records, any record added: at most e^ε times as likely",
                whole_runs,
                lambda most: [(SmallRuns(bounds=(0, most)), most)],
                1,
                2,
                more=[(SmallRuns(alpha=Fraction(1, 3)), 0)],
            ),
            Check(
                "attained",
                "exact",
                "the same on a pair where a record moves both bounds by m: the worst ratio is e^ε",
                attained,
                lambda _: [(1,), (2,)],
                more=[(3,)],
            ),
            Check(
                "every path",
                "property",
                "{size} random cases: with one record more and the same answers, the same is asked and grown; the "
                "record pays at most ε, and is charged exactly ε where its leaf has the rest",
                every_path,
                with_a_record,
                5,
                1000,
                more=[(case, [2, "B", 1, 3, "c"], how, seed) for case, how, seed in LARGER_RUNS],
            ),
            Check(
                "by hand",
                "exact",
                "{size} sets of answers, three domains, depth 2: order, removed features, splits, costs and savings, "
                "from the answers alone",
                by_hand,
                given_answers,
                6,
                200,
            ),
            Check(
                "random answers",
                "property",
                "{size} random domains and options: the same",
                by_hand,
                with_a_seed,
                10,
                1000,
                more=LARGER_RUNS,
            ),
            Check(
                "other rows",
                "exact",
                "{size} draws of noise, at three budgets: parties without rows, given the same sums, ask the same and "
                "grow the same tree",
                only_released,
                rows_that_matter,
                3,
                30,
            ),
            Check(
                "random rows",
                "property",
                "{size} random cases: the same",
                only_released,
                with_a_seed,
                8,
                500,
                more=LARGER_RUNS,
            ),
            Check(
                "accepted",
                "property",
                "{size} random cases: the checker accepts derivation and manifest; savings are what is not charged",
                accepted,
                with_a_seed,
                8,
                500,
                more=LARGER_RUNS,
            ),
            Check(
                "opposite parties",
                "exact",
                "depth 1 and {size}: without noise, where bounds of one feature vanish and those of the other are "
                "attained, it is the tree of Algorithm 5",
                noiseless,
                lambda most: (case for depth in range(1, most + 1) for case in opposite_parties(depth)),
                2,
            ),
            Check(
                "noiseless",
                "property",
                "{size} random cases: without noise it is the tree of Algorithm 5",
                noiseless,
                lambda draw: draw.tuples(draw.domains_with_parties(), options(draw)),
                8,
                1000,
                more=[(case, how) for case, how, _ in LARGER_RUNS],
            ),
        ),
        assumptions=(CONVENTION, ADD_REMOVE, ONE_PARTY, "integers", OBSERVER, PUBLIC, "running time is not covered"),
        uses=(
            "thm-node-bounds",
            "thm-histogram",
            "thm-round",
            "lem-filter",
            "thm-federated-tree",
            "thm-post-processing",
            "thm-impurity-lower-bound",
        ),
    ),
)

_ROWS = "ask.__self__._records"  # what only a simulation can reach: the exact rows of a party
_TRUE = (
    "sum(NodeBounds(region, budget, self.lattice).tally("
    f"{_ROWS}, {_ROWS}.within([region])[0], self.federation.domain)[j] for ask in self.federation._endpoints)"
)

TWINS = (
    Broken(
        "a node's bounds, each with the whole share",
        "fdpedu.bounds.saving.FitSavingTree.look",
        "self.bounds(region, self.bounds_share * budget)",
        "self.bounds(region, len(region.features) * self.bounds_share * budget)",
        "Each bound is released with ε_bounds, as Algorithm 6 says.",
        "thm-saving-tree",
        "attained",
    ),
    Broken(
        "what a grandparent saved, once more",
        "fdpedu.bounds.saving.FitSavingTree.fit",
        "tables, found, saved = self.look(region, self.costs.node + saved)",
        "tables, found, saved = (lambda new: (*new[:2], new[2] + saved))(self.look(region, self.costs.node + saved))",
        "What was saved above is still there, since the node did not know of it when it was divided.",
        "thm-saving-tree",
        "by hand",
    ),
    Broken(
        "saved for the child and for the leaf",
        "fdpedu.bounds.saving.FitSavingTree.create_leaf",
        "epsilon += saved",
        "epsilon += 2 * saved",
        "A leaf has what its node has saved, on top of what the node has handed down.",
        "thm-saving-tree",
        "attained",
    ),
    Broken(
        "saved, and asked for all the same",
        "fdpedu.bounds.saving.FitSavingTree.look",
        "if bounds[j] > least:",
        "if bounds[j] > least and self.histogram(region, each, j) is not None:",
        "A histogram that is not used for the split costs nothing.",
        "thm-saving-tree",
        "attained",
    ),
    Broken(
        "removed by the true bound",
        "fdpedu.bounds.saving.FitSavingTree.look",
        "if bounds[j] > least:",
        f"if {_TRUE} > self.lattice * least:",
        "The bounds were paid for, so the better ones behind them may as well be used.",
        "thm-saving-tree",
        "other rows",
    ),
    Broken(
        "in the order of the true bounds",
        "fdpedu.bounds.saving.FitSavingTree.look",
        "key=bounds.__getitem__",
        f"key=lambda j: {_TRUE}",
        "In which order features are looked at releases nothing.",
        "thm-saving-tree",
        "other rows",
    ),
    Broken(
        "another feature's total",
        "fdpedu.bounds.saving.FitSavingTree.look",
        "min(best.impurity, least) if best else least",
        "int(cells.sum()) * min((b.impurity / int(t.sum()) for t, (_, b) in zip([*tables, cells], [*asked, (j, best)]) "
        "if b), default=0 * least)",
        "All features count the same rows, so G times any of their totals is n·G.",
        "thm-saving-tree",
        "by hand",
    ),
    Broken(
        "steps taken for units",
        "fdpedu.bounds.saving.FitSavingTree.bounds",
        "Fraction(n, self.lattice)",
        "Fraction(n)",
        "A bound is the number that was released.",
        "thm-saving-tree",
        "by hand",
    ),
    Broken(
        "as good is not good enough",
        "fdpedu.bounds.saving.FitSavingTree.look",
        "if bounds[j] > least:",
        "if bounds[j] >= least:",
        "A feature that cannot be better is not worth a histogram.",
        "thm-saving-tree",
        "opposite parties",
    ),
    Broken(
        "noise of empty cells",
        "fdpedu.bounds.saving.FitSavingTree.histogram",
        "cells[sorted(outside)] = 0",
        "cells[:0] = 0",
        "Cells in which no record can be add nothing to a histogram.",
        "thm-saving-tree",
        "by hand",
    ),
    Broken(
        "ties to the feature that was asked for first",
        "fdpedu.bounds.saving.FitSavingTree.fit",
        "min(found)",
        "min(found, key=lambda some: some.impurity)",
        "Of equal splits any is as good.",
        "thm-saving-tree",
        "opposite parties",
    ),
    Broken(
        "a large bound without positives",
        "fdpedu.federation.queries.NodeBounds.tally",
        "layout_of(domain), self.lattice)",
        "layout_of(domain), self.lattice) + 4 * (1 - table.reshape(domain.n_codes, -1)[:, -1].any())",
        "A party without a positive row has no split to offer, so its bound is very large (infinite, in the "
        "code that the report's authors published).",
        "thm-saving-tree",
        "whole runs",
    ),
)
