// A tooltip with a small table. Its Markdown can neither run commands nor contain HTML, and names from outside (files,
// problems, ids) are inserted as plain text (threats B3).
import * as vscode from "vscode";
import { markdownTable, plainMarkdown } from "../../util/markdown-table.ts";

interface TableTooltip {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, value: string])[];
  readonly notes: readonly string[];
}

export function tableTooltip({ title, rows, notes }: TableTooltip): vscode.MarkdownString {
  const short = rows.map(([name, value]) => [cut(name, 60), cut(value, 200)]);
  const table = rows.length === 0 ? "" : markdownTable(["", ""], short);
  const blocks = [plainMarkdown(title), table, ...notes.map(plainMarkdown)];
  const tooltip = new vscode.MarkdownString(blocks.filter((block) => block !== "").join("\n\n"));
  tooltip.isTrusted = false;
  tooltip.supportHtml = false;
  return tooltip;
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;
