// ESLint for the scripts of the site and for their tests. Run from the top of the repository (`make lint`).
import js from "@eslint/js";
import globals from "globals";

const everywhere = {
  eqeqeq: "error",
  "no-var": "error",
  "prefer-const": "error",
  "no-unused-vars": ["error", { argsIgnorePattern: "^_", caughtErrors: "none" }],
  "no-shadow": "error",
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-script-url": "error",
  complexity: ["error", 12],
};

// The site works from file:// with the network blocked, and what comes from the data is never markup.
const NETWORK = "fetch XMLHttpRequest WebSocket EventSource Worker SharedWorker importScripts".split(" ");
const MARKUP = "innerHTML outerHTML insertAdjacentHTML setHTMLUnsafe".split(" ");

export default [
  { ignores: ["**/node_modules/**", "**/vendor/**"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  { rules: everywhere },
  {
    files: ["static/js/**/*.js"],
    languageOptions: {
      sourceType: "script",
      ecmaVersion: 2020,
      globals: { ...globals.browser, lunr: "readonly" },
    },
    rules: {
      "no-implicit-globals": "error",
      "no-restricted-globals": [
        "error",
        ...NETWORK.map((name) => ({ name, message: "The site asks no network: it works from file://." })),
      ],
      "no-restricted-properties": [
        "error",
        ...NETWORK.map((property) => ({ object: "window", property, message: "The site asks no network." })),
        { object: "document", property: "write", message: "Build elements; text from data is no markup." },
        { object: "navigator", property: "sendBeacon", message: "The site asks no network." },
        { object: "navigator", property: "serviceWorker", message: "There are no workers on file://." },
        ...MARKUP.map((property) => ({ property, message: "Build elements; text from data is no markup." })),
      ],
    },
  },
  {
    files: ["tests/js/**/*.mjs"],
    languageOptions: { sourceType: "module", ecmaVersion: 2022, globals: globals.node },
  },
];
