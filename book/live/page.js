// The live edition: each cell of the page can be run and changed, each exercise answers, in the reader's browser.
// Nothing is loaded before somebody asks. Without this script the page is the plain book's.

const script = document.getElementById("fdpedu-live");
const { page, megabytes } = script.dataset;
const here = new URL(".", script.src);
const patience = () => Number(script.dataset.patience ?? 20_000); // milliseconds for the check of an answer, loading apart

// --- what is kept in this browser -------------------------------------------------------------------------------------

const key = (name) => `fdpedu-live ${page} ${name}`;
let forgetful = "";

const recall = (name) => {
  try {
    return localStorage.getItem(key(name));
  } catch {
    return null;
  }
};

const keep = (name, text) => {
  try {
    if (text === null) localStorage.removeItem(key(name));
    else localStorage.setItem(key(name), text);
    forgetful = "";
  } catch {
    forgetful = "This browser keeps nothing for the page: save what you write as a file.";
  }
};

// --- Python, in a worker ----------------------------------------------------------------------------------------------

let worker = null, begun = false, job = null;

const end = (why) => {
  worker?.terminate();
  worker = null;
  begun = false;
  cells.forEach((cell) => (cell.ran = false));
  job?.reject(new Error(why));
  job = null;
};

const hear = ({ data: { kind, text } }) => {
  if (kind === "loaded") job?.say(begun ? `Running … (${text} MB are here)` : `Loading Python: ${text} of ${megabytes} MB, once …`);
  else if (kind === "begun") {
    begun = true;
    job?.begin();
  } else if (kind === "waits") job?.wait();
  else if (kind === "ended") job?.resolve(text);
  else if (kind === "broken") end(`Python ${begun ? "broke down" : "does not run here"}: ${text}. The page is the book's all the same.`);
  else if (kind === "cryptography") document.documentElement.dataset.liveCryptography = text;
  else job?.show(kind, text);
};

const started = () => {
  if (typeof Worker !== "function" || typeof WebAssembly !== "object") {
    throw new Error("This browser cannot run Python in a page (it has no workers or no WebAssembly): take the notebook.");
  }
  if (!worker) {
    const made = new Worker(new URL("worker.js", here));
    worker = made;
    made.onmessage = (message) => made === worker && hear(message); // what an ended one still says is for nobody
    made.onerror = (event) => {
      event.preventDefault();
      end("Python does not run here: its script was not to be had, or has a wrong type. The page is the book's all the same.");
    };
  }
  return worker;
};

// Run a source; what it shows goes to `show`, how far it is to `say`.
const python = (source, name, show, say, limit) =>
  new Promise((resolve, reject) => {
    let alarm, going = false;
    const wait = () => clearTimeout(alarm);
    const settle = (how) => (value) => {
      wait();
      job = null;
      how(value);
    };
    const begin = () => {
      wait();
      if (!going) show("again");
      going = true;
      say("Running …");
      const why = `NOT DECIDED: it was still busy after ${limit / 1000} s, and was stopped. Does its loop end?`;
      if (limit) alarm = setTimeout(() => end(why), limit);
    };
    job = { show, say, wait, begin, resolve: settle(resolve), reject: settle(reject) };
    try {
      const to = started();
      if (!begun) say(`Loading Python: ${megabytes} MB, once …`);
      to.postMessage({ source, name, files });
    } catch (error) {
      job.reject(error);
    }
  });

// --- the cells of the page --------------------------------------------------------------------------------------------

const shown = [...document.querySelectorAll("div.cell.docutils.container")];
let cells = [], files = [], read = null;

// Seconds that the checks of a cell took where the book was built, as it says; a browser takes longer.
const took = new Map(shown.map((box) => [box, Number(/ in (\d+\.\d) s/.exec(box.textContent)?.[1] ?? 0)]));
const warning = (due) => {
  const seconds = due.reduce((sum, one) => sum + (took.get(one.box) ?? 0), 0);
  return seconds < 4 ? "" : `Its checks took ${Math.round(seconds)} s on the book's machine, and here perhaps ten times that. `;
};

// Source and tags of all cells, those that the page does not show among them.
const all = () =>
  (read ??= fetch(new URL(`pages/${page}.json`, here)).then(async (answer) => {
    if (!answer.ok) throw new Error("The cells of this page were not to be had: reload it.");
    let place = 0;
    const stated = await answer.json().catch(() => null);
    if (!Array.isArray(stated?.cells)) throw new Error("The server sends something else than the cells of this page.");
    files = stated.files;
    cells = stated.cells.map(({ source, tags }, number) => {
      const box = tags.includes("remove-cell") ? null : shown[place++];
      return { source, number, box, exercise: tags.includes("exercise"), ran: false, at: box && bars.get(box) };
    });
    return cells;
  }).catch((error) => {
    read = null;
    throw error;
  }));

const text = (cell) => cell.editor?.text() ?? (cell.at && recall(cell.at.mark)) ?? cell.source;

const output = (box) => {
  let place = box.querySelector(":scope > .cell_output, :scope > details .cell_output");
  if (!place) {
    place = Object.assign(document.createElement("div"), { className: "cell_output docutils container" });
    box.append(place);
  }
  return place;
};

const KINDS = { stream: "output stream", stderr: "output stream live-warned", text: "output text_plain", error: "output live-error" };

// What a cell has shown before stands until it shows something new, or has ended and shows nothing.
const shows = (place) => {
  let last = null, fresh = false;
  return (kind, text) => {
    if (kind === "again") return void ((fresh = true), (last = null));
    if (fresh) place.replaceChildren();
    fresh = false;
    if (kind === "ended") return;
    if (last?.kind === kind && kind.startsWith("st")) return void (last.pre.textContent += text);
    const box = document.createElement("div");
    const pre = document.createElement("pre");
    last = { kind, pre };
    if (kind === "html") {
      box.className = "output text_html";
      box.append(document.createRange().createContextualFragment(text));
    } else if (kind === "png") {
      box.className = "output image_png";
      box.append(Object.assign(new Image(), { src: `data:image/png;base64,${text}`, alt: "the figure that this cell draws" }));
    } else {
      box.className = KINDS[kind];
      pre.textContent = text;
      pre.tabIndex = 0;
      box.append(pre);
    }
    place.append(box);
  };
};

const runOne = async (cell, say) => {
  const place = cell.box && output(cell.box);
  place?.setAttribute("aria-busy", "true");
  const show = place ? shows(place) : () => {};
  try {
    const wrong = await python(text(cell), `cell ${cell.number + 1}`, show, say, cell.exercise ? patience() : 0);
    cell.ran = !wrong;
    return wrong;
  } finally {
    show("ended");
    place?.removeAttribute("aria-busy");
  }
};

// A cell, and before it those above it that have not run; an exercise stands alone.
const run = async (bar) => {
  if (job || bar.busy) return bar.say("Python is busy: stop it, or wait.");
  bar.work(true);
  try {
    const cell = (await all()).find((one) => one.box === bar.box);
    const due = cell.exercise ? [] : cells.slice(0, cell.number).filter((one) => !one.ran && !one.exercise);
    const patient = warning([...due, cell]), say = (words) => bar.say(patient + words);
    let above = "";
    for (const [place, one] of due.entries()) {
      const wrong = await runOne(one, (words) => say(`${words} Cell ${place + 1} of ${due.length + 1}, from above.`));
      if (wrong) above ||= `A cell above this one raised ${wrong}`;
    }
    const wrong = await runOne(cell, say);
    const folded = output(cell.box).closest("details");
    if (folded && cell.box.contains(folded)) folded.open = true; // who runs a cell wants to see what it shows
    bar.say([wrong ? `It raised an error, shown below: ${wrong}` : "Done.", above, forgetful].filter(Boolean).join(" "));
  } catch (error) {
    bar.say(error.message);
  } finally {
    bar.attempted();
    bar.work(false);
  }
};

// --- the bar below a cell's code, and its editor ----------------------------------------------------------------------

const button = (words, act, name = "") => {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: words });
  if (name) made.setAttribute("aria-label", `${words}: ${name}`);
  made.addEventListener("click", act);
  return made;
};

const plainEditor = (source, label, changed) => {
  const area = Object.assign(document.createElement("textarea"), { value: source, spellcheck: false, rows: source.split("\n").length + 2 });
  area.setAttribute("aria-label", label);
  area.addEventListener("input", changed);
  return { node: area, text: () => area.value, set: (text) => (area.value = text), focus: () => area.focus() };
};

const editor = async (source, label, changed, act) => {
  let mirror;
  try {
    mirror = await import(new URL("codemirror.js", here));
  } catch {
    return plainEditor(source, label, changed);
  }
  const { EditorView, EditorState, keymap, python: language } = mirror;
  const view = new EditorView({
    state: EditorState.create({
      doc: source,
      extensions: [
        keymap.of(["Shift-Enter", "Mod-Enter"].map((key) => ({ key, run: () => (act(), true) }))),
        mirror.history(),
        keymap.of([...mirror.closeBracketsKeymap, ...mirror.defaultKeymap, ...mirror.historyKeymap]),
        mirror.indentUnit.of("    "),
        mirror.indentOnInput(),
        mirror.bracketMatching(),
        mirror.closeBrackets(),
        mirror.syntaxHighlighting(mirror.classHighlighter),
        language(),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorView.updateListener.of((update) => update.docChanged && changed()),
      ],
    }),
  });
  return {
    node: view.dom,
    text: () => view.state.doc.toString(),
    set: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    focus: () => view.focus(),
  };
};

// What follows an exercise's cell, up to the next cell or heading: its solution stays shut until there was an attempt.
const solutionAfter = (box) => {
  for (let next = box.nextElementSibling; next && !next.matches(".cell, section"); next = next.nextElementSibling) {
    if (next.matches("details.solution")) return next;
  }
  return null;
};

const bars = new Map();

// Under which name a cell's text is kept: an exercise's own, else its place and its text, so that another book's is not taken.
const markOf = (section, exercise, input, number) =>
  (exercise && section?.querySelector(":scope > [id^=ex-]")?.id) ||
  `${number} ${[...input.querySelector("pre").textContent].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) | 0, 7)}`;

const makeBar = (box, number) => {
  const input = box.querySelector(":scope > .cell_input, :scope > details .cell_input");
  if (!input) return;
  const exercise = box.classList.contains("tag_exercise");
  const section = box.closest("section"), mark = markOf(section, exercise, input, number);
  const name = exercise ? (section?.querySelector("h2, h3, h4")?.textContent.replace("#", "") ?? "exercise") : `cell ${number + 1}`;
  const solution = exercise ? solutionAfter(box) : null;
  const bar = { box, mark, busy: false };
  const node = Object.assign(document.createElement("div"), { className: "live-bar" });
  const status = document.createElement("output");
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", exercise ? `Your answer: ${name}` : `This cell: ${name}`);
  bar.say = (words) => (status.textContent = words);
  const act = () => run(bar);
  const go = button(exercise ? "Check" : "Run", act, name);
  const stop = button("Stop", () => end("Stopped. Cells above run again when you run one."), name);
  stop.hidden = true;
  bar.work = (busy) => {
    bar.busy = busy;
    go.disabled = busy;
    stop.hidden = !busy;
  };
  let attempted = recall(`attempt ${mark}`) !== null;
  bar.attempted = () => {
    if (exercise && !attempted) keep(`attempt ${mark}`, "1");
    attempted = true;
  };
  solution?.addEventListener("toggle", () => {
    if (!solution.open || attempted) return;
    solution.open = false;
    bar.say("The solution opens after your first attempt: check an answer.");
  });
  const again = button("Begin again", () => {
    bar.editor.set(bar.source);
    keep(mark, null);
  }, name);
  const save = button("Save as a file", () => {
    const address = URL.createObjectURL(new Blob([bar.editor.text() + "\n"], { type: "text/x-python" }));
    Object.assign(document.createElement("a"), { href: address, download: `${page}-${number + 1}.py` }).click();
    URL.revokeObjectURL(address);
  }, name);
  again.hidden = save.hidden = true;
  const open = async () => {
    edit.disabled = true;
    try {
      const cell = (await all()).find((one) => one.box === box);
      bar.source = cell.source;
      bar.editor = await editor(text(cell), exercise ? `Your answer to ${name}` : `Code of ${name}`, () => {
        keep(mark, bar.editor.text());
        bar.say(forgetful);
      }, act);
      cell.editor = bar.editor;
      input.replaceChildren(bar.editor.node);
      input.classList.add("live-editor");
      edit.hidden = true;
      again.hidden = save.hidden = false;
      bar.editor.focus();
    } catch (error) {
      edit.disabled = false;
      bar.say(error.message);
    }
  };
  const edit = button(exercise ? "Write your answer" : "Change", open, name);
  node.append(...(exercise ? [edit, go] : [go, edit]), stop, again, save, status);
  input.after(node);
  bars.set(box, bar);
  if (recall(mark) !== null) bar.say("What you wrote here was kept.");
};

shown.forEach(makeBar);
script.dataset.ready = "true";
