"""Chapter 8. The tree in use: predictions, and scores on private rows."""

from fdpedu.claims.records import Check, Claim
from fdpedu.claims.trees import laws_use as law
from fdpedu.claims.trees.records import ADD_REMOVE, OBSERVER

SCORING, CLASSIFIER = "fdpedu.estimators.scoring", "fdpedu.estimators.classifier.FederatedTreeClassifier"

CLAIMS = (
    Claim(
        "lem-predict-free",
        "Predictions cost nothing, an exact score does",
        "trees",
        "this book",
        status="proved+checked",
        code=("fdpedu.estimators", CLASSIFIER),
        checks=(
            Check(
                "row by row",
                "property",
                "{size} random trees, every row of the domain: the leaf found by hand, from the document too, and "
                "whatever rows are asked for beside it",
                law.row_by_row,
                lambda draw: draw.tuples(draw.domains_with_parties(), draw.integers(0, 3), draw.integers(0, 99)),
                20,
                500,
            ),
            Check(
                "exact score",
                "exhaustive",
                "up to {size} rows that are right and as many that are wrong: any row more changes the score",
                law.exact_score_tells,
                lambda most: ((right, wrong) for right in range(1, most + 1) for wrong in range(1, most + 1)),
                6,
                20,
            ),
        ),
        assumptions=(ADD_REMOVE, OBSERVER, "the row itself is known to whoever asks for its prediction"),
        uses=("thm-federated-tree", "thm-post-processing"),
    ),
    Claim(
        "lem-noisy-score",
        "What a score on private rows costs",
        "trees",
        "this book",
        status="proved+checked",
        code=(
            SCORING,
            f"{SCORING}.noisy_score",
            f"{CLASSIFIER}.noisy_score",
            "fdpedu.federation.queries.outcomes.OutcomeCounts",
        ),
        checks=(
            Check(
                "one row more",
                "exhaustive",
                "up to {size} rows of two wards and three states, and one more: the worst ratio of both noisy counts, "
                "the exact ones being those of the shipped code",
                law.private_score,
                law.neighbouring_rows,
                1,
                3,
            ),
            Check(
                "as released",
                "property",
                "{size} random tables at 2 to 4 parties: counts taken row by row, a share of noise of rate ε from each "
                "party, ε in both accounts, the stated colluders",
                law.released_score,
                law.random_scores,
                20,
                1000,
            ),
        ),
        assumptions=(ADD_REMOVE, "integers", OBSERVER, "a person has rows in one party only"),
        uses=("thm-federated-tree", "thm-histogram", "thm-sequential"),
    ),
)
