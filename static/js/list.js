/**
 * A list: filter by name and sort by column, both kept in the address. A list of several pages loads the rows of all
 * of them on first use and makes them like the server's, in `templates/parts/list_row.html`.
 */
(() => {
  "use strict";

  const STEP = 200;
  const { fold, findNames, compare, textValue, readState, writeState } = window.sitegenMatch;
  const { load, element, icon } = window.sitegen;

  // A row as `sitegen.pages.rows.compact` gives it; its addresses are relative to the folder of the list.
  const FIELDS = "rank name path status elsewhere pair cores memory wall task tested downloads likes note".split(" ");
  const STATUS_FIELDS = "key label tone check checkKey disagree reasonKind reason".split(" ");

  /**
   * @typedef {[text: string, value: number | null]} Cell
   * @typedef {{
   *   key: string, label: string, tone: string, check: string | null, checkKey: string, disagree: number,
   *   reasonKind: string | null, reason: string | null,
   * }} Status
   * @typedef {{
   *   rank: number | null, name: string, path: string, status: Status, elsewhere: [text: string, path: string] | null,
   *   pair: [text: string, path: string, order: number] | null, cores: Cell, memory: Cell, wall: Cell,
   *   task: string | null, tested: string | null, downloads: Cell | null, likes: Cell | null, note: string | null,
   * }} Data
   * @typedef {(column: string) => number | string | null} Values
   * @typedef {{name: string, value: Values, row: () => HTMLTableRowElement}} Entry a model: its folded id, what it is
   *   sorted by, and its row
   */

  const table = /** @type {HTMLTableElement | null} */ (document.querySelector("table[data-list]"));
  if (!table) return;
  const form = /** @type {HTMLFormElement} */ (document.querySelector("form[data-filter]"));
  const input = /** @type {HTMLInputElement} */ (form.querySelector("input"));
  const count = /** @type {HTMLElement} */ (form.querySelector("[data-count]"));
  const clear = /** @type {HTMLElement} */ (form.querySelector("[data-clear]"));
  const empty = /** @type {HTMLElement} */ (document.querySelector("[data-empty]"));
  const pager = /** @type {HTMLElement | null} */ (document.querySelector(".pager"));
  const body = table.tBodies[0];
  const served = [...body.rows];
  const servedCount = count.textContent ?? "";
  const heads = /** @type {HTMLElement[]} */ ([...table.querySelectorAll("th[data-sort]")]);
  const columns = heads.map((head) => head.dataset.sort ?? "");
  const source = table.dataset.rows ?? "";
  const folder = source.replace(/[^/]*$/, "");
  const total = Number(table.dataset.total);
  const more = element("button", { type: "button", class: "more" });

  let state = readState(location.search, columns);
  let limit = STEP;
  let partly = false;
  /** @type {Promise<Entry[]> | null} */
  let loading = null;

  // The models.

  const entries = () => (loading = loading ?? loadEntries());

  async function loadEntries() {
    try {
      return source ? (await load(source, "rows")).map(fromData) : served.map(fromRow);
    } catch {
      partly = true;
      return served.map(fromRow);
    }
  }

  /**
   * @param {HTMLTableRowElement} row
   * @returns {Entry}
   */
  function fromRow(row) {
    /** @type {Values} */
    const value = (column) => {
      const cell = /** @type {HTMLElement | null} */ (row.querySelector(`.c-${column}`));
      return cell?.dataset.value ? Number(cell.dataset.value) : textValue(cell?.textContent ?? "");
    };
    return { name: fold(row.dataset.id ?? ""), value, row: () => row };
  }

  /**
   * @param {unknown[]} fields
   * @returns {Entry}
   */
  function fromData(fields) {
    const data = named(FIELDS, fields);
    data.status = named(STATUS_FIELDS, data.status);
    /** @type {HTMLTableRowElement | null} */
    let made = null;
    return { name: fold(data.name), value: (column) => dataValue(data, column), row: () => (made = made ?? makeRow(data)) };
  }

  /**
   * @param {string[]} names
   * @param {unknown[]} values
   * @returns {any}
   */
  const named = (names, values) => Object.fromEntries(names.map((name, place) => [name, values[place]]));

  /**
   * @param {Data} data
   * @param {string} column
   * @returns {number | string | null}
   */
  function dataValue(data, column) {
    if (column === "status") return textValue([data.status.label, data.status.check].filter(Boolean).join(" · "));
    if (column === "pair") return data.pair && data.pair[2];
    const value = /** @type {Record<string, any>} */ (data)[column];
    if (typeof value === "string") return textValue(value);
    return Array.isArray(value) ? value[1] : value;
  }

  // Rows, in the shape of one that the server made: its cells, filled anew.

  /** @param {Data} data */
  function makeRow(data) {
    const row = /** @type {HTMLTableRowElement} */ (served[0].cloneNode(false));
    row.dataset.id = data.name;
    row.dataset.tone = data.status.tone;
    for (const shape of served[0].cells) {
      const cell = /** @type {HTMLElement} */ (shape.cloneNode(false));
      const column = /(?:^| )c-(\w+)/.exec(cell.className)?.[1] ?? "";
      const value = dataValue(data, column);
      delete cell.dataset.value;
      if (typeof value === "number") cell.dataset.value = String(value);
      cell.append(...(FILL[column] ?? fillValue)(data, column));
      row.append(cell);
    }
    return row;
  }

  /** @type {Record<string, (data: Data, column: string) => (Node | string)[]>} */
  const FILL = {
    name: ({ name, path }) => [link(path, element("bdi", {}, name))],
    status: ({ status, elsewhere }) => [
      ...statusParts(status),
      ...(elsewhere ? [" ", element("span", { class: "elsewhere" }, "latest: ", link(elsewhere[1], elsewhere[0]))] : []),
    ],
    pair: ({ pair }) => [pair ? link(pair[1], pair[0]) : absent("no run")],
    tested: ({ tested }) => [shown(tested ?? "no run")],
    note: ({ note }) => [note ?? ""],
  };

  /**
   * @param {Data} data
   * @param {string} column
   */
  function fillValue(data, column) {
    const value = /** @type {Record<string, any>} */ (data)[column];
    return [shown(String((Array.isArray(value) ? value[0] : value) ?? "not recorded"))];
  }

  /**
   * @param {Status} status
   * @returns {(Node | string)[]}
   */
  function statusParts({ label, tone, check, checkKey, disagree, reasonKind, reason }) {
    const why = `${reasonKind}: ${reason || "reason not recorded"}`;
    return [
      element("span", { class: "status", "data-tone": tone }, icon(tone), element("b", {}, label)),
      ...(check ? [" · ", element("span", { class: "check", "data-check": checkKey }, check)] : []),
      ...(disagree ? [" ", element("span", { class: "disagree" }, icon("differ"), "runs disagree")] : []),
      ...(reasonKind ? [" ", element("span", { class: "reason" }, why)] : []),
    ];
  }

  /** @param {string} text */
  const shown = (text) => (textValue(text) === null ? absent(text) : text);

  /** @param {string} text */
  const absent = (text) => element("span", { class: "absent" }, text);

  /**
   * @param {string} path
   * @param {Node | string} child
   */
  const link = (path, child) => element("a", { href: folder + path }, child);

  // What is shown.

  async function show() {
    showState();
    const query = state.q.trim();
    if (!query && !state.sort) return showServed();
    const wanted = state;
    const all = await entries();
    if (state !== wanted) return;
    const chosen = select(all);
    body.replaceChildren(...chosen.slice(0, limit).map((entry) => entry.row()));
    say(`${chosen.length} of ${total} models${partly ? ", of this page alone: the others could not be loaded" : ""}`);
    empty.textContent = `No name in this list contains “${query}”.`;
    more.textContent = `Show ${Math.min(STEP, chosen.length - limit)} more`;
    hide(chosen.length > 0, chosen.length <= limit, Boolean(source) && !partly);
  }

  /** The page as the server made it. */
  function showServed() {
    body.replaceChildren(...served);
    say(servedCount);
    hide(true, true, false);
  }

  /**
   * The models that the filter leaves, sorted.
   * @param {Entry[]} all
   */
  function select(all) {
    const { q, sort, order } = state;
    const chosen = findNames(all.map((entry) => entry.name), q).map((place) => all[place]);
    if (!sort) return chosen;
    return chosen
      .map((entry) => ({ entry, value: entry.value(sort) }))
      .sort((a, b) => compare(a.value, b.value, order))
      .map(({ entry }) => entry);
  }

  function showState() {
    if (input.value !== state.q) input.value = state.q;
    clear.hidden = !state.q;
    for (const head of heads) {
      const direction = state.order === "desc" ? "descending" : "ascending";
      head.setAttribute("aria-sort", head.dataset.sort === state.sort ? direction : "none");
    }
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

  // What the reader does.

  /** @param {Partial<ListState>} change */
  function set(change) {
    state = { ...state, ...change };
    limit = STEP;
    try {
      history.replaceState(null, "", location.pathname + writeState(location.search, state) + location.hash);
    } catch {
      // Some browsers refuse this on file://: the list works, its address stays.
    }
    show();
  }

  /**
   * Ascending, then descending, then the server's order.
   * @param {string} column
   */
  function sortBy(column) {
    if (state.sort !== column) set({ sort: column, order: "asc" });
    else if (state.order === "asc") set({ order: "desc" });
    else set({ sort: "", order: "asc" });
  }

  async function showMore() {
    const next = limit;
    limit += STEP;
    await show();
    body.rows[next]?.querySelector("a")?.focus();
  }

  for (const head of heads) {
    const button = element("button", { type: "button" }, ...head.childNodes);
    button.addEventListener("click", () => sortBy(head.dataset.sort ?? ""));
    head.append(button);
  }
  more.addEventListener("click", showMore);
  table.after(more);
  input.addEventListener("focus", entries);
  input.addEventListener("input", () => set({ q: input.value }));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !input.value) return;
    event.preventDefault();
    set({ q: "" });
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    set({ q: "" });
    input.focus();
  });
  // After going back, a browser fills the field with what was in it; the address is what holds.
  addEventListener("pageshow", () => {
    state = readState(location.search, columns);
    show();
  });
  show();
})();
