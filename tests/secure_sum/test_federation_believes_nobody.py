"""A federation whose messages are altered, whose aggregator cheats, whose parties answer wrongly or fall silent."""

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from fdpedu.accounting import Ledger
from fdpedu.claims.federations import AGE
from fdpedu.claims.secure_sum import laws_federation as law
from fdpedu.claims.secure_sum import laws_messages as language
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import (
    ClassCounts,
    ClassHistogram,
    Federation,
    InProcess,
    NodeHistograms,
    Party,
    messages,
)
from fdpedu.federation.endpoint import MAX_NUMBERS
from fdpedu.federation.messages import Answer, Contributions, Passed, Refusal, Refused, Request, Said, SignedKeys
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import Identity, canonical
from fdpedu.trees import fit_federated_tree
from tests.support.small_federations import federation, parties

ALL = AGE.everything
COUNTS = [ClassCounts(ALL, Fraction(1, 4))]


@pytest.mark.claim("thm-messages")
@pytest.mark.parametrize("tens", range(5))
def test_ten_thousand_altered_messages(tens):
    """None crashes a party; none is answered but as what it says; and none is charged if it is refused."""
    for seed in range(10 * tens, 10 * tens + 10):
        language.mutated_messages(seed, each=40)


@pytest.mark.claim("thm-messages")
def test_altered_messages_in_stages():
    """The same in a round that survives silent parties: at every stage, before the true message."""
    chance = random.Random(3)

    class Meddling(InProcess):
        def _deliver(self, number, name, message, respond):
            if number and name == "party 1":
                for _ in range(60):
                    spoilt = language.altered(message, chance, [b"", messages.write(language.NOTHING_ASKED)])
                    if spoilt == message:
                        continue
                    got = messages.read(respond(spoilt), Refusal, Said)
                    if type(got) is Said or got.name == "not allowed":  # another round, or this one is over for it
                        return None
            return super()._deliver(number, name, message, respond)

    for _ in range(12):
        f = federation(4, tolerate=1, missing=1, transport=Meddling())
        assert f.release(COUNTS)[0].tolist() in (
            law.counted(range(4)).tolist(),
            law.counted([1, 2, 3]).tolist(),
        )


@pytest.mark.claim("thm-answers-checked")
def test_all_stages_at_which_a_party_may_fall_silent():
    """Three parties and all patterns; of four parties some."""
    for completes in product((0, 2, 3, 4, 5), repeat=3):
        law.silent_parties(3, 1, completes)
    chance = random.Random(1)
    for _ in range(25):
        law.silent_parties(4, 1, tuple(chance.choice([0, 1, 2, 3, 4, 5, 5, 5]) for _ in range(4)))
        law.silent_parties(5, 2, tuple(chance.choice([0, 2, 3, 4, 5, 5, 5]) for _ in range(5)))


def test_a_tree_that_survives_a_silent_party():
    """With nobody silent it is the tree without stages; with one, that of the others' rows."""
    rows = [[[10 + 20 * (k % 5), "ill" if k % 5 < 2 else "well"] for k in range(30)] for _ in range(3)]

    class Away(InProcess):
        def deliver(self, number, names, told, endpoints):
            def away(message):
                raise ConnectionError

            ways = [away if number and name == "party 2" else way for name, way in zip(names, endpoints, strict=True)]
            return super().deliver(number, names, told, ways)

    def tree(rows, **options):
        f = Federation([Party(part, AGE) for part in rows], AGE, Ledger(1), rng=ZeroWords(), **options)
        return fit_federated_tree(f, max_depth=1, min_samples_split=2), f

    plain, _ = tree(rows)
    staged, f = tree(rows, tolerate=1, missing=1)
    assert staged.root == plain.root and f.ledger.colluders == 0
    assert f.ledger.spent == 1
    without, f = tree(rows, tolerate=1, missing=1, transport=Away())
    assert without.root == tree([rows[0], rows[2]])[0].root
    answered = [entry["answers"] for entry in f.manifest.rounds]
    assert answered == [["party 1", "party 3"]] * len(answered)


def test_progress_counts_every_stage():
    seen = []
    federation(3, tolerate=1, missing=1).release(COUNTS, answered=lambda done, of: seen.append((done, of)))
    assert seen == [(k, 15) for k in range(1, 16)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tolerate": 0, "missing": 1}, "tolerate must be at least missing"),
        ({"tolerate": 2, "missing": 2}, "lying aggregator"),
        ({"tolerate": 1, "missing": -1}, "missing"),
        ({"tolerate": 3}, "tolerate must be less"),
    ],
)
def test_rules_that_cannot_be_kept_are_refused(options, message):
    ledger = Ledger(1)
    with pytest.raises(ValueError, match=message):
        Federation(parties(3), AGE, ledger, **options)
    assert ledger.domain is None


def test_missing_parties_are_not_promised_as_colluders():
    with pytest.raises(ValueError, match=r"promises to withstand 2 colluders, more than tolerate = 2 less missing = 1"):
        Federation(parties(5), AGE, Ledger(1, colluders=2), tolerate=2, missing=1)
    f = Federation(parties(5), AGE, Ledger(1, colluders=1), tolerate=2, missing=1, rng=ZeroWords())
    assert (f.colluders, f.missing, f.tolerate) == (1, 1, 2)
    f.release(COUNTS)
    assert f.ledger.colluders == 1


def test_too_much_at_once_is_refused_before_it_is_charged():
    wide = Domain([Numeric.grid(f"x{j}", 0, 1, bins=256) for j in range(20)], tuple(range(250)))
    f = Federation([Party([], wide), Party([], wide)], wide, Ledger(1), rng=ZeroWords())
    query = NodeHistograms(wide.everything, Fraction(1, 10**6))
    with pytest.raises(ValueError, match="ask in two rounds"):
        f.release([query] * (MAX_NUMBERS // query.size(wide) + 1))
    with pytest.raises(ValueError, match="account"):
        f.release([ClassCounts(wide.everything, 1)], "x" * 1001)
    assert f.ledger.spent == 0 and f.rounds == 0


def test_the_transcript_shows_requests_and_hides_answers():
    f = federation(2)
    f.release([ClassCounts(ALL, "1/4"), ClassCounts(ALL.restrict(0, [1]), "1/4"), ClassHistogram(ALL, "1/4", 0)])
    shown, page = f.transcript.render(), f.transcript._repr_html_()
    assert "2 × class counts of a leaf; 1 × class × bin histogram of age" in shown and "2 × class counts" in page
    assert shown.count("masked sums") == 2 and len(f.transcript) == 16 and page.count("<tr>") == 17
    assert f.transcript.render(most=2).count("\n") == 3 and "the last 2 are shown" in f.transcript.render(most=2)
    assert f.transcript.bytes == f.bytes_sent and repr(f.transcript).startswith("Transcript(16 messages")


def test_a_stage_comes_once_and_in_order():
    """What is passed on twice, too early, or for another round is refused, and nothing is counted for it."""
    seen = []

    class Twice(InProcess):
        def _deliver(self, number, name, message, respond):
            if number and name == "party 1" and messages.name_of(message).startswith("passed on"):
                got = messages.read(message, Passed)
                for wrong in (
                    got._replace(number=number + 1),
                    got._replace(stage="unmask"),
                    got._replace(session=bytes(32)),
                ):
                    seen.append(messages.read(respond(messages.write(wrong)), Refusal).name)
                answer = respond(message)
                seen.append(messages.read(respond(message), Refusal).name)
                return answer
            return super()._deliver(number, name, message, respond)

    f = federation(3, tolerate=1, missing=1, transport=Twice())
    assert f.release(COUNTS)[0].tolist() == law.counted(range(3)).tolist()
    assert seen == ["another session", "malformed", "another session", "out of order"] * 4


@pytest.mark.parametrize(
    ("message", "name"),
    [
        (7, "malformed"),
        (b"", "malformed"),
        (bytes(2**28 + 1), "oversized"),
        (canonical(("fdpedu federation, version 1",)), "malformed"),
        (canonical(("fdpedu federation, version 0", "nonces", ())), "another version"),
        (canonical(("fdpedu federation, version 1", "gossip", ())), "malformed"),
        (canonical((1, 2)), "malformed"),
        (messages.write(Contributions((bytes(32),))), "out of order"),
        (messages.write(Request(bytes(32), 1, "", ())), "out of order"),
    ],
)
def test_what_is_no_message_is_refused_by_name(message, name):
    with pytest.raises(Refused) as refused:
        messages.read(message, SignedKeys)
    assert refused.value.name == name and str(refused.value).startswith(f"{name}: ")


def test_a_signature_is_for_its_message_and_its_party():
    one, other = Identity.create(), Identity.create()
    signed = messages.write_signed(Answer(bytes(32), 1, bytes(32), b"12345678"), one)
    assert messages.read_signed(signed, one.public, Answer).words == b"12345678"
    with pytest.raises(Refused, match="not signed"):
        messages.read_signed(signed, other.public, Answer)
    assert messages.name_of(signed) == "masked sums" and messages.name_of(b"?") == "unreadable"


def test_noise_shares_are_made_for_the_parties_that_there_are():
    """However many parties an aggregator speaks of: a party counts the members of the list itself."""
    f = federation(3, tolerate=1)
    with pytest.MonkeyPatch.context() as patch:
        shares = []
        patch.setattr(
            "fdpedu.federation.endpoint.polya_share",
            lambda rate, m, size, source: shares.append((rate.rate, m, size)) or np.zeros(size, dtype=np.int64),
        )
        f.release([ClassCounts(ALL, "1/4"), ClassHistogram(ALL, "1/8", 0)])
    assert shares == [(Fraction(1, 4), 2, 2), (Fraction(1, 8), 2, 4)] * 3
