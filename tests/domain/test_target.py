"""A numeric target: how it is written and read, which level a value has, and what its refusals say and do not say."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.domain import Domain, Numeric, read_csv, require_classes
from fdpedu.federation import ClippedWarning, Party, parties_from_frame
from tests.support.stays import DOMAIN, REFUSED, ROWS, SPEC

FEATURES = {"age": [0, 100, 4]}
NAMES = st.sampled_from(["target", "stay", "Größe"])
NUMBERS = st.fractions(-(10**6), 10**6, max_denominator=1000)


def of(target, **more):
    return Domain.from_spec({"features": FEATURES, "target": target, **more})


@st.composite
def targets(draw):
    low, width = draw(NUMBERS), draw(st.fractions(Fraction(1, 1000), 10**6, max_denominator=1000))
    words = {word: draw(st.sampled_from(["", "days"])) for word in ("unit", "reason")}
    return Numeric.grid(draw(NAMES), low, low + width, draw(st.integers(2, 256)), **words)


# --- written and read -------------------------------------------------------------------------------------------------


@given(targets())
def test_a_domain_is_written_and_read_as_it_is(target):
    domain = Domain.from_spec({"features": FEATURES, "classes": [0, 1]})
    with_target = Domain(domain.features, target=target)
    for again in (Domain.from_spec(with_target.to_spec()), Domain.from_spec(with_target.to_json())):
        assert again == with_target and hash(again) == hash(with_target)
        assert (again.target.unit, again.target.reason) == (target.unit, target.reason)
        assert again.classes == with_target.classes and again.identity() == with_target.identity()
    assert with_target != domain and with_target.identity() != domain.identity()


def test_all_forms_mean_the_same():
    short = of([0, 100, 4])
    for form in (
        {"low": 0, "high": 100, "levels": 4},
        {"range": ["0", 100], "levels": 4},
        {"edges": [0, 25, 50, 75, 100]},
        (0, 100.0, 4),
    ):
        assert of(form) == short and of(form).to_spec()["target"] == [0, 100, 4]
    longer = {"low": 0, "high": 1, "levels": 2, "unit": "g", "reason": "a scale", "name": "weight"}
    assert of(longer).to_spec()["target"] == longer
    assert of({**longer, "unit": "kg", "reason": ""}).identity() == of(longer).identity()
    assert of({**longer, "name": "mass"}).identity() != of(longer).identity()


def test_levels_that_are_left_out_are_256():
    """A range alone has as many levels as codes have numbers, however it is written."""
    finest = of([0, 100, 256])
    for form in ([0, 100], {"low": 0, "high": 100}, {"range": [0, "100"]}):
        assert of(form) == finest and of(form).to_spec()["target"] == [0, 100, 256]


def test_a_third_is_no_obstacle(tmp_path):
    """Ends that no float is have levels whose widths differ in the last place, and are written by their edges."""
    thirds = of(["1/3", "5/7", 7])
    assert Domain.from_spec(thirds.to_spec()) == thirds
    thirds.save(tmp_path / "domain.json")
    assert Domain.load(tmp_path / "domain.json") == thirds


def test_a_domain_says_what_its_target_is(tmp_path):
    assert (DOMAIN.n_classes, DOMAIN.classes) == (8, (1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0))
    assert all(type(value) is float for value in DOMAIN.classes)
    assert (
        DOMAIN.target == Numeric.grid("stay", 0, 16, 8)
        and Domain.from_spec({"features": FEATURES, "classes": [1, 2]}).target is None
    )
    assert DOMAIN.to_text().splitlines()[-3:] == ["stay     8      0 to 16 days", "", "target: stay, in 8 levels"]
    assert "target=Numeric(name='stay'" in repr(DOMAIN) and "classes" not in repr(DOMAIN)
    assert DOMAIN.select(["ward"]) == Domain([DOMAIN.features[1]], target=DOMAIN.target)
    assert DOMAIN.everything.class_codes == frozenset(range(8))
    assert DOMAIN.describe(DOMAIN.everything.restrict_class([0, 2])) == "stay in level 1 or 3"


def test_a_domain_of_classes_is_written_as_before():
    domain = Domain.from_spec({"features": FEATURES, "classes": ["well", "ill"]})
    assert domain.to_spec() == {"features": {"age": [0, 100, 4]}, "classes": ["well", "ill"]}
    assert json.loads(domain.identity()) == {"schema": "fdpedu-domain/2", **domain.to_spec()}
    assert repr(domain).endswith(", classes=('well', 'ill'))")


# --- levels -----------------------------------------------------------------------------------------------------------


@given(targets(), st.lists(NUMBERS, min_size=1, max_size=20))
def test_a_value_has_the_level_that_a_bin_has(target, values):
    domain = Domain([Numeric.grid("age", 0, 100)], target=target)
    floats = [float(value) for value in values] + list(target.edges)
    codes, clipped = domain.admit_labels(floats)
    assert codes.tolist() == target.encode(floats).tolist() == domain.encode_labels(floats).tolist()
    edges = target.edges
    for value, code in zip(floats, codes.tolist(), strict=True):
        inside = min(max(value, edges[0]), edges[-1])
        assert edges[code] < inside <= edges[code + 1] or (code == 0 and inside == edges[0])
    assert clipped == {target.name: sum(not edges[0] <= value <= edges[-1] for value in floats)}


def test_the_border_of_two_levels_belongs_to_the_lower():
    assert DOMAIN.encode_labels([0, 2, 2.000001, 16, -5, 99]).tolist() == [0, 0, 1, 7, 0, 7]
    assert DOMAIN.encode_labels(np.array([3, 5], dtype=np.int8)).tolist() == [1, 2]


def test_a_party_tells_its_owner_what_was_clipped():
    with pytest.warns(ClippedWarning, match="33% of 'age', 67% of 'stay'"):
        party = Party([[10, "A", 99], [20, "B", -1], [-3, "B", 4]], DOMAIN, name="one")
    assert party.clipped == {"age": 1, "ward": 0, "stay": 2}


FORMS = {
    "rows": lambda: Party(ROWS, DOMAIN),
    "labels": lambda: Party([row[:2] for row in ROWS], DOMAIN, labels=[row[2] for row in ROWS]),
    "an array": lambda: Party([row[:2] for row in ROWS], DOMAIN, labels=np.array([row[2] for row in ROWS])),
    "columns": lambda: Party(
        dict(zip(("age", "ward", "days"), zip(*ROWS, strict=True), strict=True)), DOMAIN, label="days"
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_party_reads_numbers_from_wherever_they_stand(form):
    records = FORMS[form]().records()
    assert records.labels.tolist() == DOMAIN.target.encode([row[2] for row in ROWS]).tolist()


def test_a_frame_is_divided_by_site():
    frame = {"age": [1, 2, 3], "ward": ["A", "B", "A"], "days": [0.5, 15, 7], "site": ["s", "n", "s"]}
    north, south = parties_from_frame(frame, DOMAIN, label="days", by="site")
    assert (north.records().labels.tolist(), south.records().labels.tolist()) == ([7], [0, 3])


@pytest.mark.parametrize(
    ("text", "options", "codes"),
    [
        ("age,ward,days\n1,A,3\n2,B,15.5\n", {}, [1, 7]),
        ("age;ward;days\n1;A;3,5\n2;B;15,5\n", {"decimal": ","}, [1, 7]),
        ("age,ward,days\n1,A,3e0\n2,B, 1.55e1 \n", {}, [1, 7]),
    ],
    ids=["plain", "comma", "exponent"],
)
def test_a_file_is_read_as_numbers(tmp_path, text, options, codes):
    (tmp_path / "a.csv").write_text(text, "utf8")
    assert Party.from_csv(tmp_path / "a.csv", DOMAIN, label="days", **options).records().labels.tolist() == codes
    table = read_csv(tmp_path / "a.csv", DOMAIN, label="days", **options)
    assert DOMAIN.check(table, label="days").ok


@pytest.mark.parametrize(
    ("cells", "words"),
    [(("1,5", "2,5"), "numbers have a comma; if it is the decimal sign"), (("2,300", "1,000"), "every comma stands")],
)
def test_commas_in_the_target_are_refused_until_they_are_explained(tmp_path, cells, words):
    lines = ["age;ward;days", *(f"1;A;{cell}" for cell in cells)]
    (tmp_path / "a.csv").write_text("\n".join(lines), "utf8")
    with pytest.raises(ValueError, match=f"column 'days': {words}"):
        read_csv(tmp_path / "a.csv", DOMAIN, label="days")
    assert read_csv(tmp_path / "a.csv", DOMAIN)  # without a label, the column is not looked at


def test_a_report_counts_the_target_like_a_feature():
    columns = {"age": [1] * 5, "ward": ["A"] * 5, "days": [-1, 99, None, "x", 7]}
    report = DOMAIN.check(columns, label="days").columns[-1]
    assert (report.name, report.rows, report.below, report.above) == ("days", 5, 1, 1)
    assert (report.missing, report.unfit, report.outcome) == (1, 1, "refused: 2 rows")
    by_place = DOMAIN.check([[1, "A", 3], [1, "A", 17]])
    assert [column.name for column in by_place.columns] == ["age", "ward", "the target 'stay'"]
    assert by_place.columns[-1].above == 1 and by_place.ok
    assert [column.name for column in DOMAIN.check(columns).columns] == ["age", "ward"]


# --- refusals ---------------------------------------------------------------------------------------------------------

FILL = "expected a finite number; a missing value must be filled in or its row left out beforehand"
CELLS = {
    "text": ("7", "expected a number"),
    "truth": (True, "expected a number"),
    "nothing": (None, FILL),
    "nan": (float("nan"), FILL),
    "infinity": (float("-inf"), "expected a finite number"),
}


@pytest.mark.parametrize(("cell", "sentence"), CELLS.values(), ids=CELLS)
def test_a_value_that_is_no_number_is_refused_by_row(cell, sentence):
    with pytest.raises(ValueError) as refused:
        Party([[1, "A", 3], [1, "A", cell]], DOMAIN, name="north")
    assert str(refused.value) == f"north row 1, the target 'stay': {sentence}"


def test_no_refusal_repeats_a_value(tmp_path):
    (tmp_path / "a.csv").write_text("age,ward,days\n1,A,3\n2,B,SECRET\n", "utf8")
    with pytest.raises(ValueError) as refused:
        Party.from_csv(tmp_path / "a.csv", DOMAIN, label="days")
    assert str(refused.value) == "a.csv line 3, the target 'stay': expected a number"


RANGE = "the target needs a range, low < high: a number that is the same for all is nothing to learn"
AGE = Numeric.grid("age", 0, 100, bins=4)
NEEDED = "the specification must have 'classes' or a numeric 'target'"


def spec(rest):
    return Domain.from_spec({"features": FEATURES, **rest})


SENTENCES = [
    (lambda: of([0, 0, 16]), RANGE),
    (lambda: of([5, 1, 16]), RANGE),
    (lambda: of([0, 9, 1]), "the number of levels of the target must be an integer ≥ 2, got 1"),
    (lambda: of([0, 9, 257]), "the number of levels of the target must be at most 256, got 257"),
    (lambda: of([0, 9, 2.5]), "the number of levels of the target must be an integer ≥ 2, got 2.5"),
    (
        lambda: of([0, 1]),
        '\'target\' may be a range in levels: {"low": 0, "high": 1, "levels": 256}, or classes: {"classes": [0, 1]}',
    ),
    (lambda: of([0]), "'target' must be [low, high] or [low, high, levels], got 1 numbers"),
    (lambda: of("0-9"), "'target' must be a list or a dictionary, got str"),
    (lambda: of(5), "'target' must be a list or a dictionary, got int"),
    (lambda: of({0, 9, 16}), "'target' must be a list or a dictionary, got set: its order must be explicit"),
    (lambda: of(None), "'target' must be a list or a dictionary, got NoneType"),
    (lambda: of(["no", "yes"]), "'target' must be [low, high] or [low, high, levels]; classes are written under"),
    (lambda: of(["a", "b", "c"]), "'target' must be [low, high] or [low, high, levels]; classes are written under"),
    (lambda: of({"low": 0, "levels": 4}), "'target' must have 'high'"),
    (lambda: of({"low": 0, "high": 9, "bins": 4}), "'target' must not have 'bins'"),
    (lambda: of({"edges": [0, 1, 2], "levels": 2}), "'target' must not have 'levels'"),
    (lambda: of({}), "'target' must have 'low', 'high'"),
    (lambda: of({"range": [0, 9, 2], "levels": 4}), "'range' of 'target' must be two numbers, [low, high], got 3"),
    (
        lambda: of({"low": 0, "high": 9, "levels": 4, "missing": True}),
        "'target' must not have 'missing'; it may have 'low', 'high', 'unit', 'reason', 'name', 'levels'",
    ),
    (lambda: of({"low": 0, "high": 9, "levels": 4, "unit": 7}), "the unit of 'target' must be text, got int"),
    (lambda: of({"low": 0, "high": 9, "levels": 4, "name": " "}), "the target's name must be a non-empty string"),
    (
        lambda: of({"low": 0, "high": 9, "levels": 4, "name": "age"}),
        "target must have a name of its own, got that of the feature 'age'",
    ),
    (lambda: of({"edges": [0, 1, 3]}), "target must have levels of equal width: write it [low, high, levels]"),
    (lambda: of({"edges": [0, 1]}), "the target needs 3 to 257 edges in increasing order"),
    (lambda: of({"edges": [0, 2, 1]}), "the target needs 3 to 257 edges in increasing order"),
    (lambda: of({"edges": range(258)}), "the target needs 3 to 257 edges in increasing order"),
    (lambda: of([1, "1.0000000000000000001", 2]), "the target needs 3 to 257 edges in increasing order"),
    (lambda: of({"edges": [0, None, 1]}), "an edge of the target must be"),
    (lambda: of({"edges": [0, 1, 2], "name": "\ud800"}), "the target's name must"),
    (lambda: spec({}), "the specification must have 'classes' or a numeric 'target'"),
    (lambda: spec({"targets": [0, 9, 4]}), f"{NEEDED}; did you mean 'target' by 'targets'?"),
    (lambda: spec({"Target": [0, 9, 4]}), f"{NEEDED}; did you mean 'target' by 'Target'?"),
    (lambda: spec({"clases": [0, 1]}), f"{NEEDED}; did you mean 'classes' by 'clases'?"),
    (lambda: spec({"zzz": [0, 1]}), NEEDED),
    (lambda: Domain.from_spec({}), "the specification must have 'features', and 'classes' or a numeric 'target'"),
    (
        lambda: of([0, 9, 4], classes=[1, 2]),
        "the specification must have 'classes' or a numeric 'target', and has both",
    ),
    (lambda: of([0, 9, 4], clases=[1]), "the specification must not have 'clases'; did you mean 'classes'?"),
    (lambda: Domain([AGE]), "a domain has classes or a target: give one of them"),
    (lambda: Domain([AGE], (0, 1), target=AGE), "a domain has classes or a target: give one of them"),
    (lambda: Domain([AGE], target=[0, 1, 2]), "target must be a Numeric, got list"),
    (
        lambda: Domain([AGE], target=Numeric.grid("y", 0, 1, missing=True)),
        "target must have no code for missing values: a row without a value teaches nothing",
    ),
    (
        lambda: Domain([AGE], target=Numeric("y", tuple(k * 5e-324 for k in range(5)))),
        "target must have levels whose middles differ as floats: take a wider range, or fewer levels",
    ),
    (lambda: of([-1.7e308, 1.7e308, 4]), "target must have a range within ±1e+150, so that means and squares are"),
    (lambda: of([0, 2e150, 4]), "target must have a range within ±1e+150, so that means and squares are"),
    (lambda: require_classes(DOMAIN, "what it is", "and why"), "what it is" + REFUSED + ": and why"),
    (
        lambda: DOMAIN.check_label("age"),
        "label must be the name of the column of classes, or of the target, got that of",
    ),
]


@pytest.mark.parametrize(("ask", "sentence"), SENTENCES, ids=range(len(SENTENCES)))
def test_sentences_of_refusals(ask, sentence):
    with pytest.raises(ValueError) as refused:
        ask()
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize("name", ["two\nlines", "a\ttab", "\x07", " ", "", "\ud800", "e\u0301"])
def test_a_target_may_be_called_what_a_feature_may_be(name):
    """The same names are refused, and the others have the same form."""
    made = []
    for make in (lambda: Numeric.grid(name, 0, 4, 4), lambda: of({"range": [0, 4], "levels": 4, "name": name}).target):
        try:
            made.append(make().name)
        except ValueError as refused:
            made.append(str(refused).replace("a feature's name", "the target's name"))
    assert made[0] == made[1]


def test_what_is_at_the_edge_is_not_refused():
    assert of([0, 9, 2]).n_classes == 2 and of([0, 9, 256]).n_classes == 256
    assert of([-(10**150), 10**150, 16]).classes[8] == pytest.approx(10**150 / 16)
    assert require_classes(Domain.from_spec({"features": FEATURES, "classes": [1, 2]}), "anything") is None
    assert SPEC["target"] == DOMAIN.to_spec()["target"]


def test_another_column_is_no_target_where_one_has_its_name(tmp_path):
    """By whatever door: a file, a table, parties by site; where no column is called so, any other one may hold it."""
    spec = {"features": {"age": [0, 80, 4]}, "target": {"low": 0, "high": 16, "levels": 8, "name": "stay"}}
    domain = Domain.from_spec(spec)
    both = {"age": [3, 70], "stay": [1, 9], "stage": [1, 2], "site": ["a", "b"]}
    one = {"age": [3, 70], "days": [1, 9], "site": ["a", "b"]}

    def doors(table, label):
        file = tmp_path / f"{label}.csv"
        lines = [list(table), *zip(*table.values(), strict=True)]
        file.write_text("\n".join(",".join(map(str, line)) for line in lines), "utf8")
        yield lambda: Party(table, domain, label=label)
        yield lambda: Party.from_csv(file, domain, label=label)
        yield lambda: read_csv(file, domain, label=label)
        yield lambda: parties_from_frame(table, domain, label=label, by="site")

    for door in doors(both, "stage"):
        with pytest.raises(ValueError, match="label must be 'stay', as the domain calls its target and a column is"):
            door()
    for door in (*doors(both, "stay"), *doors(one, "days")):
        assert door()
