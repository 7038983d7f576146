// Markdown without a template language in it, highlighted by Prism, and one list a version pair.
import highlight from "@11ty/eleventy-plugin-syntaxhighlight";

export default function (config) {
  config.addPlugin(highlight);
  config.setUseGitIgnore(false);
  config.addCollection("byPair", (api) => {
    const byPair = {};
    for (const page of api.getAll()) if (page.data.pair) (byPair[page.data.pair] ??= []).push(page);
    return byPair;
  });
  return {
    dir: { input: "src", output: "_site", includes: "../_includes" },
    markdownTemplateEngine: false,
    htmlTemplateEngine: false,
  };
}
