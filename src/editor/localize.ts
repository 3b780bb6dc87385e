// Localizes the messages of `src/conversation`. The texts are registered by the container; those that activation needs
// are available from the start without loading anything.
import * as vscode from "vscode";
import type { Catalogue } from "../conversation/english.ts";
import { connection, formatMessage, type Language, type Message } from "../conversation/messages.ts";
import { durationInWords, inDigits } from "../util/numbers-and-times.ts";

let sentences: Partial<Catalogue> = connection;

/** After this call all messages can be localized. */
export function registerMessages(catalogue: Catalogue): void {
  sentences = catalogue;
}

const language: Language = {
  sentence: (code) => vscode.l10n.t(sentences[code] ?? code),
  // Seconds have one decimal.
  number: (value) => inDigits(value, vscode.env.language, 1),
  duration: (milliseconds) => durationInWords(milliseconds, vscode.env.language),
  time: (at) => new Date(at).toLocaleTimeString(vscode.env.language, { hour: "numeric", minute: "2-digit" }),
};

export const localize = (message: Message): string => formatMessage(message, language);
