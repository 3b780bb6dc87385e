// The turns of a soak: what is asked, what the model does then, and what a person does about it in the real window. Each
// session has a file of its own, whose one line says which turn has written it last.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { drip } from "../sim/delivery-faults.ts";
import { isObject } from "../sim/json.ts";
import type { SeenRequest } from "../sim/request-log.ts";
import { call, type Part, patchCall, text } from "../sim/script.ts";

const steps = [
  "say",
  "read",
  "accept",
  "command",
  "rich",
  "search",
  "reject",
  "say",
  "accept",
  "compact",
] as const;
export type SoakStep = (typeof steps)[number];

export const stepOf = (number: number): SoakStep => steps[number % steps.length] ?? "say";

/** Where a conversation is shown. */
export interface Chat {
  readonly page: Page;
  readonly frame: FrameLocator;
  readonly session: number;
}

export const fileOf = (session: number): string => `mark-${session}.txt`;
export const firstText = "mark: none\n";

const rich =
  "## What it does\n\n1. *Adds* the lines.\n2. **Rounds** them.\n\n```ts\nexport const total = (lines: Line[]) => lines.reduce((sum, { cents }) => sum + cents, 0);\n```\n\n| Line | Cents |\n|---|---|\n| one | 120 |\n\n";

const isQuestion = /(say|read|accept|command|rich|search|reject) (\d+) of session (\d)/;

/** A model that does as it is told by the last question. What it changes it has read from the disk. `heard` gets what it was asked. */
export function soakService(
  workspace: () => string,
  heard: Set<string>,
): (request: SeenRequest) => readonly Part[] {
  let calls = 0;
  return ({ body }) => {
    const last = Array.isArray(body["input"]) ? body["input"].at(-1) : undefined;
    const asked = isObject(last) && last["type"] === "message" ? JSON.stringify(last["content"]) : "";
    const [question, step, , session = ""] = isQuestion.exec(asked) ?? [];
    if (question === undefined) return [text("Done.")];
    heard.add(question);
    const file = fileOf(Number(session));
    const callId = `call-${calls++}`;
    switch (step) {
      case "read":
        return [call("read_file", { path: file }, { callId })];
      case "search":
        return [call("search_text", { query: "mark" }, { callId })];
      case "command":
        return [call("run_command", { command: `echo 'mark: ${question}' > ${file}` }, { callId })];
      case "accept":
      case "reject": {
        const [before = ""] = readFileSync(join(workspace(), file), "utf8").split("\n");
        const patch = `*** Begin Patch\n*** Update File: ${file}\n@@\n-${before}\n+mark: ${question}\n*** End Patch\n`;
        return [patchCall(patch, { callId })];
      }
      default:
        return [
          text(`${step === "rich" ? rich : ""}${"One word after the other. ".repeat(12)}\n\nDone.`),
          drip(400, 5),
        ];
    }
  };
}

/** Keys go to what has the focus: one session after another sends and decides, while the others run. */
let before: Promise<unknown> = Promise.resolve();
function alone<T>(act: () => Promise<T>): Promise<T> {
  const mine = before.then(act);
  before = mine.catch(() => {});
  return mine;
}

export async function takeTurn(
  { page, frame, session }: Chat,
  step: SoakStep,
  number: number,
): Promise<void> {
  const composer = frame.getByRole("textbox", { name: "Ask about your code" });
  const button = (name: string | RegExp) => frame.getByRole("button", { name, exact: true });
  const question = `${step} ${number} of session ${session}`;
  const turns = frame.getByRole("log").getByRole("heading", { name: question });
  const send = (words: string) =>
    alone(async () => {
      await composer.fill(words);
      await composer.press("Enter");
      await composer.and(page.locator(":placeholder-shown")).waitFor();
    });
  const click = (target: Locator) => alone(() => target.click());
  const armed = frame.locator(".changes [data-armed]");
  if (step === "compact") {
    await alone(async () => {
      await composer.fill("/compact");
      await frame.getByRole("option", { name: "/compact" }).waitFor();
      // While it offers commands, the box is called a combination of box and list.
      await page.keyboard.press("Enter");
    });
    await click(button("Compact").first());
    await frame.getByText("Earlier messages are summarized above").last().waitFor();
    await button("Stop").waitFor({ state: "hidden" });
    return;
  }
  await send(question);
  await turns.first().waitFor();
  if (step === "command") {
    // Where this machine has a sandbox, it asks once for the folder.
    const allow = button("Allow");
    const changed = armed.getByRole("button", { name: /^Accept( All)?$/ });
    await allow.or(changed).first().waitFor();
    if (await allow.isVisible()) await click(allow);
  }
  await button("Stop").waitFor({ state: "hidden" });
  if (step === "accept" || step === "command")
    await click(armed.getByRole("button", { name: /^Accept( All)?$/ }));
  if (step === "reject") await click(armed.getByRole("button", { name: /^Reject( All)?$/ }));
  if (["accept", "command", "reject"].includes(step)) await armed.waitFor({ state: "detached" });
}
