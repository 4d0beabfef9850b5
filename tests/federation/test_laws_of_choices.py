"""Every query of a choice, tape by tape, against a law that calls nothing of the package: also where nothing divides.

The second law is written from the words of the book. A split's position is read back into what goes left.
"""

import math
import random
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, pairwise, product

import pytest

from fdpedu.cart import candidates
from fdpedu.cart.candidates import Borders
from fdpedu.claims.replay import enumerate_law
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ChosenBlock, ChosenSplit, DesignedSplit, JointEdges, LeafLabel, Party, SplitVote
from fdpedu.federation.queries.choices import Drawn
from fdpedu.federation.queries.closed_set import CLOSED_SET, CURATED
from fdpedu.federation.queries.structures import StructureVote

SEED = 5
EPSILON, M, LAST_DIGITS = Fraction(2), 3, Fraction(1, 10**30)
PAIR = Numeric.grid("x", 0, 2, bins=2)
GAPS = Numeric.grid("x", 0, 2, bins=2, missing=True)
THREE = Numeric.grid("z", 0, 3, bins=3)
SEX, WARD = Categorical("s", ("A", "B")), Categorical("w", ("A", "B", "C"))
LINE, PAIRS = Domain([PAIR], tuple("ab")), Domain([PAIR, SEX], tuple("ab"))
MISSING, WIDE = Domain([GAPS, SEX], tuple("abc")), Domain([THREE, SEX], tuple("ab"))
WARDS, LONG = Domain([WARD], tuple("ab")), Domain([Numeric.grid("x", 0, 3, bins=3, missing=True)], tuple("ab"))
LEVELS = Domain.from_spec({"features": {"x": [0, 2, 2], "z": [0, 3, 3]}, "target": [0, 2, 3]})
WORDS = {LINE: "2", PAIRS: "2 AB", MISSING: "2? AB", WIDE: "3 AB", WARDS: "ABC", LONG: "3?", LEVELS: "2 3"}
FEATURES = {domain: features.split() for domain, features in WORDS.items()}
N_CLASSES = {LINE: 2, PAIRS: 2, MISSING: 3, WIDE: 2, WARDS: 2, LONG: 2, LEVELS: 3}
STRINGS = ((0, -1, -1), (-1, 0, 0), (1, 0, -1), (0, 1, 1))


# --- the law by its words ---------------------------------------------------------------------------------------------


def power(exponent):
    """e^−exponent to 40 digits."""
    with localcontext() as context:
        context.prec = 45
        return Fraction((-Decimal(exponent.numerator) / Decimal(exponent.denominator)).exp())


def lefts(feature, borders=None):
    """What may go left: bins below a border, with the missing ones or not; all bins; or a category."""
    if not feature[0].isdigit():
        return [{code} for code in range(len(feature) if len(feature) > 2 else 1)]
    bins, missing = int(feature[0]), {int(feature[0])} if "?" in feature else set()
    below = [set(range(end)) for end in (range(1, bins) if borders is None else borders)]
    return [side for left in below for side in ((left | missing, left) if missing else (left,))] + [
        set(range(bins)) for _ in missing
    ]


def divisions(domain, region, borders=None):
    """Each way to divide a region, once: a feature and what goes left, the rest being on the right."""
    found = {}
    for j, feature in enumerate(FEATURES[domain]):
        for left in lefts(feature, borders[j] if borders else None):
            left, right = frozenset(region[j] & left), frozenset(region[j] - left)
            if left and right:
                found.setdefault((j, frozenset((left, right))), (left, right))
    return {key: (key[0], *sides) for key, sides in found.items()}


def lost(labels, loss, n_classes):
    """What a side leaves."""
    n, errors = len(labels), len(labels) - max((labels.count(c) for c in labels), default=0)
    differing = Fraction(sum(a != b for a, b in combinations(labels, 2)), max(1, n))
    if loss == "squared":
        mean = Fraction(sum(labels), max(1, n))
        return sum((y - mean) ** 2 for y in labels) / Fraction(n_classes - 1) ** 2
    return {"errors": Fraction(errors), "gini": differing, "mixed": (3 * errors + differing) / 4}[loss]


def sides(rows, division):
    j, left, _ = division
    return [row for row in rows if row[j] in left], [row for row in rows if row[j] not in left]


def steps(domain, rows, division, loss):
    """⌊m·loss⌋ of both sides together, or of all rows where nothing divides them."""
    parts = [rows] if division is None else sides(rows, division)
    return math.floor(M * sum(lost([row[-1] for row in part], loss, N_CLASSES[domain]) for part in parts))


def flips(gains):
    """Permute-and-flip with coins e^−gap: of those that show heads one is taken, each as likely."""
    coins = {each: power(max(gains.values()) - gain) for each, gain in gains.items()}
    law = {}
    for each, own in coins.items():
        others = [p for other, p in coins.items() if other != each]
        law[each] = Fraction(0)
        for heads in product((False, True), repeat=len(others)):
            mass = math.prod((p if up else 1 - p for p, up in zip(others, heads, strict=True)), start=own)
            law[each] += mass / (1 + sum(heads))
    return law


def weighted(costs):
    """Pr ∝ e^−cost."""
    weights = {each: power(cost - min(costs.values())) for each, cost in costs.items()}
    return {each: weight / sum(weights.values()) for each, weight in weights.items()}


def law_of_split(query, domain, region, rows):
    borders = getattr(query, "borders", None)
    found = divisions(domain, region, borders.kept if borders else None)
    return found and flips({key: -EPSILON * steps(domain, rows, at, query.loss) / M for key, at in found.items()})


def law_of_block(query, domain, region, rows):
    costs = {}
    for root, division in divisions(domain, region).items():
        options = []
        for inside, own in zip(division[1:], sides(rows, division), strict=True):
            side = [inside if j == division[0] else codes for j, codes in enumerate(region)]
            below = divisions(domain, side) or {None: None}
            options.append([(key, steps(domain, own, at, query.loss)) for key, at in below.items()])
        for (left, a), (right, b) in product(*options):
            costs[root, frozenset(((division[1], left), (division[2], right)))] = EPSILON * (a + b) / M
    return costs and weighted(costs)


def law_of_label(query, domain, region, rows):
    return flips({c: EPSILON * [row[-1] for row in rows].count(c) for c in range(N_CLASSES[domain])})


def law_of_edges(query, domain, region, rows):
    bins, values = int(FEATURES[domain][query.feature][0]), [row[query.feature] for row in rows]
    values, costs = [code for code in values if code < bins], {}
    for inner in combinations(range(1, bins), query.bins - 1):
        ends = [0, *inner, bins]
        counts = [sum(a <= code < b for code in values) for a, b in pairwise(ends)]
        cost = sum(abs(query.bins * count - len(values)) for count in counts)
        costs[inner] = EPSILON * cost / (2 * 2 * (query.bins - 1))
    return weighted(costs)


def law_of_structure(query, domain, region, rows):
    def least(string, rows):
        if not string or string[0] == -1:
            return steps(domain, rows, None, query.loss)
        half = len(string) // 2
        below = [string[1 : 1 + half], string[1 + half :]]
        every = [(string[0], left, None) for left in lefts(FEATURES[domain][string[0]])]
        return min(sum(map(least, below, sides(rows, at))) for at in every)

    return flips({at: -EPSILON * least(string, rows) / M for at, string in enumerate(STRINGS)})


# --- what is told, read back ------------------------------------------------------------------------------------------


def split_at(domain, region, number, borders=None):
    split = candidates(domain, region, *([borders] if borders else []))[number - 1]
    here = region.codes(split.feature)
    both = frozenset(split.left & here), frozenset(here - split.left)
    return (split.feature, frozenset(both)), [region.restrict(split.feature, codes) for codes in both], both


def read_split(query, domain, told):
    return split_at(domain, query.region, told[0], getattr(query, "borders", None))[0]


def read_vote(query, domain, told):
    assert sorted(told) == [0] * (len(told) - 1) + [1]
    return split_at(domain, query.region, told.index(1) + 1)[0]


def read_block(query, domain, told):
    root, regions, codes = split_at(domain, query.region, told[0])
    below = [split_at(domain, side, at)[0] if at else None for side, at in zip(regions, told[1:], strict=True)]
    return root, frozenset(zip(codes, below, strict=True))


def read_structure(query, domain, told):
    assert sorted(told) == [0] * (len(told) - 1) + [1]
    return told.index(1)


def read_label(query, domain, told):
    return told[0]


def read_edges(query, domain, told):
    return told


KINDS = {
    ChosenSplit: (law_of_split, read_split),
    DesignedSplit: (law_of_split, read_split),
    SplitVote: (law_of_split, read_vote),
    ChosenBlock: (law_of_block, read_block),
    LeafLabel: (law_of_label, read_label),
    JointEdges: (law_of_edges, read_edges),
    StructureVote: (law_of_structure, read_structure),
}


def regions(domain):
    """All of it; and with one code left of a feature, for each feature."""
    whole = [set(range(feature.n_codes)) for feature in domain.features]
    yield whole
    for j in range(len(whole)):
        yield [{1} if k == j else codes for k, codes in enumerate(whole)]
    if domain in (WIDE, WARDS):
        yield [{1, 2}, *whole[1:]]


def queries(domain, region):
    """Every query of a choice on a domain, with each loss."""
    if domain is LEVELS:
        return [SplitVote(region, EPSILON, "squared", M), StructureVote(region, EPSILON, STRINGS, "squared", M)]
    if domain is LONG:
        return [LeafLabel(region, EPSILON), *(JointEdges(region, EPSILON, 0, bins) for bins in (2, 3))]
    found = [kind(region, EPSILON, lattice=M) for kind in (ChosenSplit, SplitVote, ChosenBlock)]
    found += [DesignedSplit(region, EPSILON, 0, "gini", M), LeafLabel(region, EPSILON)]
    if domain is WIDE:
        found.append(ChosenSplit(region, EPSILON, "errors", M, Borders([[2], None])))
    if domain is not WARDS:
        found += [JointEdges(region, EPSILON, 0, bins) for bins in range(2, domain.features[0].n_bins + 1)]
    return [*found, StructureVote(region, EPSILON, STRINGS, "errors", M)] if len(domain.features) > 1 else found


def data(domain):
    """No rows; and some."""
    sizes = [feature.n_codes for feature in domain.features]
    yield []
    turn = random.Random(SEED)
    yield [(*map(turn.randrange, sizes), turn.randrange(N_CLASSES[domain])) for _ in range(11)]


def as_rows(domain, coded):
    def value(feature, code):
        if feature.missing and code == feature.n_codes - 1:
            return None
        return code + 0.5 if isinstance(feature, Numeric) else feature.categories[code]

    for *codes, label in coded:
        shown = domain.classes[label] if domain.target is None else domain.target.edges[label] + 0.01
        yield [*map(value, domain.features, codes), shown]


CASES = [
    pytest.param(domain, region, coded, id=f"{'-'.join(FEATURES[domain])}, region {r}, data {d}")
    for domain in FEATURES
    for r, region in enumerate(regions(domain))
    for d, coded in enumerate(data(domain))
]


@pytest.mark.claim("lem-chosen-split", "thm-owner-tree", "thm-block", "lem-split-vote", "lem-leaf-label")
@pytest.mark.claim("thm-joint-quantiles", "lem-structure-vote", "thm-target-votes")
@pytest.mark.parametrize(("domain", "region", "coded"), CASES)
def test_every_choice_has_its_law_tape_by_tape(domain, region, coded):
    """Of the region's rows alone; and a choice for which there is nothing to choose is refused."""
    records = Party(list(as_rows(domain, coded)), domain).records()
    whole = domain.everything
    for j, codes in enumerate(region):
        whole = whole.restrict(j, codes)
    inside = [row for row in coded if all(code in here for code, here in zip(row, region, strict=False))]
    for query in queries(domain, whole):
        law, read = KINDS[type(query)]
        if not (stated := law(query, domain, region, inside)):
            with pytest.raises(ValueError, match="nothing divides the region"):
                query.check(domain)
            continue
        query.check(domain)
        exact = query.tally(records, records.within([whole])[0], domain)

        def told(tape, query=query, read=read, exact=exact):
            return read(query, domain, tuple(query.layer.noisy(exact, [query], domain, 1, tape).tolist()))

        tapes = [(2, 4)] if type(query) is ChosenBlock else [(3, 3), (3, 4)]  # longer ones where much is left open
        for bits, words in tapes:
            found, rest = enumerate_law(told, bits, words)
            if rest < Fraction(1, 3):
                break
        assert rest < Fraction(3, 4) and set(found) <= set(stated), query
        for outcome, mass in stated.items():
            got = found.get(outcome, 0)
            assert got - LAST_DIGITS <= mass <= got + rest + LAST_DIGITS, (query, outcome, float(mass), float(got))


def test_no_query_of_a_choice_is_left_out():
    """What parties and curators answer and draw themselves."""
    drawn = {kind for kind in (*CLOSED_SET, *CURATED) if isinstance(kind.layer, Drawn)}
    assert drawn == set(KINDS)


def test_the_law_by_its_words_adds_up():
    """Where it is known by hand, too: two candidates, a gap of one step."""
    law = flips({"a": Fraction(0), "b": Fraction(-1)})
    assert abs(law["b"] - power(Fraction(1)) / 2) < LAST_DIGITS and abs(sum(law.values()) - 1) < LAST_DIGITS
    assert lefts("2?") == [{0, 2}, {0}, {0, 1}] and lefts("AB") == [{0}] and lefts("3") == [{0}, {0, 1}]
