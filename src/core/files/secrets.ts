// The one function that makes text fit to be told to a model: what has the shape of a secret is taken out of it. Files
// known to hold secrets are never read at all (privacy.ts); this is for the key that somebody pasted into ordinary code.
// Lines keep their numbers. Linear, and in slices: nobody waits for a long text.

import type { CleanText } from "../conversation/content.ts";
import { type Message, message } from "../messages/message.ts";
import { inSteps } from "../util/yield-to-event-loop.ts";
import { AnchorSearch } from "./anchor-search.ts";
import { type Range, type SecretFinder, secretFinders } from "./secret-finders.ts";

export const secretMark = "[secret removed]";

export interface Cleaned {
  readonly text: CleanText;
  readonly removed: number;
}

/** So much is searched in one go: a few milliseconds. */
const slice = 128 * 1024;

const anchors = [...new Set(secretFinders.flatMap((finder) => finder.anchors))];
const search = new AnchorSearch(anchors, slice);
/** Where a longer anchor begins, a shorter one may begin, too. */
const findersAt = new Map<string, readonly SecretFinder[]>(
  anchors.map((anchor) => [
    anchor,
    secretFinders.filter((finder) => finder.anchors.some((each) => anchor.startsWith(each))),
  ]),
);

/** At once: for short texts. */
export function takeOutSecrets(text: string): Cleaned {
  const steps = findSecrets(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return without(text, value);
  }
}

/** The same, with a breath now and then. */
export async function cleanText(text: string, signal?: AbortSignal): Promise<Cleaned> {
  const pause = inSteps(signal ?? new AbortController().signal);
  const steps = findSecrets(text);
  for (;;) {
    await pause();
    const { done, value } = steps.next();
    if (done === true) return without(text, value);
  }
}

/** Its lines: each is as fit to be told as the whole. */
export async function cleanLines(text: string, lineEnd: RegExp, signal?: AbortSignal): Promise<CleanText[]> {
  const { text: clean } = await cleanText(text, signal);
  return clean.split(lineEnd) as CleanText[];
}

/** Pauses after each slice. */
function* findSecrets(text: string): Generator<void, Range[]> {
  const found: Range[] = [];
  let end = 0;
  for (let from = 0; from < text.length; from += slice) {
    search.each(text, Math.max(from, end), from + slice, (at, anchor) => {
      const ranges = (findersAt.get(anchor) ?? []).flatMap((finder) => finder.find(text, at));
      for (const each of ranges) found.push(each);
      const past = ranges.filter(([start]) => start <= at).map(([, stop]) => stop);
      end = Math.max(at + 1, ...past);
      return end;
    });
    yield;
  }
  return found;
}

function without(text: string, found: readonly Range[]): Cleaned {
  const pieces: string[] = [];
  let copied = 0;
  let removed = 0;
  for (const [start, end] of found.toSorted(([one], [other]) => one - other)) {
    if (end <= copied) continue;
    if (start >= copied) removed++;
    const from = Math.max(start, copied);
    pieces.push(text.slice(copied, from), text.slice(from, end).replace(/[^\r\n]+/g, secretMark));
    copied = end;
  }
  return { text: [...pieces, text.slice(copied)].join("") as CleanText, removed };
}

/** What is said to whoever gets the text. */
export const secretsNote = (removed: number): Message =>
  removed === 1 ? message("noteOneSecret") : message("noteSecrets", { count: removed });
