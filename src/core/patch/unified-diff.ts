// A unified diff, as Git and diff write it, in the form of a patch: what an answer shows in a code block can be proposed as
// an edit. Line numbers stay as hints; where the lines are found in the file decides. Pure.

interface FileDiff {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly hunks: string[];
}

const nowhere = "/dev/null";
const header = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** `undefined`: it is none, or not whole. */
export function patchOfDiff(text: string): string | undefined {
  const files = filesIn(text.split(/\r?\n/));
  const sections = files?.map(sectionOf);
  if (sections === undefined || sections.length === 0) return undefined;
  const whole = sections.filter((section) => section !== undefined);
  return whole.length < sections.length
    ? undefined
    : ["*** Begin Patch", ...whole.flat(), "*** End Patch"].join("\n");
}

function filesIn(lines: readonly string[]): readonly FileDiff[] | undefined {
  const files: FileDiff[] = [];
  let renamed: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const after = lines[at + 1] ?? "";
    const sizes = header.exec(line);
    if (line.startsWith("--- ") && after.startsWith("+++ ")) {
      files.push({ from: nameIn(line), to: nameIn(after), hunks: [] });
      at++;
    } else if (line.startsWith("rename from ")) renamed = line.slice("rename from ".length);
    else if (line.startsWith("rename to ") && renamed !== undefined) {
      // With changes its own two lines follow and say the same.
      if (!hasNames(lines, at + 1))
        files.push({ from: renamed, to: line.slice("rename to ".length), hunks: [] });
      renamed = undefined;
    } else if (sizes !== null) {
      const end = endOfHunk(lines, at + 1, Number(sizes[1] ?? 1), Number(sizes[2] ?? 1));
      const file = files.at(-1);
      if (file === undefined || end === undefined) return undefined;
      for (const each of lines.slice(at, end)) if (!each.startsWith("\\")) file.hunks.push(each);
      at = end - 1;
    }
  }
  return files;
}

function hasNames(lines: readonly string[], from: number): boolean {
  for (const line of lines.slice(from, from + 3)) {
    if (line.startsWith("--- ")) return true;
    if (line.startsWith("diff ")) return false;
  }
  return false;
}

/** By its own count: a removed line may look like the beginning of another file. */
function endOfHunk(
  lines: readonly string[],
  from: number,
  before: number,
  after: number,
): number | undefined {
  let [old, fresh] = [before, after];
  let at = from;
  for (; old > 0 || fresh > 0; at++) {
    const sign = lines[at]?.[0] ?? " ";
    if (at >= lines.length || !" -+\\".includes(sign)) return undefined;
    if (sign === " " || sign === "-") old--;
    if (sign === " " || sign === "+") fresh--;
  }
  return old < 0 || fresh < 0 ? undefined : at;
}

/** Without Git's prefix, and without what diff writes behind a tab. */
function nameIn(line: string): string | undefined {
  const [name = ""] = line.slice(4).split("\t");
  if (name.trim() === nowhere) return undefined;
  return name
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .replace(/^[ab]\//, "");
}

function sectionOf({ from, to, hunks }: FileDiff): readonly string[] | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (to === undefined) return [`*** Delete File: ${from}`];
  const lines = hunks.filter((line) => !header.test(line));
  if (from === undefined)
    return lines.every((line) => line.startsWith("+")) ? [`*** Add File: ${to}`, ...lines] : undefined;
  const moves = from === to ? [] : [`*** Move to: ${to}`];
  if (hunks.length === 0 && moves.length === 0) return undefined;
  return [`*** Update File: ${from}`, ...moves, ...hunks.map((line) => (line === "" ? " " : line))];
}
