"""El Zein et al.: *PrivaTree: Collaborative Privacy-Preserving Training of Decision Trees on Biomedical Data*.

NOT FOR USE: as printed and as mended, totals and thresholds are exact functions of the rows, so there is no ε. What is
for use is a tree by votes that are drawn and paid for, ``fit_federated_tree(design="votes")``.

=======  ============================  ============================================================
§        name                          claim
=======  ============================  ============================================================
3.1.1    ``fit_local_tree``            –
5.2      ``local.own_depth``           –
5.2      ``fit.mean_depth``            –
5.3.1    ``secret_selection``          lem-selection
5.3.1    ``published_totals``          lem-selection
5.3.1    ``Selection``                 lem-selection
Alg. 1   ``selection_as_printed_law``  elzein-algorithm-1-as-printed, lem-printed-selection
5.3.2    ``fit_shared_tree``           lem-selection, lem-pooled-cart
5.3.2    ``SharedTree``                lem-certain-votes, lem-shared-messages
5.3.2.2  ``RULES``                     lem-mean-threshold, lem-middle-outside, lem-own-middle
Alg. 2   ``growing.Growth``            lem-empty-party
Fig. 3   ``KINDS``                     lem-shared-messages
Fig. 3   ``Message``                   lem-shared-messages
8.3      ``node_messages``             lem-shared-messages
8.3      ``Traffic``                   lem-shared-messages
8.5.1    ``Ballot``                    lem-certain-votes
8.5.1    ``certain_votes``             elzein-certainty-as-printed, lem-certain-votes
8.5.1    ``vote_information``          lem-vote-bits
8.5.1    ``threshold_information``     lem-vote-bits
8.5.2    ``noisy_totals_win``          lem-noisy-totals
=======  ============================  ============================================================
"""

from fdpedu.sources.elzein.counting import KINDS, Message, Traffic, node_messages
from fdpedu.sources.elzein.fit import fit_local_tree, fit_shared_tree
from fdpedu.sources.elzein.growing import RULES
from fdpedu.sources.elzein.leaks import certain_votes, noisy_totals_win, threshold_information, vote_information
from fdpedu.sources.elzein.selection import Selection, published_totals, secret_selection, selection_as_printed_law
from fdpedu.sources.elzein.tree import Ballot, SharedTree

__all__ = [
    "KINDS",
    "RULES",
    "Ballot",
    "Message",
    "Selection",
    "SharedTree",
    "Traffic",
    "certain_votes",
    "fit_local_tree",
    "fit_shared_tree",
    "node_messages",
    "noisy_totals_win",
    "published_totals",
    "secret_selection",
    "selection_as_printed_law",
    "threshold_information",
    "vote_information",
]
