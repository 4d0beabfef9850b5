"""How tables of any form become parties, and a domain that is missing the example of one."""

import numpy as np
import pytest

from fdpedu.claims.federations import AGE, grow
from fdpedu.domain import Domain
from fdpedu.domain.tables import Named
from fdpedu.estimators import FederatedBoostingClassifier, FederatedTreeClassifier, FederatedTreeRegressor
from fdpedu.estimators.tables import checked_table, given_rows, how_to_write_a_domain, made_parties, read_domain
from fdpedu.federation import Party
from fdpedu.randomness import Rehearsal, ZeroWords
from tests.support.estimated import DOMAIN, LABELS, ROWS, SITES, SPEC, quiet

EXAMPLE = """WHO needs a domain: what is public about a row, written down by you. It is not taken from the data, \
because a range that ends at the oldest patient's age tells everybody that age. For this table:

domain = {
    "features": {
%s    },
    "classes": ["one class", "another"],
}
WHO(domain, epsilon=1)

LOW and HIGH end the public range, BINS says into how many parts it is cut"""
NUMBER, CATEGORY = "[LOW, HIGH, BINS]", '["one category", "another"]'


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ([[1, 2], [3, 4]], {"x0": NUMBER, "x1": NUMBER}),
        (np.ones((2, 2)), {"x0": NUMBER, "x1": NUMBER}),
        (np.array([["a"], ["b"]]), {"x0": CATEGORY}),
        (np.array([[1, "b"]], dtype=object), {"x0": CATEGORY, "x1": CATEGORY}),
        ([], {"x0": NUMBER}),
        ({"n": np.ones(2), "l": [1, 2], "t": np.array(["a", "b"])}, {"n": NUMBER, "l": CATEGORY, "t": CATEGORY}),
        (object(), {"age": NUMBER, "ward": CATEGORY}),
        (None, {"age": NUMBER, "ward": CATEGORY}),
    ],
    ids=map(str, range(8)),
)
def test_the_example_of_a_domain(table, columns):
    """For an array by its type, for a list of rows numbers; where nothing can be read, columns of a clinic."""
    expected = EXAMPLE.replace("WHO", "Grower") % "".join(f'        "{n}": {v},\n' for n, v in columns.items())
    assert how_to_write_a_domain(table, "Grower") == expected
    with pytest.raises(ValueError) as refused:
        read_domain(None, table, "Grower")
    assert str(refused.value) == expected


def test_twelve_columns_are_shown_and_of_more_that_there_are_more():
    for n, more in ((11, False), (12, False), (13, True)):
        words = how_to_write_a_domain(np.ones((1, n)), "Grower")
        assert ("        …\n    }," in words) is more and words.count(NUMBER) == min(n, 12)


def test_a_domain_may_be_one():
    assert read_domain(DOMAIN, None, "Grower") is DOMAIN and quiet(DOMAIN).fit(ROWS, LABELS).domain_ == DOMAIN
    with pytest.raises(ValueError, match="domain"):
        read_domain(3, None, "Grower")


USUAL = {"X": ROWS, "y": LABELS, "parties": None, "domain": DOMAIN, "n_parties": 3, "who": "Grower"}


def test_a_refusal_names_who_asked():
    with pytest.raises(ValueError, match="Grower"):
        made_parties(**USUAL | {"X": [[1, "A", 2]] * 60})


class Frozen:
    """What makes an array of itself, and is none."""

    def __init__(self, cells):
        self.cells = cells

    def __array__(self, dtype=None, copy=None):
        return np.array(self.cells)


PARTS = [[[20, "well"], [30, "well"], [35, "ill"]], [[80, "ill"], [70, "well"], [90, "ill"]]]
TREE = grow((AGE, PARTS), 1, ZeroWords(), max_depth=1, min_samples_split=2, design="averaged")[0]
PARTIES = [Party(rows, AGE, name=name) for rows, name in zip(PARTS, ("north", "south"), strict=True)]


@pytest.mark.parametrize(
    ("X", "words"),
    [
        (type("Sparse", (), {"nnz": 3})(), "Grower"),
        (np.zeros(3), "two dimensions, got 1"),
        (Frozen([1, 2]), "two dimensions, got 1"),
        (np.zeros((1, 2, 3)), "two dimensions, got 3"),
        (np.zeros((7, 0)), "feature"),
        (np.zeros((7, 2), dtype=complex), "X"),
        (None, "parties"),
        (set("ab"), "^X"),
    ],
    ids=map(str, range(8)),
)
def test_a_form_that_cannot_be_read_is_refused_by_all_who_read_it(X, words):
    def fit():
        made_parties(given_rows(X, LABELS, None, "Grower"), LABELS, None, DOMAIN, 2, "Grower")

    readers = [fit] if X is None else [fit, lambda: checked_table(X, DOMAIN, "Grower")]
    for read in readers:
        with pytest.raises(ValueError, match=words):
            read()


def test_rows_and_parties_are_not_given_both():
    for X, y in ((ROWS, None), (None, LABELS), (ROWS, LABELS)):
        with pytest.raises(ValueError, match="parties"):
            given_rows(X, y, PARTIES, "Grower")
    assert given_rows(None, None, PARTIES, "Grower") is None
    with pytest.raises(ValueError, match="Grower requires y"):
        given_rows(ROWS, None, None, "Grower")


def test_parts_that_are_dealt_are_numbered_and_have_all_rows():
    """Each row by its own draw: of 60 parts of 60 rows some are empty (all have one once in 10^25)."""
    for count in (7, 60):
        parties = made_parties(ROWS, LABELS, None, DOMAIN, count, "Grower")
        sizes = [len(party._labels) for party in parties]
        assert [party.name for party in parties] == [f"part {k}" for k in range(1, count + 1)]
        assert sum(sizes) == 60 and (count == 7 or 0 in sizes)
    assert [p.name for p in made_parties(ROWS, LABELS, SITES, DOMAIN, None, "G")] == ["north", "south", "west"]
    dealt = [made_parties(ROWS, LABELS, None, DOMAIN, 2, "Grower")[0]._codes.tolist() for _ in range(3)]
    assert dealt[0] != dealt[1] or dealt[1] != dealt[2]  # 60 rows are dealt alike once in 10^17


@pytest.mark.parametrize("row", [None, *range(0, 60, 7)])
def test_sites_that_are_fixed_beforehand_are_the_parties_whatever_the_rows_are(row):
    """Also with a row less, and without all rows of a site; another name is refused, by its row."""
    fixed = ["south", "north", "east", "west"]
    kept = [k for k in range(60) if k != row]
    rows, labels, sites = ([column[k] for k in kept] for column in (ROWS, LABELS, SITES))
    made = made_parties(rows, labels, sites, DOMAIN, None, "Grower", names=fixed)
    assert [party.name for party in made] == fixed and sum(len(party._labels) for party in made) == len(rows)
    with pytest.raises(ValueError, match="expected one of the 3 parties that were given"):
        made_parties(rows, labels, sites, DOMAIN, None, "Grower", names=["north", "south", "east"])
    for estimator in (FederatedTreeClassifier, FederatedBoostingClassifier):
        model = estimator(SPEC, nominal_size=60, sites=fixed).fit(rows, labels, parties=["north"] * len(rows))
        assert model.n_parties_ == 4
        assert model.noisy_score(rows, labels, 1, parties=["north"] * len(rows)).derivation is not None


def test_sites_are_refused_where_they_mean_nothing():
    for names, parties, sentence in (
        ("north", SITES, "sites must be a list of the values of the column, got str"),
        (["north", "north"], SITES, "sites must be different names of sites, each text or an integer"),
        (["north", "south"], None, "sites must be None where parties give no name of a site for each row"),
    ):
        with pytest.raises(ValueError, match=sentence):
            FederatedTreeClassifier(SPEC, sites=names).fit(ROWS, LABELS, parties=parties)


def test_a_seed_deals_the_same_rows_again():
    """And another seed others, so that whatever is fitted with a seed is repeated by it, parts and all."""
    dealt = [
        [part._codes.tolist() for part in made_parties(ROWS, LABELS, None, DOMAIN, 7, "Grower", Rehearsal(seed))]
        for seed in (1, 1, 2)
    ]
    assert dealt[0] == dealt[1] != dealt[2]
    for estimator, spec, y in (
        (FederatedTreeClassifier, SPEC, LABELS),
        (FederatedTreeRegressor, {"features": SPEC["features"], "target": [0, 100, 8]}, [age for age, _ in ROWS]),
    ):
        first, again = (estimator(spec, n_parties=7, rng=Rehearsal(1)).fit(ROWS, y) for _ in range(2))
        assert first.tree_ == again.tree_


def test_values_outside_the_range_are_reported_once():
    """For the whole table, by the estimator, and not once more by each part."""
    with pytest.warns(UserWarning) as warned:
        made_parties([[age * 10, ward] for age, ward in ROWS], LABELS, SITES, DOMAIN, None, "Grower")
    assert [str(one.message).split(":")[0] for one in warned] == ["X"]


def test_names_that_are_taken_stay_free_of_a_second_meaning():
    features = {"class": [0, 8, 2], "class_": [0, 8, 2], "parties": [0, 8, 2], "x": [0, 8, 2]}
    domain = Domain.from_spec({"features": features, "classes": ["a", "b"]})
    rows = [[1, 7, 3, k % 8] for k in range(40)]
    made = made_parties(rows, ["ab"[k % 8 > 4] for k in range(40)], ["n", "s"] * 20, domain, None, "Grower")
    assert [party.name for party in made] == ["n", "s"]
    codes = np.array([domain.encode_labels(["ab"[k % 8 > 4] for k in range(40)], "y")[k::2] for k in range(2)])
    assert [party._labels.tolist() for party in made] == codes.tolist()
    assert made[0]._codes[:, 3].tolist() == [int(k % 8 > 4) for k in range(0, 40, 2)]


def test_what_is_masked_is_missing():
    """In numbers and in labels, though something stands beneath the mask."""
    hidden = [True, *[False] * 59]
    labels = np.ma.array(LABELS, mask=hidden)
    with pytest.raises(ValueError, match="y row 0"):
        made_parties(**{**USUAL, "y": labels})
    numbers = np.ma.array([[row[0], 0] for row in ROWS], mask=[[h, False] for h in hidden])
    domain = Domain.from_spec({**SPEC, "features": {"age": [0, 100, 4], "ward": [0, 1]}})
    for read in (lambda: made_parties(**{**USUAL, "X": numbers, "domain": domain}),
                 lambda: made_parties(**{**USUAL, "X": given_rows(numbers, LABELS, None, "G"), "domain": domain}),
                 lambda: quiet(domain).fit(numbers.data, LABELS).predict(numbers)):  # fmt: skip
        with pytest.raises(ValueError, match="row 0, column 'age'"):
            read()


def test_a_row_is_called_as_its_table_calls_it():
    """As that of a file, which has lines; also where its site is missing."""
    cells = {"age": [row[0] for row in ROWS], "ward": [row[1] for row in ROWS]}

    def lines(**changed):
        return Named(("age", "ward"), {**cells, **changed}.__getitem__, lambda i: f"line {i + 2}")

    with pytest.raises(ValueError, match=r"^X line 61, column 'ward': "):
        made_parties(**{**USUAL, "X": lines(ward=[*cells["ward"][:-1], "C"])})
    with pytest.raises(ValueError, match="line 3, column 'parties'"):
        made_parties(**{**USUAL, "X": lines(), "parties": ["n", None, *SITES[2:]]})
    with pytest.raises(ValueError, match="'age' and 'ward'"):
        made_parties(**{**USUAL, "X": lines(ward=["A"])})
