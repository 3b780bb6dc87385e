// A question tried in three ways in the real editor, by models of different skill: quoted, asked, checked in turn, still
// there after a reload, and one of them taken, whose change is then accepted as any other.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SeenRequest } from "../sim/request-log.ts";
import { type Part, patchCall, text } from "../sim/script.ts";
import { tagsIn } from "../support/text-calls.ts";
import { bill, makeTypedProject, packageWith } from "./support/typed-project.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const project = (folder: string): void =>
  makeTypedProject(folder, "checked", {
    "package.json": packageWith({ typecheck: "tsc --noEmit -p ." }),
    "checked/bill.ts": bill,
  });

const lines = (sign: string, path: string, from: string, to: string) =>
  `*** Begin Patch\n*** Update File: ${path}\n@@\n-${from}\n+${to}\n${sign}`;
const end = "*** End Patch";
const head = "export function price(amount: number): number {";
const good = lines(
  end,
  "checked/price.ts",
  head,
  "export function price(amount: number, rate = 2): number {",
);
const breaking = lines(
  end,
  "checked/price.ts",
  head,
  "export function price(amount: number, rate: number): number {",
);

/** Whether the model has proposed something already. */
const isAnswered = ({ body }: SeenRequest): boolean =>
  JSON.stringify((body["input"] as unknown[] | undefined)?.at(-1) ?? "").includes("_output");

/** K3 knows what it does, K2.7 Code breaks the caller, and the third only talks. */
function play(request: SeenRequest): readonly Part[] {
  const { model } = request.body;
  const messages = JSON.stringify(request.body["messages"] ?? []);
  if (model === "svc-k3")
    return isAnswered(request)
      ? [text("The rate is 2 unless it is given.")]
      : [patchCall(good, { callId: "call_p" })];
  if (model !== "svc-k2.7-code") return [text("You could add a parameter.")];
  const isDone = messages.includes(
    `apply_patch_${tagsIn(request.body).mark}>\\n*** Begin Patch\\n*** Update File: checked`,
  );
  return [text(isDone ? "The rate is a parameter now." : tagsIn(request.body).patch(breaking))];
}

vscodeTest(
  "three models try a question, and the one that passes the checks is taken after a reload",
  {},
  async (vscode, sim) => {
    const { page, chat, composer, transcript } = vscode;
    project(vscode.workspace);
    await vscode.openChat();
    await vscode.setKey(sim.key);
    await vscode.command("Patchbay: Set Up Checks…");
    const picker = page.locator(".quick-input-widget");
    await picker.getByText("node node_modules/typescript/bin/tsc --noEmit -p .").waitFor();
    await picker.getByRole("button", { name: "OK" }).click();
    await page
      .getByText(/Checks are set up\./)
      .first()
      .waitFor();

    for (let at = 0; at < 6; at++) sim.replyWith(play);
    await composer.fill("Let the rate of price be given.");
    await chat.getByRole("button", { name: /^Model: / }).click();
    await chat.getByRole("menuitem", { name: /^Try 3 Ways/ }).click();
    const card = chat.getByRole("group", { name: /^Three tries/ });
    await card.getByRole("radio", { name: "Models" }).click();
    await card
      .getByRole("rowheader", { name: /K2\.7 Code/ })
      .first()
      .waitFor();
    assert.equal(sim.generated, 0, "nothing was sent for the quote");
    assert.equal(await composer.inputValue(), "");
    await vscode.screenshot("trial-quoted");
    await card.getByRole("button", { name: "Start" }).click();
    await card.getByRole("button", { name: /^Take This One: 1 / }).waitFor();
    await card.getByRole("button", { name: /^Take This One: 2 / }).waitFor();
    await card.getByRole("button", { name: /^Take This One: 3 / }).waitFor();
    await card.getByText("types ✓").first().waitFor();
    await vscode.screenshot("trial-ended");
    const read = () => readFileSync(join(vscode.workspace, "checked/price.ts"), "utf8");
    const before = read();

    await vscode.reload();
    await vscode.openChat();
    await card.getByRole("button", { name: /^Take This One: 1 / }).waitFor();
    await vscode.show("light");
    await vscode.screenshot("trial-after-reload");
    await card.getByRole("button", { name: /^Look: 1 / }).click();
    await page.getByRole("tab", { name: /^Changes of Try 1 · / }).waitFor();
    await page.getByText("rate = 2").first().waitFor();
    await vscode.screenshot("trial-look");
    await card.getByRole("button", { name: /^Take This One: 1 / }).click();
    await transcript.getByText("The rate is 2 unless it is given.").waitFor();
    await card.waitFor({ state: "detached" });
    assert.equal(read(), before, "a person decides about its changes");
    await vscode.screenshot("trial-taken");
    await vscode.command("Patchbay: Accept All Changes");
    await transcript.getByText("Accepted").first().waitFor();
    assert.match(read(), /rate = 2/);
  },
);
