// Content of the status bar, and when it changes next. Pure, so that every state and every minute of the clock can be
// tested. Numbers and words are our own; nothing is written by the service.

import type { Message } from "../../conversation/messages.ts";
import type { Problem } from "../../conversation/problem.ts";
import { waitingTools } from "../../conversation/reduce.ts";
import type { Turn } from "../../conversation/state.ts";
import { hitRate, type Totals, totalInput, totalsOf } from "../../conversation/usage-totals.ts";
import { isOutage } from "../../service/url-and-key.ts";
import type { Session } from "../../session/session.ts";
import type { OtherActivity } from "../../session/session-registry.ts";
import { figuresNotes, figuresTable, inAndOut, rawNotes, type Words } from "../../usage/labels.ts";
import { widenMargin } from "../../usage/local-estimate.ts";
import type { Warmth } from "../../usage/prompt-cache.ts";
import type { TokenCounts } from "../../usage/token-counts.ts";
import { lifetimesOf } from "../../usage/usage-rows.ts";
import { inDigits, inShort, type Translate } from "../../util/numbers-and-times.ts";

// Two contents: the size of the draft or selection, and the figures of the last turn.

/**
 * `undefined` without a draft. The margin of the next estimate grows with the error of earlier ones in this
 * conversation (requirements I9).
 */
export function draftCount(
  { choices: { model }, draft: { contents, attachments }, state }: Drafting,
  counts: Pick<TokenCounts, "about" | "best">,
): StatusCount | undefined {
  if (contents.length === 0) return undefined;
  const best = counts.best(model, contents);
  const margin = widenMargin(counts.about(model, contents).margin, state.turns);
  const parts = attachments.map(({ label, tokens }) => ({ label, tokens }));
  return { of: "draft", ...best, margin, parts };
}

type Drafting = Pick<Session, "state"> & {
  readonly choices: Pick<Session["choices"], "model">;
  readonly draft: Pick<Session["draft"], "contents" | "attachments">;
};

function countFace(
  { of, tokens, exact, margin, parts = [] }: StatusCount,
  { t, language }: Words,
): StatusFace {
  const digits = inDigits(tokens, language);
  const short = exact ? digits : `≈${inShort(tokens)}`;
  const label = exact
    ? {
        selection: t("Selection: {0} tokens, counted by the service.", digits),
        draft: t("Draft: {0} tokens, counted by the service.", digits),
      }[of]
    : {
        selection: t("Selection: about {0} tokens (estimate).", digits),
        draft: t("Draft: about {0} tokens (estimate).", digits),
      }[of];
  const whole = of === "selection" ? t("Selection") : t("Draft");
  const doubt = exact || margin === undefined ? "" : ` ± ${Math.round(margin * 100)} %`;
  return {
    text: `$(symbol-numeric) ${short}`,
    label,
    click: "menu",
    rows: [
      [whole, `${exact ? digits : `≈${digits}${doubt}`}`],
      ...parts.map(
        (part) =>
          [part.label, part.tokens === undefined ? "–" : `≈${inDigits(part.tokens, language)}`] as const,
      ),
    ],
    notes: [t("Not counted: instructions, tools and the conversation so far.")],
  };
}

function figuresFace({ show, cost, costProblem }: StatusFacts, turn: Turn, words: Words): StatusFace {
  const { t } = words;
  const totals = totalsOf(turn.usage);
  const { output } = totals;
  const input = totalInput(totals);
  const share = hitRate(totals);
  const price = show.has("cost") ? cost : undefined;
  const read = (tokens: number) =>
    share === undefined || !show.has("cache")
      ? t("{0} in", inShort(tokens))
      : t("{0} in ({1}% cached)", inShort(tokens), Math.round(share * 100));
  const figures = [
    ...(input === undefined ? [] : [read(input)]),
    ...(output === undefined ? [] : [t("{0} out", inShort(output))]),
    ...(price === undefined ? [] : [price]),
  ];
  const sentence = t("The last turn: {0}", inAndOut(totals, words));
  const cached =
    share === undefined ? [] : [t("{0} percent of the input came from the cache.", Math.round(share * 100))];
  const paid = price === undefined ? [] : [t("Cost: {0}.", price)];
  return {
    text: `$(database) ${figures.join(" · ")}`,
    label: [sentence, ...cached, ...paid].join(" "),
    click: "menu",
    rows: figuresTable(
      totals,
      { lifetimes: lifetimesOf(turn.usage), receipts: turn.receipts.length, price },
      words,
    ),
    notes: [
      ...figuresNotes(totals, words),
      ...rawNotes(turn.usage, words),
      ...(costProblem === undefined ? [] : [costProblem]),
    ],
  };
}

/** Texts not yet covered by reported usage. Ids of parts begin with the index of their request: `2/…`. */
export const arriving = ({ parts, usage }: Turn): readonly string[] =>
  parts.flatMap((part) => {
    const isText = part.type === "text" || part.type === "reasoning" || part.type === "refusal";
    return isText && Number.parseInt(part.id, 10) >= usage.length ? [part.text] : [];
  });

// The states of the item, and how each is shown.

/** Parts that the user may hide. */
export const statusParts = ["estimate", "usage", "cache", "cost"] as const;
export type StatusPart = (typeof statusParts)[number];

export interface StatusCount {
  readonly of: "selection" | "draft";
  readonly tokens: number;
  /** The service has counted exactly this text. */
  readonly exact: boolean;
  /** The usual relative error of an estimate. */
  readonly margin?: number;
  readonly parts?: readonly { readonly label: string; readonly tokens: number | undefined }[];
}

export interface StatusWords extends Words {
  /** Localizes messages. */
  say(message: Message): string;
}

export interface StatusFacts {
  readonly now: number;
  /** A setting that takes a moment to read the first time, so it is read only when needed. */
  readonly show: ReadonlySet<StatusPart>;
  /** Why nothing can be sent. */
  readonly problem: Problem | undefined;
  /** Whether the service was unreachable, busy or failing at the last request. */
  readonly isOut: boolean;
  /** Number of pending changes. */
  readonly toReview: number;
  /** How many of them cannot be accepted as they are. */
  readonly conflicts: number;
  /** Activity in other conversations. */
  readonly others: OtherActivity;
  /** The last turn of the open conversation. */
  readonly turn: Turn | undefined;
  readonly count: StatusCount | undefined;
  readonly warmth: Warmth;
  /** Of the last turn, by the user's price table. */
  readonly cost: string | undefined;
  /** Why that table cannot be used. */
  readonly costProblem: string | undefined;
  /** Approximate tokens of the response being streamed. */
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
  /** The same in full words, for screen readers. */
  readonly label: string;
  readonly click: "connect" | "review" | "chat" | "stop" | "menu";
  readonly background?: "warning" | "error";
  readonly rows: readonly (readonly [name: string, value: string])[];
  readonly notes: readonly string[];
  /** Milliseconds until the content changes by time alone. */
  readonly again?: number;
}

const second = 1000;
/** The countdown is approximate and need not change every second. */
const countdownStep = 10 * second;
const countdown = 60 * second;
/** Fewer tokens are cheap to send again, so they get no countdown. */
const worthAClock = 10_000;

export function statusState(facts: StatusFacts): StatusState {
  const { turn } = facts;
  if (facts.problem !== undefined) return "unconnected";
  if (facts.toReview > 0) return "review";
  if (turn !== undefined && waitingTools(turn).length > 0) return "asking";
  if (turn?.status === "running") return "streaming";
  // An outage is over once something was answered.
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
      const text = `$(bell) ${t("Patchbay: review {0}", turn === undefined ? 0 : waitingTools(turn).length)}`;
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

/** Adds the number of other conversations that are running, waiting or failed. */
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

/**
 * Interface, "Cache behavior" 2 and 4: a hit refreshes an entry, and entries live at least five idle minutes; hence
 * "about". The tooltip says until when. The bar shows a countdown only in the last minute, and only if much would have
 * to be sent again.
 */
function withWarmth(face: StatusFace, facts: StatusFacts, { t, language }: Words): StatusFace {
  const { warmth, now } = facts;
  if (warmth.state !== "warm" || !facts.show.has("cache")) return face;
  const left = warmth.until - now;
  if (left <= 0) return face;
  const end = new Date(warmth.until).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
  const told = {
    ...face,
    label: `${face.label} ${t("The conversation stays cached until about {0}.", end)}`,
    rows: [...face.rows, [t("Stays cached until about"), end] as const],
    notes: [
      ...face.notes,
      t(
        "A question asked before then reads ≈{0} tokens from the cache. Times are approximate.",
        inDigits(warmth.tokens, language),
      ),
      t("The cache belongs to your organization and can't be cleared."),
    ],
  };
  if (warmth.tokens < worthAClock) return { ...told, again: left };
  if (left > countdown) return { ...told, again: left - countdown };
  const shown = Math.ceil(left / countdownStep) * countdownStep;
  const clock = `0:${String(Math.floor((shown % countdown) / second)).padStart(2, "0")}`;
  return {
    ...told,
    text: `${face.text} · ${t("cached for {0}", shown === countdown ? "1:00" : clock)}`,
    again: left - (shown - countdownStep),
  };
}
