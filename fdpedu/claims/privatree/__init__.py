"""The claims of chapter 13, a file a topic: laws, conditions and cases, then records, then broken variants."""

TOPICS = (
    "printed",
    "price",
    "law",
    "leaf",
    "edges",
    "search",
    "by_hand",
    "paths",
    "tree",
)  # in the order in which one reads them
