"""The claims of chapter 12, a file a topic: conditions and cases, then records, then broken variants."""

TOPICS = (
    "table",
    "questions",
    "sums",
    "vectors",
    "noise",
    "bold",
    "by_hand",
    "orders",
    "rounds",
    "fits",
    "numbers",
    "promise",
    "framework",
    "owner",
    "rising",
)  # in the order in which one reads them
