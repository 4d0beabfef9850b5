"""The claims of chapter 7, a file a topic: distributions, conditions and cases, then records, then broken variants."""

TOPICS = (
    "release_noise",
    "release",
    "node",
    "groups",
    "least_squares",
    "rounding",
    "tree_counts",
    "edges",
    "edge_ranks",
    "joint_edges",
    "cells",
    "impurity",
    "budget_file",
    "rounds",
)  # in the order in which one reads them
