"""What the command line promises before a tree is grown."""

from argparse import Namespace

from fdpedu.claims.federations import federate
from fdpedu.cli import growing
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Design
from tests.support.private_trees import DOMAIN, THIRDS


def test_the_command_line_promises_what_so_many_features_cost():
    options = Namespace(epsilon="1", max_depth=2, leaf_share="1/2", tolerate=1)
    federation = federate(THIRDS, DOMAIN, 1, Rehearsal(1))
    promised = [growing._promise(options, federation, Design(features_per_node=q)) for q in (1, 2, None)]
    assert [each.path.partition(",")[0] for each in promised] == [
        "2 levels of 1 × 1/4",
        "2 levels of 2 × 1/8",
        "2 levels of 2 × 1/8",
    ]
