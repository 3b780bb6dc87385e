// What the product says where it crosses a border – to the page, the editor, the model or the disk – as data: the code of a
// sentence, and what stands in it. Words come into being once, at the edge, in the language of whoever reads them.
import type { Catalogue, Code } from "./catalogue.ts";

/** What stands in a hole: names and figures as they are, or a message of its own; of several, one after the other. */
export type Argument = string | number | Duration | Moment | Message | readonly Message[];

export interface Duration {
  readonly milliseconds: number;
}

/** Said as a time of the reader's clock. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Message {
  readonly code: Code;
  readonly args?: Readonly<Record<string, Argument>> | undefined;
}

type Holes<Sentence extends string> = Sentence extends `${string}{${infer Hole}}${infer Rest}`
  ? Hole | Holes<Rest>
  : never;
type Args<C extends Code> = { readonly [Hole in Holes<Catalogue[C]>]: Argument };

/** A sentence with all that stands in it: one without does not compile. */
export function message<C extends Code>(
  code: C,
  ...[args]: [Holes<Catalogue[C]>] extends [never] ? [] : [args: Args<C>]
): Message {
  return args === undefined ? { code } : { code, args };
}

/** The same with every name and word in it changed. */
export function withArguments(message: Message, change: (text: string) => string): Message {
  if (message.args === undefined) return message;
  const changed = (value: Argument): Argument => {
    if (typeof value === "string") return change(value);
    if (isList(value)) return value.map((each) => withArguments(each, change));
    return typeof value === "object" && "code" in value ? withArguments(value, change) : value;
  };
  const args = Object.entries(message.args).map(([hole, value]) => [hole, changed(value)] as const);
  return { code: message.code, args: Object.fromEntries(args) };
}

export const isList = (value: Argument): value is readonly Message[] => Array.isArray(value);
