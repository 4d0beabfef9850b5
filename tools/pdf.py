"""Print the whole book, built as one page (`singlehtml`), into a PDF: `python tools/pdf.py FOLDER PDF`.

Chromium prints it as a reader's browser would; added are a title page, page numbers, and an outline of the headings.
"""

import re
import shutil
import sys
from pathlib import Path

import yaml
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FOOTER = '<div style="width:100%;text-align:center;font:9pt sans-serif"><span class="pageNumber"></span></div>'

# For each of a thousand sheets Chromium walks through every box with a place or an overflow of its own. On paper only
# an icon needs one, and a box that scrolls loses what does not fit. The hidden copy of a formula for screen readers
# does not come into a PDF. Without all these it prints in two thirds of the time.
FLAT = """
  *:not(svg, svg *, blockquote, .admonition-title) { position: static !important; overflow: visible !important; }
  span.math { display: inline !important; }
  summary::before, .sd-summary-chevron-right { display: none !important; }
"""
NO_HIDDEN_COPIES = 'window.MathJax = {"options": {"menuOptions": {"settings": {"assistiveMml": false}}, '

# What is folded is read on paper too, save the code that only draws a figure (a style sheet hides it).
UNFOLD = "document.querySelectorAll('details').forEach((folded) => (folded.open = true))"
TITLE_PAGE = """([title, author]) => {
  document.querySelector("#jb-print-docs-body")?.remove(); // the theme's own head of a printed page
  const make = (name, more) => Object.assign(document.createElement(name), more);
  const page = make("header", { className: "fdpedu-title-page" });
  page.append(make("p", { textContent: title, className: "title" }), make("p", { textContent: author }));
  const list = page.appendChild(document.createElement("ul"));
  const pages = [...document.querySelectorAll("span[id^='document-']")].map((mark) => mark.nextElementSibling);
  for (const part of [document.querySelector("article > section"), ...pages]) {
    const heading = part.querySelector("h1, h2, h3");
    heading.classList.add("fdpedu-page-title");
    const words = heading.cloneNode(true);
    words.querySelectorAll(".headerlink").forEach((link) => link.remove());
    list.appendChild(make("li")).append(make("a", { textContent: words.textContent, href: "#" + part.id }));
  }
  document.querySelector("article").prepend(page);
}"""


def one_page(folder: Path) -> Path:
    """The page at the top of its folder, where its relative paths hold, with links that stay on it."""
    html = (folder / "book" / "index.html").read_text("utf8")
    html = re.sub(r'href="(?:\.\./)*book/index\.html#', 'href="#', html)
    html, found = re.subn(r'window\.MathJax = {"options": {', NO_HIDDEN_COPIES, html)
    if found != 1:
        sys.exit(f"The page sets MathJax's options {found} times, and not once: has Sphinx changed how it writes them?")
    page = folder / "book.html"
    page.write_text(html, "utf8")
    return page


def print_book(folder: Path, pdf: Path) -> None:
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        sys.exit("There is no Chromium on this machine: install chromium, or print a page from your browser.")
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf8"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(color_scheme="light")
        page.goto(one_page(folder).resolve().as_uri(), wait_until="load", timeout=0)  # a busy machine needs long for it
        page.evaluate("async () => { await MathJax.startup.promise; await document.fonts.ready }")
        page.add_style_tag(content=FLAT)
        page.evaluate(UNFOLD)
        page.evaluate(TITLE_PAGE, [config["title"], f"{config['author']}, {config['copyright']}"])
        page.pdf(
            path=pdf, format="A4", print_background=True, outline=True, tagged=True, display_header_footer=True,
            header_template="<span></span>", footer_template=FOOTER,
            margin={"top": "18mm", "bottom": "20mm", "left": "18mm", "right": "18mm"},
        )  # fmt: skip
        browser.close()


if __name__ == "__main__":
    print_book(Path(sys.argv[1]), Path(sys.argv[2]))
