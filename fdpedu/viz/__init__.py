"""Figures, drawings of trees, and the slider: everything in the book that is looked at.

The functions take plain data and know nothing of the rest of the package:

- `draw_tree` and `tree_as_text`: a decision tree as a drawing, in words, and for a terminal;
- `tree_as_rules` and `tree_as_dot`: the same as scikit-learn writes it, and as a graph for Graphviz;
- `draw_derivation`: the steps of a privacy derivation, each with its cost;
- `side_by_side`: two figures of one thing, such as a tree and its derivation;
- `tree_slider` and `surviving_splits`: trees under a slider, and which splits of one of them are found in the others;
- `noted_trees`: trees under a slider, with notes of their own at their splits;
- `chance_slider`: how likely something is, over budgets, under a slider, with a table of it;
- `draw_effects`: what each value of a feature adds to a score, a panel for each feature;
- `error_bars`: measured numbers over a budget, with error bars;
- `figure_style` and `show_figure`: one style for matplotlib figures, and their way onto a page;
- `slider_plot`: a figure that moves, on a static page as in a notebook, built from `Panel` with `Curve`, `Points`,
  `Bars`, `Rule` and `Label`, where `Moving` marks what moves.

What holds for all of them: they are read in light, in dark and on paper, at 400 pixels as at 1280; no text is under 14
pixels; nothing is said by colour alone; each says in words what it shows; and the same input gives the same bytes.
matplotlib and ipywidgets are imported only when used.
"""

from fdpedu.viz.beside import side_by_side
from fdpedu.viz.chance_slider import ChanceSlider, chance_slider
from fdpedu.viz.derivation import draw_derivation
from fdpedu.viz.effects import draw_effects
from fdpedu.viz.error_bars import error_bars
from fdpedu.viz.panels import Bars, Curve, Label, Moving, Panel, Points, Rule
from fdpedu.viz.slider import SliderPlot, slider_plot
from fdpedu.viz.style import Picture, figure_style, show_figure
from fdpedu.viz.tree import draw_tree, tree_as_text
from fdpedu.viz.tree_exports import tree_as_dot, tree_as_rules
from fdpedu.viz.tree_slider import TreeSlider, noted_trees, surviving_splits, tree_slider

__all__ = [
    "Bars",
    "ChanceSlider",
    "Curve",
    "Label",
    "Moving",
    "Panel",
    "Picture",
    "Points",
    "Rule",
    "SliderPlot",
    "TreeSlider",
    "chance_slider",
    "draw_derivation",
    "draw_effects",
    "draw_tree",
    "error_bars",
    "figure_style",
    "noted_trees",
    "show_figure",
    "side_by_side",
    "slider_plot",
    "surviving_splits",
    "tree_as_dot",
    "tree_as_rules",
    "tree_as_text",
    "tree_slider",
]
