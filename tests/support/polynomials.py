"""Polynomials of the field that is shipped, by another hand: through points, and from the words they are made of."""

from fdpedu.secure_sum import SEED_PRIME

BITS = 521  # of the shipped field: a coefficient is made of the first so many bits of nine words
WORDS = 9


def interpolated(points):
    """The coefficients, constant first, of the one polynomial of least degree through the points (Newton)."""
    found, basis = [0] * len(points), [1] + [0] * len(points)

    def at(polynomial, x):
        return sum(c * pow(x, i, SEED_PRIME) for i, c in enumerate(polynomial)) % SEED_PRIME

    for x, y in points:
        step = (y - at(found, x)) * pow(at(basis, x), -1, SEED_PRIME) % SEED_PRIME
        found = [(one + step * other) % SEED_PRIME for one, other in zip(found, basis, strict=False)]
        basis = [(low - x * high) % SEED_PRIME for low, high in zip([0, *basis], [*basis, 0], strict=False)][:-1]
    return found


def tape_of(coefficients, rest=0):
    """The words that these residues are made of; ``rest`` fills the bits that are dropped."""
    dropped = 64 * WORDS - BITS
    wide = [c << dropped | rest % 2**dropped for c in coefficients]
    return [one >> 64 * k & 2**64 - 1 for one in wide for k in reversed(range(WORDS))]
