// A day with a long task, by mouse: it runs while somebody types in its file and asks
// something else; what it has proposed is accepted in part and rejected with a reason, is there when the window was closed
// and opened again, is accepted to its end and taken back. What matters is read from the disk and from what is sent.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { holdBefore } from "../../sim/delivery-faults.ts";
import { isObject } from "../../sim/json.ts";
import type { SeenRequest } from "../../sim/request-log.ts";
import { type Part, patchCall, text } from "../../sim/script.ts";
import type { Simulator } from "../../sim/simulator.ts";
import { insist } from "../support/insist.ts";
import { chooseInMenu } from "../support/menu.ts";
import { takePictures } from "../support/pictures.ts";
import { showList } from "../support/tree.ts";
import type { VsCode } from "../support/vscode.ts";
import { vscodeTest } from "../support/vscode-test.ts";

const task = "Comment the code, step by step.";
const aside = "What is a cart?";
const reason = "Prices need no comment.";

const steps = [
  { path: "src/cart.ts", anchor: "export interface Line {", words: "// step 1" },
  { path: "src/discount.ts", anchor: "const bulkRate = 0.1;", words: "// step 2" },
  { path: "src/cart.ts", anchor: "export function total(lines: Line[]): number {", words: "// step 3" },
] as const;

const patchOf = ({ path, anchor, words }: (typeof steps)[number]) =>
  ["*** Begin Patch", `*** Update File: ${path}`, "@@", `+${words}`, ` ${anchor}`, "*** End Patch", ""].join(
    "\n",
  );

const onDisk = ({ workspace }: VsCode, path: string) => readFileSync(join(workspace, path), "utf8");

/** A file with these of the steps. */
const after = (content: string, path: string, ...numbers: number[]) =>
  steps.reduce((all, each, at) => {
    const isIt = each.path === path && numbers.includes(at + 1);
    return isIt ? all.replace(each.anchor, `${each.words}\n${each.anchor}`) : all;
  }, content);

/** What is answered after the steps: to the last of them, to the reason of a rejection, to the question at the end. */
const later = ["All three are done.", "I see, no comment there.", "Nothing is left to do."];

/** Works at the task step by step, the last of them once it is let go on, and answers whatever else it is asked. */
function atWork(held: ReturnType<typeof holdBefore>): (request: SeenRequest) => readonly Part[] {
  let done = 0;
  return ({ body }) => {
    const said = (body["input"] as unknown[]).filter(isObject).map(({ content }) => String(content));
    if (said.some((words) => words.includes(aside))) return [text("A list of lines.")];
    const next = steps[done];
    done += 1;
    if (next === undefined) return [text(later[done - steps.length - 1] ?? "")];
    const call = patchCall(patchOf(next), { callId: `call_${done}` });
    return done === steps.length ? [call, held] : [call];
  };
}

/** One of the steps, at this line of the text that its file would have. */
interface Change {
  readonly path: string;
  readonly words: string;
  readonly line: number;
}

interface Hand {
  ask(question: string): Promise<void>;
  begin(): Promise<void>;
  /** Writes at the end of the file that is open, in its last line, and saves. */
  type(words: string, line: number): Promise<void>;
  /** `wanted`: what is seen in it. */
  open(conversation: string, wanted: Locator): Promise<void>;
  accept(change: Change): Promise<void>;
  /** With the reason. */
  reject(change: Change): Promise<void>;
  acceptAll(): Promise<void>;
  undo(): Promise<void>;
}

/** Where it is, as the status bar says. */
const cursor = ({ page }: VsCode, line: number | string = "\\d+") =>
  page.locator(".statusbar").getByText(new RegExp(`^Ln ${line}, Col `));

/** What just took the focus may not take keys yet. */
const goToEnd = (vscode: VsCode, line: number) =>
  insist(() => vscode.page.keyboard.press("Control+End"), cursor(vscode, line));

function byMouse(vscode: VsCode): Hand {
  const { page, chat, composer } = vscode;
  return {
    async ask(question) {
      await composer.click();
      await composer.fill(question);
      await chat.getByRole("button", { name: "Send", exact: true }).click();
    },
    begin: () => vscode.command("Patchbay: New Conversation"),
    async type(words, line) {
      const editor = page.locator('.monaco-editor[data-uri$="src/cart.ts"]').first();
      await editor.getByText("export function receipt").click();
      await goToEnd(vscode, line);
      await page.keyboard.type(words);
      await vscode.save();
    },
    async open(conversation, wanted) {
      const tree = await showList(vscode, "Conversations");
      const item = tree.getByRole("treeitem").filter({ hasText: conversation });
      await insist(() => item.click(), wanted);
    },
    async accept({ words }) {
      const bar = chat.getByRole("region", { name: "Proposed changes" });
      await bar.locator("[data-armed]").getByRole("button", { name: "Review" }).click();
      const line = page.locator(".view-line", { hasText: words });
      const proposed = page.locator('.monaco-editor[data-uri^="patchbay-review"]').filter({ has: line });
      const thread = proposed.locator(".review-widget", { hasText: "Change 1 of 2" });
      await thread.getByRole("button", { name: "Accept", exact: true }).click();
    },
    async reject({ words }) {
      const tree = await showList(vscode, "Pending Changes");
      const box = page.locator(".quick-input-widget").getByRole("textbox");
      const row = tree.getByRole("treeitem").filter({ hasText: words });
      await chooseInMenu(() => row.click({ button: "right" }), "Reject with Feedback…", box);
      await box.fill(reason);
      await box.press("Enter");
    },
    async acceptAll() {
      const bar = chat.getByRole("region", { name: "Proposed changes" });
      await bar
        .locator("[data-armed]")
        .getByRole("button", { name: /^Accept( All)?$/ })
        .click();
    },
    async undo() {
      const group = (name: string) => vscode.transcript.getByRole("group", { name, exact: true });
      for (const done of [0, 1]) {
        const button = group("Accepted")
          .locator("[data-armed]")
          .getByRole("button", { name: "Undo", exact: true });
        await button.last().click();
        await group("Undone").nth(done).waitFor();
      }
    },
  };
}

async function walk(vscode: VsCode, sim: Simulator, hand: Hand, by: "mouse"): Promise<void> {
  const { page, transcript, statusItem } = vscode;
  const before = { cart: onDisk(vscode, "src/cart.ts"), discount: onDisk(vscode, "src/discount.ts") };
  const mine = `${before.cart}// mine`;
  const looks = (name: string) =>
    takePictures(vscode, ["light", "contrast", "dark"], (theme) => `long task ${name} ${by} ${theme}`);
  const held = holdBefore(3);
  const step = atWork(held);
  for (let request = 0; request < steps.length + 1 + later.length; request += 1) sim.replyWith(step);
  await vscode.openFile("src/cart.ts");
  await vscode.openChat();
  await vscode.setKey(sim.key);
  await vscode.chooseModel("svc-k3");

  await hand.ask(task);
  const second = transcript.getByText("// step 2").first();
  await second.waitFor();
  // It is at work on the third; the person too, in the file that it changes.
  await hand.type("// mine", before.cart.split("\n").length);
  assert.equal(onDisk(vscode, "src/cart.ts"), mine);
  await hand.begin();
  await second.waitFor({ state: "detached" });
  await hand.ask(aside);
  await transcript.getByText("A list of lines.").waitFor();
  await hand.open(task, second);
  await vscode.screenshot(`long task running ${by}`);
  held.release();
  await transcript.getByText("All three are done.").waitFor();
  await statusItem.getByText("Patchbay: review 3").waitFor();
  await vscode.screenshot(`long task done ${by}`);

  const lineOf = (content: string, words: string) => content.split("\n").indexOf(words) + 1;
  const cart = after(mine, "src/cart.ts", 1, 3);
  await hand.accept({ ...steps[0], line: lineOf(cart, steps[0].words) });
  await statusItem.getByText("Patchbay: review 2").waitFor();
  assert.equal(onDisk(vscode, "src/cart.ts"), after(mine, "src/cart.ts", 1));
  await looks("accepted");
  const discount = after(before.discount, "src/discount.ts", 2);
  await hand.reject({ ...steps[1], line: lineOf(discount, steps[1].words) });
  await statusItem.getByText("Patchbay: review 1").waitFor();
  assert.equal(onDisk(vscode, "src/discount.ts"), before.discount);
  // The model is told the reason at once; the window closes only after it has responded.
  await transcript.getByText("I see, no comment there.").waitFor();

  const address = page.url();
  page.once("dialog", (dialog) => void dialog.accept());
  await page.goto("about:blank");
  await page.goto(address);
  await statusItem.waitFor();
  await vscode.openChat();
  await transcript.getByText("All three are done.").waitFor();
  await statusItem.getByText("Patchbay: review 1").waitFor();
  // What stood open before shows what waits now.
  const left = page.locator('.monaco-editor[data-uri^="patchbay-review"] .view-line', {
    hasText: "// step 3",
  });
  await left.waitFor();
  // The review stood open: it shows what waits now.
  const line = page.locator(".view-line", { hasText: steps[2].words });
  await page.locator('.monaco-editor[data-uri^="patchbay-review"]').filter({ has: line }).first().waitFor();

  await hand.acceptAll();
  await statusItem.filter({ hasNotText: "review" }).waitFor();
  assert.equal(onDisk(vscode, "src/cart.ts"), after(mine, "src/cart.ts", 1, 3));
  assert.equal(onDisk(vscode, "src/discount.ts"), before.discount);
  await hand.ask("And now?");
  await transcript.getByText("Nothing is left to do.").waitFor();
  const told = JSON.stringify(sim.requests.at(-1)?.body["input"]);
  assert.match(told, /src\/cart\.ts\): all of it was accepted and is in the files/);
  assert.ok(
    told.includes(`was rejected by the user and is not in the files. The user said: ${reason}`),
    told,
  );

  await hand.undo();
  await transcript.getByRole("group", { name: "Undone" }).nth(1).waitFor();
  assert.equal(onDisk(vscode, "src/cart.ts"), mine, "what was typed stays");
  await vscode.screenshot(`long task undone ${by}`);
}

vscodeTest(
  "a long task can be accepted in part, rejected with a reason, resumed after a restart and undone by mouse",
  {},
  (vscode, sim) => walk(vscode, sim, byMouse(vscode), "mouse"),
);
