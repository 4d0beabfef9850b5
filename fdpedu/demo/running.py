"""The run: patients are dealt out among the practices, the private tree is grown, and it is tested.

The practices take turns: each level of the tree is designed by one of them (chapter 11). Most see one kind of patient:
benign masses are followed up in one place and malignant ones treated in another. So patients are dealt out by
diagnosis, and at most one practice has both kinds. ``mixed`` deals them out at random. Each patient has a draw of
her own, so her practice depends on no other patient.

Only the first tree and its derivation are the release. Accuracy is measured on patients who were held back, and
repeated with new noise and new divisions to show its spread; these figures lie outside the guarantee, as does every
tree grown without noise.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.accounting import Ledger
from fdpedu.cart import Node, fit_cart
from fdpedu.datasets import CLINICAL, divide, wisconsin
from fdpedu.datasets.patients import Patients
from fdpedu.dlpa import TreeGuarantee
from fdpedu.dlpa.guarantee import at_most, insider_cost
from fdpedu.exact import Enclosure, Rational, as_integer, as_positive_fraction
from fdpedu.federation import ClippedWarning, Federation, Party
from fdpedu.randomness import Rehearsal, uniform_below
from fdpedu.showing import text_table
from fdpedu.trees import Tree, fit_federated_tree
from fdpedu.trees.designs import find_design
from fdpedu.trees.promise import tree_promise
from fdpedu.trees.pruning import pruned_node
from fdpedu.trees.shape import Asked

TEST_PATIENTS = 169
NOMINAL_SIZE = 400  # how many patients all practices have about: public, as these data are
MIN_SAMPLES_SPLIT = 10


BENIGN_SHARE = (5, 8)  # about so many masses are benign: public, as these data are

_BY_DIAGNOSIS = (
    "At most one practice has patients of both diagnoses, so alone they learn little; --mixed gives every practice\n"
    "the same mix."
)
_MIXED = "Every practice has the same mix of patients."


@dataclass(frozen=True)
class Demo:
    """The first tree with its federation, what is promised, and test accuracies over the repeats, shape (R,) each.

    ``promise`` was known before the tree was grown, and holds for every tree of these parameters.
    ``private`` is of the federated tree as :func:`shown`, ``local`` of the tree that one practice, drawn at random,
    grows on its own rows, ``gridded`` of a tree on all rows in one place that sees the same bins as the private one,
    and ``central`` the same on raw values.
    """

    tree: Tree
    federation: Federation
    promise: TreeGuarantee
    private: Sequence[float]
    local: Sequence[float]
    gridded: Sequence[float]
    central: Sequence[float]
    mixed: bool = False

    @property
    def shown(self) -> Tree:
        """The first tree as it is drawn."""
        return shown(self.tree)

    @property
    def accuracies(self) -> dict[str, Sequence[float]]:
        """Test accuracies over the repeats, by the tree that they belong to."""
        return {
            f"the private tree of all {self.federation.n_parties}": self.private,
            "one practice's own tree": self.local,
            "all records, on the same bins": self.gridded,
            "all records, raw values": self.central,
        }

    @property
    def budget(self) -> Fraction:
        return self.federation.ledger.budget

    @property
    def epsilon(self) -> Fraction:
        """The guaranteed ε: the budget, which no run exceeds."""
        return self.tree.derivation.guarantee.value

    @property
    def spent(self) -> Fraction:
        """What the most expensive branch of this tree has paid."""
        return self.tree.derivation.spent

    @property
    def insider(self) -> Enclosure:
        """The most that any such tree costs against one practice that subtracts its own noise shares."""
        assert isinstance(self.promise.insider, Enclosure)
        return self.promise.insider

    def _privacy(self) -> str:
        """Both promises, and if the insider's is the larger, what it came to in this tree."""
        rows = [
            ("an outsider, the aggregator included", f"ε {at_most(self.promise.outsider)}"),
            ("one curious practice", f"ε {at_most(self.insider)}"),
        ]
        if not self.federation.tolerate:
            here = insider_cost(self.tree.derivation, self.federation.n_parties, self.federation.tolerate)
            rows.append(("  the same for this tree alone", f"ε {at_most(here)}"))
        return text_table(rows, indent="  ")

    def to_dict(self) -> dict[str, Any]:
        """One object for ``--json``; budgets are exact, as text."""
        insider = self.insider.upper if self.insider.lower == self.insider.upper else float(self.insider)
        return {
            "epsilon": {"budget": str(self.budget), "spent": str(self.spent), "insider": str(insider)},
            "accuracy": {
                "private": float(np.mean(self.private)),
                "private_spread": float(np.std(self.private)),
                "local": float(np.mean(self.local)),
                "local_spread": float(np.std(self.local)),
                "gridded": float(np.mean(self.gridded)),
                "gridded_spread": float(np.std(self.gridded)),
                "central": float(np.mean(self.central)),
                "central_spread": float(np.std(self.central)),
                "repeats": len(self.private),
            },
            "parties": self.federation.n_parties,
            "tolerate": self.federation.tolerate,
            "rounds": self.federation.rounds,
            "bytes": self.federation.bytes_sent,
            "tree": self.tree.to_dict(),
            "derivation": self.tree.derivation.content,
        }

    def to_text(self) -> str:
        """The demo for a terminal."""
        f = self.federation
        return "\n".join(
            [
                f"A decision tree that {f.n_parties} practices grew together, without showing their patients' records:",
                "",
                self.shown.to_text(),
                "",
                f"Privacy: budget {self.budget}; neighbours differ by one added or removed patient; integer arithmetic",
                "  known before the tree was grown, for every tree that these options can give:",
                self._privacy(),
                "",
                "Why the tree costs that much (re-checked by fdpedu.derivation_checker):",
                "",
                self.tree.derivation.render(),
                "",
                f"Federation  {f.rounds} rounds, {f.bytes_sent} bytes in all",
                "",
                f"Accuracy on {TEST_PATIENTS} patients held back, over {len(self.private)} repeats with new noise",
                "and new divisions. These figures lie outside the guarantee:",
                text_table(
                    [(name, f"{np.mean(own):.3f} ± {np.std(own):.3f}") for name, own in self.accuracies.items()],
                    indent="  ",
                ),
                _MIXED if self.mixed else _BY_DIAGNOSIS,
            ]
        )


def run_demo(
    *,
    epsilon: Rational = 1,
    parties: int = 4,
    max_depth: int | None = None,
    design: str = "rotating",
    features: Sequence[str] = CLINICAL,
    tolerate: int = 1,
    mixed: bool = False,
    seed: int | None = None,
    repeats: int = 20,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Demo:
    """Grow the tree ``repeats`` times; the first one is the release.

    Parameters
    ----------
    epsilon : budget of a tree, > 0, read exactly
    parties : 2 to 100 practices, to one of which each patient goes by a draw of her own, so one may have none
    max_depth : 0 to 12; None for what the design chooses, given about how many patients there are
    design : as for :func:`fdpedu.trees.fit_federated_tree`
    features : names from :func:`fdpedu.datasets.wisconsin_features`
    tolerate : colluding practices that the noise withstands, fewer than ``parties``
    mixed : whether every practice has the same mix of patients; unless so, at most one has patients of both diagnoses
    seed : None for the operating system's entropy; a number makes everything reproducible and nothing private
    repeats : how many trees are grown, ≥ 1: their accuracies show how much the noise matters
    progress : called with the number of trees grown and ``repeats``
    """
    budget = as_positive_fraction(epsilon, "epsilon")
    _require_sizes(parties, max_depth, repeats, tolerate, seed)
    patients = wisconsin(features)
    found = find_design(design)
    size = NOMINAL_SIZE if found.reads_size else None
    asked = Asked(max_depth=max_depth, nominal_size=size)
    sizes = {"n_features": patients.domain.n_features, "n_parties": parties, "tolerate": tolerate}
    promise = tree_promise(found, asked, budget, **sizes)
    depth = found.settled(asked, budget)[1].depth
    split_rng = np.random.default_rng(seed)
    noise, coins = (None if seed is None else np.random.default_rng([seed, k]) for k in (1, 2))
    private, local, gridded, central = list[float](), list[float](), list[float](), list[float]()
    first: tuple[Tree, Federation] | None = None
    for repeat in range(repeats):
        rows, test = divide(len(patients.y), parties, TEST_PATIENTS, split_rng)
        if not mixed:
            rows = _by_diagnosis(patients, np.concatenate(rows), parties, split_rng)
        X, y = patients.X[test], patients.y[test]
        federation = Federation(
            _practices(patients, rows), patients.domain, Ledger(budget), tolerate=tolerate, rng=noise
        )
        tree = fit_federated_tree(federation, max_depth=max_depth, nominal_size=size, design=found, rng=coins)
        first = first or (tree, federation)
        private.append(shown(tree).score(X, y))
        some = [own for own in rows if len(own)]  # a practice without patients grows no tree of its own
        everybody, alone = np.concatenate(rows), some[split_rng.integers(len(some))]
        for scores, own, grid in (
            (local, alone, None),
            (gridded, everybody, patients.domain),
            (central, everybody, None),
        ):
            rules: dict[str, Any] = {"max_depth": depth, "min_samples_split": MIN_SAMPLES_SPLIT, "grid": grid}
            scores.append(fit_cart(patients.X[own], patients.y[own], **rules).score(X, y))
        progress(repeat + 1, repeats)
    assert first is not None
    return Demo(*first, promise, private, local, gridded, central, mixed)


def _require_sizes(parties: int, max_depth: int | None, repeats: int, tolerate: int, seed: int | None) -> None:
    for name, value, least, most in (
        ("parties", parties, 2, 100),
        ("max_depth", 0 if max_depth is None else max_depth, 0, 12),
        ("repeats", repeats, 1, 1000),
    ):
        if as_integer(value, name, minimum=least) > most:
            raise ValueError(f"{name} must be at most {most}, got {value}")
    if as_integer(tolerate, "tolerate", minimum=0) >= parties:
        raise ValueError(f"tolerate must be less than the number of parties ({parties}), got {tolerate}")
    if seed is not None:
        as_integer(seed, "seed", minimum=0)


def shown(tree: Tree) -> Tree:
    """The tree for a drawing: without leaves that hold no record, and without splits whose sides say the same.

    It looks only at what was released, so it costs nothing. Where a leaf is left out, the other side of its split
    answers for it.
    """
    return replace(tree, root=_tidy(tree.root))


def _tidy(node: Node) -> Node:
    if node.left is None or node.right is None:
        return node
    left, right = _tidy(node.left), _tidy(node.right)
    if not sum(left.counts):
        return right
    return pruned_node(Node(node.counts, node.split, left, right)) if sum(right.counts) else left


def _by_diagnosis(
    patients: Patients, rows: NDArray[np.intp], parties: int, rng: np.random.Generator
) -> list[NDArray[np.intp]]:
    """Each patient goes to a practice by her diagnosis and her own draw: about as many to each, one of them mixed."""
    part, whole = BENIGN_SHARE
    malignant = patients.y[rows] != patients.domain.classes[0]
    places = np.where(malignant, (whole - part) * parties, part * parties)  # of whole · parties, benign ones first
    drawn = uniform_below(places, Rehearsal(int(rng.integers(2**63))))
    practice = (drawn + malignant * part * parties) // whole
    return [rows[practice == k] for k in range(parties)]


def _practices(patients: Patients, rows: Sequence[NDArray[np.intp]]) -> list[Party]:
    """The practices, without a warning: of ten patients, one beyond a range from the literature is a tenth."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClippedWarning)
        return [Party(patients.X[r], patients.domain, labels=patients.y[r], name="practice") for r in rows]
