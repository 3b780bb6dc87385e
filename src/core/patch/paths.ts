// Which files a patch may name. The typed path is judged by its spelling first, then by where it really leads once
// links are followed. Windows' rules hold on every system, so that a repository behaves the same for everybody.
import type { FileName, Permission, Standing, Workspace } from "./model.ts";
import { protectionOf } from "./protection.ts";

export type Named =
  | { readonly kind: "named"; readonly file: FileName }
  | { readonly kind: "denied"; readonly why: string };

/** Spelling alone: no disk, no network name is ever looked at for a path that fails here. */
export function readPath(typed: string, folders: readonly string[]): Named {
  const why = refuseWhole(typed);
  if (why !== undefined) return { kind: "denied", why };
  const segments = typed.split(/[/\\]/).filter((segment, at, all) => {
    return segment !== "." && !(segment === "" && at > 0 && at < all.length - 1);
  });
  for (const [at, segment] of segments.entries()) {
    const reason = refuseSegment(segment, at === 0);
    if (reason !== undefined) return { kind: "denied", why: reason };
  }
  const [only] = folders;
  if (only === undefined) return { kind: "denied", why: "no folder is open" };
  if (folders.length === 1) return inFolder(only, segments);
  const folder = folders.find((name) => name === segments[0]);
  if (folder !== undefined) return inFolder(folder, segments.slice(1));
  return { kind: "denied", why: `with several folders open it must begin with one of ${folders.join(", ")}` };
}

function inFolder(folder: string, segments: readonly string[]): Named {
  if (segments.length === 0) return { kind: "denied", why: "it names a folder" };
  return { kind: "named", file: { folder, path: segments.join("/") } };
}

const unsafe = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

function refuseWhole(typed: string): string | undefined {
  if (typed.trim() === "") return "it is empty";
  if (typed.length > 4096) return "it is too long";
  if (unsafe.test(typed)) return "it holds control or text-direction characters";
  if (/^[/\\]/.test(typed)) return "it is absolute; paths are relative to the open folder";
  if (/^[A-Za-z]:/.test(typed)) return "it names a drive; paths are relative to the open folder";
  if (/^[A-Za-z][A-Za-z0-9+.-]+:/.test(typed)) return "it is an address, not a path";
  if (/[/\\]$/.test(typed)) return "it names a folder";
  return undefined;
}

const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)$/i;

function refuseSegment(segment: string, first: boolean): string | undefined {
  const plain = unescaped(segment).normalize("NFKC");
  if (/^\s*\.\.\s*$/.test(segment) || /^\s*\.\.\s*$/.test(plain)) return "it leads upwards with '..'";
  if (!/[/\\]/.test(segment) && /[/\\]/.test(plain)) return "it hides a separator";
  if (segment.trim() === "") return "it has an empty part";
  if (new TextEncoder().encode(segment).length > 255) return "a part of it is too long";
  if (/[. ]$/.test(segment)) return "a part of it ends with a dot or a space";
  if (/[<>:"|?*]/.test(segment)) return "it holds a character that Windows keeps for itself";
  if (devices.test(segment.replace(/[. ].*$/, ""))) return "it is a device's name";
  if (/^[^.~]{1,6}~\d{1,4}(\.[^.]{0,3})?$/.test(segment)) return "it is a short (8.3) name";
  if (foldName(segment) === ".git") return "it lies in Git's own folder";
  const variable = /^(~|\$\{?[A-Z_]+\}?$|\$\{.*\}$|%[^%]+%$)/.test(segment);
  return first && variable ? "it stands for a place outside of the folder" : undefined;
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
    .map((part) => part.replace(/[. ]+$/, ""))
    .join("/");
}

/** What standing there means for a path that is spelled well. */
export function permit(
  file: FileName,
  standing: Standing,
): Permission | { readonly verdict: "deny"; readonly why: string } {
  const { real } = standing;
  if (real === undefined) return { verdict: "deny", why: "it leads out of the folder through a link" };
  if (standing.guarded) return { verdict: "deny", why: "it lies in a place that patches may not touch" };
  const folded = [foldName(file.path), foldName(real)];
  if (folded.some((path) => path.split("/").includes(".git"))) {
    return { verdict: "deny", why: "it lies in Git's own folder" };
  }
  if (folded.some((path) => path.endsWith(".ipynb"))) {
    return { verdict: "deny", why: "notebooks are edited cell by cell, not as text" };
  }
  const reasons = new Set(standing.protection === "lifted" ? [] : folded.flatMap(protectionOf));
  if (standing.protection === "added") reasons.add("the settings protect it");
  if (standing.names > 1) reasons.add("the file has another name on disk (a hard link)");
  return { verdict: reasons.size > 0 ? "confirm" : "allow", reasons: [...reasons], real };
}

/** The file as the disk spells it, where the patch differs in Unicode form only. */
export async function findStanding(
  workspace: Workspace,
  file: FileName,
): Promise<{ readonly file: FileName; readonly standing: Standing }> {
  const standing = await workspace.look(file);
  const { spelled } = standing;
  if (spelled === undefined || spelled === file.path) return { file, standing };
  if (spelled.normalize("NFC") !== file.path.normalize("NFC")) return { file, standing };
  const found = { folder: file.folder, path: spelled };
  return { file: found, standing: await workspace.look(found) };
}
