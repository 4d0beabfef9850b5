"""The job that carries: submitted once, followed, submitted again when it ends, and never beside one that lives."""

import re

import pytest

from fdpedu.carriers import job
from tests.support.fake_flare import Server


@pytest.fixture
def kit(tmp_path):
    (tmp_path / "kit" / "startup").mkdir(parents=True)
    (tmp_path / "kit" / "startup" / "fed_admin.json").write_text("{}", "utf8")
    (tmp_path / "sites").mkdir()
    return tmp_path / "kit"


@pytest.fixture
def carry(kit, tmp_path, monkeypatch):
    """Run against a server to the end of its script, at which somebody stops the program; what was said."""
    slept = []
    monkeypatch.setattr(job.time, "sleep", slept.append)
    monkeypatch.setattr(job, "GATHERING", 0.05)
    monkeypatch.setattr(job, "ORPHANED", 0.05)
    monkeypatch.setattr(job, "require_free", lambda path: path.unlink())

    def run(*script, error=KeyboardInterrupt, before=lambda server: None, **options):
        server = Server(monkeypatch, tmp_path / "sites", script, **options)
        before(server)
        server.said = []
        server.carrying = job.Carrying(kit, tmp_path / "sites", server.said.append)
        with pytest.raises(error) as server.failure:
            server.carrying.run()
        server.words = "\n".join(server.said)
        assert 0.1 <= min(slept, default=1) <= max(slept, default=1) <= 1  # neither without a pause nor for long
        return server

    return run


def nothing(server):
    pass


def runs(server):
    server.run()


def ends(server):
    server.ended()


def joins(server):
    server.clients |= {"late"}


def away(server):
    raise server.errors.NoConnection("nobody there")


def killed(server):
    """The server's process and all jobs with it: it says for ever that they run."""
    server.running.clear()
    raise server.errors.NoConnection("nobody there")


START = (nothing, nothing, runs)  # a look for jobs that live, one for clients, then it runs


def test_a_job_is_two_names_and_no_code(carry, tmp_path):
    """What is submitted has no file beside the three, names each end by its class, and takes no socket of a site."""
    server = carry(*START)
    (submitted,) = server.submitted
    assert set(submitted) == {"meta", "config_fed_server", "config_fed_client"}
    assert submitted["meta"] == {"name": server.carrying.name, "min_clients": 1, "deploy_map": {"app": ["@ALL"]}}
    assert submitted["config_fed_server"]["workflows"] == [
        {"id": "carry", "path": "fdpedu.carriers.flare.AggregatorEnd", "args": {"sites": str(tmp_path / "sites")}}
    ]
    (executor,) = submitted["config_fed_client"]["executors"]
    assert executor["executor"] == {"path": "fdpedu.carriers.flare.SiteEnd", "args": {}}
    assert re.fullmatch("fdpedu-[0-9a-f]{8}", server.carrying.name)
    assert "job-1 is submitted, for north, south" in server.words
    assert f"north is reached through {tmp_path / 'sites' / 'north.sock'}" in server.words


def test_whoever_stops_it_ends_the_job(carry):
    server = carry(*START)
    assert server.aborted == ["job-1"] and [one.closed for one in server.sessions] == [1]


def test_a_job_that_ends_is_submitted_again(carry):
    server = carry(*START, nothing, ends, nothing, nothing, runs, nothing)
    assert len(server.submitted) == 2 and server.submitted[0] == server.submitted[1]
    assert "the job has ended (FINISHED:ABNORMAL); it is submitted again" in server.words
    assert server.words.count("north is reached") == 2


def test_none_is_submitted_beside_one_that_lives(carry):
    """Whoever submitted it was killed, and is started again; another folder's job is another's."""

    def living(server):
        server.submitted += ["of another", "this"]
        server.jobs = {
            "job-1": {"name": "fdpedu-ffffffff", "status": "RUNNING"},
            "job-2": {"name": job_name(server), "status": "SUBMITTED"},
        }
        server.running.add("job-1")
        server.run()

    def job_name(server):
        return job.Carrying.name.fget(type("Folder", (), {"_sites": server.sites})())

    server = carry(nothing, nothing, before=living)
    assert server.submitted == ["of another", "this"] and "job job-2 carries already" in server.words
    assert server.aborted == ["job-2"]


def test_a_server_that_was_killed_has_no_job_whatever_it_says(carry):
    """Its store has the old one as running: without a process it is none, and a new one is submitted."""
    server = carry(*START, killed, nothing, nothing, runs, nothing)
    assert len(server.submitted) == 2 and len(server.sessions) == 2
    assert server.words.count("FLARE's server does not answer (NoConnection: nobody there); trying again") == 1


def test_a_server_that_is_away_is_asked_again_and_said_once(carry):
    """For as long as it takes; the job that lives on is found again."""
    server = carry(*START, away, away, away, nothing, nothing)
    assert len(server.submitted) == 1 and "carries already" in server.words and len(server.sessions) == 4
    assert server.words.count("does not answer") == 1
    assert [one.closed for one in server.sessions] == [1] * 4


@pytest.mark.parametrize("looks", [1, 2])
def test_a_job_without_a_process_is_waited_for_shortly(carry, looks):
    """It may just begin, or end: only at the third look in a row is it gone."""

    def gone(server):
        server.running.clear()

    def there(server):
        server.running.add(server.last)

    server = carry(*START, gone, *[nothing] * (looks - 1), there, gone, *[nothing] * (looks - 1), there)
    assert len(server.submitted) == 1
    server = carry(*START, gone, nothing, nothing, nothing, nothing, runs)
    assert len(server.submitted) == 2


def test_a_job_that_begins_slowly_is_waited_for(carry):
    """It is given out, and has no process at the first two looks; its socket files come later still."""

    def at_once(server):
        submit = server.submit_job

        def given_out(folder):
            job = submit(folder)
            server.jobs[job]["status"] = "DISPATCHED"
            return job

        server.submit_job = given_out

    server = carry(nothing, nothing, nothing, nothing, runs, nothing, before=at_once)
    assert len(server.submitted) == 1 and server.aborted == ["job-1"] and "has ended" not in server.words
    assert len(carry(*[nothing] * 3, *[nothing] * 4, before=at_once).submitted) == 2


def test_a_site_that_comes_later_gets_a_job_with_it(carry):
    """FLARE gives it no part in the old one, which is ended once."""
    server = carry(*START, nothing, joins, nothing, nothing, runs, nothing)
    assert server.aborted == ["job-1", "job-2"] and "late came later, so the job begins anew" in server.words
    assert "late is reached through" in server.words


def test_sites_that_were_there_are_waited_for(carry):
    """After a loss, until all are back; and no longer than some seconds, for one may be gone for good."""

    def leaves(server):
        server.clients -= {"south"}
        server.ended()

    def comes(server):
        server.clients |= {"south"}

    server = carry(*START, leaves, nothing, nothing, comes, runs, nothing)
    assert "job-2 is submitted, for north, south" in server.words
    server = carry(*START, leaves, *[nothing] * 100_000)
    assert "job-2 is submitted, for north" in server.words and "for north, south" not in server.words.split("job-2")[1]


def test_nothing_is_submitted_for_nobody(carry):
    def nobody(server):
        server.clients = set()

    def all_come(server):
        server.clients = {"north"}

    server = carry(nobody, nobody, nobody, all_come, runs)
    assert server.words.startswith("no site's client is connected to FLARE's server yet")
    assert "job-1 is submitted, for north" in server.words


def test_dead_sockets_are_taken_away_before_a_job_and_living_ones_are_waited_for(carry, monkeypatch, tmp_path):
    (tmp_path / "sites" / "north.sock").touch()
    freed = []

    def require_free(path):
        freed.append(path.name)
        if len(freed) < 3:
            raise ValueError("in use")
        path.unlink()

    monkeypatch.setattr(job, "ORPHANED", 60)
    monkeypatch.setattr(job, "require_free", require_free)
    assert "north is reached" not in carry(nothing, nothing, nothing).words and freed == ["north.sock"] * 3
    (tmp_path / "sites" / "north.sock").touch()
    freed.clear()
    monkeypatch.setattr(job, "ORPHANED", -1)
    carry(nothing, nothing, error=ValueError)


# --- refusals ---------------------------------------------------------------------------------------------------------


def deaf(*names):
    def before(server):
        server.deaf = {*names}

    return before


AGAIN = (*START, nothing, ends)


@pytest.mark.parametrize(
    ("names", "line"),
    [
        (
            ("south",),
            "south: not heard, while the others were.*log.txt.*class_allow_list needs fdpedu.carriers.flare.SiteEnd, "
            "and allow_log_streaming must be false; then restart",
        ),
        (("south", "north"), "no site was heard.*server.*class_allow_list needs fdpedu.carriers.flare.AggregatorEnd"),
    ],
)
def test_a_site_that_lets_each_job_end_unheard_is_named(carry, names, line):
    """Not after the first one, which may have been killed."""
    assert carry(*AGAIN, before=deaf(*names)).submitted
    refused = carry(*AGAIN, *AGAIN, error=job.CarryingRefused, before=deaf(*names))
    assert re.search(line, str(refused.failure.value)) and "\n" not in str(refused.failure.value)


def test_a_site_that_was_heard_between_is_not_named(carry):
    def hears(server):
        server.deaf = set()

    def is_deaf(server):
        server.deaf = {"south"}

    script = [is_deaf, nothing, runs, ends, hears, nothing, runs, ends, is_deaf, nothing, runs, ends]
    assert len(carry(*script).submitted) == 3


def test_who_may_not_submit_is_told(carry):
    def before(server):
        def submit(folder):
            raise server.errors.AuthorizationError("no")

        server.submit_job = submit

    refused = carry(nothing, nothing, nothing, error=job.CarryingRefused, before=before)
    assert re.search("may not submit jobs: take that of a lead.*authorization.json", str(refused.failure.value))
    assert [one.closed for one in refused.sessions] == [1]


def test_a_kit_of_another_project_is_refused(carry):
    def before(server):
        server.kit_refused = True

    refused = carry(error=job.CarryingRefused, before=before)
    assert "does not know this kit (no such user)" in str(refused.failure.value)


@pytest.mark.parametrize(
    ("kit_is", "sites", "name"),
    [
        ("sites", "sites", "kit"),
        ("nowhere", "sites", "kit"),
        ("kit", "nowhere", "sites"),
        ("kit", "kit/startup/fed_admin.json", "sites"),
    ],
)
def test_folders_that_are_none_are_refused(kit, tmp_path, kit_is, sites, name):
    with pytest.raises(ValueError, match=f"^{name} must be"):
        job.Carrying(tmp_path / kit_is, tmp_path / sites)


def test_a_folder_that_is_too_deep_for_sockets_is_refused(kit, tmp_path):
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    with pytest.raises(ValueError, match="at most 100 bytes"):
        job.Carrying(kit, deep)


def test_a_job_a_folder(kit, tmp_path, monkeypatch):
    """The same folder is the same job, however it is named."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "o").mkdir()
    (tmp_path / "l").symlink_to("sites")
    names = {job.Carrying(kit, where).name for where in ("sites", tmp_path / "sites", "o/../sites", "l")}
    assert len(names) == 1 and job.Carrying(kit, "o").name not in names


def test_flare_says_nothing_on_our_output(carry, capsys):
    carry(*START)
    assert capsys.readouterr().out == ""
