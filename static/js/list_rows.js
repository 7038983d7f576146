/**
 * Rows of a list from its data, in the shape of a row that the server made (`list_row.html`, `compare_row.html` and
 * `pair_row.html` of `templates/parts/`).
 */
(() => {
  "use strict";

  const { textValue } = window.sitegenMatch;
  const { element, icon } = window.sitegen;

  // A row as `sitegen.pages.rows.compact` gives it, if the data names no other fields; its addresses are relative to
  // the folder of the list.
  const FIELDS =
    "rank name path status elsewhere pair cores memory wall task tested downloads likes note options".split(" ");
  const STATUS_FIELDS = "key label tone check checkKey disagree reasonKind reason".split(" ");

  /**
   * What reads the rows of a list. Where the data has a table of statuses, a row gives the place of one in it.
   * @param {{fields?: string[], statuses?: unknown[][], files?: string[]}} data
   * @returns {(values: unknown[]) => RowData}
   */
  function rowReader({ fields = FIELDS, statuses, files = [] }) {
    const known = (statuses ?? []).map(readStatus);
    const status = (/** @type {any} */ value) => (statuses ? known[value] : readStatus(value));
    return (values) => {
      const data = named(fields, values);
      for (const key of ["status", "before", "missing"]) if (key in data) data[key] = status(data[key]);
      if (data.cells) data.cells = readCells(data, known, files);
      return data;
    };
  }

  /**
   * A model under every pair. The address of a result is the model's folder and the pair's file.
   * @param {{cells: (number | null)[], folder: string, missing: RowStatus}} data
   * @param {RowStatus[]} known
   * @param {string[]} files
   */
  const readCells = ({ cells, folder, missing }, known, files) =>
    cells.map((place, pair) =>
      place === null ? { status: missing, path: null } : { status: known[place], path: folder + files[pair] },
    );

  /**
   * @param {unknown[]} values
   * @returns {RowStatus}
   */
  const readStatus = (values) => named(STATUS_FIELDS, values);

  /**
   * @param {string[]} names
   * @param {unknown[]} values
   * @returns {any}
   */
  const named = (names, values) => Object.fromEntries(names.map((name, place) => [name, values[place]]));

  /**
   * What a column sorts by.
   * @param {RowData} data
   * @param {string} column
   * @returns {number | string | null}
   */
  function dataValue(data, column) {
    if (column === "status" || column === "before") return statusValue(data[column]);
    if (column === "pair") return data.pair && data.pair[2];
    const value = /** @type {Record<string, any>} */ (data)[column];
    if (typeof value === "string") return textValue(value);
    return Array.isArray(value) ? value[1] : value;
  }

  /** @param {RowStatus} status */
  const statusValue = ({ label, check }) => textValue([label, check].filter(Boolean).join(" · "));

  /**
   * The same of a row that the server made, for a list without data.
   * @param {HTMLTableRowElement} row
   * @param {string} column
   * @returns {number | string | null}
   */
  function cellValue(row, column) {
    const cell = /** @type {HTMLElement | null} */ (row.querySelector(`.c-${column}`));
    return cell?.dataset.value ? Number(cell.dataset.value) : textValue(cell?.textContent ?? "");
  }

  /**
   * A new row like `shape`, its cells filled anew.
   * @param {RowData} data
   * @param {HTMLTableRowElement} shape
   * @param {string} folder of the list, from the page at hand
   */
  function makeRow(data, shape, folder) {
    const row = /** @type {HTMLTableRowElement} */ (shape.cloneNode(false));
    row.dataset.id = data.name;
    if (data.status) row.dataset.tone = data.status.tone;
    for (const [place, like] of [...shape.cells].entries()) {
      const cell = /** @type {HTMLElement} */ (like.cloneNode(false));
      const column = /(?:^| )c-(\w+)/.exec(cell.className)?.[1] ?? "";
      const value = dataValue(data, column);
      delete cell.dataset.value;
      if (typeof value === "number") cell.dataset.value = String(value);
      cell.append(...(FILL[column] ?? fillValue)(data, column, folder, place));
      row.append(cell);
    }
    return row;
  }

  /** @type {Record<string, (data: RowData, column: string, folder: string, place: number) => (Node | string)[]>} */
  const FILL = {
    name: ({ name, path }, _, folder) => [link(folder + path, element("bdi", {}, name))],
    change: ({ change: [label, , key, notes, changes] }, _, folder) => [
      element("b", { "data-change": key }, label),
      ...notes.flatMap((note) => [" ", element("span", { class: "also" }, note)]),
      ...(changes ? [" ", link(folder + changes, "what changed")] : []),
    ],
    before: ({ before, beforePath }, _, folder) => linked(statusParts(before), beforePath, folder),
    status: ({ status, elsewhere, nowPath }, _, folder) => [
      ...linked(statusParts(status), nowPath ?? null, folder),
      ...(elsewhere
        ? [" ", element("span", { class: "elsewhere" }, "latest: ", link(folder + elsewhere[1], elsewhere[0]))]
        : []),
    ],
    cores: ({ cores: [now], coresBefore }) =>
      !coresBefore || coresBefore[0] === now
        ? [shown(now)]
        : [
            element("span", { "aria-hidden": "true" }, shown(coresBefore[0]), " → ", shown(now)),
            element("span", { class: "visually-hidden" }, `${coresBefore[0]} before, ${now} now`),
          ],
    at: ({ cells }, _, folder, place) => {
      const { status, path } = cells[place - 1];
      const attributes = { class: "at", "data-tone": status.tone };
      const parts = markParts(status);
      return [path ? element("a", { ...attributes, href: folder + path }, ...parts) : element("span", attributes, ...parts)];
    },
    pair: ({ pair }, _, folder) => [pair ? link(folder + pair[1], pair[0]) : absent("no run")],
    tested: ({ tested }) => [shown(tested ?? "no run")],
    note: ({ note }) => [note ?? ""],
  };

  /**
   * @param {RowData} data
   * @param {string} column
   */
  function fillValue(data, column) {
    const value = /** @type {Record<string, any>} */ (data)[column];
    return [shown(String((Array.isArray(value) ? value[0] : value) ?? "not recorded"))];
  }

  /**
   * @param {RowStatus} status
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

  /**
   * The same in short, as a table of models and pairs has it.
   * @param {RowStatus} status
   * @returns {(Node | string)[]}
   */
  const markParts = ({ label, tone, check, disagree, reasonKind }) => [
    icon(tone),
    element("b", {}, label),
    ...(check ? [" ", element("small", {}, check)] : []),
    ...(disagree ? [" ", element("small", {}, "runs disagree")] : []),
    ...(reasonKind && tone !== "excluded" ? [" ", element("small", {}, reasonKind)] : []),
  ];

  /**
   * @param {(Node | string)[]} parts
   * @param {string | null} path
   * @param {string} folder
   */
  const linked = (parts, path, folder) => (path ? [element("a", { href: folder + path }, ...parts)] : parts);

  /** @param {string} text */
  const shown = (text) => (textValue(text) === null ? absent(text) : text);

  /** @param {string} text */
  const absent = (text) => element("span", { class: "absent" }, text);

  /**
   * @param {string} href
   * @param {Node | string} child
   */
  const link = (href, child) => element("a", { href }, child);

  window.sitegenRows = { rowReader, dataValue, cellValue, makeRow };
})();
