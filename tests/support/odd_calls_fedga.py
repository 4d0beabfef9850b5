"""Valid calls of what chapter 16 offers, for `odd_calls.py`."""

from fdpedu.fedga import score_vector

ROWS = [(0, 0, 1), (0, 1, 0)]


def fedga():
    """The calls."""
    return {
        "fedga.class_ratio_from_f1": {"value": "3/7"},
        "fedga.last_row": {"scores": list(score_vector(ROWS)), "known": ROWS[:1]},
        "fedga.membership_advantage": {"n_rows": 2},
        "fedga.score_leakage": {"n_rows": 2},
        "fedga.score_vector": {"rows": ROWS},
        "fedga.sizes_from_scores": {
            **{"scores": [0.5, 0.75], "score": "accuracy", "decimals": 2, "truncated": False, "fitted": True},
            "at_most": 20,
        },
    }
