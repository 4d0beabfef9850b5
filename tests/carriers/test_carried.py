"""NVIDIA FLARE carries, by mutual TLS on the loopback device; whatever is killed, the tree is right and paid once.

`make field` runs these, for they need .field; a folder of sites and of FLARE's kits serves all tests of the file. The
noise is left out, so that what comes out is known.
"""

import json
import re
import subprocess
import time
from itertools import count

import pytest

from fdpedu.accounting import check_derivation
from fdpedu.demo.flare import ADMIN, SERVER
from fdpedu.federation import ClassCounts
from fdpedu.trees import fit_federated_tree
from tests.support.afield import DOMAIN
from tests.support.flare import PYTHON, Carried, killers

pytestmark = pytest.mark.carried
WITHIN = 40  # seconds to the finished tree after a kill
_numbers = count()


@pytest.fixture(scope="module")
def carried(tmp_path_factory):
    if not PYTHON.exists():
        pytest.fail("there is no .field: run `make field`")
    field = Carried(tmp_path_factory.mktemp("flare"), budget=100)
    try:
        field.begin()
        yield field
    finally:
        field.end()


@pytest.fixture
def field(carried):
    """It carries, and the next fit has a journal of its own."""
    carried.flare.wait()
    carried.journal = carried.folder / f"journal-{next(_numbers)}"
    return carried


def grown(field, kill=None):
    """A tree and its manifest, and all have paid for it once."""
    own = f"aggregator of {field.journal.name}"
    before = [field.charged(name) for name in field.own]
    with field.carried(ledger=field.ledger(own)) as federation:
        tree = field.tree(federation, kill, epsilon=1)
        manifest = federation.manifest
    after = [field.charged(name) for name in field.own]
    assert field.charged(own) == (tree.rounds, 1)
    assert [(a[0] - b[0], a[1] - b[1]) for a, b in zip(after, before, strict=True)] == [(tree.rounds, 1)] * 3
    assert check_derivation(tree.derivation.to_json(), manifest.to_json()).spent == tree.cost.value == 1
    return tree


def in_process(field):
    return fit_federated_tree(field.in_process(), max_depth=3, design="default", epsilon=1, rng=field.coins)


@pytest.mark.first
def test_a_tree_is_that_of_one_process(field):
    """The same answers make the same tree and the same derivation, whoever has carried them."""
    tree, here = grown(field), in_process(field)
    assert str(tree) == str(here)
    leaving_out = {"randomness": "the test's here, and there the sites' own, which have none"}
    assert tree.derivation.content | leaving_out == here.derivation.content | leaving_out


@pytest.mark.parametrize(
    "what",
    [
        "the site's job",
        "the client",
        "client and job, back at once",
        "client and job, back after 8 s",
        "the server's job",
        "the server",
        "the server and its job",
        pytest.param("the site's own process", marks=pytest.mark.first),
    ],
)
def test_whatever_is_killed_the_tree_is_finished(field, what):
    tree = grown(field, killers(field)[what])
    assert str(tree) == str(in_process(field))
    print(f"{what}: finished {field.seconds:.1f} s after the kill")
    assert field.seconds < WITHIN


def test_whoever_submits_is_killed_and_finds_its_job_again(field):
    """It follows the job that lives, and submits none beside it."""
    field.flare.kill("carry")
    before = len(field.flare.said("carry"))
    field.flare.carry()
    assert str(grown(field)) == str(in_process(field))
    wait_for(lambda: "carries already" in field.flare.said("carry")[before:])
    assert "is submitted" not in field.flare.said("carry")[before:]


@pytest.mark.parametrize("same", [True, False])
def test_a_second_job_beside_the_first_takes_nothing(field, same):
    """It is not its turn there, or it finds the sockets in use, and ends; the first one carries on."""
    done = submit_beside(field, (field.folder / "sites" / "turn").read_text("utf8") if same else "of another")
    assert done.startswith("FINISHED"), done
    assert str(grown(field)) == str(in_process(field))


def submitted(field):
    return field.flare.said("carry").count("is submitted")


def test_a_site_whose_client_is_gone_is_left_out_and_comes_back_by_itself(field):
    """FLARE's server lists it for ten minutes: a job carries to the others, and none follows for nothing."""
    before, said = submitted(field), len(field.flare.said("carry"))
    field.flare.kill("south")
    wait_for(lambda: "south has no part in this job" in field.flare.said("carry")[said:])
    jobs = submitted(field)
    assert jobs == before + 1
    time.sleep(20)
    assert submitted(field) == jobs and not (field.folder / "sites" / "south.sock").exists()
    field.flare.start("south")
    field.flare.wait()
    assert submitted(field) == jobs + 1
    assert str(grown(field)) == str(in_process(field))


def test_a_site_that_goes_silent_is_said(field):
    said = len(field.flare.said("carry"))
    field.kill("south")
    wait_for(lambda: "nobody listens at the site's socket" in field.flare.said("carry")[said:], 20)
    field.start("south")
    wait_for(lambda: field.flare.said("carry").rstrip().endswith("south.sock"), 20)


def wait_for(happened, seconds=60):
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.2)


BESIDE = """
import sys, tempfile, time
from pathlib import Path
from nvflare.fuel.flare_api.flare_api import new_secure_session
from fdpedu.carriers.job import Carrying
carrying = Carrying(*sys.argv[1:3])
carrying._turn = sys.argv[3]
session = new_secure_session("", sys.argv[1])
with tempfile.TemporaryDirectory() as folder:
    job = session.submit_job(str(carrying._written(Path(folder) / carrying.name, sys.argv[4:])))
for _ in range(60):
    status = session.get_job_meta(job)["status"]
    if status.startswith("FINISHED"):
        break
    time.sleep(0.5)
print(status)
session.close()
"""


def submit_beside(field, turn):
    """What becomes of a job that somebody else submits for the same folder."""
    words = [str(field.flare.kit("lead@nvidia.com")), str(field.folder / "sites"), turn, *field.own]
    done = subprocess.run(
        [PYTHON, "-c", BESIDE, *words], env=field.flare.environment, capture_output=True, text=True, timeout=90
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


# --- one line of what is wrong ----------------------------------------------------------------------------------------


def refused(field, kit=ADMIN):
    """What `fdpedu carry` says at its end."""
    field.flare.interrupt()
    (field.folder / "carry.out").unlink()
    field.flare.carry(kit)
    assert field.flare.running["carry"].wait(90) == 1
    line = field.flare.said("carry").splitlines()[-1]
    assert line.startswith("fdpedu carry: ")
    return line


def test_a_kit_without_rights_is_refused(field):
    try:
        line = refused(field, "member@nvidia.com")
        assert "may not submit jobs: take that of a lead" in line
    finally:
        field.flare.carry()


STREAMER = "nvflare.app_common.logging.site_log_streamer.SiteLogStreamer"
LOGS = {"allow_log_streaming": True, "components+": [{"id": "site_log_streamer", "path": STREAMER, "args": {}}]}


def changed(field, name, **what):
    """A site's or the server's resources.json, otherwise."""
    path = field.flare.kit(name) / "local" / "resources.json"
    kept = path.read_text("utf8")
    content = json.loads(kept)
    more = {name[:-1]: content[name[:-1]] + value for name, value in what.items() if name.endswith("+")}
    path.write_text(json.dumps(content | what | more), "utf8")
    return lambda: path.write_text(kept, "utf8")


@pytest.mark.parametrize(
    ("name", "what", "line"),
    [
        ("south", {"class_allow_list": []}, "south: not heard.*class_allow_list needs fdpedu.carriers.flare.SiteEnd"),
        ("south", LOGS, "south: not heard.*allow_log_streaming must be false"),
        (SERVER, {"class_allow_list": []}, "no site was heard.*needs fdpedu.carriers.flare.AggregatorEnd"),
    ],
)
def test_what_an_owner_has_not_allowed_is_said_in_one_line(field, name, what, line):
    """The job ends each time, and who has not been heard is named; then what to write where."""
    put_back = changed(field, name, **what)
    field.flare.kill(name)
    field.flare.start(name)
    try:
        assert re.search(line, refused(field))
    finally:
        put_back()
        field.flare.kill(name)
        field.flare.start(name)
        field.flare.carry()
    assert str(grown(field)) == str(in_process(field))


def test_rounds_are_those_of_one_process(field):
    """A round, many times: no answer is lost, and none is another's."""
    with field.carried(ledger=field.ledger("aggregator of rounds")) as federation:
        for _ in range(20):
            found = federation.release([ClassCounts(DOMAIN.everything, "1/100")])
            here = field.in_process().release([ClassCounts(DOMAIN.everything, "1/100")])
            assert [list(one) for one in found] == [list(one) for one in here]
