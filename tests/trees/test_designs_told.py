"""How a design is written down, and what is said of an option that is none."""

from functools import partial

import pytest

from fdpedu.trees import DESIGNS, Design, stopping


def test_a_design_is_told_by_what_is_not_as_by_default():
    assert repr(Design()) == "Design()" and repr(DESIGNS["default"]) == "Design(shrink=3)"
    assert repr(DESIGNS["averaged"]) == "Design(stop=averaged)"
    assert repr(DESIGNS["algorithm-5-as-printed"]) == (
        "Design(stop=as_printed_unclipped, relative=True, unspent_to_leaf=False, consistent=False, clip=False)"
    )
    assert repr(Design(features_per_node=2, prune=True)) == "Design(features_per_node=2, prune=True)"
    rule = partial(stopping.averaged)
    assert repr(Design(stop=rule)) == f"Design(stop={rule})"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stop": "x"}, r"^stop must be a function, got 'x'$"),
        ({"relative": 1}, r"^relative must be a bool, got int$"),
        ({"consistent": None}, r"^consistent must be a bool, got NoneType$"),
        ({"shrink": -1}, r"^shrink must be a finite number of at least 0, got -1$"),
        ({"shrink": None}, r"^shrink must be a finite number of at least 0, got None$"),
    ],
)
def test_an_option_is_refused_by_its_name(options, message):
    with pytest.raises(ValueError, match=message):
        Design(**options)
