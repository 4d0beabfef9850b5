"""The guarantees of Vos et al.: their bounds, and Tables III and VIII recomputed from their own columns.

All 311 printed numbers are e^{−xε}·accuracy, with x = ⌊share·⌊0.8·n⌋⌋ forged rows of the four fifths of n rows that
were learnt from, within the rounding of both numbers. Eight of them allow x = 0 rows: they certify nothing. And ε is
the printed one. At what the printed algorithm costs at most (without its line 7,
:func:`fdpedu.sources.vos.epsilon_at_most`), far fewer of the 170 of PrivaTree are left: 112 are 0 as they are rounded,
where 47 were printed as 0.

A line of the table has the data set, n, the number of features and how many of them are categorical; then, for
PrivaTree and for private logistic regression, at ε = 0.01 and at 0.1: the accuracy, and the guarantee against 0.1, 0.5
and 1 % of the rows. "-" was left out by the source; "?" is lost in our copy of it.

Claims: lem-printed-guarantees
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from fdpedu.exact import Enclosure, Rational, as_integer
from fdpedu.robust.curve import BITS, as_epsilon, as_share, exp_at_most_one

SHARES = (Fraction(1, 1000), Fraction(1, 200), Fraction(1, 100))
METHODS = ("PrivaTree", "logistic regression")
EPSILONS = (Fraction(1, 100), Fraction(1, 10))

_PRINTED = """
3 Bioresponse 3434 419 0: .522 .511 .458 .398 / .545 .446 .149 .037 / .539 .528 .473 ? / .539 .442 .147 .036
3 Diabetes130US 71090 7 0: .568 .324 .033 .002 / .600 .002 .000 .000 / .516 .295 .030 ? / .528 .002 .000 .000
3 Higgs 940160 24 0: .646 .000 .000 .000 / .659 .000 .000 .000 / .496 .000 .000 ? / .592 .000 .000 .000
3 MagicTelescope 13376 10 0: .652 .590 .384 .224 / .738 .271 .004 .000 / .598 .541 .352 ? / .662 .243 .003 .000
3 MiniBooNE 72998 50 0: .764 .428 .042 .002 / .852 .003 .000 .000 / .418 .234 .023 ? / .491 .001 .000 .000
3 bank-marketing 10578 7 0: .564 .521 .371 .243 / .733 .329 .011 .000 / .480 .443 .315 ? / .578 .260 .009 .000
3 california 20634 8 0: .699 .595 .308 .134 / .762 .154 .000 .000 / .509 .434 .224 ? / .564 .114 .000 .000
3 covtype 566602 10 0: .729 .008 .000 .000 / .747 .000 .000 .000 / .574 .006 .000 ? / .615 .000 .000 .000
3 credit 16714 10 0: .536 .471 .277 .142 / .725 .198 .001 .000 / .464 .408 .240 ? / .526 .143 .001 .000
3 default-of-credit 13272 20 0: .552 .499 .325 .191 / .676 .249 .003 .000 / .506 .458 .298 ? / .560 .206 .003 .000
3 electricity 38474 7 0: .670 .496 .145 .031 / .732 .036 .000 .000 / .484 .358 .105 ? / .505 .025 .000 .000
3 eye_movements 7608 20 0: .507 .477 .375 .278 / .515 .283 .026 .001 / .511 .481 .378 ? / .503 .276 .025 .001
3 heloc 10000 22 0: .593 .547 .397 .266 / .681 .306 .012 .000 / .534 .493 .358 ? / .524 .236 .010 .000
3 house_16H 13488 16 0: .615 .556 .362 .211 / .751 .276 .004 .000 / .489 .442 .288 ? / .499 .184 .002 .000
3 jannis 57580 54 0: .634 .400 .064 .006 / .705 .007 .000 .000 / .482 .304 .048 ? / .569 .006 .000 .000
3 pol 10082 26 0: .580 .535 .389 .261 / .859 .386 .016 .000 / .477 .440 .320 ? / .635 .285 .012 .000
8 albert 58252 31 10: .53 .34 .05 .01 / .63 .01 .00 .00 / .49 .31 .05 ? / .52 .01 .00 .00
8 compas-two-years 4966 11 8: .53 .51 .44 .36 / .61 .46 .09 .01 / .50 .48 .41 ? / .47 .35 .07 .01
8 covertype 423680 54 44: .74 .03 .00 .00 / .75 .00 .00 .00 / .54 .02 .00 ? / .65 .00 .00 .00
8 default-of-credit-card-clients 13272 21 1: .56 .50 .33 .19 / .67 .25 .00 .00 / .50 .45 .3 ? / .56 .21 .00 .00
8 electricity 38474 8 1: .64 .48 .14 .03 / .74 .04 .00 .00 / .52 .38 .11 ? / .52 .03 .00 .00
8 eye_movements 7608 23 3: .50 .47 .37 .28 / .51 .28 .03 .00 / .50 .47 .37 ? / .49 .27 .02 .00
8 road-safety 111762 32 3: .69 .28 .01 .00 / .72 .00 .00 .00 / .52 .21 .01 ? / .56 .00 .00 .00
8 adult 45222 14 8: .77 .54 .13 .02 / .82 .02 .00 .00 / .58 .40 .10 ? / .76 .02 .00 .00
8 breast-w 683 9 0: .69 .69 .68 .66 / .89 .89 .73 .54 / .45 .45 .44 ? / .73 .73 .60 .44
8 diabetes 768 8 0: .63 - .61 .59 / .66 - .49 .36 / .55 - .53 ? / .62 - .46 .34
8 mushroom 5644 22 22: .87 .83 .70 .55 / .98 .66 .11 .01 / .48 .46 .39 ? / .59 .39 .07 .01
8 nursery 12960 8 8: 1.00 .90 .60 .36 / 1.00 .37 .01 .00 / .61 .55 .37 ? / .95 .35 .01 .00
8 vote 232 16 16: .57 - .57 .57 / .75 - .75 .68 / .21 - .21 ? / .55 - .55 .50
"""


def poisoning_bound_as_printed(level: Rational, epsilon: Rational, rows: int) -> Fraction:
    """e^{−xε}·A, the bound of Vos et al. (Corollary 2), rounded down: right, and too small if A > 1/(1 + e^{−ε}).

    Claims: vos-theorem-4-as-printed

    Parameters
    ----------
    level, epsilon, rows : as for :func:`fdpedu.robust.poisoning_curve`

    Examples
    --------
    >>> print(f"{float(poisoning_bound_as_printed('0.9', '0.01', 91)):.3f}")
    0.362
    """
    expected, rate, x = as_share(level, "level"), as_epsilon(epsilon), as_integer(rows, "rows", minimum=0)
    lower = exp_at_most_one(Enclosure.exactly(-rate * x), 40).lower * expected
    return lower if not rate * x else Fraction(math.floor(lower * 2**BITS), 2**BITS)


def attack_success_bound_as_printed(clean_rate: Rational, epsilon: Rational, rows: int) -> Fraction:
    """1 − e^{−xε}·(1 − s), the bound of Vos et al. (Corollary 3), rounded up: right, and too large where s is small.

    Claims: vos-theorem-4-as-printed

    Parameters
    ----------
    clean_rate, epsilon, rows : as for :func:`fdpedu.robust.attack_success_bound`

    Examples
    --------
    >>> print(f"{float(attack_success_bound_as_printed('0.06', 1, 1)):.3f}")
    0.654
    """
    return 1 - poisoning_bound_as_printed(1 - as_share(clean_rate, "clean_rate"), epsilon, rows)


@dataclass(frozen=True)
class PrintedGuarantee:
    """One number of Table III or VIII, with what it was computed from.

    Parameters
    ----------
    table : 3 or 8
    data : the set's name
    n, features : rows, and features in all
    method : one of ``METHODS``
    epsilon : as printed
    accuracy : as printed, with three decimals (Table III) or two
    share : of the rows that may be forged
    guarantee : as printed, with as many decimals
    """

    table: int
    data: str
    n: int
    features: int
    method: str
    epsilon: Fraction
    accuracy: Fraction
    share: Fraction
    guarantee: Fraction

    @property
    def rows(self) -> int:
        """x = ⌊share·⌊0.8·n⌋⌋, the forged rows."""
        return math.floor(self.share * (4 * self.n // 5))

    @property
    def rounding(self) -> Fraction:
        """Half of the last printed digit."""
        return Fraction(1, 2000 if self.table == 3 else 200)

    def recomputed(self, epsilon: Rational | None = None) -> Fraction:
        """e^{−xε}·accuracy, rounded down; of the printed ε unless another is given.

        Claims: lem-printed-guarantees
        """
        return poisoning_bound_as_printed(self.accuracy, self.epsilon if epsilon is None else epsilon, self.rows)

    def agrees(self) -> bool:
        """Whether the printed guarantee is the recomputed one, within the rounding of both printed numbers.

        Claims: lem-printed-guarantees
        """
        factor = poisoning_bound_as_printed(1, self.epsilon, self.rows)
        slack = self.rounding * (1 + factor) + Fraction(1, 10**12)
        return abs(factor * self.accuracy - self.guarantee) <= slack


def printed_guarantees() -> tuple[PrintedGuarantee, ...]:
    """All of them, in the order of the tables.

    Claims: lem-printed-guarantees

    Examples
    --------
    >>> found = printed_guarantees()
    >>> len(found), sum(g.rows == 0 for g in found), all(g.agrees() for g in found)
    (311, 8, True)
    >>> first = found[0]
    >>> first.data, first.rows, float(first.guarantee), round(float(first.recomputed()), 3)
    ('Bioresponse', 2, 0.511, 0.512)
    """
    return tuple(found for line in _PRINTED.strip().splitlines() for found in _of_line(line))


def _of_line(line: str) -> Iterator[PrintedGuarantee]:
    head, cells = line.split(": ")
    table, data, n, features, _ = head.split()
    settings = ((method, epsilon) for method in METHODS for epsilon in EPSILONS)
    for (method, epsilon), cell in zip(settings, cells.split(" / "), strict=True):
        accuracy, *printed = cell.split()
        for share, number in zip(SHARES, printed, strict=True):
            if number not in "-?":
                yield PrintedGuarantee(
                    int(table),
                    data,
                    int(n),
                    int(features),
                    method,
                    epsilon,
                    Fraction(accuracy),
                    share,
                    Fraction(number),
                )
