"""Chapter 12. Boosting: many gentle trees, one budget.

One private tree spends most of its budget on finding splits. Here hundreds of small trees, whose questions are drawn by
public coins, spend it on what their leaves say.
"""

from fdpedu.boosting.curves import Curve
from fdpedu.boosting.ensemble import Ensemble
from fdpedu.boosting.ensemble_file import Batch
from fdpedu.boosting.growth import fit_federated_boosting
from fdpedu.boosting.marginals import Marginals
from fdpedu.boosting.promise import boosting_guarantee
from fdpedu.boosting.rules import FORMS, Rules, rules_for

__all__ = [
    "FORMS",
    "Batch",
    "Curve",
    "Ensemble",
    "Marginals",
    "Rules",
    "boosting_guarantee",
    "fit_federated_boosting",
    "rules_for",
]
