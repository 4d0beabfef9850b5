"""The claims of chapter 15, a file a topic: laws, conditions and cases, then records, then broken variants."""

TOPICS = ("selection", "traffic", "parties", "thresholds", "totals", "vote", "tree")  # in the order in which one reads
