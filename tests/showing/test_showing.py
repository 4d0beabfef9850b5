"""Columns are aligned, HTML is escaped, and a bar is shown where somebody waits."""

import sys

import pytest

from fdpedu.showing import Html, TerminalBar, html_table, markdown_table, text_table


def test_columns_are_as_wide_as_their_widest_cell():
    rows = [("a", "bbb", "c"), ("aaaa", "b", ""), ("", "bb", "ccc ccc")]
    assert text_table(rows).splitlines() == ["a     bbb  c", "aaaa  b", "      bb   ccc ccc"]
    assert text_table(iter(rows), right={0, 1}, between=" | ", indent="> ").splitlines() == [
        ">    a | bbb | c",
        "> aaaa |   b |",
        ">      |  bb | ccc ccc",
    ]
    assert text_table([]) == ""


def test_rows_of_other_lengths_are_a_mistake():
    with pytest.raises(ValueError):
        text_table([("a", "b"), ("a",)])


def test_markdown_says_which_columns_are_flush_right():
    assert markdown_table(("a", "b", "c"), [("1", "2", "3")], right=range(1, 3)).splitlines() == [
        "| a | b | c |",
        "|---|---:|---:|",
        "| 1 | 2 | 3 |",
    ]


def test_html_is_escaped_unless_it_says_that_it_is_html():
    rows = [("<i>", Html("<b>2</b>")), ("&", "3")]
    assert html_table(("x<", "y"), rows, caption="a & b", kind="one two") == (
        '<table class="one two"><caption>a &amp; b</caption>'
        '<thead><tr><th scope="col">x&lt;</th><th scope="col">y</th></tr></thead>'
        "<tbody><tr><td>&lt;i&gt;</td><td><b>2</b></td></tr><tr><td>&amp;</td><td>3</td></tr></tbody></table>"
    )


def test_rows_may_have_names_and_columns_none():
    row = '<tr><th scope="row">&lt;i&gt;</th><td>2</td><td>3</td></tr>'
    page = html_table((), [("<i>", "2", "3")], named=True)
    assert page == f'<table class="fdpedu-results"><tbody>{row}</tbody></table>'


def terminal(capsys, monkeypatch):
    """What standard error, from here on a terminal, has shown since it was asked last."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    return lambda: capsys.readouterr().err


def test_a_bar_is_shown_after_a_while_on_a_terminal_only(capsys, monkeypatch):
    now, shown = iter([0.0, 1.0, 4.0, 5.0]), terminal(capsys, monkeypatch)
    bar = TerminalBar("growing", clock=lambda: next(now))
    bar(1, 4)
    assert shown() == ""
    bar(2, 4)
    assert shown() == "\r  growing " + "█" * 15 + " " * 15 + " 2/4\r"
    bar(4, 4)
    assert set(shown()) == {"\r", " "}
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    TerminalBar("growing", clock=lambda: 9.0)(1, 4)
    assert shown() == ""


def test_nothing_is_left_of_what_was_shown(capsys, monkeypatch):
    """A shorter line covers the longer one before it, and so does the last; where none was, nothing is done."""
    bar, shown = TerminalBar("a long word", patience=0), terminal(capsys, monkeypatch)
    bar(1, 100)
    width = len(shown())
    bar.what = ""
    bar(2, 100)
    second = shown()
    assert second.split() == ["2/100"] and len(second) == width
    bar(100, 100)
    assert shown() == "\r" + " " * (width - 2) + "\r"
    TerminalBar(patience=0)(3, 3)
    assert shown() == ""
