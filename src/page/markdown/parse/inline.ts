// The text inside a block as a tree of what is shown: words, emphasis, code, links, files, formulas and invisible
// characters. Every decision about content that could do harm is made here, before there is any DOM: an image becomes
// its text and a link, an address that is not http or https becomes text, and nothing carries an attribute.
import type { Token } from "markdown-it";
import { showHidden, withEscapes } from "../../../util/hidden-characters.ts";
import { differentHost, fileIn, httpAddress, mentionsIn, wwwAddress } from "./links.ts";

export type Inline =
  | { readonly kind: "text" | "hidden"; readonly text: string }
  | { readonly kind: "break" }
  | { readonly kind: "math"; readonly tex: string; readonly display: boolean }
  | { readonly kind: "em" | "strong" | "strike" | "code"; readonly children: readonly Inline[] }
  | Link
  | Unlinked
  | File;

interface Link {
  readonly kind: "link";
  readonly address: string;
  readonly title: string;
  /** The actual host, if the words name another one. */
  readonly host: string | undefined;
  readonly image: boolean;
  readonly children: readonly Inline[];
}
/** The words of a link whose address cannot be opened. */
interface Unlinked {
  readonly kind: "unlinked";
  readonly title: string;
  readonly image: boolean;
  readonly children: readonly Inline[];
}
interface File {
  readonly kind: "file";
  readonly path: string;
  readonly line: number | undefined;
  readonly children: readonly Inline[];
}

/** Context of a piece of text: inside a link there are no links and no files. */
interface InlineContext {
  readonly linked: boolean;
  readonly depth: number;
}

/** Deeper nesting is not visible, but it would strain the call stack and the browser. */
const deepest = 32;
const emphasis = /^(?:em|strong|s)_(?:open|close)$/;

interface Cursor {
  readonly tokens: readonly Token[];
  at: number;
}

export const readInline = (tokens: readonly Token[]): readonly Inline[] =>
  readUntil({ tokens, at: 0 }, undefined, { linked: false, depth: 0 });

export const readVerbatim = (text: string): readonly Inline[] => pieces(text);

function readUntil(cursor: Cursor, closing: string | undefined, place: InlineContext): readonly Inline[] {
  const read: Inline[] = [];
  let ignored = 0;
  for (let token = cursor.tokens[cursor.at]; token !== undefined; token = cursor.tokens[cursor.at]) {
    cursor.at += 1;
    if (ignored === 0 && token.type === closing) break;
    if (place.depth >= deepest && emphasis.test(token.type)) ignored += token.nesting;
    else if (token.type === "text" || token.type === "text_special" || token.type === "softbreak") {
      cursor.at -= 1;
      read.push(...readWords(cursor, place));
    } else read.push(readMarked(token, cursor, place));
  }
  return read;
}

function readMarked(token: Token, cursor: Cursor, place: InlineContext): Inline {
  const inside: InlineContext = { ...place, depth: place.depth + 1 };
  switch (token.type) {
    case "em_open":
      return { kind: "em", children: readUntil(cursor, "em_close", inside) };
    case "strong_open":
      return { kind: "strong", children: readUntil(cursor, "strong_close", inside) };
    case "s_open":
      return { kind: "strike", children: readUntil(cursor, "s_close", inside) };
    case "code_inline":
      return readCode(token.content, place);
    case "hardbreak":
      return { kind: "break" };
    case "math":
      return { kind: "math", tex: token.content, display: token.markup === "$$" || token.markup === "\\[" };
    case "link_open":
      return linkTo(token, readUntil(cursor, "link_close", { ...inside, linked: true }), {
        place,
        image: false,
      });
    case "image":
      return linkTo(token, pieces(wordsOf(token.children ?? [])), { place, image: true });
    default:
      throw new Error(`markdown-it gave a ${token.type} inside text.`);
  }
}

/** Joins adjacent pieces of plain text: an escaped character does not end a word. */
function readWords(cursor: Cursor, place: InlineContext): readonly Inline[] {
  const read: Inline[] = [];
  let words = "";
  for (let token = cursor.tokens[cursor.at]; token !== undefined; token = cursor.tokens[cursor.at]) {
    if (token.type === "text") {
      let from = 0;
      for (const { index, address } of place.linked
        ? []
        : wwwIn(token.content, cursor.tokens[cursor.at - 1])) {
        read.push(...plain(words + token.content.slice(from, index), place));
        read.push(autolinked(`http://${address}`, address));
        words = "";
        from = index + address.length;
      }
      words += token.content.slice(from);
    } else if (token.type === "text_special") words += token.content;
    else if (token.type === "softbreak") words += "\n";
    else break;
    cursor.at += 1;
  }
  return [...read, ...plain(words, place)];
}

/** GFM: at the start of a line, after whitespace, or after one of * _ ~ ( */
function wwwIn(text: string, before: Token | undefined): readonly { index: number; address: string }[] {
  if (!/www\./i.test(text)) return [];
  const isFree =
    before === undefined || /^(?:softbreak|hardbreak|(?:em|strong|s)_(?:open|close))$/.test(before.type);
  return [...text.matchAll(/(?<![^\s*_~(])www\./gi)].flatMap(({ index }) => {
    const address = index > 0 || isFree ? wwwAddress(text.slice(index)) : undefined;
    return address === undefined ? [] : [{ index, address }];
  });
}

const autolinked = (address: string, words: string): Inline => {
  const target = httpAddress(address);
  const children = pieces(words);
  return target === undefined
    ? { kind: "unlinked", title: "", image: false, children }
    : {
        kind: "link",
        address: target,
        title: "",
        host: differentHost(words, target),
        image: false,
        children,
      };
};

function plain(text: string, place: InlineContext): readonly Inline[] {
  if (text === "") return [];
  const files = place.linked ? [] : mentionsIn(text);
  if (files.length === 0) return pieces(text);
  const read: Inline[] = [];
  let from = 0;
  for (const { index, text: words, path, line } of files) {
    read.push(...pieces(text.slice(from, index)), { kind: "file", path, line, children: pieces(words) });
    from = index + words.length;
  }
  return [...read, ...pieces(text.slice(from))];
}

const pieces = (text: string): readonly Inline[] =>
  text === ""
    ? []
    : showHidden(text).map((piece) => ({ kind: piece.hidden ? "hidden" : "text", text: piece.text }));

function readCode(content: string, place: InlineContext): Inline {
  const code: Inline = { kind: "code", children: pieces(content) };
  const file = place.linked ? undefined : fileIn(content);
  return file === undefined ? code : { kind: "file", ...file, children: [code] };
}

function linkTo(
  token: Token,
  children: readonly Inline[],
  { place, image }: { place: InlineContext; image: boolean },
): Inline {
  // A link without words shows its address.
  const href = String(token.attrGet(image ? "src" : "href") ?? "");
  const words = wordsIn(children).trim() === "" ? pieces(shorten(href)) : children;
  const title = shorten(withEscapes(String(token.attrGet("title") ?? "")));
  const address = place.linked ? undefined : httpAddress(href);
  if (address !== undefined) {
    const host = differentHost(wordsIn(words), address);
    return { kind: "link", address, title, host, image, children: words };
  }
  const file = image || place.linked ? undefined : fileAt(href);
  if (file !== undefined) return { kind: "file", ...file, children: words };
  return { kind: "unlinked", title: shorten(withEscapes(href)), image, children: words };
}

/** A link to a file in the workspace, as models write it. */
function fileAt(href: string): { path: string; line: number | undefined } | undefined {
  try {
    return fileIn(decodeURIComponent(href));
  } catch {
    return undefined;
  }
}

/** The alternative text of an image. */
function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "image") return wordsOf(token.children ?? []);
      return token.type === "softbreak" || token.type === "hardbreak" ? "\n" : token.content;
    })
    .join("");
}

const wordsIn = (inlines: readonly Inline[]): string =>
  inlines
    .map((inline) => ("children" in inline ? wordsIn(inline.children) : "text" in inline ? inline.text : ""))
    .join("");

const shorten = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
