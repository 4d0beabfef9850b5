"""Answers that do not end, or end late, or are interrupted."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from fdpedu.exercises import check
from tests.support.exercises import impurity

# --- Answers that do not end ---


def loops(a, b):
    while True:
        pass


def nothing_runs():
    """No answer runs on, a moment after its reply."""
    for thread in threading.enumerate():
        if thread.name == "fdpedu exercise":
            thread.join(1)
    return not [thread for thread in threading.enumerate() if thread.name == "fdpedu exercise"]


def test_an_endless_loop_is_not_decided():
    """It is stopped, its thread ends, and the reply shows the input and gives no verdict."""
    reply = check("cart-impurity", lambda a, b: loops(a, b) if a + b == 2 else impurity(a, b), seconds=0.3)
    assert reply.verdict == "NOT DECIDED" and not reply.passed and not reply.decided
    assert "scaled_impurity(2, 0)" in str(reply) and "3 of 861" in str(reply) and "loop" in str(reply)
    assert nothing_runs()


def test_a_slow_answer_is_not_decided():
    """Slow is not wrong: the reply says how far it got, and how to wait longer."""

    def slow(a, b):
        time.sleep(0.01)
        return impurity(a, b)

    reply = check("cart-impurity", slow, seconds=0.3)
    assert reply.verdict == "NOT DECIDED" and 1 < reply.tried < 40 and "seconds=3" in str(reply)


def test_a_value_found_before_the_time_is_up_is_decided():
    """A counterexample stands, even when a later input never ends."""
    reply = check("cart-impurity", lambda a, b: 7 if a + b == 0 else loops(a, b), seconds=0.3)
    assert reply.verdict == "FAIL" and reply.counterexample == (0, 0) and reply.misconception is None


def test_an_answer_that_swallows_the_stop_once_gives_no_verdict():
    """What it returns after the time is up does not count."""

    def swallows(a, b):
        try:
            loops(a, b)
        except BaseException:
            return impurity(a, b)

    assert check("cart-impurity", swallows, seconds=0.3).verdict == "NOT DECIDED"


def test_an_answer_that_swallows_every_stop_is_left_behind():
    """The caller gets away while it still runs, and the reply says so."""
    enough = threading.Event()

    def swallows(a, b):
        while not enough.is_set():
            try:
                enough.wait(0.01)
            except BaseException:
                continue

    reply = check("cart-impurity", swallows, seconds=0.2)
    assert not nothing_runs()
    enough.set()
    assert nothing_runs()
    assert reply.verdict == "NOT DECIDED" and "still runs" in str(reply)


def test_it_works_away_from_the_main_thread():
    """A notebook may run cells elsewhere."""
    replies = []
    thread = threading.Thread(target=lambda: replies.append(check("cart-impurity", loops, seconds=0.2)))
    thread.start()
    thread.join()
    assert replies[0].verdict == "NOT DECIDED"


def test_the_reader_can_interrupt():
    """Ctrl-C, or the notebook's stop button, ends the waiting and the answer."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background has it ignored
    try:
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            check("cart-impurity", loops, seconds=3600)
        assert nothing_runs()
    finally:
        signal.signal(signal.SIGINT, before)


def test_in_a_terminal():
    """A fresh interpreter stops the loop, prints plain text, ends by itself, and loads nothing heavy."""
    code = """if True:
    import sys
    from fdpedu.exercises import check
    def loop(a, b):
        while True: pass
    print(check("cart-impurity", loop, seconds=0.3))
    print(*{"matplotlib", "hypothesis", "ipywidgets", "scipy", "sklearn"} & set(sys.modules))"""
    out = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=60)
    assert out.returncode == 0 and out.stderr == "", out.stderr
    assert out.stdout.startswith("NOT DECIDED  cart-impurity") and out.stdout.endswith("\n\n")


def test_in_a_notebook():
    """A kernel's main thread: the loop is stopped, the next cell works, and replies come as HTML and as text."""
    import nbformat
    from nbclient import NotebookClient

    cells = [
        "from fdpedu.exercises import check, stub\ndef loop(a, b):\n    while True: pass",
        'check("cart-impurity", loop, seconds=0.5)',
        'check("cart-impurity", lambda a, b: a * b / (a + b) ** 2 if a + b else 0)',
        'stub("cart-impurity")',
        'def fails(a, b):\n    return 1 / 0\ncheck("cart-impurity", fails)',
    ]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(book, timeout=60, kernel_name="python3").execute()
    outputs = [cell.outputs[0].data for cell in book.cells[1:]]
    assert outputs[0]["text/plain"].startswith("NOT DECIDED") and "NOT DECIDED" in outputs[0]["text/html"]
    assert "forgets n" in outputs[1]["text/html"] and outputs[2]["text/markdown"].startswith("```python")
    assert "in line 2: `return 1 / 0`" in " ".join(outputs[3]["text/plain"].split())
    assert all(len(cell.outputs) == 1 for cell in book.cells[1:])
