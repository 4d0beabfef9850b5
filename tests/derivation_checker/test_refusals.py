"""What the checker refuses, and in which words: one honest document, and one change at a time."""
# Longer than 400 lines because all sentences of the checker stand in one table.

import copy
import json
from fractions import Fraction

import jsonschema
import pytest

from fdpedu import derivation_checker
from fdpedu.accounting import Amount, Ledger
from fdpedu.claims.accounting.two_currencies import charge_in_rho
from fdpedu.derivation_checker import DerivationRefused, check_derivation
from tests.support.accounting import WARDS, validate
from tests.support.checked import ASKED, DOCUMENT, HALVES, LEAVES, MANIFEST, WHOLE, changed, nested, said


def test_the_honest_one_is_accepted_with_its_manifest():
    sources = ("operating system", "seeded generator")
    assert said(DOCUMENT)[:7] == said(DOCUMENT, MANIFEST)[:7] == ("pure", Fraction(3, 2), 0, 1, 1, True, sources)


SEQUENCE = ("proof", "premises", 0)
FIRST = (*SEQUENCE, "premises", 0)
PARALLEL = (*SEQUENCE, "premises", 1)
LEAF = (*PARALLEL, "premises", 0)
LAST = (*PARALLEL, "premises", 1)
TENFOLD = f"proof.0.1.0: releases × sensitivity × rate is 1{'0' * 400}, the release states 1/2"
TEXT = "a number must be text such as '1/3', never a float, nor with denominator 0"
KEYS = "it needs exactly the keys"
OF_DOCUMENT = f"document: {KEYS} schema measure relation randomness budget colluders domain proof guarantee"
OF_RELEASE = "type parameters query region releases sensitivity rate rule round index mechanism epsilon colluders claim"
RULE, OUTSIDE = "unknown rule", "its region is not part of the region of the step that it stands in"
SIZES, FEW = "features and classes have 1 to 256 codes", "it needs a list of 1 to 4096 features"
RANDOM = "document: noise from this source of randomness proves nothing"
PROVED = "guarantee: what is proved is {'measure': 'pure', 'value': '3/2', 'delta': '0', 'colluders': 1}"
ADAPTIVE = "the adaptive rule has one premise and stands at the root"
RANGE = "and at most 10^18"
OF_THE_DOCUMENT = [
    (("measure",), "zcdp", "document: in the schema fdpedu-derivation/9 the measure must be pure or gaussian"),
    (("relation",), "substitution", "document: the neighbour relation must be add-remove"),
    (("schema",), "fdpedu-derivation/10", "document: it must be an object with the schema fdpedu-derivation/9"),
    (
        ("schema",),
        "fdpedu-derivation/5",
        "document: it is fdpedu-derivation/5, which an early fdpedu 0.1.0 wrote, and reads; this checker reads "
        "fdpedu-derivation/9",
    ),
    (("budget",), ..., OF_DOCUMENT),
    (("more",), 1, OF_DOCUMENT),
    (("randomness",), [], RANDOM),
    (("randomness",), "operating system", RANDOM),
    (("randomness",), ["operating system", "zero (test only)"], RANDOM),
    (("budget",), 1, f"budget: {TEXT}"),
    (("budget",), "2/3", "proof: the total 1 is more than the budget 2/3"),
    (("budget",), "2", "proof: the adaptive rule gives the budget 2, the step states 3/2"),
    (("colluders",), ..., OF_DOCUMENT),
    (("colluders",), -1, f"document: colluders must be an integer ≥ 0 {RANGE}"),
    (("colluders",), True, f"document: colluders must be an integer ≥ 0 {RANGE}"),
    (("colluders",), 0, PROVED.replace("'colluders': 1", "'colluders': 0")),
    (("colluders",), 2, "proof.0.1.0: it withstands 1 of the 2 colluders"),
    (("guarantee", "value"), "1", PROVED),
    (("guarantee", "colluders"), True, PROVED),
    (("guarantee", "colluders"), 2, PROVED),
    (("guarantee", "delta"), "1/9", PROVED),
    (("guarantee", "measure"), "zcdp", PROVED),
    (("guarantee",), None, PROVED),
    (("domain",), [], f"domain: {KEYS} features classes"),
    (("domain", "features"), {}, f"domain: {FEW}"),
    (("domain", "features"), [], f"domain: {FEW}"),
    (("domain", "features"), [{"codes": 2}] * 4097, f"domain: {FEW}"),
    (("domain", "features", 1), [], f"domain: {SIZES}"),
    (("domain", "features", 1), {}, f"domain: {SIZES}"),
    (("domain", "features", 1, "codes"), 257, f"domain: {SIZES}"),
    (("domain", "features", 1, "codes"), 0, f"domain: {SIZES}"),
    (("domain", "features", 1, "note"), "", "domain: a feature has a name and codes"),
    (("domain", "classes"), True, f"domain: {SIZES}"),
    (("program",), 7, "document: program must be a short text, such as fdpedu 0.2.0"),
    (("program",), "fdpedu\x1b[2J", "document: program must be a short text, such as fdpedu 0.2.0"),
    (("domain", "classes"), 257, f"domain: {SIZES}"),
    (("proof",), [], f"proof: {RULE}"),
    (SEQUENCE, "text", f"proof.0: {RULE}"),
    ((*SEQUENCE, "rule"), "magic", f"proof.0: {RULE}"),
    ((*SEQUENCE, "note"), "", f"proof.0: {KEYS} rule epsilon region premises"),
    ((*SEQUENCE, "premises"), [], "proof.0: a rule needs at least one premise"),
    ((*SEQUENCE, "premises"), [[]], f"proof.0.0: {RULE}"),
    ((*SEQUENCE, "premises", 0, "region"), {"0": [0, 4]}, f"proof.0.0: {OUTSIDE}"),
    ((*PARALLEL, "region"), {"0": [0, 4]}, f"proof.0.1: {OUTSIDE}"),
    ((*SEQUENCE, "premises"), {"rule": "release"}, "proof.0: a rule needs at least one premise"),
    ((*SEQUENCE, "epsilon"), 1, f"proof.0: {TEXT}"),
    ((*SEQUENCE, "epsilon"), "2", "proof.0: the sequential rule gives 1, the step states 2"),
    ((*PARALLEL, "epsilon"), "5/6", "proof.0.1: the parallel rule gives 1/2, the step states 5/6"),
    ((*SEQUENCE, "region"), [], "proof.0: a region must be an object"),
    ((*SEQUENCE, "rule"), "adaptive", f"proof.0: {ADAPTIVE}"),
    ((*SEQUENCE, "rule"), "parallel", "proof.0: parallel premises 0 and 1 can hold the same record"),
    ((*LEAF, "region"), {"0": [0, 2]}, "proof.0.1: parallel premises 0 and 1 can hold the same record"),
    ((*LEAF, "region"), {"1": [0]}, "proof.0.1: parallel premises 0 and 1 can hold the same record"),
    ((*LEAF, "region"), {"a coordinate of a long name": [0]}, "proof.0.1.0: the region names an unknown coordinate "
     "'a coordinate of a lo'"),
    ((*LEAF, "region"), {"0": []}, "proof.0.1.0: a coordinate in a region needs at least one code"),
    ((*LEAF, "region"), {"0": "01"}, "proof.0.1.0: a coordinate in a region needs at least one code"),
    ((*LEAF, "region"), {"0": [6]}, "proof.0.1.0: a code is out of range"),
    ((*LEAF, "region"), {"0": [-1]}, "proof.0.1.0: a code is out of range"),
    ((*LEAF, "region"), {"1": [256]}, "proof.0.1.0: a code is out of range"),
    ((*LEAF, "region"), {"0": [True]}, "proof.0.1.0: a code is out of range"),
    ((*LEAF, "region"), {"0": [0, 1, 0]}, "proof.0.1.0: a region names a code twice"),
    ((*LEAF, "region"), {"0": [0, 4]}, f"proof.0.1.0: {OUTSIDE}"),
    ((*LEAF, "note"), "", f"proof.0.1.0: {KEYS} {OF_RELEASE}"),
    ((*LEAF, "claim"), ..., f"proof.0.1.0: {KEYS} {OF_RELEASE}"),
    ((*LEAF, "colluders"), -1, f"proof.0.1.0: colluders must be an integer ≥ 0 {RANGE}"),
    ((*LEAF, "colluders"), 0, "proof.0.1.0: it withstands 0 of the 1 colluders"),
    ((*LEAF, "colluders"), "1", f"proof.0.1.0: colluders must be an integer ≥ 0 {RANGE}"),
    ((*LEAF, "mechanism"), "", "proof.0.1.0: mechanism must be text"),
    ((*LEAF, "claim"), 7, "proof.0.1.0: claim must be text"),
    ((*LEAF, "query"), "", "proof.0.1.0: query must be text"),
    ((*LEAF, "query"), ["q"], "proof.0.1.0: query must be text"),
    ((*LEAF, "type"), ..., f"proof.0.1.0: {KEYS} {OF_RELEASE}"),
    ((*LEAF, "parameters"), ..., f"proof.0.1.0: {KEYS} {OF_RELEASE}"),
    ((*LEAF, "type"), "gradient-sums", f"proof.0.1.0: clip must be an integer ≥ 1 {RANGE}"),
    ((*LEAF, "releases"), 0, f"proof.0.1.0: releases must be an integer ≥ 1 {RANGE}"),
    ((*LEAF, "releases"), True, f"proof.0.1.0: releases must be an integer ≥ 1 {RANGE}"),
    ((*LEAF, "sensitivity"), True, f"proof.0.1.0: sensitivity must be an integer ≥ 1 {RANGE}"),
    ((*LEAF, "sensitivity"), 10**18 + 1, f"proof.0.1.0: sensitivity must be an integer ≥ 1 {RANGE}"),
    ((*LEAF, "round"), True, f"proof.0.1.0: round must be an integer ≥ 1 {RANGE}"),
    ((*LEAF, "round"), 0, f"proof.0.1.0: round must be an integer ≥ 1 {RANGE}"),
    ((*LEAF, "index"), 0, f"proof.0.1.0: index must be an integer ≥ 1 {RANGE}"),
    ((*LEAF, "rate"), "1/4 ", f"proof.0.1.0: {TEXT}"),
    ((*LEAF, "rate"), "0.25", f"proof.0.1.0: {TEXT}"),
    ((*LEAF, "rate"), "-1/4", f"proof.0.1.0: {TEXT}"),
    ((*LEAF, "rate"), "1/0", f"proof.0.1.0: {TEXT}"),
    ((*LEAF, "rate"), 0.25, "document: floats have no place in a derivation"),
    ((*LEAF, "rate"), "1/00", f"proof.0.1.0: {TEXT}"),
    ((*LEAF, "rate"), "9" * 401, f"proof.0.1.0: {TEXT}"),
    ((*LEAF, "epsilon"), 0, f"proof.0.1.0: {TEXT}"),
    ((*LEAF, "epsilon"), "0", "proof.0.1.0: a release must cost more than 0"),
    ((*LEAF, "epsilon"), "1/3", "proof.0.1.0: releases × sensitivity × rate is 1/2, the release states 1/3"),
    ((*LEAF, "releases"), 2, "proof.0.1.0: releases × sensitivity × rate is 1, the release states 1/2"),
    ((*LEAF, "sensitivity"), 4, "proof.0.1.0: releases × sensitivity × rate is 1, the release states 1/2"),
    ((*LEAF, "rate"), "1/8", "proof.0.1.0: releases × sensitivity × rate is 1/4, the release states 1/2"),
    ((*LEAF, "rate"), "5" + "0" * 399, TENFOLD),
    ((*LEAF, "index"), 2, "proof.0.1.1: the release of round 2, index 2 stands twice"),
    ((*LAST, "index"), 1, "proof.0.1.1: the release of round 2, index 1 stands twice"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "message"), OF_THE_DOCUMENT)
def test_a_changed_document_is_refused_in_these_words(path, value, message):
    assert said(changed(DOCUMENT, path, value)) == message


ROUND = ("rounds", 0)
QUERY = (*ROUND, "queries", 1)
NO_QUERY = (
    "the derivation has a release that no query of the manifest asked for: is all there that the budget paid for?"
)
OF_ROUND = "round queries receivers answers session shares missing"
DIFFER = "round 2, index 2: query and release differ"
OF_THE_MANIFEST = [
    (("schema",), "fdpedu-manifest/6", "manifest: it must be an object with the schema fdpedu-manifest/5"),
    (
        ("schema",),
        "fdpedu-manifest/2",
        "manifest: it is fdpedu-manifest/2, which an early fdpedu 0.1.0 wrote, and reads; this checker reads "
        "fdpedu-manifest/5",
    ),
    (("more",), 1, f"manifest: {KEYS} schema rounds"),
    (("rounds",), {}, "manifest: rounds must be a list"),
    (("rounds",), [], f"round 1, index 1: {NO_QUERY}"),
    (ROUND, [], f"a round of the manifest: {KEYS} {OF_ROUND}"),
    (("schema",), "fdpedu-manifest/4", f"a round of the manifest: {KEYS} round queries receivers answers"),
    (("schema",), "fdpedu-manifest/3", f"a round of the manifest: {KEYS} round queries receivers answers"),
    ((*ROUND, "more"), 1, f"a round of the manifest: {KEYS} {OF_ROUND}"),
    ((*ROUND, "session"), ..., f"a round of the manifest: {KEYS} {OF_ROUND}"),
    ((*ROUND, "session"), "0" * 63, "round 2: session must be 64 hexadecimal digits"),
    ((*ROUND, "session"), 0, "round 2: session must be 64 hexadecimal digits"),
    ((*ROUND, "shares"), 0, f"round 2: shares must be an integer ≥ 1 {RANGE}"),
    ((*ROUND, "shares"), 5, "round 2: of 4 parties there are no 5 shares beside 0 that may be missing"),
    ((*ROUND, "missing"), -1, f"round 2: missing must be an integer ≥ 0 {RANGE}"),
    ((*ROUND, "missing"), 4, "round 2: of 4 parties there are no 1 shares beside 4 that may be missing"),
    ((*ROUND, "missing"), 1, "round 1: a session has one list of parties, and here stands another than before"),
    ((*ROUND, "shares"), 2, "round 1: a session has one list of parties, and here stands another than before"),
    (
        (*ROUND, "receivers"),
        list("abdc"),
        "round 1: a session has one list of parties, and here stands another than before",
    ),
    (("program",), "", "manifest: program must be a short text, such as fdpedu 0.2.0"),
    ((*ROUND, "round"), 0, f"manifest: round must be an integer ≥ 1 {RANGE}"),
    ((*ROUND, "round"), 1, "manifest: round 1 stands there twice, and each round has a number of its own"),
    ((*ROUND, "round"), 3, f"round 2, index 1: {NO_QUERY}"),
    ((*ROUND, "receivers"), "ab", "round 2: receivers must be a list of names"),
    ((*ROUND, "receivers", 1), 1, "round 2: each of the receivers must be text"),
    ((*ROUND, "receivers", 0), "b", "round 2: a name stands twice among the receivers"),
    ((*ROUND, "receivers"), ["b"], "round 2: it needs more receivers than the 1 colluders"),
    ((*ROUND, "answers"), None, "round 2: answers must be a list of names"),
    ((*ROUND, "answers"), ["a", "a"], "round 2: a name stands twice among the answers"),
    ((*ROUND, "answers"), ["e"], "round 2: a party answered that was not asked"),
    ((*ROUND, "queries"), [], "round 2: it needs at least one query"),
    ((*ROUND, "queries"), {"0": 1}, "round 2: it needs at least one query"),
    ((*ROUND, "queries"), HALVES[::-1], "round 2, index 1: query and release differ"),
    ((*QUERY, "more"), 1, f"round 2: {KEYS} type parameters query region releases sensitivity rate"),
    (QUERY, None, f"round 2: {KEYS} type parameters query region releases sensitivity rate"),
    (QUERY, ..., f"round 2, index 2: {NO_QUERY}"),
    ((*QUERY, "type"), "another", DIFFER),
    ((*QUERY, "type"), ..., f"round 2: {KEYS} type parameters query region releases sensitivity rate"),
    ((*QUERY, "parameters"), {}, DIFFER),
    ((*QUERY, "parameters", "feature"), 2, DIFFER),
    ((*QUERY, "parameters", "feature"), "1", DIFFER),
    ((*QUERY, "parameters", "model"), "n", DIFFER),
    ((*QUERY, "parameters", "model"), ..., DIFFER),
    ((*QUERY, "parameters", "more"), 1, DIFFER),
    ((*QUERY, "parameters"), ..., f"round 2: {KEYS} type parameters query region releases sensitivity rate"),
    ((*QUERY, "query"), "", "round 2, index 2: query must be text"),
    ((*QUERY, "releases"), 2, DIFFER),
    ((*QUERY, "releases"), 0, f"round 2, index 2: releases must be an integer ≥ 1 {RANGE}"),
    ((*QUERY, "releases"), True, f"round 2, index 2: releases must be an integer ≥ 1 {RANGE}"),
    ((*QUERY, "sensitivity"), 2, DIFFER),
    ((*QUERY, "rate"), "1/3", DIFFER),
    ((*QUERY, "rate"), 1, f"round 2, index 2: {TEXT}"),
    ((*QUERY, "rate"), 0.5, "manifest: floats have no place in a derivation"),
    ((*QUERY, "region"), {"0": [2, 3]}, DIFFER),
    ((*QUERY, "region"), {"0": [2], "class": [0]}, DIFFER),
    ((*QUERY, "region"), {"0": [2, 3], "class": [0], "1": [0]}, DIFFER),
    ((*QUERY, "region"), {"0": [9]}, "round 2, index 2: a code is out of range"),
    ((*QUERY, "region"), {"9": [0]}, "round 2, index 2: the region names an unknown coordinate '9'"),
    ((*QUERY, "region"), None, "round 2, index 2: a region must be an object"),
]


@pytest.mark.parametrize(("path", "value", "message"), OF_THE_MANIFEST)
def test_a_changed_manifest_is_refused_in_these_words(path, value, message):
    assert said(DOCUMENT, changed(MANIFEST, path, value)) == message


NO_TYPE = "type must be a name in small letters, such as class-counts"
NO_PARAMETERS = "parameters must be at most 16 names, with numbers or texts"
WRONG_TYPES = ["", 7, None, True, ["t"], "Class-counts", "classCounts", "class counts", "class_counts", "7-counts",
               "-counts", "zähler", "counts\n", "c" * 65]  # fmt: skip
WRONG_PARAMETERS = [
    *(None, 7, "feature", [], [["feature", 1]]),
    *({name: 1} for name in ("", "Feature", "7", "_feature", "two words", "a-b", "merkmal_ä", "feature\n", "f" * 33)),
    *({"feature": value} for value in (True, False, None, "", [1], {}, 10**18 + 1, -(10**18) - 1, "x" * 201, "a\nb")),
    {letter: 1 for letter in "abcdefghijklmnopq"},
]
RIGHT_TYPES = ["t", "some-counts", "c" * 64, "c7-"]
RIGHT_PARAMETERS = [
    *({}, {"feature": 0}, {"a": -(10**18), "b": 10**18}, {"model": "x" * 200}, {"of_a_name": "größe ≤ 6"}),
    *({"f" * 32: 1}, {letter: 1 for letter in "abcdefghijklmnop"}),
]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [("type", value, NO_TYPE) for value in WRONG_TYPES]
    + [("parameters", value, NO_PARAMETERS) for value in WRONG_PARAMETERS],
)
def test_a_wrong_type_and_wrong_parameters_are_refused(key, value, message):
    """In a release and in a query; the published schemas refuse it, too, but for characters that do not print."""
    document, manifest = changed(DOCUMENT, (*LEAF, key), value), changed(MANIFEST, (*QUERY, key), value)
    assert said(document) == f"proof.0.1.0: {message}"
    assert said(DOCUMENT, manifest) == f"round 2, index 2: {message}"
    if "\n" not in str(value) and "\\n" not in str(value):
        for name, content in (("derivation", document), ("manifest", manifest)):
            with pytest.raises(jsonschema.ValidationError):
                validate(name, json.dumps(content))


@pytest.mark.parametrize("what", ["type", "parameters"])
def test_floats_have_no_place_among_them(what):
    value = 0.5 if what == "type" else {"feature": 0.5}
    floats = "floats have no place in a derivation"
    assert said(changed(DOCUMENT, (*LEAF, what), value)) == f"document: {floats}"
    assert said(DOCUMENT, changed(MANIFEST, (*QUERY, what), value)) == f"manifest: {floats}"


@pytest.mark.parametrize(
    ("key", "value"),
    [("type", value) for value in RIGHT_TYPES] + [("parameters", value) for value in RIGHT_PARAMETERS],
)
def test_a_type_and_parameters_are_accepted_if_query_and_release_have_the_same(key, value):
    """And only then: one of them alone is refused. Both are of the published schemas."""
    document, manifest = changed(DOCUMENT, (*LAST, key), value), changed(MANIFEST, (*QUERY, key), value)
    assert said(document, manifest) == said(DOCUMENT)
    assert said(document, MANIFEST) == said(DOCUMENT, manifest) == DIFFER
    validate("derivation", json.dumps(document))
    validate("manifest", json.dumps(manifest))


def test_parameters_are_compared_whatever_their_order_and_the_sentence_is_not():
    """The sentence is for people; it must be text, and need not be the same."""
    turned = changed(MANIFEST, (*QUERY, "parameters"), dict(reversed(ASKED["parameters"].items())))
    assert said(DOCUMENT, turned) == said(DOCUMENT)
    assert said(DOCUMENT, changed(MANIFEST, (*QUERY, "query"), "another")) == said(DOCUMENT)
    assert said(changed(DOCUMENT, (*LAST, "query"), "another"), MANIFEST) == said(DOCUMENT)


def test_a_query_without_its_release_is_named():
    manifest = copy.deepcopy(MANIFEST)
    manifest["rounds"][1]["queries"].append(HALVES[0])
    message = "round 1, index 2: the manifest has a query whose release is not in the derivation"
    assert said(DOCUMENT, manifest) == message
    manifest["rounds"][1]["queries"][1] = {**HALVES[0], "rate": None}  # whatever it asks
    assert said(DOCUMENT, manifest) == message


TOO_MANY = "it has more than 1060000 texts, lists and objects"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"{}", "expected JSON as text"),
        (7, "expected JSON as text"),
        ("1" * 10_000, "it is not valid JSON, or is nested too deeply"),
        ("{}", "it must be an object with the schema"),
        ("", "it is not valid JSON, or is nested too deeply"),
        ("[" * 200_000, "it is not valid JSON, or is nested too deeply"),
        ("[" * 500_000 + '""' * 250_000 + "{" * 310_000, "it is not valid JSON, or is nested too deeply"),
        ("[" * 500_000 + '""' * 250_000 + "{" * 310_001, TOO_MANY),
        ('"' * 2_120_000, "it is not valid JSON, or is nested too deeply"),
        ('"' * 2_120_001, TOO_MANY),  # the last one begins a text that has no end
        ('["' + '[{\\"' * 1_060_001 + '"', "it is not valid JSON, or is nested too deeply"),  # all in one text
        (" " * 19_500_000, "it is not valid JSON, or is nested too deeply"),
        (" " * 19_500_001, "it is longer than 19500000 characters"),
        ('{"a": 1, "a": 1}', "a key stands twice in one object"),
        ("[0.5]", "floats have no place in a derivation"),
        ("[NaN]", "floats have no place in a derivation"),
        ("[]", "it must be an object with the schema"),
    ],
)
def test_odd_texts_are_refused_in_these_words(text, message):
    """The same for a derivation and for a manifest, up to the schema that is read."""
    for name, found in (("document", lambda: check_derivation(text)), ("manifest", lambda: said_of_manifest(text))):
        with pytest.raises(DerivationRefused) as caught:
            found()
        schema = {"document": " fdpedu-derivation/9", "manifest": " fdpedu-manifest/5"}[name]
        assert str(caught.value) == f"{name}: {message}{schema * message.endswith('schema')}"


def said_of_manifest(text):
    return check_derivation(json.dumps(DOCUMENT), text)


def test_two_hundred_steps_deep_and_no_deeper():
    assert said(nested(199))[:5] == ("pure", Fraction(1, 2), 0, 1, Fraction(1, 2))
    assert said(nested(200)) == f"proof{'.0' * 201}: it has more than 200 levels"


def test_a_stack_that_ends_among_the_steps_is_named(monkeypatch):
    """On some versions of Python reading JSON needs more of it, so that this cannot be provoked by a text alone."""
    monkeypatch.setattr(derivation_checker, "_check", lambda *_: exec("raise RecursionError"))
    assert said(DOCUMENT) == "proof: it is nested too deeply for the stack that its caller has left"


def test_what_all_have_is_no_restriction():
    """A coordinate that is named with all its codes is as if it were not named: it makes no premises disjoint."""
    whole = {"class": [0, 1]}
    document = changed(DOCUMENT, (*LEAF, "region"), whole)
    assert said(document) == "proof.0.1: parallel premises 0 and 1 can hold the same record"
    assert said(changed(DOCUMENT, (*FIRST, "region"), whole), MANIFEST) == said(DOCUMENT)
    assert said(changed(DOCUMENT, (*FIRST, "region"), {"0": [0, 1, 2, 3]}), MANIFEST) == said(DOCUMENT)


def test_two_adaptive_premises_are_refused():
    document = changed(DOCUMENT, ("proof", "premises"), [WHOLE, *LEAVES])
    assert said(document) == f"proof: {ADAPTIVE}"


def in_rho():
    """A derivation of one release in ρ, from a ledger."""
    ledger = Ledger(1, delta=1e-6, domain=WARDS)
    ledger.charge([charge_in_rho(WARDS.everything, Amount(Fraction(1, 100), Fraction(1, 500_000)))])
    return json.loads(ledger.derivation().to_json())


LIMITS = "ρ = 2801/100000, ξ = 1/100000"
PROVED_IN_RHO = (
    "guarantee: what is proved is {'measure': 'gaussian', 'rho': '2801/100000', 'xi': '1/100000', 'epsilon': '1', "
    "'delta': '1/1000000', 'colluders': 1}"
)
NO_CONVERSION = "budget: ρ = {} and ξ = 1/100000 give no ({}, {})"
BUDGET_KEYS, STEP_KEYS = "budget: it needs exactly the keys", "it needs exactly the keys"
ONLY = ("proof", "premises", 0)
IN_RHO = [
    (("budget", "order"), 22, f"{BUDGET_KEYS} rho xi epsilon delta"),
    (("budget", "epsilon"), ..., f"{BUDGET_KEYS} rho xi"),
    (("budget", "more"), 1, f"{BUDGET_KEYS} rho xi epsilon delta"),
    (("budget", "delta"), "0", "budget: delta must lie strictly between 0 and 1"),
    (("budget", "delta"), "1", "budget: delta must lie strictly between 0 and 1"),
    (("budget", "delta"), "1/2000000", NO_CONVERSION.format("2801/100000", 1, "1/2000000")),
    (("budget", "delta"), 1, f"budget: {TEXT}"),
    (
        ("budget", "epsilon"),
        "0",
        NO_CONVERSION.format("2801/100000", 0, "1/1000000") + ": ξ must be less than 1 and less than ε/2",
    ),
    (("budget", "epsilon"), 1, f"budget: {TEXT}"),
    (("budget", "rho"), "3/100", NO_CONVERSION.format("3/100", 1, "1/1000000")),
    (
        ("budget", "rho"),
        "3/4",
        NO_CONVERSION.format("3/4", 1, "1/1000000") + " that is computed here: take a smaller δ",
    ),
    (("budget", "rho"), 1, f"budget: {TEXT}"),
    (("budget",), "1", f"{BUDGET_KEYS} rho xi"),
    (
        ("budget", "rho"),
        "1/200",
        "proof: the total ρ = 1/100, ξ = 1/500000 is more than the budget ρ = 1/200, ξ = 1/100000",
    ),
    (
        ("proof", "xi"),
        "0",
        f"proof: the adaptive rule gives the budget {LIMITS}, the step states ρ = 2801/100000, ξ = 0",
    ),
    (("proof", "xi"), ..., f"proof: {STEP_KEYS} rule rho xi region premises"),
    (
        ("guarantee", "delta"),
        "0",
        PROVED_IN_RHO,
    ),
    ((*ONLY, "rho"), "0", "proof.0: a release must cost more than 0"),
    ((*ONLY, "variance"), "49", "proof.0: ρ = 1/100 with variance 49 is too little for ℓ₂² = 1"),
    ((*ONLY, "l2_squared"), 0, f"proof.0: l2_squared must be an integer ≥ 1 {RANGE}"),
    ((*ONLY, "cells"), 0, f"proof.0: cells must be an integer ≥ 1 {RANGE}"),
    (
        (*ONLY, "rate"),
        "1",
        f"proof.0: {STEP_KEYS} type parameters query region l2_squared cells variance rule round index mechanism rho "
        "xi colluders claim",
    ),
    (("schema",), "fdpedu-derivation/6", "document: in the schema fdpedu-derivation/6 the measure must be pure"),
]


@pytest.mark.parametrize(("path", "value", "message"), IN_RHO)
def test_a_changed_document_in_rho_is_refused_in_these_words(path, value, message):
    assert said(changed(in_rho(), path, value)) == message
