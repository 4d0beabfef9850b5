"""What the tests of accounting share."""

import itertools
import json
import sys
import threading
from importlib import resources

import jsonschema

from fdpedu.accounting.region_tree import RegionTree
from fdpedu.claims.accounting.composition import charge
from fdpedu.domain import Categorical, Domain
from fdpedu.process import undivided

WARDS = Domain([Categorical("ward", tuple("ABCD"))], (0, 1))


def ward(*codes):
    return WARDS.everything.restrict(0, codes)


def validate(name, text):
    """Raise unless the text, a derivation or a manifest, is of the published schema."""
    schema = json.loads(resources.files("fdpedu.accounting").joinpath(f"{name}-schema.json").read_text("utf8"))
    jsonschema.validate(json.loads(text), schema, cls=jsonschema.Draft202012Validator)


def from_a_stack(frames, action):
    """What the action returns when so many frames lie below it."""
    return from_a_stack(frames - 1, action) if frames else action()


def planted(bookings):
    """A tree of regions with these costs."""
    tree = RegionTree()
    for i, (region, epsilon) in enumerate(bookings, 1):
        assert tree.insert(region)
        tree.add([((1, i), charge(region, epsilon))])
    return tree


def interrupted(instruction, action):
    """Run it, with a KeyboardInterrupt at the n-th instruction of the code of accounting; whether it came to that.

    Where it was stopped before the call that leaves a `with`, at which no signal is looked for, the lock of all files
    is let go: later tests of this process would wait for it.
    """
    seen = itertools.count(1)

    def trace(frame, event, _):
        if not frame.f_globals.get("__name__", "").startswith("fdpedu.accounting"):
            return None
        frame.f_trace_opcodes = True
        if event == "opcode" and next(seen) == instruction:
            raise KeyboardInterrupt
        return trace

    previous = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
        return False
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(previous)
        while undivided._is_owned():
            undivided.release()


def at_once(count, action):
    """So many threads that each wait for all others, and then call it with their number."""
    start = threading.Barrier(count)

    def run(number):
        start.wait()
        action(number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
