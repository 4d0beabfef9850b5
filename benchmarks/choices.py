"""Choices: one exact draw among m candidates against NumPy's maximum of utilities with float Gumbel noise."""

from collections.abc import Iterator

import numpy as np

from benchmarks.pairs import Row, cpu


def rows() -> Iterator[Row]:
    from fdpedu.mechanisms import exponential, permute_and_flip, report_noisy_max
    from fdpedu.randomness import Rehearsal

    rng, source = np.random.default_rng(0), Rehearsal(0)
    for m in (100, 1000, 10_000, 100_000):
        utilities = rng.integers(0, 50, m)
        times = max(1, 100_000 // m)
        gumbel = cpu(lambda u=utilities, m=m: np.argmax(u + rng.gumbel(size=m)), times)
        for choose in (exponential, permute_and_flip, report_noisy_max):
            yield Row(
                "a choice / numpy's Gumbel maximum",
                f"{choose.__name__}, m = {m:,}",
                cpu(lambda f=choose, u=utilities: f(u, "1/2", source), max(1, times // 20)),
                gumbel,
                limit=50.0 if m == 1000 else None,
                quick=m == 1000,
            )
