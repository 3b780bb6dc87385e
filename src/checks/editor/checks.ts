// Host of the user's own checks: which rows of the setting are accepted for which folder, where copies are kept, when
// results are stale. `src/checks` decides what a result means.

import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { MessageError } from "../../conversation/english.ts";
import { message } from "../../conversation/messages.ts";
import { withoutLinks } from "../../editor/notify.ts";
import { createPrivacy, type Privacy, type PrivacySettings } from "../../files/privacy.ts";
import type { Workspace } from "../../files/workspace.ts";
import { foldName } from "../../patch/paths.ts";
import type { TaskThread } from "../../util/background.ts";
import { runAll } from "../../util/disposables.ts";
import { Emitter } from "../../util/emitter.ts";
import type { Log } from "../../util/log.ts";
import { present } from "../../util/present.ts";
import {
  type Check,
  type CheckCopy,
  type CheckHost,
  type CheckRow,
  type CopySearch,
  type Overlaid,
  type Reader,
  readerOf,
  readRows,
} from "../check.ts";
import { isInstalled } from "../internal/command-environment.ts";
import { FolderTooLarge, sweepCopies } from "../internal/copy/shadow-copy.ts";
import { FolderChecks } from "../internal/folder-checks.ts";
import { readerProgram } from "../internal/reader-program.ts";
import { resolveCommand, type SuggestedCheck, suggestChecks } from "../internal/suggest-checks.ts";
import { createConfinement } from "../internal/try-sandbox.ts";
import type { Verdict } from "../judge.ts";
import {
  gitProgram,
  ignoreRules,
  overlayOf,
  type Root,
  scriptFiles,
  unsavedIn,
} from "./internal/folder-files.ts";
import { isOutput } from "./internal/outputs.ts";

/**
 * Shows a progress notification while a folder is copied for its checks. The first copy of a large folder takes
 * seconds, so this is shown and can be cancelled.
 */
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
        const title = vscode.l10n.t("Copying files for checks and commands");
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

interface ChecksDeps {
  /** The extension's own storage folder. */
  readonly storage: string;
  /** State of this workspace. */
  readonly memory: vscode.Memento;
  readonly workspace: Workspace;
  readonly log: Log;
  /** The setting, unparsed. */
  rows(): unknown;
  privacy(): PrivacySettings;
  /** The thread for long work. */
  readonly thread: TaskThread;
  /** Path of the built thread that maintains copies of folders. */
  readonly copyThread: string;
}

/** What the user has agreed to for one command in one folder, and what was found out about it. */
interface Accepted {
  readonly body?: string;
  readonly blind: readonly string[];
  /** The script body that may run whatever is proposed; "" if the command names no script. */
  readonly always?: string;
}

type AcceptedIn = Readonly<Record<string, Readonly<Record<string, Accepted>>>>;

/** Key in the workspace state. */
const memoryKey = "checks";

export type Checks = ReturnType<typeof createChecks>;

export function createChecks(deps: ChecksDeps) {
  const { memory, workspace, log } = deps;
  const storage = join(deps.storage, "checks");
  const changed = new Emitter<void>();
  const open = new Map<string, Promise<FolderChecks>>();
  /** Files excluded by the privacy rules are not copied either. By folder, with the current rules. */
  const keptBack = new Map<string, Privacy>();
  const confinement = createConfinement({
    ...{ storage: deps.storage, log },
    workspaceFolders: () => roots().map(({ path }) => path),
  });
  let filesRevision = 0;
  const touched = () => {
    filesRevision += 1;
    changed.fire();
  };
  const touchedBy = (uri: vscode.Uri) => {
    const own = uri.scheme === "file" ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
    if (own !== undefined && !isOutput(uri.path, own.uri.path)) touched();
  };
  const watcher = vscode.workspace.createFileSystemWatcher("**/*");
  const listening = vscode.Disposable.from(
    watcher,
    watcher.onDidChange(touchedBy),
    watcher.onDidCreate(touchedBy),
    watcher.onDidDelete(touchedBy),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) touchedBy(document.uri);
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
  const rootOf = (folder: string): Root => {
    const root = roots().find((each) => each.folder === folder);
    if (root === undefined) throw new Error(`There is no folder ${folder}.`);
    return root;
  };
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
    async checks(overlaid) {
      if (host.obstacle !== undefined) return [];
      const found = await Promise.all(roots().map((root) => checksIn(root, overlaid)));
      return found.flat();
    },
    confinement: confinement.state,
    async allowAlways({ folder, command, body, proposedBody }) {
      const root = rootOf(folder);
      const accepted = acceptedIn(root)[command];
      if (accepted === undefined) return;
      await remember(root, command, { ...accepted, always: proposedBody ?? body ?? "" });
    },
    // However short the output is: what reads outputs is loaded in the thread alone.
    judge: (judging) =>
      deps.thread.run<Verdict | undefined>("judge", judging).catch((error: unknown) => {
        throw new MessageError(message("checkUnread"), error);
      }),
    measure: async (folder, signal) => (await folderChecks(rootOf(folder))).measure(signal),
    // Rejects rather than throws if the folder has left the workspace.
    withCopy: async (folder, overlaid, use, signal, search) =>
      withCopyOf(rootOf(folder), async () => overlaid, use, signal, search),
  };

  /** `overlaid` is called once nobody else uses the copy. */
  async function withCopyOf<T>(
    root: Root,
    overlaid: () => Promise<Overlaid>,
    use: (copy: CheckCopy) => Promise<T>,
    signal: AbortSignal,
    search?: CopySearch,
  ): Promise<T> {
    const checks = await folderChecks(root);
    keptBack.set(root.path, createPrivacy(deps.privacy(), await ignoreRules(root)));
    const texts = async () =>
      (await overlaid()).map(([{ path }, state]) => [path, state === undefined ? null : state.text] as const);
    const shown = showCopying(signal);
    try {
      return await checks.withCopy(texts, use, shown.signal, { progress: shown.tell, search });
    } catch (error) {
      throw error instanceof FolderTooLarge ? new MessageError(message("checkTooLarge")) : error;
    } finally {
      shown.end();
    }
  }

  /** Ignored files that an accepted check of this folder needs. */
  const namedBy = (root: Root, { command, ignoredFiles = [] }: CheckRow) =>
    acceptedIn(root)[command] === undefined ? [] : ignoredFiles;

  async function checksIn(root: Root, overlaid: Overlaid): Promise<Check[]> {
    const accepted = acceptedIn(root);
    const files = scriptFiles(root, []);
    // Unsaved documents are part of the copy as well.
    const proposed = scriptFiles(root, [...overlayOf(root, unsavedIn(root)), ...overlaid]);
    const found = rows().map(async (row) => {
      const known = accepted[row.command];
      if (known === undefined) return undefined;
      const body = await resolveCommand(row.command, files);
      return checkOf(
        row,
        root,
        known,
        { body, proposedBody: await resolveCommand(row.command, proposed) },
        overlaid,
      );
    });
    return (await Promise.all(found)).filter((each) => each !== undefined);
  }

  async function checkOf(
    row: CheckRow,
    root: Root,
    known: Accepted,
    { body, proposedBody }: { readonly body: string | undefined; readonly proposedBody: string | undefined },
    overlaid: Overlaid,
  ): Promise<Check> {
    const id = createHash("sha256")
      .update(JSON.stringify([root.path, row.name, row.command, body, row.ignoredFiles]))
      .digest("hex")
      .slice(0, 16);
    const isChanged = known.body !== body && known.always !== (body ?? "");
    return {
      ...row,
      id,
      folder: root.folder,
      blind: known.blind,
      isAlways: known.always === (proposedBody ?? ""),
      ...present({
        body,
        proposedBody: proposedBody === body ? undefined : (proposedBody ?? ""),
        isChanged: isChanged ? true : undefined,
        reader: await readerFor(row.command, root, overlaid),
      }),
    };
  }

  /** `undefined` if its program is missing or is part of the proposal. */
  async function readerFor(command: string, root: Root, overlaid: Overlaid) {
    const reader = readerOf(command);
    const program = reader && (await programOf(root)(reader));
    if (reader === undefined || program === undefined) return undefined;
    const own = [...reader.code, ...(program.code === undefined ? [] : [program.code])].map(foldName);
    const isProposed = overlaid.some(
      ([{ folder, path }]) =>
        folder === root.folder && own.some((each) => `${foldName(path)}/`.startsWith(each)),
    );
    return isProposed ? undefined : reader;
  }

  const programOf =
    ({ path }: Root) =>
    (reader: Pick<Reader, "program">) =>
      readerProgram(
        reader,
        path,
        roots().map((each) => each.path),
      );

  function folderChecks(root: Root): Promise<FolderChecks> {
    const known = open.get(root.path);
    if (known !== undefined) return known;
    const made = (async () => {
      const git = await gitProgram();
      return new FolderChecks({
        folder: root.path,
        storage,
        copyThread: deps.copyThread,
        git,
        named: () => rows().flatMap((row) => namedBy(root, row)),
        isLeftOut: (path) => keptBack.get(root.path)?.(path, false) !== undefined,
        unsaved: () => unsavedIn(root),
        programOf: programOf(root),
        sandbox: confinement.sandbox,
      });
    })();
    open.set(root.path, made);
    return made;
  }

  return {
    host,
    withCopyOf,
    /** By the privacy rules of when the copy was last used. */
    isPrivate: ({ path: root }: Root, path: string): boolean =>
      keptBack.get(root)?.(path, false) !== undefined,
    roots,
    rows,
    isAccepted: (root: Root, command: string) => acceptedIn(root)[command] !== undefined,
    /** The scripts a command would run now, if it names scripts of the folder. */
    bodyOf: (root: Root, command: string): Promise<string | undefined> =>
      resolveCommand(command, scriptFiles(root, [])),
    /** The Git that VS Code has found. */
    git: gitProgram,
    /** The scripts a command would run in another tree. */
    resolve: resolveCommand,
    ignoreRules,
    /** Paths of documents whose text is not saved. */
    unsaved: (root: Root): ReadonlySet<string> => new Set(unsavedIn(root).map(([path]) => path)),
    /** `body` is what the user saw. If the files say something else by now, the check is returned as changed. */
    async accept(
      root: Root,
      row: CheckRow,
      body: string | undefined,
      blind: readonly string[] = [],
    ): Promise<Check> {
      const accepted: Accepted = {
        blind,
        ...present({ body, always: acceptedIn(root)[row.command]?.always }),
      };
      await remember(root, row.command, accepted);
      const now = await resolveCommand(row.command, scriptFiles(root, []));
      return checkOf(row, root, accepted, { body: now, proposedBody: now }, []);
    },
    async revoke(root: Root, command: string): Promise<void> {
      const all = memory.get<AcceptedIn>(memoryKey) ?? {};
      const { [command]: _, ...rest } = all[root.path] ?? {};
      await memory.update(memoryKey, { ...all, [root.path]: rest });
      changed.fire();
    },
    async suggest(root: Root): Promise<readonly SuggestedCheck[]> {
      const names = await readdir(root.path).catch(() => []);
      return suggestChecks({
        names,
        read: scriptFiles(root, []).read,
        isInstalled: (program) => isInstalled(program, root.path),
      });
    },
    /** Resolves once nothing is running or being written any more. */
    async close() {
      listening.dispose();
      const folders = [...open.values()].map((each) => async () => (await each).close());
      await runAll(folders);
    },
  };
}
