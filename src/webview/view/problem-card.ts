// One sentence and its buttons: a problem, or the way a turn ended. Shown where it happened, in a turn or above the
// composer. The service's own words are shown as text, never as Markdown (requirements M4).
import type { Problem, ProblemAction } from "../../core/conversation/problem.ts";
import { button, h } from "../dom.ts";
import { duration } from "../duration.ts";
import { type IconName, icon } from "../icons.ts";
import { wordsOf, wordsOfAll } from "../messages.ts";
import { fill, words } from "../words.ts";

export interface CardAction {
  readonly label: string;
  run(): void;
}

export interface Card extends CardWords {
  readonly icon: IconName;
  /** For those who hover over its sentence. */
  readonly remark?: string | undefined;
  /** A person decides about the details: they are in sight. */
  readonly isOpen?: boolean;
  /** Counts down to this moment. */
  readonly until?: number | undefined;
  readonly actions: readonly CardAction[];
}

/** Its sentence, what helps with it, and what is folded away: the service's own words, numbers and names. */
interface CardWords {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: readonly string[];
}

const visibleWords = ({ message, hint = "" }: CardWords): readonly string[] =>
  [message, hint === message ? "" : hint].filter((line) => line !== "");

const foldedWords = ({ message, details = [] }: CardWords): readonly string[] =>
  details.filter((line) => line !== "" && line !== message);

/** What can be read of it: its sentence, then what there is to add. */
export const cardWords = (card: CardWords): readonly string[] => [
  ...visibleWords(card),
  ...foldedWords(card),
];

export function card(shown: Card): HTMLElement {
  const { icon: picture, message, remark = "", isOpen = false, until, actions } = shown;
  const lineOf = (line: string, index = 1) =>
    h("p", { ...(index > 0 && { class: "detail" }), dir: "auto", "data-read": "" }, line);
  const text = h("div", { class: "card-text" }, ...visibleWords(shown).map(lineOf));
  text.title = remark;
  if (until !== undefined) {
    text.append(h("p", { class: "detail", "data-until": String(until) }, untilText(until, Date.now())));
  }
  const folded = foldedWords(shown);
  if (folded.length > 0) {
    const details = h("details", { class: "details" }, h("summary", {}, words.details));
    details.open = isOpen;
    details.append(...folded.map((line) => lineOf(line)));
    text.append(details);
  }
  const buttons = actions.map(({ label, run }, index) =>
    button(label, index === 0 ? "primary" : "secondary", run),
  );
  if (buttons.length > 0) text.append(h("div", { class: "buttons" }, ...buttons));
  return h("div", { class: `card ${picture}`, role: "group", "aria-label": message }, icon(picture), text);
}

/** What is not a fault: something is missing yet, or it stopped where it was told to. */
const calmer: Partial<Record<Problem["kind"], IconName>> = {
  "not-configured": "info",
  "no-key": "info",
  limit: "warning",
  busy: "clock",
};

export function problemWords(problem: Problem): CardWords {
  const { requestId, hints = [], detail = "" } = problem;
  const message = wordsOf(problem.message);
  // The sentence often ends with the service's own words: they are not said twice.
  const more = detail.split("\n").filter((line) => line !== "" && !message.includes(line));
  const request = requestId === undefined ? [] : [fill(words.requestId, { id: requestId })];
  return { message, hint: wordsOfAll(hints), details: [...more, ...request] };
}

export function problemCard(
  problem: Problem,
  act: (action: ProblemAction) => void,
  more: readonly CardAction[] = [],
  hint?: string,
): HTMLElement {
  const { actions, retryAt } = problem;
  const own = actions.map((action) => ({ label: labelOf(action, problem.kind), run: () => act(action) }));
  return card({
    ...problemWords(problem),
    ...(hint !== undefined && { hint }),
    icon: calmer[problem.kind] ?? "error",
    until: retryAt,
    isOpen: actions.includes("keep-draft") || actions.includes("cancel"),
    actions: [...own, ...more],
  });
}

/** A key that was refused is there already. */
const labelOf = (action: ProblemAction, kind: Problem["kind"]): string =>
  action === "set-key" && kind === "auth" ? words.replaceKey : actionLabels[action];

/** How long the service asked to wait, and then that it is over. */
export const untilText = (until: number, now: number): string =>
  until <= now ? words.retryNow : fill(words.retryIn, { duration: duration(until - now) });

export const actionLabels: Readonly<Record<ProblemAction, string>> = {
  "set-base-url": words.setBaseUrl,
  "set-key": words.setKey,
  retry: words.retry,
  "retry-whole": words.retryWhole,
  continue: words.continue,
  "raise-limit": words.raiseLimit,
  "proxy-help": words.proxyHelp,
  "connection-check": words.connectionCheck,
  "detect-features": words.detectFeatures,
  "open-log": words.openLog,
  "send-anyway": words.sendAnyway,
  "keep-draft": words.keepDraft,
  compact: words.compact,
  cancel: words.cancel,
  trim: words.trim,
  "drop-reasoning": words.dropReasoning,
  "remove-attachments": words.removeAttachments,
  "choose-model": words.chooseModel,
};
