"""Chapter 16. FedGA-Tree: structures travel, trees stay at home.

- :mod:`~fdpedu.fedga.scores`: how many rows a party has, read off the scores that it sends
- :mod:`~fdpedu.fedga.leakage`: what exact scores tell of the rows themselves, counted on data of two bits and a label
"""

from fdpedu.fedga.leakage import Leakage, last_row, membership_advantage, score_leakage, score_vector
from fdpedu.fedga.scores import Sizes, class_ratio_from_f1, sizes_from_scores

__all__ = [
    "Leakage",
    "Sizes",
    "class_ratio_from_f1",
    "last_row",
    "membership_advantage",
    "score_leakage",
    "score_vector",
    "sizes_from_scores",
]
