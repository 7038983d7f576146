// What the scripts of the site make of the data of a built site.
//
//   node tests/js/site_data.mjs names.js < request.json
//
// names.js is what a build writes as search/names.js; the request has `queries` (texts) and `sorts` (pairs of values and
// "asc" or "desc"). Prints the ids that each query finds, and each list of values sorted.
import { readFileSync } from "node:fs";
import vm from "node:vm";
import { context, loadMatch } from "./load.mjs";

const global = context();
const match = loadMatch(global);
/** @type {any} */
let names = null;
global.sitegenData = (/** @type {string} */ _, /** @type {unknown} */ value) => (names = value);
vm.runInContext(readFileSync(process.argv[2], "utf8"), global, { filename: process.argv[2] });

/** @type {string[]} */
const ids = names.ids.split("\n");
const folded = ids.map(match.fold);
/** @type {{ queries: string[], sorts: [(number | null)[], string][] }} */
const { queries, sorts } = JSON.parse(readFileSync(0, "utf8"));
const found = queries.map((query) => match.searchNames(folded, query).map((place) => ids[place]));
const sorted = sorts.map(([values, order]) => values.sort((a, b) => match.compare(a, b, order)));
console.log(JSON.stringify({ found, sorted }));
