"""With which probability a graph of neighbours lets more be seen than the total: exactly, or as a bound.

Masks over a random graph (:mod:`fdpedu.secure_sum.neighbours`) hide all but the total if the honest parties that are
not missing are connected. They are not with a probability that can be computed, as a fraction; it is the δ that the
graph adds to pure ε-differential privacy.

- :class:`~fdpedu.secure_sum.Ring`: the honest around the circle fall apart if at least two of the runs of parties that
  are gone, between one that is left and the next, have k/2 members or more. Such runs are counted exactly.
- :class:`~fdpedu.secure_sum.Edges`: a recursion over the component of one party.

Both count for parties that collude or are missing whatever the graph is. An adversary who sees the graph and then
decides which parties are missing is stronger; that risk is bounded by a sum over all choices (``chosen=True``).

Where secrets are shared among neighbours only, so that masks of a missing party can be taken off, more can go wrong:
:func:`sharing_risk`.

Guarantee: for graphs of coins that no party could foresee. Arithmetic: fractions. Not guaranteed: anything for parties
that begin to collude after the graph was drawn.

Claims: lem-ring-splits, lem-edges-split, lem-neighbour-shares
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import NamedTuple

from fdpedu.exact import Rational, as_integer, as_positive_fraction
from fdpedu.secure_sum.modular import MAX_PARTIES
from fdpedu.secure_sum.neighbours import Edges, Ring

MAX_WITH_EDGES = 100  # the recursion's integers have thousands of digits


def failure_probability(
    model: Ring | Edges, n_parties: int, colluders: int = 0, missing: int = 0, *, chosen: bool = False
) -> Fraction:
    """The probability that the honest parties that are not missing are not connected.

    Claims: lem-ring-splits, lem-edges-split

    Parameters
    ----------
    model : how the graph is drawn
    n_parties : K
    colluders : c ≥ 0
    missing : how many others fall silent; at least one honest party must be left
    chosen : whether an adversary who knows the graph chooses who is missing. Then it is a bound, up to 1

    Examples
    --------
    >>> failure_probability(Ring(4), 8, colluders=4)  # two runs of two: 2 of the 35 ways around the first party left
    Fraction(6, 35)
    >>> failure_probability(Edges("1/2"), 3)
    Fraction(1, 2)
    """
    n, c, m = _counted(model, n_parties, colluders, missing)
    if chosen and m:
        return min(
            Fraction(1), _chosen_ring(model, n, c, m) if isinstance(model, Ring) else _chosen_edges(model, n, c, m)
        )
    gone = c + m
    return _ring_splits(model, n, gone) if isinstance(model, Ring) else 1 - connected(n - gone, model.absent)


def _counted(model: Ring | Edges, n_parties: int, colluders: int, missing: int) -> tuple[int, int, int]:
    if not isinstance(model, Ring | Edges):
        raise ValueError(f"model must be a Ring or Edges, got {type(model).__name__}")
    most = MAX_PARTIES if isinstance(model, Ring) else MAX_WITH_EDGES
    n = as_integer(n_parties, "n_parties", minimum=1, maximum=most)
    c, m = as_integer(colluders, "colluders", minimum=0), as_integer(missing, "missing", minimum=0)
    if c + m >= n:
        raise ValueError(f"of {n} parties at least one must be honest and there, got {c} colluders and {m} missing")
    return n, c, m


def _ring_splits(ring: Ring, n: int, gone: int) -> Fraction:
    """The probability that the absent parties form two long runs or more between the h that are left on the circle.

    A way is a list of h run lengths that add up to ``gone``, from one of those left onwards. That at least two runs
    have k/2 members or more is counted by inclusion and exclusion over the runs that do.
    """
    left, long = n - gone, ring.neighbours // 2
    ways = 0
    for j in range(2, min(left, gone // long) + 1):
        ways += (-1) ** j * (j - 1) * comb(left, j) * comb(gone - j * long + left - 1, left - 1)
    return Fraction(ways, comb(n - 1, left - 1))


def _chosen_ring(ring: Ring, n: int, colluders: int, missing: int) -> Fraction:
    """A bound: the expected number of two separated stretches of k/2 places in which all but at most m collude."""
    long = ring.neighbours // 2
    pairs = n * max(0, n - 2 * long - 1) // 2
    return pairs * _at_least(2 * long - missing, _hypergeometric(n, colluders, min(n, 2 * long)))


def _chosen_edges(edges: Edges, n: int, colluders: int, missing: int) -> Fraction:
    honest = n - colluders
    return comb(honest, missing) * (1 - connected(honest - missing, edges.absent))


def connected(n: int, absent: Fraction) -> Fraction:
    """The probability f_n that n parties are connected, if a pair shares no masks with probability q.

    f_n = 1 − Σ_{0<i<n} C(n−1, i−1)·f_i·q^{i(n−i)}: the component of the first party has i members, or n. Computed with
    the integers f_n·d^{n(n−1)/2}, where d is the denominator of q.

    Claims: lem-edges-split

    Parameters
    ----------
    n : at least 1
    absent : q

    Examples
    --------
    >>> connected(2, Fraction(1, 3)), connected(3, Fraction(1, 3))
    (Fraction(2, 3), Fraction(20, 27))
    """
    q, d = absent.numerator, absent.denominator
    whole = [d ** comb(size, 2) for size in range(n + 1)]
    found = [0]
    for size in range(1, n + 1):
        ways = (comb(size - 1, i - 1) * q ** (i * (size - i)) * found[i] * whole[size - i] for i in range(1, size))
        found.append(whole[size] - sum(ways))
    return Fraction(found[n], whole[n])


class SharingRisk(NamedTuple):
    """What can go wrong where secrets are shared among neighbours: bounds on two probabilities.

    ``opened``: some honest party has at least t colluding neighbours, who read it. ``lost``: some party has fewer than
    t neighbours that are there, and the round is lost.
    """

    opened: Fraction
    lost: Fraction


def sharing_risk(
    model: Ring | Edges, n_parties: int, threshold: int, colluders: int = 0, missing: int = 0
) -> SharingRisk:
    """Bounds on the probabilities that shares among neighbours are too many with colluders, or too few.

    Both are sums over the parties; for independent edges ``opened`` is exact. The aggregator is curious, and honest
    about who survived.

    Claims: lem-neighbour-shares

    Parameters
    ----------
    model : how the graph is drawn
    n_parties : K
    threshold : t, how many of a party's neighbours open its secrets
    colluders : c ≥ 0
    missing : how many others fall silent, whatever the graph is

    Examples
    --------
    >>> sharing_risk(Ring(4), 6, threshold=2, colluders=1, missing=1)
    SharingRisk(opened=Fraction(0, 1), lost=Fraction(0, 1))
    """
    n, c, m = _counted(model, n_parties, colluders, missing)
    t = as_integer(threshold, "threshold", minimum=1)
    read = _at_least(t, _near(model, n - 1, c))
    # lem-neighbour-shares: Y counts among K − 1 − m others, and Y' of a missing party among K − m
    short = (n - m) * (1 - _at_least(t, _near(model, n - 1, n - 1 - m)))  # a party that is there
    if m:
        short += m * (1 - _at_least(t, _near(model, n - 1, n - m)))  # one that is not: of it m − 1 others are missing
    opened = (n - c) * read if isinstance(model, Ring) else 1 - (1 - read) ** (n - c)
    return SharingRisk(min(Fraction(1), opened), min(Fraction(1), short))


def neighbours_needed(
    n_parties: int, colluders: int = 0, missing: int = 0, failure: Rational = Fraction(1, 2**40)
) -> int:
    """The least even k for which a ring fails with at most this probability.

    If parties may be missing, their secrets are shared among neighbours, and the bounds of :func:`sharing_risk` are
    added, for the best threshold.

    Claims: lem-ring-splits, lem-neighbour-shares

    Parameters
    ----------
    n_parties : K
    colluders, missing : as for :func:`failure_probability`
    failure : the probability that is accepted, between 0 and 1

    Raises
    ------
    ValueError
        If not even all K − 1 others are enough.

    Examples
    --------
    >>> neighbours_needed(100, colluders=20), neighbours_needed(1000, colluders=200)
    (18, 26)
    """
    n, c, m = _counted(Ring(2), n_parties, colluders, missing)
    if (accepted := as_positive_fraction(failure, "failure")) >= 1:
        raise ValueError(f"failure must be less than 1, got {failure}")
    for k in range(2, n + 2, 2):
        total = failure_probability(Ring(k), n, c, m)
        if total <= accepted and m:
            total += min(sum(sharing_risk(Ring(k), n, t, c, m)) for t in range(1, min(k, n - 1) + 1))
        if total <= accepted:
            return k
    raise ValueError(
        f"with {colluders} colluders and {missing} missing of {n} parties no threshold is safe, even among all"
    )


def _near(model: Ring | Edges, others: int, marked: int) -> list[Fraction]:
    """Pmf of the number of a party's neighbours among ``marked`` of the ``others``."""
    if isinstance(model, Ring):
        return _hypergeometric(others, marked, min(model.neighbours, others))
    q = model.absent
    return [comb(marked, x) * (1 - q) ** x * q ** (marked - x) for x in range(marked + 1)]


def _hypergeometric(population: int, marked: int, drawn: int) -> list[Fraction]:
    """How many of those drawn are marked: the probabilities of 0, 1, … up to the number drawn."""
    ways = comb(population, drawn)
    return [Fraction(comb(marked, x) * comb(population - marked, drawn - x), ways) for x in range(drawn + 1)]


def _at_least(t: int, law: list[Fraction]) -> Fraction:
    return sum(law[max(0, t) :], Fraction(0))
