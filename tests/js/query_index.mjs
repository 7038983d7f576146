// Queries the index that Python built with the scripts of the site.
//
//   node tests/js/query_index.mjs words.js < queries.json
//
// words.js is what a build writes as search/words.js; queries.json is a list of texts. Prints a list with, for each
// query, the list of the paths found, the best first.
import { readFileSync } from "node:fs";
import vm from "node:vm";
import { context, loadMatch } from "./load.mjs";

const global = context();
const match = loadMatch(global);
/** @type {any} */
let words = null;
global.sitegenData = (/** @type {string} */ _, /** @type {unknown} */ value) => (words = value);
vm.runInContext(readFileSync(process.argv[2], "utf8"), global, { filename: process.argv[2] });

const index = words.index && global.lunr.Index.load(words.index);
/** @type {string[]} */
const queries = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(queries.map((query) => (index ? match.searchWords(index, query) : []))));
