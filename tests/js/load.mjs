// Loads the classic scripts of static/ into a context of their own, as a page does.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import vm from "node:vm";

const root = new URL("../../", import.meta.url);

/**
 * The text of a file of the repository.
 * @param {string} path
 */
export const read = (path) => readFileSync(new URL(path, root), "utf8");

export const vectors = JSON.parse(read("tests/vectors/search.json"));

/** A context with what the scripts expect of a browser, but for a page. */
export function context() {
  /** @type {Record<string, any>} */
  const global = { URLSearchParams };
  global.window = global;
  vm.createContext(global);
  return global;
}

/**
 * Runs scripts of static/ in a context.
 * @param {Record<string, any>} global
 * @param {string[]} names
 */
export function run(global, ...names) {
  for (const name of names) {
    const path = `static/${name}`;
    vm.runInContext(read(path), global, { filename: fileURLToPath(new URL(path, root)) });
  }
}

/**
 * `sitegenMatch` with lunr beside it.
 * @returns {SitegenMatch}
 */
export function loadMatch(global = context()) {
  // lunr.min.js looks for `define`, then `exports`, then `this`.
  run(global, "vendor/lunr.min.js", "js/match.js");
  return global.sitegenMatch;
}

/**
 * A value made in another context, as one of this context, so that deepEqual compares it.
 * @template T
 * @param {T} value
 * @returns {T}
 */
export const here = (value) => structuredClone(value);
