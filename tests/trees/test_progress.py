"""A bar is shown where somebody waits."""

import sys

from fdpedu.trees.progress import TerminalBar


def test_a_bar_is_shown_after_a_while_on_a_terminal_only(capsys, monkeypatch):
    now = iter([0.0, 1.0, 4.0, 5.0])
    bar = TerminalBar("growing", clock=lambda: next(now))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    bar(1, 4)
    assert capsys.readouterr().err == ""
    bar(2, 4)
    assert "2/4" in capsys.readouterr().err
    bar(4, 4)
    assert capsys.readouterr().err.strip() == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    TerminalBar("growing", clock=lambda: 9.0)(1, 4)
    assert capsys.readouterr().err == ""
