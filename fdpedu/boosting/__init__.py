"""Chapter 12. Boosting: many trees, one budget.

One private tree spends most of its budget on finding splits. Here hundreds of small trees, whose questions are drawn by
public coins, spend it on what their leaves say: boldly where noise is small, gently where it is large.
"""

from fdpedu.boosting.course import Course, Round
from fdpedu.boosting.curves import Curve
from fdpedu.boosting.ensemble import Ensemble
from fdpedu.boosting.growth import fit_federated_boosting
from fdpedu.boosting.interactions import Interaction
from fdpedu.boosting.marginals import Marginals
from fdpedu.boosting.promise import boosting_guarantee
from fdpedu.boosting.rules import FORMS, Rules, rules_for

__all__ = [
    "FORMS",
    "Course",
    "Curve",
    "Ensemble",
    "Interaction",
    "Marginals",
    "Round",
    "Rules",
    "boosting_guarantee",
    "fit_federated_boosting",
    "rules_for",
]
