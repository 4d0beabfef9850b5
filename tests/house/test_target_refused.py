"""A numeric target is refused by name wherever classes are needed: every design, fit, estimator, query and command."""
# Longer than 400 lines because all that refuses a target stands in one walk.

import inspect
import json
import pkgutil
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import fdpedu
import fdpedu.estimators
from fdpedu.accounting import Cost, Ledger
from fdpedu.boosting import Ensemble, fit_federated_boosting
from fdpedu.bounds import fit_saving_tree
from fdpedu.cart import GridSearch, fit_cart
from fdpedu.datasets import DataSet
from fdpedu.domain import Domain, Numeric
from fdpedu.estimators import FederatedBoostingRegressor, FederatedTreeRegressor
from fdpedu.federation import (
    ChosenBlock,
    ChosenSplit,
    ClassCounts,
    ClassHistogram,
    ConfusionCounts,
    DesignedSplit,
    Federation,
    GradientSums,
    GroupCounts,
    InterceptSums,
    JointEdges,
    LeafLabel,
    Model,
    NodeBounds,
    NodeHistograms,
    OutcomeCounts,
    Party,
    PullVectors,
    ResidualSums,
    SplitVote,
    SquareSums,
    StructureVote,
    TargetCounts,
)
from fdpedu.federation.queries.closed_set import CLOSED_SET, CURATED
from fdpedu.files import FileRefused
from fdpedu.gradients import AdditiveModel, TreeShapes, VectorModel
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.robust import certify, fit_partition_ensemble, worst_case
from fdpedu.simulation import METHODS, CodedRows
from fdpedu.simulation.methods import plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.sources.elzein import fit_local_tree, fit_shared_tree
from fdpedu.sources.gubler import fit_saving_tree_as_printed
from fdpedu.sources.maddock import Choices, fit_framework
from fdpedu.sources.vos.printed import fit_privatree_as_printed
from fdpedu.trees import DESIGNS, SYSTEMS, Design, fit_federated_tree, fit_owner_tree, fit_privatree
from fdpedu.trees.designs import NAMED
from fdpedu.trees.recursive import fit_recursively
from fdpedu.trees.small_trees import SmallTrees
from tests.support.private_trees import resigned
from tests.support.stays import DOMAIN, HALVES, NOT_FITTED, OF_MEANS, REFUSED, ROWS, SPEC, grown
from tests.support.two_sites import run

X, Y = [row[:2] for row in ROWS], [row[2] for row in ROWS]
CODES, LEVELS = DOMAIN.encode(X), DOMAIN.encode_labels(Y)
HALVES_BY_PAIRS = [(X[::2], Y[::2]), (X[1::2], Y[1::2])]
TREE = grown()


def functions_that_fit():
    """The names of all functions of the package that begin with fit_, at the top of a module, wherever they stand."""
    names = set()
    for module in pkgutil.walk_packages(fdpedu.__path__, "fdpedu."):
        if not module.name.startswith(("fdpedu.exercises", "fdpedu.claims", "fdpedu.__main__")):
            found = vars(import_module(module.name)).items()
            names |= {name for name, value in found if name.startswith("fit_") and inspect.isfunction(value)}
    return names


FITS = {
    "fit_federated_tree": lambda f, owner, ledger: fit_federated_tree(f),
    "fit_recursively": lambda f, owner, ledger: fit_recursively(f),
    "fit_saving_tree": lambda f, owner, ledger: fit_saving_tree(f),
    "fit_saving_tree_as_printed": lambda f, owner, ledger: fit_saving_tree_as_printed(f, epsilon="1/1000"),
    "fit_owner_tree": lambda f, owner, ledger: fit_owner_tree(owner, ledger),
    "fit_privatree": lambda f, owner, ledger: fit_privatree(owner, ledger),
    "fit_privatree_as_printed": lambda f, owner, ledger: fit_privatree_as_printed(X, Y, DOMAIN, 1),
    "fit_cart": lambda f, owner, ledger: fit_cart(X, Y, grid=DOMAIN),
    "fit_shared_tree": lambda f, owner, ledger: fit_shared_tree(HALVES_BY_PAIRS, DOMAIN),
    "fit_local_tree": lambda f, owner, ledger: fit_local_tree(X, Y, DOMAIN),
    "fit_partition_ensemble": lambda f, owner, ledger: fit_partition_ensemble(X, Y, DOMAIN, 3),
    "fit_framework": lambda f, owner, ledger: fit_framework(
        CODES, LEVELS, DOMAIN, Choices(trees=1, depth=1, learning_rate=1), paid="mended", epsilon=1, delta=1e-6
    ),
}
FITS |= {f"design {name}": lambda f, owner, ledger, name=name: fit_federated_tree(f, design=name) for name in DESIGNS}
FITS |= {
    f"system {name}": lambda f, owner, ledger, name=name: fit_federated_tree(f, design=name)
    for name in SYSTEMS
    if name != "votes"
}
FITS["a search"] = lambda f, owner, ledger: GridSearch(DOMAIN)
FITS["small trees"] = lambda f, owner, ledger: SmallTrees(DOMAIN, "1/2", 1, low=0, high=1)
OTHERS = {
    "rows of a simulation": lambda f, owner, ledger: CodedRows(
        DOMAIN, CODES[None], LEVELS[None], np.zeros((1, 60), int), CODES[None], LEVELS[None], n_parties=2
    ),
    "a data set": lambda f, owner, ledger: DataSet("stays", 60, DOMAIN, None),
    "certify": lambda f, owner, ledger: certify(TREE, X, Y, rows=1),
    "worst_case": lambda f, owner, ledger: worst_case(TREE, X, Y, X, Y, 1),
}


@pytest.mark.parametrize("what", [*FITS, *OTHERS])
def test_every_fit_refuses_it_before_anything_is_charged(what):
    """Only where something was to be fitted, it says what can be instead."""
    federation_ledger, ledger = Ledger(10**4), Ledger(1, colluders=0)
    federation = Federation([Party(rows, DOMAIN) for rows in HALVES], DOMAIN, federation_ledger, rng=ZeroWords())
    with pytest.raises(ValueError) as refused:
        {**FITS, **OTHERS}[what](federation, Party(ROWS, DOMAIN), ledger)
    assert str(refused.value).endswith(NOT_FITTED if what in FITS else REFUSED)
    assert federation_ledger.rounds == ledger.rounds == federation.rounds == 0


OF_NUMBERS = {"fit_at_home", "fit_at_structure", "fit_cell", "fit_fedga", "fit_local", "fit_private_structures"}
OF_NUMBERS |= {"fit_federated_boosting"}
"""What takes a target, in chapters 12 and 16."""


def test_no_function_that_fits_is_forgotten():
    assert functions_that_fit() - set(FITS) == OF_NUMBERS


# --- questions --------------------------------------------------------------------------------------------------------

ALL = DOMAIN.everything
OF_TWO = Domain(DOMAIN.features, target=Numeric.grid("stay", 0, 16, 2))  # so that the number of classes is no reason
SCORED = (OF_TWO.everything, "1/2", 64, AdditiveModel())
QUESTIONS = {
    NodeHistograms: NodeHistograms(ALL, 1),
    ClassHistogram: ClassHistogram(ALL, 1, 0),
    ClassCounts: ClassCounts(ALL, 1),
    GroupCounts: GroupCounts(ALL, 1, 4),
    JointEdges: None,  # of features alone
    NodeBounds: None,  # of a search that is refused
    SplitVote: SplitVote(ALL, 1, "squared"),
    StructureVote: StructureVote(ALL, 1, [(0,), (1,)], "squared"),
    TargetCounts: TargetCounts(ALL, 1, 4),
    ResidualSums: ResidualSums(ALL, 1, 64, AdditiveModel(), 1, TreeShapes((((0, 1),),))),
    SquareSums: SquareSums(ALL, 1, 0, Model(((4096,),))),
}
REFUSED_QUESTIONS = {
    LeafLabel: lambda: LeafLabel(ALL, 1).check(DOMAIN),
    OutcomeCounts: lambda: OutcomeCounts(ALL, 1, Model(((0,),))).check(DOMAIN),
    ConfusionCounts: lambda: ConfusionCounts(ALL, 1, Model(((0,),))).check(DOMAIN),
    PullVectors: lambda: PullVectors(
        OF_TWO.everything, Cost("gaussian", "1/2"), 64, VectorModel((), (0, 0)), TreeShapes((((0, 1),),))
    ).check(OF_TWO),
    GradientSums: lambda: GradientSums(*SCORED, 32, 256, 3, TreeShapes((((0, 1),),))).check(OF_TWO),
    InterceptSums: lambda: InterceptSums(*SCORED).check(OF_TWO),
}
BY_LOSS = {
    DesignedSplit: lambda: DesignedSplit(ALL, 1, 0).check(DOMAIN),
    ChosenSplit: lambda: ChosenSplit(ALL, 1).check(DOMAIN),
    ChosenBlock: lambda: ChosenBlock(ALL, 1).check(DOMAIN),
}


def test_every_question_is_known():
    assert {*QUESTIONS, *REFUSED_QUESTIONS, *BY_LOSS} == {*CLOSED_SET, *CURATED}


@pytest.mark.parametrize("question", [one for one in QUESTIONS.values() if one], ids=lambda one: one.type)
def test_counts_of_levels_and_votes_may_be_asked(question):
    assert question.check(DOMAIN) is None


@pytest.mark.parametrize("kind", REFUSED_QUESTIONS, ids=lambda kind: kind.type)
def test_questions_about_classes_are_refused(kind):
    with pytest.raises(ValueError) as refused:
        REFUSED_QUESTIONS[kind]()
    assert str(refused.value).endswith(REFUSED)


@pytest.mark.parametrize("kind", BY_LOSS, ids=lambda kind: kind.type)
def test_choices_by_a_loss_of_classes_are_refused_and_know_no_other(kind):
    with pytest.raises(ValueError, match="the loss 'mixed' is for classes, and the domain has a numeric target"):
        BY_LOSS[kind]()
    with pytest.raises(ValueError, match="loss must be one of errors, gini, mixed; got 'squared'"):
        kind(ALL, 1, *([0] if kind is DesignedSplit else []), loss="squared")


def test_an_ensemble_of_a_target_is_not_read():
    """Two levels count as two classes, and the derivation is of this domain, too."""
    domain = Domain(OF_TWO.features, ("a", "b"))
    rows = [[*row[:2], "ab"[row[2] > 5]] for row in ROWS]
    parties = [Party(rows[k::2], domain) for k in range(2)]
    federation = Federation(parties, domain, Ledger(1), rng=Rehearsal(1))
    ensemble = fit_federated_boosting(federation, nominal_size=60, rounds=1, trees_per_round=1, max_depth=1)
    content = json.loads(ensemble.to_json())
    content["domain"] = OF_TWO.to_spec()
    with pytest.raises(FileRefused, match="its domain is of the outcome 'number', and the file says otherwise"):
        Ensemble.from_json(resigned(content))


# --- designs, methods, estimators -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*NAMED, *DESIGNS])
def test_every_design_but_votes_says_that_it_is_for_classes(name):
    design = DESIGNS[name] if name in DESIGNS else NAMED[name]()
    if name == "votes":
        assert design.for_domain(DOMAIN).loss == "squared"
        return
    with pytest.raises(ValueError) as refused:
        design.for_domain(DOMAIN)
    what = "a design of noisy counts" if isinstance(design, Design) else f"the design {name!r}"
    assert str(refused.value) == what + NOT_FITTED


@pytest.mark.parametrize("method", METHODS)
def test_no_method_is_simulated(method):
    epsilon = None if method in ("central", "local") else 1
    with pytest.raises(ValueError) as refused:
        plan_of(method, DOMAIN, 3, epsilon, Parameters())
    assert str(refused.value) == "a simulation" + REFUSED


ESTIMATORS = [
    kind
    for name in fdpedu.estimators.__all__
    if inspect.isclass(kind := getattr(fdpedu.estimators, name)) and issubclass(kind, BaseEstimator)
]


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_every_estimator_but_the_regressors_refuses_it(kind):
    ledger = Ledger(1)
    model = kind(SPEC, budget=ledger)
    if kind is FederatedBoostingRegressor:
        model.set_params(delta=None, nominal_size=50, rounds=1)
        assert model.fit(X, Y).ensemble_.domain.target is not None
        return
    if kind is FederatedTreeRegressor:
        assert model.fit(X, Y).tree_.design.loss == "squared"
        return
    with pytest.raises(ValueError) as refused:
        model.fit(X, Y)
    assert str(refused.value) == kind.__name__ + NOT_FITTED
    assert ledger.rounds == 0


# --- commands ---------------------------------------------------------------------------------------------------------

SITES = ("a.csv", "b.csv")
FIT = ("fit", *SITES, "--domain", "domain.json", "--label", "days", "--epsilon", "1", "--budget", "b.db")
OWNER = ("fit", "--domain", "domain.json", "--label", "days", "--epsilon", "1", "--curator", "a.csv")
SEVERAL = f"{REFUSED}: a regression tree is grown by several sites"
NO_OWNER = "--curator must be left out with the numeric target 'stay': a regression tree is grown by several sites"
NO_RHO = "--delta must be left out with the numeric target 'stay': it is learnt by votes, which cost ε"
MODELS = {
    "privatree": (*OWNER, "--model", "privatree"),
    "privatree of sites": (*FIT, "--model", "privatree"),
    "privatree at random": (*OWNER, "--model", "privatree", "--splits", "random"),
}
SCORES = {
    "certify": ("certify", "t.json", "a.csv", "--label", "days", "--rows", "1"),
}
COMMANDS = {
    **{
        name: (arguments, f"--model {name.split()[0]}{SEVERAL}, with --design votes")
        for name, arguments in MODELS.items()
    },
    **{
        name: ((*FIT, "--design", name), f"--design {name}{REFUSED}: take --design votes")
        for name in [*DESIGNS, "rotating", "owner"]
    },
    **{name: (arguments, REFUSED) for name, arguments in SCORES.items()},
    "probabilities": (("predict", "t.json", "a.csv", "--probabilities"), f"--probabilities{OF_MEANS}"),
    "an owner": (OWNER, NO_OWNER),
    "an owner's design": ((*OWNER, "--design", "owner"), NO_OWNER),
    "an owner with votes": ((*OWNER, "--design", "votes"), NO_OWNER),
    "in rho": ((*FIT, "--delta", "1e-6"), NO_RHO),
    "in rho, screened": ((*FIT, "--delta", "1e-6", "--design", "screened"), NO_RHO),
    "in rho by votes": ((*FIT, "--delta", "1e-6", "--design", "votes"), NO_RHO),
    "pruned": (
        (*FIT, "--prune"),
        "--prune must be left out with the numeric target 'stay': sibling leaves of one class would be merged, and "
        "these leaves have means",
    ),
    "some features": (
        (*FIT, "--features-per-node", "1"),
        "--features-per-node must be left out with the numeric target 'stay': votes ask about all features",
    ),
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two sites' files, a domain with a target, a budget of ε = 1, and a tree."""
    monkeypatch.chdir(tmp_path)
    for site, rows in zip(SITES, HALVES, strict=True):
        lines = ["age,ward,days,id", *(f"{age},{ward},{days},{k}" for k, (age, ward, days) in enumerate(rows))]
        Path(site).write_text("\n".join(lines) + "\n", "utf8")
    Path("domain.json").write_text(json.dumps(SPEC), "utf8")
    TREE.save("t.json")
    assert run("budget", "create", "b.db", "--domain", "domain.json", "--limit", "1") == 0
    return tmp_path


@pytest.mark.parametrize(("arguments", "words"), COMMANDS.values(), ids=COMMANDS)
def test_every_command_for_classes_refuses_it_and_charges_nothing(folder, capsys, arguments, words):
    """What it advises is refused by no other command."""
    capsys.readouterr()
    assert run(*arguments) == 1 or run(*arguments) == 2
    found = capsys.readouterr()
    said = " ".join(found.err.split())
    assert words in said if words in (NO_OWNER, NO_RHO) else said.endswith(words)
    assert found.out == ""
    with Ledger.open("b.db") as ledger:
        assert ledger.remaining() == 1


def test_a_tree_by_votes_is_grown_shown_used_and_checked(folder, capsys):
    more = ("--max-depth", "2", "--out", "new.json", "--manifest", "m.json", "--json")
    assert run(*FIT, *more) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["design"] == "votes" and printed["options"] == {
        "name": "votes",
        "loss": "squared",
        "lattice": 1024,
        "prune": False,
    }
    assert printed["tree"]["counts"] and printed["epsilon"] == "1"
    assert run("predict", "new.json", "a.csv", "--keep", "id") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "id,predicted stay" and len(lines) == 31
    assert all(1 <= float(line.split(",")[1]) <= 15 for line in lines[1:])
    assert run("predict", "new.json", "a.csv", "--json") == 0
    assert set(json.loads(capsys.readouterr().out)[0]) == {"predicted stay"}
    for form in ("text", "sklearn", "graphviz", "html"):
        assert run("show", "new.json", "--as", form) == 0
        assert ("value: [" if form == "sklearn" else " days") in capsys.readouterr().out
    assert run("show", "domain.json") == 0 and "target: stay, in 8 levels" in capsys.readouterr().out
    assert run("show", "domain.json", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"kind": "domain", **DOMAIN.to_spec()}
    assert run("check-derivation", "new.json") == 0 and run("show", "m.json") == 0
    with Ledger.open("b.db") as ledger:
        assert ledger.remaining() == 0


def test_data_are_checked_with_their_target(folder, capsys):
    Path("bad.csv").write_text("age,ward,days\n1,A,99\n2,B,x\n3,B,\n", "utf8")
    capsys.readouterr()
    assert run("check-data", "a.csv", "--domain", "domain.json", "--label", "days") == 0
    assert capsys.readouterr().out.splitlines()[4].split()[0::12] == ["days", "ok"]
    assert run("check-data", "bad.csv", "--domain", "domain.json", "--label", "days", "--json") == 1
    (report,) = json.loads(capsys.readouterr().out).values()
    column = report["columns"][-1]
    assert (column["name"], column["above"], column["missing"], column["unfit"]) == ("days", 1, 1, 1)
    assert run("fit", "a.csv", "bad.csv", *FIT[3:], "--design", "votes") == 1
    assert "bad line 3, the target 'stay': expected a number" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((*FIT, "--design", "vote"), "design must be one of"),
        (("predict", "t.json", "a.csv", "--keep", "predicted stay"), "two columns would be called 'predicted stay'"),
        (("predict", "t.json", "a.csv", "--keep", "class"), "the table has no column 'class'"),
    ],
)
def test_what_is_said_of_bad_options(folder, capsys, arguments, words):
    assert run(*arguments) in (1, 2)
    assert words in capsys.readouterr().err


def test_truth_and_prediction_stand_side_by_side(folder, capsys):
    """Also where the column of the truth is called as the target is."""
    Path("named.csv").write_text(Path("a.csv").read_text("utf8").replace("days", "stay", 1), "utf8")
    for arguments in (("--keep", "stay"), ("--keep", "stay", "--json")):
        capsys.readouterr()
        assert run("predict", "t.json", "named.csv", *arguments) == 0
        out = capsys.readouterr().out
        names = list(json.loads(out)[0]) if "--json" in arguments else out.splitlines()[0].split(",")
        assert names == ["stay", "predicted stay"]


def test_a_budget_of_rho_pays_for_boosting_of_a_target_and_for_no_tree(folder, capsys):
    create = ("budget", "create", "rho.db", "--domain", "domain.json", "--limit", "1", "--delta", "1e-6")
    assert run(*create) == 0
    capsys.readouterr()
    for more in ((), ("--design", "votes")):
        assert run(*FIT[:-1], "rho.db", *more) == 2
        assert "a numeric target is learnt by votes, which cost ε" in capsys.readouterr().err
    with Ledger.open("rho.db") as ledger:
        assert ledger.rounds == 0
    boosting = ("--model", "boosting", "--nominal-size", "60", "--rounds", "1", "--out", "boosted.json")
    assert run(*FIT[:-3], "1/2", "--delta", "1e-6", "--budget", "rho.db", *boosting) == 0
    score = ("score", "boosted.json", *SITES, "--label", "days", "--epsilon", "1/2", "--budget", "rho.db")
    capsys.readouterr()
    assert run(*score) == 2 and "say --delta" in capsys.readouterr().err
    assert run(*score, "--delta", "1e-6") == 0
    assert run(*score[:-3], "9/10", "--delta", "1e-6", "--budget", "rho.db") == 1
    said = capsys.readouterr().err
    possible = said.split("at δ = 1/1000000, ε = ")[1].split(" is still possible")[0]
    assert run(*score[:-3], possible, "--delta", "1e-6", "--budget", "rho.db") == 0


def test_the_column_of_the_target_has_its_name_unless_another_is_said(folder, capsys):
    for site in SITES:
        Path(f"named_{site}").write_text(Path(site).read_text("utf8").replace("days", "stay", 1), "utf8")
    common = ("--domain", "domain.json", "--epsilon", "1")
    assert run("fit", "named_a.csv", "named_b.csv", *common, "--out", "new.json") == 0
    capsys.readouterr()
    assert run("fit", *SITES, *common) == 1
    assert "has no column 'stay'; --label names the column of the target" in capsys.readouterr().err
    assert run("fit", *SITES, *common, "--label", "stay") == 1
    assert "has no column 'stay'\n" in capsys.readouterr().err
    for file, names in (("named_a.csv", ["age", "ward", "stay"]), ("a.csv", ["age", "ward"])):
        assert run("check-data", file, "--domain", "domain.json", "--json") == 0
        (report,) = json.loads(capsys.readouterr().out).values()
        assert [column["name"] for column in report["columns"]] == names


def test_help_says_what_is_taken_for_a_target(capsys):
    for arguments, words in {
        ("fit",): "for a numeric target votes, and no other",
        ("budget", "create"): "as it must be for a tree of a numeric target",
    }.items():
        assert run(*arguments, "--help") == 0
        assert words in " ".join(capsys.readouterr().out.split())
    assert run("score", "--help") == 0
    assert "the class, or the target, one a site; none with --curator" in " ".join(capsys.readouterr().out.split())
