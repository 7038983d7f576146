// No text makes an expression of the scripts slow: of four times as much it takes about four times as long.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const FOLDER = new URL("../../static/js/", import.meta.url);
const SIZE = 50_000;
const UNITS = ["1", "a", "/", ".", "-", " ", "\n", "a/", "/a", "a.", "1-L", "#1", "hf.co/", "c-", "index.html", "\u00e9", '"', "?"];
const STARTS = ["", "#", "https://hf.co/", "c-", "a"];

// Meets only the ids of lines, which the page makes.
const OWN = ["main.js /\\d+$/"];

// An expression stands behind a bracket, a comma, an equals sign or a colon, and is followed by its flags.
const LITERAL = /(?<=[(,=:]\s*)\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuy]*(?=[.,;)\s])/g;

const found = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".js"))
  .flatMap((name) => [...readFileSync(new URL(name, FOLDER), "utf8").matchAll(LITERAL)].map(([text]) => `${name} ${text}`));

/** @param {RegExp} pattern @param {string} text */
const milliseconds = (pattern, text) => {
  const start = process.cpuUsage();
  text.replace(pattern, "");
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
};

test("the expressions are found", () => {
  assert.ok(found.length >= 12, found.join("\n"));
  assert.ok(OWN.every((name) => found.includes(name)));
});

for (const name of found.filter((one) => !OWN.includes(one))) {
  test(name, () => {
    const [, source = "", flags = ""] = / \/(.*)\/([a-z]*)$/s.exec(name) ?? [];
    const pattern = new RegExp(source, flags);
    for (const unit of UNITS)
      for (const start of STARTS) {
        const text = start + unit.repeat(SIZE / unit.length) + "\0";
        assert.ok(milliseconds(pattern, text) < 200, `${JSON.stringify(start)} and many ${JSON.stringify(unit)}`);
      }
  });
}
