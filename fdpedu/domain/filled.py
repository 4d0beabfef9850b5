"""Rows without missing values, for systems that work on raw numbers: none of them has a code for what is not there."""

from fdpedu.domain.columns import FILL_IN, Codes
from fdpedu.domain.domain import Domain
from fdpedu.domain.features import DECLARE
from fdpedu.domain.tables import Columns


def require_filled(domain: Domain) -> None:
    """Refuse a domain that gives missing values a code."""
    if gaps := [feature.name for feature in domain.features if getattr(feature, "missing", False)]:
        raise ValueError(f"domain must have no codes for missing values, and has one for {', '.join(gaps)}")


def encode_filled(domain: Domain, columns: Columns, where: str) -> Codes:
    """The codes of rows. Nobody is advised to give missing values a code, because such domains are refused."""
    try:
        return domain.encode(columns, where)
    except ValueError as refusal:
        raise ValueError(str(refusal).replace(DECLARE, FILL_IN)) from None
