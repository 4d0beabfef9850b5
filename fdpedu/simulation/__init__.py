"""Many trees at once: how accurate a method is, over many runs, in a fraction of the time.

The same three layers as a tree that is released: exact counts, noise, post-processing. What differs is that somebody
holds all rows, and only counts how many test rows are classified correctly. So the noise of a sum is drawn at once,
nodes without a test row are not looked at, and the trees of many runs grow side by side, as arrays.

- :class:`CodedRows`, :func:`draw_rows`: coded rows of several runs
- :func:`simulate`: one method on them, by name (:data:`METHODS`) or by its design
- :func:`simulated_labels`: what each of its trees says of each test row
- :class:`Study`: methods × settings × ε × runs, on several processes; results do not depend on how many

Without noise the trees are those of :func:`fdpedu.trees.fit_federated_tree` and :func:`fdpedu.cart.fit_cart`, tie for
tie; with noise they have the same law.

Not guaranteed: privacy. **A lazily expanded tree is never for a release**: which nodes it has tells where rows are.
"""

from fdpedu.simulation.methods import METHODS, own_shape
from fdpedu.simulation.rows import CodedRows, draw_rows
from fdpedu.simulation.runs import simulate, simulated_labels
from fdpedu.simulation.study import Result, Setting, Study, Task

__all__ = [
    "METHODS",
    "CodedRows",
    "Result",
    "Setting",
    "Study",
    "Task",
    "draw_rows",
    "own_shape",
    "simulate",
    "simulated_labels",
]
