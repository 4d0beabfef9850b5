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


def named(form: str, names: str) -> tuple[str, ...]:
    """Files whose names differ in one word.

    >>> named("fdpedu/{}.py", "files demo")
    ('fdpedu/files.py', 'fdpedu/demo.py')
    """
    return tuple(map(form.format, names.split()))


ROOMS = {
    "exact": Room(
        ("fdpedu/exact",),
        named("tests/exact/test_{}.py", "enclosure rate reading integers rounding refusals"),
    ),
    "randomness": Room(
        ("fdpedu/randomness.py",),
        named("tests/randomness/test_{}.py", "randomness refusals"),
        but=("tests/randomness/test_randomness.py::test_the_warning_points_at_the_line_that_asked_for_a_release",),
    ),
    "domain": Room(
        ("fdpedu/domain",),
        (
            *named(
                "tests/rooms/test_{}.py",
                "domain domain_laws spec csv tables tables_cells tables_told domain_told csv_told columns_read "
                "region_told refusals",
            ),
        ),
        but=("tests/rooms/test_tables_cells.py::test_odd_cells_are_read_right_or_refused_by_their_place",),
    ),
    "files": Room(("fdpedu/files.py",), named("tests/rooms/test_{}.py", "files files_told")),
    "cart": Room(
        named("fdpedu/cart/{}.py", "federated grid grow impurity split tree"),
        (
            *named("tests/cart/test_{}.py", "cart grid cart_told grid_again tree_told uneven_counts"),
            "tests/trees/test_splits_compared.py",
            "tests/viz/test_tree_exports.py",
            *named("tests/rooms/test_{}.py", "tables_trees viz_trees"),
        ),
    ),
    "privacy": Room(
        ("fdpedu/privacy",), named("tests/privacy/test_{}.py", "privacy odd_input small privacy_told near_ties")
    ),
    "federation": Room(
        (
            *named(
                "fdpedu/federation/{}.py",
                "endpoint federation fields limits manifest messages queries records session stages transcript "
                "transport",
            ),
        ),
        (
            *named(
                "tests/secure_sum/test_{}.py",
                "limits_told messages_told transport_told transcript_told stages_told queries_told answers_told "
                "refusals_told party_stages_told session_told release_told federation_told party_ledgers "
                "federation_borders federation_believes_nobody node_bounds_told",
            ),
            *named("tests/rooms/test_{}.py", "federation federation_records closed_sets"),
            *named("tests/federation/test_{}.py", "records_by_difference queries_charged"),
        ),
        but=(  # their sources and ledgers belong to one process
            "tests/rooms/test_federation.py::test_seeded_noise_is_said_aloud",
            "tests/rooms/test_closed_sets.py::test_the_thing_itself_is_admitted",
        ),
    ),
    "federation-tables": Room(
        ("fdpedu/federation/frames.py", "fdpedu/federation/party.py"),
        (*named("tests/rooms/test_{}.py", "party_told sites_told frames csv tables closed_sets federation"),),
        but=(
            "tests/rooms/test_federation.py::test_seeded_noise_is_said_aloud",
            "tests/rooms/test_closed_sets.py::test_the_thing_itself_is_admitted",
        ),
    ),
    "derivation_checker": Room(
        ("fdpedu/derivation_checker.py",),
        named("tests/accounting/test_{}.py", "checker_words checker_limits checker mutations"),
        but=("tests/accounting/test_checker.py::test_it_imports_nothing_of_the_package",),
    ),
    "sampling": Room(
        ("fdpedu/sampling",),
        named("tests/sampling/test_{}.py", "alias blocks coins digits law polya_weights refusals"),
    ),
    "mechanisms": Room(
        ("fdpedu/mechanisms",),
        (
            *named(
                "tests/mechanisms/test_{}.py",
                "refusals formulas counts choices selection reals response joint edges last_places words_taken "
                "float_bounds float_ends_told far_tails draws_in_parts utilities_read many_digits",
            ),
            "tests/mechanisms/test_both_ends.py",
        ),
        but=(
            "tests/mechanisms/test_edges.py::test_odd_input_gives_an_answer_or_a_value_error",
            "tests/mechanisms/test_counts.py::test_frequencies",
            "tests/mechanisms/test_choices.py::test_frequencies_of_choices",
            "tests/mechanisms/test_reals.py::test_discrete_gaussian_from_replayed_bits[2]",
            "tests/mechanisms/test_reals.py::test_discrete_gaussian_from_replayed_bits[1/20]",
        ),
    ),
    "accounting": Room(
        (
            *named(
                "fdpedu/accounting/{}.py",
                "composition concentrated lattice limits loss normal parameters region_tree renyi size",
            ),
            "fdpedu/accounting/worked",
        ),
        (
            *named(
                "tests/accounting/test_{}.py",
                "refusals grids region_trees refused_first accounting beyond derivations windows tables_kept",
            ),
            "tests/accounting/test_both_ends.py",
        ),
        but=(
            "tests/accounting/test_beyond.py::test_the_tight_conversion_is_the_best_order",
            "tests/accounting/test_derivations.py::test_the_command_line_checks_completeness",
        ),
    ),
    "ledger": Room(
        named("fdpedu/accounting/{}.py", "booking budget_connection budget_file charge derivation ledger writing"),
        named(
            "tests/accounting/test_{}.py",
            "ledger accounting derivations refusals refused_first budget_file budget_file_faults budget_file_refused "
            "ledger_told derivation_told",
        ),
        but=(  # they count instructions, or start processes
            "tests/accounting/test_ledger.py::test_an_interrupt_at_any_instruction_loses_and_doubles_nothing",
            "tests/accounting/test_budget_file_faults.py::test_an_interrupt_leaves_the_file_and_the_ledger_agreed",
            "tests/accounting/test_budget_file_faults.py::test_a_process_killed_while_it_makes_the_file",
            "tests/accounting/test_derivations.py::test_the_command_line_checks_completeness",
        ),
    ),
    "secure_sum": Room(
        ("fdpedu/secure_sum",),
        (
            *named(
                "tests/secure_sum/test_{}.py",
                "secure_sum known_answers masks_machine views identity shares dropouts dropouts_refusals neighbours "
                "refusals limits borders forms_read collector_alone graphs_told rules_told",
            ),
        ),
    ),
    "histograms": Room(
        named("fdpedu/histograms/{}.py", "consistency parents rounding"),
        ("tests/histograms/test_consistency.py",),
    ),
    "dlpa-delta": Room(
        ("fdpedu/dlpa/poisson.py", "fdpedu/dlpa/skellam.py", "fdpedu/dlpa/small_delta.py"),
        (
            *named(
                "tests/dlpa/test_{}.py",
                "poisson_bounds enclosures small_delta share_borders skellam_bounds losses_enclosed skellam_tables "
                "small_delta_told",
            ),
        ),
    ),
    "dlpa-real": Room(
        named("fdpedu/dlpa/{}.py", "cheating gamma lattice real_noise"),
        named("tests/dlpa/test_{}.py", "real_values cheating share_borders real_values_ends"),
    ),
    "dlpa": Room(
        named("fdpedu/dlpa/{}.py", "guarantee insiders remainder series shares"),
        (
            *named(
                "tests/dlpa/test_{}.py",
                "shares_told losses_enclosed insiders insiders_delta guarantee dlpa joint series_ends shares_by_cycles",
            ),
        ),
        but=(
            "tests/dlpa/test_dlpa.py::test_frequencies_of_one_number",
            "tests/dlpa/test_dlpa.py::test_moments_of_one_number",
            "tests/dlpa/test_guarantee.py::test_the_demo_states_what_holds_for_every_tree",
        ),
    ),
    "histograms-impurity": Room(
        named("fdpedu/histograms/{}.py", "cells clipping impurity membership printed release selection split"),
        (
            *named(
                "tests/histograms/test_{}.py",
                "cells lemma impurity impurity_borders selection histograms attacked features_told",
            ),
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
        named(
            "fdpedu/trees/{}.py",
            "budgets costs counts design grow growing printed pruning regions room stopping subset",
        ),
        named(
            "tests/trees/test_{}.py",
            "design pruning stopping subset reuse printed attacked counts kept trees leaf_costs designs_told "
            "growing_told growing_again splits_compared stopping_borders attacked_again attacked_noise room_sizes",
        ),
    ),
    "trees-file": Room(
        ("fdpedu/trees/tree.py", "fdpedu/trees/tree_file.py", "fdpedu/trees/tree_paid.py"),
        named(
            "tests/trees/test_{}.py",
            "tree_file attacked kept drawings pruning counts tree_shown tree_read tree_whole attacked_again",
        ),
    ),
    "bounds": Room(
        (*named("fdpedu/bounds/{}.py", "gap local scores search traps"), "fdpedu/cart/local.py"),
        named("tests/bounds/test_{}.py", "gap local scores bounds_told"),
    ),
    "bounds-saving": Room(
        named("fdpedu/bounds/{}.py", "printed_saving saving saving_costs saving_report"),
        named("tests/bounds/test_{}.py", "saving saving_costs saving_printed saving_report saving_again"),
    ),
    "bounds-choosing": Room(
        named("fdpedu/bounds/{}.py", "choosing pruning scored"),
        named("tests/bounds/test_{}.py", "choosing pruning scored_told"),
    ),
    "bounds-blocks": Room(("fdpedu/bounds/blocks.py",), named("tests/bounds/test_{}.py", "blocks blocks_again")),
    "bounds-grid": Room(
        ("fdpedu/cart/local_grid.py",),
        named("tests/bounds/test_{}.py", "node_bounds node_bounds_again node_bounds_many"),
    ),
    "trees-law": Room(
        named("fdpedu/trees/{}.py", "clamped_tables exact_law small_trees recursive"),
        named(
            "tests/trees/test_{}.py",
            "exact_law exact_law_borders exact_law_cells exact_law_told recursive recursive_told",
        ),
    ),
    "trees-intervals": Room(
        ("fdpedu/trees/intervals.py", "fdpedu/trees/leaf_release.py", "fdpedu/trees/noise_law.py"),
        named("tests/trees/test_{}.py", "intervals intervals_ends noise_law"),
    ),
    "estimators": Room(  # not classifier.py: scikit-learn reads its parameters, which mutmut wraps
        ("fdpedu/estimators/scoring.py", "fdpedu/estimators/tables.py", "fdpedu/viz/tree_exports.py"),
        (*named("tests/estimators/test_{}.py", "scoring classifier tables"), "tests/viz/test_tree_exports.py"),
    ),
    "simulation": Room(
        named("fdpedu/simulation/{}.py", "designs forest growth plan saving trusted"),
        named(
            "tests/simulation/test_{}.py",
            "forest bounds budgets without_noise given_noise laws joint_laws sizes simulate decided saving_by_hand",
        ),
    ),
    "simulation-search": Room(
        named("fdpedu/simulation/{}.py", "grid printed search"),
        named("tests/simulation/test_{}.py", "search search_sizes search_again"),
    ),
    "simulation-noise": Room(
        ("fdpedu/simulation/noise.py",),
        named("tests/simulation/test_{}.py", "noise noise_sizes noise_again noise_digits"),
    ),
    "simulation-study": Room(  # without tests that start processes: there the code is not changed
        named("fdpedu/simulation/{}.py", "methods rows runs study"),
        named("tests/simulation/test_{}.py", "told rows study simulate study_again parts settings_told"),
        (
            "tests/simulation/test_study.py::test_results_do_not_depend_on_the_number_of_processes",
            "tests/simulation/test_study.py::test_the_data_sets_of_the_benchmark_can_be_sent_to_other_processes",
        ),
    ),
    "experiments": Room(
        named("fdpedu/experiments/{}.py", "choosing costs counting faults gap"),
        named(
            "tests/experiments/test_{}.py",
            "choosing costs gap pieces streams_and_sizes shown_and_compared protocol compared_told",
        ),
    ),
}
