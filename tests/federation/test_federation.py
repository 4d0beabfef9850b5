"""The one path by which data leaves: right sums, charges first, nothing else released."""

from contextlib import nullcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import BudgetExceeded, Ledger, check_derivation
from fdpedu.claims.federations import federate
from fdpedu.claims.secure_sum.messages import AGE, ALL, ROWS
from fdpedu.claims.strategies import domains_with_parties, regions
from fdpedu.dlpa import polya_share
from fdpedu.domain import Categorical, Domain, Numeric, Region
from fdpedu.exact import Rate
from fdpedu.federation import (
    ClassCounts,
    ClassHistogram,
    Federation,
    InProcess,
    NodeBounds,
    NodeHistograms,
    Party,
)
from fdpedu.federation import federation as module
from fdpedu.federation.endpoint import MAX_NUMBERS, MAX_QUERIES
from fdpedu.federation.members import is_same_account
from fdpedu.federation.messages import (
    MAX_FIELDS,
    Answer,
    read,
)
from fdpedu.randomness import Rehearsal, SeededSource, SystemSource, ZeroWords
from fdpedu.secure_sum import RoundLost, decode_sum
from fdpedu.trees import count_growth, fit_federated_tree
from tests.support.federations import BUDGET, DOMAIN, Log, Noting, Recording, Watched, federation, parties

WARDS = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))

VISITS = [[[63, "A", "ill"], [17, "B", "well"]], [[31, "A", "ill"]], []]


def visits(budget=10, **options):
    return federate(VISITS, WARDS, budget, **{"rng": ZeroWords(), **options})


@pytest.mark.claim("thm-histogram")
@settings(deadline=None)
@given(st.data())
def test_without_noise_the_sums_are_the_counts(data):
    """Every query type, any region, any division among parties: the zero-noise release is the count over all rows."""
    domain, parts = data.draw(domains_with_parties())
    region = data.draw(regions(domain))
    f = federate(parts, domain, 100, ZeroWords())
    everybody = [row for rows in parts for row in rows]
    codes, labels = domain.encode([r[:-1] for r in everybody]), domain.encode_labels([r[-1] for r in everybody])
    inside = region.holds(codes, labels, domain.everything)
    *histograms, counts = f.release(
        [*(ClassHistogram(region, 1, j) for j in range(domain.n_features)), ClassCounts(region, 1)]
    )
    for j, table in enumerate(histograms):
        for code, label in np.ndindex(table.shape):
            assert table[code, label] == np.sum(inside & (codes[:, j] == code) & (labels == label))
    assert counts.tolist() == [np.sum(inside & (labels == c)) for c in range(domain.n_classes)]


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_only_the_sums_matter(data):
    """With the same random words, reordering rows, and dealing them to other parties, changes nothing that is
    released.
    """
    domain, parts = data.draw(domains_with_parties(least_parties=2))
    everybody = [row for rows in parts for row in rows]
    shuffled = data.draw(st.permutations(everybody))
    cut = data.draw(st.integers(0, len(shuffled)))
    others = [shuffled[:cut], shuffled[cut:], *([[]] * (len(parts) - 2))]
    query = [ClassHistogram(domain.everything, "1/2", 0), ClassCounts(domain.everything, "1/3")]
    federations = [federate(division, domain, 9, np.random.default_rng(1)) for division in (parts, others)]
    released = [[table.tolist() for table in f.release(query)] for f in federations]
    assert released[0] == released[1]


def test_what_travels():
    """At the beginning keys, then the request to each party and masked numbers back; answers alone look like noise,
    their sum is the release.
    """
    seen = []

    class Listening(InProcess):
        def gather(self, *arguments):
            seen.append(super().gather(*arguments))
            return seen[-1]

    f = visits(transport=Listening())
    released = f.release([ClassHistogram(WARDS.everything, 1, 0)])[0]
    answers = [np.frombuffer(read(a, Answer).words, dtype=np.uint64) for a in seen[0]]
    assert decode_sum(answers).reshape(4, 2).tolist() == released.tolist()
    assert all(
        (a > 2**40).sum() >= 7 for a in answers
    )  # 8 small counts; uniform words are that small with probability 2⁻²⁴
    kinds = [m.kind for m in f.transport.manifest]
    beginning = [("invitation", "nonce"), ("nonces", "signed key"), ("signed keys", "seated")]
    assert kinds == [kind for pair in beginning for kind in pair * 3] + ["queries", "masked sums"] * 3
    assert f.bytes_sent == sum(m.bytes for m in f.transport.manifest) == f.transcript.bytes


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_noise_rates_follow_the_query(order):
    """In one round a query at ε = 40 comes back exact, and one at ε = 1/1000 does not, whatever their order.

    A false alarm has probability below 10⁻¹⁵: 10 cells with e^{−40} each, or 8 cells all 0 at scale 1000.
    """
    queries = [ClassCounts(WARDS.everything, 40), ClassHistogram(WARDS.everything, "1/1000", 0)]
    f = visits(budget=100, rng=SystemSource())
    released = dict(zip(order, f.release([queries[i] for i in order]), strict=True))
    assert released[0].tolist() == [1, 2]
    assert released[1].tolist() != visits().release([queries[1]])[0].tolist()


def test_a_party_shows_nothing():
    party = Party([[63, "A", "ill"]], WARDS)
    assert repr(party) == "Party('party')" and "63" not in repr(visits())


@pytest.mark.parametrize("tolerate", [0, 1, 2])
def test_a_guarantee_names_the_colluders_that_the_noise_tolerates(tolerate):
    """The second party, too: what is charged, and so what the checker accepts, is what the shares withstand."""
    f = visits(rng=SystemSource(), tolerate=tolerate)
    f.release([NodeHistograms(WARDS.everything, 1), ClassCounts(WARDS.everything, 1)])
    assert f.ledger.derivation().guarantee.colluders == tolerate


def sharing(ledger, tolerate):
    return Federation([Party([], WARDS) for _ in range(3)], WARDS, ledger, tolerate=tolerate, rng=ZeroWords())


def test_two_federations_on_one_ledger_keep_one_promise():
    """The first to charge fixes the colluders; one that tolerates fewer is refused, and says how both could be had."""
    ledger, query = Ledger(10), ClassCounts(WARDS.everything, 1)
    two, one = sharing(ledger, 2), sharing(ledger, 1)
    two.release([query])
    with pytest.raises(ValueError, match=r"colluders=1"):
        one.release([query])
    assert (ledger.spent, ledger.rounds, one.rounds, list(one.transport.requests)) == (1, 1, 0, [])
    with pytest.raises(ValueError, match=r"tolerate = 1\b.*colluders=1"):
        sharing(ledger, 1)
    sharing(ledger, 2).release([query])
    both = Ledger(10, colluders=1)
    for tolerate in (2, 1):
        sharing(both, tolerate).release([query])
    assert both.rounds == 2 and both.colluders == 1


@pytest.mark.parametrize("rng", [Rehearsal(1), np.random.default_rng(1)])
def test_seeded_noise_is_said_aloud(rng):
    """A rehearsal is silent when it draws, and not when its guarantee is read; the system's noise has no caveat."""
    for source, expected in ((rng, ("seeded generator",)), (None, ("operating system",))):
        f = visits(1, rng=source)
        f.release([ClassCounts(WARDS.everything, 1)])
        proved = f.ledger.derivation().guarantee
        assert proved.randomness == expected and proved.adaptive and ("seeded" in str(proved)) == (source is rng)


@pytest.mark.claim("thm-round")
@pytest.mark.parametrize("kept", [False, True])
@settings(max_examples=15, deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=4))
def test_a_ledger_names_every_source_of_its_federations(tmp_path_factory, kept, sequence):
    """In whatever order they come: one seeded among those of the system is enough for the caveat."""
    ledger = Ledger.open(tmp_path_factory.mktemp("kept") / "b.db", 100) if kept else Ledger(100)
    for seeded in sequence:
        members = [Party([], WARDS) for _ in range(3)]
        one = Federation(members, WARDS, ledger, rng=Rehearsal(1) if seeded else None)
        one.release([ClassCounts(WARDS.everything, 1)])
    said = check_derivation(ledger.derivation().to_json())
    kinds = {"seeded generator" if seeded else "operating system" for seeded in sequence}
    assert said.randomness == tuple(sorted(kinds)) and said.colluders == 1
    assert ("seeded" in str(said)) == any(sequence)


def test_every_party_has_noise_of_its_own():
    """Without rows, three rounds release the sums of shares from as many different streams as there are parties."""
    f = Federation([Party([], WARDS) for _ in range(3)], WARDS, Ledger(10), rng=np.random.default_rng(5))
    streams = [SeededSource(child) for child in np.random.default_rng(5).spawn(3)]
    seen = set()
    for _ in range(3):
        shares = [polya_share(Rate.of(epsilon="1/50"), 2, 8, stream) for stream in streams]
        seen |= {tuple(share.tolist()) for share in shares}
        released = f.release([ClassHistogram(WARDS.everything, "1/50", 0)])[0]
        assert released.ravel().tolist() == sum(shares).tolist()
    assert len(seen) == 9


QUARTER = ClassCounts(ALL, Fraction(1, 4))


def test_a_federation_as_it_is_made():
    members = [Party(rows, AGE, name=name) for rows, name in zip(ROWS, ("north", "south"), strict=False)]
    f = Federation(members, AGE, Ledger(3), rng=ZeroWords())
    assert (f.n_parties, f.tolerate, f.missing, f.colluders, f.rounds) == (2, 1, 0, 1, 0)
    assert f.domain is AGE and f.ledger.domain == AGE and type(f.transport) is InProcess
    assert repr(f) == f"Federation(2 parties, tolerate 1, 0 rounds, {f.ledger!r})"
    assert [m.receiver for m in f.transport.manifest if m.kind == "invitation"] == ["north 1", "south 2"]
    transport = InProcess()
    f = Federation(parties(5), AGE, Ledger(3), transport=transport, tolerate=2, missing=1, rng=ZeroWords())
    assert f.transport is transport and (f.n_parties, f.tolerate, f.missing, f.colluders) == (5, 2, 1, 1)
    assert Federation(parties(2), AGE, Ledger(3), tolerate=0, rng=ZeroWords()).colluders == 0


def test_answers_come_in_the_shapes_of_what_was_asked():
    f = federation(budget=20)
    asked = [QUARTER, ClassHistogram(ALL, Fraction(1, 3), 0), NodeHistograms(ALL.restrict(0, [1]), 2), QUARTER]
    found = f.release(iter(asked), "a tree")
    assert [table.tolist() for table in found] == [[2, 4], [[1, 2], [1, 2]], [[0, 0], [1, 2]], [2, 4]]
    assert all(table.dtype == np.int64 for table in found)
    assert f.ledger.spent == Fraction(1, 4) * 2 + Fraction(1, 3) + 2 and f.ledger.accounts == ("a tree",)
    assert f.rounds == 1 and repr(f).startswith("Federation(3 parties, tolerate 1, 1 rounds, ")
    f.release([QUARTER])
    assert f.rounds == 2 and list(f.transport.requests) == [1, 2] and f.ledger.accounts == ("a tree", "")


def test_what_is_charged_names_noise_and_colluders():
    f = Federation(parties(4), AGE, Ledger(3), tolerate=2, missing=1, rng=Rehearsal(1))
    f.release([QUARTER, NodeHistograms(ALL, 1)])
    proved = f.ledger.derivation()
    assert proved.content["randomness"] == ["seeded generator"] and proved.guarantee.colluders == 1
    assert f.manifest.rounds[0]["queries"] == [QUARTER.to_json(AGE), NodeHistograms(ALL, 1).to_json(AGE)]


@pytest.mark.parametrize(("options", "most"), [({}, 3), ({"missing": 1}, 15)])
def test_progress_is_reported_after_each_answer(options, most):
    """Of every stage; an answer is entered when its progress has been reported."""
    f, seen = federation(**options), []
    f.release([QUARTER], answered=lambda *done: seen.append((*done, f.transport.manifest[-1].receiver)))
    assert [done for *done, _ in seen] == [[k, most] for k in range(1, most + 1)]
    assert all(receiver.startswith("party") for *_, receiver in seen)


def test_ledgers_are_the_same_as_objects_or_as_files(tmp_path):
    one, other = Ledger(1), Ledger(1)
    assert is_same_account(one, one) and not is_same_account(one, other)
    files = [Ledger.open(tmp_path / name, 1) for name in ("a.db", "a.db", "b.db")]
    assert is_same_account(files[0], files[1]) and not is_same_account(files[0], files[2])
    assert not is_same_account(one, files[0]) and not is_same_account(files[0], one)


@pytest.mark.parametrize("more", [-1, 1])
def test_as_many_streams_of_noise_as_parties(more):
    """Whoever gives a source: two parties never draw from one, and none draws from nothing."""

    class Uneven(ZeroWords):
        def spawn(self, n):
            return [ZeroWords() for _ in range(n + more)]

    with pytest.raises(ValueError):
        Federation(parties(2), AGE, Ledger(1), rng=Uneven())


def test_a_round_has_at_most_so_many_queries_and_numbers(monkeypatch):
    f = federation(2, budget=9)
    monkeypatch.setattr(module, "MAX_NUMBERS", 6)
    monkeypatch.setattr(module, "MAX_QUERIES", 2)
    assert len(f.release([ClassHistogram(ALL, 1, 0), QUARTER])) == 2
    for queries, got in (([ClassHistogram(ALL, 1, 0)] * 2, "2 and 8"), ([QUARTER] * 3, "3 and 6")):
        with pytest.raises(ValueError, match=f"2 queries and 6 numbers, got {got}"):
            f.release(queries)
    assert f.rounds == 1


def test_a_round_that_no_party_would_read_is_refused(monkeypatch):
    f = federation(2)
    monkeypatch.setattr("fdpedu.federation.messages.MAX_FIELDS", 5)
    with pytest.raises(ValueError, match="5 fields"):
        f.release([QUARTER] * 2)
    assert f.ledger.spent == 0 and MAX_FIELDS == 2**18


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("n", [2, 3])
def test_federations_in_step_share_no_mask_and_no_account(n, shared):
    """As many parties, the same rounds, empty rows and zero noise, so that an answer is a mask: no word stands twice. A
    tree of each has an account of its own in a ledger that they share.
    """
    log, ledgers, masks = Log(), [Ledger(9), Ledger(9)], []
    federations = [
        Federation(
            [Party([], DOMAIN) for _ in range(n)],
            DOMAIN,
            ledger,
            transport=Watched(log),
            rng=Recording(log),
        )
        for ledger in (ledgers[:1] * 2 if shared else ledgers)
    ]
    for _ in range(4):
        for f in federations:
            log.before = f.ledger, f.ledger.rounds
            f.release([ClassCounts(DOMAIN.everything, 1)])
    for f in federations:
        masks += [w for (_, k), answer in f.transport.answers.items() if n > 2 or k == 0 for w in answer.tolist()]
    assert len({min(mask, 2**64 - mask) for mask in masks}) == len(masks) == 2 * 4 * 2 * (n if n > 2 else 1)
    for f in federations:
        log.before = f.ledger, f.ledger.rounds
        fit_federated_tree(f, max_depth=1, epsilon="1/2")
    assert [len(f.ledger.accounts) for f in federations] == ([3, 3] if shared else [2, 2])


def test_a_ledger_that_lacks_a_round_may_say_more():
    """Of regions that overlap, each goes into the first tree of regions where it fits, and that depends on what stands
    there. So a party may refuse what the analyst's ledger admits. The round is lost and stays charged, and no more.
    """
    ledger, transport = Ledger(BUDGET), Noting(Log())
    parties = [Party([], DOMAIN), Party([], DOMAIN)]
    federation = Federation(parties, DOMAIN, ledger, transport=transport, rng=Recording(transport.log))
    places = [((4, 3), 1, 1), ((6, 1), 3, 1), ((5, 1), 2, 2), ((1, 2), 2, 2)]
    *rounds, last = [[ClassCounts(Region(features, classes), cost)] for features, classes, cost in places]
    for number, asked in enumerate(rounds):
        transport.log.before, transport.fault = (ledger, ledger.rounds), None if number else "before"
        with nullcontext() if number else pytest.raises(RoundLost):
            federation.release(asked)
    transport.log.before = ledger, ledger.rounds
    with pytest.raises(RoundLost):
        federation.release(last)
    assert transport.refused[4] == ("over budget", 2, 3) and ledger.spent == 3 and ledger.rounds == 4


def test_as_many_queries_as_a_round_may_have():
    f = federation(2)
    assert len(f.release([ClassCounts(ALL, Fraction(1, 10**6))] * MAX_QUERIES)) == MAX_QUERIES


def test_missing_parties_are_not_promised_as_colluders():
    f = Federation(parties(5), AGE, Ledger(1, colluders=1), tolerate=2, missing=1, rng=ZeroWords())
    assert (f.colluders, f.missing, f.tolerate) == (1, 1, 2)
    f.release([QUARTER])
    assert f.ledger.colluders == 1


def test_too_much_at_once_is_refused_before_it_is_charged():
    wide = Domain([Numeric.grid(f"x{j}", 0, 1, bins=256) for j in range(20)], tuple(range(250)))
    f = Federation([Party([], wide), Party([], wide)], wide, Ledger(1), rng=ZeroWords())
    query = NodeHistograms(wide.everything, Fraction(1, 10**6))
    with pytest.raises(ValueError, match=str(MAX_NUMBERS)):
        f.release([query] * (MAX_NUMBERS // query.size(wide) + 1))
    assert f.ledger.spent == 0 and f.rounds == 0


def test_a_round_beyond_the_budget_is_refused_whole():
    """What could be paid for is not released either."""
    f = federation(2)
    half = Fraction(1, 2)
    asked = [NodeHistograms(ALL, half), NodeBounds(ALL, half, 4), NodeBounds(ALL.restrict(0, [0]), Fraction(1, 99), 1)]
    with pytest.raises(BudgetExceeded):
        f.release(asked)
    assert f.ledger.rounds == f.rounds == 0
    histograms, bounds = f.release(asked[:2])
    assert histograms.tolist() == [[1, 1], [1, 1]] and bounds.tolist() == [2] and f.ledger.spent == 1


def test_a_level_that_would_not_fit_in_a_request_is_not_split_further(monkeypatch):
    """The tree ends there, with all its counts, and with what it may cost."""
    rows = [[age, "ill" if age % 7 < 3 else "well"] for age in range(100)] * 3
    monkeypatch.setattr(count_growth, "MAX_QUERIES", 4)
    fine = Domain([Numeric.grid("age", 0, 100, bins=32)], ("well", "ill"))
    f = Federation([Party(rows[::2], fine), Party(rows[1::2], fine)], fine, Ledger(1), rng=ZeroWords())
    tree = fit_federated_tree(f, max_depth=6, min_samples_split=2)
    assert all(len(entry["queries"]) <= 4 for entry in f.manifest.rounds) and len(tree.leaves()) >= 4
    assert sum(sum(leaf.counts) for leaf in tree.leaves()) == len(rows) and f.ledger.spent == 1
