"""Every design × every option: it works, or it is refused by name before anything is charged.

A design that is new adds its row here; a test holds the table to the names that there are.
"""

import itertools
from fractions import Fraction

import pytest

from fdpedu.claims.federations import federate
from fdpedu.randomness import Rehearsal
from fdpedu.trees import DESIGNS, SYSTEMS, Tree, fit_federated_tree
from tests.support.private_trees import DOMAIN, HALVES

OPTIONS = {
    "max_depth": 2,
    "leaf_share": "1/4",
    "min_samples_split": 4,
    "unspent_to_leaf": False,
    "nominal_size": 100,
    "epsilon": "1/2",
}
COUNTS = {"max_depth", "leaf_share", "min_samples_split", "unspent_to_leaf", "epsilon"}
KNOWN = {
    "default": COUNTS,
    "averaged": COUNTS,
    "algorithm-5-clipped": COUNTS,
    "screened": COUNTS - {"min_samples_split"} | {"nominal_size"},
    "rotating": {"max_depth", "leaf_share", "nominal_size", "epsilon"},
    "votes": {"max_depth", "leaf_share", "epsilon"},
}
BAD = {
    "max_depth": [-1, 65, 1.5, "2", True],
    "leaf_share": [0, 1, -1, "x", float("nan")],
    "min_samples_split": [-1, 1.5, "3"],
    "unspent_to_leaf": [0, "yes"],
    "nominal_size": [0, -5, 100.0, "100", [[1, 2]], True],
    "epsilon": [0, -1, 2, "x", float("inf")],
}


def test_every_design_has_its_row():
    assert set(KNOWN) == {*DESIGNS, *SYSTEMS} and set(BAD) == set(OPTIONS)
    assert all(known <= set(OPTIONS) for known in KNOWN.values())


def fitted(design, **options):
    """The tree and what was charged for it; a refusal charges nothing."""
    federation = federate(HALVES, DOMAIN, 1, Rehearsal(1))
    try:
        tree = fit_federated_tree(federation, design=design, **options)
    except ValueError:
        assert federation.ledger.spent == 0 and federation.rounds == 0
        raise
    return tree, federation.ledger.spent


@pytest.mark.parametrize(("design", "option"), [*itertools.product(KNOWN, OPTIONS)])
def test_an_option_works_or_is_refused_by_name(design, option):
    if option not in KNOWN[design]:
        with pytest.raises(ValueError, match=f"has no use for {option}: leave it out"):
            fitted(design, **{option: OPTIONS[option]})
        return
    tree, spent = fitted(design, **{option: OPTIONS[option]})
    assert Tree.from_json(tree.to_json()) == tree
    assert spent <= (Fraction(1, 2) if option == "epsilon" else 1)
    if option == "max_depth":
        assert tree.depth <= 2
    if option == "leaf_share" and design in ("rotating", "algorithm-5-clipped"):
        assert {release.epsilon for release in tree.leaf_releases} == {Fraction(1, 4)}


@pytest.mark.parametrize(("design", "option"), [*itertools.product(KNOWN, OPTIONS)])
def test_bad_values_are_refused_before_anything_is_charged(design, option):
    for value in BAD[option]:
        with pytest.raises(ValueError, match=option if option != "epsilon" else "epsilon|ε"):
            fitted(design, **{option: value})


@pytest.mark.parametrize("design", KNOWN)
def test_all_known_options_go_together(design):
    tree, spent = fitted(design, **{name: OPTIONS[name] for name in KNOWN[design]})
    assert tree.depth <= 2 and spent <= Fraction(1, 2) and Tree.from_json(tree.to_json()) == tree


@pytest.mark.parametrize("design", ["owner", "best", 3, None])
def test_what_is_no_design_of_a_federation_is_refused(design):
    with pytest.raises(ValueError, match="design"):
        fitted(design)
