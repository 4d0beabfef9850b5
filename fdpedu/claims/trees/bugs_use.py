"""The zoo, chapter 8: plausible bugs in using a tree: in its predictions, and in scores on private rows."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

SCORE, OUTCOMES = "fdpedu.estimators.scoring.noisy_score", "fdpedu.federation.queries.OutcomeCounts.tally"
_COST = 'as_positive_fraction(epsilon, "epsilon")'

TWINS = (
    Broken(
        "score without noise",
        SCORE,
        "federation.release([query])[0]",
        "sum((query.tally((held := ask.__self__._records), held.within([domain.everything])[0], domain) "
        "for ask in federation._endpoints), federation.release([query])[0].ravel() * 0).reshape(-1, 2)",
        "A share of right answers is one number about thousands of rows, so nobody can be found in it.",
        "lem-noisy-score",
        "as released",
    ),
    Broken(
        "rows scored twice",
        OUTCOMES,
        "np.bincount(2 * predicted + wrong,",
        "2 * np.bincount(2 * predicted + wrong,",
        "To score every row twice is to measure more precisely.",
        "lem-noisy-score",
        "one row more",
    ),
    Broken(
        "budget of a score by the number of rows",
        SCORE,
        _COST,
        f"{_COST} * 9 / (9 + sum(len(party._labels) for party in parties))",
        "With many rows less ε gives the same precision, so the ε that is asked for can be lowered by their number.",
        "lem-noisy-score",
        "as released",
    ),
    Broken(
        "score beside the budget",
        SCORE,
        "if budget is not None:",
        "if budget is None:",
        "The score has a ledger of its own, so the budget of the tree is not concerned.",
        "lem-noisy-score",
        "as released",
    ),
    Broken(
        "the noise of a score against nobody",
        SCORE,
        "tolerate=tolerate, rng=source",
        "tolerate=0, rng=source",
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
