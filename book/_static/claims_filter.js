// A field on the pages of claims that hides what does not contain its words. Without this script all claims are there.
(() => {
  const article = document.querySelector("article");
  const sections = [...article.querySelectorAll("section")].filter((s) => s.querySelector(':scope > [id^="claim-"]'));
  const rows = [...article.querySelectorAll("tbody tr")].filter((r) => r.querySelector('td:first-child a[href*="#claim-"]'));
  const entries = sections.length ? sections : rows;
  if (!entries.length) return;

  // An address from the time when all claims stood on one page leads to the page where the claim is now.
  const moved = () => {
    const wanted = decodeURIComponent(location.hash);
    if (sections.length || !wanted.startsWith("#claim-")) return;
    const link = rows.map((r) => r.querySelector("td:first-child a")).find((a) => a.hash === wanted);
    if (link) location.replace(link.href);
  };
  moved();

  const marks = { "●": "proved and checked", "○": "checked", "◇": "assumed", "✕": "refuted as stated" };
  const form = document.createElement("form");
  form.className = "claims-filter";
  form.setAttribute("role", "search");
  form.setAttribute("aria-label", "Claims");
  const label = document.createElement("label");
  label.append("Show claims with the words ");
  const field = Object.assign(document.createElement("input"), { type: "search", autocomplete: "off", placeholder: "sensitivity" });
  label.append(field);
  const standing = document.createElement("label");
  standing.append("that stand as ");
  const choice = document.createElement("select");
  choice.add(new Option("anything", ""));
  for (const [mark, words] of Object.entries(marks)) choice.add(new Option(`${mark} ${words}`, mark));
  standing.append(choice);
  const found = document.createElement("output");
  form.append(label, " ", standing, " ", found);

  const texts = entries.map((entry) => `${entry.textContent} ${entry.innerHTML.match(/#claim-[a-z0-9-]+/g) ?? ""}`.toLowerCase());
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    entries.forEach((entry, i) => {
      const fits = words.every((word) => texts[i].includes(word)) && texts[i].includes(choice.value);
      entry.classList.toggle("claims-hidden", !fits);
      shown += fits;
    });
    found.textContent = `${shown} of ${entries.length} claims`;
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", () => {
    moved();
    if (document.querySelector(".claims-hidden :target, .claims-hidden:target")) {
      form.reset();
      show();
      document.querySelector(":target").scrollIntoView();
    }
  });

  const first = sections.length ? sections[0] : rows[0].closest(".pst-scrollable-table-container") ?? rows[0].closest("table");
  first.before(form);
  show();
})();
