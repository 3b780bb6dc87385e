// The first minute of a new user, counted: from a fresh profile to the first applied patch in five interactions, whether by
// keyboard alone or by mouse, and three more where the folder has to be trusted first. A click, a key chord, a button that is
// walked to and pressed, and a field that is filled in and sent count one each; nothing is focused that isn't counted. And
// how much the palette holds then, in the state that most people are in most of the time.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { patchCall, text } from "../sim/script.ts";
import type { Simulator } from "../sim/simulator.ts";
import { type Options, openVsCode } from "./support/open-vscode.ts";
import type { VsCode } from "./support/vscode.ts";

const patch = `*** Begin Patch
*** Update File: src/discount.ts
@@
-  if (line.quantity > bulkQuantity) {
+  if (line.quantity >= bulkQuantity) {
*** End Patch
`;
const question = "Fix the bug in src/discount.ts";
const fresh = { extension: "packed", settings: { "patchbay.baseUrl": "" } } as const;

/** In a window of its own: the chat shows itself once for each profile. */
const inFreshProfile = (
  name: string,
  options: Pick<Options, "trusted">,
  body: (vscode: VsCode, sim: Simulator) => Promise<void>,
) =>
  test(name, async (context) => {
    const { vscode, sim } = await openVsCode({ ...fresh, ...options }, (close) => context.after(close));
    await body(vscode, sim);
  });

type Interact = (what: string, act: () => Promise<void>) => Promise<void>;

/** What each does goes by itself into what has the focus, so that an interaction nobody counted would be missed. */
function firstMinute({ page, chat, composer, transcript, workspace }: VsCode, sim: Simulator) {
  const counted: string[] = [];
  const interact: Interact = async (what, act) => {
    counted.push(what);
    await act();
  };
  const fill = async (words: string) => {
    await page.keyboard.insertText(words);
    await page.keyboard.press("Enter");
  };
  const file = join(workspace, "src/discount.ts");
  const before = readFileSync(file, "utf8");
  const acceptAll = chat.locator("[data-armed]").getByRole("button", { name: "Accept All" });
  return {
    counted,
    interact,
    acceptAll,
    async fromQuestionToProposal() {
      await chat.locator("textarea:focus").waitFor();
      await interact("ask", () => fill(question));
      await page.getByText("Service URL. Stored in your user settings").waitFor();
      await interact("enter the URL", () => fill(sim.url));
      await page.locator('.quick-input-widget input[type="password"]:focus').waitFor();
      await interact("enter the key", () => fill(sim.key));
      await chat.locator("textarea:focus").waitFor();
      assert.equal(await composer.inputValue(), question, "the draft is kept");
      sim.reply(patchCall(patch));
      sim.reply(text("Fixed."));
      await interact("send", () => page.keyboard.press("Enter"));
      await transcript.getByText("Fixed.").waitFor();
      await acceptAll.waitFor();
    },
    async untilApplied() {
      await transcript.getByRole("group", { name: "Accepted" }).waitFor();
      assert.notEqual(readFileSync(file, "utf8"), before);
    },
  };
}

inFreshProfile(
  "from a fresh profile to the first applied patch it takes five interactions; the palette holds 45 commands at most",
  {},
  async (vscode, sim) => {
    const { page } = vscode;
    const { counted, interact, acceptAll, fromQuestionToProposal, untilApplied } = firstMinute(vscode, sim);
    await fromQuestionToProposal();
    await interact("accept", () => acceptAll.click());
    await untilApplied();
    assert.ok(counted.length <= 5, counted.join(", "));

    await vscode.openFile("src/cart.ts");
    await page.keyboard.press("F1");
    await page.locator('.quick-input-widget input[type="text"]').fill(">Patchbay: ");
    const rows = page.locator(".quick-input-widget .monaco-list-row");
    await rows.filter({ hasText: "Patchbay: " }).first().waitFor();
    const count = Number(await rows.first().getAttribute("aria-setsize"));
    assert.ok(count > 20 && count <= 45, `${count} commands`);
    await page.keyboard.press("Escape");
  },
);

inFreshProfile("by keyboard alone it takes five interactions too", {}, async (vscode, sim) => {
  const { page, chat } = vscode;
  const { counted, interact, fromQuestionToProposal, untilApplied } = firstMinute(vscode, sim);
  await fromQuestionToProposal();
  await interact("walk to Accept All", async () => {
    const isThere = chat.locator("[data-armed] button:focus", { hasText: "Accept All" });
    for (let steps = 0; steps < 8 && (await isThere.count()) === 0; steps++)
      await page.keyboard.press("Shift+Tab");
    await isThere.waitFor();
    await page.keyboard.press("Enter");
  });
  await untilApplied();
  assert.ok(counted.length <= 5, counted.join(", "));
});

inFreshProfile(
  "in Restricted Mode it takes three more: the folder is trusted, and one comes back to the chat",
  { trusted: false },
  async (vscode, sim) => {
    const { page, composer } = vscode;
    const { counted, interact, acceptAll, fromQuestionToProposal, untilApplied } = firstMinute(vscode, sim);
    await composer.waitFor();
    await interact("manage", () => page.locator(".monaco-link", { hasText: "Manage" }).click());
    const trust = page.locator(".workspace-trust-editor").getByRole("button", { name: "Trust", exact: true });
    await interact("trust", () => trust.click());
    await interact("back to the chat", () => composer.click());
    await fromQuestionToProposal();
    await interact("accept", () => acceptAll.click());
    await untilApplied();
    assert.ok(counted.length <= 8, counted.join(", "));
  },
);
