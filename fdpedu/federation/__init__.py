"""The one path by which data leaves its owner: a federation of parties, or a curator of all rows.

row → :class:`Party` (check, clip, encode) → local counts → + noise share → + masks mod R → sum at the aggregator →
lifted → released integers. A :class:`Federation` runs it in rounds. A round is a list of queries from a closed set of
types, each of which computes its own sensitivity; all of them are charged to the ledger, in one step, before anything
is drawn or sent.

A party receives only bytes and answers only bytes, of one language (:mod:`~fdpedu.federation.messages`). It believes
nobody: it checks who takes part (:class:`Limits`), binds its masks to what it will execute, and has a ledger of its own
admit the round before it counts (:mod:`~fdpedu.federation.endpoint`). In a process of its own it is a :class:`Site`,
whose answers and charges survive the process together. The aggregator checks every answer before it adds
(:mod:`~fdpedu.federation.session`).

Guarantee: what the ledger's derivation says, with at most ``tolerate`` parties colluding with one another and with
the aggregator; all are honest but curious. If the aggregator is not: what a party's own ledger says, if its owner has
pinned all members. Arithmetic: integers mod 2⁶⁴. Not guaranteed: running time; that a person has records in one party
only (a person with x records pays x times).

Claims: thm-histogram, thm-node-histograms, thm-node-bounds, thm-round
"""

from fdpedu.federation.agreement import Agreement
from fdpedu.federation.asker import Asker
from fdpedu.federation.curator import Curator
from fdpedu.federation.dealing import deal
from fdpedu.federation.federation import Federation
from fdpedu.federation.frames import parties_from_frame
from fdpedu.federation.journal import Journal
from fdpedu.federation.limits import Limits
from fdpedu.federation.manifest import Manifest
from fdpedu.federation.messages import Refused
from fdpedu.federation.party import ClippedWarning, Party
from fdpedu.federation.queries import (
    ChosenBlock,
    ChosenSplit,
    ClassCounts,
    ClassHistogram,
    ConfusionCounts,
    DesignedSplit,
    GradientSums,
    GroupCounts,
    InterceptSums,
    JointEdges,
    LeafLabel,
    Model,
    NodeBounds,
    NodeHistograms,
    OutcomeCounts,
    Population,
    PullVectors,
    Query,
    ResidualSums,
    SplitVote,
    SquareSums,
    StructureVote,
    TargetCounts,
)
from fdpedu.federation.site import Site
from fdpedu.federation.sockets import Sockets, serve
from fdpedu.federation.transcript import Transcript
from fdpedu.federation.transport import InProcess, Member, Message, RemoteParty, Transport

__all__ = [
    "Agreement",
    "Asker",
    "ChosenBlock",
    "ChosenSplit",
    "ClassCounts",
    "ClassHistogram",
    "ClippedWarning",
    "ConfusionCounts",
    "Curator",
    "DesignedSplit",
    "Federation",
    "GradientSums",
    "GroupCounts",
    "InProcess",
    "InterceptSums",
    "JointEdges",
    "Journal",
    "LeafLabel",
    "Limits",
    "Manifest",
    "Member",
    "Message",
    "Model",
    "NodeBounds",
    "NodeHistograms",
    "OutcomeCounts",
    "Party",
    "Population",
    "PullVectors",
    "Query",
    "Refused",
    "RemoteParty",
    "ResidualSums",
    "Site",
    "Sockets",
    "SplitVote",
    "SquareSums",
    "StructureVote",
    "TargetCounts",
    "Transcript",
    "Transport",
    "deal",
    "parties_from_frame",
    "serve",
]
