/**
 * “My versions”: compiler and library version chosen apart, remembered in this browser, and the same list under them.
 * The choices come from the links of the version pairs, which are there without scripts too.
 */
(() => {
  "use strict";

  const STORED = "sitegen-versions";

  /**
   * The pairs nearest to a combination without data: the library's version under the nearest compiler, then the
   * compiler with the nearest version of the same library. Of two equally near, the higher. Versions of different
   * libraries cannot be compared.
   * @template {Pair} T
   * @param {T[]} pairs
   * @param {Versions} wanted
   * @returns {T[]}
   */
  function nearest(pairs, { compiler, library }) {
    const same = pairs.filter((pair) => pair.library === library);
    const rank = pairs.find((pair) => pair.compiler === compiler)?.compilerRank ?? 0;
    const near = pairs.filter((pair) => pair.compiler === compiler && pair.libraryName === same[0]?.libraryName);
    return [
      closest(same, (pair) => pair.compilerRank, rank),
      closest(near, (pair) => pair.libraryRank, same[0]?.libraryRank ?? 0),
    ].flatMap((pair) => pair ?? []);
  }

  /**
   * @template {Pair} T
   * @param {T[]} pairs
   * @param {(pair: T) => number} rankOf
   * @param {number} rank
   * @returns {T | undefined}
   */
  function closest(pairs, rankOf, rank) {
    const distance = (/** @type {T} */ pair) => Math.abs(rankOf(pair) - rank);
    return [...pairs].sort((a, b) => distance(a) - distance(b) || rankOf(a) - rankOf(b))[0];
  }

  window.sitegenVersions = { nearest };
  const form = typeof document === "undefined" ? null : document.querySelector("form[data-versions]");
  if (!form) return;

  const { element } = window.sitegen;
  const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
  const compilers = /** @type {HTMLSelectElement} */ (find("[data-compilers]"));
  const libraries = /** @type {HTMLSelectElement} */ (find("[data-libraries]"));
  const [mine, note, forget] = ["mine", "nearest", "forget"].map((name) => find(`[data-${name}]`));

  const pairs = [...document.querySelectorAll("a[data-compiler]")].map((link) => {
    const { dataset, href } = /** @type {HTMLAnchorElement} */ (link);
    return {
      href,
      compiler: dataset.compiler ?? "",
      library: dataset.library ?? "",
      libraryName: dataset.libraryName ?? "",
      compilerRank: Number(dataset.compilerRank),
      libraryRank: Number(dataset.libraryRank),
      current: link.hasAttribute("aria-current"),
    };
  });

  const pairOf = (/** @type {Versions} */ { compiler, library }) =>
    pairs.find((pair) => pair.compiler === compiler && pair.library === library);
  const textOf = (/** @type {Versions} */ { compiler, library }) => `${compiler} / ${library}`;

  // What is remembered. Without storage the choice holds for this page.

  /** @type {Versions | null} */
  let remembered = recall();

  /** @returns {Versions | null} */
  function recall() {
    try {
      const { compiler, library } = JSON.parse(localStorage.getItem(STORED) ?? "null") ?? {};
      return typeof compiler === "string" && typeof library === "string" ? { compiler, library } : null;
    } catch {
      return null;
    }
  }

  /** @param {Versions | null} versions */
  function remember(versions) {
    remembered = versions;
    try {
      if (versions) localStorage.setItem(STORED, JSON.stringify(versions));
      else localStorage.removeItem(STORED);
    } catch {
      // No storage.
    }
    showMine();
  }

  // The line above a list that is not of these versions.

  function showMine() {
    const pair = remembered && pairOf(remembered);
    forget.hidden = !remembered;
    mine.hidden = !remembered || Boolean(pair?.current);
    if (!remembered) return;
    const what = element("span", { class: "visually-hidden" }, " my versions");
    const button = element("button", { type: "button" }, "Forget", what);
    button.addEventListener("click", forgetAll);
    const text = pair ? [link(pair)] : [textOf(remembered), ": ", ...instead(remembered)];
    mine.replaceChildren("My versions: ", ...text, " ", button);
  }

  function forgetAll() {
    remember(null);
    find(".chooser summary").focus();
  }

  const link = (/** @type {Versions & {href: string}} */ pair) => element("a", { href: pair.href }, textOf(pair));

  /**
   * What a combination without data says: the nearest that have some.
   * @param {Versions} versions
   * @returns {(Node | string)[]}
   */
  function instead(versions) {
    const { compiler, library } = versions;
    const known = pairs.some((pair) => pair.compiler === compiler) && pairs.some((pair) => pair.library === library);
    if (!known) return ["not in this catalogue."];
    const links = nearest(pairs, versions).map(link);
    return ["no data for this combination. Nearest: ", ...links.flatMap((one, place) => (place ? [" or ", one] : [one]))];
  }

  // The choice.

  const chosen = () => ({ compiler: compilers.value, library: libraries.value });

  /**
   * @param {HTMLSelectElement} select
   * @param {{text: string, rank: number}[]} options
   * @param {string} [value]
   */
  function fill(select, options, value) {
    const byText = new Map(options.map((option) => [option.text, option]));
    const sorted = [...byText.values()].sort((a, b) => a.rank - b.rank);
    select.append(...sorted.map(({ text }) => element("option", {}, text)));
    if (value && byText.has(value)) select.value = value;
  }

  function showNearest() {
    const versions = chosen();
    note.replaceChildren(...(pairOf(versions) ? [] : [`${textOf(versions)}: `, ...instead(versions)]));
  }

  function choose() {
    const versions = chosen();
    const pair = pairOf(versions);
    remember(versions);
    showNearest();
    if (pair?.current) note.replaceChildren("This is the list under these versions. They are remembered.");
    else if (pair) location.assign(pair.href);
  }

  const start = pairs.find(({ current }) => current) ?? remembered ?? pairs[0];
  fill(compilers, pairs.map(({ compiler: text, compilerRank: rank }) => ({ text, rank })), start?.compiler);
  fill(libraries, pairs.map(({ library: text, libraryRank: rank }) => ({ text, rank })), start?.library);
  for (const select of [compilers, libraries]) select.addEventListener("change", showNearest);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    choose();
  });
  forget.addEventListener("click", forgetAll);
  showMine();
})();
