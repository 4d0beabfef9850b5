"""Forged rows in the leaves of a tree: the law of a label, the best division of rows, and the exact worst case."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, product
from types import ModuleType
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.cart import fit_cart
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.poisoning.attacks import (
    ADD_REMOVE,
    FORGER,
    MEAN,
    NEAR,
    Counts,
    Pairs,
    ahead,
    beyond,
    drawn,
    joint_accuracy,
    label_law,
    paired,
    reach,
    within,
    worst_accuracy,
)
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain, Numeric
from fdpedu.exact import Enclosure, Rate
from fdpedu.federation import Party
from fdpedu.mechanisms import discrete_laplace_pmf, permute_and_flip_pmf
from fdpedu.poisoning import best_attack, poisoning_curve, structured_bound, worst_case
from fdpedu.poisoning.knapsack import least_value
from fdpedu.poisoning.labels import gap_tail, label_drawn, label_of_counts, least_reach
from fdpedu.privatree import fit_privatree
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Tree

CLOSE = Fraction(1, 2**80)
CLASSES = ("well", "ill")
ONE, HALF = Fraction(1), Fraction(1, 2)


# --- the law of a label ---------------------------------------------------------------------------------------------


def two_noises(alpha: Fraction, most: int) -> None:
    """Sums over both shipped noises, up to a remainder, are the formula for Pr[Z > u] and its two roundings."""
    rate, terms, wide = Rate.of(alpha=alpha), 400, range(-400, 401)
    law = {j: _fraction(discrete_laplace_pmf(j, alpha=alpha)) for j in range(-terms - most - 1, terms + most + 2)}
    masses = [sum((law[j] * law[j + k] for j in wide), Fraction(0)) for k in range(most + 1)]
    rest = 2 * (most + 1) * alpha**terms
    for u in range(most + 1):
        stated = (1 - alpha) / (1 + alpha) ** 2 * alpha ** (u + 1) * (u + (2 + alpha + alpha**2) / (1 - alpha**2))
        exact = (1 - masses[0]) / 2 - sum(masses[1 : u + 1])
        require(abs(stated - exact) <= rest, f"Pr[Z > {u}] is {float(exact)}, by the formula {float(stated)}")
        ends = gap_tail(rate, u, up=False), gap_tail(rate, u, up=True)
        require(ends[0] <= stated <= ends[1], f"Pr[Z > {u}] is {float(stated)}, rounded {list(map(float, ends))}")
        require(ends[1] - ends[0] <= CLOSE, f"rounding is coarse: {float(ends[1] - ends[0])}")


def _fraction(value: Fraction | Enclosure) -> Fraction:
    return value if isinstance(value, Fraction) else value.lower


def labelled(epsilon: Fraction, lead: int, u: int) -> None:
    """For a rational ε: tails rounded to their sides, labels of both classes never too likely, rising with the lead."""
    rate, exact = Rate(rate=epsilon), beyond(epsilon, u)
    ends = gap_tail(rate, u, up=False), gap_tail(rate, u, up=True)
    sound = ends[0] <= exact.upper and exact.lower <= ends[1] and ends[1] - ends[0] <= CLOSE
    require(sound, f"Pr[Z > {u}] is {exact}, rounded {list(map(float, ends))}")
    for first in (True, False):
        kept, stated = label_of_counts(rate, first=first), ahead(epsilon, lead, first)
        require(stated.lower - CLOSE <= kept(lead) <= stated.upper, f"{float(kept(lead))} is stated, it is {stated}")
        require(kept(lead) <= kept(lead + 1), f"a row more makes {float(kept(lead))} less")
    both = label_of_counts(rate, first=True)(lead) + label_of_counts(rate, first=False)(-lead)
    require(1 - CLOSE <= both <= 1, f"the two classes have together {float(both)}")
    chosen, exact = label_drawn(rate)(lead), drawn((max(lead, 0), max(-lead, 0)), epsilon)[0]
    require(exact.lower - CLOSE <= chosen <= exact.upper, f"{float(chosen)} is stated of a drawn label, it is {exact}")


def reached(epsilon: Fraction, miss: Fraction) -> None:
    """The least u that the difference exceeds with no more than this probability."""
    found, expected = least_reach(Rate(rate=epsilon), miss), reach(epsilon, miss)
    require(found == expected, f"it says {found}, and the least is {expected}")


# --- the best division ----------------------------------------------------------------------------------------------


def divided(tables: tuple[Counts, ...]) -> None:
    """The least sum over all divisions of at most x rows among the leaves; and the division has it."""
    rows = len(tables[0]) - 1
    least, division = least_value(tables, rows)
    parts = (some for some in product(range(rows + 1), repeat=len(tables)) if sum(some) <= rows)
    exact = min(_sum(tables, some) for some in parts)
    require(least == exact, f"the least sum is {exact}, not {least}")
    fits = len(division) == len(tables) and min(division) >= 0 and sum(division) <= rows
    require(fits and _sum(tables, division) == exact, f"the division {division} does not have it")


def _sum(tables: tuple[Counts, ...], division: tuple[int, ...]) -> int:
    return sum(table[x] for table, x in zip(tables, division, strict=True))


def falling(entries: int) -> list[Counts]:
    """All tables with so many entries from 0 to 3 that never rise."""
    return [some[::-1] for some in combinations_with_replacement(range(4), entries)]


def random_tables(draw: ModuleType) -> Any:
    """Two to five tables for up to four rows."""

    def of(size: tuple[int, int]) -> Any:
        table = draw.st.lists(draw.integers(0, 99), min_size=size[1] + 1, max_size=size[1] + 1)
        return draw.tuples(*[table.map(lambda some: tuple(sorted(some, reverse=True)))] * size[0])

    return draw.tuples(draw.integers(2, 5), draw.integers(1, 4)).flatmap(of).map(lambda tables: (tables,))


# --- the worst case, with public splits -----------------------------------------------------------------------------


@lru_cache(maxsize=16)
def public_tree(n_leaves: int, leaves: str, epsilon: Fraction, seed: int = 0) -> Tree:
    """A tree with one or two leaves, of public splits; what its leaves released does not matter here."""
    domain = Domain([Numeric.grid("x", 0, 2, bins=2)], CLASSES)
    public = fit_cart([[0.5], [1.5]], CLASSES, grid=domain, max_depth=n_leaves - 1)
    owner = Party([[0.5]], domain, labels=[CLASSES[0]])
    chosen: dict[str, Any] = {"max_depth": n_leaves - 1, "splits": public, "leaves": leaves}
    return fit_privatree(owner, Ledger(epsilon), rng=Rehearsal(seed), **chosen)


def rows_of(counts: Pairs) -> tuple[list[list[float]], list[str]]:
    """So many rows of both classes in each leaf."""
    cells = [(leaf, label) for leaf, pair in enumerate(counts) for label in (0, 1) for _ in range(pair[label])]
    return [[leaf + 0.5] for leaf, _ in cells], [CLASSES[label] for _, label in cells]


def worst(kind: str, train: Pairs, tests: Pairs, epsilon: Fraction, rows: int) -> None:
    """The stated worst case is that over all added and removed rows and the joint law of all labels; it is attained.

    Of labels that are drawn, or of noisy counts. By the structured bound for the first, and by the attack for both.
    """
    tree, exact = public_tree(len(train), kind, epsilon), worst_accuracy(kind, train, tests, epsilon, rows)
    if kind == "labels":
        bound = structured_bound(clean_leaves(train, tests, epsilon), epsilon, rows)
        _same("the structured bound", bound, exact)
    if any(map(sum, train)):
        (X, y), (train_X, train_y) = rows_of(tests), rows_of(train)
        _same("the worst case", worst_case(tree, X, y, train_X, train_y, rows), exact)
        forged, labels = best_attack(tree, X, y, train_X, train_y, rows)
        after = [list(pair) for pair in train]
        for (x,), label in zip(forged, labels, strict=True):
            after[int(x)][CLASSES.index(label)] += 1
        attacked = joint_accuracy(kind, paired([n for pair in after for n in pair]), tests, epsilon)
        require(
            len(labels) <= rows and attacked.lower <= exact.upper, f"the attack leaves {attacked}, least is {exact}"
        )


def _same(what: str, bound: Fraction, exact: Enclosure) -> None:
    near = exact.lower - NEAR * 2**8 <= bound <= exact.upper
    require(near, f"{what} is {float(bound):.9f}, the least mean accuracy {float(exact):.9f}")


def clean_leaves(train: Pairs, tests: Pairs, epsilon: Fraction) -> list[tuple[int, int, Fraction]]:
    """Test rows of both classes, and how likely the better label is on the clean data."""
    better = [int(b > a) for a, b in tests]
    laws = [label_law("labels", counts, epsilon) for counts in train]
    return [(a, b, law[label].lower) for (a, b), law, label in zip(tests, laws, better, strict=True)]


def small_trees(rows: int) -> Iterator[tuple[str, Pairs, Pairs, Fraction, int]]:
    """One and two leaves, empty ones and clear ones; test rows of one class or both; up to so many forged rows."""
    train, tests = ((0, 0), (1, 0), (0, 3), (2, 1)), ((1, 0), (1, 3), (2, 2))
    for kind, x in product(("labels", "counts"), range(rows + 1)):
        yield from ((kind, (one,), (test,), ONE, x) for one in train for test in tests)
    for kind in ("labels", "counts"):
        for pair in product(train, repeat=2):
            yield from ((kind, pair, both, HALF, rows) for both in (((1, 0), (1, 3)), ((3, 1), (2, 2))))


# --- private splits -------------------------------------------------------------------------------------------------

TEST = ((0, 0, 0), (0, 0, 0), (0, 1, 1), (1, 1, 1), (1, 0, 1))  # two features of two bins, and a class
CELLS = tuple(product((0, 1), repeat=3))
SPLIT_EPSILON, LEAF_EPSILON = Fraction(1, 3), Fraction(1, 2)


@lru_cache(maxsize=4096)
def split_law(counts: Counts) -> tuple[Enclosure, ...]:
    """One of two features is drawn by permute-and-flip, on the number of rows that majorities would take rightly."""
    utilities = [sum(map(max, leaf_counts(counts, feature))) for feature in (0, 1)]
    return tuple(_enclosure(p) for p in permute_and_flip_pmf(utilities, SPLIT_EPSILON, monotone=True))


def _enclosure(value: Fraction | Enclosure) -> Enclosure:
    return value if isinstance(value, Enclosure) else Enclosure.exactly(value)


def leaf_counts(counts: Counts, feature: int) -> Pairs:
    """The class counts on both sides of a feature."""
    sides = [[0, 0], [0, 0]]
    for n, cell in zip(counts, CELLS, strict=True):
        sides[cell[feature]][cell[2]] += n
    return paired([n for side in sides for n in side])


TESTS = tuple(leaf_counts(tuple(TEST.count(cell) for cell in CELLS), feature) for feature in (0, 1))


@lru_cache(maxsize=4096)
def whole_accuracy(counts: Counts) -> Enclosure:
    """The mean accuracy of the tree whose split and labels are drawn on these rows."""
    parts = zip(split_law(counts), (0, 1), strict=True)
    return Enclosure.sum(
        p * joint_accuracy("labels", leaf_counts(counts, feature), TESTS[feature], LEAF_EPSILON) for p, feature in parts
    )


def private_splits(counts: Counts, rows: int) -> None:
    """The curve of the mean of V over the clean splits is below the accuracy on all data within x rows.

    And the price of the splits is the curve around what the leaves leave.
    """
    left = []
    for feature in (0, 1):
        leaves = clean_leaves(leaf_counts(counts, feature), TESTS[feature], LEAF_EPSILON)
        left.append(structured_bound(leaves, LEAF_EPSILON, rows))
        outer = structured_bound(leaves, LEAF_EPSILON, rows, epsilon_structure=SPLIT_EPSILON)
        stated = poisoning_curve(left[-1], SPLIT_EPSILON, rows)
        require(outer == stated, f"with the splits it is {float(outer)}, the curve says {float(stated)}")
    mean = sum((p.lower * value for p, value in zip(split_law(counts), left, strict=True)), Fraction(0))
    bound = poisoning_curve(mean, SPLIT_EPSILON, rows)
    for there in within(counts, rows):
        found = whole_accuracy(there)
        require(bound <= found.upper, f"the bound is {float(bound)}, rows {there} leave {found}")


def small_data(rows: int) -> Iterator[tuple[Counts, int]]:
    """No row, each row, and two data sets with three; up to so many forged rows."""
    some = [Counts(int(k == at) for k in range(8)) for at in (-1, *range(8))]
    for counts in (*some, (2, 0, 0, 1, 0, 0, 0, 0), (1, 0, 0, 1, 0, 0, 0, 1)):
        yield from ((counts, x) for x in range(rows + 1))


CLAIMS = (
    Claim(
        "lem-gap-law",
        "The label of the larger of two noisy counts",
        "poisoning",
        "this book",
        status="checked",
        code=(
            "fdpedu.poisoning.labels",
            "fdpedu.poisoning.labels.gap_tail",
            "fdpedu.poisoning.labels.label_of_counts",
            "fdpedu.poisoning.labels.least_reach",
        ),
        checks=(
            Check(
                "two noises",
                "exact",
                "three α, u up to {size}: sums over both shipped noises, up to 400 terms, against the formula",
                two_noises,
                lambda most: product((Fraction(1, 4), Fraction(1, 2), Fraction(4, 5)), (most,)),
                3,
                12,
            ),
            Check(
                "labels",
                "property",
                "{size} random ε, leads and u: tails and labels never on the wrong side, ties to the first class",
                labelled,
                lambda draw: draw.tuples(
                    draw.st.fractions(Fraction(1, 20), 3, max_denominator=20),
                    draw.integers(-30, 30),
                    draw.integers(0, 40),
                ),
                30,
                3000,
            ),
            Check(
                "far tails",
                "exact",
                "three ε, tails and leads up to {size}, where a probability is less than one unit: the same",
                labelled,
                lambda most: product(
                    (Fraction(1, 2), Fraction(39, 20), Fraction(3)), (-most, -most // 2, most), (most // 3, most)
                ),
                200,
                2000,
            ),
            Check(
                "reach",
                "exact",
                "three ε, probabilities from 1/{size} to one half: the least u",
                reached,
                lambda most: product(
                    (Fraction(1, 5), ONE, Fraction(3)), (Fraction(1, k) for k in (2, 3, 7, 20, 101, most))
                ),
                1000,
                100_000,
            ),
        ),
        assumptions=("two classes", "discrete Laplace noise of one rate on both counts", "rounded to the safe side"),
        uses=(),
        statement=r"""Let $Z$ be the difference of two independent discrete Laplace numbers, $0<\alpha<1$. It is
symmetric, and for integers $u\ge0$

$$
\Pr[Z>u]=\frac{1-\alpha}{(1+\alpha)^2}\,\alpha^{u+1}\Bigl(u+\frac{2+\alpha+\alpha^2}{1-\alpha^2}\Bigr) ,
$$

which rises with $\alpha$. If the larger of two noisy counts gives the label, and the first class wins ties, a class
that is $g$ rows ahead has the label with probability $\Pr[Z\ge-g]$ if it is the first one, else $\Pr[Z>-g]$; neither
falls as $g$ grows.""",
    ),
    Claim(
        "thm-structured-poisoning",
        "Forged rows in the leaves of a tree",
        "poisoning",
        "this book",
        status="checked",
        code=(
            "fdpedu.poisoning.knapsack",
            "fdpedu.poisoning.knapsack.least_value",
            "fdpedu.poisoning.labels.label_drawn",
            "fdpedu.poisoning.structured",
            "fdpedu.poisoning.structured.structured_bound",
            "fdpedu.poisoning.certificate.worst_case",
            "fdpedu.poisoning.certificate.best_attack",
        ),
        checks=(
            Check(
                "all divisions",
                "exhaustive",
                "two leaves, all tables with {size} entries from 0 to 3 that never rise: over all divisions",
                divided,
                lambda entries: ((tables,) for tables in product(falling(entries), repeat=2)),
                4,
                6,
            ),
            Check(
                "more leaves",
                "property",
                "{size} random tables of two to five leaves, up to four rows: over all divisions",
                divided,
                random_tables,
                60,
                3000,
            ),
            Check(
                "worst case",
                "exhaustive",
                "one and two leaves of up to three rows, labels drawn or of noisy counts, up to {size} rows added or "
                "removed: over all of them, with the joint law of the labels",
                worst,
                small_trees,
                2,
                3,
            ),
            Check(
                "private splits",
                "exhaustive",
                "two candidate splits drawn by permute-and-flip, up to three rows: all data within {size} rows",
                private_splits,
                small_data,
                2,
                3,
            ),
        ),
        assumptions=(ADD_REMOVE, FORGER, MEAN, "two classes", "bounds are rounded down"),
        uses=("thm-poisoning-curve", "lem-leaf-label", "lem-gap-law"),
        statement=r"""Let the splits $S$ of a tree be released by an $\varepsilon_s$-DP mechanism, and then, for given
splits, a label of every leaf, each $\varepsilon_l$-DP in the records of its leaf and a function of those only; all
under add/remove. Let two classes and $n$ test rows be fixed. For splits $S$ let leaf $\ell$ hold $a_\ell$ and
$b_\ell$ test rows of the two classes, and let $q_\ell$ be the probability, on the clean data $D$, of the label that
is right more often. Let

$$
V_x(S)=\min_{\sum_\ell x_\ell\le x}\ \frac1n\sum_\ell\Bigl(\min(a_\ell,b_\ell)
+|a_\ell-b_\ell|\,f_{\varepsilon_l}^{\circ x_\ell}(q_\ell)\Bigr) .
$$

After $x$ forged rows the mean accuracy on the test rows is at least $f_{\varepsilon_s}^{\circ x}\bigl(\mathbb
E\,V_x(S)\bigr)$, the mean over the splits of the clean data. With public splits ($\varepsilon_s=0$) and labels that
permute-and-flip draws on class counts, $V_x$ *is* the least mean accuracy that $x$ forged rows can reach.""",
    ),
)

_GREEDY = """at, sums = [0] * len(worth), [int(worth[:, 0].sum())]
    for _ in range(worth.shape[1] - 1):
        drops = [int(table[k] - table[k + 1]) if k + 1 < len(table) else 0 for table, k in zip(worth, at)]
        best = drops.index(max(drops))
        at[best] += 1
        sums.append(sums[-1] - drops[best])
    return np.array(sums), [np.arange(worth.shape[1])] * len(worth)
    least, choices = worth[0], [np.arange(worth.shape[1])]"""

TWINS = (
    Broken(
        "a greedy division",
        "fdpedu.poisoning.knapsack.best_sums",
        "least, choices = worth[0], [np.arange(worth.shape[1])]",
        _GREEDY,
        "The forger gives each row to the leaf where it does most at the moment.",
        "thm-structured-poisoning",
        "all divisions",
    ),
    Broken(
        "the price of the splits forgotten",
        "fdpedu.poisoning.structured.structured_bound",
        "return poisoning_curve(inner, outer, x) if outer else inner",
        "return inner",
        "Forged rows end in leaves, and only the labels of leaves decide.",
        "thm-structured-poisoning",
        "private splits",
    ),
    Broken(
        "training rows for test rows",
        "fdpedu.poisoning.certificate._true_leaves",
        '_class_counts(tree, X, y, "y"), ',
        '_class_counts(tree, train_X, train_y, "y"), ',
        "Which label of a leaf is the better one, the rows say that were learnt from.",
        "thm-structured-poisoning",
        "worst case",
    ),
    Broken(
        "a tie for the wrong class",
        "fdpedu.poisoning.labels.label_of_counts",
        "ahead = lead + first",
        "ahead = lead + (not first)",
        "In a tie the class that is called 1 wins.",
        "lem-gap-law",
        "labels",
    ),
)
