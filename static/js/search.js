/** The search page: models by parts of their ids, docs and versions by words. All data is loaded on first use. */
(() => {
  "use strict";

  const SHOWN = 50;
  const { fold, terms, marks, words, searchNames, searchWords, writeState } = window.sitegenMatch;
  const { load, element, icon } = window.sitegen;

  /**
   * @typedef {{ids: string, models: [folder: string, label: string, tone: string][]}} Names
   * @typedef {{index: object | null, documents: Record<string, [title: string, kind: string, summary: string]>}} Words
   */

  const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-search]"));
  const input = /** @type {HTMLInputElement} */ (form.querySelector("input"));
  const count = /** @type {HTMLElement} */ (document.querySelector("[data-count]"));
  const modelList = /** @type {HTMLElement} */ (document.querySelector("[data-results-models]"));
  const wordList = /** @type {HTMLElement} */ (document.querySelector("[data-results-words]"));
  const root = document.documentElement.dataset.root ?? "";

  /** @type {{ids: string[], folded: string[], models: Names["models"]} | null} */
  let names = null;
  /** @type {{index: lunr.Index | null, documents: Words["documents"]} | null} */
  let docs = null;
  let started = false;
  let failed = false;

  /** Names first, since they answer most queries; then lunr and its index. */
  async function start() {
    if (started) return;
    started = true;
    failed = false;
    try {
      names = readNames(await load(form.dataset.names ?? "", "names"));
      show();
      await load(form.dataset.lunr ?? "", "lunr");
      docs = readWords(await load(form.dataset.words ?? "", "words"));
    } catch {
      started = false;
      failed = true;
    }
    show();
  }

  /** @param {Names} value */
  function readNames({ ids, models }) {
    return { ids: ids.split("\n"), folded: models.length ? fold(ids).split("\n") : [], models };
  }

  /** @param {Words} value */
  const readWords = ({ index, documents }) => ({ index: index && lunr.Index.load(index), documents });

  /** @param {boolean} [all] all models that were found, not the first alone */
  function show(all) {
    const query = input.value.trim();
    const places = query && names ? searchNames(names.folded, query) : [];
    const paths = query && docs?.index ? searchWords(docs.index, query) : [];
    const shown = all ? places : places.slice(0, SHOWN);
    fill(modelList, shown.map((place) => modelItem(place, terms(query))));
    if (shown.length < places.length) modelList.append(moreItem(places.length));
    fill(wordList, paths.map((path) => wordItem(path, words(query))));
    const text = query && summary(query, places.length, paths.length);
    if (count.textContent !== text) count.textContent = text;
  }

  /**
   * @param {HTMLElement} list
   * @param {HTMLElement[]} items
   */
  function fill(list, items) {
    list.replaceChildren(...items);
    const section = list.closest("section");
    if (section) section.hidden = !items.length;
  }

  /**
   * @param {string} query
   * @param {number} models
   * @param {number} pages
   */
  function summary(query, models, pages) {
    if (!names) return failed ? "The names of the models could not be loaded." : "Loading …";
    const first = models ? `${counted(models, "model")}.` : `No model name contains “${query}”.`;
    if (!docs) return failed ? `${first} The index of docs and versions could not be loaded.` : first;
    const second = pages ? `${counted(pages, "page")} of docs and versions.` : "No page of docs and versions has these words.";
    return `${first} ${second}`;
  }

  /**
   * @param {number} number
   * @param {string} noun
   */
  const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

  /**
   * @param {number} place
   * @param {string[]} wanted
   */
  function modelItem(place, wanted) {
    if (!names) throw new Error("names come first");
    const [folder, label, tone] = names.models[place];
    const status = element("span", { class: "status", "data-tone": tone }, icon(tone), element("b", {}, label));
    return element("li", {}, link(`${folder}index.html`, element("bdi", {}, ...marked(names.ids[place], wanted))), " ", status);
  }

  /**
   * @param {string} path
   * @param {string[]} wanted
   */
  function wordItem(path, wanted) {
    const [title, kind, text] = docs?.documents[path] ?? [path, "", ""];
    const more = text ? [element("p", {}, ...marked(text, wanted))] : [];
    return element("li", {}, link(path, ...marked(title, wanted)), " ", element("span", { class: "kind" }, kind), ...more);
  }

  /** @param {number} number */
  function moreItem(number) {
    const button = element("button", { type: "button" }, `Show all ${counted(number, "model")}`);
    button.addEventListener("click", () => {
      show(true);
      modelList.querySelectorAll("a")[SHOWN]?.focus();
    });
    return element("li", { class: "more" }, button);
  }

  /**
   * @param {string} path
   * @param {(Node | string)[]} children
   */
  const link = (path, ...children) => element("a", { href: root + path }, ...children);

  /**
   * The text with the terms in `<mark>`.
   * @param {string} text
   * @param {string[]} wanted
   */
  const marked = (text, wanted) => marks(text, wanted).map(([piece, hit]) => (hit ? element("mark", {}, piece) : piece));

  function search() {
    start();
    show();
    try {
      const query = writeState(location.search, { q: input.value, sort: "", order: "" });
      history.replaceState(null, "", location.pathname + query + location.hash);
    } catch {
      // Some browsers refuse this on file://.
    }
  }

  /** What the address asks for; also after going back, when a browser fills the field with what was in it. */
  function restore() {
    input.value = new URLSearchParams(location.search).get("q") ?? "";
    if (input.value) start();
    show();
  }

  input.addEventListener("focus", start);
  input.addEventListener("input", search);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  addEventListener("pageshow", restore);
  restore();
})();
