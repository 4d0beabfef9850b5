"""A tree's document: it reads back as it is, an old one can be read, and a tampered one is refused with the reason."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Derivation, Ledger
from fdpedu.derivation_checker import check_derivation
from fdpedu.domain import Domain
from fdpedu.federation import Federation, Manifest, Party
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal
from fdpedu.trees import Tree, fit_federated_tree
from fdpedu.trees.tree_file import from_document, to_document
from tests.support.private_trees import resigned

DATA = Path(__file__).parent / "data"
DOMAIN = Domain.from_spec(
    {
        "features": {"age": [0, 100, 4], "ward": ["A", "B", "C"], "dose": {"edges": [0, 0.1, 1, 7.5], "unit": "mg"}},
        "classes": ["well", "ill", "unclear"],
    }
)
ROWS = [
    [age, "ABC"[age % 3], age / 20, "ill" if age > 60 else "well" if age % 5 else "unclear"] for age in range(0, 100, 2)
]


def grown(seed=0, depth=3, budget=50, domain=DOMAIN, rows=ROWS):
    """A tree on its own budget, with its federation."""
    parties = [Party(rows[k::2], domain) for k in range(2)]
    federation = Federation(parties, domain, Ledger(budget), rng=Rehearsal(seed))
    return fit_federated_tree(federation, max_depth=depth, min_samples_split=2), federation


TREE, FEDERATION = grown()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 4), st.sampled_from(["1/10", 3, 100]))
def test_a_tree_reads_back_as_it_is(seed, depth, budget):
    """Nodes, domain, derivation and rounds; and so it predicts the same."""
    tree, _ = grown(seed, depth, budget)
    again = Tree.from_json(tree.to_json())
    assert again == tree and again.domain == tree.domain
    assert again.derivation.content == tree.derivation.content and again.rounds == tree.rounds
    X = [row[:-1] for row in ROWS]
    assert again.predict(X).tolist() == tree.predict(X).tolist()
    assert Tree.from_json(tree.to_json(indent=None)) == tree


def test_the_second_tree_of_a_federation_counts_its_own_rounds():
    """And its file holds the derivation of both, as both were paid for."""
    parties = [Party(ROWS[k::2], DOMAIN) for k in range(2)]
    federation = Federation(parties, DOMAIN, Ledger(4), rng=Rehearsal(2))
    first, second = (fit_federated_tree(federation, max_depth=1, epsilon=2) for _ in range(2))
    assert (first.rounds, second.rounds, federation.rounds) == (2, 2, 4)
    assert Tree.from_json(second.to_json()).derivation.spent == 4


def leaves_of(value, path=()):
    """Every place in a document that holds neither an object nor a list."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves_of(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves_of(inner, (*path, index))
    else:
        yield path


def put(document, path, value):
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = value


PLACES = [path for path in leaves_of(json.loads(TREE.to_json())) if path[0] != "digest"]
FREE = {  # what no file can show, or what is for people only
    "counts": "they are estimates of what was released, as far as a file can tell",
    "estimate": "so is what a leaf predicts from",
    "query": "text for people",
    "unit": "text for people",
    "reason": "text for people",
    "mechanism": "text, which an axiom speaks of",
    "claim": "text, which an axiom speaks of",
    "round": "a name of the release",
    "index": "a name of the release",
    "rounds": "how long it took",
    "classes": "the names of the classes",
    "randomness": "an axiom",
    "program": "what it says wrote it",
    "colluders": "an axiom, as long as it is not below the number that is promised",
}


def is_free(path):
    named = [key for key in path if isinstance(key, str)]
    return named[-1] in FREE or named[:2] == ["domain", "features"]


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(PLACES), st.sampled_from([0, 1, 2, 5, -1, "1/2", "1", "age", "B", "", None, True, 0.5, 10**30]))
def test_whatever_is_changed_is_refused_or_is_nothing_that_was_paid_for(path, value):
    """Even with a new digest: a tree that is not the one of its derivation is refused, and nothing but that happens."""
    document = json.loads(TREE.to_json())
    put(document, path, value)
    try:
        read = Tree.from_json(resigned(document), "t.json")
    except FileRefused as refusal:
        assert str(refusal).startswith("t.json: ") and len(str(refusal)) < 1000
    else:
        same = read == TREE and read.derivation.content == TREE.derivation.content and read.rounds == TREE.rounds
        assert same or is_free(path), f"{path} was changed into {value!r}, and read"


TAMPERED = {
    "a leaf grows": (
        lambda d: put(d, ("root", "left"), json.loads(json.dumps(d["root"]))),
        "release|split",
    ),
    "a subtree is cut off": (
        lambda d: [d["root"].pop(key) for key in ("split", "left", "right")],
        "class counts .* all records",
    ),
    "both sides exchanged": (
        lambda d: d["root"].update(left=d["root"]["right"], right=d["root"]["left"]),
        "release|split",
    ),
    "another domain": (
        lambda d: d["domain"]["features"].update(age=[0, 100, 5]),
        "another domain",
    ),
    "a feature left out": (lambda d: d["domain"]["features"].pop("dose"), "another domain"),
    "a cheaper derivation": (lambda d: d["derivation"].update(budget="1"), "budget"),
    "a lower guarantee": (lambda d: d["derivation"]["guarantee"].update(value="1"), "guarantee"),
    "more colluders": (lambda d: d["derivation"].update(colluders=7), "colluders"),
    "no root": (lambda d: d.pop("root"), "keys"),
    "a root that is a list": (lambda d: d.update(root=[1]), "lacks"),
    "rounds as text": (lambda d: d.update(rounds="4"), "rounds"),
    "rounds that nothing was paid in": (lambda d: d.update(rounds=[1, 2, 3, 4, 99]), "rounds must be"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_tampered_tree_is_refused_with_the_reason(what):
    change, why = TAMPERED[what]
    document = json.loads(TREE.to_json())
    change(document)
    with pytest.raises(FileRefused, match=why):
        Tree.from_json(resigned(document))


def test_an_unsigned_change_is_refused_as_such():
    text = TREE.to_json()
    with pytest.raises(FileRefused, match="changed"):
        Tree.from_json(text.replace('"n_parties": 2', '"n_parties": 3'))


READ = {"tree": Tree.load, "domain": Domain.load, "derivation": Derivation.load, "manifest": Manifest.load}
OLDER = {
    "tree-1.json": "'fdpedu-tree/1'",
    "derivation-5.json": "fdpedu-derivation/5",
    "manifest-2.json": "'fdpedu-manifest/2': an early fdpedu 0.1.0",
}


@pytest.mark.parametrize("name", OLDER)
def test_files_of_older_versions_are_refused_by_name(name):
    with pytest.raises(FileRefused, match=OLDER[name]):
        READ[name.partition("-")[0]](DATA / name)


@pytest.mark.parametrize(
    "name", ["tree-2.json", "domain-1.json", "domain-2.json", "derivation-6.json", "manifest-3.json"]
)
def test_files_of_this_version_can_be_read(name):
    kind = name.partition("-")[0]
    found = READ[kind](DATA / name)
    if kind == "tree":
        assert found.derivation.guarantee.value == Fraction(2) and found.depth == 2
        assert found.predict([[63, "A", 3.0], [17, "C", 0.2]]).tolist() == ["ill", "well"]
    elif kind == "domain":
        assert found == DOMAIN
    elif kind == "manifest":
        assert len(found.rounds) == 3 and "3" in found.render()
    else:
        assert found.guarantee.value == Fraction(2)


def test_in_a_model_of_fdpedu_0_1_0_three_numbers_are_a_range():
    """Whatever they are: programs wrote [0, 1, 10] so, which a person must write out today."""
    share = Domain.from_spec({"features": {"x": {"low": 0, "high": 1, "bins": 10}}, "classes": ["no", "yes"]})
    tree, _ = grown(domain=share, rows=[[k / 50, "yes" if k > 20 else "no"] for k in range(50)])
    document = json.loads(tree.to_json())
    del document["program"]
    document["domain"]["features"]["x"] = [0, 1, 10]
    assert Tree.from_json(resigned(document)) == tree


def test_there_is_a_file_of_each_kind():
    assert {path.name for path in DATA.iterdir()} == {
        *("tree-1.json", "derivation-5.json", "manifest-2.json"),  # refused by name
        *("tree-2.json", "domain-1.json", "domain-2.json", "derivation-6.json", "manifest-3.json", "budget-1.db"),
        "tree-in-rho-2.json",
    }


def test_a_tree_in_rho_of_the_older_measure_has_its_verdict_and_its_document():
    """Made when budgets were converted at an order: its bound is believed as it stands, and written as it was."""
    text = (DATA / "tree-in-rho-2.json").read_text("utf8")
    tree = Tree.from_json(text)
    assert tree.derivation.measure == "concentrated" and check_derivation(json.dumps(json.loads(text)["derivation"]))
    found = tree.derivation.guarantee
    assert (found.value, found.delta, found.rho, found.order) == (4, Fraction(1, 10**6), Fraction(1553, 5000), 7)
    assert json.loads(tree.to_json())["derivation"] == json.loads(text)["derivation"]


def test_a_budget_of_version_1_can_be_read(tmp_path):
    (tmp_path / "b.db").write_bytes((DATA / "budget-1.db").read_bytes())
    with Ledger.open(tmp_path / "b.db") as ledger:
        assert (ledger.budget, ledger.spent, ledger.rounds, ledger.colluders) == (3, 2, 3, 1)
        assert ledger.domain == DOMAIN


def test_a_derivation_says_regions_in_codes_where_no_domain_is_given(tmp_path):
    """With its domain it is described as before; another domain is refused."""
    TREE.derivation.save(tmp_path / "d.json")
    assert Derivation.load(tmp_path / "d.json", DOMAIN).render() == TREE.derivation.render()
    alone = Derivation.load(tmp_path / "d.json")
    assert alone.guarantee == TREE.derivation.guarantee and "age in {0" in alone.render()
    other = Domain.from_spec({"features": {"age": [0, 100, 4]}, "classes": ["well", "ill", "unclear"]})
    with pytest.raises(FileRefused, match="another domain"):
        Derivation.load(tmp_path / "d.json", other)


def test_a_manifest_shows_each_round():
    text = FEDERATION.manifest.render().splitlines()
    assert len(text) == 1 + FEDERATION.rounds and text[0].split()[:4] == ["round", "queries", "asked", "answered"]
    assert "class × bin histograms of all features" in text[1] and "class counts of a leaf" in text[-1]
    assert "<table" in FEDERATION.manifest._repr_html_()
    assert Manifest.from_json(FEDERATION.manifest.to_json()) == FEDERATION.manifest


def test_a_document_is_laid_out_unless_asked_for_one_line():
    text = TREE.to_json()
    assert text.split("\n")[1] == ' "schema": "fdpedu-tree/2",'
    assert TREE.to_json(None).count("\n") == 0 and json.loads(text) == json.loads(TREE.to_json(None))
    assert (
        Tree.from_json(text) == TREE
        and to_document(vars(TREE)) == text
        and to_document(vars(TREE), None) == TREE.to_json(None)
    )


def test_a_file_holds_the_document_and_is_named_where_it_is_refused(tmp_path):
    TREE.save(tmp_path / "t.json")
    assert (tmp_path / "t.json").read_text("utf8") == TREE.to_json()
    for path in (tmp_path / "t.json", str(tmp_path / "t.json")):
        assert Tree.load(path) == TREE
    (tmp_path / "bad.json").write_text("{}", "utf8")
    with pytest.raises(FileRefused, match=r"bad\.json: "):
        Tree.load(tmp_path / "bad.json")
    for read in (Tree.from_json, from_document):
        with pytest.raises(FileRefused, match=r"^the text: "):
            read("{}")
        with pytest.raises(FileRefused, match=r"^my file: "):
            read("{}", "my file")
