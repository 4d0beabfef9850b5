"""What the tests of claims share."""

from fdpedu.chapters import folders
from fdpedu.claims import Claim
from fdpedu.claims.register import from_page

# Label → statement, of all claims that stand on pages of the book.
ON_PAGES = {label: text for folder in folders("fdpedu.claims") for label, text in from_page(folder).items()}


def a_claim(label, status="checked", **fields):
    """A claim of which only the label, the status and what is given matter."""
    return Claim(label, "T", "c", "s", status, (), **{"statement": "S", **fields})
