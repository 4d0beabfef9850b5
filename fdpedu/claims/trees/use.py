"""The tree in use: what predictions look at, and what a score on private rows costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from fdpedu.accounting import Ledger
from fdpedu.cart import CodeSplit, Node
from fdpedu.claims.checking import require
from fdpedu.claims.federations import LARGER, Case, grow
from fdpedu.claims.mutation import Broken
from fdpedu.claims.noisy_counts import worst_ratio
from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees.federated import ADD_REMOVE, OBSERVER
from fdpedu.dlpa import polya_share
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.estimators import NoisyScore, noisy_score
from fdpedu.exact import Rate
from fdpedu.federation import Party
from fdpedu.randomness import Rehearsal, ZeroWords
from fdpedu.trees import Tree

Record = tuple[Any, ...]
WARD = Domain([Categorical("ward", ("A", "B"))], ("well", "ill", "dead"))
RECORDS = tuple(product(("A", "B"), WARD.classes))


# --- What predictions look at ---


def row_by_row(case: Case, depth: int, seed: int) -> None:
    """The class and the shares of a row are those of the leaf that it falls to by hand, whatever rows stand beside it.

    And they are the same from the tree's document, which holds nothing but what was released.
    """
    tree, _ = grow(case, 4, Rehearsal(seed), max_depth=depth, min_samples_split=2)
    rows = list(product(*map(_values, case[0].features)))
    expected = [_leaf(tree.root, case[0].encode([row])[0].tolist()) for row in rows]
    for read, some in ((tree, rows), (tree, rows[: len(rows) // 2]), (Tree.from_json(tree.to_json()), rows)):
        labels, shares = read.predict(some).tolist(), read.predict_proba(some)
        for i, row in enumerate(some):
            leaf = expected[i]
            require(labels[i] == tree.classes[leaf.label], f"among {len(some)} rows {row} is {labels[i]!r}")
            require(shares[i].tolist() == leaf.probabilities.tolist(), f"among {len(some)} rows {row} has {shares[i]}")


def _values(feature: Numeric | Categorical) -> Sequence[Any]:
    """One value for each code."""
    values = feature.categories if isinstance(feature, Categorical) else feature.edges[1:]
    return [*values, *[None] * feature.missing]


def _leaf(node: Node, codes: Sequence[int]) -> Node:
    while isinstance(node.split, CodeSplit) and node.left and node.right:
        node = node.left if codes[node.split.feature] in node.split.left else node.right
    return node


def exact_score_tells(right: int, wrong: int) -> None:
    """Of rows that are partly right and partly wrong, the exact score changes with any row that is added."""
    tree = _tree_of_wards()
    rows, labels = [["A"]] * (right + wrong), ["well"] * right + ["dead"] * wrong
    before = tree.score(rows, labels)
    for label in ("well", "ill"):
        after = tree.score([*rows, ["A"]], [*labels, label])
        require(after != before, f"with and without one row that is {label!r} the score is {after}")


def _tree_of_wards() -> Tree:
    """Ward A is predicted to be well, ward B ill; nobody is predicted to be dead."""
    parts = [[["A", "well"]] * 9 + [["B", "ill"]] * 9, []]
    return grow((WARD, parts), 1, ZeroWords(), max_depth=1, min_samples_split=2, design="averaged")[0]


# --- A score that is paid for ---


def private_score(rows: tuple[Record, ...], record: Record, alpha: Fraction) -> None:
    """One row more: no list of noisy counts becomes more than e^ε as likely, or less; α = e^−ε.

    The exact counts are those of the shipped code, without noise. Its noise decays as fast as the ledger has paid for.
    """
    tree = _tree_of_wards()
    found = []
    for others in ((), (record,)):
        parties = [Party([list(one) for one in part], WARD) for part in (rows, others)]
        score = noisy_score(tree, parties, 1, rng=ZeroWords())
        assert isinstance(score, NoisyScore)
        found.append(score)
    step = next(iter(found[0].derivation.releases()))[1] if found[0].derivation else {}
    speed = Fraction(step["rate"]) / Fraction(step["epsilon"])
    require(speed.denominator == 1, f"the noise has rate {step['rate']} for a cost of {step['epsilon']}")
    counts, more = (tuple(n for pair in score.by_class for n in pair) for score in found)
    worst = worst_ratio(counts, more, alpha**speed.numerator)
    require(worst <= 1 / alpha, f"{counts} becomes {more}: some outcome is {worst} times as likely; e^ε is {1 / alpha}")


def neighbouring_rows(most: int) -> Iterator[tuple[Any, ...]]:
    """Up to so many rows of two wards and three states, and each row that may be added; three α."""
    for n in range(most + 1):
        for rows in combinations_with_replacement(RECORDS, n):
            for i, record in enumerate(RECORDS):
                yield rows, record, (Fraction(1, 2), Fraction(4, 5), Fraction(1, 10))[i % 3]


def released_score(case: Case, tolerate: int, cost: Fraction, seed: int) -> None:
    """The counts are those of all parties, taken row by row, and a share of noise of rate ε from each party.

    The same words are played to the federation and to ``polya_share``. It costs ε, in its own account and in that of
    the tree, however many rows there are; and it withstands as many colluders as it says.
    """
    domain, parts = case
    budget = Ledger(10 * cost + 1, domain=domain)
    tree, _ = grow((domain, [*parts[1:], parts[0]]), 4, Rehearsal(seed + 1), max_depth=2, min_samples_split=2)
    parties, tolerated = [Party(rows, domain) for rows in parts], min(tolerate, len(parts) - 1)
    score = noisy_score(tree, parties, cost, tolerate=tolerated, budget=budget, rng=Rehearsal(seed))
    assert isinstance(score, NoisyScore)
    exact = np.zeros((domain.n_classes, 2), dtype=np.int64)
    for record in (record for rows in parts for record in rows):
        predicted = _leaf(tree.root, domain.encode([record[:-1]])[0].tolist()).label
        exact[predicted, int(predicted != domain.classes.index(record[-1]))] += 1
    source = Rehearsal(seed)
    shares = [polya_share(Rate(rate=cost), len(parts) - tolerated, exact.size, source) for _ in parts]
    expected = tuple(map(tuple, (exact + np.sum(shares, axis=0).reshape(exact.shape)).tolist()))
    require(score.by_class == expected, f"released is {score.by_class}, expected {expected}")
    both = tuple(np.sum(expected, axis=0).tolist())
    require((score.right, score.wrong) == both, f"right and wrong are {score.right, score.wrong}, in all {both}")
    require(budget.spent == cost, f"ε = {cost} is asked for, and the budget is charged {budget.spent}")
    for account in (budget.derivation(), score.derivation):
        proved = account.guarantee if account else None
        require(proved and proved.spent == cost, f"the account says {proved}, asked for is {cost}")
        require(proved and proved.colluders == tolerated, f"{tolerated} colluders are tolerated, and it says {proved}")


def random_scores(draw: Any) -> Any:
    """Random rows of random domains at 2 to 4 parties, colluders, costs and seeds."""
    return draw.tuples(draw.domains_with_parties(), draw.integers(0, 3), draw.epsilons, draw.integers(0, 99))


CLAIMS = (
    Claim(
        "lem-predict-free",
        status="proved+checked",
        code=("fdpedu.estimators", "fdpedu.estimators.classifier.FederatedTreeClassifier"),
        checks=(
            Check(
                "row by row",
                "property",
                "{size} random trees, every row of the domain: the leaf found by hand, from the document too, and "
                "whatever rows are asked for beside it",
                row_by_row,
                lambda draw: draw.tuples(draw.domains_with_parties(), draw.integers(0, 3), draw.integers(0, 99)),
                20,
                500,
                more=[(LARGER, 4, 3)],
            ),
            Check(
                "exact score",
                "exhaustive",
                "up to {size} rows that are right and as many that are wrong: any row more changes the score",
                exact_score_tells,
                lambda most: ((right, wrong) for right in range(1, most + 1) for wrong in range(1, most + 1)),
                6,
                20,
                more=[(700, 2300)],
            ),
        ),
        assumptions=(ADD_REMOVE, OBSERVER, "the row itself is known to whoever asks for its prediction"),
        uses=("thm-federated-tree", "thm-post-processing"),
    ),
    Claim(
        "lem-noisy-score",
        status="proved+checked",
        code=(
            "fdpedu.estimators.scoring",
            "fdpedu.estimators.scoring.noisy_score",
            "fdpedu.estimators.base.PrivateModel.noisy_score",
            "fdpedu.federation.queries.outcomes.ConfusionCounts",
            "fdpedu.federation.queries.outcomes.OutcomeCounts",
        ),
        checks=(
            Check(
                "one row more",
                "exhaustive",
                "up to {size} rows of two wards and three states, and one more: the worst ratio of both noisy counts, "
                "the exact ones being those of the shipped code",
                private_score,
                neighbouring_rows,
                1,
                3,
                more=[((("A", "well"),) * 5 + (("B", "dead"),) * 3, ("B", "ill"), Fraction(3, 5))],
            ),
            Check(
                "as released",
                "property",
                "{size} random tables at 2 to 4 parties: counts taken row by row, a share of noise of rate ε from each "
                "party, ε in both accounts, the stated colluders",
                released_score,
                random_scores,
                20,
                1000,
                more=[(LARGER, tolerate, Fraction(1, 3), 7) for tolerate in range(3)],
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "a person has rows in one party only"),
        uses=("thm-federated-tree", "thm-histogram", "thm-sequential"),
    ),
)

_COST = "Budget.of(epsilon, delta=delta)"

TWINS = (
    Broken(
        "score without noise",
        "fdpedu.estimators.scoring.noisy_score",
        "asker.release([query])[0]",
        "sum((query.tally((held := ask.__self__._records), held.within([domain.everything])[0], domain) "
        "for ask in asker._endpoints), asker.release([query])[0].ravel() * 0).reshape(-1, 2)",
        "A share of right answers is one number about thousands of rows, so nobody can be found in it.",
        "lem-noisy-score",
        "as released",
    ),
    Broken(
        "rows scored twice",
        "fdpedu.federation.queries.OutcomeCounts.tally",
        "occurrences(2 * predicted + wrong,",
        "2 * occurrences(2 * predicted + wrong,",
        "To score every row twice is to measure more precisely.",
        "lem-noisy-score",
        "one row more",
    ),
    Broken(
        "budget of a score by the number of rows",
        "fdpedu.estimators.scoring.noisy_score",
        _COST,
        "Budget.of(Fraction(epsilon) * 9 / (9 + sum(len(party._labels) for party in parties)))",
        "With many rows less ε gives the same precision, so the ε that is asked for can be lowered by their number.",
        "lem-noisy-score",
        "as released",
    ),
    Broken(
        "score beside the budget",
        "fdpedu.estimators.scoring.noisy_score",
        "if budget is not None:",
        "if budget is None:",
        "The score has a ledger of its own, so the budget of the tree is not concerned.",
        "lem-noisy-score",
        "as released",
    ),
    Broken(
        "the noise of a score against nobody",
        "fdpedu.estimators.scoring._asker",
        "tolerate=1 if tolerate is None else tolerate",
        "tolerate=0",
        "Colluders know which of their own rows are right, so there is nothing to hide from them.",
        "lem-noisy-score",
        "as released",
    ),
    Broken(
        "leaves counted as rows come",
        "fdpedu.cart.tree.Tree.route",
        "leaves += 1",
        "leaves += len(rows) > 0",
        "A leaf that no row reaches needs no number.",
        "lem-predict-free",
        "row by row",
    ),
    Broken(
        "a rounded score",
        "fdpedu.cart.tree.Tree.score",
        'float(np.mean(predicted == self.domain.encode_labels(labels, "y")))',
        'round(float(np.mean(predicted == self.domain.encode_labels(labels, "y"))), 1)',
        "A score with one digit hides a single row.",
        "lem-predict-free",
        "exact score",
    ),
)
