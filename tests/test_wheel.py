"""The built wheel, alone in an empty environment, runs the demo."""

import json
import os
import subprocess
import sys
import venv
import zipfile

import pytest
from conftest import ROOT


def run(*command, **options):
    return subprocess.run([str(c) for c in command], capture_output=True, encoding="utf8", **options)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    built = run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    assert built.returncode == 0, built.stderr
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    """Code, types, scripts and styles; no tests, no book, no caches."""
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"fdpedu", f"{wheel.name.split('-py3')[0]}.dist-info"}
    shipped = {name for name in names if name.startswith("fdpedu/")}
    source = {path.relative_to(ROOT).as_posix() for path in (ROOT / "fdpedu").rglob("*") if path.is_file()}
    assert shipped == {name for name in source if "__pycache__" not in name}


def test_the_wheel_alone_runs_the_demo(wheel, tmp_path):
    """In a fresh environment, from another folder, with the run-time dependencies only."""
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    installed = run(python, "-m", "pip", "install", "--quiet", "--constraint", ROOT / "constraints.txt", wheel)
    if installed.returncode:
        message = "the wheel's dependencies could not be installed (no registry in reach?): " + installed.stderr[-300:]
        (pytest.fail if os.environ.get("CI") else pytest.skip)(message)
    result = run(python, "-m", "fdpedu", "demo", "--json", "--repeats", "1", cwd=tmp_path)
    assert result.returncode == 0 and result.stderr == "", result.stderr
    assert json.loads(result.stdout)["epsilon"] == {"budget": "1", "spent": "1", "insider": "1"}
    loaded = run(python, "-c", "import fdpedu.cli, sys; print('matplotlib' in sys.modules)", cwd=tmp_path)
    assert loaded.stdout.strip() == "False"
