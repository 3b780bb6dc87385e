// What the status bar says, and when it says something else: pure, so that every state and every minute of the clock
// can be tried. Numbers and words are ours; nothing here was written by the service. Knows no editor.

import { isOutage } from "../../core/api/watch-key.ts";
import type { Problem } from "../../core/conversation/problem.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { type Totals, totalsOf } from "../../core/conversation/usage-totals.ts";
import { asking } from "../../core/conversation/waiting-tools.ts";
import type { Message } from "../../core/messages/message.ts";
import type { OtherActivity } from "../../core/session/session-registry.ts";
import type { Warmth } from "../../core/tokens/cache-warmth.ts";
import { durationInWords, inDigits, inShort, type Translate } from "../format-numbers.ts";
import type { Words } from "../usage/usage-words.ts";
import { countFace, figuresFace } from "./status-figures.ts";

/** What a person may leave out of the item. */
export const statusParts = ["estimate", "usage", "cache", "cost"] as const;
export type StatusPart = (typeof statusParts)[number];

export interface StatusCount {
  readonly of: "selection" | "draft";
  readonly tokens: number;
  /** The service has counted exactly this. */
  readonly exact: boolean;
  /** An estimate is usually no further off than this share of it. */
  readonly margin?: number;
  readonly parts?: readonly { readonly label: string; readonly tokens: number | undefined }[];
}

export interface StatusWords extends Words {
  /** What the core says, in the reader's language. */
  say(message: Message): string;
}

export interface StatusFacts {
  readonly now: number;
  /** From the settings, which take a moment the first time: asked when it decides something. */
  readonly show: ReadonlySet<StatusPart>;
  /** Why nothing can be sent. */
  readonly problem: Problem | undefined;
  /** The service was away, busy or broken when it was asked last. */
  readonly isOut: boolean;
  /** Changes that wait for a review. */
  readonly toReview: number;
  /** Of them: what cannot be accepted as it is. */
  readonly conflicts: number;
  /** What goes on in other conversations. */
  readonly others: OtherActivity;
  /** The last one of the open conversation. */
  readonly turn: Turn | undefined;
  readonly count: StatusCount | undefined;
  readonly warmth: Warmth;
  /** Of the last turn, by the user's own table. */
  readonly cost: string | undefined;
  /** Why that table cannot be used. */
  readonly costProblem: string | undefined;
  /** Tokens of the response that is arriving, about. */
  arrived(): number;
}

export type StatusState =
  | "unconnected"
  | "asking"
  | "streaming"
  | "review"
  | "failed"
  | "count"
  | "figures"
  | "ready";

export interface StatusFace {
  readonly text: string;
  /** The same in full words. */
  readonly label: string;
  readonly click: "connect" | "review" | "chat" | "stop" | "menu";
  readonly background?: "warning" | "error";
  readonly rows: readonly (readonly [name: string, value: string])[];
  readonly notes: readonly string[];
  /** Milliseconds until it says something else without anything having happened. */
  readonly again?: number;
}

const second = 1000;
/** The countdown is about; it need not move every second. */
const countdownStep = 10 * second;

export function statusState(facts: StatusFacts): StatusState {
  const { turn } = facts;
  if (facts.problem !== undefined) return "unconnected";
  if (facts.toReview > 0) return "review";
  if (turn?.status === "running") return asking(turn).length > 0 ? "asking" : "streaming";
  // An outage is over when anything has been answered since.
  if (turn?.status === "failed" && (facts.isOut || !isOutage(turn.problem))) return "failed";
  if (facts.count !== undefined && facts.show.has("estimate")) return "count";
  return turn !== undefined && facts.show.has("usage") && hasFigures(totalsOf(turn.usage))
    ? "figures"
    : "ready";
}

export function statusFace(facts: StatusFacts, words: StatusWords): StatusFace {
  return withOthers(ownFace(facts, words), facts.others, words);
}

function ownFace(facts: StatusFacts, words: StatusWords): StatusFace {
  const { t } = words;
  const { problem, turn, count } = facts;
  const plain = { rows: [], notes: [] };
  switch (statusState(facts)) {
    case "unconnected":
      return { ...plain, ...unconnected(problem, words) };
    case "asking": {
      const text = `$(bell) ${t("Patchbay: review {0}", turn === undefined ? 0 : asking(turn).length)}`;
      const label = t("The response needs your decision.");
      return { ...plain, text, label, click: "chat", background: "warning" };
    }
    case "review":
      return { ...plain, ...reviewFace(facts, t), click: "review", background: "warning" };
    case "streaming":
      return turn === undefined ? ready(t) : streamingFace(facts, turn, words);
    case "failed": {
      const { message } = turn?.problem ?? {};
      const label = message === undefined ? t("The last response failed.") : words.say(message);
      return { ...plain, text: "$(error) Patchbay", label, click: "chat", background: "error" };
    }
    case "count":
      return count === undefined ? ready(t) : withWarmth(countFace(count, words), facts, words);
    case "figures":
      return turn === undefined ? ready(t) : withWarmth(figuresFace(facts, turn, words), facts, words);
    case "ready":
      return withWarmth(ready(t), facts, words);
  }
}

function reviewFace({ toReview, conflicts }: StatusFacts, t: Translate): Pick<StatusFace, "text" | "label"> {
  const text = `$(bell) ${t("Patchbay: review {0}", toReview)}`;
  if (conflicts === 0) {
    const one = t("1 change to review. Click to open it.");
    return { text, label: toReview === 1 ? one : t("{0} changes to review. Click to open them.", toReview) };
  }
  return {
    text: `${text} · ${conflicts === 1 ? t("1 conflict") : t("{0} conflicts", conflicts)}`,
    label:
      toReview === 1
        ? t("1 change to review, in conflict. Click to open it.")
        : t("{0} changes to review, {1} of them in conflict. Click to open them.", toReview, conflicts),
  };
}

function unconnected(
  problem: Problem | undefined,
  { t, say }: StatusWords,
): Pick<StatusFace, "text" | "label" | "click" | "background"> {
  const label = problem === undefined ? "" : say(problem.message);
  if (problem?.kind === "auth")
    return { text: "$(error) Patchbay", label, click: "connect", background: "error" };
  return { text: `$(key) ${t("Patchbay: Set up")}`, label, click: "connect" };
}

/** Conversations that run, wait or have failed out of sight: a number each beside what is said of the one in sight. */
function withOthers(face: StatusFace, { running, waiting, failed }: OtherActivity, { t }: Words): StatusFace {
  const rows = [
    { icon: "sync~spin", count: running, name: t("Other conversations running") },
    { icon: "bell", count: waiting, name: t("Other conversations to review") },
    { icon: "error", count: failed, name: t("Other conversations that failed") },
  ].filter(({ count }) => count > 0);
  if (rows.length === 0) return face;
  return {
    ...face,
    text: `${face.text} ${rows.map(({ icon, count }) => `$(${icon}) ${count}`).join(" ")}`,
    label: [face.label, ...rows.map(({ name, count }) => `${name}: ${count}.`)].join(" "),
    rows: [...face.rows, ...rows.map(({ name, count }) => [name, String(count)] as const)],
  };
}

const ready = (t: Translate): StatusFace => ({
  text: "Patchbay",
  label: t("Ready"),
  click: "menu",
  rows: [],
  notes: [],
});

function streamingFace({ now, arrived }: StatusFacts, turn: Turn, { t, language }: Words): StatusFace {
  const { waiting } = turn;
  const rows: StatusFace["rows"] = [];
  if (waiting !== undefined && waiting.until > now) {
    const seconds = Math.ceil((waiting.until - now) / second);
    const text = `$(watch) ${t("again in {0}s", seconds)}`;
    const label = t("The service is busy. Retrying in {0} s. Click to stop.", seconds);
    return { text, label, click: "stop", rows, notes: [], again: second };
  }
  const seconds = Math.max(0, Math.floor((now - turn.at) / second));
  const tokens = arrived();
  const figures = [t("{0}s", seconds), ...(tokens > 0 ? [t("{0} out", `≈${inShort(tokens)}`)] : [])];
  const label = t(
    "Responding for {0} s, about {1} tokens so far. Click to stop.",
    seconds,
    inDigits(tokens, language),
  );
  return {
    text: `$(loading~spin) ${figures.join(" · ")}`,
    label,
    click: "stop",
    rows,
    notes: [],
    again: second,
  };
}

const hasFigures = (totals: Totals): boolean => totals.reported + totals.partial > 0;

/** Interface, "Cache behavior" 2 and 4: a hit refreshes an entry, entries live at least five idle minutes; so "about". */
function withWarmth(face: StatusFace, facts: StatusFacts, { t, language }: Words): StatusFace {
  const { warmth, now } = facts;
  if (warmth.state !== "warm" || !facts.show.has("cache")) return face;
  const left = warmth.until - now;
  if (left <= 0) return face;
  const shown = Math.ceil(left / countdownStep) * countdownStep;
  const [minutes, seconds] = [Math.floor(shown / 60_000), Math.floor((shown % 60_000) / second)];
  const clock = `${minutes}:${String(seconds).padStart(2, "0")}`;
  return {
    ...face,
    text: `${face.text} · ${t("cached for {0}", clock)}`,
    label: `${face.label} ${t("The conversation stays cached for about {0}.", durationInWords(shown, language))}`,
    rows: [...face.rows, [t("Stays cached for about"), clock]],
    notes: [
      ...face.notes,
      t(
        "A question asked before then reads ≈{0} tokens from the cache. Times are approximate.",
        inDigits(warmth.tokens, language),
      ),
      t("The cache belongs to your organization and can't be cleared."),
    ],
    again: left - (shown - countdownStep),
  };
}
