"""The claims of chapter 2, a file a topic: distributions, conditions and cases, then records, then broken variants."""

TOPICS = ("small", "definition", "closure", "meaning", "enclosed")  # in the order in which one reads them
