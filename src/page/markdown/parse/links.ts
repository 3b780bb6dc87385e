// What is a link in a response: addresses, and mentions of files. The host checks an address again before it opens it.
import type { StateInline } from "markdown-it";
import { firstHidden, hasHidden } from "../../../util/hidden-characters.ts";

const most = 256;

/**
 * Returns a function with the same results that does not compute recent ones again: while a text arrives, its links are
 * checked again with every delta.
 */
export function memoize<Answer>(answer: (question: string) => Answer): (question: string) => Answer {
  const known = new Map<string, { readonly found: Answer }>();
  return (question) => {
    const before = known.get(question);
    if (before !== undefined) return before.found;
    const found = answer(question);
    if (known.size === most) known.clear();
    known.set(question, { found });
    return found;
  };
}

/** Longer addresses carry data rather than a destination. */
const longest = 8_192;

/** Returns the address as a browser would open it, or `undefined` if it is not http or https. */
export const httpAddress = (href: string): string | undefined =>
  href.length > longest || !/^https?:/i.test(href) ? undefined : openedAddress(href);

const openedAddress = memoize((href): string | undefined => {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
});

const hostOf = memoize((address) => {
  const { hostname, host, username, password } = new URL(address);
  // User information as in "github.com@evil.test", or letters that imitate those of a known name.
  const isDisguised = username + password !== "" || /(?:^|\.)xn--/.test(hostname);
  return { hostname, host, isDisguised };
});

/**
 * Returns the host of `address` when the text of the link names another host or the address disguises its own;
 * otherwise undefined.
 */
export function differentHost(words: string, address: string): string | undefined {
  const { hostname, host, isDisguised } = hostOf(address);
  if (isDisguised) return host;
  const bare = (name: string) => name.toLowerCase().replace(/^www\./, "");
  return namesIn(words).some((name) => bare(name) !== bare(hostname)) ? host : undefined;
}

const name = String.raw`((?:[\p{L}\p{N}-]+\.)+\p{L}{2,}|localhost)(?![\p{L}\p{N}-]|\.[\p{L}\p{N}])`;
const named = new RegExp(String.raw`(https?:\/\/|(?<![\p{L}\p{N}.\/_-]))${name}([/?#]\S*)?`, "giu");

/**
 * Returns the hosts that a link's text claims to lead to, also in look-alike characters ("ｇithub．com"). "Node.js" and
 * "README.md" look like hosts; such names count only after a scheme, or with a path at the start of the text.
 */
const namesIn = memoize((words): readonly string[] => {
  const plain = words.normalize("NFKC").trimStart();
  return [...plain.matchAll(named)].flatMap(({ index, 1: scheme, 2: host = "", 3: rest = "" }) => {
    const isKnown = /^www\.|\.(?:com|org|net|io|dev|gov|edu)$/i.test(host);
    return scheme !== "" || isKnown || (index === 0 && rest.startsWith("/")) ? host : [];
  });
});

const scheme = /(?:^|[^a-z0-9])(https?)$/i;
const end = /[\s<>"`\u2018-\u201F\u3000-\u303F\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65]/;
const host = /^(?:[\p{L}\p{N}_-]+@)?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/u;

/**
 * Finds bare addresses in text as GitHub does: "http://", "https://" and "www.", with GFM's rules for where an address
 * ends. It also ends at quotation marks, CJK punctuation and invisible characters. Mail addresses stay text: only http
 * and https are links here. The inline rule: markdown-it stops at ":", so the scheme is in the pending text before it.
 */
export function autolink(state: StateInline, silent: boolean): boolean {
  // Silent runs search for the end of a link label, and an address must not hide that end.
  if (silent || state.linkLevel > 0 || !state.src.startsWith("://", state.pos)) return false;
  const found = scheme.exec(state.pending.slice(-6))?.[1];
  if (found === undefined) return false;
  const address = addressAt(state.src.slice(state.pos - found.length, state.posMax), found.length + 3);
  if (address === undefined) return false;
  state.pending = state.pending.slice(0, -found.length);
  const open = state.push("link_open", "a", 1);
  open.attrs = [["href", state.md.normalizeLink(address)]];
  open.info = "auto";
  state.push("text", "", 0).content = address;
  state.push("link_close", "a", -1).info = "auto";
  state.pos += address.length - found.length;
  return true;
}

/** Returns the "www." address at the start of `text`. */
export const wwwAddress = (text: string): string | undefined =>
  /^www\./i.test(text) ? addressAt(text, 0) : undefined;

function addressAt(source: string, hostAt: number): string | undefined {
  const stop = source.search(end);
  const whole = stop === -1 ? source : source.slice(0, stop);
  const hidden = firstHidden(whole);
  const address = hidden === -1 ? whole : whole.slice(0, hidden);
  const name = host.exec(address.slice(hostAt))?.[0];
  if (name === undefined || !isHost(name, hostAt === 0)) return undefined;
  const length = trimmedLength(address);
  return length > hostAt ? address.slice(0, length) : undefined;
}

function isHost(name: string, dotted: boolean): boolean {
  const segments = name.split(".");
  return (!dotted || segments.length > 1) && !segments.slice(-2).some((segment) => segment.includes("_"));
}

const openers: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/**
 * Trailing punctuation belongs to the sentence, and so does a closing bracket unless the address contains its opening
 * one.
 */
function trimmedLength(address: string): number {
  const surplus = countBrackets(address);
  for (let length = address.length; ; length -= 1) {
    const last = address.charAt(length - 1);
    if (last === ";") {
      const entity = /&[a-z0-9]{1,31};$/i.exec(address.slice(Math.max(0, length - 33), length))?.[0];
      if (entity === undefined) return length;
      length -= entity.length - 1;
    } else if (last in openers && (surplus.get(last) ?? 0) > 0) {
      surplus.set(last, (surplus.get(last) ?? 0) - 1);
    } else if (last === "" || !"?!.,:*_~'".includes(last)) return length;
  }
}

/** For each closing bracket, how many more of it there are than of its opening one. */
function countBrackets(address: string): Map<string, number> {
  const surplus = new Map<string, number>();
  for (const character of address) {
    for (const [closing, opening] of Object.entries(openers)) {
      if (character === closing) surplus.set(closing, (surplus.get(closing) ?? 0) + 1);
      if (character === opening) surplus.set(closing, (surplus.get(closing) ?? 0) - 1);
    }
  }
  return surplus;
}

interface FileReference {
  readonly path: string;
  readonly line: number | undefined;
}

const endings =
  "astro|bash|bat|bicep|c|cc|cfg|cjs|clj|cmake|conf|cpp|cs|csproj|css|csv|cts|cxx|dart|diff|env|erl|ex|exs|fs|fsx|go|gradle|graphql|h|hbs|hpp|hs|htm|html|ini|ipynb|java|jl|js|json|jsonc|jsx|kt|kts|less|lock|log|lua|m|md|mdx|mjs|ml|mm|mts|patch|php|pl|prisma|properties|proto|ps1|py|pyi|r|rb|rs|rst|sass|scala|scss|sh|sln|sol|sql|svelte|svg|swift|tf|tfvars|toml|ts|tsx|txt|vb|vue|xml|yaml|yml|zig|zsh";
const segment = String.raw`[\p{L}\p{N}_@+~-][\p{L}\p{N}_@+~.-]*`;
const place = String.raw`:(\d{1,7})(?::\d{1,7})?(?:-\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?|\((\d{1,7})(?:,\s?\d{1,7})?\)`;
const form = String.raw`((?:\.{0,1}/)?(?:\.?${segment}/)*\.?(?:${segment})?\.[A-Za-z][A-Za-z0-9]{0,11})(?:${place})?`;

const whole = new RegExp(`^${form}$`, "u");
const mention = new RegExp(String.raw`(?<![\p{L}\p{N}_@/\\.:~#&=+-])${form}(?![\p{L}\p{N}_/\\@])`, "gu");
const known = new RegExp(String.raw`\.(?:${endings})$`, "i");

/** Parses a code span that consists of a file name alone. */
export function fileIn(code: string): FileReference | undefined {
  const found = code.length > 400 ? null : whole.exec(code);
  return found === null ? undefined : referenceOf(found, true);
}

interface Mention extends FileReference {
  readonly index: number;
  readonly text: string;
}

/**
 * Finds mentions of files in running text, where a bare name is not enough ("Node.js" is no file): "src/cart.ts:12",
 * "src/cart.ts#L12", "cart.ts(12)". Accepts relative paths that do not go up, with a line or a well-known extension;
 * the host knows whether the file exists.
 */
export function mentionsIn(text: string): readonly Mention[] {
  if (!/\.[A-Za-z]/.test(text)) return [];
  return [...text.matchAll(mention)].flatMap((found) => {
    const file = referenceOf(found, false);
    return file === undefined ? [] : [{ ...file, index: found.index, text: found[0] }];
  });
}

function referenceOf(found: RegExpExecArray, bareNames: boolean): FileReference | undefined {
  const [, path = "", colon, hash, bracket] = found;
  const number = colon ?? hash ?? bracket;
  // With invisible characters, the name would open a file other than the one that is read.
  if (hasHidden(path)) return undefined;
  const isKnown = known.test(path);
  if (!isKnown && (number === undefined || !path.includes("/"))) return undefined;
  if (!bareNames && number === undefined && !path.includes("/")) return undefined;
  if (path.startsWith("/") || /^(?:www\.|[\w-]+\.(?:com|org|net|io|dev|edu|gov)\/)/i.test(path))
    return undefined;
  return { path: path.replace(/^\.\//, ""), line: number === undefined ? undefined : Number(number) };
}
