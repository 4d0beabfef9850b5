"""Who sent what to whom, as a table: requests can be read by all, answers look like noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fdpedu.federation.transport import Message
from fdpedu.showing import html_table, text_table

_HEAD = ("round", "from", "to", "what", "bytes", "what can be seen of it")
_SHOWN = 40  # messages
_AT, _OF_MASKED = 96, 170  # bytes of a message's head, behind what messages of its kind have in common


@dataclass(frozen=True)
class Transcript:
    """All messages of a federation, in the order in which they were sent.

    Parameters
    ----------
    messages : as the transport has recorded them
    describe : what was asked in a round, in words
    """

    messages: Sequence[Message]
    describe: Callable[[int], str]

    def __len__(self) -> int:
        return len(self.messages)

    @property
    def bytes(self) -> int:
        """The bytes of all messages together."""
        return sum(message.bytes for message in self.messages)

    def __repr__(self) -> str:
        return f"Transcript({len(self)} messages, {self.bytes:,} bytes)"

    def render(self, most: int = _SHOWN) -> str:
        """A line a message, aligned; of more than ``most`` the last ones."""
        return text_table([_HEAD, *self._rows(most)], right={0, 4}) + f"\n{self._summary(most)}"

    def _repr_html_(self) -> str:
        caption = self._summary(_SHOWN)
        return html_table(_HEAD, self._rows(_SHOWN), caption=caption, kind="fdpedu-results fdpedu-wide")

    def _summary(self, most: int) -> str:
        shown = f"; the last {most} are shown" if len(self) > most else ""
        return f"{len(self)} messages, {self.bytes:,} bytes{shown}"

    def _rows(self, most: int) -> list[tuple[str, ...]]:
        return [
            (str(m.round or "–"), m.sender, m.receiver, m.kind, f"{m.bytes:,}", self._seen(m))
            for m in self.messages[max(0, len(self) - most) :]
        ]

    def _seen(self, message: Message) -> str:
        """A request in words; of anything else, bytes from where it differs from message to message."""
        if message.kind == "queries":
            return self.describe(message.round)
        at = _OF_MASKED if message.kind == "masked sums" else _AT
        return f"{message.head[at : at + 12].hex(' ')} …"
