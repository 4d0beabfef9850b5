// Python, apart from the page: what runs here for ever is ended from there. Nothing is asked of any other place than this folder.
"use strict";

const here = new URL(".", self.location);
const send = (kind, text = "") => self.postMessage({ kind, text });
const fetched = self.fetch.bind(self);
let stated, done = 0, kept = null;

// What was loaded once is kept by the browser for all pages of this build, where the browser lets a page keep something.
const openCache = async () => {
  try {
    const name = `fdpedu-${stated.version}`;
    for (const other of await caches.keys()) if (other.startsWith("fdpedu-") && other !== name) await caches.delete(other);
    return await caches.open(name);
  } catch {
    return null;
  }
};

self.fetch = async (input, options) => {
  const url = new URL(input.url ?? input, here);
  if (url.origin !== here.origin) throw new TypeError(`the live edition asks no other place, and this is ${url.origin}`);
  let answer = await kept?.match(url.href);
  if (!answer) {
    answer = await fetched(input, options);
    if (!answer.ok) throw new TypeError(`${url.pathname} is not to be had (${answer.status})`);
    if (kept && url.href.includes("/pyodide/")) await kept.put(url.href, answer.clone()).catch(() => (kept = null));
  }
  done += stated?.sizes[url.pathname.split("/").pop()] ?? 0;
  send("loaded", (done / 1e6).toFixed(0));
  return answer;
};

const begin = async () => {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
  stated = await (await fetched(new URL("live.json", here))).json();
  kept = await openCache();
  importScripts(new URL("pyodide/pyodide.js", here));
  const python = await loadPyodide({
    indexURL: new URL("pyodide/", here).href,
    env: { HOME: "/home/pyodide", FDPEDU_STATIC: "1", MPLBACKEND: "agg", PYTHONHASHSEED: "0" },
  });
  const load = async (names) => {
    const wrong = [];
    const packages = [...(names.toJs?.() ?? names)];
    await python.loadPackage(packages, { messageCallback: () => {}, errorCallback: (line) => wrong.push(line) });
    if (wrong.length) throw new Error(wrong[0]);
  };
  await load(stated.first);
  for (const name of ["stand_in.py", "cells.py"]) {
    const text = await (await fetched(new URL(name, here))).text();
    python.FS.writeFile(`/home/pyodide/${name}`, text);
  }
  const lock = await (await fetched(new URL("pyodide/pyodide-lock.json", here))).json();
  const importable = Object.values(lock.packages).flatMap((entry) => entry.imports.map((name) => [name, entry.name]));
  const cells = python.pyimport("cells");
  send("cryptography", cells.begin(send, load, python.toPy(Object.fromEntries(importable))));
  return cells;
};

let cells;
self.onmessage = async ({ data }) => {
  try {
    cells ??= begin();
    const runner = await cells;
    send("begun");
    send("ended", await runner.run(data.source, data.name));
  } catch (error) {
    send("broken", String(error.message ?? error).split("\n").at(-1) || String(error));
  }
};
