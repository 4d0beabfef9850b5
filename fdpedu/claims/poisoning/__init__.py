"""The claims of chapter 14, a file a topic: conditions and cases, then records, then broken variants."""

TOPICS = (
    "attacks",
    "curve",
    "rows",
    "printed",
    "gap",
    "leaves",
    "one_tree",
    "votes",
)  # in the order in which one reads them
