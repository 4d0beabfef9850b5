"""What the modules offer: what only carries results, and what is called from within, with what modules have read."""

from fdpedu.sources import DOCUMENTS

MODULES = (
    "exact domain accounting secure_sum dlpa mechanisms privacy gradients federation carriers histograms trees bounds"
    " cart datasets boosting robust structures estimators simulation audit experiments teaching"
).split() + [f"sources.{document}" for document in DOCUMENTS]
RECORDS = {
    "carriers.CarryingRefused",
    *(f"dlpa.{name}" for name in "GaussianNoise NoiseNeeded TreeGuarantee ZeroCellsTest".split()),
    *("domain.Codes", "domain.Rows", "domain.ColumnReport", "domain.TableReport"),
    *("dlpa.TreeGuarantee", "estimators.ClassWithoutRowsWarning", "estimators.FittedAgainWarning"),
    *("estimators.NoisyFit", "estimators.NoisyScore", "estimators.SearchCost", "estimators.SharedBudgetWarning"),
    *(
        "federation.Asker",
        "federation.ClippedWarning",
        "federation.Manifest",
        "federation.Member",
        "federation.Refused",
        "federation.Transport",
    ),
    *("federation.Transcript", "trees.LargeDeltaWarning", "trees.NominalSizeWarning"),
    *(f"histograms.{name}" for name in "BestSplitChance MembershipTest".split()),
    *(
        "accounting.Amount",
        "accounting.BudgetExceeded",
        "accounting.Derivation",
        "accounting.Guarantee",
        "cart.Candidate",
        "cart.CodeSplit",
    ),
    *("cart.Node", "cart.ThresholdSplit", "cart.Tree", "datasets.DataSet", "datasets.Patients", "datasets.Split"),
    *("exact.Enclosure", "exact.Integers", "federation.Message", "federation.Query", "mechanisms.CountInterval"),
    *(f"secure_sum.{name}" for name in "Announcement Asked Binding Box Consent Hello Masked Occasion".split()),
    *(f"secure_sum.{name}" for name in "Replacement Reveal RoundLost Share SharingRisk Traffic".split()),
    *(f"sources.maddock.{name}" for name in "Counts FrameworkTable Model Queries".split()),
    *(f"boosting.{name}" for name in "Course Curve Ensemble Interaction Marginals Round Rules".split()),
    *("robust.Certificate", "robust.PartitionEnsemble", "sources.vos.PrintedGuarantee"),
    *(f"structures.{name}" for name in "Generation PersonalTree Structures".split()),
    *(f"sources.fedga.{name}" for name in "FedGA Leakage LocalNode LocalTree Message Seen Sizes Votes".split()),
    *(f"sources.elzein.{name}" for name in "Ballot Message Selection SharedTree Traffic".split()),
    *("gradients.AdditiveModel", "gradients.KnownSums", "gradients.TreeShapes", "gradients.VectorModel"),
    *("simulation.Result", "simulation.Task"),
    *("audit.Audit", "audit.Raised"),
    *(f"teaching.{name}" for name in "ClassMarks ExerciseSet Item Mark Option Question StudentMarks".split()),
    *("experiments.Comparison", "experiments.Gap", "experiments.Results"),
    *(f"sources.gubler.{name}" for name in "AsPrinted Outcome PrintedChoice Sample".split()),
    *(f"bounds.{name}" for name in "Block ImpurityGap NodeSaving SavingTree Savings".split()),
    *(
        "privacy.EnclosedLaw",
        "privacy.Law",
        "privacy.Sensitivity",
        "privacy.Verdict",
        "trees.Design",
        "trees.LeafBudget",
        "trees.CountInterval",
        "trees.ShareInterval",
        "trees.Tree",
        "recommending.Recommendation",
        "sources.vos.PrintedPrice",
    ),
}
INNER = {
    *("carriers.Carrying", "carriers.write_at_server", "carriers.write_at_site"),  # with FLARE's kits: tests/carriers
    *("sources.maddock.leaf_weight", "sources.maddock.split_score"),
    *("accounting.LossDistribution", "dlpa.negative_binomial", "dlpa.negative_binomial_by_cycles", "dlpa.polya_share"),
    *("dlpa.gaussian_share", "accounting.Budget"),
    *("exact.ceil_div", "exact.ceil_shift", "exact.exp_enclosure", "exact.log_enclosure", "exact.shown"),
    *("exact.one_of", "exact.require_callable", "exact.require_type"),
    *("exact.as_indices", "exact.occurrences", "exact.sums_at"),
    *("mechanisms.discrete_laplace_noise", "secure_sum.Collector", "secure_sum.Curve", "secure_sum.Identity"),
    *("secure_sum.Masks", "secure_sum.Member", "secure_sum.Primitives", "secure_sum.key_for", "secure_sum.lift"),
    *("secure_sum.residues", "secure_sum.seat", "secure_sum.components", "secure_sum.neighbour_masks"),
    *("secure_sum.encode", "secure_sum.decode_sum", "secure_sum.exchange", "histograms.clip", "cart.grid_histograms"),
    *(f"gradients.{name}" for name in "curvatures intercept_shifts intercept_sums positions".split()),
    *(f"gradients.{name}" for name in "powers probabilities pull_sums pull_vectors pulls".split()),
    *("cart.federated_impurity", "sources.gubler.federated_impurity_as_printed"),
    *("federation.Journal", "federation.serve"),
    "sources.gubler.stops_as_printed",
}
