"""The one path by which data leaves: right sums, charges first, nothing else released."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fdpedu.accounting import Ledger
from fdpedu.claims.federations import federate
from fdpedu.claims.histograms import laws as law
from fdpedu.claims.strategies import domains_with_parties, regions, shares
from fdpedu.dlpa import polya_share
from fdpedu.domain import Categorical, Domain, Numeric
from fdpedu.exact import Rate
from fdpedu.federation import ClassCounts, ClassHistogram, Federation, InProcess, NodeHistograms, Party
from fdpedu.federation.messages import Answer, read
from fdpedu.federation.queries import Query, from_wire, read_queries, to_wire
from fdpedu.randomness import Rehearsal, SeededSource, SystemSource, ZeroWords
from fdpedu.secure_sum import canonical, decode_sum

DOMAIN = Domain([Numeric.grid("age", 0, 100, bins=4), Categorical("ward", ("A", "B"))], ("well", "ill"))
ROWS = [[[63, "A", "ill"], [17, "B", "well"]], [[31, "A", "ill"]], []]
costs = st.fractions(Fraction(1, 100), 1, max_denominator=100)


def federation(budget=10, **options):
    return federate(ROWS, DOMAIN, budget, **{"rng": ZeroWords(), **options})


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


@pytest.mark.claim("thm-round")
@settings(deadline=None)
@given(st.lists(costs, min_size=1, max_size=5), shares)
def test_a_round_over_budget_leaves_no_trace(costs, share):
    """No word is drawn, no message is sent, nothing is charged, whatever the costs and a budget below their sum."""
    law.refused_round(costs, share * sum(costs))


@pytest.mark.claim("thm-round")
@settings(deadline=None)
@given(costs)
def test_a_round_is_charged_before_it_draws(cost):
    """A round whose noise source fails midway stays charged; and after a refused round the next one works."""
    law.charged_first(cost)


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

    f = federation(transport=Listening())
    released = f.release([ClassHistogram(DOMAIN.everything, 1, 0)])[0]
    answers = [np.frombuffer(read(a, Answer).words, dtype=np.uint64) for a in seen[0]]
    assert decode_sum(answers).reshape(4, 2).tolist() == released.tolist()
    assert all(
        (a > 2**40).sum() >= 7 for a in answers
    )  # 8 small counts; uniform words are that small with probability 2⁻²⁴
    kinds = [m.kind for m in f.transport.manifest]
    beginning = [("invitation", "nonce"), ("nonces", "signed key"), ("signed keys", "seated")]
    assert kinds == [kind for pair in beginning for kind in pair * 3] + ["queries", "masked sums"] * 3
    assert f.bytes_sent == sum(m.bytes for m in f.transport.manifest) == f.transcript.bytes


def test_requests_are_read_as_written():
    queries = [
        ClassHistogram(DOMAIN.everything.restrict(0, [1, 2]), "1/7", 1),
        ClassCounts(DOMAIN.everything.restrict_class([1]), "2/9"),
        NodeHistograms(DOMAIN.everything.restrict(1, [0]), "2/7"),
    ]
    assert read_queries(canonical(tuple(to_wire(query, DOMAIN) for query in queries)), DOMAIN) == tuple(queries)
    for spoilt in (
        ("rows", (), Fraction(1)),
        ("class-counts", (), "1"),
        ("class-counts", (), Fraction(-1)),
        ("class-counts", ((0, 15),), Fraction(1)),  # not restricted: written in two ways
        ("class-counts", ((1, 1), (0, 1)), Fraction(1)),
        ("class-counts", ((-1, 1),), Fraction(1)),
        ("class-counts", ((3, 1),), Fraction(1)),
        ("class-counts", ((0, 16),), Fraction(1)),
        ("class-counts", (), Fraction(1), 0),
        ("class-histogram", (), Fraction(1)),
        ("class-histogram", (), Fraction(1), 2),
        ("class-histogram", (), Fraction(1), -1),
        ("class-counts", (), Fraction(1, 2**60)),
        (),
        7,
    ):
        with pytest.raises(ValueError):
            from_wire(spoilt, DOMAIN)
    with pytest.raises(ValueError, match="at least one"):
        read_queries(canonical(()), DOMAIN)
    for one in (Fraction(1), 1):  # equal, and not the same bytes
        form = canonical((("class-counts", (), one),))
        if type(one) is int:
            with pytest.raises(ValueError, match="another way"):
                read_queries(form, DOMAIN)
        else:
            read_queries(form, DOMAIN)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_noise_rates_follow_the_query(order):
    """In one round a query at ε = 40 comes back exact, and one at ε = 1/1000 does not, whatever their order.

    A false alarm has probability below 10⁻¹⁵: 10 cells with e^{−40} each, or 8 cells all 0 at scale 1000.
    """
    queries = [ClassCounts(DOMAIN.everything, 40), ClassHistogram(DOMAIN.everything, "1/1000", 0)]
    f = federation(budget=100, rng=SystemSource())
    released = dict(zip(order, f.release([queries[i] for i in order]), strict=True))
    assert released[0].tolist() == [1, 2]
    assert released[1].tolist() != federation().release([queries[1]])[0].tolist()


def other_query():
    class Leak(Query):
        type = "leak"

    return Leak(DOMAIN.everything, Fraction(1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: federation().release([]), "at least one query"),
        (lambda: federation().release([other_query()]), "closed set"),
        (lambda: federation().release([ClassHistogram(DOMAIN.everything, 1, 2)]), "position"),
        (
            lambda: federation().release([ClassHistogram(Domain([Numeric.grid("a", 0, 1)], (0, 1)).everything, 1, 0)]),
            "region",
        ),
        (lambda: Federation([Party([], DOMAIN)], DOMAIN, Ledger(1)), "at least 2"),
        (lambda: Federation([Party([], DOMAIN)] * 2, DOMAIN, Ledger(1)), "once"),
        (lambda: Federation([Party([], DOMAIN), Party([], DOMAIN)], DOMAIN, Ledger(1), tolerate=2), "tolerate"),
        (
            lambda: Federation(
                [Party([], DOMAIN), Party([], DOMAIN)], Domain([Numeric.grid("a", 0, 1)], (0, 1)), Ledger(1)
            ),
            "share",
        ),
        (lambda: Party([[1, "A"]], DOMAIN), "row 0: expected 2 feature values and the class"),
        (lambda: Party([[1, "A", "dead"]], DOMAIN), "row 0, the class"),
        (lambda: Party([[1, "A"]], DOMAIN, labels=["ill", "ill"]), "as many labels"),
        (lambda: Party([], "domain"), "must be a Domain"),
    ],
)
def test_bad_input_is_refused_before_any_charge(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_party_shows_nothing():
    party = Party([[63, "A", "ill"]], DOMAIN)
    assert repr(party) == "Party('party')" and "63" not in repr(federation())


@pytest.mark.parametrize("tolerate", [0, 1, 2])
def test_a_guarantee_names_the_colluders_that_the_noise_tolerates(tolerate):
    """The second party, too: what is charged, and so what the checker accepts, is what the shares withstand."""
    f = federation(rng=SystemSource(), tolerate=tolerate)
    f.release([NodeHistograms(DOMAIN.everything, 1), ClassCounts(DOMAIN.everything, 1)])
    assert f.ledger.derivation().guarantee.colluders == tolerate


def sharing(ledger, tolerate):
    return Federation([Party([], DOMAIN) for _ in range(3)], DOMAIN, ledger, tolerate=tolerate, rng=ZeroWords())


def test_two_federations_on_one_ledger_keep_one_promise():
    """The first to charge fixes the colluders; one that tolerates fewer is refused, and says how both could be had."""
    ledger, query = Ledger(10), ClassCounts(DOMAIN.everything, 1)
    two, one = sharing(ledger, 2), sharing(ledger, 1)
    two.release([query])
    with pytest.raises(ValueError, match=r"nothing was charged.*make a ledger with Ledger\(…, colluders=1\)"):
        one.release([query])
    assert (ledger.spent, ledger.rounds, one.rounds, list(one.transport.requests)) == (1, 1, 0, [])
    with pytest.raises(ValueError, match=r"promises to withstand 2 colluders, more than tolerate = 1; .*colluders=1"):
        sharing(ledger, 1)
    sharing(ledger, 2).release([query])
    both = Ledger(10, colluders=1)
    for tolerate in (2, 1):
        sharing(both, tolerate).release([query])
    assert both.rounds == 2 and both.colluders == 1


def test_a_refused_federation_does_not_bind_its_ledger():
    ledger = Ledger(1, colluders=2)
    with pytest.raises(ValueError, match="more than tolerate = 0"):
        sharing(ledger, 0)
    assert ledger.domain is None


@pytest.mark.parametrize("rng", [Rehearsal(1), np.random.default_rng(1)])
def test_seeded_noise_is_said_aloud(rng):
    """A rehearsal is silent when it draws, and not when its guarantee is read; the system's noise has no caveat."""
    caveat = "; the noise was seeded: a rehearsal, not a release"
    for source, expected in ((rng, ("seeded generator",)), (None, ("operating system",))):
        f = federation(1, rng=source)
        f.release([ClassCounts(DOMAIN.everything, 1)])
        proved = f.ledger.derivation().guarantee
        assert proved.randomness == expected and proved.adaptive and str(proved).endswith(caveat) == (source is rng)


@pytest.mark.parametrize("kind", [ClassCounts, NodeHistograms])
def test_a_subclass_of_a_query_is_refused(kind):
    """It could state another sensitivity, count, or rate than the type that parties know; nothing is charged."""
    cheap = type("Cheap", (kind,), {"n_releases": property(lambda query: 1000)})(DOMAIN.everything, Fraction(1))
    f = federation()
    with pytest.raises(ValueError, match="closed set"):
        f.release([cheap])
    assert f.ledger.spent == 0 and f.rounds == 0


def test_every_party_has_noise_of_its_own():
    """Without rows, three rounds release the sums of shares from as many different streams as there are parties."""
    f = Federation([Party([], DOMAIN) for _ in range(3)], DOMAIN, Ledger(10), rng=np.random.default_rng(5))
    streams = [SeededSource(child) for child in np.random.default_rng(5).spawn(3)]
    seen = set()
    for _ in range(3):
        shares = [polya_share(Rate.of(epsilon="1/50"), 2, 8, stream) for stream in streams]
        seen |= {tuple(share.tolist()) for share in shares}
        released = f.release([ClassHistogram(DOMAIN.everything, "1/50", 0)])[0]
        assert released.ravel().tolist() == sum(shares).tolist()
    assert len(seen) == 9
