/* Runs before the page is painted: says that scripts work, and which colours the viewer has chosen. */
(function () {
  "use strict";
  var root = document.documentElement;
  root.classList.add("scripts");
  try {
    var theme = localStorage.getItem("reeve-theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch (e) { /* no storage: as the system says */ }
})();
