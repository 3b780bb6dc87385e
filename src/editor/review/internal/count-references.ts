// How often the public names altered by a change are used elsewhere. Asks the language server, which may have to start
// and may not answer in time; then nothing is shown. Asked only for changes that the user looks at.
import * as vscode from "vscode";
import { acceptableHunks, type PendingHunk } from "../../../changes/pending-changes.ts";
import type { ReferenceFact } from "../../../evidence/claims.ts";
import { pathOf } from "../../../files/refusal.ts";
import type { FileChange } from "../../../patch/model.ts";
import { toFileName, toUri } from "../../workspace/file-uris.ts";
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
  folders(): readonly string[];
  /** Milliseconds to wait for a count. */
  readonly longest?: number;
}

/** With more names, a number says little. */
const maxNames = 3;

/** Where else a name is used. */
interface Uses {
  readonly name: string;
  readonly places: readonly vscode.Location[];
}

interface Counted {
  readonly names: readonly string[];
  /** Where they are defined, as a URI. */
  readonly file: string;
  uses: readonly Uses[] | undefined;
  /** It waits for its turn, or for the language server. */
  isAsking: boolean;
  /** Edits since the language server was asked, which may have read a file before or after them. */
  meanwhile: vscode.TextDocumentChangeEvent[];
}

/** Milliseconds without a change on the disk, after a branch switch or a command that writes many files. */
const settled = 1000;

/** Files that say nothing about uses, and may change at any time. */
const unread = /\/(?:\.git|node_modules)\//;

export function createReferences({
  told,
  files,
  folders,
  longest = 500,
}: ReferencesDeps): References & { dispose(): void } {
  /** By the change and the text that it would replace. */
  const counts = new WeakMap<ReviewSet, Map<string, Counted>>();
  /** One request at a time, to leave the language server time for others. */
  let queue = Promise.resolve();
  let listening: vscode.Disposable | undefined;
  let settling: NodeJS.Timeout | undefined;
  const keyOf = ({ change }: WaitingFile, { id }: PendingHunk) =>
    change.kind === "add" ? id : `${id} ${change.base.sha256}`;
  const ownOf = (set: ReviewSet) => files().filter((file) => file.set === set);
  const touchedIn = (set: ReviewSet): Touched => ({
    pending: new Map(ownOf(set).map(({ change }) => [toUri(change.file).toString(), change] as const)),
    isAccepted: isAcceptedIn(set, folders()),
  });
  function factsOf(file: WaitingFile, hunk: PendingHunk): readonly ReferenceFact[] | undefined {
    const { change, set } = file;
    if (!hunk.flags.includes("public-api") || change.kind === "add" || set.isSample) return undefined;
    const own = counts.get(set) ?? new Map<string, Counted>();
    counts.set(set, own);
    const key = keyOf(file, hunk);
    const known = own.get(key);
    if (known !== undefined) return known.uses && touchedBy(touchedIn(set), known.uses);
    const counted: Counted = {
      ...{ names: hunk.names.slice(0, maxNames), file: toUri(change.file).toString() },
      ...{ uses: undefined, isAsking: true, meanwhile: [] },
    };
    own.set(key, counted);
    listening ??= listen();
    queue = queue.then(async () => {
      // It was dropped while it waited: what is counted in its place asks by itself.
      if (own.get(key) !== counted) return;
      counted.meanwhile = [];
      counted.uses = await within(longest, usesOf(file, hunk)).catch(() => undefined);
      counted.isAsking = false;
      const isOutdated = counted.meanwhile.some((event) => isOutdatedBy(event, counted));
      counted.meanwhile = [];
      if (own.get(key) !== counted) return;
      if (isOutdated) own.delete(key);
      if (isOutdated || counted.uses !== undefined) told();
    });
    return undefined;
  }
  function listen(): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*");
    return vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(forgetOutdated),
      ...[watcher, watcher.onDidCreate(onFile), watcher.onDidChange(onFile), watcher.onDidDelete(onFile)],
    );
  }
  /** Counts are asked for again when somebody looks. */
  function forget(isGone: (counted: Counted) => boolean): void {
    let isAny = false;
    for (const set of new Set(files().map((file) => file.set)))
      for (const [key, counted] of counts.get(set) ?? [])
        if (isGone(counted)) isAny = counts.get(set)?.delete(key) || isAny;
    if (isAny) told();
  }
  /** Forgets what an edit may have moved or added. */
  function forgetOutdated(event: vscode.TextDocumentChangeEvent): void {
    if (event.contentChanges.length === 0 || toFileName(event.document.uri) === undefined) return;
    const uri = event.document.uri.toString();
    forget((counted) => {
      if (isOutdatedBy(event, counted) || (counted.isAsking && counted.file === uri)) return true;
      if (counted.isAsking) counted.meanwhile.push(event);
      return false;
    });
  }
  /** Any name may be used elsewhere by now. What a file says that is open is told by its edits. */
  function onFile(uri: vscode.Uri): void {
    const name = uri.toString();
    if (unread.test(uri.path) || toFileName(uri) === undefined || files().length === 0) return;
    if (vscode.workspace.textDocuments.some((document) => document.uri.toString() === name)) return;
    clearTimeout(settling);
    settling = setTimeout(() => forget(() => true), settled);
  }
  return {
    factsOf,
    countOf: (file, hunk) => factsOf(file, hunk)?.reduce((sum, { elsewhere }) => sum + elsewhere, 0),
    knownOf(set) {
      const known = counts.get(set);
      if (known === undefined) return [];
      const pending = new Set(
        ownOf(set).flatMap((file) => acceptableHunks(file.pending).map((hunk) => keyOf(file, hunk))),
      );
      // What was accepted or rejected will never be asked for again.
      for (const key of known.keys()) if (!pending.has(key)) known.delete(key);
      const touched = touchedIn(set);
      return [...known.values()].flatMap(({ uses }) => (uses === undefined ? [] : touchedBy(touched, uses)));
    },
    dispose() {
      clearTimeout(settling);
      listening?.dispose();
    },
  };
}

/** Whether places may lie elsewhere since, or a line that was edited has one of the names now. */
function isOutdatedBy(
  { document, contentChanges }: vscode.TextDocumentChangeEvent,
  { names, uses = [] }: Counted,
): boolean {
  const uri = document.uri.toString();
  const lines = uses.flatMap(({ places }) =>
    places.filter((place) => place.uri.toString() === uri).map(({ range }) => range.start.line),
  );
  const words = names.map(wordOf);
  let shift = 0;
  for (const { range, text } of contentChanges.toSorted((one, other) =>
    one.range.start.compareTo(other.range.start),
  )) {
    const [added, removed] = [text.split("\n").length - 1, range.end.line - range.start.line];
    if (lines.some((line) => line >= range.start.line && (added !== removed || line <= range.end.line)))
      return true;
    const first = range.start.line + shift;
    const last = Math.min(first + added, document.lineCount - 1);
    for (let line = first; line <= last; line++)
      if (words.some((word) => word.test(document.lineAt(line).text))) return true;
    shift += added - removed;
  }
  return false;
}

interface Touched {
  /** By file. */
  readonly pending: ReadonlyMap<string, FileChange>;
  /** Changes of the same response to this file were accepted. */
  isAccepted(file: vscode.Uri): boolean;
}

function isAcceptedIn({ session, changes }: ReviewSet, folders: readonly string[]): Touched["isAccepted"] {
  const calls = new Set(changes.pending.flatMap((file) => file.calls));
  const patches = (session?.state.turns ?? [])
    .map(({ parts }) => parts.filter((part) => part.type === "patch"))
    .filter((own) => own.some(({ call }) => calls.has(call)));
  const accepted = new Set(
    patches
      .flat()
      .flatMap((patch) =>
        patch.files
          .filter(({ hunks }) => hunks.some(({ status }) => status === "applied"))
          .flatMap(({ path, to = path }) => [path, to]),
      ),
  );
  return (uri) => {
    const file = accepted.size === 0 ? undefined : toFileName(uri);
    return file !== undefined && accepted.has(pathOf(file, folders));
  };
}

/** How much of the uses the changes touch as they are now. */
function touchedBy({ pending, isAccepted }: Touched, uses: readonly Uses[]): readonly ReferenceFact[] {
  return uses.map(({ name, places }) => {
    const isPending = ({ uri }: vscode.Location) => pending.has(uri.toString());
    const isOnChanged = ({ uri, range }: vscode.Location) => {
      const change = pending.get(uri.toString());
      return change !== undefined && isOnChangedLine(change, range.start.line);
    };
    return {
      name,
      elsewhere: places.length,
      onChangedLines: places.filter(isOnChanged).length,
      inUntouchedFiles: places.filter((place) => !isPending(place) && !isAccepted(place.uri)).length,
    };
  });
}

/** `undefined` if no language server knows any of the names. */
async function usesOf({ change }: WaitingFile, hunk: PendingHunk): Promise<readonly Uses[] | undefined> {
  const uri = toUri(change.file);
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = "edits" in change && hunk.number !== undefined ? change.edits[hunk.number] : undefined;
  const first = edit?.lines.first ?? 0;
  const last = edit?.lines.last ?? document.lineCount;
  const all: Uses[] = [];
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
    const elsewhere = places.filter(({ uri: where, range: { start } }) => {
      const isHere = where.toString() === uri.toString();
      const isOwn = isHere && (start.isEqual(at) || (start.line >= first && start.line < last));
      const key = `${where.toString()}#${start.line}:${start.character}`;
      if (isOwn || found.has(key)) return false;
      found.add(key);
      return true;
    });
    all.push({ name, places: elsewhere });
  }
  return all.length === 0 ? undefined : all;
}

const isOnChangedLine = (change: FileChange, line: number): boolean =>
  change.kind === "delete" ||
  ("edits" in change && change.edits.some(({ lines }) => line >= lines.first && line < lines.last));

/** In a signature of several lines, the name is above the line that changes. */
const above = 20;

const wordOf = (name: string): RegExp => new RegExp(`(?<![\\w$])${name.replace(/[^\w]/g, "\\$&")}(?![\\w$])`);

/** Finds the name in the lines that would change, or just above them. */
function placeOf(
  name: string,
  document: vscode.TextDocument,
  first: number,
  last: number,
): vscode.Position | undefined {
  const word = wordOf(name);
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
