"""Small practices grow a private tree on real data: what ``fdpedu demo`` prints and the front page shows.

- :func:`run_demo` grows the tree, again and again, and compares its accuracy with that of a practice's own tree.
- :func:`what_federation_pays` and its neighbours say in sentences what such accuracies mean; whatever they are.
- :func:`account_in_words` explains a derivation line by line, its first and its last line first.
"""

from fdpedu.demo.account import account_in_words
from fdpedu.demo.running import Demo, run_demo, shown
from fdpedu.demo.words import this_time, what_federation_pays, what_privacy_costs, where_it_would_not_pay

__all__ = [
    "Demo",
    "account_in_words",
    "run_demo",
    "shown",
    "this_time",
    "what_federation_pays",
    "what_privacy_costs",
    "where_it_would_not_pay",
]
