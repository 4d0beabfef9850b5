"""Trees as bytes: in one form, within the sizes that requests may have, and refused where they are none."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.domain import Domain, Numeric
from fdpedu.federation import GradientSums
from fdpedu.federation.queries import write_queries
from fdpedu.gradients import AdditiveModel, TreeShapes
from fdpedu.gradients.packing import TREES, packed_trees, unpacked_trees

CUT = st.integers(0, 256).map(lambda n: (1 << n) - 1)
QUESTION = st.tuples(st.integers(0, 255), CUT | st.integers(0, 2**256 - 1))
WEIGHT = st.sampled_from([0, 127, 128, -128, -129, 32767, 32768, -32768, -32769, 2**20, -(2**20), 2**23 - 1, -(2**23)])


@st.composite
def trees(draw, weighted=True):
    k = draw(st.integers(1, 6))
    questions = draw(st.tuples(*[QUESTION] * k))
    return questions, draw(st.tuples(*[WEIGHT | st.integers(-300, 300)] * 2**k)) if weighted else ()


@pytest.mark.claim("thm-messages")
@settings(max_examples=60)
@given(st.lists(trees(), max_size=5), st.integers(1, 40))
def test_trees_are_read_as_they_were_packed(some, times):
    """Also in several blocks; a block ends after 32 trees, and where trees have another number of questions."""
    several = [tree for tree in some for _ in range(times)]
    blocks = packed_trees(several)
    assert unpacked_trees(blocks) == tuple(several)
    assert all(block[0] <= TREES for block in blocks) and sum(block[0] for block in blocks) == len(several)
    shapes = [(questions, ()) for questions, _ in several]
    assert unpacked_trees(packed_trees(shapes)) == tuple(shapes)


ONE = ((((0, 0b0011),), (-4096, 8192)),)
FORMS = {
    # trees, questions, widths; features; sets; weights
    "bits": (ONE, "01 01 01 02 | 00 | 03 | 00f0 0020"),
    "eight codes": (((((0, 0b10100101),), ()),), "01 01 01 00 | 00 | a5 |"),
    "begins and ends": (
        ((((1, (1 << 200) - (1 << 16)), (0, (1 << 99) - 1)), (1, -1, 127, -128)),),
        "01 02 00 01 | 01 00 | 04 03 10 c8 63 | 01 ff 7f 80",
    ),
    "to the last code": (((((255, 2**256 - 2**9),), ()),), "01 01 00 00 | ff | 02 09 |"),
    "nobody": (((((7, 0),), (128, -129)),), "01 01 01 02 | 07 | 00 | 8000 7fff"),
    "three bytes": (((((7, 2**8),), (32768, -1)),), "01 01 02 03 | 07 | 0001 | 008000 ffffff"),
    "two of them": (ONE * 2, "02 01 01 02 | 00 00 | 03 03 | 00f0 0020 00f0 0020"),
}


@pytest.mark.parametrize("name", FORMS)
def test_the_form_of_a_block(name):
    some, form = FORMS[name]
    blocks = (bytes.fromhex(form.replace("|", " ")),)
    assert packed_trees(some) == blocks and unpacked_trees(blocks) == some


def test_thirty_three_trees_are_two_blocks():
    first, second = packed_trees(ONE * 33)
    assert (first[0], second[0]) == (32, 1)
    with pytest.raises(ValueError, match="divided otherwise"):
        unpacked_trees((second, first))
    other = packed_trees([(((0, 1), (1, 1)), (1, 2, 3, 4))])
    assert unpacked_trees((second, *other, first)) == (*ONE, (((0, 1), (1, 1)), (1, 2, 3, 4)), *ONE * 32)


BAD_BLOCKS = {
    "nothing": "",
    "a head alone": "01 01 01 02",
    "no trees": "00 01 01 02",
    "no questions": "01 00 01 02 00f0",
    "seven questions": "01 07 00 00" + "00" * 7 + "01" * 7,
    "33 trees": "21 01 01 00" + "00" * 33 + "01" * 33,
    "33 bytes of a set": "01 01 21 00 00" + "01" * 33,
    "four bytes of a weight": "01 01 01 04 00 03 00f00000 00200080",
    "wider sets than needed": "01 01 02 02 00 0300 00f0 0020",
    "wider weights than needed": "01 01 01 03 00 03 00f0ff 002000",
    "the longer form of a set": "01 01 00 02 00 03 02 00f0 0020",
    "ends in another order": "01 01 00 00 01 04 c8 10",
    "one end twice": "01 01 00 00 01 06 10 20 20",
    "an end at the first code": "01 01 00 00 01 04 00 c8",
    "fewer ends than stated": "01 01 00 00 01 04 10",
    "more ends than stated": "01 01 00 00 01 02 10 20",
    "a weight too many": "01 01 01 02 00 03 00f0 0020 0020",
    "half a weight": "01 01 01 02 00 03 00f0 00",
}


@pytest.mark.claim("thm-messages")
@pytest.mark.parametrize("name", BAD_BLOCKS)
def test_what_is_no_block_is_refused(name):
    with pytest.raises(ValueError, match="no block of packed trees"):
        unpacked_trees([bytes.fromhex(BAD_BLOCKS[name])])


@pytest.mark.parametrize(
    "tree",
    [(((256, 1),), (0, 1)), (((-1, 1),), (0, 1)), (((0, 2**256),), (0, 1)), (((0, -1),), (0, 1)),
     (((0, 1),), (0, 2**23)), (((0, 1),), (0, -(2**23) - 1)), (((0, 1),), (0, 1.5)), (((0, 1.5),), (0, 1)),
     (((0, 1),), (0,)), (((0, 1),), (0, 1, 2)), ((), (0,)), (((0, 1),) * 7, (0,) * 128), (((0, 1),), (0, None))],
)  # fmt: skip
def test_what_has_no_place_in_a_block_is_refused(tree):
    with pytest.raises(ValueError, match="packed trees have"):
        packed_trees([tree])


def test_either_all_trees_of_a_block_have_weights_or_none():
    with pytest.raises(ValueError, match="none of them has any"):
        packed_trees([*ONE, (ONE[0][0], ())])


# --- what a request of the longest model takes ------------------------------------------------------------------------

MOST = 256_000  # bytes
LARGE = Domain([Numeric.grid(f"x{j}", 0, 1, 256) for j in range(256)], ("well", "ill"))


def request(model, shapes):
    """How long the question of the last round is."""
    query = GradientSums(LARGE.everything, 1, 64, model, 32, 256, 256, shapes)
    query.check(LARGE)
    return len(write_queries([query], LARGE))


def random_tree(k, a_set, chance, largest, n_features):
    questions = tuple((chance.randrange(n_features), a_set()) for _ in range(k))
    return questions, tuple(chance.randint(-largest, largest) for _ in range(1 << k))


def curve(feature, chance, largest):
    """Sixteen intervals of 256 codes; the sets are the digits of their numbers, of which neighbours differ in one."""
    cuts = sorted(chance.sample(range(1, 256), 15))
    interval = [sum(code >= cut for cut in cuts) for code in range(256)]
    gray = [i ^ i >> 1 for i in interval]
    sets = [sum(1 << code for code in range(256) if not gray[code] >> digit & 1) for digit in (3, 2, 1, 0)]
    return tuple((feature, one) for one in sets), tuple(chance.randint(-largest, largest) for _ in range(16))


@pytest.mark.parametrize("kind", ["cuts", "any sets"])
@pytest.mark.parametrize("largest", [2**15 - 1, 2**20])
def test_a_request_of_nine_hundred_trees(kind, largest):
    """36 rounds of 25 trees with five questions each, in any sets of 256 codes, with weights up to 256."""
    chance = random.Random(1)
    a_set = {"cuts": lambda: (1 << chance.randrange(1, 256)) - 1, "any sets": lambda: chance.getrandbits(256)}[kind]
    some = tuple(random_tree(5, a_set, chance, largest, 256) for _ in range(900))
    model, shapes = AdditiveModel(some[:875]), TreeShapes(tuple(questions for questions, _ in some[875:]))
    assert request(model, shapes) < MOST
    assert request(model, shapes) < (80_000 if (kind, largest) == ("cuts", 2**15 - 1) else MOST)
    before = replace(model, packed=False), replace(shapes, packed=False)
    assert request(*before) > 500_000 and request(*before) > 2 * request(model, shapes)


def test_a_request_of_curves():
    """36 rounds of a curve of sixteen intervals for each of 113 features, with weights up to 8."""
    chance = random.Random(1)
    some = tuple(curve(j, chance, 2**15 - 1) for j in range(113)) * 36
    model, shapes = AdditiveModel(some[:-113]), TreeShapes(tuple(questions for questions, _ in some[-113:]))
    assert 200_000 < request(model, shapes) < MOST
