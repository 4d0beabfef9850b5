"""``fdpedu fit``: a private tree from CSV files, one a site."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fdpedu.cli.csv_data import add_data, add_parties, opened_ledger, read_parties
from fdpedu.cli.delivery import delivering, require_output, rescued
from fdpedu.cli.parser import DONE, Commands, print_json, refusing, wrapped
from fdpedu.files import PreparedFile
from fdpedu.showing import text_table

if TYPE_CHECKING:
    from fdpedu.dlpa import TreeGuarantee
    from fdpedu.federation import Federation
    from fdpedu.trees import Design, Tree


def add(commands: Commands) -> None:
    fit = commands.add_parser("fit", help="grow a private tree from CSV files, one a site")
    add_data(fit)
    add_parties(fit)
    fit.add_argument("--epsilon", required=True, help="what the tree may cost, such as 1, 0.5 or 1/3")
    fit.add_argument("--budget", metavar="FILE", help="charge it to this budget (default: one of its own, not kept)")
    _add_shape(fit)
    fit.add_argument("--out", metavar="FILE", help="write the tree there, with its derivation")
    fit.add_argument("--overwrite", action="store_true", help="also where a tree is that may have been paid for")
    fit.add_argument("--manifest", metavar="FILE", help="write there what crossed the transport")
    fit.set_defaults(run=_fit)


def _add_shape(fit: argparse.ArgumentParser) -> None:
    """Options for growing the tree."""
    fit.add_argument("--max-depth", type=int, default=3, help="depth of the tree (default 3)")
    fit.add_argument("--min-samples-split", type=int, default=10, help="a node of fewer rows is a leaf (default 10)")
    fit.add_argument("--leaf-share", default="1/2", help="the part of ε for the counts of the leaves (default 1/2)")
    design = fit.add_argument(
        "--design",
        default="default",
        metavar="NAME",
        help="what is made of noisy counts (default: default)",
    )
    design.completer = _designs  # type: ignore[attr-defined]
    fit.add_argument("--prune", action="store_true", help="merge sibling leaves of one class; predictions stay")
    fit.add_argument(
        "--features-per-node", type=int, metavar="Q", help="ask at each node about Q features, drawn by public coins"
    )


def _designs(**_: Any) -> list[str]:
    """The names of designs, for completion in the shell."""
    from fdpedu.trees import DESIGNS

    return list(DESIGNS)


def _design(options: argparse.Namespace) -> Design:
    from fdpedu.trees.systems import counting_design

    found = counting_design(options.design)
    few = found.features_per_node if options.features_per_node is None else options.features_per_node
    return replace(found, prune=found.prune or options.prune, features_per_node=few)


def _fit(options: argparse.Namespace) -> int:
    from fdpedu.accounting.turns import taking_turns
    from fdpedu.domain import Domain
    from fdpedu.federation import Federation

    domain, design = Domain.load(options.domain), _design(options)
    parties = read_parties(
        options, domain, [options.domain, options.budget, *options.data], [options.out, options.manifest]
    )
    require_output()
    with ExitStack() as stack:
        places = [
            stack.enter_context(PreparedFile(file, overwrite=options.overwrite)) if file else None
            for file in (options.out, options.manifest)
        ]
        ledger = stack.enter_context(opened_ledger(options, domain))
        stack.enter_context(taking_turns(ledger))
        federation = Federation(parties, domain, ledger, tolerate=options.tolerate)
        promise = _promise(options, federation, design)
        tree = _grown(options, federation, design)
        _write(places, tree, federation)
        report = _report(tree, federation)
    where = f"the tree is in {options.out}" if options.out else None
    with delivering(lambda: where or rescued(tree.to_json(), "tree")):
        if options.json:
            grown_by = {"design": options.design, "options": design.to_json()}
            print_json({**report, "tree": tree.to_dict(), **grown_by, "out": options.out})
        else:
            _print_fit(options, tree, report, promise)
    return DONE


def _promise(options: argparse.Namespace, federation: Federation, design: Design) -> TreeGuarantee:
    """The cost of every tree of this kind against outsiders and insiders, known before one is grown."""
    from fdpedu.dlpa import tree_guarantee

    return tree_guarantee(
        options.epsilon,
        n_features=design.histograms_per_node(federation.domain.n_features),
        max_depth=options.max_depth,
        leaf_share=options.leaf_share,
        n_parties=federation.n_parties,
        colluders=1,
        tolerate=options.tolerate,
        unspent_to_leaf=design.unspent_to_leaf,
    )


def _grown(options: argparse.Namespace, federation: Federation, design: Design) -> Tree:
    from fdpedu.accounting import BudgetExceeded
    from fdpedu.trees import fit_federated_tree

    with refusing(BudgetExceeded):
        return fit_federated_tree(
            federation,
            max_depth=options.max_depth,
            min_samples_split=options.min_samples_split,
            leaf_share=options.leaf_share,
            epsilon=options.epsilon,
            design=design,
        )


def _print_fit(options: argparse.Namespace, tree: Tree, report: dict[str, Any], promise: TreeGuarantee) -> None:
    from fdpedu.exact import as_fraction, shown

    print(tree.to_text())
    print(f"\nThis tree costs at most ε = {shown(as_fraction(options.epsilon))}; rounds: {report['rounds']}.")
    print(f"So does every tree of its kind:\n{text_table(promise.rows(), indent='  ')}")
    if options.budget:
        print(f"The budget {options.budget} has ε = {report['remaining']} left.")
    whole = "All that the budget may ever pay for" if options.budget else "It"
    print(wrapped(f"{whole} is {tree.derivation.guarantee}."))
    for file, what in ((options.out, "tree"), (options.manifest, "manifest")):
        if file:
            print(f"The {what} is in {file}.")


def _write(places: Sequence[PreparedFile | None], tree: Tree, federation: Federation) -> None:
    """Both files. What has been paid for is not lost with a full disk: the refusal says where it is instead."""
    texts = (tree.to_json(), federation.manifest.to_json(indent=1) + "\n")
    for place, text, what in zip(places, texts, ("tree", "manifest"), strict=True):
        try:
            if place is not None:
                place.write(text)
        except ValueError as error:
            raise ValueError(f"{error}; {rescued(text, what)}") from None


def _report(tree: Tree, federation: Federation) -> dict[str, Any]:
    guarantee = tree.derivation.guarantee
    return {
        "epsilon": str(guarantee.value),
        "colluders": guarantee.colluders,
        "spent": str(guarantee.spent),
        "remaining": str(federation.ledger.remaining()),
        "rounds": tree.rounds,
        "bytes": federation.bytes_sent,
    }
