"""``fdpedu show``: what a file of the package holds."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fdpedu.cli.csv_data import plain
from fdpedu.cli.models import load_model
from fdpedu.cli.parser import DONE, Commands, as_file, print_json, wrapped
from fdpedu.files import read_object, read_text
from fdpedu.printable import escape
from fdpedu.showing import text_table

if TYPE_CHECKING:
    from fdpedu.boosting import Ensemble
    from fdpedu.trees import Tree

_OF_A_PAGE = (  # as wide as a telephone, and dark where the reader's other pages are
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
)
FORMS = ("text", "sklearn", "graphviz", "html")
_SQLITE = b"SQLite format 3\0"


def add(commands: Commands) -> None:
    show = commands.add_parser(
        "show",
        help="what is in a tree, an ensemble, a domain, a federation, a derivation, a manifest, evidence or a budget",
    )
    show.add_argument("file", help="'-' for standard input")
    show.add_argument(
        "--as",
        dest="form",
        choices=FORMS,
        default="text",
        help="how a tree is shown: as text, as scikit-learn writes one, as DOT for Graphviz, as a page (default text); "
        "an ensemble: as text or as a page",
    )
    show.add_argument("--json", action="store_true", help="print one JSON object")
    show.set_defaults(run=_show)


def _show(options: argparse.Namespace) -> int:
    with as_file(options.file) as options.file:
        return _show_file(options)


def _show_file(options: argparse.Namespace) -> int:
    if options.form != "text":
        return _show_model(options)
    content, text = _read(options.file)
    print_json(content) if options.json else print(text)
    return DONE


def _show_model(options: argparse.Namespace) -> int:
    """A tree in another form, for other programs; an ensemble as a page."""
    if options.json:
        raise ValueError("--as and --json are two forms: give one of them")
    content, _ = _read(options.file)
    kind = content["kind"]
    if kind == "ensemble" and options.form != "html":
        raise ValueError(f"--as {options.form} is for trees, and {options.file} holds an ensemble: take --as html")
    if kind not in ("tree", "ensemble"):
        raise ValueError(f"--as {options.form} is for trees, and {options.file} holds a {kind}")
    model: Any = load_model(options.file)
    if options.form == "html":
        title = f"Private {kind} of {escape(options.file)}"
        head = f'<meta charset="utf-8">{_OF_A_PAGE}<title>{title}</title>'
        print(f'<!doctype html>\n<html lang="en">{head}\n<h1>{title}</h1>\n{model._repr_html_()}</html>')
    else:
        print(model.to_sklearn_text() if options.form == "sklearn" else model.to_graphviz())
    return DONE


def _read(file: str) -> tuple[Mapping[str, Any], str]:
    """What a file holds, as plain data and as text."""
    try:
        with open(file, "rb") as opened:
            is_budget = opened.read(len(_SQLITE)) == _SQLITE
    except OSError:
        is_budget = False  # the next reading reports what is wrong
    if is_budget:
        return _budget(file)
    text = read_text(file)
    document = read_object(text, file)
    kind = str(document.get("schema", "fdpedu-domain/" if "features" in document else "")).partition("/")[0]
    if kind not in _KINDS:
        raise ValueError(
            f"{file}: expected a tree, an ensemble, a domain, a federation, a derivation, a manifest, evidence or a "
            "budget of fdpedu"
        )
    return _KINDS[kind](file, text)


def _tree(file: str, text: str) -> tuple[Mapping[str, Any], str]:
    from fdpedu.trees import Tree

    tree = Tree.from_json(text, file)
    guarantee, name = tree.derivation.guarantee, _design_of(tree)
    lines = [wrapped(f"{guarantee}."), *_of_insiders(tree)]
    lines += [f"Its design: {name}."] if name else []
    lines += [_paid(tree, "tree", file)]
    content = {"kind": "tree", "tree": tree.to_dict(), "guarantee": str(guarantee), "rounds": tree.rounds}
    content |= {"cost": str(tree.cost), "unfinished": tree.unfinished}
    return {**content, "design": name}, "\n".join([f"{tree.to_text()}\n", *lines])


def _ensemble(file: str, text: str) -> tuple[Mapping[str, Any], str]:
    from fdpedu.boosting import Ensemble

    ensemble = Ensemble.from_json(text, file)
    guarantee, names = ensemble.derivation.guarantee, [feature.name for feature in ensemble.domain.features]
    content = {
        "kind": "ensemble",
        "form": ensemble.form,
        "rule": ensemble.rule,
        "trees": len(ensemble.model.trees),
        "intercept": ensemble.intercept,
        "threshold": ensemble.threshold,
        "strengths": dict(zip(names, ensemble.strengths(), strict=True)),
        **({"curves": [curve.to_dict() for curve in ensemble.curves()]} if ensemble.form == "curves" else {}),
        "monotone": {names[fit.feature]: fit.direction for fit in ensemble.monotone},
        "interactions": [vars(one) | {"stands_out": one.stands_out} for one in ensemble.interactions()],
        "guarantee": str(guarantee),
        "rounds": ensemble.rounds,
        "cost": str(ensemble.cost),
        "unfinished": ensemble.unfinished,
    }
    lines = [wrapped(f"{guarantee}."), *_of_insiders(ensemble), _paid(ensemble, "ensemble", file)]
    return content, "\n".join([f"{ensemble.to_text()}\n", *lines])


def _of_insiders(model: Tree | Ensemble) -> list[str]:
    """What it costs insiders, in a sentence; of one owner there are none: the owner sees the rows."""
    from fdpedu.dlpa.guarantee import promised

    return [] if model.n_parties == 1 else [promised(model.derivation.guarantee)]


def _paid(model: Tree | Ensemble, what: str, file: str) -> str:
    """What this model has cost by itself, of all that its budget pays for."""
    alone = f"{model.rounds} rounds, in which this {what} has cost {model.cost} at most."
    if model.unfinished:
        alone += (
            f" It is unfinished: its growth failed after these rounds, and what was to follow is not in this {what}."
        )
    return f"{alone} Its derivation: fdpedu check-derivation {file}"


def _design_of(tree: Tree) -> str | None:
    """The name of a tree's design; of noisy counts, what differs from the default; None in older files."""
    from fdpedu.trees import DESIGNS

    if tree.design is None:
        return None
    named = [name for name, design in DESIGNS.items() if design == tree.design]
    return next(iter(named), tree.design.to_json().get("name") or repr(tree.design))


def _domain(file: str, text: str) -> tuple[Mapping[str, Any], str]:
    from fdpedu.domain import Domain

    domain = Domain.load(file)
    return {**domain.to_spec(), "kind": "domain"}, domain.to_text()


def _federation(file: str, text: str) -> tuple[Mapping[str, Any], str]:
    from fdpedu.federation import Agreement
    from fdpedu.secure_sum.identity import fingerprint

    agreed = Agreement.from_json(text, file)
    who = {name: fingerprint(identity) for name, identity in agreed.members.items()}
    shown = {"kind": "federation", "fingerprints": {"the aggregator": fingerprint(agreed.aggregator), **who}}
    return {**agreed.to_dict(), **shown, "digest": agreed.digest}, agreed.to_text()


def _derivation(file: str, text: str) -> tuple[Mapping[str, Any], str]:
    from fdpedu.accounting import Derivation
    from fdpedu.dlpa.guarantee import promised

    derivation = Derivation.from_json(text, where=file)
    guarantee = derivation.guarantee
    shown = f"{guarantee}\n{promised(guarantee)}\n\n{derivation.render()}"
    return {**derivation.content, "kind": "derivation", "promise": str(guarantee)}, shown


def _manifest(file: str, text: str) -> tuple[Mapping[str, Any], str]:
    from fdpedu.federation import Manifest

    manifest = Manifest.from_json(text, file)
    return {**manifest.content, "kind": "manifest"}, manifest.render()


def _evidence(file: str, text: str) -> tuple[Mapping[str, Any], str]:
    from fdpedu.federation.evidence import Evidence

    found = Evidence.from_json(text, file)
    head = f"What a budget has paid for, in {len(found.rounds)} rounds; of {found.known} it is known what was asked."
    content = {"kind": "evidence", "derivation": found.derivation.content, "rounds": [*found.rounds]}
    return content, f"{head}\n\n{found.derivation.render()}"


def _budget(file: str) -> tuple[Mapping[str, Any], str]:
    from fdpedu.accounting.budget_copy import looked_at

    with looked_at(file) as ledger:
        last = ledger.last_charge
        when = "never" if last is None else f"round {last.round}, {last.time:%Y-%m-%d %H:%M:%S} UTC"
        content = {
            "kind": "budget",
            "budget": str(ledger.budget if ledger.total.is_pure else ledger.total),
            "spent": plain(ledger.spent),
            "remaining": plain(ledger.remaining()),
            "colluders": ledger.colluders,
            "rounds": ledger.rounds,
            "rounds_with_evidence": sum(one.asked is not None for one in ledger.evidence()),
            "last_charge": when,
        }
    table = text_table(
        [(name.replace("_", " "), _in_words(value)) for name, value in content.items() if name != "kind"]
    )
    return content, "\n".join([table, "If you remember a later charge than this, the file is an old copy."])


def _in_words(value: object) -> str:
    """A value of a budget: a pair is ρ and ξ."""
    return "ρ = {}, ξ = {}".format(*value) if isinstance(value, list) else str(value)


_KINDS: Mapping[str, Callable[[str, str], tuple[Mapping[str, Any], str]]] = {
    "fdpedu-tree": _tree,
    "fdpedu-ensemble": _ensemble,
    "fdpedu-domain": _domain,
    "fdpedu-federation": _federation,
    "fdpedu-derivation": _derivation,
    "fdpedu-manifest": _manifest,
    "fdpedu-evidence": _evidence,
}
