// What is asked on a long day, and how the service answers: tools, patches, stops, what waits behind an answer, attachments,
// and all that a service does wrong. Each question says by its first word what is to come of it.

import { cutAfterEvents, drip, insertBefore } from "../../sim/delivery-faults.ts";
import { status } from "../../sim/http-answers.ts";
import { isObject } from "../../sim/json.ts";
import type { SeenRequest } from "../../sim/request-log.ts";
import { call, type Part, patchCall, text } from "../../sim/script.ts";

/** The steps of one life of the host, each a turn. */
export const daily = [
  "say",
  "read",
  "apply",
  "cut",
  "rich",
  "stop",
  "follow",
  "attach",
  "busy",
  "undo",
  "search",
  "broken",
  "reject",
  "say",
  "error",
  "apply",
  "list",
  "stop",
  "rich",
  "undo",
] as const;
/** `silent` takes as long as the client waits, and stands in few places. */
export type Step = (typeof daily)[number] | "silent";

export const patched = "list.txt";
export const attached = "notes.txt";

const isQuestion =
  /(say|read|apply|cut|rich|stop|follow|attach|busy|undo|search|broken|reject|error|list|silent) [\d.]+/;
const words = "one word after the other, ".repeat(12);
const code =
  "```ts\nexport const total = (lines: Line[]) => lines.reduce((sum, { cents }) => sum + cents, 0);\n```";
const rich = `## What it does\n\n1. *Adds* the lines.\n2. **Rounds** them, see [the notes](https://example.test/).\n\n${code}\n\n| Line | Cents |\n|---|---|\n| one | 120 |\n| two | 80 |\n\n> That is $a + b$.\n`;

const patchOf = (question: string) =>
  `*** Begin Patch\n*** Update File: ${patched}\n@@\n first\n+${question}\n*** End Patch\n`;

/** One in three never gets an answer. */
const failsForGood = (question: string): boolean => Number(question.split(" ")[1]) % 3 === 0;

/** A service that does as the last question says. `heard` is given each one once. */
export function dailyService(heard: Set<string>): (request: SeenRequest) => readonly Part[] {
  let calls = 0;
  return ({ body }) => {
    const last = (body["input"] as unknown[]).at(-1);
    const asked = isObject(last) && last["type"] === "message" ? JSON.stringify(last["content"]) : "";
    const [question = "", step = ""] = isQuestion.exec(asked) ?? [];
    if (question === "") return [text("Done.")];
    const isFirst = !heard.has(question);
    heard.add(question);
    calls += 1;
    return answerTo(question, step as Step, { isFirst, callId: `call-${calls}` });
  };
}

function answerTo(
  question: string,
  step: Step,
  { isFirst, callId }: { readonly isFirst: boolean; readonly callId: string },
): readonly Part[] {
  const answer = text(`Answer to ${question}: ${words}end of ${question}.`);
  switch (step) {
    case "say":
    case "attach":
      return [answer, drip(1500, 1)];
    case "rich":
      return [text(`${rich}\nend of ${question}.`), drip(700, 1)];
    case "read":
      return [call("read_file", { path: attached }, { callId })];
    case "search":
      return [call("search_text", { query: "first" }, { callId })];
    case "list":
      return [call("list_files", {}, { callId })];
    case "apply":
    case "undo":
    case "reject":
      return [patchCall(patchOf(question), { callId })];
    case "follow":
      return [answer, drip(1500, 8)];
    case "cut":
      return [answer, cutAfterEvents(6)];
    case "broken":
      return [answer, insertBefore(5, 'data: {"type": response.output_te\n\n')];
    case "stop":
    case "silent":
      return [answer, cutAfterEvents(6, "hang")];
    case "busy":
      return isFirst ? [status(429, { retryAfterMs: 5 })] : [answer];
    case "error":
      return isFirst || failsForGood(question) ? [status(500, { retryAfterMs: 5 })] : [answer];
  }
}
