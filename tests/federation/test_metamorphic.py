"""What must follow for queries when parties, rows, features and classes change their places, or rows come again."""

from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.claims.strategies import domains, domains_with_parties, regions, tables
from fdpedu.domain import Categorical, Domain, Region
from fdpedu.federation import ClassCounts, ClassHistogram, NodeHistograms
from tests.support.records import federation


def every_query(region, domain):
    return [*(ClassHistogram(region, 1, j) for j in range(domain.n_features)), NodeHistograms(region, 1)]


def renamed(region, features, classes, codes=None):
    """The same records after the features, the classes and the codes of feature 0 have changed their places."""
    masks = [region.codes(j) for j in features]
    if codes is not None:
        at = features.index(0)
        masks[at] = {codes.index(code) for code in masks[at]}
    whole = Region(tuple(sum(1 << code for code in mask) for mask in masks), region.classes)
    return Region(whole.features, sum(1 << classes.index(c) for c in region.class_codes))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_queries_follow_features_classes_categories_and_rows(data):
    """Features, classes, the categories of the first feature, parties and rows change places; and so do the answers."""
    domain, parts = data.draw(domains_with_parties())
    region = data.draw(regions(domain))
    features = list(data.draw(st.permutations(range(domain.n_features))))
    classes = list(data.draw(st.permutations(range(domain.n_classes))))
    first = domain.features[0]
    codes = list(range(first.n_codes))
    if isinstance(first, Categorical):
        order = list(data.draw(st.permutations(range(len(first.categories)))))
        codes[: len(order)] = order  # missing values stay the last
        first = Categorical(first.name, tuple(first.categories[code] for code in order), missing=first.missing)
    all_features = [first, *domain.features[1:]]
    other = Domain([all_features[j] for j in features], [domain.classes[c] for c in classes])
    turned = [[[*(row[j] for j in features), row[-1]] for row in reversed(rows)] for rows in reversed(parts)]
    where = renamed(region, features, classes, codes)
    plain = federation(parts, domain).release([*every_query(region, domain), ClassCounts(region, 1)])
    answers = federation(turned, other).release([*every_query(where, other), ClassCounts(where, 1)])
    assert answers[-1].tolist() == plain[-1][classes].tolist()
    tables_of = [table[:, classes] for table in plain[: domain.n_features]]
    tables_of[0] = tables_of[0][codes]
    for j, table in zip(features, answers, strict=False):
        assert table.tolist() == tables_of[j].tolist()
    assert answers[-2].tolist() == np.concatenate([tables_of[j] for j in features]).tolist()


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(2, 9))
def test_as_many_times_the_rows_are_as_many_times_the_counts(data, times):
    """In the same parties, or in as many times the parties."""
    domain, parts = data.draw(domains_with_parties())
    region = data.draw(regions(domain))
    asked = [*every_query(region, domain), ClassCounts(region, 1)]
    plain = federation(parts, domain).release(asked)
    for many in ([rows * times for rows in parts], parts * times):
        for one, all_ in zip(plain, federation(many, domain).release(asked), strict=True):
            assert all_.tolist() == (times * one).tolist()


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_parties_that_change_places_keep_the_derivation(data):
    """Queries in the same order, parties in any: the same answers, charges, and manifest but for the names."""
    domain = data.draw(domains(most_features=2, most_codes=3, most_classes=2))
    parts = [data.draw(tables(domain, most=3)) for _ in range(3)]
    region = data.draw(regions(domain))
    asked = [ClassCounts(region, "1/3"), NodeHistograms(domain.everything, "1/7")]
    seen = []
    for order in permutations(parts):
        f = federation(order, domain)
        answers = [answer.tolist() for answer in f.release(asked)]
        manifest = f.manifest.to_json().replace(f.session, "the session")
        seen.append((answers, f.ledger.derivation().content, f.bytes_sent, manifest))
    assert all(one == seen[0] for one in seen)
