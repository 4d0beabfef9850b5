"""The laws of every design of trees: those of any fit, and what a tree promises before it is grown."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType, ModuleType
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.checking import require
from fdpedu.claims.federations import Case, federate
from fdpedu.claims.laws.coded import class_counts, coded
from fdpedu.claims.laws.fits import Fit, Options, full_path
from fdpedu.claims.replay import bounds, patched
from fdpedu.dlpa import insider_epsilon
from fdpedu.domain import Domain, Region
from fdpedu.exact import Enclosure
from fdpedu.federation import Curator, LeafLabel, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import (
    DESIGNS,
    Design,
    NominalSizeWarning,
    fit_federated_tree,
    fit_owner_tree,
    fit_privatree,
    stopping,
)
from fdpedu.trees.designs import NAMED, PrivaTree
from fdpedu.trees.designs.base import TreeDesign
from fdpedu.trees.promise import tree_promise
from fdpedu.trees.shape import Asked


@dataclass(frozen=True)
class DesignLaws(Fit):
    """The laws of a design of trees: those of any fit, and what a tree promises before it is grown.

    Parameters
    ----------
    fit, options, curated, told, pays_all, in_files : of any fit
    design : by the options
    """

    design: Callable[[Options], TreeDesign] = lambda options: DESIGNS["default"]

    def without_noise(self, case: Case, options: Options) -> None:
        """Without noise each node shows the exact counts of its region, found record by record; a leaf a label of one.

        Parameters
        ----------
        case : a domain, and the rows of its parties
        options : of the fit
        """
        domain, parts = case
        tree = self.fit(self.asker(case, 1, ZeroWords()), options, 0)
        data = coded(domain, [row for rows in parts for row in rows])
        for node, region in _regions(tree.root, domain.everything):
            counts = class_counts(domain, region, data)
            if tree.design.leaf_type != LeafLabel.type:
                require(tuple(node.counts) == counts, f"a node of {region} shows {node.counts}, and has {counts}")
            elif node.is_leaf:
                require(sorted(node.counts) == [0] * (domain.n_classes - 1) + [1], f"a leaf shows {node.counts}")
        for release in tree.leaf_releases:
            counts = class_counts(domain, release.region, data)
            require(tuple(release.counts) == counts, f"released are {release.counts}, and there are {counts}")

    def attained(self, n_features: int, n_parties: int, options: Options, budget: Fraction) -> None:
        """The dearest path that is promised costs ε, all of it and no more, whatever is asked for."""
        settled, shape = self.design(options).settled(asked_of(options), budget)
        levels, leaf = settled.dearest_path(budget, shape, n_features, 1 if self.curated else n_parties)
        whole = sum(level.epsilon for level in levels) + leaf
        require(whole == budget, f"the dearest path costs {whole}, and ε is {budget}")

    def insiders(self, sizes: tuple[int, int, int], options: Options, budget: Fraction) -> None:
        """Against insiders beyond those tolerated only what is drawn in shares costs more: release by release e(·).

        One owner has no insiders: what only an owner grows no federation does, and no ledger that is to withstand
        colluders is an owner's.

        Parameters
        ----------
        sizes : parties, how many colluders the shares are made for, how many there are
        options, budget : of the tree
        """
        n_parties, tolerate, colluders = sizes
        design = self.design(options)
        if self.curated:
            refused(design, n_parties) if design.curated else no_insiders(colluders)
            return
        promise = tree_promise(
            design,
            asked_of(options),
            budget,
            n_features=3,
            n_parties=n_parties,
            tolerate=tolerate,
            colluders=colluders,
        )
        settled, shape = design.settled(asked_of(options), budget)
        levels, leaf = settled.dearest_path(budget, shape, 3, n_parties)

        def price(cost: Fraction) -> Any:
            beyond = colluders > tolerate and cost > 0
            return insider_epsilon(cost, n_parties, colluders, tolerate=tolerate) if beyond else cost

        paths, paid, dear = list[Any](), Fraction(0), Enclosure.exactly(Fraction(0))
        for level in levels:
            paid += level.epsilon
            for _ in range(level.releases):
                each = level.epsilon / level.releases
                dear = dear + (price(each) if isinstance(design, Design) else each)  # a choice is drawn alone
            if getattr(settled, "unspent_to_leaf", False) and settled.fresh_leaves:
                paths.append(dear + price(budget - paid))
        paths.append(dear + price(leaf))
        low, high = (max(bounds(path)[end] for path in paths) for end in (0, 1))
        outside, within = bounds(promise.outsider), bounds(promise.insider)  # type: ignore[arg-type]  # of shares
        require(outside[0] <= budget <= outside[1], f"against outsiders it says {promise.outsider}, and ε is {budget}")
        require(within[0] <= high and low <= within[1], f"against insiders it says {promise.insider}, not {low}")

    def shown(self, draw: ModuleType) -> Any:
        """Parties with rows, and options."""
        return draw.tuples(draw.domains_with_parties(), self.options(draw))

    def numbers(self, draw: ModuleType) -> Any:
        """Numbers of features and parties, options, a budget."""
        return draw.tuples(draw.integers(1, 9), draw.integers(2, 5), self.options(draw), draw.budgets)

    def public_numbers(self, draw: ModuleType) -> Any:
        """Parties, colluders, options, a budget."""
        sizes = draw.integers(2, 5).flatmap(
            lambda k: draw.tuples(draw.st.just(k), draw.integers(0, k - 1), draw.integers(1, k - 1))
        )
        return draw.tuples(sizes, self.options(draw), draw.budgets)


def asked_of(options: Options) -> Asked:
    """What of the options is not the design's own."""
    names = ("max_depth", "leaf_share", "min_samples_split", "unspent_to_leaf")
    return Asked(**{name: options[name] for name in names if options.get(name, "rule") != "rule"})


def refused(design: TreeDesign, n_parties: int) -> None:
    """No federation grows it, and nothing is charged."""
    federation = federate(
        [[]] * n_parties, Domain.from_spec({"features": {"a": [0, 2, 2]}, "classes": [0, 1]}), 1, ZeroWords()
    )
    try:
        fit_federated_tree(federation, design=design)
    except ValueError:
        require(not federation.ledger.spent, "it is refused, and charged")
        return
    require(False, "a federation grows what is for one owner")


def no_insiders(colluders: int) -> None:
    """A curator takes no ledger that promises to withstand anybody, and nothing is charged."""
    ledger = Ledger(1, colluders=colluders)
    try:
        Curator(Party([], Domain.from_spec({"features": {"a": [0, 2, 2]}, "classes": [0, 1]})), ledger)
    except ValueError:
        require(not ledger.spent, "it is refused, and charged")
        return
    require(False, f"one owner takes a ledger that is to withstand {colluders}")


def _regions(node: Node, region: Region) -> list[tuple[Node, Region]]:
    """The nodes of a tree with their regions."""
    if not isinstance(node.split, CodeSplit) or not node.left or not node.right:
        return [(node, region)]
    feature, here = node.split.feature, region.codes(node.split.feature)
    left, right = node.split.left & here, here - node.split.left
    sides = (node.left, region.restrict(feature, left)), (node.right, region.restrict(feature, right))
    return [(node, region), *(pair for side in sides for pair in _regions(*side))]


def of_counts(design: Design, whole: bool = True, curated: bool = False) -> DesignLaws:
    """The laws of a design of noisy counts; ``whole``: leaves may spend the rest wherever they are."""

    def fit(asker: Any, options: Options, seed: int) -> Any:
        return fit_federated_tree(asker, design=design, rng=Rehearsal(seed), **options)

    def options(draw: ModuleType) -> Any:
        rows = {} if design.stop is stopping.never else {"min_samples_split": draw.st.just(3)}
        depth = draw.integers(0 if design.fresh_leaves else 1, 3)
        return draw.st.fixed_dictionaries(
            {"max_depth": depth, "leaf_share": draw.shares, "unspent_to_leaf": draw.booleans(), **rows}
        )

    def pays_all(tree: Any, record: Sequence[int], options: Options) -> bool:
        return (whole and options["unspent_to_leaf"]) or full_path(tree, record, options)

    return DesignLaws(fit, options, curated, pays_all=pays_all, design=lambda options: design)


def of_choices(name: str) -> DesignLaws:
    """The laws of a design of choices that a federation grows."""

    def fit(asker: Any, options: Options, seed: int) -> Any:
        return fit_federated_tree(asker, design=name, rng=Rehearsal(seed), **options)

    def options(draw: ModuleType) -> Any:
        return draw.st.fixed_dictionaries({"max_depth": draw.integers(0, 3), "leaf_share": draw.shares})

    return DesignLaws(fit, options, design=lambda options: NAMED[name]())


def _of_owner(asker: Any, options: Options, seed: int) -> Any:
    size = {2: 300, 4: 4000, 6: 30_000}[options["max_depth"]]
    with patched("fdpedu.trees.grow", Curator=lambda *_: asker), warnings.catch_warnings():
        warnings.simplefilter("ignore", NominalSizeWarning)  # which is about the rows, and only sets the depth here
        return fit_owner_tree(Party([], asker.domain), asker.ledger, nominal_size=int(size / asker.ledger.budget))


def _of_privatree(asker: Any, options: Options, seed: int) -> Any:
    with patched("fdpedu.trees.designs.privatree.fit", Curator=lambda *_: asker), warnings.catch_warnings():
        warnings.simplefilter("ignore", NominalSizeWarning)
        return fit_privatree(Party([], asker.domain), asker.ledger, rng=Rehearsal(seed), **options)


def _options_of_privatree(draw: ModuleType) -> Any:
    """Options of a fit that go together; half of the trees have edges that are paid for, if splits look at rows."""
    of = draw.st.sampled_from

    def finished(given: dict[str, Any]) -> dict[str, Any]:
        given["edges"] = "public" if given["splits"] == "random" else given["edges"]
        return {**given, "nominal_size": 300} if given["leaf_share"] == "rule" else given

    return draw.st.fixed_dictionaries(
        {
            "splits": of(["choice", "histograms", "random"]),
            "edges": of(["public", "joint", "histogram"]),
            "edge_bins": of([2, 3]),
            "score": of(["errors", "gini", "mixed"]),
            "leaves": of(["labels", "counts"]),
            "leaf_share": of([Fraction(1, 5), Fraction(1, 2), "rule"]),
            "max_depth": draw.integers(0, 3),
        }
    ).map(finished)


def _privatree(options: Options) -> PrivaTree:
    return PrivaTree(**{name: options[name] for name in ("splits", "edges", "edge_bins", "score", "leaves")})


def _all_of_privatree(tree: Any, record: Sequence[int], options: Options) -> bool:
    return options["splits"] == "random" or full_path(tree, record, options)


def _two_levels_a_block(draw: ModuleType) -> Any:
    return draw.st.fixed_dictionaries({"max_depth": draw.st.sampled_from([2, 4, 6])})


DESIGN_LAWS: Mapping[str, DesignLaws] = MappingProxyType(
    {
        **{name: of_counts(design) for name, design in DESIGNS.items()},
        "rotating": of_choices("rotating"),
        "votes": of_choices("votes"),
        "owner": DesignLaws(_of_owner, _two_levels_a_block, True, design=lambda options: NAMED["owner"]()),
        "privatree": DesignLaws(
            _of_privatree, _options_of_privatree, True, pays_all=_all_of_privatree, design=_privatree
        ),
    }
)
"""The laws of each design by its name. A new design adds a line."""

OPTIONS: Mapping[str, DesignLaws] = MappingProxyType(
    {
        "two features a node": of_counts(Design(features_per_node=2), whole=False),
        "leaves read histograms": of_counts(Design(fresh_leaves=False, prune=True), whole=False),
    }
)
"""The same of options of noisy counts that no name has."""

OF_ONE_OWNER: Mapping[str, DesignLaws] = MappingProxyType(
    {name: of_counts(design, curated=True) for name, design in DESIGNS.items()}
)
"""The same of every design of noisy counts, where one owner has all rows."""

LAWS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "every path": ("every_path", "paths"),
        "accepted": ("accepted", "runs"),
        "dealt": ("dealt", "dealings"),
        "without noise": ("without_noise", "shown"),
        "attained": ("attained", "numbers"),
        "insiders": ("insiders", "public_numbers"),
    }
)
"""The laws that every design keeps: the condition of each, and its cases."""
