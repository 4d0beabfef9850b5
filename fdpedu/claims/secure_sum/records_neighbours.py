"""Chapter 5. Masks with a few neighbours: what is seen, and how often it is more than the total."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum import laws_neighbours as law
from fdpedu.claims.secure_sum import laws_splits as splits

GRAPHS, SPLITS = "fdpedu.secure_sum.neighbours", "fdpedu.secure_sum.splits"
THIRDS = (Fraction(1, 2), Fraction(1, 3), Fraction(3, 4))

CLAIMS = (
    Claim(
        "thm-neighbours",
        "Masks with neighbours",
        "secure_sum",
        "after Bell et al. 2020; the accounting is this book's",
        status="proved+checked",
        code=(GRAPHS, *(f"{GRAPHS}.{name}" for name in "commit_coins joint_coins components neighbour_masks".split())),
        checks=(
            Check(
                "component sums",
                "exhaustive",
                "all graphs on two to four parties, all numbers of them gone, all values and all masks, R to {size}",
                law.component_sums,
                law.small_graphs,
                3,
            ),
            Check(
                "a bad graph",
                "exact",
                "two parties, four distributions of a share, four probabilities that they share no masks: δ is enough",
                law.delta_is_added,
                lambda _: product(
                    ((4, 2, 1), (9, 3, 1, 3), (8, 4, 2, 1, 2, 4), (2, 1)), map(Fraction, ("1/100", "1/3", "1", "3/4"))
                ),
            ),
            Check(
                "coins",
                "exact",
                "two to {size} parties: coins that were not committed to, and other lists, are refused",
                law.coins_are_common,
                lambda most: ((n,) for n in range(2, most + 1)),
                5,
                12,
            ),
        ),
        assumptions=(
            "parties and aggregator are honest but curious",
            "who colludes, and who is missing, does not depend on the graph",
            "ideal masks",
            "integers mod $R$",
        ),
        uses=("asm-key-stream", "thm-sum-colluders", "asm-signatures", "lem-canonical"),
    ),
    Claim(
        "lem-ring-splits",
        "Rings that fall apart",
        "secure_sum",
        "this book; for the graphs of Bell et al. 2020",
        status="proved+checked",
        code=(
            SPLITS,
            f"{GRAPHS}.Ring",
            f"{GRAPHS}.random_order",
            f"{SPLITS}.failure_probability",
            f"{SPLITS}.neighbours_needed",
        ),
        checks=(
            Check(
                "placings",
                "exhaustive",
                "two to {size} parties, all widths, all placings of those that are gone, colluding or missing",
                splits.ring_splits,
                splits.small_rings,
                11,
                13,
            ),
            Check(
                "orders",
                "exhaustive",
                "three to {size} parties, all outcomes of the draws: every order once, every circle equally often",
                splits.every_order,
                lambda most: ((n,) for n in range(3, most + 1)),
                5,
                7,
            ),
            Check(
                "chosen",
                "exhaustive",
                "three to {size} parties, all placings of the colluders, all choices of the missing: the bound holds",
                splits.ring_is_split,
                splits.small_choices,
                6,
                9,
            ),
            Check(
                "least",
                "exact",
                "5 to {size} parties, colluders and missing ones: the ring that is said to be needed, and the next one",
                splits.least_ring,
                lambda most: (
                    (n, c, m, Fraction(1, 2**bits))
                    for n in (5, 8, 20, 50, 100)
                    for c, m, bits in ((0, 0, 10), (n // 5, 0, 20), (n // 10, n // 10, 5))
                    if n <= most
                ),
                20,
                100,
            ),
        ),
        assumptions=("the order is uniform, and independent of who colludes and, unless bounded, of who is missing",),
    ),
    Claim(
        "lem-edges-split",
        "Independent edges that do not connect",
        "secure_sum",
        "this book; the recursion is Gilbert's (1959)",
        status="proved+checked",
        code=(SPLITS, f"{GRAPHS}.Edges", f"{SPLITS}.connected", f"{SPLITS}.failure_probability"),
        checks=(
            Check(
                "all graphs",
                "exhaustive",
                "all graphs on up to {size} parties with three probabilities, all numbers that are gone or chosen",
                splits.edges_split,
                lambda most: product(range(1, most + 1), THIRDS),
                4,
                5,
            ),
            Check(
                "draws",
                "exhaustive",
                "two to {size} parties, all outcomes of the draws: every graph with its probability",
                splits.edges_drawn,
                lambda most: product(range(2, most + 1), map(Fraction, ("1/3", "1/2", "0", "1"))),
                3,
                4,
            ),
        ),
        assumptions=("edges are independent of one another and of who is gone",),
    ),
    Claim(
        "lem-neighbour-shares",
        "Shares among neighbours",
        "secure_sum",
        "this book; the conditions are those of Bell et al. 2020",
        status="proved+checked",
        code=(SPLITS, f"{SPLITS}.sharing_risk", f"{SPLITS}.neighbours_needed"),
        checks=(
            Check(
                "rings",
                "exhaustive",
                "three to {size} parties, all k, thresholds and placings of colluders and missing ones: bounds hold",
                splits.ring_shares,
                splits.small_choices,
                5,
                8,
            ),
            Check(
                "edges",
                "exhaustive",
                "all graphs on two to {size} parties, three values of q: what is opened exactly, what is lost bounded",
                splits.edge_shares,
                lambda most: product(range(2, most + 1), THIRDS),
                4,
                5,
            ),
        ),
        assumptions=("the aggregator is curious, and honest about who survived",),
    ),
)
