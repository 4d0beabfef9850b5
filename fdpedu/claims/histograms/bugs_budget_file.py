"""The zoo, chapter 7: plausible bugs in when a round stands in a file, and in what a fork may use."""

from __future__ import annotations

from fdpedu.claims.histograms.bugs import ASK_FIRST, CHARGE_FIRST
from fdpedu.claims.mutation import Broken

TWINS = (
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
        "no commit",
        "fdpedu.accounting.budget_file.Transaction.append",
        'self._connection.execute("COMMIT")',
        'self._connection.execute("SELECT 1")',
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
