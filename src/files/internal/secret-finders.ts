// All finders: secrets recognizable by their shape, and those without a prefix. Text that merely looks random is left
// alone, since code would be mangled otherwise.
import { matchAt, noRanges, placeFinders, privateKeyFinders, type SecretFinder } from "./secret-places.ts";
import { secretShapes } from "./secret-shapes.ts";
import {
  bitsOfChance,
  isBarePassword,
  isEncodedPassword,
  isIdentifier,
  isKeyOfDocumentation,
  isPassword,
  isRandom,
  isRandomPassword,
  isSalt,
} from "./secret-values.ts";

// Secrets by the name to which they are assigned, in any syntax: an operator, a call, an element, a name and value
// pair, a command's option.

/** Spellings in code, settings and environment variables. */
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
/**
 * These letters also begin and end many ordinary words, so they only count before what may follow a name, and not after
 * just any letter.
 */
const passNames = ["pass", "Pass", "PASS"].flatMap((word) =>
  ["=", ":", '"', "'", " =", " :", ">"].map((sign) => `${word}${sign}`),
);
const beforePass = /(?:^|[^A-Za-z]|db|ftp|smtp|mail|my|root|admin|user|login|sql)$/i;
/** Many tokens are counters of pages or calls, whose values are often ids. */
const tokenNames = variants("token");
/** For this name, an id is the token. */
const registryTokens = ["_authToken"];
const keyNames = variants(
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
  "app key",
  "admin key",
  "service key",
  "shared key",
  "preshared key",
  "storage key",
  "deploy key",
  "license key",
  "licence key",
  "subscription key",
  "webhook key",
);
/** Names of environment variables; in code, many other things are keys. */
const constantNames = ["_KEY", "_SALT"];

/** The rest of the name, its end, and the operator. */
const sign =
  /(?<name>[A-Za-z0-9_-]{0,30})\\{0,8}["'`\]]{0,2}(?:[ \t]{0,4}:[ \t]{0,4}[&A-Za-z][\w&<>[\]'. |?]{0,40}[ \t]=[ \t]{0,4}(?=b?["'`])|[ \t]{0,16}(?::=|=>|:-|={1,3}|:)[ \t]{0,8}|,?\s{0,60}["']?[Vv]alue["']?[ \t]{0,4}[:=][ \t]{0,4}|<\/(?:key|name)>\s{0,60}<(?:string|value)>|>|[ \t]{0,4}\)?[ \t]{0,4}(?:\|\||\?\?|or\b)[ \t]{0,4}(?=["'`])|(?<call>[ \t]{0,4}[,(])[ \t]{0,4}(?=b?["'`]))(?:base64:|[bBrRu@$](?=["'`]))?/y;
/** A command's option, or a line that sets an environment variable: a blank separates name and value. */
const blank = /(?<name>[A-Za-z0-9_-]{0,30})[ \t]{1,8}/y;
const optionName = /(?:^|[\s"'`])--?[a-z-]{0,30}$/;
const environmentLine = /(?:^|\n)[ \t]*(?:ENV|ARG|SetEnv|setx|set -\w+)[ \t]+\w*$/;
const quotedValue = /\\{0,8}(["'`])([^"'`\s\\]{8,4000})\\{0,8}\1/y;
const quotedSalt = /(["'`])((?:(?!\1)[ -[\]-~]){40,200})\1/y;
/** Up to the next part of a URL. */
const bareValue =
  /(?:[A-Za-z0-9+/=_~!@#%^*.-]|&(?![\w.-]{1,40}=)|\$(?![A-Za-z_{(])){8,4000}(?=[\s,;"'`&)\]}<\\|]|$)/y;

/** The name describes a secret, so its value is not one unless it is long enough. */
const aboutSecret = /(?:algorithm|type|name|version|length|ur[il]|path|file|format|field|class|id)$/i;
const least = 16;

/** `inList`: the value follows a semicolon, as in a connection string, and not in a line of code. */
type IsSecret = (value: string, inList: boolean) => boolean;

function assigned(isSecret: IsSecret, isBareSecret: IsSecret = isRandom): SecretFinder["find"] {
  return (text, at) => {
    const before = matchAt(sign, text, at) ?? optionAt(text, at);
    if (before === null) return noRanges;
    const start = at + before[0].length;
    const salt = matchAt(quotedSalt, text, start);
    if (salt !== null && isSalt(salt[2] ?? "")) return [[start + 1, start + salt[0].length - 1]];
    const quoted = matchAt(quotedValue, text, start);
    const value = quoted?.[2] ?? matchAt(bareValue, text, start)?.[0];
    if (value === undefined) return noRanges;
    const { name = "", call } = before.groups ?? {};
    if (value.length < least && aboutSecret.test(name)) return noRanges;
    if (call !== undefined && bitsOfChance(value) < 1) return noRanges;
    if (!(quoted === null ? isBareSecret : isSecret)(value, text.charAt(at - 1) === ";")) return noRanges;
    const from = quoted === null ? start : start + quoted[0].indexOf(value);
    return [[from, from + value.length]];
  };
}

function optionAt(text: string, at: number): RegExpExecArray | null {
  const isOption = text.charAt(at - 1) === "-";
  if (!isOption && !/[A-Z]/.test(text.charAt(at))) return null;
  const found = matchAt(blank, text, at);
  if (found === null) return null;
  const before = text.slice(Math.max(0, at - 60), at);
  return (isOption ? optionName : environmentLine).test(before) ? found : null;
}

const isRandomToken = (value: string): boolean => isRandom(value) && !isIdentifier(value);
const isConstant = (value: string): boolean => value.length >= 20 && isRandomToken(value);

const findPassword = assigned(
  (value) => isPassword(value) || isRandomPassword(value) || isEncodedPassword(value),
  (value, inList) =>
    (inList ? isPassword : isBarePassword)(value) || isRandomPassword(value) || isEncodedPassword(value),
);

const assignmentFinders: readonly SecretFinder[] = [
  { anchors: passwordNames, find: findPassword },
  {
    anchors: passNames,
    find: (text, at) =>
      beforePass.test(text.slice(Math.max(0, at - 5), at)) ? findPassword(text, at) : noRanges,
  },
  { anchors: keyNames, find: assigned(isRandom) },
  { anchors: tokenNames, find: assigned(isRandomToken, isRandomToken) },
  { anchors: registryTokens, find: assigned(isRandom) },
  { anchors: constantNames, find: assigned(isConstant, isConstant) },
];

const isInToken = (text: string, at: number): boolean => /[\w.~-]/.test(text.charAt(at));

const shaped: readonly SecretFinder[] = secretShapes.map(({ anchors, before = 0, pattern, isWeak }) => ({
  anchors,
  find(text, at) {
    let start = at;
    while (start > 0 && at - start < before && isInToken(text, start - 1)) start--;
    const key = matchAt(pattern, text, start)?.[0];
    if (key === undefined || isKeyOfDocumentation(key) || (isWeak && !isRandom(key))) return noRanges;
    return [[start, start + key.length]];
  },
}));

export const secretFinders: readonly SecretFinder[] = [
  ...shaped,
  ...privateKeyFinders,
  ...assignmentFinders,
  ...placeFinders,
];

// Finds where any of a few hundred short texts begins in a long one. A table is indexed by the first three letters of
// each and stores the fourth letters as bits; the long text is looked up in it byte by byte, so hardly any position is
// examined twice. Several times as fast as one regular expression with all texts, which the engine tries one after
// another.

/** Hashes three letters to the size of the table. Collisions are resolved by comparing the full text. */
const placeOf = (first = 0, second = 0, third = 0): number =>
  ((first & 0x3f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
const places = 1 << 18;

/** One of eight bits for the fourth letter; all bits if an anchor has only three letters. */
const bitOf = (fourth: number | undefined): number => (fourth === undefined ? 0xff : 1 << (fourth & 7));
/** Bytes read after the position at which an anchor may begin; behind the last, one more. */
const lookahead = 3;

interface Anchor {
  readonly text: string;
  readonly bytes: Uint8Array;
}

export class AnchorSearch {
  readonly #longest: number;
  /** The bits of the fourth letters; 0 if no anchor begins there. */
  readonly #begins = new Uint8Array(places);
  /** Anchors with the same beginning, longest first. */
  readonly #anchors = new Map<number, Anchor[]>();
  readonly #bytes: Buffer;

  /** `most`: maximum number of characters that are searched at once. */
  constructor(anchors: Iterable<string>, most: number) {
    const longestFirst = [...anchors].sort((one, other) => other.length - one.length);
    this.#longest = longestFirst[0]?.length ?? 0;
    this.#bytes = Buffer.alloc(most + this.#longest + lookahead + 1);
    for (const anchor of longestFirst) this.#enter(anchor);
  }

  /**
   * Reports the longest anchor at each position in [from, to) at which one begins, and continues at the position that
   * `found` returns.
   */
  each(text: string, from: number, to: number, found: (at: number, anchor: string) => number): void {
    const count = this.#bytes.write(text.slice(from, to + this.#longest), "latin1");
    this.#bytes.fill(0, count, count + lookahead + 1);
    const end = Math.min(count, to - from);
    for (let at = this.#next(0, end); at < end; at = this.#next(at, end)) {
      const anchor = this.#anchorAt(at, text, from + at);
      at = anchor === undefined ? at + 1 : found(from + at, anchor) - from;
    }
  }

  /** The next position at which an anchor may begin. Two at a time, which takes two thirds as long. */
  #next(from: number, end: number): number {
    const [bytes, begins] = [this.#bytes, this.#begins];
    let place = placeOf(0, bytes[from], bytes[from + 1]);
    for (let at = from; at < end; at += 2) {
      const [third, fourth] = [bytes[at + 2] ?? 0, bytes[at + 3] ?? 0];
      const here = ((place << 6) & (places - 1)) | (third & 0x3f);
      place = ((here << 6) & (places - 1)) | (fourth & 0x3f);
      const fourths = begins[here] ?? 0;
      const fourthsBehind = begins[place] ?? 0;
      if ((fourths | fourthsBehind) === 0) continue;
      if ((fourths & bitOf(fourth)) !== 0) return at;
      if ((fourthsBehind & bitOf(bytes[at + 1 + lookahead])) !== 0 && at + 1 < end) return at + 1;
    }
    return end;
  }

  #anchorAt(at: number, text: string, inText: number): string | undefined {
    const bytes = this.#bytes;
    for (const anchor of this.#anchors.get(placeOf(bytes[at], bytes[at + 1], bytes[at + 2])) ?? []) {
      let same = 0;
      while (same < anchor.bytes.length && bytes[at + same] === anchor.bytes[same]) same++;
      // Bytes contain only the lower half of a character code.
      if (same === anchor.bytes.length && text.startsWith(anchor.text, inText)) return anchor.text;
    }
    return undefined;
  }

  /** An anchor of two letters is entered with every possible third letter. */
  #enter(text: string): void {
    const bytes = Buffer.from(text, "latin1");
    const [first, second, third, fourth] = bytes;
    const thirds = third === undefined ? Array.from({ length: 0x40 }, (_, each) => each) : [third];
    for (const each of thirds) {
      const place = placeOf(first, second, each);
      this.#begins[place] = (this.#begins[place] ?? 0) | bitOf(fourth);
      const known = this.#anchors.get(place);
      if (known === undefined) this.#anchors.set(place, [{ text, bytes }]);
      else known.push({ text, bytes });
    }
  }
}
