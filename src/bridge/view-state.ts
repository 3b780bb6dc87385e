// The state around a conversation in the page: models, preferences, abilities of the host, colours of code. The page
// offers only what is named here, so no button leads nowhere.
import * as z from "zod/mini";
import { checkStates } from "../checks/check-result.ts";
import { cacheTiers } from "../conversation/events.ts";
import { Message, Problem } from "../conversation/problem.ts";
import {
  Attachment,
  DraftAttachment,
  longestDiagram,
  ModelChoice,
  PromptCommand,
  QueuedPrompt,
} from "../conversation/state.ts";
import { candidateStates, Facts, Quote, trialWays } from "../trials/candidate.ts";
import { arePreferences, type Preferences } from "./preferences.ts";

/**
 * Colours of code in the page, by their names in the style sheet, as far as the user's theme defines them. The style
 * sheet has a default for each.
 */
export const CodeColour = z.enum([
  "comment",
  "keyword",
  "string",
  "number",
  "constant",
  "function",
  "type",
  "variable",
  "property",
  "tag",
  "regexp",
  "meta",
  "added",
  "removed",
]);
export type CodeColour = z.infer<typeof CodeColour>;

/** Hexadecimal, as in themes. */
export const hexColour = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

export const CodeColours = z.partialRecord(CodeColour, z.string().check(z.regex(hexColour)));
export type CodeColours = Readonly<z.infer<typeof CodeColours>>;

/** Messages of a page that wants its code coloured as in the editor. */
export const codeRequests = [
  /** Code has become visible under this VS Code theme; without `theme`, no code is visible any more. */
  z.object({ type: z.literal("show-code"), theme: z.optional(z.string().check(z.maxLength(512))) }),
  z.object({
    type: z.literal("colour-code"),
    block: z.int(),
    /** The colour table that the page knows. */
    table: z.int(),
    language: z.string().check(z.maxLength(64)),
    /** Index of the first of these lines. Earlier lines were sent before; later ones have changed. */
    from: z.int().check(z.nonnegative()),
    lines: z.array(z.string().check(z.maxLength(100_000))).check(z.maxLength(1000)),
    /** These are the last lines of the block. */
    isEnd: z.boolean(),
  }),
] as const;

/** Replies to the page. */
export const codeReplies = [
  /** Invalidates what the page knew. Without colours, the page colours code itself. */
  z.object({
    type: z.literal("code-table"),
    table: z.int(),
    colours: z.optional(z.array(z.nullish(z.string()))),
  }),
  z.object({
    type: z.literal("code-lines"),
    block: z.int(),
    from: z.int(),
    /** As in code-colours/colour-runs.ts. */
    runs: z.array(z.array(z.number())),
  }),
  /** `isLost`: the page must ask again from the first line; otherwise no grammar knows the language. */
  z.object({ type: z.literal("code-none"), block: z.int(), isLost: z.boolean() }),
] as const;

/** The text of a finished diagram, whose picture the page wants. */
export const diagramRequest = z.object({
  type: z.literal("draw-diagram"),
  source: z.string().check(z.maxLength(longestDiagram)),
});

/** Why a diagram has no picture. `kind`: it is one that nobody draws here; `text`: its text is not understood. */
const NoPicture = z.enum(["kind", "text", "size", "time", "failed"]);

/** The picture is an SVG, of which the page draws what it knows. */
export const diagramReply = z.object({
  type: z.literal("diagram"),
  source: z.string(),
  svg: z.optional(z.string()),
  why: z.optional(NoPicture),
});

/** What can be attached by kind. The host shows a picker, or takes what is at hand (the selection, the problems). */
export const AttachKind = z.enum([
  "file",
  "folder",
  "symbol",
  "selection",
  "problems",
  "terminal",
  "diff",
  "search",
  "conversation",
  "image",
  "image-url",
]);
export type AttachKind = z.infer<typeof AttachKind>;

/** Suggested subjects besides the open file: uncommitted changes, a project that the model can look at. */
export const Starter = z.enum(["changes", "project"]);
export type Starter = z.infer<typeof Starter>;

/** Changes of this conversation that wait for a decision; absent if there are none. */
export const WaitingChanges = z.object({
  files: z.number(),
  added: z.number(),
  removed: z.number(),
  /** Number of undecided changes. */
  hunks: z.number(),
  /** Number of places where the files have changed, too, and of files of which nothing can be accepted. */
  conflicts: z.number(),
  /** Patches with such places. */
  inConflict: z.array(z.string()),
  /** Risk flags with their counts. */
  risks: z.array(Message),
  /** Files with risk flags, and the patches that propose them. */
  flagged: z.array(z.object({ path: z.string(), calls: z.array(z.string()), flags: z.array(Message) })),
  /** Identifies this state; returned with the person's actions. */
  shown: z.number(),
});
export type WaitingChanges = Readonly<z.infer<typeof WaitingChanges>>;

/** The current state of a check on pending changes. */
export const CheckState = z.object({
  id: z.string(),
  name: z.string(),
  /** `offered`: nobody has chosen a check yet. */
  state: z.enum([...checkStates, "offered"]),
  /** A short result. */
  said: Message,
  /** The check fails without the proposal and passes with it. */
  isRepaired: z.optional(z.literal(true)),
  /** Findings to show on hover. */
  found: z.array(z.string()),
  why: z.optional(Message),
});
export type CheckState = Readonly<z.infer<typeof CheckState>>;

/** What is known of the pending changes beside what their response says of them. */
export const EvidenceState = z.object({
  /** The patch whose card shows it: the last one that waits. */
  call: z.string(),
  /** Claims of the response that facts speak against, a sentence each. */
  contradicted: z.array(Message),
  /** All changes in one line, and what is below it: the other claims, then each change. */
  line: z.array(Message),
  details: z.array(Message),
});
export type EvidenceState = Readonly<z.infer<typeof EvidenceState>>;
/** The search for those of the pending changes that break a check, and what it has found. */
export const BreakingSearch = z.object({
  /** What it does now, what it has found, or why it has ended; absent before the first one. */
  said: z.optional(Message),
  isRunning: z.boolean(),
  /** It can begin, or begin again. */
  canFind: z.boolean(),
  /** How many changes were seen to pass together; absent if none were, or if they are accepted. */
  passing: z.optional(z.number()),
  /** How many are left then; absent if nothing was found. */
  rest: z.optional(z.number()),
  /** The changes that break it. */
  places: z.array(z.object({ path: z.string(), line: z.optional(z.number()) })),
  /** Identifies this state; returned with the person's actions. */
  shown: z.number(),
});
export type BreakingSearch = Readonly<z.infer<typeof BreakingSearch>>;

/** Errors that the editor shows since a patch was applied. */
export const NewErrors = z.object({
  call: z.string(),
  errors: z.array(z.object({ path: z.optional(z.string()), line: z.optional(z.number()), text: z.string() })),
  /** Including those not listed. */
  count: z.number(),
});
export type NewErrors = Readonly<z.infer<typeof NewErrors>>;

/** Several tries at one question, of which a person takes one. */
export const TrialView = z.object({
  /** The question. */
  words: z.string(),
  way: z.enum(trialWays),
  /** The ways that there are candidates for. */
  ways: z.array(z.enum(trialWays)),
  /** A person has agreed to the quote. */
  isStarted: z.boolean(),
  isRunning: z.boolean(),
  /** Nothing was sent, because it would be more than was agreed to. */
  hasGrown: z.boolean(),
  candidates: z.array(
    z.extend(Facts, {
      /** Its model. */
      label: z.string(),
      effort: z.optional(z.string()),
      state: z.enum(candidateStates),
      /** Absent: not known yet. */
      quote: z.optional(Quote),
    }),
  ),
});
export type TrialView = Readonly<z.infer<typeof TrialView>>;

export const ViewState = z.object({
  model: z.string(),
  models: z.array(ModelChoice),
  /** Custom agents of the workspace; absent: there are none. */
  agents: z.optional(
    z.object({
      list: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          description: z.string(),
          /** The label of the model that comes with it. */
          model: z.optional(z.string()),
        }),
      ),
      /** The name of the one of this conversation, and its id. */
      chosen: z.optional(z.object({ id: z.string(), name: z.string() })),
      /** The conversation has begun and stays with what it began with. */
      isFixed: z.boolean(),
    }),
  ),
  /** Why nothing can be sent yet: no service URL, no key. */
  problem: z.optional(Problem),
  /** The last problem reported by the service: it refused the key or was unavailable. Sending is allowed even then. */
  caution: z.optional(Problem),
  /**
   * A question that must be answered before sending, for example about the cost, or a key that is for another address.
   */
  question: z.optional(z.extend(Problem, { id: z.string() })),
  /**
   * Messages that stay above the input, one sentence each: a log that contains bodies, a conversation open elsewhere.
   */
  notices: z.array(Message),
  /** A question asked in the editor has opened this conversation: the title of the one that was open before. */
  before: z.optional(z.string()),
  /** This window only reads the conversation: nothing in it can be stopped. */
  readOnly: z.boolean(),
  /** Another window writes it and can be asked, or was asked, to hand it over; or it has done so. */
  takeOver: z.optional(z.enum(["offered", "asked", "done"])),
  /** Whether clicking the estimate lets the service count tokens. */
  countsTokens: z.boolean(),
  /** Whether code of a response can be proposed as an edit here. */
  proposesCode: z.boolean(),
  changes: z.optional(WaitingChanges),
  /** Number of remarks about them that were not sent; absent: none. */
  remarks: z.optional(z.number()),
  trial: z.optional(TrialView),
  /** A question can be tried in several ways here and now. */
  canTry: z.optional(z.literal(true)),
  checks: z.array(CheckState),
  evidence: z.optional(EvidenceState),
  breaking: z.optional(BreakingSearch),
  newErrors: z.array(NewErrors),
  preferences: z.custom<Preferences>(arePreferences),
  codeColours: CodeColours,
  title: z.optional(z.string()),
  attachments: z.array(DraftAttachment),
  /** What the user most likely wants to ask about; absent once it is attached. */
  suggested: z.optional(
    z.object({
      kind: z.string(),
      label: z.string(),
      attachment: Attachment,
    }),
  ),
  starters: z.array(Starter),
  attachKinds: z.array(AttachKind),
  commands: z.array(PromptCommand),
  /** Questions asked while a turn was running, in the order in which they will be sent. */
  queue: z.array(QueuedPrompt),
  /** Size of the draft in tokens; `altogether`: approximate size including the history that is sent with it. */
  estimate: z.optional(
    z.object({ tokens: z.number(), exact: z.boolean(), altogether: z.optional(z.number()) }),
  ),
  /** Approximate tokens of the next request and of the model's context window. Absent if unknown. */
  window: z.optional(z.object({ used: z.number(), size: z.number() })),
  /** Folders in which commands run without asking, until the user withdraws that. */
  commandFolders: z.array(z.string()),
  /**
   * From this time on the cache no longer has the history: approximate tokens that the next question sends again, and of
   * a summary in their place.
   */
  cold: z.optional(z.object({ from: z.number(), tokens: z.number(), summary: z.number() })),
  webSearch: z.boolean(),
  cacheTier: z.enum(cacheTiers),
  /** The reasoning effort and the values to choose from; empty: the service's default. */
  effort: z.string(),
  efforts: z.array(z.string()),
  /** Responses are JSON. */
  json: z.boolean(),
  /** Calls that write or act are refused until the user says Go. */
  planFirst: z.boolean(),
  outputLimit: z.optional(z.number()),
});
export type ViewState = Readonly<z.infer<typeof ViewState>>;
