// The parts of a patch that do not fit, where its rest may be taken without them (`patchbay.patch.atomic` off): as the
// card shows them beside the rest, and as the model is told. Pure.

import type { PatchFile, PatchHunk } from "../conversation/tool-use.ts";
import { type Message, message } from "../messages/message.ts";
import { forPeople, tellLeftOut } from "../patch/explain.ts";
import type { Hunk } from "../patch/model.ts";
import type { LeftOut } from "../patch/plan-part.ts";
import { quotableRefusals } from "./quotable.ts";

const signs = { context: " ", removed: "-", added: "+" } as const;

/** A hunk as the patch has it: it has no place in the file, or none yet. */
export function viewUnplaced({ lines }: Hunk, id: string): PatchHunk {
  const count = (sign: "added" | "removed") => lines.filter(({ kind }) => kind === sign).length;
  const diff = lines.map(({ kind, text }) => `${signs[kind]}${text}\n`).join("");
  return { id, status: "pending", added: count("added"), removed: count("removed"), diff };
}

/** A card is for looking over. */
const mostDiff = 8 * 1024;

/** Beside what fits: each under its file, with why it does not. */
export function withLeftOut(files: readonly PatchFile[], leftOut: readonly LeftOut[]): PatchFile[] {
  const shown = new Map(files.map((file) => [file.path, file]));
  for (const [at, { kind, refusal }] of leftOut.entries()) {
    const path = "path" in refusal ? refusal.path : "";
    const file = shown.get(path) ?? { path, change: kind, added: 0, removed: 0, hunks: [] };
    if (!("hunk" in refusal)) shown.set(path, { ...file, problem: forPeople(refusal) });
    else {
      const { diff = "", ...hunk } = viewUnplaced(refusal.hunk, `${path}!${at + 1}`);
      const failed = { ...hunk, status: "failed", note: forPeople(refusal) } as const;
      const hunks = [...file.hunks, diff.length > mostDiff ? failed : { ...failed, diff }];
      shown.set(path, { ...file, hunks });
    }
  }
  return [...shown.values()];
}

/** For people; `undefined` where nothing is missing. */
export function leftOutNote(leftOut: readonly LeftOut[]): Message | undefined {
  const count = leftOut.reduce(
    (sum, { refusal }) => sum + (refusal.kind === "others" ? refusal.count : 1),
    0,
  );
  if (count === 0) return undefined;
  return count === 1 ? message("patchOneLeftOut") : message("patchLeftOut", { count });
}

/** For the model, after what was carried out. */
export const tellOfLeftOut = async (leftOut: readonly LeftOut[]): Promise<string[]> =>
  leftOut.length === 0 ? [] : [tellLeftOut(await quotableRefusals(leftOut.map(({ refusal }) => refusal)))];
