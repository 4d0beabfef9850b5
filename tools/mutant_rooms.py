"""The rooms whose tests are tried on changed code by `tools/mutants.py`, each with its fast tests."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Room:
    """Its code, and its fast tests: at most 20 CPU seconds, of one file or more, without those named in ``but``.

    Left out is what reads the source of functions, counts their frames or replaces their bytecode: mutmut wraps them.
    """

    code: tuple[str, ...]
    tests: tuple[str, ...]
    but: tuple[str, ...] = ()


SIGNATURES = "tests/rooms/test_enclosures.py::test_every_function_that_returns_an_enclosure_is_here"
ROOMS = {
    "exact": Room(
        ("fdpedu/exact",),
        (
            "tests/rooms/test_exact.py",
            "tests/rooms/test_exact_ends.py",
            "tests/rooms/test_refusals.py",
            "tests/rooms/test_reading.py",
        ),
    ),
    "randomness": Room(
        ("fdpedu/randomness.py",),
        ("tests/rooms/test_randomness.py", "tests/rooms/test_randomness_words.py", "tests/rooms/test_refusals.py"),
        but=("tests/rooms/test_randomness_words.py::test_the_warning_points_at_the_line_that_asked_for_a_release",),
    ),
    "domain": Room(
        ("fdpedu/domain",),
        (
            "tests/rooms/test_domain.py",
            "tests/rooms/test_domain_laws.py",
            "tests/rooms/test_spec.py",
            "tests/rooms/test_csv.py",
            "tests/rooms/test_tables.py",
            "tests/rooms/test_tables_cells.py",
            "tests/rooms/test_tables_told.py",
            "tests/rooms/test_domain_told.py",
            "tests/rooms/test_csv_told.py",
            "tests/rooms/test_columns_read.py",
            "tests/rooms/test_refusals.py",
        ),
        but=("tests/rooms/test_tables_cells.py::test_odd_cells_are_read_right_or_refused_by_their_place",),
    ),
    "federation": Room(
        (
            "fdpedu/federation/endpoint.py",
            "fdpedu/federation/federation.py",
            "fdpedu/federation/fields.py",
            "fdpedu/federation/limits.py",
            "fdpedu/federation/manifest.py",
            "fdpedu/federation/messages.py",
            "fdpedu/federation/queries.py",
            "fdpedu/federation/records.py",
            "fdpedu/federation/session.py",
            "fdpedu/federation/stages.py",
            "fdpedu/federation/transcript.py",
            "fdpedu/federation/transport.py",
        ),
        (
            "tests/secure_sum/test_limits_told.py",
            "tests/secure_sum/test_messages_told.py",
            "tests/secure_sum/test_transport_told.py",
            "tests/secure_sum/test_transcript_told.py",
            "tests/secure_sum/test_stages_told.py",
            "tests/secure_sum/test_queries_told.py",
            "tests/secure_sum/test_answers_told.py",
            "tests/secure_sum/test_refusals_told.py",
            "tests/secure_sum/test_party_stages_told.py",
            "tests/secure_sum/test_session_told.py",
            "tests/secure_sum/test_release_told.py",
            "tests/secure_sum/test_federation_told.py",
            "tests/secure_sum/test_party_ledgers.py",
            "tests/secure_sum/test_federation_borders.py",
            "tests/secure_sum/test_federation_believes_nobody.py",
            "tests/rooms/test_federation.py",
            "tests/rooms/test_federation_records.py",
            "tests/rooms/test_closed_sets.py",
        ),
        but=(  # their sources and ledgers belong to one process
            "tests/rooms/test_federation.py::test_seeded_noise_is_said_aloud",
            "tests/rooms/test_closed_sets.py::test_the_thing_itself_is_admitted",
        ),
    ),
    "federation-tables": Room(
        ("fdpedu/federation/frames.py", "fdpedu/federation/party.py"),
        (
            "tests/rooms/test_party_told.py",
            "tests/rooms/test_sites_told.py",
            "tests/rooms/test_frames.py",
            "tests/rooms/test_csv.py",
            "tests/rooms/test_tables.py",
            "tests/rooms/test_closed_sets.py",
            "tests/rooms/test_federation.py",
        ),
        but=(
            "tests/rooms/test_federation.py::test_seeded_noise_is_said_aloud",
            "tests/rooms/test_closed_sets.py::test_the_thing_itself_is_admitted",
        ),
    ),
    "derivation_checker": Room(
        ("fdpedu/derivation_checker.py",),
        (
            "tests/accounting/test_checker_words.py",
            "tests/accounting/test_checker_limits.py",
            "tests/accounting/test_checker.py",
            "tests/accounting/test_mutations.py",
        ),
        but=("tests/accounting/test_checker.py::test_it_imports_nothing_of_the_package",),
    ),
    "sampling": Room(
        ("fdpedu/sampling",),
        (
            "tests/rooms/test_sampling.py",
            "tests/rooms/test_sampling_blocks.py",
            "tests/rooms/test_law_digits.py",
            "tests/rooms/test_sampling_margins.py",
            "tests/rooms/test_enclosures.py",
        ),
        but=(SIGNATURES,),
    ),
    "mechanisms": Room(
        ("fdpedu/mechanisms",),
        (
            "tests/mechanisms/test_refusals.py",
            "tests/mechanisms/test_formulas.py",
            "tests/mechanisms/test_counts.py",
            "tests/mechanisms/test_choices.py",
            "tests/mechanisms/test_selection.py",
            "tests/mechanisms/test_reals.py",
            "tests/mechanisms/test_response.py",
            "tests/mechanisms/test_joint.py",
            "tests/mechanisms/test_edges.py",
            "tests/mechanisms/test_last_places.py",
            "tests/mechanisms/test_words_taken.py",
            "tests/mechanisms/test_float_bounds.py",
            "tests/mechanisms/test_far_tails.py",
            "tests/mechanisms/test_draws_in_parts.py",
            "tests/mechanisms/test_utilities_read.py",
            "tests/mechanisms/test_many_digits.py",
            "tests/rooms/test_enclosures.py",
        ),
        but=(
            SIGNATURES,
            "tests/mechanisms/test_edges.py::test_odd_input_gives_an_answer_or_a_value_error",
            "tests/mechanisms/test_counts.py::test_frequencies",
            "tests/mechanisms/test_choices.py::test_frequencies_of_choices",
            "tests/mechanisms/test_reals.py::test_discrete_gaussian_from_replayed_bits[2]",
            "tests/mechanisms/test_reals.py::test_discrete_gaussian_from_replayed_bits[1/20]",
        ),
    ),
    "accounting": Room(
        (
            "fdpedu/accounting/composition.py",
            "fdpedu/accounting/concentrated.py",
            "fdpedu/accounting/lattice.py",
            "fdpedu/accounting/limits.py",
            "fdpedu/accounting/loss.py",
            "fdpedu/accounting/normal.py",
            "fdpedu/accounting/parameters.py",
            "fdpedu/accounting/region_tree.py",
            "fdpedu/accounting/renyi.py",
            "fdpedu/accounting/size.py",
            "fdpedu/accounting/worked",
        ),
        (
            "tests/accounting/test_refusals.py",
            "tests/accounting/test_grids.py",
            "tests/accounting/test_region_trees.py",
            "tests/accounting/test_refused_first.py",
            "tests/accounting/test_accounting.py",
            "tests/accounting/test_beyond.py",
            "tests/accounting/test_derivations.py",
            "tests/accounting/test_windows.py",
            "tests/accounting/test_tables_kept.py",
            "tests/rooms/test_enclosures.py",
        ),
        but=(
            SIGNATURES,
            "tests/accounting/test_beyond.py::test_the_tight_conversion_is_the_best_order",
            "tests/accounting/test_derivations.py::test_the_command_line_checks_completeness",
        ),
    ),
    "secure_sum": Room(
        ("fdpedu/secure_sum",),
        (
            "tests/secure_sum/test_secure_sum.py",
            "tests/secure_sum/test_known_answers.py",
            "tests/secure_sum/test_masks_machine.py",
            "tests/secure_sum/test_views.py",
            "tests/secure_sum/test_identity.py",
            "tests/secure_sum/test_shares.py",
            "tests/secure_sum/test_dropouts.py",
            "tests/secure_sum/test_dropouts_refusals.py",
            "tests/secure_sum/test_neighbours.py",
            "tests/secure_sum/test_refusals.py",
            "tests/secure_sum/test_limits.py",
            "tests/secure_sum/test_borders.py",
            "tests/secure_sum/test_forms_read.py",
            "tests/secure_sum/test_collector_alone.py",
            "tests/secure_sum/test_graphs_told.py",
        ),
    ),
    "histograms": Room(
        tuple(f"fdpedu/histograms/{file}.py" for file in "consistency parents rounding".split()),
        ("tests/histograms/test_consistency.py",),
    ),
    "dlpa-delta": Room(
        ("fdpedu/dlpa/poisson.py", "fdpedu/dlpa/skellam.py", "fdpedu/dlpa/small_delta.py"),
        (
            "tests/dlpa/test_poisson_bounds.py",
            "tests/dlpa/test_enclosures.py",
            "tests/dlpa/test_small_delta.py",
            "tests/dlpa/test_share_borders.py",
            "tests/dlpa/test_skellam_bounds.py",
            "tests/dlpa/test_losses_enclosed.py",
            "tests/dlpa/test_skellam_tables.py",
            "tests/dlpa/test_small_delta_told.py",
        ),
    ),
    "dlpa-real": Room(
        (
            "fdpedu/dlpa/cheating.py",
            "fdpedu/dlpa/gamma.py",
            "fdpedu/dlpa/lattice.py",
            "fdpedu/dlpa/real_noise.py",
        ),
        (
            "tests/dlpa/test_real_values.py",
            "tests/dlpa/test_cheating.py",
            "tests/dlpa/test_share_borders.py",
            "tests/dlpa/test_real_values_ends.py",
        ),
    ),
    "dlpa": Room(
        (
            "fdpedu/dlpa/guarantee.py",
            "fdpedu/dlpa/insiders.py",
            "fdpedu/dlpa/remainder.py",
            "fdpedu/dlpa/series.py",
            "fdpedu/dlpa/shares.py",
        ),
        (
            "tests/dlpa/test_shares_told.py",
            "tests/dlpa/test_losses_enclosed.py",
            "tests/dlpa/test_insiders.py",
            "tests/dlpa/test_insiders_delta.py",
            "tests/dlpa/test_guarantee.py",
            "tests/dlpa/test_dlpa.py",
            "tests/dlpa/test_joint.py",
            "tests/dlpa/test_series_ends.py",
            "tests/dlpa/test_shares_by_cycles.py",
        ),
        but=(
            "tests/dlpa/test_dlpa.py::test_frequencies_of_one_number",
            "tests/dlpa/test_dlpa.py::test_moments_of_one_number",
            "tests/dlpa/test_guarantee.py::test_the_demo_states_what_holds_for_every_tree",
        ),
    ),
    "histograms-impurity": Room(
        tuple(
            f"fdpedu/histograms/{file}.py"
            for file in "cells clipping impurity membership printed release selection split".split()
        ),
        (
            "tests/histograms/test_cells.py",
            "tests/histograms/test_lemma.py",
            "tests/histograms/test_impurity.py",
            "tests/histograms/test_impurity_borders.py",
            "tests/histograms/test_selection.py",
            "tests/histograms/test_histograms.py",
            "tests/histograms/test_attacked.py",
        ),
    ),
    "histograms-edges": Room(
        ("fdpedu/histograms/edges.py",), ("tests/histograms/test_edges.py", "tests/histograms/test_attacked.py")
    ),
    "histograms-joint": Room(
        ("fdpedu/histograms/joint.py",),
        ("tests/histograms/test_edges_joint.py", "tests/histograms/test_edges_enclosed.py"),
    ),
    "histograms-together": Room(
        ("fdpedu/histograms/together.py",),
        ("tests/histograms/test_edges_account.py", "tests/histograms/test_attacked.py"),
    ),
    "trees": Room(
        (
            "fdpedu/trees/budgets.py",
            "fdpedu/trees/costs.py",
            "fdpedu/trees/counts.py",
            "fdpedu/trees/design.py",
            "fdpedu/trees/grow.py",
            "fdpedu/trees/growing.py",
            "fdpedu/trees/printed.py",
            "fdpedu/trees/pruning.py",
            "fdpedu/trees/regions.py",
            "fdpedu/trees/stopping.py",
            "fdpedu/trees/subset.py",
        ),
        (
            "tests/trees/test_design.py",
            "tests/trees/test_pruning.py",
            "tests/trees/test_stopping.py",
            "tests/trees/test_subset.py",
            "tests/trees/test_reuse.py",
            "tests/trees/test_printed.py",
            "tests/trees/test_attacked.py",
            "tests/trees/test_counts.py",
            "tests/trees/test_trees.py",
        ),
    ),
    "trees-file": Room(
        ("fdpedu/trees/tree.py", "fdpedu/trees/tree_file.py", "fdpedu/trees/tree_paid.py"),
        ("tests/trees/test_tree_file.py", "tests/trees/test_attacked.py"),
    ),
    "trees-law": Room(
        ("fdpedu/trees/clamped_tables.py", "fdpedu/trees/exact_law.py", "fdpedu/trees/recursive.py"),
        ("tests/trees/test_exact_law.py", "tests/trees/test_recursive.py"),
    ),
    "trees-intervals": Room(
        ("fdpedu/trees/intervals.py", "fdpedu/trees/leaf_release.py", "fdpedu/trees/noise_law.py"),
        ("tests/trees/test_intervals.py",),
    ),
}
