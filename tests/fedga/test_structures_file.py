"""Files of structures where planted faults had survived: what is checked, and in which words."""

import json

import pytest

from fdpedu import files
from fdpedu.domain import Domain, Numeric
from fdpedu.files import FileRefused
from fdpedu.randomness import Rehearsal
from fdpedu.structures import Structures, fit_private_structures
from tests.fedga.test_structure_votes import AGES, STAYS, changed, federation, voted

LEAF = -1
ALL = AGES.everything


def grid(*bins, classes=("x", "y")):
    return Domain([Numeric.grid(f"f{k}", 0, n, bins=n) for k, n in enumerate(bins)], classes)


# --- the file ---------------------------------------------------------------------------------------------------------

MORE_CHANGES = {
    "votes for more structures": lambda c: c["generations"][0]["votes"].append(0),
    "votes that are too large": lambda c: c["generations"][0]["votes"].__setitem__(0, 10**60),
    "another price": lambda c: c["derivation"]["proof"].__setitem__("epsilon", "1/2"),
    "another claim of what was proved": lambda c: c["derivation"]["guarantee"].__setitem__("value", "1/2"),
    "as many tolerated as there are": lambda c: c.__setitem__("tolerate", c["n_parties"]),
    "fewer tolerated than none": lambda c: c.__setitem__("tolerate", -1),
    "a loss that the domain has not": lambda c: c.__setitem__("loss", "gini"),
}


@pytest.mark.parametrize("name", MORE_CHANGES)
def test_a_changed_file_is_refused(name):
    with pytest.raises(FileRefused):
        Structures.from_json(changed(MORE_CHANGES[name]))


def test_a_file_of_another_domain_is_refused_though_it_has_the_same_structures():
    """Names and codes are those of the derivation's own domain."""
    for change in (
        lambda c: c["domain"]["classes"].append("dead"),
        lambda c: c["domain"]["features"].__setitem__("age", [0, 90, 4]),
    ):
        with pytest.raises(FileRefused, match="its derivation is of another domain"):
            Structures.from_json(changed(change))


def test_a_file_of_one_party_is_refused_and_one_of_a_target_that_became_classes():
    """Where nothing else is wrong: nobody was to be tolerated; as many classes as there were levels."""
    found = fit_private_structures(federation(tolerate=0), population=4, rng=Rehearsal(1))
    for one, change in (
        (found, lambda c: c.__setitem__("n_parties", 1)),
        (voted(STAYS), lambda c: c["domain"].__setitem__("classes", [*"abcd"]) or c["domain"].pop("target")),
    ):
        content = json.loads(one.to_json())
        content.pop("schema"), content.pop("digest")
        Structures.from_json(files.dumps("fdpedu-structures/1", content))
        change(content)
        with pytest.raises(FileRefused):
            Structures.from_json(files.dumps("fdpedu-structures/1", content))


def test_a_file_tolerates_no_fewer_than_its_charges_withstand():
    found = fit_private_structures(federation(tolerate=1), population=4, rng=Rehearsal(1))
    colluders = found.guarantee.colluders
    content = json.loads(found.to_json())
    content.pop("schema"), content.pop("digest")
    content["tolerate"] = colluders - 1
    with pytest.raises(FileRefused):
        Structures.from_json(files.dumps("fdpedu-structures/1", content))


def test_unfinished_structures_have_paid_for_one_vote_more_than_they_have_at_most():
    """In their order, and at one cost; and they say so."""
    found = fit_private_structures(federation(), max_depth=1, population=2, generations=3, rng=Rehearsal(1))
    content = json.loads(found.to_json())
    content.pop("schema"), content.pop("digest")

    def read(kept, rounds, **more):
        cut = {**content, "generations": content["generations"][:kept], "rounds": rounds, **more}
        return Structures.from_json(files.dumps("fdpedu-structures/1", cut))

    for kept, rounds in ((2, [1, 2, 3]), (2, [1, 2]), (1, [1, 2])):
        one = read(kept, rounds, unfinished=True)
        assert one.unfinished and one.cost.value == found.cost.value * len(rounds) / 3
        assert json.loads(one.to_json())["unfinished"] is True
    assert "unfinished" not in content and not read(3, [1, 2, 3], unfinished=False).unfinished
    with pytest.raises(FileRefused):
        read(1, [1, 2, 3], unfinished=True)
    for kept, rounds in ((2, [1, 2, 3]), (1, [1, 2])):
        with pytest.raises(FileRefused):
            read(kept, rounds)
    with pytest.raises(FileRefused, match="unfinished must be a bool"):
        read(2, [1, 2, 3], unfinished=1)
    nameless = {name: value for name, value in content.items() if name != "rounds"}
    with pytest.raises(FileRefused, match="unfinished name their rounds"):
        Structures.from_json(files.dumps("fdpedu-structures/1", {**nameless, "unfinished": True}))
