// Every state the page can be in, by name: what it is opened with, and what a person does to get there.

import type { Page } from "playwright-core";
import type { ViewState } from "../../../../src/bridge/view-state.ts";
import { message } from "../../../../src/conversation/messages.ts";
import type { Turn } from "../../../../src/conversation/state.ts";
import { verbatim } from "../../../support/english.ts";
import { turn } from "./sample-turn.ts";
import { samples } from "./sample-turns.ts";

export interface State {
  readonly turns?: readonly Turn[];
  readonly draft?: string;
  readonly viewState?: Partial<ViewState>;
  act?(page: Page): Promise<void>;
}

const equipped: Partial<ViewState> = {
  attachKinds: ["file", "folder", "symbol", "selection", "problems"],
  attachments: [
    { id: "a", kind: "selection", label: "src/parse.ts, lines 3–9", tokens: 120 },
    { id: "b", kind: "file", label: "src/a-rather-long-name-of-a-file.ts", tokens: 1200, exact: true },
    {
      id: "c",
      kind: "image",
      label: "screenshot.png",
      notes: [verbatim("Pictures cannot be counted here.")],
    },
  ],
  commands: [{ name: "explain", detail: "Explain the selection" }],
  queue: [
    { id: "q1", prompt: "And then write a test for the empty line.", delivery: "step" },
    { id: "q2", prompt: "And a changelog entry.", delivery: "turn" },
  ],
  estimate: { tokens: 1_870, exact: false, altogether: 61_204 },
  webSearch: true,
  cacheTier: "1h",
  outputLimit: 16_384,
  title: "The parser and its test",
};

/** By its English words, whatever language the page is in. */
const click = (english: string) => async (page: Page) => {
  const name = await page.evaluate(
    (sentence) => JSON.parse(document.body.dataset["dictionary"] ?? "{}")[sentence] ?? sentence,
    english,
  );
  await page.getByRole("button", { name }).first().click();
};
const unfold = (page: Page) =>
  page.evaluate(() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });

const each = Object.fromEntries(
  Object.entries(samples).map(([name, one]): [string, State] => [name, { turns: [one] }]),
);

export const states: Readonly<Record<string, State>> = {
  empty: {
    viewState: {
      starters: ["changes", "project"],
      suggested: {
        kind: "selection",
        label: "src/cart.ts, lines 10–16",
        attachment: { kind: "selection", path: "src/cart.ts", start: 10, end: 16 },
      },
    },
  },
  noAddress: {
    viewState: {
      problem: {
        kind: "not-configured",
        message: verbatim("There is no service URL yet."),
        actions: ["set-base-url"],
      },
    },
  },
  noKey: {
    viewState: {
      problem: {
        kind: "no-key",
        message: verbatim("Add an API key for https://example.test."),
        actions: ["set-key"],
      },
    },
  },
  /** A new conversation after the key was refused in another one, and a log that holds bodies. */
  refusedKey: {
    draft: "Hello",
    viewState: {
      caution: {
        kind: "auth",
        message: verbatim(
          "https://models-of-a-company-with-a-long-name.internal.example didn't accept the API key.",
        ),
        actions: ["set-key"],
      },
      notices: [message("placeTraced")],
    },
  },
  /** It cannot be mended either: it is read and not written in. */
  damaged: {
    turns: [samples.whole],
    viewState: {
      ...equipped,
      queue: [],
      notices: [message("keptBroken")],
    },
  },
  spending: {
    turns: [samples.rich],
    draft: "Read all of it and tell me what is wrong.",
    viewState: {
      ...equipped,
      question: {
        id: "1",
        kind: "limit",
        message: message("questionSpending", { uncached: 240_000, limit: 200_000 }),
        hints: [message("questionSpendingLess", { names: "src/generated.ts" })],
        actions: ["trim", "send-anyway", "keep-draft"],
      },
      notices: [verbatim("Bodies of requests are written to the log until VS Code is restarted.")],
    },
  },
  ...each,
  unfolded: {
    turns: [samples.whole, samples.tools],
    async act(page) {
      await page.locator(".steps button").first().click();
      await unfold(page);
    },
  },
  choosing: { turns: [samples.asking], act: unfold },
  /** Changes of three files wait above the box, one of them no longer fits; the next question is being written. */
  pending: {
    turns: [samples.proposed],
    draft: "And now its test.",
    viewState: {
      ...equipped,
      changes: {
        files: 3,
        added: 24,
        removed: 7,
        hunks: 5,
        conflicts: 1,
        inConflict: ["src/header.ts"],
        risks: [message("riskTestOne"), message("riskPublicApiMany", { count: 2 })],
        flagged: [{ path: "src/header.ts", calls: ["src/header.ts"], flags: [message("riskPublic")] }],
        shown: 4,
      },
    },
  },
  busy: {
    turns: [
      turn("busy", {
        parts: [],
        status: "failed",
        problem: {
          kind: "busy",
          message: verbatim("Too many requests."),
          actions: ["retry"],
          status: 429,
          retryAt: Date.now() + 42_000,
        },
      }),
    ],
  },
  badRequest: {
    turns: [
      turn("bad", {
        parts: [],
        status: "failed",
        problem: {
          kind: "bad-request",
          message: verbatim("The service refused the request (400): cache breakpoints are not supported."),
          actions: ["retry", "open-log"],
          status: 400,
          detail: "prompt_cache_breakpoint appears in content\ninvalid_request_error, unsupported_parameter",
          requestId: "req_01",
        },
      }),
    ],
  },
  unreadable: {
    turns: [
      turn("unreadable", {
        parts: [{ type: "text", id: "t", text: "The first half of an answer that then" }],
        status: "failed",
        problem: {
          kind: "protocol",
          message: verbatim("The reply arrived damaged and was not finished."),
          actions: ["continue", "retry", "open-log"],
        },
      }),
    ],
  },
  reasoningRefused: {
    turns: [
      turn("key", {
        parts: [],
        status: "failed",
        problem: {
          kind: "bad-request",
          message: verbatim(
            "The service cannot read the reasoning that was written under another key (400).",
          ),
          actions: ["drop-reasoning"],
        },
      }),
    ],
  },
  /** Changes that wait, with a check in each state, one with a long name, above the box and on their card; citations. */
  checked: {
    turns: [
      turn("cited", {
        parts: [
          {
            type: "text",
            id: "t",
            text: "A field begins with a letter. Its name ends at the first colon.",
            citations: [
              { url: "https://www.rfc-editor.org/rfc/rfc5322", title: "RFC 5322", start: 0, end: 29 },
              {
                url: "https://example.test/a-page-without-a-title-and-with-a-long-address",
                start: 30,
                end: 63,
              },
            ],
          },
          ...samples.proposed.parts.slice(0, 1),
        ],
      }),
    ],
    viewState: {
      ...equipped,
      queue: [],
      effort: "high",
      json: true,
      changes: {
        ...{ files: 3, added: 41, removed: 12, hunks: 5, conflicts: 0 },
        ...{ inConflict: [], risks: [], flagged: [], shown: 1 },
      },
      checks: [
        {
          ...{ id: "1", name: "typecheck", state: "passed", found: [], isRepaired: true },
          said: message("checkRepaired", { name: "typecheck" }),
        },
        {
          ...{ id: "2", name: "lint of all packages in this repository", state: "new-findings" },
          ...{ found: ["cart.ts:4 'sum' is never reassigned."] },
          said: message("checkNewErrors", {
            ...{ name: "lint of all packages in this repository", count: 2 },
            first: "cart.ts:4 'sum' is never reassigned.",
          }),
        },
        {
          id: "3",
          name: "test",
          state: "waiting",
          said: message("checkWaiting", { name: "test" }),
          found: [],
        },
        {
          ...{ id: "4", name: "unit", state: "unavailable", found: [] },
          said: message("checkUnavailable", { name: "unit" }),
          why: message("checkNotInstalled", { program: "vitest" }),
        },
        {
          ...{ id: "5", name: "build", state: "could-not-compare", found: [] },
          said: message("checkNot", { name: "build" }),
          why: message("checkWithout", { why: message("checkTimeout") }),
        },
        {
          ...{ id: "6", name: "end-to-end", state: "could-not-compare", found: [] },
          said: message("checkNoNew", { name: "end-to-end" }),
          why: message("checkNoBaseline", { output: "Error: listen EADDRINUSE 127.0.0.1:8080" }),
        },
        {
          ...{ id: "7", name: "docs", state: "stale", found: [] },
          said: message("checkStale", { name: "docs" }),
        },
        {
          ...{ id: "8", name: "bench", state: "running", found: [] },
          said: message("checkRunning", { name: "bench" }),
        },
        {
          ...{ id: "9", name: "format", state: "passed", found: [] },
          said: message("checkExcept", {
            check: message("checkPassedIn", { name: "format", seconds: 3.6 }),
            files: message("checkFilesMore", { files: "index.js, generated-messages.d.ts", count: 2 }),
          }),
        },
        {
          ...{ id: "10", name: "node --test", state: "offered", found: [] },
          said: message("checkWaiting", { name: "node --test" }),
        },
      ],
    },
  },
  composing: { turns: [samples.whole], draft: "And what about tabs?", viewState: equipped },
  running: {
    turns: [samples.whole, turn("r", { status: "running", at: Date.now() - 8_000 })],
    draft: "next",
    viewState: equipped,
  },
  /** A question that was stopped and one that was left out, a summary in between, and a window that is nearly full. */
  compacted: {
    turns: [
      { ...samples.stopped, id: "left-out", excluded: true },
      samples.whole,
      turn("summary", {
        prompt: "",
        compacts: true,
        parts: [
          { type: "note", id: "n", notes: [message("noteCompacting", { tokens: 104_000 })] },
          { type: "text", id: "s", text: "The user works on `src/parse.ts`. **Open:** its test." },
        ],
      }),
      samples.stopped,
    ],
    viewState: { ...equipped, queue: [], window: { used: 108_500, size: 131_072 } },
    act: unfold,
  },
  /** A service that gave no reason, and what it costs to find one out; a chat model that called what it was not offered. */
  plainService: {
    turns: [
      turn("plain", {
        parts: [
          { type: "note", id: "n", notes: [message("notePlain")] },
          { type: "text", id: "t", text: "It splits a line at its first colon." },
        ],
      }),
      turn("unread", {
        model: "svc-k2.6",
        route: "chat",
        status: "incomplete",
        parts: [
          {
            type: "tool",
            id: "0/c",
            call: "c",
            name: "read_file",
            status: "failed",
            summary: "",
            message: message("toolNoBlock"),
          },
        ],
        problem: { kind: "protocol", message: message("problemNoFinal"), actions: ["continue", "retry"] },
      }),
    ],
  },
  offeringToCompact: {
    turns: [samples.whole],
    viewState: {
      ...equipped,
      queue: [],
      window: { used: 51_000, size: 131_072 },
      question: {
        id: "1",
        kind: "limit",
        message: message("questionCompact", { tokens: 51_000 }),
        hints: [message("questionSpendingCost", { cost: "€0.12" })],
        actions: ["compact", "cancel"],
      },
    },
  },
  refusedPatch: {
    turns: [
      turn("text-patch", {
        model: "svc-k2.7-code",
        route: "chat",
        parts: [
          { type: "text", id: "0/t", text: "```text\n*** Begin Patch\n*** Update File: a.ts\n```" },
          {
            type: "patch",
            id: "0/patch",
            call: "",
            status: "failed",
            files: [],
            message: message("patchNoEnd"),
          },
          { type: "text", id: "1/t", text: "I had left out the end. There is nothing to change after all." },
        ],
      }),
    ],
  },
  editing: { turns: [samples.whole], act: click("Edit and resend") },
  finding: {
    turns: [samples.rich, samples.whole],
    async act(page) {
      await click("Find in conversation")(page);
      await page.keyboard.type("line");
    },
  },
  modelMenu: { turns: [samples.whole], viewState: equipped, act: click("Model") },
  suggestions: {
    viewState: { ...equipped, attachments: [], queue: [] },
    async act(page) {
      await page.locator(".composer textarea").pressSequentially("@");
      await page.locator(".option").first().waitFor();
    },
  },
  long: {
    turns: Array.from({ length: 40 }, (_, index) => turn(String(index), { usage: [] })),
    async act(page) {
      await page.evaluate(() => document.querySelector(".transcript")?.scrollTo(0, 400));
      await page.locator(".pill").waitFor();
    },
  },
};

/** All that a turn can be, on one page. */
export const everyTurn: State = { turns: Object.values(samples), act: unfold };

/** What asks takes a moment until it can be answered, and a formula until it is drawn: states are seen as they are after that. */
export async function asItStays(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const fading = document.getAnimations().some((one) => one instanceof CSSTransition);
    const unarmed =
      ".question-for-you > :not([data-armed], .buttons), .changes > div:last-child > :not([data-armed])";
    // A formula is drawn by a script that is loaded when the first one is seen.
    return !fading && document.querySelector(`${unarmed}, .md-math > code:only-child`) === null;
  });
}
