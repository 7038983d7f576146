// static/js/match.js: filter, search and sort, as functions.
import assert from "node:assert/strict";
import test from "node:test";
import { here, loadMatch, vectors } from "./load.mjs";

const match = loadMatch();
const { ids, queries } = vectors.names;
const folded = ids.map(match.fold);

/** Invented numbers, the same in every run. */
function randomNumbers(seed = 1) {
  return (/** @type {number} */ below) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
}

const OWNERS = ["acme", "Qwen", "deepseek-ai", "İzmir-AI", "Ωμέγα", "モデル", "ΣΑΣ", "straße", "-"];
const PARTS = ["Instruct", "7B", "v1.5", "it", "c++", "chat_hf", "ΜΟΔΕΛΟΣ", "模型", "0.5b", "A*B", "x~y", "foo:bar", "ß", "𐐀"];

function inventedIds() {
  const random = randomNumbers();
  const pick = (/** @type {string[]} */ list) => list[random(list.length)];
  return Array.from({ length: 500 }, (_, n) => `${pick(OWNERS)}/${pick(PARTS)}-${pick(PARTS)}-${n}-${pick(PARTS)}`);
}

test("text folds as the vectors say", () => {
  for (const [text, expected] of vectors.fold) assert.equal(match.fold(text), expected);
});

test("a character folds to the same text in every case", () => {
  for (let code = 0; code < 0x20000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    const once = match.fold(character);
    assert.equal(match.fold(once), once, `U+${code.toString(16)} twice`);
    assert.equal(match.fold(character.toLowerCase()), once, `U+${code.toString(16)} in lower case`);
    assert.equal(match.fold(character.toUpperCase()), once, `U+${code.toString(16)} in upper case`);
  }
});

test("text is cut into words as the vectors say", () => {
  for (const [text, expected] of vectors.words) assert.deepEqual(here(match.words(text)), expected, text);
});

test("an address of the Hub is its id", () => {
  for (const [text, expected] of vectors.hub) assert.equal(match.hubId(text), expected, text);
});

test("queries find the names that the vectors say, in their order", () => {
  for (const [query, expected] of queries) {
    const found = here(match.searchNames(folded, query)).map((place) => ids[place]);
    assert.deepEqual(found, expected, query);
  }
});

test("a filter keeps the order of the list", () => {
  for (const [query, expected] of queries) {
    const found = here(match.findNames(folded, query));
    assert.deepEqual(found, [...found].sort((a, b) => a - b), query);
    assert.equal(found.length, expected.length, query);
  }
});

test("without terms everything is found", () => {
  assert.equal(match.findNames(folded, "  ").length, ids.length);
});

test("2,000 parts of ids, in any case, each find their id", () => {
  const invented = inventedIds();
  const names = invented.map(match.fold);
  const random = randomNumbers(7);
  const cases = [String, (/** @type {string} */ s) => s.toUpperCase(), (/** @type {string} */ s) => s.toLowerCase()];
  for (let n = 0; n < 2000; n += 1) {
    const place = random(invented.length);
    const characters = Array.from(invented[place]);
    const from = random(characters.length);
    const part = characters.slice(from, from + 1 + random(characters.length - from)).join("");
    const query = cases[random(3)](part);
    assert.ok(match.searchNames(names, query).includes(place), `“${query}” does not find ${invented[place]}`);
  }
});

test("over plain ids, exactly those are found that hold the query", () => {
  const random = randomNumbers(3);
  const plain = Array.from({ length: 300 }, (_, n) => `Owner${n % 7}/Model-${n * 37}.${n % 5}B`);
  const names = plain.map(match.fold);
  for (let n = 0; n < 2000; n += 1) {
    const name = plain[random(plain.length)];
    const from = random(name.length);
    const query = name.slice(from, from + 1 + random(6));
    const expected = plain.filter((id) => id.toLowerCase().includes(query.toLowerCase()));
    assert.deepEqual(here(match.findNames(names, query)).map((place) => plain[place]), expected, query);
  }
});

test("the likeliest names come first", () => {
  assert.equal(match.rank("acme/qwen", "qwen"), 0);
  assert.equal(match.rank("acme/qwen-7b", "qwen"), 1);
  assert.equal(match.rank("qwen/x-7b", "qwen"), 2);
  assert.equal(match.rank("acme/my-qwen", "qwen"), 2);
  assert.equal(match.rank("acme/myqwen", "qwen"), 3);
  assert.equal(match.rank("acme/myqwen-qwen", "qwen"), 2);
  assert.equal(match.rank("gpt2", "gpt2"), 0);
});

test("marks stand where the terms stand, also where folding changes the length", () => {
  const cases = [
    ["Qwen/Qwen2-7B", ["qwen", "7b"], "[Qwen]/[Qwen]2-[7B]"],
    ["aaa", ["aa"], "[aaa]"],
    ["İİ-Straße-x", ["straße", "x"].map(match.fold), "İİ-[Straße]-[x]"],
    ["İx", ["x"], "İ[x]"],
    ["Straße", ["s"], "[S]tra[ß]e"],
    ["ΣΑΣ", [match.fold("ας")], "Σ[ΑΣ]"],
    ["𐐀b", ["b"], "𐐀[b]"],
    ["abc", ["x"], "abc"],
    ["abc", [], "abc"],
    ["", ["x"], ""],
  ];
  for (const [text, wanted, expected] of /** @type {[string, string[], string][]} */ (cases)) {
    const pieces = match.marks(text, wanted);
    assert.equal(pieces.map(([piece, hit]) => (hit ? `[${piece}]` : piece)).join(""), expected);
    assert.equal(pieces.map(([piece]) => piece).join(""), text);
  }
});

test("text that says that there is no value is a gap", () => {
  for (const text of ["", "  ", "no run", "not recorded", "\n not recorded "]) assert.equal(match.textValue(text), null);
  assert.equal(match.textValue(" B "), "b");
  assert.equal(match.textValue("0"), "0");
});

test("numbers sort by size, gaps stay last in both directions, ties keep their order", () => {
  const sorted = (/** @type {(number | string | null)[]} */ values, /** @type {string} */ order) =>
    [...values].sort((a, b) => match.compare(a, b, order));
  assert.deepEqual(sorted([10, null, 9, 99, 0, null, 100, 9.5], "asc"), [0, 9, 9.5, 10, 99, 100, null, null]);
  assert.deepEqual(sorted([10, null, 9, 99, 0, null, 100, 9.5], "desc"), [100, 99, 10, 9.5, 9, 0, null, null]);
  assert.deepEqual(sorted(["b", null, "a"], "asc"), ["a", "b", null]);
  assert.deepEqual(sorted(["a", null, "b"], "desc"), ["b", "a", null]);
  assert.deepEqual(sorted(["x", 2, null, 1], "asc"), [1, 2, "x", null]);
  assert.equal(match.compare(1, 1, "desc"), 0);
  assert.equal(match.compare(null, null, "asc"), 0);
});

test("the state of a list is read from the address and written to it", () => {
  const columns = ["name", "wall"];
  const read = (/** @type {string} */ search) => here(match.readState(search, columns));
  assert.deepEqual(read(""), { q: "", sort: "", order: "asc" });
  assert.deepEqual(read("?q=c%2B%2B&sort=wall&order=desc"), { q: "c++", sort: "wall", order: "desc" });
  assert.deepEqual(read("?sort=evil&order=desc"), { q: "", sort: "", order: "asc" });
  assert.deepEqual(read("?sort=wall&order=sideways"), { q: "", sort: "wall", order: "asc" });
  assert.equal(match.writeState("?from=x", { q: "c++", sort: "wall", order: "desc" }), "?from=x&q=c%2B%2B&sort=wall&order=desc");
  assert.equal(match.writeState("?q=a&sort=wall&order=desc&from=x", { q: " ", sort: "", order: "asc" }), "?from=x");
  assert.equal(match.writeState("?q=a", { q: "", sort: "", order: "desc" }), "");
  for (const q of ["qwen 7b", "模型", "a&b=c#d", "<b>", "100%"]) {
    assert.equal(read(match.writeState("", { q, sort: "", order: "asc" })).q, q);
  }
});
