"""Division of integers with the quotient rounded up, where ``//`` and ``>>`` round down."""


def ceil_div(numerator: int, denominator: int) -> int:
    """⌈numerator/denominator⌉, exactly, for integers of any size and sign; ``//`` is the floor.

    >>> ceil_div(7, 2), ceil_div(-7, 2), ceil_div(8, 2)
    (4, -3, 4)
    """
    return -(-numerator // denominator)


def ceil_shift(number: int, bits: int) -> int:
    """⌈number/2^bits⌉, exactly, for integers of any size and sign; ``>>`` is the floor.

    >>> ceil_shift(9, 3), ceil_shift(-9, 3), ceil_shift(8, 3)
    (2, -1, 1)
    """
    return -(-number >> bits)
