// What lies beside a conversation and is not part of it: what stands in its box, and the questions that have left the box and
// are in no turn yet, because they wait behind an answer or for a person's yes. They are on the disk all the while.
import type { Attachment } from "../conversation/attachment.ts";
import type { ConversationRecord } from "../conversation/record.ts";

/** A question on its way into a turn. */
export interface SentQuestion {
  /** What its turn will be called. */
  readonly turn: string;
  readonly words: string;
  readonly attached: readonly Attachment[];
}

export interface Unsent {
  readonly text: string;
  readonly attached: readonly Attachment[];
  readonly sent: readonly SentQuestion[];
}

/** What stands in the box of a conversation that is opened. */
export interface Box extends Pick<Unsent, "text" | "attached"> {
  /** What lies on the disk. */
  readonly saved: Unsent;
}

export const nothingUnsent: Unsent = { text: "", attached: [], sent: [] };

/** Whether there is anything of it to be kept. */
export const saysSomething = ({ text = "", attached = [], sent = [] }: Partial<Unsent>): boolean =>
  text !== "" || attached.length + sent.length > 0;

/** Questions that have no turn in its journal stand there once more. */
export function boxOf(saved: Unsent, records: readonly ConversationRecord[]): Box {
  const { text, attached, sent } = saved;
  const isAsked = ({ turn }: SentQuestion) =>
    records.some((record) => record.type === "started" && record.turn === turn);
  const lost = sent.filter((each) => !isAsked(each));
  // They may have been written down before the box was emptied.
  const missing = lost.map(({ words }) => words).filter((words) => !text.includes(words));
  return {
    text: joinWords([...missing, text]),
    attached: [...lost.flatMap((each) => each.attached), ...attached],
    saved,
  };
}

export const joinWords = (texts: readonly string[]): string =>
  texts.filter((text) => text !== "").join("\n\n");
