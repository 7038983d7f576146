// static/js/versions.js: the pairs nearest to a combination that has no data.
import assert from "node:assert/strict";
import test from "node:test";
import { context, here, run } from "./load.mjs";

const global = context();
run(global, "js/versions.js");
/** @type {SitegenVersions} */
const { nearest } = global.sitegenVersions;

/** Pairs as compiler and library, `c0` the highest compiler; the rank of a library version stands behind its name. */
const pairs = (/** @type {string[]} */ ...texts) =>
  texts.map((text) => {
    const [compiler, library] = text.split(" ");
    return {
      compiler,
      library,
      libraryName: library.replace(/\d+$/, ""),
      compilerRank: Number(compiler.slice(1)),
      libraryRank: Number(/\d+$/.exec(library)?.[0]),
    };
  });

const found = (/** @type {Pair[]} */ of, /** @type {string} */ compiler, /** @type {string} */ library) =>
  here(nearest(of, { compiler, library })).map((pair) => `${pair.compiler} ${pair.library}`);

test("the library's version with the nearest compiler comes first, then the compiler with the nearest version", () => {
  const of = pairs("c0 t0", "c1 t1", "c3 t2", "c4 t3");
  assert.deepEqual(found(of, "c4", "t0"), ["c0 t0", "c4 t3"]);
  assert.deepEqual(found(pairs("c0 t5", "c2 t5", "c3 t0", "c3 t4"), "c3", "t5"), ["c2 t5", "c3 t4"]);
});

test("of two equally near the higher is taken", () => {
  assert.deepEqual(found(pairs("c0 t1", "c2 t1", "c1 t0", "c1 t2"), "c1", "t1"), ["c0 t1", "c1 t0"]);
});

test("versions of another library are not near", () => {
  assert.deepEqual(found(pairs("c0 t0", "c1 d1", "c1 d2"), "c1", "t0"), ["c0 t0"]);
  assert.deepEqual(found(pairs("c0 t0", "c1 d1", "c1 t7"), "c1", "t0"), ["c0 t0", "c1 t7"]);
});
