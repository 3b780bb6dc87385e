// The person's own checks in the editor: which rows of the setting are accepted for which folder, where copies lie, when what
// was found is out of date. What a run means is decided in the core; what runs is run-command.ts.
import { createHash } from "node:crypto";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Workspace } from "../../core/changes/workspace.ts";
import { type Check, type CheckHost, type CheckRow, readRows } from "../../core/checks/check.ts";
import { type SuggestedCheck, scriptBody, suggestChecks } from "../../core/checks/suggest.ts";
import { maxIgnoreBytes } from "../../core/files/ignore-files.ts";
import {
  createPrivacy,
  ignoreFileName,
  type Privacy,
  type PrivacySettings,
} from "../../core/files/privacy.ts";
import { message } from "../../core/messages/message.ts";
import { MessageError } from "../../core/messages/message-error.ts";
import type { FileName } from "../../core/patch/model.ts";
import { Emitter } from "../../core/util/emitter.ts";
import type { Log } from "../../core/util/log.ts";
import { present } from "../../core/util/present.ts";
import { tryAllSteps } from "../../core/util/try-all-steps.ts";
import { withoutLinks } from "../without-links.ts";
import type { Texts } from "./copy-files.ts";
import { FolderChecks } from "./folder-checks.ts";
import { FolderTooLarge, sweepCopies } from "./shadow-copy.ts";

export interface ChecksDeps {
  /** Our own folder. */
  readonly storage: string;
  /** Of this workspace alone. */
  readonly memory: vscode.Memento;
  readonly workspace: Workspace;
  readonly log: Log;
  /** The setting, as the user wrote it. */
  rows(): unknown;
  privacy(): PrivacySettings;
}

/** What a person has agreed to for one command in one folder, and what was found out about it. */
interface Accepted {
  readonly body?: string;
  readonly blind: readonly string[];
  readonly writesOut?: true;
}

type AcceptedIn = Readonly<Record<string, Readonly<Record<string, Accepted>>>>;

/** In the memory of the workspace. */
const memoryKey = "checks";
const maxFileBytes = 1_000_000;

export interface Root {
  readonly folder: string;
  readonly path: string;
}

export type Checks = ReturnType<typeof createChecks>;

export function createChecks(deps: ChecksDeps) {
  const { memory, workspace, log } = deps;
  const storage = join(deps.storage, "checks");
  const changed = new Emitter<void>();
  const open = new Map<string, Promise<FolderChecks>>();
  /** What is for nobody else is not for a copy, by the rules as they are now. */
  const keptBack = new Map<string, Privacy>();
  let filesRevision = 0;
  const touched = () => {
    filesRevision += 1;
    changed.fire();
  };
  const isOurs = (uri: vscode.Uri) =>
    uri.scheme === "file" && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  const touchedBy = (uris: readonly vscode.Uri[]) => {
    if (uris.some((uri) => isOurs(uri) && !outputs.test(uri.path))) touched();
  };
  const watcher = vscode.workspace.createFileSystemWatcher("**/*");
  const listening = vscode.Disposable.from(
    watcher,
    watcher.onDidChange((uri) => touchedBy([uri])),
    watcher.onDidCreate((uri) => touchedBy([uri])),
    watcher.onDidDelete((uri) => touchedBy([uri])),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) touchedBy([document.uri]);
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("patchbay.checks")) changed.fire();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
  );
  sweepCopies(storage, Date.now()).catch((error: unknown) =>
    log.error("Old copies could not be removed.", error),
  );

  const roots = (): readonly Root[] => workspace.roots ?? [];
  const rows = () => readRows(deps.rows());
  const acceptedIn = ({ path }: Root) => memory.get<AcceptedIn>(memoryKey)?.[path] ?? {};
  const remember = async ({ path }: Root, command: string, accepted: Accepted) => {
    const all = memory.get<AcceptedIn>(memoryKey) ?? {};
    await memory.update(memoryKey, { ...all, [path]: { ...all[path], [command]: accepted } });
    changed.fire();
  };

  const host: CheckHost = {
    get obstacle() {
      if (!workspace.trusted) return message("checkUntrusted");
      if (workspace.folders.length === 0) return message("checkNoFolder");
      return roots().length === 0 ? message("checkNotLocal") : undefined;
    },
    get hasAny() {
      if (host.obstacle !== undefined) return false;
      const commands = new Set(rows().map(({ command }) => command));
      return roots().some((root) => Object.keys(acceptedIn(root)).some((command) => commands.has(command)));
    },
    get filesRevision() {
      return filesRevision;
    },
    onDidChange: changed.on,
    async checks() {
      if (host.obstacle !== undefined) return [];
      const found = await Promise.all(roots().map((root) => checksIn(root)));
      return found.flat();
    },
    async withCopy(folder, overlaid, use, signal) {
      const root = roots().find((each) => each.folder === folder);
      if (root === undefined) throw new Error(`There is no folder ${folder}.`);
      const checks = await folderChecks(root);
      keptBack.set(root.path, createPrivacy(deps.privacy(), await ignoreRules(root)));
      const texts = overlaid.map(
        ([{ path }, state]) => [path, state === undefined ? null : state.text] as const,
      );
      const shown = showCopying(signal);
      try {
        return await checks.withCopy(texts, use, shown.signal, shown.tell);
      } catch (error) {
        throw error instanceof FolderTooLarge ? new MessageError(message("checkTooLarge")) : error;
      } finally {
        shown.end();
      }
    },
  };

  /** Ignored files that a check which is accepted here needs. */
  const namedBy = (root: Root, { command, ignoredFiles = [] }: CheckRow) =>
    acceptedIn(root)[command] === undefined ? [] : ignoredFiles;

  async function checksIn(root: Root): Promise<Check[]> {
    const accepted = acceptedIn(root);
    const wanted = rows().filter(({ command }) => accepted[command] !== undefined);
    const file = wanted.length === 0 ? "" : await textAt(join(root.path, "package.json"));
    return wanted.flatMap((row) => {
      const known = accepted[row.command];
      if (known === undefined) return [];
      const body = scriptBody(row.command, file);
      return [checkOf(row, root, known, body)];
    });
  }

  function checkOf(row: CheckRow, root: Root, known: Accepted, body: string | undefined): Check {
    const id = createHash("sha256")
      .update(JSON.stringify([root.path, row.name, row.command, body, row.ignoredFiles]))
      .digest("hex")
      .slice(0, 16);
    return {
      ...row,
      id,
      folder: root.folder,
      blind: known.blind,
      ...present({ body, writesOut: known.writesOut, isChanged: known.body === body ? undefined : true }),
    };
  }

  function folderChecks(root: Root): Promise<FolderChecks> {
    const known = open.get(root.path);
    if (known !== undefined) return known;
    const made = (async () => {
      const git = await gitProgram();
      return new FolderChecks({
        folder: root.path,
        storage,
        git,
        named: () => rows().flatMap((row) => namedBy(root, row)),
        isLeftOut: (path) => keptBack.get(root.path)?.(path, false) !== undefined,
        unsaved: () => unsavedIn(root),
        wroteOut(check) {
          const accepted = acceptedIn(root)[check.command];
          if (accepted === undefined) return;
          void remember(root, check.command, { ...accepted, writesOut: true });
        },
      });
    })();
    open.set(root.path, made);
    return made;
  }

  return {
    host,
    roots,
    rows,
    isAccepted: (root: Root, command: string) => acceptedIn(root)[command] !== undefined,
    /** What each command would run now, where it names a script of the folder. */
    async scripts(root: Root): Promise<(command: string) => string | undefined> {
      const file = await textAt(join(root.path, "package.json"));
      return (command) => scriptBody(command, file);
    },
    /** `body` is the script that the person saw: what the file says by now may be another one, and that waits. */
    async accept(
      root: Root,
      row: CheckRow,
      body: string | undefined,
      blind: readonly string[] = [],
    ): Promise<Check> {
      const accepted: Accepted = { blind, ...present({ body }) };
      await remember(root, row.command, accepted);
      return checkOf(row, root, accepted, (await this.scripts(root))(row.command));
    },
    async revoke(root: Root, command: string): Promise<void> {
      const all = memory.get<AcceptedIn>(memoryKey) ?? {};
      const { [command]: _, ...rest } = all[root.path] ?? {};
      await memory.update(memoryKey, { ...all, [root.path]: rest });
      changed.fire();
    },
    async suggest(root: Root): Promise<readonly SuggestedCheck[]> {
      const names = await readdir(root.path).catch(() => []);
      return suggestChecks({ names, read: (name) => textAt(join(root.path, name)) });
    },
    /** Resolves once nothing runs any more and nothing is written. */
    async close() {
      listening.dispose();
      await tryAllSteps([...open.values()].map((each) => async () => (await each).close()));
    },
  };
}

/** Files that come and go without anybody changing a source. */
const outputs =
  /\/(?:\.git|node_modules|\.venv|venv|target|dist|build|out|coverage|\.next|__pycache__|\.[\w-]*cache)\//;

async function textAt(place: string): Promise<string> {
  const text = await readFile(place, "utf8").catch(() => "");
  return text.length > maxFileBytes ? "" : text;
}

/** @throws where they cannot be read: then everything may be kept back. */
async function ignoreRules(root: Root): Promise<string> {
  const place = join(root.path, ignoreFileName);
  const stats = await lstat(place).catch(() => undefined);
  if (stats === undefined) return "";
  if (!stats.isFile() || stats.size > maxIgnoreBytes) throw new Error(`${ignoreFileName} cannot be read.`);
  return readFile(place, "utf8");
}

function unsavedIn({ folder, path }: Root): Texts {
  const found: [string, string][] = [];
  for (const document of vscode.workspace.textDocuments) {
    const { uri, isDirty } = document;
    if (!isDirty || uri.scheme !== "file") continue;
    const own = vscode.workspace.getWorkspaceFolder(uri);
    if (own?.uri.fsPath !== path) continue;
    found.push([nameBelow(uri, own.uri, folder).path, document.getText()]);
  }
  return found;
}

const nameBelow = (uri: vscode.Uri, root: vscode.Uri, folder: string): FileName => ({
  folder,
  path: uri.path.slice(root.path.replace(/\/$/, "").length + 1),
});

/** The Git that VS Code has found: never one that a folder brings. */
async function gitProgram(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): { git: { path: string } } }>(
    "vscode.git",
  );
  try {
    return (await extension?.activate())?.getAPI(1).git.path;
  } catch {
    return undefined;
  }
}

/** The first copy of a large folder takes seconds: that is told, and can be cancelled. */
function showCopying(signal: AbortSignal) {
  const cancel = new AbortController();
  let report: ((done: number, all: number) => void) | undefined;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    signal: AbortSignal.any([signal, cancel.signal]),
    tell(done: number, all: number) {
      if (report === undefined) {
        report = () => {};
        const title = vscode.l10n.t("Copying files for checks");
        void vscode.window.withProgress(
          { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true },
          async (progress, token) => {
            token.onCancellationRequested(() => cancel.abort(new vscode.CancellationError()));
            let last = 0;
            report = (now, of) => {
              progress.report({ increment: (100 * (now - last)) / of, message: `${now} / ${of}` });
              last = now;
            };
            await ended;
          },
        );
      }
      report(done, all);
    },
    end,
  };
}
