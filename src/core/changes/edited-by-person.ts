// What a person has written into a proposed text, as a patch to the model's words: it is told so with its next message.
import { lineEdits } from "../diff/line-edits.ts";
import { nameAfter } from "../patch/edits.ts";
import type { FileName } from "../patch/model.ts";
import { printPatch } from "../patch/print.ts";
import { textOf } from "./proposal.ts";
import type { Part } from "./select-changes.ts";

export interface EditedByPersonDeps {
  /** How a file is called. */
  nameOf(file: FileName): string;
  /** What may be told of a file's text. */
  quotable(text: string): Promise<string>;
}

/** With the call that it was written into last; nothing where nobody has written into it. */
export async function editedByPerson(
  { proposal: { edited, shares }, seen, change }: Part,
  { nameOf, quotable }: EditedByPersonDeps,
): Promise<{ readonly call: string; readonly difference: string } | undefined> {
  const [shown, call] = [textOf(seen), shares.at(-1)?.call];
  if (edited === undefined || shown === undefined || call === undefined || edited === shown) return undefined;
  const [from, to] = [await quotable(edited), await quotable(shown)];
  const file = nameAfter(change);
  const permission = { verdict: "allow", reasons: [], real: file.path } as const;
  const base = { text: from, sha256: "", version: undefined };
  const update = { kind: "update", file, permission, base, edits: lineEdits(from, to), hunks: [] } as const;
  return { call, difference: printPatch([update], nameOf) };
}
