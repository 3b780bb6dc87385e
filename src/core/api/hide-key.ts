// A service may say the key itself: in a text, in a call, in an error that quotes a header. What a reply tells is shown,
// sent again and kept, so the key is taken out where events leave this layer, also where it comes in pieces.
import { isObject } from "../util/json.ts";
import { base64Forms, gram, maskedText } from "../util/mask.ts";
import type { ReplyEvent } from "./reply.ts";

/** A text that grows: what of the beginning of a key was told already, and what waits for the rest. */
interface Growing {
  readonly sent: string;
  readonly held: string;
  readonly event: Delta;
}

type Delta = Extract<ReplyEvent, { readonly delta: string }>;

/** So little of a key says nothing: it is not held back, and texts flow. */
const maxShown = 3;

export class KeyHider {
  /** Every key that the operation has had until now. */
  readonly #keys: () => readonly string[];
  /** What is looked for: made once for the same keys, and not with each of a hundred thousand events. */
  #wanted: Wanted = wantedOf([]);
  readonly #growing = new Map<string, Growing>();

  constructor(keys: () => readonly string[]) {
    this.#keys = keys;
  }

  take(event: ReplyEvent): ReplyEvent[] {
    const wanted = this.#wantedNow();
    if (wanted.forms.length === 0) return [event];
    if ("delta" in event) return this.#grow(event, wanted);
    const { part } = event.type === "replace" ? event : { part: "" };
    // Everything of it is told again.
    this.#growing.delete(part);
    return [...this.#rest(), hideIn(event, wanted.forms) as ReplyEvent];
  }

  #wantedNow(): Wanted {
    const keys = this.#keys();
    const known = this.#wanted.keys;
    const isSame = keys.length === known.length && keys.every((key, at) => key === known[at]);
    if (!isSame) this.#wanted = wantedOf(keys);
    return this.#wanted;
  }

  #grow(event: Delta, { forms, any }: Wanted): ReplyEvent[] {
    const place = "part" in event ? event.part : event.item;
    const { sent, held } = this.#growing.get(place) ?? { sent: "", held: "" };
    const text = sent + held + event.delta;
    let at = 0;
    let delta = "";
    for (const { 0: form, index } of text.matchAll(any)) {
      delta += text.slice(Math.max(at, sent.length), index) + maskedText;
      at = index + form.length;
    }
    const begins = forms.reduce((least, form) => Math.min(least, beginningAt(text, at, form)), text.length);
    const from = Math.max(at, sent.length);
    const end = text.length - begins > maxShown ? Math.max(from, begins) : text.length;
    delta += text.slice(from, end);
    this.#growing.set(place, { sent: text.slice(begins, end), held: text.slice(end), event });
    return delta === "" ? [] : [{ ...event, delta }];
  }

  /** Nothing more comes to it. */
  #rest(): ReplyEvent[] {
    if (this.#growing.size === 0) return [];
    const rest = [...this.#growing.values()].filter(({ held }) => held !== "");
    this.#growing.clear();
    return rest.map(({ sent, held, event }) => ({
      ...event,
      delta: sent.length + held.length < gram ? held : maskedText,
    }));
  }
}

/** As it is, and as JSON, an address or base64 has it. A shorter word would be found where nobody meant a key. */
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
 * The same value without a key in any of its texts; where there is none, the very same, and nothing was made on the way: a
 * reply can have many items.
 */
export function hideIn(value: unknown, forms: readonly string[]): unknown {
  if (typeof value === "string") return hideForms(value, forms);
  if (Array.isArray(value)) return hiddenOf(value, forms) ?? value;
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const hidden = hiddenOf(Object.values(value), forms);
  if (hidden === undefined) return value;
  return Object.fromEntries(Object.keys(value).map((name, at) => [name, hidden[at]]));
}

/** Nothing: none of them holds a key. */
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
  // The longest first: one may begin like another.
  const ordered = forms.toSorted((one, other) => other.length - one.length);
  const any = new RegExp(ordered.map((form) => form.replace(/[^A-Za-z0-9]/g, "\\$&")).join("|"), "g");
  return { keys, forms, any };
}

/** Where the end of the text may be the beginning of this; its length where it is not. */
function beginningAt(text: string, least: number, form: string): number {
  const first = form.charAt(0);
  let at = text.indexOf(first, Math.max(least, text.length - form.length + 1));
  while (at >= 0 && !form.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
  return at < 0 ? text.length : at;
}
