"""What the nodes of a tree with lower bounds reported and saved, as text and as a table."""

import re
from fractions import Fraction

from fdpedu.bounds import NodeSaving, Savings, fit_saving_tree
from fdpedu.claims.federations import federate
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import Rehearsal, ZeroWords

WARDS = Domain([Numeric.grid("age", 0, 4, bins=4), Categorical("ward", ("A&E", "B", "C"))], ("well", "ill"))
OLD = WARDS.everything.restrict(0, [2, 3])
ROOT = NodeSaving(
    WARDS.everything, Fraction(1, 2), (Fraction(-1, 4), Fraction(9, 4)), ((0, Fraction(2)),), Fraction(3, 16)
)


CHILD = NodeSaving(OLD, Fraction(11, 16), (Fraction(1), Fraction(0)), ((1, None), (0, Fraction(1, 2))), Fraction(0))
SAVINGS = Savings(WARDS, (ROOT, CHILD))
TEXT = """\
node         ε of the node  lower bounds, noisy  asked for, and the n·G left  removed  ε saved
all records  1/2            age -1/4, ward 9/4   age 2                        ward     3/16
2 < age      11/16          age 1, ward 0        ward none, age 1/2           –        0"""


def test_which_features_are_removed():
    assert ROOT.removed == (1,) and CHILD.removed == () and SAVINGS.n_removed == 1
    assert NodeSaving(OLD, Fraction(1), (Fraction(0),) * 4, ((2, None),), Fraction(0)).removed == (0, 1, 3)


def test_a_line_a_node():
    assert SAVINGS.render() == TEXT
    assert repr(SAVINGS) == "Savings(2 nodes, 1 of 4 histograms not asked for)"
    assert Savings(WARDS, ()).render().count("\n") == 0 and repr(Savings(WARDS, (ROOT,))).startswith("Savings(1 node, ")


def test_a_table():
    wards = NodeSaving(WARDS.everything.restrict(1, [0]), Fraction(1), (Fraction(0),) * 2, ((0, None),), Fraction(0))
    shown = Savings(WARDS, (ROOT, wards))._repr_html_()
    assert shown.startswith(
        '<table class="fdpedu-results fdpedu-wide"><caption>2 nodes, 2 of 4 histograms not asked for<'
    )
    assert shown.count("<tr>") == 3 and shown.count("<td>") == 12 and shown.count('<th scope="col">') == 6
    assert "<td>age -1/4, ward 9/4</td>" in shown and "A&amp;E" in shown and "A&E" not in shown
    assert shown.endswith("</td></tr></tbody></table>") and "</tr></thead><tbody><tr><td>all records</td>" in shown


def test_of_a_tree():
    """What is reported are released numbers: the same noise gives the same, whatever it hides."""
    rows = [[x, ward, ("well", "ill")[x > 2]] for x in (1, 2, 3, 4) for ward in ("A&E", "B", "C")]
    tree = fit_saving_tree(federate([rows, rows], WARDS, 1, ZeroWords()), max_depth=1)
    assert tree.savings.domain == WARDS and tree.savings.nodes[0].bounds == (0, 6) and tree.savings.n_removed == 1
    noisy = fit_saving_tree(federate([rows, rows], WARDS, 1, Rehearsal(2)), max_depth=1).savings.nodes[0]
    assert noisy.bounds != (0, 6) and all((4 * bound).denominator == 1 for bound in noisy.bounds)


def test_a_tree_says_how_many_parties_and_colluders_its_noise_is_for():
    tree = fit_saving_tree(federate([[]] * 4, WARDS, 1, ZeroWords(), tolerate=2), max_depth=1)
    assert (tree.n_parties, tree.tolerate) == (4, 2)


AB = Domain([Numeric.grid(name, 0, 4, bins=4) for name in ("x", "y")], ("a", "b"))
GIVEN = {"max_depth": 2, "min_samples_split": 2, "leaf_share": "1/2", "bounds_share": "1/4", "lattice": 4}
ROWS = [[x, y, "ab"[x > 2]] for x in (1, 2, 3, 4) for y in (1, 2, 3, 4)]


def test_a_table_has_nothing_between_its_cells():
    shown = fit_saving_tree(federate([ROWS, ROWS], AB, 1, ZeroWords()), **GIVEN).savings._repr_html_()
    assert re.fullmatch(
        r"(<table[^>]*>)(<caption>[^<]*</caption>)<thead><tr>(<th scope=\"col\">[^<]*</th>)+</tr></thead>"
        r"<tbody>(<tr>(<td>[^<]*</td>)+</tr>)+</tbody></table>",
        shown,
    )
