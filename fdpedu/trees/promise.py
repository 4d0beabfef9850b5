"""What every tree of a design costs, known before one is grown: what ``fdpedu fit`` and ``fdpedu demo`` print first."""

from __future__ import annotations

from fdpedu.accounting import Budget, Cost
from fdpedu.dlpa import TreeGuarantee, tree_guarantee
from fdpedu.exact import Rational
from fdpedu.trees.designs.base import TreeDesign
from fdpedu.trees.shape import Asked


def tree_promise(
    design: TreeDesign,
    asked: Asked,
    budget: Budget | Cost | Rational,
    *,
    n_features: int,
    n_parties: int,
    tolerate: int,
    colluders: int = 1,
) -> TreeGuarantee:
    """The guarantee of a federation's trees of this design, and of what was asked for, against outsiders and insiders.

    Claims: thm-tree-before-the-run, thm-designed-insiders, thm-votes-insiders

    Parameters
    ----------
    design : how they are grown
    asked : what is not left to the design
    budget : of a whole tree, in ε or in ρ; a number is ε
    n_features : of the domain
    n_parties, tolerate, colluders : as for :func:`fdpedu.dlpa.tree_guarantee`

    Examples
    --------
    >>> from fdpedu.trees.designs import find_design
    >>> promise = tree_promise(find_design("rotating"), Asked(), 1, n_features=9, n_parties=4, tolerate=1)
    >>> promise.path, promise.insider.upper
    ('1 level of choices that a party draws alone at 4/5, then leaf counts at 1/5', Fraction(1, 1))
    """
    whole = Budget.of(budget)
    settled, shape = design.settled(asked, whole.limit)
    levels, leaf = settled.dearest_path(whole.limit, shape, n_features, n_parties)
    if not whole.is_pure:
        return tree_guarantee(whole, noise="gaussian", n_parties=n_parties, colluders=colluders, tolerate=tolerate)
    return tree_guarantee(
        whole.limit.value,
        levels=levels,
        leaf=leaf,
        n_parties=n_parties,
        colluders=colluders,
        tolerate=tolerate,
        unspent_to_leaf=getattr(settled, "unspent_to_leaf", None),
    )
