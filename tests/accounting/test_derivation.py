"""What a derivation says, to the letter: its text, its list, its picture, its releases, its size, its file."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from fdpedu.accounting import Derivation, Ledger, check_derivation
from fdpedu.accounting.worked.by_hand import Shape, theorem_6
from fdpedu.claims.accounting.composition import charge
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.files import FileRefused
from fdpedu.viz import draw_derivation
from tests.support.accounting import WARDS, ward

DOMAIN = Domain([Numeric.grid("größe", 0, 12, bins=12), Categorical("z", ("u", "v", "w"))], ("a", "b"))
ALL = DOMAIN.everything
LEFT, RIGHT = (ALL.restrict(0, codes) for codes in (range(6), range(6, 12)))
INNER = LEFT.restrict(1, [0])
OUTLINE = """\
2               the budget, as regions and costs may be chosen on the way (filter lemma)
  7/4           = 1/2 + 1/2 + 1/4 + 1/2 in sequence, on all records
    1/2         = 2 × 1/4: counts, round 1
    1/2         = 6 × 1/12: some bounds, round 1
    1/4         = 3 × 1/12: counts of z, round 1
    1/2         = max(1/4, 1/2), on disjoint parts
      1/4       = 1/8 + 1/8 in sequence, on größe ≤ 6
        1/8     leaf, round 2
        1/8     = 1/16 + 1/16 in sequence, on größe ≤ 6, z in {u}
          1/16  deep, round 2
          1/16  deep, round 3
      1/2       leaf, round 2, on 6 < größe"""


@pytest.fixture
def derivation():
    ledger = Ledger(2, domain=DOMAIN)
    of_features = [replace(charge(ALL, "1/4", query=f"counts of {name}"), type="counts") for name in ("größe", "z")]
    bounds = [charge(ALL, "1/4", query=f"bounds of {name}", releases=3) for name in ("größe", "z")]
    bounds = [replace(each, type="some-bounds", parameters=(("feature", j),)) for j, each in enumerate(bounds)]
    ledger.charge([*of_features, *bounds, charge(ALL, "1/4", query="counts of z", releases=3)])
    parts = [charge(LEFT, "1/8", query="leaf"), charge(RIGHT, "1/2", query="leaf")]
    ledger.charge([*parts, charge(INNER, "1/16", query="deep")])
    ledger.charge([charge(INNER, "1/16", query="deep")])
    return ledger.derivation()


def test_text_gathers_what_is_alike_and_nothing_else(derivation):
    """Releases of one round, region, number and type are one line; of another round or number they are not."""
    assert derivation.render() == OUTLINE


def test_neighbours_that_differ_in_number_or_region_keep_their_lines():
    """Though of one round, cost and kind of query."""
    ledger, kind = Ledger(2, domain=DOMAIN), "class × bin histogram of"
    ledger.charge([charge(ALL, "1/8", query=f"{kind} z"), charge(ALL, "1/8", query=f"{kind} größe", releases=2)])
    ledger.charge([charge(region, "1/8", query="leaf") for region in (LEFT, RIGHT)])
    lines = [line.split(maxsplit=1)[1] for line in ledger.derivation().render().splitlines()]
    assert lines[2:4] == [f"{kind} z, round 1", f"= 2 × 1/16: {kind} größe, round 1"]
    assert lines[5:] == ["leaf, round 2, on größe ≤ 6", "leaf, round 2, on 6 < größe"]
    again = Ledger(2, domain=DOMAIN)
    histograms = [charge(ALL, "1/8", query=f"{kind} {name}") for name in ("größe", "z")]
    again.charge([replace(each, type="class-histogram") for each in histograms])
    assert "= 2 × 1/8: class histogram, round 1" in again.derivation().render()


def test_what_was_charged_by_hand_is_gathered_by_its_sentence():
    """Of charges by hand the type says nothing; those of one sentence are one line, and keep it."""
    ledger = Ledger(2, domain=DOMAIN)
    ledger.charge([charge(ALL, "1/8", query=query) for query in ("size of all", "size of all", "size of some")])
    lines = [line.split(maxsplit=1)[1] for line in ledger.derivation().render().splitlines()]
    assert lines[2:] == ["= 2 × 1/8: size of all, round 1", "size of some, round 1"]


def test_a_notebook_shows_the_same_lines_nested_below_the_guarantee(derivation):
    shown, lines = derivation._repr_html_(), [line.split(maxsplit=1) for line in OUTLINE.splitlines()]
    assert shown.startswith('<div class="fdpedu-derivation"><p>2-differentially private (one record added or removed, ')
    for cost, text in lines:
        escaped = text.replace("<", "&lt;")
        assert f"<li><strong>{cost}</strong> {escaped}" in shown
    below = '<ul style="list-style: none; margin: 0; padding-left: 0.9em">'
    deep = [f"<li><strong>1/16</strong> deep, round {n}</li>" for n in (2, 3)]
    assert f"z in {{u}}{below}{''.join(deep)}</ul></li></ul></li><li><strong>1/2</strong> leaf" in shown
    assert shown.count("<li>") == len(lines) and shown.count("<ul") == 6


def test_releases_come_with_their_regions_in_the_order_of_reading(derivation):
    found = [(region, step["query"], step["round"]) for region, step in derivation.releases()]
    first = [(ALL, f"{what} of {name}", 1) for what in ("counts", "bounds") for name in ("größe", "z")]
    deep = [(INNER, "deep", 2), (INNER, "deep", 3)]
    assert found == [*first, (ALL, "counts of z", 1), (LEFT, "leaf", 2), *deep, (RIGHT, "leaf", 2)]


def test_totals_add_in_sequence_and_take_the_largest_in_parallel(derivation):
    assert derivation.total(lambda step: Fraction(step["epsilon"])) == derivation.spent == Fraction(7, 4)
    assert derivation.total(lambda step: 1) == 5 + 3
    assert derivation.total(lambda step: step["releases"]) == 2 + 6 + 3 + 3


def test_the_document_names_what_the_checker_has_to_know(derivation):
    features = [{"name": "größe", "codes": 12}, {"name": "z", "codes": 3}]
    assert derivation.content["domain"] == {"features": features, "classes": 2}
    assert "größe" in derivation.to_json() and ": " not in derivation.to_json()
    assert derivation.to_json(2) == json.dumps(derivation.content, ensure_ascii=False, indent=2)


def test_a_picture_has_the_title_that_it_is_given(derivation):
    assert "What my tree cost" in derivation.draw("What my tree cost")
    assert "What was spent, and why" in derivation.draw()


def test_a_file_is_read_as_it_was_written(derivation, tmp_path):
    path = tmp_path / "derivation.json"
    derivation.save(path)
    assert path.read_text("utf8") == derivation.to_json(indent=1) + "\n"
    assert Derivation.load(path, DOMAIN) == derivation and Derivation.load(path, DOMAIN).render() == OUTLINE
    by_codes = Derivation.load(path)
    assert by_codes.content == derivation.content and by_codes.domain.classes == (0, 1)
    assert by_codes.domain.features == (Categorical("größe", tuple(range(12))), Categorical("z", (0, 1, 2)))
    assert "on größe in {0, 1, 2, 3, 4, 5}, z in {0}" in by_codes.render()


def test_a_file_that_is_none_or_of_another_domain_is_refused_by_its_name(derivation, tmp_path):
    path = tmp_path / "derivation.json"
    derivation.save(path)
    other = Domain([Numeric.grid("größe", 0, 12, bins=12), Categorical("z", ("u", "v"))], ("a", "b"))
    with pytest.raises(FileRefused, match=r"derivation\.json: .*another domain"):
        Derivation.load(path, other)
    with pytest.raises(ValueError, match="domain"):
        Derivation.load(path, 3)
    with pytest.raises(FileRefused, match=r"^the text: .*another domain"):
        Derivation.from_json(derivation.to_json(), other)
    forged = derivation.to_json().replace('"round":3', '"round":2')
    path.write_text(forged, "utf8")
    with pytest.raises(FileRefused, match=r"derivation\.json: .*round"):
        Derivation.load(path)
    with pytest.raises(FileRefused, match=r"^the text: "):
        Derivation.from_json(forged, DOMAIN)
    with pytest.raises(ValueError, match=r"none\.json"):
        Derivation.load(tmp_path / "none.json")


def test_a_domain_that_no_domain_can_be_is_refused_by_the_file_s_name(derivation):
    """The checker counts codes; that two features have one name is for the domain to refuse."""
    twice = derivation.to_json().replace('"name":"z"', '"name":"größe"')
    with pytest.raises(FileRefused, match=r"^the page: "):
        Derivation.from_json(twice, where="the page")


def test_rendering_shows_every_rule():
    ledger = Ledger(1, domain=WARDS)
    ledger.charge([charge(ward(0, 1, 2, 3), "1/2")])
    ledger.charge([charge(ward(0), "1/4"), charge(ward(1, 2), "1/3")])
    assert ledger.derivation().render().splitlines() == [
        "1          the budget, as regions and costs may be chosen on the way (filter lemma)",
        "  5/6      = 1/2 + 1/3 in sequence, on all records",
        "    1/2    a count, round 1",
        "    1/3    = max(1/4, 1/3), on disjoint parts",
        "      1/4  a count, round 2, on ward in {A}",
        "      1/3  a count, round 2, on ward in {B, C}",
    ]
    page = ledger.derivation()._repr_html_()
    assert page.count("<ul ") == page.count("</ul>") == 4 and page.count("<li>") == page.count("</li>") == 6
    json.loads(ledger.derivation().to_json())
    assert check_derivation(ledger.derivation().to_json(indent=2)).spent == Fraction(5, 6)


GRID = Domain([Numeric.grid("x", 0, 4, bins=4), Numeric.grid("z", 0, 4, bins=4)], ("a", "b"))
FULL = Shape(0, frozenset({0, 1}), Shape(1, frozenset({0})), Shape(0, frozenset({2})))


def test_the_picture_says_what_the_text_says():
    """Every step of the rendered text stands in the picture, with its cost, and in the words for those who listen."""
    derivation = theorem_6(GRID, FULL, epsilon=3, max_depth=2, leaf_share="1/3")
    picture, lines = derivation.draw(caption="Three."), derivation.render().splitlines()
    assert picture.count("<svg") == 3 and "<figcaption>Three.</figcaption>" in picture
    assert f"{len(lines)} steps. Step 1 costs 3: the budget, as regions and costs" in picture
    assert f"Step {len(lines)}, under it costs" in picture


@pytest.mark.parametrize(
    ("root", "title"),
    [
        ({}, "t"),
        ({"cost": "1", "text": "x", "share": 2, "below": []}, "t"),
        ({"cost": "1", "text": "x", "share": 1, "below": []}, " "),
        (
            {
                "cost": "1",
                "text": "x",
                "share": 1,
                "below": [{"cost": "1", "text": "x", "share": 1, "below": []}] * 400,
            },
            "t",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(root, title):
    with pytest.raises(ValueError):
        draw_derivation(root, title=title)


def full(depth, features, bins):
    """The derivation of a full tree, its splits on one feature after another."""
    domain = Domain([Numeric.grid(f"feature {j}", 0, 9, bins=bins) for j in range(features)], ("a", "b"))
    shape = None
    for level in reversed(range(depth)):
        shape = Shape(level % features, frozenset(range(bins // 2)), shape, shape)
    return theorem_6(domain, shape, epsilon=1, max_depth=depth)


def test_a_derivation_is_linear_in_the_number_of_nodes():
    """Twice the nodes, twice the length; the number of features does not count, but for their names."""
    lengths = [len(full(depth, 12, 32).to_json()) for depth in (5, 6, 7)]
    assert lengths[2] - lengths[1] < 2.1 * (lengths[1] - lengths[0])
    assert len(full(6, 50, 32).to_json()) - lengths[1] < 38 * len('{"name":"feature 99","codes":32},') + 63 * len(
        "50" * 3
    )


def test_a_tree_of_a_thousand_nodes_fits_a_megabyte():
    derivation = full(10, 50, 32)
    assert len(derivation.to_json().encode()) <= 1_000_000 and derivation.guarantee.spent == 1
