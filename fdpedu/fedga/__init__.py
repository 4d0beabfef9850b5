"""Chapter 16. FedGA-Tree: structures travel, trees stay at home; scores that are counts, and votes that are paid for.

- :mod:`~fdpedu.fedga.private`: generations of private votes; :mod:`~fdpedu.fedga.structures`: what they release
- :mod:`~fdpedu.fedga.at_home`: a party's own tree
- :mod:`~fdpedu.fedga.genetic`: the operators on strings

Claims: thm-structures
"""

from fdpedu.cart import Structure, count_structures, least_loss, to_string, to_structure
from fdpedu.fedga.at_home import PersonalTree
from fdpedu.fedga.private import fit_private_structures
from fdpedu.fedga.structures import Structures
from fdpedu.fedga.structures_file import Generation

__all__ = [
    "Generation",
    "PersonalTree",
    "Structure",
    "Structures",
    "count_structures",
    "fit_private_structures",
    "least_loss",
    "to_string",
    "to_structure",
]
