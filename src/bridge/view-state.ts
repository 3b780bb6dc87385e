// What stands around a conversation in the page: models, preferences, what the host is able to do. The page offers
// nothing that is not named here, so a button never leads nowhere.

import * as z from "zod/mini";
import { Attachment, DraftAttachment } from "../core/conversation/attachment.ts";
import { checkStates } from "../core/conversation/check-result.ts";
import { ModelChoice, PromptCommand, QueuedPrompt } from "../core/conversation/page-list-schemas.ts";
import { Problem } from "../core/conversation/problem.ts";
import { cacheTiers } from "../core/conversation/record.ts";
import { Message } from "../core/messages/schema.ts";
import { CodeColours } from "./code-colours.ts";

export const Preferences = z.object({
  sendKey: z.enum(["enter", "modEnter"]),
  scroll: z.enum(["follow", "anchorTop", "off"]),
  reasoning: z.enum(["headline", "preview", "expanded"]),
  textDirection: z.enum(["auto", "ltr", "rtl"]),
  renderMath: z.boolean(),
  /** What is suggested goes out unless it was taken away. */
  attachActiveEditor: z.boolean(),
});
export type Preferences = Readonly<z.infer<typeof Preferences>>;

/** What can be attached by name; the host shows the picker, or takes what is at hand (the selection, the problems). */
export const AttachKind = z.enum([
  "file",
  "folder",
  "symbol",
  "selection",
  "problems",
  "terminal",
  "diff",
  "conversation",
  "image",
  "image-url",
]);
export type AttachKind = z.infer<typeof AttachKind>;

/** What waits for a decision in this conversation; absent: nothing. */
export const WaitingChanges = z.object({
  files: z.number(),
  added: z.number(),
  removed: z.number(),
  /** Undecided changes. */
  hunks: z.number(),
  /** Places where the files have changed as well, and files that nothing can be accepted of. */
  conflicts: z.number(),
  /** Patches that have such a place. */
  inConflict: z.array(z.string()),
  /** What deserves a look, counted. */
  risks: z.array(Message),
  /** Where it stands, by the patches that propose it. */
  flagged: z.array(z.object({ path: z.string(), calls: z.array(z.string()), flags: z.array(Message) })),
  /** Which state of it this is: it comes back with what a person does. */
  shown: z.number(),
});
export type WaitingChanges = Readonly<z.infer<typeof WaitingChanges>>;

/** A check on what waits, as it stands. */
export const CheckState = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(checkStates),
  seconds: z.optional(z.number()),
  /** New findings. */
  found: z.number(),
  why: z.optional(Message),
});
export type CheckState = Readonly<z.infer<typeof CheckState>>;

/** Errors that the editor shows since a patch was applied. */
export const NewErrors = z.object({
  call: z.string(),
  errors: z.array(z.object({ path: z.optional(z.string()), line: z.optional(z.number()), text: z.string() })),
  /** With those that are not listed. */
  count: z.number(),
});
export type NewErrors = Readonly<z.infer<typeof NewErrors>>;

export const ViewState = z.object({
  model: z.string(),
  models: z.array(ModelChoice),
  /** Why nothing can be sent yet: no service URL, no key. */
  problem: z.optional(Problem),
  /** What was last heard of the service: it refused the key, it was not there. It may be tried again all the same. */
  caution: z.optional(Problem),
  /** What the host has to know before it sends: that much will be spent, that a key is for another address. */
  question: z.optional(Problem),
  /** One sentence each that stays above the box: a log that holds bodies, a conversation open elsewhere. */
  notices: z.array(Message),
  /** A question that was asked in the editor has brought this conversation: the name of what was here before. */
  before: z.optional(z.string()),
  /** It is only read here: nothing in it can be stopped. */
  readOnly: z.boolean(),
  /** Whether a click on the estimate has the service count. */
  countsTokens: z.boolean(),
  /** Whether code of an answer can be proposed as an edit here. */
  proposesCode: z.boolean(),
  changes: z.optional(WaitingChanges),
  checks: z.array(CheckState),
  newErrors: z.array(NewErrors),
  preferences: Preferences,
  codeColours: CodeColours,
  title: z.optional(z.string()),
  attachments: z.array(DraftAttachment),
  /** What this person most likely asks about; not there once it is attached. */
  suggested: z.optional(z.object({ kind: z.string(), label: z.string(), attachment: Attachment })),
  attachKinds: z.array(AttachKind),
  commands: z.array(PromptCommand),
  /** What was asked while a turn was running, in the order in which it will be sent. */
  queue: z.array(QueuedPrompt),
  /** The size of the draft, in tokens; `altogether` with all that was said before and goes again, about. */
  estimate: z.optional(
    z.object({ tokens: z.number(), exact: z.boolean(), altogether: z.optional(z.number()) }),
  ),
  /** Tokens, about: what the next request holds of what the model takes. Absent where nobody knows that. */
  window: z.optional(z.object({ used: z.number(), size: z.number() })),
  webSearch: z.boolean(),
  cacheTier: z.enum(cacheTiers),
  /** How much the model reasons, and the words to choose from; empty: as the service does by itself. */
  effort: z.string(),
  efforts: z.array(z.string()),
  /** Responses are JSON. */
  json: z.boolean(),
  outputLimit: z.optional(z.number()),
});
export type ViewState = Readonly<z.infer<typeof ViewState>>;
