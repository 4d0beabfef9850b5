"""The claims of chapter 1, a file a topic: distributions, conditions and cases, then records, then broken variants."""

TOPICS = ("impurity", "splits")  # in the order in which one reads them
