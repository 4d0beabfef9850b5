"""*FedGA-Tree: Federated Decision Tree using Genetic Algorithm*, a manuscript.

NOT FOR USE: each score that a party sends is an exact function of its rows, so there is no ε. What is for use is
:func:`fdpedu.structures.fit_private_structures`, by votes. Section III-D's operators on strings, which both use, are
:mod:`fdpedu.structures.genetic`.

=======  ===========================  =====================
§        name                         claim
=======  ===========================  =====================
II-B     ``WAYS``                     lem-score-price
II-B     ``choose_structure``         lem-score-price
II-B     ``score_rate``               lem-score-price
III      ``fit_fedga``                fedga-coarse
III      ``FedGA``                    fedga-coarse
III      ``validation.median_depth``  –
Alg. 1   ``server.Server``            –
Alg. 1   ``server.Plan``              –
Alg. 1   ``home.Home``                –
Alg. 1   ``Message``                  –
III-A    ``LocalTree``                –
III-A    ``LocalNode``                –
III-A    ``fit_at_structure``         –
III-B    ``Votes``                    –
III-B    ``f1``                       –
III-B    ``mse``                      –
III-B    ``weighted_score``           –
III-E    ``Seen``                     fedga-coarse
III-E    ``sizes_from_scores``        lem-scores-are-counts
III-E    ``Sizes``                    lem-scores-are-counts
III-E    ``class_ratio_from_f1``      lem-one-leaf
III-E    ``score_vector``             lem-leakage
III-E    ``score_leakage``            lem-leakage
III-E    ``Leakage``                  lem-leakage
III-E    ``last_row``                 lem-leakage
III-E    ``membership_advantage``     lem-leakage
IV-A     ``fit_local``                –
IV-A     ``TASKS``                    –
IV-A2    ``edit_distance``            –
eq. (3)  ``improvement``              fedga-benefit
eq. (3)  ``log_ratio``                lem-ratio
=======  ===========================  =====================
"""

from fdpedu.sources.fedga.choosing import WAYS, choose_structure, score_rate
from fdpedu.sources.fedga.comparing import edit_distance, improvement, log_ratio
from fdpedu.sources.fedga.fit import fit_at_structure, fit_fedga, fit_local
from fdpedu.sources.fedga.leakage import Leakage, last_row, membership_advantage, score_leakage, score_vector
from fdpedu.sources.fedga.local import LocalNode, LocalTree
from fdpedu.sources.fedga.result import FedGA, Message, Seen
from fdpedu.sources.fedga.rows import TASKS
from fdpedu.sources.fedga.scores import Sizes, class_ratio_from_f1, sizes_from_scores
from fdpedu.sources.fedga.scoring import f1, mse, weighted_score
from fdpedu.sources.fedga.validation import Votes

__all__ = [
    "TASKS",
    "WAYS",
    "FedGA",
    "Leakage",
    "LocalNode",
    "LocalTree",
    "Message",
    "Seen",
    "Sizes",
    "Votes",
    "choose_structure",
    "class_ratio_from_f1",
    "edit_distance",
    "f1",
    "fit_at_structure",
    "fit_fedga",
    "fit_local",
    "improvement",
    "last_row",
    "log_ratio",
    "membership_advantage",
    "mse",
    "score_leakage",
    "score_rate",
    "score_vector",
    "sizes_from_scores",
    "weighted_score",
]
