// Messages, durations and questions as text in the user's language.

import type { Code } from "../../conversation/english.ts";
import {
  actionQuestion,
  formatMessage,
  formatMessages,
  type Language,
  type Message,
} from "../../conversation/messages.ts";
import { exact, timeOf } from "./numbers-and-times.ts";
import { fill, strings } from "./strings.ts";

/** How long something took, in the user's language. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return fill(strings.seconds, { count: exact(seconds) });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return fill(strings.minutes, { minutes: exact(minutes), seconds: exact(seconds % 60) });
  return fill(strings.hours, { hours: exact(Math.floor(minutes / 60)), minutes: exact(minutes % 60) });
}

const language: Language = {
  sentence: (code) => (strings as Partial<Record<Code, string>>)[code] ?? code,
  number: exact,
  duration,
  time: timeOf,
};

/** Messages that the host sends as data, formatted in the user's language. */
export const messageText = (message: Message): string => formatMessage(message, language);

/** Formats several messages one after the other; returns an empty string for none. */
export const messageTexts = (messages: readonly Message[] = []): string => formatMessages(messages, language);

/** A name unchanged, or a message as text. */
export const nameOrWords = (what: string | Message): string =>
  typeof what === "string" ? what : messageText(what);

/** Heading of a turn, by which screen-reader users navigate, and the title of an unnamed conversation. */
export const firstLine = (prompt: string): string => prompt.trimStart().split("\n", 1)[0]?.slice(0, 80) ?? "";

const verbs: Readonly<Record<string, string>> = {
  explain: strings.askedExplain,
  fix: strings.askedFix,
  refactor: strings.askedRefactor,
  tests: strings.askedTests,
  docs: strings.askedDocs,
  review: strings.askedReview,
  edit: strings.askedEdit,
};

/**
 * A question as the conversation shows it: a typed question as it was typed, the question of an editor action in plain
 * words.
 */
export function questionWords(prompt: string): string {
  const { name = "", place = "", about = "" } = actionQuestion(prompt) ?? {};
  const said = Object.hasOwn(verbs, name) ? fill(verbs[name] ?? "", { place }) : prompt;
  return said === prompt || about === "" ? said : `${said}: ${about}`;
}
