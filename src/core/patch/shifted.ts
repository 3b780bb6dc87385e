// Whether lines of a hunk stand at a place as they are but for one and the same white space before each of them.
import { hashOf } from "./fold.ts";
import { indentOf } from "./indent-step.ts";
import type { Pattern } from "./pattern.ts";
import { type Lines, lineAt } from "./text.ts";

export function isShifted(lines: Lines, wanted: readonly string[], at: number): boolean {
  const shifts = new Set<string>();
  for (const [step, line] of wanted.entries()) {
    const file = at + step < lines.count ? lineAt(lines, at + step) : "";
    if (line.trim() === "" || file.trim() === "") continue;
    const [own, there] = [indentOf(line), indentOf(file)];
    const isMore = there.startsWith(own);
    if (!isMore && !own.startsWith(there)) return false;
    shifts.add(isMore ? there.slice(own.length) : `-${own.slice(there.length)}`);
  }
  return shifts.size === 1;
}

/** The hunk's new lines stand there already, or over the edges of the place. */
export function isWrittenAt(lines: Lines, { body, lines: old }: Pattern, at: number): boolean {
  const fresh = body.flatMap(({ kind, text }) => (kind === "removed" ? [] : [text]));
  const hashes = fresh.map(hashOf);
  for (let start = Math.max(0, at - fresh.length); start <= at + old.length; start++) {
    const isThere = hashes.every((hash, step) => lines.hashes[start + step] === hash);
    if (isThere && start + fresh.length <= lines.count && isShifted(lines, fresh, start)) return true;
  }
  return false;
}
