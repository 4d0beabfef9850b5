"""Chapter 7. Federated private histograms: what one of them costs, and what those of a node do."""

from fractions import Fraction
from itertools import product

from fdpedu.claims.dependence import ALPHA
from fdpedu.claims.histograms import laws as law
from fdpedu.claims.histograms import laws_joint as joint
from fdpedu.claims.histograms import laws_membership as member
from fdpedu.claims.records import Check, Claim

ADD_REMOVE = "neighbours: one record added or removed; a substitution costs twice"
OBSERVER = "an outsider, the aggregator included, and up to `tolerate` colluding parties; all honest but curious"

CLAIMS = (
    Claim(
        "thm-histogram",
        "A class × bin histogram costs one ε",
        "histograms",
        "report, Lemma 3.1; with integer shares",
        status="proved+checked",
        code=(
            "fdpedu.histograms",
            "fdpedu.histograms.release.private_histogram",
            "fdpedu.federation",
            "fdpedu.federation.queries.counts.ClassHistogram",
            "fdpedu.federation.queries.counts.ClassCounts",
        ),
        checks=(
            Check(
                "inequality",
                "exhaustive",
                "one feature of two bins, two classes: all data of at most {size} records, all regions, all neighbours",
                law.inequality,
                law.histograms,
                2,
                3,
            ),
            Check(
                "random inequality",
                "property",
                "{size} random domains, regions, queries and neighbours: worst ratio of the exact distributions",
                law.inequality,
                lambda draw: draw.neighbours(law.unit_queries),
                100,
                3000,
            ),
            Check(
                "many classes",
                "property",
                "{size} random domains of up to three features, categorical or not, four codes and four classes, all "
                "types of query: worst ratio of the exact distributions",
                law.inequality,
                member.neighbours,
                60,
                2000,
            ),
            Check(
                "relations",
                "exhaustive",
                "data of at most {size} records: what a ledger agrees to claim holds for all neighbours of that "
                "relation",
                law.claimed_relation,
                lambda most: product(
                    ("add-remove", "substitution"), law.row_sets(law.RECORDS, most), law.RECORDS, law.RECORDS
                ),
                1,
                3,
            ),
            Check(
                "release",
                "property",
                "{size} random rounds: released are the pooled counts plus one share of the stated rate a party",
                law.release_law,
                lambda draw: draw.rounds(),
                60,
                1000,
            ),
            Check(
                "columns by name",
                "property",
                "{size} random federations of tables with names, in any order of columns: released as from rows",
                law.columns_by_name,
                lambda draw: draw.tuples(draw.domains_with_parties(), draw.integers(0, 4)),
                40,
                1000,
            ),
            Check(
                "joint law of a party's noise",
                "exact",
                "one round of up to {size} queries, and two rounds; of one rate, two, one between two: a fair bit for "
                "each number, over all tapes",
                joint.noise_of_a_party,
                joint.small_rounds,
                3,
                4,
            ),
            Check(
                "own words",
                "exact",
                "{size} tapes of 64-bit words, altered half by half: each cell of each round is made of two words of "
                "each party, of its own",
                joint.own_words,
                joint.small_federations,
                1,
                5,
            ),
            Check(
                "many parties",
                "exact",
                "2 to {size} parties, none to all but one tolerated, up to three rounds: each number is drawn for its "
                "query's rate and m, and for one cell",
                joint.many_parties,
                joint.large_federations,
                24,
                150,
            ),
            Check(
                "own keys",
                "exact",
                "two federations of 2 to {size} parties: every pair has a key of its own",
                joint.own_keys,
                lambda most: ((n,) for n in range(2, most + 1)),
                5,
                12,
            ),
            Check(
                "long releases",
                "statistical",
                "over 10,000 cells; up to {size} rounds and federations from one source: signs and bits are unrelated",
                joint.long_release,
                lambda most: product((2, 3), (1, most), (1, most)),
                2,
                3,
                alpha=ALPHA,
            ),
            Check(
                "promised variance",
                "statistical",
                "2, 3 and {size} parties, none and one tolerated: each query of a round has the variance of its rate",
                joint.promised_variance,
                joint.divisions,
                7,
                40,
                alpha=ALPHA,
            ),
            Check(
                "wide tables",
                "exact",
                "{size} records in 65,280, 66,048 and 196,608 cells: counted as they are",
                joint.wide_tables,
                lambda rows: product((85, 86, 256), [rows]),
                5000,
                100_000,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "ranges, bins, categories and classes are public"),
        uses=("thm-tolerate", "thm-private-sum"),
    ),
    Claim(
        "thm-node-histograms",
        "The histograms of p features are p releases",
        "histograms",
        "report, section 3.3; this book for insiders and small δ",
        status="proved+checked",
        code=(
            "fdpedu.federation",
            "fdpedu.federation.queries.counts.NodeHistograms",
            "fdpedu.histograms.membership.membership_test",
        ),
        checks=(
            Check(
                "inequality",
                "exhaustive",
                "two features of two bins, two classes: all data of at most {size} records, the whole and half regions",
                law.inequality,
                law.nodes,
                1,
                2,
            ),
            Check(
                "entered",
                "exact",
                "up to {size} features, 1 and 3 nodes, 2 and 5 parties: releases in the derivation, and an insider's ε",
                law.entered,
                lambda most: product(range(1, most + 1), (1, 3), (Fraction(1, 10), Fraction(1)), (2, 5)),
                4,
                12,
            ),
            Check(
                "exact factor",
                "exact",
                "1 to {size} features of three bins, 2 and 5 classes: one record moves p cells by 1, and pays for p",
                member.exact_factor,
                lambda most: product(range(1, most + 1), (2, 5)),
                12,
                40,
            ),
            Check(
                "attack",
                "exact",
                "1 to {size} features: no number of votes of their cells is more than e^ε times as frequent with a "
                "record as without it, and p votes are",
                member.attack,
                lambda most: product(range(1, most + 1), (2, 5)),
                10,
                40,
            ),
            Check(
                "votes",
                "exact",
                "1 to {size} cells, two α, all outcomes: how often so many vote, and no other test is better",
                member.votes_by_enumeration,
                lambda most: product(range(1, most + 1), (Fraction(1, 2), Fraction(4, 5))),
                4,
                6,
            ),
            Check(
                "undivided",
                "exact",
                "1 to {size} features, each with the budget of one: all votes together refute it, from two on",
                member.undivided,
                lambda most: product(range(1, most + 1), (Fraction(1, 2), Fraction(4, 5))),
                10,
                100,
            ),
            Check(
                "undivided refused",
                "exact",
                "1 to {size} features, two budgets: by the checker and by the ledger, and divided ones accepted",
                member.undivided_refused,
                lambda most: product(range(1, most + 1), (Fraction(1), Fraction(1, 10))),
                4,
                20,
            ),
            Check(
                "joint loss",
                "exact",
                "1 to 3 cells, two α, three numbers of shares: the worst ratio of all cells less one party's share",
                law.joint_loss,
                lambda _: product((1, 2, 3), (Fraction(1, 2), Fraction(9, 10)), (2, 3, 5), (2,)),
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "ranges, bins, categories and classes are public"),
        uses=("thm-histogram", "thm-sequential", "thm-insider-polya", "lem-columns"),
    ),
)
