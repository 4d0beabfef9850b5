"""The claims of chapter 4, a file a topic: distributions, conditions and cases, then records, then broken variants."""

TOPICS = (
    "composition",
    "filter",
    "columns",
    "optimal",
    "concentrated",
    "renyi",
    "loss",
    "two_currencies",
    "root_conversion",
    "queries_in_rho",
    "derivations",
    "sessions",
    "sensitivities",
    "checker",
    "manifests",
)  # in the order in which one reads them
