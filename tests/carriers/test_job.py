"""The job that carries: submitted once, followed, submitted again when it ends, and never beside one that lives."""

# Longer than 400 lines because each script of what a server does is a case of one loop, and they share its words.

import re
import sys

import pytest

from fdpedu.carriers import job, presence
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
    monkeypatch.setattr(presence, "GATHERING", 0.05)
    monkeypatch.setattr(job, "ORPHANED", 0.05)
    monkeypatch.setattr(job, "require_free", lambda path: path.unlink())

    def run(*script, error=KeyboardInterrupt, before=lambda server: None, names=()):
        server = Server(monkeypatch, tmp_path / "sites", script)
        before(server)
        server.said = []
        server.carrying = job.Carrying(kit, tmp_path / "sites", server.said.append, names)
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


def job_name(server):
    return job.Carrying.name.fget(type("Folder", (), {"_sites": server.sites})())


START = (nothing, nothing, runs)  # a look for jobs that live, one for clients, then it runs


def test_a_job_is_two_names_and_no_code(carry, tmp_path):
    """What is submitted has no file beside the three, names each end by its class, and takes no socket of a site."""

    def turns(server):
        server.turn = (tmp_path / "sites" / "turn").read_text("utf8")

    server = carry(*START, turns)
    (submitted,) = server.submitted
    assert set(submitted) == {"meta", "config_fed_server", "config_fed_client"}
    assert submitted["meta"] == {
        "name": server.carrying.name,
        "min_clients": 1,
        "deploy_map": {"app": ["server", "north", "south"]},
    }
    assert submitted["config_fed_server"]["workflows"] == [
        {
            "id": "carry",
            "path": "fdpedu.carriers.flare.AggregatorEnd",
            "args": {"sites": str(tmp_path / "sites"), "turn": server.turn},
        }
    ]
    (executor,) = submitted["config_fed_client"]["executors"]
    assert executor["executor"] == {"path": "fdpedu.carriers.flare.SiteEnd", "args": {}}
    assert re.fullmatch("fdpedu-[0-9a-f]{8}", server.carrying.name)
    assert "job-1 is submitted, for north, south" in server.words
    assert f"north is reached through {tmp_path / 'sites' / 'north.sock'}" in server.words


def test_whoever_stops_it_ends_the_job(carry):
    server = carry(*START)
    assert server.aborted == ["job-1"] and [one.closed for one in server.sessions] == [1]


def turn_of(server):
    return server.sites / "turn"


def test_whoever_stops_it_while_the_server_is_away_ends_the_job_too(carry):
    """It is nobody's turn any more, by which the job ends itself."""

    def stopped(server):
        server.turned = turn_of(server).exists()
        sys.modules["nvflare.fuel.flare_api.flare_api"].new_secure_session = stop
        raise server.errors.NoConnection("nobody there")

    def stop(username, kit):
        raise KeyboardInterrupt

    server = carry(*START, stopped)
    assert server.turned and not turn_of(server).exists()


def test_before_a_job_is_submitted_it_is_nobody_s_turn(carry):
    """So that what is left of the one before ends while its sites are waited for."""

    def looks(server):
        server.turned = turn_of(server).exists()

    server = carry(*START, ends, nothing, looks)
    assert not server.turned and len(server.submitted) == 2


def test_a_job_that_ends_is_submitted_again(carry):
    server = carry(*START, nothing, ends, nothing, nothing, runs, nothing)
    assert len(server.submitted) == 2 and server.submitted[0]["meta"] == server.submitted[1]["meta"]
    first, second = (one["config_fed_server"]["workflows"][0]["args"]["turn"] for one in server.submitted)
    assert first != second  # so that the first one ends where it has not
    assert "job job-1 has ended (FINISHED:ABNORMAL); another one follows" in server.words
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
    assert server.words.count("FLARE's server does not answer") == 1
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
    assert (
        server.aborted == ["job-1", "job-2"]
        and "late can be reached by FLARE's server now, so a job begins that has it" in server.words
    )
    assert "late is reached through" in server.words


def test_sites_that_were_there_are_waited_for(carry, monkeypatch):
    """After a loss, until all are back; and no longer than some seconds, for one may be gone for good."""

    def leaves(server):
        server.clients -= {"south"}
        server.ended()

    def comes(server):
        server.clients |= {"south"}

    monkeypatch.setattr(presence, "GATHERING", 60)
    server = carry(*START, leaves, nothing, nothing, comes, runs, nothing)
    assert "job-2 is submitted, for north, south" in server.words
    monkeypatch.setattr(presence, "GATHERING", -1)
    server = carry(*START, leaves, *[nothing] * 9)
    assert "job-2 is submitted, for north" in server.words and "for north, south" not in server.words.split("job-2")[1]


def test_nothing_is_submitted_for_nobody(carry):
    def nobody(server):
        server.clients = set()

    def all_come(server):
        server.clients = {"north"}

    server = carry(nobody, nobody, nobody, all_come, runs)
    assert server.words.startswith("no site's FLARE is connected to FLARE's server: start it")
    assert "job-1 is submitted, for north" in server.words


AGREED = ("north", "south", "late")


@pytest.fixture
def at_once(carry, monkeypatch):
    """A job begins without waiting for anybody."""
    monkeypatch.setattr(presence, "GATHERING", -1)
    return carry


def test_of_sites_that_are_agreed_on_it_is_said_who_was_never_there_and_who_is_gone(at_once):
    """The job begins without them, and anew when they come."""
    later = [nothing, nothing, runs]
    server = at_once(*START, nothing, joins, *later, stops("south"), ends, *later, ends, *later, names=AGREED)
    lines = [line for line in server.said if "is submitted" in line]
    assert "for north, south. Not there: late, never connected to FLARE's server. Start FLARE there" in lines[0]
    assert "for late, north, south. These are all sites" in lines[1]
    assert "Not there: south, of whose FLARE there is no sign any more" in lines[-1]
    assert "never connected" not in "".join(lines[1:])


def test_a_client_that_is_no_site_has_no_part_and_is_named_where_a_site_lacks(at_once):
    """A consortium has others, and one may have another name there."""
    server = at_once(*START, joins, *[nothing] * 9, names=("north", "south"))
    assert len(server.submitted) == 1 and "late" not in server.words
    server = at_once(joins, *START, *[nothing] * 9, names=("north", "south"))
    (submitted,) = server.submitted
    assert submitted["meta"]["deploy_map"] == {"app": ["server", "north", "south"]} and "late" not in server.words
    server = at_once(joins, *START, names=("north", "south", "east"))
    assert "FLARE's server has late, too, and the agreement has not: a site needs the same name in both" in server.words


def test_where_no_site_is_connected_all_are_named(at_once):
    server = at_once(nothing, nothing, names=("east", "west"))
    assert server.submitted == []
    assert re.search("no job yet. Not there: east, west, never connected.*has north, south, too", server.words)


def test_sites_that_are_agreed_on_are_waited_for_before_the_first_job_only(carry, monkeypatch):
    monkeypatch.setattr(presence, "GATHERING", 60)
    assert carry(*[nothing] * 50, names=AGREED).submitted == []
    assert len(carry(*[nothing] * 9, joins, nothing, runs, nothing, names=AGREED).submitted) == 1
    monkeypatch.setattr(presence, "GATHERING", -1)

    def patient(server):
        monkeypatch.setattr(presence, "GATHERING", 60)

    server = carry(*START, patient, ends, nothing, nothing, runs, nothing, names=AGREED)
    assert len(server.submitted) == 2


def stops(*names):
    def happens(server):
        server.stopped |= {*names}

    return happens


def back(server):
    server.stopped.clear()


def undeployable(server):
    server.undeployable = {"south"}


def test_a_site_that_is_listed_and_gone_is_left_out_until_it_gives_a_sign(carry):
    """FLARE lists it for ten minutes; one job carries to the others, and it is said who has no part."""
    server = carry(stops("south"), *START[1:], *[nothing] * 30)
    assert len(server.submitted) == 1 and server.aborted == ["job-1"]
    assert server.words.count("south has no part in this job") == 1 and "south can be reached" not in server.words
    server = carry(stops("south"), *START[1:], *[nothing] * 5, back, nothing, nothing, runs, *[nothing] * 20)
    assert len(server.submitted) == 2 and server.words.count("south can be reached") == 1
    assert server.submitted[1]["meta"]["deploy_map"] == {"app": ["server", "north", "south"]}


def test_a_site_that_is_killed_with_its_job_is_offered_one_more_and_then_none(carry):
    """FLARE still lists it; the jobs after that are for the others only, and without waiting for it."""
    script = [
        *START,
        stops("south"),
        ends,
        nothing,
        nothing,
        runs,
        nothing,
        ends,
        nothing,
        nothing,
        runs,
        *[nothing] * 9,
    ]
    server = carry(*script)
    named = [one["meta"]["deploy_map"]["app"] for one in server.submitted]
    assert named == [["server", "north", "south"]] * 2 + [["server", "north"]]
    server = carry(*script, back, nothing, nothing, runs, nothing)
    assert server.submitted[-1]["meta"]["deploy_map"]["app"] == ["server", "north", "south"]
    assert server.words.rstrip().endswith(f"south is reached through {server.sites / 'south.sock'}")


def test_a_site_that_lives_and_gets_no_part_makes_a_few_jobs_begin_anew_and_no_more(carry):
    """Only one to whom the application was given has a part: FLARE notes the others, too."""
    again = [nothing, nothing, runs, *[nothing] * 3]
    server = carry(undeployable, *again[1:], *again * 20)
    assert 2 <= len(server.submitted) <= presence.LEFT
    assert server.words.count("south: no part in 5 jobs") <= 1


def test_a_job_for_nobody_who_answers_makes_way_for_whoever_comes(carry, monkeypatch):
    """FLARE keeps it waiting; a site that starts meanwhile is not in it."""
    alone = [stops("south"), *[nothing] * 4, joins, nothing, nothing, runs, nothing]

    def only_south(server):
        server.clients = {"south"}

    assert len(carry(*alone, before=only_south).submitted) == 1
    monkeypatch.setattr(job, "UNBEGUN", -1)
    server = carry(*alone, before=only_south)
    named = [one["meta"]["deploy_map"]["app"] for one in server.submitted]
    assert named == [["server", "south"], ["server", "late"]] and "south has no part in this job" in server.words


def test_a_job_is_aborted_when_it_runs_and_not_before(carry):
    """FLARE starts a job all the same that is aborted while it is given out."""

    def given_out(server):
        server.run()
        server.jobs[server.last]["status"] = "DISPATCHED"

    server = carry(nothing, nothing, given_out, joins, nothing, nothing)
    assert server.aborted == ["job-1"] and len(server.submitted) == 1  # by whoever stopped it
    server = carry(nothing, nothing, given_out, joins, nothing, runs, nothing, nothing, nothing)
    assert server.aborted[0] == "job-1" and len(server.submitted) == 2


def test_none_is_submitted_before_the_last_one_has_no_process(carry, monkeypatch):
    def lingers(server):
        server.ended()
        server.running.add("job-1")

    def leaves(server):
        server.running.clear()

    monkeypatch.setattr(job, "ORPHANED", 60)
    assert len(carry(*START, lingers, *[nothing] * 9).submitted) == 1
    assert len(carry(*START, lingers, *[nothing] * 9, leaves, runs).submitted) == 2
    monkeypatch.setattr(job, "ORPHANED", -1)
    server = carry(*START, lingers, *[nothing] * 9, error=job.CarryingRefused)
    assert "job job-1 does not end, though it should: restart FLARE's server" in str(server.failure.value)


def test_a_second_job_of_the_folder_is_ended_by_its_name(carry):
    def two(server):
        for name in ("job-1", "job-2"):
            server.jobs[name] = {"name": job_name(server), "status": "RUNNING"}
        server.running |= {"job-1", "job-2"}

    server = carry(nothing, nothing, before=two)
    assert server.aborted == ["job-2", "job-1"] and "job job-1 carries already" in server.words


def test_it_says_what_comes_back_from_each_site_whenever_that_changes(carry):
    def silent(server):
        server.silent = {"south"}

    def speaks(server):
        server.silent = set()

    for_a_while = [nothing] * (2 * presence.PROBED + 2)
    server = carry(*START, *for_a_while, silent, *for_a_while, stops("south"), *for_a_while, back, speaks, *for_a_while)
    south = [line for line in server.said if line.startswith("south")]
    assert [line.split("south")[1][:12] for line in south] == [
        " is reached ",
        ": FLARE ther",
        ": nothing co",
        " is reached ",
    ]
    assert "nobody listens at the site's socket: is fdpedu site running there" in south[1]
    assert len(server.asked) < len(for_a_while) * 3  # not at each look


def test_jobs_that_end_one_after_another_are_fewer_and_fewer_and_then_none(carry):
    """At once at first; then after longer and longer, and one line at last."""
    one = [nothing, nothing, runs, ends]
    server = carry(*one * job.MOST, error=job.CarryingRefused)
    assert len(server.submitted) == job.MOST
    assert re.search("15 jobs in a row have ended within 60 s each.*log.txt.*job-15", str(server.failure.value))
    said = [int(line.split()[-2]) for line in server.said if "the next begins in" in line]
    assert said == [2, 4, 8, 16, 32, 60, 60, 60]
    pauses = [presence.pause(jobs, job.BRIEF) for jobs in range(job.MOST)]
    assert pauses[: job.BRIEF + 1] == [0] * (job.BRIEF + 1) and pauses == sorted(pauses) and pauses[-1] == 60


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
    carry(nothing, nothing, error=job.CarryingRefused)


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
