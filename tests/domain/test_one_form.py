"""A name with an accent is one name, whichever characters write it (NFC or NFD), wherever it stands."""

import json
import unicodedata

import numpy as np
import pandas as pd
import polars as pl
import pytest

from fdpedu import files
from fdpedu.accounting import Ledger
from fdpedu.domain import Categorical, Domain, Numeric, read_csv
from fdpedu.federation import Federation, Party, parties_from_frame
from fdpedu.trees import Tree, fit_federated_tree

AGE, WARD, CLASS, SITE, WELL, ILL = "Jahré", "Größe é", "Zuständ", "ört", "gesünd", "kränk"
FORMS = ("NFC", "NFD")


def form(text, kind):
    return unicodedata.normalize(kind, text)


def spec(kind):
    features = {form(AGE, kind): [0, 100, 4], form(WARD, kind): [form("Köln", kind), "Bonn"]}
    return {"features": features, "classes": [form(WELL, kind), form(ILL, kind)]}


def columns(kind):
    table = {AGE: [10, 90], WARD: ["Köln", "Bonn"], CLASS: [WELL, ILL], SITE: ["süd", "nörd"]}
    return {form(name, kind): [form(x, kind) if isinstance(x, str) else x for x in of] for name, of in table.items()}


def csv(tmp_path, kind):
    table = columns(kind)
    lines = [",".join(table), *(",".join(map(str, row)) for row in zip(*table.values(), strict=True))]
    (tmp_path / f"{kind}.csv").write_text("\n".join(lines), "utf-8")
    return tmp_path / f"{kind}.csv"


TABLES = {
    "dictionary": lambda table: table,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "rows": lambda table: [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)],
    "texts": lambda table: {name: np.array(of, dtype=object) for name, of in table.items()},
}


@pytest.mark.parametrize("of_domain", FORMS)
@pytest.mark.parametrize("of_table", FORMS)
@pytest.mark.parametrize("of_label", FORMS)
def test_names_and_values_are_found_in_either_form(tmp_path, of_domain, of_table, of_label):
    domain, label, by = Domain.from_spec(spec(of_domain)), form(CLASS, of_label), form(SITE, of_label)
    assert domain.index(form(WARD, of_label)) == 1
    for kind in TABLES.values():
        table = kind(columns(of_table))
        assert domain.encode(table).tolist() == [[0, 0], [3, 1]]
        assert domain.encode_labels(columns(of_table)[form(CLASS, of_table)]).tolist() == [0, 1]
        assert domain.check(table, label).ok
        Party(table, domain, label=label)
        found = parties_from_frame(table, domain, label=label, by=by)
        assert [party.name for party in found] == [form("nörd", "NFC"), form("süd", "NFC")]
        parties_from_frame(table, domain, label=label, by=by, parties=[form("süd", of_label), form("nörd", of_label)])
    table = read_csv(csv(tmp_path, of_table), domain, label=label)
    assert domain.encode(table).tolist() == [[0, 0], [3, 1]] and domain.check(table, label).ok
    Party.from_csv(csv(tmp_path, of_table), domain, label=label)


def test_two_forms_are_one_site():
    """Else its rows would be two parties', and each would hold half of the noise that one should."""
    table = {AGE: [1, 2, 3], WARD: ["Bonn"] * 3, CLASS: [WELL] * 3, SITE: [form("süd", k) for k in FORMS] + ["nord"]}
    found = parties_from_frame(table, Domain.from_spec(spec("NFC")), label=CLASS, by=SITE)
    assert [party.name for party in found] == ["nord", form("süd", "NFC")]


def test_a_domain_in_either_form_is_one_domain(tmp_path):
    one, other = (Domain.from_spec(spec(kind)) for kind in FORMS)
    assert one == other and hash(one) == hash(other) and one.to_json() == other.to_json()
    assert one.identity() == other.identity()
    Ledger.open(tmp_path / "budget.db", 1, domain=one)
    assert Ledger.open(tmp_path / "budget.db", domain=other).remaining() == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda pair: Categorical("x", pair),
        lambda pair: Domain([Numeric.grid("x", 0, 1)], pair),
        lambda pair: Domain([Numeric.grid(name, 0, 1) for name in pair], (0, 1)),
        lambda pair: Domain([Numeric.grid("é", 0, 1)], (0, 1)).encode({name: [1] for name in pair}),
    ],
)
def test_two_forms_of_one_name_are_no_two_names(make):
    with pytest.raises(ValueError, match=r"different values|more than once"):
        make([form("é", kind) for kind in FORMS])


def test_a_tree_that_was_written_in_the_other_form_is_read_as_the_same():
    """Files of versions that kept each form as it came."""
    domain = Domain.from_spec(spec("NFC"))
    rows = [[10, "Köln", WELL], [90, "Bonn", ILL]] * 20
    parties = [Party(rows, domain), Party(rows, domain)]
    tree = fit_federated_tree(Federation(parties, domain, Ledger(100)), max_depth=1)
    stored = json.loads(form(tree.to_json(), "NFD"))
    del stored["digest"]
    old = Tree.from_json(files.dumps(stored.pop("schema"), stored))
    assert old.domain == tree.domain and old.to_text() == tree.to_text()
    assert old.predict(columns("NFD")).tolist() == tree.predict(columns("NFC")).tolist() == [WELL, ILL]
