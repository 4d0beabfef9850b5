"""The exercises of chapter 1."""

from fdpedu.exercises.cart.categories import CATEGORIES
from fdpedu.exercises.cart.impurity import IMPURITY, INCREMENT, POOLED
from fdpedu.exercises.cart.memory import MEMORY
from fdpedu.exercises.cart.split import BEST_SPLIT, THRESHOLD
from fdpedu.exercises.cart.weights import BREAK_UNWEIGHTED

EXERCISES = (IMPURITY, THRESHOLD, BEST_SPLIT, POOLED, BREAK_UNWEIGHTED, CATEGORIES, INCREMENT, MEMORY)
