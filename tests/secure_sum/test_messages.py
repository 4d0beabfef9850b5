"""What a round is bound to."""

from dataclasses import replace

from fdpedu.secure_sum import Occasion, hashed, key_for
from fdpedu.secure_sum.binding import VERSION
from fdpedu.secure_sum.masks import one_mask


def test_what_a_round_is_bound_to():
    """Each part of the occasion counts."""
    own = Occasion(b"s", 1, b"d", (b"a", b"b"), 3, 97)
    others = [
        replace(own, **change)
        for change in ({"session": b""}, {"number": 2}, {"digest": b""}, {"identities": (b"ab",)})
    ]
    assert len({one.binding for one in (own, *others)}) == 5 and own.binding == replace(own, size=4).binding
    assert own.binding == hashed((VERSION, "occasion", b"s", 1, b"d", (b"a", b"b")))
    assert own.self_mask(bytes(32)).tolist() == one_mask(key_for(bytes(32), "self-mask", own.binding), 3, 97).tolist()
