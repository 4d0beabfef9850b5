"""What parties say at the stages of a round, as it is read, and what the aggregator makes of it, stage by stage."""

import pytest

from fdpedu.federation import messages
from fdpedu.federation.stages import Seat, read_said, sum_of_survivors
from fdpedu.secure_sum import Identity, Occasion, Rules

SIGNED = bytes(64)
ONE_THING = "a party says one thing for itself at the stage "


@pytest.mark.parametrize(
    ("stage", "content", "name", "reason"),
    [
        ("agree", ((1, SIGNED),), "malformed", f"{ONE_THING}'agree'"),
        ("agree", ((0, SIGNED), (0, SIGNED)), "malformed", f"{ONE_THING}'agree'"),
        ("agree", (), "malformed", f"{ONE_THING}'agree'"),
        ("agree", (7,), "malformed", f"{ONE_THING}'agree'"),
        ("share", ((0, 1, b""), (1, 0, b"")), "malformed", f"{ONE_THING}'share'"),
        ("share", ((1, 0, b""),), "malformed", f"{ONE_THING}'share'"),
        ("mask", ((0, bytes(8)),), "malformed", "2 masked numbers have 8 bytes each, got 8 bytes"),
        ("mask", ((0, bytes(18)),), "malformed", "2 masked numbers have 8 bytes each, got 18 bytes"),
        ("mask", ((0, b""),), "malformed", "2 masked numbers have 8 bytes each, got 0 bytes"),
        ("announce", ((0, bytes(32), bytes(32), SIGNED),), "not signed", "the key is not signed for this round"),
    ],
)
def test_what_a_party_says_is_refused_in_these_words(stage, content, name, reason):
    with pytest.raises(messages.Refused) as refused:
        read_said(stage, content, 0, Occasion(bytes(32), 1, bytes(32), (bytes(32), bytes(32)), 2))
    assert (refused.value.name, refused.value.reason) == (name, reason)


@pytest.mark.parametrize("k", [0, 1])
def test_an_announcement_is_signed_for_its_round_by_who_says_it(k):
    signers = [Identity.create(), Identity.create()]
    occasion = Occasion(bytes(32), 1, bytes(32), tuple(signer.public for signer in signers), 2)
    fields = (k, b"k" * 32, b"c" * 32)
    signature = signers[k].sign("round key", occasion.binding, *fields)
    assert read_said("announce", ((*fields, signature),), k, occasion) == [(*fields, signature)]
    for wrong in (
        signers[1 - k].sign("round key", occasion.binding, *fields),
        signers[k].sign("another", occasion.binding, *fields),
        signers[k].sign("round key", bytes(32), *fields),
        signers[k].sign("round key", occasion.binding, *fields[:2], bytes(32)),
    ):
        with pytest.raises(messages.Refused):
            read_said("announce", ((*fields, wrong),), k, occasion)


def test_stages_are_asked_one_after_the_other():
    """Each with what the one before has ended with; at first everybody is asked, with nothing."""
    asked = []

    class Rules:
        n_parties = 3

    class Counting:
        rules = Rules

        def __getattr__(self, name):
            def collect(said):
                asked.append((name, said))
                return {
                    "hellos": (Party(2), Party(0)),
                    "boxes": {0: ((0, 1),), 2: ((2, 3), (2, 4))},
                    "survivors": (2, 0),
                    "consents": (Party(0),),
                }.get(name, "the sum")

            return collect

    class Party(tuple):
        def __new__(cls, party):
            one = super().__new__(cls, (party, "said"))
            one.party = party
            return one

    def answers(stage, ended, told):
        asked.append((stage, ended, dict(told)))
        return {k: [f"{stage} of {k}"] for k in told}

    assert sum_of_survivors(Counting(), answers) == "the sum"
    hellos, consents = ((2, "said"), (0, "said")), ((0, "said"),)
    assert asked == [
        ("announce", "", {0: (), 1: (), 2: ()}),
        ("hellos", ["announce of 0", "announce of 1", "announce of 2"]),
        ("share", "announce", {2: hellos, 0: hellos}),
        ("boxes", ["share of 2", "share of 0"]),
        ("mask", "share", {0: ((0, 1),), 2: ((2, 3), (2, 4))}),
        ("survivors", ["mask of 0", "mask of 2"]),
        ("agree", "mask", {2: (2, 0), 0: (2, 0)}),
        ("consents", ["agree of 2", "agree of 0"]),
        ("unmask", "agree", {0: consents}),
        ("total", ["unmask of 0"]),
    ]


def test_a_round_that_has_not_begun_has_no_stage_to_end():
    seat = Seat(0, Rules.for_missing(4, 1), Identity.create(), {})
    with pytest.raises(messages.Refused) as refused:
        seat.go_on("mask", (), lambda: None)
    told = "each stage comes once and in order; ended has the round"
    assert (refused.value.name, refused.value.reason) == ("out of order", told)
