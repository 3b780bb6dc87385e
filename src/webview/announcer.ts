// What people hear who do not look: events of a turn, one short sentence each, never the text as it streams.

import { visible } from "../core/conversation/hidden-characters.ts";
import type { Part, Turn } from "../core/conversation/state.ts";
import { asking } from "../core/conversation/waiting-tools.ts";
import { h, setText } from "./dom.ts";
import { nameOrWords, wordsOf } from "./messages.ts";
import { fill, plural, words } from "./words.ts";

export interface Announcer {
  readonly root: HTMLElement;
  /** The same words for those who look, where they are looking: above the box. */
  readonly hint: HTMLElement;
  say(sentence: string): void;
  /** Something went otherwise than the person meant: it is heard and seen. */
  tell(sentence: string): void;
}

/** Long enough to read a sentence twice. */
const hintTime = 8000;

export function createAnnouncer(): Announcer {
  const root = h("div", { class: "heard", role: "status" });
  const hint = h("p", { class: "hint", "aria-hidden": "true", hidden: "" });
  let hiding: ReturnType<typeof setTimeout> | undefined;
  /** Of this moment: each would take the place of one that nobody has heard yet. */
  let news: string[] = [];
  const say = (sentence: string) => {
    news.push(sentence);
    if (news.length === 1) queueMicrotask(readOut);
  };
  const readOut = () => {
    const all = news.join("\n");
    news = [];
    // The same sentence twice is two events, but only a change of text is read out.
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

/** What to say when the last turn has become `after`; undefined when nothing happened that is worth a word. */
export function sentenceFor(before: Turn | undefined, after: Turn | undefined): string | undefined {
  if (after === undefined || after === before) return undefined;
  const known = before?.id === after.id ? before : undefined;
  if (after.status !== "running") return known?.status === "running" ? endSentence(after) : undefined;
  if (known === undefined) return words.responding;
  const waited = new Set(asking(known).map(({ id }) => id));
  const [asks] = asking(after).filter(({ id }) => !waited.has(id));
  if (asks !== undefined) return fill(words.needsApprovalFor, { what: whatAsks(asks) });
  if (after.waiting !== undefined && after.waiting.until !== known.waiting?.until)
    return wordsOf(after.waiting.reason);
  return undefined;
}

const whatAsks = (part: Part): string => (part.type === "tool" ? nameOrWords(part.summary) || part.name : "");

function endSentence(turn: Turn): string {
  switch (turn.status) {
    case "done":
    case "running":
      return doneSentence(turn);
    case "incomplete":
      return turn.problem === undefined ? words.interrupted : wordsOf(turn.problem.message);
    case "stopped":
      return words.stopped;
    case "interrupted":
      return words.interrupted;
    case "failed":
      return fill(words.failed, {
        message: turn.problem === undefined ? words.failedPlain : wordsOf(turn.problem.message),
      });
    default:
      turn.status satisfies never;
      return words.done;
  }
}

function doneSentence({ parts }: Turn): string {
  const edits = parts.filter((part) => part.type === "patch" && part.status === "proposed").length;
  return edits === 0 ? words.done : plural(edits, words.doneOneEdit, words.doneEdits);
}
