"""Both ends of a privacy loss."""

import pytest

from fdpedu.privacy import privacy_loss
from tests.support.both_ends import both_ends
from tests.support.truths import ln


@pytest.mark.parametrize(("digits", "tight"), [({}, 27), ({"digits": 60}, 57)])
def test_a_privacy_loss_is_the_worse_of_both_ways(digits, tight):
    p, q = ["1/7", "6/7"], ["1/2", "1/2"]
    both_ends(lambda: privacy_loss(p, q, **digits), lambda: ln("7/2"), tight)
    both_ends(lambda: privacy_loss(q, p, **digits), lambda: ln("7/2"), tight)
