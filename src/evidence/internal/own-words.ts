// The sentences of a response in its own words: without code blocks, quoted text and what it only plans. Every step walks
// the text once, because a response may be long and hostile.

import { trimEnd } from "../../util/text.ts";

/** A part of a sentence that can claim one thing. */
export interface Clause {
  /** Lower case; each piece of code is one character of `code`, each quotation one of `quotation`. */
  readonly words: string;
  /** As it was written. */
  readonly quote: string;
  /** The pieces of code in it. */
  readonly names: readonly string[];
  /** It has a tick, as in a list of what was done. */
  readonly isTicked: boolean;
}

export interface Sentence {
  readonly words: string;
  readonly clauses: readonly Clause[];
}

interface OwnWords {
  readonly sentences: readonly Sentence[];
  /** Pieces of code and names of files anywhere outside of code blocks. */
  readonly mentioned: readonly string[];
}

/** Private characters that stand for what was taken out, and those of the text are removed first. */
const [firstCode, firstQuotation, lastPrivate] = [0xe000, 0xf000, 0xf8ff];
export const code = "[\\uE000-\\uEFFF]";
const isPrivate = (unit: number): boolean => unit >= firstCode && unit <= lastPrivate;

/** A longer one is not a claim that anybody reads. */
const longestClause = 300;
/** Of a sentence; what follows belongs to another one. */
const longestSentence = 2000;

const listMark = /^(?:[-*+•]|\d{1,3}[.)])\s/;
const heading = /^#{1,6}\s/;
/** Under such a heading is what is to be done or to be hoped for. */
const planned =
  /\b(?:plan|next steps?|to-?do|how to|criteria|expected|checklist for|follow-?ups?|steps to)\b|计划|下一步|待办|验收标准|如何|步骤|预期/;

/** The fence that is open after a line: it ends with the same sign, at least as often, and nothing else in the line. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const [begin = "", signs = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
  const rest = line.slice(begin.length);
  if (open === undefined) return signs === "" || (signs[0] === "`" && rest.includes("`")) ? undefined : signs;
  return signs.startsWith(open) && rest.trim() === "" ? undefined : open;
}

/** The last paragraphs of a text, in no more than so many letters. Never begins within code. */
export function lastParagraphs(text: string, letters: number): string {
  if (text.length <= letters) return text;
  let open: string | undefined;
  let at = 0;
  for (const line of text.split("\n")) {
    open = fenceAfter(line.replace(/\r$/, ""), open);
    at += line.length + 1;
    if (open === undefined && text.length - at < letters && line.trim() === "") return text.slice(at);
  }
  return "";
}

export function ownSentences(text: string): OwnWords {
  const sentences: Sentence[] = [];
  const mentioned = new Set<string>();
  let block: string[] = [];
  let open: string | undefined;
  let isPlan = false;
  const end = () => {
    if (block.length > 0) readBlock(block.join(" "), sentences, mentioned);
    block = [];
  };
  for (const line of text.split(/\r?\n/)) {
    const wasOpen = open !== undefined;
    open = fenceAfter(line, open);
    if (wasOpen || open !== undefined) {
      end();
      continue;
    }
    const trimmed = line.trim();
    const isItem = listMark.test(trimmed);
    const isHeading = heading.test(trimmed);
    const isQuotation = trimmed.startsWith(">");
    const isCode = /^(?: {4}|\t)/.test(line) && !isItem && block.length === 0;
    const isRow = trimmed.startsWith("|");
    if (trimmed === "" || isItem || isHeading || isQuotation || isCode || isRow) end();
    if (isHeading) isPlan = planned.test(trimmed.toLowerCase());
    const isTicked = /^\S{1,4}\s\[[xX]\]/.test(trimmed);
    const isOpen = /^\S{1,4}\s\[ ?\]/.test(trimmed);
    if (isQuotation || isCode || isOpen || (isPlan && !isTicked)) continue;
    if (isItem || isHeading) block.push(trimmed.slice(trimmed.indexOf(" ") + 1));
    else if (isRow) block.push(trimmed.slice(1).replaceAll("|", " "));
    else if (trimmed !== "") block.push(trimmed);
    if (isHeading || isRow) end();
  }
  end();
  return { sentences, mentioned: [...mentioned] };
}

/** Takes code and quotations out of a paragraph, then splits the rest. */
function readBlock(text: string, sentences: Sentence[], mentioned: Set<string>): void {
  const codes: string[] = [];
  const quotations: string[] = [];
  let rest = "";
  const isClosable = new Map<string, boolean>();
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (isPrivate(text.charCodeAt(at))) continue;
    if (sign === "`") {
      let first = at;
      while (text.charAt(first) === "`") first += 1;
      const last = isClosable.get(sign) === false ? -1 : text.indexOf("`", first);
      if (last < 0) {
        isClosable.set(sign, false);
        at = first - 1;
        continue;
      }
      const inner = text.slice(first, last);
      let next = last;
      while (text.charAt(next) === "`") next += 1;
      at = next - 1;
      if (codes.length < firstQuotation - firstCode) rest += String.fromCharCode(firstCode + codes.length);
      codes.push(inner);
      mentioned.add(inner.trim());
      continue;
    }
    const closing = closingOf(text, at);
    const last = closing === undefined || isClosable.get(sign) === false ? -1 : closeOf(text, at, closing);
    if (closing !== undefined && last < 0 && closing !== "'") isClosable.set(sign, false);
    if (last > at) {
      if (quotations.length < lastPrivate - firstQuotation)
        rest += String.fromCharCode(firstQuotation + quotations.length);
      quotations.push(text.slice(at, last + 1));
      at = last;
      continue;
    }
    rest += sign;
  }
  const restored = (words: string) =>
    words.replace(/[\uE000-\uF8FF]/g, (sign) => {
      const unit = sign.charCodeAt(0);
      return unit < firstQuotation
        ? `\`${codes[unit - firstCode] ?? ""}\``
        : (quotations[unit - firstQuotation] ?? "");
    });
  for (const path of pathsIn(rest)) mentioned.add(path);
  for (const sentence of sentencesOf(rest)) {
    const words = sentence.toLowerCase();
    const clauses = clausesOf(sentence).map((clause): Clause => {
      const names = [...clause].flatMap((sign) => {
        const unit = sign.charCodeAt(0);
        return unit >= firstCode && unit < firstQuotation ? (codes[unit - firstCode]?.trim() ?? []) : [];
      });
      return {
        words: normal(clause),
        quote: restored(clause).replaceAll("*", "").replace(bullets, "").trim(),
        names: [...names, ...pathsIn(clause)],
        isTicked: /[✅☑✔✓]|\[x\]/iu.test(clause),
      };
    });
    sentences.push({ words, clauses });
  }
}

/** Ticks and the like before the first word. */
const bullets = /^(?:[\s:,–—-]|[\u{1F300}-\u{1FAFF}\u2600-\u27BF]|\uFE0F|\[[xX]\])+/u;
const pictures = /[\u{1F300}-\u{1FAFF}\u2600-\u27BF]|\uFE0F/gu;

const listed = new RegExp(`(${code}) ?(?:, and|,|，|、|and|和|与|及) ?(?=${code})`, "g");

/** Lower case, without emphasis, brackets and pictures; one blank between words. */
const normal = (clause: string): string =>
  clause
    .toLowerCase()
    .replace(/\[x\]/g, " ")
    .replace(/[’‘]/g, "'")
    .replace(/[*_~()（）[\]{}"“”]/g, " ")
    .replace(pictures, " ")
    .replace(/\s+/g, " ")
    .replace(listed, "$1 ")
    .trim();

/** Names of files that are not marked as code. */
const pathsIn = (text: string): string[] =>
  text
    .split(/[^\w@./\\-]+/)
    .map((word) => word.replace(/\.$/, ""))
    .filter((word) => word.length < longestClause && isPath(word));

/** A name of a file, as it is written in a sentence; "58/58" is none. */
export const isPath = (name: string): boolean =>
  /^[\w@./\\-]*[\w-]\.[A-Za-z]\w{0,9}$|^(?!\d+\/\d+$)[\w@.-]+(?:\/[\w@.-]+)+$/.test(name);

function closingOf(text: string, at: number): string | undefined {
  const sign = text.charAt(at);
  if (sign === "'") {
    const isBoundary = at === 0 || /[\s(:,]/.test(text.charAt(at - 1));
    return isBoundary ? "'" : undefined;
  }
  return pairs.get(sign);
}

const pairs: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["“", "”"],
  ["‘", "’"],
  ["「", "」"],
  ["『", "』"],
]);

function closeOf(text: string, at: number, closing: string): number {
  if (closing !== "'") return text.indexOf(closing, at + 1);
  const near = text.slice(at + 1, at + 1 + longestClause);
  const found = near.search(/'(?![\p{L}\p{N}])/u);
  return found < 0 ? -1 : at + 1 + found;
}

function sentencesOf(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const isStop = sign === "." && /[\s)*]|^$/.test(text.charAt(at + 1));
    if (!isStop && !"!?;。！？；".includes(sign) && at - from < longestSentence) continue;
    found.push(text.slice(from, at + 1));
    from = at + 1;
  }
  found.push(text.slice(from));
  return found.filter((sentence) => sentence.trim() !== "");
}

const separators =
  /[,，·•—–|]|\s-\s|\s(?:and|(?<!\b(?:nothing|anything|files?)\s)but|so|while|though|although)\s|(?:并且|而且|同时|但是|不过)/g;
const isCode = new RegExp(`^${code}$`);

/** Between two pieces of code, a comma or "and" lists them; elsewhere it ends a clause. */
function clausesOf(sentence: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (const { 0: separator, index } of sentence.matchAll(separators)) {
    const next = index + separator.length;
    const around = [
      sentence.slice(from, index).trimEnd().at(-1),
      sentence
        .slice(next, next + 5)
        .trim()
        .at(0),
    ];
    if (around.every((sign) => sign !== undefined && isCode.test(sign))) continue;
    found.push(sentence.slice(from, index));
    from = next;
  }
  found.push(sentence.slice(from));
  return found
    .map((clause) => trimEnd(clause.trim(), ".!?;。！？； "))
    .filter((clause) => clause !== "" && clause.length <= longestClause);
}
