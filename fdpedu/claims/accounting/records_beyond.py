"""Chapter 4, second part. Beyond pure ε: optimal composition, concentrated and Rényi privacy, loss distributions."""

from fdpedu.claims.accounting import laws_composition as coins
from fdpedu.claims.accounting import laws_divergences as orders
from fdpedu.claims.accounting import laws_loss as loss
from fdpedu.claims.records import Check, Claim

RELATION = "any neighbour relation; the guarantee is for the same one"
ENCLOSED = "answers are enclosures, in exact arithmetic"
IDEAL = "ideal real numbers: no float has these laws"
ZCDP = r"ρ-zCDP: $D_\lambda \le \rho\lambda$ between neighbours, for all orders $\lambda > 1$"
ORDERS = r"all orders $\lambda > 1$"
COMPOSITION, CONCENTRATED = "fdpedu.accounting.composition", "fdpedu.accounting.concentrated"
RENYI, LOSS = "fdpedu.accounting.renyi", "fdpedu.accounting.loss"

CLAIMS = (
    Claim(
        "thm-optimal-composition",
        "Optimal composition",
        "accounting",
        "Kairouz, Oh and Viswanath 2015, Theorem 3.3; the pure case",
        status="proved+checked",
        code=(f"{COMPOSITION}.compose_optimal", f"{COMPOSITION}.optimal_delta"),
        checks=(
            Check(
                "coins",
                "exact",
                "up to {size} coins with rational e^ε, convolved in fractions: δ and its inverse lie in the enclosures",
                coins.check_coins,
                6,
                14,
            ),
            Check(
                "noisy counts",
                "exact",
                "up to {size} noisy counts: their joint law has the same δ as the coins, as fractions",
                coins.check_counts,
                3,
                4,
            ),
            Check(
                "nothing is worse",
                "property",
                "{size} random adaptive pairs of laws within a factor: never more δ than the coins",
                coins.explore_dominated,
                60,
                1000,
            ),
        ),
        assumptions=(RELATION, r"budgets fixed beforehand, mechanisms adaptive", ENCLOSED),
        uses=("lem-hockey-stick", "thm-post-processing"),
    ),
    Claim(
        "lem-pure-to-zcdp",
        "Pure privacy is concentrated",
        "accounting",
        "Bun and Steinke 2016, Proposition 3.3",
        status="proved+checked",
        code=(f"{CONCENTRATED}.pure_to_zcdp",),
        checks=(
            Check(
                "randomised response",
                "exact",
                "orders up to {size}: its divergence is at most λε²/2, and more than 99 % of that at ε = 1/1000",
                orders.check_response,
                6,
                40,
            ),
            Check(
                "random laws",
                "property",
                "{size} random pairs of laws, orders 2 to 6: at most that of randomised response with the same factor, "
                "and at most λε²/2",
                orders.explore_response,
                60,
                2000,
            ),
            Check(
                "sums",
                "property",
                "{size} random adaptive pairs of laws: the divergence is at most the sum of the largest",
                orders.explore_sums,
                40,
                1000,
            ),
        ),
        assumptions=(ZCDP, RELATION, "both directions"),
        uses=("def-dp",),
    ),
    Claim(
        "thm-zcdp-to-dp",
        "From concentrated privacy to (ε, δ), tightly",
        "accounting",
        "Canonne, Kamath and Steinke 2020, Proposition 12; Bun and Steinke 2016, Proposition 1.3, sharpened",
        status="proved+checked",
        code=(f"{CONCENTRATED}.zcdp_to_epsilon", f"{CONCENTRATED}.zcdp_to_delta", f"{RENYI}.rdp_to_epsilon"),
        checks=(
            Check(
                "best order",
                "exact",
                "nine (ρ, ε), {size} orders each: no order gives a smaller δ, and some order nearly the same; inverse, "
                "classical",
                orders.check_best_order,
                100,
                1000,
            ),
            Check(
                "Gaussian",
                "exact",
                "noise of six sizes, ε from 0 to {size}: its exact δ is below the bound",
                orders.check_gaussian,
                4,
                12,
            ),
            Check(
                "discrete Gaussian",
                "exact",
                "noise of four sizes, ε from 0 to {size}: its δ, summed, is below the bound",
                orders.check_discrete_gaussian,
                3,
                8,
            ),
            Check(
                "coins",
                "exact",
                "k = 1, 4, 16, … up to 4^{size} pure releases: the bound is not below the optimal composition",
                orders.check_zcdp_coins,
                3,
                5,
            ),
        ),
        assumptions=(
            ZCDP,
            RELATION,
            "an upper bound for every such mechanism; a given one may do better",
            ENCLOSED,
        ),
        uses=("lem-hockey-stick",),
    ),
    Claim(
        "lem-rdp-laplace",
        "Rényi privacy of Laplace noise",
        "accounting",
        "Mironov 2017, Proposition 6",
        status="proved+checked",
        code=(f"{RENYI}.rdp_laplace",),
        checks=(
            Check(
                "integral",
                "exact",
                "twelve (λ, ε): the integral, by sums of {size} steps from below and from above",
                orders.check_laplace_integral,
                150,
                3000,
            ),
            Check(
                "bounds",
                "exact",
                "orders up to {size}: at most ε and λε²/2, increasing in λ and ε, k releases cost k times as much",
                orders.check_laplace_bounds,
                6,
                60,
            ),
        ),
        assumptions=("neighbours: those for which Δ is the sensitivity", ORDERS, IDEAL),
        uses=(),
    ),
    Claim(
        "lem-rdp-gaussian",
        "Rényi privacy of Gaussian noise",
        "accounting",
        "Mironov 2017, Proposition 7; used in Maddock et al., Fact 2.1 and Theorem 4.1",
        status="proved+checked",
        code=(f"{RENYI}.rdp_gaussian", f"{CONCENTRATED}.gaussian_to_zcdp"),
        checks=(
            Check(
                "square completed",
                "machine proof",
                "the exponents of p^λ·q^(1−λ) and of the shifted law are the same polynomial",
                orders.prove_gaussian,
            ),
            Check(
                "integers",
                "exact",
                "orders 2 to {size}, four σ²: on the integers the divergence is the same, by enclosed sums",
                orders.check_gaussian_sums,
                4,
                12,
            ),
        ),
        assumptions=(r"neighbours: those for which $\Delta$ is the $\ell_2$ sensitivity", ORDERS, ZCDP, IDEAL),
        uses=(),
    ),
    Claim(
        "thm-loss-distribution",
        "Rounded loss distributions enclose",
        "accounting",
        "this book; after Meiser and Mohammadi 2018 and Koskela et al. 2020",
        status="proved+checked",
        code=(f"{LOSS}.LossDistribution",),
        checks=(
            Check(
                "coins",
                "exact",
                "up to {size} pure releases on four grids: the optimal composition is enclosed, within kh",
                loss.check_coins,
                12,
                60,
            ),
            Check(
                "discrete Laplace",
                "exact",
                "sensitivities 1 to {size}, two releases, fractions by enumeration: enclosed, within kh",
                loss.check_discrete_laplace,
                3,
                4,
            ),
            Check(
                "Laplace and Gaussian",
                "exact",
                "one Laplace release, and up to {size} Gaussian ones by their formulas: enclosed, within kh",
                loss.check_formulas,
                4,
                16,
            ),
            Check(
                "two kinds",
                "exact",
                "two coins of different ε, all four outcomes, on {size} grids: enclosed",
                loss.check_mixture,
                3,
                12,
            ),
        ),
        assumptions=(
            "independent releases of fixed mechanisms (or adaptive ones with the same loss whatever came before)",
            ENCLOSED,
        ),
        uses=("lem-hockey-stick",),
    ),
)
