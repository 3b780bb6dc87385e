// A conversation as host and page see it, and all it consists of. Created only by `reduce`; objects are replaced when
// they change and kept identical otherwise, so that views can compare by reference.
import * as z from "zod/mini";
import { routes } from "./models.ts";
import { Message, Problem } from "./problem.ts";

const text = z.string().check(z.maxLength(4 * 1024 * 1024));
const path = z.string().check(z.maxLength(4096));
const name = z.string().check(z.maxLength(1000));
/**
 * The address it was read from. It is never sent, and neither is the content if files at that address must not be sent.
 */
const place = z.optional(z.string().check(z.maxLength(16_384)));
/** The address of the folder that the paths in a diff begin in, such as a repository's. It is never sent. */
const root = z.optional(z.string().check(z.maxLength(16_384)));
/** Its role for the question, as the model is told: `to-edit`, `context`. */
const role = z.optional(z.string().check(z.maxLength(40)));
/** A 1-based line number. */
const line = z.int().check(z.positive());

/**
 * What a person can attach to a question: the request, made by the page or the editor. The host reads it when the
 * question is sent, so its content is from that moment.
 */
export const Attachment = z.discriminatedUnion("kind", [
  /** Whole lines of a file, inclusive. */
  z.object({ kind: z.literal("selection"), path, start: line, end: line, role }),
  /** A text file or an image. */
  z.object({ kind: z.literal("file"), path, role }),
  z.object({ kind: z.literal("folder"), path, role }),
  /**
   * An image that is not a file of the workspace: a base64 data URL, or an https address typed by a person, from which
   * the service loads it.
   */
  z.object({
    kind: z.literal("image"),
    name,
    url: z.string().check(z.maxLength(32 * 1024 * 1024)),
    place,
    role,
  }),
  /** The problems of one file, or of the whole workspace. */
  z.object({ kind: z.literal("problems"), path: z.optional(path), role }),
  z.object({ kind: z.literal("terminal"), name, text, role }),
  /** With a root, it is one that Git wrote; without, it may also be a quote of some of its lines. */
  z.object({ kind: z.literal("diff"), name, text, root, role }),
  /** Search results: the path of each file, and its lines below, indented. */
  z.object({ kind: z.literal("search"), name, text, role }),
  z.object({ kind: z.literal("conversation"), id: name, name, role }),
  /** Text without a file in the workspace: an untitled document, something pasted. */
  z.object({ kind: z.literal("text"), name, text, place, role }),
]);
export type Attachment = Readonly<z.infer<typeof Attachment>>;

/** What is shown of an attachment. */
export const AttachmentView = z.object({
  /** As above; `instructions` for the workspace's instruction file. */
  kind: z.string(),
  /** The label of the chip: `src/a.ts, lines 3–9`. */
  label: z.string(),
  path: z.optional(z.string()),
  start: z.optional(z.number()),
  end: z.optional(z.number()),
  role,
  /** How many bytes were sent; 0 if none were. */
  bytes: z.number(),
  /** The number of tokens when it was sent, if known; an estimate unless `exact`. */
  tokens: z.optional(z.number()),
  exact: z.optional(z.boolean()),
  /** Set if less was sent than requested: cut, secrets removed, refused. */
  notes: z.optional(z.array(Message)),
});
export type AttachmentView = Readonly<z.infer<typeof AttachmentView>>;

export interface TokenCount {
  readonly tokens: number;
  readonly exact: boolean;
}

/** The token count in the form a chip has. */
export const weightOf = (count: TokenCount | undefined): Partial<TokenCount> =>
  count === undefined ? {} : { tokens: count.tokens, ...(count.exact && { exact: true }) };

/** An attachment of the next question. The host keeps it; the page shows it and can remove it. */
export const DraftAttachment = z.object({
  id: z.string(),
  kind: z.string(),
  label: z.string(),
  /** As far as known; an estimate unless `exact`. */
  tokens: z.optional(z.number()),
  exact: z.optional(z.boolean()),
  /** Set if it will not be sent as it is. */
  notes: z.optional(z.array(Message)),
});
export type DraftAttachment = Readonly<z.infer<typeof DraftAttachment>>;

/** A receipt of the service, stored as received. How to verify one is not published, so nothing here says "valid". */
export const Receipt = z.object({
  operation: z.string(),
  nonce: z.string(),
  timestamp: z.string(),
  signature: z.string(),
  requestSha256: z.string(),
  responseSha256: z.string(),
  responseWhole: z.boolean(),
  model: z.optional(z.string()),
  responseId: z.optional(z.string()),
  at: z.number(),
});
export type Receipt = Readonly<z.infer<typeof Receipt>>;

// Tool calls as they are shown: one row per call, one card per patch. Their status only moves forward.

/** `asked` waits for a decision; `refused` was declined or is not allowed; `stopped` never finished. */
export const ToolStatus = z.enum(["asked", "running", "done", "failed", "refused", "stopped"]);
export type ToolStatus = z.infer<typeof ToolStatus>;

export const maxChoices = 4;
export const maxAnswer = 4000;
/** A person reads the whole line of a command before it runs. */
export const longestLine = 2000;

/** A question from the model. The user picks one of the choices or replies in their own words. */
export const UserQuestion = z.object({
  text: z.string().check(z.maxLength(2000)),
  choices: z.array(z.string().check(z.maxLength(300))).check(z.maxLength(maxChoices)),
});
export type UserQuestion = Readonly<z.infer<typeof UserQuestion>>;

export const ToolPart = z.object({
  type: z.literal("tool"),
  id: z.string(),
  /** The id to call `decide` with. */
  call: z.string(),
  name: z.string(),
  status: ToolStatus,
  /** What it does, for people: `src/a.ts, lines 1–40`. */
  summary: z.union([z.string(), Message]),
  /** Why it asks, or how it ended, in one sentence. */
  message: z.optional(Message),
  /**
   * A command: its exact line, whether it can be allowed for the whole folder or edited, and for which folder it was
   * allowed.
   */
  command: z.optional(
    z.object({
      line: z.string(),
      canAllow: z.optional(z.literal(true)),
      canEdit: z.optional(z.literal(true)),
      allowedIn: z.optional(z.string()),
    }),
  ),
  /** The beginning of the output the model was given. */
  output: z.optional(z.string()),
  /** While it is `asked`, this waits for an answer instead of a permission. */
  question: z.optional(UserQuestion),
});
export type ToolPart = Readonly<z.infer<typeof ToolPart>>;

/**
 * `proposed`: something in it is undecided; `undone`: applied and later undone; `conflict`: it no longer fitted the
 * files and was left out; `replaced`: a later patch has written something else there; `lost`: its proposal is no longer
 * stored here.
 */
export const PatchStatus = z.enum([
  "arriving",
  "proposed",
  "applied",
  "undone",
  "rejected",
  "conflict",
  "replaced",
  "failed",
  "stopped",
  "lost",
]);
export type PatchStatus = z.infer<typeof PatchStatus>;

const HunkStatus = z.enum(["pending", "applied", "rejected", "undone", "conflict", "replaced"]);

export const PatchHunk = z.object({
  id: z.string(),
  status: HunkStatus,
  /** Its first line in the current file, 1-based; absent while its position is unknown. */
  line: z.optional(z.number()),
  added: z.number(),
  removed: z.number(),
  /** Its lines with their signs; absent if the patch is too long to be shown here. */
  diff: z.optional(z.string()),
  /** How loosely it matched, or why it does not fit. */
  note: z.optional(Message),
  /** The person has edited it before accepting it: its lines are those that were written. */
  edited: z.optional(z.boolean()),
});
export type PatchHunk = Readonly<z.infer<typeof PatchHunk>>;

export const PatchFile = z.object({
  path: z.string(),
  change: z.enum(["add", "update", "delete", "move"]),
  to: z.optional(z.string()),
  added: z.number(),
  removed: z.number(),
  hunks: z.array(PatchHunk),
  /** One sentence if this file needs special attention: it can run code, or contains settings. */
  caution: z.optional(Message),
  /** Why it cannot be applied. */
  problem: z.optional(Message),
  /** How its part of the patch was interpreted. */
  note: z.optional(Message),
});
export type PatchFile = Readonly<z.infer<typeof PatchFile>>;

export const PatchPart = z.object({
  type: z.literal("patch"),
  id: z.string(),
  /** Its id; empty while the patch arrives. */
  call: z.string(),
  status: PatchStatus,
  files: z.array(PatchFile),
  /** Made by a person from this response's code, possibly long after the turn ended; absent: made by the model. */
  by: z.optional(z.literal("person")),
  /** How it ended, in one sentence. */
  message: z.optional(Message),
  /** The complete output the model was given; after a crash it is what the model will be given. */
  output: z.optional(z.string()),
});
export type PatchPart = Readonly<z.infer<typeof PatchPart>>;

/**
 * A status change of a patch: of its row, and of those hunks that have changed. A row may be long and decided line by
 * line, so only differences are stored.
 */
export const PatchState = z.object({
  type: z.literal("patch-state"),
  /** The id of the patch part. */
  id: z.string(),
  call: z.string(),
  status: PatchStatus,
  /** Absent: there is no message any more. */
  message: z.optional(Message),
  hunks: z.array(z.object({ id: z.string(), status: HunkStatus })),
  /** Its files as they were written, if the person has edited them. */
  files: z.optional(z.array(PatchFile)),
});
export type PatchState = Readonly<z.infer<typeof PatchState>>;

export const maxPlanSteps = 50;
export const maxPlanStep = 300;

/** What the model has set out to do, as a checklist. */
export const Plan = z.object({
  steps: z
    .array(
      z.object({
        text: z.string().check(z.maxLength(maxPlanStep)),
        status: z.enum(["pending", "in_progress", "completed"]),
      }),
    )
    .check(z.maxLength(maxPlanSteps)),
  /** Edited by a person since the model wrote it. */
  by: z.optional(z.literal("person")),
});
export type Plan = Readonly<z.infer<typeof Plan>>;
export type PlanStep = Plan["steps"][number];

/**
 * A person's edit of the plan. `step` is an index and `text` what was shown there: if the plan has changed meanwhile,
 * the step is found by its text.
 */
const ofStep = { step: z.int().check(z.nonnegative()), text: z.string().check(z.maxLength(maxPlanStep)) };
const written = z.string().check(z.maxLength(maxPlanStep));
export const PlanEdit = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("tick"), ...ofStep, done: z.boolean() }),
  z.object({ kind: z.literal("reword"), ...ofStep, to: written }),
  z.object({ kind: z.literal("remove"), ...ofStep }),
  z.object({ kind: z.literal("add"), text: written }),
]);
export type PlanEdit = Readonly<z.infer<typeof PlanEdit>>;

const count = z.optional(z.number());

/** Token usage of one request as the service reported it. Missing numbers stay absent, never 0. */
export const Usage = z.object({
  input: count,
  cached: count,
  cacheWrite: count,
  output: count,
  reasoning: count,
  total: count,
});
export type Usage = Readonly<z.infer<typeof Usage>>;

const Source = z.object({ url: z.string(), title: z.optional(z.string()) });

export type Source = Readonly<z.infer<typeof Source>>;

/** A source of a text, with the range of characters it refers to, if known. */
export const Citation = z.object({
  url: z.string(),
  title: z.optional(z.string()),
  start: z.optional(z.number()),
  end: z.optional(z.number()),
});

export type Citation = Readonly<z.infer<typeof Citation>>;

export const Citations = z.array(Citation);

export const SearchPart = z.object({
  type: z.literal("search"),
  id: z.string(),
  status: z.string(),
  query: z.optional(z.string()),
  sources: z.array(Source),
  /** Images that were found; absent in older records. */
  images: z.optional(z.array(Source)),
});

export type SearchPart = Readonly<z.infer<typeof SearchPart>>;

/** An item of an unknown kind, or of a known kind in an unreadable form (requirements D2). */
export const OtherPart = z.object({
  type: z.literal("other"),
  id: z.string(),
  /** The type as the service names it. */
  kind: z.string(),
  bytes: z.number(),
  /** The beginning of the item without encrypted values; the original bytes are stored elsewhere. */
  json: z.string(),
});

export type OtherPart = Readonly<z.infer<typeof OtherPart>>;

/** How a turn ended. Every turn has exactly one `ended` event, its last. */
export const Ending = z.enum(["done", "incomplete", "stopped", "failed", "interrupted"]);

export type Ending = z.infer<typeof Ending>;

/**
 * Why a request was made. `retry`: the same was asked before. `candidate`: one of several answers to choose from.
 * `extension`: another extension asked. `check`: to try the connection.
 */
export const RequestCause = z.enum(["answer", "retry", "compaction", "candidate", "extension", "check"]);
export type RequestCause = z.infer<typeof RequestCause>;

/**
 * Why input that had been sent before was not read from the cache, as far as it is known. `history`: it differs for
 * another reason; `elsewhere`: it is the same, within the lifetime.
 */
export const MissCause = z.enum([
  ...["model", "tier", "cache-id", "tools", "instructions", "attachments", "summary", "rewound", "history"],
  ...["expired", "elsewhere", "unknown"],
] as const);
export type MissCause = z.infer<typeof MissCause>;

/** Input that the previous request had sent already, and this one has paid for again. */
export const MissedInput = z.object({
  /** Approximate. */
  tokens: z.number(),
  why: MissCause,
  /** Milliseconds since the previous request, where that is why. */
  pause: z.optional(z.number()),
});
export type MissedInput = Readonly<z.infer<typeof MissedInput>>;

/** What is known about one request besides the usage that the service reported. */
export const RequestFacts = {
  at: z.optional(z.number()),
  model: z.optional(z.string()),
  /** The cache lifetime it says it applied. */
  ttl: z.optional(z.string()),
  /** The lifetime that was requested; absent: none, so the service's default applies. */
  askedTtl: z.optional(z.string()),
  milliseconds: z.optional(z.number()),
  /** The local estimate of its input before the service counted it (requirements I9). */
  estimate: z.optional(z.number()),
  cause: z.optional(RequestCause),
  missed: z.optional(MissedInput),
};

/** What a person has said while the turn worked, where the model was handed it. `id`: of the message. */
export const SteeredPart = z.object({
  type: z.literal("steered"),
  id: z.string(),
  at: z.number(),
  prompt: z.string(),
  attachments: z.array(AttachmentView),
});
export type SteeredPart = Readonly<z.infer<typeof SteeredPart>>;

export const Part = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("text"),
    id: z.string(),
    text: z.string(),
    citations: z.optional(Citations),
  }),
  z.object({ type: z.literal("refusal"), id: z.string(), text: z.string() }),
  z.object({
    type: z.literal("reasoning"),
    id: z.string(),
    text: z.string(),
    took: z.optional(z.number()),
  }),
  SearchPart,
  OtherPart,
  ToolPart,
  PatchPart,
  SteeredPart,
  z.object({ type: z.literal("note"), id: z.string(), notes: z.array(Message) }),
]);
export type Part = Readonly<z.infer<typeof Part>>;

export const RequestUsage = z.extend(Usage, RequestFacts);
export type RequestUsage = Readonly<z.infer<typeof RequestUsage>>;

export const Turn = z.object({
  id: z.string(),
  at: z.number(),
  model: z.string(),
  route: z.enum(routes),
  prompt: z.string(),
  attachments: z.array(AttachmentView),
  /** What was sent beside the results of its tools. Asking again does not send it again with the question. */
  beside: z.optional(z.array(AttachmentView)),
  /** Continues the turn before it. */
  continues: z.boolean(),
  /** Its answer is a summary: the history continues from that once it is complete. */
  compacts: z.optional(z.boolean()),
  /** JSON output was requested. */
  json: z.optional(z.boolean()),
  /** A person has excluded it from future requests. */
  excluded: z.optional(z.boolean()),
  parts: z.array(Part),
  /** The plan that this turn has left; the latest one of a conversation is in force. */
  plan: z.optional(Plan),
  status: z.union([z.literal("running"), Ending]),
  waiting: z.optional(z.object({ until: z.number(), reason: Message })),
  /** One row for each request the turn made. */
  usage: z.array(RequestUsage),
  receipts: z.array(Receipt),
  endedAt: z.optional(z.number()),
  reason: z.optional(z.string()),
  problem: z.optional(Problem),
});
export type Turn = Readonly<z.infer<typeof Turn>>;

export const Conversation = z.object({ id: z.string(), turns: z.array(Turn) });
export type Conversation = Readonly<z.infer<typeof Conversation>>;

/** What a rewind restores to its state before a question. */
export const RewindScope = z.enum(["both", "files", "conversation"]);
export type RewindScope = z.infer<typeof RewindScope>;

/** What going back would take along, and what cannot come back. */
export const RewindPlan = z.object({
  /** Paths of files in which accepted changes are undone. */
  files: z.array(z.string()),
  /** Of these, what would be left as it is, and why. */
  left: z.array(z.object({ path: z.string(), why: Message })),
  /** Messages of the person that leave the conversation. */
  questions: z.number(),
  /** Tools that have done more than read. */
  acted: z.array(z.string()),
  /** Approximate number of cached tokens that would be given up, and their price. */
  tokens: z.number(),
  price: z.optional(z.string()),
});
export type RewindPlan = Readonly<z.infer<typeof RewindPlan>>;

// Limits for attachments, shared so that the host accepts whatever the page accepts.

export const maxPictureBytes = 20_000_000;
/** Files dropped or pasted at once. */
export const maxDropped = 20;

/** In characters: a longer text of a diagram is shown as code. */
export const longestDiagram = 20_000;

// Schemas of the lists a page shows around a conversation: models, saved prompts, queued questions. Kept apart from the
// code that creates them, because activation reads models and needs no schema.

export const ModelChoice = z.object({
  id: z.string(),
  label: z.string(),
  route: z.enum(routes),
  /** As set by the user; the service does not report it. */
  vision: z.optional(z.boolean()),
  /** Added by the user; whether the service has it was not checked. */
  added: z.optional(z.boolean()),
});
export type ModelChoice = Readonly<z.infer<typeof ModelChoice>>;

/** A saved prompt: `/explain`. */
export const PromptCommand = z.object({
  name: z.string(),
  detail: z.union([z.string(), Message]),
  /** Where it comes from; absent: from Patchbay or the user. */
  origin: z.optional(z.string()),
});
export type PromptCommand = Readonly<z.infer<typeof PromptCommand>>;

/** When what is said during a turn reaches the model: with the turn's next request, or as a question after it. */
export const Delivery = z.enum(["step", "turn"]);
export type Delivery = z.infer<typeof Delivery>;

/** What was said while a turn was running, under the id of its future turn. */
export const QueuedPrompt = z.object({ id: z.string(), prompt: z.string(), delivery: Delivery });
export type QueuedPrompt = Readonly<z.infer<typeof QueuedPrompt>>;
