// Announcements for screen readers: one short sentence for each event of a turn, never the streamed text.

import { steeredIn, waitingTools } from "../conversation/reduce.ts";
import type { Part, Turn } from "../conversation/state.ts";
import { visible } from "../util/hidden-characters.ts";
import { h, setText } from "./elements/dom.ts";
import { firstLine, messageText, nameOrWords, questionWords } from "./words/messages.ts";
import { exact } from "./words/numbers-and-times.ts";
import { fill, plural, strings } from "./words/strings.ts";

interface Announcer {
  readonly root: HTMLElement;
  /** The same sentences shown above the composer, for people who can see the page. */
  readonly hint: HTMLElement;
  say(sentence: string): void;
  /** Announces that something did not go as the user expected, and shows it as a hint. */
  tell(sentence: string): void;
}

/** Long enough to read a sentence twice. */
const hintTime = 8000;

export function createAnnouncer(): Announcer {
  const root = h("div", { class: "heard", role: "status" });
  const hint = h("p", { class: "hint", "aria-hidden": "true", hidden: "" });
  let hiding: ReturnType<typeof setTimeout> | undefined;
  /**
   * Sentences announced in the current task. They are read out together, since each would replace the previous one
   * before it has been heard.
   */
  let news: string[] = [];
  const say = (sentence: string) => {
    news.push(sentence);
    if (news.length === 1) queueMicrotask(readOut);
  };
  const readOut = () => {
    const all = news.join("\n");
    news = [];
    // A repeated sentence is a second event, but screen readers announce only changed text.
    setText(root, root.textContent === visible(all) ? `${all}\u00a0` : all);
  };
  return {
    root,
    hint,
    say,
    tell(sentence) {
      say(sentence);
      setText(hint, sentence);
      hint.hidden = false;
      clearTimeout(hiding);
      hiding = setTimeout(() => {
        hint.hidden = true;
      }, hintTime);
    },
  };
}

/** Returns what to announce when the last turn has become `after`; undefined when nothing noteworthy has happened. */
export function sentenceFor(before: Turn | undefined, after: Turn | undefined): string | undefined {
  if (after === undefined || after === before) return undefined;
  const known = before?.id === after.id ? before : undefined;
  if (after.status !== "running") {
    if (known === undefined) return undefined;
    return known.status === "running" ? endSentence(after) : ruleSentence(known, after);
  }
  if (known === undefined) return strings.responding;
  const waited = new Set(waitingTools(known).map(({ id }) => id));
  const [asks] = waitingTools(after).filter(({ id }) => !waited.has(id));
  if (asks !== undefined) return asksSentence(asks);
  const said = steeredIn(after).at(-1);
  if (said !== undefined && said.id !== steeredIn(known).at(-1)?.id)
    return fill(strings.handedOver, { prompt: firstLine(questionWords(said.prompt)) });
  if (after.plan !== undefined && after.plan !== known.plan && after.plan.by === undefined) {
    const done = after.plan.steps.filter(({ status }) => status === "completed").length;
    return fill(strings.planSaid, { done: exact(done), count: exact(after.plan.steps.length) });
  }
  if (after.waiting !== undefined && after.waiting.until !== known.waiting?.until)
    return messageText(after.waiting.reason);
  return undefined;
}

function asksSentence(part: Part): string {
  if (part.type !== "tool") return strings.needsApproval;
  if (part.question !== undefined) return fill(strings.asksYouThat, { question: part.question.text });
  return fill(strings.needsApprovalFor, { what: nameOrWords(part.summary) || part.name });
}

/** A rule accepts once the turn has ended, and nobody has pressed anything. */
function ruleSentence(before: Turn, after: Turn): string | undefined {
  const known = new Set(ruleMessages(before));
  const news = ruleMessages(after).filter((said) => !known.has(said));
  return news.length === 0 ? undefined : news.join("\n");
}

const ruleMessages = ({ parts }: Turn): readonly string[] =>
  parts.flatMap((part) =>
    part.type === "patch" && part.message !== undefined && ruleCodes.has(part.message.code)
      ? [messageText(part.message)]
      : [],
  );

const ruleCodes: ReadonlySet<string> = new Set([
  "patchByRule",
  "patchByRuleIn",
  "patchByRuleLeft",
  "ruleLeft",
]);

function endSentence(turn: Turn): string {
  switch (turn.status) {
    case "done":
    case "running":
      return doneSentence(turn);
    case "incomplete":
      return turn.problem === undefined ? strings.interrupted : messageText(turn.problem.message);
    case "stopped":
      return strings.stopped;
    case "interrupted":
      return strings.interrupted;
    case "failed":
      return fill(strings.failed, {
        message: turn.problem === undefined ? strings.failedPlain : messageText(turn.problem.message),
      });
    default:
      turn.status satisfies never;
      return strings.done;
  }
}

function doneSentence({ parts }: Turn): string {
  const edits = parts.filter((part) => part.type === "patch" && part.status === "proposed").length;
  return edits === 0 ? strings.done : plural(edits, strings.doneOneEdit, strings.doneEdits);
}
