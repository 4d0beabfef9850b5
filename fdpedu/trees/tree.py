"""The tree that a federation grows: a tree as in chapter 1, with the accounting of how it was released."""

from __future__ import annotations

from dataclasses import dataclass, field

from fdpedu import cart
from fdpedu.accounting import Derivation


@dataclass(frozen=True)
class Tree(cart.Tree):
    """A private classification tree. Two with the same nodes and domain are equal, whatever their accounting says.

    Parameters
    ----------
    root : its noisy counts are the released ones, clipped at 0
    classes : the domain's
    feature_names : the names of the domain's features
    domain : what is public; rows are routed by its codes
    derivation : what the tree has cost, and why
    rounds : the number of federated rounds that it took
    """

    derivation: Derivation = field(compare=False, kw_only=True)
    rounds: int = field(compare=False, kw_only=True)
