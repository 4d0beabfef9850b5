"""The exercises of chapter 12."""

from fdpedu.exercises.boosting.calibrated import CALIBRATED
from fdpedu.exercises.boosting.enlarge import ENLARGE
from fdpedu.exercises.boosting.guard import GUARD
from fdpedu.exercises.boosting.hessian import HESSIAN
from fdpedu.exercises.boosting.noise import NOISE
from fdpedu.exercises.boosting.price import PRICE
from fdpedu.exercises.boosting.pull import PULL
from fdpedu.exercises.boosting.safe_step import SAFE_STEP
from fdpedu.exercises.boosting.state import STATE
from fdpedu.exercises.boosting.step import STEP
from fdpedu.exercises.boosting.vector import VECTOR

EXERCISES = (STEP, PULL, PRICE, NOISE, SAFE_STEP, HESSIAN, GUARD, ENLARGE, CALIBRATED, STATE, VECTOR)
