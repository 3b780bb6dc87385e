// What a person is asked about each time before a patch does it, whatever the settings say: touching files that run,
// steer or unlock something, and writing what nobody sees. Paths come folded (paths.ts).

import { showHidden } from "../conversation/hidden-characters.ts";
import { type Message, message } from "../messages/message.ts";
import { createRemembered } from "../util/remembered.ts";
import type { Steps } from "../util/yield-to-event-loop.ts";
import type { Permission } from "./model.ts";
import { protectedPaths } from "./protected-paths.ts";

const formOfSign: Readonly<Record<string, string>> = { "*": "[^/]*", "{": "(?:", "}": ")", ",": "|" };

const rules = protectedPaths.map(({ why, files }) => ({
  why,
  form: new RegExp(`(?:^|/)(?:${files.map(formOf).join("|")})$`, "su"),
}));

function formOf(pattern: string): string {
  const form = pattern.replace(/[*{},.\\+?()[\]^$|]/g, (sign) => formOfSign[sign] ?? `\\${sign}`);
  const rest = pattern.endsWith("/") ? ".+" : "";
  return pattern.startsWith("/") ? `(?<!.)${form.slice(1)}${rest}` : form + rest;
}

/** Asked of the same names again and again: whenever what waits is looked at. */
export const protectionOf = createRemembered((foldedPath): readonly Message[] =>
  rules.filter(({ form }) => form.test(foldedPath)).map(({ why }) => why),
);

/** Besides those of the paths, and of the text. */
export const otherReasons = {
  settings: message("cautionSettings"),
  hardLink: message("cautionHardLink"),
  ignored: message("cautionIgnored"),
  emptied: message("cautionEmptied"),
  replaced: message("cautionReplaced"),
} as const;

/** A review shows these whole. All others are asked about outside of the page as well, which can be imitated. */
const seenInReview: ReadonlySet<Message> = new Set([
  otherReasons.ignored,
  otherReasons.emptied,
  otherReasons.replaced,
]);

export const isSensitive = (reasons: readonly Message[]): boolean =>
  reasons.some((reason) => !seenInReview.has(reason));

/** For the names of its files alone, so that a pattern in the settings can lift it. */
export const isLiftable = ({ permission }: { readonly permission: Pick<Permission, "reasons"> }): boolean =>
  permission.reasons.every((reason) => protectedPaths.some(({ why }) => why === reason));

/** The worst first: text that cannot be seen, paths in their order; what merely picks packages comes last. */
export const worstFirst = (reasons: Iterable<Message>): Message[] =>
  [...reasons].sort((one, other) => weightOf(one) - weightOf(other));

export function weightOf(reason: Message | undefined): number {
  const at = protectedPaths.findIndex(({ why }) => why === reason);
  if (at >= 0) return at + 1;
  return isOther(reason) ? protectedPaths.length - 0.5 : 0;
}

const isOther = (reason: Message | undefined): boolean =>
  Object.values<Message | undefined>(otherReasons).includes(reason);

const knownSchemas =
  /^(json-schema\.org|json\.schemastore\.org|www\.schemastore\.org|schemastore\.org|www\.w3\.org|maven\.apache\.org|schemas\.microsoft\.com|schemas\.android\.com)$/;

/** What the text that a patch writes would set in motion by merely being there. */
export function* dangersIn(text: string): Steps<readonly Message[]> {
  const dangers: Message[] = [];
  if (/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/.test(text)) dangers.push(message("cautionDirection"));
  // Also the ideographic variants that a text may be shown with: they carry a byte each.
  if (/[\u{E0100}-\u{E01EF}]/u.test(text) || hidesSomething(text)) dangers.push(message("cautionInvisible"));
  if (/(?![\t\n\r])\p{Cc}|\r(?!\n)/u.test(text)) dangers.push(message("cautionControl"));
  const hosts = new Set<string>();
  for (const address of yield* fetchedBy(yield* withoutEscapes(text))) {
    const whole = address.startsWith("//") ? `https:${address}` : address;
    const host = URL.canParse(whole) ? new URL(whole).hostname : address;
    if (!knownSchemas.test(host)) hosts.add(host);
  }
  return [...dangers, ...[...hosts].map((host) => message("cautionSchema", { host }))];
}

/** Besides control and text-direction characters, which have their own words. */
const hidesSomething = (text: string): boolean =>
  showHidden(text.replace(/[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "")).some(
    ({ hidden }) => hidden,
  );

const escapes =
  /\\u\{(?<point>[0-9a-fA-F]{1,6})\}|\\u(?<unit>[0-9a-fA-F]{4})|\\U(?<long>[0-9a-fA-F]{8})|\\x(?<byte>[0-9a-fA-F]{2})|&#[xX](?<hex>[0-9a-fA-F]{1,6});|&#(?<decimal>[0-9]{1,7});|\\(?=\/)/g;

/** `"\u0024schema"` and `https:\/\/` are read by JSON and YAML, `&#36;` by XML, as what they stand for. */
function* withoutEscapes(text: string): Steps<string> {
  const pieces: string[] = [];
  for (let from = 0, end = 0; from < text.length; from = end) {
    yield;
    end = endOfPiece(text, from);
    pieces.push(text.slice(from, end).replace(escapes, meant));
  }
  return pieces.join("");
}

/** So much may be nothing but escapes, and is read in a few milliseconds. */
const piece = 16 * 1024;
const longestEscape = 12;

/** Before an escape, not within: each begins with a sign that is nowhere else in it. */
function endOfPiece(text: string, from: number): number {
  const end = from + piece;
  if (end >= text.length) return text.length;
  for (let at = end - 1; at > end - longestEscape; at--) if (text[at] === "\\" || text[at] === "&") return at;
  return end;
}

function meant(...found: unknown[]): string {
  const { decimal, ...codes } = found.at(-1) as Record<string, string | undefined>;
  const hex = Object.values(codes).find((code) => code !== undefined);
  if (hex === undefined && decimal === undefined) return "";
  const point = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  return point <= 0x10ffff ? String.fromCodePoint(point) : "";
}

const tokens =
  /<!DOCTYPE|<!ENTITY|<\?xml-|schemaLocation\s*=\s*["']|\$schema["']?\s*[:=]\s*(?:\/\*[^*]*\*+\/\s*)*["']?|[>"']|(?:https?:|ftp:|file:)?\/\/[^"'\s>]+/gi;

/** Addresses that stand where editors look for a schema. One pass: a search per opening would be for minutes. */
function* fetchedBy(text: string): Steps<string[]> {
  const found: string[] = [];
  let pausedAt = 0;
  let inTag = false;
  let inLocation = false;
  let schemaEnds = -1;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (index - pausedAt > piece) {
      yield;
      pausedAt = index;
    }
    if (token.startsWith("<")) inTag = true;
    else if (token === ">") inTag = false;
    else if (/^schemaLocation/i.test(token)) inLocation = true;
    else if (token.startsWith("$")) schemaEnds = index + token.length;
    else if (/^["']$/.test(token)) inLocation = false;
    else if (schemaEnds === index) found.push(token);
    // A public identifier has slashes within: "-//W3C//DTD HTML 4.01//EN".
    else if ((inTag || inLocation) && !/[^"'\s]\/\//.test(text.slice(Math.max(0, index - 1), index + 2)))
      found.push(token);
  }
  return found;
}
