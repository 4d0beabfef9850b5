"""The claims of chapter 10, a file a topic: distributions, conditions and cases, then records, then broken variants."""

TOPICS = ("studies", "published", "engine")  # in the order in which one reads them
