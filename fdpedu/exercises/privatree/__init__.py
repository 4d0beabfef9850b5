"""The exercises of chapter 13."""

from fdpedu.exercises.privatree.budget import BUDGET
from fdpedu.exercises.privatree.categories import CATEGORIES
from fdpedu.exercises.privatree.label import LABEL
from fdpedu.exercises.privatree.line_7 import LINE_7
from fdpedu.exercises.privatree.price import PRICE
from fdpedu.exercises.privatree.quantiles import QUANTILES
from fdpedu.exercises.privatree.size import SIZE

EXERCISES = (PRICE, LABEL, BUDGET, LINE_7, SIZE, CATEGORIES, QUANTILES)
