"""``python -m benchmarks``: every ratio with its limit; exit status 1 if one is beyond it.

Each pair is timed in turn, A B A B …, after one warm-up; the ratio is the median over pairs, so a machine whose speed
drifts does not matter. CPU time of the process (and its children, for imports).
"""

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
PAIRS = 15
DRAWS = 1_000_000
GENERATOR = np.random.default_rng(0)


def imports(statement: str) -> Callable[[], float]:
    def run() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", statement], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return run


def cpu(action: Callable[[], object]) -> Callable[[], float]:
    def run() -> float:
        start = time.process_time()
        action()
        return time.process_time() - start

    return run


def ratio(a: Callable[[], float], b: Callable[[], float]) -> tuple[float, float, float]:
    """Median, smallest and largest of a/b over pairs."""
    a(), b()
    ratios = sorted(a() / b() for _ in range(PAIRS))
    return statistics.median(ratios), ratios[0], ratios[-1]


def inexact_share(rate, carriers, size, source):
    """What the exact share is compared with: NumPy's floating-point negative binomial."""
    p = 1 - np.exp(-float(rate))
    return GENERATOR.negative_binomial(1 / carriers, p, size) - GENERATOR.negative_binomial(1 / carriers, p, size)


def fits() -> tuple[Callable[[], object], Callable[[], object], Callable[[], object]]:
    """A whole demo fit (parties, keys, rounds, tree, derivation) with exact and with inexact noise; a plain CART."""
    from sklearn.tree import DecisionTreeClassifier

    from fdpedu.accounting import Ledger
    from fdpedu.datasets import wisconsin
    from fdpedu.federation import Federation, Party, party
    from fdpedu.trees import fit_federated_tree

    X, y, domain = wisconsin()
    exact = party.polya_share

    def fit(share) -> object:
        party.polya_share = share
        try:
            hospitals = [Party(X[k:400:5], domain, labels=y[k:400:5]) for k in range(5)]
            return fit_federated_tree(Federation(hospitals, domain, Ledger(1)), max_depth=3).derivation.guarantee
        finally:
            party.polya_share = exact

    plain = DecisionTreeClassifier(max_depth=3, min_samples_split=10)
    return lambda: fit(exact), lambda: fit(inexact_share), lambda: plain.fit(X[:400], y[:400])


def noise(epsilon, generator=None) -> Callable[[], object]:
    """A million exact draws, from the system's entropy or from a generator's words."""
    from fdpedu.mechanisms import discrete_laplace

    zeros = np.zeros(DRAWS, dtype=np.int64)
    return lambda: discrete_laplace(zeros, epsilon, generator)


def share(draw) -> Callable[[], object]:
    """A hundred thousand noise shares of one of five parties."""
    from fdpedu.exact import Rate
    from fdpedu.randomness import Rehearsal

    rate, source = Rate.of(epsilon=1), Rehearsal(0)
    return lambda: draw(rate, 4, DRAWS // 10, source)


def peer(name: str, scale: float = 1.0) -> Callable[[], float]:
    """What a million draws cost another library, from ten thousand in its own environment."""
    python, script = ROOT / ".peers" / "bin" / "python", ROOT / "peers" / "speed.py"

    def run() -> float:
        command = [str(python), str(script), name, str(scale), "10000"]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout) * DRAWS / 10_000

    return run


def repeated(action: Callable[[], object], times: int) -> Callable[[], object]:
    def run() -> None:
        for _ in range(times):
            action()

    return run


def main() -> int:
    from fdpedu.dlpa import polya_share
    from fdpedu.randomness import Rehearsal

    exact, inexact, plain = fits()
    floats = cpu(lambda: GENERATOR.laplace(size=DRAWS))
    seeded = Rehearsal(0)
    rows = [
        ("import fdpedu / import numpy", imports("import fdpedu"), imports("import numpy"), 1.3),
        ("import fdpedu.trees / import numpy", imports("import fdpedu.trees"), imports("import numpy"), None),
        ("discrete Laplace, seeded / numpy's float Laplace", cpu(noise(1, seeded)), floats, 1.0),
        ("discrete Laplace, system's entropy / the same", cpu(noise(1)), floats, 1.5),
        ("discrete Laplace, ε = 1/1000, seeded / the same", cpu(noise("1/1000", seeded)), floats, 1.5),
        ("discrete Laplace / OpenDP's, a vector", cpu(noise(1)), peer("opendp"), 1 / 200),
        ("discrete Laplace / diffprivlib's, one by one", cpu(noise(1)), peer("diffprivlib"), 1 / 200),
        ("Pólya share / numpy's inexact one", cpu(share(polya_share)), cpu(share(inexact_share)), None),
        ("demo fit / the same with inexact noise", cpu(repeated(exact, 10)), cpu(repeated(inexact, 10)), 3.0),
        ("demo fit / scikit-learn's tree", cpu(repeated(exact, 10)), cpu(repeated(plain, 10)), None),
    ]
    print(f"{'ratio of CPU time':<50} {'median':>7} {'min':>7} {'max':>7} {'limit':>7}")
    beyond = False
    for name, a, b, limit in rows:
        median, least, most = ratio(a, b)
        failed = limit is not None and median > limit
        beyond |= failed
        shown = f"{limit:>7.3f}" if limit is not None else "      -"
        print(f"{name:<50} {median:>7.3f} {least:>7.3f} {most:>7.3f} {shown}{'  BEYOND' if failed else ''}", flush=True)
    return int(beyond)


sys.exit(main())
