"""Chapter 16. FedGA-Tree after the paper of that name: structures travel, trees stay at home, and scores are counts.

- :mod:`~fdpedu.fedga.fit`, :mod:`~fdpedu.fedga.server`, :mod:`~fdpedu.fedga.home`: the run, the server, a party
- :mod:`~fdpedu.fedga.genetic`: strings, tournament, crossover and mutations
- :mod:`~fdpedu.fedga.local`, :mod:`~fdpedu.fedga.splits`, :mod:`~fdpedu.fedga.rows`: a structure on a party's own rows
- :mod:`~fdpedu.fedga.validation`: depths and votes by cross-validation
- :mod:`~fdpedu.fedga.scoring`, :mod:`~fdpedu.fedga.comparing`: scores, improvement, edit distance
- :mod:`~fdpedu.fedga.result`: trees, structures, messages, and what the server has seen

The printed system is not private: a score on a party's own rows is an exact function of them.
"""

from fdpedu.fedga.comparing import edit_distance, improvement, log_ratio
from fdpedu.fedga.fit import fit_at_structure, fit_fedga, fit_local
from fdpedu.fedga.genetic import (
    MUTATIONS,
    node_flip,
    node_swap,
    one_point_crossover,
    random_string,
    substring_swap,
    tournament,
)
from fdpedu.fedga.local import LocalNode, LocalTree
from fdpedu.fedga.result import FedGA, Message, Seen
from fdpedu.fedga.rows import TASKS
from fdpedu.fedga.scoring import f1, mse, weighted_score
from fdpedu.fedga.validation import Votes

__all__ = [
    "MUTATIONS",
    "TASKS",
    "FedGA",
    "LocalNode",
    "LocalTree",
    "Message",
    "Seen",
    "Votes",
    "edit_distance",
    "f1",
    "fit_at_structure",
    "fit_fedga",
    "fit_local",
    "improvement",
    "log_ratio",
    "mse",
    "node_flip",
    "node_swap",
    "one_point_crossover",
    "random_string",
    "substring_swap",
    "tournament",
    "weighted_score",
]
