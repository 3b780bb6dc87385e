// Where lines come from, in notes of commits: written after a commit is there, and read for the hover. Both only where a
// person has chosen it, and in trusted folders; nothing is ever pushed.
import * as vscode from "vscode";
import { changesBetween } from "../../changes/proposal.ts";
import type { Origins } from "../../changes/stored-origins.ts";
import type { Log } from "../../util/log.ts";
import { showStatusMessage } from "../notify.ts";
import { inspectSection } from "../settings/read-settings.ts";
import { toFileName } from "../workspace/file-uris.ts";
import { type GitRepository, gitProgram, repositoryOf, watchHeads } from "../workspace/git.ts";
import {
  type AuthorshipLog,
  type LineAuthor,
  longestNote,
  parseAuthorshipLog,
} from "./internal/authorship-log.ts";
import { type CommitNoteDeps, noteCommits } from "./internal/commit-notes.ts";
import { notesTip, originOfLine, type Repository, readNote, readTexts } from "./internal/git.ts";

interface ProvenanceDeps extends Pick<CommitNoteDeps, "receipt"> {
  readonly kept: Pick<Origins, "writtenIn">;
  readonly log: Log;
}

/** A user setting: workspaces cannot change it. */
export function chosenProvenance(): "off" | "own" | "read" | "write" {
  const value = inspectSection("patchbay", null)("globalValue", "provenance");
  return value === "off" || value === "read" || value === "write" ? value : "own";
}

/** Whether notes may be read or written here. */
const allows = (use: "read" | "write"): boolean =>
  vscode.workspace.isTrusted && (chosenProvenance() === "write" || chosenProvenance() === use);

async function onDisk(repository: GitRepository): Promise<Repository | undefined> {
  const { rootUri } = repository;
  const git = await gitProgram();
  return git === undefined || rootUri.scheme !== "file" ? undefined : { git, root: rootUri.fsPath };
}

const nothing: ReadonlySet<string> = new Set();

/** Writes notes as long as the setting says so. */
export function createCommitNotes({ kept, receipt, log }: ProvenanceDeps): vscode.Disposable {
  let watching: vscode.Disposable | undefined;
  let isOver = false;
  let before: Promise<unknown> = Promise.resolve();

  function look(): void {
    if (!allows("write")) {
      watching?.dispose();
      watching = undefined;
    } else if (watching === undefined) {
      const pending = { dispose() {} };
      watching = pending;
      watchHeads(note).then(
        (started) => {
          if (watching === pending && !isOver) watching = started;
          else started.dispose();
        },
        (error: unknown) => log.error("Commits could not be watched.", error),
      );
    }
  }

  /** One after another, so that a note never waits for itself. */
  function note(repository: GitRepository, from: string | undefined, to: string): void {
    before = before.then(() => write(repository, from, to)).catch((error: unknown) => fail(to, error));
  }

  async function write(repository: GitRepository, from: string | undefined, to: string): Promise<void> {
    // The person may have withdrawn it while this waited for its turn.
    const found = isOver || !allows("write") ? undefined : await onDisk(repository);
    if (found === undefined) return;
    const writtenIn = async (path: string) => {
      const file = toFileName(vscode.Uri.joinPath(repository.rootUri, ...path.split("/")));
      return file === undefined ? [] : kept.writtenIn(file, nothing);
    };
    const noted = await noteCommits(found, from, to, { writtenIn, receipt });
    if (noted.length > 0) log.info(`Git notes were added to ${noted.join(", ")}.`);
  }

  function fail(commit: string, error: unknown): void {
    log.error("A Git note could not be written.", error);
    showStatusMessage(
      vscode.l10n.t("The Git note for {0} couldn't be written. The commit is there.", commit.slice(0, 8)),
    );
  }

  const listening = vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("patchbay.provenance")) look();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(look),
  );
  look();
  return {
    dispose() {
      isOver = true;
      watching?.dispose();
      listening.dispose();
    },
  };
}

export interface NotedLine {
  readonly commit: string;
  readonly author: LineAuthor;
}

const most = { letters: 2_000_000, notes: 50 };

/** Reads what notes say about lines of documents. */
export function createNoteReader(): {
  authorOf(
    document: vscode.TextDocument,
    line: number,
    token: vscode.CancellationToken,
  ): Promise<NotedLine | undefined>;
} {
  /** By repository, state of the notes, and commit; the latest ones. */
  const logs = new Map<string, AuthorshipLog | undefined>();

  async function logOf(
    repository: Repository,
    tip: string,
    commit: string,
  ): Promise<AuthorshipLog | undefined> {
    const key = `${repository.root}\n${tip}\n${commit}`;
    if (logs.has(key)) return logs.get(key);
    const note = await readNote(repository, commit, longestNote);
    const log = note === undefined ? undefined : parseAuthorshipLog(note);
    logs.set(key, log);
    if (logs.size > most.notes) logs.delete([...logs.keys()][0] ?? "");
    return log;
  }

  return {
    async authorOf(document, line, token) {
      if (!allows("read") || document.uri.scheme !== "file") return undefined;
      const opened = await repositoryOf(document.uri);
      const repository = opened && (await onDisk(opened));
      const head = opened?.state.HEAD?.commit;
      if (repository === undefined || head === undefined) return undefined;
      const stopping = new AbortController();
      const listening = token.onCancellationRequested(() => stopping.abort());
      try {
        const tip = await notesTip(repository, stopping.signal);
        if (tip === undefined) return undefined;
        const path = document.uri.path.slice(opened?.rootUri.path.replace(/\/$/, "").length ?? 0).slice(1);
        const [committed] = await readTexts(repository, [`${head}:${path}`], most.letters);
        const at = committed === undefined ? undefined : committedLine(committed, document.getText(), line);
        const origin =
          at === undefined
            ? undefined
            : await originOfLine(repository, { commit: head, line: at, path }, stopping.signal);
        const log = origin && (await logOf(repository, tip, origin.commit));
        const author = origin && log?.authorOf(origin.path, origin.line);
        return author && { commit: origin.commit, author };
      } catch {
        // A hover that cannot be answered is none.
        return undefined;
      } finally {
        listening.dispose();
      }
    },
  };
}

/** The line of the committed text, from 1, that a line of the document is, from 0; `undefined` if it has changed. */
function committedLine(committed: string, live: string, line: number): number | undefined {
  const [before, now] = [committed, live].map((text) => text.replaceAll("\r\n", "\n"));
  let shift = 0;
  for (const { from, to, newFrom, newTo } of changesBetween(before ?? "", now ?? "")) {
    if (newFrom > line) break;
    if (line < newTo) return undefined;
    shift += to - from - (newTo - newFrom);
  }
  return line + shift + 1;
}
