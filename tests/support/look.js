// Looks at the page as a reader does and returns what is wrong with it, as a list of sentences.
// minSize: the smallest allowed text, in px on the screen (0: not checked).
async (minSize) => {
  if (window.MathJax?.startup) await MathJax.startup.promise;
  await document.fonts.ready;
  document.querySelectorAll("details").forEach((d) => (d.open = true)); // what is folded away is read too
  document.querySelectorAll(".toggle-hidden").forEach((e) => e.classList.remove("toggle-hidden"));
  const found = [];
  const name = (e) => `<${e.tagName.toLowerCase()} class="${e.getAttribute("class") ?? ""}">`;

  // Formulas
  const maths = [...document.querySelectorAll("span.math, div.math")];
  for (const m of maths) if (!m.querySelector("mjx-container svg")) found.push(`formula not rendered: ${m.textContent}`);
  for (const m of document.querySelectorAll("[data-mml-node=merror]")) found.push(`formula with an error: ${m.textContent}`);

  // Nothing is wider than the window, save in a box of its own that scrolls
  if (document.documentElement.scrollWidth > innerWidth) found.push(`the page scrolls sideways: ${document.documentElement.scrollWidth} px`);
  const scrolls = (e) => e && e !== document.body && (/auto|scroll/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
  for (const e of document.querySelectorAll("article *")) {
    if (e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1 && e.getBoundingClientRect().width > 1 && !scrolls(e.parentElement))
      found.push(`cut off at the right: ${name(e)} ${e.textContent.trim().slice(0, 40)}`);
  }

  // An option is not torn after its dashes, and the marks of a figure have the contrast of their colours
  for (const e of document.querySelectorAll("code .pre"))
    if (/^-/.test(e.textContent) && e.checkVisibility() && e.getClientRects().length > 1) found.push(`torn: ${e.textContent}`);
  for (const e of document.querySelectorAll("svg use"))
    if (getComputedStyle(e).fillOpacity < 1) {
      found.push(`marks that are seen through: ${name(e.closest("svg"))}`);
      break;
    }

  // Colours: a text's own, over all that is painted below it
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = (c) => {
    const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const ground = (e) => {
    if (!e) return rgba(getComputedStyle(document.documentElement).colorScheme.includes("dark") ? "#121212" : "white");
    const colour = rgba(getComputedStyle(e).backgroundColor);
    return colour[3] === 1 ? colour : over(colour, ground(e.parentElement));
  };
  const shapeBelow = (text) => { // the last shape painted before an SVG text that covers its middle
    const box = text.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    let colour = ground(text.ownerSVGElement.parentElement);
    for (const shape of text.ownerSVGElement.querySelectorAll("rect, circle, ellipse, polygon, path")) {
      if (!(shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING) || shape.closest("defs, clipPath")) continue;
      const style = getComputedStyle(shape);
      const b = shape.getBoundingClientRect();
      if (style.fill === "none" || style.fill.startsWith("url") || x < b.left || x > b.right || y < b.top || y > b.bottom) continue;
      const fill = rgba(style.fill);
      fill[3] *= style.fillOpacity * style.opacity;
      colour = over(fill, colour);
    }
    return colour;
  };

  // Every visible text: large enough, and readable on its ground
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.data.trim() || seen.has(e) || e.closest("mjx-container, script, style, noscript, title, desc")) continue;
    seen.add(e);
    const box = e.getBoundingClientRect();
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || box.width <= 1 || box.height <= 1) continue;
    const style = getComputedStyle(e);
    const svg = e.ownerSVGElement;
    const size = parseFloat(style.fontSize) * (svg ? Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b) : 1);
    const text = `${name(e)} ${node.data.trim().slice(0, 40)}`;
    if (size < minSize - 0.05) found.push(`text of ${size.toFixed(1)} px: ${text}`);
    const below = svg ? shapeBelow(e) : ground(e);
    const ratio = contrast(over(rgba(svg ? style.fill : style.color), below), below);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) found.push(`contrast ${ratio.toFixed(2)}: ${text}`);
  }
  return found;
};
