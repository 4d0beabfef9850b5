"""Chapter 4. Accounting: what a sequence of releases costs, as a derivation that anyone can re-check.

A release is charged to a *region* of the record domain, the part that its query looks at. A record z pays for the
releases whose region holds z, so the cost of everything so far is the largest sum over regions that share a record.
Regions may be chosen from earlier outputs (the two sides of a split just published): the filter lemma says that if no
record ever pays more than ε, the whole transcript is ε-differentially private.

The :class:`Ledger` books charges *before* anything is drawn. All charges of a round are booked together or not at
all, in exact fractions. Its :class:`Derivation` is a tree of rules, and :mod:`fdpedu.derivation_checker`, which
imports nothing of this package, re-verifies it from its JSON text.

Where a small δ is allowed, less is paid: ``compose_optimal`` (k pure releases, exactly), ``pure_to_zcdp`` and
``zcdp_to_epsilon`` (quadratic budgets), ``rdp_laplace`` and its like (order by order), :class:`LossDistribution` (any
mixture, numerically). All return enclosures that are rigorous at both ends; ``float()`` gives the upper one.

A ledger has one measure. In ρ (no more is told than by one normal number, up to a factor e^{±ξ}) it is made for an
(ε, δ), and the budget alone is converted, once, at the root: ``Ledger(epsilon=1, delta=1e-6)``.

Guarantee: ε-DP, or (ε, δ)-DP from ρ; neighbours differ by adding or removing one record; against an outsider and
against as many colluders as every charge tolerates; for exact releases (integers). Not covered: running time, and how
often the data was used elsewhere.

Claims: lem-filter
"""

from fdpedu.accounting.budget import Budget, gaussian_budget, gaussian_epsilon
from fdpedu.accounting.charge import BudgetExceeded, Charge, split_budget
from fdpedu.accounting.composition import compose_optimal, optimal_delta
from fdpedu.accounting.concentrated import (
    gaussian_to_zcdp,
    pure_to_zcdp,
    zcdp_to_delta,
    zcdp_to_epsilon,
    zcdp_to_epsilon_classical,
)
from fdpedu.accounting.cost import Amount, Cost, as_cost
from fdpedu.accounting.derivation import Derivation
from fdpedu.accounting.ledger import Ledger
from fdpedu.accounting.loss import LossDistribution
from fdpedu.accounting.renyi import rdp_gaussian, rdp_laplace, rdp_to_epsilon
from fdpedu.derivation_checker import Guarantee, check_derivation

__all__ = [
    "Amount",
    "Budget",
    "BudgetExceeded",
    "Charge",
    "Cost",
    "Derivation",
    "Guarantee",
    "Ledger",
    "LossDistribution",
    "as_cost",
    "check_derivation",
    "compose_optimal",
    "gaussian_budget",
    "gaussian_epsilon",
    "gaussian_to_zcdp",
    "optimal_delta",
    "pure_to_zcdp",
    "rdp_gaussian",
    "rdp_laplace",
    "rdp_to_epsilon",
    "split_budget",
    "zcdp_to_delta",
    "zcdp_to_epsilon",
    "zcdp_to_epsilon_classical",
]
