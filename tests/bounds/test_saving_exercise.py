"""What is left at the end of a path, in the exercise and in the library."""

from fractions import Fraction

from fdpedu.bounds.saving_costs import as_share
from fdpedu.claims.bounds import saving as cases
from fdpedu.claims.bounds import saving as laws
from fdpedu.exercises.catalogue import find
from fdpedu.trees import leaf_budgets


def test_the_leaf_has_as_much_on_top():
    """In trees of given answers, along every path: what the leaf costs, beside its share and levels without a node."""
    left_over, seen = find("bounds-saved").reference, set()
    for (domain, parts), how, seed in cases.given_answers(6):
        how = laws.Options(how.leaf_share, how.bounds_share, 3, how.lattice, True, 2)
        tree, federation = laws.grown(domain, parts, how, seed)
        node = (1 - how.leaf_share) / 3
        costs = {release.region: release.epsilon for release in tree.leaf_releases}
        for leaf in leaf_budgets(tree, federation.ledger):
            path = [seen_by for seen_by in tree.savings.nodes if seen_by.region.contains(leaf.region)]
            removed = tuple(len(seen_by.removed) for seen_by in path)
            rest = how.leaf_share + (3 - len(path)) * node
            extra = left_over(removed, domain.n_features, node, as_share(how.bounds_share, "share"))
            assert costs[leaf.region] == rest + extra and leaf.spent == 1
            seen.add(extra)
    assert len(seen) > 5 and Fraction(0) in seen
