"""Every number in the file of an ensemble: another one in its place is refused, whatever the ensemble has learnt.

All digests are made anew. What a file is held against is its derivation, and what its released sums lead to.
"""

import copy
import json
import re
from fractions import Fraction

import pytest

from fdpedu import files
from fdpedu.accounting import Ledger
from fdpedu.boosting import Ensemble, fit_federated_boosting
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Curator, Federation, Party
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal

FEATURES = [Numeric.grid("age", 0, 4, bins=4, missing=True), Categorical("ward", ("A", "B", "C"))]
TWO, THREE = Domain(FEATURES, ("well", "ill")), Domain(FEATURES, ("a", "b", "c"))
STAY = Domain(FEATURES, target=Numeric.grid("stay", 0, 8, bins=8))
LABELS = {TWO: ("well", "ill"), THREE: "abc", STAY: [k + 0.5 for k in range(8)]}
SHAPE = {"nominal_size": 60, "rounds": 2, "trees_per_round": 2, "max_depth": 2}
MODELS = {
    "two classes": (TWO, 3, {"form": "trees"}),
    "a counted threshold": (TWO, 3, {"form": "curves", "threshold": "counted", "monotone": {"age": 1}}),
    "three classes": (THREE, 3, {"form": "trees"}),
    "a number": (STAY, 2, {"form": "curves", "monotone": {"age": -1}}),
    "one owner": (STAY, 1, {"form": "trees"}),
}
RELEASED = {"histograms", "start", "sums", "pairs"}  # where no file can show a row more or less
ONLY_A_NAME = {"derivation proof premises premises index"}  # of a release within its round


def grown(name):
    domain, n_parties, options = MODELS[name]
    labels = LABELS[domain]
    rows = [[i % 4 + 0.5, "ABC"[i % 3], labels[i * 5 % len(labels)]] for i in range(60)]
    ledger = Ledger(4, delta="1/1000000", colluders=0 if n_parties == 1 else None)
    parties = [Party(rows[k::n_parties], domain, name=f"clinic {k}") for k in range(n_parties)]
    asker = (
        Curator(parties[0], ledger, rng=Rehearsal(1))
        if n_parties == 1
        else Federation(parties, domain, ledger, rng=Rehearsal(1))
    )
    return fit_federated_boosting(asker, rng=Rehearsal(2), **SHAPE, **options)


def numbers(found, path=()):
    """Where numbers stand, and which: integers, and fractions in texts."""
    if isinstance(found, (dict, list)):
        for key, value in found.items() if isinstance(found, dict) else enumerate(found):
            yield from numbers(value, (*path, key))
    elif type(found) is int or (isinstance(found, str) and re.fullmatch(r"\d+(/\d+)?", found)):
        yield path, found


def changed(document, path, value):
    found = copy.deepcopy(document)
    where = found
    for key in path[:-1]:
        where = where[key]
    where[path[-1]] = value
    return files.dumps(found["schema"], {k: v for k, v in found.items() if k not in ("schema", "digest")})


def of_paid(kind):
    return kind.startswith("derivation")


def others(path, value):
    if isinstance(value, int):
        much = [3 * value + 1000, -3 * value - 1000]
        return much if RELEASED.intersection(path) else [value + 2, value - 2, *much]
    return [str(2 * Fraction(value)), str(Fraction(value) / 2)]


@pytest.mark.parametrize("name", MODELS)
def test_another_number_is_refused(name):
    """Two more or two less, where it was not released; of the derivation the first and last of each kind."""
    document, places = json.loads(grown(name).to_json()), {}
    Ensemble.from_json(changed(document, ("form",), document["form"]))
    for path, value in numbers({k: v for k, v in document.items() if k not in ("schema", "digest", "domain")}):
        places.setdefault(" ".join(key for key in path if isinstance(key, str)), []).append((path, value))
    assert ONLY_A_NAME < places.keys()
    for kind, found in places.items():
        if kind in ONLY_A_NAME:
            continue
        released = RELEASED.intersection(kind.split())  # a leaf that no code reaches has a sum that nobody looks at
        for path, value in found[:1] if released else found[:: len(found) - 1 or 1] if of_paid(kind) else found:
            for other in others(path, value):
                with pytest.raises(FileRefused):
                    Ensemble.from_json(changed(document, path, other))
                    pytest.fail(f"{path}: {other} in the place of {value} is read")
