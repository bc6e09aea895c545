// node visit.mjs NODE_MODULES HEADER ADDRESS ...: opens each address in Firefox over WebDriver BiDi, and prints what it complained about.
import { createRequire } from "node:module";
const require = createRequire(process.argv[2] + "/");
const puppeteer = require("puppeteer-core");
const [name, value] = process.argv[3].split("=");
const browser = await puppeteer.launch({ browser: "firefox", executablePath: "/usr/bin/firefox-esr", headless: true, protocol: "webDriverBiDi",
  // Otherwise the first page with Cross-Origin-Opener-Policy gets a new frame, and puppeteer loses the old one.
  extraPrefsFirefox: { "browser.tabs.remote.useCrossOriginOpenerPolicy": false, "browser.tabs.remote.useCrossOriginEmbedderPolicy": false,
    "fission.autostart": false, "fission.webContentIsolationStrategy": 0, "remote.prefs.recommended": true } });
let bad = 0;
try {
  const page = await browser.newPage();
  await page.setExtraHTTPHeaders({ [name]: value });
  const complain = (where, text) => { bad++; console.log(`${where}: ${text}`); };
  for (const address of process.argv.slice(4)) {
    page.removeAllListeners();
    page.on("pageerror", error => complain(address, error.message));
    page.on("console", message => { if (["error", "warn"].includes(message.type())) complain(address, message.text()); });
    const answer = await page.goto(address, { waitUntil: "load" });
    if (answer.status() !== 200) complain(address, `status ${answer.status()}`);
    const seen = await page.evaluate(() => ({ h1: document.querySelectorAll("h1").length, wide: document.documentElement.scrollWidth <= innerWidth,
      times: [...document.querySelectorAll("main time")].every(t => t.title) }));
    if (seen.h1 !== 1 || !seen.wide || !seen.times) complain(address, JSON.stringify(seen));
  }
} finally {
  await browser.close();
}
process.exit(bad ? 1 : 0);
