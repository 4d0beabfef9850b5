"""The claims of chapter 16, a file a topic: laws, conditions and cases, then records, then broken variants."""

TOPICS = ("structures", "scores", "choosing", "vote", "private", "target", "comparing")  # in the order of reading
