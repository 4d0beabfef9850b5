"""Chapter 7. The round in which histograms are released: charged first, and whole."""

from itertools import product

from fdpedu.claims.accounting import laws_manifests as manifests
from fdpedu.claims.histograms import laws as law
from fdpedu.claims.histograms import laws_budget_file as durable
from fdpedu.claims.records import Check, Claim

REFUSED = [(("2",), "1"), (("1", "1/1000"), "1"), (("1/3",) * 4, "1"), (("0.1", "0.2", "1/1000000000000"), "0.3")]

CLAIMS = (
    Claim(
        "thm-round",
        "A round is charged first, and whole",
        "histograms",
        "this book",
        status="checked",
        code=("fdpedu.federation", "fdpedu.federation.federation.Federation.release"),
        checks=(
            Check(
                "refused",
                "exact",
                "rounds that exceed the budget, by little or much: ledger, words, messages as before",
                law.refused_round,
                lambda _: REFUSED,
            ),
            Check(
                "charged first",
                "exact",
                "rounds whose noise fails midway, and rounds after a refused one",
                law.charged_first,
                lambda _: [("1/2",), ("1",)],
            ),
            Check(
                "fresh masks",
                "exact",
                "up to {size} rounds, accepted or refused: no refused one is answered, no two have the same masks",
                manifests.fresh_masks,
                lambda most: ((costs,) for n in range(1, most + 1) for costs in product(("1/3", "2"), repeat=n)),
                4,
                7,
            ),
            Check(
                "killed",
                "exact",
                "rounds with a budget in a file, stopped by SIGKILL when an answer has left and at {size} lines: what "
                "was seen is charged, once, and the next round works",
                durable.killed,
                durable.moments,
                12,
                200,
            ),
            Check(
                "one file",
                "exhaustive",
                "all orders of {size} charges by two ledgers on a file and one that opens it anew: as one ledger",
                durable.one_budget,
                durable.orders,
                2,
                4,
            ),
            Check(
                "waits",
                "exact",
                "another process is in the midst of a round: the next waits, and finds what is left",
                durable.waits,
                durable.turns,
            ),
            Check(
                "racing",
                "exact",
                "2 to {size} processes with a federation each spend one budget at once: exactly all of it",
                durable.racing,
                durable.processes,
                3,
                6,
            ),
            Check(
                "after a fork",
                "exact",
                "ledger, federation, masks, key pair and sources with a state refuse to go on in a child",
                durable.forked,
                durable.kinds,
            ),
        ),
        assumptions=("the rounds of one ledger; if in a file, on a local disk and written by ledgers only",),
        uses=("lem-filter",),
    ),
)
