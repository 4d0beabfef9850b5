"""Chapter 4. Accounting: what a sequence of releases costs, as a derivation that anyone can re-check.

A release is charged to a *region* of the record domain, the part that its query looks at. A record z pays for the
releases whose region holds z, so the cost of everything so far is the largest sum over regions that share a record.
Regions may be chosen from earlier outputs (the two sides of a split just published): the filter lemma says that if no
record ever pays more than ε, the whole transcript is ε-differentially private.

The :class:`Ledger` books charges *before* anything is drawn. All charges of a round are booked together or not at
all, in exact fractions. Its :class:`Derivation` is a tree of rules, and :mod:`fdpedu.derivation_checker`, which
imports nothing of this package, re-verifies it from its JSON text.

Guarantee: pure ε-DP; neighbours differ by adding or removing one record; against an outsider and against as many
colluders as every charge tolerates; for exact releases (integers). Not covered: running time, and how often the data
was used elsewhere.

Claims: lem-filter
"""

from fdpedu.accounting.derivation import Derivation
from fdpedu.accounting.ledger import BudgetExceeded, Charge, Ledger, split_budget
from fdpedu.derivation_checker import Guarantee, check_derivation

__all__ = ["BudgetExceeded", "Charge", "Derivation", "Guarantee", "Ledger", "check_derivation", "split_budget"]
