"""A site on its budget's file: killed, asked twice, two processes at once, strangers; and what it keeps."""

import os
import pickle
import pydoc
import signal
import sqlite3
import stat
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from fdpedu.accounting import Ledger, budget_connection
from fdpedu.accounting.budget_file import Transaction
from fdpedu.claims.forks import begin_child, end_child, in_child
from fdpedu.claims.secure_sum.messages import AGE, ALL, ROWS, request
from fdpedu.claims.sites import BUDGET, Field, counted
from fdpedu.federation import ClassCounts, Federation, Limits, Party, RemoteParty, Site, messages
from fdpedu.federation.evidence import Evidence
from fdpedu.federation.messages import Answer, Farewell, Invitation, Left, Refusal, Request, write
from fdpedu.federation.signed import SIGNATURE_BYTES, read_signed_by, signed
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import Identity, KeyPair, RoundLost, decode_sum
from tests.support.budget_files import connecting, sql

COST = Fraction(1, 4)


@pytest.fixture
def field(tmp_path):
    return Field(str(tmp_path))


def question(session, number=1, cost=COST):
    return write(request(session, number, ClassCounts(ALL, cost)))


def sum_of(*answers):
    return decode_sum([np.frombuffer(answer.words, dtype=np.uint64) for answer in answers]).tolist()


# --- killed -----------------------------------------------------------------------------------------------------------

STEPS = {  # of one round: after what the process is killed, and whether the answer is on the disk then
    "asked": ("fdpedu.federation.endpoint.Endpoint._charges", False),
    "charged": ("fdpedu.accounting.budget_file.Transaction.append", False),
    "drawn": ("fdpedu.federation.endpoint.Endpoint._noisy", False),
    "committed": ("fdpedu.accounting.budget_file.Transaction.commit", True),
    "sent": ("", True),
}


def dying_after(name, act, say):
    """A process that does this, and is killed as soon as a method of the library has returned."""
    if name:
        owner, _, method = name.rpartition(".")
        place = pydoc.locate(owner)
        real = getattr(place, method)

        def killing(*arguments, **options):
            found = real(*arguments, **options)
            if method != "commit" or arguments[0]._connection.total_changes:  # something was written
                os.kill(os.getpid(), signal.SIGKILL)
            return found

        setattr(place, method, killing)
    say(act().hex())
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.claim("thm-site")
@pytest.mark.parametrize("step", STEPS)
def test_a_site_that_is_killed_after_each_step_answers_once_and_is_charged_once(field, step):
    """Twice in one session; the sums are right, and what stands in the file then is charge and answer, or neither."""
    session, (name, there) = field.begin(), STEPS[step]
    for number in (1, 2):
        carried = field.carried(question(session, number))
        said, status = in_child(partial(dying_after, name, lambda c=carried: field.site(0).respond(c)))
        assert status == -signal.SIGKILL and len(said) == (step == "sent")
        with Ledger.open(field.path(0)) as ledger:
            assert ledger.rounds == number - 1 + there
        again = field.site(0).respond(carried)
        assert not said or again.hex() == said[0]
        with Ledger.open(field.path(0)) as ledger:
            assert (ledger.rounds, ledger.spent) == (number, number * COST)
        others = field.sites[1].respond(carried)
        assert sum_of(*(messages.read(one, Answer) for one in (again, others))) == counted(2)


@pytest.mark.parametrize("after", ["commit", "answer"])
@pytest.mark.parametrize("k", [0, 1, 2])
def test_a_site_that_is_killed_in_the_opening_goes_on_with_it(tmp_path, k, after):
    """Its part of the nonce and its keys are those that it had, or nobody has seen them."""
    field = Field(str(tmp_path))
    step = "fdpedu.accounting.budget_file.Transaction.commit" if after == "commit" else ""
    asked = iter(range(10))

    class Dying(Site):
        def respond(self, carried):
            if next(asked) == k:
                said, status = in_child(partial(dying_after, step, lambda: field.site(0).respond(carried)))
                assert status == -signal.SIGKILL
                answer = field.site(0).respond(carried)
                assert not said or said[0] == answer.hex()
                return answer
            return super().respond(carried)

    field.sites[0].__class__ = Dying
    session = field.begin()
    carried = field.carried(question(session))
    assert sum_of(*(messages.read(site.respond(carried), Answer) for site in field.sites)) == counted(2)


def asking(path_site, carried, say):
    say("begun")
    say(path_site().respond(carried).hex())


@pytest.mark.claim("thm-site")
def test_two_processes_that_are_asked_at_once_are_one_site(field):
    """The same bytes for the same question, one answer and a refusal for two under one number; one charge each time."""
    session = field.begin()
    for number, others in ((1, COST), (2, COST / 2)):
        asked = [field.carried(question(session, number, cost)) for cost in (COST, others)]
        children = [begin_child(partial(asking, partial(field.site, 0), carried)) for carried in asked]
        said = [bytes.fromhex(end_child(*child)[0][1]) for child in children]
        kinds = {type(messages.read(one, Answer, Refusal)) for one in said}
        assert (len(set(said)) == 1 and kinds == {Answer}) if number == 1 else kinds == {Answer, Refusal}
        assert Ledger.open(field.path(0)).rounds == number


# --- who is heard -----------------------------------------------------------------------------------------------------


def test_what_is_signed_is_read_and_nothing_else():
    aggregator = Identity.create()
    carried = signed(b"a message", aggregator)
    assert carried[SIGNATURE_BYTES:] == b"a message" == read_signed_by(aggregator.public, carried)
    for at in range(len(carried)):
        changed = carried[:at] + bytes([carried[at] ^ 128]) + carried[at + 1 :]
        assert read_signed_by(aggregator.public, changed) is None
        assert read_signed_by(aggregator.public, carried[:at]) is None
    for nothing in (b"", bytes(64), bytes(65), None, "text", bytearray(carried)):
        assert read_signed_by(aggregator.public, nothing) is None
    with pytest.raises(ValueError, match="message must be a bytes"):
        signed("a message", aggregator)


def test_a_signature_of_another_kind_is_none():
    """What the aggregator signs as a party, say, is no message to a site."""
    one = Identity.create()
    assert read_signed_by(one.public, one.sign("message", b"x") + b"x") is None


@pytest.mark.parametrize("message", [b"x", write(Farewell(bytes(32)))[:-1], write(Request(bytes(32), 1, "", b""))])
def test_what_is_signed_and_is_no_message_that_may_come_is_refused(field, message):
    got = field.say(field.sites[0], message)
    assert type(got) is Refusal and got.name in ("malformed", "out of order")


# --- the budget's file ------------------------------------------------------------------------------------------------


def test_a_round_beyond_the_budget_is_refused_and_a_smaller_one_answered(field):
    session, site = field.begin(), field.sites[0]
    first = site.respond(field.carried(question(session, 1, BUDGET)))
    for _ in range(2):
        got = field.say(site, question(session, 2, COST))
        assert type(got) is Refusal and got.name == "over budget"
        site = field.site(0)
    assert site.respond(field.carried(question(session, 1, BUDGET))) == first, "the last answer is still that one"
    assert site._ledger.spent == BUDGET and site._ledger.rounds == 1


@pytest.mark.parametrize("way", ["full", "locked", "gone"])
def test_a_site_whose_file_takes_nothing_refuses_and_answers_when_it_does(field, way, monkeypatch):
    """Nothing is charged, and the question is answered later, for the first time: it fits the others' answers."""
    monkeypatch.setattr(budget_connection, "WAIT", 0.05)
    session, site = field.begin(), field.sites[0]
    carried = field.carried(question(session))
    path = field.path(0)
    if way == "full":
        with monkeypatch.context() as patch:
            connecting(patch, "PRAGMA query_only = 1")
            reply = site.respond(carried)
    elif way == "locked":
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        reply = site.respond(carried)
        other.execute("ROLLBACK")
        other.close()
    else:
        os.rename(path, path + ".away")
        reply = site.respond(carried)
        os.rename(path + ".away", path)
    refused = messages.read_signed(reply, site.identity, Refusal)
    assert refused.name == "not allowed" and path not in refused.reason
    assert site._ledger.rounds == 0
    answers = [messages.read(one.respond(carried), Answer) for one in field.sites]
    assert sum_of(*answers) == counted(2) and site._ledger.spent == COST


FAILING = {
    "the charge": (Transaction, "append", sqlite3.OperationalError),
    "what is kept": (Transaction, "keep", sqlite3.OperationalError),
    "the commit": (Transaction, "commit", sqlite3.OperationalError),
    "the ledger": (Ledger, "_admitted", ValueError),
}


@pytest.mark.parametrize("what", FAILING)
def test_whatever_fails_in_the_midst_of_a_step_the_question_is_answered_later(field, monkeypatch, what):
    """By the same process, which must not believe that it has answered."""
    session, site, (place, method, error) = field.begin(), field.sites[0], FAILING[what]
    carried = field.carried(question(session))
    with monkeypatch.context() as patch:
        patch.setattr(place, method, lambda *_: (_ for _ in ()).throw(error("the disk is full")))
        assert messages.read(site.respond(carried), Refusal).name == "not allowed"
    assert site._ledger.rounds == 0
    answers = [messages.read(one.respond(carried), Answer) for one in field.sites]
    assert sum_of(*answers) == counted(2) and site._ledger.rounds == 1


@pytest.mark.claim("thm-site")
def test_within_a_step_of_its_owner_a_site_says_nothing(field):
    """If that step failed, an answer would have been sent, and its charge taken back."""
    session = field.begin()
    carried, ledger = field.carried(question(session)), field.sites[0]._ledger
    with pytest.raises(ValueError, match="an answer is not allowed within a step of its ledger"), ledger.step():
        field.sites[0].respond(carried)
    assert ledger.rounds == 0
    messages.read(field.sites[0].respond(carried), Answer)
    assert ledger.rounds == 1


def test_an_interrupt_while_it_counts_charges_nothing(field, monkeypatch):
    session, site = field.begin(), field.sites[0]
    with monkeypatch.context() as patch:
        patch.setattr("fdpedu.federation.endpoint.encode", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            site.respond(field.carried(question(session)))
    assert site._ledger.rounds == 0
    assert type(field.say(site, question(session))) is Answer and site._ledger.rounds == 1


@pytest.mark.parametrize("change", ["limits", "identity"])
def test_a_session_whose_site_has_changed_is_not_gone_on_with(field, change):
    """Its owner allows less, or it has another identity; with what it had, it goes on."""
    session = field.begin()
    limits = {"limits": Limits(members=[i.public for i in field.identities], tolerate=9)} if change == "limits" else {}
    identity = Identity.create() if change == "identity" else field.identities[0]
    believing = limits or {"limits": Limits(members="anybody", tolerate=0)}
    own = {"ledger": Ledger.open(field.path(0)), "identity": identity, "rng": ZeroWords(), **believing}
    other = Site(Party(ROWS[0], AGE, **own), field.aggregator.public)
    got = field.say(other, question(session))
    assert type(got) is Refusal and got.name == "out of order" and other._ledger.rounds == 0
    assert (other._kept is None) == (change == "identity"), "nobody else opens what it has sealed"
    assert type(field.say(field.site(0), question(session))) is Answer


@pytest.mark.claim("thm-site")
def test_what_others_get_of_a_budget_tells_nothing_of_its_session(field):
    session, site = field.begin(), field.sites[0]
    field.say(site, question(session))
    kept = dict(sql(field.path(0), "SELECT key, bytes FROM kept"))
    assert {"site: opening", "site: round"} <= set(kept)
    text = Evidence.of_budget(field.path(0)).to_json()
    assert "site:" not in text and not any(part.hex() in text or str(part) in text for part in kept.values() if part)
    private = site._kept.private
    assert private.hex() not in text and stat.S_IMODE(os.stat(field.path(0)).st_mode) == 0o600


def test_another_session_ends_the_one_before(field):
    first = field.begin()
    field.say(field.sites[0], question(first))
    invited = write(first._invitation)
    second = field.begin()
    assert first.nonce != second.nonce
    for old in (invited, question(first, 2)):
        got = field.say(field.sites[0], old)
        assert type(got) is Refusal and got.name in ("replayed", "another session")
    assert type(field.say(field.site(0), question(second))) is Answer


def test_only_the_last_round_is_answered_again(field):
    """An older question is refused by all processes, also one that they have answered."""
    session = field.begin()
    asked = [field.carried(question(session, number)) for number in (1, 2)]
    replies = [field.sites[0].respond(carried) for carried in asked]
    for site in (field.sites[0], field.site(0)):
        assert messages.read(site.respond(asked[0]), Refusal).name == "replayed"
        assert site.respond(asked[1]) == replies[1] and site._ledger.rounds == 2


def test_an_invitation_that_is_not_allowed_ends_nothing(field):
    session = field.begin()
    wrong = session._invitation._replace(name=bytes(32), members=(field.identities[0].public, bytes(32)))
    assert field.say(field.sites[0], wrong).name == "not allowed"
    assert type(field.say(field.sites[0], question(session))) is Answer


def test_a_farewell_is_answered_alike_each_time_and_only_to_the_session_that_it_names(field):
    session, site = field.begin(), field.sites[0]
    other = field.say(site, Farewell(bytes(32)))
    assert (type(other), other.name) == (Left, bytes(32)) and type(field.say(site, question(session))) is Answer
    replies = {field.site(0).respond(field.carried(Farewell(session.name))) for _ in range(3)}
    assert len(replies) == 1 and field.say(site, question(session, 2)).name == "out of order"
    assert sorted(key for (key,) in sql(field.path(0), "SELECT key FROM kept")) == [
        f"site: session {session.name.hex()}"
    ]


# --- how one is made --------------------------------------------------------------------------------------------------


def test_a_site_needs_a_file_of_its_owner_alone_and_an_identity(tmp_path):
    key, path = Identity.create(), tmp_path / "budget.db"
    ledger, allowed = Ledger.open(path, 1), Limits(members="anybody", tolerate=0)
    whole = {"ledger": ledger, "limits": allowed, "identity": key}
    made = partial(Site, aggregator=key.public)
    for lacking in ({"ledger": Ledger(1)}, {"ledger": None}, {"identity": None}):
        with pytest.raises(ValueError, match="party must have a ledger in a file"):
            made(Party([], AGE, **{**whole, **lacking}))
    for wrong in (b"", "a", None, bytearray(32)):
        with pytest.raises(ValueError, match="aggregator must be an identity"):
            Site(Party([], AGE, **whole), wrong)
    with pytest.raises(ValueError, match="party must be a Party, got int"):
        made(7)
    os.chmod(path, 0o640)
    with pytest.raises(ValueError, match=r"budget\.db may be read by others.*chmod 600"):
        made(Party([], AGE, **whole))
    os.chmod(path, 0o600)
    site = made(Party([], AGE, name="north", **whole))
    assert repr(site).startswith("Site('north', ") and site.identity == key.public
    with pytest.raises(TypeError, match="neither copied nor pickled"):
        pickle.dumps(site)
    said = in_child(lambda say: site.respond(b""))[0]
    assert "this site was made before this process was forked" in said[0]


def test_a_key_pair_is_made_again_from_its_private_bytes():
    pair, other = KeyPair(), KeyPair()
    again = KeyPair(pair.private_bytes())
    assert again.public == pair.public and again.shared_key(other.public) == pair.shared_key(other.public)
    for wrong in (b"", bytes(31), bytearray(32), "a" * 32):
        with pytest.raises(ValueError, match="private must be the 32 private bytes"):
            KeyPair(wrong)


def test_a_key_of_an_identity_is_for_one_purpose():
    one, other = Identity.create(), Identity.create()
    keys = [one.key_for("a"), one.key_for("b"), one.key_for("a", 1), other.key_for("a")]
    assert len(set(keys)) == 4 and one.key_for("a") == keys[0] and {len(key) for key in keys} == {32}


@pytest.mark.parametrize("missing", [0, 1])
def test_a_federation_of_sites_gives_what_one_of_parties_gives(tmp_path, missing):
    """Restarted before each round; one that is silent in a round is back in the next."""
    field = Field(str(tmp_path), 2 + 2 * missing, missing=missing)
    dead = set()

    def respond(k, carried):
        if k in dead:
            raise ConnectionRefusedError
        return field.sites[k].respond(carried)

    parties = [RemoteParty(f"site {k}", site.identity, partial(respond, k)) for k, site in enumerate(field.sites)]
    options = {"tolerate": max(1, missing), "missing": missing, "identity": field.aggregator}
    federation = Federation(parties, AGE, Ledger(3), **options)
    for turn in range(3):
        field.sites = [field.site(k) for k in range(len(parties))]
        dead = {0} if missing and turn == 1 else set()
        right = counted(len(parties)) if not dead else (np.array(counted(len(parties))) - counted(1)).tolist()
        assert federation.release([ClassCounts(ALL, COST)])[0].tolist() == right
    assert field.sites[1]._ledger.rounds == 3 and field.sites[0]._ledger.rounds == 3 - missing
    with pytest.raises(RoundLost):
        federation.release([ClassCounts(ALL, BUDGET)])
    federation.close()
    assert type(field.say(field.sites[1], Invitation(*federation._session._invitation))) is Refusal
