// Every message between host and page, in both directions, parsed where it arrives. The direction is in the name.
// The page asks one question, `ready`, and may ask it again at any time; the answer is the whole truth, except that
// the turns above a long conversation's end follow in windows (`earlier`).
import * as z from "zod/mini";
import { Attachment } from "../core/conversation/attachment.ts";
import { Decision } from "../core/conversation/decision.ts";
import { ConversationEvent } from "../core/conversation/events.ts";
import { ProblemAction } from "../core/conversation/problem.ts";
import { cacheTiers } from "../core/conversation/record.ts";
import { Conversation, Turn } from "../core/conversation/state.ts";
import { AttachKind, ViewState } from "./view-state.ts";

/** Longer than any prompt a person types, short enough that a hostile page cannot flood the host. */
export const maxText = 1024 * 1024;
const text = z.string().check(z.maxLength(maxText));
const name = z.string().check(z.maxLength(1024));

/** What can be done with one turn. The host decides what it means; the page shows what the host is able to do. */
export const TurnAction = z.enum(["regenerate", "retry", "continue", "branch", "inspect", "exclude"]);
export type TurnAction = z.infer<typeof TurnAction>;

/**
 * What can be done with the edits of one patch. `finish`: what a window had begun to write; `send-current`: tell the model
 * what the files hold by now.
 */
export const CallAction = z.enum([
  "review",
  "accept",
  "reject",
  "undo",
  "accept-again",
  "finish",
  "send-current",
  "fix-errors",
]);
export type CallAction = z.infer<typeof CallAction>;
/** Those that the review carries out; the rest are questions to the model. */
export type ReviewAction = Exclude<CallAction, "send-current" | "fix-errors">;

/** What can be done with all that waits. */
export const ChangesAction = z.enum(["review", "accept-all", "reject-all"]);
export type ChangesAction = z.infer<typeof ChangesAction>;

/** What can be done with a code block besides copying it. Pasting into a terminal never runs anything. */
export const CodeUse = z.enum(["insert", "new-file", "propose", "terminal"]);
export type CodeUse = z.infer<typeof CodeUse>;

/** Where the focus is inside the page: the editor's own keys and menus depend on it. */
export const PageFocus = z.object({
  area: z.enum(["composer", "transcript", "elsewhere"]),
  /** The turn that has it. */
  turn: z.optional(name),
  /** A code block has it. */
  code: z.optional(z.boolean()),
});
export type PageFocus = Readonly<z.infer<typeof PageFocus>>;

/** What the page can ask for that is not about one turn; each is an ability of the same name. */
export const PageCommand = z.enum([
  "new-conversation",
  "go-back",
  "output-limit",
  "inspect-draft",
  "count-tokens",
  "compact",
]);
export type PageCommand = z.infer<typeof PageCommand>;

/** Something the box can be completed with after `@`. */
export const Completion = z.object({
  label: z.string(),
  detail: z.optional(z.string()),
  /** Places in the label of the letters that were typed. */
  matches: z.optional(z.array(z.number())),
  attachment: Attachment,
});
export type Completion = Readonly<z.infer<typeof Completion>>;

export const ToHost = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  /** The page has the turns from this index on and asks for the ones above. */
  z.object({ type: z.literal("earlier"), before: z.int().check(z.positive()) }),
  /** While a turn runs it waits in the queue. `command` is the name of a saved way to ask. */
  z.object({ type: z.literal("send"), prompt: text, command: z.optional(name) }),
  z.object({ type: z.literal("stop") }),
  z.object({ type: z.literal("draft"), text }),
  z.object({ type: z.literal("choose-model"), model: name }),
  z.object({ type: z.literal("unqueue"), id: name }),
  /** The queue stands still after a turn that went wrong; this sends its first prompt. */
  z.object({ type: z.literal("send-queued") }),
  z.object({ type: z.literal("attach"), attachment: Attachment }),
  z.object({
    type: z.literal("attach-uris"),
    uris: z.array(z.string().check(z.maxLength(8192))).check(z.maxLength(100)),
  }),
  z.object({ type: z.literal("pick"), kind: AttachKind }),
  z.object({ type: z.literal("detach"), id: name }),
  z.object({ type: z.literal("complete"), query: name }),
  /** What going back to this turn would cost: somebody is about to. */
  z.object({ type: z.literal("cost"), turn: name }),
  /** How the conversation goes on; what is not named stays. */
  z.object({
    type: z.literal("set-options"),
    effort: z.optional(z.string().check(z.maxLength(64))),
    cacheTier: z.optional(z.enum(cacheTiers)),
    webSearch: z.optional(z.boolean()),
    json: z.optional(z.boolean()),
  }),
  z.object({ type: z.literal("run"), command: PageCommand }),
  /** What the conversation is called from now on. */
  z.object({ type: z.literal("rename"), title: name }),
  z.object({ type: z.literal("act"), action: ProblemAction }),
  z.object({ type: z.literal("act-on-turn"), turn: name, action: TurnAction }),
  /** Asks the question of a turn again in other words; what followed it is given up or branched by the host. */
  z.object({ type: z.literal("edit-turn"), turn: name, prompt: text }),
  /** The answer to a tool that asks; the host takes it only while that one is asking. */
  z.object({ type: z.literal("decide"), call: name, decision: Decision }),
  /** A reason goes with a rejection: the model is told. */
  z.object({
    type: z.literal("act-on-call"),
    call: name,
    action: CallAction,
    reason: z.optional(z.string().check(z.maxLength(4000))),
  }),
  /** `shown`: what the person had before them. Where that is something else by now, nothing is done. */
  z.object({ type: z.literal("act-on-changes"), action: ChangesAction, shown: z.number() }),
  /** What a check has written, or the check once more. */
  z.object({ type: z.literal("act-on-check"), check: name, action: z.enum(["open", "run"]) }),
  z.object({
    type: z.literal("open-file"),
    path: z.string().check(z.maxLength(4096)),
    line: z.optional(z.int()),
  }),
  z.object({ type: z.literal("copy"), text }),
  z.object({ type: z.literal("use-code"), use: CodeUse, code: text, language: name }),
  z.object({ type: z.literal("focus"), focus: PageFocus }),
  z.object({ type: z.literal("open-link"), url: z.string().check(z.maxLength(8192)) }),
]);
export type ToHost = z.infer<typeof ToHost>;

/** Done with something that a person sees in one page, once. */
export const actsOfOnePage = [
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

/** What commands of the editor do inside the page. */
export const PageAct = z.enum([
  "focus",
  "find",
  "next-turn",
  "previous-turn",
  "focus-last",
  "edit-last",
  "choose-model",
  ...actsOfOnePage,
]);
export type PageAct = z.infer<typeof PageAct>;

/** What the editor has a page do; `turn`: it is brought into sight. */
export type Act = PageAct | { readonly turn: string };

export const ToPage = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("snapshot"),
    seq: z.number(),
    /** The end of the conversation: as many turns as a person can look at first. */
    conversation: Conversation,
    /** How many turns stand above them. */
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
  /** Answers `complete` for this query; the page drops it when it asks for something else by now. */
  z.object({
    type: z.literal("completions"),
    query: z.string(),
    items: z.array(Completion),
    /** The workspace is still being listed: another answer follows. */
    indexing: z.boolean(),
  }),
  /** Answers `cost`: cached tokens that are given up, about. */
  z.object({
    type: z.literal("cost"),
    turn: z.string(),
    edit: z.number(),
    branch: z.number(),
    editPrice: z.optional(z.string()),
    branchPrice: z.optional(z.string()),
  }),
  /** Answers `send`: the question is on the disk, and may leave the box. */
  z.object({ type: z.literal("taken"), prompt: z.string() }),
  /**
   * Words that were not sent after all: they go before whatever stands in the box by now. `gone`: they were to take the
   * place of a question that is no longer there.
   */
  z.object({ type: z.literal("put-back"), text: z.string(), gone: z.optional(z.boolean()) }),
  /** A command of the editor is about the page: it is told what to do. */
  z.object({ type: z.literal("do"), what: PageAct }),
  z.object({ type: z.literal("go-to-turn"), turn: z.string() }),
]);
export type ToPage = z.infer<typeof ToPage>;
