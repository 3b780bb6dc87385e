// The workspace as the session's own tools see it: the files with the session's proposals on top. Ignore lists and
// settings are read from the disk, past the overlay. Other programs see only the disk.
import type { Entry, Workspace } from "../files/workspace.ts";
import type { FileChange, FileName } from "../patch/model.ts";
import type { ChangeSet } from "./change-set.ts";
import { chooseHunks } from "./internal/accept-files.ts";
import { languagesOn } from "./internal/proposed-language-services.ts";
import type { PendingFile } from "./pending-changes.ts";
import { type FileState, keyOf, stateAfter } from "./proposal.ts";

type Overlaid = readonly (readonly [FileName, FileState])[];

interface Overlay {
  readonly workspace: Workspace;
  /** The number of files whose content on the disk is different. */
  readonly proposed: number;
}

/** A snapshot of the current state; anyone who plans on it has to check it again. */
export async function overlayOn(
  workspace: Workspace,
  changes: Pick<ChangeSet, "overlaid">,
): Promise<Overlay> {
  const overlaid = await changes.overlaid();
  const seen = overlaid.length === 0 ? workspace : overlay(workspace, overlaid);
  return { workspace: seen, proposed: overlaid.length };
}

/** What the files would contain if only some of the changes were accepted, and those changes. */
export interface ProposalPart {
  readonly overlaid: Overlaid;
  readonly changes: readonly FileChange[];
}

/** What accepting these hunks, and nothing else, would do; undefined if one no longer exists. */
export function partOf(pending: readonly PendingFile[], hunks: readonly string[]): ProposalPart | undefined {
  const chosen = chooseHunks(
    hunks,
    pending.map((file) => ({ file })),
  );
  if (chosen === undefined) return undefined;
  const changes = chosen.map(({ change }) => change);
  const states = new Map<string, readonly [FileName, FileState]>();
  // A name that one change frees may be taken by another.
  for (const { file } of changes) states.set(keyOf(file), [file, undefined]);
  for (const change of changes) {
    const state = stateAfter(change);
    if (state !== undefined) states.set(keyOf(state.file), [state.file, state]);
  }
  return { overlaid: [...states.values()], changes };
}

function overlay(workspace: Workspace, overlaid: Overlaid): Workspace {
  const byName = new Map(overlaid.map((each) => [keyOf(each[0]), each]));
  const find = (file: FileName) => byName.get(keyOf(file));
  const { disk, folders, git, languages, ripgrep, roots } = workspace;
  return {
    folders,
    ...(roots && { roots }),
    get trusted() {
      return workspace.trusted;
    },
    sha256: (text) => workspace.sha256(text),
    follow: (address) => workspace.follow(address),
    problems: (file) => workspace.problems(file),
    apply: (changes, label, purpose) => workspace.apply(changes, label, purpose),
    async look(file) {
      const standing = await workspace.look(file);
      const found = find(file);
      if (found === undefined) {
        const isFolder =
          standing.kind === "nothing" && overlaid.some(([name, state]) => state && isBelow(name, file));
        return isFolder ? { ...standing, kind: "folder" } : standing;
      }
      const [, state] = found;
      if (state === undefined) return { ...standing, kind: "nothing", bytes: 0 };
      const bytes = Buffer.byteLength(state.text);
      return standing.kind === "file"
        ? { ...standing, bytes }
        : { ...standing, kind: "file", bytes, spelled: undefined };
    },
    async read(file) {
      const found = find(file);
      if (found === undefined) return workspace.read(file);
      const [, state] = found;
      if (state === undefined) throw new Error(`There is no ${file.path}.`);
      return { kind: "text", text: state.text, version: 0 };
    },
    async bytes(file) {
      const found = find(file);
      return found?.[1] === undefined ? workspace.bytes(file) : Buffer.from(found[1].text);
    },
    async list(folder) {
      const isNew = overlaid.some(([name, state]) => state && isBelow(name, folder));
      const listed = await workspace.list(folder).catch((error: unknown) => {
        if (isNew) return [];
        throw error;
      });
      const entries = new Map(listed.map((entry) => [entry.name, entry]));
      for (const [name, state] of overlaid) {
        if (!isBelow(name, folder)) continue;
        const rest = name.path.slice(folder.path === "" ? 0 : folder.path.length + 1);
        const [step = "", ...deeper] = rest.split("/");
        const entry: Entry = { name: step, kind: deeper.length === 0 ? "file" : "folder" };
        if (state !== undefined) entries.set(step, entries.get(step) ?? entry);
        else if (deeper.length === 0) entries.delete(step);
      }
      return [...entries.values()];
    },
    ...(git && { git }),
    ...(ripgrep && { ripgrep }),
    ...(languages && { languages: languagesOn(languages, workspace, overlaid) }),
    ...(disk && {
      disk: {
        ...disk,
        // Proposed files are read from the overlay, not from the disk.
        place: (file) => (find(file) === undefined ? disk.place(file) : undefined),
        opened: () => [...disk.opened(), ...overlaid.map(([name]) => name)],
      },
    }),
  };
}

const isBelow = (file: FileName, folder: FileName): boolean =>
  file.folder === folder.folder && (folder.path === "" || file.path.startsWith(`${folder.path}/`));
