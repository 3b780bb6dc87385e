// A real folder as the workspace of a session that has no editor: what is accepted is written there, all of it or nothing.
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { message } from "../../src/conversation/messages.ts";
import type { ApplyOutcome, ProblemMarker, Workspace } from "../../src/files/workspace.ts";
import type { FileChange } from "../../src/patch/model.ts";
import { mayHold } from "../../src/tools/ripgrep.ts";
import { carryOut, DiskWorkspace, entryOf } from "./disk-workspace.ts";
import { ripgrep } from "./ripgrep.ts";

export interface RealFolder extends Workspace {
  /** How often something was written. */
  readonly written: number;
}

/** What an editor would show in the files of the folder. */
export interface FolderProblem {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
  /** An error unless told. */
  readonly severity?: ProblemMarker["severity"];
}

export function openRealFolder(root: string, problems: readonly FolderProblem[] = []): RealFolder {
  const disk = new DiskWorkspace(root);
  const [folder = ""] = disk.folders;
  const markers = problems.map(
    ({ path, severity = "error", ...rest }): ProblemMarker => ({
      file: { folder, path },
      column: 1,
      severity,
      ...rest,
    }),
  );
  let written = 0;

  /** The plan was made from something else than what is there by now. */
  function isStale(change: FileChange): boolean {
    const { kind, real } = disk.lookNow(change.file.path);
    if (real !== change.permission.real) return true;
    if (change.kind === "add") return kind !== "nothing";
    return kind !== "file" || disk.readNow(change.file.path)?.text !== change.base.text;
  }

  async function apply(changes: readonly FileChange[]): Promise<ApplyOutcome> {
    if (changes.some(isStale)) return { outcome: "stale" };
    try {
      carryOut(disk, changes);
    } catch (error) {
      return { outcome: "refused", why: message("verbatim", { text: String(error) }) };
    }
    written += 1;
    return { outcome: "applied" };
  }

  return {
    trusted: true,
    folders: disk.folders,
    roots: disk.roots,
    get written() {
      return written;
    },
    look: (file) => disk.look(file),
    read: (file) => disk.read(file),
    sha256: (text) => disk.sha256(text),
    bytes: async ({ path }) => readFileSync(disk.at(path)),
    list: async ({ path }) => readdirSync(disk.at(path), { withFileTypes: true }).map(entryOf),
    async follow(address) {
      const path = fileURLToPath(address);
      return existsSync(path) ? [path, realpathSync(path)] : [path];
    },
    problems: (file) => markers.filter((marker) => file === undefined || marker.file.path === file.path),
    apply,
    ripgrep: async () => ripgrep,
    disk: {
      place: ({ path }) => disk.at(path),
      opened: () => [],
      isUtf8: () => true,
      mayHold: (place, query, take) => mayHold(ripgrep, place, query, take),
    },
  };
}
