"""Mechanisms to be audited: the number of rows with noise, and a tree of exact counts."""

import math

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.claims.federations import AGE
from fdpedu.federation import Federation, Party
from fdpedu.mechanisms import discrete_laplace
from fdpedu.randomness import Rehearsal
from fdpedu.trees import fit_federated_tree

EVENT = (lambda y: y >= 1, lambda y: y <= 0)


def noisy(epsilon, seed=0):
    """The number of rows with noise of discrete Laplace."""
    source = Rehearsal(seed)
    return lambda data: discrete_laplace(len(data), epsilon=epsilon, rng=source)


def batched(epsilon, seed=0):
    """The same, many at a time, by NumPy."""
    draws, share = np.random.default_rng(seed), 1 - math.exp(-epsilon)
    return lambda data, n: len(data) + draws.geometric(share, n) - draws.geometric(share, n)


def tree(ages):
    """Of a federation, almost without noise."""
    rows = [[age, "ill" if age > 50 else "well"] for age in ages]
    federation = Federation([Party(rows, AGE), Party([], AGE)], AGE, Ledger(100), rng=Rehearsal(1))
    return fit_federated_tree(federation, max_depth=1, min_samples_split=2)
