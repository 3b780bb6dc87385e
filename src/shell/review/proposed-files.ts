// `patchbay-review:` as files: the texts that a patch would make, to be looked at and written into before they are
// taken. Nothing here is on a disk; what a person writes goes to the desk, and comes back as the proposed text.
import * as vscode from "vscode";
import { type ShownChange, schemes } from "./shown-change.ts";
import { textAfter } from "./sides.ts";

export interface ProposedFilesNeeds {
  /** Of a document's address: what it shows. */
  find(call: string, path: string): ShownChange | undefined;
  /** It waits, and can be decided with other words than its own. */
  canEdit(call: string): boolean;
  /** Whether there is any patch to show: until then nothing is registered. */
  hasPatches(): boolean;
  /** Somebody has written into a proposed text; nothing when it is again as it was proposed. */
  edit(shown: ShownChange, text: string | undefined): void;
}

interface Known {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly time: number;
}

/** With it VS Code takes the rest for UTF-8, whatever a person has set for their own files. */
const mark = [0xef, 0xbb, 0xbf] as const;

export class ProposedFiles implements vscode.FileSystemProvider {
  readonly #needs: ProposedFilesNeeds;
  readonly #known = new Map<string, Known>();
  /** Written into and not saved: whoever closes them is asked, and can say no. */
  readonly #unsaved = new Set<string>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  #listening: vscode.Disposable | undefined;

  readonly onDidChangeFile = this.#changed.event;

  constructor(needs: ProposedFilesNeeds) {
    this.#needs = needs;
  }

  /** From now on the editor can be shown such files: it asks for them at once, and what it did not find it leaves out. */
  begin(): void {
    this.#listening ??= this.#listen();
  }

  /** Ticks have changed, or something was decided. */
  refresh(): void {
    if (this.#needs.hasPatches()) this.begin();
    for (const document of vscode.workspace.textDocuments) {
      const { uri, isDirty } = document;
      if (uri.scheme !== schemes.review) continue;
      const known = this.#known.get(uri.toString());
      // What was decided was decided; nobody should be asked whether to save it.
      if (isDirty && !this.#needs.canEdit(uri.query)) void document.save();
      // The proposal may be another one since; what stands in the editor is still what would be accepted.
      else if (isDirty) this.#written(document);
      else if (known !== this.#file(uri)) this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    }
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, time } = this.#found(uri);
    const isDirty = vscode.workspace.textDocuments.some(
      (document) => document.isDirty && document.uri.toString() === uri.toString(),
    );
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: time,
      size: bytes.byteLength,
      ...(!isDirty && !this.#needs.canEdit(uri.query) && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#found(uri).bytes;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.#unsaved.delete(uri.toString());
    const shown = this.#shown(uri);
    if (shown === undefined || !this.#needs.canEdit(shown.call)) return;
    this.#take(shown, new TextDecoder().decode(content));
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
    this.#listening?.dispose();
    this.#changed.dispose();
  }

  #listen(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerFileSystemProvider(schemes.review, this, { isCaseSensitive: true }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#written(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#closed(document)),
    );
  }

  /** Taken at every key: nobody has to save a proposal before they accept it. */
  #written(document: vscode.TextDocument): void {
    if (document.uri.scheme !== schemes.review || !document.isDirty) return;
    const shown = this.#shown(document.uri);
    if (shown === undefined || !this.#needs.canEdit(shown.call)) return;
    this.#unsaved.add(document.uri.toString());
    this.#take(shown, document.getText());
  }

  #closed({ uri }: vscode.TextDocument): void {
    const name = uri.toString();
    // Another language is told as closing and opening again.
    if (vscode.workspace.textDocuments.some((document) => document.uri.toString() === name)) return;
    this.#known.delete(name);
    const shown = this.#unsaved.delete(name) ? this.#shown(uri) : undefined;
    if (shown !== undefined) this.#needs.edit(shown, undefined);
  }

  #take(shown: ShownChange, text: string): void {
    this.#needs.edit(shown, text === textAfter(shown.change, shown.takes) ? undefined : text);
  }

  #shown(uri: vscode.Uri): ShownChange | undefined {
    return this.#needs.find(uri.query, uri.path.slice(1));
  }

  #found(uri: vscode.Uri): Known {
    const file = this.#file(uri);
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }

  /** A proposal that is known no longer keeps the text that it had. */
  #file(uri: vscode.Uri): Known | undefined {
    const name = uri.toString();
    const known = this.#known.get(name);
    const shown = this.#shown(uri);
    const text = shown && (shown.edited ?? textAfter(shown.change, shown.takes));
    if (text === undefined || text === known?.text) return known;
    const bytes = Buffer.concat([Buffer.from(mark), Buffer.from(text)]);
    const file = { text, bytes, time: Math.max(Date.now(), (known?.time ?? 0) + 1) };
    this.#known.set(name, file);
    return file;
  }
}
