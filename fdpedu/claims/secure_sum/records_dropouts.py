"""Chapter 5. Sums that survive drop-outs: right or lost, one list, and a view that holds the sum only."""

from itertools import product

from fdpedu.claims.records import Check, Claim
from fdpedu.claims.secure_sum import laws_dropouts as law
from fdpedu.claims.secure_sum import laws_lies as lies
from fdpedu.secure_sum import Rules

ROOM = "fdpedu.secure_sum"

CLAIMS = (
    Claim(
        "lem-survivor-lists",
        "One list of survivors",
        "secure_sum",
        "after Bonawitz et al. 2017",
        status="proved+checked",
        code=(f"{ROOM}.rules", f"{ROOM}.rules.Rules", f"{ROOM}.rules.two_lists_impossible"),
        checks=(
            Check(
                "divisions",
                "exhaustive",
                "two to {size} parties, all thresholds, colluders, and divisions of the honest under two lists",
                lies.lists_are_impossible,
                lies.all_thresholds,
                9,
                40,
            ),
            Check(
                "without it",
                "exact",
                "rules for an honest aggregator with 2t = K + c: some lie opens two lists, or both secrets of a party",
                lies.lists_can_be_mixed,
                lambda _: [(Rules(4, 2, 0, 2, False),), (Rules(3, 2, 1, 2, False),), (Rules(2, 1, 0, 1, False),)],
            ),
        ),
        assumptions=("signatures are not forged",),
        uses=("asm-signatures",),
    ),
    Claim(
        "thm-dropout-sum",
        "A sum that survives drop-outs",
        "secure_sum",
        "after Bonawitz et al. 2017",
        status="proved+checked",
        code=(
            f"{ROOM}.dropouts",
            f"{ROOM}.dropouts.Member.mask",
            f"{ROOM}.collector",
            f"{ROOM}.collector.Collector.total",
            f"{ROOM}.collector.sum_with_dropouts",
        ),
        checks=(
            Check(
                "patterns",
                "exhaustive",
                "all patterns of drop-outs at all stages: all rules of fewer than {size} parties, two rules of {size}",
                law.sum_or_error,
                law.every_pattern,
                4,
                5,
            ),
            Check(
                "patterns up to order",
                "exhaustive",
                "3 to {size} parties, all rules, patterns up to permutation of the parties, another modulus",
                law.sum_or_error,
                law.patterns_up_to_order,
                3,
                6,
            ),
            Check(
                "real keys",
                "exact",
                "X25519, Ed25519 and sealed boxes: four parties, one of which falls silent at each stage",
                law.real_keys,
                lambda _: ((Rules.for_missing(4, 1), (5, stage, 5, 5)) for stage in range(6)),
            ),
            Check(
                "false shares",
                "exact",
                "four parties, one of which gives a false share of another's seed, or key",
                lies.false_shares_noticed,
                lambda _: ((Rules.for_missing(4, 1), 1, *rest) for rest in product((0, 2), ("seed", "key"), (0, 65))),
            ),
        ),
        assumptions=("integers mod $R$", "the true sums lie in $[-R/2,R/2)$"),
        uses=("thm-shamir", "thm-private-sum", "lem-no-overflow"),
    ),
    Claim(
        "thm-one-list",
        "A lying aggregator",
        "secure_sum",
        "after Bonawitz et al. 2017",
        status="proved+checked",
        code=(f"{ROOM}.dropouts", f"{ROOM}.dropouts.Member.agree", f"{ROOM}.dropouts.Member.unmask"),
        checks=(
            Check(
                "two lists",
                "exhaustive",
                "2 to {size} parties, all rules, all pairs of lists, all ways to tell each of one, then of the other",
                lies.one_list_is_opened,
                lies.lying_lists,
                4,
                5,
            ),
            Check(
                "shares withheld",
                "exhaustive",
                "3 to {size} parties, all rules, all ways to withhold shares from honest parties, all lists",
                lies.shares_withheld,
                lies.withheld_shares,
                3,
                4,
            ),
            Check(
                "forged keys",
                "exact",
                "two to {size} parties: a key that a party has not signed is left out by all the others",
                lies.forged_keys_left_out,
                lambda most: ((Rules.for_missing(n, 1), 0) for n in range(3, most + 1)),
                5,
                9,
            ),
        ),
        assumptions=(
            "signatures are not forged, seals are not broken",
            "honest parties follow the protocol, and answer once",
        ),
        uses=("lem-survivor-lists", "thm-shamir", "asm-signatures", "asm-key-stream"),
    ),
    Claim(
        "thm-dropout-view",
        "What is seen of a sum with drop-outs",
        "secure_sum",
        "after Bonawitz et al. 2017",
        status="proved+checked",
        code=(f"{ROOM}.messages", f"{ROOM}.dropouts", f"{ROOM}.dropouts.Member.share"),
        checks=(
            Check(
                "views",
                "exhaustive",
                "all rules, patterns of drop-outs and honest values mod 2 and 3, all masks up to {size} fillings",
                law.only_the_sum,
                law.small_views,
                64,
                1100,
            ),
            Check(
                "shares of colluders",
                "exhaustive",
                "2 to {size} parties, all rules, all groups of t − 1: their shares do not give any other's secrets",
                lies.too_few_shares,
                lambda most: ((rules,) for n in range(2, most + 1) for rules in law.all_rules(n)),
                4,
                7,
            ),
        ),
        assumptions=(
            "the aggregator is curious, and honest about who survived",
            "integers mod $R$",
            "seeds and keys are of this round only",
        ),
        uses=("thm-shamir", "asm-key-stream", "thm-sum-colluders"),
    ),
)
