"""An aggregator that is killed and started again with its journal: it asks the same, and nobody pays twice."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from fdpedu.accounting import Ledger
from fdpedu.claims.checking import require
from fdpedu.claims.mutation import Broken
from fdpedu.claims.records import Check, Claim
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import ClassHistogram, Federation, Limits, Party, RemoteParty, Site
from fdpedu.randomness import ZeroWords
from fdpedu.secure_sum import Identity, RoundLost

FEATURES = 8
DOMAIN = Domain([Numeric.grid(f"u{j}", 0, 1, bins=2) for j in range(FEATURES)], ("no", "yes"))
COST, ROUNDS = Fraction(1, 3), 3  # which take all of the budget
ROWS = [
    [[*((k >> j & 1) / 2 + 0.25 for j in range(FEATURES)), ("no", "yes")[k % 3 > 0]] for k in range(n)] for n in (5, 9)
]
WAYS = ("killed before", "killed after", "silent")
NAMES = ("north", "south")


class _Killed(BaseException):
    """The aggregator's process ends here."""


class _Field:
    """Two sites on files of a folder, and an aggregator that asks about features which public coins draw."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.own = folder, {name: Identity.create() for name in NAMES}
        self.identity, self.moment, self.way, self.seen = Identity.create(), 0, "", count(1)
        limits = Limits(members={one.public for one in self.own.values()}, tolerate=1)
        self.sites = {
            name: Site(
                Party(rows, DOMAIN, ledger=self.ledger(name), limits=limits, identity=self.own[name], rng=ZeroWords()),
                self.identity.public,
            )
            for name, rows in zip(NAMES, ROWS, strict=True)
        }

    def ledger(self, name: str) -> Ledger:
        return Ledger.open(self.folder / f"{name}.db", COST * ROUNDS, domain=DOMAIN, colluders=1)

    def respond(self, name: str, message: bytes) -> bytes:
        now = next(self.seen) == self.moment
        if now and self.way == "killed before":
            raise _Killed
        if now and self.way == "silent":
            raise ConnectionResetError
        answer = self.sites[name].respond(message)
        if now and self.way == "killed after":
            raise _Killed
        return answer

    def program(self) -> list[tuple[int, list[int]]]:
        """What an aggregator does from its beginning: which features it asked about, and the sums."""
        parties = [
            RemoteParty(name, one.public, lambda message, name=name: self.respond(name, message))  # type: ignore[misc]
            for name, one in self.own.items()
        ]
        ledger, journal, found = self.ledger("aggregator"), self.folder / "journal", []
        with Federation(parties, DOMAIN, ledger, identity=self.identity, journal=journal) as federation:
            assert federation.coins is not None
            account = ledger.new_account("study")
            for _ in range(ROUNDS):
                feature = int(federation.coins.integers(FEATURES))
                [sums] = federation.release([ClassHistogram(DOMAIN.everything, COST, feature)], account)
                found.append((feature, sums.ravel().tolist()))
        return found


def finished(way: str, moment: int) -> None:
    """The program ends with a message, and is started again: the sums are those of all rows, and each is paid once."""
    with TemporaryDirectory() as folder:
        field = _Field(Path(folder))
        field.way, field.moment = way, moment
        try:
            found = field.program()
        except (_Killed, RoundLost):
            field.moment = 0
            found = field.program()
        for feature, sums in found:
            right = [
                sum(row[feature] == (0.25, 0.75)[code] and row[-1] == label for rows in ROWS for row in rows)
                for code in (0, 1)
                for label in DOMAIN.classes
            ]
            require(sums == right, f"about feature {feature} it released {sums}, and the rows say {right}")
        for name in (*NAMES, "aggregator"):
            with field.ledger(name) as ledger:
                paid = ledger.rounds, ledger.spent
            require(paid == (ROUNDS, COST * ROUNDS), f"{name} has paid {paid[1]} in {paid[0]} rounds")


def _moments(most: int) -> Iterator[tuple[str, int]]:
    """Each message of the opening and of the rounds."""
    return ((way, moment) for way in WAYS for moment in range(1, most + 1))


CLAIMS = (
    Claim(
        "lem-journal",
        status="proved+checked",
        code=("fdpedu.federation.journal", "fdpedu.federation.journal.Journal", "fdpedu.federation.members.journal_of"),
        checks=(
            Check(
                "finished",
                "exhaustive",
                "an aggregator that is killed before and after each of {size} messages of an opening and three rounds, "
                "or loses a round there: what it releases when it is started again, and what everybody has paid",
                finished,
                _moments,
                12,
            ),
        ),
        assumptions=("the parties are sites; the same program is started again; the disk keeps what it says it keeps",),
        uses=("thm-site", "thm-round"),
    ),
)

TWINS = (
    Broken(
        "coins not kept",
        "fdpedu.federation.journal.Journal.__init__",
        'np.random.default_rng(int(self._head["coins"], 16))',
        "np.random.default_rng()",
        "Coins are public and hide nothing, so new ones are as good as the old.",
        "lem-journal",
        "finished",
    ),
    Broken(
        "a journal that charges again",
        "fdpedu.federation.members.journal_of",
        "ledger.replay(journal.after, journal.session.hex())",
        "ledger.replay(ledger.rounds, journal.session.hex())",
        "A ledger is read when a program starts, and charges what it is asked to.",
        "lem-journal",
        "finished",
    ),
    Broken(
        "a lost round is kept",
        "fdpedu.federation.journal.Journaled.gather",
        "self._journal.note(answers)",
        "self._journal.note(answers), self._journal.accept()",
        "What came back is what was answered; whether it is enough is seen by whoever reads it.",
        "lem-journal",
        "finished",
    ),
    Broken(
        "a session of its own after a restart",
        "fdpedu.federation.journal.Journal.__init__",
        'bytes.fromhex(self._head["session"])',
        "secrets.token_bytes(32)",
        "A process that starts begins a session, and each session has a name of its own.",
        "lem-journal",
        "finished",
    ),
)
