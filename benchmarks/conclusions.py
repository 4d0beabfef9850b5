"""What the stored numbers say, in plain sentences for the top of the book's page on speed.

Each sentence is computed from the numbers, so it says the opposite when they do.
"""

from fractions import Fraction
from statistics import mean
from typing import Any

from benchmarks.tables import Kept
from fdpedu.datasets import BENCHMARK

LARGE = 5000  # rows, of a data set that is called large here
PRIVATE, ORDINARY = "default, tolerate=1", "CART"
SIZES = {data.name: data.size for data in BENCHMARK}


def on_accuracy(accuracy: Kept, epsilon: str = "1") -> str:
    """What privacy costs in points of accuracy, on large and on small data, and whether rows help."""
    lost = points_lost(accuracy, epsilon)
    large = mean(points for name, points in lost.items() if SIZES[name] >= LARGE)
    small = mean(points for name, points in lost.items() if SIZES[name] < LARGE)
    costs = f"At ε = {epsilon}, a private tree from {LARGE:,} rows or more is right for {_fewer(large)} of 100 test "
    costs += f"rows than an ordinary tree; from fewer rows it is right for {_fewer(small)}."
    return f"{costs} More rows {'make' if large < small else 'did not make'} privacy cheaper."


def points_lost(accuracy: Kept, epsilon: str) -> dict[str, float]:
    """For each data set, by how many points of accuracy the private tree lies below the ordinary one."""
    means = {(row["data"], row["method"]): row["mean"] for row in accuracy["records"] if row["epsilon"] == epsilon}
    return {name: 100 * (means[name, ORDINARY] - means[name, PRIVATE]) for name, method in means if method == PRIVATE}


def on_time(speed: Kept) -> str:
    """A fit against LightGBM's, from many rows and from few."""
    group, rest = "a fit from raw values / LightGBM from raw values", "rows × 20, 32 bins, 2 classes, depth 5"
    many, few = (_row(speed, group, f"{rows} {rest}") for rows in ("1,000,000", "1,000"))
    said = f"From a million rows, a private tree takes {many['median']:.2g} times the CPU time of LightGBM's tree. "
    said += f"From a thousand rows it takes {few['median']:.2g} times as long, which is {few['seconds']:.2g} seconds."
    if few["median"] > many["median"]:
        return f"{said} Few rows cost more because every count needs noise, even the empty ones."
    return f"{said} Few rows cost no more than many."


def on_parties(speed: Kept) -> str:
    """How the work of one party grows with their number, with many rows and with few."""
    group = "a fit of K parties / K/5 fits of 5"
    many, few = (_row(speed, group, f"{rows} rows, K = 100")["median"] for rows in ("1,000,000", "10,000"))
    said = "Divided among a hundred parties instead of five, the same rows give each party "
    said += f"{many:.2g} times the work if they are a million, and {few:.2g} times if they are ten thousand."
    if max(many, few) <= 1:
        return f"{said} A party's work does not grow with their number."
    if min(many, few) > 1:
        return f"{said} A party's work grows with their number."
    return f"{said} A party's work grows with their number where its own rows are few."


def on_delta(currencies: Kept, z: float = 2) -> str:
    """For each tree, at which ε the share of the gap with δ is larger than without by more than chance explains."""
    found = {
        (row["method"], row["delta"], row["epsilon"]): (row["share"], row["se"])
        for row in currencies["records"]
        if row["group"] == "all"
    }
    sentences = []
    for method in dict.fromkeys(key[0] for key in found):
        better, worse, level = list[str](), list[str](), list[str]()
        for epsilon in dict.fromkeys(key[2] for key in found):
            (pure, error), (rho, own) = (
                found[method, delta, epsilon] for delta in sorted({key[1] for key in found}, key=lambda d: d != "0")
            )
            sure = z * (error**2 + own**2) ** 0.5
            (better if rho - pure > sure else worse if pure - rho > sure else level).append(epsilon)
        parts = [
            f"{what} at ε = {', '.join(at)}"
            for what, at in (("closes more with δ", better), ("closes less with it", worse), ("is level", level))
            if at
        ]
        sentences.append(f"The tree *{method}* {', '.join(parts)}.")
    return " ".join(sentences) + " *Level* means within two standard errors."


def on_breast_cancer(accuracy: Kept, front_page: Kept) -> str:
    """Why this data set's accuracy is another one here than on the front page."""
    rows = (row for row in accuracy["records"] if (row["data"], row["epsilon"]) == ("breast cancer", "1"))
    here = next(row["mean"] for row in rows if row["method"] == PRIVATE)
    there = mean(front_page["by diagnosis"]["private"]) / front_page["patients"]
    noise = table_share(3, 2) / table_share(30, 5)
    said = f"Breast cancer is the data of the front page, too. At ε = 1 the tree there is right for {there:.0%} of the "
    said = f"{said}patients held back, and the tree here for {here:.0%}.".replace("%", " %")
    why = "Here all 30 features are asked about on five levels, there 3 features on two levels. So the same budget is "
    why += f"divided among more tables of counts here, and the noise of each count is {noise} times as large."
    return f"{said} {why}" if here < there else f"{said} More noise in each count did not make it worse here: {why}"


def table_share(features: int, levels: int) -> Fraction:
    """The part of the budget for one table of counts: half of it is for the leaves."""
    return Fraction(1, 2) / (features * levels)


def _row(speed: Kept, group: str, name: str) -> dict[str, Any]:
    return next(row for row in speed["ratios"] if (row["group"], row["name"]) == (group, name))


def _fewer(points: float) -> str:
    if abs(points) < 0.5:
        return "no fewer"
    return f"{points:.0f} fewer" if points > 0 else f"{-points:.0f} more"
