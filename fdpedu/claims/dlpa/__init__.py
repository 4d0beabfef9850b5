"""The claims of chapter 6, a file a topic: distributions, conditions and cases, then records, then broken variants."""

TOPICS = (
    "cycles",
    "blocks",
    "shares",
    "tolerate",
    "cheats",
    "skellam",
    "gaussian_sum",
    "gaussian_renyi",
    "smoothed_gaussian",
    "insiders",
    "insiders_lattice",
    "guarantee",
    "real_values",
)  # in the order in which one reads them
