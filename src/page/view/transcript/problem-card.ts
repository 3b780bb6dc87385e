// A sentence with buttons: a problem, or how a turn ended. Shown where it happened, in a turn or above the composer.
// The service's own words are shown as text, never as Markdown (requirements M4).
import type { Problem, ProblemAction } from "../../../conversation/problem.ts";
import { button, h } from "../../elements/dom.ts";
import { type IconName, icon } from "../../elements/icons.ts";
import { duration, messageText, messageTexts } from "../../words/messages.ts";
import { fill, strings } from "../../words/strings.ts";

export interface CardAction {
  readonly label: string;
  run(): void;
}

export interface Card extends CardWords {
  readonly icon: IconName;
  /** Tooltip of the sentence. */
  readonly remark?: string | undefined;
  /** The details are open, because the user decides about them. */
  readonly isOpen?: boolean;
  /** Its first button is the primary one of the page. */
  readonly isPrimary?: boolean;
  /** Counts down to this time. */
  readonly until?: number | undefined;
  readonly actions: readonly CardAction[];
}

/** The sentence, a hint, and folded details: the service's own words, numbers and names. */
interface CardWords {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: readonly string[];
}

const visibleWords = ({ message, hint = "" }: CardWords): readonly string[] =>
  [message, hint === message ? "" : hint].filter((line) => line !== "");

const foldedWords = ({ message, details = [] }: CardWords): readonly string[] =>
  details.filter((line) => line !== "" && line !== message);

/** The readable text of the card: its sentence, then the rest. */
export const cardWords = (card: CardWords): readonly string[] => [
  ...visibleWords(card),
  ...foldedWords(card),
];

export function card(shown: Card): HTMLElement {
  const { icon: picture, message, remark = "", isOpen = false, isPrimary = false, until, actions } = shown;
  const lineOf = (line: string, index = 1) =>
    h("p", { ...(index > 0 && { class: "detail" }), dir: "auto", "data-read": "" }, line);
  const text = h("div", { class: "card-text" }, ...visibleWords(shown).map(lineOf));
  text.title = remark;
  if (until !== undefined) {
    text.append(h("p", { class: "detail", "data-until": String(until) }, untilText(until, Date.now())));
  }
  const folded = foldedWords(shown);
  if (folded.length > 0) {
    const details = h("details", { class: "details" }, h("summary", {}, strings.details));
    details.open = isOpen;
    const lines = folded.map((line) => lineOf(line));
    // What a person decides about may be pages long; it scrolls by itself, so that its buttons stay in sight.
    const box = { class: "long-details", tabindex: "0", role: "group", "aria-label": strings.details };
    details.append(...(isOpen ? [h("div", box, ...lines)] : lines));
    text.append(details);
  }
  const buttons = actions.map(({ label, run }, index) =>
    button(label, isPrimary && index === 0 ? "primary" : "secondary", run),
  );
  if (buttons.length > 0) text.append(h("div", { class: "buttons" }, ...buttons));
  return h("div", { class: `card ${picture}`, role: "group", "aria-label": message }, icon(picture), text);
}

/** Icons for what is not an error: something is not set up yet, or a limit was reached. */
const calmer: Partial<Record<Problem["kind"], IconName>> = {
  "not-configured": "info",
  "no-key": "info",
  limit: "warning",
  busy: "clock",
};

export function problemWords(problem: Problem): CardWords {
  const { requestId, hints = [], detail = "" } = problem;
  const message = messageText(problem.message);
  // The sentence often ends with the service's own words, which are not repeated. A question of ours names files, under
  // whose names their texts stand.
  const isOurs = problem.kind === "limit";
  const more = detail.split("\n").filter((line) => line !== "" && (isOurs || !message.includes(line)));
  const request = requestId === undefined ? [] : [fill(strings.requestId, { id: requestId })];
  return { message, hint: messageTexts(hints), details: [...more, ...request] };
}

interface ProblemCardOptions {
  readonly more?: readonly CardAction[];
  readonly hint?: string | undefined;
  readonly isPrimary?: boolean;
}

export function problemCard(
  problem: Problem,
  act: (action: ProblemAction) => void,
  { more = [], hint, isPrimary = false }: ProblemCardOptions = {},
): HTMLElement {
  const { actions, retryAt } = problem;
  const own = actions.map((action) => ({ label: labelOf(action, problem.kind), run: () => act(action) }));
  return card({
    ...problemWords(problem),
    ...(hint !== undefined && { hint }),
    isPrimary: isPrimary && own.length > 0,
    icon: calmer[problem.kind] ?? "error",
    until: retryAt,
    isOpen: actions.includes("keep-draft") || actions.includes("leave-out") || actions.includes("cancel"),
    actions: [...own, ...more],
  });
}

/** A key that was refused already exists, so the action replaces it. */
const labelOf = (action: ProblemAction, kind: Problem["kind"]): string =>
  action === "set-key" && kind === "auth" ? strings.replaceKey : actionLabels[action];

/** How long the service asked to wait, or that a retry is possible now. */
export const untilText = (until: number, now: number): string =>
  until <= now ? strings.retryNow : fill(strings.retryIn, { duration: duration(until - now) });

export const actionLabels: Readonly<Record<ProblemAction, string>> = {
  "set-base-url": strings.setBaseUrl,
  "set-key": strings.setKey,
  retry: strings.retry,
  "retry-whole": strings.retryWhole,
  continue: strings.continue,
  "raise-limit": strings.raiseLimit,
  "proxy-help": strings.proxyHelp,
  "connection-check": strings.connectionCheck,
  "detect-features": strings.detectFeatures,
  "open-log": strings.openLog,
  "send-anyway": strings.sendAnyway,
  "keep-draft": strings.keepDraft,
  "leave-out": strings.leaveOut,
  "read-whole": strings.readWhole,
  compact: strings.compact,
  cancel: strings.cancel,
  trim: strings.trim,
  "drop-reasoning": strings.dropReasoning,
  "remove-attachments": strings.removeAttachments,
  "choose-model": strings.chooseModel,
};
