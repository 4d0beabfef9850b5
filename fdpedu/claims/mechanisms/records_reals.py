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
        statement=r"Let $f$ have values in $\mathbb R^m$ and $\ell_1$ sensitivity $0<\Delta<\infty$, and let "
        r"$Y_1,\dots,Y_m$ be independent with density $\frac1{2b}e^{-|y|/b}$, $b=\Delta/\varepsilon$. Then "
        r"$f(D)+(Y_1,\dots,Y_m)$ is $\varepsilon$-DP, and for no smaller $\varepsilon$: the densities under $D$ and "
        r"$D'$ have a ratio of at most $e^{\lVert f(D)-f(D')\rVert_1/b}$, and exactly that where every coordinate of "
        r"the output lies on the side of $f(D)$ that is turned away from $f(D')$.",
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
        statement="“The Laplace mechanism preserves ϵ-differential privacy”, of a program that adds "
        "`numpy.random.Generator.laplace(0, Δ/ϵ)` to a double. *The doubles that can come out for the value 0 are "
        "others than those that can come out for 1. For $\\epsilon\\ge 2^{-47}$ (and Δ = 1) the largest number that "
        "can come out for 1 can never come out for 0, so the loss is infinite. At ϵ = 1 most outputs tell the value "
        "for certain.*",
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
        statement=r"Let $f$ be a real query of sensitivity $0<\Delta<\infty$, $b=\Delta/\varepsilon$, and $g>0$ "
        r"public. Releasing the multiple of $g$ nearest to $f(D)+Y$, with ideal Laplace noise $Y$ of scale $b$, is "
        r"$\varepsilon$-DP. If $f(D)=(c+r)g$ with an integer $c$ and $|r|\le\frac12$, the output is $cg$ with "
        r"probability $1-e^{-g/2b}\cosh\frac{rg}b$, and $kg$ with probability $\sinh\frac g{2b}\,e^{-|k-c-r|g/b}$ "
        r"for every other integer $k$; at $|r|=\frac12$ the two formulas agree. For rational $f(D)$, $g$, "
        r"$\Delta$ and $\varepsilon$ the sampler has exactly this law.",
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
        statement=r"Let $f$ have values in $\mathbb R^m$ and $\ell_2$ sensitivity $0<\Delta<\infty$. Then "
        r"$f(D)+\mathcal N(0,\sigma^2I)$ is $(\varepsilon,\delta)$-DP, $\varepsilon\ge 0$, iff "
        r"$\delta\ge\Phi\bigl(\frac\Delta{2\sigma}-\frac{\varepsilon\sigma}\Delta\bigr)-e^{\varepsilon}\,"
        r"\Phi\bigl(-\frac\Delta{2\sigma}-\frac{\varepsilon\sigma}\Delta\bigr)$, "
        r"which is positive: it is $\varepsilon$-DP for no $\varepsilon$. Its Rényi divergence of order $\lambda>1$ "
        r"between neighbours is at most $\frac{\lambda\Delta^2}{2\sigma^2}$, with equality if the norm of the "
        r"difference is $\Delta$.",
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
        statement=r"Let $f$ have values in $\mathbb Z^m$ and $\ell_2$ sensitivity $\Delta$, "
        r"$\sigma^2=\frac{\Delta^2}{2\rho}$, and $\Pr[k]\propto e^{-k^2/2\sigma^2}$ for $k\in\mathbb Z$. Then $f(D)$ "
        r"plus independent noise of this law in each coordinate has a Rényi divergence of at most $\lambda\rho$ "
        r"between neighbours for every $\lambda>1$ (it is $\rho$-zCDP), with equality for integers $\lambda$ if the "
        r"norm of the difference is $\Delta$. For $m=\Delta=1$ it is $(\varepsilon,\delta)$-DP iff "
        r"$\delta\ge\Pr[k\le n]-e^{\varepsilon}\Pr[k\le n-1]$ with $n$ the largest integer below "
        r"$\frac12-\varepsilon\sigma^2$. The sampler has exactly this law.",
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
        assumptions=(CALLER, "integers", "an outsider, who sees the outputs"),
        uses=("thm-alias-table", "lem-hockey-stick"),
    ),
)
