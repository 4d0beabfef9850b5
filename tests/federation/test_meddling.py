"""Whoever meddles with the messages between sites and their aggregator: the right sum or none, each round paid once."""

import random
from fractions import Fraction
from functools import partial

import pytest

from fdpedu.federation import ClassCounts, ClassHistogram, InProcess, RemoteParty, messages
from fdpedu.federation.messages import name_of
from fdpedu.federation.queries import write_queries
from fdpedu.federation.signed import SIGNATURE_BYTES, signed
from fdpedu.secure_sum import RoundLost
from tests.support.afield import DOMAIN, Field

ALL = DOMAIN.everything
ONE = [ClassCounts(ALL, Fraction(1, 4))]
TWO = [ClassHistogram(ALL, Fraction(1, 4), 0), ClassHistogram(ALL, Fraction(1, 4), 1)]


@pytest.fixture
def field(tmp_path):
    return Field(tmp_path)


class Meddling:
    """A carrier that sees and sends what it likes: old messages, again, in another order, changed, cut, to others."""

    def __init__(self, sites, chance):
        self.sites, self.chance, self.seen, self.answers = sites, chance, [], []

    def respond(self, name, message):
        self.seen.append((name, message))
        for _ in range(self.chance.randrange(6)):
            whose, other = self.chance.choice(self.seen)
            self.send(self.chance.choice([whose, name]), self.chance.choice([other, self.changed(other)]))
        answer = self.send(name, message)
        return self.answered(answer)

    def answered(self, answer):
        """Mostly the answer; or nothing, or another one."""
        way = self.chance.randrange(12)
        self.answers.append(answer)
        if way == 0 or answer is None:
            raise ConnectionResetError
        return {1: self.changed(answer), 2: self.chance.choice(self.answers) or b""}.get(way, answer)

    def send(self, name, message):
        try:
            return self.sites[name].respond(message)
        except OSError:
            return None

    def changed(self, message):
        at = self.chance.randrange(len(message))
        return self.chance.choice([message[:at], message[:at] + bytes([message[at] ^ 1]) + message[at + 1 :], b""])


@pytest.mark.parametrize("missing", [0, 1])
def test_whatever_a_carrier_does_there_is_the_right_sum_or_none(tmp_path, missing, pytestconfig):
    """It may lose rounds; it gets no other sum, and nobody pays a round twice. Started again, the round is finished."""
    sums, lost = 0, 0
    for k in range(40 if pytestconfig.getoption("--deep") else 3):
        (tmp_path / str(k)).mkdir()
        field = Field(tmp_path / str(k), 4, missing=missing, tolerate=1 + missing)
        carrier = Meddling({name: field.site(name) for name in field.own}, random.Random(k))
        right = field.in_process().release(ONE)[0].tolist()
        for _ in range(30):
            parties = [
                RemoteParty(name, identity, partial(carrier.respond, name))
                for name, identity in field.agreed.members.items()
            ]
            federation = None
            try:
                federation = field.of(parties, InProcess(), journal=True, ledger=None)
                found = federation.release(ONE)[0].tolist()
                assert found == right or (missing and len(federation.last_answers()) == 3)
                sums += 1
                break
            except RoundLost:
                lost += 1
            finally:
                if federation is not None:
                    federation.journal.close()
        for name in (*field.own, "aggregator"):
            rounds, spent = field.charged(name)
            assert rounds <= 1 and spent == Fraction(rounds, 4)
    assert sums and lost


class Shown:
    """A site that is shown something else where it is asked in a round; and what it was asked last."""

    def __init__(self, site, instead=None):
        self.site, self.instead, self.last = site, instead, None

    def respond(self, message):
        self.last = message
        if self.instead is not None and name_of(message[SIGNATURE_BYTES:]) == "queries":
            return self.site.respond(self.instead)
        return self.site.respond(message)


def test_one_site_is_shown_what_was_asked_in_another_session(field):
    """A split view: the same aggregator has signed it, and it is of another session; nobody's sum comes of it."""
    sites = {name: Shown(field.site(name)) for name in field.own}
    first = field.near(sites, journal=False)
    first.release(ONE)
    sites["south"].instead = sites["south"].last
    second = field.near(sites, journal=False)
    with pytest.raises(RoundLost, match=r"south 2.*(another session|silent|replayed|another request)"):
        second.release(TWO)
    assert field.charged("south") == (1, Fraction(1, 4))


def test_a_site_that_was_asked_something_else_spoils_the_round(field):
    """A split view of the aggregator itself: masks of different questions do not cancel, and each site pays its own."""
    sites = {name: Shown(field.site(name)) for name in field.own}
    first = field.near(sites, journal=False)
    first.release(ONE)
    asked = messages.read(sites["south"].last[SIGNATURE_BYTES:], messages.Request)
    other = messages.write(asked._replace(number=2, account="another", queries=write_queries(ONE, DOMAIN)))
    sites["south"].instead = signed(other, field.aggregator)
    with pytest.raises(RoundLost, match=r"south 2.*another request"):
        first.release(ONE)
    assert field.charged("south") == field.charged("north") == (2, Fraction(1, 2))


def test_a_site_of_another_identity_takes_no_part(field):
    """Whoever answers in its place is no member, whatever the carrier says."""
    sites = {name: field.site(name) for name in field.own}
    sites["south"], sites["east"] = sites["east"], sites["south"]
    with pytest.raises(RoundLost, match=r"south 2.*not signed"):
        field.near(sites)
    for name in field.own:
        assert field.charged(name) == (0, 0)
