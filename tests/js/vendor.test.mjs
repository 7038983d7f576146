// static/vendor/: what the site ships is what npm gives in the version that package.json names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "node:test";
import { read } from "./load.mjs";

test("lunr.min.js and its licence are those of the package", () => {
  const require = createRequire(import.meta.url);
  const ours = JSON.parse(read("tests/js/package.json")).devDependencies.lunr;
  assert.equal(require("lunr/package.json").version, ours);
  assert.equal(read("static/vendor/lunr.min.js"), readFileSync(require.resolve("lunr/lunr.min.js"), "utf8"));
  assert.equal(read("static/vendor/LICENSE-lunr.txt"), readFileSync(require.resolve("lunr/LICENSE"), "utf8"));
  assert.ok(read("static/vendor/README.md").includes(ours));
});
