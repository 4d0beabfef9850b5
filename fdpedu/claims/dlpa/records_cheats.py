"""The claim of chapter 6 on parties that do not add their share."""

from fdpedu.claims.dlpa import laws_cheats as law
from fdpedu.claims.records import Check, Claim

CLAIMS = (
    Claim(
        "thm-cheats",
        "What cheats can do, and what the sum tells of them",
        "dlpa",
        "this book",
        status="proved+checked",
        code=("fdpedu.dlpa.cheating", "fdpedu.dlpa.cheating.zero_cells_test"),
        checks=(
            Check(
                "what is left",
                "exact",
                "one share over all words of {size} bits, convolved over the honest, two or three parties: the stated "
                "shape",
                law.left_of_the_noise,
                law.cheated_groups,
                11,
                13,
            ),
            Check(
                "whatever is sent",
                "property",
                "{size} random distributions on three numbers: the ratio of neighbours after the cheats' number is "
                "added",
                law.whatever_is_sent,
                law.whatever,
                25,
                1000,
            ),
            Check(
                "known zeros",
                "exact",
                "one to {size} cells, two to five parties: threshold, false alarms and power against exact sums",
                law.known_zeros,
                law.zero_cells,
                3,
                4,
            ),
        ),
        assumptions=(
            "integers; every sampler exact",
            "who cheats and who tells the aggregator of it are counted in c'",
        ),
        uses=("thm-polya-shares", "thm-tolerate"),
    ),
)
