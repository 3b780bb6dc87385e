// Tracks the files as a patch would leave them, section by section. Knows only what was looked up before, writes nothing,
// and records where every file came from. Files are identified by their real location; two new names that some file
// system would treat as one are refused.
import { type Message, message } from "../../conversation/messages.ts";
import { applyEdits, type Lines, splitLines } from "../edits.ts";
import {
  type Base,
  type FileName,
  limits,
  type NoteCode,
  type PlacedHunk,
  type PlanNote,
  type Reading,
} from "../model.ts";
import {
  chooseSpelling,
  fileKey,
  isOnDisk,
  type Outcome,
  ok,
  type PatchTargets,
  type ResolvedTarget,
  realKey,
  refused,
  refusePath,
} from "./patch-targets.ts";
import { editsOf, type Splice } from "./splice.ts";

/** A file after the sections read so far. */
export interface FileDraft {
  readonly at: ResolvedTarget;
  /** Its location on disk; undefined when the patch adds it. */
  readonly origin: ResolvedTarget | undefined;
  readonly base: Base | undefined;
  /** The text that `splices` refer to: the base, or the text that the patch gave a new file. */
  readonly lines: Lines;
  readonly splices: readonly Splice[];
  /** What the last section replaced, and the lines that it referred to; undefined before the first. */
  readonly latest?: { readonly lines: Lines; readonly splices: readonly Splice[] };
  readonly hunks: readonly PlacedHunk[];
}

export class PatchedFiles {
  readonly drafts = new Map<string, FileDraft>();
  /** Files on disk that the patch deletes. */
  readonly deleted = new Map<string, { readonly at: ResolvedTarget; readonly base: Base }>();
  readonly notes: PlanNote[] = [];
  readonly #freed = new Set<string>();
  readonly #targets: PatchTargets;

  constructor(targets: PatchTargets) {
    this.#targets = targets;
  }

  /** `isNew`: the path may be absent, because the patch is going to create it. */
  find(typed: string, isNew = false): Outcome<ResolvedTarget> {
    const isThere = (target: ResolvedTarget) => this.drafts.has(target.key) || isOnDisk(target);
    return chooseSpelling(this.#targets.names.get(typed) ?? [], isNew, isThere);
  }

  note(file: FileName, codes: readonly NoteCode[]): void {
    for (const code of codes) this.notes.push({ code, file });
  }

  /** Returns the file's current draft, its text on disk if no section has touched it yet. */
  open(at: ResolvedTarget): Outcome<FileDraft> {
    const { info, typed } = at;
    const missing = refused({ kind: "missing", path: typed, alike: info.spelled });
    // What is there is another file: one in place of a parent folder, or one with a different spelling.
    if (info.kind === "blocked" || info.spelled !== undefined) return missing;
    const known = this.drafts.get(at.key);
    if (known !== undefined) return ok(known);
    if (this.#freed.has(at.key) || info.kind === "nothing") return missing;
    const why = refusePath(info);
    if (why !== undefined) return refused({ kind: "file", path: typed, why });
    const reading = this.#read(at);
    if (reading.kind === "binary" || reading.text.includes("\0")) {
      return refused({ kind: "file", path: typed, why: message("whyNotText") });
    }
    // Saving the file would lose these bytes, whoever saves it.
    if (reading.undecoded !== undefined) {
      const why = message("whyUndecoded", { encoding: reading.undecoded });
      return refused({ kind: "file", path: typed, why });
    }
    const lines = splitLines(reading.text);
    if (lines.count > limits.fileLines) {
      return refused({ kind: "file", path: typed, why: message("whyLines") });
    }
    // Nobody needs the hash before the patch is known to fit.
    const base = { text: reading.text, sha256: "", version: reading.version };
    return ok({ at, origin: at, base, lines, splices: [], hunks: [] });
  }

  /** Whether nothing is there, or this patch moved or deleted what was. */
  isFree(at: ResolvedTarget, text?: string): Outcome<true> {
    const { typed, info } = at;
    const alike = [...this.drafts.values()].find(
      (draft) => collisionKey(draft.at.key) === collisionKey(at.key),
    );
    if (alike !== undefined) {
      if (alike.at.key === at.key) return refused({ kind: "exists", path: typed, same: false });
      return refused({ kind: "path", path: typed, why: sameName(alike.at.file.path) });
    }
    if (this.#freed.has(at.key)) return ok(true);
    if (info.kind === "blocked") {
      return refused({ kind: "file", path: typed, why: message("whyUnder") });
    }
    if (info.kind === "nothing" && !info.link) {
      const { spelled } = info;
      if (spelled === undefined || this.#freed.has(realKey(at.file.folder, spelled))) return ok(true);
      return refused({ kind: "path", path: typed, why: sameName(spelled) });
    }
    if (info.kind !== "file") return refused({ kind: "exists", path: typed, same: false });
    const reading = text === undefined ? undefined : this.#read(at);
    return refused({ kind: "exists", path: typed, same: reading?.kind === "text" && reading.text === text });
  }

  #read({ file }: ResolvedTarget): Reading {
    const reading = this.#targets.texts.get(fileKey(file));
    if (reading === undefined) throw new Error("A file of the patch was not read.");
    return reading;
  }

  /** Whether it is a rename in letter case only, and no other file has that name. */
  isCaseRename(from: ResolvedTarget, to: ResolvedTarget): boolean {
    const { kind, link, spelled } = to.info;
    const isItsOwn = kind === "nothing" && !link && (spelled === undefined || spelled === from.file.path);
    const isAlike = from.key !== to.key && collisionKey(from.key) === collisionKey(to.key);
    if (!isItsOwn || !isAlike || folderOf(from.file) !== folderOf(to.file)) return false;
    return [...this.drafts.keys()].every(
      (key) => key === from.key || collisionKey(key) !== collisionKey(to.key),
    );
  }

  add(at: ResolvedTarget, text: string): void {
    const lines = splitLines(text);
    this.drafts.set(at.key, { at, origin: undefined, base: undefined, lines, splices: [], hunks: [] });
  }

  keep(draft: FileDraft): void {
    this.drafts.set(draft.at.key, draft);
  }

  move(draft: FileDraft, to: ResolvedTarget): void {
    this.drafts.delete(draft.at.key);
    this.#freed.add(draft.at.key);
    this.drafts.set(to.key, { ...draft, at: to });
  }

  delete(at: ResolvedTarget, draft: FileDraft): void {
    this.drafts.delete(at.key);
    this.#freed.add(at.key);
    if (draft.origin !== undefined && draft.base !== undefined) {
      this.deleted.set(draft.origin.key, { at: draft.origin, base: draft.base });
    }
  }
}

/** Keys that are equal in this form are the same file on some systems. */
export function collisionKey(key: string): string {
  return key.normalize("NFC").toUpperCase().toLowerCase();
}

const folderOf = ({ folder, path }: FileName): string =>
  `${folder}\0${path.slice(0, path.lastIndexOf("/") + 1)}`;

function sameName(other: string): Message {
  return message("whySameName", { path: other });
}

export function currentText({ lines, splices }: FileDraft): string {
  return splices.length === 0 ? lines.text : applyEdits(lines.text, editsOf(lines, splices));
}
