"""What a test draws comes again with its name, whichever door it draws through; and the name's draws are its own."""

import os
import random
import secrets
import uuid

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import settings
from sklearn.model_selection import ShuffleSplit

from fdpedu.randomness import SystemSource
from fdpedu.secure_sum import KeyPair
from tests.support.draws import drawn_from

DOORS = {
    "os": lambda: os.urandom(9),
    "secrets": lambda: secrets.token_hex(9),
    "a random generator of the system": lambda: random.SystemRandom().random(),
    "random": lambda: (random.random(), random.getrandbits(70)),
    "uuid": uuid.uuid4,
    "NumPy": lambda: np.random.random(),
    "a legacy generator without a seed": lambda: np.random.RandomState().random(),
    "a generator without a seed": lambda: np.random.default_rng().random(),
    "scikit-learn": lambda: [part.tolist() for part in next(ShuffleSplit(1).split(range(99)))],
    "the package": lambda: SystemSource().words(2).tolist(),
    "masks": lambda: KeyPair().public,
    "signatures": lambda: Ed25519PrivateKey.generate().private_bytes_raw(),
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_a_name_s_draws_come_again(door):
    """Also after those of another name have come between, and then others than before."""
    with drawn_from("a"):
        first = door()
        with drawn_from("b"):
            other = door()
        second = door()
    with drawn_from("a"):
        assert [door(), door()] == [first, second]
    assert len({str(draw) for draw in (first, second, other, door())}) == 4


@pytest.fixture(scope="module")
def shared():
    return {name: door() for name, door in DOORS.items()}


@pytest.mark.parametrize("door", DOORS)
def test_a_test_draws_from_its_name_and_what_tests_share_from_its_own(request, shared, door):
    salt = request.config.getoption("--salt")
    own = DOORS[door]()
    with drawn_from(salt + request.node.nodeid):
        assert DOORS[door]() == own
    with drawn_from(f"{salt}tests/house/test_draws.py shared 0"):
        assert {name: door() for name, door in DOORS.items()} == shared


DRAWN = np.random.random()  # from the other doors, what a module imports may draw before it


def test_a_module_draws_from_its_name(request):
    with drawn_from(request.node.parent.nodeid):
        assert np.random.random() == DRAWN


def test_in_ci_examples_follow_from_the_code():
    assert settings.default.derandomize or "CI" not in os.environ
    assert settings.default.print_blob
