"""The exercises of chapter 6."""

from fdpedu.exercises.dlpa.insider import INSIDER
from fdpedu.exercises.dlpa.lattice import LATTICE
from fdpedu.exercises.dlpa.left import LEFT
from fdpedu.exercises.dlpa.price import PRICE
from fdpedu.exercises.dlpa.releases import RELEASES
from fdpedu.exercises.dlpa.scale import SCALE
from fdpedu.exercises.dlpa.tree import TREE
from fdpedu.exercises.dlpa.zeros import ZEROS

EXERCISES = (SCALE, LEFT, PRICE, LATTICE, INSIDER, RELEASES, TREE, ZEROS)
