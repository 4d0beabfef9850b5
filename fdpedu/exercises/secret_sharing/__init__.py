"""The exercises of chapter 15."""

from fdpedu.exercises.secret_sharing.audit import AUDIT
from fdpedu.exercises.secret_sharing.betrayed import BETRAYED
from fdpedu.exercises.secret_sharing.modulus import MODULUS
from fdpedu.exercises.secret_sharing.outside import OUTSIDE
from fdpedu.exercises.secret_sharing.price import PRICE
from fdpedu.exercises.secret_sharing.restart import RESTART

EXERCISES = (BETRAYED, MODULUS, OUTSIDE, RESTART, AUDIT, PRICE)
