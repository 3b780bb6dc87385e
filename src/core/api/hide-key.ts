// A service may say the key itself: in a text, in a call, in an error that quotes a header. What a reply tells is shown,
// sent again and kept, so the key is taken out where events leave this layer, also where it comes in pieces.
import { isObject } from "../util/json.ts";
import { gram, maskedText } from "../util/mask.ts";
import type { ReplyEvent } from "./reply.ts";

/** A text that grows: what of the beginning of a key was told already, and what waits for the rest. */
interface Growing {
  readonly told: string;
  readonly held: string;
  readonly event: Delta;
}

type Delta = Extract<ReplyEvent, { readonly delta: string }>;

/** So little of a key says nothing: it is not held back, and texts flow. */
const mostTold = 3;

export class KeyHider {
  /** Every key that the operation has had until now. */
  readonly #keys: () => readonly string[];
  readonly #growing = new Map<string, Growing>();

  constructor(keys: () => readonly string[]) {
    this.#keys = keys;
  }

  take(event: ReplyEvent): ReplyEvent[] {
    const forms = formsOf(this.#keys());
    if (forms.length === 0) return [event];
    if ("delta" in event) return this.#grow(event, forms);
    const { part } = event.type === "replace" ? event : { part: "" };
    // Everything of it is told anew.
    this.#growing.delete(part);
    return [...this.#rest(), hideIn(event, forms) as ReplyEvent];
  }

  #grow(event: Delta, forms: readonly string[]): ReplyEvent[] {
    const place = "part" in event ? event.part : event.item;
    const { told, held } = this.#growing.get(place) ?? { told: "", held: "" };
    const text = told + held + event.delta;
    let at = 0;
    let delta = "";
    for (const { 0: form, index } of text.matchAll(anyOf(forms))) {
      delta += text.slice(Math.max(at, told.length), index) + maskedText;
      at = index + form.length;
    }
    const begins = forms.reduce((least, form) => Math.min(least, beginningAt(text, at, form)), text.length);
    const from = Math.max(at, told.length);
    const end = text.length - begins > mostTold ? Math.max(from, begins) : text.length;
    delta += text.slice(from, end);
    this.#growing.set(place, { told: text.slice(begins, end), held: text.slice(end), event });
    return delta === "" ? [] : [{ ...event, delta }];
  }

  /** Nothing more comes to it. */
  #rest(): ReplyEvent[] {
    const rest = [...this.#growing.values()].filter(({ held }) => held !== "");
    this.#growing.clear();
    return rest.map(({ told, held, event }) => ({
      ...event,
      delta: told.length + held.length < gram ? held : maskedText,
    }));
  }
}

/** As it is, and as JSON or an address has it. A shorter word would be found where nobody meant a key. */
export const formsOf = (keys: readonly string[]): readonly string[] => [
  ...new Set(
    keys.flatMap((key) => {
      const json = JSON.stringify(key).slice(1, -1);
      return key.length < gram ? [] : [key, json, json.replaceAll("/", "\\/"), encodeURIComponent(key)];
    }),
  ),
];

/** The same value without a key in any of its texts; where there is none, the very same: a reply can have many items. */
export function hideIn(value: unknown, forms: readonly string[]): unknown {
  if (typeof value === "string") return hideForms(value, forms);
  if (Array.isArray(value)) {
    const hidden = value.map((each) => hideIn(each, forms));
    return hidden.some((each, at) => each !== value[at]) ? hidden : value;
  }
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const names = Object.keys(value);
  const hidden = names.map((name) => hideIn(value[name], forms));
  if (names.every((name, at) => hidden[at] === value[name])) return value;
  return Object.fromEntries(names.map((name, at) => [name, hidden[at]]));
}

export const hideKeys = (text: string, keys: readonly string[]): string => hideForms(text, formsOf(keys));

const hideForms = (text: string, forms: readonly string[]): string =>
  forms.reduce(
    (hidden, form) => (hidden.includes(form) ? hidden.replaceAll(form, maskedText) : hidden),
    text,
  );

/** The longest first: one may begin like another. */
const anyOf = (forms: readonly string[]): RegExp =>
  new RegExp(
    forms
      .toSorted((one, other) => other.length - one.length)
      .map((form) => form.replace(/[^A-Za-z0-9]/g, "\\$&"))
      .join("|"),
    "g",
  );

/** Where the end of the text may be the beginning of this; its length where it is not. */
function beginningAt(text: string, least: number, form: string): number {
  const first = form.charAt(0);
  let at = text.indexOf(first, Math.max(least, text.length - form.length + 1));
  while (at >= 0 && !form.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
  return at < 0 ? text.length : at;
}
