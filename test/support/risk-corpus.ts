// Changes with the flags that people gave them, from test/fixtures/risk: each as a difference with its lines' signs.
import { readdirSync, readFileSync } from "node:fs";
import type { ChangedFile } from "./risk.ts";
import { sampleSecrets } from "./sample-secrets.ts";

export interface LabelledChange extends ChangedFile {
  readonly flags: readonly string[];
}

const folder = "test/fixtures/risk";

/** `half`: those the rules were made with, or those kept aside. */
export function riskCases(half: "known" | "aside"): readonly LabelledChange[] {
  const files = readdirSync(`${folder}/${half}`).sort();
  return files.flatMap((name) =>
    readFileSync(`${folder}/${half}/${name}`, "utf8")
      .split(/^@@ /m)
      .slice(1)
      .map((text) => caseOf(text)),
  );
}

function caseOf(text: string): LabelledChange {
  const [head = "", ...body] = text.replace(/\n$/, "").split("\n");
  const [path = "", flags = "", extra = ""] = head.split(" | ").map((part) => part.trim());
  const lines = body.flatMap(written);
  const side = (signs: string) =>
    lines
      .filter((line) => signs.includes(line.charAt(0) || " "))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  const [, asked] = /asked: (.*)$/.exec(extra) ?? [];
  return {
    path,
    flags: flags === "-" ? [] : flags.split(",").map((flag) => flag.trim()),
    before: side(" -"),
    after: /^deleted/.test(extra) ? undefined : side(" +"),
    ...(asked !== undefined && { asked: asked.split(",").map((name) => name.trim()) }),
  };
}

/** `{lines 3}` repeats a line with its number; characters nobody sees and secrets are put in here. */
function written(line: string): readonly string[] {
  const [, count, rest] = /^\{lines (\d+)\}(.*)$/.exec(line) ?? [];
  if (count !== undefined && rest !== undefined)
    return Array.from({ length: Number(count) }, (_, at) => rest.replaceAll("{n}", String(at + 1)));
  return [
    line
      .replace(/\\u\{([0-9A-F]+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replace(/\{secret ([^}]+)\}/g, (_, name: string) => sampleSecrets[name] ?? ""),
  ];
}
