/** A list as a file: the rows that are shown, in their order, with all that the data has, as CSV or JSON. */
(() => {
  "use strict";

  const { textValue } = window.sitegenMatch;

  /**
   * The columns: a name, what a row has there (null: nothing), and the column of the table or the facet without which
   * there is none.
   * @type {[name: string, value: (row: FileRow) => FileValue, needs?: string][]}
   */
  const COLUMNS = [
    ["rank", ({ data }) => data.rank, "rank"],
    ["model", ({ data }) => data.name],
    ["change_key", ({ data }) => data.change[2], "change"],
    ["change", ({ data }) => data.change[0], "change"],
    ["also_differs", ({ data }) => data.change[3].join("; ") || null, "change"],
    ["before_outcome_key", ({ data }) => data.before.key, "before"],
    ["before_outcome", ({ data }) => (data.before.key === "unrecorded" ? null : data.before.label), "before"],
    ["before_check", ({ data }) => (data.before.checkKey === "not-recorded" ? null : data.before.check), "before"],
    ["before_runs_disagree", ({ data }) => Boolean(data.before.disagree), "before"],
    ["before_exclusion", ({ data }) => exclusion(data.before), "before"],
    ["before_cores", ({ data }) => (data.coresBefore ? data.coresBefore[1] : null), "before"],
    ["before_address", ({ data, address }) => data.beforePath && address(data.beforePath), "before"],
    ["outcome_key", ({ option }) => option("outcome").key],
    ["outcome", ({ option }) => recorded(option("outcome"))],
    ["check_key", ({ option }) => option("check").key],
    ["check", ({ data, option }) => (option("check").recorded ? data.status.check : null)],
    ["runs_disagree", ({ data }) => Boolean(data.status.disagree)],
    ["exclusion", ({ data }) => exclusion(data.status)],
    ["run", ({ option }) => (option("cores").key === "no-run" ? "none" : "recorded")],
    ["cores", ({ data }) => data.cores[1]],
    ["peak_memory_gb", ({ data }) => data.memory[1], "memory"],
    ["wall_s_including_compilation", ({ data }) => data.wall[1], "wall"],
    ["compiler_version", ({ option }) => recorded(option("compiler")), "compiler"],
    ["library", ({ option }) => recorded(option("library")), "library"],
    ["library_version", ({ option }) => recorded(option("library-version")), "library-version"],
    ["tested", ({ data }) => (textValue(data.tested ?? "") === null ? null : data.tested), "tested"],
    ["task", ({ data }) => data.task],
    ["architecture", ({ option }) => recorded(option("architecture"))],
    ["error_code", ({ option }) => recorded(option("error"))],
    ["downloads", ({ data }) => data.downloads && data.downloads[1], "downloads"],
    ["likes", ({ data }) => data.likes && data.likes[1], "likes"],
    ["note", ({ data }) => data.note, "note"],
    ["latest_under", ({ data }) => (data.elsewhere ? data.elsewhere[0] : null), "elsewhere"],
    ["address", ({ data, address }) => address(data.nowPath ?? data.path)],
  ];

  /** @param {RowStatus} status */
  const exclusion = ({ reasonKind, reason }) => reasonKind && `${reasonKind}: ${reason || "reason not recorded"}`;

  /** @param {Option} option */
  const recorded = (option) => (option.recorded ? option.label : null);

  /**
   * @param {RowData[]} rows
   * @param {Facet[]} facets
   * @param {string[]} columns of the table
   * @param {(path: string) => string} address of a path that is relative to the list's folder
   * @returns {{names: string[], rows: FileValue[][]}}
   */
  function tableOf(rows, facets, columns, address) {
    const has = new Set([...columns, ...facets.map(({ key }) => key)]);
    const used = COLUMNS.filter(([, , needs]) => !needs || has.has(needs));
    const place = Object.fromEntries(facets.map(({ key }, number) => [key, number]));
    return {
      names: used.map(([name]) => name),
      rows: rows.map((data) => {
        const option = (/** @type {string} */ key) => facets[place[key]].options[data.options[place[key]]];
        return used.map(([, value]) => value({ data, option, address }));
      }),
    };
  }

  /**
   * RFC 4180, with a byte order mark: without it spreadsheets take UTF-8 for something else.
   * @param {{names: string[], rows: FileValue[][]}} table
   */
  const csv = ({ names, rows }) => "\ufeff" + [names, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");

  // What begins a formula, wide forms too, where a cell begins: there, and behind each sign that separates cells or rows
  // in some language of a spreadsheet, which then does not see the quotes in the middle of a line.
  const FORMULA = /(^|[;\t\r\n])((?:["']|[^\S\t\r\n])*)(?=[=+\-@\uff0b\uff0d\uff1d\uff20])|^(?=[\t\r\n])/g;

  /**
   * A text that a spreadsheet would take for a formula gets an apostrophe before that.
   * @param {FileValue} value
   */
  function csvCell(value) {
    if (value === null) return "";
    if (typeof value !== "string") return String(value);
    const text = value.replace(FORMULA, (_, before = "", between = "") => `${before}${between}'`);
    // A semicolon or tab separates cells where a spreadsheet's language says so.
    return /[",;\t\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  }

  /**
   * @param {{names: string[], rows: FileValue[][]}} table
   * @param {{list: string, address: string}} about
   */
  function json({ names, rows }, about) {
    const models = rows.map((row) => Object.fromEntries(names.map((name, place) => [name, row[place]])));
    return `${JSON.stringify({ ...about, models }, null, 1)}\n`;
  }

  /**
   * What gives the address of a path of the site: below the site's own address where the build was told one, else below
   * the one that it is read at. Of a site read from a disk, only the path in it: the folders around it are the reader's.
   * @param {string} here the page's address
   * @param {string} root the relative way to the site's root
   * @param {string | null} canonical the page's own address, where it has one
   */
  function addresses(here, root, canonical) {
    const base = new URL(root || ".", here).href;
    const own = canonical && new URL(root || ".", canonical).href;
    return (/** @type {string} */ href) => {
      const path = new URL(href, here).href.slice(base.length);
      if (own) return own + path.replace(/(^|\/)index\.html(?=$|\?)/, "$1");
      return base.startsWith("file:") ? path : base + path;
    };
  }

  /**
   * Hands these rows to the reader as a file.
   * @param {string} kind csv or json
   * @param {string} name of the file, without its ending
   * @param {{rows: RowData[], facets: Facet[], columns: string[], folder: string}} list
   */
  function download(kind, name, { rows, facets, columns, folder }) {
    const canonical = document.querySelector("link[rel=canonical]")?.getAttribute("href") ?? null;
    const address = addresses(location.href, document.documentElement.dataset.root ?? "", canonical);
    const table = tableOf(rows, facets, columns, (path) => address(folder + path));
    const about = { list: document.title, address: address(location.href) };
    const [type, text] = kind === "csv" ? ["text/csv", csv(table)] : ["application/json", json(table, about)];
    const href = URL.createObjectURL(new Blob([text], { type }));
    window.sitegen.element("a", { href, download: `${name}.${kind}` }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60000);
  }

  window.sitegenFile = { tableOf, csv, json, addresses, download };
})();
