// static/js/not_found.js: which model an address that is not there may mean.
import assert from "node:assert/strict";
import test from "node:test";
import { context, here, run } from "./load.mjs";

const global = context();
global.document = { querySelector: () => null };
run(global, "js/match.js", "js/not_found.js");
/** @type {SitegenNotFound} */
const { asked, nearest } = global.sitegenNotFound;

test("an address names a model with and without models/, in any case, and what follows it", () => {
  const cases = {
    "Qwen/Qwen3-8B": ["Qwen/Qwen3-8B", []],
    "models/Qwen/Qwen3-8B/": ["Qwen/Qwen3-8B", []],
    "Models/Qwen/Qwen3-8B/2.28-X/index.html": ["Qwen/Qwen3-8B", ["2.28-X"]],
    "Qwen/Qwen3%2D8B": ["Qwen/Qwen3-8B", []],
    "a%zz/b": ["a%zz/b", []],
    "": ["", []],
  };
  for (const [path, [id, rest]] of Object.entries(cases)) assert.deepEqual(here(asked(path)), { id, rest });
});

test("the nearest names come first, and what has nothing in common is left out", () => {
  const ids = ["acme/tern-7b", "acme/tern-70b", "other/siskin", "acme/plover"];
  assert.deepEqual(here(nearest(ids, "acme/Tern-7")), [0, 1, 3]);
  assert.deepEqual(here(nearest(ids, "zzzz")), []);
  assert.deepEqual(here(nearest([], "acme/tern")), []);
});
