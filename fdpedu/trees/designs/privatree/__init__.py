"""One owner's private tree after Vos et al. (PrivaTree), mended.

- :mod:`~fdpedu.trees.designs.privatree.design`, :mod:`~fdpedu.trees.designs.privatree.fit`: how it is grown, by
  :func:`fdpedu.trees.fit_privatree`
- :mod:`~fdpedu.trees.designs.privatree.edges`, :mod:`~fdpedu.trees.designs.privatree.search`: borders that are kept,
  and the best noisy split
- :mod:`~fdpedu.trees.designs.privatree.leaf_share`: how much of ε the leaves need

Claims: thm-privatree
"""
