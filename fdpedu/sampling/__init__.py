"""Exact sampling: integers that really have the law they claim, as fast as inexact ones.

A law on 0, 1, 2, … is known by *enclosures* of its distribution function F: integers below and above 2^b·F(k), for as
many bits b as one asks for. Two samplers read them, and both are exact, although no number in the program equals F:

- :func:`invert` is slow and obviously right: a uniform real U whose bits are revealed one word at a time, until U is
  on one side of every F(k).
- :func:`sample` is fast: an integer alias table holds ⌊2³²p_k⌋ for each value k, and one word decides a draw in
  constant time. What the floors leave over, a few parts in 10⁷, is one more cell of the table, the *residual*;
  a draw that lands there is made by :func:`invert` from the residual law. Table plus residual is the law, as an
  identity of integers, and nothing is lost by rounding.

Slowly decaying geometric laws are written in digits, which are independent, so that no table is long. The negative
binomial law has no such digits; :func:`negative_binomial` draws a block of values by a table and a value within the
block by a further word, and may reject it. :mod:`fdpedu.sampling.gaussians` has a table of the discrete Gaussian law
up to σ = 300, and rejects discrete Laplace numbers beyond.

Not guaranteed: constant running time. A draw that lands in the residual takes longer, and says something of its value.

Claims: thm-alias-table
"""

from fdpedu.sampling.alias import AliasColumns, AliasTable, sample
from fdpedu.sampling.blocks import negative_binomial
from fdpedu.sampling.coins import exp_coin, exp_coins
from fdpedu.sampling.digits import (
    geometric,
    geometric_digit_law,
    geometric_law,
    require_drawable,
    two_sided_geometric,
)
from fdpedu.sampling.law import Law, finite_law, invert

__all__ = [
    "AliasColumns",
    "AliasTable",
    "Law",
    "exp_coin",
    "exp_coins",
    "finite_law",
    "geometric",
    "geometric_digit_law",
    "geometric_law",
    "invert",
    "negative_binomial",
    "require_drawable",
    "sample",
    "two_sided_geometric",
]
