// Attached text as the model gets it: framed in tags, cut to a length, and in diffs without files that are never sent.
// Pure; the same input gives the same bytes.
import { message } from "../conversation/messages.ts";
import type { Attachment, AttachmentView } from "../conversation/state.ts";
import { secretMark, takeOutSecrets } from "../files/privacy.ts";
import { Refusal } from "../files/refusal.ts";
import { createYieldPoint } from "../util/concurrency.ts";
import { asArray, asObject, asString, parseJson } from "../util/json.ts";
import { present } from "../util/present.ts";

export type Attributes = Readonly<Record<string, string | undefined>>;

/**
 * Frames attached text with a start tag that says what it is and an end tag, so that the text can be told from the
 * question.
 */
export function wrapInTag(tag: string, attributes: Attributes, body: string): string {
  const name = freeName(tag, body);
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${attributeText(value)}"`],
  );
  return `<${name}${written.join("")}>\n${body}\n</${name}>`;
}

/**
 * Picks a tag name whose end tag does not occur in the text. Otherwise the text could end its frame and speak in the
 * user's voice.
 */
function freeName(tag: string, body: string): string {
  const folded = body.toLowerCase();
  let name = tag;
  for (let number = 2; folded.includes(`</${name}`); number++) name = `${tag}-${number}`;
  return name;
}

export const attributeText = (value: string): string =>
  value
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ")
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;");

export interface CutLines {
  readonly lines: readonly string[];
  /** Index of the first line that is kept. */
  readonly first: number;
  readonly isCut: boolean;
  /** Not even one whole line fits, so part of a line is kept. */
  readonly isInside: boolean;
}

type Keep = "beginning" | "end";

/**
 * Cuts a text that is too long at a line end and keeps its beginning, or its end where that matters more. A single line
 * that is too long is cut between two characters.
 */
export function cutLines(lines: readonly string[], maxBytes: number, keep: Keep): CutLines {
  const ordered = keep === "beginning" ? lines : lines.toReversed();
  let bytes = 0;
  let count = 0;
  for (const line of ordered) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytes) break;
    count++;
  }
  const isCut = count < lines.length;
  const isInside = isCut && count === 0;
  const kept = isInside ? [cutText(ordered[0] ?? "", maxBytes, keep)] : ordered.slice(0, count);
  return {
    lines: keep === "beginning" ? kept : kept.toReversed(),
    first: keep === "beginning" ? 0 : lines.length - kept.length,
    isCut,
    isInside,
  };
}

/** Keeps as many whole characters as fit into `maxBytes`. */
export function cutText(text: string, maxBytes: number, keep: Keep): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const goesOn = (at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  let at = keep === "beginning" ? maxBytes : bytes.length - maxBytes;
  while (goesOn(at)) at += keep === "beginning" ? -1 : 1;
  return (keep === "beginning" ? bytes.subarray(0, at) : bytes.subarray(at)).toString("utf8");
}

/**
 * Turns what was attached to an earlier question back into attachments: by name if the name says where to read it,
 * otherwise from the text and pictures that were sent. Needed while a question is being asked again and belongs to no
 * turn: if the process ended then, no other record would say what was attached. `items`: the input items that were
 * sent for them, in order.
 */
export function restoreAttachments(views: readonly AttachmentView[], items: readonly string[]): Attachment[] {
  const contents = items.map(contentsOf);
  const texts = contents.flatMap((each) => each.texts);
  const pictures = contents.flatMap((each) => each.pictures);
  const frames = texts.flatMap(framesIn);
  return views.flatMap((view): Attachment[] => {
    const { kind, label: name, bytes, role } = view;
    const byName = named(view);
    if (byName !== undefined) return [byName];
    // Nothing of this attachment was sent.
    if (bytes === 0) return [];
    if (kind === "image") {
      const url = pictures.shift();
      return url === undefined ? [] : [{ kind, name, url }];
    }
    const called = `${role === undefined ? "" : `role="${attributeText(role)}" `}name="${attributeText(name)}"`;
    const index = frames.findIndex((frame) => frame.tag === kind && frame.attributes === called);
    const [frame] = index < 0 ? [] : frames.splice(index, 1);
    if (frame === undefined) return [];
    const known = kind === "terminal" || kind === "diff" || kind === "search" ? kind : "text";
    return [{ kind: known, name, text: frame.text, ...present({ role }) }];
  });
}

/** Attachments whose name says where to find them are read again when they are sent. */
function named({ kind, label, path, start, end, role }: AttachmentView): Attachment | undefined {
  const own = present({ role });
  if (kind === "file" && path !== undefined) return { kind, path, ...own };
  if (kind === "selection" && path !== undefined && start !== undefined && end !== undefined)
    return { kind, path, start, end, ...own };
  if (kind === "folder") return { kind, path: label.replace(/\/$/, "") };
  if (kind !== "problems") return undefined;
  const of = /^Problems of (.*)$/s.exec(label)?.[1];
  return of === undefined ? { kind, ...own } : { kind, path: of, ...own };
}

/** Whether an input item shows something that was attached to a question. */
export function showsAttachment(item: string): boolean {
  const { texts, pictures } = contentsOf(item);
  return pictures.length > 0 || texts.some((text) => framesIn(text).length > 0);
}

function contentsOf(item: string): { texts: string[]; pictures: string[] } {
  const content = asObject(parseJson(item))?.["content"];
  if (typeof content === "string") return { texts: [content], pictures: [] };
  const parts = asArray(content).map((part) => asObject(part) ?? {});
  const all = (name: string) => parts.flatMap((part) => asString(part[name]) ?? []);
  return { texts: all("text"), pictures: all("image_url") };
}

interface Frame {
  readonly tag: string;
  readonly attributes: string;
  readonly text: string;
}

/** Finds the frames that `wrapInTag` wrote, in order. No framed text contains its own end tag. */
function framesIn(text: string): Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  while (at < text.length) {
    const begun = text.indexOf("\n", at) + 1;
    const [, name = "", tag = "", attributes = ""] =
      /^<(([a-z]+)(?:-\d+)?)(?: (.*))?>$/.exec(text.slice(at, Math.max(begun - 1, at))) ?? [];
    const end = name === "" ? -1 : text.indexOf(`\n</${name}>`, begun);
    if (end >= 0) frames.push({ tag, attributes, text: text.slice(begun, end) });
    const next = text.indexOf("\n\n", Math.max(end, at));
    if (next < 0) break;
    at = next + 2;
  }
  return frames;
}

interface CleanDiff {
  readonly text: string;
  /** Number of files that were left out. */
  readonly hidden: number;
}

/** What Git says besides the lines of files: of a submodule its commits, by their titles (`diff.submodule`). */
const ofSubmodule = /^(?:Submodule .*| {2}[<>] .*|\s*)$/;
const inConflict = /(?<![^\n])\* Unmerged path [^\n]*\n?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a colour begins.
const colour = /\u001b\[[0-9;]*m/g;

interface GitDiff {
  readonly text: string;
  /** What another program has written of single files (`diff.<driver>.command`) was left out. */
  readonly isCut: boolean;
}

/**
 * A diff of Git's in the form that tells its files apart; a person's configuration may have it coloured. What another
 * program has written is left out, because nobody knows what it says about which file. Throws Refusal where it has
 * written the whole (`diff.external`).
 */
export function asGitWrites(diff: string, name: string): GitDiff {
  for (const text of [diff, diff.replace(colour, "")]) {
    const sections = sectionsOf(text.replace(inConflict, ""));
    const [before = ""] = sections;
    if (!before.startsWith("diff --") && !before.split("\n").every((line) => ofSubmodule.test(line)))
      continue;
    const own = sections.map(ownPart);
    return { text: own.join(""), isCut: own.some((part, at) => part.length < (sections[at]?.length ?? 0)) };
  }
  throw new Refusal(message("noteRefused", { name, why: message("whyDiffProgram") }));
}

const ofHeader =
  /^(?:index|(?:old |new |deleted file |new file )?mode|(?:dis)?similarity index|(?:rename|copy) (?:from|to)|---|\+\+\+|Binary files) /;
const ofHunk = /^@@+ [-+,\d ]{1,400} @@+/;

/** The lines of one file: its header and its hunks, of which each says how many lines it has. */
function ownPart(section: string): string {
  if (!section.startsWith("diff --")) return section;
  const lines = section.split("\n");
  let at = 1;
  while (ofHeader.test(lines[at] ?? "")) at++;
  for (let hunk = ofHunk.exec(lines[at] ?? ""); hunk !== null; hunk = ofHunk.exec(lines[at] ?? ""))
    at = endOfHunk(lines, at + 1, hunk[0]);
  while (at < lines.length && ofSubmodule.test(lines[at] ?? "")) at++;
  return at === lines.length ? section : `${lines.slice(0, at).join("\n")}\n`;
}

/** `head`: the numbers of lines on each of its sides, the new one last; a merge has several old ones. */
function endOfHunk(lines: readonly string[], first: number, head: string): number {
  const left = [...head.matchAll(/[-+]\d+(?:,(\d+))?/g)].map(([, count = "1"]) => Number(count));
  const olds = left.length - 1;
  let at = first;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith("\\ ")) continue;
    // A configuration may have Git leave the blank of an empty line out.
    const signs = [...line.slice(0, olds).padEnd(olds)];
    const isRemoved = signs.includes("-");
    if (left.every((count) => count <= 0) || !signs.every((sign) => " +-".includes(sign))) break;
    for (const [side, sign] of signs.entries())
      if (sign === (isRemoved ? "-" : " ")) left[side] = (left[side] ?? 0) - 1;
    if (!isRemoved) left[olds] = (left[olds] ?? 0) - 1;
  }
  return at;
}

/**
 * Filters a diff file by file: removes the sections of files that are never sent, under any spelling of their names.
 */
export async function withoutHidden(
  diff: string,
  keeps: (path: string, text: string) => boolean,
  signal: AbortSignal,
): Promise<CleanDiff> {
  const sections = sectionsOf(diff);
  const kept: string[] = [];
  const pause = createYieldPoint(signal);
  for (const section of sections) {
    let isHidden = false;
    const text = section.slice(Math.max(0, section.search(/^@@/m)));
    for (const path of pathsOf(section)) {
      await pause();
      isHidden = keeps(path, text);
      if (isHidden) break;
    }
    if (!isHidden) kept.push(section);
  }
  return { text: kept.join(""), hidden: sections.length - kept.length };
}

/** The number of a line in search results. */
const lineNumber = /^ {2}\d+: /;

/** In search results, a file is its path and the numbered lines below it. */
const resultsByFile = (results: string): string[] => results.split(/\n(?! {2}\d+: )/);

/** The same for search results. */
export async function withoutHiddenResults(
  results: string,
  keeps: (path: string, text: string) => boolean,
  signal: AbortSignal,
): Promise<CleanDiff> {
  const files = resultsByFile(results);
  const kept: string[] = [];
  const pause = createYieldPoint(signal);
  for (const file of files) {
    await pause();
    const end = file.indexOf("\n");
    if (end < 0 || !keeps(file.slice(0, end), file.slice(end + 1))) kept.push(file);
  }
  return { text: kept.join("\n"), hidden: files.length - kept.length };
}

interface WithoutSecrets {
  readonly text: string;
  readonly removed: number;
}

/** Removes secrets from search results. The lines are read without their numbers, since keys have several lines. */
export async function withoutSecretsInResults(
  results: string,
  clean: (text: string) => Promise<WithoutSecrets>,
  signal: AbortSignal,
): Promise<WithoutSecrets> {
  const kept: string[] = [];
  let removed = 0;
  const pause = createYieldPoint(signal);
  for (const file of resultsByFile(results)) {
    await pause();
    const [path = "", ...lines] = file.split("\n");
    const numbers = lines.map((line) => lineNumber.exec(line)?.[0] ?? "");
    const found = lines.map((line, at) => line.slice(numbers[at]?.length));
    const whole = await clean(found.join("\n"));
    const pieces = withoutKeyLines(whole.text);
    removed += whole.removed + pieces.removed;
    const numbered = pieces.text.split("\n", lines.length).map((line, at) => `${numbers[at]}${line}`);
    kept.push([path, ...numbered].join("\n"));
  }
  return { text: kept.join("\n"), removed };
}

/** Keeps the sections of these files only. Paths are relative to the repository's root. */
export const onlyFiles = (diff: string, files: ReadonlySet<string>): string =>
  sectionsOf(diff)
    .filter((section) => headerPaths(section).some((path) => files.has(path)))
    .join("");

/** No other line end than Git's begins one: a file may have them inside of its lines. */
const sectionsOf = (diff: string): string[] => diff.split(/(?<![^\n])(?=diff --(?:git|cc|combined) )/);

/**
 * Paths as git means them: the prefix before the first slash (`a/`, `b/`) is git's own. Lines of file content are not
 * mistaken for headers.
 */
function headerPaths(section: string): string[] {
  const [header = ""] = section.split(/^@@/m, 1);
  const plain = (name: string) => name.trimEnd().replace(/^"(.*)"$/, (_, quoted) => unescaped(quoted));
  const prefixed = [...header.matchAll(/^(?:---|\+\+\+) (.+)$/gm)].map(([, name = ""]) =>
    plain(name).replace(/^[a-z]\//, ""),
  );
  const bare = [...header.matchAll(/^(?:(?:rename|copy) (?:from|to)|diff --(?:cc|combined)) (.+)$/gm)];
  const same = twiceNamed(/^diff --git (.+)$/m.exec(header)?.[1] ?? "");
  return [...prefixed, ...bare.map(([, name = ""]) => plain(name)), ...same];
}

/** Splits `a/x b/x` and `"a/x" "b/x"`, whose halves name the same file. */
function twiceNamed(names: string): string[] {
  const middle = names.length >> 1;
  const [one, other] = [names.slice(0, middle), names.slice(middle + 1)];
  if (names.charAt(middle) !== " " || one.length !== other.length) return [];
  const [, quoted] = /^"[a-z]\/(.+)"$/.exec(one) ?? [];
  const name = quoted ?? /^[a-z]\/(.+)$/.exec(one)?.[1] ?? "";
  const isSame = quoted === undefined ? other.slice(2) === name : other.slice(3, -1) === name;
  return name === "" || !isSame ? [] : [quoted === undefined ? name : unescaped(quoted)];
}

/** Every name that a section gives to its file, without git's quotes and escapes. */
function pathsOf(section: string): string[] {
  const named = (line: RegExp) => [...section.matchAll(line)].map(([, name = ""]) => name.trimEnd());
  const names = [
    ...named(/^(?:---|\+\+\+) (.+)$/gm),
    ...named(/^(?:rename|copy) (?:from|to) (.+)$/gm),
    ...named(/^diff --(?:cc|combined) (.+)$/gm),
  ];
  const pairs = named(/^diff --git (.+)$/gm);
  const all = [...names, ...pairs, ...pairs.flatMap(halvesOf)].flatMap(spellings);
  return [...new Set(all)].filter((path) => path !== "" && path !== "/dev/null");
}

/** Longer headers are refused for their length alone. */
const longestNames = 16 * 1024;

/** Both names of `a/x y b/x y`, if they are equally long. */
function halvesOf(names: string): string[] {
  const middle = names.length >> 1;
  return names.charAt(middle) === " " ? [names.slice(0, middle), names.slice(middle + 1)] : [];
}

/** Possible readings of a name: `a/x b/x`, `"a/\303\244" …`, `a/x` and `x`. */
function spellings(name: string): string[] {
  if (name.length > longestNames) return [name];
  const parts = [...name.matchAll(/"((?:[^"\\]|\\.)*)"|\S+/g)].map(([whole, quoted]) =>
    quoted === undefined ? whole : unescaped(quoted),
  );
  return [name, ...parts].flatMap((path) => [path, path.replace(/^[a-z]\//, "")]);
}

/** Git escapes these control characters with a letter, and other characters that it escapes with themselves. */
const controls: Readonly<Record<string, string>> = {
  ...{ a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" },
};

function unescaped(name: string): string {
  const bytes: Uint8Array[] = [];
  for (const [piece] of name.matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (/^\\[0-7]{3}$/.test(piece)) bytes.push(Uint8Array.of(Number.parseInt(piece.slice(1), 8) & 255));
    else {
      const letter = piece.slice(1);
      bytes.push(Buffer.from(piece.startsWith("\\") ? (controls[letter] ?? letter) : piece));
    }
  }
  return Buffer.concat(bytes).toString("utf8");
}

/**
 * Matches a line of a PEM key after the diff's sign and its indentation: it has the usual length and contains lower-case letters,
 * upper-case letters and digits.
 */
const keyLine =
  /^[-+ \t]{0,80}(?![-+ \t])(?=[^\n]*[a-z])(?=[^\n]*[A-Z])(?=[^\n]*[0-9])[A-Za-z0-9+/]{60,76}={0,2}\r?$/;

/**
 * Removes lines of private keys. A diff or a search shows excerpts, so key lines may appear without the key's header; two such
 * lines in a row are treated as a key.
 */
export function withoutKeyLines(diff: string): WithoutSecrets {
  const lines = diff.split("\n");
  const isKey = lines.map((line) => line.length < 160 && keyLine.test(line));
  const isPart = (at: number) => isKey[at] === true && (isKey[at - 1] === true || isKey[at + 1] === true);
  const removed = lines.filter((_, at) => isPart(at) && !isPart(at - 1)).length;
  if (removed === 0) return { text: diff, removed };
  const clean = lines.map((line, at) =>
    isPart(at) ? `${/^[-+ ]/.exec(line)?.[0] ?? ""}${secretMark}` : line,
  );
  return { text: clean.join("\n"), removed };
}

/** Lines that are quoted from a file or a diff, as they may be stored and sent. */
export const cleanQuote = (quoted: string): string => withoutKeyLines(takeOutSecrets(quoted).text).text;

/** The part of a diff about one file, under the name the file has afterwards. */
interface FileDiff {
  readonly path: string;
  readonly text: string;
  /** The diff says only that the file differs, not how. */
  readonly isBinary: boolean;
}

export const splitByFile = (diff: string): readonly FileDiff[] =>
  sectionsOf(diff).flatMap((text) => {
    const [header = ""] = text.split(/^@@/m, 1);
    const path = headerPaths(text).findLast((each) => each !== "/dev/null") ?? header.split("\n", 1)[0] ?? "";
    const isBinary = /^(?:Binary files .* differ|GIT binary patch)$/m.test(header);
    return text.trim() === "" ? [] : [{ path, text, isBinary }];
  });
