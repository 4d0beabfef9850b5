"""Chapter 4, second part. Beyond pure ε: optimal composition, concentrated and Rényi privacy, loss distributions."""

from itertools import product

from fdpedu.claims.accounting import laws_composition as coins
from fdpedu.claims.accounting import laws_divergences as orders
from fdpedu.claims.accounting import laws_loss as loss
from fdpedu.claims.accounting.laws_divergences import halves, points
from fdpedu.claims.checking import grid
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
                coins.coins,
                coins.numbers_of_coins,
                6,
                14,
            ),
            Check(
                "noisy counts",
                "exact",
                "up to {size} noisy counts: their joint law has the same δ as the coins, as fractions",
                coins.counts,
                lambda most: product(points("3/2", 3), range(1, most + 1), points(1, 2, 4, 9)),
                3,
                4,
            ),
            Check(
                "nothing is worse",
                "property",
                "{size} random adaptive pairs of laws within a factor: never more δ than the coins",
                coins.dominated,
                lambda draw: draw.tuples(*[draw.positive_laws] * 2, draw.three_pairs_of_laws, draw.exp_epsilons),
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
                orders.response,
                lambda most: product(points("1/1000", "1/10", 1, 5), points("1.01", *halves(3, 2 * most))),
                6,
                40,
            ),
            Check(
                "random laws",
                "property",
                "{size} random pairs of laws, orders 2 to 6: at most that of randomised response with the same factor, "
                "and at most λε²/2",
                orders.response_is_worst,
                lambda draw: draw.tuples(draw.positive_laws, draw.positive_laws),
                60,
                2000,
            ),
            Check(
                "sums",
                "property",
                "{size} random adaptive pairs of laws: the divergence is at most the sum of the largest",
                orders.adaptive_sum,
                lambda draw: draw.tuples(draw.positive_laws, draw.positive_laws, draw.three_pairs_of_laws),
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
                orders.best_order,
                lambda n: product(points("1/20", "1/2", 3), points(1, 4, 9), [n]),
                100,
                1000,
            ),
            Check(
                "Gaussian",
                "exact",
                "noise of six sizes, ε from 0 to {size}: its exact δ is below the bound",
                orders.gaussian,
                lambda most: product(points("1/3", "1/2", 1, 2, 5, 20), points(*range(most + 1))),
                4,
                12,
            ),
            Check(
                "discrete Gaussian",
                "exact",
                "noise of four sizes, ε from 0 to {size}: its δ, summed, is below the bound",
                orders.discrete_gaussian,
                lambda most: product(points("1/4", "1/2", 1, 4), halves(0, 2 * most)),
                3,
                8,
            ),
            Check(
                "coins",
                "exact",
                "k = 1, 4, 16, … up to 4^{size} pure releases: the bound is not below the optimal composition",
                orders.many_coins,
                orders.numbers_of_releases,
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
                orders.laplace_integral,
                lambda steps: product(points("9/8", "3/2", 2, 5), points("1/10", 1, 3), [steps]),
                150,
                3000,
            ),
            Check(
                "bounds",
                "exact",
                "orders up to {size}: at most ε and λε²/2, increasing in λ and ε, k releases cost k times as much",
                orders.laplace_bounds,
                lambda most: product(halves(3, 2 * most), points("1/100", "1/3", 1, 4)),
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
                orders.square_completed,
                lambda _: grid(variables=3, degree=2),
            ),
            Check(
                "integers",
                "exact",
                "orders 2 to {size}, four σ²: on the integers the divergence is the same, by enclosed sums",
                orders.gaussian_sum,
                lambda most: product(range(2, most + 1), points("1/4", 1, 2, 5)),
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
                loss.coins,
                loss.releases,
                12,
                60,
            ),
            Check(
                "discrete Laplace",
                "exact",
                "sensitivities 1 to {size}, two releases, fractions by enumeration: enclosed, within kh",
                loss.discrete_laplace,
                loss.noisy_sums,
                3,
                4,
            ),
            Check(
                "Laplace and Gaussian",
                "exact",
                "one Laplace release, and up to {size} Gaussian ones by their formulas: enclosed, within kh",
                loss.formulas,
                loss.known,
                4,
                16,
            ),
            Check(
                "two kinds",
                "exact",
                "two coins of different ε, all four outcomes, on {size} grids: enclosed",
                loss.mixture,
                loss.pairs_of_coins,
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
