// What the host says as data, in the reader's language.

import type { Code } from "../core/messages/catalogue.ts";
import { formatMessage, formatMessages, type Language } from "../core/messages/format-message.ts";
import type { Message } from "../core/messages/message.ts";
import { duration } from "./duration.ts";
import { exact, timeOf } from "./numbers-and-times.ts";
import { words } from "./words.ts";

const language: Language = {
  sentence: (code) => (words as Partial<Record<Code, string>>)[code] ?? code,
  number: exact,
  duration,
  time: timeOf,
};

export const wordsOf = (message: Message): string => formatMessage(message, language);

/** Several, one behind the other; nothing of none. */
export const wordsOfAll = (messages: readonly Message[] = []): string => formatMessages(messages, language);

/** A name as it is, or words. */
export const nameOrWords = (what: string | Message): string =>
  typeof what === "string" ? what : wordsOf(what);
