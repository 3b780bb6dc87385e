// Everything that walks through foreign text by hand, with the units whose repetition could make it slow. To add one:
// a line with its file, what it does with a text, and the units.

import { KeyHider } from "../../../src/core/api/hide-key.ts";
import { rawElements, rawMember } from "../../../src/core/api/raw-json.ts";
import { RecordReader } from "../../../src/core/api/record-reader.ts";
import { shapeInput } from "../../../src/core/api/request-shapes.ts";
import { readErrorBody } from "../../../src/core/api/service-error.ts";
import { callsOf, twiceCalled } from "../../../src/core/api/tool-calls.ts";
import { readCheckOutput } from "../../../src/core/checks/read-check-output.ts";
import { hasHidden, hidesCharacters, visible } from "../../../src/core/conversation/hidden-characters.ts";
import { lineEdits } from "../../../src/core/diff/line-edits.ts";
import { takeOutSecrets } from "../../../src/core/files/secrets.ts";
import { readFindings } from "../../../src/core/findings/read-findings.ts";
import { rebase } from "../../../src/core/patch/rebase.ts";
import { splitLines } from "../../../src/core/patch/text.ts";
import { risksOf } from "../../../src/core/risk/file-risk.ts";
import { languageOf } from "../../../src/core/risk/languages.ts";
import { readSource } from "../../../src/core/risk/source.ts";
import { checkLine } from "../../../src/core/store/record-line.ts";
import { scanText } from "../../../src/core/tokens/character-weights.ts";
import { attachedAgain } from "../../../src/core/tools/attached-again.ts";
import { capOutput } from "../../../src/core/tools/cap-output.ts";
import { cutLines } from "../../../src/core/tools/cut-lines.ts";
import { onlyOf } from "../../../src/core/tools/diff-files.ts";
import { linesOf } from "../../../src/core/tools/read-file.ts";
import { roughPattern } from "../../../src/core/tools/rough-pattern.ts";
import { TextCalls } from "../../../src/core/turn/text-calls.ts";
import { replaceEncrypted } from "../../../src/core/util/encrypted-content.ts";
import { skipString } from "../../../src/core/util/json-text.ts";
import { createMask } from "../../../src/core/util/mask.ts";
import { refusePathSize } from "../../../src/core/util/path-limits.ts";
import { plainText } from "../../../src/core/util/plain-text.ts";
import { trimEnd } from "../../../src/core/util/trim-end.ts";
import { lastCodeBlock } from "../../../src/shell/actions/last-code-block.ts";
import { namedFile } from "../../../src/shell/chat/place-code.ts";
import { parseLoosely } from "../../../src/shell/chat/token-rules.ts";
import { locateLines } from "../../../src/shell/review/old-lines.ts";
import { parsePatch } from "../../support/parse-patch.ts";
import { inPauses } from "../../support/thread-time.ts";

export interface Parser {
  /** Below `src`. */
  readonly file: string;
  readonly run: (text: string) => unknown;
  readonly units: readonly string[];
  /** What stands before the repetition. */
  readonly head?: string;
}

const programs = ["a.test.ts", "a.ts", "a.py", "a.go", "a.rs", "A.java", "a.gradle"];

const json = [
  '"',
  "\\",
  '\\"',
  "{",
  "[",
  ",",
  '"a":',
  " ",
  '{"encrypted_content":"\\"',
  '"encrypted_content" ',
];
const words = ["a", " ", "\n", "\r", "\r\n", "- ", "\u200b", "\u{1f600}\u200d", "\u0301", "`", "`a"];
/** A key that is cut off, and a header with nothing but blanks. */
const keyWithBlanks = `-----BEGIN PRIVATE KEY-----\n${"A".repeat(64)}\nDEK-Info: ${" ".repeat(400)}!\n`;

export const parsers: readonly Parser[] = [
  {
    file: "core/api/service-error.ts",
    run: (text) => readErrorBody(text.slice(0, 65_536)),
    units: [...json, '"message":'],
  },
  {
    file: "core/turn/text-calls.ts",
    run(text) {
      const reader = new TextCalls([{ name: "a", description: "", parameters: undefined }]);
      for (let at = 0; at < text.length; at += 64) reader.push(text.slice(at, at + 64));
      reader.end();
    },
    units: [
      ...["<", "<tool_call>", "<tool_call>\n", "<tool_call>{", "</tool_call>\n", "```\n", "~"],
      ...[" ", "\n", "a", '<tool_call>{"name":"a","arguments":{}}</tool_call>\n'],
    ],
  },
  {
    file: "core/api/hide-key.ts",
    run: (text) => new KeyHider(() => ["sk-key/12345678"]).take({ type: "text", part: "p", delta: text }),
    units: ["sk-key/12345678", "sk-key/1234567", "sk-", "s", "%2F"],
  },
  {
    file: "core/api/request-shapes.ts",
    run: (text) => shapeInput(text, { customOutput: "string", assistantText: "typed" } as never),
    units: ["\\ud83d", "\\", "a"],
  },
  {
    file: "core/api/raw-json.ts",
    run: (text) => [rawMember(JSON.stringify({ b: text }), "c"), rawElements(`[${text}]`)],
    units: json,
  },
  {
    file: "core/api/record-reader.ts",
    run: readRecords,
    units: ["\n", "\r", "\r\n", ":\n", "data: {}\n\n", "data: x\n", "data", "{", "[]\n"],
  },
  {
    file: "core/api/tool-calls.ts",
    run: (text) => twiceCalled(itemsOf(text)).length + callsOf(itemsOf(text)).length,
    units: ["ab"],
  },
  {
    file: "core/conversation/hidden-characters.ts",
    run: (text) => [hasHidden(text) && visible(text), hidesCharacters(text)],
    units: words,
  },
  {
    file: "core/patch/parse.ts",
    run: readPatch,
    units: ["@@ a\n", "@@\n", "+a\n", "-a\n+a\n", " \n", "a", "\r"],
  },
  { file: "core/patch/text.ts", run: splitLines, units: words },
  // One language each: what seven of them leave behind together is collected in the middle of a measurement.
  ...programs.map((path) => ({
    file: "core/risk/source.ts",
    run: (text: string) => inPauses(readSource(text, languageOf(path), new Map())),
    units: ["a", " ", "\n", '"', "'", "\\'", "/", "/*", "*/", '"a"', '"""', "=/[", "#", "//\n"],
  })),
  {
    file: "core/risk/file-risk.ts",
    run: flagged,
    units: [
      ...["a", " ", "\n", "\r", "{", "catch {\n", "except:\n", "expect(a)\n", "def a(\n", ".catch(() =>"],
      ...["_, _ := a(", "pub fn a(", "a: 1,\n", ", ", "type A = ", "\\'"],
    ],
  },
  {
    file: "core/store/record-line.ts",
    run: (text) => checkLine(Buffer.from(`{"seq":1${text}`)),
    units: json,
  },
  { file: "core/tokens/character-weights.ts", run: scanText, units: words },
  {
    file: "core/tools/attached-again.ts",
    run: (text) => attachedAgain([], JSON.stringify({ content: text })),
    units: [...words, "<a>\n", "\n\n<a>\n", "\n\n<a>\n\n</a>", "<a-1"],
  },
  { file: "core/tools/cap-output.ts", run: (text) => capOutput(text), units: words },
  { file: "core/tools/cut-lines.ts", run: (text) => cutLines(text.split("\n"), 65_536, "end"), units: words },
  {
    file: "core/tools/diff-files.ts",
    run: (text) => onlyOf(`diff --git ${text}`, new Set(["a"])),
    units: ["a/b ", '"\\"', "\ndiff --git a/x b/x\n", "\n+++ x", "\\303"],
  },
  {
    file: "core/diff/line-edits.ts",
    run: (text) => lineEdits(text, `x${text}`),
    units: ["a\n", "\n", "a"],
  },
  {
    file: "core/findings/read-findings.ts",
    run: (text) => readFindings(text, ["a.ts"]),
    units: ["```\n", "````\n", "```json\n[]\n```\n", "[{", "a\n"],
  },
  {
    file: "core/checks/read-check-output.ts",
    run: readCheckOutput,
    units: [
      ...[
        "a",
        " ",
        "\n",
        "\r\n",
        "a.ts:1:1: a\n",
        "a.ts(1,1): error TS1: a\n",
        "/a.js\n",
        "  1:1  error  a  b\n",
      ],
      ...[
        "error: a\n",
        " --> a.rs:1:1\n",
        '  File "a.py", line 1\n',
        "E: a\n",
        "FAIL: a (b)\n",
        "\u001b[",
        "] [",
        ":",
      ],
    ],
  },
  { file: "core/tools/read-attachment.ts", run: (text) => trimEnd(text, "/"), units: ["/", "/a"] },
  { file: "core/tools/read-file.ts", run: linesOf, units: words },
  {
    file: "core/tools/rough-pattern.ts",
    // What the model looks for has 2,000 characters at most (line-matcher.ts).
    run: (text) => roughPattern(text.slice(0, 2000), { unicode: true, utf8: true }),
    units: ["a|", "(a)", "[a-z]", ".*"],
  },
  {
    file: "core/files/secrets.ts",
    run: takeOutSecrets,
    units: [...words, "-----BEGIN PRIVATE KEY-----", keyWithBlanks, "sk-", "eyJ", "key=", "ghp_"],
  },
  { file: "core/util/encrypted-content.ts", run: (text) => replaceEncrypted(text, () => ""), units: json },
  { file: "core/util/json-text.ts", run: (text) => skipString(`"${text}`, 0), units: json },
  {
    file: "core/util/mask.ts",
    run: (text) => createMask("a secret of mine")(text, text.length),
    units: ["-eyJ", "eyJaaaaaaaa.", "bearer ", "key_", "a.", "a secret"],
  },
  { file: "core/util/path-limits.ts", run: refusePathSize, units: ["/", "a"] },
  { file: "core/util/plain-text.ts", run: (text) => plainText(text, text.length), units: words },
  { file: "core/util/trim-end.ts", run: (text) => trimEnd(`${text}x`, "/ "), units: ["/", " "] },
  {
    file: "shell/actions/last-code-block.ts",
    run: lastCodeBlock,
    units: ["```\n", "```a\n", "````\n```a\n", "`"],
  },
  {
    file: "shell/chat/place-code.ts",
    run: (text) => namedFile([`// ${text}!`]),
    units: ["a.", "a", " ", "/"],
  },
  {
    file: "shell/review/old-lines.ts",
    run: (text) => locateLines(text, text.split("\n").slice(0, 3)),
    units: words,
  },
  {
    file: "core/patch/rebase.ts",
    run: (text) => rebase({ base: { text }, edits: [] } as never, `${text}x`),
    units: words,
  },
  { file: "shell/chat/token-rules.ts", run: loosely, units: ['"\\"', "/* ", "// \n", ", ", ",", '"a"'] },
];

function flagged(text: string): unknown {
  return programs.map((path) => {
    const edits = lineEdits("", text);
    return inPauses(
      risksOf({ path, before: undefined, after: text, edits, isOutside: false, secretsIn: () => 0 }),
    );
  });
}

function readPatch(text: string): unknown {
  return parsePatch(`*** Begin Patch\n*** Update File: a\n${text}\n*** End Patch\n`);
}

function readRecords(text: string): number {
  const reader = new RecordReader(() => {}, { recordBytes: 2 ** 30, replyBytes: 2 ** 30 });
  reader.push(Buffer.from(text));
  reader.end();
  return reader.count;
}

function itemsOf(text: string) {
  return Array.from({ length: text.length >> 1 }, (_, at) => ({
    raw: "",
    view: {
      kind: "call",
      id: "",
      callId: String(at >> 1),
      name: "",
      call: "function",
      input: "",
      isReady: true,
    } as const,
  }));
}

function loosely(text: string): unknown {
  try {
    return parseLoosely(text);
  } catch {
    return undefined;
  }
}
