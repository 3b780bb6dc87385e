// Events, decisions and records of a conversation. The union of events is the specification: turns yield them, the
// journal stores them, the bridge transports them, and only `reduce` applies them. Independent of the service's wire
// format and of the page.

import * as z from "zod/mini";
import { permissions, routes } from "./models.ts";
import { Message, Problem } from "./problem.ts";
import { survivorsOfCut } from "./reduce.ts";
import {
  AttachmentView,
  Citations,
  Ending,
  longestLine,
  maxAnswer,
  OtherPart,
  PatchPart,
  PatchState,
  Plan,
  Receipt,
  RequestFacts,
  SearchPart,
  SteeredPart,
  ToolPart,
  Usage,
} from "./state.ts";

const turn = z.string();
/** Unique within its turn: the number of the request and the part of its reply. */
const part = z.string();

export const ConversationEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("started"),
    turn,
    at: z.number(),
    model: z.string(),
    route: z.enum(routes),
    prompt: z.string(),
    attachments: z.optional(z.array(AttachmentView)),
    /** Continues the response before it, without a new question. */
    continues: z.optional(z.boolean()),
    /** Asks for a summary; once it is complete, the history continues from that. */
    compacts: z.optional(z.boolean()),
    /** JSON output was requested. */
    json: z.optional(z.boolean()),
  }),
  z.object({ type: z.literal("text"), turn, part, delta: z.string() }),
  z.object({ type: z.literal("refusal"), turn, part, delta: z.string() }),
  /** `took`: milliseconds; set once it is over. */
  z.object({
    type: z.literal("reasoning"),
    turn,
    part,
    delta: z.string(),
    took: z.optional(z.number()),
  }),
  /** The final form of a part differs from what was shown: deltas are for display, the snapshot is authoritative. */
  z.object({ type: z.literal("replaced"), turn, part, text: z.string() }),
  /** The sources of a text; sent once the text is complete. */
  z.object({ type: z.literal("cited"), turn, part, citations: Citations }),
  // Parts other than text are sent completely each time.
  z.extend(SearchPart, { turn }),
  z.extend(OtherPart, { turn }),
  z.extend(ToolPart, { turn }),
  /**
   * `from`: the number of files already reported, which are unchanged; while a patch arrives, only new files are sent.
   */
  z.extend(PatchPart, { turn, from: z.optional(z.int().check(z.nonnegative())) }),
  z.extend(PatchState, { turn }),
  z.extend(SteeredPart, { turn }),
  /** The whole plan each time; a person's edit belongs to the turn whose plan it changes. */
  z.extend(Plan, { type: z.literal("plan"), turn }),
  /** One for each request: a turn with tools makes several. */
  z.object({ type: z.literal("usage"), turn, usage: Usage, ...RequestFacts }),
  z.object({ type: z.literal("receipt"), turn, receipt: Receipt }),
  /** The service asks to wait; the next event of the turn ends the wait. */
  z.object({ type: z.literal("waiting"), turn, until: z.number(), reason: Message }),
  z.object({ type: z.literal("note"), turn, notes: z.array(Message) }),
  /** What was sent beside the results of a tool without being one, such as instructions for the files it has read. */
  z.object({ type: z.literal("attached"), turn, attachments: z.array(AttachmentView) }),
  z.object({
    type: z.literal("ended"),
    turn,
    at: z.number(),
    ending: Ending,
    /** The reason as the service names it, shown verbatim: `max_output_tokens`, a finish reason. */
    reason: z.optional(z.string()),
    problem: z.optional(Problem),
  }),
  /** A person has excluded the turn from future requests; it stays visible. */
  z.object({ type: z.literal("excluded"), turn, at: z.number() }),
  /** This turn and all later ones are no longer part of the conversation, because it was edited or asked again. */
  z.object({ type: z.literal("cut"), turn, at: z.number() }),
]);
export type ConversationEvent = Readonly<z.infer<typeof ConversationEvent>>;

const reason = z.optional(z.string().check(z.maxLength(4000)));

/**
 * A person's answer when a tool asks. The question is an event (`tool` with status `asked`); this is the action that
 * comes back. For a question of the model, `reject` means that the person gives no answer.
 */
export const Decision = z.discriminatedUnion("kind", [
  /** `always`: for the folder that the question names. `line`: as the person has changed it. */
  z.object({
    kind: z.literal("accept"),
    always: z.optional(z.literal(true)),
    line: z.optional(z.string().check(z.minLength(1), z.maxLength(longestLine))),
  }),
  /** Ends a command that runs. */
  z.object({ kind: z.literal("stop") }),
  /** The reason is passed on to the model. */
  z.object({ kind: z.literal("reject"), reason }),
  /** Answers a question of the model. */
  z.object({ kind: z.literal("answer"), text: z.string().check(z.maxLength(maxAnswer)) }),
]);
export type Decision = Readonly<z.infer<typeof Decision>>;

declare const clean: unique symbol;

/**
 * Text that may be sent to a model: secrets were removed (files/privacy.ts), or it is verbatim. The type keeps all
 * other text out of requests: a plain string is not assignable.
 */
export type CleanText = string & { readonly [clean]: true };

/** For text a person typed, model output that is sent back, and our own sentences. Never for text of a file. */
export const verbatim = (words: string): CleanText => words as CleanText;

/** `url` is a base64 data URL, or an address typed by a person. */
type Picture = { readonly kind: "image"; readonly url: string };

/** Content that a person adds to a history: text, or an image. It can be counted locally. */
export type Content = { readonly kind: "text"; readonly text: string } | Picture;

/** Content that can be sent. */
export type CleanContent = { readonly kind: "text"; readonly text: CleanText } | Picture;

// The records of a journal. Pure functions over lists of them tell what is still part of the conversation: removed
// records are in none of their results, and a journal rewritten by `withoutCutRecords` no longer contains them.

/** Everything as received; without searches; only what the interface shows. */
export const historyForms = ["whole", "no-search", "plain"] as const;
export type HistoryForm = (typeof historyForms)[number];
const simplerForms = ["no-search", "plain"] as const satisfies readonly HistoryForm[];

/** The form that leaves out whatever either of them leaves out. */
export const plainerForm = (one: HistoryForm, other: HistoryForm): HistoryForm =>
  historyForms.indexOf(one) < historyForms.indexOf(other) ? other : one;

export const cacheTiers = ["default", "5m", "1h"] as const;
export type CacheTier = (typeof cacheTiers)[number];

/** Lists in a record are read-only. */
type Fixed<Value> = {
  readonly [Name in keyof Value]: Value[Name] extends string[] ? readonly string[] : Value[Name];
};
type RecordOf<Type extends string> = Fixed<Extract<z.infer<typeof StoredRecord>, { type: Type }>>;

export type Opened = RecordOf<"opened">;
export type Replay = RecordOf<"replay">;
type Choices = RecordOf<"choices">;
/** The choices without their time. */
export type Chosen = Omit<Choices, "type" | "at">;
type Simplified = RecordOf<"simplified">;
export type ConversationRecord = Opened | Choices | Simplified | Replay | ConversationEvent;

const unseen: ReadonlySet<string> = new Set(["opened", "choices", "simplified"]);

/** Whether the record is visible in the conversation. */
export const isEvent = (record: ConversationRecord): record is ConversationEvent =>
  !unseen.has(record.type) && record.type !== "replay";

/** The records without those a `cut` removed, and without the cuts themselves. */
export function withoutCutRecords(records: readonly ConversationRecord[]): ConversationRecord[] {
  const kept: ConversationRecord[] = [];
  for (const record of records) {
    if (record.type === "cut") removeFrom(kept, record.turn);
    else kept.push(record);
  }
  return kept;
}

/**
 * Turns never overlap, so everything from the start of one belongs to it or a later one, except records that survive a
 * cut.
 */
function removeFrom(records: ConversationRecord[], turn: string): void {
  const index = records.findIndex((record) => record.type === "started" && record.turn === turn);
  if (index < 0) return;
  const removed = records.splice(index);
  for (const each of removed.filter(survivorsOfCut(removed))) records.push(each);
}

function createStoredRecord() {
  const raw = z.array(z.string());

  /** The frozen opening of a conversation; a later one replaces it. */
  const Opened = z.object({
    type: z.literal("opened"),
    at: z.number(),
    instructions: z.string(),
    /** Raw JSON of each tool definition, in the order in which it is sent. */
    tools: raw,
    /** One value for a whole conversation improves the cache hit rate; it identifies nobody and no place. */
    cacheId: z.string(),
    /** The custom agent whose text is in the instructions; `tools`: what it may use, absent: all. */
    agent: z.optional(z.object({ name: z.string(), path: z.string(), tools: z.optional(raw) })),
  });

  /**
   * The raw items a turn adds to the history, sent back byte for byte. Never sent to the page: reasoning may be
   * encrypted, and the page does not need it.
   */
  const Replay = z.object({
    type: z.literal("replay"),
    turn: z.string(),
    items: raw,
    /**
     * The key and address under which the service made them (service/internal/call.ts); empty for those made here from
     * the text of a chat model, absent for our own items and in older journals.
     */
    maker: z.optional(z.string()),
    /** These items are what a person has said meanwhile; the event of the same content follows. */
    steered: z.optional(SteeredPart),
  });

  /** What the user has chosen for this conversation; the latest value of each choice applies. */
  const Choices = z.object({
    type: z.literal("choices"),
    at: z.number(),
    webSearch: z.optional(z.boolean()),
    cacheTier: z.optional(z.enum(cacheTiers)),
    /** `null`: no limit, whatever the settings say. */
    outputLimit: z.optional(z.nullable(z.number())),
    /** Empty: none is requested, whatever the settings say. */
    effort: z.optional(z.string()),
    /** Responses are JSON. */
    json: z.optional(z.boolean()),
    /** The file of the custom agent; `null`: none. */
    agent: z.optional(z.nullable(z.string())),
    /** Calls that write or act are refused until the person says Go. */
    planFirst: z.optional(z.boolean()),
    /** Permissions of other extensions' tools by full name; every record contains all of them. */
    tools: z.optional(z.record(z.string(), z.enum(permissions))),
  });

  /** The service refused its own earlier items, and a person agreed to send them in a simpler form from now on. */
  const Simplified = z.object({ type: z.literal("simplified"), at: z.number(), form: z.enum(simplerForms) });

  return z.union([ConversationEvent, Replay, Opened, Simplified, Choices]);
}

/** The schema of all journal records, checked when reading: stored data is not trusted. */
export const StoredRecord = /* @__PURE__ */ createStoredRecord();
