"""What an owner writes into FLARE's folder ``local``: one class, one socket, no logs, no code."""

import json

import pytest

from fdpedu.carriers import local

DEFAULT = {
    "format_version": 2,
    "class_list_enforcement_mode": "enforce",
    "class_allow_list": ["nvflare.app_common.logging.job_log_streamer.JobLogStreamer"],
    "allow_log_streaming": True,
    "client": {"retry_timeout": 30},
    "components": [{"id": "process_launcher", "path": "a.B"}, {"id": "site_log_streamer", "path": "c.D"}],
}


ROLES = {
    "project_admin": "any",
    "org_admin": {"submit_job": "none", "view": "any", "byoc": "none", "shell_commands": "o:site"},
    "lead": {"submit_job": "any", "view": "any", "byoc": "any", "shell_commands": "o:site"},
    "member": {"view": "any"},
}


@pytest.fixture
def folder(tmp_path):
    roles = {"format_version": "1.0", "permissions": ROLES}
    (tmp_path / "authorization.json.default").write_text(json.dumps(roles), "utf8")
    (tmp_path / "resources.json.default").write_text(json.dumps(DEFAULT), "utf8")
    return tmp_path


def written(folder, name):
    return json.loads((folder / name).read_text("utf8"))


def test_a_site_allows_one_class_and_sends_no_log(folder, monkeypatch):
    """All else stays as FLARE has given it; a relative socket is that of the folder where this was said."""
    monkeypatch.chdir(folder)
    local.write_at_site(folder, "own.sock")
    found = written(folder, "resources.json")
    assert found.pop("class_allow_list") == ["fdpedu.carriers.flare.SiteEnd"]
    assert found.pop("allow_log_streaming") is False
    assert [part["id"] for part in found.pop("components")] == ["process_launcher"]
    assert found == {name: DEFAULT[name] for name in ("format_version", "class_list_enforcement_mode", "client")}
    assert written(folder, "fdpedu.json") == {"socket": str(folder / "own.sock")}


def test_the_server_allows_one_class(folder):
    local.write_at_server(folder)
    assert written(folder, "resources.json") == DEFAULT | {"class_allow_list": ["fdpedu.carriers.flare.AggregatorEnd"]}
    assert not (folder / "fdpedu.json").exists()


@pytest.mark.parametrize("write", [lambda at: local.write_at_site(at, "s"), local.write_at_server])
def test_nobody_brings_code_along(folder, write):
    """Of any role; a role that had every right by one word keeps the others, and all else of a role stays."""
    write(folder)
    found = written(folder, "authorization.json")
    assert found.pop("format_version") == "1.0"
    roles = found.pop("permissions")
    assert found == {} and set(roles) == set(ROLES)
    for name, role in roles.items():
        assert (role.pop("byoc"), role.pop("shell_commands")) == ("none", "none")
        if name != "project_admin":
            assert role == {right: who for right, who in ROLES[name].items() if right not in ("byoc", "shell_commands")}
    assert set(roles["project_admin"].values()) == {"any"}
    assert {"submit_job", "manage_job", "view", "operate"} <= set(roles["project_admin"])


def test_what_an_owner_has_changed_stays(folder):
    """It is the file there that is changed, and FLARE's default only where there is none; doing it again is nothing."""
    own = {"format_version": "1.0", "permissions": {"auditor": {"view": "o:site", "byoc": "any"}}}
    (folder / "authorization.json").write_text(json.dumps(own), "utf8")
    (folder / "resources.json").write_text(json.dumps(DEFAULT | {"client": {"retry_timeout": 7}}), "utf8")
    local.write_at_site(folder, "/s")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert written(folder, "resources.json")["client"] == {"retry_timeout": 7}
    auditor = written(folder, "authorization.json")["permissions"]["auditor"]
    assert auditor == {"view": "o:site", "byoc": "none", "shell_commands": "none"}
    local.write_at_site(folder, "/s")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def refused(at, name, write=local.write_at_server):
    """One sentence, which has the name."""
    with pytest.raises(ValueError) as refusal:
        write(at)
    assert "\n" not in str(refusal.value) and name in str(refusal.value)


@pytest.mark.parametrize("name", ["", "file", "nowhere", "empty"])
def test_a_folder_of_something_else_is_refused(tmp_path, name):
    (tmp_path / "file").write_text("{}", "utf8")
    (tmp_path / "empty").mkdir()
    refused(tmp_path / name, "local must be the folder local of a startup kit, with resources.json")


@pytest.mark.parametrize("socket", ["", "/s" * 60, "nowhere/north.sock"])
def test_a_socket_that_cannot_be_one_is_refused(folder, socket):
    refused(folder, "socket", lambda at: local.write_at_site(at, socket or at))
    assert not (folder / "fdpedu.json").exists() and not (folder / "resources.json").exists()


@pytest.mark.parametrize("name", ["resources.json", "authorization.json"])
@pytest.mark.parametrize("content", ["", "[]", "{", "{}", '{"components": 3, "permissions": 3}', '{"a": 1, "a": 2}'])
def test_a_file_that_cannot_be_read_is_named_and_nothing_is_written(folder, name, content):
    (folder / name).write_text(content, "utf8")
    refused(folder, f"{name}: ", lambda at: local.write_at_site(at, "s"))
    assert {path.name for path in folder.iterdir() if not path.suffix == ".default"} == {name}


def test_links_are_not_written_through(folder, tmp_path):
    """A file of somebody else would be changed."""
    for target, content in (("nowhere", None), ("elsewhere", json.dumps(DEFAULT))):
        if content:
            (folder / target).write_text(content, "utf8")
        (folder / "resources.json").unlink(missing_ok=True)
        (folder / "resources.json").symlink_to(folder / target)
        refused(folder, "resources.json: it is a link: name the file itself")
        assert not (folder / "nowhere").exists()
    assert (folder / "elsewhere").read_text("utf8") == content
