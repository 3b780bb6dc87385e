// What the store says to people: one sentence per cause. The cause itself stays attached, for the log.
import { HumanError } from "../util/human-error.ts";
import { errorCode } from "./file-system.ts";

export class StoreError extends HumanError {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

export const unsaved = (cause: unknown): StoreError =>
  new StoreError(`History is not being saved: ${reason(cause)}. The conversation goes on in memory.`, cause);

/** Nobody knows how long the disk will refuse; what memory holds for it has an end. */
export const tooMuchWaits = (): StoreError =>
  new StoreError(
    "History is not being saved: too much waits for the disk. What is said from here on is not kept.",
  );

export const unreadable = (cause: unknown): StoreError =>
  new StoreError(`This conversation cannot be read: ${reason(cause)}.`, cause);

function reason(cause: unknown): string {
  const code = errorCode(cause);
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "its folder refuses access";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open";
    case "":
      return "something went wrong";
    default:
      return `the disk reports ${code}`;
  }
}
