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
  const name = url.pathname.split("/").pop(), size = stated?.sizes[name] ?? 0;
  let answer = await kept?.match(url.href);
  if (!answer) {
    answer = await fetched(input, options);
    if (!answer.ok) throw new TypeError(`${name} is not to be had (${answer.status})`);
    if (size) {
      const body = await answer.arrayBuffer();
      if (body.byteLength !== size) throw new TypeError(`the server sends something else for ${name}`);
      const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream"; // not every server knows it
      answer = new Response(body, { headers: { "Content-Type": type } });
      await kept?.put(url.href, answer.clone()).catch(() => (kept = null));
    }
  }
  done += size;
  send("loaded", (done / 1e6).toFixed(0));
  return answer;
};

const json = async (name) => {
  const answer = await self.fetch(new URL(name, here).href);
  return answer.json().catch(() => {
    throw new TypeError(`the server sends something else for ${name}`);
  });
};

// Scripts, too, are of those that were kept.
const scripts = new Map(), imported = self.importScripts.bind(self);
self.importScripts = (url) => imported(scripts.get(url) ?? url);

const begin = async () => {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
  stated = await json("live.json");
  kept = await openCache();
  for (const name of ["pyodide.js", "pyodide.asm.js"]) {
    const url = new URL(`pyodide/${name}`, here).href;
    const text = await (await self.fetch(url)).text();
    scripts.set(url, URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  }
  importScripts(new URL("pyodide/pyodide.js", here).href);
  const python = await loadPyodide({
    indexURL: new URL("pyodide/", here).href,
    env: { HOME: "/home/pyodide", FDPEDU_STATIC: "1", MPLBACKEND: "agg", PYTHONHASHSEED: "0" },
  });
  const load = async (names) => {
    const wrong = [];
    await python.loadPackage(names.toJs?.() ?? names, { messageCallback: () => {}, errorCallback: (line) => wrong.push(line) });
    if (wrong.length) throw new Error(wrong[0]);
  };
  await load(stated.first);
  for (const name of ["stand_in.py", "cells.py"]) {
    const text = await (await self.fetch(new URL(name, here).href)).text();
    python.FS.writeFile(`/home/pyodide/${name}`, text);
  }
  const lock = await json("pyodide/pyodide-lock.json");
  const importable = Object.values(lock.packages).flatMap((entry) => entry.imports.map((name) => [name, entry.name]));
  const cells = python.pyimport("cells");
  // Loading is not of the time that an answer has
  const wait = async (names) => {
    if (!names.length) return;
    send("waits");
    await load(names);
    send("begun");
  };
  send("cryptography", cells.begin(send, wait, python.toPy(Object.fromEntries(importable))));
  return { python, cells };
};

// Stored measurements that a page reads, where the package looks for them.
const put = async (python, names) => {
  const place = python.runPython("import fdpedu, pathlib; str(pathlib.Path(fdpedu.__file__).parents[1] / 'book/measured')");
  python.FS.mkdirTree(place);
  for (const name of names) {
    if (python.FS.analyzePath(`${place}/${name}`).exists) continue;
    python.FS.writeFile(`${place}/${name}`, await (await self.fetch(new URL(`measured/${name}`, here).href)).text());
  }
};

let begun;
self.onmessage = async ({ data }) => {
  try {
    begun ??= begin();
    const { python, cells } = await begun;
    await put(python, data.files);
    send("begun");
    send("ended", await cells.run(data.source, data.name));
  } catch (error) {
    if (stated) await self.caches?.delete(`fdpedu-${stated.version}`).catch(() => {}); // nothing bad is kept
    send("broken", String(error.message ?? error).trim().split("\n").at(-1) || String(error));
  }
};
