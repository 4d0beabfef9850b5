"""A budget file of an older version becomes one of today's when it is opened: spent stays spent, all or nothing."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from fdpedu.accounting import BudgetExceeded, Ledger, budget_conversion, check_derivation
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.federation import ClassCounts, ClassHistogram, Manifest, NodeBounds, NodeHistograms
from tests.support.accounting import at_once, interrupted
from tests.support.budget_files import charge, sql

STORED = Path(__file__).parent / "data" / "budget-1.db"  # written by a program of version 1
WARD = "größe of a ward"
DOMAIN = Domain([Numeric.grid("age", 0, 4, bins=4), Categorical(WARD, ("A", "B"))], ("well", "ill"))
ALL = DOMAIN.everything
YOUNG, OLD = ALL.restrict(0, [0, 1]), ALL.restrict(0, [2, 3])
WARDS = [OLD.restrict(1, [code]) for code in (1, 0)]
ASKED = [
    *(NodeHistograms(ALL, 1), NodeBounds(YOUNG, "1/2", lattice=64), ClassHistogram(OLD, "1/2", 1)),
    *(ClassHistogram(YOUNG, "1/4", 0), ClassCounts(WARDS[0], "1/4"), ClassCounts(WARDS[1], "1/3")),
]
TYPES = [
    *((1, "node-histograms", {}), (2, "node-bounds", {"lattice": 64}), (2, "class-histogram", {"feature": 1})),
    *((3, "class-histogram", {"feature": 0}), (3, "class-counts", {}), (3, "class-counts", {})),
    *((4, "outcome-counts", {}), (5, "by-hand", {}), (5, "by-hand", {})),
]
OLD_COLUMNS = "round, place, region, epsilon, query, mechanism, sensitivity, claim, colluders, randomness, releases"
KEPT = (
    f"SELECT {OLD_COLUMNS} FROM charge ORDER BY round, place",
    "SELECT number, account, time FROM round ORDER BY number",
    "SELECT one, name, budget, colluders, domain FROM ledger",
)
NAMED = "SELECT round, type, parameters FROM charge ORDER BY round, place"


@pytest.fixture
def path(tmp_path):
    return shutil.copyfile(STORED, str(tmp_path / "budget.db"))


def version(path):
    return sql(path, "PRAGMA user_version")[0][0]


def kept(path):
    """What both versions hold."""
    return [sql(path, statement) for statement in KEPT]


def named(path):
    return [(number, name, json.loads(parameters)) for number, name, parameters in sql(path, NAMED)]


def dump(path):
    """Everything that the file holds."""
    return [sql(path, f"SELECT * FROM {table} ORDER BY 1, 2") for table in ("ledger", "round", "charge")]


def require_as_before(ledger):
    """What the program of version 1 said of the stored file."""
    assert (ledger.budget, ledger.rounds, ledger.domain) == (4, 5, DOMAIN)
    assert ledger.accounts == ("", "a model", "by hand")
    assert (ledger.spent, ledger.remaining()) == (Fraction(97, 48), Fraction(95, 48))
    assert ledger.remaining(YOUNG) == Fraction(33, 16)
    costs = ["97/48", "31/16", "97/48", "31/16", "97/48"]
    assert ledger.odometer() == dict(zip([ALL, YOUNG, OLD, *WARDS], map(Fraction, costs), strict=True))
    assert ledger.last_charge.round == 5


def test_an_opened_file_is_of_version_4_and_as_much_is_spent(path):
    before = kept(path)
    assert version(path) == 1
    require_as_before(Ledger.open(path))
    assert version(path) == 4 and kept(path) == before and os.listdir(os.path.dirname(path)) == ["budget.db"]


def test_types_and_parameters_are_read_from_the_words(path):
    """As a federation of today charges the same queries; a release by hand stays in words."""
    ledger = Ledger.open(path)
    assert named(path) == TYPES
    charged = [one.charge(DOMAIN, 1, "seeded generator") for one in ASKED]
    assert [(one.type, dict(one.parameters)) for one in charged] == [(name, own) for _, name, own in TYPES[:6]]
    derivation = ledger.derivation()
    assert check_derivation(derivation.to_json()).spent == ledger.spent
    found = {(step["round"], step["index"]): (region, step) for region, step in derivation.releases()}
    places = [(1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (3, 3)]
    for place, one in zip(places, charged, strict=True):
        region, step = found[place]
        assert (region, Fraction(step["epsilon"])) == (one.region, one.epsilon)
        for key in ("type", "query", "mechanism", "sensitivity", "claim", "colluders", "releases"):
            assert step[key] == getattr(one, key), key
        assert step["parameters"] == dict(one.parameters)


def test_digests_are_those_of_version_4(path):
    """By another hand: each is that of all before and of the round's content, with types and parameters."""
    Ledger.open(path)
    before = hashlib.sha256(
        json.dumps(["", list(sql(path, "SELECT name, budget, colluders FROM ledger")[0]), []]).encode()
    ).hexdigest()
    rows = sql(path, "SELECT * FROM charge ORDER BY round, place")
    assert {len(row) for row in rows} == {13}
    for number, account, when, stated in sql(path, "SELECT * FROM round ORDER BY number"):
        content = [before, [number, account, when], [row for row in rows if row[0] == number]]
        before = hashlib.sha256(json.dumps(content).encode()).hexdigest()
        assert stated == before


def test_its_tables_are_those_of_a_new_file(path, tmp_path):
    """The same columns in the same order, of the same kind."""
    Ledger.open(path)
    Ledger.open(tmp_path / "new.db", 1)
    for table in ("ledger", "round", "charge", "manifest", "kept"):
        columns = [
            [column[:4] + column[5:] for column in sql(each, f"PRAGMA table_info({table})")]
            for each in (path, tmp_path / "new.db")
        ]
        assert columns[0] == columns[1]


def test_a_second_opening_changes_nothing(path):
    require_as_before(Ledger.open(path))
    content = Path(path).read_bytes()
    require_as_before(Ledger.open(path))
    assert Path(path).read_bytes() == content


def test_further_charges_are_added_to_what_was_spent(path):
    """Up to the budget and not beyond it; with a type and parameters of their own."""
    ledger = Ledger.open(path, 4, domain=DOMAIN)
    one = charge("1/4", YOUNG, type="class-histogram", parameters=(("feature", 0),))
    assert ledger.charge([one], "later") == 6
    assert ledger.charge([charge("83/48", OLD)]) == 7
    with pytest.raises(BudgetExceeded):
        ledger.charge([charge("1/1000")])
    again = Ledger.open(path)
    assert (again.rounds, again.spent, again.remaining()) == (7, 4, 0)
    assert again.derivation().to_json() == ledger.derivation().to_json()
    assert named(path) == [*TYPES, (6, "class-histogram", {"feature": 0}), (7, "by-hand", {})]
    assert check_derivation(again.derivation().to_json()).spent == 4


def test_without_a_domain_nobody_knows_which_feature_it_was(path):
    """Then a histogram stays in words. A file without rounds is converted, too."""
    sql(path, "UPDATE ledger SET domain = NULL")
    assert Ledger.open(path).spent == Fraction(97, 48)
    words = [(number, "by-hand", {}) if name == "class-histogram" else (number, name, p) for number, name, p in TYPES]
    assert named(path) == words
    shutil.copyfile(STORED, path)
    sql(path, "DELETE FROM charge", "DELETE FROM round")
    ledger = Ledger.open(path)
    assert (version(path), ledger.spent, ledger.charge([charge()])) == (4, 0, 1)


def test_positions_without_a_session_are_of_one_for_each_account(tmp_path):
    """Of version 2: a rotating tree of the parties (0, 1), and choices of (1, 0), which were another account."""
    path = shutil.copyfile(STORED.with_name("budget-2.db"), tmp_path / "b.db")
    ledger = Ledger.open(path)
    assert (version(path), ledger.spent, ledger.rounds) == (4, Fraction(3, 2), 5)
    sessions = {region.session for region in ledger.odometer() if not region.of_all_parties}
    assert sessions == {hashlib.sha256(account.encode()).hexdigest() for account in ledger.accounts}
    assert check_derivation(ledger.derivation().to_json()).spent == ledger.spent
    with pytest.raises(BudgetExceeded):
        ledger.charge([charge(3)])
    assert Ledger.open(path).derivation().to_json() == ledger.derivation().to_json()


def test_a_file_in_rho_is_converted_too(tmp_path):
    """Of version 3: with its manifest as fdpedu 0.1.0 wrote it, and a manifest of today for what is charged later."""
    path = shutil.copyfile(STORED.with_name("budget-3.db"), tmp_path / "b.db")
    ledger = Ledger.open(path)
    assert (version(path), str(ledger.spent), ledger.rounds) == (4, "ρ = 487/20000, ξ = 0", 3)
    manifest = Manifest.load(STORED.parents[2] / "derivation_checker" / "data" / "manifest-of-derivation-7.json")
    text = ledger.derivation().to_json()
    assert check_derivation(text, manifest.to_json()) == check_derivation(text)
    assert check_derivation(text, Manifest.joined([manifest]).to_json()) == check_derivation(text)


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("class × bin histogram of a", ("class-histogram", {"feature": 0})),
        ("class × bin histogram of b\nc", ("class-histogram", {"feature": 1})),
        ("class × bin histogram of d", ("by-hand", {})),
        ("class × bin histogram of ", ("by-hand", {})),
        ("a class × bin histogram of a", ("by-hand", {})),
        ("impurity lower bounds of all features, in steps of 1/65536", ("node-bounds", {"lattice": 65536})),
        ("impurity lower bounds of all features, in steps of 1/655360", ("by-hand", {})),
        ("impurity lower bounds of all features, in steps of 1/٤", ("by-hand", {})),
        ("class counts of a leaf", ("class-counts", {})),
        ("class counts of a leaf\n", ("by-hand", {})),
        ("class × bin histograms of all features", ("node-histograms", {})),
        ("right and wrong predictions", ("outcome-counts", {})),
    ],
)
def test_words_are_read_to_the_letter(words, asked):
    name, parameters = budget_conversion._asked(words, ["a", "b\nc"])
    assert (name, json.loads(parameters)) == asked


DAMAGES = {
    "a cheaper charge": ("UPDATE charge SET epsilon = '1/1000' WHERE round = 2 AND place = 1", "round 2 is not what"),
    "another sentence": ("UPDATE charge SET query = 'nothing' WHERE round = 5 AND place = 2", "round 5 is not what"),
    "a charge left out": ("DELETE FROM charge WHERE round = 3 AND place = 3", "round 3 is not what"),
    "all charges of a round left out": ("DELETE FROM charge WHERE round = 4", "round 4 is not what"),
    "a round left out": ("DELETE FROM round WHERE number = 2", "round 3 is not what"),
    "the last round left out": ("DELETE FROM round WHERE number = 5", "charges of no round"),
    "another account": ("UPDATE round SET account = 'mine' WHERE number = 1", "round 1 is not what"),
    "another digest": ("UPDATE round SET digest = 'd' WHERE number = 5", "round 5 is not what"),
    "a larger budget": ("UPDATE ledger SET budget = '9'", "round 1 is not what"),
    "no ledger": ("DELETE FROM ledger", "not enough values"),
    "a domain that is no JSON": ("UPDATE ledger SET domain = 'x'", ""),
    "a domain that is a number": ("UPDATE ledger SET domain = '7'", ""),
    "a domain without features": ("UPDATE ledger SET domain = '{}'", "features"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_file_is_refused_and_stays_as_it_is(path, name):
    """Every time; of version 1, byte by byte."""
    statement, reason = DAMAGES[name]
    sql(path, statement)
    content = Path(path).read_bytes()
    for _ in range(2):
        with pytest.raises(ValueError, match=f"damaged, or was replaced .*{reason}.*; nothing is released"):
            Ledger.open(path)
        assert Path(path).read_bytes() == content and version(path) == 1


def test_threads_that_open_it_at_once(path):
    """It is converted once, and what each of them charges is charged."""
    ledgers = []

    def opened(number):
        ledgers.append(Ledger.open(path))
        ledgers[-1].charge([charge("1/8")], str(number))

    at_once(6, opened)
    assert len(ledgers) == 6 and {ledger.spent for ledger in ledgers} == {Fraction(97, 48) + Fraction(6, 8)}
    assert (Ledger.open(path).rounds, named(path)[:9]) == (11, TYPES)


OPEN = """
import sys
from pathlib import Path
from fdpedu.accounting import Charge, Ledger
sys.stdin.readline()
ledger = Ledger.open(sys.argv[1])
ledger.charge([Charge(ledger.domain.everything, "1/8", "a count", "noise", 1, "thm-histogram", 1)])
"""


def test_processes_that_open_it_at_once(path):
    started = [subprocess.Popen([sys.executable, "-c", OPEN, path], stdin=subprocess.PIPE, text=True) for _ in range(3)]
    for process in started:
        process.stdin.write("now\n")
        process.stdin.flush()
    for process in started:
        process.communicate(timeout=120)
    assert [process.returncode for process in started] == [0, 0, 0]
    ledger = Ledger.open(path)
    assert (ledger.rounds, ledger.spent, named(path)[:9]) == (8, Fraction(97, 48) + Fraction(3, 8), TYPES)


class Killed(BaseException):
    pass


@pytest.mark.parametrize("call", range(1, 12))
def test_whatever_stops_it_leaves_version_1(path, call, monkeypatch):
    """At any of the digests: that of the ledger, and an old and a new one of each round."""
    content, digest, calls = dump(path), budget_conversion.digest_of_round, []

    def stopped(*arguments):
        calls.append(arguments)
        if len(calls) == call:
            raise Killed
        return digest(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(budget_conversion, "digest_of_round", stopped)
        with pytest.raises(Killed):
            Ledger.open(path)
    assert version(path) == 1 and dump(path) == content
    require_as_before(Ledger.open(path))
    assert named(path) == TYPES


KILL = """
import os, sys
from fdpedu.accounting import Ledger, budget_conversion
asked, calls = budget_conversion._asked, []
def killed(*arguments):
    calls.append(arguments)
    return os._exit(9) if len(calls) == int(sys.argv[2]) else asked(*arguments)
budget_conversion._asked = killed
Ledger.open(sys.argv[1])
"""


@pytest.mark.parametrize("call", [1, 5, 9])
def test_a_process_that_is_killed_leaves_version_1(path, call):
    """Whatever its log holds then."""
    content = dump(path)
    assert subprocess.run([sys.executable, "-c", KILL, path, str(call)], check=False).returncode == 9
    assert version(path) == 1 and dump(path) == content
    require_as_before(Ledger.open(path))


def test_an_interrupt_at_any_instruction_leaves_one_version_or_the_other(path):
    """And whichever it is, the next who opens it finds the same."""
    seen, content = set(), dump(path)
    for instruction in range(1, 100_000, 211):
        shutil.copyfile(STORED, path)
        if not interrupted(instruction, lambda: Ledger.open(path)):
            break
        seen.add(version(path))
        assert (dump(path) == content) == (version(path) == 1)
        require_as_before(Ledger.open(path))
    else:
        raise AssertionError("it came to no end")
    assert seen == {1, 4}
