"""Chapter 16. FedGA-Tree: structures travel, trees stay at home; what its scores tell, and votes in their place.

- :mod:`~fdpedu.fedga.fit`, :mod:`~fdpedu.fedga.server`, :mod:`~fdpedu.fedga.home`: a run as printed
- :mod:`~fdpedu.fedga.genetic`: strings, tournament, crossover and mutations
- :mod:`~fdpedu.fedga.local`, :mod:`~fdpedu.fedga.splits`, :mod:`~fdpedu.fedga.rows`: a structure on a party's own rows
- :mod:`~fdpedu.fedga.validation`: depths and votes by cross-validation
- :mod:`~fdpedu.fedga.scoring`, :mod:`~fdpedu.fedga.comparing`: scores, improvement, edit distance
- :mod:`~fdpedu.fedga.result`: trees, structures, messages, and what the server has seen
- :mod:`~fdpedu.fedga.scores`: how many rows a party has, read off the scores that it sends
- :mod:`~fdpedu.fedga.leakage`: what exact scores tell of the rows themselves, counted on data of two bits and a label
- :mod:`~fdpedu.fedga.choosing`: the best of some structures, chosen at random, by scores, by votes, by somebody trusted
- :mod:`~fdpedu.fedga.private`: generations of private votes; :mod:`~fdpedu.fedga.structures`: what they release
- :mod:`~fdpedu.fedga.at_home`: a party's own tree on the public grid

The printed system is not private: a score on a party's own rows is an exact function of them.

Claims: thm-structures
"""

from fdpedu.cart import count_structures, least_loss, to_string, to_structure
from fdpedu.fedga.at_home import PersonalTree
from fdpedu.fedga.choosing import WAYS, choose_structure, score_rate
from fdpedu.fedga.comparing import edit_distance, improvement, log_ratio
from fdpedu.fedga.fit import fit_at_structure, fit_fedga, fit_local
from fdpedu.fedga.leakage import Leakage, last_row, membership_advantage, score_leakage, score_vector
from fdpedu.fedga.local import LocalNode, LocalTree
from fdpedu.fedga.private import fit_private_structures
from fdpedu.fedga.result import FedGA, Message, Seen
from fdpedu.fedga.rows import TASKS
from fdpedu.fedga.scores import Sizes, class_ratio_from_f1, sizes_from_scores
from fdpedu.fedga.scoring import f1, mse, weighted_score
from fdpedu.fedga.structures import Structures
from fdpedu.fedga.structures_file import Generation
from fdpedu.fedga.validation import Votes

__all__ = [
    "TASKS",
    "WAYS",
    "FedGA",
    "Generation",
    "Leakage",
    "LocalNode",
    "LocalTree",
    "Message",
    "PersonalTree",
    "Seen",
    "Sizes",
    "Structures",
    "Votes",
    "choose_structure",
    "class_ratio_from_f1",
    "count_structures",
    "edit_distance",
    "f1",
    "fit_at_structure",
    "fit_fedga",
    "fit_local",
    "fit_private_structures",
    "improvement",
    "last_row",
    "least_loss",
    "log_ratio",
    "membership_advantage",
    "mse",
    "score_leakage",
    "score_rate",
    "score_vector",
    "sizes_from_scores",
    "to_string",
    "to_structure",
    "weighted_score",
]
