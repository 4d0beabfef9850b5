"""Chapter 9. Algorithm 6: what it costs as printed, and the tree that is paid for."""

from __future__ import annotations

from fdpedu.claims.bounds import cases_saving as cases
from fdpedu.claims.bounds import laws_saving as law
from fdpedu.claims.bounds import laws_saving_exact as exact
from fdpedu.claims.bounds import laws_saving_printed as printed
from fdpedu.claims.bounds.records import CONVENTION
from fdpedu.claims.records import Check, Claim

ADD_REMOVE = "neighbours: one record added or removed; a substitution costs twice"
OBSERVER = "an outsider, the aggregator included, and up to `tolerate` colluding parties; all honest but curious"
PUBLIC = "ranges, bins, categories, classes, shares, depth and lattice are public and fixed before"
SHARES = r"shares $\lambda$ of ε for leaves and $b$ of a node's budget for bounds"

CLAIMS = (
    Claim(
        "thm-saving-tree",
        "A tree that asks for bounds first, and saves, is private",
        "bounds",
        "this book; mends the report's Algorithm 6",
        status="proved+checked",
        code=(
            "fdpedu.bounds.saving",
            "fdpedu.bounds.saving.FitSavingTree.look",
            "fdpedu.bounds.saving.fit_saving_tree",
        ),
        checks=(
            Check(
                "whole runs",
                "exhaustive",
                "two features of two bins, depth 1, all clamped answers: the law of all runs of the shipped procedure, "
                "on data of at most {size} records, any record added: at most e^ε times as likely",
                exact.whole_runs,
                lambda most: [(exact.SmallRuns(bounds=(0, most)), most)],
                1,
                2,
            ),
            Check(
                "attained",
                "exact",
                "the same on a pair where a record moves both bounds by m: the worst ratio is e^ε",
                exact.attained,
                lambda _: [(1,), (2,)],
            ),
            Check(
                "every path",
                "property",
                "{size} random cases: with one record more and the same answers, the same is asked and grown; the "
                "record pays at most ε, and is charged exactly ε where its leaf has the rest",
                law.every_path,
                cases.with_a_record,
                5,
                1000,
            ),
            Check(
                "by hand",
                "exact",
                "{size} sets of answers, three domains, depth 2: order, removed features, splits, costs and savings, "
                "from the answers alone",
                law.by_hand,
                cases.given_answers,
                6,
                200,
            ),
            Check(
                "random answers",
                "property",
                "{size} random domains and options: the same",
                law.by_hand,
                cases.with_a_seed,
                10,
                1000,
            ),
            Check(
                "other rows",
                "exact",
                "{size} draws of noise, at three budgets: parties without rows, given the same sums, ask the same and "
                "grow the same tree",
                law.only_released,
                cases.rows_that_matter,
                3,
                30,
            ),
            Check(
                "random rows",
                "property",
                "{size} random cases: the same",
                law.only_released,
                cases.with_a_seed,
                8,
                500,
            ),
            Check(
                "accepted",
                "property",
                "{size} random cases: the checker accepts derivation and manifest; savings are what is not charged",
                law.accepted,
                cases.with_a_seed,
                8,
                500,
            ),
            Check(
                "opposite parties",
                "exact",
                "depth 1 and {size}: without noise, where bounds of one feature vanish and those of the other are "
                "attained, it is the tree of Algorithm 5",
                law.noiseless,
                lambda most: (case for depth in range(1, most + 1) for case in cases.opposite_parties(depth)),
                2,
            ),
            Check(
                "noiseless",
                "property",
                "{size} random cases: without noise it is the tree of Algorithm 5",
                law.noiseless,
                lambda draw: draw.tuples(draw.domains_with_parties(), cases.options(draw)),
                8,
                1000,
            ),
        ),
        assumptions=(CONVENTION, ADD_REMOVE, "integers", OBSERVER, PUBLIC, "running time is not covered"),
        uses=(
            "thm-node-bounds",
            "thm-histogram",
            "thm-round",
            "lem-filter",
            "thm-federated-tree",
            "thm-post-processing",
            "thm-impurity-lower-bound",
        ),
    ),
    Claim(
        "algorithm-6-as-printed",
        "Algorithm 6 costs ε, as printed",
        "bounds",
        "report, Algorithm 6 and section 3.5",
        status="refuted as stated",
        code=(
            "fdpedu.bounds.printed_saving",
            "fdpedu.bounds.printed_saving.fit_saving_tree_as_printed",
        ),
        checks=(
            Check(
                "one record",
                "exact",
                "1 to {size} features, 1 to {size} rows, default shares, the report's noise for 5/4: the worst ratio "
                "of the runs that ask for all histograms",
                printed.one_record,
                lambda most: ((p, n) for p in range(1, most + 1) for n in range(1, most + 1)),
                3,
            ),
            Check(
                "ledger",
                "exact",
                "1 to {size} features, depth 1: what the shipped procedure is charged, by the checker",
                printed.costs_epsilon,
                lambda most: ((p,) for p in range(1, most + 1)),
                3,
            ),
        ),
        assumptions=(CONVENTION, ADD_REMOVE, "integers in the second check, real noise in the first"),
        corrected_by="thm-saving-tree",
    ),
    Claim(
        "lem-printed-cost",
        "What Algorithm 6 costs as printed",
        "bounds",
        "this book; on the report's Algorithm 6",
        status="proved+checked",
        code=(
            "fdpedu.bounds.printed_saving",
            "fdpedu.bounds.printed_saving.cost_as_printed",
            "fdpedu.bounds.printed_saving.fit_saving_tree_as_printed",
        ),
        checks=(
            Check(
                "formula",
                "property",
                "{size} random shares and trees of full depth, so many removed: derivation, recursion, formula, and "
                "what the ledger refuses beforehand",
                printed.formula,
                printed.cases,
                8,
                300,
            ),
            Check(
                "dearest",
                "exhaustive",
                "up to {size} features, depths below, three shares: all ways to remove features",
                printed.dearest,
                printed.dearest_cases,
                4,
                5,
            ),
            Check(
                "anchors",
                "exact",
                "10, 25 and 50 features, default shares, noise for 1 and for 5/4",
                printed.anchors,
                lambda _: ((p,) for p in printed.ANCHORS),
            ),
        ),
        assumptions=(
            ADD_REMOVE,
            "integers; a bound's sensitivity of 1 is m in steps of 1/m",
            "nodes of all levels are split",
        ),
        uses=("thm-node-bounds", "thm-histogram", "lem-filter"),
    ),
)
