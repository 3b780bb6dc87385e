// Rows as a Markdown table. What a cell says is text, whatever it holds.

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const numbers = head.map((_, at) => (at === 0 ? ":---" : "---:"));
  return [head.map(plainMarkdown), numbers, ...rows.map((row) => row.map(plainMarkdown))]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** Every mark that Markdown could mean something by is escaped, and a line break would end a row. */
export const plainMarkdown = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_{}[\]()#+\-.!|<>~&$:@/]/g, (mark) => `\\${mark}`);
