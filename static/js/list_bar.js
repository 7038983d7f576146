/** The controls of a list: a button for each facet with its options below it, and a chip for each filter in use. */
(() => {
  "use strict";

  const MANY = 20; // options; more have a field that finds some of them
  const SHORT = 15; // letters; options below that stand in narrower columns
  const { fold, findNames } = window.sitegenMatch;
  const { element } = window.sitegen;

  /** @param {string} text for those who hear the page */
  const hiddenText = (text) => element("span", { class: "visually-hidden" }, text);

  /**
   * The bar of facets.
   * @param {HTMLElement} bar
   * @param {() => Promise<boolean>} ready loads the data; says whether there is any
   * @param {(facet: string, options: string[]) => void} choose
   */
  function facetBar(bar, ready, choose) {
    const buttons = /** @type {HTMLButtonElement[]} */ ([...bar.querySelectorAll("[data-facet]")]);
    const hiddenAtFirst = new Set(buttons.filter((button) => button.hidden));
    /** @type {ReturnType<typeof optionPanel> | null} */
    let panel = null;
    /** @type {BarState} */
    let state = { facets: [], counts: [], chosen: {} };

    /** @param {HTMLButtonElement} button */
    async function toggle(button) {
      const wasOpen = button.getAttribute("aria-expanded") === "true";
      close();
      if (wasOpen || !(await ready())) return;
      const place = state.facets.findIndex(({ key }) => key === button.dataset.facet);
      close();
      panel = optionPanel(state.facets[place], state.chosen, choose);
      button.setAttribute("aria-expanded", "true");
      button.setAttribute("aria-controls", panel.box.id);
      button.after(panel.box);
      panel.update(state.counts[place], state.chosen);
    }

    function close() {
      panel?.box.remove();
      panel = null;
      for (const button of buttons) {
        button.setAttribute("aria-expanded", "false");
        button.removeAttribute("aria-controls");
      }
    }

    /** @param {BarState} next */
    function update(next) {
      state = next;
      for (const button of buttons) {
        const number = (state.chosen[button.dataset.facet ?? ""] ?? []).length;
        const open = button.getAttribute("aria-expanded") === "true";
        button.hidden = hiddenAtFirst.has(button) && !number && !open;
        button.querySelector("b")?.remove();
        if (number) button.append(element("b", {}, ` ${number}`, hiddenText(" chosen")));
      }
      const place = state.facets.findIndex(({ key }) => key === panel?.key);
      if (panel && place >= 0) panel.update(state.counts[place], state.chosen);
    }

    for (const button of buttons) button.addEventListener("click", () => toggle(button));
    bar.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !panel || event.defaultPrevented) return;
      const button = buttons.find((one) => one.getAttribute("aria-expanded") === "true");
      close();
      button?.focus();
    });
    return { update };
  }

  /**
   * The options of a facet. They stay in their places while it is open, so that focus and reading do too.
   * @param {Facet} facet
   * @param {Chosen} chosen
   * @param {(facet: string, options: string[]) => void} choose
   */
  function optionPanel({ key, label, options }, chosen, choose) {
    const unknown = (chosen[key] ?? []).filter((name) => !options.some((option) => option.key === name));
    const all = [...options, ...unknown.map((name) => ({ key: name, label: name, recorded: true }))].map(optionBox);
    const short = all.every((option) => option.label.length < SHORT);
    const list = element("div", { class: short ? "options short" : "options" }, ...all.map((option) => option.box));
    const finder = all.length > MANY ? [optionFinder(label, all)] : [];
    const box = element("fieldset", { id: `facet-${key}` }, element("legend", {}, label), ...finder, list);
    list.addEventListener("change", () => choose(key, all.filter(({ input }) => input.checked).map(({ name }) => name)));

    /**
     * @param {number[]} counts
     * @param {Chosen} now
     */
    function update(counts, now) {
      all.forEach(({ name, input, box: own, number }, place) => {
        const count = counts[place] ?? 0;
        input.checked = (now[key] ?? []).includes(name);
        number.textContent = count.toLocaleString("en");
        own.classList.toggle("none", !count);
      });
    }

    return { key, box, update };
  }

  /** @param {Option} option */
  function optionBox({ key, label, recorded }) {
    const input = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox" }));
    const number = element("span", {});
    const text = element("span", recorded ? { class: "text" } : { class: "text absent" }, label);
    const count = element("span", { class: "count" }, "(", number, hiddenText(" in this list"), ")");
    return { name: key, label, input, number, box: element("label", {}, input, text, " ", count) };
  }

  /**
   * The field that leaves the options whose label holds a text, and those that are chosen.
   * @param {string} label
   * @param {{label: string, input: HTMLInputElement, box: HTMLElement}[]} all
   */
  function optionFinder(label, all) {
    const attributes = { type: "search", autocomplete: "off", spellcheck: "false" };
    const field = /** @type {HTMLInputElement} */ (element("input", attributes));
    const note = element("span", { role: "status" });
    const names = all.map((option) => fold(option.label));
    const find = () => {
      const found = new Set(findNames(names, field.value));
      all.forEach(({ box, input }, place) => (box.hidden = !found.has(place) && !input.checked));
      note.textContent = found.size ? "" : `None contains “${field.value.trim()}”.`;
    };
    field.addEventListener("input", find);
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !field.value) return;
      event.preventDefault();
      field.value = "";
      find();
    });
    return element("p", { class: "finder" }, element("label", {}, `Find in ${label} `, field), " ", note);
  }

  /**
   * A button for each filter in use, which removes it. The focus stays in the list of chips, or goes to `after`.
   * @param {HTMLElement} list
   * @param {{text: string, remove: () => void}[]} filters
   * @param {HTMLElement} after
   */
  function showChips(list, filters, after) {
    const before = [...list.querySelectorAll("button")];
    const focused = before.findIndex((button) => button === document.activeElement);
    const chips = filters.map(({ text, remove }) => {
      const button = element("button", { type: "button" });
      button.append(hiddenText("Remove filter "), element("span", { class: "text" }, text));
      button.append(element("span", { "aria-hidden": "true" }, " ×"));
      button.addEventListener("click", remove);
      return button;
    });
    list.replaceChildren(...chips.map((chip) => element("li", {}, chip)));
    list.hidden = !chips.length;
    if (focused >= 0) (chips[Math.min(focused, chips.length - 1)] ?? after).focus();
  }

  window.sitegenBar = { facetBar, showChips };
})();
