// `patchbay-review:` as files: the texts that files would have, to be looked at and written into before they are accepted.
// Nothing here is on a disk; what a person writes goes to the desk and is saved by itself, so that closing loses nothing.
import * as vscode from "vscode";
import type { ReviewModel, WaitingFile } from "./review-model.ts";
import { schemes } from "./shown-change.ts";

type ProposingDesk = Pick<ReviewModel, "find" | "files" | "proposedText" | "edit">;

interface Known {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly time: number;
}

/** With it VS Code takes the rest for UTF-8, whatever a person has set for their own files. */
const mark = [0xef, 0xbb, 0xbf] as const;
/** Older than whatever the editor has read: it saves over nothing that is newer. */
const old = 1;
/** Saved when the typing rests, and before the desk takes it. */
const rest = 200;

export class ProposedFiles implements vscode.FileSystemProvider {
  readonly #desk: ProposingDesk;
  readonly #known = new Map<string, Known>();
  /** What stands in open documents: a person who writes there has this before them, whatever is proposed by then. */
  readonly #held = new Map<string, string>();
  readonly #saving = new Map<string, NodeJS.Timeout>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  #listening: vscode.Disposable | undefined;

  readonly onDidChangeFile = this.#changed.event;

  constructor(desk: ProposingDesk) {
    this.#desk = desk;
  }

  /** From now on the editor can be shown such files: it asks for them at once, and what it did not find it leaves out. */
  begin(): void {
    this.#listening ??= this.#listen();
  }

  /** What is proposed has changed, or something was decided. */
  refresh(): void {
    if (this.#desk.files.length > 0) this.begin();
    for (const document of vscode.workspace.textDocuments) {
      const { uri } = document;
      if (uri.scheme !== schemes.review) continue;
      if (this.#isWritten(uri)) {
        // What was decided was decided; nobody should be asked whether to save it.
        if (this.#shown(uri) === undefined) void save(document);
        // What is being written is saved first, and read again then.
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
      // What was proposed in the moment before the first key may not have been read; it stays beside what is saved.
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
    // What an open document has beyond this was taken at its key: a save is older than what is typed while it runs.
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

  /** Taken at every key, saved when the keys rest. */
  #written(document: vscode.TextDocument): void {
    const { uri, isDirty } = document;
    if (uri.scheme !== schemes.review) return;
    // Read again, or the first key, which makes it dirty in a moment.
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
      // Whether it is dirty is no question here: a save that ends while somebody types has VS Code say that it is not.
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
   * What was proposed while VS Code read or saved it is not in it, and must be newer than what VS Code was told of it then:
   * what it takes for the same it does not read again.
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
    // Another language is told as closing and opening again.
    if (vscode.workspace.textDocuments.some((document) => document.uri.toString() === name)) return;
    clearTimeout(this.#saving.get(name));
    for (const each of [this.#known, this.#held, this.#saving]) each.delete(name);
  }

  #hold(document: vscode.TextDocument): void {
    this.#held.set(document.uri.toString(), document.getText());
  }

  #take(shown: WaitingFile, uri: vscode.Uri, text: string): void {
    const name = uri.toString();
    const proposed = this.#desk.proposedText(shown);
    const before = this.#held.get(name) ?? proposed ?? "";
    if (this.#held.has(name)) this.#held.set(name, text);
    if (text !== before && text !== proposed) this.#desk.edit(shown, text, before);
  }

  #shown(uri: vscode.Uri): WaitingFile | undefined {
    return this.#desk.find(uri.query);
  }

  /** As VS Code has it while somebody writes. */
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

  /** What was decided keeps the text that it had. */
  #file(uri: vscode.Uri): Known | undefined {
    const known = this.#known.get(uri.toString());
    const shown = this.#shown(uri);
    const text = shown && this.#desk.proposedText(shown);
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

/** One that is closed by then is not saved, and nobody waits for it. */
const save = (document: vscode.TextDocument): Thenable<boolean> =>
  document.save().then(undefined, () => false);
