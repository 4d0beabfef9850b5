"""Whatever a test draws follows from its name, so that a failure comes again with the test.

There are four doors to words that nobody has chosen: the operating system's entropy, which generators without a seed
start from too; the global states of `random` and of NumPy, from which scikit-learn draws where `random_state` is None;
and the keys that OpenSSL makes. Hypothesis has a seed of its own, which in CI follows from the test's code (its profile
"ci"); the order of a set of words has one that `make` sets.

A child process draws as ever: what a test says of one holds for any draws.
"""

import os
import random
from contextlib import ExitStack, contextmanager
from functools import partial
from unittest.mock import patch

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

KEYS = (X25519PrivateKey, Ed25519PrivateKey)
SYSTEM, NAMES = os.urandom, ((os, "urandom"), (random, "_urandom"))
for place, name in NAMES:
    os.register_at_fork(after_in_child=partial(setattr, place, name, SYSTEM))


@contextmanager
def drawn_from(name):
    """All draws of the body follow from the name; afterwards, those of what is around it go on where they were."""
    draws, before = random.Random(name), (random.getstate(), np.random.get_state())
    with ExitStack() as stack:
        for place, attribute in NAMES:
            stack.enter_context(patch.object(place, attribute, draws.randbytes))
        for kind in KEYS:
            stack.enter_context(patch.object(kind, "generate", partial(_key, kind)))
        stack.callback(np.random.set_state, before[1])
        stack.callback(random.setstate, before[0])
        random.seed(draws.getrandbits(64))
        np.random.seed(draws.getrandbits(32))
        yield


def _key(kind):
    return kind.from_private_bytes(os.urandom(32))
