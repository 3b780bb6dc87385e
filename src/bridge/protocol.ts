// Every message between host and page, in both directions, validated where it arrives. The type's name says the
// direction. The page sends `ready` and may repeat it at any time; the host replies with the complete state, except that
// the earlier turns of a long conversation follow in windows (`earlier`).
import * as z from "zod/mini";
import { ConversationEvent, cacheTiers, Decision } from "../conversation/events.ts";
import { ProblemAction } from "../conversation/problem.ts";
import {
  Attachment,
  Conversation,
  Delivery,
  PlanEdit,
  RewindPlan,
  RewindScope,
  Turn,
} from "../conversation/state.ts";
import { trialWays } from "../trials/candidate.ts";
import {
  AttachKind,
  codeReplies,
  codeRequests,
  diagramReply,
  diagramRequest,
  ViewState,
} from "./view-state.ts";

/** Longer than any prompt a person types, short enough that a hostile page cannot flood the host. */
export const maxText = 1024 * 1024;
const text = z.string().check(z.maxLength(maxText));
const name = z.string().check(z.maxLength(1024));

/** Actions on one turn. The host decides what they do; the page offers those that the host supports. */
export const TurnAction = z.enum(["regenerate", "retry", "continue", "branch", "inspect", "exclude"]);
export type TurnAction = z.infer<typeof TurnAction>;

/**
 * Actions on the edits of one patch. `finish`: complete what a window had begun to write; `show-left`: show what could
 * not be undone or accepted again; `send-current`: tell the model what the files contain now.
 */
export const CallAction = z.enum([
  "review",
  "undo",
  "accept-again",
  "finish",
  "show-left",
  "send-current",
  "fix-errors",
]);
export type CallAction = z.infer<typeof CallAction>;
/** Actions that the review performs; the others are questions to the model. */
export type ReviewAction = Exclude<CallAction, "send-current" | "fix-errors">;

/** Actions on all pending changes. */
export const ChangesAction = z.enum(["review", "accept-all", "reject-all"]);
export type ChangesAction = z.infer<typeof ChangesAction>;
export const RemarksAction = z.enum(["send", "list"]);
export type RemarksAction = z.infer<typeof RemarksAction>;

/** What is shown of one of several tries, or `check`: a person is asked about checks of it that wait. */
const tryActions = ["look", "read", "check"] as const;
export type TryAction = (typeof tryActions)[number];

/** `leave`: nothing is taken. */
export const TrialAction = z.enum(["start", "stop", "again", "take", "leave", ...tryActions]);
export type TrialAction = z.infer<typeof TrialAction>;

/** Actions on a code block besides copying it. Pasting into a terminal never runs anything. */
export const CodeUse = z.enum(["insert", "new-file", "propose", "terminal"]);
export type CodeUse = z.infer<typeof CodeUse>;

/** Where the focus is within the page. The editor's keybindings and menus depend on it. */
export const PageFocus = z.object({
  area: z.enum(["composer", "transcript", "elsewhere"]),
  /** The focused turn. */
  turn: z.optional(name),
  /** A code block has the focus. */
  code: z.optional(z.boolean()),
});
export type PageFocus = Readonly<z.infer<typeof PageFocus>>;

/** Requests of the page that are not about one turn; each is an ability with the same name. */
export const PageCommand = z.enum([
  "new-conversation",
  "go-back",
  "take-over",
  "output-limit",
  "inspect-draft",
  "count-tokens",
  "compact",
  "set-up-checks",
  "review-changes",
]);
export type PageCommand = z.infer<typeof PageCommand>;

/** A completion for the input after `@`. */
export const Completion = z.object({
  label: z.string(),
  detail: z.optional(z.string()),
  /** Indexes of the typed letters in the label. */
  matches: z.optional(z.array(z.number())),
  attachment: Attachment,
});
export type Completion = Readonly<z.infer<typeof Completion>>;

/** What a person does about the changes that break a check. */
export const BreakingAction = z.enum(["find", "stop", "accept", "send-back"]);
export type BreakingAction = z.infer<typeof BreakingAction>;

export const ToHost = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  /** The page has the turns from this index on and requests earlier ones. */
  z.object({ type: z.literal("earlier"), before: z.int().check(z.positive()) }),
  /** While a turn is running, the prompt waits in the queue. `command` is the name of a saved prompt. */
  z.object({ type: z.literal("send"), prompt: text, command: z.optional(name) }),
  z.object({ type: z.literal("stop") }),
  /** The text in the input, for the conversation that the page shows; the host may have switched to another one. */
  z.object({ type: z.literal("draft"), text, conversation: name }),
  z.object({ type: z.literal("choose-model"), model: name }),
  /** Without an agent: none. */
  z.object({ type: z.literal("choose-agent"), agent: z.optional(z.string().check(z.maxLength(4096))) }),
  z.object({ type: z.literal("unqueue"), id: name }),
  z.object({ type: z.literal("deliver"), id: name, delivery: Delivery }),
  /** After a failed turn, the queue is paused; this sends its first prompt. */
  z.object({ type: z.literal("send-queued") }),
  z.object({ type: z.literal("attach"), attachment: Attachment }),
  z.object({
    type: z.literal("attach-uris"),
    uris: z.array(z.string().check(z.maxLength(8192))).check(z.maxLength(100)),
  }),
  z.object({ type: z.literal("pick"), kind: AttachKind }),
  z.object({ type: z.literal("detach"), id: name }),
  z.object({ type: z.literal("complete"), query: name }),
  /** Asks what rewinding to this turn would cost, before somebody does it. */
  z.object({ type: z.literal("cost"), turn: name }),
  /** Asks what going back to before this turn would take along. */
  z.object({ type: z.literal("plan-rewind"), turn: name }),
  z.object({ type: z.literal("rewind"), turn: name, scope: RewindScope }),
  /** Options for the rest of the conversation; absent fields stay unchanged. */
  z.object({
    type: z.literal("set-options"),
    effort: z.optional(z.string().check(z.maxLength(64))),
    cacheTier: z.optional(z.enum(cacheTiers)),
    webSearch: z.optional(z.boolean()),
    json: z.optional(z.boolean()),
    planFirst: z.optional(z.boolean()),
  }),
  /** Ends Plan First and sends the prompt. */
  z.object({ type: z.literal("go"), prompt: text }),
  z.object({ type: z.literal("edit-plan"), edit: PlanEdit }),
  z.object({ type: z.literal("run"), command: PageCommand }),
  /** Sets the title of the conversation. */
  z.object({ type: z.literal("rename"), title: name }),
  z.object({ type: z.literal("act"), action: ProblemAction }),
  /** What a person chose at the question with this id. */
  z.object({ type: z.literal("answer"), question: name, action: ProblemAction }),
  z.object({ type: z.literal("act-on-turn"), turn: name, action: TurnAction }),
  /** Asks a turn's question again in other words. The host discards or branches what followed it. */
  z.object({ type: z.literal("edit-turn"), turn: name, prompt: text }),
  /** The decision about a tool that asks for permission, or runs; accepted only while it does. */
  z.object({ type: z.literal("decide"), call: name, decision: Decision }),
  /** Withdraws the permission for commands in this folder. */
  z.object({ type: z.literal("ask-again-in"), folder: name }),
  /** `path`: undo only this file of the patch. */
  z.object({
    type: z.literal("act-on-call"),
    call: name,
    action: CallAction,
    path: z.optional(z.string().check(z.maxLength(4096))),
  }),
  /**
   * The reason for a rejection is sent to the model. `shown`: the state that the person saw; if it is outdated, nothing
   * is done.
   */
  z.object({
    type: z.literal("act-on-changes"),
    action: ChangesAction,
    shown: z.number(),
    reason: z.optional(z.string().check(z.maxLength(4000))),
  }),
  /** Opens the output of a check, or runs the check again. */
  z.object({ type: z.literal("act-on-check"), check: name, action: z.enum(["open", "run"]) }),
  /** On the remarks about pending changes that were not sent. */
  z.object({ type: z.literal("act-on-remarks"), action: RemarksAction }),
  z.object({ type: z.literal("act-on-breaking"), action: BreakingAction, shown: z.number() }),
  /** Proposes to try the question in the box, or that of the last turn, in several ways. Nothing is sent yet. */
  z.object({ type: z.literal("try-ways"), prompt: text, command: z.optional(name) }),
  z.object({ type: z.literal("try-turn"), turn: name }),
  z.object({ type: z.literal("choose-trial-way"), way: z.enum(trialWays) }),
  /** Without a candidate: all of them. `files`: whose version of a file is taken. */
  z.object({
    type: z.literal("act-on-trial"),
    action: TrialAction,
    candidate: z.optional(z.int().check(z.nonnegative())),
    files: z.optional(
      z
        .array(
          z.object({ path: z.string().check(z.maxLength(4096)), candidate: z.int().check(z.nonnegative()) }),
        )
        .check(z.maxLength(1000)),
    ),
  }),
  z.object({
    type: z.literal("open-file"),
    path: z.string().check(z.maxLength(4096)),
    line: z.optional(z.int()),
  }),
  z.object({ type: z.literal("copy"), text }),
  z.object({ type: z.literal("use-code"), use: CodeUse, code: text, language: name }),
  z.object({ type: z.literal("focus"), focus: PageFocus }),
  z.object({ type: z.literal("open-link"), url: z.string().check(z.maxLength(8192)) }),
  ...codeRequests,
  diagramRequest,
]);
export type ToHost = z.infer<typeof ToHost>;

/** One-time actions on something that is shown in a single page. */
export const pageScopedActs = [
  "copy-last",
  "copy-code",
  "insert-code",
  "new-file-from-code",
  "propose-code",
  "paste-code",
  "copy-link",
  "open-link",
  "quote-selection",
] as const;

/** Editor commands that the page carries out. */
export const PageAct = z.enum([
  "focus",
  "find",
  "next-turn",
  "previous-turn",
  "focus-last",
  "edit-last",
  "choose-model",
  ...pageScopedActs,
]);
export type PageAct = z.infer<typeof PageAct>;

/** A command for the page; `turn`: scroll this turn into view. */
export type Act = PageAct | { readonly turn: string };

export const ToPage = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("snapshot"),
    seq: z.number(),
    /** The end of the conversation: as many turns as a person can look at first. */
    conversation: Conversation,
    /** Number of earlier turns. */
    above: z.number(),
    draft: z.string(),
    viewState: ViewState,
  }),
  z.object({
    type: z.literal("earlier"),
    conversation: z.string(),
    /** Index of the first of these turns in the conversation. */
    first: z.number(),
    turns: z.array(Turn),
  }),
  z.object({ type: z.literal("events"), seq: z.number(), events: z.array(ConversationEvent) }),
  z.object({ type: z.literal("view-state"), viewState: ViewState }),
  /** Answers `complete` for this query. The page ignores it if the query has changed since. */
  z.object({
    type: z.literal("completions"),
    query: z.string(),
    items: z.array(Completion),
    /** The workspace is still being listed, so another answer follows. */
    indexing: z.boolean(),
  }),
  /** Answers `cost`: approximate number of cached tokens that would be given up. */
  z.object({
    type: z.literal("cost"),
    turn: z.string(),
    edit: z.number(),
    branch: z.number(),
    editPrice: z.optional(z.string()),
    branchPrice: z.optional(z.string()),
  }),
  /** Answers `plan-rewind`. */
  z.extend(RewindPlan, { type: z.literal("rewind-plan"), turn: z.string() }),
  /** Answers `send`: the question is on the disk, so the input can be cleared. */
  z.object({ type: z.literal("taken"), prompt: z.string() }),
  /**
   * Text that was not sent after all; it is put before the current text of the input. `gone`: it was meant to replace a
   * question that no longer exists.
   */
  z.object({ type: z.literal("put-back"), text: z.string(), gone: z.optional(z.boolean()) }),
  /** A command of the editor for this page. */
  z.object({ type: z.literal("do"), what: PageAct }),
  z.object({ type: z.literal("go-to-turn"), turn: z.string() }),
  ...codeReplies,
  diagramReply,
]);
export type ToPage = z.infer<typeof ToPage>;
