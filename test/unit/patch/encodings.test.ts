// Texts of eight encodings on disk: where a patch changes lines, every other byte of the file stays what it was, even
// where the encoding is not known.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { decode, encode } from "../../support/disk-text.ts";
import { applyToFolder } from "../../support/disk-workspace.ts";
import { anExample, editedText, hunksFor, patchOf, textOf } from "./random-edits.ts";

const long = process.env["PATCHBAY_LONG"] !== undefined;

const sentences = {
  "utf-8": "naïve 日本語 Привет – “ok” 👩‍👩‍👧",
  "utf-16le": "naïve 日本語 Привет 𝒳",
  "utf-16be": "naïve 日本語 Привет 𝒳",
  "windows-1252": "naïve café – “Übermut” €",
  "iso-8859-2": "Žluťoučký kůň",
  "koi8-r": "Съешь ещё этих булок",
  // 表 and ソ end with the byte of a backslash.
  shift_jis: "表示 ソース 日本語",
  gbk: "中文文本 编码 測試",
  "euc-kr": "한국어 텍스트",
} as const;

type Label = keyof typeof sentences;

/** The bytes a table gives each of its characters, by decoding every one there can be. */
function tableOf(label: string): Map<string, readonly number[]> {
  const decoder = new TextDecoder(label);
  const table = new Map<string, readonly number[]>();
  const learn = (...bytes: number[]) => {
    const char = decoder.decode(Uint8Array.from(bytes));
    if ([...char].length === 1 && char !== "\uFFFD" && !table.has(char)) table.set(char, bytes);
  };
  for (let lead = 0; lead < 256; lead++) learn(lead);
  for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) learn(lead, trail);
  return table;
}

function createEncoder(label: Label): (text: string) => Buffer {
  // Node's own decoder takes this table for ISO 8859-1.
  if (label === "windows-1252") return (text) => encode(text, label);
  if (label === "utf-8") return (text) => Buffer.from(text, "utf8");
  if (label === "utf-16le") return (text) => Buffer.from(`\uFEFF${text}`, "utf16le");
  if (label === "utf-16be") return (text) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16();
  const table = tableOf(label);
  return (text) => Buffer.from([...text].flatMap((char) => table.get(char) ?? assert.fail(`no ${char}`)));
}

/** What a model would be shown of the file, line by line. */
function shownLines(bytes: Buffer): string[] {
  return (decode(bytes)?.text ?? assert.fail("not a text")).replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
}

for (const label of Object.keys(sentences) as Label[]) {
  test(`a ${label} file keeps every byte of the lines that a patch does not name`, async () => {
    const toBytes = createEncoder(label);
    const foreign = fc.nat({ max: 9999 }).map((at) => `${sentences[label]} ${at}`);
    const plain = fc.nat({ max: 9999 }).map((at) => `plain ${at}`);
    const added = plain.map((text) => `new ${text}`);
    const example = anExample({ line: fc.oneof(foreign, plain), added, distinct: true, most: 12 });
    const root = mkdtempSync(join(tmpdir(), "patchbay-"));
    const file = join(root, "a.txt");
    try {
      await fc.assert(
        fc.asyncProperty(example, async ({ rows, edits }) => {
          const bytes = toBytes(textOf({ mark: "", rows }));
          const shown = shownLines(bytes);
          const asShown = rows.map(({ end }, at) => ({ text: shown[at] ?? "", end }));
          writeFileSync(file, bytes);
          await applyToFolder(root, patchOf("a.txt", hunksFor({ mark: "", rows: asShown, edits }, 2)));
          const meant = toBytes(editedText({ mark: "", rows, edits }));
          assert.deepEqual(readFileSync(file), meant);
        }),
        { numRuns: long ? 5_000 : 25, includeErrorInReport: true },
      );
    } finally {
      rmSync(root, { recursive: true });
    }
  });
}

test("windows-1252 encodes and decodes every byte", () => {
  const bytes = Buffer.from(Array.from({ length: 255 }, (_, at) => at + 1));
  const decoded = decode(bytes);
  assert.equal(decoded?.encoding, "windows-1252");
  assert.deepEqual(encode(decoded.text, "windows-1252"), bytes);
  assert.equal(decode(Buffer.from([0x93, 0x80, 0x94, 0x0a]))?.text, "“€”\n");
});

test("a file of unknown encoding refuses new foreign characters and keeps its bytes", async () => {
  const root = mkdtempSync(join(tmpdir(), "patchbay-"));
  const file = join(root, "a.txt");
  try {
    const torn = Buffer.concat([Buffer.from("é one\ntwo\n"), Buffer.from([0xff, 0x0a])]);
    writeFileSync(file, torn);
    await assert.rejects(applyToFolder(root, patchOf("a.txt", [["-two", "+zwölf"]])), /encoding of a.txt/);
    assert.deepEqual(readFileSync(file), torn);
    await applyToFolder(root, patchOf("a.txt", [["-two", "+2"]]));
    assert.deepEqual(
      readFileSync(file),
      Buffer.concat([Buffer.from("é one\n2\n"), Buffer.from([0xff, 0x0a])]),
    );
  } finally {
    rmSync(root, { recursive: true });
  }
});
