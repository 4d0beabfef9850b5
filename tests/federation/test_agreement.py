"""What the owners agree on: one file, one digest, and the limits of a site."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fdpedu.accounting import Budget
from fdpedu.domain import Domain, Numeric
from fdpedu.federation import Agreement, ClassCounts, NodeHistograms
from fdpedu.federation.queries.closed_set import CLOSED_SET
from fdpedu.secure_sum import Identity
from fdpedu.secure_sum.identity import fingerprint

DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4)], ("well", "ill"))
SITES = {name: bytes([k]) * 32 for k, name in enumerate(("north", "south", "a third, ü"), 1)}
TERMS = {"domain": DOMAIN, "members": SITES, "aggregator": bytes(32), "budget": 1}
AGREED = Agreement(**TERMS)


def text(**changed):
    """As a person writes it, without what may be left out."""
    written = {"schema": "fdpedu-federation/1", "domain": DOMAIN.to_spec(), "aggregator": "00" * 32, "budget": "1"}
    written["members"] = {name: identity.hex() for name, identity in SITES.items()}
    return json.dumps({name: value for name, value in {**written, **changed}.items() if value is not None})


def test_what_a_person_writes_is_what_is_saved(tmp_path):
    assert Agreement.from_json(text()) == AGREED
    assert Agreement.from_json(text(budget={"epsilon": 1}, tolerate=1, missing=0, least="0")) == AGREED
    AGREED.save(tmp_path / "federation.json")
    assert Agreement.load(tmp_path / "federation.json") == AGREED
    spread = json.dumps(json.loads(text()), indent=7).replace("\n", "\r\n")
    assert Agreement.from_json(spread).digest == AGREED.digest


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "tolerate": st.integers(0, 2),
            "least": st.fractions(0, 1, max_denominator=50),
            "queries": st.lists(st.sampled_from(CLOSED_SET), min_size=1, unique=True),
            "budget": st.sampled_from([2, "1/3", Budget.of(1, delta="1/100000"), Budget.of(rho="1/40")]),
            "aggregator": st.just(bytes([9]) * 32),
            "members": st.permutations([*SITES.items()]).map(dict),
            "domain": st.just(Domain([Numeric.grid("age", 0, 100, bins=5)], ("well", "ill"))),
        },
    )
)
def test_every_term_is_in_the_digest_and_comes_back(changed):
    agreed = Agreement(**{**TERMS, **changed})
    again = Agreement.from_json(agreed.to_json())
    assert again == agreed and again.digest == agreed.digest and [*again.members] == [*agreed.members]
    same = agreed.to_json() == AGREED.to_json()
    assert (agreed.digest == AGREED.digest) == same


def test_how_many_may_be_missing_is_in_the_digest():
    four = {**TERMS, "members": {**SITES, "west": bytes([4]) * 32}, "tolerate": 2}
    assert Agreement(**four).digest != Agreement(**four, missing=1).digest


def test_a_site_s_limits_are_the_terms():
    four = {**SITES, "west": bytes([4]) * 32}
    agreed = Agreement(
        **{**TERMS, "members": four, "tolerate": 2, "missing": 1, "least": "1/100", "queries": [ClassCounts]}
    )
    limits = agreed.limits()
    assert limits.members == set(four.values()) and limits.minimum == limits.maximum == 4
    assert limits.tolerate == agreed.colluders == 1 and limits.queries == (ClassCounts,)
    assert limits.least_epsilon == Fraction(1, 100) and limits.least_rho == 0
    in_rho = Agreement(**{**TERMS, "budget": Budget.of(rho=1), "least": "1/100"}).limits()
    assert in_rho.least_rho == Fraction(1, 100) and in_rho.least_epsilon == 0
    assert NodeHistograms in AGREED.limits().queries


def test_what_is_shown_is_compared():
    shown = AGREED.to_text()
    for words in ("age", "ε = 1", AGREED.digest, *map(fingerprint, (*SITES.values(), bytes(32))), "site a third, ü"):
        assert words in shown
    for told in (AGREED.digest, AGREED.digest.upper(), AGREED.digest.removeprefix("sha256:"), f" {AGREED.digest}\n"):
        AGREED.require_digest(told)
    for told in ("", "sha256:", AGREED.digest[:-1], "sha256:" + "0" * 64):
        with pytest.raises(ValueError, match="agreed must be the digest of the file"):
            AGREED.require_digest(told)


def test_who_is_who():
    assert AGREED.name_of(SITES["south"]) == "south"
    stranger = Identity.create().public
    with pytest.raises(ValueError, match="none of the 3 members 'north', 'south'"):
        AGREED.name_of(stranger)
    AGREED.require_aggregator(bytes(32))
    with pytest.raises(ValueError, match="is not the aggregator's"):
        AGREED.require_aggregator(stranger)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"schema": "fdpedu-federation/2"}, "fdpedu-federation/2"),
        ({"schema": None}, "it has none"),
        ({"aggregator": None}, "it lacks 'aggregator'"),
        ({"tollerate": 1}, "'tollerate' is no term of a federation"),
        ({"members": {"north": "01" * 32}}, "at least 2 sites"),
        ({"members": {"north": "01" * 32, "south": "01" * 32}}, "one stands there twice"),
        ({"aggregator": "01" * 32}, "one stands there twice"),
        ({"members": {"north": "01" * 32, "south": "02" * 31}}, "'south' must be 32 bytes"),
        ({"members": {"north": "01" * 32, "south": 5}}, "'south' must be 64 hexadecimal digits"),
        ({"members": {"north": "01" * 32, "../south": "02" * 32}}, "names that a file can have"),
        ({"members": {"north": "01" * 32, " south": "02" * 32}}, "names that a file can have"),
        ({"members": ["01" * 32]}, "another form"),
        ({"budget": "0"}, "greater than 0"),
        ({"budget": {"epsilon": "1", "rho": "1"}}, "one of them"),
        ({"budget": {"eps": "1"}}, "a budget is"),
        ({"tolerate": 3}, "at most 2|less than|tolerate"),
        ({"tolerate": 0, "missing": 1}, "tolerate must be at least missing"),
        ({"least": "much"}, "least"),
        ({"queries": ["everything"]}, "queries must be among"),
        ({"queries": []}, "queries must be types"),
        ({"domain": {"features": {}}}, "features|classes"),
    ],
)
def test_what_is_no_agreement(changed, words):
    with pytest.raises(ValueError, match=words):
        Agreement.from_json(text(**changed))
