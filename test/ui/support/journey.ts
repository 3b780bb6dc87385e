// A journey that never ends: questions, answers that stream, tools, patches that are applied, answers that are stopped,
// names, branches. Each step says when it has done what matters, and what it was promised by what was shown.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { drip } from "../../sim/delivery-faults.ts";
import { isObject } from "../../sim/json.ts";
import type { SeenRequest } from "../../sim/request-log.ts";
import { call, type Part, patchCall, text } from "../../sim/script.ts";
import type { VsCode } from "./vscode.ts";

export const stepNames = ["say", "say", "stop", "read", "patch", "patch", "rename", "branch"] as const;
export type StepName = (typeof stepNames)[number];

export interface Promises {
  /** Questions that were sent by the person. */
  readonly sent: Set<string>;
  /** Of which the service knows. */
  readonly heard: Set<string>;
  /** Whose answer was shown as ended. */
  readonly answered: Set<string>;
  /** Lines that were shown as written. */
  readonly applied: Set<string>;
  /** The last name that was shown, and those that were given after it: one of them the conversation has. */
  names: string[];
}

export const noPromises = (): Promises => ({
  ...{ sent: new Set(), heard: new Set(), answered: new Set(), applied: new Set(), names: [] },
});

export const file = "list.txt";
export const answerTo = (question: string): string =>
  `Answer to ${question}: ${"one word after the other, ".repeat(12)}end of ${question}.`;

const patchOf = (question: string) =>
  `*** Begin Patch\n*** Update File: ${file}\n@@\n first\n+${question}\n*** End Patch\n`;

/** A model that does as it is told by the last question, and remembers which it was told. */
export function obedient(promises: Promises): (request: SeenRequest) => readonly Part[] {
  let calls = 0;
  return ({ body }) => {
    const last = (body["input"] as unknown[]).at(-1);
    const question = isObject(last) && last["type"] === "message" ? String(last["content"]) : "";
    const [asked = "", what = ""] = /(say|stop|read|patch) \d+(?=$|\n)/.exec(question) ?? [];
    if (asked === "") return [text("Done.")];
    promises.heard.add(asked);
    calls += 1;
    if (what === "patch") return [patchCall(patchOf(asked), { callId: `call-${calls}` })];
    if (what === "read") return [call("read_file", { path: file }, { callId: `call-${calls}` })];
    return [text(answerTo(asked)), drip(250, 25)];
  };
}

export interface Moment {
  /** What matters has been done: from here on everything may end. */
  reached(): void;
  /** The window is dead: what is seen from now on was promised by another one. */
  isOver: boolean;
}

/** Rejects, some time, where the window does not answer any more. */
export async function takeStep(
  vscode: VsCode,
  { name, number }: { readonly name: StepName; readonly number: number },
  promises: Promises,
  moment: Moment,
): Promise<void> {
  const { chat, transcript, page, composer } = vscode;
  const question = `${name} ${number}`;
  const stop = chat.getByRole("button", { name: "Stop", exact: true });
  const send = async () => {
    await composer.fill(question);
    await composer.press("Enter");
    // It may leave the box once it is on the disk.
    await composer.and(page.locator(":placeholder-shown")).waitFor();
    if (!moment.isOver) promises.sent.add(question);
  };
  /** Not in the window after this one: it shows the same buttons. */
  const click = async (button: Locator) => {
    await button.waitFor();
    if (moment.isOver) throw new Error("The window is gone.");
    await button.click();
  };
  const ended = async (words: string) => {
    await transcript.getByText(words).last().waitFor();
    await stop.waitFor({ state: "hidden" });
    if (!moment.isOver) promises.answered.add(question);
  };
  switch (name) {
    case "say":
      await send();
      moment.reached();
      return ended(`end of ${question}.`);
    case "stop":
      await send();
      await transcript.getByText(`Answer to ${question}`).waitFor();
      moment.reached();
      return click(stop);
    case "read":
      await send();
      moment.reached();
      return ended("Done.");
    case "patch": {
      await send();
      if (number % 3 === 0) moment.reached();
      await ended("Done.");
      await click(chat.locator(".changes [data-armed]").getByRole("button", { name: /^Accept( All)?$/ }));
      moment.reached();
      await transcript.getByRole("group", { name: "Accepted" }).last().waitFor();
      if (!moment.isOver && readFileSync(join(vscode.workspace, file), "utf8").includes(question))
        promises.applied.add(question);
      return;
    }
    case "rename": {
      await vscode.command("Patchbay: Rename Conversation…");
      const box = page.locator(".quick-input-widget").getByRole("textbox");
      const open = page.getByRole("option", { name: /\bopen$/ });
      await open.click();
      // The box for the name takes the place of the list.
      await open.waitFor({ state: "detached" });
      await box.fill(question);
      if (promises.names.length > 0) promises.names.push(question);
      await box.press("Enter");
      moment.reached();
      await chat.getByText(question, { exact: true }).first().waitFor();
      if (!moment.isOver) promises.names = [question];
      return;
    }
    case "branch":
      await vscode.command("Patchbay: Branch Conversation Here");
      return moment.reached();
    default:
      name satisfies never;
  }
}
