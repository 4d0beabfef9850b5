"""A party: the records it holds, checked and encoded at the border, and what its owner allows.

Everything that can be wrong with the data is refused here, before any budget is spent, by row and column and never by
value. After that nothing raises: what an endpoint computes and sends depends on released values, its counts and its
noise. A warning about clipped values is for the party's own eyes, and is never sent.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import warnings
from typing import Any

from fdpedu.accounting import Ledger
from fdpedu.domain import Domain
from fdpedu.domain.csv_files import read_csv
from fdpedu.domain.tables import Columns, Named, as_table, by_position
from fdpedu.exact.foreign import require_one_order
from fdpedu.federation.endpoint import Endpoint
from fdpedu.federation.limits import ANYBODY, Limits
from fdpedu.federation.records import Records
from fdpedu.printable import require_printable
from fdpedu.randomness import Rng, Source, as_source
from fdpedu.secure_sum import Identity

MAX_CLIPPED = 0.05  # a larger share of a column's values hints at a column in another's place, or in another unit


class ClippedWarning(UserWarning):
    """Many values of a column lie outside its public range: perhaps it is another column, or has another unit."""


class Party:
    """One data holder, with its rows encoded under the public domain.

    Claims: thm-party-ledger

    Parameters
    ----------
    rows : a table of any kind. Without names (rows, or an array), each row has the p feature values in the domain's
        order, followed by the class; or, with ``labels``, the feature values alone. With names (a data frame, a mapping
        of columns, dictionaries, an array with fields), columns are found by them, and others are left out. May be
        empty. Where the domain has a target, its values stand wherever classes do
    domain : the public domain that all parties share
    labels : the classes, if they do not stand in the rows
    label : the name of the column of classes, or of the target, in a table with names
    name : for messages
    ledger : the party's own, which admits every round before it counts, and is charged before it answers; None: a new
        one in each session, with the budget that the federation names
    limits : what its owner allows, for any aggregator; a party with a ledger of its own must have some. Without ledger
        and limits it believes the aggregator, as is right for a trial in one process
    identity : what it signs with, and what others pin; None: a new one in each session
    rng : of its noise. None: where its owner has pinned the members, the operating system, whatever the federation
        draws from; else what the federation gives it. A generator is for teaching, and warns

    Raises
    ------
    ValueError
        For missing, NaN or infinite values, unknown categories or classes, wrong shapes, columns that are not there.
        Values beyond a public range are clipped into the end bins; ``clipped`` counts them, for the party's own eyes,
        and beyond 5 % of a column a :class:`ClippedWarning` tells so. ``domain.check(rows)`` tells all of it before.

    Examples
    --------
    >>> from fdpedu.domain import Domain, Numeric
    >>> domain = Domain([Numeric.grid("age", 0, 150, bins=3)], ("well", "ill"))
    >>> clinic = Party([[63, "ill"], [140, "well"]], domain)
    >>> clinic, clinic.clipped
    (Party('party'), {'age': 0})
    >>> Party({"diagnosis": ["ill"], "id": [7], "age": [63]}, domain, label="diagnosis", name="practice")
    Party('practice')
    """

    def __init__(
        self,
        rows: Any,
        domain: Domain,
        *,
        labels: Any = None,
        label: str | None = None,
        name: str = "party",
        ledger: Ledger | None = None,
        limits: Limits | None = None,
        identity: Identity | None = None,
        rng: Rng = None,
    ) -> None:
        if type(domain) is not Domain:  # a subclass could encode otherwise than it says
            raise ValueError(f"domain must be a Domain, got {type(domain).__name__}")
        for given, kind in ((ledger, Ledger), (limits, Limits), (identity, Identity)):
            if given is not None and type(given) is not kind:
                raise ValueError(f"{kind.__name__.lower()} must be a {kind.__name__}, got {type(given).__name__}")
        if ledger is not None and limits is None:  # thm-party-ledger: the ledger alone stops no invented members
            raise ValueError(
                "limits must be given where a party has a ledger of its own: Limits(members=…, tolerate=1) pins whom "
                f"its owner has compared, Limits(members={ANYBODY!r}, tolerate=0) believes any list of members"
            )
        self.name, self.domain = str(name), domain
        self._limits = Limits(members=ANYBODY, tolerate=0) if limits is None else limits
        self.ledger, self._identity = ledger, identity
        # thm-party-ledger: whoever believes nobody draws from a source of its own
        self._source = None if rng is None and self._limits.members == ANYBODY else as_source(rng)
        self._sessions = set[bytes]()  # that it has taken part in
        require_printable(self.name, "name")
        where = f"site {self.name}" if self.name.removeprefix("-").isdecimal() else self.name  # no number of a row
        features, classes = _features_and_class(rows, domain, labels, label, where)
        self._codes, self.clipped = domain.admit(features, where)
        self._labels, clipped = domain.admit_labels(classes, where)
        self.clipped |= clipped
        self._token = secrets.token_bytes(16)  # copies have it too, wherever they were unpickled
        if len(self._codes) != len(self._labels):
            raise ValueError(f"{where}: there must be as many labels as rows")
        self._warn_of_clipping(where, named=features.named)

    @classmethod
    def from_csv(
        cls,
        path: str | os.PathLike[str],
        domain: Domain,
        *,
        label: str,
        delimiter: str | None = None,
        decimal: str = ".",
        thousands: str | None = None,
        encoding: str = "utf-8-sig",
        name: str | None = None,
        ledger: Ledger | None = None,
        limits: Limits | None = None,
        identity: Identity | None = None,
        rng: Rng = None,
    ) -> Party:
        """The party of a CSV file, whose first line has the columns' names; a refusal names its line.

        Parameters
        ----------
        path : of the file
        domain : the public domain that all parties share
        label : the name of the column of classes, or of the target
        delimiter : between cells; None to find out which of comma, semicolon, tab and bar it is
        decimal, thousands : as in :func:`~fdpedu.domain.read_csv`
        encoding : of the file
        name : for messages; None for the file's name
        ledger, limits, identity, rng : as for any party
        """
        if type(domain) is not Domain:
            raise ValueError(f"domain must be a Domain, got {type(domain).__name__}")
        domain.check_label(label)
        form = {"delimiter": delimiter, "decimal": decimal, "thousands": thousands, "encoding": encoding}
        table = read_csv(path, domain, label=label, **form)  # type: ignore[arg-type]
        called = os.path.basename(os.fspath(path)) if name is None else name
        party = cls(table, domain, label=label, name=called, ledger=ledger, limits=limits, identity=identity, rng=rng)
        party._token = _token_of(path)
        return party

    def _warn_of_clipping(self, where: str, *, named: bool) -> None:
        many = {name: n / len(self._labels) for name, n in self.clipped.items() if n > MAX_CLIPPED * len(self._labels)}
        if many:
            shares = ", ".join(f"{share:.0%} of {name!r}" for name, share in many.items())
            doubt = "is it in the domain's unit?" if named else "are the columns in the domain's order and units?"
            warnings.warn(
                f"{where}: values outside the public range were clipped: {shares}; {doubt} (Seen by you only.)",
                ClippedWarning,
                stacklevel=3,
            )

    def __repr__(self) -> str:
        return f"Party({self.name!r})"

    def records(self) -> Records:
        """Its rows, encoded: for its own side of a session, and for a curator."""
        return Records(self._codes, self._labels, self.domain)

    @property
    def randomness(self) -> str | None:
        """The kind of its own source; None where it draws from what the federation gives it."""
        return None if self._source is None else self._source.kind

    def endpoint(self, source: Source) -> Endpoint:
        """Its side of one session of a federation, which gives it a source of noise if it has none of its own."""
        identity = Identity.create() if self._identity is None else self._identity
        own = source if self._source is None else self._source
        return Endpoint(self.records(), self.domain, own, identity, self._limits, self.ledger, sessions=self._sessions)


def _token_of(path: str | os.PathLike[str]) -> bytes:
    """What is the same for all names of one file, links among them, as long as it is not written anew."""
    found = os.stat(path)
    parts = found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size
    return hashlib.sha256(repr(parts).encode()).digest()[:16]


def _features_and_class(
    rows: Any, domain: Domain, labels: Any, label: str | None, where: str
) -> tuple[Columns, Columns | Any]:
    """The feature columns in the domain's order, and the class, from wherever it stands."""
    names = [feature.name for feature in domain.features]
    require_one_order(rows, labels, f"{where}: labels", "the rows")
    table = as_table(rows, where)
    if label is not None and labels is not None:
        raise ValueError(f"{where}: give label, the name of a column, or labels, the classes themselves; not both")
    if isinstance(table, Named):
        if label is None and labels is None:
            raise ValueError(
                f"{where}: give label=, the name of the column of classes, or of the target, or labels=, the classes "
                "or the numbers"
            )
        if label is not None:
            domain.check_label(label, table.names)
        columns = table.select(names if label is None else [*names, label], where)
    else:
        if label is not None and len(table):
            raise ValueError(
                f"{where}: the rows have no names, so no column {label!r}; give labels=, or the class last"
            )
        width, last = (len(names), "") if labels is not None else (len(names) + 1, " and the class")
        columns = by_position(table, width, f"{len(names)} feature values{last}", where)
    features = Columns(columns.cells[: len(names)], columns.row, columns.named)
    return features, Columns(columns.cells[len(names) :], columns.row) if labels is None else labels
