// Finds secrets by their position (in a URL, a header, a line of a credentials file, a command's option, a manifest,
// next to a key's id), and private keys. Also has the interface of all finders, and helpers that they share.
import { trimEnd } from "../../util/text.ts";
import {
  isEncodedLogin,
  isEncodedPassword,
  isEncodedSecret,
  isPasswordInPlace,
  isRandom,
} from "./secret-values.ts";

/** Start and end. */
export type Range = readonly [number, number];

/** A finder for one kind of secret. */
export interface SecretFinder {
  /** The text is searched for these; `find` is called wherever one begins. */
  readonly anchors: readonly string[];
  find(text: string, at: number): readonly Range[];
}

type IsSecret = (value: string) => boolean;

export const noRanges: readonly Range[] = [];

/** For sticky patterns (`y`). */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Finds the group `secret` of a pattern with the flags `dy` if its value is judged to be a secret. */
function finderOf(
  anchors: readonly string[],
  pattern: RegExp,
  isSecret: IsSecret,
  isInPlace: (text: string, at: number) => boolean = () => true,
): SecretFinder {
  return {
    anchors,
    find(text, at) {
      const found = matchAt(pattern, text, at);
      const value = found?.groups?.["secret"];
      const range = found?.indices?.groups?.["secret"];
      if (value === undefined || range === undefined) return noRanges;
      return isSecret(value) && isInPlace(text, at) ? [range] : noRanges;
    },
  };
}

// ── Addresses and headers ──

const addressPassword = finderOf(
  ["://"],
  /:\/\/[^\s:@/"'`<>\\?#]{0,64}:(?<secret>[^\s@/"'`<>\\]{3,128})@[A-Za-z0-9[]/dy,
  isPasswordInPlace,
);

const isInHeader = (value: string): boolean =>
  isEncodedLogin(value) ?? (value.length >= 20 && isRandom(value));

const headerValue = finderOf(
  ["Bearer ", "Basic ", "bearer ", "basic "],
  /(?:Bearer|Basic|bearer|basic) (?<secret>[A-Za-z0-9+/=._~-]{16,4000})(?![A-Za-z0-9+/=._~-])/dy,
  isInHeader,
);

const authorization = finderOf(
  ["uthorization"],
  /uthorization\\{0,8}["']?\]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,8}["'`]?(?:[A-Za-z-]{2,20}[ =]"?)?(?<secret>[A-Za-z0-9+/=._~-]{20,4000})(?![A-Za-z0-9+/=._~-])/dy,
  isInHeader,
);

const longestHeader = 4000;

/** Session cookies that are long enough. */
function cookies(text: string, at: number): readonly Range[] {
  const start = at + "ookie: ".length;
  const [line = ""] = text.slice(start, start + longestHeader).split(/[\r\n"'`\\]/, 1);
  return [...line.matchAll(/=([^;=\s]{24,})=*/g)]
    .filter(([, value = ""]) => isRandom(value))
    .map(({ 1: value = "", index }): Range => [start + index + 1, start + index + 1 + value.length]);
}

// ── Files of logins ──

const netrc = finderOf(
  ["login "],
  /login[ \t]{1,8}\S{1,100}\s{1,20}(?:account[ \t]{1,8}\S{1,100}\s{1,20})?passw(?:or)?d[ \t]{1,8}(?<secret>[^\s"'`\\]{6,200})/dy,
  isPasswordInPlace,
);

const pgpass = finderOf(
  [":5432:", ":6432:", ":5433:"],
  /:\d{4}:[^\s:]{1,64}:[^\s:]{1,64}:(?<secret>[^\s"'`]{6,200})/dy,
  isPasswordInPlace,
);

/** `"auth"` of a container registry, `_auth` and `_password` of a package registry. */
const registryLogin = finderOf(
  ['"auth"', "_auth=", "_auth =", "_password=", "_password ="],
  /(?:\\{0,8}"auth\\{0,8}"\s{0,8}:|_\w{4,8}[ \t]{0,4}=)\s{0,8}\\{0,8}"?(?<secret>[A-Za-z0-9+/]{8,4000}={0,2})(?![A-Za-z0-9+/=])/dy,
  (value) => isEncodedLogin(value) ?? isEncodedPassword(value),
);

/** A login as people write it to each other: a name, a slash, a password. */
const toldLogin = finderOf(
  ["login: ", "Login: ", "logins: ", "credentials: ", "Credentials: ", "creds: "],
  /[A-Za-z]{5,11}: [^\s/]{1,64} ?\/ ?(?<secret>[^\s"'`]{8,64})/dy,
  isPasswordInPlace,
);

// ── Commands ──

const longestCommand = 400;

/** `names`: the option belongs to a command that begins with one of these. */
const option = (names: string, anchors: readonly string[], pattern: RegExp): SecretFinder => {
  const command = new RegExp(`(?:^|[^\\w-])(?:${names})[ \\t][^\\n]*$`);
  return finderOf(anchors, pattern, isPasswordInPlace, (text, at) =>
    command.test(text.slice(Math.max(0, at - longestCommand), at + 1).replace(/\\\r?\n/g, " ")),
  );
};

const commandOptions: readonly SecretFinder[] = [
  option(
    "curl|wget|https?|xh",
    [" -u ", " -u", " --user ", " --user=", " -U ", " --proxy-user ", " -a "],
    / --?[A-Za-z-]{1,12}[ =]{0,2}["']?[^\s:"']{1,100}:(?<secret>[^\s"'`]{6,200})/dy,
  ),
  option(
    "mysql|mysqldump|mysqladmin|mariadb(?:-\\w+)?|sshpass|(?:docker|podman|buildah|az|oc|helm registry) login",
    [" -p"],
    / -p[ =]?["']?(?<secret>[^\s"'`]{6,200})/dy,
  ),
  option("redis-cli", [" -a ", " --pass "], / --?\w{1,4} ["']?(?<secret>[^\s"'`]{6,200})/dy),
  finderOf(
    ["unseal ", "privkey "],
    /[a-z]{6,7} ["']?(?<secret>[A-Za-z0-9+/]{40,60}={0,2})(?![A-Za-z0-9+/=])/dy,
    isRandom,
  ),
];

// ── Manifests of clusters ──

const longestManifest = 64 * 1024;
const atLineStart = /(?:^|\n)[ \t]{0,30}(?:- )?$/;
/** Where the previous manifest ends and the next one begins. */
const nextManifest = /^(?:---|[ \t-]*kind:)/;
const manifestData = /^[ \t]*(?:data|stringData):[ \t]*$/;
const manifestValue = /^[ \t]+[\w.-]+:[ \t]*["']?([^\s"'|>#]{8,8000})["']?[ \t]*$/;
const lineInBlock = /^[ \t]+([A-Za-z0-9+/=]{16,8000})[ \t]*$/;

interface Line {
  readonly start: number;
  readonly text: string;
}

/** Yields the lines after `at`, or backward from the line before `at`. */
function* manifestLines(text: string, at: number, isBack: boolean): Generator<Line, void> {
  let start = isBack ? at : text.indexOf("\n", at) + 1;
  while (isBack ? start > 0 : start > 0 && start < text.length) {
    const from = isBack ? text.lastIndexOf("\n", start - 2) + 1 : start;
    const end = isBack ? start - 1 : text.indexOf("\n", start);
    const line = text.slice(from, end < 0 ? undefined : end).replace(/\r$/, "");
    if (nextManifest.test(line) || Math.abs(from - at) > longestManifest) return;
    yield { start: from, text: line };
    start = isBack ? from : end + 1;
  }
}

/** In a Kubernetes secret, every value counts that is not an ordinary word. */
function clusterSecret(text: string, at: number): readonly Range[] {
  const before = text.slice(Math.max(0, at - 34), at);
  if (!atLineStart.test(before)) return noRanges;
  const lineStart = at - before.length + before.lastIndexOf("\n") + 1;
  const lines = [...[...manifestLines(text, lineStart, true)].reverse(), ...manifestLines(text, at, false)];
  const found: Range[] = [];
  let depth = -1;
  for (const { start, text: line } of lines) {
    const indent = line.length - line.trimStart().length;
    if (manifestData.test(line)) depth = indent;
    else if (line.trim() !== "" && indent <= depth) depth = -1;
    const value = depth < 0 ? undefined : (manifestValue.exec(line) ?? lineInBlock.exec(line))?.[1];
    if (value === undefined || !isEncodedSecret(value)) continue;
    const from = start + line.lastIndexOf(value);
    found.push([from, from + value.length]);
  }
  return found;
}

// ── Beside an id ──

const awsSecret = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;
const nearby = 300;

/** The secret half of a key pair has no shape of its own; next to its id it is recognized by its length. */
function besideId(text: string, at: number): readonly Range[] {
  if (!/^(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/.test(text.slice(at, at + 21))) return noRanges;
  const from = Math.max(0, at - nearby);
  return [...text.slice(from, at + nearby).matchAll(awsSecret)]
    .filter(([value]) => isRandom(value))
    .map(({ 0: value, index }): Range => [from + index, from + index + value.length]);
}

export const placeFinders: readonly SecretFinder[] = [
  addressPassword,
  headerValue,
  authorization,
  { anchors: ["ookie: "], find: cookies },
  netrc,
  pgpass,
  registryLogin,
  toldLogin,
  ...commandOptions,
  { anchors: ["kind: Secret"], find: clusterSecret },
  { anchors: ["AKIA", "ASIA"], find: besideId },
];

// Private keys in text form: between header and footer, truncated at either end, and in PuTTY's format; with real line
// ends or escaped ones, at any level of escaping.

const keyHeader = /-{4,5} ?BEGIN [A-Za-z0-9 _]{0,40}(?:PRIVATE KEY(?: BLOCK)?|Static key V1) ?-{4,5}/y;
const keyFooter = /-{4,5} ?END [A-Za-z0-9 _]{0,40}(?:PRIVATE KEY(?: BLOCK)?|Static key V1) ?-{4,5}/y;
/** What may be between a header and its key: line ends, also escaped, quotes, comment signs, the key's own headers. */
const beforeBody = /(?:\\{1,8}[nr"'/]|[\s"'`+>|#*,;(){}/-]|[A-Za-z-]{4,20}: [^\r\n\\]{0,200})*/y;
const body = /[A-Za-z0-9+/=]+/y;
/** Several lines of a key with escaped line ends. */
const bodyInString = /(?:[A-Za-z0-9+/=]|\\{1,8}[nr/])+/y;
/** A line of a key, with what editors, diffs and languages put around it. */
const bodyLine =
  /[ \t>|#*+-]*(?![ \t>|#*+-])["'`]?(?:[A-Za-z][A-Za-z-]{3,19}: [^\r\n]{0,200}|[A-Za-z0-9+/=]*(?![A-Za-z0-9+/=])(?:\\[nr])*["'`]?[ \t]*(?:[+,\\.][ \t]*)?)(?:\r\n|\r|\n|$)/y;
const longestKey = 64 * 1024;
const leastBody = 16;

/** Code that reads keys often contains the header alone, so something like a key must follow. */
function privateKey(text: string, at: number): readonly Range[] {
  const header = matchAt(keyHeader, text, at);
  if (header === null) return noRanges;
  const from = at + header[0].length;
  const gap = matchAt(beforeBody, text.slice(from, from + 2000), 0)?.[0] ?? "";
  const start = from + gap.length;
  const length = matchAt(body, text, start)?.[0].length ?? 0;
  const isLine = /[\r\n]/.test(gap) && /^(?:[\r\n]|$)/.test(text.slice(start + length, start + length + 1));
  if (length < leastBody && !(length > 0 && isLine)) return keyBehindPrefixes(text, at, from);
  return [[at, keyEnd(text, start)]];
}

const nextHeaderOrFooter = /-{4,5} ?(?:BEGIN|END) /;

/** In search results, logs and numbered lines, each line of a key stands behind something else. */
function keyBehindPrefixes(text: string, at: number, from: number): readonly Range[] {
  const within = text.slice(from, from + longestKey);
  const end = within.search(nextHeaderOrFooter);
  const [rest = "", ...lines] = within.slice(0, end < 0 ? undefined : end).split("\n");
  const footer = end < 0 ? null : matchAt(keyFooter, text, from + end);
  if (footer !== null && lines.some(endsLikeKey)) return [[at, from + end + footer[0].length]];
  let stop = from + rest.length;
  for (const line of lines) {
    if (!endsLikeKey(line)) break;
    stop += 1 + line.length;
  }
  return stop > from + rest.length ? [[at, stop]] : noRanges;
}

const lastOfLine = 80;
const longRun = /^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9+/=]{60}$/;

/** Lines of keys have 64 characters or more, which end the line but for what languages put there. */
function endsLikeKey(line: string): boolean {
  const bare = trimEnd(line.slice(-lastOfLine), " \t\r\"'`+,;").replace(/(?:\\[nr]){1,2}$/, "");
  return longRun.test(bare.slice(-60));
}

function keyEnd(text: string, start: number): number {
  const within = text.slice(start, start + longestKey);
  // Behind the header of another key, a footer is that one's: of many headers in a row, none reads on behind the next.
  const end = within.search(nextHeaderOrFooter);
  const footer = end < 0 ? null : matchAt(keyFooter, text, start + end);
  if (footer !== null) return start + end + footer[0].length;
  // The key is truncated: every further line that can belong to it counts.
  let stop = start;
  for (;;) {
    const line = matchAt(bodyLine, text, stop);
    if (line === null || line[0] === "" || stop - start > longestKey) break;
    stop += line[0].length;
  }
  return stop > start ? stop : start + (matchAt(bodyInString, within, 0)?.[0].length ?? 0);
}

/** The end of a key whose beginning is missing, as in a part of a file or a few lines of a diff. */
function keyTail(text: string, at: number): readonly Range[] {
  const footer = matchAt(keyFooter, text, at);
  if (footer === null) return noRanges;
  let start = at;
  while (start > 0 && at - start < longestKey) {
    const previous = text.lastIndexOf("\n", start - 2) + 1;
    const line = text.slice(previous, start).trim().replace(/^[+-]/, "");
    if (line === "" || !/^[A-Za-z0-9+/=]+$/.test(line)) break;
    start = previous;
  }
  return start === at ? noRanges : [[start, at + footer[0].length]];
}

const puttyHeader = /Private-Lines: (\d{1,3})(?:\r?\n|(?:\\{1,8}[nr]){1,2})/y;
const puttyLine = /[ \t>|#*+-]{0,40}[A-Za-z0-9+/=]{1,200}(?:\r?\n|(?:\\{1,8}[nr]){1,2}|$)/y;

/** PuTTY's format states the number of the key's lines. */
function puttyKey(text: string, at: number): readonly Range[] {
  const header = matchAt(puttyHeader, text, at);
  if (header === null) return noRanges;
  const start = at + header[0].length;
  let end = start;
  for (let line = 0; line < Number(header[1]); line++) end += matchAt(puttyLine, text, end)?.[0].length ?? 0;
  return end === start ? noRanges : [[start, end]];
}

export const privateKeyFinders: readonly SecretFinder[] = [
  { anchors: ["-----BEGIN ", "---- BEGIN "], find: privateKey },
  { anchors: ["-----END ", "---- END "], find: keyTail },
  { anchors: ["Private-Lines: "], find: puttyKey },
];
