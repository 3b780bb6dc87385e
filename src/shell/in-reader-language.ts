// What the core says, in the language of this editor. The sentences come with the rooms; what activation itself can say is
// known from the start, and nothing more is read for it.
import * as vscode from "vscode";
import type { Catalogue } from "../core/messages/catalogue.ts";
import { formatMessage, type Language } from "../core/messages/format-message.ts";
import type { Message } from "../core/messages/message.ts";
import { connection } from "../core/messages/service-messages.ts";
import { durationInWords, inDigits } from "./format-numbers.ts";

let sentences: Partial<Catalogue> = connection;

/** After this every message can be said. */
export function learnSentences(catalogue: Catalogue): void {
  sentences = catalogue;
}

const language: Language = {
  sentence: (code) => vscode.l10n.t(sentences[code] ?? code),
  // Seconds have one.
  number: (value) => inDigits(value, vscode.env.language, 1),
  duration: (milliseconds) => durationInWords(milliseconds, vscode.env.language),
  time: (at) => new Date(at).toLocaleTimeString(vscode.env.language, { hour: "numeric", minute: "2-digit" }),
};

export const inReaderLanguage = (message: Message): string => formatMessage(message, language);
