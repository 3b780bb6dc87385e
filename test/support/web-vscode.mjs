#!/usr/bin/env node
// Looks like desktop VS Code to the runTests() of @vscode/test-electron: takes its command line, runs the suite in the
// server build shown by a headless browser, and ends with the exit code that the desktop would end with.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { launchBrowser, patience } from "./browser.mjs";
import { prepareTools } from "./tools.mjs";
import { startVsCodeServer } from "./vscode-server.mjs";

const options = Object.fromEntries(
  process.argv.slice(2).flatMap((word) => {
    const [, name, value] = /^--([^=]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined) return [[name, value]];
    return word.startsWith("--") ? [] : [["folder", word]];
  }),
);
const tools = await prepareTools();
const vscode = await startVsCodeServer({
  tools,
  home: dirname(options["user-data-dir"]),
  paths: { user: options["user-data-dir"], extensions: options["extensions-dir"] },
  extension: options["extensionDevelopmentPath"],
  suite: options["extensionTestsPath"],
});
const browser = await launchBrowser(tools, {
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
});
// The layout of a window, in a hundredth of its pixels, and nothing of it is drawn: nobody looks.
const page = await browser.newPage({ deviceScaleFactor: 0.1 });
page.setDefaultTimeout(patience);
await page.addInitScript(() =>
  document.addEventListener("DOMContentLoaded", () => {
    document.documentElement.style.opacity = "0";
  }),
);

// The workbench of a crashed host reports 0 all the same; the server knows better.
let hostCode = 0;
vscode.onLine((line) => {
  hostCode ||= Number(/Extension Host Process exited with code: (\d+)/.exec(line)?.[1] ?? 0);
});
const ended = new Promise((resolve) => {
  page.exposeFunction("codeAutomationLog", (type, args) => console.log(`[${type}]`, ...args));
  page.exposeFunction("codeAutomationExit", resolve);
  vscode.exited.then(() => resolve(1));
  // Our starter is gone, or has lost patience.
  process.stdin.on("close", () => resolve(124)).resume();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => resolve(124));
});
await page.goto(vscode.url(options["folder"]));
const code = await ended;
if (code !== 0) await keepScreenshot();
await browser.close();
// What the server had said before the workbench did has been read by now.
const truth = code || hostCode;
await vscode.close();
process.exit(truth);

async function keepScreenshot() {
  const folder = join(process.cwd(), ".build", "screenshots");
  mkdirSync(folder, { recursive: true });
  const show = () => {
    document.documentElement.style.opacity = "1";
  };
  await page.evaluate(show).catch(() => {});
  await page.screenshot({ path: join(folder, "host-failure.png"), timeout: 2000 }).catch(() => {});
}
