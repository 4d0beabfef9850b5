"""Chapter 14. How many forged rows a learner can stand, and what one released tree can promise.

- :mod:`~fdpedu.robust.curve`: what x forged rows can do to any ε-DP learner, exactly
- :mod:`~fdpedu.robust.structured`, :mod:`~fdpedu.robust.knapsack`: splits and leaves apart
- :mod:`~fdpedu.robust.certificate`, :mod:`~fdpedu.robust.labels`: one tree of public splits
- :mod:`~fdpedu.robust.ensemble`: votes of trees on disjoint parts
- :mod:`~fdpedu.robust.backdoor`: the attack

Claims: thm-poisoning-curve
"""

from fdpedu.robust.backdoor import attack_success, plant_backdoor, triggered
from fdpedu.robust.certificate import Certificate, best_attack, certify, worst_case, worst_case_curve
from fdpedu.robust.curve import attack_success_bound, certified_rows, poisoning_curve
from fdpedu.robust.ensemble import PartitionEnsemble, fit_partition_ensemble
from fdpedu.robust.structured import structured_bound

__all__ = [
    "Certificate",
    "PartitionEnsemble",
    "attack_success",
    "attack_success_bound",
    "best_attack",
    "certified_rows",
    "certify",
    "fit_partition_ensemble",
    "plant_backdoor",
    "poisoning_curve",
    "structured_bound",
    "triggered",
    "worst_case",
    "worst_case_curve",
]
