// The files as a patch would leave them, section by section. It reads each file once, writes nothing, and remembers
// for every file where it came from. Files are known by where they really lie; two new names that some file system
// would take for one are refused.
import { type Message, message } from "../messages/message.ts";
import { inSlices } from "../util/yield-to-event-loop.ts";
import { applyEdits } from "./edits.ts";
import {
  type Base,
  type FileName,
  limits,
  type NoteCode,
  type Permission,
  type PlacedHunk,
  type PlanNote,
  type Standing,
  type Workspace,
} from "./model.ts";
import type { Refusal } from "./patch-error.ts";
import { findStanding, otherSpellings, permit, readPath } from "./paths.ts";
import { editsOf, type Splice } from "./splice.ts";
import { type Lines, splitLines, splitting } from "./text.ts";

/** A name from the patch that may be touched, and what stands there on disk. */
export interface Target {
  readonly typed: string;
  readonly file: FileName;
  readonly standing: Standing;
  readonly permission: Permission;
  readonly key: string;
  /** How it had to be read. */
  readonly notes: readonly NoteCode[];
}

/** A file as it is after the sections read so far. */
export interface Draft {
  readonly at: Target;
  /** Where it stands on disk; undefined when the patch adds it. */
  readonly origin: Target | undefined;
  readonly base: Base | undefined;
  /** What `splices` speak of: the base, or the text the patch gave a new file. */
  readonly lines: Lines;
  readonly splices: readonly Splice[];
  /** What the last section replaced, and the lines it spoke of; undefined before the first. */
  readonly latest?: { readonly lines: Lines; readonly splices: readonly Splice[] };
  readonly hunks: readonly PlacedHunk[];
}

type Outcome<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused"; readonly refusal: Refusal };

const ok = <T>(value: T): Outcome<T> => ({ kind: "ok", value });
const refused = (refusal: Refusal): Outcome<never> => ({ kind: "refused", refusal });

export class Picture {
  readonly drafts = new Map<string, Draft>();
  /** Files on disk that the patch deletes. */
  readonly deleted = new Map<string, { readonly at: Target; readonly base: Base }>();
  readonly notes: PlanNote[] = [];
  readonly #freed = new Set<string>();
  readonly #workspace: Workspace;
  readonly #slices: ReturnType<typeof inSlices>;

  constructor(workspace: Workspace, slices = inSlices()) {
    this.#slices = slices;
    this.#workspace = workspace;
  }

  /** `isNew`: what is to come there need not be there yet. */
  async find(typed: string, isNew = false): Promise<Outcome<Target>> {
    const literal = await this.#locate(typed);
    if (literal.kind === "ok" && this.#isThere(literal.value)) return literal;
    for (const { typed: other, note, mayBeNew } of otherSpellings(typed)) {
      if (isNew && !mayBeNew) continue;
      const found = await this.#locate(other, note);
      if (found.kind === "ok" && (isNew || this.#isThere(found.value))) return found;
    }
    return literal;
  }

  note(file: FileName, codes: readonly NoteCode[]): void {
    for (const code of codes) this.notes.push({ code, file });
  }

  async #locate(typed: string, ...notes: readonly NoteCode[]): Promise<Outcome<Target>> {
    const deny = (why: Message) => refused({ kind: "path", path: typed, why });
    const named = readPath(typed, this.#workspace.folders, this.#workspace.roots);
    if (named.kind === "denied") return deny(named.why);
    const found = await findStanding(this.#workspace, named);
    if ("why" in found) return deny(found.why);
    const { file, standing } = found;
    const permission = permit(file, standing);
    if (permission.verdict === "deny") return deny(permission.why);
    const key = keyOf(file.folder, permission.real);
    return ok({ typed, file, standing, permission, key, notes: [...notes, ...(named.notes ?? [])] });
  }

  #isThere({ key, standing }: Target): boolean {
    if (this.drafts.has(key)) return true;
    return standing.kind !== "nothing" || standing.spelled !== undefined;
  }

  /** The file as it is now in the picture, read from disk if no section has touched it yet. */
  async open(at: Target): Promise<Outcome<Draft>> {
    const { standing, typed } = at;
    const missing = refused({ kind: "missing", path: typed, alike: standing.spelled });
    // What stands there then is another file: one on the way, or one that is spelled differently.
    if (standing.kind === "blocked" || standing.spelled !== undefined) return missing;
    const known = this.drafts.get(at.key);
    if (known !== undefined) return ok(known);
    if (this.#freed.has(at.key) || standing.kind === "nothing") return missing;
    const why = refuseStanding(standing);
    if (why !== undefined) return refused({ kind: "file", path: typed, why });
    const reading = await this.#workspace.read(at.file);
    if (reading.kind === "binary" || reading.text.includes("\0")) {
      return refused({ kind: "file", path: typed, why: message("whyNotText") });
    }
    const lines = await this.#slices(splitting(reading.text));
    if (lines.count > limits.fileLines) {
      return refused({ kind: "file", path: typed, why: message("whyLines") });
    }
    const base = {
      text: reading.text,
      sha256: this.#workspace.sha256(reading.text),
      version: reading.version,
    };
    return ok({ at, origin: at, base, lines, splices: [], hunks: [] });
  }

  /** Nothing stands there, or what stood there was moved away or deleted by this patch. */
  async isFree(at: Target, text?: string): Promise<Outcome<true>> {
    const { typed, standing } = at;
    const alike = [...this.drafts.values()].find((draft) => clash(draft.at.key) === clash(at.key));
    if (alike !== undefined) {
      if (alike.at.key === at.key) return refused({ kind: "exists", path: typed, same: false });
      return refused({ kind: "path", path: typed, why: sameName(alike.at.file.path) });
    }
    if (this.#freed.has(at.key)) return ok(true);
    if (standing.kind === "blocked") {
      return refused({ kind: "file", path: typed, why: message("whyUnder") });
    }
    if (standing.kind === "nothing" && !standing.link) {
      const { spelled } = standing;
      if (spelled === undefined || this.#freed.has(keyOf(at.file.folder, spelled))) return ok(true);
      return refused({ kind: "path", path: typed, why: sameName(spelled) });
    }
    if (standing.kind !== "file") return refused({ kind: "exists", path: typed, same: false });
    const reading = text === undefined ? undefined : await this.#workspace.read(at.file);
    return refused({ kind: "exists", path: typed, same: reading?.kind === "text" && reading.text === text });
  }

  /** The same name in other letter case: free where nothing but the file itself stands under it. */
  isCaseRename(from: Target, to: Target): boolean {
    const { kind, link, spelled } = to.standing;
    const isItsOwn = kind === "nothing" && !link && (spelled === undefined || spelled === from.file.path);
    const isAlike = from.key !== to.key && clash(from.key) === clash(to.key);
    if (!isItsOwn || !isAlike || folderOf(from.file) !== folderOf(to.file)) return false;
    return [...this.drafts.keys()].every((key) => key === from.key || clash(key) !== clash(to.key));
  }

  add(at: Target, text: string): void {
    const lines = splitLines(text);
    this.drafts.set(at.key, { at, origin: undefined, base: undefined, lines, splices: [], hunks: [] });
  }

  keep(draft: Draft): void {
    this.drafts.set(draft.at.key, draft);
  }

  move(draft: Draft, to: Target): void {
    this.drafts.delete(draft.at.key);
    this.#freed.add(draft.at.key);
    this.drafts.set(to.key, { ...draft, at: to });
  }

  delete(at: Target, draft: Draft): void {
    this.drafts.delete(at.key);
    this.#freed.add(at.key);
    if (draft.origin !== undefined && draft.base !== undefined) {
      this.deleted.set(draft.origin.key, { at: draft.origin, base: draft.base });
    }
  }
}

function keyOf(folder: string, real: string): string {
  return `${folder}\0${real}`;
}

/** Two keys that are equal in this form are one file on some systems. */
export function clash(key: string): string {
  return key.normalize("NFC").toUpperCase().toLowerCase();
}

const folderOf = ({ folder, path }: FileName): string =>
  `${folder}\0${path.slice(0, path.lastIndexOf("/") + 1)}`;

function sameName(other: string): Message {
  return message("whySameName", { path: other });
}

export function textNow({ lines, splices }: Draft): string {
  return splices.length === 0 ? lines.text : applyEdits(lines.text, editsOf(lines, splices));
}

function refuseStanding(standing: Standing): Message | undefined {
  if (standing.kind === "folder") return message("whyIsFolder");
  if (standing.kind !== "file") return message("whyOther");
  if (standing.bytes > limits.fileBytes) return message("whyLarge");
  return standing.writable ? undefined : message("whyReadOnly");
}
