"""Small federations without noise, of parties whose rows the laws of chapter 5 know."""

from fdpedu.accounting import Ledger
from fdpedu.claims.secure_sum.laws_federation import AGE, ROWS
from fdpedu.federation import Federation, Party
from fdpedu.randomness import ZeroWords


def parties(n=3, **own):
    return [Party(ROWS[k % 3], AGE, **own) for k in range(n)]


def federation(n=3, budget=1, members=None, **options):
    return Federation(members or parties(n), AGE, Ledger(budget), rng=ZeroWords(), **options)
