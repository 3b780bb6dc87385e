// Which files a patch may name, and which of them need a person's confirmation.

import { type Message, message } from "../conversation/messages.ts";
import { memoizeLru } from "../util/collections.ts";
import { showHidden } from "../util/hidden-characters.ts";
import { parsedUrl } from "../util/parsed-url.ts";
import { trimEnd } from "../util/text.ts";
import { hasOddBlanks } from "./internal/odd-blanks.ts";
import { protectedPaths } from "./internal/protected-paths.ts";
import type { FileName, FolderRoot, NoteCode, PathInfo, Permission, Workspace } from "./model.ts";
import { isNotebook } from "./notebook.ts";

// Limits for the length and depth of a path from any source: the model, a link, a diff, the workspace itself. Check
// them before a path is split, matched against rules or looked up on disk.

const longest = 1024;
const deepest = 64;

/** The reason code why a path is rejected; undefined for one of normal size. */
export function refusePathSize(path: string): "whyTooLong" | "whyTooDeep" | undefined {
  if (path.length > longest) return "whyTooLong";
  let depth = 1;
  for (let at = 0; at < path.length; at++) if ("/\\".includes(path.charAt(at))) depth++;
  return depth > deepest ? "whyTooDeep" : undefined;
}

/** Shortens a path for use in a sentence. */
export const shortPath = (path: string): string => (path.length <= longest ? path : `${path.slice(0, 100)}…`);

// Reasons why a patch needs a person's confirmation, whatever the settings say: it touches files that execute,
// configure or unlock something, or it writes characters that nobody can see. Paths are expected as `foldName` folds
// them.

const formOfSign: Readonly<Record<string, string>> = { "*": "[^/]*", "{": "(?:", "}": ")", ",": "|" };

const rules = protectedPaths.map(({ why, files }) => ({
  why,
  form: new RegExp(`(?:^|/)(?:${files.map(formOf).join("|")})$`, "su"),
}));

function formOf(pattern: string): string {
  const form = pattern.replace(/[*{},.\\+?()[\]^$|]/g, (sign) => formOfSign[sign] ?? `\\${sign}`);
  const rest = pattern.endsWith("/") ? ".+" : "";
  if (/^\.[^/]+\/$/.test(pattern)) return `${form.slice(0, -1)}(?:/.+)?`;
  return pattern.startsWith("/") ? `(?<!.)${form.slice(1)}${rest}` : form + rest;
}

/** Cached, because it is asked for the same names whenever pending proposals are looked at. */
export const protectionOf = memoizeLru((foldedPath): readonly Message[] =>
  rules.filter(({ form }) => form.test(foldedPath)).map(({ why }) => why),
);

/** Reasons other than those of the paths and of the text. */
export const confirmationReasons = {
  settings: message("cautionSettings"),
  hardLink: message("cautionHardLink"),
  ignored: message("cautionIgnored"),
  emptied: message("cautionEmptied"),
  replaced: message("cautionReplaced"),
} as const;

/**
 * A review shows these completely. All others also need confirmation outside the page, because the page can be
 * imitated.
 */
const shownInReview: ReadonlySet<string> = new Set([
  confirmationReasons.ignored.code,
  confirmationReasons.emptied.code,
  confirmationReasons.replaced.code,
]);

// Reasons are compared by their code, because a plan that was made in another thread has copies of them.

export const isSensitive = (reasons: readonly Message[]): boolean =>
  reasons.some(({ code }) => !shownInReview.has(code));

/** Whether only the names of its files need confirmation, so that a pattern in the settings can lift it. */
export const isLiftable = ({ permission }: { readonly permission: Pick<Permission, "reasons"> }): boolean =>
  permission.reasons.every(({ code }) => protectedPaths.some(({ why }) => why.code === code));

/** Sorts by severity: invisible text first, then paths in their order, and last what merely selects packages. */
export const mostSevereFirst = (reasons: Iterable<Message>): Message[] =>
  [...reasons].sort((one, other) => weightOf(one) - weightOf(other));

export function weightOf(reason: Message | undefined): number {
  const at = protectedPaths.findIndex(({ why }) => why.code === reason?.code);
  if (at >= 0) return at + 1;
  return isOther(reason) ? protectedPaths.length - 0.5 : 0;
}

const isOther = (reason: Message | undefined): boolean =>
  Object.values<Message>(confirmationReasons).some(({ code }) => code === reason?.code);

const knownSchemas =
  /^(json-schema\.org|json\.schemastore\.org|www\.schemastore\.org|schemastore\.org|www\.w3\.org|maven\.apache\.org|schemas\.microsoft\.com|schemas\.android\.com)$/;

/** What the text that a patch writes would set in motion by its mere presence. `path` distinguishes code from prose. */
export function dangersIn(text: string, path = ""): readonly Message[] {
  const dangers = /^[\t\n -~]*$/.test(text) ? [] : hiddenIn(text, path);
  const hosts = new Set<string>();
  for (const address of fetchedBy(withoutEscapes(text))) {
    const whole = address.startsWith("//") ? `https:${address}` : address;
    const host = parsedUrl(whole)?.hostname ?? address;
    if (!knownSchemas.test(host)) hosts.add(host);
  }
  return [...dangers, ...[...hosts].map((host) => message("cautionSchema", { host }))];
}

/** What the text would hide from whoever reads it. Plain ASCII hides nothing. */
function hiddenIn(text: string, path: string): Message[] {
  const dangers: Message[] = [];
  if (/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/.test(text)) dangers.push(message("cautionDirection"));
  // This includes the ideographic variation selectors: each can carry a hidden byte.
  const hides = /[\u{E0100}-\u{E01EF}]/u.test(text) || hidesSomething(text);
  if (hides || hasOddBlanks(text, path)) dangers.push(message("cautionInvisible"));
  if (/(?![\t\n\r])\p{Cc}|\r(?!\n)/u.test(text)) dangers.push(message("cautionControl"));
  return dangers;
}

/** Apart from control and text-direction characters, which have messages of their own. */
const hidesSomething = (text: string): boolean =>
  showHidden(text.replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "")).some(
    ({ hidden }) => hidden,
  );

const escapes =
  /\\u\{(?<point>[0-9a-fA-F]{1,6})\}|\\u(?<unit>[0-9a-fA-F]{4})|\\U(?<long>[0-9a-fA-F]{8})|\\x(?<byte>[0-9a-fA-F]{2})|&#[xX](?<hex>[0-9a-fA-F]{1,6});|&#(?<decimal>[0-9]{1,7});|\\(?=\/)/g;

/**
 * Resolves escapes: JSON and YAML read `"\u0024schema"` and `https:\/\/`, XML reads `&#36;`, as the characters they
 * encode.
 */
const withoutEscapes = (text: string): string => text.replace(escapes, meant);

function meant(whole: string, ...found: unknown[]): string {
  if (whole === "\\") return "";
  const { decimal, ...codes } = found.at(-1) as Record<string, string | undefined>;
  const hex = Object.values(codes).find((code) => code !== undefined);
  const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  return point <= 0x10ffff ? String.fromCodePoint(point) : "";
}

const tokens =
  /<!DOCTYPE|<!ENTITY|<\?xml-|schemaLocation\s*=\s*["']|#:schema[ \t]+|\$schema["']?\s*[:=]\s*(?:\/\*[^*]*\*+\/\s*)*["']?|[>"']|(?:https?:|ftp:|file:)?\/\/[^"'\s>]+/gi;

/**
 * Returns the addresses in positions where editors look for a schema. In one pass, since one search per opening could
 * take minutes.
 */
function fetchedBy(text: string): string[] {
  const found: string[] = [];
  let inTag = false;
  let inLocation = false;
  let schemaEnds = -1;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token.startsWith("<")) inTag = true;
    else if (token === ">") inTag = false;
    else if (/^schemaLocation/i.test(token)) inLocation = true;
    else if (/^[$#]/.test(token)) schemaEnds = index + token.length;
    else if (/^["']$/.test(token)) inLocation = false;
    else if (schemaEnds === index) found.push(token);
    // A public identifier contains slashes: "-//W3C//DTD HTML 4.01//EN".
    else if ((inTag || inLocation) && !/[^"'\s]\/\//.test(text.slice(Math.max(0, index - 1), index + 2)))
      found.push(token);
  }
  return found;
}

// How a path is read: it is judged by its spelling first, then by where it really leads once links are followed.
// Windows' rules apply on every system, so that a repository behaves the same for everybody.

type ParsedPath =
  | {
      readonly kind: "named";
      readonly file: FileName;
      readonly notes?: readonly NoteCode[];
      /** Folders that a `..` leaves again. None of them may be a link, because `..` would then lead elsewhere. */
      readonly left?: readonly FileName[];
    }
  | { readonly kind: "denied"; readonly why: Message };

const denied = (why: Message): ParsedPath => ({ kind: "denied", why });

/** Checks the spelling only. The disk or network is never accessed for a path that fails here. */
export function readPath(
  typed: string,
  folders: readonly string[],
  roots: readonly FolderRoot[] = [],
): ParsedPath {
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

/** Compares path segments; a drive letter's case is ignored. */
function isSameStep(one: string, other: string | undefined, at: number): boolean {
  const isDrive = at === 0 && /^[A-Za-z]:$/.test(one);
  return one === other || (isDrive && one.toLowerCase() === other?.toLowerCase());
}

function inFolder(folder: string, segments: readonly string[], notes: readonly NoteCode[] = []): ParsedPath {
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

/** Names that some file system considers equal have the same folded form. */
export function foldName(path: string): string {
  // Most names are plain ASCII, of which only the case is folded.
  if (/^[!-~]*$/.test(path) && !/\.(?:\/|$)/.test(path)) return path.toLowerCase();
  const visible = path.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return visible
    .toUpperCase()
    .toLowerCase()
    .split("/")
    .map((part) => trimEnd(part, ". "))
    .join("/");
}

/** The permission for a well-spelled path, given what is there. */
export function permissionFor(
  file: FileName,
  standing: PathInfo,
): Permission | { readonly verdict: "deny"; readonly why: Message } {
  const { real } = standing;
  if (real === undefined) return { verdict: "deny", why: message("whyOut") };
  if (standing.guarded) return { verdict: "deny", why: message("whyGuarded") };
  const folded = [...new Set([file.path, real])].map(foldName);
  if (folded.some((path) => path.split("/").includes(".git"))) {
    return { verdict: "deny", why: message("whyGit") };
  }
  // Under another name, it would be read and written as what is in its file.
  if (folded.some((path) => path.endsWith(".ipynb")) && ![file.path, real].every(isNotebook)) {
    return { verdict: "deny", why: message("whyNotebookName") };
  }
  const reasons = new Set(standing.protection === "lifted" ? [] : folded.flatMap(protectionOf));
  if (standing.protection === "added") reasons.add(confirmationReasons.settings);
  if (standing.names > 1) reasons.add(confirmationReasons.hardLink);
  if (standing.ignored === true) reasons.add(confirmationReasons.ignored);
  return { verdict: reasons.size > 0 ? "confirm" : "allow", reasons: mostSevereFirst(reasons), real };
}

/** What is at the path, with the file as spelled on disk if the patch differs in Unicode form only. */
export async function findPathInfo(
  workspace: Workspace,
  { file, left = [] }: Extract<ParsedPath, { readonly kind: "named" }>,
): Promise<{ readonly file: FileName; readonly standing: PathInfo } | { readonly why: Message }> {
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

interface Spelling {
  readonly typed: string;
  readonly note: NoteCode;
  /** Whether it may also name a file that does not exist yet. */
  readonly mayBeNew: boolean;
}

/** Other readings of a path, for when nothing is at the path itself: in quotes, or as Git writes it. */
export function otherSpellings(typed: string): readonly Spelling[] {
  const inQuotes = /^(["'`])(.+)\1$/.exec(typed)?.[2];
  const bare = [typed, ...(inQuotes === undefined ? [] : [inQuotes])];
  const prefixed = bare.filter((path) => /^[ab]\/./.test(path));
  return [
    ...bare.slice(1).map((path) => ({ typed: path, note: "quoted-path" as const, mayBeNew: true })),
    ...prefixed.map((path) => ({ typed: path.slice(2), note: "prefixed-path" as const, mayBeNew: false })),
  ];
}
