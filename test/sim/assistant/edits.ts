// Edits the built-in assistant knows how to make, each asked for in words and made on the lines that were sent.
import type { Attachment } from "./attachments.ts";
import { addFunction, removeFunction } from "./edits-of-functions.ts";
import { mendFinding } from "./findings.ts";
import { findBoundary } from "./observations.ts";
import type { Edit } from "./patch-writing.ts";
import { addPatch, updatePatch } from "./patch-writing.ts";
import { type CodeSymbol, indentOf, isMarkdown, symbolsOf } from "./symbols.ts";

/** A file that does not exist yet has no lines. */
export type FileChange = Pick<Attachment, "path" | "lines" | "firstLine"> & {
  readonly edits: readonly Edit[];
};

export interface PlannedEdit {
  readonly patch: string;
  /** The same, file by file. */
  readonly changes: readonly FileChange[];
  readonly path: string;
  /** One sentence: what is different afterwards. */
  readonly summary: string;
  /** The changed lines as they will read, for answers without a patch tool. */
  readonly after: readonly string[];
}

type Strategy = (question: string, file: Attachment) => Planned | undefined;
export type Planned = { readonly edits: readonly Edit[]; readonly summary: string };

const strategies: readonly Strategy[] = [
  mendFinding,
  rename,
  replaceText,
  setConstant,
  makeReturn,
  fixBoundary,
  simplify,
  document,
  addFunction,
  removeFunction,
];

export function planEdit(question: string, file: Attachment): PlannedEdit | undefined {
  if (/\btests?\b/i.test(question) && !/\b(rename|fix)\b/i.test(question)) return planTest(file);
  for (const strategy of strategies) {
    const planned = strategy(question, file);
    if (planned === undefined || planned.edits.length === 0) continue;
    const changes = [{ ...file, edits: planned.edits }];
    return {
      patch: updatePatch(changes),
      changes,
      path: file.path,
      summary: planned.summary,
      after: planned.edits.flatMap((edit) => edit.insert),
    };
  }
  return undefined;
}

/** A new name in every file that has the old one; undefined when it is asked for nowhere, or stands in one file only. */
export function planRename(question: string, files: readonly Attachment[]): PlannedEdit | undefined {
  const paths = [...new Set(files.map((file) => file.path))];
  const whole = paths.flatMap((path) => files.findLast((file) => file.path === path) ?? []);
  const edited = whole.flatMap((file) => {
    const edits = rename(question, file)?.edits ?? [];
    return edits.length === 0 ? [] : [{ ...file, edits }];
  });
  if (edited.length < 2) return undefined;
  const names = edited.map((file) => `\`${file.path}\``).join(", ");
  return {
    patch: updatePatch(edited),
    changes: edited,
    path: edited[0]?.path ?? "",
    summary: `The name is another one in ${names}.`,
    after: edited.flatMap((file) => file.edits.flatMap((edit) => edit.insert)),
  };
}

function perLine(file: Attachment, change: (line: string) => string): readonly Edit[] {
  return file.lines.flatMap((line, at) => {
    const changed = change(line);
    return changed === line ? [] : [{ at, remove: 1, insert: [changed] }];
  });
}

function rename(question: string, file: Attachment): Planned | undefined {
  const match = /rename\s+(?:the\s+)?(?:\w+\s+)?[`'"]?(\w+)[`'"]?\s+(?:to|into|as)\s+[`'"]?(\w+)[`'"]?/i.exec(
    question,
  );
  if (match === null) return undefined;
  const [, from = "", to = ""] = match;
  const word = new RegExp(`\\b${from}\\b`, "g");
  return {
    edits: perLine(file, (line) => line.replace(word, to)),
    summary: `\`${from}\` is called \`${to}\` in \`${file.path}\`.`,
  };
}

function replaceText(question: string, file: Attachment): Planned | undefined {
  const match = /(?:replace|change)\s+(["'`])(.+?)\1\s+(?:with|to|by|into)\s+(["'`])(.*?)\3/i.exec(question);
  if (match === null) return undefined;
  const [, , from = "", , to = ""] = match;
  return {
    edits: perLine(file, (line) => line.replaceAll(from, to)),
    summary: `\`${from}\` reads \`${to}\` in \`${file.path}\`.`,
  };
}

function setConstant(question: string, file: Attachment): Planned | undefined {
  const match =
    /(?:set|change)\s+(?:the\s+)?[`'"]?(\w+)[`'"]?\s+to\s+[`'"]?([\w.]+?)[`'"]?(?:[.!]?\s|[.!]?$)/i.exec(
      question,
    );
  if (match === null) return undefined;
  const [, name = "", value = ""] = match;
  const assignment = new RegExp(
    `^(\\s*(?:export\\s+)?(?:const|let|var)?\\s*${name}\\b[^=]*=\\s*)([^;]+)(;?)\\s*$`,
  );
  const quotedField = new RegExp(`^(\\s*"${name}"\\s*:\\s*")[^"]*(".*)$`);
  const field = new RegExp(`^(\\s*"${name}"\\s*:\\s*)[\\w.]+(,?)$`);
  return {
    edits: perLine(file, (line) =>
      line
        .replace(assignment, `$1${value}$3`)
        .replace(quotedField, `$1${value}$2`)
        .replace(field, `$1${value}$2`),
    ),
    summary: `\`${name}\` is \`${value}\`.`,
  };
}

function makeReturn(question: string, file: Attachment): Planned | undefined {
  const match = /make\s+[`'"]?(\w+)[`'"]?(?:\(\))?\s+return\s+[`'"]?(.+?)[`'"]?[.!]?$/i.exec(question);
  if (match === null) return undefined;
  const [, name = "", value = ""] = match;
  const target = symbolsOf(file).find((symbol) => symbol.name === name);
  if (target === undefined) return undefined;
  const at = file.lines.findLastIndex(
    (line, index) => index < target.last - file.firstLine + 1 && /^\s*return\b/.test(line),
  );
  if (at < target.first - file.firstLine) return undefined;
  const line = file.lines[at] ?? "";
  const insert = [line.replace(/return\b.*?(;?)$/, `return ${value}$1`)];
  return { edits: [{ at, remove: 1, insert }], summary: `\`${name}\` returns \`${value}\`.` };
}

function fixBoundary(question: string, file: Attachment): Planned | undefined {
  if (!/\b(fix|bug|wrong|correct|problem|error|fails?|failing)\b/i.test(question)) return undefined;
  const boundary = findBoundary(file);
  if (boundary === undefined) return undefined;
  const { at, fixed, words } = boundary;
  return {
    edits: [{ at, remove: 1, insert: [fixed] }],
    summary: `Line ${file.firstLine + at} compares with \`>=\`, as the comment says: “${words}”.`,
  };
}

function simplify(question: string, file: Attachment): Planned | undefined {
  if (!/\b(refactor|simplify|clean|improve|modernize|shorter)\b/i.test(question)) return undefined;
  const joined = perLine(file, (line) =>
    line.replace(
      /(["'])([^"'`$]*\$?)\1 \+ ([^;]+?)(;?)$/,
      (_, _quote, words: string, rest: string, end: string) => `\`${words}\${${rest}}\`${end}`,
    ),
  );
  if (joined.length > 0) return { edits: joined, summary: "The text is put together by a template." };
  const start = file.lines.findIndex(
    (line, at) => /^\s*let (\w+) = 0;$/.test(line) && /^\s*for \(const /.test(file.lines[at + 1] ?? ""),
  );
  const sum = /^(\s*)let (\w+) = 0;$/.exec(file.lines[start] ?? "");
  const loop = /^\s*for \(const (\w+) of (\w+)\) \{$/.exec(file.lines[start + 1] ?? "");
  const term = /^\s*\w+ \+= (.+);$/.exec(file.lines[start + 2] ?? "");
  const end = file.lines[start + 4] ?? "";
  if (sum === null || loop === null || term === null || end.trim() !== `return ${sum[2]};`) return undefined;
  const insert = [`${sum[1]}return ${loop[2]}.reduce((${sum[2]}, ${loop[1]}) => ${sum[2]} + ${term[1]}, 0);`];
  return { edits: [{ at: start, remove: 5, insert }], summary: "The loop is one `reduce`." };
}

function document(question: string, file: Attachment): Planned | undefined {
  if (!/\b(docs?|document\w*|comments?|docstrings?|jsdoc)\b/i.test(question) || isMarkdown(file.path))
    return undefined;
  const bare = symbolsOf(file).filter((symbol) => symbol.kind === "function" && symbol.doc === "");
  const edits = bare.map((symbol) => docEdit(symbol, file));
  const names = bare.map((symbol) => `\`${symbol.name}\``).join(", ");
  return { edits, summary: `${names} ${bare.length === 1 ? "has a comment" : "have comments"}.` };
}

function docEdit(symbol: CodeSymbol, file: Attachment): Edit {
  const at = symbol.first - file.firstLine;
  const indent = " ".repeat(indentOf(file.lines[at] ?? ""));
  const words = `${sentence(symbol.name)}${symbol.parameters.length > 0 ? `, given ${symbol.parameters.join(" and ")}` : ""}.`;
  if (file.path.endsWith(".py")) return { at: at + 1, remove: 0, insert: [`${indent}    """${words}"""`] };
  return { at, remove: 0, insert: [`${indent}/** ${words} */`] };
}

/** `formatPrice` → "Format price". */
export function sentence(name: string): string {
  const words = name
    .replaceAll("_", " ")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function planTest(file: Attachment): PlannedEdit | undefined {
  const target = symbolsOf(file).find((symbol) => symbol.kind === "function");
  if (target === undefined) return undefined;
  const base =
    file.path
      .split("/")
      .at(-1)
      ?.replace(/\.\w+$/, "") ?? "it";
  const count = target.parameters.length;
  const python = file.path.endsWith(".py");
  const path = python ? `test/test_${base}.py` : `test/${base}.spec.ts`;
  const after = python
    ? [
        `from tools.${base} import ${target.name}`,
        "",
        "",
        `def test_${target.name}_is_there():`,
        `    assert callable(${target.name})`,
      ]
    : [
        'import assert from "node:assert/strict";',
        'import { test } from "node:test";',
        `import { ${target.name} } from "../${file.path.replace(/\.\w+$/, "")}";`,
        "",
        `test("takes ${count === 1 ? "one argument" : `${count} arguments`}", () => {`,
        `  assert.equal(${target.name}.length, ${count});`,
        "});",
      ];
  return {
    patch: addPatch(path, after),
    changes: [{ path, lines: [], firstLine: 1, edits: [{ at: 0, remove: 0, insert: after }] }],
    path,
    summary: `\`${path}\` holds a first test of \`${target.name}\`.`,
    after,
  };
}
