// An error whose sentence is a message: it is said where it is shown, and stands in the log in English.
import { inEnglish } from "./english.ts";
import { HumanError } from "./human-error.ts";
import type { Message } from "./message.ts";

export class MessageError extends HumanError {
  override readonly asMessage: Message;

  constructor(asMessage: Message, cause?: unknown) {
    super(inEnglish(asMessage), { cause });
    this.asMessage = asMessage;
  }
}
