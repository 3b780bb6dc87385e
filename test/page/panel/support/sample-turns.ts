// Turns in every state a turn can be in, for tests that must see them all.

import type { Message } from "../../../../src/conversation/messages.ts";
import type { Turn } from "../../../../src/conversation/state.ts";
import { verbatim } from "../../../support/english.ts";
import { endings } from "./sample-endings.ts";
import { at, turn } from "./sample-turn.ts";

const usage = {
  input: 48_212,
  cached: 40_090,
  cacheWrite: 6_020,
  output: 1_187,
  reasoning: 912,
  total: 49_399,
};

const hunk = {
  id: "h1",
  status: "pending",
  line: 12,
  added: 2,
  removed: 1,
  diff: " export function parse(line: string) {\n-  return line.split(':')\n+  const at = line.indexOf(':');\n+  return at < 0 ? undefined : line.slice(at)\n }",
} as const;

type Patch = Extract<Turn["parts"][number], { type: "patch" }>;

/** One file, with a hunk for each fate. */
function patch(
  status: Patch["status"],
  path: string,
  statuses: readonly Patch["files"][number]["hunks"][number]["status"][],
  problem?: Message,
): Patch {
  const hunks = statuses.map((status, at) => ({
    ...hunk,
    id: `${path}#${at}`,
    line: 12 + 30 * at,
    status: status,
  }));
  const file = {
    path,
    change: "update" as const,
    added: 2 * statuses.length,
    removed: statuses.length,
    hunks,
  };
  const files = [{ ...file, ...(problem !== undefined && { problem }) }];
  return { type: "patch", id: path, call: path, status, files };
}

/** Every state, named; the order is that of a conversation in which everything goes wrong. */
export const samples = {
  whole: turn("whole", {
    prompt: "What does parse() do, and why does it return undefined for an empty line?",
    attachments: [
      {
        kind: "selection",
        label: "src/parse.ts, lines 3–9",
        path: "src/parse.ts",
        start: 3,
        end: 9,
        bytes: 412,
        tokens: 131,
      },
      { kind: "file", label: "src/field.ts", path: "src/field.ts", bytes: 2_412, tokens: 812, exact: true },
      { kind: "image", label: "screenshot.png", bytes: 48_211 },
      { kind: "file", label: ".env", bytes: 0, notes: [verbatim("It holds secrets and was not sent.")] },
    ],
    parts: [
      {
        type: "reasoning",
        id: "r",
        text: "**Reading the parser**\n\nThe function looks for the first colon.\n\n**Looking at empty lines**\n\nAn empty line has no colon, so indexOf answers −1.",
      },
      {
        type: "search",
        id: "s",
        status: "completed",
        query: "header field separator empty line",
        sources: [
          { url: "https://www.rfc-editor.org/rfc/rfc5322", title: "RFC 5322: Internet Message Format" },
          { url: "javascript:alert(1)", title: "Not a page" },
        ],
      },
      {
        type: "text",
        id: "t",
        text: "parse() splits a line at its first colon.\n\nFor an empty line there is no colon, so it returns undefined. That is the field separator of the format.",
      },
    ],
    usage: [usage],
    receipts: [
      {
        operation: "responses",
        nonce: "n",
        timestamp: "1",
        signature: "s",
        requestSha256: "a",
        responseSha256: "b",
        responseWhole: true,
        at,
      },
    ],
  }),
  rich: turn("rich", {
    prompt: "Show me how the cart adds up, with a table of what can go wrong.",
    parts: [
      {
        type: "text",
        id: "t",
        text: [
          "The total is a **sum over all lines**; see `src/cart.ts:12` and [the notes](https://example.test/cart).",
          "",
          "```ts",
          "export function total(lines: readonly Line[]): number {",
          "  // Cents, so that nothing is rounded on the way to the very end of this long line of comment.",
          "  return lines.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0);",
          "}",
          "```",
          "",
          "1. Every line is multiplied.",
          "2. The products are added:",
          "   - cents first,",
          "   - then $\\sum_i c_i q_i$.",
          "",
          "| Case | What happens |",
          "| --- | --- |",
          "| empty cart | 0 |",
          "| negative quantity | refused by `add()` |",
          "",
          "> Never add prices as decimals.",
          "",
          "- [x] tests",
          "- [ ] docs",
        ].join("\n"),
      },
    ],
    usage: [usage],
  }),
  rightToLeft: turn("rightToLeft", {
    prompt: "מה עושה הפונקציה parse()?",
    parts: [
      {
        type: "text",
        id: "t",
        text: "הפונקציה `parse()` מחלקת שורה בנקודתיים הראשונות.\n\n- שורה ריקה מחזירה `undefined`.\n\nAnd this paragraph is English.",
      },
    ],
  }),
  tools: turn("tools", {
    prompt: "Make it return an empty field instead.",
    parts: [
      {
        type: "tool",
        id: "a",
        call: "call_a",
        name: "read_file",
        status: "done",
        summary: "src/parse.ts, lines 1–40",
        output: "export function parse(line: string) {\n  …\n}",
      },
      {
        type: "tool",
        id: "b",
        call: "call_b",
        name: "search_text",
        status: "failed",
        summary: "parse(",
        message: verbatim("The folder was not found."),
      },
      { type: "text", id: "t", text: "I changed the parser and its test." },
      {
        type: "patch",
        id: "p",
        call: "call_p",
        status: "applied",
        files: [
          {
            path: "src/parse.ts",
            change: "update",
            added: 2,
            removed: 1,
            hunks: [{ ...hunk, status: "applied" }],
          },
          { path: "test/parse.test.ts", change: "add", added: 24, removed: 0, hunks: [] },
        ],
      },
    ],
    usage: [usage],
  }),
  decided: turn("decided", {
    prompt: "Rename it everywhere.",
    parts: [
      patch("applied", "src/parse.ts", ["applied", "rejected", "rejected"]),
      patch("undone", "src/header.ts", ["applied"]),
      patch("rejected", "src/body.ts", ["rejected"]),
      {
        ...patch(
          "failed",
          "src/tail.ts",
          ["pending"],
          verbatim("The file was changed since the model read it."),
        ),
        message: verbatim("src/tail.ts does not hold the lines that this patch expects."),
      },
      patch("conflict", "src/all.ts", ["conflict"]),
      patch("lost", "src/other.ts", ["pending"]),
    ],
  }),
  ...endings,
  proposed: turn("proposed", {
    prompt: "Rename it here as well.",
    parts: [
      patch("proposed", "src/parse.ts", ["pending", "pending"]),
      patch("proposed", "src/header.ts", ["conflict", "pending"]),
      {
        type: "patch",
        id: "m",
        call: "m",
        status: "proposed",
        files: [
          { path: "src/old.ts", change: "delete", added: 0, removed: 80, hunks: [] },
          {
            path: "src/body.ts",
            change: "move",
            to: "src/message/body.ts",
            added: 2,
            removed: 1,
            hunks: [{ ...hunk, id: "m#1" }],
          },
        ],
      },
    ],
  }),
  asking: turn("asking", {
    prompt: "Fix the parser and run the tests.",
    status: "running",
    parts: [
      {
        type: "reasoning",
        id: "r",
        text: "**Planning**\n\nFirst the parser, then its test.\n\nThen run them.",
      },
      {
        type: "tool",
        id: "a",
        call: "call_a",
        name: "run_task",
        status: "asked",
        summary: "npm test",
        message: verbatim("It runs a program on this machine."),
      },
      {
        type: "patch",
        id: "p",
        call: "call_p",
        status: "proposed",
        files: [
          { path: "src/parse.ts", change: "update", added: 2, removed: 1, hunks: [hunk] },
          {
            path: "package.json",
            change: "update",
            added: 1,
            removed: 0,
            hunks: [{ ...hunk, id: "h2" }],
            caution: verbatim("It can run code when packages are installed."),
          },
          {
            path: "src/old.ts",
            change: "delete",
            added: 0,
            removed: 80,
            hunks: [],
            problem: verbatim("The file was changed since the model read it."),
          },
        ],
      },
    ],
  }),
} as const satisfies Readonly<Record<string, Turn>>;
