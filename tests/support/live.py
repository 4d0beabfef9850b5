"""The live edition in Chromium, over a server on the loopback."""

import functools
import re
import threading
from collections.abc import Callable
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

from fdpedu.exercises import check
from tests.support.live_apart import answered_apart

PATIENCE = 600_000  # milliseconds for what Python is to do, on a loaded machine

# What each cell shows as text, pictures and the names of buttons apart
OUTPUTS = """() => [...document.querySelectorAll("div.cell.docutils.container")].map((cell) =>
  [...cell.querySelectorAll(".cell_output .output:not(.image_png)")]
    .map((output) => {
      const copy = output.cloneNode(true);
      copy.querySelectorAll("td, th, dt, dd, p, li").forEach((part) => part.append(" "));
      return copy.textContent.replace("Copy to clipboard", "").replace(/\\s+/g, " ").trim();
    }).join(" "))"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder; `changed` says for a path what else to send: status, type and content, or nothing."""

    asked: ClassVar[list[str]]
    changed: ClassVar[Callable[[str], tuple[int, str, bytes] | None]]

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.asked.append(self.path)
        other = self.changed(self.path)
        if other is None:
            return super().do_GET()
        status, kind, content = other
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def served(folder, changed=lambda path: None):
    """The address at which a folder is served, while it is; and a list of all that was asked for."""
    handler = type("Handler", (Quiet,), {"asked": [], "changed": staticmethod(changed)})
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", handler.asked
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def visited(browser, address, script="", formulas=False, **options):
    """A page of a reader of their own; what goes wrong there, and what is asked of another place, is in a list.

    The script runs before those of the page: it takes away what a browser may lack. Formulas are typeset only if a test
    looks at them, because that takes longer than all else on a page.
    """
    context = browser.new_context(viewport={"width": 400, "height": 900}, **options)
    context.add_init_script(script)
    if not formulas:
        context.route(re.compile("/mathjax/|/fontawesome/"), lambda route: route.abort())
    page, wrong = context.new_page(), []
    page.set_default_timeout(PATIENCE / 10)
    page.on("pageerror", lambda error: wrong.append(f"script error: {error.stack}"))
    inside = (address, "data:", f"blob:{address}")
    context.on("request", lambda r: r.url.startswith(inside) or wrong.append(f"outside request: {r.url}"))
    try:
        yield page, wrong
    finally:
        context.close()


def visit(page, address):
    """Open a page there; where the machine is loaded, an answer has longer than a reader's."""
    page.goto(address)
    page.evaluate(f"document.getElementById('fdpedu-live').dataset.patience = {PATIENCE}")


def section_of(page, exercise):
    return page.locator(f"section:has(> #ex-{exercise})")


def bar_of(page, exercise):
    """The bar of an exercise's cell, by the label of the exercise on its page."""
    return section_of(page, exercise).locator(".live-bar").first


def button(bar, words):
    """A button of a bar; its name goes on with that of its exercise, which may have the same words."""
    return bar.get_by_role("button", name=re.compile(f"^{words}:"))


def said_by(bar):
    """What a bar says when Python has come to an end."""
    button(bar, "Stop").wait_for(state="hidden", timeout=PATIENCE)
    return bar.locator("output").inner_text()


def write(page, exercise, source):
    """Write a source into the editor of an exercise, in place of what stands there."""
    if (edit := button(bar_of(page, exercise), "Write your answer")).is_visible():
        edit.click()
    section_of(page, exercise).locator(".cm-content, textarea").first.click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(source)


def answer(page, exercise, source):
    """Write a source and check it: what the cell shows, and what the bar says."""
    write(page, exercise, source)
    button(bar_of(page, exercise), "Check").click()
    said = said_by(bar_of(page, exercise))
    shown = section_of(page, exercise).locator(".cell_output")
    return (shown.first.inner_text().strip() if shown.count() else ""), said


def words(text):
    """Without marks, the width of spaces, and what Python says in an exception: two versions have other words."""
    plain = " ".join(text.replace("`", "").split())
    return " ".join(re.sub(r"(raised \w+): .*?(?= (?:expected|why|tried) )", r"\1", plain).split())


def unlike(page, exercise, most=None):
    """Where the page answers an exercise otherwise than a notebook: the reference, and the known wrong answers."""
    name = exercise.reference.__name__ if exercise.asks_for_function else "answer"
    source = f'{exercise.solution_source()}\nfrom fdpedu.exercises import check\ncheck("{exercise.id}", {name})'
    shown, said = answer(page, exercise.id, source)
    found = [] if shown.startswith("PASS") else [(exercise.id, "reference", shown, said)]
    for place, known in enumerate(exercise.wrong[:most]):
        source = "\n".join((
            "from fdpedu.exercises import check",
            "from fdpedu.exercises.catalogue import find",
            f'check("{exercise.id}", find("{exercise.id}").wrong[{place}].answer)',
        ))  # fmt: skip
        shown, said = answer(page, exercise.id, source)
        reply = check(exercise.id, known.answer)
        expected = f"{reply.verdict} {reply.title} " + " ".join(f"{label} {text}" for label, text in reply.rows)
        if other := answered_apart(exercise.id, known.name, words(expected), words(shown)):
            found.append((*other, said))
        elif known.name not in shown:
            found.append(("its misconception is not named", exercise.id, known.name, shown))
    return found


def run_all(page):
    """Run all cells of a page, from top to bottom: what each has shown before and after, and what the last bar says."""
    page.evaluate("document.querySelectorAll('details:not(.solution)').forEach((part) => (part.open = true))")
    before = page.evaluate(OUTPUTS)
    bar = page.locator("div.cell:not(.tag_exercise) > .live-bar, div.cell:not(.tag_exercise) details .live-bar").last
    button(bar, "Run").click()
    said = said_by(bar)
    return before, page.evaluate(OUTPUTS), said
