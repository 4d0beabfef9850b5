"""The claims of chapter 9, a file a topic: distributions, conditions and cases, then records, then broken variants."""

TOPICS = (
    "local",
    "five_quarters",
    "choosing",
    "pruning",
    "gap",
    "vectors",
    "query_noise",
    "query",
    "saving_runs",
    "saving",
    "printed_saving",
    "scores",
    "blocks",
    "traps",
)  # in the order in which one reads them
