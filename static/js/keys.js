/** Keys: `/` goes to the search, `?` opens the dialog that lists the keys and turns those of one character off. */
(() => {
  "use strict";

  const STORED = "sitegen-keys";
  const TYPED = "input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset]), textarea, select";

  // Whether keys of one character act: here for this page, and in the storage for all of them.

  let on = true;

  function areOn() {
    try {
      return on && localStorage.getItem(STORED) !== "off";
    } catch {
      return on;
    }
  }

  /** @param {boolean} wanted */
  function turn(wanted) {
    on = wanted;
    try {
      if (wanted) localStorage.removeItem(STORED);
      else localStorage.setItem(STORED, "off");
    } catch {
      // No storage: the choice holds for this page.
    }
  }

  /** A filter of the page's own comes before the search of the whole site. */
  function focusSearch() {
    const fields = ["[data-filter] input[type=search]", "[data-search] input[type=search]", "#site-search"]
      .map((selector) => document.querySelector(selector))
      .filter((field) => field?.getClientRects().length);
    if (!(fields[0] instanceof HTMLInputElement)) return false;
    fields[0].focus();
    fields[0].select();
    return true;
  }

  /** @type {HTMLDialogElement | null} */
  let dialog = null;

  function showKeys() {
    dialog = dialog ?? makeDialog();
    if (!dialog) return false;
    const box = dialog.querySelector("input");
    if (box) box.checked = areOn();
    dialog.showModal();
    return true;
  }

  function makeDialog() {
    const template = document.querySelector("template[data-keys]");
    const made = template instanceof HTMLTemplateElement && template.content.querySelector("dialog")?.cloneNode(true);
    if (!(made instanceof HTMLDialogElement)) return null;
    const box = made.querySelector("input");
    box?.addEventListener("change", () => turn(box.checked));
    document.body.append(made);
    return made;
  }

  /** @type {Map<string, () => boolean>} each says whether it did something */
  const KEYS = new Map([["/", focusSearch], ["?", showKeys]]);

  /** @param {KeyboardEvent} event */
  function press(event) {
    const act = KEYS.get(event.key);
    if (!act || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || takesText(event.target)) return;
    if (!document.querySelector("dialog[open]") && areOn() && act()) event.preventDefault();
  }

  /** @param {EventTarget | null} target */
  function takesText(target) {
    return target instanceof HTMLElement && (target.isContentEditable || target.closest(TYPED) !== null);
  }

  document.addEventListener("keydown", press);
  document.querySelector("[data-keys-open]")?.addEventListener("click", showKeys);
})();
