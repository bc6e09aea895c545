// node visit.mjs NODE_MODULES HEADER=VALUE ADDRESS ...: opens each address in Firefox over WebDriver BiDi, and prints what it complained about.
import { createRequire } from "node:module";
const require = createRequire(process.argv[2] + "/");
const puppeteer = require("puppeteer-core");
const [name, value] = process.argv[3].split("=");
const browser = await puppeteer.launch({ browser: "firefox", executablePath: "/usr/bin/firefox-esr", headless: true, protocol: "webDriverBiDi" });
let bad = 0, where = "";
const complain = text => { bad++; console.log(`${where}: ${text}`); };
try {
  const page = await browser.newPage();
  await page.setExtraHTTPHeaders({ [name]: value });
  page.on("pageerror", error => complain(error.message));
  page.on("console", message => { if (["error", "warn"].includes(message.type())) complain(message.text()); });
  for (where of process.argv.slice(4)) {
    const answer = await page.goto(where, { waitUntil: "load" });
    if (answer.status() !== 200) complain(`status ${answer.status()}`);
    const seen = await page.evaluate(() => ({ h1: document.querySelectorAll("h1").length, fits: document.documentElement.scrollWidth <= innerWidth,
      times: [...document.querySelectorAll("main time")].every(time => time.title) }));
    if (seen.h1 !== 1 || !seen.fits || !seen.times) complain(JSON.stringify(seen));
  }
} finally {
  await browser.close();
}
process.exit(bad ? 1 : 0);
