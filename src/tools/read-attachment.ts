// Turns an attachment that was asked for into text. It is read when it is sent, through the same guards as any tool,
// then framed, capped and redacted. What cannot be sent is replaced by a sentence, on the chip for the person and in
// the content for the model.

import { inEnglish } from "../conversation/english.ts";
import type { CleanContent } from "../conversation/events.ts";
import { type Message, message } from "../conversation/messages.ts";
import { type Attachment, type AttachmentView, maxPictureBytes, type Turn } from "../conversation/state.ts";
import type { GuardedFiles, GuardedText } from "../files/guarded-files.ts";
import { cleanText, secretsNote, takeOutSecrets } from "../files/privacy.ts";
import { isNamedPicture, largerThan, pictureUrl, Refusal, unlessTooLarge } from "../files/refusal.ts";
import { createYieldPoint } from "../util/concurrency.ts";
import { hidesCharacters } from "../util/hidden-characters.ts";
import { parsedUrl } from "../util/parsed-url.ts";
import { present } from "../util/present.ts";
import { trimEnd } from "../util/text.ts";
import { raceAbort } from "../util/timeouts.ts";
import {
  type Attributes,
  asGitWrites,
  type CutLines,
  cutLines,
  withoutHidden,
  withoutHiddenResults,
  withoutKeyLines,
  withoutSecretsInResults,
  wrapInTag,
} from "./attached-text.ts";
import { listPaths } from "./internal/list-files.ts";
import { listProblems } from "./internal/list-problems.ts";
import { linesOf } from "./internal/read-file.ts";

export interface AttachmentSources {
  readonly files: GuardedFiles;
  /** Maximum bytes per text. */
  readonly maxBytes: number;
  /** The turns of another conversation; `undefined` if it no longer exists. */
  turnsOf(conversation: string): Promise<readonly Turn[] | undefined>;
}

export interface ReadAttachment {
  readonly view: AttachmentView;
  readonly content: CleanContent;
  /** Nothing of it is sent, and the content says why. */
  readonly isRefused?: true;
  /** For an attachment that carries its own text: the same attachment with the redacted text. */
  readonly cleanWish?: Attachment;
}

/** Content that is about to be framed. */
interface FramedContent {
  readonly tag: string;
  readonly attributes: Attributes;
  readonly text: string;
  readonly notes: readonly Message[];
}

type Facts = Pick<AttachmentView, "kind" | "label" | "path" | "start" | "end" | "role">;

/**
 * A service may refuse this word in content (interface, "Cache behavior" 5). It is sent unchanged (requirements B18).
 */
const breakpointWord = "prompt_cache_breakpoint";

const maxTerminalBytes = 64 * 1024;
const maxConversationBytes = 128 * 1024;

export async function readAttachment(
  wish: Attachment,
  sources: AttachmentSources,
  signal: AbortSignal,
): Promise<ReadAttachment> {
  const facts = factsOf(wish);
  try {
    return await raceAbort(read(wish, facts, sources, signal), signal);
  } catch (error) {
    // Only a Refusal's message is safe to show; other errors may contain local paths.
    if (error instanceof Refusal) return refused(facts, error.asMessage);
    return refused(facts, message(signal.aborted ? "noteLate" : "noteUnread", { name: facts.label }));
  }
}

async function read(
  wish: Attachment,
  facts: Facts,
  sources: AttachmentSources,
  signal: AbortSignal,
): Promise<ReadAttachment> {
  const { files } = sources;
  if (wish.kind === "image") {
    await files.admit(wish.name, wish.place, signal);
    return readImage(wish, facts, signal);
  }
  if (wish.kind !== "file" || !isNamedPicture(wish.path)) {
    const found = await find(wish, sources, signal);
    const read = await finished(facts, found);
    return "text" in wish ? { ...read, cleanWish: { ...wish, text: found.text } } : read;
  }
  const picture = await files.readPicture(wish.path, signal);
  const view = { ...facts, bytes: picture.bytes.length };
  return { view, content: { kind: "image", url: pictureUrl(picture) } };
}

export const factsOf = (wish: Attachment): Facts => ({
  ...namesOf(wish),
  ...present({ role: wish.role }),
});

function namesOf(wish: Attachment): Facts {
  switch (wish.kind) {
    case "selection": {
      const { kind, path, start, end } = wish;
      const lines = start === end ? `line ${start}` : `lines ${start}–${end}`;
      return { kind, label: `${path}, ${lines}`, path, start, end };
    }
    case "file":
      // A picture cannot be opened at a line.
      if (isNamedPicture(wish.path)) return { kind: "image", label: wish.path };
      return { kind: wish.kind, label: wish.path, path: wish.path };
    case "folder":
      return { kind: wish.kind, label: `${trimEnd(wish.path, "/")}/` };
    case "problems":
      return { kind: wish.kind, label: wish.path === undefined ? "Problems" : `Problems of ${wish.path}` };
    default:
      return { kind: wish.kind, label: wish.name };
  }
}

async function find(
  wish: Exclude<Attachment, { kind: "image" }>,
  { files, maxBytes, turnsOf }: AttachmentSources,
  signal: AbortSignal,
): Promise<FramedContent> {
  switch (wish.kind) {
    case "selection":
      return findSelection(wish, files, maxBytes, signal);
    case "file":
      return findFile(wish.path, files, maxBytes, signal);
    case "folder": {
      const { paths, notes } = await listPaths(files, { path: wish.path }, signal);
      return listing("folder", wish.path, paths.join("\n"), notes);
    }
    case "problems": {
      const { text, removed } = listProblems(await files.problems(wish.path));
      return listing("problems", wish.path, text, secretNotes(removed));
    }
    case "terminal": {
      const end = near(wish.text, 4 * maxTerminalBytes, "end");
      const text = end.replace(escapeSequences, "").replace(/[^\P{Cc}\n\t]/gu, "");
      return capped("terminal", wish.name, text, maxTerminalBytes, "end");
    }
    case "diff": {
      const written = near(wish.text, 4 * maxBytes, "beginning");
      const begun =
        wish.root === undefined ? { text: written, isCut: false } : asGitWrites(written, wish.name);
      const { text, hidden } = await withoutHidden(begun.text, await files.pathFilter(wish.root), signal);
      const clean = await cleanText(text);
      const pieces = withoutKeyLines(clean.text);
      const found = await capped("diff", wish.name, pieces.text, maxBytes, "beginning");
      const removed = clean.removed + pieces.removed;
      const cut = begun.isCut ? [message("noteOtherProgram")] : [];
      const notes = [...found.notes, ...secretNotes(removed), ...hiddenNotes(hidden), ...cut];
      return { ...found, notes };
    }
    case "search": {
      const begun = near(wish.text, 4 * maxBytes, "beginning");
      const { text, hidden } = await withoutHiddenResults(begun, await files.pathFilter(), signal);
      const clean = await withoutSecretsInResults(text, cleanText, signal);
      const found = await capped("search", wish.name, clean.text, maxBytes, "beginning");
      return { ...found, notes: [...found.notes, ...secretNotes(clean.removed), ...hiddenNotes(hidden)] };
    }
    case "text":
      await files.admit(wish.name, wish.place, signal, wish.text);
      return capped("text", wish.name, wish.text, maxBytes, "beginning");
    case "conversation": {
      const turns = await turnsOf(wish.id);
      if (turns === undefined) throw new Refusal(message("noteGone", { name: wish.name }));
      return capped("conversation", wish.name, transcriptOf(turns), maxConversationBytes, "end");
    }
    default:
      return wish satisfies never;
  }
}

const secretNotes = (removed: number): Message[] => (removed > 0 ? [secretsNote(removed)] : []);

/** Says how many files are missing in a text that quotes several, since they are never sent. */
function hiddenNotes(count: number): Message[] {
  if (count === 0) return [];
  return [count === 1 ? message("noteOneHidden") : message("noteHidden", { count })];
}

/** The listing has its own size limit. Names and messages in it may still contain a key, so it is redacted. */
async function listing(
  tag: string,
  path: string | undefined,
  text: string,
  notes: readonly Message[],
): Promise<FramedContent> {
  const clean = await cleanText(text);
  return { tag, attributes: { path }, text: clean.text, notes: [...notes, ...secretNotes(clean.removed)] };
}

async function findSelection(
  { path, start, end }: Extract<Attachment, { kind: "selection" }>,
  files: GuardedFiles,
  maxBytes: number,
  signal: AbortSignal,
): Promise<FramedContent> {
  const file = await files.read(path, signal);
  const all = linesOf(file.text);
  if (start > all.length) throw new Refusal(tooShort(file.path, all.length));
  const cut = cutLines(all.slice(start - 1, end), maxBytes, "beginning");
  const last = start + Math.max(cut.lines.length, 1) - 1;
  const attributes = { path: file.path, lines: `${start}-${last}` };
  const notes = notesOf(cut, last, file.removed);
  return { tag: "selection", attributes, text: numbered(cut.lines, start), notes };
}

async function findFile(
  path: string,
  files: GuardedFiles,
  maxBytes: number,
  signal: AbortSignal,
): Promise<FramedContent> {
  const file = await files.read(path, signal).catch(unlessTooLarge);
  if (file === undefined) return findBeginning(path, files, maxBytes, signal);
  return fileFound(file, linesOf(file.text), Buffer.byteLength(file.text), maxBytes);
}

/** Reads the beginning of a file that is too large to read as a whole. */
async function findBeginning(
  path: string,
  files: GuardedFiles,
  maxBytes: number,
  signal: AbortSignal,
): Promise<FramedContent> {
  const wanted = { first: 1, last: Number.POSITIVE_INFINITY, maxBytes, maxBytesPerLine: maxBytes };
  const part = await files.readLines(path, wanted, signal);
  const lines = part.lines.map(({ text }) => text);
  return fileFound(part, lines, part.bytes, maxBytes);
}

function fileFound(
  { path, removed }: Pick<GuardedText, "path" | "removed">,
  all: readonly string[],
  bytes: number,
  maxBytes: number,
): FramedContent {
  const { lines, isCut, isInside } = cutLines(all, maxBytes, "beginning");
  const text = numbered(lines, 1);
  const attributes = { path, lines: isCut ? `1-${lines.length}` : undefined };
  const args = {
    sent: sizeOf(Buffer.byteLength(lines.join("\n"))),
    size: sizeOf(bytes),
    line: lines.length,
  };
  const cut = isCut ? [message(isInside ? "noteFirstInside" : "noteFirst", args)] : [];
  return { tag: "file", attributes, text, notes: [...cut, ...secretNotes(removed)] };
}

/** Numbers lines as `read_file` does, since answers refer to line numbers. An empty text has no lines to number. */
const numbered = (lines: readonly string[], first: number): string =>
  lines.some((line) => line.trim() !== "")
    ? lines.map((line, at) => `${first + at}\t${line}`).join("\n")
    : "";

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  // What rounds to 1000 KB is called 1.0 MB.
  return bytes < 999_500 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const tooShort = (name: string, count: number): Message =>
  count === 1 ? message("noteOneLine", { name }) : message("noteShort", { name, count });

const notesOf = ({ isCut, isInside }: CutLines, line: number, removed: number): Message[] => [
  ...(isInside ? [message("noteInside", { line })] : []),
  ...(isCut && !isInside ? [message("noteLines", { line })] : []),
  ...secretNotes(removed),
];

async function capped(
  tag: string,
  name: string,
  text: string,
  maxBytes: number,
  keep: "beginning" | "end",
): Promise<FramedContent> {
  const clean = await cleanText(near(text, 2 * maxBytes, keep));
  const { lines, isCut } = cutLines(linesOf(clean.text), maxBytes, keep);
  const cut = keep === "end" ? message("noteEnd") : message("noteBeginning");
  const notes = [...(isCut ? [cut] : []), ...secretNotes(clean.removed)];
  return { tag, attributes: { name }, text: lines.join("\n"), notes };
}

/** Cuts a text to whole lines, not much longer than what will be sent: text from elsewhere may have any length. */
function near(text: string, most: number, keep: "beginning" | "end"): string {
  if (text.length <= most) return text;
  if (keep === "beginning") return text.slice(0, text.lastIndexOf("\n", most) + 1 || most);
  const start = text.length - most;
  return text.slice(text.indexOf("\n", start) + 1 || start);
}

/**
 * Matches terminal control sequences such as colours, cursor movements and titles. Each starts with an escape
 * character.
 */
const esc = String.fromCharCode(0x1b);
const bell = String.fromCharCode(0x07);
const escapeSequences = new RegExp(
  `${esc}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${bell}${esc}]*(?:${bell}|${esc}\\\\)?|[@-Z\\\\-_])`,
  "g",
);

function transcriptOf(turns: readonly Turn[]): string {
  return turns
    .flatMap(({ prompt, parts }) => {
      const answer = parts
        .flatMap((part) => (part.type === "text" && part.text.trim() !== "" ? [part.text] : []))
        .join("\n\n");
      return [
        ...(prompt.trim() === "" ? [] : [`User:\n${prompt}`]),
        ...(answer.trim() === "" ? [] : [`Assistant:\n${answer}`]),
      ];
    })
    .join("\n\n");
}

const nothing = message("noteNothing");

async function finished(
  facts: Facts,
  { tag, attributes, text, notes }: FramedContent,
): Promise<ReadAttachment> {
  const empty = text.trim() === "";
  const inBrackets = (note: Message) => `[${inEnglish(note)}]`;
  const body = [empty ? inBrackets(nothing) : text, ...notes.map(inBrackets)].join("\n");
  const shown = [
    ...notes,
    ...(hidesCharacters(text) ? [message("noteInvisible")] : []),
    ...(text.includes(breakpointWord) ? [message("noteBreakpoint")] : []),
  ];
  const all = [...(empty ? [nothing] : []), ...shown];
  const bytes = Buffer.byteLength(text);
  return {
    view: { ...facts, bytes, ...(all.length > 0 && { notes: all }) },
    content: {
      kind: "text",
      text: (await cleanText(wrapInTag(tag, { role: facts.role, ...attributes }, body))).text,
    },
  };
}

async function readImage(
  { url }: Extract<Attachment, { kind: "image" }>,
  facts: Facts,
  signal: AbortSignal,
): Promise<ReadAttachment> {
  if (/^https:/i.test(url)) return readAddress(url, facts);
  const head = /^data:image\/(?:png|jpeg|gif|webp);base64,/.exec(url)?.[0];
  const data = url.slice(head?.length);
  const bytes = Buffer.byteLength(data, "base64");
  if (bytes > maxPictureBytes) return refused(facts, largerThan(facts.label, maxPictureBytes));
  if (head === undefined || !(await isBase64(data, signal)))
    return refused(facts, message("noteNoPicture", { name: facts.label }));
  return { view: { ...facts, bytes }, content: { kind: "image", url } };
}

/** Nothing is fetched here. The chip says who fetches the page before the request is sent. */
function readAddress(url: string, facts: Facts): ReadAttachment {
  const address = url.length <= longestAddress ? parsedUrl(url) : undefined;
  if (address === undefined || address.username + address.password !== "")
    return refused(facts, message("noteNoPicture", { name: facts.label }));
  const notes = [message("noteByUrl", { host: address.host })];
  return {
    view: { ...facts, bytes: Buffer.byteLength(address.href), notes },
    content: { kind: "image", url: address.href },
  };
}

const longestAddress = 8_192;

/** Characters checked at a time, which takes a few milliseconds. */
const pictureSlice = 512 * 1024;

/**
 * Checks in slices, because the regex engine would store a backtracking position for each character of the whole text.
 */
async function isBase64(data: string, signal: AbortSignal): Promise<boolean> {
  const pause = createYieldPoint(signal);
  const end = data.length - (/={1,2}$/.exec(data.slice(-2))?.[0].length ?? 0);
  for (let from = 0; from < end; from += pictureSlice) {
    await pause();
    if (/[^A-Za-z0-9+/]/.test(data.slice(from, Math.min(from + pictureSlice, end)))) return false;
  }
  return end > 0;
}

/** The model is told as well. Otherwise it would answer as if the attachment were missing by mistake. */
const refused = (facts: Facts, why: Message): ReadAttachment => ({
  view: { ...facts, bytes: 0, notes: [why] },
  content: { kind: "text", text: takeOutSecrets(`[An attachment was not sent: ${inEnglish(why)}]`).text },
  isRefused: true,
});
