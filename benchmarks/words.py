"""What the rows of the benchmarks are called on the book's page: in words, not by the names that programs compare."""

import re

from fdpedu.datasets import BENCHMARK

# The trees of `benchmarks.accuracy`, from their names there.
METHODS = {
    "A5": "Algorithm 5 as the report prints it, negative counts kept",
    "CART": "an ordinary tree on all rows in one place, not private",
    "A5 + clipping (reference)": "Algorithm 5 with negative counts set to 0, written apart from the package",
    "algorithm-5-clipped, tolerate=0": "the same, grown by the package",
    "default, tolerate=0": "the package's tree, private against outsiders",
    "default, tolerate=1": "the package's tree, private against one curious party as well",
    "best split by the noisy gain, tolerate=1": "… choosing splits by the noisy gain itself",
    "stop by the noisy total, tolerate=1": "… stopping by the noisy number of rows itself",
    "leaf share 3/10, tolerate=1": "… with 3/10 of the budget for the leaves instead of half",
    "depth 3, tolerate=1": "… with three levels instead of five",
    "screened, tolerate=0": "four features screened at the root (chapter 11), private against outsiders",
    "default, δ=10⁻⁶, tolerate=0": "the package's tree with δ = 10⁻⁶, paid in ρ, private against outsiders",
    "screened, δ=10⁻⁶, tolerate=0": "four features screened, with δ = 10⁻⁶, paid in ρ, private against outsiders",
    "rotating, tolerate=0": "one party designs each level (chapter 11), private against outsiders",
    "rotating, tolerate=1": "the same, private against one curious party as well",
}

# The groups of `python -m benchmarks`, from what they are called there: what takes how many times as long as what.
GROUPS = {
    "imports": "importing the package, against importing NumPy",
    "discrete Laplace / numpy's float Laplace": "exact discrete Laplace noise, against NumPy's in floats",
    "discrete Laplace / other libraries": "exact discrete Laplace noise, against other libraries",
    "Pólya share / numpy's inexact one": "one party's exact share of the noise, against an inexact one in NumPy",
    "Skellam share / numpy's inexact one": "one party's exact Skellam share, against an inexact one in NumPy",
    "discrete Gaussian / numpy's normal, rounded": "exact discrete Gaussian noise, against NumPy's in floats, rounded",
    "a choice / numpy's Gumbel maximum": "a private choice, exactly, against NumPy's Gumbel noise and "
    "its largest value",
    "admitting 1,000,000 × 20 numbers / numpy.digitize": "checking and coding 1,000,000 × 20 "
    "numbers, against numpy.digitize",
    "admitting 50,000 × 20 numbers / numpy.digitize": "checking and coding 50,000 × 20 numbers, against numpy.digitize",
    "masks / ChaCha20's own key stream": "masks, against the cipher that they come from",
    "a round of a million cells, 5 parties": "a secure sum of a million counts of 5 parties",
    "a sum of K parties / K/5 sums of 5": "a secure sum, against the same for groups of 5 parties",
    "masks with k neighbours / with all others, 100 parties": "masks shared with a few neighbours, against "
    "masks with all others, 100 parties",
    "a round of all histograms, noise, masks and sum included": "one round of all histograms with noise, masks and sum",
    "three sites, sockets and a journal / in one process, ledgers in files": "three sites in processes of their own, "
    "through sockets, against one process",
    "what parties keep in memory": "what parties keep in memory",
    "exact local bounds of all features / a tree of depth 1 of scikit-learn": "exact local bounds of all features, "
    "against scikit-learn's tree of depth 1",
    "bounds of all features on the grid / counting their histograms, which is in it": "bounds on the grid, against "
    "counting the histograms that they need",
    "a round of all bounds / a round of all histograms": "a round of all bounds, against a round of all histograms",
    "exhaustive checks of the lemma (lem-local-bound) / 5 s": "exhaustive checks of the lemma on local bounds, "
    "against 5 s",
    "counts that add up / one party's noise": "making the counts of a tree add up, against drawing one party's noise",
    "a fit from raw values / LightGBM from raw values": "a private tree from raw values, against LightGBM's tree",
    "a fit / LightGBM's training on binned data": "a private tree from coded rows, against LightGBM's on binned ones",
    "a fit / reading the codes once a level": "a private tree, against reading the coded rows once a level",
    "a fit of K parties / K/5 fits of 5": "a party's part of a tree, against its part with 5 parties",
    "checking a derivation / the fit": "checking a derivation, against growing its tree",
    "the fit of the front page: 400 rows, 40 parties, depth 2": "the tree of the front page: 400 rows, 40 parties",
    "a fit of a rotating tree / a fit of the default, of one depth": "a rotating tree, against the package's default "
    "tree of the same depth",
    "a fit paid in ρ / the same paid in ε": "a private tree with a small δ, paid in ρ, against the same in ε",
    "a fit of a screened tree / a fit of the default, of one depth": "a tree with screened features, against the "
    "package's default tree of the same depth",
    "an exact block of three splits / one split": "drawing a block of three splits exactly, against one split",
    "the guarantee of a whole tree / one fit": "stating what a whole tree costs an insider, against growing it",
    "a fit of 250 rows × 50, 5 parties, depth 3": "a small private tree of 5 parties, 250 rows × 50, depth 3",
    "a fit of 250 rows × 50, 5 parties, depth 10": "a small private tree of 5 parties, 250 rows × 50, depth 10",
    "seconds a query with K parties / K/5 times those with 5": "a party's time for a query, against its time "
    "with 5 parties",
    "bytes a query with K parties / K/5 times those with 5": "a party's bytes for a query, against its bytes "
    "with 5 parties",
    "seconds a query at a depth / at depth 3": "the time for a query in a deeper tree, against depth 3",
    "bytes a query at a depth / at depth 3": "the bytes for a query in a deeper tree, against depth 3",
    "bytes of the derivation a query at a depth / at depth 3": "the derivation's bytes for a query in a deeper tree, "
    "against depth 3",
    "rounds / levels and one": "rounds of questions, against the levels of the tree and one more",
    "boosting, 900 trees / scikit-learn's histogram boosting, 100 trees, one thread": "boosting 900 private trees, "
    "against 100 trees of scikit-learn's histogram boosting on one thread",
    "one owner's tree of choices / scikit-learn's tree of the same depth": "one owner's private tree, against "
    "scikit-learn's tree of the same depth",
    "a tree by votes / the tree of noisy counts, the same federation and depth": "a tree by private votes, against "
    "chapter 8's tree of the same federation and depth",
    "a private vote among 40 structures of two levels / the tree of noisy counts, the same federation": "a private "
    "vote among 40 structures, against chapter 8's tree of the same federation",
    "a regression tree by votes / a tree of classes by votes, the same rows and depth": "a regression tree by private "
    "votes, against such a tree of two classes",
    "bytes of a tree by votes / of the tree of noisy counts": "the bytes of a tree by private votes, against those of "
    "chapter 8's tree",
    "dividing forged rows among leaves / one fit of a tree of choices": "the worst division of forged rows among "
    "leaves, against growing one owner's private tree",
    "the curve of forged rows at 1,000,000 of them / at 10": "what a million forged rows can do, by the curve, "
    "against ten",
    "a simulated run / scikit-learn's fit": "a simulated run of the book's experiments, against scikit-learn's fit",
    "a simulated run / a fit of the package": "a simulated run, against growing the same tree in a federation",
    "a simulated run / diffprivlib's fit and predictions": "a simulated run, against diffprivlib's fit and predictions",
    "a part of the report's study / as many scikit-learn fits": "a part of the report's study, against as many fits of "
    "scikit-learn",
}

_NAMES = (
    (r"\bK = (\d+)", r"\1 parties"),
    (r"^(exponential|permute_and_flip|report_noisy_max), m = ([\d,]+)", r"\1, \2 options"),
    (r"\bm = (\d+)", r"\1 shares make up the noise"),
    (r"\bseeded words\b", "random bits from a seed"),
    (r"\bthe system's entropy\b", "random bits from the operating system"),
    (r"\bk = (\d+)", r"\1 neighbours"),
    (r"^/ ", "against "),
    (r"\ball of it / ", "all of it, against "),
    (r"\bits masks / all of it", "its masks alone, against all of it"),
    (r" / ", ", against "),
    (r"_", " "),
    (r"^polya\b", "Pólya shares"),
    (r"^gamma\b", "gamma shares"),
)


def row_in_words(name: str) -> str:
    """The name of a row of ``python -m benchmarks`` for readers.

    >>> row_in_words("1,000,000 rows, K = 100")
    '1,000,000 rows, 100 parties'
    """
    for pattern, words in _NAMES:
        name = re.sub(pattern, words, name)
    return name


def data_in_words(name: str) -> str:
    """A data set of :data:`fdpedu.datasets.BENCHMARK`, with its size.

    >>> data_in_words("mixture n=250 p=10 ρ=0.9")
    'mixture, 250 rows × 10'
    """
    found = next(data for data in BENCHMARK if data.name == name)
    return f"{name.split(' n=')[0]}, {found.size:,} rows × {found.domain.n_features}"
