"""What insiders learn from sums that were paid for in ρ: before any tree is grown, and from the budget alone.

Of K Gaussian shares of parameter v, any m = K − tolerate make up the noise. If c > tolerate colluders subtract theirs,
K − c shares are left, so each release costs them (m·v − 1)/((K − c)·v − 1) times as much ρ: 1 of the variance belongs
to the integers. The factor falls as v grows. No release costs more than the whole budget R, or moves its answer by less
than 1, so no share is below v = (1/(2R) + 1)/m, or 2 if that is more. With this v the whole budget grows by one factor,
and is converted once. The fewer shares are left, the less ξ they take. Parties that fall silent count as colluders.

Guarantee: for records added or removed; against c colluders; integers; for a budget that was fixed beforehand.

Claims: lem-smoothed-gaussian, thm-gaussian-root
"""

from __future__ import annotations

from fractions import Fraction

from fdpedu.accounting import Budget, gaussian_epsilon
from fdpedu.accounting.concentrated import at_best_order
from fdpedu.accounting.cost import CONCENTRATED
from fdpedu.dlpa.gaussian_noise import LEAST_SHARE
from fdpedu.dlpa.shares import count_noise_shares
from fdpedu.exact import Enclosure, as_integer


def insider_rho(budget: Budget, n_parties: int, colluders: int, *, tolerate: int = 0) -> Fraction:
    """ρ against c colluders: that of the budget, and more where c > tolerate, as fewer shares protect the others.

    >>> str(insider_rho(Budget.of(rho="1/40"), 5, 3, tolerate=1))
    '1/19'
    """
    if budget.is_pure:
        raise ValueError(f"the budget must be one of ρ, got {budget}: of ε see insider_epsilon, release by release")
    shares, c = count_noise_shares(n_parties, tolerate), as_integer(colluders, "colluders", minimum=0)
    if c >= n_parties:
        raise ValueError(f"colluders must be fewer than the {n_parties} parties, got {c}")
    rho, left = budget.limit.value, min(shares, n_parties - c)
    if budget.measure == CONCENTRATED:
        return rho * Fraction(shares, left)
    # lem-smoothed-gaussian: the least share is the worst
    least = max(LEAST_SHARE, budget.limit.least_variance(1) / shares)
    return rho * (shares * least - 1) / (left * least - 1)


def insider_gaussian_epsilon(budget: Budget, n_parties: int, colluders: int, *, tolerate: int = 0) -> Enclosure:
    """The ε that holds against c colluders beside the budget's δ, enclosed.

    Claims: lem-smoothed-gaussian, thm-gaussian-root

    Parameters
    ----------
    budget : in ρ, made for an (ε, δ)
    n_parties, colluders : K, and 0 ≤ c < K; a party whose share never arrives counts as one
    tolerate : the number of colluders that the shares are made for

    Examples
    --------
    >>> budget = Budget.of(1, delta=1e-6)
    >>> [round(float(insider_gaussian_epsilon(budget, 5, c, tolerate=1)), 3) for c in (1, 2, 4)]
    [1.0, 1.18, 2.348]
    """
    if budget.epsilon is None:
        raise ValueError(f"the budget must be made for an epsilon and a delta, got {budget}")
    rho = insider_rho(budget, n_parties, colluders, tolerate=tolerate)
    if rho == budget.limit.value:
        return Enclosure.exactly(budget.epsilon)
    converted = at_best_order if budget.measure == CONCENTRATED else gaussian_epsilon
    return converted(rho, budget.limit.xi, budget.delta)
