"""Whose row is whose: one table that is divided among parties, or parties that were made before.

A table that stands in one place is checked as a whole first, so that a refusal names the row as the caller has it.
Then every row goes to its party, which is made as any party is.
"""

from __future__ import annotations

import numbers
import os
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.exceptions import DataConversionWarning

from fdpedu.domain import Domain
from fdpedu.domain.columns import Cells, as_cells
from fdpedu.domain.tables import Named, Table, as_table, by_position, has_names, width_of
from fdpedu.exact import as_integer
from fdpedu.exact.foreign import held, require_one_order
from fdpedu.federation import ClippedWarning, Party, parties_from_frame
from fdpedu.federation.dealing import party_of_each
from fdpedu.randomness import Rng

_HINT_OF_SHUFFLING = ". permutation_test_score shuffles a series so, with its index: give it y.to_numpy()"
MAX_SHOWN = 12  # columns in the example of a domain


def read_domain(domain: Any, X: Any, who: str, *, of_target: bool = False) -> Domain:
    """The domain: itself, or a specification, or the path of one; if there is none, a ValueError shows how to write it.

    The example names the columns of ``X``. It holds nothing of what stands in them.

    Parameters
    ----------
    domain : any
    X : the table of a fit
    who : in messages, whose fit it is
    of_target : whether the example has a numeric target in place of classes
    """
    if domain is None:
        raise ValueError(how_to_write_a_domain(X, who, of_target=of_target))
    if isinstance(domain, (Mapping, str, os.PathLike)):
        return Domain.from_spec(domain)
    if type(domain) is not Domain:
        raise ValueError(f"domain must be a Domain, or a specification of one, got {type(domain).__name__}")
    return domain


def declares_gaps(domain: Any) -> bool:
    """Whether a feature has a code for missing values; False for what cannot be read."""
    try:
        return any(feature.missing for feature in read_domain(domain, None, "").features)
    except ValueError:
        return False


def how_to_write_a_domain(X: Any, who: str, *, of_target: bool = False) -> str:
    """A template of a domain for a table with these columns, whose values the reader fills in."""
    features = "".join(f'        "{name}": {_blank(kind)},\n' for name, kind in _columns(X)[:MAX_SHOWN])
    last = '"target": [LOW, HIGH, LEVELS]' if of_target else '"classes": ["one class", "another"]'
    parts = "BINS or LEVELS say into how many parts" if of_target else "BINS says into how many parts"
    more = "        …\n" if len(_columns(X)) > MAX_SHOWN else ""
    return (
        f"{who} needs a domain: what is public about a row, written down by you. It is not taken from the data, "
        "because a range that ends at the oldest patient's age tells everybody that age. For this table:\n\n"
        f'domain = {{\n    "features": {{\n{features}{more}    }},\n'
        f"    {last},\n}}\n"
        f"{who}(domain, epsilon=1)\n\n"
        f"LOW and HIGH end the public range, {parts} it is cut"
    )


def _blank(is_number: bool) -> str:
    return "[LOW, HIGH, BINS]" if is_number else '["one category", "another"]'


def _columns(X: Any) -> list[tuple[str, bool]]:
    """The names of the columns, and whether each has a type of numbers; only names and types are looked at."""
    try:
        table = as_table(X, "X")
        if isinstance(table, Named):
            return [(str(name), _is_numeric(getattr(table.column(str(name)), "dtype", None))) for name in table.names]
        numeric = not isinstance(table, np.ndarray) or _is_numeric(table.dtype)
        return [(f"x{j}", numeric) for j in range(width_of(table) or 1)]
    except Exception:  # whatever X is, the reader should see what a domain looks like
        return [("age", True), ("ward", False)]


def _is_numeric(dtype: Any) -> bool:
    """By its name, which NumPy, pandas and polars agree on but for capitals."""
    return re.fullmatch(r"(u?int|float)\d+", str(dtype).lower()) is not None


def made_parties(
    X: Any, y: Any, parties: Any, domain: Domain, n_parties: Any, who: str, rng: Rng = None, names: Any = None
) -> list[Party]:
    """The parties of a fit: as they are given, or of one table whose rows are divided by site, or dealt at random.

    Parameters
    ----------
    X, y : one table and its labels; None if ``parties`` are parties
    parties : a list of :class:`Party`, which have their rows; or for each row of ``X`` the name of its site; or None
    domain : of all of them
    n_parties : among how many the rows are dealt, each by its own draw, if ``parties`` is None; one may be empty. Of 1
        they are not dealt: one owner has them all
    who : in messages, whose fit it is
    rng : by whose words rows are dealt, so that a seed repeats the whole fit
    names : of all sites, if they are fixed beforehand
    """
    if names is not None and (parties is None or are_parties(parties)):
        raise ValueError(
            "sites must be None where parties give no name of a site for each row: they are all that rows may name"
        )
    if are_parties(parties):
        return list(parties)
    table, owner = _whole(X, y, parties, domain, who)
    labels = as_cells(y, "y")
    if parties is None:
        count = as_integer(n_parties, "n_parties", minimum=1)
        if count == 1:
            return [owner]
        names = [f"part {k + 1}" for k in range(count)]
        return _divided(table, domain, labels, [names[k] for k in party_of_each(len(labels), count, rng)], names)
    sites = as_cells(parties, "parties")
    if len(sites) != len(labels):
        raise ValueError(f"parties must name a site for each row, got {len(sites)} names for {len(labels)} rows")
    return _divided(table, domain, labels, sites, names)


def made_owner(X: Any, y: Any, parties: Any, domain: Domain, who: str) -> list[Party]:
    """The one party that has all rows, in a list: as it is given, or of one table.

    Parameters
    ----------
    X, y : one table and its labels; None if ``parties`` has the owner
    parties : a list of the one :class:`Party`, or None
    domain : of the owner
    who : in messages, whose fit it is

    Raises
    ------
    ValueError
        If there are sites, or several parties.
    """
    if parties is None:
        return [_whole(X, y, None, domain, who)[1]]
    if are_parties(parties) and len(parties) == 1:
        return list(parties)
    got = f"{len(parties)} parties" if are_parties(parties) else "names of sites"
    raise ValueError(
        f"parties must be left out, or a list of one Party: {who} is for one owner of all rows, and has no sites; got "
        f"{got}. FederatedTreeClassifier is for sites"
    )


def given_rows(X: Any, y: Any, parties: Any, who: str) -> Any:
    """``X`` in a form that can be read; or None, if there are parties, which have their rows.

    Raises
    ------
    ValueError
        If there are both, or neither, or no labels, or labels or sites in another order than the rows.
    """
    if are_parties(parties):
        if X is not None or y is not None:
            raise ValueError("parties that are a list of Party have their rows and labels: leave out X and y")
        return None
    if X is None:
        raise ValueError("give X and y, or parties, a list of Party(rows, domain): one for each site")
    if y is None:
        raise ValueError(f"{who} requires y to be passed, but the target y is None")
    try:
        require_one_order(X, y, "y")
    except ValueError as refusal:
        raise ValueError(f"{refusal}{_HINT_OF_SHUFFLING}") from None
    require_one_order(X, parties, "parties")
    return readable(X, who)


def are_parties(parties: Any) -> bool:
    """Whether these are parties, and not the names of sites."""
    return isinstance(parties, Sequence) and len(parties) > 0 and all(type(party) is Party for party in parties)


def _whole(X: Any, y: Any, parties: Any, domain: Domain, who: str) -> tuple[Named, Party]:
    """The table by the domain's names, and a party of all of it, so it can be read; warns once of what is clipped."""
    table, labels = checked_table(X, domain, who), as_cells(y, "y")
    if not len(labels):
        raise ValueError("Found array with 0 sample(s): a fit, or a score, needs a table with rows")
    try:
        domain.encode_labels(labels, "y")
    except ValueError as refused:
        raise ValueError(f"{refused}{_hint_of_codes(labels, domain)}") from None
    names = [feature.name for feature in domain.features]
    if isinstance(table, Named):
        columns = table.select(names, "X")
    else:
        columns = by_position(table, len(names), f"{len(names)} feature values", "X")
    whole = Named(tuple(names), dict(zip(names, columns.cells, strict=True)).__getitem__, columns.row)
    if len(columns.cells[0]) != len(labels):
        raise ValueError(f"X and y must have as many rows, got {len(columns.cells[0])} and {len(labels)}")
    return whole, Party(whole, domain, labels=labels, name="X")


def _hint_of_codes(labels: Cells, domain: Domain) -> str:
    """What to do where y holds the positions of classes: some of scikit-learn's estimators hand on such codes."""
    codes = [str(k) for k in range(domain.n_classes)]
    if any(type(one) is not str for one in domain.classes) or not set(map(str, labels.tolist())) <= {*codes}:
        return ""
    return (
        f". y holds numbers from 0 to {domain.n_classes - 1}: VotingClassifier, BaggingClassifier, StackingClassifier "
        "temperatures of CalibratedClassifierCV, and cross_val_predict by predict_proba or decision_function encode "
        "sorted classes so. Give them a domain whose classes are "
        f"[{', '.join(codes)}], and y in these numbers"
    )


def one_column(y: Any) -> Any:
    """The labels; of a table of one column its column, with scikit-learn's warning that it expected no table."""
    if isinstance(y, (list, tuple)) and y and all(isinstance(row, (list, tuple)) and len(row) == 1 for row in y):
        y = np.fromiter((row[0] for row in y), dtype=object, count=len(y)).reshape(-1, 1)
    shape = getattr(y, "shape", None)
    if not isinstance(shape, tuple) or len(shape) < 2:
        return y
    if len(shape) != 2 or shape[1] != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {shape} instead.")
    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples,), for "
        "example using ravel().",
        DataConversionWarning,
        stacklevel=3,
    )
    if hasattr(y, "columns"):
        return y[getattr(y, "column_names", y.columns)[0]]
    found = held(y, "y")
    return found[:, 0] if isinstance(found, np.ndarray) else [row[0] for row in found]


def readable(X: Any, who: str) -> Any:
    """The table as it is, or the array that it makes of itself, if its form is one that can be read at all.

    Refusals use the words that users of scikit-learn know; nothing is looked at but the form.
    """
    if hasattr(X, "nnz"):
        raise ValueError(f"{who} takes no sparse data: give X.toarray(), or a data frame")
    if isinstance(X, (list, tuple, range)) and len(X) and isinstance(X[0], (str, bytes, numbers.Number, np.bool_)):
        raise ValueError(
            "Expected 2D array, got 1D array instead: X must be a list of rows. Reshape your data: [[x] for x in X] "
            "has one column, [X] one row"
        )
    if hasattr(X, "__array__") and not has_names(X):
        X = held(X, "X")
    if isinstance(X, np.ndarray):
        if X.dtype.kind == "c":
            raise ValueError("Complex data not supported: X must hold real numbers and categories")
        if X.dtype.names is None and X.ndim != 2:
            raise ValueError(f"X must have two dimensions, got {X.ndim}. Reshape your data: X.reshape(1, -1) is a row")
        if X.dtype.names is None and not X.shape[1]:
            raise ValueError(f"Found array with 0 feature(s) (shape={X.shape}) while a minimum of 1 is required.")
    return X


def checked_table(X: Any, domain: Domain, who: str) -> Table:
    """The table, if it is named, or as wide as the domain."""
    table = as_table(readable(X, who), "X")
    if not isinstance(table, Named) and (width := width_of(table)) not in (None, domain.n_features):
        raise ValueError(f"X has {width} features, but {who} is expecting {domain.n_features} features as input")
    return table


def _divided(table: Named, domain: Domain, labels: Cells, sites: Any, names: Sequence[str] | None) -> list[Party]:
    """A party for each site; clipped values have been reported for all of them together."""
    label, by = _free("class", domain), _free("parties", domain)
    columns: dict[str, Callable[[], Any]] = {label: lambda: labels, by: lambda: sites}
    whole = Named(
        (*table.names, label, by), lambda name: columns[name]() if name in columns else table.column(name), table.row
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClippedWarning)
        try:
            found = parties_from_frame(whole, domain, label=label, by=by, parties=names)
        except ValueError as refused:
            raise ValueError(re.sub("^parties must", "sites must", str(refused))) from None
    if len(found) < 2:
        raise ValueError("parties names one site only: a federation needs at least 2")
    return found


def _free(name: str, domain: Domain) -> str:
    """A name for a column that no feature has."""
    while name in [feature.name for feature in domain.features]:
        name += "_"
    return name
