"""What insiders learn from sums that were paid for in ρ: before any tree is grown, and from the budget alone.

Of K Gaussian shares, any K − tolerate make up the variance that ρ needs. If c > tolerate colluders subtract theirs, the
noise that is left has K − c shares, so each release costs them ρ·(K−tolerate)/(K−c). This factor is the same for all
releases, so the whole budget grows by it, and is converted once. The fewer shares are left, the less ξ they take.
Parties that fall silent count as colluders.

Guarantee: for records added or removed; against c colluders; integers; for a budget that was fixed beforehand.

Claims: lem-gaussian-sum-renyi, thm-root-conversion
"""

from __future__ import annotations

from fractions import Fraction

from fdpedu.accounting import Budget, concentrated_epsilon
from fdpedu.dlpa.shares import count_noise_shares
from fdpedu.exact import Enclosure, as_integer


def insider_rho(budget: Budget, n_parties: int, colluders: int, *, tolerate: int = 0) -> Fraction:
    """ρ against c colluders: that of the budget, and (K−tolerate)/(K−c) times as much where c > tolerate.

    >>> str(insider_rho(Budget.of(rho="1/40"), 5, 3, tolerate=1))
    '1/20'
    """
    if budget.is_pure:
        raise ValueError(f"the budget must be one of ρ, got {budget}: of ε see insider_epsilon, release by release")
    shares, c = count_noise_shares(n_parties, tolerate), as_integer(colluders, "colluders", minimum=0)
    if c >= n_parties:
        raise ValueError(f"colluders must be fewer than the {n_parties} parties, got {c}")
    return budget.limit.value * max(Fraction(1), Fraction(shares, n_parties - c))


def insider_concentrated_epsilon(budget: Budget, n_parties: int, colluders: int, *, tolerate: int = 0) -> Enclosure:
    """The ε that holds against c colluders beside the budget's δ, enclosed.

    Claims: lem-gaussian-sum-renyi, thm-root-conversion

    Parameters
    ----------
    budget : in ρ, made for an (ε, δ)
    n_parties, colluders : K, and 0 ≤ c < K; a party whose share never arrives counts as one
    tolerate : the number of colluders that the shares are made for

    Examples
    --------
    >>> budget = Budget.of(1, delta=1e-6)
    >>> [round(float(insider_concentrated_epsilon(budget, 5, c, tolerate=1)), 3) for c in (1, 2, 4)]
    [1.0, 1.167, 2.112]
    """
    if budget.epsilon is None:
        raise ValueError(f"the budget must be made for an epsilon and a delta, got {budget}")
    rho = insider_rho(budget, n_parties, colluders, tolerate=tolerate)
    if rho == budget.limit.value:
        return Enclosure.exactly(budget.epsilon)
    return concentrated_epsilon(rho, budget.limit.xi, budget.delta)
