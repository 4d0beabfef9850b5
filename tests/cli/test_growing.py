"""What the command line promises before a tree is grown."""

from argparse import Namespace

import pytest

from fdpedu.accounting import Ledger
from fdpedu.cli.growing import _Growing
from fdpedu.dlpa import LevelCost, tree_guarantee
from fdpedu.federation import Party
from fdpedu.trees import Design
from fdpedu.trees.systems import find_design
from tests.support.private_trees import DOMAIN, THIRDS

OPTIONS = {"epsilon": "1", "tolerate": 1, **dict.fromkeys(("delta", "leaf_share", "min_samples_split", "nominal_size"))}


@pytest.fixture
def members():
    """Three parties."""
    return [Party(rows, DOMAIN) for rows in THIRDS]


def promised(design, members, **options):
    """What is promised; nothing is charged for it."""
    ledger = Ledger(1)
    found = _Growing(Namespace(**{**OPTIONS, "max_depth": 2, **options}), design, members, ledger).promise()
    assert ledger.spent == 0 and ledger.rounds == 0
    return found


def test_the_command_line_promises_what_so_many_features_cost(members):
    """Fewer histograms a node, each at a larger share, cost an insider who is not withstood less."""
    for q, n_features in ((1, 1), (2, 2), (None, 2)):
        stated = {"n_features": n_features, "max_depth": 2, "n_parties": 3, "colluders": 1, "tolerate": 0}
        assert promised(Design(features_per_node=q), members, tolerate=0) == tree_guarantee(1, **stated).rows()


def test_the_command_line_promises_what_choices_cost(members):
    """Against an insider, too, a choice costs its ε; only the leaf's noise is made of shares."""
    own = [LevelCost("4/5", shared=False)]
    stated = {"levels": own, "leaf": "1/5", "n_parties": 3, "colluders": 1, "tolerate": 0}
    assert promised(find_design("rotating"), members, tolerate=0) == tree_guarantee(1, **stated).rows()


@pytest.mark.parametrize("option", ["min_samples_split", "leaf_share", "max_depth", "nominal_size"])
def test_what_cannot_be_promised_is_refused(members, option):
    with pytest.raises(ValueError, match=option):
        promised(find_design("rotating"), members, **{option: -1})
