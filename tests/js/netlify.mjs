// What Netlify's own packages read in a netlify.toml, and in a file `_headers` where one is given, as JSON:
// the build settings of each context, the rules, and every error.
//
//     node tests/js/netlify.mjs netlify.toml [_headers]
import { resolveConfig } from "@netlify/config";
import { parseAllHeaders } from "@netlify/headers-parser";
import { parseAllRedirects } from "@netlify/redirect-parser";
import { dirname } from "node:path";

const [config = "", ...headersFiles] = process.argv.slice(2);
const CONTEXTS = ["production", "deploy-preview", "branch-deploy"];

/** @param {string} context */
async function build(context) {
  const found = await resolveConfig({ config, context, repositoryRoot: dirname(config), offline: true, mode: "buildbot" });
  return [context, found.config.build];
}

/** @param {{ for: string, values: object, forRegExp?: RegExp }} rule */
const plain = (rule) => ({ ...rule, forRegExp: rule.forRegExp?.source });

const headers = await parseAllHeaders({ headersFiles, netlifyConfigPath: config, minimal: false, configHeaders: [] });
const redirects = await parseAllRedirects({ redirectsFiles: [], netlifyConfigPath: config, configRedirects: [], minimal: false });
const read = {
  builds: Object.fromEntries(await Promise.all(CONTEXTS.map(build))),
  headers: headers.headers.map(plain),
  redirects: redirects.redirects,
  errors: [...headers.errors, ...redirects.errors].map(String),
};
process.stdout.write(`${JSON.stringify(read, null, 1)}\n`);
