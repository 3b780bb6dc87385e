// An error made to be read by people: one sentence, said by whoever throws it in the reader's language, or a message.
import type { Message } from "./message.ts";

export class HumanError extends Error {
  override readonly name = "HumanError";
  /** Absent: its own words are the sentence. */
  readonly asMessage: Message | undefined = undefined;
}

/** By name: the host is two files, and what one of them throws the other may have to show. */
export const isHumanError = (error: unknown): error is HumanError =>
  error instanceof Error && error.name === "HumanError";
