// static/js/list_rows.js: what a row of a list's data says.
import assert from "node:assert/strict";
import test from "node:test";
import { context, here, run } from "./load.mjs";

const global = context();
global.sitegen = { element: () => null, icon: () => "" };
run(global, "js/match.js", "js/list_rows.js");
/** @type {SitegenRows} */
const rows = global.sitegenRows;

const PASS = ["pass", "PASS", "pass", "CPU match", "cpu-match", 0, null, null];
const NOT_TESTED = ["not-tested", "Not tested", "untested", null, "", 0, null, null];

test("a row of a list holds its status", () => {
  const row = rows.rowReader({})([3, "acme/one", "x", PASS, null, null, ["4", 4], ["9 GB", 9], ["1 s", 1], null, null, null, null, "n", [0]]);
  assert.deepEqual([row.rank, row.name, row.status.label, row.status.checkKey, row.note], [3, "acme/one", "PASS", "cpu-match", "n"]);
  assert.equal(rows.dataValue(row, "status"), "pass · cpu match");
});

test("where statuses are shared, a row gives their places", () => {
  const read = rows.rowReader({ fields: ["name", "before", "status", "change", "cores"], statuses: [NOT_TESTED, PASS] });
  const row = read(["acme/one", 0, 1, ["New", 4, "new", [], null], ["4", 4]]);
  assert.deepEqual([row.before.label, row.status.label], ["Not tested", "PASS"]);
  assert.equal(rows.dataValue(row, "before"), "not tested");
  assert.equal(rows.dataValue(row, "change"), 4);
  assert.equal(rows.dataValue(row, "cores"), 4);
});

test("under a pair without a row a model has its own status, and no address", () => {
  const data = { fields: ["name", "folder", "missing", "cells"], statuses: [NOT_TESTED, PASS], files: ["new.html", "old.html"] };
  const row = here(rows.rowReader(data)(["acme/one", "../m/", 0, [null, 1]]));
  assert.deepEqual(row.cells.map(({ status, path }) => [status.label, path]), [["Not tested", null], ["PASS", "../m/old.html"]]);
});
