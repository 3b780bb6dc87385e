// How often the public names altered by a change are used elsewhere. Asks the language server, which may have to start
// and may not answer in time; then nothing is shown. Asked only for changes that the user looks at.
import * as vscode from "vscode";
import type { PendingHunk } from "../../../changes/pending-changes.ts";
import { toUri } from "../../workspace/file-uris.ts";
import type { ReviewSet, WaitingFile } from "./review-targets.ts";

export interface References {
  /** `undefined` if unknown, or not known yet. */
  countOf(file: WaitingFile, hunk: PendingHunk): number | undefined;
}

/** With more names, a number says little. */
const maxNames = 3;

/** `told`: called when a count becomes known. `longest`: milliseconds to wait for a count. */
export function createReferences(told: () => void, longest = 500): References {
  const counts = new WeakMap<ReviewSet, Map<string, { count: number | undefined }>>();
  /** One request at a time, to leave the language server time for others. */
  let queue = Promise.resolve();
  return {
    countOf(file, hunk) {
      const { change } = file;
      if (!hunk.flags.includes("public-api") || change.kind === "add" || file.set.isSample) return undefined;
      const own = counts.get(file.set) ?? new Map();
      counts.set(file.set, own);
      const known = own.get(hunk.id);
      if (known !== undefined) return known.count;
      const counted: { count: number | undefined } = { count: undefined };
      own.set(hunk.id, counted);
      queue = queue.then(async () => {
        counted.count = await within(longest, count(file, hunk)).catch(() => undefined);
        if (counted.count !== undefined) told();
      });
      return undefined;
    },
  };
}

async function count({ change }: WaitingFile, hunk: PendingHunk): Promise<number | undefined> {
  const uri = toUri(change.file);
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = "edits" in change && hunk.number !== undefined ? change.edits[hunk.number] : undefined;
  const first = edit?.lines.first ?? 0;
  const last = edit?.lines.last ?? document.lineCount;
  const found = new Set<string>();
  let isKnown = false;
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
    isKnown = true;
    for (const { uri: where, range } of places) {
      const { start } = range;
      const isHere = where.toString() === uri.toString();
      const isOwn = isHere && (start.isEqual(at) || (start.line >= first && start.line < last));
      if (!isOwn) found.add(`${where.toString()}#${start.line}:${start.character}`);
    }
  }
  return isKnown ? found.size : undefined;
}

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
