"""CPU seconds of N draws of integer Laplace noise in another library: ``python speed.py NAME SCALE N``."""

import sys
import time


def opendp(scale):
    import opendp.prelude as dp

    dp.enable_features("contrib")
    draw = dp.m.make_laplace(dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64"), scale=scale)
    return lambda n: draw([0] * n)


def diffprivlib(scale):
    from diffprivlib.mechanisms import Geometric

    mechanism = Geometric(epsilon=1 / scale, sensitivity=1)
    return lambda n: [mechanism.randomise(0) for _ in range(n)]


if __name__ == "__main__":
    name, scale, size = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    draw = {"opendp": opendp, "diffprivlib": diffprivlib}[name](scale)
    draw(100)
    start = time.process_time()
    draw(size)
    print(time.process_time() - start)
