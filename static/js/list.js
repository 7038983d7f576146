/** A list: what its address asks for (name filter, facets, sort), what of it is shown, and what the reader does. */
(() => {
  "use strict";

  const STEP = 100;
  const FAILED = " The data of this list could not be loaded: of its controls, the name filter and sorting work.";
  const { readState, writeState } = window.sitegenMatch;
  const { readChosen, writeChosen, chosenOptions, filtersInUse, emptyText } = window.sitegenFacets;
  const { facetBar, showChips } = window.sitegenBar;
  const { element } = window.sitegen;

  const table = /** @type {HTMLTableElement | null} */ (document.querySelector("table[data-list]"));
  if (!table) return;
  const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
  const form = find("form[data-filter]");
  const input = /** @type {HTMLInputElement} */ (find("form[data-filter] input"));
  const [count, clear, chips, empty] = ["count", "clear", "chips", "empty"].map((name) => find(`[data-${name}]`));
  const pager = /** @type {HTMLElement | null} */ (document.querySelector(".pager"));
  const more = element("button", { type: "button", class: "more" });
  const heads = /** @type {HTMLElement[]} */ ([...table.querySelectorAll("th[data-sort]")]);
  const columns = heads.map((head) => head.dataset.sort ?? "");
  const servedCount = count.textContent ?? "";
  const list = window.sitegenList.listData(table);
  const body = table.tBodies[0];
  // The facets before the data is there: keys and labels.
  const named = [...document.querySelectorAll("[data-facet]")].map((button) => ({
    key: button.getAttribute("data-facet") ?? "",
    label: button.textContent ?? "",
    options: [],
  }));
  const bar = facetBar(find("[data-facets]"), ready, choose);

  let view = readAddress();
  let limit = STEP;
  let typing = false;

  // What is shown.

  async function show() {
    showQuery();
    if (!inUse() && !list.started()) return showServed("");
    const wanted = view;
    const all = await list.models();
    if (view !== wanted) return;
    const { narrowed, models } = list.select(all, view);
    showSort();
    bar.update({ facets: all.facets, counts: narrowed.counts, chosen: view.chosen });
    showFilters(all.facets);
    const failed = all.failed ? FAILED : "";
    if (!inUse()) return showServed(failed);
    fill(models.slice(0, limit).map((entry) => entry.row()));
    const where = all.entries.length < list.total ? ", of this page alone." : failed && ".";
    say(`${models.length.toLocaleString("en")} of ${list.total.toLocaleString("en")} models${where}${failed}`);
    empty.textContent = models.length ? "" : emptyText(filtersInUse(all.facets, view.chosen, view.q.trim(), narrowed));
    more.textContent = `Show ${Math.min(STEP, models.length - limit)} more`;
    hide(models.length > 0, models.length <= limit, all.entries.length > list.served.length);
  }

  const chosenAny = () => Object.values(view.chosen).some((options) => options.length);
  const inUse = () => Boolean(view.q.trim() || view.sort || chosenAny());

  /**
   * The page as the server made it.
   * @param {string} failed
   */
  function showServed(failed) {
    fill(list.served);
    say(servedCount + (failed && `.${failed}`));
    hide(true, true, false);
  }

  /**
   * Layout is what costs most: rows that stand there already stay.
   * @param {HTMLTableRowElement[]} rows
   */
  function fill(rows) {
    const same = body.rows.length === rows.length && rows.every((row, place) => row === body.rows[place]);
    if (!same) body.replaceChildren(...rows);
  }

  function showQuery() {
    if (input.value !== view.q) input.value = view.q;
  }

  /** Said together with the rows in their new order, not before the data is there. */
  function showSort() {
    for (const head of heads) {
      const direction = view.order === "desc" ? "descending" : "ascending";
      head.setAttribute("aria-sort", head.dataset.sort === view.sort ? direction : "none");
    }
  }

  /**
   * A chip for each filter in use. Without data, keys stand for labels.
   * @param {Facet[]} facets
   */
  function showFilters(facets) {
    const query = view.q.trim();
    const known = facets.length ? facets : named;
    const options = chosenOptions(known, view.chosen).map(({ facet, option, text, found }) => ({
      text: found || !facets.length ? text : `${text} (0 models)`,
      remove: () => choose(facet, view.chosen[facet].filter((name) => name !== option)),
    }));
    const name = query ? [{ text: `Name: “${query}”`, remove: () => set({ q: "" }) }] : [];
    showChips(chips, [...options, ...name], input);
    clear.hidden = !query && !chosenAny();
  }

  /** @param {string} text */
  function say(text) {
    if (count.textContent !== text) count.textContent = text;
  }

  /**
   * @param {boolean} noEmpty
   * @param {boolean} noMore
   * @param {boolean} noPager
   */
  function hide(noEmpty, noMore, noPager) {
    empty.hidden = noEmpty;
    more.hidden = noMore;
    if (pager) pager.hidden = noPager;
  }

  // The address. A step is an entry of the history, and so is a text that is typed, but not each of its letters.

  /** @returns {ListView} */
  function readAddress() {
    const keys = named.map(({ key }) => key);
    return { ...readState(location.search, columns), chosen: readChosen(location.search, keys) };
  }

  /** @param {boolean} same whether this goes on with what was typed before */
  function writeAddress(same) {
    const search = writeState(writeChosen(location.search, view.chosen), view);
    if (search === location.search) return;
    try {
      history[same ? "replaceState" : "pushState"](null, "", location.pathname + search + location.hash);
    } catch {
      // Some browsers refuse this on file://: the list works, its address stays.
    }
  }

  /** After going back a browser fills the field with what was in it; the address is what holds. */
  function restore() {
    const next = readAddress();
    if (JSON.stringify(next) === JSON.stringify(view)) return showQuery();
    view = next;
    limit = STEP;
    typing = false;
    return show();
  }

  // What the reader does.

  /**
   * @param {Partial<ListView>} change
   * @param {boolean} [typed]
   */
  function set(change, typed = false) {
    view = { ...view, ...change };
    limit = STEP;
    writeAddress(typed && typing);
    typing = typed;
    show();
  }

  /**
   * @param {string} facet
   * @param {string[]} options
   */
  function choose(facet, options) {
    set({ chosen: { ...view.chosen, [facet]: options } });
  }

  function clearAll() {
    set({ q: "", chosen: readChosen("", named.map(({ key }) => key)) });
    input.focus();
  }

  /**
   * Ascending, then descending, then the server's order.
   * @param {string} column
   */
  function sortBy(column) {
    if (view.sort !== column) set({ sort: column, order: "asc" });
    else if (view.order === "asc") set({ order: "desc" });
    else set({ sort: "", order: "asc" });
  }

  async function showMore() {
    const next = limit;
    limit += STEP;
    await show();
    body.rows[next]?.querySelector("a")?.focus();
  }

  /** The data, loaded again where that failed before; says whether it is there. */
  async function ready() {
    const { failed } = await list.again();
    await show();
    return !failed;
  }

  /** @param {string} kind */
  async function download(kind) {
    if (!(await ready())) return;
    const all = await list.models();
    const rows = list.select(all, view).models.flatMap(({ data }) => data ?? []);
    const used = columns.includes("pair") ? columns : [...columns, "elsewhere"];
    const found = { rows, facets: all.facets, columns: used, folder: list.folder };
    window.sitegenFile.download(kind, table?.dataset.file ?? "list", found);
  }

  for (const head of heads) {
    const name = [...head.childNodes].filter((node) => node.nodeName !== "SMALL");
    const button = element("button", { type: "button" }, ...name);
    button.addEventListener("click", () => sortBy(head.dataset.sort ?? ""));
    head.prepend(button);
  }
  for (const button of document.querySelectorAll("[data-save]")) {
    button.addEventListener("click", () => download(button.getAttribute("data-save") ?? ""));
  }
  more.addEventListener("click", showMore);
  (table.closest(".scroll") ?? table).after(more);
  for (const link of document.querySelectorAll("a[data-choose]")) {
    const { choose: facet = "", option = "" } = /** @type {HTMLElement} */ (link).dataset;
    link.addEventListener("click", (event) => {
      const { ctrlKey, metaKey, shiftKey, altKey } = /** @type {MouseEvent} */ (event);
      if (ctrlKey || metaKey || shiftKey || altKey) return;
      event.preventDefault();
      choose(facet, [option]);
    });
  }
  clear.addEventListener("click", clearAll);
  input.addEventListener("focus", list.models);
  input.addEventListener("input", () => set({ q: input.value }, true));
  input.addEventListener("blur", () => (typing = false));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !input.value) return;
    event.preventDefault();
    set({ q: "" });
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("pageshow", restore);
  addEventListener("popstate", restore);
  show();
})();
