"""Small problems for the simulation and for what it stands for: rows, parties, and every record of the domain."""

from itertools import product

import numpy as np
import pytest
from hypothesis import strategies as st

from fdpedu.accounting import Ledger
from fdpedu.datasets import DataSet, Split
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassCounts, Federation, Party
from fdpedu.federation.queries import noise_of
from fdpedu.federation.records import Records
from fdpedu.randomness import ZeroWords
from fdpedu.simulation import CodedRows, Setting
from fdpedu.simulation.grid import Grid
from fdpedu.simulation.growth import predicted_labels
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters

PARTIES = 3
SQUARE = Domain([Numeric.grid("x", 0, 4, 4), Numeric.grid("y", 0, 4, 4)], (0, 1))
TWO_ROWS = {  # one run of two rows, of two parties, and one row to be tested on
    "domain": SQUARE,
    "codes": np.array([[[0, 0], [2, 3]]]),
    "labels": np.array([[0, 1]]),
    "parties": np.array([[1, 0]]),
    "test_codes": np.array([[[1, 1]]]),
    "test_labels": np.array([[1]]),
    "n_parties": 2,
}


def six(rng):
    return Split(rng.uniform(0, 4, (6, 2)), [0, 1, 0, 1, 0, 1], rng.uniform(0, 4, (3, 2)), [0, 1, 1])


SIX = DataSet("six rows", 6, SQUARE, six)
SIX_STUDY = {"settings": [Setting(SIX, 2, 2)], "methods": ["default"], "epsilons": [1]}


def refusal(call, *args, **options):
    """The words of a refusal."""
    with pytest.raises(ValueError) as refused:
        call(*args, **options)
    return str(refused.value)


def shaped(domain, tables):
    """Tables (N, Σ codes, C) in the form of a grid, and in which cells they lie."""
    grid = Grid(domain)
    there = np.arange(grid.most_codes)[:, None] < grid.sizes
    cells = np.zeros((grid.n_classes, grid.most_codes, len(tables), grid.n_features))
    first = np.cumsum([0, *grid.sizes])
    for j, size in enumerate(grid.sizes):
        cells[:, :size, :, j] = tables[:, first[j] : first[j] + size].transpose(2, 1, 0)
    return grid, cells, np.repeat(there[:, None], len(tables), axis=1)


def listed(grid, choice):
    """The splits of a choice, as pairs of a feature and the codes that go left."""
    return [
        (int(j), frozenset(np.flatnonzero(left[: grid.sizes[j]]).tolist())) if found else None
        for found, j, left in zip(*choice, strict=True)
    ]


def expected(found):
    """The same of splits of trees."""
    return [None if split is None else (split.feature, split.left) for split in found]


@st.composite
def domains(draw, ordered=False):
    """One to three features of two to four bins or categories, perhaps with gaps; two to four classes.

    Ordered ones have bins, and no gaps.
    """
    kinds = draw(st.lists(st.tuples(st.integers(2, 4), st.booleans(), st.booleans()), min_size=1, max_size=3))
    features = [
        Numeric.grid(f"x{j}", 0, k, k, missing=gaps and not ordered)
        if bins or ordered
        else Categorical(f"x{j}", [f"c{i}" for i in range(k)], missing=gaps)
        for j, (k, bins, gaps) in enumerate(kinds)
    ]
    return Domain(features, range(draw(st.integers(2, 4))))


@st.composite
def problems(draw, ordered=False):
    """A domain, and up to 40 coded rows with their classes and parties; often a class follows from the codes."""
    domain = draw(domains(ordered))
    sizes, rng = [feature.n_codes for feature in domain.features], np.random.default_rng(draw(st.integers(0, 10**6)))
    n = draw(st.integers(0, 40))
    codes = rng.integers(0, sizes, size=(n, len(sizes)))
    labels = (codes.sum(axis=1) + rng.integers(0, draw(st.integers(1, 3)), n)) % domain.n_classes
    return domain, codes, labels, rng.integers(0, PARTIES, n)


def every_record(domain):
    """The codes of all records that the domain has."""
    return np.array(list(product(*(range(feature.n_codes) for feature in domain.features))))


def coded(problem, times=1):
    """The rows of a problem, to be tested on every record of the domain; the test labels are all 0."""
    domain, codes, labels, parties = problem
    records = every_record(domain)
    rows = CodedRows(
        domain, codes[None], labels[None], parties[None], records[None], np.zeros((1, len(records)), int), PARTIES
    )
    return rows.repeated(times)


def raw(domain, codes, labels):
    """The same rows as a hospital has them: values and classes."""
    values = [
        [
            None
            if feature.missing and code == feature.n_codes - 1
            else code + 0.5
            if feature.ordered
            else feature.categories[code]
            for feature, code in zip(domain.features, row, strict=True)
        ]
        for row in codes.tolist()
    ]
    return values, labels.tolist()


def federation(problem, epsilon=1, rng=None, tolerate=0):
    """The parties of a problem, by default without noise."""
    domain, codes, labels, parties = problem
    members = []
    for k in range(PARTIES):
        values, classes = raw(domain, codes[parties == k], labels[parties == k])
        members.append(Party(values, domain, labels=classes))
    return Federation(members, domain, Ledger(epsilon), rng=rng or ZeroWords(), tolerate=tolerate)


def predictions_of(tree):
    """What a tree says of every record of its domain."""
    labels = np.array([leaf.label for leaf in tree.leaves()])
    return labels[tree.route(every_record(tree.domain))].tolist()


def simulated(method, problem, source=None, epsilon=1, **parameters):
    """What the simulation says of every record of the domain, by default without noise."""
    domain = problem[0]
    plan = plan_of(method, domain, PARTIES, epsilon, Parameters(**parameters))
    return predicted_labels(plan, coded(problem), source or ZeroWords())[0].tolist()


class InOnePlace(Federation):
    """A federation without messages, masks and charges: exact counts of each party, and K noise shares on each cell.

    Its ledger holds one charge, because trees come with a derivation; a tree needs its ε stated.
    """

    def __init__(self, problem, budget, tolerate=0):
        domain, codes, labels, parties = problem
        nobody = [Party([], domain) for _ in range(PARTIES)]
        super().__init__(nobody, domain, Ledger(budget), rng=ZeroWords(), tolerate=tolerate)
        super().release([ClassCounts(domain.everything, "1/8")])
        own = [np.flatnonzero(parties == k) for k in range(PARTIES)]
        self.all_records = [Records(codes[rows].astype(np.uint8), labels[rows], domain) for rows in own]
        self.source = ZeroWords()

    def drawing_from(self, source):
        """The same federation; its noise comes from there."""
        self.source = source
        return self

    def release(self, queries, account=None, *, answered=None):
        regions = [query.region for query in queries]
        found = [records.within(regions) for records in self.all_records]
        answers = []
        for i, query in enumerate(queries):
            total = noise_of([query] * PARTIES, self.domain, PARTIES - self.tolerate, self.source)
            total = total.reshape(PARTIES, -1).sum(axis=0)
            for records, rows in zip(self.all_records, found, strict=True):
                total = total + np.ravel(query.tally(records, rows[i], self.domain))
            answers.append(total.reshape(query.shape(self.domain)))
        return answers


def regions(grid, nodes, rng):
    """In each node some codes of each feature, which lie side by side."""
    inside = np.zeros((grid.most_codes, nodes, grid.n_features), dtype=bool)
    for node in range(nodes):
        for j, size in enumerate(grid.sizes):
            first, last = sorted(rng.integers(0, size, 2))
            inside[first : last + 1, node, j] = True
    return inside
