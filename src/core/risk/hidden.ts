// Characters that nobody sees, and letters that look like others: what is read is not what runs.
import { showHidden } from "../conversation/hidden-characters.ts";

/** Cyrillic, Greek, Armenian and other letters that look like Latin ones. */
const lookAlike =
  "[\\u0410\\u0412\\u0415\\u041A\\u041C\\u041D\\u041E\\u0420\\u0421\\u0422\\u0423\\u0425\\u0405\\u0406\\u0408\\u0430\\u0435\\u043E\\u0440\\u0441\\u0443\\u0445\\u0455\\u0456\\u0458\\u0501\\u051B\\u051D\\u0391\\u0392\\u0395-\\u0397\\u0399\\u039A\\u039C\\u039D\\u039F\\u03A1\\u03A4\\u03A5\\u03A7\\u03BF\\u0555\\u0585\\u057D\\u212A\\uFF21-\\uFF3A\\uFF41-\\uFF5A\\u{1D400}-\\u{1D7FF}]";
const alike = new RegExp(lookAlike, "u");
const mixed = new RegExp(`^(?:[A-Za-z0-9_$]|${lookAlike})+$`, "u");
const disguised = new RegExp(`^${lookAlike}+$`, "u");
const words = /[\p{L}\p{N}_$]+/gu;

const isMixed = (word: string): boolean => alike.test(word) && /[A-Za-z]/.test(word) && mixed.test(word);

/** In nothing but plain signs there is nothing of the kind: so are most changes. */
const perhaps = /[^\t\n\x20-\x7e]/;

/** `code`: without its literals and comments, where a name of nothing but look-alikes is one, too. */
export function hiddenIn(text: string, { code }: { readonly code: string }): number {
  const inCode = wordsOf(code).filter((word) => disguised.test(word)).length;
  if (!perhaps.test(text)) return inCode;
  const pieces = showHidden(text.replaceAll("\r\n", "\n")).filter(({ hidden }) => hidden).length;
  return pieces + wordsOf(text).filter(isMixed).length + inCode;
}

const wordsOf = (text: string): readonly string[] => (alike.test(text) ? (text.match(words) ?? []) : []);
