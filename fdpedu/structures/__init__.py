"""Chapter 16. Structures at a stated ε: parties vote for structures, and each grows a tree of its own at home.

- :mod:`~fdpedu.structures.voting`: generations of private votes
- :mod:`~fdpedu.structures.genetic`: random strings, tournament, crossover and mutations, all from public coins
- :mod:`~fdpedu.structures.released`, :mod:`~fdpedu.structures.released_file`: what the votes release, and its file
- :mod:`~fdpedu.structures.at_home`: a party's own tree on the public grid

Claims: thm-structures
"""

from fdpedu.structures.at_home import PersonalTree
from fdpedu.structures.released import Structures
from fdpedu.structures.released_file import Generation
from fdpedu.structures.voting import fit_private_structures

__all__ = [
    "Generation",
    "PersonalTree",
    "Structures",
    "fit_private_structures",
]
