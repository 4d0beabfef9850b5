"""The claims of chapter 3, a file a topic: distributions, conditions and cases, then records, then broken variants."""

TOPICS = (
    "small",
    "words",
    "sampling",
    "discrete_laplace",
    "counts",
    "errors",
    "reals",
    "gaussian",
    "response",
    "exponential",
    "noisy_choices",
)  # in the order in which one reads them
