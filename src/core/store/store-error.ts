// What the store says to people: one message per cause. The cause itself stays attached, for the log.
import { type Message, message } from "../messages/message.ts";
import { MessageError } from "../messages/message-error.ts";
import { errorCode } from "./file-system.ts";

export class StoreError extends MessageError {}

export function unsaved(cause: unknown): StoreError {
  const code = errorCode(cause);
  const known = unsavedBecause[kindOf(code)];
  return new StoreError(known ?? message("keptUnsavedCode", { code }), cause);
}

/** Nobody knows how long the disk will refuse; what memory holds for it has an end. */
export const tooMuchWaits = (): StoreError => new StoreError(message("keptUnsavedMuch"));

export function unreadable(cause: unknown): StoreError {
  const code = errorCode(cause);
  const known = unreadableBecause[kindOf(code)];
  return new StoreError(known ?? message("keptUnreadableCode", { code }), cause);
}

type Kind = "full" | "refused" | "open" | "unknown" | "code";

const unsavedBecause: Readonly<Record<Kind, Message | undefined>> = {
  full: message("keptUnsavedFull"),
  refused: message("keptUnsavedRefused"),
  open: message("keptUnsavedOpen"),
  unknown: message("keptUnsaved"),
  code: undefined,
};

const unreadableBecause: Readonly<Record<Kind, Message | undefined>> = {
  full: message("keptUnreadableFull"),
  refused: message("keptUnreadableRefused"),
  open: message("keptUnreadableOpen"),
  unknown: message("keptUnreadable"),
  code: undefined,
};

function kindOf(code: string): Kind {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "full";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "refused";
    case "EMFILE":
    case "ENFILE":
      return "open";
    default:
      return code === "" ? "unknown" : "code";
  }
}
