"""What a party can be asked: a closed set of types, one file a family.

A type states its fields once. Its form in a request, its parameters in derivations and manifests, and the sentence by
which anything else is refused derive from the class and from the closed set
(:mod:`~fdpedu.federation.queries.closed_set`). Each type computes its cells, its sensitivity and its charge; callers
declare none of these. What is drawn belongs to the type's layer of noise
(:mod:`~fdpedu.federation.queries.noise`).
"""

from fdpedu.federation.queries.bounds import NodeBounds
from fdpedu.federation.queries.choices import ChosenBlock, ChosenSplit, DesignedSplit, LeafLabel
from fdpedu.federation.queries.closed_set import read_queries, write_queries
from fdpedu.federation.queries.counts import ClassCounts, ClassHistogram, GroupCounts, NodeHistograms, TargetCounts
from fdpedu.federation.queries.edges import JointEdges
from fdpedu.federation.queries.gradients import GradientSums, InterceptSums
from fdpedu.federation.queries.noise import Layer, noise_of, noisy
from fdpedu.federation.queries.outcomes import ConfusionCounts, Model, OutcomeCounts
from fdpedu.federation.queries.query import MAX_PART, Query
from fdpedu.federation.queries.residuals import ResidualSums, SquareSums
from fdpedu.federation.queries.structures import Population, StructureVote
from fdpedu.federation.queries.vectors import PullVectors
from fdpedu.federation.queries.votes import SplitVote

__all__ = [
    "MAX_PART",
    "ChosenBlock",
    "ChosenSplit",
    "ClassCounts",
    "ClassHistogram",
    "ConfusionCounts",
    "DesignedSplit",
    "GradientSums",
    "GroupCounts",
    "InterceptSums",
    "JointEdges",
    "Layer",
    "LeafLabel",
    "Model",
    "NodeBounds",
    "NodeHistograms",
    "OutcomeCounts",
    "Population",
    "PullVectors",
    "Query",
    "ResidualSums",
    "SplitVote",
    "SquareSums",
    "StructureVote",
    "TargetCounts",
    "noise_of",
    "noisy",
    "read_queries",
    "write_queries",
]
