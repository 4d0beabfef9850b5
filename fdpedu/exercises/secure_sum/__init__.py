"""The exercises of chapter 5."""

from fdpedu.exercises.secure_sum.decode import DECODE
from fdpedu.exercises.secure_sum.equivocation import EQUIVOCATION
from fdpedu.exercises.secure_sum.glue import GLUE
from fdpedu.exercises.secure_sum.late import LATE
from fdpedu.exercises.secure_sum.listen import LISTEN
from fdpedu.exercises.secure_sum.missing import MISSING
from fdpedu.exercises.secure_sum.modulus import MODULUS
from fdpedu.exercises.secure_sum.own_ledger import OWN_LEDGER
from fdpedu.exercises.secure_sum.secret import SECRET
from fdpedu.exercises.secure_sum.two_lists import TWO_LISTS
from fdpedu.exercises.secure_sum.votes import VOTES

EXERCISES = (MODULUS, LISTEN, DECODE, VOTES, EQUIVOCATION, GLUE, SECRET, MISSING, LATE, TWO_LISTS, OWN_LEDGER)
