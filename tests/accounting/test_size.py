"""Sizes of what is written of regions and releases, by looking at every text."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.accounting import Ledger
from fdpedu.accounting.limits import size_at_most
from fdpedu.accounting.region_tree import RegionTree
from fdpedu.accounting.size import Size, digits, of_names, of_release, of_texts
from fdpedu.claims.accounting.composition import charge
from fdpedu.domain import Categorical, Domain
from tests.support.accounting import ward


@given(st.integers(0, 10**400), st.integers(1, 10**400))
def test_digits_are_never_counted_short(numerator, denominator):
    for number in (numerator, Fraction(numerator, denominator)):
        assert len(str(number)) <= digits(number) <= 1.2 * len(str(number)) + 4


PARAMETERS = st.dictionaries(st.text("abc_", min_size=1), st.integers() | st.text(max_size=9), max_size=3)


@given(st.lists(st.text(max_size=9), max_size=3), PARAMETERS, st.lists(st.integers(0, 10**30), max_size=3))
def test_texts_and_numbers_are_measured_as_they_are_written(texts, parameters, numbers):
    written = [json.dumps(text, ensure_ascii=False) for text in texts]
    asked = json.dumps(parameters, ensure_ascii=False)
    size = of_texts(*texts)
    brackets = sum(text.count("[") + text.count("{") for text in written)
    assert size == (sum(map(len, written)), brackets, sum(text.count('"') for text in written))
    bare, whole = of_release((), {}, ()), of_release(tuple(texts), parameters, tuple(numbers))
    size = size.plus(Size(len(asked) - 2, asked.count("[") + asked.count("{") - 1, asked.count('"')))
    digits = whole.characters - bare.characters - size.characters
    assert sum(len(str(number)) for number in numbers) <= digits <= sum(1.2 * len(str(n)) + 4 for n in numbers)
    assert whole[1:] == (bare.brackets + size.brackets, bare.quotes + size.quotes)
    assert Size(1, 2, 3).plus(size, 2) == tuple(a + 2 * b for a, b in zip((1, 2, 3), size, strict=True))


def test_a_region_is_named_by_what_differs():
    """In a coordinate that differs its codes are written; what is the same is not written."""
    assert of_names(ward(0, 1), ward(0, 1)) == Size() and of_names(ward(0), ward(0, 1)) == (12 + 4, 1, 2)
    assert of_names(ward(0, 1), None) == (2 * 12 + 4 * (2 + 2), 2, 4)


@pytest.mark.parametrize("length", [1, 4000])
def test_the_names_of_features_count(length):
    """A domain's features are written with their names, and in the bound they are, too."""
    domain = Domain([Categorical(f"{'x' * length} {j}", (0, 1)) for j in range(9)], (0, 1))
    ledger = Ledger(1, domain=domain)
    ledger.charge([charge(domain.everything, "1/2")])
    text, bound = ledger.derivation().to_json(), size_at_most(ledger._region_trees, domain, ledger.budget)
    assert len(text) <= bound.characters <= 1.5 * len(text) + 300
    assert text.count('"') <= bound.quotes <= 1.5 * text.count('"') + 60


def test_a_region_takes_the_room_of_what_it_differs_in():
    """Regions in one another, each smaller in one coordinate; none has a charge yet, and each costs the fraction 0."""
    domain = Domain([Categorical(name, (0, 1, 2)) for name in "abcdef"], (0, 1))
    tree, region, size = RegionTree(), domain.everything, of_names(domain.everything, None)
    assert tree.insert(region)
    for j in range(6):
        inner = region.restrict(j, {0, 1})
        size, region = size.plus(of_names(inner, region)), inner
        assert tree.insert(inner) and tree.local_cost(inner) == 0
        assert type(tree.local_cost(inner)) is type(tree.path_cost(inner)) is Fraction
    assert tree.size == size
