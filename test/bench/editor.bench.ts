// Prints what an edit between the lines of the editor costs a person, in a real window with the service beside it: from the
// key to the box, beside an extension that does nothing but open one; from the words to the first change, without what the
// service takes; tokens of what is sent for a function of 30 lines; acts of a person; and how long 50 files take to be
// accepted and saved. It fails nothing.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { patchCall, text } from "../sim/script.ts";
import { responsesTokens } from "../sim/tokens.ts";
import { removeFolder } from "../support/remove-folder.mjs";
import { openVsCode } from "../ui/support/open-vscode.ts";
import { restingHost } from "./support/resting-host.ts";

const rounds = 10;
const windows = 5;
const print = (line: string) => process.stdout.write(`${line}\n`);
const inShort = (list: readonly number[]) => {
  const all = list.toSorted((a, b) => a - b);
  return `median ${all[all.length >> 1]?.toFixed(0)} ms, least ${all[0]?.toFixed(0)}, most ${all.at(-1)?.toFixed(0)}`;
};

const path = "src/thirty.ts";
const head =
  "export function subtotals(lines: readonly Line[], rates: ReadonlyMap<string, number>): Subtotal[] {";
const body = Array.from({ length: 28 }, (_, at) => {
  const name = `amount${at}`;
  return `  const ${name} = Math.round((lines[${at}]?.cents ?? 0) * (rates.get("rate ${at}") ?? 1));`;
});
const source = [
  'import type { Line } from "./cart";',
  'import type { Subtotal } from "./price";',
  "",
  ...[head, ...body, "}"],
  "",
  "export const unrelated = 1;",
  "",
].join("\n");
const many = Array.from({ length: 50 }, (_, at) => `many/file-${100 + at}.ts`);

const closers: (() => Promise<void>)[] = [];
const folder = mkdtempSync(join(tmpdir(), "patchbay-editor-bench-"));
closers.push(() => removeFolder(folder));
try {
  cpSync("test/fixtures/workspace", folder, { recursive: true });
  writeFileSync(join(folder, path), source);
  mkdirSync(join(folder, "many"));
  for (const name of many) writeFileSync(join(folder, name), "export const round = 0;\n");
  const { vscode, sim } = await openVsCode({ workspace: folder, beside: "test/fixtures/beside" }, (close) =>
    closers.push(close),
  );
  const { page } = vscode;
  const onDisk = (name: string) => readFileSync(join(vscode.workspace, name), "utf8");
  await vscode.openChat();
  await vscode.setKey(sim.key);
  await vscode.chooseModel("svc-k3");
  await vscode.openFile(path);
  const editor = page.locator(`.monaco-editor[data-uri$="${path}"]`).first();
  const box = page.locator(".review-widget .monaco-editor.focused").first();

  const select = async () => {
    await editor.click();
    // What an edit has shown may have moved it out of sight.
    await page.keyboard.press("Control+Home");
    await editor.getByText("export function subtotals").first().click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+ArrowDown");
  };
  /** From the second key of the chord until the box has the focus. */
  async function untilBox(key: string): Promise<number> {
    await select();
    await page.evaluate((last) => {
      let began = 0;
      const seen = new Promise<number>((resolve) => {
        const pressed = ({ ctrlKey, key: pressedKey }: KeyboardEvent) => {
          if (ctrlKey && pressedKey.toLowerCase() === last) began = performance.now();
        };
        const focused = ({ target }: FocusEvent) => {
          if (began === 0 || (target as Element).closest(".review-widget") === null) return;
          removeEventListener("keydown", pressed, true);
          removeEventListener("focusin", focused, true);
          resolve(performance.now() - began);
        };
        addEventListener("keydown", pressed, true);
        addEventListener("focusin", focused, true);
      });
      Object.assign(window, { seen });
    }, key);
    await page.keyboard.press("Control+K");
    await page.keyboard.press(`Control+${key.toUpperCase()}`);
    return page.evaluate(() => (window as unknown as { seen: Promise<number> }).seen);
  }

  print(`\nEdits in the editor, in a real window; ${cpus()[0]?.model} × ${cpus().length}\n`);
  const [ours, theirs]: [number[], number[]] = [[], []];
  // Each the first box of its window, in which the chat was not shown.
  await vscode.command("View: Toggle Secondary Side Bar Visibility");
  for (let round = 0; round < windows; round += 1)
    for (const [key, all] of [["e", ours] as const, ["g", theirs] as const]) {
      await vscode.reload();
      await vscode.openFile(path);
      await restingHost();
      all.push(await untilBox(key));
    }
  print(`the first key to the box of a window  ${inShort(ours.splice(0))}`);
  print(`  an extension that only opens one    ${inShort(theirs.splice(0))}`);
  await vscode.openChat();
  for (let round = 0; round <= rounds; round += 1) {
    const own = await untilBox("e");
    await page.keyboard.press("Escape");
    await box.waitFor({ state: "detached" });
    const bare = await untilBox("g");
    await select();
    await box.waitFor({ state: "detached" });
    // The first of each loads what the others find.
    if (round > 0) {
      ours.push(own);
      theirs.push(bare);
    }
  }
  print(`key to the box                  ${inShort(ours)}    goal ≤ 100 ms of ours`);
  print(`  an extension that only opens one  ${inShort(theirs)}`);

  const acts: string[] = [];
  const act = async (name: string, done: () => Promise<unknown>) => {
    await done();
    acts.push(name);
  };
  const [before, behind]: [number[], number[]] = [[], []];
  let tokens = 0;
  for (let round = 0; round < rounds; round += 1) {
    acts.length = 0;
    const words = `// round ${round}`;
    const hunk = ["@@", ...(round === 0 ? [] : [`-// round ${round - 1}`]), `+${words}`, ` ${head}`];
    sim.reply(
      patchCall(["*** Begin Patch", `*** Update File: ${path}`, ...hunk, "*** End Patch", ""].join("\n")),
    );
    const first = sim.requests.length;
    const answered = sim.request(first).then(async ({ settled }) => settled.then(() => Date.now()));
    await select();
    await act("chord", async () => {
      await page.keyboard.press("Control+K");
      await page.keyboard.press("Control+E");
      await box.waitFor();
    });
    await page.evaluate((wanted) => {
      const now = () => performance.timeOrigin + performance.now();
      const sent = new Promise<number>((resolve) => {
        addEventListener("keydown", ({ ctrlKey, key }) => ctrlKey && key === "Enter" && resolve(now()), true);
      });
      const shown = new Promise<number>((resolve) => {
        const look = () => {
          const all = [...document.querySelectorAll(".review-widget")];
          // Code is shown with spaces at which no line is broken.
          const shown = all.map(({ textContent }) => textContent?.replaceAll("\u00a0", " ") ?? "");
          const isIt = (label: string) => /line (?:added|changed)/.test(label) && label.includes(wanted);
          if (!shown.some(isIt)) return;
          watch.disconnect();
          resolve(now());
        };
        const watch = new MutationObserver(look);
        watch.observe(document.body, { childList: true, subtree: true, characterData: true });
      });
      Object.assign(window, { sent, shown });
    }, words);
    await act("words, Ctrl+Enter", async () => {
      await page.keyboard.type("Say which round this is");
      await page.keyboard.press("Control+Enter");
    });
    const [sent, shown] = await page.evaluate(() => {
      const seen = window as unknown as { sent: Promise<number>; shown: Promise<number> };
      return Promise.all([seen.sent, seen.shown]);
    });
    const { time = 0, body: asked = {} } = sim.requests[first] ?? {};
    before.push(time - sent);
    behind.push(shown - (await answered));
    tokens = responsesTokens(asked).length;
    const thread = page.locator(".review-widget").filter({ hasText: words }).first();
    // The lines above it may have left it no room in the window, where the pointer cannot reach it.
    const accept = thread.getByRole("button", { name: "Accept", exact: true });
    await act("Accept", () => accept.dispatchEvent("click"));
    await thread.waitFor({ state: "detached" });
    if (!onDisk(path).includes(words)) throw new Error("It is not in the file.");
  }
  print(`words sent until the request is at the service  ${inShort(before)}`);
  print(`the patch there until the change is shown       ${inShort(behind)}`);
  print(`tokens of the request for a function of 30 lines  ${tokens}    goal ≤ 3,000`);
  print(`from a selection to an applied edit              ${acts.length}: ${acts.join(" · ")}    goal 3`);

  print("");
  const saved: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const line = (at: number) => `export const round = ${at};`;
    const files = many.flatMap((name) => [
      `*** Update File: ${name}`,
      "@@",
      `-${line(round)}`,
      `+${line(round + 1)}`,
    ]);
    sim.reply(patchCall(["*** Begin Patch", ...files, "*** End Patch", ""].join("\n")));
    sim.reply(text("Done."));
    await vscode.openChat();
    await vscode.ask(`Count them on to ${round + 1}.`);
    const button = vscode.chat
      .getByRole("region", { name: "Proposed changes" })
      .locator("[data-armed]")
      .getByRole("button", { name: "Accept All" });
    await button.waitFor();
    const began = performance.now();
    await button.click();
    while (!many.every((name) => onDisk(name).includes(line(round + 1))))
      await new Promise((resolve) => setTimeout(resolve, 10));
    saved.push(performance.now() - began);
  }
  print(`Accept All until 50 files are on the disk        ${inShort(saved)}    goal ≤ 2,000 ms`);
} finally {
  for (const close of closers.reverse()) await close();
}
