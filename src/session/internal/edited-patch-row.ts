// The row of a patch once a person has edited what was proposed and accepted it: the lines that were written.
import { type HunkStatus, isByPerson, type WrittenChange } from "../../changes/proposal.ts";
import type { PatchFile, PatchHunk } from "../../conversation/state.ts";
import type { FileName } from "../../patch/model.ts";
import { viewWritten } from "../../tools/patch-view.ts";

interface Written {
  readonly written: readonly WrittenChange[];
  readonly statuses: ReadonlyMap<string, HunkStatus>;
  nameOf(file: FileName): string;
  /** Removes what must not be quoted, and keeps every line at its number. */
  redact(text: string): Promise<string>;
}

interface WrittenHunk {
  readonly hunk: PatchHunk;
  /** Its lines without what must not be quoted. */
  readonly quoted: string | undefined;
}

/** Returns the files with edited hunks as they were written; undefined if the row shows all of them already. */
export async function editedFiles(
  files: readonly PatchFile[],
  { written, statuses, nameOf, redact }: Written,
): Promise<readonly PatchFile[] | undefined> {
  const hunksOf = new Map<string, readonly WrittenHunk[]>();
  for (const each of written) {
    const { change } = each;
    const base = "base" in change ? await redact(change.base.text) : "";
    const hunks = [...(hunksOf.get(nameOf(change.file)) ?? [])];
    for (const bare of viewWritten(each, base)) {
      const hunk = { ...bare, status: statuses.get(bare.id) ?? ("applied" as const) };
      hunks.push({ hunk, quoted: hunk.diff === undefined ? undefined : await redact(hunk.diff) });
    }
    hunksOf.set(nameOf(change.file), hunks);
  }
  const now = files.map((file) => withEdited(file, hunksOf.get(file.path) ?? []));
  return now.every((file, at) => file === files[at]) ? undefined : now;
}

/** The file with these hunks in the place of those that the person has edited, and with what they have added. */
function withEdited(file: PatchFile, written: readonly WrittenHunk[]): PatchFile {
  const known = new Map(file.hunks.map((hunk) => [hunk.id, hunk]));
  const news = new Map<string, PatchHunk>();
  for (const { hunk, quoted } of written) {
    const { diff, ...rest } = hunk;
    const shown = known.get(hunk.id);
    const isShown = [diff, quoted].some((lines) => shown && areAlike(shown, { ...rest, diff: lines }));
    if (shown === undefined ? !isByPerson(hunk.id) : isShown) continue;
    // A patch that was too long to be shown stays without its lines.
    const isLong = shown !== undefined && shown.diff === undefined;
    const lines = isLong || quoted === undefined ? {} : { diff: quoted };
    news.set(hunk.id, { ...rest, ...lines, edited: true });
  }
  if (news.size === 0) return file;
  const own = file.hunks.map((hunk) => news.get(hunk.id) ?? hunk);
  const added = [...news.values()].filter(({ id }) => !known.has(id));
  const hunks = [...own, ...added].toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
  const sum = (key: "added" | "removed") => hunks.reduce((all, hunk) => all + hunk[key], 0);
  return { ...file, hunks, added: sum("added"), removed: sum("removed") };
}

/** Whether both change the same lines. Lines around them may have changed since. */
const areAlike = (one: PatchHunk, other: PatchHunk): boolean =>
  one.added === other.added &&
  one.removed === other.removed &&
  (one.diff === undefined || changedLines(one.diff) === changedLines(other.diff ?? ""));

const changedLines = (diff: string): string =>
  diff
    .split("\n")
    .filter((line) => /^[-+]/.test(line))
    .join("\n");
