/* What makes a page of the dashboard pleasant.  Without it everything works, too. */
(function () {
  "use strict";

  /* --- times: relative to now, in the viewer's zone; the absolute time on hover --- */
  var relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
  var absolute = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
  /* Unit, how many of it are in the next one, and up to how many it is used: 119 min. says more than 1 hr. */
  var units = [["second", 60, 100], ["minute", 60, 120], ["hour", 24, 48], ["day", 30, 60], ["month", 12, 24], ["year", 1, Infinity]];

  function words(ms) {
    var value = ms / 1000;
    for (var i = 0; i < units.length; i++) {
      if (Math.abs(value) < units[i][2]) return relative.format(Math.round(value), units[i][0]);
      value /= units[i][1];
    }
    return "";
  }

  function showTimes(root) {
    root.querySelectorAll("time[datetime]").forEach(function (time) {
      var at = new Date(time.dateTime.replace(/(\.\d{3})\d*/, "$1"));
      if (isNaN(at)) return;
      time.title = absolute.format(at);
      time.textContent = words(at - Date.now());
    });
  }

  /* --- live updates --- */
  var pointed = false, stopped = false, failed = 0, chosen = null, pending = null;

  function main() { return document.getElementById("main"); }

  /* Why the page must stay as it is now; "": it may change. */
  function held() {
    var active = document.activeElement;
    if (stopped) return "paused";
    if (pointed) return "paused while you point at it";
    if (active && active !== document.body && active !== main() && main().contains(active) && active.id !== "live") return "paused while you are in it";
    if (main().querySelector("details[open]")) return "paused while a block is open";
    if (String(document.getSelection())) return "paused while text is selected";
    return "";
  }

  function say() {
    var word = document.getElementById("live-word"), button = document.getElementById("live");
    if (!word) return;
    var why = failed ? "no answer from the server; trying again" : held() || "live";
    if (word.textContent !== why) word.textContent = why;
    word.parentNode.classList.toggle("held", !failed && why !== "live");
    word.parentNode.classList.toggle("lost", failed > 0);
    button.textContent = stopped ? "Resume" : "Pause";
    button.setAttribute("aria-pressed", String(!stopped));
  }

  function swap(text) {
    var fresh = new DOMParser().parseFromString(text, "text/html").getElementById("main");
    if (!fresh || held()) return;
    showTimes(fresh);
    var had = document.activeElement && document.activeElement.id === "live";
    main().querySelectorAll(".notice[role=status]").forEach(function (notice) { fresh.prepend(notice); });
    main().replaceWith(document.adoptNode(fresh));
    if (had && document.getElementById("live")) document.getElementById("live").focus();
    choose(chosen);
    say();
  }

  function refresh() {
    if (pending || document.hidden || held()) { say(); return; }
    pending = new AbortController();
    var limit = setTimeout(function () { pending.abort(); }, 10000);
    fetch(location.href, { headers: { Accept: "text/html", "X-Reeve-Live": "1" }, credentials: "same-origin", signal: pending.signal })
      .then(function (answer) {
        if (answer.redirected || answer.status === 401) { location.reload(); throw new Error("logged out"); }
        if (!answer.ok) throw new Error("status " + answer.status);
        return answer.text();
      })
      .then(function (text) { failed = 0; swap(text); })
      .catch(function () { failed++; })
      .finally(function () { clearTimeout(limit); pending = null; say(); });
  }

  function loop() {
    var seconds = Number(main().dataset.refresh);
    if (!seconds) return;
    setTimeout(function () { refresh(); loop(); }, seconds * 1000 * Math.min(1 + failed, 6));
  }

  document.addEventListener("pointerover", function (event) {
    var now = event.pointerType !== "touch" && !!event.target.closest("#main tbody, #main .bar, #main form, #main .tiles, #main .needs, #main .pager, #main .story");
    if (now !== pointed) { pointed = now; say(); }
  });
  document.addEventListener("pointerleave", function () { pointed = false; say(); });
  /* Somebody looks at the page again. */
  document.addEventListener("visibilitychange", function () { if (Number(main().dataset.refresh)) refresh(); });
  document.addEventListener("focusin", say);
  document.addEventListener("focusout", function () { setTimeout(say, 0); });
  document.addEventListener("toggle", say, true);

  /* --- colours --- */
  function turn() {
    var root = document.documentElement, order = ["system", "light", "dark"];
    var next = order[(order.indexOf(root.dataset.theme || "system") + 1) % 3];
    if (next === "system") delete root.dataset.theme; else root.dataset.theme = next;
    try { localStorage.setItem("reeve-theme", next); } catch (e) { /* it lasts as long as the page */ }
    nameTheme();
  }

  function nameTheme() {
    var button = document.getElementById("theme");
    if (button) button.textContent = { light: "Light", dark: "Dark" }[document.documentElement.dataset.theme] || "Auto";
  }

  /* --- keys --- */
  var going = false;

  function rows() { return Array.prototype.slice.call(main().querySelectorAll("tbody tr[data-key]")); }

  function choose(key) {
    chosen = key;
    rows().forEach(function (row) { row.classList.toggle("chosen", key !== null && row.dataset.key === key); });
  }

  function step(by) {
    var all = rows();
    var at = all.findIndex(function (row) { return row.dataset.key === chosen; });
    var row = all[Math.max(0, Math.min(all.length - 1, at + by))];
    if (row) { choose(row.dataset.key); row.scrollIntoView({ block: "nearest" }); }
  }

  function help() {
    var box = document.getElementById("help");
    if (!box) {
      box = document.createElement("dialog");
      box.id = "help";
      box.setAttribute("aria-label", "Keys");
      var list = document.createElement("dl");
      var keys = [["/", "search"], ["j k", "next and previous row"], ["Enter", "open the row"], ["p", "pause or resume live updates"], ["t", "light, dark or automatic colours"], ["?", "this help"]];
      document.querySelectorAll("[data-go]").forEach(function (link) { keys.push(["g " + link.dataset.go, link.textContent]); });
      keys.forEach(function (pair) {
        var dt = document.createElement("dt"), dd = document.createElement("dd");
        pair[0].split(" ").forEach(function (key) { var kbd = document.createElement("kbd"); kbd.textContent = key; dt.append(kbd, " "); });
        dd.textContent = pair[1];
        list.append(dt, dd);
      });
      var close = document.createElement("button");
      close.type = "button";
      close.textContent = "Close";
      close.addEventListener("click", function () { box.close(); });
      box.append(list, close);
      document.body.append(box);
    }
    if (box.open) box.close(); else box.showModal();
  }

  function stop() { stopped = !stopped; say(); if (!stopped) refresh(); }

  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    var inField = event.target.closest("input, textarea, select");
    if (event.key === "Escape" && inField) { inField.blur(); return; }
    if (inField || (document.getElementById("help") || {}).open) return;
    if (going) {
      going = false;
      var link = document.querySelector('[data-go="' + CSS.escape(event.key) + '"]');
      if (link && event.key) { event.preventDefault(); location.href = link.href; }
      return;
    }
    if (event.key === "Enter" && chosen !== null && (event.target === document.body || event.target === main())) {
      var row = rows().find(function (r) { return r.dataset.key === chosen; });
      var to = row && row.querySelector("a[href]");
      if (to) location.href = to.href;
      return;
    }
    var act = { "/": function () { document.getElementById("find").focus(); }, "?": help, g: function () { going = true; setTimeout(function () { going = false; }, 1500); },
      j: function () { step(1); }, k: function () { step(-1); }, p: function () { if (document.getElementById("live")) stop(); }, t: turn }[event.key];
    if (act) { event.preventDefault(); act(); }
  });

  document.addEventListener("click", function (event) {
    var button = event.target.closest("button");
    if (!button) return;
    if (button.id === "live") stop();
    if (button.id === "theme") turn();
    if (button.id === "keys") help();
  });

  /* A form is sent once, even if its button is pressed twice. */
  document.addEventListener("submit", function (event) {
    if (event.target.method !== "post") return;
    if (event.target.dataset.sent) event.preventDefault();
    event.target.dataset.sent = "yes";
  });
  window.addEventListener("pageshow", function () { document.querySelectorAll("form[data-sent]").forEach(function (form) { delete form.dataset.sent; }); });

  nameTheme();
  showTimes(document);
  setInterval(function () { if (!held()) showTimes(document); }, 5000);
  say();
  loop();
})();
