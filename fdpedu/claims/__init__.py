"""The register of claims: what the book states, where it stands, what it rests on, and the evidence for it.

Every claim has one frozen record in :data:`REGISTER`, under the label that it also has in the book, in the docstrings
of the code and in the tests. ``verify(label)`` runs its checks on the installed code; so does ``fdpedu verify`` on the
command line. A check has a kind, and its verdict says no more than the kind allows: property tests fail to refute;
exhaustive checks verify up to a size; only a proof proves.

- ``fdpedu.claims.<chapter>.<topic>``: a topic in the order in which one reads it. First the conditions that its checks
  try, with their distributions and cases; then the claims (``CLAIMS``); then plausible bugs as changed lines of the
  shipped code (``TWINS``), each with the check that catches it. Whatever stands in the folder is collected, in the
  order of the chapter's ``TOPICS``: nothing outside the folder lists it.
- ``fdpedu.claims.zoo``: all of these bugs; ``fdpedu.claims.small_zoo``: broken mechanisms on small domains, each
  beside a sound one.
- ``fdpedu.claims.replay``: the law of a sampler over all tapes of random bits; ``fdpedu.claims.noisy_counts``: exact
  laws of noisy counts; ``fdpedu.claims.frequencies``: draws against probabilities; ``fdpedu.claims.federations``: small
  federations to try laws on; ``fdpedu.claims.strategies``: random cases for hypothesis, which is needed for property
  checks only (``pip install hypothesis``, or the extra ``fdpedu[verify]``, which also brings a solver for some proofs).

To ask for one claim loads the topics of its chapter, and of others only what these use.
"""

from fdpedu.claims.records import Check, Claim
from fdpedu.claims.register import REGISTER, UnknownClaim, given, rests_on, standing
from fdpedu.claims.verify import Result, Results, verify

__all__ = ["REGISTER", "Check", "Claim", "Result", "Results", "UnknownClaim", "given", "rests_on", "standing", "verify"]
