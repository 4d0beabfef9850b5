"""The claims of chapter 11, a file a topic: distributions, conditions and cases, then records, then broken variants."""

TOPICS = (
    "losses",
    "choice",
    "ledger",
    "law",
    "rotating",
    "insiders",
    "screening",
    "owner",
)  # in the order in which one reads them
