// Turns that ended otherwise than well, or do not come to their end.
import type { Turn } from "../../../../src/core/conversation/state.ts";
import { turn } from "./sample-turn.ts";

export const endings = {
  incomplete: turn("incomplete", {
    prompt: "Explain all of it.",
    status: "incomplete",
    reason: "max_output_tokens",
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
      message: "The service answered 502 three times.",
      actions: ["retry", "open-log"],
      detail: "upstream closed",
      requestId: "req_7f3a",
    },
  }),
  badKey: turn("badKey", {
    prompt: "Try again",
    parts: [],
    status: "failed",
    problem: {
      kind: "auth",
      message: "The service did not accept the API key.",
      actions: ["set-key"],
      status: 401,
    },
  }),
  tooLarge: turn("large", {
    prompt: "Read all of it.",
    attachments: [
      { kind: "file", label: "src/small.ts", path: "src/small.ts", bytes: 900 },
      { kind: "file", label: "src/generated.ts", path: "src/generated.ts", bytes: 421_900 },
    ],
    parts: [],
    status: "failed",
    problem: {
      kind: "too-large",
      message: "The service found the request too large (413).",
      actions: ["remove-attachments", "choose-model"],
    },
  }),
  refused: turn("refused", {
    prompt: "Write malware.",
    parts: [{ type: "refusal", id: "f", text: "I can't help with that." }],
  }),
  waiting: turn("waiting", {
    prompt: "Once more",
    parts: [],
    status: "running",
    waiting: { until: Date.UTC(2099, 0, 1), reason: "The service is busy." },
  }),
} as const satisfies Readonly<Record<string, Turn>>;
