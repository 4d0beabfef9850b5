"""Questions that carry a released model: what they state of themselves, how they are written, and what is refused."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from fdpedu.accounting import Cost, Ledger
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import Federation, GradientSums, InterceptSums, Party
from fdpedu.federation.queries import read_queries, write_queries
from fdpedu.gradients import AdditiveModel, TreeShapes
from fdpedu.gradients.packing import packed_trees
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import canonical, hashed

DOMAIN = Domain([Numeric.grid("x", 0, 4, bins=4), Categorical("w", ("A", "B"))], ("well", "ill"))
THREE = Domain(DOMAIN.features, ("a", "b", "c"))
WHOLE, HALF = DOMAIN.everything, Fraction(1, 2)
MODEL = AdditiveModel(((((0, 0b0011),), (-4096, 8192)),), intercept=64, scale=32)
TREES = TreeShapes((((0, 0b0001), (1, 0b01)), ((1, 0b10), (0, 0b0111)), ((1, 0b01), (1, 0b01))))
SUMS = GradientSums(WHOLE, HALF, 64, MODEL, 32, 256, 128, TREES)
PAIR = InterceptSums(WHOLE, HALF, 64, MODEL)
ROWS = [[0.5, "A", "ill"], [3.5, "B", "well"], [3.5, "A", "ill"]]


@pytest.mark.claim("thm-gradient-sums", "lem-intercept-sums")
def test_a_round_of_both_among_parties():
    """Scores −1.98, 4.02 and 4.02: probabilities 8/64 and 63/64. Class ill weighs half."""
    federation = Federation([Party(ROWS[:1], DOMAIN), Party(ROWS[1:], DOMAIN)], DOMAIN, Ledger(2), rng=ZeroWords())
    sums, pair = federation.release([SUMS, PAIR])
    assert sums.tolist() == [[-16, 0, 0, 32], [0, 32, -16, 0], [-16, 0, 0, 32]]
    assert pair.tolist() == [-32 + 32 - 1, 7 + 0 + 0] and federation.ledger.spent == 1


def test_how_they_are_written_and_read():
    form = write_queries([SUMS, PAIR, replace(PAIR, cost=Cost("gaussian", "1/9"))], DOMAIN)
    again = read_queries(form, DOMAIN)
    assert again == (SUMS, PAIR, replace(PAIR, cost=Cost("gaussian", "1/9")))
    wire = ("packed", packed_trees(MODEL.trees), 64, 32)
    shapes = ("packed", *packed_trees([(tree, ()) for tree in TREES.trees]))
    one = canonical(("gradient-sums", (), HALF, 64, wire, 32, 256, 128, shapes))
    assert form[9:].startswith(one)
    digests = {"model": hashed(wire).hex(), "trees": hashed(shapes).hex()}
    assert SUMS.parameters == {"steps": 64, "clip": 32, "first": 256, "second": 128, **digests}
    assert PAIR.parameters == {"steps": 64, "model": hashed(wire).hex()}


@pytest.mark.claim("thm-messages")
def test_the_older_form_is_read_and_is_another_question():
    """Number by number, as derivations and ensembles have it that were made before: the same sums, other digests."""
    wire = ("additive", MODEL.trees, 64, 32)
    older = [SUMS.plain(), PAIR.plain()]
    form = write_queries(older, DOMAIN)
    assert form[9:].startswith(canonical(("gradient-sums", (), HALF, 64, wire, 32, 256, 128, TREES.trees)))
    assert read_queries(form, DOMAIN) == tuple(older) != (SUMS, PAIR)
    digests = {"model": hashed(wire).hex(), "trees": hashed(TREES.trees).hex()}
    assert older[0].parameters == {"steps": 64, "clip": 32, "first": 256, "second": 128, **digests}
    assert older[1].parameters == {"steps": 64, "model": hashed(wire).hex()}
    party = Party(ROWS, DOMAIN).records()
    (inside,) = party.within([WHOLE])
    for query, plain in zip((SUMS, PAIR), older, strict=True):
        assert query.tally(party, inside, DOMAIN).tolist() == plain.tally(party, inside, DOMAIN).tolist()


def test_what_is_read_as_an_integer_is_kept_as_one():
    query = GradientSums(WHOLE, HALF, np.int64(64), MODEL.to_wire(), np.int8(32), np.int64(256), 128, TREES.to_wire())
    assert query == SUMS and type(query.steps) is type(query.clip) is type(query.first) is int


def test_the_least_weights_of_classes_are_allowed():
    replace(SUMS, clip=1, first=1, second=1).check(DOMAIN)


@pytest.mark.parametrize(
    ("changed", "named"),
    [({"clip": 0}, "clip"), ({"clip": 65}, "clip"), ({"clip": 1.5}, "clip"), ({"first": 0}, "first"),
     ({"first": 257}, "first"), ({"second": 0}, "second"), ({"second": True}, "second"), ({"steps": 1}, "steps"),
     ({"steps": 4098}, "steps"), ({"steps": "64"}, "steps"), ({"model": None}, "model"), ({"model": ()}, "model"),
     ({"model": TREES}, "model"), ({"trees": None}, "trees"), ({"trees": [1]}, "trees"), ({"trees": MODEL}, "trees"),
     ({"region": None}, "region"), ({"cost": 0}, "epsilon")],
)  # fmt: skip
def test_what_is_no_question_is_refused_when_it_is_made(changed, named):
    with pytest.raises(ValueError, match=named):
        replace(SUMS, **changed)


WRONG = {
    "odd steps": (replace(SUMS, steps=65), "even"),
    "a weight too large": (replace(SUMS, model=AdditiveModel(((((0, 1),), (0, 2**21)),))), "weight"),
    "a scale too large": (replace(SUMS, model=replace(MODEL, scale=65)), "scale"),
    "an intercept too large": (replace(SUMS, model=replace(MODEL, intercept=2**21)), "intercept"),
    "a code that is not there": (replace(SUMS, trees=TreeShapes((((0, 0b10000),),))), "question"),
    "a feature that is not there": (replace(SUMS, trees=TreeShapes((((2, 1),),))), "question"),
    "no trees": (replace(SUMS, trees=TreeShapes(())), "trees"),
    "a model of another domain": (
        replace(SUMS, model=AdditiveModel(((((2, 1),), (0, 1)),))),
        "questions of the domain",
    ),
    "a pair with odd steps": (replace(PAIR, steps=7), "even"),
    "a pair with a wrong model": (replace(PAIR, model=replace(MODEL, scale=0)), "scale"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_question_of_the_domain_is_refused_before_it_is_charged_and_by_a_party(name):
    query, named = WRONG[name]
    federation = Federation([Party([], DOMAIN), Party([], DOMAIN)], DOMAIN, Ledger(9), rng=ZeroWords())
    with pytest.raises(ValueError, match=named):
        federation.release([query])
    assert federation.ledger.spent == 0 and federation.rounds == 0
    with pytest.raises(ValueError, match=named):
        read_queries(write_queries([query], DOMAIN), DOMAIN)


@pytest.mark.parametrize("query", [SUMS, PAIR], ids=["sums", "pair"])
def test_scores_are_for_two_classes(query):
    with pytest.raises(ValueError, match="two classes"):
        replace(query, region=THREE.everything).check(THREE)


@pytest.mark.claim("lem-one-leaf-a-tree")
def test_a_region_has_its_own_rows():
    """Of ward A alone, of class well alone; scores are those of the model all the same."""
    party = Party(ROWS, DOMAIN).records()
    for region, expected in ((WHOLE.restrict(1, {0}), [-16, 0, 0, 0]), (WHOLE.restrict_class({0}), [0, 0, 0, 32])):
        query = replace(SUMS, region=region)
        (inside,) = party.within([region])
        assert query.tally(party, inside, DOMAIN)[:4].tolist() == expected
        (inside,) = party.within([region])
        assert replace(PAIR, region=region).tally(party, inside, DOMAIN).tolist()[0] in (-33, 32)
