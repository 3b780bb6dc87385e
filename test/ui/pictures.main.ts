// `npm run pictures`: takes the README's pictures in the real VS Code, from the packed extension, answered by the
// simulator's built-in assistant. They are small on purpose: whoever clones the repository loads them.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { patchCall, text } from "../sim/script.ts";
import { createFilm, type Film } from "./support/film.ts";
import { ledgerSettings } from "./support/ledger-settings.ts";
import { openVsCode } from "./support/open-vscode.ts";
import { breakingProposal, pricedProject, setUpTypes } from "./support/priced-project.ts";
import { smallPng } from "./support/small-png.ts";
import { showList } from "./support/tree.ts";
import type { VsCode } from "./support/vscode.ts";
import { openVscodeChat, vscodeChatSettings } from "./support/vscode-chat.ts";

const folder = "media/pictures";
const maxBytes = 100 * 1024;
const maxFilmBytes = 1.5 * 1024 * 1024;
const maxFilmSeconds = 15;

const closers: (() => Promise<void>)[] = [];
try {
  mkdirSync(folder, { recursive: true });
  await showOurPanel();
  await showInTheEditor();
  await showEvidence();
  await showVscodeChat();
  await showStory();
} finally {
  for (const close of closers.reverse()) await close();
}

async function open(settings: Readonly<Record<string, unknown>>) {
  const always = {
    ...ledgerSettings,
    "editor.minimap.enabled": false,
    "workbench.layoutControl.enabled": false,
  };
  const opened = await openVsCode(
    { extension: "packed", assistant: true, settings: { ...always, ...settings } },
    (close) => closers.push(close),
  );
  await opened.vscode.show("dark");
  return opened;
}

async function showOurPanel(): Promise<void> {
  const { vscode, sim } = await open({});
  const { page, chat, transcript, composer } = vscode;
  await vscode.openChat();
  await vscode.setKey(sim.key);
  await vscode.openFile("src/discount.ts");
  await page.keyboard.press("Control+B");
  await vscode.resizePanel(520);

  await vscode.ask("Fix the bug in src/discount.ts");
  const proposed = transcript.getByRole("group", { name: "Proposed", exact: true });
  await proposed.locator("[data-armed]").waitFor();
  // The same change in the review beside it.
  await vscode.command("Patchbay: Review All Changes");
  await page.getByRole("tab", { name: /\d proposed changes?\b.* \(\d/ }).waitFor();
  await page.locator(".view-line").getByText("bulkQuantity").first().waitFor();
  await page.locator(".review-widget").getByText("Accept").first().waitFor();
  await page.mouse.move(0, 0);
  await picture(vscode, "patch");
  await vscode.command("View: Close Editor");
  await transcript.getByText("changed as asked.").waitFor();
  await chat.locator(".changes").getByRole("button", { name: "Accept", exact: true }).click();
  await transcript.getByRole("group", { name: "Accepted" }).waitFor();

  await vscode.save();
  await vscode.openFile("src/cart.ts");
  await vscode.show("light");
  await vscode.command("Patchbay: New Conversation");
  await chat.getByText("Type @ to add context").waitFor();
  await vscode.ask("Explain src/cart.ts");
  await transcript.getByText("The heart of it is").waitFor();
  await vscode.statusItem.getByText("out").waitFor();
  await picture(vscode, "explain");

  // Where every token went: the list of usage beside the request that would go next.
  await vscode.show("dark");
  await vscode.ask("Which function rounds?");
  await transcript.getByRole("heading", { name: "Which function rounds?" }).waitFor();
  await chat.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
  await composer.fill("And where is the total used?");
  await vscode.statusItem.getByText("≈").waitFor();
  await vscode.command("Patchbay: Show Next Request");
  await page.getByRole("tab", { name: "Next request" }).waitFor();
  const tree = await showList(vscode, "Usage");
  await vscode.command("View: Toggle Secondary Side Bar Visibility");
  await widenSideBar(520);
  const row = (name: RegExp) => tree.getByRole("treeitem", { name });
  await row(/^Explain/)
    .last()
    .click();
  await row(/^Request 1/)
    .last()
    .click();
  await row(/Receipt: recorded/)
    .last()
    .waitFor();
  await page.mouse.move(0, 0);
  await picture(vscode, "ledger");

  async function widenSideBar(width: number): Promise<void> {
    const box = await page.locator(".part.sidebar").boundingBox();
    if (box === null) throw new Error("The side bar is not there.");
    const [x, y] = [box.x + box.width + 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(box.x + width, y, { steps: 5 });
    await page.mouse.up();
  }
}

/** Where the code stands: an edit that was asked for there, and what a review has found. */
async function showInTheEditor(): Promise<void> {
  const { vscode, sim } = await open({});
  const { page } = vscode;
  const { keyboard } = page;
  const thread = page.locator(".review-widget");
  await vscode.openChat();
  await vscode.setKey(sim.key);
  await vscode.command("View: Toggle Secondary Side Bar Visibility");
  const editor = await vscode.openFile("src/discount.ts");
  await page.keyboard.press("Control+B");
  await editor.getByText("export function bulkDiscount").click();
  await keyboard.press("Home");
  for (const _ of Array(5)) await keyboard.press("Shift+ArrowDown");
  await keyboard.press("Control+K");
  await keyboard.press("Control+E");
  await thread.locator(".monaco-editor.focused").first().waitFor();
  sim.reply(
    patchCall(
      `*** Begin Patch
*** Update File: src/discount.ts
@@
-  if (line.quantity > bulkQuantity) {
+  if (line.quantity >= bulkQuantity) {
*** End Patch
`,
    ),
  );
  sim.reply(text("Ten of one article now count as ten or more."));
  await keyboard.type("Ten should count, too");
  await keyboard.press("Control+Enter");
  const diff = page.locator('.monaco-editor[data-uri^="patchbay-review"]');
  await diff.getByText("line.quantity >= bulkQuantity").first().waitFor();
  await thread.getByRole("button", { name: "Accept", exact: true }).first().waitFor();
  await vscode.command("Notifications: Clear All Notifications");
  await page.mouse.move(0, 0);
  await picture(vscode, "edit");
  await vscode.command("Patchbay: Accept All Changes");
  await thread.waitFor({ state: "detached" });
  await vscode.save();

  const lines = readFileSync(join(vscode.workspace, "src/price.ts"), "utf8").split("\n");
  const at = lines.findIndex((line) => line.includes("parseFloat"));
  const found = {
    ...{ file: "src/price.ts", line: at + 1, lastLine: at + 1, severity: "warning", code: lines[at] },
    title: "Thousands are lost",
    reason: "“1,299.00” is read as 1: parseFloat stops at the comma.",
    suggestion: "Remove the commas before parsing.",
  };
  await vscode.openFile("src/price.ts");
  sim.reply(text(`\`\`\`json\n${JSON.stringify([found])}\n\`\`\``));
  await vscode.command("Patchbay: Review…");
  await page.locator(".quick-input-widget").getByText("This File").click();
  await thread.filter({ hasText: "parseFloat stops at the comma" }).first().waitFor();
  await page.locator(".notification-toast").getByRole("button", { name: "Show Findings" }).click();
  const pending = await showList(vscode, "Findings");
  await pending.getByRole("treeitem").first().waitFor();
  await vscode.command("Notifications: Clear All Notifications");
  await vscode.show("light");
  await page.mouse.move(0, 0);
  await picture(vscode, "findings");
}

/** A claim that the checks contradict, and which of the changes breaks them. */
async function showEvidence(): Promise<void> {
  const { vscode, sim } = await open({});
  const { page, chat } = vscode;
  await vscode.openChat();
  await vscode.setKey(sim.key);
  pricedProject(vscode.workspace);
  await setUpTypes(vscode);
  await vscode.resizePanel(440);
  sim.reply(patchCall(breakingProposal));
  const claim = "Each price is for four pieces now, and price() takes a rate. All types check.";
  for (let round = 0; round < 2; round++) sim.reply(text(claim));
  await vscode.ask("Four pieces each, please, with a rate.", "svc-k3");
  const row = chat.getByRole("group", { name: "What breaks", exact: true });
  await row.getByRole("button", { name: "Find What Breaks" }).press("Enter");
  await row.getByRole("button", { name: /^Breaks types: price\.ts:1$/ }).waitFor();
  await showList(vscode, "Pending Changes");
  await vscode.openFile("priced/price.ts");
  await vscode.command("Notifications: Clear All Notifications");
  await page.mouse.move(0, 0);
  await picture(vscode, "evidence");
}

/** VS Code's own chat: an answer of our model with what it thought, and its edit beside it. */
async function showVscodeChat(): Promise<void> {
  const { vscode, sim } = await open(vscodeChatSettings);
  const { page } = vscode;
  const chat = await openVscodeChat(vscode, sim);
  await vscode.openFile("src/discount.ts");
  await page.keyboard.press("Control+B");
  await vscode.resizePanel(470);
  await page.getByRole("button", { name: "Dismiss notification" }).first().click();
  await chat.ask("Fix the bug in src/discount.ts");
  await chat.ended("Done. Line 8 compares with >=");
  await chat.showThought("Reading the request");
  await chat.edits.getByText("1 file changed").waitFor();
  await page.mouse.move(0, 0);
  await picture(vscode, "vscode-chat");
}

/** The headline: a question, its proposal, the check that fails, what breaks it, and what is accepted. */
async function showStory(): Promise<void> {
  const { vscode, sim } = await open({});
  const { page, chat, composer } = vscode;
  await vscode.openChat();
  await vscode.setKey(sim.key);
  pricedProject(vscode.workspace);
  await setUpTypes(vscode);
  await vscode.openFile("priced/price.ts");
  await page.keyboard.press("Control+B");
  await vscode.resizePanel(520);
  await vscode.command("Notifications: Clear All Notifications");
  sim.reply(patchCall(breakingProposal));
  const claim = "Each price is for four pieces now, and price() takes a rate. All types check.";
  for (let round = 0; round < 2; round++) sim.reply(text(claim));
  const film = createFilm(page);
  await page.mouse.move(0, 0);
  await film.take(600);
  for (const piece of ["Four pieces ", "each, please, ", "with a rate."]) {
    await composer.pressSequentially(piece);
    await film.take(300);
  }
  const bar = chat.locator(".changes");
  const find = bar.getByRole("button", { name: "Find What Breaks" });
  await composer.press("Enter");
  await film.during(find.waitFor());
  await film.take(1_800);
  await find.press("Enter");
  await film.during(bar.getByRole("button", { name: /^Breaks types: price\.ts:1$/ }).waitFor());
  const accept = bar.getByRole("button", { name: "Accept 6 That Pass" });
  const breaks = bar.getByRole("group", { name: "What breaks", exact: true });
  await breaks.locator("[data-armed]").first().waitFor();
  await accept.hover();
  await film.take(2_200);
  await accept.click();
  await page.mouse.move(0, 0);
  await film.during(accept.waitFor({ state: "hidden" }));
  await film.take(2_500);
  keep(film);
}

function keep(film: Film): void {
  const path = join(folder, "story.png");
  const { bytes, seconds } = film.develop();
  writeFileSync(path, bytes);
  console.log(`${path}  ${(bytes.length / 1024).toFixed(0)} KB, ${seconds.toFixed(1)} s`);
  if (bytes.length > maxFilmBytes || seconds > maxFilmSeconds)
    throw new Error(`${path} is larger than ${maxFilmBytes / 1024} KB, or longer than ${maxFilmSeconds} s.`);
}

async function picture({ page }: VsCode, name: string): Promise<void> {
  const path = join(folder, `${name}.png`);
  const bytes = smallPng(await page.screenshot());
  writeFileSync(path, bytes);
  console.log(`${path}  ${(bytes.length / 1024).toFixed(0)} KB`);
  if (bytes.length > maxBytes) throw new Error(`${path} is larger than ${maxBytes / 1024} KB.`);
}
