"""The exercises of chapter 16."""

from fdpedu.exercises.fedga.greedy import GREEDY
from fdpedu.exercises.fedga.person import PERSON
from fdpedu.exercises.fedga.phenotypes import PHENOTYPES
from fdpedu.exercises.fedga.price import PRICE
from fdpedu.exercises.fedga.relative import RELATIVE
from fdpedu.exercises.fedga.sizes import SIZES

EXERCISES = (SIZES, PHENOTYPES, GREEDY, RELATIVE, PRICE, PERSON)
