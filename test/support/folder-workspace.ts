// A true little workspace: folders on disk, live documents in front of them, problems as told. What the tests of
// tools and turns work in.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { after } from "node:test";
import {
  type Entry,
  type Place,
  type ProblemMarker,
  type Workspace,
  WorkspaceError,
} from "../../src/core/workspace.ts";

export interface FolderWorkspace extends Workspace {
  trusted: boolean;
  /** The folder all workspace folders lie in: what is here but in none of them is outside. */
  readonly root: string;
  /** Writes a file on disk; `path` is relative to the root. */
  write(path: string, text: string | Uint8Array): void;
  /** What the user typed and has not saved. */
  type(place: Place, text: string): void;
  readonly markers: ProblemMarker[];
  /** Every text that was handed out, by path: what a guard let through. */
  readonly handedOut: string[];
}

export function createFolderWorkspace(...names: readonly string[]): FolderWorkspace {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-workspace-")));
  after(() => rmSync(root, { recursive: true, force: true }));
  const folders = (names.length === 0 ? ["work"] : names).map((name) => ({ name }));
  for (const { name } of folders) mkdirSync(join(root, name));
  const typed = new Map<string, { text: string; version: number }>();
  const markers: ProblemMarker[] = [];
  const handedOut: string[] = [];
  const onDisk = ({ folder, path }: Place) => join(root, folder, path);
  const key = ({ folder, path }: Place) => `${folder}/${path}`;

  return {
    trusted: true,
    root,
    folders,
    markers,
    handedOut,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    type(place, text) {
      typed.set(key(place), { text, version: (typed.get(key(place))?.version ?? 1) + 1 });
    },
    async read(place, maxBytes) {
      const live = typed.get(key(place));
      const bytes = live === undefined ? await readBytes(onDisk(place)) : Buffer.from(live.text);
      if (bytes.byteLength > maxBytes) throw new WorkspaceError("too-large");
      if (bytes.includes(0)) throw new WorkspaceError("binary");
      handedOut.push(key(place));
      return { text: bytes.toString("utf8"), version: live?.version ?? 1 };
    },
    async list(place) {
      const entries = await readdir(onDisk(place), { withFileTypes: true }).catch(asWorkspaceError);
      return entries.map(
        (entry): Entry => ({
          name: entry.name,
          kind: entry.isSymbolicLink()
            ? "link"
            : entry.isDirectory()
              ? "folder"
              : entry.isFile()
                ? "file"
                : "other",
        }),
      );
    },
    async realPlace(place) {
      const real = realPath(onDisk(place));
      const folder = folders.find(({ name }) => `${real}${sep}`.startsWith(join(root, name) + sep));
      return folder && { folder: folder.name, path: real.slice(join(root, folder.name).length + 1) };
    },
    problems: (place) => markers.filter((marker) => place === undefined || key(marker.place) === key(place)),
  };
}

async function readBytes(path: string): Promise<Buffer> {
  if ((await stat(path).catch(asWorkspaceError)).isDirectory()) throw new WorkspaceError("is-folder");
  return readFile(path).catch(asWorkspaceError);
}

function asWorkspaceError(error: NodeJS.ErrnoException): never {
  if (error.code === "ENOTDIR") throw new WorkspaceError("not-folder");
  throw new WorkspaceError(error.code === "ENOENT" ? "missing" : "unreadable");
}

/** Of what does not exist: its nearest ancestor's, and the rest as it is written. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), path.slice(dirname(path).length));
  }
}
