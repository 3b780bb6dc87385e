// Looks up every name in a patch and reads the files behind them before the patch is planned, so that planning needs no
// file system. Everything found here is plain data.
import { type Message, message } from "../../conversation/messages.ts";
import { createYieldPoint } from "../../util/concurrency.ts";
import {
  type FileName,
  type FileSection,
  limits,
  type NoteCode,
  type PathInfo,
  type Permission,
  type Reading,
  type Workspace,
} from "../model.ts";
import type { Refusal } from "../patch-error.ts";
import { findPathInfo, otherSpellings, permissionFor, readPath } from "../paths.ts";

/** A name from the patch that may be touched, and what is there on disk. */
export interface ResolvedTarget {
  readonly typed: string;
  readonly file: FileName;
  readonly info: PathInfo;
  readonly permission: Permission;
  readonly key: string;
  /** What was tolerated to read it. */
  readonly notes: readonly NoteCode[];
}

export type Outcome<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export const ok = <T>(value: T): Outcome<T> => ({ kind: "ok", value });
export const refused = (refusal: Refusal): Outcome<never> => ({ kind: "refused", refusal });

interface Spelling {
  /** Whether it may also name a file that does not exist yet. */
  readonly mayBeNew: boolean;
  readonly found: Outcome<ResolvedTarget>;
}

export interface PatchTargets {
  /** For each name as the patch has it, its possible spellings; the first is the name itself. */
  readonly names: ReadonlyMap<string, readonly Spelling[]>;
  /** What was read, by `fileKey`. */
  readonly texts: ReadonlyMap<string, Reading>;
}

/** The names of a section. */
export type NamedSection = Pick<FileSection, "kind" | "path"> & { readonly moveTo?: string | undefined };

export const fileKey = ({ folder, path }: FileName): string => `${folder}\0${path}`;

/** The identity of a file: where it really is. */
export const realKey = (folder: string, real: string): string => `${folder}\0${real}`;

/** How many characters were read. */
export function sizeOf({ texts }: PatchTargets): number {
  let size = 0;
  for (const reading of texts.values()) if (reading.kind === "text") size += reading.text.length;
  return size;
}

/** `moveTo` as the patch has it, or without Git's prefix. */
export const movedTo = (moveTo: string, isPrefixed: boolean): string =>
  isPrefixed ? moveTo.replace(/^(["'`]?)[ab]\//, "$1") : moveTo;

export async function locateTargets(
  sections: readonly NamedSection[],
  workspace: Workspace,
): Promise<PatchTargets> {
  const names = new Map<string, readonly Spelling[]>();
  const texts = new Map<string, Reading>();
  const look = async (typed: string) => {
    const known = names.get(typed) ?? (await spellingsOf(typed, workspace));
    names.set(typed, known);
    return known;
  };
  const nextStep = createYieldPoint();
  for (const { kind, path, moveTo } of sections) {
    await nextStep();
    const isNew = kind === "add";
    const target = chooseSpelling(await look(path), isNew, isOnDisk);
    if (target.kind === "ok" && isRead(target.value, isNew) && !texts.has(fileKey(target.value.file))) {
      const { file } = target.value;
      texts.set(fileKey(file), await workspace.read(file));
    }
    if (moveTo === undefined) continue;
    await look(movedTo(moveTo, false));
    await look(movedTo(moveTo, true));
  }
  return { names, texts };
}

/** `isNew`: the path may be absent, because the patch is going to create it. */
export function chooseSpelling(
  [literal, ...others]: readonly Spelling[],
  isNew: boolean,
  isThere: (target: ResolvedTarget) => boolean,
): Outcome<ResolvedTarget> {
  if (literal === undefined) throw new Error("A name of the patch was not looked up.");
  if (literal.found.kind === "ok" && isThere(literal.found.value)) return literal.found;
  for (const { mayBeNew, found } of others) {
    if (isNew && !mayBeNew) continue;
    if (found.kind === "ok" && (isNew || isThere(found.value))) return found;
  }
  return literal.found;
}

export const isOnDisk = ({ info }: ResolvedTarget): boolean =>
  info.kind !== "nothing" || info.spelled !== undefined;

/** A file that cannot be changed is not read; one in place of an addition is, to tell whether it has the same text. */
const isRead = ({ info }: ResolvedTarget, isNew: boolean): boolean =>
  info.kind === "file" && (isNew || (info.spelled === undefined && refusePath(info) === undefined));

export function refusePath(standing: PathInfo): Message | undefined {
  if (standing.kind === "folder") return message("whyIsFolder");
  if (standing.kind !== "file") return message("whyOther");
  if (standing.bytes > limits.fileBytes) return message("whyLarge");
  return standing.writable ? undefined : message("whyReadOnly");
}

async function spellingsOf(typed: string, workspace: Workspace): Promise<readonly Spelling[]> {
  const literal = await locate(typed, workspace);
  const spellings: Spelling[] = [{ mayBeNew: true, found: literal }];
  if (literal.kind === "ok" && isOnDisk(literal.value)) return spellings;
  for (const { typed: other, note, mayBeNew } of otherSpellings(typed))
    spellings.push({ mayBeNew, found: await locate(other, workspace, note) });
  return spellings;
}

async function locate(
  typed: string,
  workspace: Workspace,
  ...notes: readonly NoteCode[]
): Promise<Outcome<ResolvedTarget>> {
  const deny = (why: Message) => refused({ kind: "path", path: typed, why });
  const named = readPath(typed, workspace.folders, workspace.roots);
  if (named.kind === "denied") return deny(named.why);
  const found = await findPathInfo(workspace, named);
  if ("why" in found) return deny(found.why);
  const { file, standing } = found;
  const permission = permissionFor(file, standing);
  if (permission.verdict === "deny") return deny(permission.why);
  const key = realKey(file.folder, permission.real);
  return ok({ typed, file, info: standing, permission, key, notes: [...notes, ...(named.notes ?? [])] });
}
