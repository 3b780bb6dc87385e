// Secrets that no prefix gives away: private keys in text form, what is assigned to a secret-like name, passwords in
// addresses, and what stands beside a key's id. What merely looks random is left alone, or code would be mangled.
import { secretShapes } from "./secret-shapes.ts";
import { isBarePassword, isIdentifier, isPassword, isRandom } from "./secret-values.ts";

/** From, to. */
export type Range = readonly [number, number];

export interface SecretFinder {
  /** A text is searched for these; `find` is asked wherever one begins. */
  readonly anchors: readonly string[];
  find(text: string, at: number): readonly Range[];
}

const none: readonly Range[] = [];

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const isInToken = (text: string, at: number): boolean => /[\w.~-]/.test(text.charAt(at));

const shaped: readonly SecretFinder[] = secretShapes.map(({ anchors, before = 0, pattern }) => ({
  anchors,
  find(text, at) {
    let start = at;
    while (start > 0 && at - start < before && isInToken(text, start - 1)) start--;
    const found = matchAt(pattern, text, start);
    return found === null ? none : [[start, start + found[0].length]];
  },
}));

// ── Private keys ──

const keyHeader = /-{4,5} ?BEGIN [A-Za-z0-9 _]{0,40}(?:PRIVATE KEY(?: BLOCK)?|Static key V1) ?-{4,5}/y;
const keyFooter = /-{4,5} ?END [A-Za-z0-9 _]{0,40}(?:PRIVATE KEY(?: BLOCK)?|Static key V1) ?-{4,5}/y;
/** What may stand between a header and its key: line ends, also written out, quotes, comment signs, the key's own headers. */
const beforeBody = /(?:\\[nr]|[\s"'`+>|#*,;(){}/-]|[A-Za-z-]{4,20}: [^\r\n\\]{0,200})*/y;
const body = /[A-Za-z0-9+/=]+/y;
/** A line of a key, with what editors, diffs and languages put around it. */
const bodyLine =
  /[ \t>|#*+-]*(?![ \t>|#*+-])["'`]?(?:[A-Za-z][A-Za-z-]{3,19}: [^\r\n]{0,200}|[A-Za-z0-9+/=]*(?![A-Za-z0-9+/=])(?:\\[nr])*["'`]?[ \t]*(?:[+,\\.][ \t]*)?)(?:\r\n|\r|\n|$)/y;
const longestKey = 64 * 1024;
const leastBody = 16;

/** A header alone is what code that reads keys is full of; it takes something like a key behind it. */
function privateKey(text: string, at: number): readonly Range[] {
  const header = matchAt(keyHeader, text, at);
  if (header === null) return none;
  const from = at + header[0].length;
  const gap = matchAt(beforeBody, text.slice(from, from + 2000), 0)?.[0] ?? "";
  const start = from + gap.length;
  const length = matchAt(body, text, start)?.[0].length ?? 0;
  const isLine = /[\r\n]/.test(gap) && /^(?:[\r\n]|$)/.test(text.slice(start + length, start + length + 1));
  if (length < leastBody && !(length > 0 && isLine)) return none;
  return [[at, keyEnd(text, start)]];
}

function keyEnd(text: string, start: number): number {
  const within = text.slice(start, start + longestKey);
  const end = within.search(/-{4,5} ?END /);
  const footer = end < 0 ? null : matchAt(keyFooter, text, start + end);
  if (footer !== null) return start + end + footer[0].length;
  // It is cut off: every further line that can be part of it is.
  let stop = start;
  for (;;) {
    const line = matchAt(bodyLine, text, stop);
    if (line === null || line[0] === "" || stop - start > longestKey) break;
    stop += line[0].length;
  }
  return stop > start ? stop : start + (matchAt(body, text, start)?.[0].length ?? 0);
}

/** The end of a key whose beginning is missing: a piece of a file, a few lines of a diff. */
function keyTail(text: string, at: number): readonly Range[] {
  const footer = matchAt(keyFooter, text, at);
  if (footer === null) return none;
  let start = at;
  while (start > 0 && at - start < longestKey) {
    const previous = text.lastIndexOf("\n", start - 2) + 1;
    const line = text.slice(previous, start).trim().replace(/^[+-]/, "");
    if (line === "" || !/^[A-Za-z0-9+/=]+$/.test(line)) break;
    start = previous;
  }
  return start === at ? none : [[start, at + footer[0].length]];
}

/** PuTTY's own form. */
function puttyKey(text: string, at: number): readonly Range[] {
  const count = /^Private-Lines: (\d{1,3})\r?\n/.exec(text.slice(at, at + 40));
  if (count === null) return none;
  let end = at + count[0].length;
  for (let line = 0; line < Number(count[1]); line++) {
    const next = text.indexOf("\n", end);
    if (next < 0 || next - end > 200) break;
    end = next + 1;
  }
  return [[at + count[0].length, end]];
}

// ── Assignments, addresses, headers ──

const variants = (...words: string[]): string[] => {
  const all = words.flatMap((word) => {
    const parts = word.split(" ");
    const title = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1));
    const camel = [parts[0] ?? "", ...title.slice(1)].join("");
    return ["", "_", "-", "."]
      .flatMap((sign) => [parts.join(sign), parts.join(sign).toUpperCase(), title.join(sign)])
      .concat(camel);
  });
  return [...new Set(all)];
};

const passwordNames = variants("passw", "passphrase", "pwd");
/** Many a token counts pages or calls: its value is often an id. */
const tokenNames = variants("token");
const secretNames = variants(
  "secret",
  "credential",
  "api key",
  "access key",
  "account key",
  "private key",
  "auth key",
  "encryption key",
  "signing key",
  "master key",
);

const sign =
  /[A-Za-z0-9_-]{0,30}\\?["'\]]{0,2}(?:[ \t]{0,16}(?::=|=>|[:=])[ \t]{0,8}|[ \t]{1,8}value[ \t]{0,4}=[ \t]{0,4})/y;
const quotedValue = /\\?(["'`])([^"'`\s\\]{8,400})\\?\1/y;
const bareValue = /[A-Za-z0-9+/=_~!@#%^&*-]{8,400}(?=[\s,;"'&)\]}]|$)/y;

/** `inList`: it stands behind a semicolon, as in the address of a database, and not in a line of code. */
type IsSecret = (value: string, inList: boolean) => boolean;

const assigned =
  (isSecret: IsSecret, isBareSecret: IsSecret = isRandom) =>
  (text: string, at: number): readonly Range[] => {
    const before = matchAt(sign, text, at);
    if (before === null) return none;
    const start = at + before[0].length;
    const quoted = matchAt(quotedValue, text, start);
    const value = quoted?.[2] ?? matchAt(bareValue, text, start)?.[0];
    if (
      value === undefined ||
      !(quoted === null ? isBareSecret : isSecret)(value, text.charAt(at - 1) === ";")
    )
      return none;
    const from = quoted === null ? start : start + quoted[0].indexOf(value);
    return [[from, from + value.length]];
  };

const inAddress = /:\/\/[^\s:@/"'`<>\\?#]{0,64}:([^\s@/"'`<>\\]{3,128})@[A-Za-z0-9[]/y;

function addressPassword(text: string, at: number): readonly Range[] {
  const value = matchAt(inAddress, text, at)?.[1];
  if (value === undefined || !isPassword(value)) return none;
  const start = text.indexOf(`:${value}@`, at + 1) + 1;
  return [[start, start + value.length]];
}

const afterScheme = /(?:Bearer|Basic|bearer|basic) ([A-Za-z0-9+/=._~-]{20,4000})(?![A-Za-z0-9+/=._~-])/y;

function headerValue(text: string, at: number): readonly Range[] {
  const found = matchAt(afterScheme, text, at);
  const value = found?.[1];
  if (found === null || value === undefined || !isRandom(value)) return none;
  const end = at + found[0].length;
  return [[end - value.length, end]];
}

const awsSecret = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;
const nearby = 300;

/** The secret half of a pair has no shape of its own; beside its id it is known by its length. */
function besideId(text: string, at: number): readonly Range[] {
  if (!/^(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/.test(text.slice(at, at + 21))) return none;
  const from = Math.max(0, at - nearby);
  return [...text.slice(from, at + nearby).matchAll(awsSecret)]
    .filter(([value]) => isRandom(value))
    .map(({ 0: value, index }): Range => [from + index, from + index + value.length]);
}

export const secretFinders: readonly SecretFinder[] = [
  ...shaped,
  { anchors: ["-----BEGIN ", "---- BEGIN "], find: privateKey },
  { anchors: ["-----END ", "---- END "], find: keyTail },
  { anchors: ["Private-Lines: "], find: puttyKey },
  {
    anchors: passwordNames,
    find: assigned(
      (value) => isPassword(value) || isRandom(value),
      (value, inList) => (inList ? isPassword : isBarePassword)(value) || isRandom(value),
    ),
  },
  { anchors: secretNames, find: assigned(isRandom) },
  { anchors: tokenNames, find: assigned((value) => isRandom(value) && !isIdentifier(value)) },
  { anchors: ["://"], find: addressPassword },
  { anchors: ["Bearer ", "Basic ", "bearer ", "basic "], find: headerValue },
  { anchors: ["AKIA", "ASIA"], find: besideId },
];
