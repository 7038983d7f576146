/**
 * The page for an address that is not there: leads to the model that the address names in another case, in the Hub's way
 * (`/Qwen/Qwen3-8B`) or by an earlier id, else offers the models that may be meant.
 */
(() => {
  "use strict";

  const NEAREST = 8;
  const LEAST = 0.3;
  /** What the address of a page is made of, but for its last part. */
  const PLAIN = /^[a-z0-9_-][a-z0-9._-]*(\/[a-z0-9_-][a-z0-9._-]*)*$/;
  const FILE = /\.(json|md|svg|xml|py|log|zip)$/;
  const HUBS_OWN = new Set(["tree", "blob", "raw", "resolve", "commit", "commits", "discussions", "edit"]);
  const { fold } = window.sitegenMatch;

  /** @param {string} path */
  const partsOf = (path) =>
    path
      .split("/")
      .filter(Boolean)
      .map(decoded)
      .filter((part) => part !== "index.html");

  /** @param {string} text */
  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  /**
   * The ids that an address may mean, the likeliest first, each with what follows it: two names, after `models/` or
   * alone; or one name, alone or after `-/`. `exact`: whether the case of the id counts, which addresses of pages of
   * this site have lost.
   * @param {string[]} parts of the address below the site's root
   * @returns {Asked[]}
   */
  function asked(parts) {
    const below = fold(parts[0] ?? "") === "models";
    const names = below ? parts.slice(1) : parts;
    const bare = names[0] === "-" ? names.slice(1) : below ? [] : names;
    const found = [];
    if (names.length > 1 && names[0] !== "-") found.push({ id: names.slice(0, 2).join("/"), rest: names.slice(2) });
    if (bare.length) found.push({ id: bare[0], rest: bare.slice(1) });
    return found.map((entry) => ({ ...entry, exact: !below || entry.id !== entry.id.toLowerCase() }));
  }

  /**
   * The places of the models that an id means: the exact one, else all that differ from it in case alone, else those
   * that had it before.
   * @param {Names} names
   * @param {Asked} wanted
   */
  function meant({ ids, was }, { id, exact }) {
    const folded = fold(id);
    const same = ids.flatMap((other, place) => (fold(other) === folded ? [place] : []));
    if (exact && same.some((place) => ids[place] === id)) return same.filter((place) => ids[place] === id);
    return same.length ? same : was.filter(([old]) => fold(old) === folded).map(([, place]) => place);
  }

  /**
   * What to do at an address: the page that it leads to, else null and the places of the models to offer.
   *
   * An address leads nowhere where it is one that this could have led to: plain, and in a model's folder. Whatever is led
   * to is both, so that there is never a second time, however a host or browser writes addresses.
   * @param {string} path
   * @param {string} root
   * @param {Names} names
   * @returns {{ page: string | null, places: number[] }}
   */
  function answer(path, root, names) {
    const [all, base] = [partsOf(path), partsOf(root)];
    const parts = base.every((part, at) => part === all[at]) ? all.slice(base.length) : all;
    const wanted = asked(parts);
    const found = wanted.map((entry) => ({ entry, places: meant(names, entry) })).find(({ places }) => places.length);
    if (!found) return { page: null, places: like(names.ids, wanted, parts) };
    const { entry, places } = found;
    // What the Hub has below a model, this site has not.
    const rest = HUBS_OWN.has(entry.rest[0]) ? [] : entry.rest.map((part) => part.toLowerCase());
    const page = names.folders[places[0]] + (FILE.test(rest[rest.length - 1] ?? "") ? rest : [...rest, "index.html"]).join("/");
    const leads = places.length === 1 && PLAIN.test(page) && !inFolder(all.join("/"), names.folders);
    return { page: leads ? page : null, places };
  }

  /**
   * Whether a path is plain from a model's folder on; what stands before that may be the site's own folder.
   * @param {string} path
   * @param {string[]} folders
   */
  const inFolder = (path, folders) =>
    folders.some((folder) => {
      const start = `/${path}/`.indexOf(`/${folder}`);
      return start >= 0 && PLAIN.test(path.slice(start));
    });

  /**
   * The places of the ids to offer where none is meant: those of the name alone, then the nearest.
   * @param {string[]} ids
   * @param {Asked[]} wanted
   * @param {string[]} parts
   */
  function like(ids, wanted, parts) {
    const name = fold(wanted[wanted.length - 1]?.id ?? "");
    const named = ids.flatMap((id, place) => (fold(id.slice(id.indexOf("/") + 1)) === name ? [place] : []));
    return [...new Set([...named, ...nearest(ids, wanted[0]?.id ?? parts[parts.length - 1] ?? "")])].slice(0, NEAREST);
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

  window.sitegenNotFound = { asked, answer, nearest };

  /** @type {HTMLElement | null} */
  const section = document.querySelector("[data-near]");
  if (!section) return;
  const root = document.documentElement.dataset.root ?? "";
  const { load, element } = window.sitegen;

  async function show() {
    if (!section || !partsOf(location.pathname).length) return;
    const { ids, models, was } = await load(section.dataset.near ?? "", "names");
    /** @type {Names} */
    const names = { ids: ids ? ids.split("\n") : [], folders: models.map((/** @type {string[]} */ model) => model[0]), was };
    const { page, places } = answer(location.pathname, root, names);
    if (page) {
      location.replace(`${root}${page}`);
      return;
    }
    section.querySelector("ul")?.replaceChildren(
      ...places.map((place) =>
        element("li", {}, element("a", { href: `${root}${names.folders[place]}index.html` }, element("bdi", {}, names.ids[place]))),
      ),
    );
    section.hidden = !places.length;
  }

  show().catch(() => {
    // Without the names the page is what it was.
  });
})();
