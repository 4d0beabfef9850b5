"""Chapter 14. Poisoning: how many forged rows a learner can stand, and what one released tree can promise.

- :mod:`~fdpedu.poisoning.curve`: what x forged rows can do to any ε-DP learner, exactly; and as printed
- :mod:`~fdpedu.poisoning.structured`, :mod:`~fdpedu.poisoning.knapsack`: splits and leaves apart
- :mod:`~fdpedu.poisoning.certificate`, :mod:`~fdpedu.poisoning.labels`: one tree of public splits
- :mod:`~fdpedu.poisoning.ensemble`: votes of trees on disjoint parts
- :mod:`~fdpedu.poisoning.backdoor`: the attack
- :mod:`~fdpedu.poisoning.printed_tables`: the guarantees that were printed, recomputed

Claims: thm-poisoning-curve
"""

from fdpedu.poisoning.backdoor import attack_success, plant_backdoor, triggered
from fdpedu.poisoning.certificate import Certificate, best_attack, certify, worst_case, worst_case_curve
from fdpedu.poisoning.curve import (
    attack_success_bound,
    attack_success_bound_as_printed,
    certified_rows,
    poisoning_bound_as_printed,
    poisoning_curve,
)
from fdpedu.poisoning.ensemble import PartitionEnsemble, fit_partition_ensemble
from fdpedu.poisoning.printed_tables import PrintedGuarantee, printed_guarantees
from fdpedu.poisoning.structured import structured_bound

__all__ = [
    "Certificate",
    "PartitionEnsemble",
    "PrintedGuarantee",
    "attack_success",
    "attack_success_bound",
    "attack_success_bound_as_printed",
    "best_attack",
    "certified_rows",
    "certify",
    "fit_partition_ensemble",
    "plant_backdoor",
    "poisoning_bound_as_printed",
    "poisoning_curve",
    "printed_guarantees",
    "structured_bound",
    "triggered",
    "worst_case",
    "worst_case_curve",
]
