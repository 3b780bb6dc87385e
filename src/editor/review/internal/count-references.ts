// How often the public names altered by a change are used elsewhere. Asks the language server, which may have to start
// and may not answer in time; then nothing is shown. Asked only for changes that the user looks at.
import * as vscode from "vscode";
import type { PendingHunk } from "../../../changes/pending-changes.ts";
import type { ReferenceFact } from "../../../evidence/claims.ts";
import type { FileChange } from "../../../patch/model.ts";
import { toUri } from "../../workspace/file-uris.ts";
import type { ReviewSet, WaitingFile } from "./review-targets.ts";

export interface References {
  /** `undefined` if unknown, or not known yet. */
  countOf(file: WaitingFile, hunk: PendingHunk): number | undefined;
  /** The same by name, and how much of it the changes of the set touch. */
  factsOf(file: WaitingFile, hunk: PendingHunk): readonly ReferenceFact[] | undefined;
  /** What was counted for this set so far. */
  knownOf(set: ReviewSet): readonly ReferenceFact[];
}

interface ReferencesDeps {
  /** Called when a count becomes known. */
  told(): void;
  /** Files with pending changes. */
  files(): readonly WaitingFile[];
  /** Milliseconds to wait for a count. */
  readonly longest?: number;
}

/** With more names, a number says little. */
const maxNames = 3;

interface Counted {
  facts: readonly ReferenceFact[] | undefined;
}

export function createReferences({ told, files, longest = 500 }: ReferencesDeps): References {
  const counts = new WeakMap<ReviewSet, Map<string, Counted>>();
  /** One request at a time, to leave the language server time for others. */
  let queue = Promise.resolve();
  function factsOf(file: WaitingFile, hunk: PendingHunk): readonly ReferenceFact[] | undefined {
    const { change } = file;
    if (!hunk.flags.includes("public-api") || change.kind === "add" || file.set.isSample) return undefined;
    const own = counts.get(file.set) ?? new Map<string, Counted>();
    counts.set(file.set, own);
    const known = own.get(hunk.id);
    if (known !== undefined) return known.facts;
    const counted: Counted = { facts: undefined };
    own.set(hunk.id, counted);
    queue = queue.then(async () => {
      counted.facts = await within(longest, count(file, hunk, files)).catch(() => undefined);
      if (counted.facts !== undefined) told();
    });
    return undefined;
  }
  return {
    factsOf,
    countOf: (file, hunk) => factsOf(file, hunk)?.reduce((sum, { elsewhere }) => sum + elsewhere, 0),
    knownOf: (set) => [...(counts.get(set)?.values() ?? [])].flatMap(({ facts }) => facts ?? []),
  };
}

/** `undefined` if no language server knows any of the names. */
async function count(
  { change, set }: WaitingFile,
  hunk: PendingHunk,
  files: ReferencesDeps["files"],
): Promise<readonly ReferenceFact[] | undefined> {
  const uri = toUri(change.file);
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = "edits" in change && hunk.number !== undefined ? change.edits[hunk.number] : undefined;
  const first = edit?.lines.first ?? 0;
  const last = edit?.lines.last ?? document.lineCount;
  const touched = new Map(
    files()
      .filter((file) => file.set === set)
      .map((file) => [toUri(file.change.file).toString(), file.change] as const),
  );
  const facts: ReferenceFact[] = [];
  /** A place that two names refer to counts once. */
  const found = new Set<string>();
  for (const name of hunk.names.slice(0, maxNames)) {
    const at = placeOf(name, document, first, last);
    if (at === undefined) continue;
    const places = await vscode.commands.executeCommand<vscode.Location[] | undefined>(
      "vscode.executeReferenceProvider",
      uri,
      at,
    );
    // Not even the definition itself was found: there is no language server, or it has not read the file.
    if (places === undefined || places.length === 0) continue;
    const counted = { elsewhere: 0, onChangedLines: 0, inUntouchedFiles: 0 };
    for (const { uri: where, range } of places) {
      const { start } = range;
      const isHere = where.toString() === uri.toString();
      const isOwn = isHere && (start.isEqual(at) || (start.line >= first && start.line < last));
      const key = `${where.toString()}#${start.line}:${start.character}`;
      if (isOwn || found.has(key)) continue;
      found.add(key);
      counted.elsewhere += 1;
      const there = touched.get(where.toString());
      if (there === undefined) counted.inUntouchedFiles += 1;
      else if (isOnChangedLine(there, start.line)) counted.onChangedLines += 1;
    }
    facts.push({ name, ...counted });
  }
  return facts.length === 0 ? undefined : facts;
}

const isOnChangedLine = (change: FileChange, line: number): boolean =>
  change.kind === "delete" ||
  ("edits" in change && change.edits.some(({ lines }) => line >= lines.first && line < lines.last));

/** In a signature of several lines, the name is above the line that changes. */
const above = 20;

/** Finds the name in the lines that would change, or just above them. */
function placeOf(
  name: string,
  document: vscode.TextDocument,
  first: number,
  last: number,
): vscode.Position | undefined {
  const word = new RegExp(`(?<![\\w$])${name.replace(/[^\w]/g, "\\$&")}(?![\\w$])`);
  const end = Math.min(last, document.lineCount);
  const lines = [
    ...Array.from({ length: Math.max(0, end - first) }, (_, row) => first + row),
    ...Array.from({ length: Math.min(first, above) }, (_, row) => first - 1 - row),
  ];
  for (const line of lines) {
    const at = document.lineAt(line).text.search(word);
    if (at >= 0) return new vscode.Position(line, at);
  }
  return undefined;
}

function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
