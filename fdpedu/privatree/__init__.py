"""Chapter 13. One owner's private tree after Vos et al. (PrivaTree): as printed, what that costs, and mended.

- :mod:`~fdpedu.privatree.printed`: Algorithm 1, literally
- :mod:`~fdpedu.privatree.price`: what each of its lines costs, and the rule for leaves
- :mod:`~fdpedu.privatree.design`, :mod:`~fdpedu.privatree.fit`: the tree, mended
- :mod:`~fdpedu.privatree.edges`, :mod:`~fdpedu.privatree.search`: borders that are kept, and the best noisy split

Claims: thm-privatree
"""

from fdpedu.privatree.design import PrivaTree
from fdpedu.privatree.fit import fit_privatree
from fdpedu.privatree.price import (
    PrintedPrice,
    leaf_share_by_rule,
    printed_price,
    printed_shares,
    real_epsilon,
)
from fdpedu.privatree.printed import fit_privatree_as_printed

__all__ = [
    "PrintedPrice",
    "PrivaTree",
    "fit_privatree",
    "fit_privatree_as_printed",
    "leaf_share_by_rule",
    "printed_price",
    "printed_shares",
    "real_epsilon",
]
