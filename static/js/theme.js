/** Runs before the page is drawn: says that scripts run, and sets the theme that was chosen, so that nothing flashes. */
(() => {
  "use strict";

  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("sitegen-theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // No storage: the theme follows the system.
  }
})();
