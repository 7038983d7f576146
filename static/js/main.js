/** What every page has: means for the other scripts, the theme switch, copy buttons and line links. */
(() => {
  "use strict";

  // Data lies in classic scripts, which load from file:// too, and is loaded on first use.

  /** @type {Map<string, unknown>} */
  const values = new Map();
  /** @type {Map<string, Promise<unknown>>} */
  const loads = new Map();

  window.sitegenData = (name, value) => {
    values.set(name, value);
  };

  /**
   * Runs a script once; gives what it handed to `sitegenData` under the name.
   * @param {string} src
   * @param {string} name
   */
  function load(src, name) {
    const loading = loads.get(src) ?? run(src).then(() => values.get(name));
    loads.set(src, loading);
    loading.catch(() => loads.delete(src));
    return loading;
  }

  /** @param {string} src */
  function run(src) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = src;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${src} could not be loaded`));
      document.head.append(script);
    });
  }

  // Elements. What comes from data becomes text, never markup.

  /**
   * @param {string} tag
   * @param {Record<string, string>} attributes
   * @param {(Node | string)[]} children
   */
  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  /**
   * A copy of an icon that the page holds for scripts.
   * @param {string} name
   */
  function icon(name) {
    const icons = document.querySelector("template[data-icons]");
    const shape = icons instanceof HTMLTemplateElement && icons.content.querySelector(`[data-tone="${CSS.escape(name)}"] svg`);
    return shape ? shape.cloneNode(true) : "";
  }

  window.sitegen = { load, element, icon };

  // Theme.

  const THEMES = ["system", "light", "dark"];

  /** @param {string} theme */
  function setTheme(theme) {
    const root = document.documentElement;
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    try {
      if (theme === "system") localStorage.removeItem("sitegen-theme");
      else localStorage.setItem("sitegen-theme", theme);
    } catch {
      // No storage: the choice holds for this page.
    }
  }

  /** @param {HTMLElement} button */
  function initTheme(button) {
    const state = () => document.documentElement.dataset.theme ?? "system";
    const show = () => label(button, `Theme: ${state()}`);
    button.addEventListener("click", () => {
      setTheme(THEMES[(THEMES.indexOf(state()) + 1) % THEMES.length]);
      show();
    });
    show();
  }

  /**
   * Sets the text of a button: of its `[data-label]` where it also holds an icon.
   * @param {HTMLElement} button
   * @param {string} text
   */
  function label(button, text) {
    (button.querySelector("[data-label]") ?? button).textContent = text;
  }

  // Copying.

  const live = element("p", { class: "visually-hidden", role: "status" });
  document.body.append(live);

  /**
   * Copies without `navigator.clipboard`, which is missing outside https. Leaves the text selected for Ctrl+C.
   * @param {Element[]} sources
   * @param {string} text
   */
  function copySelected(sources, text) {
    /** @param {ClipboardEvent} event */
    const give = (event) => {
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
    };
    const last = sources[sources.length - 1];
    sources.forEach(open);
    getSelection()?.setBaseAndExtent(sources[0], 0, last, last.childNodes.length);
    document.addEventListener("copy", give);
    try {
      return document.execCommand("copy");
    } catch {
      return false;
    } finally {
      document.removeEventListener("copy", give);
    }
  }

  /**
   * The exact text of one element; of several, each begins on a line of its own.
   * @param {Element[]} sources
   * @returns {Promise<boolean>} whether it is in the clipboard
   */
  async function copy(sources) {
    const text = sources.map((source) => source.textContent ?? "").reduce((all, part) => all.replace(/\n?$/, "\n") + part);
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return copySelected(sources, text);
    }
  }

  /** @param {HTMLElement} button */
  function initCopy(button) {
    const sources = (button.dataset.copy ?? "").split(" ").flatMap((id) => document.getElementById(id) ?? []);
    const before = (button.querySelector("[data-label]") ?? button).textContent ?? "";
    let timer = 0;
    if (!sources.length) return;
    button.addEventListener("click", async () => {
      const text = (await copy(sources)) ? "Copied" : "Press Ctrl+C";
      label(button, text);
      live.textContent = text;
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        label(button, before);
        live.textContent = "";
      }, 4000);
    });
  }

  // Lines: #L10 is the browser's work, #L10-L20 and #log-L10-L20 are ours, and so are lines that the page leaves out.

  /**
   * The lines that a hash names, and what stands in place of those that are left out.
   * @param {string} hash
   */
  function linesOf(hash) {
    const parts = /^#(\D+)(\d+)(?:-L?(\d+))?$/.exec(hash);
    if (!parts) return { from: 0, lines: [], gap: null };
    const prefix = CSS.escape(parts[1]);
    const [from, to] = [Number(parts[2]), Number(parts[3] ?? parts[2])].sort((a, b) => a - b);
    const lines = [...document.querySelectorAll(`[data-lines="${prefix}"] .line`)].filter((line) => {
      const number = lineNumber(line);
      return number >= from && number <= to;
    });
    /** @type {HTMLElement | null} */
    const gap = document.querySelector(`[data-gap="${prefix}"]`);
    const before = lineNumber(gap?.previousElementSibling?.querySelector(".line:last-child"));
    const inGap = gap && from > before && from <= before + Number(gap.dataset.leftOut);
    return { from, lines, gap: inGap ? gap : null };
  }

  /** @param {Element | null} [line] */
  const lineNumber = (line) => Number(/\d+$/.exec(line?.id ?? "")?.[0] ?? 0);

  /**
   * Opens what is folded around an element; says whether anything was.
   * @param {Element} inner
   */
  function open(inner) {
    let opened = false;
    for (let at = inner.closest("details"); at; at = at.parentElement?.closest("details") ?? null) {
      opened = opened || !at.open;
      at.open = true;
    }
    return opened;
  }

  function showTarget() {
    const { from, lines, gap } = linesOf(location.hash);
    document.querySelectorAll(".target").forEach((marked) => marked.classList.remove("target"));
    [...lines, gap].forEach((found) => found?.classList.add("target"));
    document.querySelectorAll("[data-gap] [role=status]").forEach((note) => {
      note.textContent = note.parentElement === gap ? `Line ${from.toLocaleString("en")} is one of them.` : "";
    });
    const named = document.getElementById(hashId());
    const target = gap ?? lines[0] ?? named;
    // To an element that the hash names the browser has scrolled itself, but where it was folded.
    if (target && (open(target) || target !== named)) target.scrollIntoView();
  }

  function hashId() {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return "";
    }
  }

  /**
   * Shift-click on a line number: the lines from the marked one to this.
   * @param {MouseEvent} event
   */
  function extend(event) {
    const link = event.target instanceof Element ? event.target.closest(".ln") : null;
    const prefix = link?.closest("[data-lines]")?.getAttribute("data-lines");
    if (!event.shiftKey || !link || !prefix) return;
    event.preventDefault();
    const here = Number(link.getAttribute("data-n"));
    const marked = new RegExp(`^#${prefix}(\\d+)(?:-L?\\d+)?$`).exec(location.hash);
    const [from, to] = [marked ? Number(marked[1]) : here, here].sort((a, b) => a - b);
    location.hash = from === to ? `${prefix}${to}` : `${prefix}${from}-L${to}`;
  }

  // Print shows what is folded.

  /** @type {HTMLDetailsElement[]} */
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details")].filter((details) => !details.open);
    folded.forEach((details) => (details.open = true));
  });
  addEventListener("afterprint", () => folded.forEach((details) => (details.open = false)));

  /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-theme-switch]")).forEach(initTheme);
  /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-copy]")).forEach(initCopy);
  document.addEventListener("click", extend);
  addEventListener("hashchange", showTarget);
  if (location.hash) showTarget();
})();
