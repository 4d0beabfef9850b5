"""Valid calls of what chapter 8 makes of a grown tree, for the odd values of `tests/support/odd_calls.py`."""


def trees(tree):
    """Calls on a tree with releases of its leaves."""
    release = tree.leaf_releases[0]
    return {
        "trees.count_intervals": {"tree": tree, "confidence": "19/20", "simultaneous": 2},
        "trees.share_intervals": {"tree": tree, "confidence": "19/20"},
        "trees.LeafRelease": {"region": release.region, "counts": (1, 2), "cost": "1/2"},
    }
