"""The claims of chapter 5, a file a topic: distributions, conditions and cases, then records, then broken variants."""

TOPICS = (
    "ideal",
    "key_stream",
    "masks",
    "survivors",
    "one_list",
    "dropout_view",
    "messages",
    "party_ledger",
    "sites",
    "journals",
    "answers",
    "identity",
    "neighbours",
    "graphs",
    "shares",
    "views",
    "binding",
)  # in the order in which one reads them
