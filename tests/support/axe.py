"""Accessibility of an opened page, by axe. What tools around us make is named: the rule, where, whose it is."""

from tests.support.repository import ROOT

AXE = ROOT / "tests/book/vendor/axe.min.js"
MADE_BY_TOOLS = [
    ("label-content-name-mismatch", "search-button-field"),  # the theme: "Search" with its keys written beside it
    ("label-content-name-mismatch", "Toggle hidden content"),  # MyST-NB: the fold above a cell's code
    ("region", "sidebar-primary-item"),  # the theme: the book's title stands outside the navigation
    ("aria-allowed-role", "doc-biblioentry"),  # docutils: roles of a list of references
    ("aria-deprecated-role", "doc-biblioentry"),  # the same
    ("aria-required-children", "citation-list"),  # the same
]
SEEN_BY_LOOK = ["color-contrast"]  # costs axe half of its time; `look.js` measures the same, and `--deep` has both
RUN_AXE = """async (left_out) => {
  await window.MathJax?.startup?.promise;
  document.head.append(Object.assign(document.createElement("style"), {
    textContent: "*, ::before, ::after { animation: none !important; transition: none !important }" }));
  document.querySelectorAll("details").forEach((folded) => (folded.open = true));
  document.querySelectorAll(".toggle-hidden").forEach((e) => e.classList.remove("toggle-hidden"));
  // The strokes of a formula, for the eye alone, are half of a page's elements: axe has nothing to say on them
  for (const svg of document.querySelectorAll("mjx-container > svg[aria-hidden=true]"))
    if (!svg.querySelector("a, [tabindex], [aria-hidden=false]")) svg.replaceChildren();
  // Likewise the words of a formula or of code, each in a span of its own: what is seen of them the look has seen
  for (const text of document.querySelectorAll("pre, code, .sig > *, mjx-assistive-mml > math"))
    if (!text.querySelector("a, button, input, img, svg, [role], [tabindex], [aria-label]"))
      text.textContent = text.textContent;
  // The theme lets the keyboard reach a box that scrolls, but 0.3 s after a change: axe may have been faster
  const tooWide = (e) => e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight;
  if ([...document.querySelectorAll("[tabindex='-1']")].some(tooWide))
    await new Promise((done) => setTimeout(done, 400));
  const rules = Object.fromEntries(left_out.map((rule) => [rule, { enabled: false }]));
  const { violations } = await axe.run(document, { resultTypes: ["violations"], rules, preload: false }); // files only
  return violations.flatMap((rule) => rule.nodes.map((node) =>
    [rule.id, node.target.join(" ") + " " + node.html.slice(0, 200) + " " + (node.any[0]?.message ?? "")]));
}"""


def inaccessible(page, left_out=()):
    """What axe finds on an opened page, save what tools make."""
    page.add_script_tag(path=AXE)
    return [
        f"{rule}: {node}"
        for rule, node in page.evaluate(RUN_AXE, list(left_out))
        if not any(rule == known and words in node for known, words in MADE_BY_TOOLS)
    ]
