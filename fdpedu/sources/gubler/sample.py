"""The rows of one run: the report's mixture, dealt out to the parties, as printed or as the published code does it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fdpedu.datasets import mixture
from fdpedu.exact import require_type
from fdpedu.sources.gubler.faults import Faults
from fdpedu.sources.gubler.setting import PARTIES, Setting


class Sample(NamedTuple):
    """Training rows (n, p) with labels and parties (n,), and test rows (m, p) with labels; −1 is no party."""

    X: NDArray[np.float64]
    y: NDArray[np.int64]
    party: NDArray[np.int64]
    X_test: NDArray[np.float64]
    y_test: NDArray[np.int64]

    def of_party(self, party: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """One party's rows and labels."""
        own = self.party == party
        return self.X[own], self.y[own]


def require_sample(value: object, p: int, name: str) -> None:
    """Refuse what is no sample of rows of p features, with labels 0 and 1 and at least one row of each kind."""
    require_type(value, Sample, name)
    assert isinstance(value, Sample)
    arrays = [isinstance(part, np.ndarray) for part in value]
    if not all(arrays):
        raise ValueError(f"{name} must hold arrays, as draw_sample makes them")
    n, m = len(value.y), len(value.y_test)
    shapes = [part.shape for part in value]
    if shapes != [(n, p), (n,), (n,), (m, p), (m,)] or not n * m:
        raise ValueError(f"{name} must hold rows of {p} features with their labels and parties, got shapes {shapes}")
    if not all(np.isin(labels, (0, 1)).all() for labels in (value.y, value.y_test)):
        raise ValueError(f"{name} must have the labels 0 and 1")


def draw_sample(setting: Setting, faults: Faults, rng: np.random.Generator) -> Sample:
    """Rows to learn from and as many to be tested on.

    As printed: n training rows, half of them in each class, dealt out evenly to five parties; n test rows, half of
    them in each class. As published (``doubled_rows``): 2n rows of each class, of which 2n at random are for training
    and 2n for testing; the first n training rows are dealt out, the others belong to nobody. Equal parts are the
    report's: which party has a row then depends on the other rows, so no ε of a choice or vote is promised here.

    Claims: def-study

    Parameters
    ----------
    setting : n, p and ρ
    faults : whether rows are doubled
    rng : where the rows come from

    Examples
    --------
    >>> from fdpedu.sources.gubler.faults import PUBLISHED
    >>> rows = draw_sample(Setting(3, 250, 10, 5, "0.3"), PUBLISHED, np.random.default_rng(0))
    >>> rows.X.shape, rows.X_test.shape, [len(rows.of_party(k)[1]) for k in range(5)]
    ((500, 10), (500, 10), [50, 50, 50, 50, 50])
    """
    require_type(setting, Setting, "setting")
    require_type(faults, Faults, "faults")
    require_type(rng, np.random.Generator, "rng")
    n, p, rho = setting.n, setting.p, setting.rho
    party = np.arange(n, dtype=np.int64) % PARTIES  # the rows come in random order
    if not faults.doubled_rows:
        return Sample(*mixture(n, p, rho, rng), party, *mixture(n, p, rho, rng))
    X, y = mixture(4 * n, p, rho, rng)
    nobody = np.full(n, -1, dtype=np.int64)
    return Sample(X[: 2 * n], y[: 2 * n], np.concatenate([party, nobody]), X[2 * n :], y[2 * n :])
