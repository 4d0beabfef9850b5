"""The journal: what was asked is asked again in the same bytes, what was answered is not asked again."""

import base64
import json
import os
import stat
from dataclasses import replace
from fractions import Fraction

import pytest

from fdpedu.accounting import BudgetExceeded, Ledger
from fdpedu.claims.forks import in_child
from fdpedu.federation import ClassCounts, ClassHistogram, Journal, Party
from fdpedu.federation.journal import SCHEMA, Question
from fdpedu.federation.messages import VERSION
from fdpedu.files import FileRefused
from fdpedu.secure_sum import Identity, RoundLost, canonical
from fdpedu.trees import fit_federated_tree
from fdpedu.trees.designs import find_design
from tests.support.afield import DOMAIN, Field

ALL = DOMAIN.everything
ASKED = Question(1, ("a", "b"), (b"?", b"?"))
ONE = [ClassCounts(ALL, Fraction(1, 4))]
TWO = [ClassHistogram(ALL, Fraction(1, 4), 0), ClassHistogram(ALL, Fraction(1, 4), 1)]


@pytest.fixture
def field(tmp_path):
    return Field(tmp_path)


class Counting:
    """A site that counts what it is asked, and can be away."""

    def __init__(self, site):
        self.site, self.asked, self.away = site, [], False

    def respond(self, message):
        if self.away:
            raise ConnectionRefusedError
        self.asked.append(message)
        return self.site.respond(message)


def sites_of(field):
    return {name: Counting(field.site(name)) for name in field.own}


def released(federation, *rounds):
    return [[part.tolist() for part in federation.release(queries)] for queries in rounds]


def test_what_was_answered_is_not_asked_again(field):
    """The second time nobody is asked anything, and everything is as it was."""
    sites = sites_of(field)
    first = field.near(sites)
    sums = released(first, ONE, TWO)
    assert sums == released(field.in_process(), ONE, TWO)
    first.journal.close()
    before = {name: len(site.asked) for name, site in sites.items()}
    again = field.near(sites)
    assert released(again, ONE, TWO) == sums and again.manifest == first.manifest
    assert again.transport.manifest == first.transport.manifest and again.bytes_sent == first.bytes_sent
    assert {name: len(site.asked) for name, site in sites.items()} == before
    field.require_paid_once(2, Fraction(3, 4))
    assert released(again, ONE) == [sums[0]]
    field.require_paid_once(3)


def test_the_open_question_goes_again_in_the_same_bytes(field):
    sites = sites_of(field)
    first = field.near(sites)
    released(first, ONE)
    sites["south"].away = True
    with pytest.raises(RoundLost, match=r"south 2.*silent"):
        first.release(TWO)
    first.journal.close()
    sites["south"].away = False
    again = field.near(sites)
    assert released(again, ONE, TWO) == released(field.in_process(), ONE, TWO)
    assert sites["north"].asked[-1] == sites["north"].asked[-2] == sites["south"].asked[-1]
    field.require_paid_once(2, Fraction(3, 4))


def test_a_site_that_was_never_there_is_invited_again_in_the_same_bytes(field):
    sites = sites_of(field)
    sites["east"].away = True
    with pytest.raises(RoundLost, match="takes no part: it is silent"):
        field.near(sites)
    sites["east"].away = False
    assert released(field.near(sites), ONE) == released(field.in_process(), ONE)
    assert sites["north"].asked[0] == sites["north"].asked[1] == sites["east"].asked[0]
    field.require_paid_once(1, Fraction(1, 4))


def test_whoever_goes_on_after_a_lost_round_does_so_again(field):
    """What a script did with a lost round is what it does when it is started again."""
    sites = sites_of(field)

    def script(federation, away):
        sites["south"].away = away
        with pytest.raises(RoundLost):
            federation.release(TWO)
        sites["south"].away = False
        return released(federation, ONE)

    first = field.near(sites)
    sums = script(first, True)
    first.journal.close()
    assert script(field.near(sites), False) == sums
    assert field.charged("aggregator") == field.charged("north") == (2, Fraction(3, 4))
    assert field.charged("south") == (1, Fraction(1, 4))


def test_a_round_that_was_interrupted_and_left_behind_leaves_a_journal_that_can_be_read(field):
    """Nobody heard its answers. Who goes on in the same program, and is then killed, begins where it was."""
    sites = sites_of(field)
    first = field.near(sites)
    carrying, first.transport._transport.gather = first.transport._transport.gather, interrupted
    with pytest.raises(KeyboardInterrupt):
        first.release(ONE)
    first.transport._transport.gather = carrying
    sums = released(first, TWO)
    first.journal.close()
    again = field.near(sites)
    with pytest.raises(RoundLost):  # a later round was asked since: no site answers this one any more
        again.release(ONE)
    assert released(again, TWO) == sums
    assert again.ledger.rounds == 2


def interrupted(*_):
    raise KeyboardInterrupt


def test_a_session_ends_with_its_program_and_not_with_what_fails_in_it(field):
    """Then the sites have their keys still, and the same program goes on; after its end they have forgotten them."""
    sites = sites_of(field)
    with pytest.raises(ZeroDivisionError), field.near(sites) as federation:
        released(federation, ONE)
        raise ZeroDivisionError
    with field.near(sites) as federation:
        sums = released(federation, ONE, TWO)
    assert sums == released(field.in_process(), ONE, TWO)
    field.require_paid_once(2, Fraction(3, 4))
    for name in field.own:
        with field.ledger(name) as ledger:
            assert ledger.kept("site: opening") is None and ledger.kept("site: round") is None
    again = field.near(sites)
    assert released(again, ONE, TWO) == sums
    again.journal.close()


@pytest.mark.parametrize("changed", [TWO, [ClassCounts(ALL, Fraction(1, 5))], [*ONE, *ONE]])
@pytest.mark.parametrize("kept", [True, False])
def test_another_fit_is_refused_and_charges_nothing(field, changed, kept):
    sites = sites_of(field)
    first = field.near(sites)
    released(first, ONE, ONE)
    first.journal.close()
    again = field.near(sites, ledger=None if kept else Ledger(1))
    released(again, ONE)
    with pytest.raises(ValueError, match=r"another fit|another computation"):
        again.release(changed)
    field.require_paid_once(2, Fraction(1, 2))


def test_other_terms_are_another_fit_s(field):
    sites = sites_of(field)
    field.near(sites).journal.close()
    with pytest.raises(ValueError, match="another fit's: its question 1"):
        field.near(sites, tolerate=2)
    with pytest.raises(ValueError, match="another fit's: its question 1"):
        field.near(sites, ledger=Ledger(2))


def test_messages_of_another_version_are_said_to_be_so(field):
    """A journal that an older fdpedu has begun; its sites and its other lines are as good as ever."""
    sites = sites_of(field)
    first = field.near(sites)
    first.journal.close()
    path, current = first.journal.path, canonical(VERSION)
    head, *lines = path.read_text("utf8").splitlines()
    for at, line in enumerate(lines):
        read = json.loads(line)
        if "messages" in read:
            older = [base64.b64decode(one).replace(current, current[:-1] + b"0") for one in read["messages"]]
            lines[at] = json.dumps({**read, "messages": [base64.b64encode(one).decode() for one in older]})
    path.write_text("\n".join([head, *lines, ""]), "utf8")
    with pytest.raises(ValueError, match=r"has messages of another version of fdpedu: finish its fit with that one"):
        field.near(sites)


class Stopped(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("name", ["default", "screened", "rotating"])
@pytest.mark.parametrize("torn", [0, 1, 50])
def test_a_tree_is_finished_wherever_it_was_stopped(field, name, torn):
    """After one answer, two, three, with the last line torn: with drawn features, and a budget that is just enough."""
    sites, design = sites_of(field), find_design(name)
    if name == "default":
        design = replace(design, features_per_node=1)
    size = {} if name == "default" else {"nominal_size": 180}
    for moment in range(1, 100):
        federation, come = field.near(sites), iter(range(1, 100))

        def progress(done, of, moment=moment, come=come):
            if next(come) == moment:
                raise Stopped

        try:
            tree = fit_federated_tree(federation, max_depth=2, design=design, **size, progress=progress)
            break
        except Stopped:
            federation.journal.close()
            whole = field.journal.read_bytes()
            field.journal.write_bytes(whole[: len(whole) - torn])
    assert moment > 3 and federation.ledger.remaining() == 0
    assert field.charged("aggregator") == (tree.rounds, tree.cost.value)
    paid = [field.charged(site) for site in field.own]
    assert all(spent <= 1 and rounds <= tree.rounds for rounds, spent in paid)
    other = fit_federated_tree(field.in_process(), max_depth=2, design=design, **size, rng=field.coins)
    assert str(other) == str(tree) and other.derivation.render() == tree.derivation.render()


def test_coins_come_from_the_journal(tmp_path):
    first = Journal(tmp_path / "journal")
    drawn = first.coins.integers(2**64, size=9, dtype="uint64").tolist()
    first.close()
    again = Journal(tmp_path / "journal")
    assert again.coins.integers(2**64, size=9, dtype="uint64").tolist() == drawn and again.session == first.session
    again.close()
    other = Journal(tmp_path / "other")
    assert other.coins.integers(2**64, size=9, dtype="uint64").tolist() != drawn and other.session != first.session
    other.close()


def test_a_journal_is_of_one_process_and_for_its_owner(tmp_path):
    path = tmp_path / "journal"
    journal = Journal(path, after=7)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600 and journal.after == 7
    with pytest.raises(ValueError, match="in use: its fit runs in another process"):
        Journal(path)
    said, _ = in_child(lambda say: Journal(path))
    assert "in use" in said[0]
    journal.close()
    path.chmod(0o644)
    assert Journal(path, after=9).after == 7 and stat.S_IMODE(os.stat(path).st_mode) == 0o600


def test_what_was_half_written_is_none(tmp_path):
    path = tmp_path / "journal"
    journal = Journal(path)
    assert journal.ask(ASKED) is None
    journal.note([b"!", None])
    journal.accept()
    journal.close()
    whole = path.read_bytes()
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        cut = Journal(path)
        assert cut.ask(ASKED) is None
        cut.note([b"!", None])
        cut.accept()
        cut.close()
        if end > whole.index(b"\n"):
            assert path.read_bytes() == whole
    again = Journal(path)
    assert again.ask(ASKED) == [b"!", None]
    again.close()


HEAD = {"schema": SCHEMA, "program": "fdpedu", "after": 0, "session": "00" * 32, "coins": "00" * 32}
LINE = {"round": 0, "to": ["a"], "messages": ["Pw=="]}


@pytest.mark.parametrize(
    "lines",
    [
        ["rows"],
        [{"schema": "fdpedu-tree/2"}],
        [{"schema": "fdpedu-journal/2", "program": "fdpedu 9"}],
        [{**HEAD, "session": "zz" * 32}],
        [{**HEAD, "coins": "00"}],
        [{**HEAD, "after": "0"}],
        [{name: value for name, value in HEAD.items() if name != "coins"}],
        [HEAD, LINE, LINE],
        [HEAD, {"answers": [None]}],
        [HEAD, LINE, {"answers": [None, None]}],
        [HEAD, {**LINE, "messages": ["?"]}],
        [HEAD, {**LINE, "to": ["a", "b"], "messages": ["", "", ""]}, {"answers": [None, None]}],
        [HEAD, [], LINE],
    ],
)
def test_what_no_journal_is(tmp_path, lines):
    path = tmp_path / "journal"
    text = "".join(line if type(line) is str else json.dumps(line) + "\n" for line in lines)
    path.write_text(text, "utf8")
    with pytest.raises(FileRefused, match="journal"):
        Journal(path)
    assert path.read_text("utf8") == text


@pytest.mark.parametrize(
    "make",
    [
        lambda place: Ledger.open(place, 1).close(),
        lambda place: Identity.create().save(place, "word"),
        lambda place: place.symlink_to("nothing"),
        os.mkfifo,
        lambda place: place.mkdir(),
        lambda place: place.write_text("id,class\n", "utf8"),
    ],
)
def test_what_is_there_is_kept(tmp_path, make):
    """A budget, a key, a link, a pipe, a folder, rows: none of them becomes a journal."""
    path = tmp_path / "there"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(ValueError, match=r"name a new|cannot write the journal"):
        Journal(path)
    assert before is None or path.read_bytes() == before


def test_a_full_disk_loses_nothing(field, monkeypatch):
    """A question that cannot be written is not asked; what was answered stays; and there is no half line."""
    sites = sites_of(field)
    federation = field.near(sites)
    released(federation, ONE)
    before, whole = {name: len(site.asked) for name, site in sites.items()}, field.journal.read_bytes()

    def full(handle, text, write=os.write):
        write(handle, text[:10])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as disk, pytest.raises(ValueError, match="no space left on device; make room"):
        disk.setattr(os, "write", full)
        federation.release(TWO)
    assert {name: len(site.asked) for name, site in sites.items()} == before and field.journal.read_bytes() == whole
    federation.journal.close()
    assert released(field.near(sites), ONE, TWO) == released(field.in_process(), ONE, TWO)
    field.require_paid_once(2, Fraction(3, 4))


def test_what_cannot_have_a_journal(field):
    parties = [Party([], DOMAIN), Party([], DOMAIN)]
    from fdpedu.federation import Federation

    with pytest.raises(ValueError, match="journal must be left out where a party lives in this process"):
        Federation(parties, DOMAIN, Ledger(1), journal=field.journal)
    with pytest.raises(ValueError, match="identity must be given with a RemoteParty"):
        field.near(sites_of(field), identity=None)
    assert not field.journal.exists()


def test_a_budget_that_is_not_enough_is_refused_again(field):
    sites = sites_of(field)
    first = field.near(sites)
    released(first, ONE, ONE)
    first.journal.close()
    again = field.near(sites)
    released(again, ONE, ONE)
    with pytest.raises(BudgetExceeded):
        again.release([ClassCounts(ALL, Fraction(3, 4))])
    field.require_paid_once(2, Fraction(1, 2))
