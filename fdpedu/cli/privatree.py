"""``fdpedu fit --model privatree``: one owner's tree, of choices, noisy histograms, public coins or public rows."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fdpedu.cli.csv_data import forms_of, owner_promise, require_one_owner
from fdpedu.cli.delivery import announce_affordable
from fdpedu.cli.parser import refusing, require_left_out

if TYPE_CHECKING:
    from fdpedu.accounting import Ledger
    from fdpedu.cart import Tree as PlainTree
    from fdpedu.domain import Domain
    from fdpedu.federation import Party
    from fdpedu.trees import Tree

OWN = ("splits", "public_rows", "split_score", "edges", "edge_bins", "leaves")
"""What is said of this model only."""
SPLITS, SCORES = ("choice", "histograms", "random"), ("errors", "gini", "mixed")
EDGES, LEAVES = ("public", "joint", "histogram"), ("labels", "counts")
RULE = "rule"
_OF_OTHERS = {
    "delta": "an owner's tree is made of choices, which cost ε",
    "design": "it is a model of its own",
    "min_samples_split": "nodes are split whatever their rows are",
    "prune": "nothing is merged",
    "features_per_node": "all features are asked about",
}
_OF_PRIVATE_SPLITS = ("split_score", "edges", "edge_bins", "leaf_share")


def add_options(fit: argparse.ArgumentParser) -> None:
    """What is said of this model only."""
    only = fit.add_argument_group(
        "with --model privatree",
        "For one owner of all rows, so with --curator; --leaf-share may be 'rule', and --max-depth is 4 if left out.",
    )
    only.add_argument("--splits", choices=SPLITS, help="how they are found (default choice); random: by public coins")
    only.add_argument(
        "--public-rows",
        metavar="CSV",
        help="in place of --splits: a file of public rows, on which all splits are grown; nothing protects these rows",
    )
    only.add_argument("--split-score", choices=SCORES, help="by which splits are compared (default errors)")
    only.add_argument("--edges", choices=EDGES, help="borders that are kept: all, or some that are paid for (public)")
    only.add_argument("--edge-bins", type=int, metavar="B", help="how many wide bins a feature keeps (default 10)")
    only.add_argument("--leaves", choices=LEAVES, help="what is released of a leaf (default labels)")


def require_of_privatree(options: argparse.Namespace) -> None:
    """Refuse what means nothing for this model, and what it cannot do without, before any data are read."""
    if not options.curator:
        raise ValueError(
            "--model privatree is for one owner of all rows: give the owner's file with --curator. For sites, take "
            "--model tree or boosting"
        )
    require_one_owner(options)
    require_left_out(options, _OF_OTHERS, "with --model privatree")
    if options.public_rows is not None:
        require_left_out(options, {"splits": "the splits are grown on the public rows"}, "with --public-rows")
    public = {"--public-rows": options.public_rows is not None, "--splits random": options.splits == "random"}
    for said in (name for name, given in public.items() if given):
        why = "no split looks at private rows, so all of ε is for the leaves"
        require_left_out(options, dict.fromkeys(_OF_PRIVATE_SPLITS, why), f"with {said}")
    if options.edge_bins is not None and options.edges in (None, "public"):
        raise ValueError("--edge-bins is for --edges joint or histogram: with public edges all borders are kept")
    if (options.leaf_share == RULE) != (options.nominal_size is not None):
        raise ValueError(
            "--nominal-size is for --leaf-share rule, which needs it: about how many rows there are, a public number "
            "that is fixed beforehand, never their true number. Give both, or neither"
        )


@dataclass
class PrivaTreeGrowing:
    """An owner's tree that is to be grown: all is checked before, and nothing is charged until it is asked for.

    Parameters
    ----------
    options : of the command
    owner : of all rows
    ledger : that is charged
    public : a tree on public rows, if there are any
    """

    options: argparse.Namespace
    owner: Party
    ledger: Ledger
    public: PlainTree | None
    what = "tree"
    federation: None = field(default=None, init=False)

    def __post_init__(self) -> None:
        from fdpedu.accounting.budget import cost_asked

        asked = self.options.epsilon, self.options.delta
        self.cost = cost_asked(self.ledger.total, *asked, self.ledger.left())

    def _said(self) -> dict[str, Any]:
        """What was said, under the names of the library; the rest is its own default."""
        said = self.options
        names = ("edges", "edge_bins", "leaves", "leaf_share", "max_depth", "nominal_size")
        given = {name: getattr(said, name) for name in names} | {"score": said.split_score}
        given["splits"] = said.splits if self.public is None else self.public
        return {name: value for name, value in given.items() if value is not None}

    def promise(self) -> list[tuple[str, str]]:
        """Against whom, and what every tree of these options costs; refuses what makes no sense."""
        from fdpedu.accounting import Budget
        from fdpedu.trees import PrivaTree
        from fdpedu.trees.shape import Asked

        said, budget = self._said(), Budget.of(self.options.epsilon)
        share = None if said.get("leaf_share") == RULE else said.get("leaf_share")
        asked = Asked(said.get("max_depth"), share, nominal_size=said.get("nominal_size"))
        names = {name: said[name] for name in ("score", "edges", "edge_bins", "leaves") if name in said}
        splits = "public" if self.public is not None else said.get("splits", SPLITS[0])
        PrivaTree(splits, **names).settled(asked, budget.limit)
        rows = owner_promise(budget, self.what)
        return rows if self.public is None else [*rows, (self.options.public_rows, "is public: nothing protects it")]

    def model(self, announced: str) -> Tree:
        """Say beforehand what it costs, then charge, ask and grow."""
        from fdpedu.trees import fit_privatree

        announce_affordable(announced, self.ledger, self.cost)
        return fit_privatree(self.owner, self.ledger, epsilon=self.options.epsilon, **self._said())

    def content(self, model: Any) -> dict[str, Any]:
        """For JSON: the tree, and how it was grown, with the borders that were kept."""
        document = json.loads(model.to_json())
        return {"tree": model.to_dict(), "model": "privatree", "options": document["design"]}


def public_tree(options: argparse.Namespace, domain: Domain) -> PlainTree | None:
    """The tree on public rows, on the grid of the domain, if there are such rows; not private."""
    if options.public_rows is None:
        return None
    from fdpedu.cart import fit_cart
    from fdpedu.domain import read_csv
    from fdpedu.federation import Party
    from fdpedu.trees.designs.privatree.design import DEPTH

    file = options.public_rows
    form = forms_of(options, domain)[file]
    depth = DEPTH if options.max_depth is None else options.max_depth
    with refusing(ValueError):
        # refusals name the file and the line, and what is clipped is said, as of any owner's rows
        Party.from_csv(file, domain, label=options.label, name=Path(file).stem, **form)
        table = read_csv(file, domain, label=options.label, **form)
        labels = table.column(options.label)
        if not labels:
            raise ValueError(f"{file}: public rows are needed to grow splits on, and it has none")
    return fit_cart(table, labels, grid=domain, max_depth=depth)
