"""The exercises of chapter 4."""

from fdpedu.exercises.accounting.columns import COLUMNS
from fdpedu.exercises.accounting.floats import FLOATS
from fdpedu.exercises.accounting.forge import FORGE
from fdpedu.exercises.accounting.ledger import LEDGER, REGIONS
from fdpedu.exercises.accounting.paths import FILTER
from fdpedu.exercises.accounting.rule import CHECK
from fdpedu.exercises.accounting.saved import SAVED
from fdpedu.exercises.accounting.small_delta import OPTIMAL, ZCDP
from fdpedu.exercises.accounting.two_currencies import CURRENCY, NUMBER

EXERCISES = (LEDGER, REGIONS, FILTER, CHECK, FLOATS, COLUMNS, FORGE, SAVED, OPTIMAL, ZCDP, CURRENCY, NUMBER)
