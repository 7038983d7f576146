// static/js/not_found.js: which model an address that is not there may mean, and that it leads on once at most.
import assert from "node:assert/strict";
import test from "node:test";
import { context, here, run } from "./load.mjs";

const global = context();
global.document = { querySelector: () => null };
run(global, "js/match.js", "js/not_found.js");
/** @type {SitegenNotFound} */
const { asked, answer, nearest } = global.sitegenNotFound;

/** @type {Names} */
const NAMES = {
  ids: ["acme/Case", "acme/case", "Qwen/Qwen3-8B", "gpt2", "TinyGrebe", "openai-community/wren", "acme/new-1b", "acme/old-2b", "odd/a b"],
  folders: [
    "models/acme/case--0a1b2c3d/",
    "models/acme/case--4e5f6071/",
    "models/qwen/qwen3-8b/",
    "models/-/gpt2/",
    "models/-/tinygrebe/",
    "models/openai-community/wren/",
    "models/acme/new-1b/",
    "models/acme/old-2b/",
    "models/odd/a-b--11223344/",
  ],
  was: [
    ["acme/Old-1b", 6],
    ["acme/old-2b", 6],
    ["bare-old", 6],
  ],
};

/** @param {string} path */
const at = (path, root = "/") => here(answer(path, root, NAMES));

test("an address names a model with and without models/, with and without owner, and what follows it", () => {
  /** @type {[string[], [string, string[], boolean][]][]} */
  const cases = [
    [["Qwen", "Qwen3-8B"], [["Qwen/Qwen3-8B", [], true], ["Qwen", ["Qwen3-8B"], true]]],
    [["Models", "Qwen", "Qwen3-8B", "2.28-X"], [["Qwen/Qwen3-8B", ["2.28-X"], true]]],
    [["models", "qwen", "qwen3-8b"], [["qwen/qwen3-8b", [], false]]],
    [["models", "-", "TinyGrebe", "x"], [["TinyGrebe", ["x"], true]]],
    [["gpt2"], [["gpt2", [], true]]],
    [["models", "acme"], []],
    [["models"], []],
    [[], []],
  ];
  for (const [parts, found] of cases)
    assert.deepEqual(
      here(asked(parts)),
      found.map(([id, rest, exact]) => ({ id, rest, exact })),
    );
});

test("one model that is meant is led to", () => {
  const cases = {
    "/qwen/QWEN3-8b": "models/qwen/qwen3-8b/index.html",
    "/Models/Qwen/Qwen3-8B/index.html": "models/qwen/qwen3-8b/index.html",
    "/Qwen/Qwen3%2D8B/": "models/qwen/qwen3-8b/index.html",
    "/Qwen/Qwen3-8B/tree/main": "models/qwen/qwen3-8b/index.html",
    "/Qwen/Qwen3-8B/blob/main/README.md": "models/qwen/qwen3-8b/index.html",
    "/Qwen/Qwen3-8B/model.json": "models/qwen/qwen3-8b/model.json",
    "/models/Qwen/Qwen3-8B/2.28-X/run.py": "models/qwen/qwen3-8b/2.28-x/run.py",
    "/models/Qwen/Qwen3-8B/2.28-X/": "models/qwen/qwen3-8b/2.28-x/index.html",
    "/models/qwen/qwen3-8b/2.28-X/": "models/qwen/qwen3-8b/2.28-x/index.html",
    "/Qwen/Qwen3-8B/discussions/5": "models/qwen/qwen3-8b/index.html",
    "/models/-/TinyGrebe/": "models/-/tinygrebe/index.html",
    "/TINYGREBE": "models/-/tinygrebe/index.html",
    "/gpt2": "models/-/gpt2/index.html",
    "/gpt2/tree/main": "models/-/gpt2/index.html",
    "/odd/a%20b": "models/odd/a-b--11223344/index.html",
  };
  for (const [path, page] of Object.entries(cases)) assert.equal(at(path).page, page, path);
});

test("an id that a model had before leads to it, unless a model has that id now", () => {
  assert.equal(at("/acme/old-1b").page, "models/acme/new-1b/index.html");
  assert.equal(at("/models/acme/old-1b/").page, "models/acme/new-1b/index.html");
  assert.equal(at("/bare-old").page, "models/acme/new-1b/index.html");
  assert.equal(at("/acme/OLD-2b").page, "models/acme/old-2b/index.html");
});

test("of ids that differ only in case the exact one is led to, else all are offered", () => {
  assert.equal(at("/acme/Case").page, "models/acme/case--0a1b2c3d/index.html");
  assert.equal(at("/acme/case").page, "models/acme/case--4e5f6071/index.html");
  assert.equal(at("/models/acme/Case/").page, "models/acme/case--0a1b2c3d/index.html");
  // In an address of this site lower case says nothing.
  for (const path of ["/acme/CASE", "/models/acme/case/2.28-x/"]) assert.deepEqual(at(path), { page: null, places: [0, 1] });
});

test("what no page can be at is not led to, and the model is offered", () => {
  for (const rest of ["foo%20bar", "caf%C3%A9", "%2e%2e", "%zz", "%2561"])
    for (const start of ["/models/qwen/qwen3-8b/", "/Qwen/Qwen3-8B/"])
      assert.deepEqual(at(start + rest), { page: null, places: [2] }, start + rest);
});

test("a name without its owner is offered, since it may be somebody else's", () => {
  assert.deepEqual(at("/wren"), { page: null, places: [5] });
  assert.deepEqual(at("/"), { page: null, places: [] });
  assert.deepEqual(at("/models/openai-Community/"), { page: null, places: [5] });
});

test("no address leads on a second time, however it is written and whatever the root", () => {
  const words = ["models", "Models", "-", "acme", "Case", "case", "case--4e5f6071", "qwen", "Qwen3-8B", "gpt2", "%67pt2", "2.28-X", "A%20b",
    "caf%C3%A9", "%2561", "%C4%B0", "İ", "model.json", "tree", "index.html", "%69ndex.html", "..%2f", "%zz", "a b", "odd", "old-1b", ""];
  let seed = 7;
  const random = (/** @type {number} */ below) => (seed = (seed * 48271) % 2147483647) % below;
  for (const root of ["/", "/My%20site/", "/My site/", "/models/acme/"])
    for (let time = 0; time < 10000; time++) {
      const path = `${root}${Array.from({ length: 1 + random(5) }, () => words[random(words.length)]).join("/")}`;
      const { page } = at(path, root);
      if (page === null) continue;
      const first = new URL(`${root}${page}`, "https://example.org/").pathname;
      const index = first.replace(/index\.html$/, "");
      for (const led of [first, index, index.slice(0, -1), first.replace(/a/g, "%61")])
        assert.equal(at(led, root).page, null, `${path} -> ${led}`);
    }
});

test("the nearest names come first, and what has nothing in common is left out", () => {
  const ids = ["acme/tern-7b", "acme/tern-70b", "other/siskin", "acme/plover"];
  assert.deepEqual(here(nearest(ids, "acme/Tern-7")), [0, 1, 3]);
  assert.deepEqual(here(nearest(ids, "zzzz")), []);
  assert.deepEqual(here(nearest([], "acme/tern")), []);
});
