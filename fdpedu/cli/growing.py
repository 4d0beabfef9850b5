"""``fdpedu fit``: a private model from CSV files, one a site; or from the one file of an owner of all rows."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fdpedu.cli import afield, boosting, privatree
from fdpedu.cli.afield import Afield, Here, federation_of, require_of_field
from fdpedu.cli.boosting import Boosting, require_of_boosting
from fdpedu.cli.csv_data import (
    add_data,
    add_parties,
    given_sites,
    left_in,
    opened_ledger,
    owner_promise,
    plain,
    read_owner,
    read_parties,
    require_apart,
    require_one_owner,
    require_readable,
    settle_label,
)
from fdpedu.cli.delivery import Announced, announce_affordable, delivering, keeping, require_output, rescued, write_both
from fdpedu.cli.parser import DONE, Commands, add_overwrite, print_json, require_left_out, wrapped
from fdpedu.cli.privatree import PrivaTreeGrowing, public_tree, require_of_privatree
from fdpedu.files import PreparedFile
from fdpedu.showing import text_table

if TYPE_CHECKING:
    from fdpedu.accounting import Ledger
    from fdpedu.boosting import Ensemble
    from fdpedu.cart import Tree as PlainTree
    from fdpedu.domain import Domain
    from fdpedu.federation import Federation, Party
    from fdpedu.trees import Tree
    from fdpedu.trees.designs.base import TreeDesign

MODELS = ("tree", "boosting", "privatree")
_OWN = {"boosting": boosting.OWN, "privatree": privatree.OWN}  # options of one model only
DESIGN, OWNERS_DESIGN, OF_TARGET = "rotating", "owner", "votes"  # unless one is named
DESIGN_IN_RHO = "screened"  # where a δ is given: choices are not paid in ρ
_BY_SITES = "a regression tree is grown by several sites"
_FIXED = ("max_depth", "min_samples_split", "leaf_share", "features_per_node", "prune")  # by an owner's design


def add(commands: Commands) -> None:
    fit = commands.add_parser("fit", help="grow a private tree, or boost many, from CSV files, one a site")
    add_data(fit, nargs="*", needed=False)
    add_parties(fit, sites="; with --federation the folder of the sites' sockets")
    fit.set_defaults(tolerate=None)  # one is told from none, as one owner tolerates nobody
    fit.add_argument(
        "--curator", action="append", metavar="CSV", help="the file of one owner who has all rows, in place of sites"
    )
    fit.add_argument("--epsilon", required=True, help="what the model may cost, such as 1, 0.5 or 1/3")
    fit.add_argument(
        "--delta",
        help="δ, such as 1e-6: noisy numbers are then paid in ρ, and all is (ε, δ)-private; of a numeric target for "
        f"--model boosting, as the {OF_TARGET} of a tree cost ε",
    )
    fit.add_argument("--budget", metavar="FILE", help="charge it to this budget (default: one of its own, not kept)")
    fit.add_argument(
        "--model",
        choices=MODELS,
        default="tree",
        help="a tree, many small ones that add up to a score, or one owner's tree after Vos et al. (default tree)",
    )
    _add_shape(fit)
    boosting.add_options(fit)
    privatree.add_options(fit)
    afield.add_options(fit)
    fit.add_argument("--out", metavar="FILE", help="write the model there, with its derivation")
    add_overwrite(fit, "out", "manifest")
    fit.add_argument("--manifest", metavar="FILE", help="write there what crossed the transport")
    fit.set_defaults(run=_fit)


def _add_shape(fit: argparse.ArgumentParser) -> None:
    """Options for growing the tree; what is left out is the design's own."""
    design = fit.add_argument(
        "--design",
        metavar="NAME",
        help=f"how it is grown (default: {DESIGN}, with --curator {OWNERS_DESIGN}, with --delta {DESIGN_IN_RHO}; for a "
        f"numeric target {OF_TARGET}, and no other)",
    )
    design.completer = _designs  # type: ignore[attr-defined]
    fit.add_argument(
        "--nominal-size",
        type=int,
        metavar="N",
        help="how many rows there are about: a public number, fixed beforehand, never their true number; by it some "
        "designs choose depth and leaf share, boosting its steps, and privatree --leaf-share rule",
    )
    fit.add_argument(
        "--max-depth", type=int, help="depth of the tree (default: the design's); of boosting, questions a tree"
    )
    fit.add_argument(
        "--min-samples-split", type=int, help="a node of fewer rows is a leaf, where a design counts rows (default: 10)"
    )
    fit.add_argument("--leaf-share", help="the part of ε for the leaves (default: the design's; of privatree 1/5)")
    fit.add_argument("--prune", action="store_true", help="merge sibling leaves of one class; predictions stay")
    fit.add_argument(
        "--features-per-node",
        type=int,
        metavar="Q",
        help="ask at each node about Q features, drawn by public coins; for designs of noisy counts",
    )


def _designs(**_: Any) -> list[str]:
    """The names of designs, for completion in the shell."""
    from fdpedu.trees import DESIGNS, SYSTEMS

    return [*SYSTEMS, *DESIGNS]


def _design(options: argparse.Namespace) -> TreeDesign:
    """The design of a federation's tree, with the options that change it."""
    from fdpedu.trees import Design
    from fdpedu.trees.designs import find_design

    name = (DESIGN if options.delta is None else DESIGN_IN_RHO) if options.design is None else options.design
    if name == OWNERS_DESIGN and options.curator:
        raise ValueError(f"--delta must be left out with --design {name}: its tree is made of choices, which cost ε")
    if name == OWNERS_DESIGN:
        raise ValueError(f"--design {name} is for one owner of all rows: give the owner's file with --curator")
    found: Any = find_design(name)  # each is a dataclass with the field prune
    found = replace(found, prune=found.prune or options.prune)
    if options.features_per_node is None:
        return found
    if not isinstance(found, Design) or found.keep is not None:
        raise ValueError(
            f"--features-per-node is for designs that ask for counts of any features at each node, and {name} does "
            "not: leave it out, or take --design default"
        )
    return replace(found, features_per_node=options.features_per_node)


def _owners_design(options: argparse.Namespace) -> TreeDesign:
    """The design of an owner's tree, once it is known that nothing is said of sites, or of what it fixes itself."""
    from fdpedu.trees import Design
    from fdpedu.trees.designs import Owner

    require_one_owner(options)
    if options.design not in (None, OWNERS_DESIGN) or options.delta is not None:
        found = _design(options)
        if not isinstance(found, Design):
            raise ValueError(
                f"--design {options.design} is for sites, and with --curator there are none: leave it out, or name one "
                "of noisy counts"
            )
        return found
    require_left_out(options, dict.fromkeys(_FIXED, "the tree's shape follows from --nominal-size"), "with --curator")
    return Owner()


def _require_of_target(options: argparse.Namespace, domain: Domain) -> None:
    """Where the domain has a target, take the one design for it, and refuse what leaves none."""
    from fdpedu.domain import require_classes

    if domain.target is None or options.model == "boosting":
        return
    where = f"with the numeric target {domain.target.name!r}"
    if options.model != "tree":
        require_classes(domain, f"--model {options.model}", f"{_BY_SITES}, with --design {OF_TARGET}")
    why = {
        "curator": f"{_BY_SITES}, and there is none for one owner of all rows",
        "delta": f"it is learnt by {OF_TARGET}, which cost ε; or take --model boosting",
        "prune": "sibling leaves of one class would be merged, and these leaves have means",
        "features_per_node": f"{OF_TARGET} ask about all features",
    }
    require_left_out(options, why, where)
    options.design = OF_TARGET if options.design is None else options.design
    if options.design != OF_TARGET and options.design in (*_designs(), OWNERS_DESIGN):
        require_classes(domain, f"--design {options.design}", f"take --design {OF_TARGET}")


def _require_of_model(options: argparse.Namespace) -> None:
    """Refuse what is said of another model."""
    for model, names in _OWN.items():
        for name in names if model != options.model else ():
            if getattr(options, name) is not None:
                raise ValueError(f"--{name.replace('_', '-')} is for {model}: leave it out, or say --model {model}")


def _fit(options: argparse.Namespace) -> int:
    from fdpedu.domain import Domain

    require_of_field(options)
    if options.federation is None and options.domain is None:
        raise ValueError("--domain is needed: what is public, domain.json")
    field = None if options.federation is None else Afield.of(options)
    domain, design = Domain.load(options.domain) if field is None else field.domain, None
    _require_of_model(options)
    _require_of_target(options, domain)
    if field is None:
        settle_label(options, domain)
    if options.model == "boosting":
        require_of_boosting(options, domain)
    elif options.model == "privatree":
        require_of_privatree(options)
    else:
        design = (_owners_design(options) if options.curator else _design(options)).for_domain(domain)
    sites = _here(options, domain) if field is None else field
    if field is not None:
        options.tolerate = field.tolerate
        require_readable([options.federation])
        require_apart(
            [options.federation, options.identity, options.passphrase, options.budget],
            [options.out, options.manifest, options.journal],
        )
    public = public_tree(options, domain)
    require_output()
    return _grow(options, design, sites, public)


def _here(options: argparse.Namespace, domain: Domain) -> Here:
    """The parties of the files that were named; or the one owner of all rows."""
    if options.curator:
        options.data = options.curator
    else:
        options.tolerate = 1 if options.tolerate is None else options.tolerate
    files = [options.domain, options.budget, options.public_rows, *options.data], [options.out, options.manifest]
    parties = [read_owner(options, domain, *files)] if options.curator else read_parties(options, domain, *files)
    return Here(parties, options.tolerate, domain)


def _grow(
    options: argparse.Namespace, design: TreeDesign | None, sites: Here | Afield, public: PlainTree | None
) -> int:
    """All has been checked that can be checked before anybody is asked."""
    from fdpedu.accounting.turns import taking_turns

    with ExitStack() as stack:
        places = [
            stack.enter_context(PreparedFile(file, overwrite=options.overwrite)) if file else None
            for file in (options.out, options.manifest)
        ]
        ledger = stack.enter_context(opened_ledger(options, sites.domain))
        stack.enter_context(taking_turns(ledger))
        growing: _Growing | Boosting | PrivaTreeGrowing
        with sites.explaining():  # sites elsewhere are invited
            if design is not None:
                growing = _Growing(options, design, sites, ledger)
            elif options.model == "boosting":
                growing = Boosting(options, sites, ledger)
            else:
                assert isinstance(sites, Here)
                growing = PrivaTreeGrowing(options, sites.parties[0], ledger, public)
        if growing.federation is not None:
            stack.enter_context(growing.federation)
        what = growing.what
        promise = "" if options.json else text_table(growing.promise(), indent="  ")
        with keeping(places[0], what), sites.explaining():
            model = growing.model(promise and f"Every {what} of this kind costs at most:\n{promise}\n")
        write_both(places, model, growing.federation, what)
        report = {**_report(model, ledger, growing.federation), "given": given_sites(options) or None}
        left = left_in(ledger)
    where = f"the {what} is in {options.out}" if options.out else None
    with delivering(lambda: where or rescued(model.to_json(), what)):
        if options.json:
            print_json({**report, **growing.content(model), "out": options.out})
        else:
            _print_fit(options, model, left, what)
    return DONE


def _name_of(design: TreeDesign) -> str:
    return OWNERS_DESIGN if design.curated else DESIGN


@dataclass
class _Growing:
    """A tree that is to be grown: what it costs at most is known before, and nothing is charged until it is asked for.

    Parameters
    ----------
    options : of the command
    design : of the tree
    sites : the parties; or the one owner, if the design is for one
    ledger : that is charged
    """

    options: argparse.Namespace
    design: TreeDesign
    sites: Here | Afield
    ledger: Ledger
    what = "tree"

    def __post_init__(self) -> None:
        from fdpedu.accounting.budget import cost_asked

        self.domain: Domain = self.sites.domain
        asked = self.options.epsilon, self.options.delta
        self.cost = cost_asked(self.ledger.total, *asked, self.ledger.left())
        self.asker = None if self.design.curated else self.sites.asker(self.ledger)
        self.federation = None if self.asker is None else federation_of(self.asker)

    @property
    def _owner(self) -> Party:
        assert isinstance(self.sites, Here)
        return self.sites.parties[0]

    def promise(self) -> list[tuple[str, str]]:
        """Against whom, and what every tree of these options costs at most: both are known before one is grown."""
        from fdpedu.accounting import Budget
        from fdpedu.trees.promise import tree_promise
        from fdpedu.trees.shape import Asked

        said = self.options
        asked = Asked(said.max_depth, said.leaf_share, said.min_samples_split, said.nominal_size)
        budget = Budget.of(said.epsilon, delta=said.delta)
        if self.federation is None:
            self.design.settled(asked, budget.limit)  # refuses what makes no sense
            return owner_promise(budget, self.what)
        sizes = {"n_features": self.domain.n_features, "n_parties": self.federation.n_parties}
        return tree_promise(self.design, asked, budget, **sizes, tolerate=said.tolerate).rows()

    def model(self, announced: str) -> Tree:
        """Say beforehand what it costs, then charge, ask and grow."""
        from fdpedu.trees import fit_federated_tree, fit_owner_tree

        said = self.options
        if self.asker is None:
            announce_affordable(announced, self.ledger, self.cost)
            return fit_owner_tree(self._owner, self.ledger, epsilon=said.epsilon, nominal_size=said.nominal_size)
        return fit_federated_tree(
            Announced(self.asker, announced),
            max_depth=said.max_depth,
            min_samples_split=said.min_samples_split,
            leaf_share=said.leaf_share,
            epsilon=self.cost,
            nominal_size=said.nominal_size,
            design=self.design,
        )

    def content(self, model: Any) -> dict[str, Any]:
        """For JSON: the tree, and how it was grown."""
        name = self.options.design or _name_of(self.design)
        return {"tree": model.to_dict(), "design": name, "options": self.design.to_json()}


def _print_fit(options: argparse.Namespace, model: Tree | Ensemble, left: str, what: str) -> None:
    from fdpedu.accounting import Budget

    print(model.to_text())
    most = Budget.of(options.epsilon, delta=options.delta)
    print("\n" + wrapped(f"This {what} costs at most {most}; rounds: {model.rounds}."))
    if options.budget:
        print(f"The budget {options.budget} has {left} left.")
    whole = "All that the budget may ever pay for" if options.budget else "It"
    print(wrapped(f"{whole} is {model.derivation.guarantee}. {given_sites(options)}".rstrip()))
    for file, named in ((options.out, what), (options.manifest, "manifest")):
        if file:
            print(f"The {named} is in {file}.")


def _report(model: Tree | Ensemble, ledger: Ledger, federation: Federation | None) -> dict[str, Any]:
    guarantee = model.derivation.guarantee
    in_rho = {
        "delta": str(guarantee.delta),
        "rho": str(guarantee.rho),
        "xi": str(guarantee.xi),
        **({} if guarantee.order is None else {"order": guarantee.order}),
    }
    return {
        "epsilon": str(guarantee.value),
        **({} if guarantee.rho is None else in_rho),
        "colluders": guarantee.colluders,
        "spent": plain(guarantee.spent),
        "remaining": plain(ledger.remaining()),
        "rounds": model.rounds,
        "bytes": 0 if federation is None else federation.bytes_sent,
    }
