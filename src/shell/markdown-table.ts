// Rows as a Markdown table. What a cell says is text, whatever it holds.

/** Numbers stand to the right, below each other; words begin on the left. */
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

/** Every mark that Markdown could mean something by is escaped, and a line break would end a row. */
export const plainMarkdown = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_{}[\]()#+\-.!|<>~&$:@/]/g, (mark) => `\\${mark}`);
