"""What simulations refuse, and in which words: one table. What is taken to the last stands with each file's tests."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.randomness import ReplayedWords, ZeroWords
from fdpedu.simulation import METHODS, CodedRows, Setting, Study, draw_rows, rows, simulate
from fdpedu.simulation.methods import MAX_WHOLE, plan_of
from fdpedu.simulation.parameters import Parameters
from fdpedu.trees import Design
from tests.support.simulated import SIX, SIX_STUDY, SQUARE, TWO_ROWS, refusal

KNOWN = "method must be one of " + ", ".join(map(repr, METHODS)) + ", or a Design, got "
SHAPE = "codes must have the shape (runs, rows, 2), at least one run, got "
CODES = "codes must be codes of the domain, from 0 to the number of a feature's codes less 1"
DRAWABLE = "epsilon/sensitivity must be at least 2**-40, so that the noise fits 64-bit integers"
SOURCE = "rng must be a numpy.random.Generator or a source of words of 64 bits, got "
WHOLE = (
    "max_depth must be at most 12 for a design that reconciles the counts of its nodes, got 13: "
    "all 2^depth nodes are grown. Take a design with consistent=False"
)
NONE_ABOVE = "max_depth must be at least 1 where leaves read the histograms above them: there are none"
SEEDS = "seeds must be one numpy.random.SeedSequence for each run, at least one"
LARGE = "epsilon must be at most 1099511627776; for no noise at all give rng=ZeroWords()"
FEWER = "tolerate must be less than the number of parties "
WARDS = Domain([Categorical("w", ["a", "b", "c"]), Numeric.grid("x", 0, 2, 2)], (0, 1))
MANY = replace(WARDS, classes=(0, 1, 2))
SEED = np.random.SeedSequence(1)
STUDY = Study(**SIX_STUDY, runs=1)


def plan(method, domain=SQUARE, epsilon=1, **options):
    return partial(plan_of, method, domain, 2, epsilon, Parameters(**options))


def made(**changed):
    return partial(CodedRows, **{**TWO_ROWS, **changed})


def studied(**changed):
    return partial(Study, **{**SIX_STUDY, **changed})


def from_to(call, name, least, most=None):
    """What is said of integers, or of a number of them, that are too few or too many."""
    yield partial(call, **{name: least - 1}), f"{name} must be an integer ≥ {least}, got {least - 1}"
    if most:
        yield partial(call, **{name: most + 1}), f"{name} must be at most {most}, got {most + 1}"


def of_trees():
    """Parameters of a tree, and of the trees of a setting."""
    for call in (Parameters, partial(Setting, SIX)):
        for name, *ends in (("max_depth", 0, 64), ("min_samples_split", 0, 2**62), ("lattice", 1, 2**16)):
            yield from from_to(call, name, *ends)
        yield from from_to(call, "tolerate", 0)
        for name in ("leaf_share", "bounds_share"):
            for share in (1, "5/4"):
                yield partial(call, **{name: share}), f"{name} must lie strictly between 0 and 1, got {share}"
            yield partial(call, **{name: 0}), f"{name} must be greater than 0, got 0"


TABLE = [
    *of_trees(),
    # plans
    (plan("nobody"), KNOWN + "'nobody'"),
    (plan(["default"]), KNOWN + "['default']"),
    (plan("x" * 99), KNOWN + "'" + "x" * 39),
    (plan("default", epsilon=None), "epsilon must be given: this method is private"),
    (plan("central"), "epsilon must be None for the method 'central', which is not private"),
    (plan("local"), "epsilon must be None for the method 'local', which is not private"),
    (plan("default", epsilon=0), "epsilon must be greater than 0, got 0"),
    (plan("default", epsilon=2**40 + 1), LARGE),
    (plan("algorithm-6", tolerate=1), "tolerate must be 0 for Algorithm 6, got 1"),
    (plan("exponential", tolerate=1), "tolerate must be 0 for a trusted aggregator, got 1"),
    (plan("owner", tolerate=1, max_depth=2), "tolerate must be 0 for one owner of all rows, got 1"),
    (plan("default", tolerate=2), FEWER + "(2), got 2"),
    (plan("rotating", tolerate=2), FEWER + "(2), got 2"),
    (
        partial(plan_of, "rotating", SQUARE, 257, 1, Parameters()),
        "the design 'rotating' is for at most 256 parties, got 257: take 'screened'",
    ),
    (plan("owner"), "max_depth must be even for the design 'owner', whose blocks have two levels; got 5"),
    *(
        (
            plan(method, max_depth=depth),
            f"max_depth must be at most 8 for the design {method!r}, got {depth}: every node is split, so each level "
            "doubles the number of leaves",
        )
        for method, depth in (("rotating", 9), ("owner", 10))
    ),
    (plan("algorithm-5-clipped", epsilon="1e-13"), DRAWABLE),
    (plan("permute-and-flip", epsilon="1e-13"), DRAWABLE),
    (plan("rotating", epsilon="1e-13"), DRAWABLE),
    (plan("owner", epsilon="1e-13", max_depth=2), DRAWABLE),
    (plan("algorithm-6", epsilon="1e-9", lattice=2**16), DRAWABLE),
    (plan("algorithm-6", MANY), "with more than two classes, all features must be ordered for Algorithm 6"),
    (plan(Design(), max_depth=MAX_WHOLE + 1), WHOLE),
    (
        plan(Design(fresh_leaves=False), max_depth=0),
        NONE_ABOVE,
    ),
    # rows
    (made(domain="x"), "domain must be a Domain, got str"),
    (made(codes=[[0, 0]]), SHAPE + "(1, 2)"),
    (made(codes=[[[0]]]), SHAPE + "(1, 1, 1)"),
    (made(codes=np.zeros((0, 2, 2), int)), SHAPE + "(0, 2, 2)"),
    (made(codes=[[[0, 4], [0, 0]]]), CODES),
    (made(codes=[[[0, -1], [0, 0]]]), CODES),
    (made(codes=TWO_ROWS["codes"].repeat(2, 0)), "codes and test_codes must have as many runs, got 2 and 1"),
    (
        made(codes=[[[0.5, 0.0]]]),
        "codes must be integers within ±2**62; got float64 (round real data before the noise)",
    ),
    (made(test_codes=[[0, 0]]), f"test_{SHAPE}(1, 2)"),
    (made(test_codes=[[[4, 0]]]), f"test_{CODES}"),
    (made(labels=[[0]]), "labels must have the shape (1, 2), got (1, 1)"),
    (made(labels=[[0, 2]]), "labels must be integers from 0 to 1"),
    (made(labels=[[-1, 0]]), "labels must be integers from 0 to 1"),
    (made(labels=[[0.5, 1]]), "labels must be integers within ±2**62; got float64 (round real data before the noise)"),
    (made(parties=[[0, 2]]), "parties must be integers from 0 to 1"),
    (made(parties=[0, 1]), "parties must have the shape (1, 2), got (2,)"),
    (made(test_labels=[[2]]), "test_labels must be integers from 0 to 1"),
    (made(test_labels=[1]), "test_labels must have the shape (1, 1), got (1,)"),
    *from_to(partial(CodedRows, **{k: v for k, v in TWO_ROWS.items() if k != "n_parties"}), "n_parties", 1, 10**6),
    *from_to(CodedRows(**TWO_ROWS).repeated, "times", 1, 10**6),
    (partial(draw_rows, SIX, 2, []), SEEDS),
    (partial(draw_rows, SIX, 2, [1]), SEEDS),
    (partial(draw_rows, SIX, 2, [SEED, 1]), SEEDS),
    (partial(draw_rows, SIX, 2, [np.random.default_rng(1)]), SEEDS),
    (partial(draw_rows, SIX, 2, SEED), "seeds must be a list, got SeedSequence"),
    (partial(draw_rows, "six", 2, [SEED]), "data must be a DataSet, got str"),
    *from_to(partial(draw_rows, SIX, seeds=[SEED]), "n_parties", 1, 10**6),
    # settings and studies
    (partial(Setting, "six"), "data must be a DataSet, got str"),
    *from_to(partial(Setting, SIX), "n_parties", 1, 10**6),
    (studied(settings=[SIX]), "settings must be a Setting, got DataSet"),
    (studied(settings=SIX_STUDY["settings"][0]), "settings must be a list, got Setting"),
    (studied(methods="default"), "methods must be a list, got 'default'"),
    (studied(methods=["default", "nobody"]), KNOWN + "'nobody'"),
    (studied(epsilons=1), "epsilons must be a list, got 1"),
    (studied(epsilons=[]), "epsilons must name at least one ε: default is private"),
    (studied(epsilons=[1, 0]), "epsilons must be greater than 0, got 0"),
    *from_to(studied(), "runs", 1, 10**6),
    *from_to(studied(), "seed", 0, 2**63 - 1),
    *from_to(studied(), "chunk", 1, 10**6),
    (studied(settings=[*SIX_STUDY["settings"], Setting(SIX, 1, tolerate=1)]), FEWER + "(1), got 1"),
    (studied(epsilons=[1, 2**41]), LARGE),
    *from_to(STUDY.results, "jobs", 1, 10**4),
    (partial(STUDY.results, progress=1), "progress must be a function, got 1"),
    (partial(STUDY.results, done="key"), "done must be a list, got 'key'"),
    (partial(STUDY.results, done=[1]), "done must be keys of tasks, which are texts"),
    # runs
    *(
        (partial(simulate, "central", CodedRows(**TWO_ROWS), rng=rng), SOURCE + kind)
        for rng, kind in ((None, "NoneType"), (7, "int"), (ReplayedWords([1], word_bits=4), "ReplayedWords"))
    ),
    (partial(simulate, "central", 1, rng=ZeroWords()), "rows must be a CodedRows, got int"),
    (partial(simulate, "nobody", CodedRows(**TWO_ROWS), epsilon=1, rng=ZeroWords()), KNOWN + "'nobody'"),
]


@pytest.mark.parametrize(("call", "sentence"), TABLE, ids=range(len(TABLE)))
def test_the_sentences_of_refusals(call, sentence):
    assert refusal(call) == sentence


@pytest.mark.parametrize(
    ("numbers", "call", "sentence"),
    [
        (
            33,
            lambda: CodedRows(**TWO_ROWS).repeated(4),
            "times must be small enough that there are at most 33 numbers, got 4",
        ),
        (3, lambda: CodedRows(**TWO_ROWS), "codes must be at most 3 numbers, got 4: take fewer runs at a time"),
    ],
)
def test_rows_of_too_many_numbers_are_refused_in_these_words(monkeypatch, numbers, call, sentence):
    monkeypatch.setattr(rows, "MAX_NUMBERS", numbers)
    assert refusal(call) == sentence
