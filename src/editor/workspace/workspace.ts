// The editor's workspace as the rooms know it (files/workspace.ts): open documents take precedence over files, in every
// file system that VS Code supports. Reports what exists; the rooms decide what may be read or written.

import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import * as vscode from "vscode";
import { env, workspace } from "vscode";
import type { Entry, LocalDisk, ProblemMarker, Workspace } from "../../files/workspace.ts";
import { defaultPathInfo, type FileName, type PathInfo } from "../../patch/model.ts";
import { refusePathSize } from "../../patch/paths.ts";
import { findRipgrep, mayHold } from "../../tools/ripgrep.ts";
import { namedFolders } from "../folders.ts";
import { effectiveAt } from "../settings/read-settings.ts";
import { readBytes, toFileName, toUri } from "./file-uris.ts";
import { languages } from "./internal/language-services.ts";
import { listOnDisk, lookOnDisk } from "./internal/look-on-disk.ts";
import { openedNotebook, readOpened } from "./internal/notebooks.ts";
import { liveText } from "./internal/pre-edit-state.ts";
import { gitHistory } from "./internal/read-git-history.ts";
import { type ApplyDeps, createApply } from "./internal/write-file-changes.ts";

/**
 * What a search may use on this machine's disk: paths, open documents, the encodings set in VS Code, and VS Code's
 * ripgrep.
 */
function createLocalDisk(ripgrep: () => Promise<string | undefined>): LocalDisk {
  return {
    place(file) {
      const { scheme, authority, fsPath } = toUri(file);
      return scheme === "file" && authority === "" ? fsPath : undefined;
    },
    opened: () =>
      workspace.textDocuments.flatMap(({ uri }) => (uri.scheme === "file" ? (toFileName(uri) ?? []) : [])),
    isUtf8(folder) {
      const files = workspace.getConfiguration("files", toUri(folder));
      const { languageIds = [] } = files.inspect("encoding") ?? {};
      const isMeant = ["utf8", "utf8bom"].includes(files.get("encoding", "utf8"));
      return isMeant && languageIds.length === 0 && !files.get("autoGuessEncoding", false);
    },
    async mayHold(place, query, take) {
      const program = await ripgrep();
      return program !== undefined && mayHold(program, place, query, take);
    },
  };
}

/** The texts of notebooks that have unsaved changes in their cells. */
export const unsavedNotebooks = (): readonly (readonly [uri: vscode.Uri, text: string])[] =>
  workspace.notebookDocuments.flatMap((notebook) => {
    const reading = notebook.isDirty && openedNotebook(notebook.uri) ? readOpened(notebook) : undefined;
    return reading?.kind === "text" ? [[notebook.uri, reading.text] as const] : [];
  });

/**
 * Looks up a path in a file system other than this machine's disk (remote, virtual). Such a system does not report link
 * targets, so any link on the path counts as leading outside.
 */
async function lookThroughVsCode(file: FileName): Promise<PathInfo> {
  const steps = file.path === "" ? [] : file.path.split("/");
  let stat = await statThroughVsCode({ ...file, path: "" });
  for (let length = 1; length <= steps.length && stat !== undefined; length += 1) {
    if ((stat.type & vscode.FileType.Directory) === 0)
      return { ...defaultPathInfo, kind: "blocked", real: file.path };
    stat = await statThroughVsCode({ ...file, path: steps.slice(0, length).join("/") });
    const isLink = stat !== undefined && (stat.type & vscode.FileType.SymbolicLink) !== 0;
    if (isLink) return { ...defaultPathInfo, kind: "other", real: undefined, link: true };
  }
  if (stat === undefined) return { ...defaultPathInfo, kind: "nothing", real: file.path };
  return {
    ...defaultPathInfo,
    kind: kindOfType(stat.type),
    real: file.path,
    bytes: stat.size,
    writable: isWritable(file, stat),
  };
}

function statThroughVsCode(file: FileName): Thenable<vscode.FileStat | undefined> {
  return vscode.workspace.fs.stat(toUri(file)).then(
    (stat) => stat,
    (error: unknown) => {
      // Only a definite "not found" counts as nothing.
      if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return undefined;
      throw error;
    },
  );
}

function kindOfType(type: vscode.FileType): PathInfo["kind"] {
  if (type === vscode.FileType.File) return "file";
  return type === vscode.FileType.Directory ? "folder" : "other";
}

function isWritable(file: FileName, stat: vscode.FileStat): boolean {
  const readOnly = ((stat.permissions ?? 0) & vscode.FilePermission.Readonly) !== 0;
  return !readOnly && vscode.workspace.fs.isWritableFileSystem(toUri(file).scheme) !== false;
}

/**
 * Returns the paths of what the user has open or has named, even outside of every folder: as written, and with links
 * resolved. Reads no contents; the rooms decide what may be sent.
 * @throws if they cannot be determined.
 */
async function resolveLinks(address: string): Promise<readonly string[]> {
  const uri = vscode.Uri.parse(address, true);
  if (refusePathSize(uri.path) !== undefined) return [uri.path];
  // Threats C7: never resolve a path with a host name, because the lookup can tell that host who asks.
  if (uri.scheme === "file" && uri.authority !== "") return [uri.path];
  if (uri.scheme === "file") return [uri.path, await realPath(uri)];
  // Other file systems do not report link targets; documents without a file system have none.
  const isFile = vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
  const found = isFile ? await statOf(uri) : undefined;
  if (found !== undefined && (found.type & vscode.FileType.SymbolicLink) !== 0)
    throw new Error("Nobody knows where this link leads.");
  return [uri.path];
}

async function realPath(uri: vscode.Uri): Promise<string> {
  try {
    return vscode.Uri.file(await realpath(uri.fsPath)).path;
  } catch (error) {
    // An open document may outlive its file.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return uri.path;
    throw error;
  }
}

function statOf(uri: vscode.Uri): Thenable<vscode.FileStat | undefined> {
  return vscode.workspace.fs.stat(uri).then(
    (stat) => stat,
    () => undefined,
  );
}

/** `storage`: the extension's own folder; VS Code's settings are two levels above it. */
export function createWorkspace(
  storage: vscode.Uri,
  asking: Pick<ApplyDeps, "agree" | "whileAccepting"> & Partial<Pick<ApplyDeps, "savesAfterApply">>,
): Workspace & vscode.Disposable {
  let found: Promise<string | undefined> | undefined;
  const ripgrep = () => {
    found ??= findRipgrep(env.appRoot);
    return found;
  };
  const disk = createLocalDisk(ripgrep);
  const guarded = [vscode.Uri.joinPath(storage, "..", "..").fsPath];
  const world = {
    look(file: FileName) {
      const root = toUri({ ...file, path: "" });
      return root.scheme === "file" ? lookOnDisk(root.fsPath, file.path, guarded) : lookThroughVsCode(file);
    },
    read: (file: FileName) => liveText(toUri(file)),
    sha256: (text: string) => createHash("sha256").update(text).digest("hex"),
  };
  const openedAt = new WeakMap<vscode.TextDocument, number>();
  const began = Date.now();
  const opening = vscode.workspace.onDidOpenTextDocument((document) => openedAt.set(document, Date.now()));
  return {
    ...world,
    get trusted() {
      return vscode.workspace.isTrusted;
    },
    get folders() {
      return namedFolders().map(([name]) => name);
    },
    get roots() {
      const onDisk = namedFolders().filter(([, { uri }]) => uri.scheme === "file");
      return onDisk.map(([folder, { uri }]) => ({ folder, path: uri.fsPath }));
    },
    bytes: async (file) => readBytes(toUri(file)),
    follow: resolveLinks,
    async list(folder) {
      const place = disk.place(folder);
      if (place !== undefined) return listOnDisk(place);
      const entries = await vscode.workspace.fs.readDirectory(toUri(folder));
      return entries.map(([name, type]) => ({ name, kind: kindOf(type) }));
    },
    disk,
    ripgrep,
    languages,
    git: gitHistory,
    isOpened(file) {
      const name = toUri(file).toString();
      const shown = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
      return (
        vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === name) ||
        shown.some(
          (input) =>
            (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook) &&
            input.uri.toString() === name,
        )
      );
    },
    isUnsaved(file) {
      const name = toUri(file).toString();
      const { textDocuments, notebookDocuments } = vscode.workspace;
      return [...textDocuments, ...notebookDocuments].some(
        ({ uri, isDirty }) => isDirty && uri.toString() === name,
      );
    },
    problems,
    openFor(file) {
      const name = toUri(file).toString();
      const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === name);
      return document && Date.now() - (openedAt.get(document) ?? began);
    },
    onDidChangeProblems: (listener) =>
      vscode.languages.onDidChangeDiagnostics(({ uris }) =>
        listener(uris.flatMap((uri) => toFileName(uri) ?? [])),
      ),
    apply: createApply({ world, savesAfterApply, ...asking }),
    dispose: () => opening.dispose(),
  };
}

const savesAfterApply = (uri: vscode.Uri): boolean =>
  effectiveAt("patch.saveAfterApply", "off", uri) === true;

function kindOf(type: vscode.FileType): Entry["kind"] {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return "link";
  if (type === vscode.FileType.File) return "file";
  return type === vscode.FileType.Directory ? "folder" : "other";
}

const severities = ["error", "warning", "information", "hint"] as const;

function problems(file?: FileName): readonly ProblemMarker[] {
  const found: readonly [vscode.Uri, readonly vscode.Diagnostic[]][] =
    file === undefined
      ? vscode.languages.getDiagnostics()
      : [[toUri(file), vscode.languages.getDiagnostics(toUri(file))]];
  return found.flatMap(([uri, diagnostics]) => {
    const name = toFileName(uri);
    return name === undefined ? [] : diagnostics.map((diagnostic) => marker(name, diagnostic));
  });
}

function marker(file: FileName, diagnostic: vscode.Diagnostic): ProblemMarker {
  const { message, range, severity, source, code } = diagnostic;
  const name = typeof code === "object" ? code.value : code;
  return {
    file,
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: severities[severity] ?? "information",
    message,
    ...(source !== undefined && { source }),
    ...(name !== undefined && { code: String(name) }),
  };
}
