"""What the command line promises before a tree is grown."""

from argparse import Namespace

import pytest

from fdpedu.accounting import Ledger
from fdpedu.cli.afield import Here
from fdpedu.cli.growing import _Growing
from fdpedu.federation import Party
from fdpedu.trees.designs import find_design
from tests.support.private_trees import DOMAIN, THIRDS

OPTIONS = {"epsilon": "1", "tolerate": 1, **dict.fromkeys(("delta", "leaf_share", "min_samples_split", "nominal_size"))}


@pytest.fixture
def members():
    """Three parties."""
    return [Party(rows, DOMAIN) for rows in THIRDS]


def promised(design, members, **options):
    """What is promised is no charge; tests/house/test_options_matter.py and test_cli_own_data.py look at what it is."""
    ledger = Ledger(1)
    _Growing(Namespace(**{**OPTIONS, "max_depth": 2, **options}), design, Here(members, 1, DOMAIN), ledger).promise()
    assert ledger.spent == 0 and ledger.rounds == 0


@pytest.mark.parametrize("option", ["min_samples_split", "leaf_share", "max_depth", "nominal_size"])
def test_what_cannot_be_promised_is_refused(members, option):
    with pytest.raises(ValueError, match=option):
        promised(find_design("rotating"), members, **{option: -1})
