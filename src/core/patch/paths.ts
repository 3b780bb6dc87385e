// Which files a patch may name. The typed path is judged by its spelling first, then by where it really leads once
// links are followed. Windows' rules hold on every system, so that a repository behaves the same for everybody.
import { type Message, message } from "../messages/message.ts";
import { refusePathSize } from "../util/path-limits.ts";
import { trimEnd } from "../util/trim-end.ts";
import type { FileName, FolderRoot, NoteCode, Permission, Standing, Workspace } from "./model.ts";
import { otherReasons, protectionOf, worstFirst } from "./reasons-to-ask.ts";

export type Named =
  | {
      readonly kind: "named";
      readonly file: FileName;
      readonly notes?: readonly NoteCode[];
      /** Folders that `..` leaves again: none of them may be a link, which would lead elsewhere from there. */
      readonly left?: readonly FileName[];
    }
  | { readonly kind: "denied"; readonly why: Message };

const denied = (why: Message): Named => ({ kind: "denied", why });

/** Spelling alone: no disk, no network name is ever looked at for a path that fails here. */
export function readPath(
  typed: string,
  folders: readonly string[],
  roots: readonly FolderRoot[] = [],
): Named {
  const why = refuseWhole(typed);
  if (why !== undefined) return denied(why);
  const segments = segmentsOf(typed);
  const absolute = refuseAbsolute(typed);
  const isOnNetwork = /^[/\\]{2}/.test(typed);
  const root = absolute === undefined || isOnNetwork ? undefined : rootOf(segments, roots);
  if (absolute !== undefined && root === undefined) return denied(absolute);
  const own = root === undefined ? segments : segments.slice(segmentsOf(root.path).length);
  for (const [at, segment] of own.entries()) {
    const reason = refuseSegment(segment, at === 0);
    if (reason !== undefined) return denied(reason);
  }
  if (root !== undefined) return inFolder(root.folder, own, ["absolute-path"]);
  const [only] = folders;
  if (only === undefined) return denied(message("whyNoFolder"));
  if (folders.length === 1) return inFolder(only, own);
  const folder = folders.find((name) => name === own[0]);
  if (folder !== undefined) return inFolder(folder, own.slice(1));
  return denied(message("whyNoRoot", { names: folders.join(", ") }));
}

function segmentsOf(typed: string): string[] {
  return typed
    .split(/[/\\]/)
    .filter((segment, at, all) => segment !== "." && !(segment === "" && at > 0 && at < all.length - 1));
}

/** The innermost of the folders that the path begins with. */
function rootOf(segments: readonly string[], roots: readonly FolderRoot[]): FolderRoot | undefined {
  const depth = ({ path }: FolderRoot) => segmentsOf(path).length;
  const holding = roots.filter(({ path }) => {
    return path !== "" && segmentsOf(path).every((segment, at) => isSameStep(segment, segments[at], at));
  });
  return holding.sort((one, other) => depth(other) - depth(one))[0];
}

/** Of a drive's letter the case says nothing. */
function isSameStep(one: string, other: string | undefined, at: number): boolean {
  const isDrive = at === 0 && /^[A-Za-z]:$/.test(one);
  return one === other || (isDrive && one.toLowerCase() === other?.toLowerCase());
}

function inFolder(folder: string, segments: readonly string[], notes: readonly NoteCode[] = []): Named {
  const path: string[] = [];
  const left: FileName[] = [];
  for (const segment of segments) {
    if (segment !== "..") path.push(segment);
    else if (path.length === 0) return denied(upwards);
    else {
      left.push({ folder, path: path.join("/") });
      path.pop();
    }
  }
  if (path.length === 0 || segments.at(-1) === "..") return denied(message("whyFolder"));
  const file = { folder, path: path.join("/") };
  const all: readonly NoteCode[] = left.length > 0 ? [...notes, "dotted-path"] : notes;
  return {
    kind: "named",
    file,
    ...(all.length > 0 && { notes: all }),
    ...(left.length > 0 && { left }),
  };
}

const upwards = message("whyUpwards");
const unsafe = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

function refuseWhole(typed: string): Message | undefined {
  const tooLarge = refusePathSize(typed);
  if (tooLarge !== undefined) return message(tooLarge);
  if (typed.trim() === "") return message("whyEmpty");
  if (unsafe.test(typed)) return message("whyControl");
  if (/^[A-Za-z][A-Za-z0-9+.-]+:/.test(typed)) return message("whyAddress");
  if (/[/\\]$/.test(typed)) return message("whyFolder");
  return undefined;
}

function refuseAbsolute(typed: string): Message | undefined {
  if (/^[/\\]/.test(typed)) return message("whyAbsolute");
  if (/^[A-Za-z]:/.test(typed)) return message("whyDrive");
  return undefined;
}

const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)$/i;

function refuseSegment(segment: string, first: boolean): Message | undefined {
  if (segment === "..") return undefined;
  const plain = unescaped(segment).normalize("NFKC");
  if (/^\s*\.\.\s*$/.test(segment) || /^\s*\.\.\s*$/.test(plain)) return upwards;
  if (!/[/\\]/.test(segment) && /[/\\]/.test(plain)) return message("whySeparator");
  if (segment.trim() === "") return message("whyEmptyPart");
  if (new TextEncoder().encode(segment).length > 255) return message("whyLongPart");
  if (/[. ]$/.test(segment)) return message("whyDot");
  if (/[<>:"|?*]/.test(segment)) return message("whyWindows");
  if (devices.test(segment.replace(/[. ].*$/, ""))) return message("whyDevice");
  if (/^[^.~]{1,6}~\d{1,4}(\.[^.]{0,3})?$/.test(segment)) return message("whyShort");
  if (foldName(segment) === ".git") return message("whyGit");
  const variable = /^(~|\$\{?[A-Z_]+\}?$|\$\{.*\}$|%[^%]+%$)/.test(segment);
  return first && variable ? message("whyVariable") : undefined;
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Names that some file system takes for the same have the same folded form. */
export function foldName(path: string): string {
  const visible = path.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return visible
    .toUpperCase()
    .toLowerCase()
    .split("/")
    .map((part) => trimEnd(part, ". "))
    .join("/");
}

/** What standing there means for a path that is spelled well. */
export function permit(
  file: FileName,
  standing: Standing,
): Permission | { readonly verdict: "deny"; readonly why: Message } {
  const { real } = standing;
  if (real === undefined) return { verdict: "deny", why: message("whyOut") };
  if (standing.guarded) return { verdict: "deny", why: message("whyGuarded") };
  const folded = [...new Set([file.path, real])].map(foldName);
  if (folded.some((path) => path.split("/").includes(".git"))) {
    return { verdict: "deny", why: message("whyGit") };
  }
  if (folded.some((path) => path.endsWith(".ipynb"))) {
    return { verdict: "deny", why: message("whyNotebook") };
  }
  const reasons = new Set(standing.protection === "lifted" ? [] : folded.flatMap(protectionOf));
  if (standing.protection === "added") reasons.add(otherReasons.settings);
  if (standing.names > 1) reasons.add(otherReasons.hardLink);
  if (standing.ignored === true) reasons.add(otherReasons.ignored);
  return { verdict: reasons.size > 0 ? "confirm" : "allow", reasons: worstFirst(reasons), real };
}

/** What stands there, with the file as the disk spells it where the patch differs in Unicode form only. */
export async function findStanding(
  workspace: Workspace,
  { file, left = [] }: Extract<Named, { readonly kind: "named" }>,
): Promise<{ readonly file: FileName; readonly standing: Standing } | { readonly why: Message }> {
  for (const folder of left) {
    const { link, kind } = await workspace.look(folder);
    if (link || kind === "other") return { why: upwards };
  }
  const standing = await workspace.look(file);
  const { spelled } = standing;
  if (spelled === undefined || spelled === file.path) return { file, standing };
  if (spelled.normalize("NFC") !== file.path.normalize("NFC")) return { file, standing };
  const found = { folder: file.folder, path: spelled };
  return { file: found, standing: await workspace.look(found) };
}

export interface Spelling {
  readonly typed: string;
  readonly note: NoteCode;
  /** Whether it may also name what is not there yet. */
  readonly mayBeNew: boolean;
}

/** How else a path may be meant, where nothing stands at the path itself: in quotes, or as Git writes it. */
export function otherSpellings(typed: string): readonly Spelling[] {
  const inQuotes = /^(["'`])(.+)\1$/.exec(typed)?.[2];
  const bare = [typed, ...(inQuotes === undefined ? [] : [inQuotes])];
  const prefixed = bare.filter((path) => /^[ab]\/./.test(path));
  return [
    ...bare.slice(1).map((path) => ({ typed: path, note: "quoted-path" as const, mayBeNew: true })),
    ...prefixed.map((path) => ({ typed: path.slice(2), note: "prefixed-path" as const, mayBeNew: false })),
  ];
}
