"""What boosting releases: a score for each row, which many small trees add up to, with the accounting of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fdpedu import files
from fdpedu.accounting import Cost, Derivation
from fdpedu.boosting.course import Course, Round
from fdpedu.boosting.course_again import begun_outcome, course_of, noise_of_rounds, threshold_of
from fdpedu.boosting.curves import Curve, curves_of, weight_variance
from fdpedu.boosting.ensemble_file import from_document, to_document
from fdpedu.boosting.ensemble_text import html_of, text_of
from fdpedu.boosting.first_rule import Batch, FirstRules, class_counts, class_weights, marginals_of, step_variances
from fdpedu.boosting.interactions import Interaction, Step, interactions_of
from fdpedu.boosting.marginals import Marginals
from fdpedu.boosting.monotone import Fitted, bins_of, fits_of, require_monotone, units_of, with_fits
from fdpedu.boosting.orders import Floats, leaf_shares
from fdpedu.boosting.outcome import AnyModel, Outcome
from fdpedu.boosting.outcomes import Number, ends_of, require_two
from fdpedu.boosting.rules import CLIP, STEPS, Rules
from fdpedu.boosting.shares import number_of_rows
from fdpedu.boosting.steps import coverage
from fdpedu.derivation_checker import Guarantee
from fdpedu.domain import Codes, Domain, require_classes
from fdpedu.domain.columns import as_cells
from fdpedu.exact import Integers, Rational, as_fraction
from fdpedu.exact.foreign import require_one_order
from fdpedu.gradients import UNIT, AdditiveModel, KnownSums, TreeShapes
from fdpedu.gradients.additive import MAX_WEIGHT, SIXTEENTHS

RARE = 0.4  # a class of a smaller part of an equal share of the rows


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Boosted trees. Predictions are functions of the released model and of a row, so they cost nothing.

    Parameters
    ----------
    domain : what is public
    model : trees with weights, intercept, scale
    rules : what was fixed before the first release
    batches : the rounds, with what each released
    intercepts : of the model, when it was first and when it was last asked for its intercept, in units of 1/4096; of
        an unfinished one as many of both as were answered
    pairs : what was released then, pulls and curvatures of all rows; none of the first rule
    histograms : as released, from which questions and leaves' shares were made
    derivation : what it has cost, and why
    paid_in : the numbers of the rounds in which it was paid, among all that the derivation has; empty in older files,
        whose derivation has an ensemble for itself
    n_parties, tolerate : how many there were, and how many the noise withstands
    start : what was released of where scores begin; of two classes nothing is, or their counts for a threshold
    monotone : the curves of one direction, fitted to what was released
    """

    domain: Domain
    model: AnyModel
    rules: Rules | FirstRules = field(kw_only=True)
    batches: tuple[Round, ...] | tuple[Batch, ...] = field(kw_only=True)
    intercepts: tuple[int, ...] = field(kw_only=True)
    pairs: tuple[tuple[int, int], ...] = field(kw_only=True)
    histograms: Integers = field(kw_only=True)
    derivation: Derivation = field(kw_only=True)
    paid_in: tuple[int, ...] = field(kw_only=True)
    n_parties: int = field(kw_only=True)
    tolerate: int = field(kw_only=True)
    start: tuple[int, ...] = field(kw_only=True, default=())
    monotone: tuple[Fitted, ...] = field(kw_only=True, default=())

    @property
    def classes(self) -> tuple[Any, ...]:
        return self.domain.classes

    @cached_property
    def outcome(self) -> Outcome:
        """What it has learnt."""
        return begun_outcome(vars(self))

    @property
    def form(self) -> str:
        """``"trees"`` or ``"curves"``."""
        return self.rules.form

    @property
    def guarantee(self) -> Guarantee:
        """What the derivation proves, of all that its budget pays for."""
        return self.derivation.guarantee

    @property
    def rounds(self) -> int:
        """The number of federated rounds."""
        return len(self.paid_in) or self.rules.rounds + 3  # of older files

    @property
    def unfinished(self) -> bool:
        """Whether its growth failed after something was paid: it has the rounds that were whole, fewer than planned."""
        return len(self.batches) < self.rules.rounds or len(self.intercepts) < self.outcome.ends

    @property
    def cost(self) -> Cost:
        """The most that a record has paid for this ensemble, whatever else its budget has paid for."""
        return self.derivation.cost_of(self.paid_in)

    @cached_property
    def scorer(self) -> AnyModel:
        """The model by which rows are scored: the released one, but for the curves of one direction."""
        if not self.monotone or not isinstance(self.model, AdditiveModel):
            return self.model
        return with_fits(self.model, self.monotone)

    @cached_property
    def _own_threshold(self) -> int:
        return threshold_of(vars(self))

    @property
    def threshold(self) -> float:
        """The score above which the second of two classes is predicted: 0, or of ``"counted"`` what its counts say."""
        return self._own_threshold / UNIT

    def deciding(self, threshold: Rational | None = None) -> AnyModel:
        """The scorer as a question carries it: of two classes it has the threshold in its intercept."""
        scorer, units = self.scorer, self._threshold_units(threshold)
        if not units or not isinstance(scorer, AdditiveModel):
            return scorer
        if abs(scorer.intercept - units) > MAX_WEIGHT:
            least, most = ((scorer.intercept + end) / UNIT for end in (-MAX_WEIGHT, MAX_WEIGHT))
            raise ValueError(
                f"threshold must be from {least:.6g} to {most:.6g}, as a question of this model carries it"
            )
        return AdditiveModel(scorer.trees, scorer.intercept - units, scorer.scale)

    def with_monotone(self, monotone: Mapping[str, int] | None) -> Ensemble:
        """The same ensemble, in which the curves of these features may only rise, or only fall: fitted to the released.

        It is post-processing and costs nothing, so it may be decided on after one has seen the curves. By the names of
        numeric features +1 or −1; None for all curves as they were released. A ``ValueError`` where a feature has no
        order, or the ensemble no curves, or several scores.

        Claims: lem-monotone
        """
        found = require_monotone(monotone, self.domain, self.rules)
        return replace(self, monotone=fits_of(self.domain, self.model, self.marginals, found))

    def decision_function(self, X: Any) -> Floats:
        """The score of each row: above ``threshold`` for the domain's second class. Of several classes one for each.

        Of a target it is where the prediction lies, from the low end of the range on, in units of the released spread.
        """
        return self._scores(X) / UNIT

    def _scores(self, X: Any) -> Integers:
        columns = self._columns(X)
        return self.scorer.scores(columns, np.arange(columns.shape[1], dtype=np.int64))

    def predict(self, X: Any, threshold: Rational | None = None) -> NDArray[Any]:
        """The class of each row; of a target its number, a float within the range.

        Parameters
        ----------
        X : rows
        threshold : of two classes, the score above which the second one is predicted; the ensemble's own unless given.
            A lower one finds more rows of a rare second class, and is wrong more often
        """
        return self.outcome.answers(self._scores(X) - self._threshold_units(threshold), self.domain)

    def _threshold_units(self, threshold: Rational | None) -> int:
        """A threshold as predictions take it; unless one is given, the ensemble's own."""
        if threshold is None:
            return self._own_threshold
        require_two(self.domain)
        # scores are whole units, so what is above a threshold is above the unit below it
        return min(2**40, max(-(2**40), math.floor(as_fraction(threshold, "threshold") * UNIT)))

    def predict_proba(self, X: Any) -> Floats:
        """A share for each class, in the order of the domain: shape (n, K). A convention.

        Of two classes it is 1/(1 + e^{−score}) for the second, of several e^{score} divided by the sum of all. The
        clipped loss is calibrated for classes and not for probabilities.
        """
        require_classes(self.domain, "predict_proba", "what is predicted of it are numbers")
        return self.outcome.probabilities(self._scores(X))

    def score(self, X: Any, y: Any) -> float:
        """The share of rows whose predicted class is theirs: exact, so for public rows, or for your own eyes."""
        require_classes(self.domain, "score", "take noisy_score, or R² of what predict gives")
        require_one_order(X, y, "y")
        predicted, labels = self.outcome.predicted(self._scores(X) - self._own_threshold), as_cells(y, "y")
        if len(predicted) != len(labels) or not len(labels):
            raise ValueError(f"X and y must have as many rows, at least 1; got {len(predicted)} and {len(labels)}")
        return float(np.mean(predicted == self.domain.encode_labels(labels, "y")))

    def staged(self, X: Any) -> Iterator[Floats]:
        """The scores after each round of trees, as released and before the model was enlarged; then the last ones."""
        columns = self._columns(X)
        rows, known = np.arange(columns.shape[1], dtype=np.int64), KnownSums(columns)
        for model in [*list(self.staged_models())[1:], self._last_of_rounds()]:
            yield known.of(model) / UNIT
        yield self.scorer.scores(columns, rows) / UNIT

    def staged_models(self) -> Iterator[AnyModel]:
        """The model before each round of trees: what its question has carried."""
        end, model = 0, self.outcome.first(self.rules.nominal_size)
        for batch in self.batches:
            yield model
            end += batch.n_trees
            model = self.outcome.model(self.model.trees[:end], batch.intercept)

    def _last_of_rounds(self) -> AnyModel:
        return self.outcome.model(self.model.trees, self.batches[-1].intercept)

    @property
    def rule(self) -> str:
        """Which rule made it: ``"first"``, of older files, or ``"second"``."""
        return "first" if isinstance(self.rules, FirstRules) else "second"

    @cached_property
    def course(self) -> Course:
        """Where the rounds began: what follows from the released histograms; not of the first rule."""
        if isinstance(self.rules, FirstRules):
            raise ValueError("this ensemble was made by the first rule, whose rounds were not kept")
        return course_of(vars(self))

    @cached_property
    def marginals(self) -> Marginals:
        """What the released histograms say of each feature."""
        return marginals_of(self.domain, self.histograms) if self.rule == "first" else self.course.marginals

    @property
    def _unit(self) -> float:
        """What a score of 1 is: of a target how much in its own unit."""
        return self.outcome.per_score(self.domain) if isinstance(self.outcome, Number) else 1.0

    def curves(self) -> tuple[Curve, ...]:
        """What each feature adds to the score, with a band of its noise; they add up to it, with ``intercept``.

        Of a target they and ``intercept`` are in its own unit, and add up to the prediction before it is clipped.

        Of several classes each feature has a curve for each class, named by its attribute ``of``.

        Raises
        ------
        ValueError
            If the ensemble is of the form ``"trees"``, whose trees ask about several features at once.
        """
        if self.form != "curves":
            raise ValueError(f"curves are of an ensemble of form 'curves', and this one is of form {self.form!r}")
        found = list(curves_of(self.domain, self.model, self._weight_variances(), unit=self._unit))
        for fit in self.monotone:
            assert isinstance(self.model, AdditiveModel)
            units = units_of(self.marginals, fit.feature)[: bins_of(self.domain, fit.feature)]
            found[fit.feature] = found[fit.feature].fitted(fit, self._unit * self.model.scale / SIXTEENTHS, units)
        return tuple(found)

    def _weight_variances(self) -> Iterator[Floats]:
        """Tree by tree the variances of its weights by noise, score by score, with each round's step and curvature."""
        if isinstance(self.rules, FirstRules):
            rows = class_weights(self.domain, self.histograms, self.rules)[2]
            asked = [questions for questions, _ in self.model.trees]
            steps = step_variances(self.rules, self.marginals, asked, rows, self.noise / STEPS)
            for questions, variance in zip(asked, steps, strict=True):
                yield weight_variance(self.marginals.leaf_shares(questions), variance)[None]
            return
        for batch, step in self._steps():
            asked_often = coverage(step.sides.shape[1], len(step.trees), self.domain.n_features).features
            factor = batch.step / UNIT / self.rules.rounds / asked_often
            each = zip(leaf_shares(step.sides), step.variances, strict=True)
            found = np.array([factor**2 * weight_variance(share, variance) for share, variance in each])
            yield from found.reshape(len(step.trees), -1, found.shape[1])

    def _steps(self) -> Iterator[tuple[Round, Step]]:
        """What each round's trees have said, by its released sums."""
        end = 0
        for batch in self.batches:
            begin, end = end, end + batch.n_trees
            trees = TreeShapes(tuple(questions for questions, _ in self.model.trees[begin:end]))
            assert isinstance(batch, Round)
            yield batch, self.course.step_of(trees, batch.sums, batch.curvature)

    def interactions(self) -> tuple[Interaction, ...]:
        """For each pair of features what trees that hold both say beyond either, with its noise; the clearest first.

        None of curves, and none of the first rule, of which no sums were kept.
        """
        if self.form == "curves" or isinstance(self.rules, FirstRules):
            return ()
        watched = [step for _, step in list(self._steps())[self.rules.watched_from :]]
        return interactions_of(tuple(feature.name for feature in self.domain.features), watched)

    @property
    def noise(self) -> float:
        """The standard deviation of the noise in each sum of pulls that was released, in steps of 1/64."""
        return noise_of_rounds(vars(self))

    @property
    def intercept(self) -> Any:
        """What is added to all scores: a number, or of several classes one for each, as a tuple."""
        if isinstance(self.model, AdditiveModel):
            low = 0.0 if self.domain.target is None else ends_of(self.domain)[0]
            return low + self.model.intercept / UNIT * self._unit
        return tuple(one / UNIT for one in self.model.intercepts)

    @property
    def rarer(self) -> tuple[str, float] | None:
        """The rarest class and about what share of the rows it has, by the released counts.

        None where this is at least 2/5 of an equal share: of two classes a fifth of the rows. A rarer one is predicted
        seldom or never.
        """
        if self.domain.target is not None:
            return None
        counts = [max(0.0, one) for one in self._class_counts()]
        least = counts.index(min(counts))
        share = counts[least] / sum(counts) if sum(counts) else 1.0
        return (str(self.classes[least]), share) if share < RARE / len(counts) else None

    def _class_counts(self) -> tuple[float, ...]:
        """About how many rows each class has: at the score 0 every row pulls with 1/2, to the side of its class."""
        if self.start:
            return tuple(map(float, self.start))
        if isinstance(self.rules, FirstRules):
            return class_counts(self.domain, self.histograms)
        first = self.batches[0]
        assert isinstance(first, Round)
        total = number_of_rows(self.domain, self.histograms, self.rules.groups)
        more = float(first.sums.sum(axis=1).mean()) / CLIP  # rows of the first class than of the second
        return (total + more) / 2, (total - more) / 2

    def strengths(self) -> tuple[float, ...]:
        """For each feature how much trees that ask about it move the score, as shares that add up to 1.

        It is the variance of each tree over rows of the released histograms, divided among its questions.
        """
        found, k = np.zeros(self.domain.n_features), self.outcome.n_scores
        for questions, weights in self.model.trees:
            share, w = self.marginals.leaf_shares(questions), np.array(weights).reshape(-1, k) / UNIT
            variance = float((share @ w**2 - (share @ w) ** 2).sum())
            for feature, _ in questions:
                found[feature] += variance / len(questions)
        return tuple((found / found.sum() if found.any() else found).tolist())

    def to_text(self) -> str:
        """What it is made of, and how much each feature moves the score."""
        return text_of(self)

    def _repr_html_(self) -> str:
        """For curves their drawing, the strongest first; else the tables."""
        return html_of(self)

    def __repr__(self) -> str:
        return f"Ensemble({len(self.model.trees)} trees, form {self.form!r}, {self.derivation.guarantee.promise})"

    def to_json(self, indent: int | None = 1) -> str:
        """The ensemble as a document: its trees, its domain and its derivation; nothing that was not released."""
        return to_document(vars(self), indent)

    @classmethod
    def from_json(cls, text: str, where: str = "the text") -> Ensemble:
        """The ensemble of a document.

        Raises
        ------
        FileRefused
            If it was changed, the checker refuses its derivation, or its trees are not those that were asked about.
        """
        return cls(**from_document(text, where))

    def save(self, path: files.Location, *, overwrite: bool = False) -> None:
        """Write it to a file (the form is on the book's page of file formats)."""
        files.write_text(path, self.to_json(), overwrite=overwrite)

    @classmethod
    def load(cls, path: files.Location) -> Ensemble:
        """The ensemble of a file; refused as by :meth:`from_json`."""
        return cls.from_json(files.read_text(path), str(path))

    def _columns(self, X: Any) -> Codes:
        return np.ascontiguousarray(self.domain.encode(X, "X").T)
