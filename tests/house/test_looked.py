"""Only what has passed, and is as it was, is passed over."""

from types import SimpleNamespace

import pytest

from tests.support.looked import files_of, once, print_of, stamp_of


@pytest.fixture
def page(tmp_path):
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "a.html").write_text("<p>a</p>")
    return tmp_path / "page"


def looked_at(folder, page, *words, fails=False):
    """Whether the page is looked at; what fails raises."""
    times = []
    try:
        with once(folder, print_of(files_of(page), *words)):
            times.append(1)
            assert not fails
    except pytest.skip.Exception:
        pass
    return bool(times)


def test_what_has_passed_is_passed_over_until_it_changes(tmp_path, page):
    """A byte, a name, another word, a file more: each is looked at; and what was found sound then stays so."""
    changes = [
        lambda: (page / "a.html").write_text("<p>b</p>"),
        lambda: (page / "a.html").rename(page / "b.html"),
        lambda: (page / "empty").touch(),
    ]
    assert [looked_at(tmp_path / "kept", page, "light") for _ in range(3)] == [True, False, False]
    for change in changes:
        change()
        assert [looked_at(tmp_path / "kept", page, "light") for _ in range(2)] == [True, False]
    assert [looked_at(tmp_path / "kept", page, "dark") for _ in range(2)] == [True, False]
    assert not looked_at(tmp_path / "kept", page, "light")


def test_what_has_failed_is_looked_at_again(tmp_path, page):
    for _ in range(2):
        with pytest.raises(AssertionError):
            looked_at(tmp_path / "kept", page, fails=True)
    assert [looked_at(tmp_path / "kept", page) for _ in range(2)] == [True, False]


def test_the_stamp_of_a_test_of_a_tool_is_another_one_for_another_tool(tmp_path):
    """For each test, and whenever the tool or the test has changed; a test of no tool has none."""
    tool, test = tmp_path / "tool.py", tmp_path / "test.py"

    def stamps():
        marks = {"tool": pytest.mark.tool(str(tool)).mark}
        tests = (SimpleNamespace(path=test, nodeid=name, get_closest_marker=marks.get) for name in "ab")
        return {stamp_of(each) for each in tests}

    found = stamps()
    assert found == stamps()
    for file in (tool, test):
        file.write_text("changed")
        assert len(found | stamps()) == len(found) + 2
        found |= stamps()
    assert stamp_of(SimpleNamespace(get_closest_marker={}.get)) is None
