"""The round in which histograms are released: charged first, and whole."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from fdpedu.accounting import BudgetExceeded
from fdpedu.claims.accounting.manifests import fresh_masks
from fdpedu.claims.checking import Refuted, require
from fdpedu.claims.federations import AGE, federate
from fdpedu.claims.histograms.budget_file import (
    forked,
    killed,
    kinds,
    moments,
    one_budget,
    orders,
    processes,
    racing,
    turns,
    waits,
)
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.exact import Rational
from fdpedu.federation import ClassCounts, InProcess
from fdpedu.randomness import ReplayedWords, TapeExhausted, ZeroWords


def refused_round(costs: Sequence[Rational], budget: Rational) -> None:
    """A round beyond the budget draws nothing, sends nothing, and leaves the ledger as it was."""
    transport = InProcess()
    federation = federate([[[10, "ill"]], []], AGE, budget, ReplayedWords([]), transport=transport)
    sent = list(transport.manifest)
    try:
        federation.release([ClassCounts(AGE.everything, Fraction(cost)) for cost in costs])
    except BudgetExceeded:
        pass
    else:
        raise Refuted("the round was not refused")
    require(federation.ledger.spent == 0, f"the refused round was charged {federation.ledger.spent}")
    require(federation.rounds == 0 and transport.manifest == sent, "the refused round left traces")


def charged_first(cost: Rational) -> None:
    """A round whose noise fails midway stays charged; after refused rounds the next one works, masks cancelling."""
    _failing_round(cost)
    _next_round(cost)


def _failing_round(cost: Rational) -> None:
    """What may have been seen has been paid for."""
    federation = federate([[[10, "ill"]], []], AGE, 1, ReplayedWords([]))
    try:
        federation.release([ClassCounts(AGE.everything, Fraction(cost))])
    except TapeExhausted:
        require(federation.ledger.spent == Fraction(cost), f"charged is {federation.ledger.spent}")
        return
    raise Refuted("noise came from nowhere")


def _next_round(cost: Rational) -> None:
    federation = federate([[[10, "ill"]], [[60, "well"]]], AGE, 1, ZeroWords())
    for _ in range(2):
        try:
            federation.release([ClassCounts(AGE.everything, Fraction(2))])
        except BudgetExceeded:
            continue
    released = federation.release([ClassCounts(AGE.everything, Fraction(cost))])[0].tolist()
    require(released == [1, 1], f"released is {released}")


REFUSED = [(("2",), "1"), (("1", "1/1000"), "1"), (("1/3",) * 4, "1"), (("0.1", "0.2", "1/1000000000000"), "0.3")]

CLAIMS = (
    Claim(
        "thm-round",
        status="checked",
        code=("fdpedu.federation", "fdpedu.federation.federation.Federation.release"),
        checks=(
            Check(
                "refused",
                "exact",
                "rounds that exceed the budget, by little or much: ledger, words, messages as before",
                refused_round,
                lambda _: REFUSED,
                more=lambda draw: draw.tuples(draw.lists(draw.budgets, 1, 5), draw.shares).map(
                    lambda case: (case[0], case[1] * sum(case[0]))
                ),
            ),
            Check(
                "charged first",
                "exact",
                "rounds whose noise fails midway, and rounds after a refused one",
                charged_first,
                lambda _: [("1/2",), ("1",)],
                more=[("1/7",), ("11/12",)],
            ),
            Check(
                "fresh masks",
                "exact",
                "up to {size} rounds, accepted or refused: no refused one is answered, no two have the same masks",
                fresh_masks,
                lambda most: ((costs,) for n in range(1, most + 1) for costs in product(("1/3", "2"), repeat=n)),
                4,
                7,
            ),
            Check(
                "killed",
                "exact",
                "rounds with a budget in a file, stopped by SIGKILL when an answer has left and at {size} lines: what "
                "was seen is charged, once, the next round works, and the file holds what was asked in each",
                killed,
                moments,
                12,
                200,
            ),
            Check(
                "one file",
                "exhaustive",
                "all orders of {size} charges by two ledgers on a file and one that opens it anew: as one ledger",
                one_budget,
                orders,
                2,
                4,
                more=[
                    (((0, "1/3"), (1, "1/3"), (2, "1/3"), (0, "1/2")),),
                    (((2, "3/7"), (0, "12/19"), (1, "1/7"), (1, "1/7"), (2, "2")),),
                ],
            ),
            Check(
                "waits",
                "exact",
                "another process is in the midst of a round: the next waits, and finds what is left",
                waits,
                turns,
                more=[("1/3", 2), ("501/1000", None)],
            ),
            Check(
                "racing",
                "exact",
                "2 to {size} processes with a federation each spend one budget at once: exactly all of it",
                racing,
                processes,
                3,
                6,
                more=[(4,)],
            ),
            Check(
                "after a fork",
                "exact",
                "ledger, federation, masks, key pair and sources with a state refuse to go on in a child",
                forked,
                kinds,
            ),
        ),
        assumptions=("the rounds of one ledger; if in a file, on a local disk and written by ledgers only",),
        uses=("lem-filter",),
    ),
)

_ASK = "sums, present = self._session.ask(number, account, form, int(ends[-1]), respond)"
_CHARGE = "self.ledger.charge(charges, account, asked=asked_for)"
CHARGE_FIRST = f"""number = {_CHARGE}  # what fails from here on has been paid for
        self.rounds += 1
        {_ASK}"""
ASK_FIRST = f"""number = self.ledger.rounds + 1
        {_ASK}
        {_CHARGE}"""

TWINS = (
    Broken(
        "refused but charged",
        "fdpedu.accounting.ledger.Ledger._admitted",
        "[region_tree.copy() for region_tree in self._region_trees]",
        "self._region_trees",
        "The caller will notice the exception, so what the ledger holds afterwards does not matter.",
        "thm-round",
        "refused",
    ),
    Broken(
        "masks of a refused round kept",
        "fdpedu.federation.federation.Federation.release",
        CHARGE_FIRST,
        ASK_FIRST,
        "What is masked may be sent before it is paid for; if it is refused, its masks can serve the next round.",
        "thm-round",
        "fresh masks",
    ),
    Broken(
        "charged when answered",
        "fdpedu.federation.federation.Federation.release",
        CHARGE_FIRST,
        ASK_FIRST,
        "Nobody is killed between an answer and its charge.",
        "thm-round",
        "killed",
    ),
    Broken(
        "evidence at the end",
        "fdpedu.federation.federation.Federation.release",
        "self.ledger.charge(charges, account, asked=asked_for)",
        "self.ledger.charge(charges, account)",
        "What was asked can be written down when the model is there.",
        "thm-round",
        "killed",
    ),
    Broken(
        "no commit",
        "fdpedu.accounting.budget_file.Transaction.commit",
        'self._connection.execute("COMMIT")',
        "pass",
        "What is written stands in the file; the commit can wait until the connection is closed.",
        "thm-round",
        "killed",
    ),
    Broken(
        "a remainder for each process",
        "fdpedu.accounting.booking.caught_up",
        "if not rounds:",
        "if region_trees or not rounds:",
        "What was read when the file was opened is what is spent.",
        "thm-round",
        "one file",
    ),
    Broken(
        "two processes read, then both write",
        "fdpedu.accounting.ledger.Ledger.charge",
        'self._books("BEGIN IMMEDIATE")',
        "self._books()",
        "A database takes care of those who write at the same time.",
        "thm-round",
        "waits",
    ),
    Broken(
        "masks after a fork",
        "fdpedu.secure_sum.Masks.draw",
        'require_same_process(self._made_in, "these masks", "exchange new keys here")',
        "pass",
        "A lock keeps two threads from using one mask, so it is used once.",
        "thm-round",
        "after a fork",
    ),
    Broken(
        "a seed after a fork",
        "fdpedu.randomness.Repeatable._require_one",
        'require_same_process(self._made_in, "this source", "make one here, from a seed of its own")',
        "pass",
        "A child of the process has its own random numbers.",
        "thm-round",
        "after a fork",
    ),
)
