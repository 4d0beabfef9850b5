"""The tree that a federation grows: a tree as in chapter 1, with the accounting of how it was released."""

from __future__ import annotations

from dataclasses import dataclass, field

from fdpedu import cart, files
from fdpedu.accounting import Derivation
from fdpedu.domain import Domain
from fdpedu.trees.tree_file import from_document, to_document


@dataclass(frozen=True, repr=False)
class Tree(cart.Tree):
    """A private classification tree. Two with the same nodes and domain are equal, whatever their accounting says.

    Parameters
    ----------
    root : its counts are estimates from what was released, which add up; leaves predict from finer ones
    classes : the domain's
    feature_names : the names of the domain's features
    domain : what is public; rows are routed by its codes
    derivation : what the tree has cost, and why
    rounds : the number of federated rounds that it took
    """

    domain: Domain
    derivation: Derivation = field(compare=False, kw_only=True)
    rounds: int = field(compare=False, kw_only=True)

    def to_json(self, indent: int | None = 1) -> str:
        """The tree as a document: its nodes, its domain and its derivation; nothing that was not released."""
        return to_document(self.root, self.domain, self.derivation, self.rounds, indent)

    @classmethod
    def from_json(cls, text: str, where: str = "the text") -> Tree:
        """The tree of a document.

        Raises
        ------
        FileRefused
            If it was changed, the checker refuses its derivation, or the tree is not the one that was paid for.
        """
        root, domain, derivation, rounds = from_document(text, where)
        names = tuple(feature.name for feature in domain.features)
        return cls(root, domain.classes, names, domain, derivation=derivation, rounds=rounds)

    def save(self, path: files.Location) -> None:
        """Write the tree to a file (the form is on the book's page of file formats)."""
        files.write_text(path, self.to_json())

    @classmethod
    def load(cls, path: files.Location) -> Tree:
        """The tree of a file; refused as by :meth:`from_json`."""
        return cls.from_json(files.read_text(path), str(path))
