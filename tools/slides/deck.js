/* Fit every slide onto its ground, then start; a telephone shows all of them as a page. Beside reveal.js's own keys: S the speaker's window, T light or dark, D one slide
   a sheet for the printer or a PDF, Escape leaves a slider (Escape again, or O, shows all slides). */
(async () => {
  const root = document.documentElement;
  const slides = [...document.querySelectorAll(".slides > section")];
  const [width, height] = [1280, 720];
  const printing = /[?&]view=print/.test(location.search);
  const dark = matchMedia("(prefers-color-scheme: dark)").matches && !printing;
  root.dataset.theme = dark ? "dark" : "light";
  await MathJax.startup.promise;
  if (innerWidth < 700 && !printing) { // on a telephone a deck is a page to read, one slide below the other
    root.classList.add("ready", "page");
    return;
  }

  // Of text and figure the taller gets smaller, down to what can be read from the back of a room; then a slide scrolls.
  for (const slide of slides) {
    const figure = slide.querySelector("figure");
    const words = slide.querySelector(".beside > div");
    let [size, zoom] = [28, 1];
    while (slide.scrollHeight > height && (size > 17 || (figure && zoom > 0.5))) {
      const figureIsTaller = figure && figure.getBoundingClientRect().height > words.getBoundingClientRect().height;
      if (figure && zoom > 0.5 && (figureIsTaller || size <= 17)) figure.style.zoom = zoom -= 0.05;
      else if (size > 17) slide.style.fontSize = `${size -= 1}px`;
    }
    slide.classList.toggle("long", slide.scrollHeight > height);
  }

  const deck = new Reveal(document.querySelector(".reveal"), {
    width, height, margin: 0.02, center: false, hash: true, slideNumber: "c/t", transition: "none", help: false,
    controls: true, pdfSeparateFragments: false, pdfMaxPagesPerSlide: 1,
  });
  await deck.initialize();
  root.classList.add("ready");
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && document.activeElement.matches("input")) {
      document.activeElement.blur();
      event.stopImmediatePropagation();
    }
  }, true);
  const key = (keyCode, letter, description, callback) => deck.addKeyBinding({ keyCode, key: letter, description }, callback);
  key(84, "T", "light or dark", () => { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; });
  key(68, "D", "one slide a sheet", () => { location.href = `${location.pathname}?view=print`; });

  // The speaker's window: the time since it was opened, the notes, and the title of what comes next.
  let speaker = null, opened = 0;
  const show = () => {
    if (!speaker || speaker.closed) return;
    const slide = deck.getCurrentSlide();
    const next = slides[slides.indexOf(slide) + 1];
    const part = (name) => speaker.document.querySelector(name);
    part("h1").innerHTML = slide.querySelector("h1, h2").innerHTML;
    part("main").innerHTML = slide.querySelector("aside.notes")?.innerHTML ?? "";
    part("footer").innerHTML = next ? `→ ${next.querySelector("h2").innerHTML}` : "";
  };
  const tick = () => {
    if (!speaker || speaker.closed) return;
    const seconds = Math.floor((Date.now() - opened) / 1000);
    speaker.document.querySelector("time").textContent = [seconds / 60, seconds % 60].map((n) => String(Math.floor(n)).padStart(2, "0")).join(":");
  };
  key(83, "S", "the speaker's window", () => {
    speaker = open("", "fdpedu-speaker", "width=700,height=800");
    if (!speaker) return;
    opened = Date.now();
    speaker.document.body.innerHTML = "<time></time><h1></h1><main></main><footer></footer>";
    speaker.document.title = document.title;
    const style = speaker.document.createElement("style");
    style.textContent = "body{font:20px/1.5 sans-serif;margin:1.5rem}h1,footer{font-size:1.1em;font-weight:bold}time{float:right;font-variant-numeric:tabular-nums}svg{max-width:100%}footer{margin-top:1em;opacity:.75}";
    speaker.document.head.replaceChildren(style);
    speaker.document.documentElement.style.colorScheme = "light dark";
    speaker.onkeydown = (event) => {
      if (["ArrowRight", "PageDown", " "].includes(event.key)) deck.next();
      if (["ArrowLeft", "PageUp"].includes(event.key)) deck.prev();
    };
    show();
    tick();
  });
  setInterval(tick, 500);
  deck.on("slidechanged", show);
})();
