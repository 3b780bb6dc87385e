// What the model hears when a plan was taken over, in the form that models know.
import type { FileChange, FileName } from "./model.ts";

const letters = { add: "A", delete: "D", update: "M", move: "M" } as const;

/** `nameOf` writes a file's path as the patch should name it. */
export function answerAll(changes: readonly FileChange[], nameOf: (file: FileName) => string): string {
  const lines = changes.map((change) => {
    return `${letters[change.kind]} ${nameOf(change.kind === "move" ? change.to : change.file)}`;
  });
  return `Success. Updated the following files:\n${lines.join("\n")}\n`;
}
