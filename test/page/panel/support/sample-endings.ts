// Turns that ended otherwise than well, or do not come to their end.

import { message } from "../../../../src/conversation/messages.ts";
import type { Turn } from "../../../../src/conversation/state.ts";
import { toProblem } from "../../../../src/service/internal/fault-to-problem.ts";
import type { Reply } from "../../../../src/service/reply.ts";
import { withRecoveryActions } from "../../../../src/session/internal/recovery-actions.ts";
import { toEnded } from "../../../../src/session/internal/reply-events.ts";
import { present } from "../../../../src/util/present.ts";
import { verbatim } from "../../../support/english.ts";
import { at, turn } from "./sample-turn.ts";

/** As the core ends a turn with such a reply. */
function endingOf(
  reply: Pick<Reply, "status" | "reason" | "problem">,
  attachments: Turn["attachments"] = [],
): Pick<Turn, "status" | "reason" | "problem"> {
  const whole: Reply = { text: "", items: [], calls: [], runnable: [], requests: 1, ...reply };
  const request = { model: "svc-k3", prompt: "?", form: "whole" as const, attachments };
  const { ending, reason, problem } = withRecoveryActions(toEnded("", whole, at), request, []);
  return present({ status: ending, reason, problem });
}

const refused = (status: number, message: string) =>
  toProblem(
    { at: "status", status, words: { message }, headers: () => undefined, sentBytes: 423_900 },
    { host: "api.test", mask: (text) => text, visible: false },
  );

const large: Turn["attachments"] = [
  { kind: "file", label: "src/small.ts", path: "src/small.ts", bytes: 900 },
  { kind: "file", label: "src/generated.ts", path: "src/generated.ts", bytes: 421_900 },
];

export const endings = {
  incomplete: turn("incomplete", {
    prompt: "Explain all of it.",
    ...endingOf({ status: "incomplete", reason: "max_output_tokens" }),
    parts: [{ type: "text", id: "t", text: "It begins with the first line, and then" }],
  }),
  stopped: turn("stopped", { prompt: "And in Python?", status: "stopped", route: "chat", model: "svc-k2.6" }),
  interrupted: turn("interrupted", {
    prompt: "And in Rust?",
    status: "interrupted",
    parts: [{ type: "text", id: "t", text: "In Rust you would write" }],
  }),
  failed: turn("failed", {
    prompt: "Try again",
    parts: [],
    status: "failed",
    problem: {
      kind: "server",
      message: verbatim("The service answered 502 three times."),
      actions: ["retry", "open-log"],
      detail: "upstream closed",
      requestId: "req_7f3a",
    },
  }),
  offline: turn("offline", {
    prompt: "Try again",
    parts: [],
    status: "failed",
    problem: { kind: "network", message: message("problemOffline"), actions: ["retry"] },
  }),
  badKey: turn("badKey", {
    prompt: "Try again",
    parts: [],
    status: "failed",
    problem: {
      kind: "auth",
      message: verbatim("The service did not accept the API key."),
      actions: ["set-key"],
      status: 401,
    },
  }),
  filtered: turn("filtered", {
    prompt: "And the rest of it?",
    ...endingOf({ status: "incomplete", reason: "content_filter" }),
    parts: [{ type: "text", id: "t", text: "The rest of it is" }],
  }),
  tooLarge: turn("large", {
    prompt: "Read all of it.",
    attachments: large,
    parts: [],
    ...endingOf({ status: "failed", problem: refused(413, "Too long.") }, large),
  }),
  modelGone: turn("modelGone", {
    prompt: "Are you there?",
    parts: [],
    ...endingOf({ status: "failed", problem: refused(404, "No such model.") }),
  }),
  unread: turn("unread", {
    prompt: "Take a picture of it.",
    parts: [
      { type: "reasoning", id: "r", text: "" },
      {
        type: "other",
        id: "o",
        kind: "foo_call",
        bytes: 1_234,
        json: '{\n  "type": "foo_call",\n  "note": "<img src=x>"\n}',
      },
    ],
    usage: [{ input: 10, output: 99, reasoning: 99 }],
  }),
  refused: turn("refused", {
    prompt: "Write malware.",
    parts: [{ type: "refusal", id: "f", text: "I can't help with that." }],
  }),
  waiting: turn("waiting", {
    prompt: "Once more",
    parts: [],
    status: "running",
    waiting: { until: Date.UTC(2099, 0, 1), reason: verbatim("The service is busy.") },
  }),
} as const satisfies Readonly<Record<string, Turn>>;
