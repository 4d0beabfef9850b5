"""Algorithms 4, 5 and 6 of the report, from its text alone: one tree, one node after the other, in plain Python.

It calls nothing of the package, so that a rule which the package reads wrongly is not read wrongly here too.
"""

import math


def bin_of(x, edges):
    """The bin that a value lies in; what lies outside the public range belongs to the end bins."""
    return min(max(sum(x > t for t in edges[:-1]) - 1, 0), len(edges) - 2)


def impurity(counts, last):
    """Algorithm 4, of the split after bin `last`: counts[class][bin] as they come; None where it divides 0 by 0."""
    sides = [[sum(own[: last + 1]) for own in counts], [sum(own[last + 1 :]) for own in counts]]
    n = sum(map(sum, sides))
    if n == 0 or any(sum(side) == 0 for side in sides):
        return None
    return sum(sum(side) / n * (side[1] / sum(side)) * (1 - side[1] / sum(side)) for side in sides)


def best_split(counts):
    """The least impurity of a feature, and after which bin."""
    found = [(g, last) for last in range(len(counts[0]) - 1) if (g := impurity(counts, last)) is not None]
    return min(found) if found else (math.inf, 0)


def split_with_bounds(tables, bounds):
    """Algorithm 6 from the sorted bounds on: (feature, last bin on the left) or None, and the features asked about."""
    removed, asked, best, chosen = set(), [], math.inf, None
    for j in sorted(range(len(bounds)), key=lambda j: bounds[j]):
        if j in removed:
            continue
        asked.append(j)
        n = sum(map(sum, tables[j]))
        g, last = best_split(tables[j])
        if g < best:
            best, chosen = g, (j, last)
        removed |= {other for other in range(len(bounds)) if best < math.inf and bounds[other] > n * best}
    return chosen, asked


def split_of_all(tables):
    """Algorithm 5: the least impurity over all features."""
    g, j, last = min((*best_split(table)[:1], j, best_split(table)[1]) for j, table in enumerate(tables))
    return ((j, last) if g < math.inf else None), list(range(len(tables)))


def party_bound(rows, j, edges):
    """What one party sends for a feature: its rows times the least impurity of a split of them."""
    counts = [[0] * (len(edges) - 1) for _ in range(2)]
    for x, y in rows:
        counts[y][bin_of(x[j], edges)] += 1
    n = len(rows)
    least = [sum(own) for own in counts][1] * (1 - sum(counts[1]) / n) if n else 0.0
    for last in range(len(edges) - 2):
        sides = [[sum(own[: last + 1]) for own in counts], [sum(own[last + 1 :]) for own in counts]]
        least = min(least, sum(side[0] * side[1] / sum(side) for side in sides if sum(side)))
    return least


class Tree:
    """Algorithm 5, or 6 if it saves; ``noise(what, scale)`` is a table of noise of this scale for a node."""

    def __init__(self, parties, edges, *, epsilon, depth, saving, noise):
        self.edges, self.p, self.depth, self.saving, self.noise = edges, len(edges), depth, saving, noise
        self.leaf, self.node = epsilon / 2, epsilon / 2 / depth
        self.root = self.grown(parties, 0, 0.0)

    def grown(self, parties, depth, saved):
        rows = [row for own in parties for row in own]
        if depth >= self.depth:
            return self.labelled(rows)
        budget = self.node + saved
        for_bounds, for_hists = (budget / 4, budget * 3 / 4) if self.saving else (0.0, budget)
        tables = self.histograms(rows, self.p / for_hists)
        if self.saving:
            sums = [sum(party_bound(own, j, self.edges[j]) for own in parties) for j in range(self.p)]
            bounds = [a + b for a, b in zip(sums, self.noise("bounds", 5 / 4 / for_bounds), strict=True)]
            chosen, asked = split_with_bounds(tables, bounds)
        else:
            chosen, asked = split_of_all(tables)
        of_classes = [[sum(own) for own in tables[j]] for j in asked]
        few = all(sum(both) < 10 for both in of_classes)
        one_class = any(all(both[label] <= 0 for both in of_classes) for label in range(2))
        if few or one_class or chosen is None:
            return self.labelled(rows)
        (j, last), unspent = chosen, for_hists * (self.p - len(asked)) / self.p if self.saving else 0.0
        left = [[row for row in own if bin_of(row[0][j], self.edges[j]) <= last] for own in parties]
        right = [[row for row in own if bin_of(row[0][j], self.edges[j]) > last] for own in parties]
        return j, last, self.grown(left, depth + 1, unspent), self.grown(right, depth + 1, unspent)

    def histograms(self, rows, scale):
        """For each feature and class the noisy counts of its bins."""
        tables = self.noise("histograms", scale)
        for x, y in rows:
            for j in range(self.p):
                tables[j][y][bin_of(x[j], self.edges[j])] += 1
        return tables

    def labelled(self, rows):
        counts = self.noise("leaf", 1 / self.leaf)
        for _, y in rows:
            counts[y] += 1
        return int(counts[1] > counts[0])

    def predict(self, x):
        node = self.root
        while not isinstance(node, int):
            j, last, left, right = node
            node = left if bin_of(x[j], self.edges[j]) <= last else right
        return node
