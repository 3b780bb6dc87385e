// A question to be sent: what the person sees of it, and the raw items it consists of. Attachments come first as one
// item, then the question as another, so that it can be asked again in other words.
import { errorLines } from "../../checks/applied-errors.ts";
import type { CheckFinding } from "../../checks/check-result.ts";
import { type CleanText, type Content, verbatim } from "../../conversation/events.ts";
import { breakingPrompt, fixErrorsPrompt, sendCurrentPrompt } from "../../conversation/messages.ts";
import { attachmentsOf } from "../../conversation/reduce.ts";
import {
  type Attachment,
  type AttachmentView,
  type Conversation,
  type Delivery,
  type RequestCause,
  type SteeredPart,
  type TokenCount,
  type Turn,
  weightOf,
} from "../../conversation/state.ts";
import {
  type AttachmentSources,
  factsOf,
  type ReadAttachment,
  readAttachment,
} from "../../tools/read-attachment.ts";
import { present } from "../../util/present.ts";
import { promptForModel, type SavedPrompt, shownPrompt } from "../slash-commands.ts";
import { userItem } from "./history.ts";
import { continueInstruction } from "./instructions.ts";
import { joinWords } from "./session-draft.ts";
import type { ToldInstructions } from "./told-instructions.ts";
import { endsWithOutput } from "./transcript.ts";

export interface UserInput {
  readonly prompt: string;
  /** The name of a command. */
  readonly command?: string | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
  /** The maximum output tokens of the response, unless the user has chosen a limit for the conversation. */
  readonly outputTokens?: number | undefined;
  /** When it reaches the model if a turn runs; absent: once that has ended. */
  readonly delivery?: Delivery | undefined;
  /** What its requests count as in the ledger; absent: an answer. */
  readonly cause?: RequestCause | undefined;
  /** Withdraws only this question, whether it is queued or running. */
  readonly signal?: AbortSignal | undefined;
}

export interface Question {
  /** As shown in the conversation. */
  readonly prompt: string;
  readonly attachments: readonly AttachmentView[];
  readonly continues: boolean;
  /** Asks for a summary (compaction.ts). */
  readonly compacts?: boolean;
  readonly items: readonly string[];
  readonly outputTokens?: number;
  /** What the workspace says about its attachments, as far as a person has agreed to it. */
  readonly instructions?: readonly ToldInstructions[];
}

/** How a question is asked. Model and signal exist from the first moment, before anything else about it is known. */
export interface AskOptions {
  readonly model: string;
  readonly signal: AbortSignal;
  /** The text a person wrote; absent if nothing new is asked. */
  readonly words?: string;
  /** This turn and everything after it are discarded for the question. */
  readonly insteadOf?: string;
  /** False: request the reply without streaming. */
  readonly stream?: boolean;
  /** What its requests count as in the ledger; absent: an answer, or a summary. */
  readonly cause?: RequestCause | undefined;
  /** The id of its turn; absent: a new one. */
  readonly turn?: string;
  /** Reads the question again without the attachments that have these labels. */
  trim?(labels: ReadonlySet<string>, signal: AbortSignal): Promise<Question>;
  /** Called when the question is not sent after all. */
  kept?(): void;
}

interface QuestionSources extends AttachmentSources {
  /** Estimates the tokens locally, where possible. */
  countTokens(content: Content): TokenCount | undefined;
  /** Context that is sent with the question without being attached. */
  readonly around?: CleanText | undefined;
}

/** The time limit for reading one attachment, because file systems may be slow. */
const secondsToRead = 30;

/** The text of a question before it is sent, for the queue and for previews. */
export function promptOf({ prompt, command, attachments = [] }: UserInput): string {
  return shownPrompt(
    prompt,
    command,
    attachments.map((wish) => factsOf(wish).label),
  );
}

export async function readQuestion(
  asked: UserInput,
  commands: readonly SavedPrompt[],
  sources: QuestionSources,
  signal: AbortSignal,
): Promise<Question> {
  const { attachments = [], outputTokens } = asked;
  const read = withoutRepeats(
    await Promise.all(
      attachments.map((wish) => {
        const limited = AbortSignal.any([signal, AbortSignal.timeout(secondsToRead * 1000)]);
        return readAttachment(wish, sources, limited);
      }),
    ),
  );
  const shown = promptOf(asked);
  const items = [
    ...(read.length === 0 ? [] : [userItem(read.map(({ content }) => content))]),
    ...(shown.trim() === "" ? [] : [...aroundItem(sources.around), questionItem(shown, commands)]),
  ];
  const views = read.map(({ view, content }) => ({
    ...view,
    ...weightOf(view.bytes === 0 ? undefined : sources.countTokens(content)),
  }));
  return present({ prompt: shown, attachments: views, continues: false, items, outputTokens });
}

/** The current files of an edit that no longer fits them. */
export function filesQuestion({ turns }: Conversation, call: string): UserInput | undefined {
  const parts = turns.flatMap((turn) => turn.parts);
  const patch = parts.find((part) => part.type === "patch" && part.call === call);
  if (patch?.type !== "patch" || patch.files.length === 0) return undefined;
  const attachments = patch.files.map(({ path }) => ({ kind: "file", path }) as const);
  return { prompt: sendCurrentPrompt, attachments };
}

/** Errors that came with an applied edit. */
export function errorsQuestion(errors: readonly CheckFinding[]): UserInput | undefined {
  if (errors.length === 0) return undefined;
  const attachments = [{ kind: "text", name: "New errors", text: errorLines(errors) }] as const;
  return { prompt: fixErrorsPrompt, attachments };
}

/** The changes that break a check. */
export const breakingQuestion = (report: string): UserInput => ({
  prompt: breakingPrompt,
  attachments: [{ kind: "text", name: "What breaks", text: report }],
});

/** Continues an incomplete answer. */
export function restOf(history: readonly string[]): Question {
  // If tools have answered and the model has not, nothing needs to be said: it is the model's turn.
  const isModelsTurn = endsWithOutput(history);
  const items = isModelsTurn ? [] : [userItem([{ kind: "text", text: verbatim(continueInstruction) }])];
  return { prompt: "", attachments: [], continues: true, items };
}

/** A question asked earlier, with the items that were sent for it. */
export interface EarlierQuestion {
  readonly turn: Turn;
  readonly items: readonly string[];
}

/** What was said while a turn worked, with the items that were sent for it. */
export interface Steered {
  readonly part: SteeredPart;
  readonly items: readonly string[];
}

/** The question together with what was said while its turn worked, so that asking it again loses nothing. */
export function withSteered(
  { turn, items }: EarlierQuestion,
  steered: readonly Steered[],
  commands: readonly SavedPrompt[],
): EarlierQuestion {
  if (steered.length === 0) return { turn, items };
  const prompt = joinWords([turn.prompt, ...steered.map(({ part }) => part.prompt)]);
  const own = turn.prompt === "" ? items : items.slice(0, -1);
  const more = steered.flatMap((each) => (each.part.prompt === "" ? each.items : each.items.slice(0, -1)));
  return {
    turn: { ...turn, prompt, attachments: [...attachmentsOf(turn)] },
    items: [...own, ...more, ...(prompt === "" ? [] : [questionItem(prompt, commands)])],
  };
}

export const rephrased = (
  { turn, items }: EarlierQuestion,
  prompt: string,
  commands: readonly SavedPrompt[],
): Question => ({
  prompt,
  attachments: turn.attachments,
  continues: false,
  items: [...(turn.prompt === "" ? items : items.slice(0, -1)), questionItem(prompt, commands)],
});

export const repeated = ({ turn, items }: EarlierQuestion): Question => ({
  prompt: turn.prompt,
  attachments: turn.attachments,
  continues: turn.continues,
  items,
});

/** The question without attachments; one without text keeps its items. */
export const withoutAttachments = ({ turn, items }: EarlierQuestion): Question => ({
  prompt: turn.prompt,
  attachments: [],
  continues: turn.continues,
  items: turn.prompt === "" ? items : items.slice(-1),
});

/** Leaves out the attachments that have these labels. */
export const withoutLabels = (asked: UserInput, labels: ReadonlySet<string>): UserInput => ({
  ...asked,
  attachments: asked.attachments?.filter((wish) => !labels.has(factsOf(wish).label)),
});

const aroundItem = (text: CleanText | undefined): readonly string[] =>
  text === undefined ? [] : [userItem([{ kind: "text", text }])];

const questionItem = (shown: string, commands: readonly SavedPrompt[]): string =>
  userItem([{ kind: "text", text: promptForModel(shown, commands) }]);

/**
 * Leaves out selected lines if the whole file is attached to the same question: the file already contains them, with
 * line numbers. A sentence in their place says which lines were selected.
 */
function withoutRepeats(read: readonly ReadAttachment[]): readonly ReadAttachment[] {
  const whole = new Set(read.flatMap((each) => (isWholeFile(each) ? [each.view.path] : [])));
  return read.map((each) => {
    const { view, content } = each;
    if (view.kind !== "selection" || !whole.has(view.path) || content.kind !== "text") return each;
    const [, head, end] = /^(<[^\n]+>)\n[\s\S]*\n(<\/[^\n]+>)$/.exec(content.text) ?? [];
    if (head === undefined || end === undefined) return each;
    const body = "[These lines of the file that is attached.]";
    const text = verbatim(`${head}\n${body}\n${end}`);
    return { ...each, view: { ...view, bytes: body.length }, content: { kind: "text", text } };
  });
}

const isWholeFile = ({ view, isRefused }: ReadAttachment): boolean =>
  view.kind === "file" &&
  view.bytes > 0 &&
  isRefused === undefined &&
  view.notes?.some(({ code }) => isCut.has(code)) !== true;

const isCut: ReadonlySet<string> = new Set(["noteFirst", "noteFirstInside"]);
