/** Rows of a list from its data, in the shape of a row that the server made (`templates/parts/list_row.html`). */
(() => {
  "use strict";

  const { textValue } = window.sitegenMatch;
  const { element, icon } = window.sitegen;

  // A row as `sitegen.pages.rows.compact` gives it; its addresses are relative to the folder of the list.
  const FIELDS =
    "rank name path status elsewhere pair cores memory wall task tested downloads likes note options".split(" ");
  const STATUS_FIELDS = "key label tone check checkKey disagree reasonKind reason".split(" ");

  /**
   * @param {unknown[]} fields
   * @returns {RowData}
   */
  function readRow(fields) {
    const data = named(FIELDS, fields);
    data.status = named(STATUS_FIELDS, data.status);
    return data;
  }

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
    if (column === "status") return textValue([data.status.label, data.status.check].filter(Boolean).join(" · "));
    if (column === "pair") return data.pair && data.pair[2];
    const value = /** @type {Record<string, any>} */ (data)[column];
    if (typeof value === "string") return textValue(value);
    return Array.isArray(value) ? value[1] : value;
  }

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
    row.dataset.tone = data.status.tone;
    for (const like of shape.cells) {
      const cell = /** @type {HTMLElement} */ (like.cloneNode(false));
      const column = /(?:^| )c-(\w+)/.exec(cell.className)?.[1] ?? "";
      const value = dataValue(data, column);
      delete cell.dataset.value;
      if (typeof value === "number") cell.dataset.value = String(value);
      cell.append(...(FILL[column] ?? fillValue)(data, column, folder));
      row.append(cell);
    }
    return row;
  }

  /** @type {Record<string, (data: RowData, column: string, folder: string) => (Node | string)[]>} */
  const FILL = {
    name: ({ name, path }, _, folder) => [link(folder + path, element("bdi", {}, name))],
    status: ({ status, elsewhere }, _, folder) => [
      ...statusParts(status),
      ...(elsewhere
        ? [" ", element("span", { class: "elsewhere" }, "latest: ", link(folder + elsewhere[1], elsewhere[0]))]
        : []),
    ],
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

  /** @param {string} text */
  const shown = (text) => (textValue(text) === null ? absent(text) : text);

  /** @param {string} text */
  const absent = (text) => element("span", { class: "absent" }, text);

  /**
   * @param {string} href
   * @param {Node | string} child
   */
  const link = (href, child) => element("a", { href }, child);

  window.sitegenRows = { readRow, dataValue, cellValue, makeRow };
})();
