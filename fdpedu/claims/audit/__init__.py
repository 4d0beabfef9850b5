"""The claims of chapter 17, a file a topic: conditions and cases, then records, then broken variants."""

TOPICS = ("wealth", "bets", "bound")  # in the order in which one reads them
