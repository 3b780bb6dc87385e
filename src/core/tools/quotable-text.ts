// What may be quoted of files where a patch is answered. The whole text goes through the secret filter before ten lines
// of it are quoted: of a key in the middle of which they stand, they alone would show nothing to know it by.

import { cleanText } from "../files/secrets.ts";
import { refuse } from "../patch/explain.ts";
import type { PatchError, Refusal } from "../patch/patch-error.ts";
import { linesBetween, splitLines } from "../patch/text.ts";

/** The text with its lines where they were. */
export const quotable = async (text: string): Promise<string> => (await cleanText(text)).text;

/** The same refusal in words that may be told. */
export const quotableError = async ({ refusals }: PatchError): Promise<PatchError> =>
  refuse(await quotableRefusals(refusals));

async function quotableRefusals(refusals: readonly Refusal[]): Promise<readonly Refusal[]> {
  const cleaned = new Map<string, string>();
  const clean = async (text: string) => {
    const known = cleaned.get(text) ?? (await quotable(text));
    cleaned.set(text, known);
    return known;
  };
  const all: Refusal[] = [];
  for (const refusal of refusals)
    all.push("excerpt" in refusal ? quoting(refusal, await clean(refusal.excerpt.whole)) : refusal);
  return all;
}

function quoting(refusal: Extract<Refusal, { readonly excerpt: unknown }>, whole: string): Refusal {
  if (whole === refusal.excerpt.whole) return refusal;
  const lines = splitLines(whole);
  const line = (row: number): string | undefined => linesBetween(lines, row, row + 1)[0];
  const { first, lines: quoted } = refusal.excerpt;
  const excerpt = { first, whole, lines: linesBetween(lines, first, first + quoted.length) };
  if (refusal.kind !== "not-found" || refusal.nearest === undefined) return { ...refusal, excerpt };
  const { nearest } = refusal;
  const file = nearest.file === undefined ? undefined : line(nearest.line);
  return { ...refusal, excerpt, nearest: { ...nearest, file } };
}
