import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkLine, encodeRecord, parseLine } from "../../../src/store/journal-records.ts";
import { anyLetters } from "../../support/any-letters.ts";

const lineOf = (bytes: Buffer) => bytes.subarray(0, -1);

test("parseLine returns a record as encodeRecord wrote it, for any text", () => {
  fc.assert(
    fc.property(fc.nat(), anyLetters, fc.jsonValue(), (seq, text, value) => {
      const line = lineOf(encodeRecord(seq, { type: "text", text, value }));
      assert.equal(line.includes(10), false);
      assert.deepEqual(checkLine(line)?.type, "text");
      const expected = JSON.parse(JSON.stringify({ seq, type: "text", text, value }));
      assert.deepEqual(parseLine(line), expected);
    }),
  );
});

test("parseLine leaves the bytes of a line unchanged", () => {
  const line = lineOf(encodeRecord(3, { type: "text", delta: "€" }));
  const before = Buffer.from(line);
  parseLine(line);
  assert.deepEqual(line, before);
});

test("checkLine detects every flipped bit", () => {
  const line = lineOf(encodeRecord(12, { type: "ended", turn: "t", at: 1 }));
  for (let bit = 0; bit < line.length * 8; bit += 1) {
    const broken = Buffer.from(line);
    broken[bit >> 3] = (broken[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    // The case of a hexadecimal digit says nothing.
    if (broken.toString("latin1").toLowerCase() === line.toString("latin1")) continue;
    assert.equal(checkLine(broken), undefined, `bit ${bit}`);
  }
});

test("checkLine refuses every incomplete line", () => {
  const line = lineOf(encodeRecord(12, { type: "ended", turn: "t", at: 1 }));
  for (let end = 0; end < line.length; end += 1) assert.equal(checkLine(line.subarray(0, end)), undefined);
});

test("encodeRecord overrides a record's own seq and crc", () => {
  const line = lineOf(encodeRecord(5, { type: "text", seq: 99, crc: "mine" }));
  assert.deepEqual(parseLine(line), { seq: 5, type: "text" });
});

test("encodeRecord refuses a type that is not a plain word", () => {
  assert.throws(() => encodeRecord(0, { type: 'a"b' }), TypeError);
});
