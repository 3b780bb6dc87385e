// Answers in Markdown about code: a list, a table and a block of code, all from what was sent.
import type { Attachment } from "./attachments.ts";
import { findBoundary } from "./observations.ts";
import { type CodeSymbol, symbolsOf } from "./symbols.ts";

export function explain(file: Attachment): string {
  const symbols = symbolsOf(file);
  const last = file.firstLine + file.lines.length - 1;
  const place = file.selected
    ? `Lines ${file.firstLine}–${last} of \`${file.path}\``
    : `\`${file.path}\` (${file.lines.length} lines)`;
  if (symbols.length === 0) return `${place} ${file.selected ? "hold" : "holds"} ${plain(file)}`;
  const listed = symbols.map((symbol) => `- **\`${heading(symbol)}\`** – ${meaning(symbol)}`);
  const rows = symbols.map((symbol) => `| \`${symbol.name}\` | ${symbol.kind} | ${lines(symbol)} |`);
  return [
    `${place} ${file.selected ? "define" : "defines"} ${counted(symbols)}.`,
    listed.join("\n"),
    ["| Name | Kind | Lines |", "| --- | --- | --- |", ...rows].join("\n"),
    ...excerpt(file, symbols),
    ...remark(file),
  ].join("\n\n");
}

/** Files without symbols: keys of JSON, columns of CSV, else how they begin. */
function plain(file: Attachment): string {
  const [first = ""] = file.lines.filter((line) => line.trim() !== "");
  if (file.path.endsWith(".csv"))
    return `a table of ${file.lines.length - 1} rows with the columns ${first.split(",").map(code).join(", ")}.`;
  const keys = file.lines.flatMap((line) => /^ {0,2}"([^"]+)":/.exec(line)?.[1] ?? []);
  if (file.path.endsWith(".json") && keys.length > 0)
    return `an object with the keys ${keys.map(code).join(", ")}.`;
  return `text that begins with:\n\n\`\`\`\n${first}\n\`\`\``;
}

function code(text: string): string {
  return `\`${text}\``;
}

function counted(symbols: readonly CodeSymbol[]): string {
  const kinds = [...new Set(symbols.map((symbol) => symbol.kind))];
  const counts = kinds.map((kind) => {
    const count = symbols.filter((symbol) => symbol.kind === kind).length;
    const plural = kind === "class" ? "classes" : `${kind}s`;
    return count === 1 ? `one ${kind}` : `${count} ${plural}`;
  });
  const last = counts.pop() ?? "";
  return counts.length === 0 ? last : `${counts.join(", ")} and ${last}`;
}

function heading(symbol: CodeSymbol): string {
  return symbol.kind === "function" ? `${symbol.name}(${symbol.parameters.join(", ")})` : symbol.name;
}

function meaning(symbol: CodeSymbol): string {
  if (symbol.doc !== "") return symbol.doc;
  if (symbol.kind === "test") return `runs ${symbol.calls.map(code).join(", ") || "nothing"}.`;
  if (symbol.kind === "heading") return `a section of ${symbol.last - symbol.first + 1} lines.`;
  if (symbol.kind !== "function") return `a ${symbol.kind} on ${lines(symbol, "line ")}.`;
  const calls = symbol.calls.map((name) => `\`${name}\``).join(", ");
  const takes =
    symbol.parameters.length === 0
      ? "takes nothing"
      : `takes ${symbol.parameters.map((name) => `\`${name}\``).join(" and ")}`;
  return calls === "" ? `${takes} and calls nothing else.` : `${takes} and calls ${calls}.`;
}

function lines(symbol: CodeSymbol, prefix = ""): string {
  return symbol.first === symbol.last
    ? `${prefix}${symbol.first}`
    : `${prefix}${symbol.first}–${symbol.last}`;
}

function excerpt(file: Attachment, symbols: readonly CodeSymbol[]): readonly string[] {
  const target = symbols.find((symbol) => symbol.kind === "function");
  if (target === undefined) return [];
  const code = file.lines.slice(target.first - file.firstLine, target.last - file.firstLine + 1).slice(0, 12);
  return [
    `The heart of it is \`${target.name}\`:`,
    `\`\`\`${language(file.path)}\n${code.join("\n")}\n\`\`\``,
  ];
}

function remark(file: Attachment): readonly string[] {
  const boundary = findBoundary(file);
  if (boundary === undefined) return [];
  return [
    `> **Look at line ${file.firstLine + boundary.at}:** it compares with \`>\`, while the comment says “${boundary.words}”. The limit itself is left out. Ask me to fix it.`,
  ];
}

export function language(path: string): string {
  const ending = path.split(".").at(-1) ?? "";
  return { ts: "ts", tsx: "tsx", js: "js", py: "python", md: "markdown", json: "json" }[ending] ?? "";
}
