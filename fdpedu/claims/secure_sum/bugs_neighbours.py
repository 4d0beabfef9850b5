"""The zoo, chapter 5: graphs of neighbours that look connected, or look random."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

GRAPHS, SPLITS = "fdpedu.secure_sum.neighbours", "fdpedu.secure_sum.splits"

TWINS = (
    Broken(
        "connected before drop-outs",
        f"{SPLITS}.failure_probability",
        "gone = c + m",
        "gone = c",
        "A graph that connects the honest parties connects those of them that are left.",
        "lem-ring-splits",
        "placings",
    ),
    Broken(
        "coins chosen last",
        f"{GRAPHS}.joint_coins",
        "if commit_coins(own, listed) != commitment:",
        "if len(commitment) != 32:",
        "A hash of everybody's coins is random, whoever shows his last.",
        "thm-neighbours",
        "coins",
    ),
    Broken(
        "a graph for any list",
        f"{GRAPHS}.commit_coins",
        "_identities(members), coins",
        "len(_identities(members)), coins",
        "Coins are coins, whoever tosses them.",
        "thm-neighbours",
        "coins",
    ),
    Broken(
        "neighbours in the order of the list",
        f"{GRAPHS}.Ring.draw",
        "random_order(n, _CoinWords(coins))",
        "sorted(random_order(n, _CoinWords(coins)))",
        "On a circle all have equally many neighbours, so the order does not matter.",
        "lem-ring-splits",
        "orders",
    ),
    Broken(
        "any two change places",
        f"{GRAPHS}.random_order",
        "np.arange(n, 1, -1)",
        "np.full(n - 1, n)",
        "The more are exchanged, the better they are mixed.",
        "lem-ring-splits",
        "orders",
    ),
    Broken(
        "only who has no neighbour stands alone",
        f"{SPLITS}.connected",
        "in range(1, size)",
        "in range(1, min(2, size))",
        "A graph in which everybody has a neighbour is connected.",
        "lem-edges-split",
        "all graphs",
    ),
    Broken(
        "neighbours whom one of two knows",
        f"{GRAPHS}.Edges.drawn",
        "near[j].add(k)",
        "near[k].add(j)",
        "Whom a party has drawn need not draw it, too.",
        "lem-edges-split",
        "draws",
    ),
    Broken(
        "the risk of one party",
        f"{SPLITS}.sharing_risk",
        "(n - c) * read if",
        "read if",
        "All parties run the same risk, so that is the risk.",
        "lem-neighbour-shares",
        "rings",
    ),
)
