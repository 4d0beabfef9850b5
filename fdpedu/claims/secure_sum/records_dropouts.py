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
        statement=r"Of $K$ parties let $c$ sign everything, and let each of the others sign at most one list a round. "
        r"Two lists can both get $t$ signatures, for some division of the honest, if and only if $2t\le K+c$. With "
        r"$t=K-m$ the condition against it, $2t>K+c$, is $2m+c<K$, and it implies $c<t$.",
        status="checked",
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
        statement=r"Let parties fall silent at any of the five stages, and let all messages that are sent be as the "
        r"protocol says. If at least $\max(t,K-\mathit{tolerate}+c)$ parties announce, share and send masked numbers, "
        r"and $t$ agree and unmask, then the result is the sum of the numbers of exactly those who have sent theirs, "
        r"lifted to $[-R/2,R/2)$, and it holds at least $K-\mathit{tolerate}$ honest noise shares. Otherwise there is "
        r"no result, but an error that names the stage and who is missing. A false share of a secret ends in an error, "
        r"too.",
        status="checked",
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
        statement=r"Let $2t>K+c$ and $c<t$. Let the aggregator send different parties different keys, shares and lists "
        r"of survivors, in any order, and let $c$ colluders sign whatever it wants. Then of no honest party both "
        r"secrets are opened in a round; masks are taken off for one list of survivors at most; and if masks are "
        r"ideal, what is learnt is the sum over one set of honest parties at most, which holds at least "
        r"$K-\mathit{tolerate}$ of them.",
        status="checked",
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
        statement=r"Let $c<t$ parties tell the aggregator all they know, let all follow the protocol, and let keys, "
        r"seals and masks be ideal. Then all that the aggregator and the colluders see of a round, late masked numbers "
        r"of parties that were declared missing included, depends on the honest parties' numbers through the sum over "
        r"the honest survivors only, whether the round has a result or is lost; and if any honest party's secret is "
        r"opened, that sum holds at least $K-\mathit{tolerate}$ honest noise shares.",
        status="checked",
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
