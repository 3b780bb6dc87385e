// Good patches, and what models and time do to them: each disturbance is a rule, the same in every run, that makes of one
// file's change another patch for it, or another file. What must come of it is known beforehand. It knows the format of
// patches and nothing of the engine.

export interface ChangeRow {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** A whole file with what changes in it, as a diff of all its lines. */
export interface FileDiff {
  readonly path: string;
  readonly rows: readonly ChangeRow[];
}

export interface Disturbed {
  readonly path: string;
  readonly before: string;
  readonly patch: string;
  /** What the file may be afterwards; to refuse the patch does no harm either. */
  readonly after: readonly string[];
}

interface Hunk {
  /** Behind `@@`. */
  readonly header: string;
  /** How many lines of the file as it was, and as it will be, stand above it. */
  readonly above: number;
  readonly aboveNow: number;
  readonly rows: readonly ChangeRow[];
}

type Disturb = (diff: FileDiff) => (Partial<Disturbed> & { readonly lines?: readonly string[] }) | undefined;

const isOld = ({ sign }: ChangeRow) => sign !== "+";
const isNew = ({ sign }: ChangeRow) => sign !== "-";
const isContext = ({ sign }: ChangeRow) => sign === " ";
const isFilled = ({ text }: ChangeRow) => text.trim() !== "";

const textOf = (rows: readonly ChangeRow[]) => rows.map(({ text }) => `${text}\n`).join("");
const beforeOf = ({ rows }: FileDiff) => textOf(rows.filter(isOld));
const afterOf = ({ rows }: FileDiff) => textOf(rows.filter(isNew));

/** As git makes them: changes so close that their context would meet are one hunk. */
export function hunksOf({ rows }: FileDiff, context = 3): Hunk[] {
  const hunks: Hunk[] = [];
  let at = 0;
  while (at < rows.length) {
    if (rows[at]?.sign === " ") {
      at += 1;
      continue;
    }
    const first = Math.max(0, at - context);
    let last = at;
    for (let next = at; next < rows.length && next <= last + 2 * context; next++)
      if (rows[next]?.sign !== " ") last = next + 1;
    const end = Math.min(rows.length, last + context);
    const before = rows.slice(0, first);
    hunks.push({
      header: "",
      above: before.filter(isOld).length,
      aboveNow: before.filter(isNew).length,
      rows: rows.slice(first, end),
    });
    at = end;
  }
  return hunks;
}

const written = ({ sign, text }: ChangeRow) => sign + text;
const linesOf = (hunks: readonly Hunk[], line: (row: ChangeRow, at: number) => string = written) =>
  hunks.flatMap(({ header, rows }) => [`@@${header === "" ? "" : ` ${header}`}`, ...rows.map(line)]);

function patchOf(path: string, lines: readonly string[], end = "\n"): string {
  return ["*** Begin Patch", `*** Update File: ${path}`, ...lines, "*** End Patch", ""].join(end);
}

/** Every row of the patch in another form. */
const eachRow =
  (change: (row: ChangeRow, at: number) => ChangeRow): Disturb =>
  (diff) => {
    const plain = linesOf(hunksOf(diff));
    const lines = linesOf(hunksOf(diff), (row, at) => written(change(row, at)));
    return lines.join("\n") === plain.join("\n") ? undefined : { lines };
  };

const eachOld = (change: (text: string) => string) =>
  eachRow((row) => (isOld(row) ? { ...row, text: change(row.text) } : row));
const eachContext = (change: (text: string, at: number) => string) =>
  eachRow((row, at) => (isContext(row) ? { ...row, text: change(row.text, at) } : row));
const eachLine = (change: (text: string) => string) => eachRow((row) => ({ ...row, text: change(row.text) }));

/** The hunks, or one of them, in another form. */
const hunks =
  (change: (hunks: readonly Hunk[], diff: FileDiff) => readonly Hunk[] | undefined): Disturb =>
  (diff) => {
    const changed = change(hunksOf(diff), diff);
    return changed && { lines: linesOf(changed) };
  };

/** One row of the first hunk that has such a row, in another form or in none. */
const oneRow = (
  isWanted: (row: ChangeRow, at: number, rows: readonly ChangeRow[]) => boolean,
  change: (row: ChangeRow) => readonly ChangeRow[],
): Disturb =>
  hunks((all) => {
    const index = all.findIndex(({ rows }) => rows.some(isWanted));
    const hunk = all[index];
    if (hunk === undefined) return undefined;
    const at = hunk.rows.findIndex(isWanted);
    const rows = hunk.rows.flatMap((row, step) => (step === at ? change(row) : [row]));
    return all.with(index, { ...hunk, rows });
  });

const isInside = (row: ChangeRow, at: number, rows: readonly ChangeRow[]) =>
  isContext(row) && isFilled(row) && at > 0 && at < rows.length - 1;
const isWorded = ({ text }: ChangeRow) => /[A-Za-z]{3}/.test(text);
const otherWord = (text: string) => text.replace(/[A-Za-z]{3,}/, (word) => `${word.slice(0, -1)}Zq`);

const tabsTo = (size: number) => (text: string) =>
  text.replace(/^\t+/, (tabs) => " ".repeat(tabs.length * size));
const spacesToTabs = (size: number) => (text: string) =>
  text.replace(
    /^ +/,
    (spaces) => "\t".repeat(Math.floor(spaces.length / size)) + " ".repeat(spaces.length % size),
  );
const steps = (from: number, to: number) => (text: string) =>
  text.replace(/^ +/, (spaces) => " ".repeat((spaces.length / from) * to));
const indentOf = (text: string) => /^[ \t]*/.exec(text)?.[0] ?? "";
const deeper = (text: string) => (text.trim() === "" ? text : (text.startsWith("\t") ? "\t" : "    ") + text);
const shallower = (text: string) => text.replace(/^(?:\t| {4}| {2})/, "");

/** Only where all indentation of the change is of whole steps of that size. */
const ofSteps =
  (size: number, disturb: Disturb): Disturb =>
  (diff) => {
    const indents = hunksOf(diff).flatMap(({ rows }) => rows.map(({ text }) => indentOf(text)));
    const isWhole = indents.every((indent) => !indent.includes("\t") && indent.length % size === 0);
    return isWhole && indents.some((indent) => indent.length === size) ? disturb(diff) : undefined;
  };

const curled = (text: string) =>
  text
    .replace(/(?<=\w)'/g, "’")
    .replace(/"([^"]*)"/g, "“$1”")
    .replace(/ - /g, " – ");
const withoutBlank = (row: ChangeRow) => (isContext(row) ? row.text : written(row));
/** Without its blank it would be another kind of line. */
const isSigned = ({ text }: ChangeRow) => /^[-+@*\\]/.test(text);

const lostBlanks =
  (isLost: (row: ChangeRow, at: number) => boolean): Disturb =>
  (diff) => {
    const all = hunksOf(diff);
    if (all.some(({ rows }) => rows.some((row) => isContext(row) && isSigned(row)))) return undefined;
    const lines = linesOf(all, (row, at) => (isLost(row, at) ? withoutBlank(row) : written(row)));
    return lines.join("\n") === linesOf(all).join("\n") ? undefined : { lines };
  };

/** Only the hunks that remove nothing are in the file already. */
const insertionsDone: Disturb = (diff) => {
  const all = hunksOf(diff);
  const isOnly = all.every(({ rows }) => rows.every(({ sign }) => sign !== "-"));
  return isOnly ? { before: afterOf(diff), lines: linesOf(all) } : undefined;
};

/** The same with as little context as still says where. */
const insertionsDoneBy =
  (cut: (rows: readonly ChangeRow[], first: number, last: number) => readonly ChangeRow[]): Disturb =>
  (diff) => {
    const all = hunksOf(diff).flatMap((hunk): Hunk[] => {
      const first = hunk.rows.findIndex(({ sign }) => sign !== " ");
      const last = hunk.rows.findLastIndex(({ sign }) => sign !== " ") + 1;
      const rows = cut(hunk.rows, first, last);
      return rows.some(isContext) && rows.slice(0, -1).length > 0 ? [{ ...hunk, rows }] : [];
    });
    const isOnly = all.every(({ rows }) => rows.every(({ sign }) => sign !== "-"));
    return isOnly && all.length > 0 && all.length === hunksOf(diff).length
      ? { before: afterOf(diff), lines: linesOf(all) }
      : undefined;
  };

/** The line above a hunk that opens what it stands in, as diff shows it behind `@@`. */
function openerAbove({ rows }: FileDiff, hunk: Hunk): string | undefined {
  return rows
    .filter(isOld)
    .slice(0, hunk.above)
    .findLast(({ text }) => /^[A-Za-z_$]/.test(text))?.text;
}

const withHeader = (header: (hunk: Hunk, diff: FileDiff) => string | undefined): Disturb =>
  hunks((all, diff) => {
    const named = all.map((hunk) => ({ ...hunk, header: header(hunk, diff) ?? "" }));
    return named.some((hunk) => hunk.header !== "") ? named : undefined;
  });

/** A line of the file's margin, far from the hunk. */
function openerOfAnother({ rows }: FileDiff, hunk: Hunk): string | undefined {
  const old = rows.filter(isOld);
  const below = old
    .slice(hunk.above + hunk.rows.length + 3)
    .find(({ text }) => /^[A-Za-z_$].*[A-Za-z]/.test(text));
  const own = new Set(hunk.rows.map(({ text }) => text));
  return below === undefined || own.has(below.text) ? undefined : below.text;
}

function openerOfEarlier(diff: FileDiff, hunk: Hunk): string | undefined {
  const old = diff.rows.filter(isOld).slice(0, Math.max(0, hunk.above - 8));
  const openers = old.filter(
    ({ text }) => /^[A-Za-z_$].*[A-Za-z]/.test(text) && text !== openerAbove(diff, hunk),
  );
  return openers[Math.floor(openers.length / 2)]?.text;
}

const ranges = (by: number): Disturb =>
  hunks((all) =>
    all.map((hunk) => ({
      ...hunk,
      header: `-${Math.max(1, hunk.above + 1 + by)},${hunk.rows.filter(isOld).length} +${hunk.aboveNow + 1},${hunk.rows.filter(isNew).length} @@`,
    })),
  );

const numbered =
  (form: (number: number, text: string) => string, all: boolean): Disturb =>
  (diff) => {
    const lines = hunksOf(diff).flatMap(({ above, rows }) => {
      let [number, fresh] = [above, above];
      return [
        "@@",
        ...rows.map((row) => {
          if (isOld(row)) number += 1;
          fresh += 1;
          if (!isOld(row)) return all ? row.sign + form(fresh, row.text) : written(row);
          return row.sign + form(number, row.text);
        }),
      ];
    });
    return { lines };
  };

/** What was there and what it becomes, with something done to the file meanwhile. */
const meanwhile =
  (change: (rows: readonly ChangeRow[], diff: FileDiff) => readonly ChangeRow[] | undefined): Disturb =>
  (diff) => {
    const rows = change(diff.rows, diff);
    if (rows === undefined) return undefined;
    const changed = { ...diff, rows };
    return { before: beforeOf(changed), after: [afterOf(changed)], lines: linesOf(hunksOf(diff)) };
  };

/** A context line right beside a change. */
function besideChange(rows: readonly ChangeRow[]): number {
  return rows.findIndex((row, at) => {
    return isContext(row) && isFilled(row) && isWorded(row) && (rows[at + 1]?.sign ?? " ") !== " ";
  });
}

/** The old lines of the first hunk stand in the file once more. */
const doubled =
  (isAbove: boolean): Disturb =>
  (diff) => {
    const [hunk] = hunksOf(diff);
    if (hunk === undefined) return undefined;
    const copy = hunk.rows.filter(isOld).map(({ text }): ChangeRow => ({ sign: " ", text }));
    const rows = isAbove ? [...copy, ...diff.rows] : [...diff.rows, ...copy];
    const changed = { ...diff, rows };
    return { before: beforeOf(changed), after: [afterOf(changed)], lines: linesOf(hunksOf(diff)) };
  };

/** Only where no hunk fits a second place: of two, another patch may mean the other. */
const withoutTwins =
  (disturb: Disturb): Disturb =>
  (diff) => {
    const old = `\n${beforeOf(diff)}`;
    const isAlone = hunksOf(diff).every(
      ({ rows }) => old.split(`\n${textOf(rows.filter(isOld))}`).length === 2,
    );
    return isAlone ? disturb(diff) : undefined;
  };

const crlf = (text: string) => text.replaceAll("\n", "\r\n");

export const disturbances: Readonly<Record<string, Disturb>> = {
  none: (diff) => ({ lines: linesOf(hunksOf(diff)) }),
  "one line of context": (diff) => ({ lines: linesOf(hunksOf(diff, 1)) }),
  "no context": (diff) => ({ lines: linesOf(hunksOf(diff, 0)) }),
  "blank lost: all context": lostBlanks(isContext),
  "blank lost: all context but empty lines": lostBlanks((row) => isContext(row) && isFilled(row)),
  "blank lost: indented context": lostBlanks((row) => isContext(row) && /^[ \t]/.test(row.text)),
  "blank lost: every second": lostBlanks((row, at) => isContext(row) && at % 2 === 0),
  "blank lost: first line": lostBlanks((row, at) => isContext(row) && at === 0),
  "blank lost: below the change": (diff) => {
    const all = hunksOf(diff);
    const lines = all.flatMap(({ rows }) => {
      const last = rows.findLastIndex(({ sign }) => sign !== " ");
      return ["@@", ...rows.map((row, at) => (at > last ? withoutBlank(row) : written(row)))];
    });
    return all.some(({ rows }) => rows.some((row) => isContext(row) && isSigned(row)))
      ? undefined
      : { lines };
  },
  "blank lost: one line of context": (diff) => {
    const all = hunksOf(diff, 1);
    if (all.some(({ rows }) => rows.some((row) => isContext(row) && isSigned(row)))) return undefined;
    return { lines: linesOf(all, withoutBlank) };
  },
  "blank lost: in one hunk of several": (diff) => {
    const all = hunksOf(diff);
    if (all.length < 2 || all[0]?.rows.some((row) => isContext(row) && isSigned(row))) return undefined;
    return { lines: [...linesOf(all.slice(0, 1), withoutBlank), ...linesOf(all.slice(1))] };
  },
  "blank behind every sign": (diff) => ({
    lines: linesOf(hunksOf(diff), ({ sign, text }) => `${sign} ${text}`),
  }),
  "trailing blanks in the patch": eachOld((text) => `${text}  `),
  "trailing blanks in the file": (diff) => {
    const rows = diff.rows.map((row) =>
      isContext(row) && isFilled(row) ? { ...row, text: `${row.text} ` } : row,
    );
    const changed = { ...diff, rows };
    return { before: beforeOf(changed), after: [afterOf(changed)], lines: linesOf(hunksOf(diff)) };
  },
  "empty context without its blank": (diff) => {
    const lines = linesOf(hunksOf(diff), (row) => (isContext(row) && row.text === "" ? "" : written(row)));
    return lines.includes("") ? { lines } : undefined;
  },
  "tabs as 2 spaces": eachLine(tabsTo(2)),
  "tabs as 4 spaces": eachLine(tabsTo(4)),
  "tabs as 8 spaces": eachLine(tabsTo(8)),
  "tabs as 4 spaces in old lines": eachOld(tabsTo(4)),
  "tabs as 4 spaces in context": eachContext(tabsTo(4)),
  "tabs as 4 spaces, one line of context": (diff) => {
    const lines = linesOf(hunksOf(diff, 1), ({ sign, text }) => sign + tabsTo(4)(text));
    return lines.join("\n") === linesOf(hunksOf(diff, 1)).join("\n") ? undefined : { lines };
  },
  "2 spaces as a tab": ofSteps(2, eachLine(spacesToTabs(2))),
  "4 spaces as a tab": ofSteps(4, eachLine(spacesToTabs(4))),
  "4 spaces as a tab, one line of context": ofSteps(4, (diff) => ({
    lines: linesOf(hunksOf(diff, 1), ({ sign, text }) => sign + spacesToTabs(4)(text)),
  })),
  "steps of 4 as 2": ofSteps(4, eachLine(steps(4, 2))),
  "steps of 2 as 4": ofSteps(2, eachLine(steps(2, 4))),
  "a step deeper": eachLine(deeper),
  "a step less": (diff) =>
    hunksOf(diff).every(({ rows }) => rows.every((row) => !isFilled(row) || indentOf(row.text) !== ""))
      ? eachLine(shallower)(diff)
      : undefined,
  "a blank more": eachLine((text) => (text.trim() === "" ? text : ` ${text}`)),
  "base dropped": (diff) => {
    const all = hunksOf(diff).map((hunk) => {
      const indents = hunk.rows.filter(isFilled).map(({ text }) => indentOf(text));
      const least = indents.reduce((base, own) => (own.length < base.length ? own : base), indents[0] ?? "");
      const rows = hunk.rows.map((row) => ({ ...row, text: row.text.slice(least.length) }));
      return { ...hunk, rows };
    });
    const lines = linesOf(all);
    return lines.join("\n") === linesOf(hunksOf(diff)).join("\n") ? undefined : { lines };
  },
  "first line not indented": hunks((all) => {
    const changed = all.map((hunk) => {
      const [first, ...rest] = hunk.rows;
      return first === undefined
        ? hunk
        : { ...hunk, rows: [{ ...first, text: first.text.trimStart() }, ...rest] };
    });
    return linesOf(changed).join("\n") === linesOf(all).join("\n") ? undefined : changed;
  }),
  "insertion there already": insertionsDone,
  "insertion there already, no context below": insertionsDoneBy((rows, _, last) => rows.slice(0, last)),
  "insertion there already, no context above": insertionsDoneBy((rows, first) => rows.slice(first)),
  "insertion there already, one line of context": insertionsDoneBy((rows, first, last) =>
    rows.slice(Math.max(0, first - 1), last + 1),
  ),
  "insertion there already, anchor alone": (diff) => {
    const done = insertionsDone(diff);
    const all = hunksOf(diff);
    const lines = all.flatMap(({ rows }) => {
      const first = rows.findIndex(({ sign }) => sign === "+");
      return [`@@ ${rows[first - 1]?.text ?? ""}`, ...rows.filter(({ sign }) => sign === "+").map(written)];
    });
    const isPlain = all.every(({ rows }) => {
      const added = rows.flatMap(({ sign }, at) => (sign === "+" ? [at] : []));
      return (
        (added.at(-1) ?? 0) - (added[0] ?? 0) === added.length - 1 &&
        /\S/.test(rows[(added[0] ?? 0) - 1]?.text ?? "")
      );
    });
    return done && isPlain ? { ...done, lines } : undefined;
  },
  "there already": withoutTwins((diff) => ({ before: afterOf(diff), lines: linesOf(hunksOf(diff)) })),
  "first hunk there already": withoutTwins((diff) => {
    const all = hunksOf(diff);
    if (all.length < 2) return undefined;
    const end = diff.rows.indexOf(all[0]?.rows.at(-1) ?? { sign: " ", text: "" }) + 1;
    const before = textOf([...diff.rows.slice(0, end).filter(isNew), ...diff.rows.slice(end).filter(isOld)]);
    return { before, lines: linesOf(all) };
  }),
  "anchor right": withHeader((hunk, diff) => openerAbove(diff, hunk)),
  "anchor of a line below": withoutTwins(withHeader((hunk, diff) => openerOfAnother(diff, hunk))),
  "anchor of another place above": withHeader((hunk, diff) => openerOfEarlier(diff, hunk)),
  "anchor nowhere": withHeader(() => "function renderTheWholeThing(options)"),
  "anchor nowhere, one line of context": (diff) => ({
    lines: linesOf(hunksOf(diff, 1).map((hunk) => ({ ...hunk, header: "def handle_everything(self):" }))),
  }),
  "anchor with a wrong word": withHeader((hunk, diff) => {
    const opener = openerAbove(diff, hunk);
    return opener !== undefined && isWorded({ sign: " ", text: opener }) ? otherWord(opener) : undefined;
  }),
  "anchor nowhere and context doubled": (diff) => {
    const twice = doubled(false)(diff);
    const all = hunksOf(diff).map((hunk) => ({ ...hunk, header: "function renderTheWholeThing(options)" }));
    return twice && { ...twice, lines: linesOf(all) };
  },
  "anchor nowhere and indentation lost": (diff) => {
    const all = hunksOf(diff).map((hunk) => ({ ...hunk, header: "class Nowhere:" }));
    // Where only new lines lost it, the patch says nothing else.
    const isShown = all.every(({ rows }) => rows.some((row) => isOld(row) && /^[ \t]+\S/.test(row.text)));
    if (!isShown) return undefined;
    const lines = linesOf(all, (row) => row.sign + row.text.trimStart());
    return lines.join("\n") === linesOf(all).join("\n") ? undefined : { lines };
  },
  "anchor nowhere and there already": withoutTwins((diff) => ({
    before: afterOf(diff),
    lines: linesOf(hunksOf(diff).map((hunk) => ({ ...hunk, header: "class Nowhere:" }))),
  })),
  "no headers": (diff) => {
    const all = hunksOf(diff);
    return { lines: linesOf(all).filter((line) => line !== "@@") };
  },
  "a word of context differs": oneRow(
    (row, at, rows) => isInside(row, at, rows) && isWorded(row),
    (row) => [{ ...row, text: otherWord(row.text) }],
  ),
  "a word of the first line differs": oneRow(
    (row, at) => at === 0 && isContext(row) && isWorded(row),
    (row) => [{ ...row, text: otherWord(row.text) }],
  ),
  "a removed word differs": oneRow(
    (row) => row.sign === "-" && isWorded(row),
    (row) => [{ ...row, text: otherWord(row.text) }],
  ),
  "letter case of context": eachContext((text) => text.toLowerCase()),
  "a context line left out": oneRow(
    (row, at, rows) =>
      isInside(row, at, rows) && rows.slice(0, at).some(isOld) && rows.slice(at + 1).some(isOld),
    () => [],
  ),
  "the first line left out": oneRow(
    (row, at) => at === 0 && isContext(row),
    () => [],
  ),
  "context elided by dots": oneRow(
    (row, at, rows) => isInside(row, at, rows),
    (row) => [{ ...row, text: "..." }],
  ),
  "context elided by a comment": oneRow(
    (row, at, rows) => isInside(row, at, rows),
    (row) => [{ ...row, text: "// ... existing code ..." }],
  ),
  "order of hunks turned": withoutTwins(hunks((all) => (all.length < 2 ? undefined : [...all].reverse()))),
  "a hunk twice": withoutTwins(hunks((all) => all.flatMap((hunk, at) => (at === 0 ? [hunk, hunk] : [hunk])))),
  "context doubled above": doubled(true),
  "context doubled below": doubled(false),
  "CRLF in the file": (diff) => ({
    before: crlf(beforeOf(diff)),
    after: [crlf(afterOf(diff))],
    lines: linesOf(hunksOf(diff)),
  }),
  "CRLF in the patch": (diff) => ({ patch: patchOf(diff.path, linesOf(hunksOf(diff)), "\r\n") }),
  "CRLF in both": (diff) => ({
    before: crlf(beforeOf(diff)),
    after: [crlf(afterOf(diff))],
    patch: patchOf(diff.path, linesOf(hunksOf(diff)), "\r\n"),
  }),
  "typographic quotes in context": eachContext(curled),
  "typographic quotes in old lines": eachOld(curled),
  "no-break space in context": eachContext((text) => text.replace(/(?<=\S) (?=\S)/, "\u00A0")),
  "line ranges": ranges(0),
  "wrong line ranges": ranges(37),
  "line numbers before old lines": numbered((number, text) => `${number}: ${text}`, false),
  "line numbers before all lines": numbered((number, text) => `${number}\t${text}`, true),
  "a removed line with other blanks inside": oneRow(
    (row) => row.sign === "-" && /\S \S/.test(row.text),
    (row) => [{ ...row, text: row.text.replace(/(?<=\S) (?=\S)/, "  ") }],
  ),
  "removed lines with other blanks around": eachRow((row) =>
    row.sign === "-" && isFilled(row) ? { ...row, text: `  ${row.text.trim()} ` } : row,
  ),
  "a neighbour changed meanwhile": meanwhile((rows) => {
    const at = besideChange(rows);
    const row = rows[at];
    return row && rows.with(at, { ...row, text: otherWord(row.text) });
  }),
  "a line came between meanwhile": meanwhile((rows) => {
    const at = besideChange(rows);
    const came: ChangeRow = { sign: " ", text: "something else" };
    return at < 0 ? undefined : rows.toSpliced(at, 0, came);
  }),
  "lines came above meanwhile": meanwhile((rows) => {
    const came = ["one", "two", "three"].map((text): ChangeRow => ({ sign: " ", text }));
    return [...came, ...rows];
  }),
  "end of file said of every hunk": (diff) => {
    const all = hunksOf(diff);
    return { lines: all.flatMap((hunk) => [...linesOf([hunk]), "*** End of File"]) };
  },
};

export function disturb(diff: FileDiff, name: string): Disturbed | undefined {
  const own = disturbances[name]?.(diff);
  if (own === undefined) return undefined;
  const {
    before = beforeOf(diff),
    after = [afterOf(diff)],
    lines = [],
    patch = patchOf(diff.path, lines),
  } = own;
  return { path: diff.path, before, patch, after };
}
