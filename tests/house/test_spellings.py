"""One thing in two spellings is one thing, or refused; two things are two: for every reader of values, names and files.

Values are compared as Python does, but for truth values, which are no numbers, and for texts, which are one in either
form of their letters (NFC, NFD). Files are one if they are one on the disk, whatever names they have there.
"""

import os
import unicodedata
from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest

from fdpedu.accounting import Ledger
from fdpedu.cart import fit_cart
from fdpedu.cli import main
from fdpedu.domain import Categorical, Domain, Numeric, read_csv
from fdpedu.exact import as_fraction
from fdpedu.federation import Federation, Party, parties_from_frame

NFC, NFD = (unicodedata.normalize(form, "é") for form in ("NFC", "NFD"))
VALUES = [
    *(0, -0.0, 0.0, False, np.False_, np.int8(0)),
    *(
        1,
        1.0,
        True,
        np.True_,
        np.int64(1),
        np.uint8(1),
        np.float32(1),
        Fraction(1),
        Decimal(1),
        "1",
        np.str_("1"),
        "1.0",
    ),
    *(2**53, float(2**53), 2**53 + 1, 0.1, Decimal("0.1"), Fraction(1, 10), np.float64(0.1)),
    *(NFC, NFD, "e", np.str_(NFD), "", " 1"),
]
PAIRS = list(product(VALUES, VALUES))
NUMBER = Numeric.grid("x", 0, 9, 3)
OTHER = "another"


def meant(value):
    """What the specification says that a value is."""
    plain = value.item() if isinstance(value, np.generic) else value
    return type(plain) is bool, unicodedata.normalize("NFC", plain) if isinstance(plain, str) else plain


def taken(ask):
    """The answer, or None if it is refused; another exception comes through."""
    try:
        return ask()
    except ValueError:
        return None


def listed(value):
    return np.fromiter([value], dtype=object)


DISTINCT = {  # two of them: refused where they are one
    "categories": lambda a, b: Categorical("x", (a, b)),
    "categories of a specification": lambda a, b: Domain.from_spec(
        {"features": {"x": {"categories": [a, b]}}, "classes": ["A", "B"]}
    ),
    "classes": lambda a, b: Domain([NUMBER], (a, b)),
}
FOUND = {  # the one is public, the other stands in a table: refused where they are not one
    "a row": lambda d, b: d.encode([[b]]),
    "an array": lambda d, b: d.encode(listed(b).reshape(1, 1)),
    "a column": lambda d, b: d.encode({"x": listed(b)}),
    "a typed column": lambda d, b: d.encode({"x": np.array([b])}),
    "a masked column": lambda d, b: d.encode({"x": np.ma.array(listed(b), mask=[False])}),
    "a series": lambda d, b: d.encode({"x": pd.Series([b], dtype=object)}),
    "a dictionary": lambda d, b: d.encode([{"x": b}]),
    "a label": lambda d, b: d.encode_labels([b]),
    "labels": lambda d, b: Party([[OTHER, b]], d),
    "a feature by itself": lambda d, b: d.features[0].encode([b]),
}


@pytest.mark.parametrize("reader", DISTINCT)
def test_two_spellings_are_no_two_values(reader):
    """Nor may 1 and True stand in one list, which are one for Python."""
    for a, b in PAIRS:
        refused = meant(a)[1] == meant(b)[1]
        assert (taken(lambda a=a, b=b: DISTINCT[reader](a, b)) is None) == refused, (a, b)


@pytest.mark.parametrize("reader", FOUND)
def test_a_value_is_found_by_any_of_its_spellings(reader):
    for a, b in PAIRS:
        domain = Domain([Categorical("x", (a, OTHER))], (a, OTHER))
        assert (taken(lambda d=domain, b=b: FOUND[reader](d, b)) is not None) == (meant(a) == meant(b)), (a, b)


def test_domains_are_equal_and_have_one_identity_iff_their_values_are_one():
    """Then a budget of the one is a budget of the other."""
    for a, b in PAIRS:
        one, other = (Domain([Categorical("x", (v, OTHER))], (v, OTHER)) for v in (a, b))
        same = meant(a) == meant(b)
        assert (one == other) == same and (hash(one) == hash(other) or not same), (a, b)
        identities = taken(lambda d=one: d.identity()), taken(lambda d=other: d.identity())
        if None not in identities:
            assert (identities[0] == identities[1]) == same, (a, b)


def test_sites_of_two_spellings_are_one_party_or_refused():
    domain = Domain([NUMBER], ("A", "B"))
    for a, b in PAIRS:
        frame = {"x": [1, 2, 3], "class": ["A"] * 3, "site": np.fromiter([a, b, OTHER], dtype=object)}
        found = taken(lambda f=frame: parties_from_frame(f, domain, label="class", by="site"))
        if found is not None:
            assert len(found) == len({party.name for party in found}) == 3 - (meant(a) == meant(b)), (a, b)


def test_labels_of_two_spellings_are_one_class_or_refused():
    for a, b in PAIRS:
        tree = taken(lambda a=a, b=b: fit_cart([[1], [2]], listed(a).tolist() + listed(b).tolist()))
        if tree is not None:
            assert len(tree.classes) == 2 - (meant(a) == meant(b)), (a, b)


def test_amounts_of_two_spellings_are_one_amount():
    """Floats as the decimals that they print as; truth values are no amounts."""
    spellings = [0.1, "0.1", "1/10", "1e-1", Decimal("0.1"), Fraction(1, 10), np.float64(0.1), np.float32(0.1), "0.10"]
    assert {as_fraction(value) for value in spellings} == {Fraction(1, 10)}
    assert {as_fraction(value) for value in (0, -0.0, "-0", np.int8(0), Decimal("-0"))} == {0}
    assert all(taken(lambda value=value: as_fraction(value)) is None for value in (True, np.True_, False))


CELLS = [  # how a file may write a value, and how it may not
    (0, ["0", "-0", "0.0", "0.00", " 0 "], ["00", "False", "", "1"]),
    (1, ["1", "1.0", "1.00"], ["01", "True", "1e0", "١"]),
    (-0.0, ["0", "-0", "-0.0"], ["", "False"]),
    (0.5, ["0.5", "0.50"], [".5x", "1/2"]),
    ("1", ["1", "1.0"], ["01", "True"]),
    (True, ["True", "true", "TRUE"], ["1", "1.0", "yes"]),
    (NFC, [NFC, NFD, f" {NFD} "], ["e", "É"]),
]


def test_a_cell_of_a_file_is_the_value_that_it_spells(tmp_path):
    for value, *cells in CELLS:
        domain = Domain([Categorical("x", (value, OTHER))], (value, OTHER))
        for ok, texts in zip((True, False), cells, strict=True):
            for text in texts:
                (tmp_path / "a.csv").write_text(f"id,x,y\n1,{text},{text}\n", "utf8")
                for read in (
                    lambda d=domain: d.encode(read_csv(tmp_path / "a.csv", d)),
                    lambda d=domain: Party.from_csv(tmp_path / "a.csv", d, label="y"),
                ):
                    assert (taken(read) is not None) is ok, (value, text)


NAMES = ["{}", "./{}", "link-to-{}", "hard-{}", "sub/../{}"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Files a.csv and b.csv, a domain, a tree with its manifest and a budget; each with other names, too."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    Domain.from_spec({"features": {"age": [0, 90, 3]}, "classes": ["no", "yes"]}).save("domain.json")
    for name in ("a", "b"):
        rows = "".join(f"{k},{'yes' if k > 45 else 'no'}\n" for k in range(0, 90, 3))
        (tmp_path / f"{name}.csv").write_text(f"age,ill\n{rows}", "utf8")
    assert main([*FIT, "--out", "t.json", "--manifest", "m.json", "a.csv", "b.csv"]) == 0
    for name in ("a.csv", "m.json"):
        os.symlink(name, f"link-to-{name}")
        os.link(name, f"hard-{name}")


FIT = ["fit", "--domain", "domain.json", "--label", "ill", "--epsilon", "1"]
COMMANDS = {
    "fit": lambda a, b: [*FIT, "--out", "new.json", a, b],
    "boosting": lambda a, b: [*FIT, "--model", "boosting", "--nominal-size", "60", "--out", "new.json", a, b],
    "score": lambda a, b: ["score", "t.json", "--label", "ill", "--epsilon", "1", a, b],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", NAMES)
def test_one_file_under_two_names_is_no_two_sites(folder, capsys, command, name):
    """Its rows would count twice at one charge. A copy is another file: what stands in it is not looked at."""
    assert main(COMMANDS[command]("a.csv", name.format("a.csv"))) == 2
    assert "twice" in capsys.readouterr().err and not os.path.exists("new.json")


@pytest.mark.parametrize("name", NAMES)
def test_one_file_under_two_names_is_no_two_parties(folder, name):
    domain = Domain.load("domain.json")
    one, again, other = (Party.from_csv(file, domain, label="ill") for file in ("a.csv", name.format("a.csv"), "b.csv"))
    Federation([one, other], domain, Ledger(1))
    with pytest.raises(ValueError, match="twice"):
        Federation([one, again], domain, Ledger(1))


@pytest.mark.parametrize("name", NAMES)
def test_a_manifest_under_two_names_is_one(folder, capsys, name):
    given = ["check-derivation", "t.json", "--manifest", "m.json"]
    assert main(given) == 0
    assert main([*given, "--manifest", name.format("m.json")]) != 0
    assert "twice" in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_a_budget_under_two_names_is_one_budget(folder, name):
    """And one with a hard link is refused, because a lock would be on one of its names."""
    Ledger.open("b.db", 1, domain=Domain.load("domain.json")).close()
    os.symlink("b.db", "link-to-b.db")
    expected = [0, 1]
    if name.startswith("hard"):
        os.link("b.db", "hard-b.db")
        expected = [2, 2]
    fits = [
        [*FIT, "--budget", of, "--out", f"{k}.json", "a.csv", "b.csv"]
        for k, of in enumerate(["b.db", name.format("b.db")])
    ]
    assert [main(fit) for fit in fits] == expected
