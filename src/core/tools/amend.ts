// A proposal in a person's own words: they wrote into the proposed text before they took it. What is applied is what
// they wrote, and the model is told how that differs from what it had proposed. Pure.
import { applyEdits } from "../patch/edits.ts";
import type { FileChange, FileName } from "../patch/model.ts";
import { printPatch } from "../patch/print.ts";
import { lineEdits } from "./line-edits.ts";
import { quotable } from "./quotable.ts";

/** The same change, leading to this text. A file that goes away has no text to write into. */
export function amend(change: FileChange, text: string): FileChange {
  switch (change.kind) {
    case "add":
      return { ...change, text };
    case "delete":
      return change;
    case "update":
    case "move":
      return { ...change, edits: lineEdits(change.base.text, text), hunks: [] };
    default:
      return change satisfies never;
  }
}

/** How the text that was taken differs from the one that was proposed, as a patch. */
export async function printAmended(
  change: FileChange,
  text: string,
  nameOf: (file: FileName) => string,
): Promise<string> {
  if (change.kind === "delete") return "";
  const whole = change.kind === "add" ? change.text : applyEdits(change.base.text, change.edits);
  // Both as a whole: it quotes lines around what differs.
  const proposed = await quotable(whole);
  const file = change.kind === "move" ? change.to : change.file;
  const base = { text: proposed, sha256: "", version: undefined };
  const edits = lineEdits(proposed, await quotable(text));
  const { permission } = change;
  return printPatch([{ kind: "update", file, permission, base, edits, hunks: [] }], nameOf);
}
