"""The claims of chapter 8, a file a topic: distributions, conditions and cases, then records, then broken variants."""

TOPICS = (
    "paths",
    "federated",
    "stopping",
    "pruning",
    "intervals",
    "subset",
    "missing",
    "reuse",
    "growing",
    "exact_law",
    "transcripts",
    "dealing",
    "use",
)  # in the order in which one reads them
