// The files of the workspace according to VS Code's search, and which of them are created, deleted or open.
// `src/files` decides what may be shown.
import * as vscode from "vscode";
import { gitIgnoreFile } from "../../files/git-ignore.ts";
import { ignoreFileName } from "../../files/privacy.ts";
import type { FileFinder } from "../../files/workspace.ts";
import type { FileName } from "../../patch/model.ts";
import { type Disposable, Disposables } from "../../util/disposables.ts";
import { Emitter } from "../../util/emitter.ts";
import { toFileName, toUri } from "./file-uris.ts";

/** More than anyone remembers having open. */
const maxRecent = 50;

export function createFileFinder(): FileFinder & Disposable {
  const owned = new Disposables();
  const changed = new Emitter<FileName>();
  /** Most recently active first. */
  let left: readonly vscode.Uri[] = [];
  let isWatching = false;

  const tell = (uri: vscode.Uri) => {
    const file = toFileName(uri);
    if (file !== undefined) changed.fire(file);
  };

  /** Called for the first listener: without one, nothing is watched. */
  function watch(): void {
    isWatching = true;
    const files = owned.add(vscode.workspace.createFileSystemWatcher("**/*", false, true, false));
    owned.add(files.onDidCreate(tell));
    owned.add(files.onDidDelete(tell));
    const pattern = `**/{${gitIgnoreFile},${ignoreFileName}}`;
    const rules = owned.add(vscode.workspace.createFileSystemWatcher(pattern, true, false, true));
    owned.add(rules.onDidChange(tell));
  }

  owned.add(
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor === undefined) return;
      const { uri } = editor.document;
      left = [uri, ...left.filter((each) => each.toString() !== uri.toString())].slice(0, maxRecent);
    }),
  );

  return {
    async find(place, signal) {
      const uri = toUri(place);
      const ending = new vscode.CancellationTokenSource();
      const end = () => ending.cancel();
      signal.addEventListener("abort", end, { once: true });
      try {
        const kind = place.path === "" ? vscode.FileType.Directory : await kindOf(uri);
        if (kind === undefined) return [];
        if ((kind & vscode.FileType.Directory) === 0) return [place.path];
        const pattern = new vscode.RelativePattern(uri, "**/*");
        const found = await vscode.workspace.findFiles(pattern, leftOut(uri), undefined, ending.token);
        const root = `${toUri({ ...place, path: "" }).path.replace(/\/$/, "")}/`;
        return found.flatMap(({ path }) => (path.startsWith(root) ? [path.slice(root.length)] : []));
      } finally {
        signal.removeEventListener("abort", end);
        ending.dispose();
      }
    },
    heedsIgnoreFiles(folder) {
      return settingsOf("search", toUri({ folder, path: "" })).get<boolean>("useIgnoreFiles") ?? true;
    },
    onChange(listener) {
      if (!isWatching) watch();
      return changed.on(listener);
    },
    recent() {
      const open = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
        tabs.flatMap(({ input }) => uriOf(input)),
      );
      const active = vscode.window.activeTextEditor?.document.uri;
      const all = [...(active === undefined ? [] : [active]), ...left, ...open].flatMap(
        (uri) => toFileName(uri) ?? [],
      );
      // If a file occurs twice, its first position counts.
      const byName = new Map(all.map((file) => [JSON.stringify(file), file]));
      return [...byName.values()].slice(0, maxRecent);
    },
    dispose: () => owned.dispose(),
  };
}

const settingsOf = (section: string, uri: vscode.Uri) => vscode.workspace.getConfiguration(section, uri);

/** What VS Code's Quick Open excludes besides ignored files. */
function leftOut(uri: vscode.Uri): string | undefined {
  const patterns = ["files", "search"].flatMap((section) => {
    const exclude = settingsOf(section, uri).get<Record<string, unknown>>("exclude") ?? {};
    // Entries with a condition ("when") refer to sibling files, which a pattern alone cannot express.
    return Object.entries(exclude).flatMap(([pattern, on]) => (on === true ? [pattern] : []));
  });
  return patterns.length === 0 ? undefined : `{${[...new Set(patterns)].join(",")}}`;
}

const kindOf = (uri: vscode.Uri): Thenable<vscode.FileType | undefined> =>
  vscode.workspace.fs.stat(uri).then(
    ({ type }) => type,
    () => undefined,
  );

function uriOf(input: unknown): vscode.Uri[] {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook) return [input.uri];
  if (input instanceof vscode.TabInputTextDiff) return [input.modified];
  return [];
}
