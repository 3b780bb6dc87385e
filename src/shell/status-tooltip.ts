// The tooltip of the status bar: a small table. It is Markdown that may neither run commands nor hold HTML, and what
// others named – files, problems – stands in it as plain text (threats B3).
import * as vscode from "vscode";
import { markdownTable, plainMarkdown } from "./markdown-table.ts";
import type { StatusFace } from "./status-text.ts";

export function tooltipOf({ label, rows, notes }: StatusFace): vscode.MarkdownString {
  const table =
    rows.length === 0
      ? ""
      : markdownTable(
          ["", ""],
          rows.map(([name, value]) => [short(name), value]),
        );
  const blocks = [plainMarkdown(label), table, ...notes.map(plainMarkdown)];
  const tooltip = new vscode.MarkdownString(blocks.filter((block) => block !== "").join("\n\n"));
  tooltip.isTrusted = false;
  tooltip.supportHtml = false;
  return tooltip;
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
