// static/js/facets.js: narrowing a list by facets, as functions.
import assert from "node:assert/strict";
import test from "node:test";
import { context, here, run } from "./load.mjs";

const global = context();
run(global, "js/facets.js");
/** @type {SitegenFacets} */
const facets = global.sitegenFacets;

const option = (/** @type {string} */ key, label = key, recorded = true) => ({ key, label, recorded });
/** @type {Facet[]} */
const LIST = [
  { key: "outcome", label: "Outcome", options: [option("pass", "PASS"), option("fail", "FAIL")] },
  { key: "cores", label: "Cores", options: [option("1"), option("4"), option("16"), option("no-run", "no run", false)] },
];
// pass on 1, pass on 4, fail on 4, fail on 16
const ROWS = [[0, 0], [0, 1], [1, 1], [1, 2]];
const narrow = (/** @type {Chosen} */ chosen, /** @type {number[] | null} */ named = null) =>
  here(facets.narrow(LIST, ROWS, chosen, named && new Set(named)));

test("without a choice all rows are left, and counted", () => {
  assert.deepEqual(narrow({}), {
    places: [0, 1, 2, 3],
    counts: [[2, 2], [1, 2, 1, 0]],
    alone: [4, 4, 4],
    without: [4, 4, 4],
  });
});

test("one of the options of a facet is enough, and all facets must hold", () => {
  assert.deepEqual(narrow({ outcome: ["pass", "fail"], cores: ["4"] }).places, [1, 2]);
  assert.deepEqual(narrow({ outcome: ["pass"], cores: ["1", "4"] }).places, [0, 1]);
  assert.deepEqual(narrow({ outcome: ["pass"], cores: ["16"] }).places, []);
});

test("an option is counted under the other filters, not under its own facet", () => {
  assert.deepEqual(narrow({ outcome: ["pass"] }).counts, [[2, 2], [1, 1, 0, 0]]);
  assert.deepEqual(narrow({ cores: ["4"] }).counts, [[1, 1], [1, 2, 1, 0]]);
  assert.deepEqual(narrow({ outcome: ["pass"], cores: ["16"] }).counts, [[0, 1], [1, 1, 0, 0]]);
  assert.deepEqual(narrow({ outcome: ["pass"] }, [1, 2, 3]).counts, [[1, 2], [0, 1, 0, 0]]);
});

test("counts are those that choosing the option would leave", () => {
  const choices = [{}, { outcome: ["pass"] }, { cores: ["4", "16"] }, { outcome: ["fail"], cores: ["1"] }];
  for (const chosen of /** @type {Chosen[]} */ (choices)) {
    LIST.forEach(({ key, options }, facet) =>
      options.forEach((one, place) => {
        const expected = narrow({ ...chosen, [key]: [one.key] }, [0, 2, 3]).places.length;
        assert.equal(narrow(chosen, [0, 2, 3]).counts[facet][place], expected, `${key} ${one.key}`);
      }),
    );
  }
});

test("what the list does not have matches nothing, and does not take away what else is chosen", () => {
  assert.deepEqual(narrow({ cores: ["99"] }).places, []);
  assert.deepEqual(narrow({ cores: ["99", "1"] }).places, [0]);
});

test("the parameters of facets are read and written, and no other is touched", () => {
  const read = (/** @type {string} */ search) => here(facets.readChosen(search, ["outcome", "cores"]));
  assert.deepEqual(read("?outcome=pass&outcome=fail&cores=4&x=1"), { outcome: ["pass", "fail"], cores: ["4"] });
  assert.deepEqual(read("?outcome=&cores=4&cores=4"), { outcome: [], cores: ["4"] });
  assert.equal(facets.writeChosen("?x=1&cores=2&q=a", { outcome: ["pass"], cores: [] }), "?x=1&q=a&outcome=pass");
  assert.equal(facets.writeChosen("?cores=2", { cores: [] }), "");
  for (const value of ["a&b=c", "2.28.7631.0+5e0f61c7", "nrt status=4", "模型", '"not-tested"', "100%"]) {
    assert.deepEqual(read(facets.writeChosen("", { outcome: [value], cores: [] })).outcome, [value]);
  }
});

test("what is chosen has its label, and says when the list does not have it", () => {
  const found = here(facets.chosenOptions(LIST, { cores: ["no-run", "99"], outcome: ["pass"] }));
  assert.deepEqual(found, [
    { facet: "outcome", option: "pass", text: "Outcome: PASS", found: true },
    { facet: "cores", option: "no-run", text: "Cores: no run", found: true },
    { facet: "cores", option: "99", text: "Cores: 99", found: false },
  ]);
});

/**
 * @param {Chosen} chosen
 * @param {string} query
 * @param {number[] | null} named
 */
const said = (chosen, query = "", named = null) =>
  facets.emptyText(facets.filtersInUse(LIST, chosen, query, narrow(chosen, named)));

test("an empty list says which filter emptied it", () => {
  assert.equal(said({}, "xyz", []), "No model is left: the name filter “xyz” matches none.");
  assert.equal(said({ outcome: ["pass"] }, "xyz", []), "No model is left: the name filter “xyz” alone matches none.");
  assert.equal(said({ cores: ["99"] }, "xyz", []), "No model is left: Cores: 99 and the name filter “xyz” each match none, even alone.");
  assert.equal(
    said({ outcome: ["pass"], cores: ["16"] }),
    "No model is left: each filter alone matches some, all together none. " +
      "Removing Outcome: PASS would leave 1; removing Cores: 16 would leave 2.",
  );
  assert.equal(
    said({ outcome: ["pass"], cores: ["16", "no-run"] }, "b", [2]),
    "No model is left: each filter alone matches some, all together none. Removing one alone leaves none either.",
  );
  assert.equal(said({ cores: ["99", "no-run"] }), "No model is left: Cores: 99 or no run matches none.");
});
