"""What the tests of claims share."""

from fdpedu.claims import Claim


def a_claim(label, status="checked", **fields):
    """A claim of which only the label, the status and what is given matter."""
    return Claim(label, "T", "c", "s", status, (), **{"statement": "S", **fields})
