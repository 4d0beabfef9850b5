"""Valid calls of what chapter 7 makes of released counts, for the odd values of `tests/support/odd_calls.py`."""

TOTALS = [[7, 2], [3, 1], [1, 1]]
HISTOGRAMS = {
    "histograms.consistent_totals": {"parents": [-1, 0, 0], "values": TOTALS, "variances": [None, 1.0, 2.0]},
    "histograms.least_squares": {"parents": [-1, 0, 0], "values": [7, 3, 1], "variances": [None, 1, "1/2"]},
    "histograms.round_with_sums": {"parents": [-1, 0, 0], "estimates": TOTALS},
}
