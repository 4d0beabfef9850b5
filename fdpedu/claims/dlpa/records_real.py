"""The claims of chapter 6 on real values: real-valued shares, rounding after the noise, and before it."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.dependence import ALPHA
from fdpedu.claims.dlpa import laws_real as law
from fdpedu.claims.records import Check, Claim

REALS = "ideal reals; the floats that stand for them carry no guarantee"

CLAIMS = (
    Claim(
        "lem-laplace-divisible",
        "The Laplace distribution is infinitely divisible",
        "dlpa",
        "report, equation (1); Kotz, Kozubowski, Podgórski 2001",
        status="proved+checked",
        code=("fdpedu.dlpa.gamma", "fdpedu.dlpa.gamma.gamma_shares"),
        checks=(
            Check(
                "series",
                "exact",
                "the characteristic functions of 1 to 12 shares and of their sum, as power series to z^{size}",
                law.laplace_series,
                lambda most: product(range(1, 13), [most]),
                16,
                40,
            ),
            Check(
                "variance",
                "statistical",
                "1 to 14 parties, scales 1/4 to 1000, {size} rehearsed cells: mean square and mean size of K − c "
                "shares, and of all",
                law.gamma_variance,
                law.gamma_divisions,
                10_000,
                400_000,
                alpha=ALPHA,
            ),
            Check(
                "own words",
                "exact",
                "{size} tapes of 64-bit words, altered half by half: each number has words of its own, from its "
                "party's source",
                law.gamma_words,
                lambda seeds: [(seed,) for seed in range(seeds)],
                1,
                20,
            ),
        ),
        assumptions=(REALS, "parties are honest but curious"),
    ),
    Claim(
        "lem-gamma-underflow",
        "Gamma numbers of small shape are exactly 0 as floats",
        "dlpa",
        "this book",
        status="proved+checked",
        code=("fdpedu.dlpa.gamma.underflow_probability",),
        checks=(
            Check(
                "incomplete gamma",
                "exact",
                "1 to {size} parties, against SciPy's function, to eleven digits",
                law.incomplete_gamma,
                lambda most: ((n,) for n in (1, 2, 3, 5, 20, 100, 200, 500, most)),
                10_000,
                1_000_000,
            ),
            Check(
                "zeros",
                "statistical",
                "how many of {size} rehearsed shares of each of 200, 500 and 1,000 parties are exactly 0",
                law.underflows,
                lambda draws: product((200, 500, 1000), [draws]),
                40,
                2000,
                alpha=ALPHA,
            ),
        ),
    ),
    Claim(
        "rounding-after-the-noise",
        "Rounding what the parties send is post-processing",
        "dlpa",
        "report, Algorithm 3: sums of integers mod R, fed with real noise",
        status="refuted as stated",
        code=("fdpedu.dlpa.real_noise", *(f"fdpedu.dlpa.real_noise.rounded_sum_{name}" for name in ("pmf", "loss"))),
        checks=(
            Check(
                "loss",
                "exact",
                "two parties, ε = 1, values that are multiples of 1/{size}, integers first: enclosures of the loss "
                "at the sums 0, 1, −1",
                law.loss_within,
                law.offsets,
                5,
                10,
            ),
        ),
        assumptions=("two parties; ideal reals until they are rounded",),
        corrected_by="thm-lattice-first",
    ),
    Claim(
        "thm-lattice-first",
        "Round the data first",
        "dlpa",
        "this book",
        status="proved+checked",
        code=(
            "fdpedu.dlpa.lattice",
            "fdpedu.dlpa.lattice.on_lattice",
            "fdpedu.dlpa.lattice.lattice_sensitivity",
        ),
        checks=(
            Check(
                "lower bound",
                "exact",
                "multiples of 1/24 from −2 to 2, lattices to {size}: not above the value, and less than 1/L below",
                law.floors,
                lambda most: product([Fraction(i, 24) for i in range(-48, 49)], range(1, most + 1)),
                12,
                60,
            ),
            Check(
                "sensitivity",
                "exhaustive",
                "five Δ, lattices to {size}, all pairs of values on a finer lattice: by how much they move at most",
                law.moves,
                law.movements,
                10,
                24,
            ),
            Check(
                "ratio",
                "exact",
                "three Δ, lattices to {size}, three rational e^{{ε/⌈LΔ⌉}}: the largest ratio of two neighbours' "
                "distributions",
                law.lattice_ratio,
                lambda most: product(
                    map(Fraction, ("1", "5/4", "2")), range(1, most + 1), map(Fraction, ("1/2", "2/3", "9/10"))
                ),
                4,
                9,
            ),
        ),
        assumptions=("integers after the rounding", "parties are honest but curious", "the caller answers for Δ"),
        uses=("thm-polya-shares", "thm-discrete-laplace"),
    ),
)
