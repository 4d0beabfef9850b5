"""Chapter 2. What ε-differential privacy says, exactly.

Two data sets are *neighbours* when one record makes the difference. A mechanism turns a data set into a law on
outputs, and it is ε-differentially private when the laws of neighbours never differ by more than a factor e^ε on any
event. Everything here is about laws that one can write down: finite tables of rational probabilities. On them the
definition is a finite number of integer inequalities, so a claim is checked exactly, and a false one is answered with
the worst event and the exact amount by which it fails.

Tables may also hold enclosures or floats. Then a verdict holds for every distribution within them, or says that it
cannot be reached.

The factor e^ε is irrational. Either give it as a fraction (``exp_epsilon``), or give ``epsilon`` and let enclosures
decide.

Not guaranteed: a check of one pair of laws, or of all neighbours up to some size, says nothing of larger data sets.

Claims: def-neighbours, def-sensitivity, def-dp, lem-atoms, lem-hockey-stick, thm-post-processing, lem-convexity
Claims: thm-group-privacy, lem-substitution, lem-enclosed-tables, thm-hypothesis-test, thm-posterior
"""

from fdpedu.privacy.divergence import check_dp, check_mechanism, hockey_stick, max_ratio, privacy_loss
from fdpedu.privacy.enclosed import EnclosedLaw, clamped, enclosed_law
from fdpedu.privacy.hypothesis_tests import allowed_region, posterior, roc
from fdpedu.privacy.laws import Law, as_law, mix, product_law, push_forward, rational_law
from fdpedu.privacy.neighbours import Sensitivity, datasets, distance, neighbours, sensitivity
from fdpedu.privacy.verdicts import Verdict

__all__ = [
    "EnclosedLaw",
    "Law",
    "Sensitivity",
    "Verdict",
    "allowed_region",
    "as_law",
    "check_dp",
    "check_mechanism",
    "clamped",
    "datasets",
    "distance",
    "enclosed_law",
    "hockey_stick",
    "max_ratio",
    "mix",
    "neighbours",
    "posterior",
    "privacy_loss",
    "product_law",
    "push_forward",
    "rational_law",
    "roc",
    "sensitivity",
]
