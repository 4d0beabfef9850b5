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


@pytest.fixture
def folder(tmp_path):
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
    """Of any role; and each role is named, for FLARE's default allows a role that is not everything."""
    write(folder)
    roles = written(folder, "authorization.json")["permissions"]
    assert set(roles) == {"project_admin", "org_admin", "lead", "member"}
    assert {role["byoc"] for role in roles.values()} == {"none"}
    assert {name for name, role in roles.items() if role.get("submit_job", "none") != "none"} == {
        "project_admin",
        "lead",
    }
    assert all(role.get("shell_commands", "none") == "none" for role in roles.values())


def test_what_an_owner_has_changed_stays(folder):
    """It is the file there that is changed, and FLARE's default only where there is none; doing it again is nothing."""
    (folder / "resources.json").write_text(json.dumps(DEFAULT | {"client": {"retry_timeout": 7}}), "utf8")
    local.write_at_site(folder, "/s")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert written(folder, "resources.json")["client"] == {"retry_timeout": 7}
    local.write_at_site(folder, "/s")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_folder_of_something_else_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"resources\.json\.default"):
        local.write_at_server(tmp_path)
