// static/js/list_file.js: a list as CSV and JSON.
import assert from "node:assert/strict";
import test from "node:test";
import { context, here, run } from "./load.mjs";

const global = context();
global.URL = URL;
run(global, "js/match.js", "js/list_file.js");
/** @type {SitegenFile} */
const file = global.sitegenFile;

const option = (/** @type {string} */ key, label = key, recorded = true) => ({ key, label, recorded });
const NOT_RECORDED = option("not-recorded", "not recorded", false);
const NO_RUN = option("no-run", "no run", false);
/** @type {Facet[]} */
const FACETS = [
  ["outcome", option("pass", "PASS"), option("not-tested", "Not tested")],
  ["check", option("cpu-mismatch", "CPU mismatch"), NO_RUN],
  ["cores", option("4"), NO_RUN],
  ["task", option("text-generation"), NOT_RECORDED],
  ["library", option("transformers"), NO_RUN],
  ["compiler", option("2.28.7631.0+5e0f61c7"), NO_RUN],
  ["library-version", option("5.21.0"), NO_RUN],
  ["architecture", NOT_RECORDED],
  ["error", option("no-error", "no error recorded", false), NO_RUN],
].map(([key, ...options]) => ({ key: /** @type {string} */ (key), label: "", options: /** @type {Option[]} */ (options) }));

const BEFORE = {
  key: "fail", label: "FAIL", tone: "fail", check: "Check not recorded", checkKey: "not-recorded", disagree: 0,
  reasonKind: null, reason: null,
};
/** @type {Pick<RowData, "change" | "before" | "beforePath" | "nowPath" | "coresBefore" | "cells">} */
const COMPARED = {
  change: ["Fixed", 1, "fixed", ["cores differ"], null],
  before: BEFORE,
  beforePath: "models/acme/one/old/index.html",
  nowPath: null,
  coresBefore: ["1", 1],
  cells: [],
};
/** The columns of a ranking. */
const RANKING = "rank name status cores memory wall pair tested downloads likes".split(" ");

/**
 * @param {Partial<RowData>} changes
 * @returns {RowData}
 */
const tested = (changes = {}) => ({
  rank: 3,
  name: "acme/one",
  path: "models/acme/one/pair/index.html",
  status: {
    key: "pass", label: "PASS", tone: "pass", check: "CPU mismatch (7/32)", checkKey: "cpu-mismatch", disagree: 1,
    reasonKind: null, reason: null,
  },
  elsewhere: null,
  pair: ["neuronx-cc 2.28 / transformers 5.21.0", "versions/x/index.html", 1],
  cores: ["4", 4],
  memory: ["9.21 GB", 9.21],
  wall: ["1,212 s", 1212],
  task: "text-generation",
  tested: "2026-10-28",
  downloads: ["not recorded", null],
  likes: ["0", 0],
  note: null,
  ...COMPARED,
  options: [0, 0, 0, 0, 0, 0, 0, 0, 0],
  ...changes,
});

const UNTESTED = tested({
  name: "acme/two",
  path: "models/acme/two/index.html",
  status: { ...tested().status, key: "not-tested", label: "Not tested", check: null, checkKey: "", disagree: 0 },
  pair: null,
  cores: ["no run", null],
  memory: ["no run", null],
  wall: ["no run", null],
  task: null,
  tested: null,
  options: [1, 1, 1, 1, 1, 1, 1, 0, 1],
});

/**
 * @param {RowData[]} rows
 * @param {string[]} columns
 */
function table(rows, columns = RANKING) {
  return file.tableOf(rows, FACETS, columns, (path) => `https://example.org/${path}`);
}

/** A row of a table by the names of its columns. */
function record(/** @type {RowData} */ row, columns = RANKING) {
  const { names, rows } = table([row], columns);
  return here(Object.fromEntries(names.map((name, place) => [name, rows[0][place]])));
}

test("numbers are numbers, and what is recorded is as it is", () => {
  assert.deepEqual(record(tested()), {
    rank: 3,
    model: "acme/one",
    outcome_key: "pass",
    outcome: "PASS",
    check_key: "cpu-mismatch",
    check: "CPU mismatch (7/32)",
    runs_disagree: true,
    exclusion: null,
    run: "recorded",
    cores: 4,
    peak_memory_gb: 9.21,
    wall_s_including_compilation: 1212,
    compiler_version: "2.28.7631.0+5e0f61c7",
    library: "transformers",
    library_version: "5.21.0",
    tested: "2026-10-28",
    task: "text-generation",
    architecture: null,
    error_code: null,
    downloads: null,
    likes: 0,
    address: "https://example.org/models/acme/one/pair/index.html",
  });
});

test("without a run nothing is recorded, and that is said", () => {
  const found = record(UNTESTED);
  assert.deepEqual([found.outcome_key, found.outcome, found.check_key, found.run], ["not-tested", "Not tested", "no-run", "none"]);
  const ofRuns = "check cores peak_memory_gb wall_s_including_compilation compiler_version library library_version tested error_code";
  for (const name of ofRuns.split(" ")) assert.equal(found[name], null, name);
});

test("a recorded run without a date has none in the file", () => {
  assert.equal(record(tested({ tested: "not recorded" })).tested, null);
  assert.equal(record(tested({ tested: "not recorded" })).run, "recorded");
});

test("an exclusion has its kind and its reason", () => {
  const status = { ...tested().status, reasonKind: "also excluded, incompatible", reason: "" };
  assert.equal(record(tested({ status })).exclusion, "also excluded, incompatible: reason not recorded");
});

test("a comparison has both sides, and only what it knows", () => {
  const keys = ["outcome", "check", "cores", "task", "architecture", "error"];
  const facets = FACETS.filter(({ key }) => keys.includes(key));
  const columns = "change name before status cores task".split(" ");
  const row = tested({ nowPath: "models/acme/one/new/index.html", options: [0, 0, 0, 0, 0, 0] });
  const found = file.tableOf([row], facets, columns, (path) => `https://example.org/${path}`);
  const fields = here(Object.fromEntries(found.names.map((name, place) => [name, found.rows[0][place]])));
  assert.deepEqual(fields, {
    model: "acme/one",
    change_key: "fixed",
    change: "Fixed",
    also_differs: "cores differ",
    before_outcome_key: "fail",
    before_outcome: "FAIL",
    before_check: null,
    before_runs_disagree: false,
    before_exclusion: null,
    before_cores: 1,
    before_address: "https://example.org/models/acme/one/old/index.html",
    outcome_key: "pass",
    outcome: "PASS",
    check_key: "cpu-mismatch",
    check: "CPU mismatch (7/32)",
    runs_disagree: true,
    exclusion: null,
    run: "recorded",
    cores: 4,
    task: "text-generation",
    architecture: null,
    error_code: null,
    address: "https://example.org/models/acme/one/new/index.html",
  });
});

test("a file has the columns that its list has", () => {
  assert.deepEqual(here(table([], ["note", "elsewhere"]).names).slice(-3), ["note", "latest_under", "address"]);
  for (const name of ["rank", "downloads", "likes"]) assert.ok(!table([], ["note"]).names.includes(name));
});

test("CSV has a byte order mark, CRLF, quotes where they are needed, and nothing where nothing is", () => {
  const rows = [["a,b", 'say "x"', "two\nlines", null, 0, 1.5, true, "plain", " x "]];
  assert.equal(file.csv({ names: ["n"], rows }), '\ufeffn\r\n"a,b","say ""x""","two\nlines",,0,1.5,true,plain, x \r\n');
});

test("no cell of a CSV file is a formula", () => {
  for (const start of ["=", "+", "-", "@", "\t", "\r"]) {
    for (const text of [`${start}HYPERLINK(A1)`, `${start}1+1|cmd`, `${start}"x",y`]) {
      const [line] = /** @type {RegExpExecArray} */ (/^\ufeffn\r\n([^]*)\r\n$/.exec(file.csv({ names: ["n"], rows: [[text]] }))).slice(1);
      const value = line.startsWith('"') ? line.slice(1, -1).replace(/""/g, '"') : line;
      assert.equal(value, `'${text}`);
    }
  }
  assert.equal(file.csv({ names: ["n"], rows: [[-1], ["a=b"], ["1-2"]] }), "\ufeffn\r\n-1\r\na=b\r\n1-2\r\n");
});

/**
 * Cells as a spreadsheet reads them whose language has this separator: quotes count only where a cell begins with one.
 * @param {string} text
 * @param {string} separator
 */
function cellsOf(text, separator) {
  const cell = new RegExp(`"((?:[^"]|"")*)"[^${separator}\r\n]*|[^${separator}\r\n]*`, "y");
  const cells = [];
  for (let at = 0; at <= text.length; at += 1) {
    cell.lastIndex = at;
    const [whole, quoted] = /** @type {RegExpExecArray} */ (cell.exec(text));
    cells.push(quoted?.replace(/""/g, '"') ?? whole);
    at += whole.length;
  }
  return cells;
}

test("no cell of a CSV file is a formula, whatever sign separates cells", () => {
  const formulas = ["=1+1", "+1", "-cmd|x", "@SUM(1)", "\uff1d1", " =1", '"=1"'];
  const before = ["", "a;", "a\t", "a\n", "a\r\n", 'a";', 'a"\t', "a;;", 'a;"', "a; ", "=1;", "a,"];
  const rows = before.flatMap((start) => formulas.map((formula) => [1, start + formula, formula]));
  const text = file.csv({ names: ["n", "a", "b"], rows });
  for (const separator of [",", ";", "\t"]) {
    const found = cellsOf(text, separator).filter((value) => /^[\s"]*[=+\-@\uff0b\uff0d\uff1d\uff20]/.test(value));
    assert.deepEqual(found, [], `separated by ${JSON.stringify(separator)}`);
  }
  assert.ok(cellsOf('1,"a;=1"', ";").includes('=1"')); // what it would find
});

test("JSON has null where nothing is, and says which list it is", () => {
  const about = { list: "All models", address: "https://example.org/all/?outcome=pass" };
  const { models, ...rest } = JSON.parse(file.json(table([UNTESTED, tested()]), about));
  assert.deepEqual(rest, about);
  assert.deepEqual(models, [record(UNTESTED), record(tested())]);
});

test("addresses are the site's own, else those where it is read, else paths in it", () => {
  const path = "../models/acme/one/index.html";
  const at = (/** @type {string} */ here_, /** @type {string | null} */ own, root = "../") => file.addresses(here_, root, own)(path);
  assert.equal(at("http://127.0.0.1:80/all/?q=a", "https://example.org/c/all/"), "https://example.org/c/models/acme/one/");
  assert.equal(at("https://host.example/c/all/index.html?q=a#x", null), "https://host.example/c/models/acme/one/index.html");
  assert.equal(at("file:///home/some%20one/site/all/index.html?q=a", null), "models/acme/one/index.html");
  const home = file.addresses("file:///s/index.html", "", "https://example.org/c/");
  assert.equal(home("models/acme/one/index.html"), "https://example.org/c/models/acme/one/");
  assert.equal(home("file:///s/index.html?cores=4"), "https://example.org/c/?cores=4");
});
