// Texts and edits drawn at random, what the edits must give, and how a patch says them. It knows the format and the
// rules of line ends, and nothing of the engine: one mistake cannot hide the other.
import fc from "fast-check";

/** A line with its own line end; only the last one may have none. */
export interface Row {
  readonly text: string;
  readonly end: string;
}

/** Rows [first, first + removed) become `added`. */
export interface RowEdit {
  readonly first: number;
  readonly removed: number;
  readonly added: readonly string[];
}

export interface Example {
  readonly mark: "" | "\uFEFF";
  readonly rows: readonly Row[];
  /** In order, and no two at one place. */
  readonly edits: readonly RowEdit[];
}

const ends = fc.oneof(
  fc.constant(["\n"]),
  fc.constant(["\r\n"]),
  fc.constant(["\n", "\r\n"]),
  fc.constant(["\r"]),
);

export interface Wishes {
  readonly line: fc.Arbitrary<string>;
  /** Of the lines that edits add. */
  readonly added: fc.Arbitrary<string>;
  readonly distinct: boolean;
  readonly most: number;
}

export function anExample({ line, added, distinct, most }: Wishes): fc.Arbitrary<Example> {
  const lines = distinct
    ? fc.uniqueArray(line, { minLength: 1, maxLength: most, selector: (text) => text.trim() })
    : fc.array(line, { minLength: 1, maxLength: most });
  return fc
    .record({ mark: fc.constantFrom("" as const, "\uFEFF" as const), lines, ends, open: fc.boolean() })
    .chain(({ mark, lines, ends, open }) => {
      const endings = fc.array(fc.constantFrom(...ends), {
        minLength: lines.length,
        maxLength: lines.length,
      });
      return fc.tuple(endings, someEdits(lines.length, added)).map(([endings, edits]) => {
        const last = lines.length - 1;
        const bare = open && lines[last] !== "";
        const rows = lines.map((text, at) => ({ text, end: bare && at === last ? "" : (endings[at] ?? "") }));
        return { mark, rows, edits };
      });
    })
    .filter(({ edits }) => edits.length > 0);
}

/** Every edit changes something and leaves at least one row to the next. */
function someEdits(count: number, added: fc.Arbitrary<string>): fc.Arbitrary<RowEdit[]> {
  const edit = fc.record({
    gap: fc.nat({ max: 4 }),
    removed: fc.nat({ max: 3 }),
    added: fc.array(added, { maxLength: 3 }),
  });
  return fc.array(edit, { minLength: 1, maxLength: 5 }).map((wanted) => {
    const edits: RowEdit[] = [];
    let next = 0;
    for (const { gap, removed, added } of wanted) {
      const first = next + gap;
      const taken = Math.min(removed, count - first);
      if (first > count || taken + added.length === 0) continue;
      edits.push({ first, removed: taken, added });
      next = first + taken + 1;
    }
    return edits;
  });
}

export function textOf({ mark, rows }: Pick<Example, "mark" | "rows">): string {
  return mark + rows.map(({ text, end }) => text + end).join("");
}

/** What the edits must give: rows nobody names keep their bytes, and a missing last line end stays missing. */
export function editedText({ mark, rows, edits }: Example): string {
  const result: Row[] = [];
  let next = 0;
  for (const { first, removed, added } of edits.map((edit) => withoutKept(rows, edit))) {
    result.push(...rows.slice(next, first));
    for (const [at, text] of added.entries()) {
      result.push({ text, end: endFor(rows, first, removed, at) });
    }
    next = first + removed;
  }
  result.push(...rows.slice(next));
  const open = rows.at(-1)?.end === "";
  const usual = rows.findLast(({ end }) => end !== "")?.end ?? "\n";
  const closed = result.map((row, at) => {
    const isLast = at === result.length - 1;
    return isLast && open ? { ...row, end: "" } : row.end === "" ? { ...row, end: usual } : row;
  });
  return textOf({ mark, rows: closed });
}

/** Lines that are removed only to be added again are not touched. */
function withoutKept(rows: readonly Row[], { first, removed, added }: RowEdit): RowEdit {
  const gone = rows.slice(first, first + removed).map(({ text }) => text);
  let head = 0;
  while (head < gone.length && head < added.length && gone[head] === added[head]) head += 1;
  let tail = 0;
  const most = Math.min(gone.length, added.length) - head;
  while (tail < most && gone.at(-1 - tail) === added.at(-1 - tail)) tail += 1;
  const kept = added.slice(head, added.length - tail);
  return { first: first + head, removed: removed - head - tail, added: kept };
}

/** The end of the line it replaces, else of the nearest above, else of the one below. */
function endFor(rows: readonly Row[], first: number, removed: number, at: number): string {
  const own = at < removed ? first + at : first + removed - 1;
  const above = rows.slice(0, own + 1).findLast(({ end }) => end !== "");
  return (above ?? rows[first + removed] ?? rows[0])?.end || rows[0]?.end || "\n";
}

/**
 * One hunk for each edit, with so many rows of the text around it; neighbours may share them. `old` and `fresh` are
 * what becomes of the lines on their way into the patch.
 */
export function hunksFor(
  { rows, edits }: Example,
  context: number,
  old = (line: string) => line,
  fresh = (line: string) => line,
): string[][] {
  const texts = (from: number, to: number) => rows.slice(Math.max(0, from), to).map(({ text }) => old(text));
  return edits.map(({ first, removed, added }) => [
    ...texts(first - context, first).map((text) => ` ${text}`),
    ...texts(first, first + removed).map((text) => `-${text}`),
    ...added.map((text) => `+${fresh(text)}`),
    ...texts(first + removed, first + removed + context).map((text) => ` ${text}`),
  ]);
}

export function patchOf(path: string, hunks: readonly (readonly string[])[], end = "\n"): string {
  const body = hunks.flatMap((lines) => ["@@", ...lines]);
  return ["*** Begin Patch", `*** Update File: ${path}`, ...body, "*** End Patch", ""].join(end);
}
