// Tables of plain text as Markdown.

/**
 * Formats rows as a Markdown table. Cell contents are always plain text. Numbers are aligned to the right, text to the
 * left.
 */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  cells: "numbers" | "words" = "numbers",
): string {
  const sides = head.map((_, at) => (at === 0 || cells === "words" ? ":---" : "---:"));
  return [head.map(plainMarkdown), sides, ...rows.map((row) => row.map(plainMarkdown))]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}

/** Escapes every character with a meaning in Markdown, and line breaks, which would end a row. */
export const plainMarkdown = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_{}[\]()#+\-.!|<>~&$:@/]/g, (mark) => `\\${mark}`);
