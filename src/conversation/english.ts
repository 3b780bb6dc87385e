// The English catalogue: all sentences that are sent to the page or stored on the disk, by code, with placeholders in
// braces. Labels that only one file of the editor or the page uses are defined in that file.

import { breaking, checks, risk } from "./internal/check-sentences.ts";
import { diagnostics } from "./internal/diagnostic-sentences.ts";
import { evidence } from "./internal/evidence-sentences.ts";
import { edits, fileReasons, files } from "./internal/file-sentences.ts";
import { commandDetails, notes, places } from "./internal/note-sentences.ts";
import { cautions, patches, patchReasons } from "./internal/patch-sentences.ts";
import { problems } from "./internal/problem-sentences.ts";
import { sides } from "./internal/side-sentences.ts";
import { storage } from "./internal/storage-sentences.ts";
import { tools } from "./internal/tool-sentences.ts";
import { connection, formatMessage, HumanError, type Language, type Message, service } from "./messages.ts";

/** Marked as pure, so that a bundle that shows no sentence leaves them out. */
export const catalogue = /* @__PURE__ */ (() => ({
  ...files,
  ...fileReasons,
  ...notes,
  ...patches,
  ...patchReasons,
  ...cautions,
  ...tools,
  ...checks,
  ...risk,
  ...evidence,
  ...breaking,
  ...edits,
  ...problems,
  ...storage,
  ...sides,
  ...service,
  ...connection,
  ...places,
  ...commandDetails,
}))();

/** All codes, including those that only the editor shows. */
export type Catalogue = typeof catalogue & typeof diagnostics;
export type Code = keyof Catalogue;

export const allSentences: Catalogue = /* @__PURE__ */ (() => ({ ...catalogue, ...diagnostics }))();

const english: Language = {
  sentence: (code) => allSentences[code],
  number: String,
  duration(milliseconds) {
    const seconds = milliseconds / 1000;
    return seconds >= 120 ? `${Math.round(seconds / 60)} minutes` : `${seconds} seconds`;
  },
  time: (at) => new Date(at).toISOString().slice(11, 16),
};

/** For the model and the log. */
export const inEnglish = (message: Message): string => formatMessage(message, english);

/** An error whose sentence is a message: translated where it is shown, and English in the log. */
export class MessageError extends HumanError {
  override readonly asMessage: Message;

  constructor(asMessage: Message, cause?: unknown) {
    super(inEnglish(asMessage), { cause });
    this.asMessage = asMessage;
  }
}

/** An error that a row shows as well. */
export class SaidInRow extends MessageError {
  override readonly isInRow = true;
}
