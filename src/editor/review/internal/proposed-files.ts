// The two sides of a change as documents: `patchbay-base:` is the current file, `patchbay-review:` the proposed one,
// which can be edited before it is accepted. Decided changes are `patchbay-base:` on both sides.
import * as vscode from "vscode";
import { textAfter, textBefore } from "../../../patch/edits.ts";
import type { FileChange } from "../../../patch/model.ts";
import { isNotebook } from "../../../patch/notebook.ts";
import { type ShownChange, schemes } from "../shown-change.ts";
import type { ReviewModel } from "./review-model.ts";
import type { WaitingFile } from "./review-targets.ts";

type ProposingModel = Pick<ReviewModel, "find" | "files" | "proposedText" | "edit">;

interface Known {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly time: number;
}

/** With a byte order mark VS Code decodes the rest as UTF-8, whatever encoding the user has set for their files. */
const mark = [0xef, 0xbb, 0xbf] as const;
/** Older than anything the editor has read, so that a save never appears to overwrite something newer. */
const old = 1;
/** Milliseconds without typing before a document is saved; shorter than the delay of the review model. */
const rest = 200;

/**
 * File system for `patchbay-review:`: the proposed texts of files, to be viewed and edited before they are accepted.
 * Nothing is on a disk; edits go to the review model and are saved automatically, so that closing loses nothing.
 */
class ProposedFiles implements vscode.FileSystemProvider {
  readonly #reviewModel: ProposingModel;
  readonly #known = new Map<string, Known>();
  /** Texts of open documents: an edit of the user is based on this text, even if the proposal has changed meanwhile. */
  readonly #held = new Map<string, string>();
  readonly #saving = new Map<string, NodeJS.Timeout>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  #listening: vscode.Disposable | undefined;

  readonly onDidChangeFile = this.#changed.event;

  constructor(reviewModel: ProposingModel) {
    this.#reviewModel = reviewModel;
  }

  /**
   * Registers the file system. From then on the editor can show such files; before, it would leave out those it did not
   * find.
   */
  begin(): void {
    this.#listening ??= this.#listen();
  }

  /** Call when a proposal has changed or was decided. */
  refresh(): void {
    if (this.#reviewModel.files.length > 0) this.begin();
    for (const document of vscode.workspace.textDocuments) {
      const { uri } = document;
      if (uri.scheme !== schemes.review) continue;
      if (this.#isWritten(uri)) {
        // Its change was decided: save it, so that the user is not asked whether to.
        if (this.#shown(uri) === undefined) void save(document);
        // A document being edited is saved first and read again afterwards.
        continue;
      }
      if (this.#known.get(uri.toString()) !== this.#file(uri))
        this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    }
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, time } = this.#found(uri);
    const isWritten = this.#isWritten(uri);
    const isDecided = !isWritten && this.#shown(uri) === undefined;
    return {
      type: vscode.FileType.File,
      ctime: 0,
      // A change of the proposal just before the first keystroke may not have been read: report an old time, so that
      // the save is not refused.
      mtime: isWritten ? old : time,
      size: bytes.byteLength,
      ...(isDecided && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#found(uri).bytes;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const shown = this.#shown(uri);
    if (shown === undefined) return;
    const text = new TextDecoder().decode(content);
    // The text of an open document was taken at each keystroke, and may be newer by now than the one being saved.
    if (!this.#held.has(uri.toString())) this.#take(shown, uri, text);
    this.#keep(uri, text);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  dispose(): void {
    for (const timer of this.#saving.values()) clearTimeout(timer);
    this.#listening?.dispose();
    this.#changed.dispose();
  }

  #listen(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerFileSystemProvider(schemes.review, this, { isCaseSensitive: true }),
      vscode.workspace.onDidOpenTextDocument((document) => this.#opened(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#written(document)),
      vscode.workspace.onDidSaveTextDocument((document) => this.#compare(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#closed(uri)),
    );
  }

  /** Takes each keystroke, and saves when typing pauses. */
  #written(document: vscode.TextDocument): void {
    const { uri, isDirty } = document;
    if (uri.scheme !== schemes.review) return;
    // A reload, or the first keystroke, which makes the document dirty a moment later.
    if (!isDirty) {
      if (document.getText() === this.#known.get(uri.toString())?.text) this.#hold(document);
      return;
    }
    const shown = this.#shown(uri);
    if (shown === undefined) return;
    this.#take(shown, uri, document.getText());
    const name = uri.toString();
    clearTimeout(this.#saving.get(name));
    const timer = setTimeout(() => void saveRested(), rest);
    this.#saving.set(name, timer);
    const saveRested = async () => {
      // Do not check `isDirty`: VS Code reports false if an earlier save ends while the user types.
      await save(document);
      if (this.#saving.get(name) !== timer) return;
      this.#saving.delete(name);
      this.#compare(document);
    };
  }

  #opened(document: vscode.TextDocument): void {
    if (document.uri.scheme !== schemes.review) return;
    this.#hold(document);
    this.#compare(document);
  }

  /**
   * Handles a proposal that changed while VS Code read or saved the file. It needs a new time and a change event,
   * because VS Code does not read a file again that looks the same.
   */
  #compare(document: vscode.TextDocument): void {
    const { uri } = document;
    if (uri.scheme !== schemes.review || this.#isWritten(uri)) return;
    const file = this.#file(uri);
    if (file === undefined || file.text === document.getText()) return;
    this.#keep(uri, file.text);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  #closed(uri: vscode.Uri): void {
    const name = uri.toString();
    // Changing the language of a document is reported as closing and opening it.
    if (vscode.workspace.textDocuments.some((document) => document.uri.toString() === name)) return;
    clearTimeout(this.#saving.get(name));
    for (const each of [this.#known, this.#held, this.#saving]) each.delete(name);
  }

  #hold(document: vscode.TextDocument): void {
    this.#held.set(document.uri.toString(), document.getText());
  }

  #take(shown: WaitingFile, uri: vscode.Uri, text: string): void {
    const name = uri.toString();
    const proposed = this.#reviewModel.proposedText(shown);
    const before = this.#held.get(name) ?? proposed ?? "";
    if (this.#held.has(name)) this.#held.set(name, text);
    if (text !== before && text !== proposed) this.#reviewModel.edit(shown, text, before);
  }

  #shown(uri: vscode.Uri): WaitingFile | undefined {
    return this.#reviewModel.find(uri.query);
  }

  /** While the user types, the version that VS Code knows. */
  #found(uri: vscode.Uri): Known {
    const known = this.#known.get(uri.toString());
    const file = known !== undefined && this.#isWritten(uri) ? known : this.#file(uri);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }

  #isWritten(uri: vscode.Uri): boolean {
    const name = uri.toString();
    return (
      this.#saving.has(name) ||
      vscode.workspace.textDocuments.some((each) => each.isDirty && each.uri.toString() === name)
    );
  }

  /** After a decision, the last text is kept. */
  #file(uri: vscode.Uri): Known | undefined {
    const known = this.#known.get(uri.toString());
    const shown = this.#shown(uri);
    const text = shown && this.#reviewModel.proposedText(shown);
    return text === undefined || text === known?.text ? known : this.#keep(uri, text);
  }

  #keep(uri: vscode.Uri, text: string): Known {
    const name = uri.toString();
    const bytes = Buffer.concat([Buffer.from(mark), Buffer.from(text)]);
    const file = { text, bytes, time: Math.max(Date.now(), (this.#known.get(name)?.time ?? 0) + 1) };
    this.#known.set(name, file);
    return file;
  }
}

/** Failures are ignored: the document may be closed by then. */
const save = (document: vscode.TextDocument): Thenable<boolean> =>
  document.save().then(undefined, () => false);

/** By its own ending, the text of a notebook's cells would be opened as a notebook, which it is not. */
export const shownPath = (path: string): string => (isNotebook(path) ? `/${path}.txt` : `/${path}`);

export interface ReviewDocuments extends vscode.Disposable {
  /** The sides of a pending change; one is `undefined` if the file does not exist on it. */
  sidesOf(file: WaitingFile): readonly [base: vscode.Uri | undefined, proposed: vscode.Uri | undefined];
  /** The same for a decided change. */
  sidesOfDone(change: ShownChange): readonly [before: vscode.Uri | undefined, after: vscode.Uri | undefined];
  /** The proposal for a file before the last response, and the current one. */
  sidesOfRevision(file: WaitingFile, before: string): readonly [before: vscode.Uri, now: vscode.Uri];
  /** Call when the proposals have changed. */
  refresh(): void;
}

export function createReviewDocuments(reviewModel: ReviewModel): ReviewDocuments {
  const proposed = new ProposedFiles(reviewModel);
  const changed = new vscode.EventEmitter<vscode.Uri>();
  /** Opened documents keep their content after the change was decided. */
  const known = new Map<string, FileChange>();
  const earlier = new Map<string, string>();
  const registered = vscode.workspace.registerTextDocumentContentProvider(schemes.base, {
    onDidChange: changed.event,
    provideTextDocumentContent({ query }) {
      const [address = "", side] = query.split("&");
      const revised = earlier.get(query);
      if (revised !== undefined) return revised;
      const change = reviewModel.find(address)?.change ?? known.get(address);
      if (change === undefined) return "";
      known.set(address, change);
      return (side === "after" ? textAfter(change) : textBefore(change)) ?? "";
    },
  });
  const base = (address: string, path: string) =>
    vscode.Uri.from({ scheme: schemes.base, path: shownPath(path), query: address });
  return {
    sidesOf({ address, path, to, change }) {
      proposed.begin();
      const review = vscode.Uri.from({ scheme: schemes.review, path: shownPath(to), query: address });
      return [
        change.kind === "add" ? undefined : base(address, path),
        change.kind === "delete" ? undefined : review,
      ];
    },
    sidesOfDone({ address, path, to, change }) {
      known.set(address, change);
      return [
        change.kind === "add" ? undefined : base(address, path),
        change.kind === "delete" ? undefined : base(`${address}&after`, to),
      ];
    },
    sidesOfRevision({ address, to }, before) {
      proposed.begin();
      const query = `${address}&before`;
      const review = vscode.Uri.from({ scheme: schemes.review, path: shownPath(to), query: address });
      const isOther = earlier.get(query) !== before;
      earlier.set(query, before);
      if (isOther) changed.fire(base(query, to));
      return [base(query, to), review];
    },
    refresh() {
      proposed.refresh();
      for (const { uri } of vscode.workspace.textDocuments)
        if (uri.scheme === schemes.base && reviewModel.find(uri.query) !== undefined) changed.fire(uri);
    },
    dispose: () => vscode.Disposable.from(registered, changed, proposed).dispose(),
  };
}
