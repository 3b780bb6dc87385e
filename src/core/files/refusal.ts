// A tool that cannot do what it was asked says so by throwing this: the sentence is written for the model, which
// may then ask better. It is never a failure of the turn, and never a bug.
import { inEnglish } from "../messages/english.ts";
import type { Message } from "../messages/message.ts";

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly asMessage: Message;

  constructor(asMessage: Message) {
    super(inEnglish(asMessage));
    this.asMessage = asMessage;
  }
}

/** A file has more bytes than are read of it. */
export class TooLarge extends Refusal {}

/** For a promise's `catch`: a file that is too large is `undefined`, anything else stays an error. */
export function unlessTooLarge(error: unknown): undefined {
  if (!(error instanceof TooLarge)) throw error;
}

/** A file is none of text. */
export class NotText extends Refusal {}

/** A file is there and may be read, and that went wrong. */
export class Unreadable extends Refusal {}

/** The name of a file, or of where it leads, is on the list of those that are never sent. */
export class KeptByName extends Refusal {
  /** Its names: as it is asked for, and where it leads. */
  readonly paths: readonly string[];

  constructor(asMessage: Message, paths: readonly string[]) {
    super(asMessage);
    this.paths = paths;
  }
}

/** A person, or what a person has set, said no. */
export class Declined extends Refusal {}
