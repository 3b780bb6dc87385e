// Prints what the packed extension costs a window: its size, how long VS Code itself says that activation took (median of
// ten windows), how much of that was waiting for others, loading the file and activate(), what of it was work of the
// processor, and what its extension host weighs without it, with it, and with the chat open. Beside them stand what VS
// Code says of its own extensions in the same windows, of one that does nothing at all, and the figures that peers have
// published (performance.md §5). All windows come from one server, one after the other; those without the extension only
// have it switched off. It fails nothing.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { launchBrowser } from "../support/browser.mjs";
import { packExtension } from "../support/pack.mjs";
import { must } from "../support/processes.mjs";
import { removeFolder } from "../support/remove-folder.mjs";
import { prepareTools } from "../support/tools.mjs";
import { installExtension, startVsCodeServer } from "../support/vscode-server.mjs";
import { createVsCode } from "../ui/support/vscode.ts";
import { restingHost, told } from "./support/resting-host.ts";

const vsix = ".build/patchbay.vsix";
const windows = 10;
/** Memory hardly varies from window to window. */
const weighed = 5;
const patience = 120_000;
/** Milliseconds, and some more, after which VS Code in a browser keeps what has changed. */
const flushEvery = 6_000;

const print = (line: string) => process.stdout.write(`${line}\n`);
const median = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN;

/** Resident memory of that host, in MB, once it has come to rest: while it works, it grows and collects. */
const steadyMemory = async (): Promise<number> =>
  Number(/^VmRSS:\s+(\d+)/m.exec(told(await restingHost(), "status"))?.[1] ?? Number.NaN) / 1024;

/** What one activation of ours took, in milliseconds: of the clock, and of the processor. */
interface Parts {
  /** Reading, compiling and running the file. */
  readonly load: { readonly clock: number; readonly processor: number };
  readonly activate: { readonly clock: number; readonly processor: number };
}

/** Activated with ours, and first of those that people install: it only asks for what VS Code offers. */
async function packNothing(): Promise<string> {
  const folder = resolve(".build/bench/nothing");
  const file = join(folder, "nothing.vsix");
  mkdirSync(join(folder, "dist"), { recursive: true });
  const manifest = {
    ...{ name: "nothing", publisher: "a", displayName: "Nothing", version: "0.0.1" },
    ...{ engines: { vscode: "^1.104.0" }, main: "./dist/extension.js" },
    activationEvents: ["onStartupFinished"],
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "dist/extension.js"), 'require("vscode");\nexports.activate = () => {};\n');
  const vsce = resolve("node_modules/@vscode/vsce/vsce");
  const allow = ["--allow-missing-repository", "--skip-license", "--no-dependencies"];
  await must(process.execPath, [vsce, "package", ...allow, "--out", file], { cwd: folder });
  return file;
}

/** Has an installed extension write down its parts: a file that only asks for the real one stands in its place. */
function watchParts(home: string, id: string): string {
  const extensions = join(home, "extensions");
  const name = readdirSync(extensions).find((each) => each.startsWith(id));
  const folder = join(extensions, name ?? "", "dist");
  const log = join(home, `${id}.txt`);
  renameSync(join(folder, "extension.js"), join(folder, "extension.real.js"));
  writeFileSync(
    join(folder, "extension.js"),
    `"use strict";
const timed = (run) => {
  const [at, began] = [performance.now(), process.cpuUsage()];
  const answer = run();
  const [{ user, system }, clock] = [process.cpuUsage(began), performance.now() - at];
  return { answer, took: { clock, processor: (user + system) / 1000 } };
};
const { answer: real, took: load } = timed(() => require("./extension.real.js"));
module.exports = { ...real, activate(context) {
  const { answer, took: activate } = timed(() => real.activate(context));
  require("node:fs").appendFileSync(${JSON.stringify(log)}, JSON.stringify({ load, activate }) + "\\n");
  return answer;
} };
`,
  );
  return log;
}

const readParts = (log: string): Parts[] =>
  readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** What is looked at in the windows without Patchbay, in those where it is unused, and in those with its chat open. */
interface Looks {
  bare(page: Page): Promise<void>;
  unused(page: Page, turn: number): Promise<void>;
  open(page: Page): Promise<void>;
}

async function inWindows({ bare, unused, open }: Looks) {
  const tools = await prepareTools();
  const home = mkdtempSync(join(tmpdir(), "patchbay-activation-"));
  const workspace = join(home, "workspace");
  cpSync("test/fixtures/workspace", workspace, { recursive: true });
  for (const each of [vsix, await packNothing()]) await installExtension({ tools, home, vsix: each });
  const logs = [watchParts(home, "patchbay.patchbay"), watchParts(home, "a.nothing")];
  const settings = {
    "chat.disableAIFeatures": true,
    "workbench.startupEditor": "none",
    // Where it is shown from the start the chat is open, and nothing is unused.
    "workbench.secondarySideBar.defaultVisibility": "hidden",
  };
  const server = await startVsCodeServer({ tools, home, settings });
  const browser = await launchBrowser(tools);
  const began = Date.now();
  const show = async (page: Page, address: string) => {
    process.stderr.write(`${((Date.now() - began) / 1000).toFixed(0)} s: another window\n`);
    await page.goto(address);
    await page.locator(".statusbar-item").first().waitFor();
  };
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
    page.setDefaultTimeout(patience);
    const address = server.url(workspace);
    for (let turn = 0; turn < weighed; turn += 1) {
      await show(page, withoutExtensions(address));
      await bare(page);
    }
    // The chat shows itself once after installing, and every window after it would open it again. What
    // it looks like, and that it has shown itself, VS Code keeps a moment later.
    await show(page, address);
    await hideChat(page);
    await page.waitForTimeout(flushEvery);
    for (const log of logs) rmSync(log, { force: true });
    for (let turn = 0; turn < windows; turn += 1) {
      await show(page, address);
      await unused(page, turn);
    }
    const [ours = [], nothing = []] = logs.map((log) => readParts(log));
    parts.push(...ours);
    partsOfNothing.push(...nothing);
    for (let turn = 0; turn < weighed; turn += 1) {
      await show(page, address);
      await open(page);
    }
  } finally {
    await browser.close();
    await server.close();
    await removeFolder(home);
  }
}

const sideBar = ".part.auxiliarybar";

/** So that the windows after it begin without it. */
async function hideChat(page: Page): Promise<void> {
  const { chat, command } = createVsCode(page, "");
  await chat.getByRole("textbox").first().waitFor();
  await command("View: Toggle Secondary Side Bar Visibility");
  await page.locator(sideBar).waitFor({ state: "hidden" });
}

/** The same window with all that was installed switched off; VS Code's own extensions stay. */
function withoutExtensions(address: string): string {
  const url = new URL(address);
  const payload: [string, string][] = JSON.parse(url.searchParams.get("payload") ?? "[]");
  url.searchParams.set("payload", JSON.stringify([...payload, ["disableExtensions", "true"]]));
  return url.href;
}

/** As "Developer: Show Running Extensions" says it, by name: those that are in sight, once the awaited one runs. */
async function activations(page: Page, awaited: string): Promise<[name: string, milliseconds: number][]> {
  await createVsCode(page, "").command("Developer: Show Running Extensions");
  const rows = page.locator(".runtime-extensions-editor .extension");
  await rows.filter({ hasText: awaited }).first().waitFor();
  const said = await rows.evaluateAll((all) =>
    all.map((row) => [".name", ".activation-time"].map((part) => row.querySelector(part)?.textContent ?? "")),
  );
  // It lies over the whole workbench.
  await page.keyboard.press("Escape");
  await rows.first().waitFor({ state: "hidden" });
  return said.flatMap(([name = "", time = ""]) => {
    const milliseconds = /(\d+)\s*ms/.exec(time)?.[1];
    return milliseconds === undefined ? [] : [[name, Number(milliseconds)]];
  });
}

/** Of each window, in the order of the windows. */
const parts: Parts[] = [];
const partsOfNothing: Parts[] = [];

await packExtension(vsix);
const began = Date.now();
const times = new Map<string, number[]>();
const [bare, idle, open]: [number[], number[], number[]] = [[], [], []];
await inWindows({
  async bare(page) {
    await activations(page, "Merge Conflict");
    bare.push(await steadyMemory());
  },
  async unused(page, turn) {
    const found = await activations(page, "Patchbay");
    if (await page.locator(sideBar).isVisible()) throw new Error("The chat is open: nothing is unused.");
    if (turn < weighed) idle.push(await steadyMemory());
    for (const [name, milliseconds] of found) times.set(name, [...(times.get(name) ?? []), milliseconds]);
  },
  async open(page) {
    await activations(page, "Patchbay");
    await createVsCode(page, "").openChat();
    open.push(await steadyMemory());
  },
});

const megabytes = (value: number) => `${value.toFixed(1)} MB`;
const base = median(bare);
print(
  `\n${windows} windows of the real VS Code with the packed extension, in ${((Date.now() - began) / 1000).toFixed(0)} s; medians\n`,
);
print(`size of the .vsix         ${megabytes(statSync(vsix).size / 1024 / 1024)}    goal ≤ 1 MB`);
const isOurs = (name: string) => Number(name === "Patchbay");
const wide = (name: string) => name.padEnd(44);
for (const [name, list] of [...times].toSorted(([a], [b]) => isOurs(b) - isOurs(a))) {
  // What was in sight now and then only says little.
  if (list.length < windows / 2) continue;
  const goal = isOurs(name) ? "    goal ≤ 30 ms" : "";
  print(`activation of ${wide(name)}${median(list)} ms    ${list.join(" ")}${goal}`);
}
const each = (name: string, list: readonly number[]) =>
  print(
    `  ${name.padEnd(55)}${median(list).toFixed(1)} ms    ${list.map((one) => one.toFixed(0)).join(" ")}`,
  );
const reported = times.get("Patchbay") ?? [];
// VS Code starts the clocks of what it activates together before it loads the first of them.
if (reported.length === parts.length)
  each(
    "of ours: waiting for others",
    parts.map(({ load, activate }, at) => (reported[at] ?? Number.NaN) - load.clock - activate.clock),
  );
each(
  "of ours: reading, compiling, running the file",
  parts.map(({ load }) => load.clock),
);
each(
  "of ours: activate()",
  parts.map(({ activate }) => activate.clock),
);
each(
  "processor time of the file",
  parts.map(({ load }) => load.processor),
);
each(
  "processor time of activate()",
  parts.map(({ activate }) => activate.processor),
);
each(
  "processor time together, goal ≤ 10 ms",
  parts.map(({ load, activate }) => load.processor + activate.processor),
);
each(
  "one that does nothing: its file",
  partsOfNothing.map(({ load }) => load.clock),
);
each(
  "one that does nothing: processor time together",
  partsOfNothing.map(({ load, activate }) => load.processor + activate.processor),
);
const weight = (name: string, list: readonly number[]) => {
  const more = list === bare ? "" : `+ ${megabytes(median(list) - base)}`;
  const all = list.map((one) => one.toFixed(0)).join(" ");
  print(`${name.padEnd(26)}${megabytes(median(list))}    ${more.padEnd(14)}${all}`);
};
weight("extension host without", bare);
weight("  with Patchbay, unused", idle);
weight("  with its chat open", open);
print(
  "\npublished by peers: Cline .vsix 7.3 MB with about 20 MB of script (cline/cline#11632); Cody 30 → 6 MB",
);
print(
  "(sourcegraph/cody#406); Copilot Chat blocked the host 60–135 s on a 14 MB start (microsoft/vscode#319710)",
);
