"""Which sites' FLARE is there, which have a part in a job, and what comes back through each socket: kept and said.

FLARE's server lists a client that is gone for ten minutes yet, and one that lives gives it a sign every ten seconds: so
signs count, and not the list. A job is for those that give signs; it begins anew when one comes that has no part in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fdpedu.carriers.line import HELLO, HERE, SILENT
from fdpedu.carriers.local import AGGREGATOR_END, SITE_END
from fdpedu.federation.sockets import ask

GATHERING = 10.0  # seconds that a job waits for sites that are agreed on, or were there before; then it begins
PROBED = 5  # looks between two messages that ask whether a site is there
ANSWER = 4.0  # seconds for one's answer: a little more than FLARE's end has
LEFT = 5  # jobs in which a site that gives signs of life has no part; then it is left out
UNHEARD = 2  # jobs that may end before a site that is connected was heard: one may have been killed
_LOCAL = (
    "its FLARE refuses the job, and its log.txt says why. In local/resources.json its class_allow_list needs {end}"
    "{streaming}; then restart FLARE there"
)
_STATES = {
    HERE: "{name} is reached through {socket}",
    SILENT: "{name}: FLARE there answers, and nobody listens at the site's socket: is fdpedu site running there, at "
    "the socket that its local/fdpedu.json names?",
}
_NOTHING = "{name}: nothing comes back through {socket}: FLARE there, or its job, does not answer"
_NOBODY = "no site's FLARE is connected to FLARE's server: start it at the sites (startup/start.sh)"
_STRANGERS = "FLARE's server has {names}, too, and the agreement has not: a site needs the same name in both"
_ANYBODY = "The FLARE of a site that is not named does not answer the server; when it does, a job begins that has it"
Say = Callable[[str], None]


class CarryingRefused(ValueError):
    """FLARE does not take the job, and would not take it the next time; the text says what to do."""


@dataclass
class Presence:
    """What was seen of the sites, from one job to the next.

    Parameters
    ----------
    names : of the sites that are agreed on; none if any site of FLARE's server is one
    tell : called with each line that tells what happens
    """

    names: frozenset[str]
    tell: Say

    def __post_init__(self) -> None:
        self._expected = set(self.names)  # by the first job
        self._known = set[str]()  # an earlier job has reached them
        self._seen = set[str]()  # FLARE's server has listed them
        self._offered, self._away = dict[str, Any](), dict[str, Any]()  # last signs: of a job's, of who is gone
        self._unheard, self._left, self._looks = dict[str, int](), dict[str, int](), dict[str, int]()
        self._states = dict[str, str]()

    # --- before a job

    def found(self, clients: Mapping[str, Any]) -> None:
        """A job lives already: whoever is listed may have a part in it."""
        self._offered = self._of(clients)
        self._states.clear()

    def ready(self, clients: Mapping[str, Any], waited: float) -> list[str]:
        """For whom a job is: all who give signs of life, unless somebody may be on the way yet; nobody is said."""
        own = self._of(clients)
        there = self._there(own)
        missing = (self._expected | self._known) - there - (set(self._away) & set(own))
        if not there:
            self.tell(f"no job yet. {self._lacking(clients, there)}" if self.names else _NOBODY)
        return sorted(there) if waited > GATHERING or not missing else []

    def offered(self, clients: Mapping[str, Any], job: str) -> None:
        """A job was submitted for all who give signs of life; of the sites that are agreed on it is said who lacks."""
        own = self._of(clients)
        there = self._there(own)
        self._away = {name: sign for name, sign in self._away.items() if name in set(own) - there}
        self._offered = {name: own[name] for name in there}
        self._expected.clear()
        self._states.clear()
        self.tell(f"job {job} is submitted, for {', '.join(sorted(there))}. {self._lacking(clients, there)}")

    def _lacking(self, clients: Mapping[str, Any], there: set[str]) -> str:
        """Who of those that are agreed on has no part in the next job, and what to do."""
        if not self.names:
            return _ANYBODY
        never, gone = sorted(self.names - self._seen), sorted((self.names & self._seen) - there)
        lacks = [f"{', '.join(never)}, never connected to FLARE's server"] * bool(never)
        lacks += [f"{', '.join(gone)}, of whose FLARE there is no sign any more"] * bool(gone)
        if not lacks:
            return "These are all sites"
        others = sorted(set(clients) - self.names)
        words = f"Not there: {'; '.join(lacks)}. Start FLARE there (startup/start.sh), and a job begins that has it"
        return f"{words}. {_STRANGERS.format(names=', '.join(others))}" if others else words

    def _of(self, clients: Mapping[str, Any]) -> dict[str, Any]:
        """Of FLARE's clients those that are sites of ours."""
        own = {name: sign for name, sign in clients.items() if not self.names or name in self.names}
        self._seen |= set(own)
        return own

    def _there(self, own: Mapping[str, Any]) -> set[str]:
        return {name for name, sign in own.items() if self._away.get(name) != sign}

    # --- while it runs

    def without_part(self, clients: Mapping[str, Any], part: Collection[str], age: float) -> list[str]:
        """Say who has no part in the job; whoever of them has given a sign since is to have one, in another job.

        Parameters
        ----------
        clients : all that FLARE's server lists, with their last signs
        part : to whom FLARE has given the job
        age : of the job, in seconds
        """
        others = self._of(clients).keys() - part
        for name in sorted(others - set(self._away)):
            if name in self._offered:
                self._away[name] = self._offered[name]
                self._left[name] = self._left.get(name, 0) + 1
                self.tell(
                    f"{name} has no part in this job: FLARE's server still lists it, and nothing comes back from its "
                    "FLARE. Is that running there (startup/start.sh)? When it is back, a job begins that has it"
                )
        stubborn = {name for name in others if self._left.get(name, 0) >= LEFT}
        if stubborn:
            self.tell(
                f"{', '.join(sorted(stubborn))}: no part in {LEFT} jobs, and none begins for it any more: its FLARE "
                "gives signs of life, and takes no job; its log.txt says why. Then stop this command, and give it again"
            )
        back = sorted(
            name
            for name in others - stubborn
            if self._away.get(name) != clients[name] and age >= pause(self._left.get(name, 0), 1)
        )
        if back:
            self.tell(f"{', '.join(back)} can be reached by FLARE's server now, so a job begins that has it")
        return back

    def listen(self, name: str, socket: Path) -> None:
        """Say what comes back through a site's socket, when it is something else than the last time."""
        self._known.add(name)
        if self._looks.get(name, 0) > 0 and name in self._states:
            self._looks[name] -= 1
            return
        self._looks[name] = PROBED
        try:
            state = _STATES.get(ask(socket, HELLO, ANSWER), _NOTHING)
        except OSError:
            state = _NOTHING
        if self._states.get(name) != state:
            self.tell(state.format(name=name, socket=socket))
        self._states[name] = state

    # --- after it

    def heard(self, names: Collection[str]) -> None:
        """These had a socket: whatever was held against them is forgotten."""
        for name in names:
            self._unheard.pop(name, None)
            self._left.pop(name, None)

    def require_heard(self, unheard: Collection[str], part: Collection[str]) -> None:
        """Refuse to go on with a site, or a server, that lets the job end each time before it is heard."""
        for name in unheard:
            self._unheard[name] = self._unheard.get(name, 0) + 1
        stubborn = sorted(name for name in unheard if self._unheard[name] >= UNHEARD)
        if stubborn and len(stubborn) == len(part):
            words = _LOCAL.format(end=AGGREGATOR_END, streaming="")
            raise CarryingRefused(
                f"no site was heard. If it is the server, {words}. If it is each site, the same there"
            )
        if stubborn:
            words = _LOCAL.format(end=SITE_END, streaming=", and allow_log_streaming must be false")
            raise CarryingRefused(f"{', '.join(stubborn)}: not heard, while the others were: {words}")


def pause(jobs: int, free: int) -> float:
    """Seconds before the next of so many: none for the first ones, then twice as many each time."""
    return min(60.0, 2.0 ** (jobs - free)) if jobs > free else 0.0
