"""The aggregator's signature: 64 bytes before each message, without which a site reads nothing of it.

The owners of the sites agree on who may ask, beside who takes part: the aggregator has an
:class:`~fdpedu.secure_sum.Identity`, and its 32 public bytes are named in the agreement. What it has not signed was
said by nobody: it is not parsed, not answered, and charged to no budget. Whoever carries the messages can repeat what
was signed, hold it back, or read it, and can add nothing.
"""

from __future__ import annotations

import hashlib

from fdpedu.exact import require_type
from fdpedu.federation.messages import Signer
from fdpedu.secure_sum import is_signed

SIGNATURE_BYTES = 64
_PURPOSE = "asked of a site"


def signed(message: bytes, aggregator: Signer) -> bytes:
    """The message with its signature before it: what is carried to a site.

    Parameters
    ----------
    message : as :func:`fdpedu.federation.messages.write` gives it
    aggregator : who asks
    """
    require_type(message, bytes, "message")
    return aggregator.sign(_PURPOSE, hashlib.sha256(message).digest()) + message


def read_signed_by(aggregator: bytes, carried: bytes) -> bytes | None:
    """The message that was carried, if this identity has signed it; None if not, whatever it is.

    Claims: thm-site

    >>> from fdpedu.secure_sum import Identity
    >>> aggregator, stranger = Identity.create(), Identity.create()
    >>> read_signed_by(aggregator.public, signed(b"a question", aggregator))
    b'a question'
    >>> read_signed_by(aggregator.public, signed(b"a question", stranger)) is None
    True
    """
    if type(carried) is not bytes or len(carried) <= SIGNATURE_BYTES:
        return None
    signature, message = carried[:SIGNATURE_BYTES], carried[SIGNATURE_BYTES:]
    # thm-site: what the agreed aggregator has not signed was said by nobody
    return message if is_signed(aggregator, signature, _PURPOSE, hashlib.sha256(message).digest()) else None
