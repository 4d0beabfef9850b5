"""What a fit of one owner's tree refuses, in which words, and that nothing was charged; and what it must not refuse."""

from fractions import Fraction

import pytest

from fdpedu.accounting import BudgetExceeded, Cost, Ledger
from fdpedu.cart import fit_cart
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import Federation, Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import PrivaTree, fit_federated_tree, fit_privatree
from tests.support.federations import BELIEVING
from tests.support.privatrees import MIXED, PLAIN, fitted, on_public_rows, rows

OWNER = Party(rows(20), MIXED)
RAW = fit_cart([[0.0], [1.0]], ["a", "b"])  # not on a grid
MANY = Domain([Numeric.grid(f"x{j}", 0, 1, bins=256) for j in range(65)], ("a", "b"))
NAMES = "one of choice, histograms, random"
LOOK = "edges must be 'public' where splits are"

OPTIONS = [
    ({"splits": "best"}, f"splits must be {NAMES}; got 'best'"),
    ({"splits": "public"}, f"splits must be {NAMES}; got 'public'"),
    ({"splits": ""}, f"splits must be {NAMES}; got ''"),
    (
        {"splits": None},
        "splits must be choice, histograms or random, or a tree that was grown on public rows; got None",
    ),
    ({"splits": 3}, "splits must be choice, histograms or random, or a tree that was grown on public rows; got 3"),
    ({"splits": RAW}, "splits must be a tree on the grid of the party's domain"),
    ({"splits": on_public_rows(PLAIN)}, "splits must be a tree on the grid of the party's domain"),
    ({"splits": on_public_rows(depth=3), "max_depth": 2}, "splits has 3 levels, and max_depth is 2"),
    ({"splits": on_public_rows(), "edges": "joint"}, f"{LOOK} public"),
    ({"splits": "random", "edges": "joint"}, f"{LOOK} random"),
    ({"splits": "random", "edges": "histogram"}, f"{LOOK} random"),
    ({"score": "entropy"}, "score must be one of errors, gini, mixed; got 'entropy'"),
    ({"score": None}, "score must be one of errors, gini, mixed; got None"),
    ({"edges": "quantiles"}, "edges must be one of public, joint, histogram; got 'quantiles'"),
    ({"edges": 1}, "edges must be one of public, joint, histogram; got 1"),
    ({"edge_bins": 1}, "edge_bins must be an integer ≥ 2, got 1"),
    ({"edge_bins": 257}, "edge_bins must be at most 256, got 257"),
    ({"edge_bins": 2.5}, "edge_bins must be an integer"),
    ({"edge_bins": True}, "edge_bins must be an integer"),
    ({"leaves": "label"}, "leaves must be one of labels, counts; got 'label'"),
    ({"leaves": None}, "leaves must be one of labels, counts; got None"),
    ({"leaf_share": 0}, "leaf_share must be greater than 0"),
    ({"leaf_share": 1}, "leaf_share must lie strictly between 0 and 1, got 1"),
    ({"leaf_share": "rules"}, "leaf_share must be a finite number"),
    ({"leaf_share": "rule"}, "nominal_size must be given for leaf_share='rule'"),
    ({"leaf_share": "rule", "nominal_size": 0}, "nominal_size must be an integer ≥ 1, got 0"),
    ({"leaf_share": "rule", "nominal_size": 399.0}, "nominal_size must be an integer"),
    ({"nominal_size": -1}, "nominal_size must be an integer ≥ 1, got -1"),
    ({"max_depth": -1}, "max_depth must be an integer ≥ 0, got -1"),
    ({"max_depth": 9}, "max_depth must be at most 8 for the design 'privatree', got 9"),
    ({"max_depth": 65}, "max_depth must be at most 64, got 65"),
    ({"max_depth": 2.0}, "max_depth must be an integer"),
    ({"epsilon": 0}, "epsilon must be greater than 0"),
    ({"epsilon": -1}, "epsilon must be greater than 0"),
    ({"epsilon": "much"}, "epsilon must be a finite number"),
    ({"epsilon": float("inf")}, "epsilon must be a finite number"),
    ({"epsilon": Fraction(1, 2**60)}, "epsilon/sensitivity must be at least"),
    ({"progress": 3}, "progress must be a function, got 3"),
    ({"rng": 3}, "rng must be None"),
]


@pytest.mark.claim("thm-privatree")
@pytest.mark.parametrize(("options", "words"), OPTIONS, ids=[str(k) for k in range(len(OPTIONS))])
def test_what_is_refused_and_nothing_is_charged(options, words):
    ledger = Ledger(2)
    with pytest.raises(ValueError) as refusal:
        fit_privatree(OWNER, ledger, **{"rng": Rehearsal(1), **options})
    assert str(refusal.value).startswith(words)
    assert ledger.spent == 0 and ledger.rounds == 0
    fit_privatree(OWNER, ledger, max_depth=1, rng=Rehearsal(1))  # the ledger is as good as before
    assert ledger.spent == 2


@pytest.mark.parametrize(
    ("party", "ledger", "words"),
    [
        (rows(2), Ledger(1), "party must be a Party, got list"),
        (OWNER, 1, "ledger must be a Ledger, got int"),
        (OWNER, None, "ledger must be a Ledger, got NoneType"),
        (Party(rows(2), MIXED, ledger=Ledger(1), limits=BELIEVING), Ledger(1), "party must have no ledger of its own"),
        (OWNER, Ledger(1, colluders=1), "the ledger promises to withstand 1 colluders"),
        (OWNER, Ledger(Cost("gaussian", "1/2")), "the design 'privatree' makes choices, which cost ε"),
        (Party([[0.5] * 65 + ["a"]], MANY), Ledger(1), "the domain must have at most 16384 splits"),
    ],
)
@pytest.mark.parametrize("options", [{}, {"leaf_share": "rule", "nominal_size": 500}])
def test_owners_and_ledgers_that_are_refused(party, ledger, words, options):
    spent = ledger.spent if isinstance(ledger, Ledger) else None
    with pytest.raises(ValueError) as refusal:
        fit_privatree(party, ledger, rng=Rehearsal(1), **options)
    assert str(refusal.value).startswith(words)
    assert spent is None or (ledger.spent == spent and ledger.rounds == 0)


def test_a_ledger_of_another_domain_is_refused():
    ledger = Ledger(2)
    fit_privatree(Party(rows(5, PLAIN), PLAIN), ledger, epsilon=1, rng=Rehearsal(1))
    with pytest.raises(ValueError, match="domain"):
        fit_privatree(OWNER, ledger, rng=Rehearsal(1))
    assert ledger.spent <= 1


@pytest.mark.parametrize("options", [{}, {"edges": "joint", "edge_bins": 3}, {"splits": "random"}, {"max_depth": 0}])
def test_more_than_the_ledger_has_is_refused_before_the_first_round(options):
    ledger = Ledger(1)
    with pytest.raises(BudgetExceeded):
        fit_privatree(OWNER, ledger, epsilon="101/100", rng=Rehearsal(1), **options)
    assert ledger.spent == 0 and ledger.rounds == 0
    fit_privatree(OWNER, ledger, rng=Rehearsal(1), **options)
    for epsilon in (None, "1/100"):
        with pytest.raises(ValueError):  # nothing is left
            fit_privatree(OWNER, ledger, epsilon=epsilon, rng=Rehearsal(1), **options)
    assert ledger.spent == 1


def test_a_federation_does_not_grow_the_design_of_one_owner():
    federation = Federation([Party(rows(5), MIXED), Party(rows(5), MIXED)], MIXED, Ledger(1), rng=ZeroWords())
    for design in ("privatree", PrivaTree()):
        with pytest.raises(ValueError, match="for one owner of all rows"):
            fit_federated_tree(federation, design=design)
    assert federation.ledger.spent == 0


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: PrivaTree("best"), "splits must be one of choice, histograms, random, public; got 'best'"),
        (lambda: PrivaTree(lattice=0), "lattice must be an integer ≥ 1, got 0"),
        (lambda: PrivaTree(lattice=2**16 + 1), "lattice must be at most 65536"),
        (lambda: PrivaTree(borders=((1,),)), "borders must be a Borders, got tuple"),
        (lambda: PrivaTree(prune=True), "prune must be False where leaves have labels only"),
        (lambda: PrivaTree(prune=1, leaves="counts"), "prune must be"),
        (lambda: PrivaTree(splits="public", edges="histogram"), f"{LOOK} public"),
    ],
)
def test_what_a_design_refuses(make, words):
    with pytest.raises(ValueError) as refusal:
        make()
    assert str(refusal.value).startswith(words)


@pytest.mark.parametrize("splits", ["choice", "histograms", "random"])
@pytest.mark.parametrize("edges", ["public", "joint"])
def test_more_than_five_hundred_borders_are_no_reason_to_refuse(splits, edges):
    """Only blocks of three splits are limited to five hundred."""
    if splits == "random" and edges == "joint":
        return
    wide = Domain([Numeric.grid(name, 0, 256, bins=256) for name in "xz"], ("a", "b"))
    table = [[k % 256 + 0.5, 3.5, "ab"[k % 256 > 99]] for k in range(512)]
    tree, ledger = fitted(table, domain=wide, splits=splits, edges=edges, edge_bins=3, max_depth=1)
    assert ledger.spent == 1 and tree.depth == 1


@pytest.mark.claim("lem-leaf-label")
def test_class_shares_of_labels_are_refused_by_name_and_of_counts_they_are_right():
    X = [row[:-1] for row in rows(7)]
    for splits in ("choice", "histograms", "random", on_public_rows()):
        tree, _ = fitted(splits=splits)
        with pytest.raises(ValueError, match=r"predict_proba needs class counts, .* only labels were released"):
            tree.predict_proba(X)
        shares = fitted(splits=splits, leaves="counts")[0].predict_proba(X)
        assert shares.shape == (7, 3) and shares.sum(axis=1) == pytest.approx([1] * 7)
