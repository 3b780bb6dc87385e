// A service may repeat the key in a text, a call, or an error that quotes a header. Reply events are shown, sent again
// and stored, so the key is redacted before they leave this layer, even when it is split across chunks.
import { isObject } from "../../util/json.ts";
import { base64Forms, gram, maskedText } from "../../util/mask-secrets.ts";
import type { ReplyEvent } from "../reply.ts";

/** A growing text: what was already sent of a possible key, and what is held back until the rest is known. */
interface Growing {
  readonly sent: string;
  readonly held: string;
  /** The latest delta; absent as long as the whole text came at once, of which nothing is held back. */
  readonly event?: Delta;
}

type Delta = Extract<ReplyEvent, { readonly delta: string }>;
type Replaced = Extract<ReplyEvent, { readonly type: "replaced" }>;

/** So few characters of a key reveal nothing; they are not held back, so that texts flow. */
const maxShown = 3;

export class KeyHider {
  /** Every key that the operation has used so far. */
  readonly #keys: () => readonly string[];
  /** The search patterns, rebuilt only when the keys change, not for each of a hundred thousand events. */
  #wanted: Wanted = wantedOf([]);
  readonly #growing = new Map<string, Growing>();

  constructor(keys: () => readonly string[]) {
    this.#keys = keys;
  }

  take(event: ReplyEvent): ReplyEvent[] {
    const wanted = this.#wantedNow();
    if (wanted.forms.length === 0) return [event];
    if ("delta" in event) return this.#grow(event, wanted);
    if (event.type === "replaced") return this.#replace(event, wanted);
    return [...this.#rest(), hideIn(event, wanted.forms) as ReplyEvent];
  }

  #wantedNow(): Wanted {
    const keys = this.#keys();
    const known = this.#wanted.keys;
    const isSame = keys.length === known.length && keys.every((key, at) => key === known[at]);
    if (!isSame) this.#wanted = wantedOf(keys);
    return this.#wanted;
  }

  #grow(event: Delta, wanted: Wanted): ReplyEvent[] {
    const place = "part" in event ? event.part : event.item;
    const { sent, held } = this.#growing.get(place) ?? { sent: "", held: "" };
    const { shown: delta, ...grown } = growingOf(sent, held + event.delta, wanted);
    this.#growing.set(place, { ...grown, event });
    return delta === "" ? [] : [{ ...event, delta }];
  }

  /** The event replaces all of its text, and deltas may continue the new one. */
  #replace(event: Replaced, wanted: Wanted): ReplyEvent[] {
    this.#growing.delete(event.part);
    const rest = this.#rest();
    const { shown, sent, held } = growingOf("", event.text, wanted);
    this.#growing.set(event.part, { sent: sent + held, held: "" });
    const hidden = { ...event, text: shown + flushed(sent, held) };
    return [...rest, hideIn(hidden, wanted.forms) as ReplyEvent];
  }

  /** Flushes what is held back, so that the order of events stays. More of the key may follow, and is recognized. */
  #rest(): ReplyEvent[] {
    const rest: ReplyEvent[] = [];
    for (const [place, { sent, held, event }] of this.#growing) {
      if (sent === "" && held === "") this.#growing.delete(place);
      if (held === "" || event === undefined) continue;
      rest.push({ ...event, delta: flushed(sent, held) });
      this.#growing.set(place, { sent: sent + held, held: "", event });
    }
    return rest;
  }
}

/** What to show of the text that follows what was sent of a possible key, and what may be the beginning of one now. */
function growingOf(before: string, more: string, { forms, any }: Wanted) {
  const text = before + more;
  let at = 0;
  let shown = "";
  for (const { 0: form, index } of text.matchAll(any)) {
    shown += text.slice(Math.max(at, before.length), index) + maskedText;
    at = index + form.length;
  }
  const begins = forms.reduce((least, form) => Math.min(least, beginningAt(text, at, form)), text.length);
  const from = Math.max(at, before.length);
  const end = text.length - begins > maxShown ? Math.max(from, begins) : text.length;
  shown += text.slice(from, end);
  return { shown, sent: text.slice(begins, end), held: text.slice(end) };
}

/** What is shown instead of a text that was held back. */
const flushed = (sent: string, held: string): string =>
  held !== "" && sent.length + held.length >= gram ? maskedText : held;

/**
 * The key itself, and its forms in JSON, in an address and in base64. Short keys are skipped, because they would match
 * innocent text.
 */
export const formsOf = (keys: readonly string[]): readonly string[] => [
  ...new Set(
    keys.flatMap((key) => {
      const json = JSON.stringify(key).slice(1, -1);
      const inAddress = encodeURIComponent(key);
      return key.length < gram
        ? []
        : [key, json, json.replaceAll("/", "\\/"), inAddress, ...base64Forms(key)];
    }),
  ),
];

/**
 * Redacts the key in all texts of a value. Without a match, the same value is returned and nothing is allocated, since
 * a reply can have many items.
 */
export function hideIn(value: unknown, forms: readonly string[]): unknown {
  if (typeof value === "string") return hideForms(value, forms);
  if (Array.isArray(value)) return hiddenOf(value, forms) ?? value;
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const hidden = hiddenOf(Object.values(value), forms);
  if (hidden === undefined) return value;
  return Object.fromEntries(Object.keys(value).map((name, at) => [name, hidden[at]]));
}

/** Returns undefined when none of them contains a key. */
function hiddenOf(values: readonly unknown[], forms: readonly string[]): unknown[] | undefined {
  let hidden: unknown[] | undefined;
  for (let at = 0; at < values.length; at++) {
    const each = hideIn(values[at], forms);
    if (each === values[at]) continue;
    hidden ??= [...values];
    hidden[at] = each;
  }
  return hidden;
}

export const hideKeys = (text: string, keys: readonly string[]): string => hideForms(text, formsOf(keys));

function hideForms(text: string, forms: readonly string[]): string {
  let hidden = text;
  for (const form of forms) if (hidden.includes(form)) hidden = hidden.replaceAll(form, maskedText);
  return hidden;
}

interface Wanted {
  readonly keys: readonly string[];
  readonly forms: readonly string[];
  readonly any: RegExp;
}

function wantedOf(keys: readonly string[]): Wanted {
  const forms = formsOf(keys);
  // The longest first, because one may begin like another.
  const ordered = forms.toSorted((one, other) => other.length - one.length);
  const any = new RegExp(ordered.map((form) => form.replace(/[^A-Za-z0-9]/g, "\\$&")).join("|"), "g");
  return { keys, forms, any };
}

/** Returns where a suffix of the text could begin this form; the length of the text if there is none. */
function beginningAt(text: string, least: number, form: string): number {
  const first = form.charAt(0);
  let at = text.indexOf(first, Math.max(least, text.length - form.length + 1));
  while (at >= 0 && !form.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
  return at < 0 ? text.length : at;
}
