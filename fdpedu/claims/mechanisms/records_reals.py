"""Chapter 3, second part. Noise for real numbers: the ideal, what floats make of it, a grid; Gaussian noise."""

from fdpedu.claims.mechanisms import laws_normal as normal
from fdpedu.claims.mechanisms import laws_reals as reals
from fdpedu.claims.records import Check, Claim

ROOM, NORMAL = "fdpedu.mechanisms.reals", "fdpedu.mechanisms.normal"
IDEAL = "ideal real numbers, which no program has"
CALLER = r"neighbours: those for which $\Delta$ was computed"

CLAIMS = (
    Claim(
        "thm-laplace",
        "The Laplace mechanism",
        "mechanisms",
        "report, Definition 4 and Theorem 4; with ideal reals, and tight",
        status="proved+checked",
        code=(ROOM, f"{ROOM}.laplace"),
        checks=(
            Check(
                "log-densities",
                "exhaustive",
                "all values and outputs up to {size}, ε = 1/4, 1, 2: the loss is at most ε|a − b|/Δ, and attains it",
                reals.check_log_densities,
                4,
                12,
            ),
            Check(
                "scale",
                "statistical",
                "chi-square of {size} rehearsed draws in 16 cells of equal probability, two-sided, ε = 1/2, Δ = 3",
                reals.check_scale,
                40_000,
                1_000_000,
                alpha=1e-9,
            ),
        ),
        assumptions=(CALLER, IDEAL, "an outsider, who sees the outputs"),
        uses=("def-dp", "def-sensitivity"),
    ),
    Claim(
        "float-laplace-as-coded",
        "The Laplace mechanism, as it is coded",
        "mechanisms",
        "report, Theorem 4, of a program; Vos et al., Definition 2",
        status="refuted as stated",
        code=(ROOM, f"{ROOM}.reachable"),
        checks=(
            Check(
                "reachable doubles",
                "exact",
                "values 0 and 1, ε = 1, outputs of the uniform numbers 1/{size}, 2/{size}, …: can both give them?",
                reals.check_reachable,
                16,
                64,
            ),
            Check(
                "largest output",
                "exact",
                "values 0 and 1, ε = 2^k for k from −47 to {size}: can 0 give the largest output of 1, for any k?",
                reals.check_largest,
                20,
                200,
            ),
            Check(
                "most outputs",
                "statistical",
                "values 0 and 1, ε = 1, {size} rehearsed outputs of each: can both give at least half of them?",
                reals.check_most_reachable,
                400,
                4000,
                alpha=1e-9,
            ),
        ),
        assumptions=("double precision", "NumPy's formula, bit for bit"),
        uses=("lem-atoms",),
        corrected_by="thm-discrete-laplace",
    ),
    Claim(
        "thm-snapped-laplace",
        "Laplace noise on a public grid",
        "mechanisms",
        "this book; after Mironov",
        status="proved+checked",
        code=(ROOM, f"{ROOM}.snapped_laplace"),
        checks=(
            Check(
                "law",
                "exact",
                "values on and off the grid: the pmf is that of rounded Laplace noise, and adds up, {size} steps "
                "each way",
                reals.check_snapped_law,
                5,
                20,
            ),
            Check(
                "replayed law",
                "exact",
                "the shipped sampler over all tapes of {size} 4-bit words",
                reals.check_snapped_sampler,
                3,
                4,
            ),
            Check(
                "inequality",
                "exhaustive",
                "values in steps of 1/4 up to {size}, two grids: all ratios are at most e^(ε|a − b|/Δ)",
                reals.check_snapped_ratios,
                1,
                3,
            ),
        ),
        assumptions=(CALLER, "the value is read as a rational number; rounding before that is the caller's"),
        uses=("thm-laplace", "thm-post-processing", "thm-alias-table"),
    ),
    Claim(
        "thm-gaussian",
        "The Gaussian mechanism",
        "mechanisms",
        "this book; Balle and Wang; Maddock et al., Fact 2.1",
        status="proved+checked",
        code=(NORMAL, f"{NORMAL}.gaussian_delta"),
        checks=(
            Check(
                "best threshold",
                "property",
                "{size} random (ε, σ, Δ), in floats: one threshold attains the stated δ, and none of 81 gets more",
                normal.explore_thresholds,
                40,
                1000,
            ),
            Check(
                "Rényi",
                "property",
                "{size} random (λ, σ, Δ), in floats: the integral of the shipped density, by the trapezoidal rule",
                normal.explore_renyi,
                40,
                1000,
            ),
            Check(
                "calibration",
                "property",
                "{size} random (ε, δ), in floats: the calibrated σ is enough, a millionth less is not, the classical "
                "is more",
                normal.explore_calibration,
                40,
                1000,
            ),
        ),
        assumptions=(CALLER, IDEAL, "the checks compute in floats, with a stated tolerance"),
        uses=("lem-hockey-stick",),
    ),
    Claim(
        "thm-discrete-gaussian",
        "The discrete Gaussian mechanism",
        "mechanisms",
        "this book; Canonne, Kamath and Steinke",
        status="proved+checked",
        code=(NORMAL, f"{NORMAL}.discrete_gaussian"),
        checks=(
            Check(
                "replayed law",
                "exact",
                "the shipped sampler over all tapes of {size} 4-bit words",
                normal.check_discrete_sampler,
                3,
                4,
            ),
            Check(
                "coins",
                "exact",
                "coins of probability e^(−γ), six γ, over all tapes of {size} 4-bit words",
                normal.check_coins,
                3,
                5,
            ),
            Check(
                "Rényi",
                "exact",
                "λ = 3/2, 2, 5/2, 3 and distances up to {size}, enclosed: at most λd²/2σ², equal for integers",
                normal.check_discrete_renyi,
                2,
                4,
            ),
            Check(
                "δ",
                "exact",
                "three ρ, ε = 0, 1/2, 1, 2, enclosed: the stated δ is the sum of the positive excesses; {size} terms",
                normal.check_discrete_delta,
                40,
                200,
            ),
        ),
        assumptions=(
            r"ρ-zCDP: $D_\lambda \le \rho\lambda$ between neighbours, for all orders $\lambda > 1$",
            CALLER,
            "integers",
            "an outsider, who sees the outputs",
        ),
        uses=("thm-alias-table", "lem-hockey-stick"),
    ),
)
