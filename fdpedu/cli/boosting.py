"""``fdpedu fit --model boosting``: many small private trees that add up to a score, from CSV files, one a site."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fdpedu.cli.afield import federation_of
from fdpedu.cli.csv_data import owner_promise, require_one_owner
from fdpedu.cli.delivery import Announced
from fdpedu.cli.parser import require_left_out

if TYPE_CHECKING:
    from fdpedu.accounting import Ledger
    from fdpedu.boosting import Ensemble
    from fdpedu.cli.afield import Afield, Here
    from fdpedu.domain import Domain
    from fdpedu.trees import Tree

FORMS = ("trees", "curves")
MAX_SCORES = 32  # as fdpedu.gradients.vectors has it, which is not loaded for a sentence
OWN = ("form", "rounds", "trees_per_round", "monotone", "threshold")
"""What is said of this model only."""
_SIGNS = {"+1": 1, "1": 1, "-1": -1, "\N{MINUS SIGN}1": -1}
_OF_TREES = {
    "design": "boosting has none",
    "min_samples_split": "no tree of an ensemble counts rows",
    "leaf_share": "the parts of the budget are fixed",
    "prune": "nothing is merged",
    "features_per_node": "features are drawn by public coins",
}


def add_options(fit: argparse.ArgumentParser) -> None:
    """What is said of boosting only."""
    only = fit.add_argument_group(
        "with --model boosting",
        "for 2 to 32 classes or a target; it needs --nominal-size, and for more than two classes --delta.",
    )
    only.add_argument(
        "--form", choices=FORMS, help="trees, or a curve for each feature, which need --delta (default trees)"
    )
    only.add_argument(
        "--monotone",
        action="append",
        metavar="FEATURE=±1",
        help="with --form curves, of two classes or a target: the curve of this numeric feature may only rise (+1) or "
        "fall (-1); several times",
    )
    only.add_argument(
        "--threshold",
        choices=("counted",),
        help="of two classes: .01 of --epsilon pays for class counts, and a rare class is predicted about as often as "
        "was counted; for hundreds of cases, as a count's noise is 42 rows at --epsilon 1 --delta 1e-6, without δ 141",
    )
    only.add_argument("--rounds", type=int, help="of trees (default 36, without --delta 8)")
    only.add_argument("--trees-per-round", type=int, metavar="B", help="how many (default 25, without --delta 6)")


def require_of_boosting(options: argparse.Namespace, domain: Domain) -> None:
    """Refuse what means nothing for boosting, and what it cannot do without, before any data are read."""
    if options.curator:
        require_one_owner(options)
    require_left_out(options, _OF_TREES, "with --model boosting")
    if domain.target is None:
        _require_classes(options, domain)
    if options.threshold and (domain.target is not None or domain.n_classes != 2):
        what = "a target" if domain.target is not None else domain.n_classes
        raise ValueError(f"--threshold is for two classes, and {options.domain} has {what}: leave it out")
    if options.nominal_size is None:
        raise ValueError(
            "--model boosting needs --nominal-size: about how many rows there are, a public number that is fixed "
            "beforehand, never their true number"
        )
    _monotone(options, domain)
    if options.form == "curves" and options.delta is None:
        raise ValueError("--form curves needs --delta, such as 1e-6: curves are paid in ρ. Or take --form trees")
    if options.out is None and not options.json:
        raise ValueError(
            "--out is needed with --model boosting, or --json: what the terminal shows of an ensemble is a summary, "
            "and what was paid for would be lost"
        )


def _monotone(options: argparse.Namespace, domain: Domain) -> dict[str, int] | None:
    """By the names of features the directions of their curves."""
    if options.monotone is None:
        return None
    from fdpedu.boosting.monotone import directions_of

    found = dict[str, int]()
    for text in options.monotone:
        name, _, direction = text.rpartition("=")
        if not name or direction not in _SIGNS:
            raise ValueError(f"--monotone must be a feature and +1 or -1, such as age=+1, got {text!r:.60}")
        if name in found:
            raise ValueError(f"--monotone names {name!r:.60} twice")
        found[name] = _SIGNS[direction]
    if options.form != "curves":
        raise ValueError("--monotone is for --form curves, which have a curve for each feature: say it, too")
    directions_of(found, domain)
    if domain.target is None and domain.n_classes > 2:
        raise ValueError(
            f"--monotone must be left out for the {domain.n_classes} classes of {options.domain}: where one of several "
            "scores rises, others have to fall"
        )
    return found


def _require_classes(options: argparse.Namespace, domain: Domain) -> None:
    """Refuse more classes than there are scores, and several without a δ."""
    if domain.n_classes > MAX_SCORES:
        raise ValueError(
            f"--model boosting is for 2 to {MAX_SCORES} classes, and {options.domain} has {domain.n_classes}: leave it "
            "out for a tree, or put rare classes together, in domain and files"
        )
    if domain.n_classes > 2 and options.delta is None:
        raise ValueError(
            f"--model boosting needs --delta, such as 1e-6, for the {domain.n_classes} classes of {options.domain}: "
            "leave --model out for a tree in ε"
        )


@dataclass
class Boosting:
    """An ensemble that is to be grown: what it costs at most is known before, and nothing is charged until then.

    Parameters
    ----------
    options : of the command
    sites : the parties; or the one owner of all rows
    ledger : that is charged
    """

    options: argparse.Namespace
    sites: Here | Afield
    ledger: Ledger
    what = "ensemble"

    def __post_init__(self) -> None:
        from fdpedu.accounting.budget import cost_asked

        asked = self.options.epsilon, self.options.delta
        self.cost = cost_asked(self.ledger.total, *asked, self.ledger.left())
        self.asker = self.sites.asker(self.ledger)
        self.federation = federation_of(self.asker)

    def _shape(self) -> dict[str, Any]:
        said = self.options
        return {
            "form": said.form or FORMS[0],
            "nominal_size": said.nominal_size,
            "rounds": said.rounds,
            "trees_per_round": said.trees_per_round,
            "max_depth": said.max_depth,
        }

    def promise(self) -> list[tuple[str, str]]:
        """Against whom, and what every ensemble of these options costs at most; refuses what makes no sense."""
        from fdpedu.accounting import Budget
        from fdpedu.boosting import boosting_guarantee, rules_for
        from fdpedu.boosting.outcomes import outcome_of

        said, shape, p = self.options, self._shape(), self.asker.domain.n_features
        shape["outcome"] = outcome_of(self.asker.domain, said.threshold)
        budget = Budget.of(said.epsilon, delta=said.delta)
        if self.federation is None:
            rules_for(shape.pop("form"), shape.pop("nominal_size"), budget.limit, p, **shape)
            return owner_promise(budget, self.what)
        sizes = {"n_features": p, "n_parties": self.federation.n_parties, "tolerate": said.tolerate}
        return boosting_guarantee(budget, **shape, **sizes).rows()

    def model(self, announced: str) -> Ensemble:
        """Say beforehand what it costs, then charge, ask and grow."""
        from fdpedu.boosting import fit_federated_boosting

        own: dict[str, Any] = {"monotone": _monotone(self.options, self.asker.domain), "epsilon": self.cost}
        asker: Any = Announced(self.asker, announced)
        return fit_federated_boosting(asker, **self._shape(), **own, threshold=self.options.threshold)

    def content(self, model: Tree | Ensemble) -> dict[str, Any]:
        """For JSON: the whole document, which can be written to a file as it is."""
        return {"ensemble": json.loads(model.to_json()), "model": "boosting", "form": self._shape()["form"]}
