// What the search of a built site costs: time and exactness of finding names, and bytes. For tests/bench/search.py.
//
//   node tests/js/bench_search.mjs SITE QUERIES
//
// Runs the scripts that the site ships on the names that it ships. Prints JSON.
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import vm from "node:vm";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { context } from "./load.mjs";

const SHELL = /^(theme|main|keys)\./; // scripts of every page, search or not
const ROUNDS = 5;
const site = process.argv[2];
const page = join(site, "search", "index.html");
const html = readFileSync(page, "utf8");

/**
 * The files that a page loads by itself.
 * @param {string} path
 */
function loaded(path) {
  const tags = readFileSync(path, "utf8").matchAll(/<script[^>]*? src="([^"]+)"|<link rel="(?:module)?preload"[^>]*? href="([^"]+)"/g);
  return [...tags].map(([, src, href]) => resolve(dirname(path), src ?? href));
}

/** @param {string} name */
function named(name) {
  const found = new RegExp(`data-${name}="([^"]+)"`).exec(html);
  if (!found) throw new Error(`the search page names no ${name}`);
  return resolve(dirname(page), found[1]);
}

const data = { names: named("names"), words: named("words"), lunr: named("lunr") };
const code = loaded(page).filter((path) => !SHELL.test(basename(path)) && !Object.values(data).includes(path));

// Bytes.

/** @param {string[]} paths */
function sizes(paths) {
  const texts = paths.map((path) => readFileSync(path));
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  /** @param {(text: Buffer) => Buffer} press */
  const sum = (press) => texts.reduce((all, text) => all + press(text).length, 0);
  return { raw: sum((text) => text), gzip: sum((text) => gzipSync(text, { level: 9 })), brotli: sum((text) => brotliCompressSync(text, best)) };
}

/** What belongs to the search and is loaded where nobody searches: on pages of docs and results, and data on the search page. */
function before() {
  const results = join(site, "models");
  const owner = readdirSync(results).find((name) => readdirSync(join(results, name)).length > 1) ?? "";
  const model = readdirSync(join(results, owner), { withFileTypes: true }).find((entry) => entry.isDirectory())?.name ?? "";
  const pair = readdirSync(join(results, owner, model), { withFileTypes: true }).find((entry) => entry.isDirectory())?.name ?? "";
  const others = [join(site, "docs", "index.html"), join(results, owner, model, pair, "index.html")];
  const ofSearch = [...code, ...Object.values(data)];
  const early = others.flatMap(loaded).filter((path) => ofSearch.includes(path));
  return sizes([...early, ...loaded(page).filter((path) => Object.values(data).includes(path))]).raw;
}

// Names.

const global = context();
/** @type {any} */
let names = null;
global.sitegenData = (/** @type {string} */ _, /** @type {unknown} */ value) => (names = value);
for (const path of [...code.filter((one) => /^match\./.test(basename(one))), data.names]) {
  vm.runInContext(readFileSync(path, "utf8"), global, { filename: path });
}
/** @type {SitegenMatch} */
const match = global.sitegenMatch;
/** @type {string[]} */
const ids = names.ids.split("\n");
// As static/js/search.js prepares and asks them.
const folded = match.fold(names.ids).split("\n");
/** @param {string} query */
const search = (query) => match.searchNames(folded, query);

/**
 * The same numbers at every run, from 0 to below the limit.
 * @param {number} seed
 */
function random(seed) {
  let state = seed;
  return (/** @type {number} */ limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const draw = random(7);

/** A part of a name: from anywhere, from the start of a word, two at once, or one that may be in no name. */
function makeQuery() {
  const id = ids[draw(ids.length)];
  const kind = draw(10);
  /** @param {string} text */
  const part = (text) => {
    const start = draw(Math.max(1, text.length - 2));
    return text.slice(start, start + 2 + draw(11));
  };
  const words = id.split(/[/_-]/).filter((word) => word.length > 1);
  if (kind < 4) return part(id);
  if (kind < 7) return words[draw(words.length)].slice(0, 2 + draw(10)).toLowerCase();
  if (kind < 9) return `${part(id)} ${words[draw(words.length)].slice(0, 2 + draw(6)).toUpperCase()}`;
  return part(id) + draw(100);
}

/**
 * The bare loop that the search is measured against.
 * @param {string[]} wanted
 */
function scan(wanted) {
  const found = [];
  for (let place = 0; place < lower.length; place++) {
    let all = true;
    for (const term of wanted) all = all && lower[place].includes(term);
    if (all) found.push(place);
  }
  return found;
}

const lower = ids.map((id) => id.toLowerCase());
const queries = Array.from({ length: Number(process.argv[3]) }, makeQuery);

/** @param {number[]} values */
const sorted = (values) => [...values].sort((a, b) => a - b);
/**
 * @param {number[]} values
 * @param {number} share
 */
const quantile = (values, share) => sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** @param {() => unknown} work */
function milliseconds(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

let right = 0;
let wanted = 0;
let extra = 0;
for (const text of queries) { // also warms both up
  const truth = new Set(scan(text.toLowerCase().split(/\s+/).filter(Boolean)));
  const found = new Set(search(text));
  const both = [...found].filter((place) => truth.has(place)).length;
  [right, wanted, extra] = [right + both, wanted + truth.size, extra + found.size - both];
}

/** @type {number[]} */
const own = [];
/** @type {number[]} */
const bare = [];
for (const text of queries) {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rounds = Array.from({ length: ROUNDS }, () => [milliseconds(() => search(text)), milliseconds(() => scan(terms))]);
  own.push(quantile(rounds.map(([time]) => time), 0.5));
  bare.push(quantile(rounds.map(([, time]) => time), 0.5));
}

console.log(JSON.stringify({
  names: ids.length,
  queries: queries.length,
  own: { p50: quantile(own, 0.5), p95: quantile(own, 0.95) },
  bare: { p50: quantile(bare, 0.5), p95: quantile(bare, 0.95) },
  recall: { right, wanted, extra },
  bytes: { before: before(), code: sizes(code), names: sizes([data.names]), lunr: sizes([data.lunr]), words: sizes([data.words]) },
}));
