"""Classes or a numeric target: what is made for one of them refuses a domain of the other, and says what to do."""

from __future__ import annotations

from fdpedu.domain.domain import Domain
from fdpedu.domain.features import Numeric
from fdpedu.exact import require_type

BY_VOTES = "take the design 'votes', or FederatedTreeRegressor"
"""What to do instead, where something is to be fitted to a target."""
OF_MEANS = "what a tree predicts of it are means"
"""Why there is none, where something is asked of a tree that was fitted to a target."""


def require_classes(domain: Domain, what: str, hint: str = "") -> None:
    """Refuse a domain with a numeric target, for what is made for classes.

    Parameters
    ----------
    domain : of the records
    what : the name of what needs classes, with which the message begins
    hint : what to do instead, such as :data:`BY_VOTES`, or why it is so; with it the message ends

    Examples
    --------
    >>> domain = Domain.from_spec({"features": {"age": [0, 100, 4]}, "target": [0, 30, 16]})
    >>> require_classes(domain, "a score")
    Traceback (most recent call last):
    ValueError: a score is for classes, and the domain has a numeric target, 'target'
    >>> require_classes(domain, "boosting", BY_VOTES)
    Traceback (most recent call last):
    ValueError: boosting is for classes, and the domain has a numeric target, 'target': take the design 'votes', or
    FederatedTreeRegressor
    """
    require_type(domain, Domain, "domain")
    if domain.target is not None:
        ending = f": {hint}" if hint else ""
        raise ValueError(f"{what} is for classes, and the domain has a numeric target, {domain.target.name!r}{ending}")


def require_target(domain: Domain, what: str) -> Numeric:
    """The numeric target of a domain; one of classes is refused, for what is made for numbers.

    Parameters
    ----------
    domain : of the records
    what : the name of what needs a target, with which the message begins

    Examples
    --------
    >>> require_target(Domain.from_spec({"features": {"age": [0, 100, 4]}, "classes": ["a", "b"]}), "R²")
    Traceback (most recent call last):
    ValueError: R² is for a numeric target, and the domain has classes: write "target": [low, high] in place of them
    """
    require_type(domain, Domain, "domain")
    if domain.target is None:
        raise ValueError(
            f'{what} is for a numeric target, and the domain has classes: write "target": [low, high] in place of them'
        )
    return domain.target
