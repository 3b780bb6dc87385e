// A question on its way: what the person sees of it, and the raw items that are sent for it. What is attached comes
// first, as one item; then the question itself, as another, so that it can be asked again in other words.
import {
  type Attachment,
  type AttachmentView,
  type TokenCount,
  weightOf,
} from "../conversation/attachment.ts";
import { type Content, verbatim } from "../conversation/content.ts";
import type { SavedPrompt } from "../conversation/saved-prompt.ts";
import type { Turn } from "../conversation/state.ts";
import { type AttachmentSources, factsOf, readAttachment } from "../tools/read-attachment.ts";
import { present } from "../util/present.ts";
import { userItem } from "./history.ts";
import { continueInstruction } from "./prompts.ts";
import { promptForModel, shownPrompt } from "./slash-commands.ts";
import { endsWithOutput } from "./transcript.ts";

/** What a person asks. */
export interface Asked {
  readonly prompt: string;
  /** The name of a way to ask. */
  readonly command?: string | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
  /** The most tokens of its answer, where the user has chosen nothing for the conversation. */
  readonly outputTokens?: number | undefined;
  /** Takes back this question alone, whether it waits or runs. */
  readonly signal?: AbortSignal | undefined;
}

export interface Question {
  /** As it stands in the conversation. */
  readonly prompt: string;
  readonly attachments: readonly AttachmentView[];
  readonly continues: boolean;
  /** Asks for a hand-over text (hand-over.ts). */
  readonly compacts?: boolean;
  readonly items: readonly string[];
  readonly outputTokens?: number;
}

/** Where questions are read from. */
export interface QuestionSources extends AttachmentSources {
  /** How many tokens it is, as far as can be told here and now. */
  countTokens(content: Content): TokenCount | undefined;
}

/** What one attachment may take: a file system can be far away. */
const secondsToRead = 30;

/** The words of a question before it is sent: for the queue, and for whoever shows what will be asked. */
export function promptOf({ prompt, command, attachments = [] }: Asked): string {
  return shownPrompt(
    prompt,
    command,
    attachments.map((wish) => factsOf(wish).label),
  );
}

export async function readQuestion(
  asked: Asked,
  commands: readonly SavedPrompt[],
  sources: QuestionSources,
  signal: AbortSignal,
): Promise<Question> {
  const { attachments = [], outputTokens } = asked;
  const read = await Promise.all(
    attachments.map((wish) => {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(secondsToRead * 1000)]);
      return readAttachment(wish, sources, limited);
    }),
  );
  const shown = promptOf(asked);
  const items = [
    ...(read.length === 0 ? [] : [userItem(read.map(({ content }) => content))]),
    ...(shown.trim() === "" ? [] : [questionItem(shown, commands)]),
  ];
  const views = read.map(({ view, content }) => ({
    ...view,
    ...weightOf(view.bytes === 0 ? undefined : sources.countTokens(content)),
  }));
  return present({ prompt: shown, attachments: views, continues: false, items, outputTokens });
}

/** Goes on with an answer that did not come to its end. */
export function restOf(history: readonly string[]): Question {
  // When tools have answered and the model has not, there is nothing to say: it is the model's turn.
  const isModelsTurn = endsWithOutput(history);
  const items = isModelsTurn ? [] : [userItem([{ kind: "text", text: verbatim(continueInstruction) }])];
  return { prompt: "", attachments: [], continues: true, items };
}

/** A question that was asked, with the items that were sent for it. */
export interface AskedBefore {
  readonly turn: Turn;
  readonly items: readonly string[];
}

export const inOtherWords = (
  { turn, items }: AskedBefore,
  prompt: string,
  commands: readonly SavedPrompt[],
): Question => ({
  prompt,
  attachments: turn.attachments,
  continues: false,
  items: [...(turn.prompt === "" ? items : items.slice(0, -1)), questionItem(prompt, commands)],
});

export const sameAgain = ({ turn, items }: AskedBefore): Question => ({
  prompt: turn.prompt,
  attachments: turn.attachments,
  continues: turn.continues,
  items,
});

/** The words alone; a question without any has nothing left. */
export const withoutAttachments = ({ turn, items }: AskedBefore): Question => ({
  prompt: turn.prompt,
  attachments: [],
  continues: turn.continues,
  items: turn.prompt === "" ? items : items.slice(-1),
});

/** Without some of what is attached. */
export const withoutLabels = (asked: Asked, labels: ReadonlySet<string>): Asked => ({
  ...asked,
  attachments: asked.attachments?.filter((wish) => !labels.has(factsOf(wish).label)),
});

const questionItem = (shown: string, commands: readonly SavedPrompt[]): string =>
  userItem([{ kind: "text", text: promptForModel(shown, commands) }]);
