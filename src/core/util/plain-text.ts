// Foreign text made fit for a sentence on screen or a line in the log: no control characters, no markup, no
// characters that hide or reorder others, no more than a reader wants.

/** Cc: controls, Cf: invisible and reordering characters, and the two line separators that are neither. */
const controls = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** For the clipboard: a terminal acts on controls that nobody has seen. */
export const withoutControls = (text: string): string => text.replace(/(?![\n\t])\p{Cc}/gu, "");

export function plainText(text: string, limit: number): string {
  // What is taken out makes room for what follows, up to a point: foreign text may have any length.
  const begun = text.slice(0, Math.max(4 * limit, 4096));
  const clean = begun.replace(/\r\n?/g, "\n").replace(controls, "").trim();
  if (begun.length < text.length && clean.length <= limit) return `${clean.slice(0, limit - 1).trimEnd()}…`;
  return clean.length <= limit ? clean : `${clean.slice(0, limit - 1).trimEnd()}…`;
}

export const looksLikeHtml = (text: string): boolean =>
  /^\s*<(!doctype|html|head|body|\?xml|!--|[a-z]+[\s>])/i.test(text);
