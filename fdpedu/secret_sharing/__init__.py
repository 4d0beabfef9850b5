"""Chapter 15. Secret sharing after El Zein et al.: a tree by votes, what the votes tell.

- :mod:`~fdpedu.secret_sharing.selection`: which choice has most votes, by additive shares
- :mod:`~fdpedu.secret_sharing.fit`, :mod:`~fdpedu.secret_sharing.growing`: the tree, as printed and mended
- :mod:`~fdpedu.secret_sharing.local`, :mod:`~fdpedu.secret_sharing.depth`: what a party finds out on its own rows
- :mod:`~fdpedu.secret_sharing.tree`, :mod:`~fdpedu.secret_sharing.counting`: what was said, and who has seen it
- :mod:`~fdpedu.secret_sharing.leaks`: what totals tell of votes
- :mod:`~fdpedu.trees.designs.votes`: votes that are drawn, and charged
"""

from fdpedu.secret_sharing.counting import KINDS, Message, Traffic, node_messages
from fdpedu.secret_sharing.fit import fit_local_tree, fit_shared_tree
from fdpedu.secret_sharing.growing import RULES
from fdpedu.secret_sharing.leaks import certain_votes, noisy_totals_win, threshold_information, vote_information
from fdpedu.secret_sharing.selection import Selection, published_totals, secret_selection, selection_as_printed_law
from fdpedu.secret_sharing.tree import Ballot, SharedTree

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
