"""The classifier itself: scikit-learn's conventions around :func:`fdpedu.trees.fit_federated_tree`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.estimators.base import FederatedClassifier
from fdpedu.exact import Rational
from fdpedu.federation import Curator, Federation
from fdpedu.randomness import Rng
from fdpedu.trees import SYSTEMS, Tree, fit_federated_tree
from fdpedu.trees.designs.base import TreeDesign


class FederatedTreeClassifier(FederatedClassifier):
    """A federated differentially private decision tree, by the conventions of scikit-learn.

    The rows of ``fit`` are private; what is public is the ``domain``: columns, ranges, categories, classes. Each fit
    releases one tree, which costs ε for adding or removing one row. For a design that asks single parties, and the
    default does, that takes for granted that the party of a row does not depend on other rows: sites are so, and rows
    that ``fit`` deals. The row is protected against whoever sees the tree, and against ``tolerate`` colluding parties;
    draws and noise come from the operating system unless ``rng`` is given.

    Claims: lem-predict-free

    Parameters
    ----------
    domain : a :class:`~fdpedu.domain.Domain`, its specification as a dictionary, or the path of a JSON file. Needed,
        unless ``fit`` is given parties, which have one
    epsilon : what a fit may cost; None: all that the budget has left
    delta : δ, strictly between 0 and 1: a fit is then paid in ρ, and (ε, δ)-differentially private. None: paid in ε
    max_depth, min_samples_split, leaf_share : as in :func:`~fdpedu.trees.fit_federated_tree`; None is the design's own
    tolerate : colluding parties that the noise withstands; beside one owner there are none
    design : as in :func:`~fdpedu.trees.fit_federated_tree`; None is ``"rotating"``, or with δ ``"screened"``, as
        choices are not paid in ρ
    nominal_size : N, how many rows there are about: a public number, fixed beforehand, never their true number; by it
        some designs choose depth and leaf share
    n_parties : among how many the rows are dealt if ``fit`` gets no ``parties``: each by a draw of its own from ``rng``
        (:func:`fdpedu.federation.deal`), so a part may be empty, and a seed deals the same way again. For trying out.
        1: nothing is dealt, one owner has all rows and adds the whole noise alone
    sites : the names of all sites, fixed beforehand, in the order of the parties: one without rows is a party without
        rows, and another name in the ``parties`` of ``fit`` is refused. None: the sites are those that rows name, and
        what is promised holds given their set, which is taken for public
    budget : a :class:`~fdpedu.accounting.Ledger`, or the path of a budget file, which every fit and every noisy score
        is charged to, and which refuses what it cannot pay; None: each fit has a ledger of its own, and nobody adds up
    rng : None for the operating system; a generator is for teaching, and warns

    Attributes
    ----------
    tree_ : the released :class:`~fdpedu.trees.Tree`
    classes_ : those of the domain, whether or not a row has them, sorted, as all of scikit-learn expects it; ``tree_``
        keeps the order of the domain
    derivation_ : all that the budget has paid for, this tree included, which by itself costs ``tree_.cost``;
        ``derivation_.guarantee`` says it in a sentence
    domain_, n_features_in_, n_parties_ : what was public
    feature_names_in_ : the names of the domain's features, if ``fit`` found columns by name

    Notes
    -----
    ``clone`` (and so cross-validation) copies the parameters. A ledger in memory refuses to be copied; the path of a
    budget file is shared by all copies, so the file refuses what all of them together cannot pay, and a copy's first
    fit says so (:class:`SharedBudgetWarning`). Without either, five folds cost what five trees cost, and nothing says
    so. :func:`search_cost` says what a search will cost before it begins. Cross-validation belongs on public data.

    Examples
    --------
    >>> from fdpedu.randomness import ZeroWords
    >>> domain = {"features": {"age": [0, 100, 4]}, "classes": ["well", "ill"]}
    >>> model = FederatedTreeClassifier(domain, max_depth=1, rng=ZeroWords())  # a test: zero words, zero noise
    >>> ages, states = [[20], [30], [80], [90]] * 9, ["well", "well", "ill", "ill"] * 9
    >>> model.fit(ages, states, parties=["north", "south"] * 18).predict([[25], [85]]).tolist()
    ['well', 'ill']
    >>> model.n_parties_
    2
    """

    _kept, _called = "tree_", "tree"

    def __init__(
        self,
        domain: Any = None,
        *,
        epsilon: Rational | None = 1,
        delta: Rational | None = None,
        max_depth: int | None = None,
        min_samples_split: int | None = None,
        leaf_share: Rational | None = None,
        tolerate: int = 1,
        design: str | TreeDesign | None = None,
        nominal_size: int | None = None,
        n_parties: int = 5,
        sites: Sequence[Any] | None = None,
        budget: Ledger | str | os.PathLike[str] | None = None,
        rng: Rng = None,
    ) -> None:
        self.domain = domain
        self.epsilon = epsilon
        self.delta = delta
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.leaf_share = leaf_share
        self.tolerate = tolerate
        self.design = design
        self.nominal_size = nominal_size
        self.n_parties = n_parties
        self.sites = sites
        self.budget = budget
        self.rng = rng

    def _grown_by(self, asker: Federation | Curator, ledger: Ledger) -> Tree:
        design = self._design(ledger)
        if asker.n_parties == 1 and isinstance(design, str) and design in SYSTEMS:
            raise ValueError(
                f"n_parties must be at least 2 for the design {design!r}, in which each party is asked by itself, got "
                "1: one owner takes a design of noisy counts, such as 'screened', or PrivaTreeClassifier"
            )
        return fit_federated_tree(
            asker,
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            leaf_share=self.leaf_share,
            epsilon=self._cost(ledger),
            nominal_size=self.nominal_size,
            design=design,
            rng=self.rng,
        )

    def _design(self, ledger: Ledger) -> str | TreeDesign:
        """The design; by itself one that the ledger's measure can pay for."""
        if self.design is not None:
            return self.design
        return "rotating" if ledger.total.is_pure else "screened"
