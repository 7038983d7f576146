/**
 * What filter and search share: functions on text and values, without a page, so that tests can run them alone.
 * `sitegen/search.py` folds text and cuts words in the same way; `tests/vectors/search.json` holds both to it.
 */
(() => {
  "use strict";

  const HUB = /^(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/([^?#\s]+)/i;
  const HUB_SECTIONS = "blog chat collections datasets docs learn models organizations papers settings spaces tasks".split(" ");
  const HUB_PAGES = "blob commit commits discussions edit raw resolve settings tree upload".split(" ");
  const WORD = /[\p{L}\p{N}]+(?:\.[\p{L}\p{N}]+)*/gu;
  const GAPS = ["", "no run", "not recorded"];

  /**
   * Text for comparing, the same for every case. It looks at one character at a time (toLowerCase alone makes another
   * letter of a Σ at the end of a word), so that a part of a text folds to a part of the folded text.
   * @param {string} text
   */
  const fold = (text) => text.toLowerCase().toUpperCase().toLowerCase().replace(/ς/g, "σ");

  /** @param {string} text */
  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  /**
   * The id in an address of the Hub (`https://huggingface.co/owner/name/tree/main`); null for all other text.
   * @param {string} text
   */
  function hubId(text) {
    const address = HUB.exec(text.trim());
    const [first = "", second = ""] = address ? decoded(address[1]).split("/").filter(Boolean) : [];
    if (!first || HUB_SECTIONS.includes(first)) return null;
    const id = second && !HUB_PAGES.includes(second) ? `${first}/${second}` : first;
    return id.replace(/\.git$/, "");
  }

  /**
   * The terms of a query, folded. All of it is plain text.
   * @param {string} query
   */
  const terms = (query) => query.split(/\s+/).filter(Boolean).map((term) => fold(hubId(term) ?? term));

  /**
   * The places, in order, of the names that hold all terms; of an address of the Hub, the name that it means.
   * @param {string[]} names folded
   * @param {string} query
   */
  function findNames(names, query) {
    const id = fold(hubId(query) ?? "");
    const same = id ? placesOf(names, (name) => name === id) : [];
    if (same.length) return same;
    const [first = "", ...others] = terms(query);
    return placesOf(names, (name) => name.includes(first) && others.every((term) => name.includes(term)));
  }

  /**
   * @param {string[]} names
   * @param {(name: string) => boolean} test
   */
  function placesOf(names, test) {
    /** @type {number[]} */
    const places = [];
    names.forEach((name, place) => test(name) && places.push(place));
    return places;
  }

  /**
   * How a folded id holds a term: 0 as the whole name, 1 at the start of the name, 2 at the start of a part, 3 elsewhere.
   * @param {string} id
   * @param {string} term
   */
  function rank(id, term) {
    const name = id.slice(id.indexOf("/") + 1);
    if (term === id || term === name) return 0;
    if (name.startsWith(term)) return 1;
    for (let at = id.indexOf(term); at >= 0; at = id.indexOf(term, at + 1)) {
      if (at === 0 || "/-_. ".includes(id[at - 1])) return 2;
    }
    return 3;
  }

  /**
   * `findNames`, the likeliest first; ties keep their order.
   * @param {string[]} names folded
   * @param {string} query
   */
  function searchNames(names, query) {
    const wanted = terms(query);
    /** @param {number} place */
    const badness = (place) => wanted.reduce((sum, term) => sum + rank(names[place], term), 0);
    return findNames(names, query)
      .map((place) => ({ place, badness: badness(place) }))
      .sort((a, b) => a.badness - b.badness)
      .map(({ place }) => place);
  }

  /**
   * The text in pieces, with true for those that a term stands in.
   * @param {string} text
   * @param {string[]} wanted folded terms
   * @returns {[string, boolean][]}
   */
  function marks(text, wanted) {
    const characters = Array.from(text);
    // One entry for each unit of the folded text (which can be longer): the character that it comes from.
    const origins = characters.flatMap((character, place) => Array.from({ length: fold(character).length }, () => place));
    const folded = characters.map(fold).join("");
    /** @type {boolean[]} */
    const marked = characters.map(() => false);
    for (const term of wanted.filter(Boolean)) {
      for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + 1)) {
        marked.fill(true, origins[at], origins[at + term.length - 1] + 1);
      }
    }
    /** @type {[string, boolean][]} */
    const pieces = [];
    characters.forEach((character, place) => {
      const last = pieces[pieces.length - 1];
      if (last && last[1] === marked[place]) last[0] += character;
      else pieces.push([character, marked[place]]);
    });
    return pieces;
  }

  /**
   * The words of a text as the index has them: letters and digits, and the dots between them (`2.28.7631.0`).
   * @param {string} text
   * @returns {string[]}
   */
  const words = (text) => fold(text).match(WORD) ?? [];

  /**
   * What one word finds: itself, words with its stem, words that start with it.
   * @param {lunr.Index} index
   * @param {string} word
   */
  function scores(index, word) {
    const found = index.query((query) => {
      query.term(word, { boost: 10, usePipeline: false });
      query.term(word, { boost: 5 });
      query.term(word, { wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false });
    });
    return new Map(found.map(({ ref, score }) => [ref, score]));
  }

  /**
   * The documents that have all words, best first. Words like "how" and "the" need not be there, unless they are all.
   * The text of a query never becomes lunr's query syntax.
   * @param {lunr.Index} index
   * @param {string} query
   */
  function searchWords(index, query) {
    const all = words(query);
    const telling = all.filter((word) => lunr.stopWordFilter(new lunr.Token(word, {})));
    const found = (telling.length ? telling : all).map((word) => scores(index, word));
    if (!found.length) return [];
    /** @param {string} ref */
    const total = (ref) => found.reduce((sum, one) => sum + (one.get(ref) ?? 0), 0);
    return [...found[0].keys()]
      .filter((ref) => found.every((one) => one.has(ref)))
      .sort((a, b) => total(b) - total(a));
  }

  /**
   * Text as a value to sort by; null where it says that there is none.
   * @param {string} text
   */
  const textValue = (text) => (GAPS.includes(text.trim()) ? null : fold(text.trim()));

  /**
   * Order of two values: numbers by size, before text; gaps last, in both directions.
   * @param {number | string | null} a
   * @param {number | string | null} b
   * @param {string} order
   */
  function compare(a, b, order) {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return order === "desc" ? Number(a < b) - Number(a > b) : Number(a > b) - Number(a < b);
  }

  /**
   * The state of a list in the query part of an address.
   * @param {string} search
   * @param {string[]} columns that can be sorted by
   * @returns {ListState}
   */
  function readState(search, columns) {
    const parameters = new URLSearchParams(search);
    const sort = parameters.get("sort") ?? "";
    const known = columns.includes(sort);
    return {
      q: parameters.get("q") ?? "",
      sort: known ? sort : "",
      order: known && parameters.get("order") === "desc" ? "desc" : "asc",
    };
  }

  /**
   * The query part with this state; other parameters stay.
   * @param {string} search
   * @param {ListState} state
   */
  function writeState(search, { q, sort, order }) {
    const parameters = new URLSearchParams(search);
    const values = { q: q.trim(), sort, order: sort && order === "desc" ? order : "" };
    for (const [name, value] of Object.entries(values)) {
      if (value) parameters.set(name, value);
      else parameters.delete(name);
    }
    const text = parameters.toString();
    return text && `?${text}`;
  }

  window.sitegenMatch = {
    fold, hubId, terms, findNames, rank, searchNames, marks, words, searchWords, textValue, compare, readState, writeState,
  };
})();
