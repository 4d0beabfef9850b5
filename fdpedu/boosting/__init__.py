"""Chapter 12. Boosting: many gentle trees, one budget.

One private tree spends most of its budget on finding splits. Here hundreds of small trees, whose questions are drawn by
public coins, spend it on what their leaves say.
"""

from fdpedu.boosting.ensemble import Batch, Ensemble
from fdpedu.boosting.growth import fit_federated_boosting
from fdpedu.boosting.marginals import Marginals
from fdpedu.boosting.rules import FORMS, Rules, rules_for

__all__ = ["FORMS", "Batch", "Ensemble", "Marginals", "Rules", "fit_federated_boosting", "rules_for"]
