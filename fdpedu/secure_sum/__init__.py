"""Chapter 5. Secure sums: the aggregator learns the sum and nothing else, and no sender is trusted.

The one way by which data leaves a party, from the bottom up:

- :mod:`~fdpedu.secure_sum.modular`: residues, the lift, and when a sum mod R is the sum
- :mod:`~fdpedu.secure_sum.binding`: what was asked, as bytes and as a digest, and why masks are bound to it
- :mod:`~fdpedu.secure_sum.keys`: Diffie–Hellman by hand and in earnest, and keys derived for one purpose
- :mod:`~fdpedu.secure_sum.masks`: pairwise masks that cancel, the report's Algorithm 1, mended
- :mod:`~fdpedu.secure_sum.identity`: long-lived identities, and what they sign
- :mod:`~fdpedu.secure_sum.additive`, :mod:`~fdpedu.secure_sum.shamir`: secrets in shares, of which one needs all, or t
- :mod:`~fdpedu.secure_sum.rules`, :mod:`~fdpedu.secure_sum.messages`, :mod:`~fdpedu.secure_sum.dropouts`,
  :mod:`~fdpedu.secure_sum.collector`: a sum that survives parties that fall silent, and a lying aggregator
- :mod:`~fdpedu.secure_sum.neighbours`, :mod:`~fdpedu.secure_sum.splits`: masks with a few neighbours only, and the
  probability with which that shows more
- :mod:`~fdpedu.secure_sum.costs`: messages and bytes of each way, counted

Threat model: each module says its own. Arithmetic: integers mod R. Not guaranteed: that an aggregator publishes what
it found; that the network carries messages; running time.

Claims: thm-private-sum
"""

from fdpedu.secure_sum.additive import reconstruct, share, shared_sum
from fdpedu.secure_sum.binding import Asked, Binding, canonical, hashed, read_canonical
from fdpedu.secure_sum.collector import Collector, seat, sum_with_dropouts
from fdpedu.secure_sum.costs import Traffic, count_messages
from fdpedu.secure_sum.dropouts import Member
from fdpedu.secure_sum.identity import (
    Announcement,
    Identity,
    Replacement,
    fingerprint,
    is_signed,
    joint_nonce,
    replace_pinned,
    verify_announcements,
)
from fdpedu.secure_sum.keys import Curve, key_for, toy_break, toy_public, toy_shared
from fdpedu.secure_sum.masks import KeyPair, Masks, decode_sum, encode, exchange, pairwise_keys, private_sum
from fdpedu.secure_sum.messages import Box, Consent, Hello, Masked, Occasion, Primitives, Reveal
from fdpedu.secure_sum.modular import WORD, check_modulus, lift, require_no_overflow, residues
from fdpedu.secure_sum.neighbours import Edges, Ring, commit_coins, components, joint_coins, neighbour_masks
from fdpedu.secure_sum.rules import STAGES, RoundLost, Rules
from fdpedu.secure_sum.shamir import SEED_PRIME, Share, recover_secret, share_secret
from fdpedu.secure_sum.splits import SharingRisk, failure_probability, neighbours_needed, sharing_risk

__all__ = [
    "SEED_PRIME",
    "STAGES",
    "WORD",
    "Announcement",
    "Asked",
    "Binding",
    "Box",
    "Collector",
    "Consent",
    "Curve",
    "Edges",
    "Hello",
    "Identity",
    "KeyPair",
    "Masked",
    "Masks",
    "Member",
    "Occasion",
    "Primitives",
    "Replacement",
    "Reveal",
    "Ring",
    "RoundLost",
    "Rules",
    "Share",
    "SharingRisk",
    "Traffic",
    "canonical",
    "check_modulus",
    "commit_coins",
    "components",
    "count_messages",
    "decode_sum",
    "encode",
    "exchange",
    "failure_probability",
    "fingerprint",
    "hashed",
    "is_signed",
    "joint_coins",
    "joint_nonce",
    "key_for",
    "lift",
    "neighbour_masks",
    "neighbours_needed",
    "pairwise_keys",
    "private_sum",
    "read_canonical",
    "reconstruct",
    "recover_secret",
    "replace_pinned",
    "require_no_overflow",
    "residues",
    "seat",
    "share",
    "share_secret",
    "shared_sum",
    "sharing_risk",
    "sum_with_dropouts",
    "toy_break",
    "toy_public",
    "toy_shared",
    "verify_announcements",
]
