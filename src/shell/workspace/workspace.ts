// The editor's workspace for the core: live documents before files, every kind of file system VS Code can open.
// Answers what is there; what may be read or written is decided in the core.
import { createHash } from "node:crypto";
import * as vscode from "vscode";
import type { Entry, ProblemMarker, Workspace } from "../../core/changes/workspace.ts";
import type { FileName } from "../../core/patch/model.ts";
import { valuesAt } from "../inspect-settings.ts";
import { effective } from "../workspace-settings.ts";
import { type ApplyDeps, createApply } from "./apply.ts";
import { namedFolders, toFileName, toUri } from "./file-uris.ts";
import { liveText } from "./live-text.ts";
import { createLocalDisk } from "./local-disk.ts";
import { listOnDisk, lookOnDisk } from "./look-on-disk.ts";
import { lookThroughVsCode } from "./look-through-vscode.ts";
import { follow } from "./resolve-links.ts";

/** `storage` is our own folder; VS Code's settings lie two levels above it. */
export function createWorkspace(
  storage: vscode.Uri,
  asking: Pick<ApplyDeps, "agree"> & Partial<Pick<ApplyDeps, "savesAfterApply">>,
): Workspace & vscode.Disposable {
  const disk = createLocalDisk();
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
    bytes: async (file) => vscode.workspace.fs.readFile(toUri(file)),
    follow,
    async list(folder) {
      const place = disk.place(folder);
      if (place !== undefined) return listOnDisk(place);
      const entries = await vscode.workspace.fs.readDirectory(toUri(folder));
      return entries.map(([name, type]) => ({ name, kind: kindOf(type) }));
    },
    disk,
    isOpened(file) {
      const name = toUri(file).toString();
      const shown = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
      return (
        vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === name) ||
        shown.some((input) => input instanceof vscode.TabInputText && input.uri.toString() === name)
      );
    },
    isUnsaved(file) {
      const name = toUri(file).toString();
      return vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.toString() === name);
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
  effective("patch.saveAfterApply", valuesAt("patch.saveAfterApply", uri), none) === true;

const none = () => false;

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
