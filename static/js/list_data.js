/** The models of a list: loaded on first use, narrowed and ordered. Without its data, those of the page at hand. */
(() => {
  "use strict";

  const { fold, findNames, compare } = window.sitegenMatch;
  const { readFacet, narrow } = window.sitegenFacets;
  const { rowReader, dataValue, cellValue, makeRow } = window.sitegenRows;

  /** @param {HTMLTableElement} table */
  function listData(table) {
    const served = [...table.tBodies[0].rows];
    const total = Number(table.dataset.total);
    const source = table.dataset.rows ?? "";
    const folder = source.replace(/[^/]*$/, "");
    /** @type {Map<string, Entry[]>} */
    const orders = new Map();
    /** @type {Promise<Loaded> | null} */
    let loading = null;

    /** @returns {Promise<Loaded>} */
    async function load() {
      try {
        const { facets, rows, ...tables } = await window.sitegen.load(source, "rows");
        const all = /** @type {unknown[][]} */ (rows).map(rowReader(tables));
        return { failed: false, facets: facets.map(readFacet), entries: all.map(fromData) };
      } catch {
        return { failed: true, facets: [], entries: served.map(fromRow) };
      }
    }

    /**
     * A list of one page keeps the rows that the server made.
     * @param {RowData} data
     * @param {number} place
     * @returns {Entry}
     */
    function fromData(data, place) {
      let row = served.length === total && served[place].dataset.id === data.name ? served[place] : null;
      return {
        name: fold(data.name),
        data,
        options: data.options,
        value: (column) => dataValue(data, column),
        row: () => (row = row ?? makeRow(data, served[0], folder)),
      };
    }

    /**
     * @param {HTMLTableRowElement} row
     * @returns {Entry}
     */
    const fromRow = (row) => ({
      name: fold(row.dataset.id ?? ""),
      data: null,
      options: [],
      value: (column) => cellValue(row, column),
      row: () => row,
    });

    /** Each order is made once for the whole list. */
    function ordered(/** @type {Entry[]} */ entries, /** @type {string} */ sort, /** @type {string} */ order) {
      const key = `${sort} ${order}`;
      const made = orders.get(key) ?? inOrder(entries, sort, order);
      orders.set(key, made);
      return made;
    }

    return {
      folder,
      total,
      served,
      /** Whether the data was asked for. */
      started: () => loading !== null,
      models: () => (loading = loading ?? load()),
      /** As `models`, but tries again where that failed. */
      async again() {
        if (loading && (await loading).failed) {
          loading = null;
          orders.clear();
        }
        return (loading = loading ?? load());
      },
      /**
       * What name filter and facets leave, and those models in the order that is asked for.
       * @param {Loaded} all
       * @param {ListView} view
       */
      select({ facets, entries }, { q, chosen, sort, order }) {
        const named = q.trim() ? new Set(findNames(entries.map(({ name }) => name), q)) : null;
        const narrowed = narrow(facets, entries.map(({ options }) => options), chosen, named);
        const models = narrowed.places.map((place) => entries[place]);
        if (!sort) return { narrowed, models };
        const kept = new Set(models);
        return { narrowed, models: ordered(entries, sort, order).filter((entry) => kept.has(entry)) };
      },
    };
  }

  /**
   * @param {Entry[]} entries
   * @param {string} sort
   * @param {string} order
   */
  const inOrder = (entries, sort, order) =>
    entries
      .map((entry) => ({ entry, value: entry.value(sort) }))
      .sort((a, b) => compare(a.value, b.value, order))
      .map(({ entry }) => entry);

  window.sitegenList = { listData };
})();
