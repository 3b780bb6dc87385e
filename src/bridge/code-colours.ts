// The colours of code in the page, by the names its style sheet has for them: what the user's theme says, where it says
// something. The style sheet has one of its own for each.
import * as z from "zod/mini";

export const CodeColour = z.enum([
  "comment",
  "keyword",
  "string",
  "number",
  "constant",
  "function",
  "type",
  "variable",
  "property",
  "tag",
  "regexp",
  "meta",
  "added",
  "removed",
]);
export type CodeColour = z.infer<typeof CodeColour>;

/** Hexadecimal, as themes write them. */
export const hexColour = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

export const CodeColours = z.partialRecord(CodeColour, z.string().check(z.regex(hexColour)));
export type CodeColours = Readonly<z.infer<typeof CodeColours>>;
