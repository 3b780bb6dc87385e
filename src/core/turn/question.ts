// A question on its way: what the person sees of it, and the raw items that are sent for it. What is attached comes
// first, as one item; then the question itself, as another, so that it can be asked again in other words.
import type { Attachment, AttachmentView } from "../conversation/attachment.ts";
import { type AttachmentSources, factsOf, readAttachment } from "../tools/read-attachment.ts";
import { type SavedPrompt, shownPrompt, toldPrompt } from "./commands.ts";
import { userItem } from "./history.ts";

/** What a person asks. */
export interface Asked {
  readonly prompt: string;
  /** The name of a way to ask. */
  readonly command?: string | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
}

export interface Question {
  /** As it stands in the conversation. */
  readonly prompt: string;
  readonly attachments: readonly AttachmentView[];
  readonly continues: boolean;
  readonly items: readonly string[];
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
  sources: AttachmentSources,
  signal: AbortSignal,
): Promise<Question> {
  const { attachments = [] } = asked;
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
  return { prompt: shown, attachments: read.map(({ view }) => view), continues: false, items };
}

/** The words alone, as an item. */
export const questionItem = (shown: string, commands: readonly SavedPrompt[]): string =>
  userItem([{ kind: "text", text: toldPrompt(shown, commands) }]);
