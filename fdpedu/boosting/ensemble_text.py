"""What an :class:`~fdpedu.boosting.Ensemble` says of itself, for people: in words, in tables and in drawings."""

from __future__ import annotations

from typing import Any

from fdpedu.boosting.curves import drawn, on_noise
from fdpedu.boosting.outcomes import CountedClasses, ends_of
from fdpedu.showing import html_table, text_table

MAX_DRAWN, MAX_PAIRS = 60, 10  # curves; pairs of features


def text_of(ensemble: Any) -> str:
    """What it is made of, and how much each feature moves the score."""
    trees, numbers = ensemble.model.trees, _numbers_of_questions(ensemble)
    head = f"{len(trees)} trees of {numbers} questions in {len(ensemble.batches)} rounds; {_reading(ensemble)}"
    if ensemble.rule == "first":
        head += "; made by the first rule of this library, of one gentle step"
    if isinstance(ensemble.outcome, CountedClasses):
        head += f"\n{ensemble.outcome.in_words(ensemble.classes)}"
    elif ensemble.rarer:
        name, share = ensemble.rarer
        head += f"\nBy noisy counts {share:.0%} of the rows are of class {name}: if so, it is seldom or never predicted"
        if ensemble.outcome.n_scores == 1:
            head += ": order rows by their score, or choose another threshold"
    rows: list[tuple[str, ...]] = [("feature", "share of the spread"), *_in_order(ensemble)]
    if ensemble.form == "curves":
        rows = [("feature", "share of the spread", "lowest at", "highest at", "noise"), *_curves_in_order(ensemble)]
        return "\n".join([head, text_table(rows), on_noise(ensemble.curves())])
    pairs = _clear_pairs(ensemble)
    return "\n".join([head, text_table(rows), *([text_table(pairs)] if pairs else [])])


def _reading(ensemble: Any) -> str:
    """How scores are read."""
    if ensemble.outcome.n_scores > 1:
        return f"a score for each of {len(ensemble.classes)} classes, of which the highest one is predicted"
    if ensemble.domain.target is not None:
        target, (low, high) = ensemble.domain.target, ends_of(ensemble.domain)
        return (
            f"they add up to {target.name} in {target.unit or 'its unit'}, from {low:.6g} to {high:.6g}, with the "
            f"intercept {ensemble.intercept:.6g}"
        )
    first, second = map(str, ensemble.classes)
    return f"a score above {ensemble.threshold:.3g} is {second}, else {first}; intercept {ensemble.intercept:+.2f}"


def _numbers_of_questions(ensemble: Any) -> str:
    return " or ".join(map(str, sorted({len(questions) for questions, _ in ensemble.model.trees})))


def _clear_pairs(ensemble: Any) -> list[tuple[str, ...]]:
    """The pairs that stand out of their noise, the clearest first; with a line of names, if there are any."""
    clear = [one for one in ensemble.interactions() if one.stands_out][:MAX_PAIRS]
    rows = [(" × ".join(i.features), f"{i.strength:.3f}", f"{i.noise:.3f}", str(i.n_trees)) for i in clear]
    return [("together", "size", "by noise alone", "trees"), *rows] if clear else []


def _in_order(ensemble: Any) -> list[tuple[str, str]]:
    named = zip(ensemble.strengths(), (feature.name for feature in ensemble.domain.features), strict=True)
    return [(name, f"{share:.0%}") for share, name in sorted(named, key=lambda pair: -pair[0])]


def _curves_in_order(ensemble: Any) -> list[tuple[str, ...]]:
    found = ensemble.curves()
    return [
        (" → ".join(filter(None, (curve.called, curve.of))), share, *curve.ends())
        for name, share in _in_order(ensemble)
        for curve in found
        if curve.name == name
    ]


def html_of(ensemble: Any) -> str:
    """For curves their drawing, the strongest first; else the tables."""
    if ensemble.form == "curves":
        strengths, found, k = ensemble.strengths(), ensemble.curves(), ensemble.outcome.n_scores
        order = sorted(range(len(strengths)), key=lambda j: -strengths[j])[: max(1, MAX_DRAWN // k)]
        return "".join(
            drawn([found[k * j + i] for j in order], towards, intercept)
            for i, (towards, intercept) in enumerate(_towards(ensemble))
        )
    caption = text_of(ensemble).partition("\n")[0]
    table = html_table(("feature", "share of the spread"), _in_order(ensemble), caption=caption)
    names, *pairs = _clear_pairs(ensemble) or [()]
    return table + (html_table(names, pairs, caption="Features that act together") if pairs else "")


def _towards(ensemble: Any) -> list[tuple[tuple[str, str], float]]:
    """For each score what it speaks for, below 0 and above, and its intercept."""
    if (target := ensemble.domain.target) is not None:
        unit = f" ({target.unit})" if target.unit else ""
        return [((f"less {target.name}{unit}", f"more {target.name}{unit}"), ensemble.intercept)]
    if ensemble.outcome.n_scores == 1:
        first, second = map(str, ensemble.classes)
        return [((first, second), ensemble.intercept)]
    return [(("other classes", str(one)), i) for one, i in zip(ensemble.classes, ensemble.intercept, strict=True)]
