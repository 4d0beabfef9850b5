"""The claim of chapter 6 on parties that do not add their share."""

from fdpedu.claims.dlpa import laws_cheats as law
from fdpedu.claims.records import Check, Claim

CLAIMS = (
    Claim(
        "thm-cheats",
        "What cheats can do, and what the sum tells of them",
        "dlpa",
        "this book",
        statement="Of $K$ parties, whose shares are made for $m=K-c$, let $s$ send what they like, with or "
        r"without noise, and depending on all they know. (a) A record at an honest "
        r"party is protected as against $s$ colluders: the noise of shape $(K-s)/m$ is left, so the sum is "
        r"$\varepsilon$-DP if $s\le c$. (b) What they send only changes the sum: a constant $t$ gives it the law that "
        r"it has for data with $t$ more, so no test on sums tells the two apart; and if they add no noise, no test "
        r"tells *which* $s$ parties they are. (c) In cells that are publicly empty, and in which these parties send 0, "
        r"the sum is a difference of two $\mathrm{NB}((K-s)/m,\alpha)$ numbers instead of two "
        r"$\mathrm{NB}(K/m,\alpha)$ numbers, independently in each.",
        status="checked",
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
                "{size} random laws on three numbers: the ratio of neighbours after the cheats' number is added",
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
        assumptions=("integers; every sampler exact", "who cheats and who tells the aggregator of it are counted in s"),
        uses=("thm-polya-shares", "thm-tolerate"),
    ),
)
