// Messages in English, for the model and the log.
import { type Catalogue, catalogue } from "./catalogue.ts";
import { diagnostics } from "./diagnostic-messages.ts";
import { formatMessage, type Language } from "./format-message.ts";
import type { Message } from "./message.ts";

export const allSentences: Catalogue = { ...catalogue, ...diagnostics };

const english: Language = {
  sentence: (code) => allSentences[code],
  number: String,
  duration(milliseconds) {
    const seconds = milliseconds / 1000;
    return seconds >= 120 ? `${Math.round(seconds / 60)} minutes` : `${seconds} seconds`;
  },
  time: (at) => new Date(at).toISOString().slice(11, 16),
};

export const inEnglish = (message: Message): string => formatMessage(message, english);
