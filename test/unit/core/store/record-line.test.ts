import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkLine, encodeRecord, parseLine } from "../../../../src/core/store/record-line.ts";
import { anyLetters } from "../../../support/any-letters.ts";

const lineOf = (bytes: Buffer) => bytes.subarray(0, -1);

test("a record comes back as it was written, whatever its text", () => {
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

test("parsing leaves the bytes of a line as they were", () => {
  const line = lineOf(encodeRecord(3, { type: "text", delta: "€" }));
  const before = Buffer.from(line);
  parseLine(line);
  assert.deepEqual(line, before);
});

test("no changed bit goes unnoticed", () => {
  const line = lineOf(encodeRecord(12, { type: "ended", turn: "t", at: 1 }));
  for (let bit = 0; bit < line.length * 8; bit += 1) {
    const broken = Buffer.from(line);
    broken[bit >> 3] = (broken[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    // The case of a hexadecimal digit says nothing.
    if (broken.toString("latin1").toLowerCase() === line.toString("latin1")) continue;
    assert.equal(checkLine(broken), undefined, `bit ${bit}`);
  }
});

test("no part of a line passes for a line", () => {
  const line = lineOf(encodeRecord(12, { type: "ended", turn: "t", at: 1 }));
  for (let end = 0; end < line.length; end += 1) assert.equal(checkLine(line.subarray(0, end)), undefined);
});

test("a record's number and checksum are the journal's to give", () => {
  const line = lineOf(encodeRecord(5, { type: "text", seq: 99, crc: "mine" }));
  assert.deepEqual(parseLine(line), { seq: 5, type: "text" });
});

test("a type is a plain word", () => {
  assert.throws(() => encodeRecord(0, { type: 'a"b' }), TypeError);
});
