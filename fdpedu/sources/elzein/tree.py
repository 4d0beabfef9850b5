"""The tree that parties grew by shares: what it predicts, what was said for it, and who has seen what.

Claims: lem-certain-votes, lem-shared-messages
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu.cart.tree import class_array
from fdpedu.domain import Categorical, Domain
from fdpedu.exact import as_integer, as_list
from fdpedu.exact.foreign import require_one_order
from fdpedu.printable import thresholds_by_feature
from fdpedu.showing import html_table, text_table
from fdpedu.sources.elzein.counting import Message, Step, Traffic, traffic_of
from fdpedu.sources.elzein.leaks import certain_votes
from fdpedu.sources.raw_rows import Floats, read_values

NO_SPLIT = "no split"
VOTES_TOLD = "each party's own votes, which its shares hid: whoever reads this knows more than any party does"


@dataclass(frozen=True)
class Ballot:
    """A secret sum of votes at a node: everybody knows the totals, each party its own vote.

    Parameters
    ----------
    about : ``attribute``, ``attribute again`` after a tie, ``threshold`` or ``label``
    names : of the choices
    totals : votes for each
    votes : of each party its choice; None of one that abstained. In a real run each party knows its own only
    """

    about: str
    names: tuple[str, ...]
    totals: tuple[int, ...]
    votes: tuple[int | None, ...]

    def certain(self, parties: Sequence[int] = ()) -> int:
        """How many votes of others these parties are certain of."""
        own = [vote for vote in (self.votes[party] for party in parties) if vote is not None]
        return certain_votes(self.totals, own)


@dataclass
class SharedNode:
    """A node: a test with a branch for each side or category, or a leaf with a label.

    Parameters
    ----------
    depth : 0 of the root
    attribute : that it asks for; None of a leaf
    threshold : of a number; rows up to it take the first branch
    branch_of : of a category, which branch each code takes
    children : the branches
    label : of a leaf, the position of a class
    ballots : what was voted on here
    thresholds : what the parties put into the mean, in steps of 1/65535 of the public range; each knows its own
    steps : the messages of this node, in order
    """

    depth: int
    attribute: int | None = None
    threshold: float | None = None
    branch_of: tuple[int, ...] = ()
    children: tuple[SharedNode, ...] = ()
    label: int | None = None
    ballots: list[Ballot] = field(default_factory=list)
    thresholds: tuple[int, ...] = ()
    steps: list[Step] = field(default_factory=list)

    def branches(self, column: Floats) -> NDArray[np.intp]:
        """The branch of each row, from its value of the attribute."""
        if self.threshold is not None:
            return (column > self.threshold).astype(np.intp)
        return np.asarray(self.branch_of, dtype=np.intp)[column.astype(np.intp)]


@dataclass(frozen=True)
class Blind:
    """The coordinator's node: an attribute and how many branches it has; no threshold and no label.

    >>> print(Blind("age", (Blind(), Blind())))
    age?
      1: leaf
      2: leaf
    """

    attribute: str | None = None
    children: tuple[Blind, ...] = ()

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> list[str]:
        if self.attribute is None:
            return ["leaf"]
        found = [f"{self.attribute}?"]
        for i, child in enumerate(self.children, 1):
            first, *more = child._lines()
            found += [f"  {i}: {first}", *(f"  {line}" for line in more)]
        return found


@dataclass(frozen=True)
class Seen:
    """What some parties together know of one ballot.

    Parameters
    ----------
    node : its number, in order of reading
    about : what was voted on
    totals : of all votes
    own : the parties' own votes
    certain : how many votes of others they are certain of
    """

    node: int
    about: str
    totals: tuple[int, ...]
    own: tuple[int | None, ...]
    certain: int


@dataclass(frozen=True, repr=False)
class SharedTree:
    """A tree that parties grew by secret sums; it has no ε, because all of it is an exact function of the rows.

    Parameters
    ----------
    root : a node, which holds the others
    domain : public
    rule : by which it was grown
    n_parties : N
    max_depth : to which it was grown
    depths : what each party put into the mean of depths; nothing if the depth was given
    before, after : the messages before the first node, and after the last
    """

    root: SharedNode
    domain: Domain
    rule: str
    n_parties: int
    max_depth: int
    depths: tuple[int, ...] = ()
    before: tuple[Step, ...] = ()
    after: tuple[Step, ...] = ()

    def nodes(self) -> list[SharedNode]:
        """All nodes, in order of reading: each before its branches."""
        found, pending = [], [self.root]
        while pending:
            node = pending.pop()
            found.append(node)
            pending += reversed(node.children)
        return found

    @property
    def depth(self) -> int:
        return max(node.depth for node in self.nodes())

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row, shape (n,)."""
        return class_array(self.domain.classes)[self.labels_of(read_values(X, self.domain, "X"))]

    def score(self, X: Any, y: Any) -> float:
        """The share of rows whose class is predicted: exact, so for public rows, or for your own eyes."""
        require_one_order(X, y, "y")
        found, labels = self.labels_of(read_values(X, self.domain, "X")), self.domain.encode_labels(y, "y")
        if len(found) != len(labels) or not len(labels):
            raise ValueError(f"X and y must have as many rows, at least 1; got {len(found)} and {len(labels)}")
        return float(np.mean(found == labels))

    def labels_of(self, values: Floats) -> NDArray[np.int64]:
        """Codes of classes, from numbers and codes of categories, shape (n, p)."""
        found = np.zeros(len(values), dtype=np.int64)
        pending = [(self.root, np.arange(len(values), dtype=np.int64))]
        while pending:
            node, rows = pending.pop()
            if node.attribute is None:
                found[rows] = node.label or 0
                continue
            branches = node.branches(values[rows, node.attribute])
            pending += [(child, rows[branches == i]) for i, child in enumerate(node.children)]
        return found

    @property
    def traffic(self) -> Traffic:
        """How many messages there were, and their bytes."""
        return traffic_of(self._steps(), self.n_parties)

    @property
    def messages(self) -> list[Message]:
        """Every message, in order: who sent what to whom, and how long it was."""
        return [message for step in self._steps() for message in step.travel(self.n_parties)]

    def _steps(self) -> list[Step]:
        own = [] if self.n_parties == 1 else [step for node in self.nodes() for step in node.steps]
        return [*self.before, *own, *self.after]

    @property
    def coordinator(self) -> Blind:
        """What the coordinator knows of the tree."""
        return self._blind(self.root)

    def _blind(self, node: SharedNode) -> Blind:
        if node.attribute is None:
            return Blind()
        return Blind(self.domain.features[node.attribute].name, tuple(map(self._blind, node.children)))

    def seen_by(self, parties: Sequence[int]) -> list[Seen]:
        """What these parties together know of each ballot; nobody's votes are their own if the list is empty.

        Claims: lem-certain-votes
        """
        listed = as_list(parties, "parties")
        members = [as_integer(one, "parties", minimum=0, maximum=self.n_parties - 1) for one in listed]
        if len(set(members)) != len(members):
            raise ValueError("parties must name each party once")
        return [
            Seen(i, ballot.about, ballot.totals, tuple(ballot.votes[k] for k in members), ballot.certain(members))
            for i, node in enumerate(self.nodes())
            for ballot in node.ballots
        ]

    def to_text(self) -> str:
        """The tree as indented text."""
        return "\n".join(self._lines(self.root))

    def _lines(self, node: SharedNode) -> Iterator[str]:
        if node.attribute is None:
            yield f"class {self.domain.classes[node.label or 0]}"
            return
        for i, child in enumerate(node.children):
            lines = list(self._lines(child))
            test = self._test(node, i)
            if child.attribute is None:
                yield f"{test}: {lines[0]}"
            else:
                yield test
                yield from (f"|   {line}" for line in lines)

    def _test(self, node: SharedNode, branch: int) -> str:
        assert node.attribute is not None
        feature = self.domain.features[node.attribute]
        if isinstance(feature, Categorical):
            return feature.in_words([code for code, at in enumerate(node.branch_of) if at == branch], "in")
        assert node.threshold is not None
        return f"{feature.name} {'≤' if branch == 0 else '>'} {self._threshold_texts[node.attribute][node.threshold]}"

    @cached_property
    def _threshold_texts(self) -> Mapping[int, Mapping[float, str]]:
        """Of each feature its thresholds in the tree, in as many digits as tell them apart."""
        return thresholds_by_feature((node.attribute, node.threshold) for node in self.nodes())

    def to_dict(self) -> dict[str, Any]:
        """The tree as plain data: of each node its test or label, its ballots, and its branches.

        Each ballot lists the vote of *each* party, which the shares hid from all others: whoever is given it knows more
        than any member of the session. It is for teaching; :meth:`seen_by` gives what some of the parties may know.
        """
        return {"tells": VOTES_TOLD, **self._as_dict(self.root)}

    def _as_dict(self, node: SharedNode) -> dict[str, Any]:
        ballots = [{"about": b.about, "totals": list(b.totals), "votes": list(b.votes)} for b in node.ballots]
        if node.attribute is None:
            return {"label": str(self.domain.classes[node.label or 0]), "ballots": ballots}
        tests = [self._test(node, i) for i in range(len(node.children))]
        return {"tests": tests, "ballots": ballots, "branches": [self._as_dict(child) for child in node.children]}

    def __repr__(self) -> str:
        return (
            f"SharedTree({self.rule}, {self.n_parties} parties, {len(self.nodes())} nodes; no ε: every total and every "
            "threshold is an exact function of the rows)"
        )

    def __str__(self) -> str:
        return self.to_text()

    def _summary(self) -> list[tuple[str, str]]:
        traffic = self.traffic
        return [
            ("rule", self.rule),
            ("parties", str(self.n_parties)),
            ("nodes", str(len(self.nodes()))),
            ("depth", f"{self.depth} of {self.max_depth}"),
            ("messages", f"{traffic.messages:,}"),
            ("bytes", f"{traffic.bytes:,}"),
            ("ε", "none: it is an exact function of the rows"),
        ]

    def summary(self) -> str:
        """Its size and its messages, as an aligned table."""
        return text_table(self._summary())

    def _repr_html_(self) -> str:
        return html_table(("", "tree by shares"), self._summary(), caption="A tree grown by secret sums")
