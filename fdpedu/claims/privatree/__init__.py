"""The claims of chapter 13, a file a topic: conditions and cases, then records, then broken twins."""

TOPICS = ("printed", "price")  # in the order in which one reads them
