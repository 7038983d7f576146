/**
 * The page for an address that is not there: leads to the model that the address names in another case or in the Hub's
 * way (`/Qwen/Qwen3-8B`), else offers the models whose names are nearest.
 */
(() => {
  "use strict";

  const NEAREST = 8;
  const LEAST = 0.3;
  const { fold } = window.sitegenMatch;

  /**
   * The id that an address may mean: two names, after `models/` or alone; and what follows it.
   * @param {string} path of the address below the site's root
   */
  function asked(path) {
    const parts = path.split("/").filter(Boolean).map(decoded);
    if (fold(parts[0] ?? "") === "models") parts.shift();
    return { id: parts.slice(0, 2).join("/"), rest: parts.slice(2).filter((part) => part !== "index.html") };
  }

  /** @param {string} text */
  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  /**
   * How alike two texts are, from 0 to 1: the pairs of letters that they share.
   * @param {string} a
   * @param {string} b
   */
  function likeness(a, b) {
    const [one, other] = [letterPairs(a), letterPairs(b)];
    const both = [...one].filter((pair) => other.has(pair)).length;
    return one.size + other.size ? (2 * both) / (one.size + other.size) : 0;
  }

  /** @param {string} text */
  const letterPairs = (text) => new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));

  /**
   * The places of the ids that are nearest to a text, the nearest first.
   * @param {string[]} ids
   * @param {string} text
   */
  function nearest(ids, text) {
    const wanted = fold(text);
    return ids
      .map((id, place) => ({ place, value: likeness(fold(id), wanted) }))
      .filter(({ value }) => value >= LEAST)
      .sort((a, b) => b.value - a.value || a.place - b.place)
      .slice(0, NEAREST)
      .map(({ place }) => place);
  }

  window.sitegenNotFound = { asked, nearest };

  /** @type {HTMLElement | null} */
  const section = document.querySelector("[data-near]");
  if (!section) return;
  const root = document.documentElement.dataset.root ?? "";
  const { load, element } = window.sitegen;

  async function show() {
    const here = location.pathname;
    const { id, rest } = asked(here.startsWith(root) ? here.slice(root.length) : here);
    if (!section || !id) return;
    const found = await load(section.dataset.near ?? "", "names");
    /** @type {string[]} */
    const ids = found.ids ? found.ids.split("\n") : [];
    const same = ids.map(fold).indexOf(fold(id));
    const folder = same < 0 ? "" : `${root}${found.models[same][0]}`;
    const page = `${folder}${rest.map((part) => `${part.toLowerCase()}/`).join("")}`;
    // Where the address below the model is not there either, this page is shown again, and then offers the model.
    if (folder && `${page}index.html` !== here && page !== here) {
      location.replace(`${page}index.html`);
      return;
    }
    const places = same < 0 ? nearest(ids, id) : [same];
    section.querySelector("ul")?.replaceChildren(
      ...places.map((place) => element("li", {}, element("a", { href: `${root}${found.models[place][0]}index.html` }, element("bdi", {}, ids[place])))),
    );
    section.hidden = !places.length;
  }

  show().catch(() => {
    // Without the names the page is what it was.
  });
})();
