// Everything that walks through foreign text by hand, with the units whose repetition could make it slow. To add one:
// a line with its file, what it does with a text, and the units.

import { readCheckOutput } from "../../../src/checks/internal/read-check-output.ts";
import { judgeRuns } from "../../../src/checks/judge.ts";
import { plainOutput } from "../../../src/commands/internal/command-output.ts";
import { lastCodeBlock } from "../../../src/editor/actions/internal/notebook-cells.ts";
import { namedFile } from "../../../src/editor/chat/internal/propose-code.ts";
import { parseAuthorshipLog } from "../../../src/editor/provenance/internal/authorship-log.ts";
import { createLineLocator } from "../../../src/editor/review/internal/streaming-preview.ts";
import { findClaims } from "../../../src/evidence/claims.ts";
import { takeOutSecrets } from "../../../src/files/privacy.ts";
import { locateFindings } from "../../../src/findings/follow-lines.ts";
import { readFindings } from "../../../src/findings/internal/read-findings.ts";
import { rebase } from "../../../src/patch/diff-and-merge.ts";
import { lineEdits, splitLines } from "../../../src/patch/edits.ts";
import { hasOddBlanks } from "../../../src/patch/internal/odd-blanks.ts";
import { textOfNotebook } from "../../../src/patch/notebook.ts";
import { parsePatch } from "../../../src/patch/parse.ts";
import { refusePathSize } from "../../../src/patch/paths.ts";
import { readErrorBody } from "../../../src/service/internal/fault.ts";
import { KeyHider } from "../../../src/service/internal/hide-key-in-replies.ts";
import { MarkedText } from "../../../src/service/internal/marked-text.ts";
import { shapeInput } from "../../../src/service/internal/request-shapes.ts";
import { RecordReader } from "../../../src/service/internal/stream-records.ts";
import { callsOf, duplicateCallIds, rawElements, rawMember } from "../../../src/service/response-items.ts";
import { TextCalls } from "../../../src/session/internal/text-calls.ts";
import { checkLine } from "../../../src/store/journal-records.ts";
import { cutLines, onlyFiles, restoreAttachments } from "../../../src/tools/attached-text.ts";
import { linesOf } from "../../../src/tools/internal/read-file.ts";
import { capOutput } from "../../../src/tools/tool.ts";
import { scanText } from "../../../src/usage/text-features.ts";
import { hasHidden, hidesCharacters, visible } from "../../../src/util/hidden-characters.ts";
import { parseLoosely, replaceEncrypted, skipString } from "../../../src/util/json.ts";
import { createMask, maskedWords } from "../../../src/util/mask-secrets.ts";
import { plainText, trimEnd } from "../../../src/util/text.ts";
import { riskParsers } from "./risk-parsers.ts";

export interface Parser {
  /** Below `src`. */
  readonly file: string;
  readonly run: (text: string) => unknown;
  readonly units: readonly string[];
  /** What stands before the repetition. */
  readonly head?: string;
  /** How many characters are tried first; 8,000 unless told. */
  readonly size?: number;
}

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

/** What secrets stand behind. */
const placesOfSecrets = [
  "kind: Secret\ndata:\n  a: b\n",
  " -p",
  " -u a:b",
  "Cookie: a=b;",
  "password ",
  "://a:b",
  "Private-Lines: 9\n",
  "\\\\n",
];

/** What looks as if a secret began. */
const hiddenUnits = ["-eyJ", "eyJaaaaaaaa.", "bearer ", "key_", "secret = ", "a.", "%2B", "a secret"];

export const parsers: readonly Parser[] = [
  {
    file: "service/internal/fault.ts",
    run: (text) => readErrorBody(text.slice(0, 65_536)),
    units: [...json, '"message":'],
  },
  {
    file: "evidence/internal/own-words.ts",
    run: findClaims,
    units: [
      ...words,
      "``",
      "'a ",
      '"',
      "“",
      "all tests pass, ",
      "alle tests ",
      "tous les ",
      "todas ",
      "laufen alle ",
      " und ",
      "a.",
      "a/",
      "a.b ",
      "tests ",
      "no ",
      "测试",
      "，",
      "only ",
    ],
  },
  {
    file: "findings/follow-lines.ts",
    run: (text) => locateFindings([{ first: 0, last: 0, code: "a b" }], text.split("\n")),
    units: [" ", "a", "a ", "a b", "a b\n", "\u00a0", " a b \n"],
  },
  {
    file: "patch/internal/odd-blanks.ts",
    run: (text) => hasOddBlanks(`${text}"\u00a0"`, "a.ts"),
    units: ['"', "'", "`", "\\", "/*", "*/", "//", "\n", " ", " *", "'\n", '"""', "a"],
  },
  {
    file: "session/internal/text-calls.ts",
    run(text) {
      const reader = new TextCalls([{ name: "a", description: "", parameters: undefined }], "k");
      for (let at = 0; at < text.length; at += 64) reader.push(text.slice(at, at + 64));
      reader.end();
    },
    units: [
      ...[
        "<",
        "<tool_call_k>",
        "<tool_call_k>\n",
        "<tool_call_k>{",
        "</tool_call_k>\n",
        "```\n",
        "~",
        "<tool_result",
      ],
      ...[" ", "\n", "a", '<tool_call_k>{"name":"a","arguments":{}}</tool_call_k>\n'],
    ],
  },
  {
    file: "service/internal/hide-key-in-replies.ts",
    run: (text) => new KeyHider(() => ["sk-key/12345678"]).take({ type: "text", part: "p", delta: text }),
    units: ["sk-key/12345678", "sk-key/1234567", "sk-", "s", "%2F"],
  },
  {
    file: "service/internal/marked-text.ts",
    run: readMarks,
    head: "<|tool_calls_section_begin|>",
    units: [
      ...["<|tool_call_begin|>a<|tool_call_argument_begin|>", "<|tool_call_begin|>", "<|tool_call_end|>"],
      ...["<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", "```\n", " ", "<"],
    ],
  },
  {
    file: "service/internal/marked-text.ts",
    run: readMarks,
    head: "<|tool_calls_section_begin|><|tool_call_begin|>functions.a:0<|tool_call_argument_begin|>",
    units: ["ab<c", "{}"],
  },
  {
    file: "service/internal/request-shapes.ts",
    run: (text) => shapeInput(text, { customOutput: "string", assistantText: "typed" } as never),
    units: ["\\ud83d", "\\", "a"],
  },
  {
    file: "service/response-items.ts",
    run: (text) => [rawMember(JSON.stringify({ b: text }), "c"), rawElements(`[${text}]`)],
    units: json,
  },
  {
    file: "service/internal/stream-records.ts",
    run: readRecords,
    units: ["\n", "\r", "\r\n", ":\n", "data: {}\n\n", "data: x\n", "data", "{", "[]\n"],
  },
  {
    file: "service/response-items.ts",
    run: (text) => duplicateCallIds(itemsOf(text)).length + callsOf(itemsOf(text)).length,
    units: ["ab"],
  },
  {
    file: "util/hidden-characters.ts",
    run: (text) => [hasHidden(text) && visible(text), hidesCharacters(text)],
    units: words,
  },
  {
    file: "patch/parse.ts",
    run: readPatch,
    units: ["@@ a\n", "@@\n", "+a\n", "-a\n+a\n", " \n", "a", "\r"],
  },
  { file: "patch/edits.ts", run: splitLines, units: words },
  ...riskParsers,
  {
    file: "store/journal-records.ts",
    run: (text) => checkLine(Buffer.from(`{"seq":1${text}`)),
    units: json,
  },
  { file: "usage/text-features.ts", run: scanText, units: words },
  {
    file: "tools/attached-text.ts",
    run: (text) => restoreAttachments([], [JSON.stringify({ content: text })]),
    units: [...words, "<a>\n", "\n\n<a>\n", "\n\n<a>\n\n</a>", "<a-1"],
  },
  { file: "tools/tool.ts", run: (text) => capOutput(text), units: words },
  { file: "tools/attached-text.ts", run: (text) => cutLines(text.split("\n"), 65_536, "end"), units: words },
  {
    file: "tools/attached-text.ts",
    run: (text) => onlyFiles(`diff --git ${text}`, new Set(["a"])),
    units: ["a/b ", '"\\"', "\ndiff --git a/x b/x\n", "\n+++ x", "\\303"],
  },
  {
    file: "patch/edits.ts",
    run: (text) => lineEdits(text, `x${text}`),
    units: ["a\n", "\n", "a"],
  },
  {
    file: "findings/internal/read-findings.ts",
    run: (text) => readFindings(text, ["a.ts"]),
    units: ["```\n", "````\n", "```json\n[]\n```\n", "[{", "a\n"],
  },
  {
    file: "commands/internal/command-output.ts",
    run: plainOutput,
    units: ["a", "\n", "\r", "\b", "a\b", "\u001b", "\u001b[", "\u001b]", "\u001b[0;", "\u009b", "\u0000"],
  },
  {
    file: "checks/internal/read-check-output.ts",
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
  {
    file: "checks/judge.ts",
    run: (text) => {
      const run = { end: "done", code: 1, output: text, seconds: 1 } as const;
      return judgeRuns({ run, baseline: run });
    },
    units: ["src/a.ts(3,5): error TS2322: Wrong.\n", "a/b.ts:1: x\n", "\n", " x("],
    size: 200_000,
  },
  { file: "tools/read-attachment.ts", run: (text) => trimEnd(text, "/"), units: ["/", "/a"] },
  { file: "tools/internal/read-file.ts", run: linesOf, units: words },
  {
    file: "files/privacy.ts",
    run: takeOutSecrets,
    units: [
      ...words,
      "-----BEGIN PRIVATE KEY-----",
      keyWithBlanks,
      "sk-",
      "eyJ",
      "key=",
      "ghp_",
      ...placesOfSecrets,
    ],
  },
  { file: "util/json.ts", run: (text) => replaceEncrypted(text, () => ""), units: json },
  { file: "util/json.ts", run: (text) => skipString(`"${text}`, 0), units: json },
  {
    file: "util/mask-secrets.ts",
    run: (text) => ["a secret of mine", ""].map((secret) => createMask(secret)(text, text.length)),
    units: hiddenUnits,
  },
  {
    file: "util/mask-secrets.ts",
    run: (text) => ["a secret of mine", ""].map((secret) => maskedWords(createMask(secret), text, 4_000)),
    units: hiddenUnits,
    size: 200_000,
  },
  { file: "patch/paths.ts", run: refusePathSize, units: ["/", "a"] },
  {
    file: "patch/internal/notebook-json.ts",
    run: (text) =>
      textOfNotebook(`{"nbformat":4,"cells":[{"cell_type":"raw","source":${JSON.stringify(text)}}]}`),
    units: ["\n", "\\", '"', "# %%\n", "\\# %% raw\n"],
  },
  { file: "util/text.ts", run: (text) => plainText(text, text.length), units: words },
  { file: "util/text.ts", run: (text) => trimEnd(`${text}x`, "/ "), units: ["/", " "] },
  {
    file: "editor/actions/internal/notebook-cells.ts",
    run: lastCodeBlock,
    units: ["```\n", "```a\n", "````\n```a\n", "`"],
  },
  {
    file: "editor/chat/internal/propose-code.ts",
    run: (text) => namedFile([`// ${text}!`]),
    units: ["a.", "a", " ", "/"],
  },
  {
    file: "editor/provenance/internal/authorship-log.ts",
    run: (text) => {
      parseAuthorshipLog(text);
      parseAuthorshipLog(`a\n  h_0000000 ${text}\n---\n{}`);
      parseAuthorshipLog(`${text}\n---\n{}`);
    },
    units: ["a\n", "a ", "  ", "  h_0000000 1\n", "1,", "1-", "-\n", '"', " ", "---\n", "\n---", "-", "{"],
  },
  {
    file: "editor/review/internal/streaming-preview.ts",
    run: (text) => createLineLocator(text)(text.split("\n").slice(0, 3)),
    units: words,
  },
  {
    file: "patch/diff-and-merge.ts",
    run: (text) => rebase({ base: { text }, edits: [] } as never, `${text}x`),
    units: words,
  },
  { file: "util/json.ts", run: loosely, units: ['"\\"', "/* ", "// \n", ", ", ",", '"a"'] },
];

function readPatch(text: string): unknown {
  return parsePatch(`*** Begin Patch\n*** Update File: a\n${text}\n*** End Patch\n`);
}

/** In as many pieces as a reply has deltas. */
function readMarks(text: string): unknown {
  const marks = new MarkedText();
  for (let at = 0; at < text.length; at += 10) marks.push(text.slice(at, at + 10));
  return marks.end();
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
