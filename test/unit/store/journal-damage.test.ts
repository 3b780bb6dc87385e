import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Condition, Scanner } from "../../../src/store/internal/journal-damage.ts";
import { encodeRecord } from "../../../src/store/journal-records.ts";

const line = (seq: number, text = `number ${seq}`) => encodeRecord(seq, { type: "text", text });
const journal = (count: number) => Array.from({ length: count }, (_, seq) => line(seq));

function scan(
  bytes: Buffer,
  step = bytes.length,
): { seqs: number[]; condition: Condition; scanner: Scanner } {
  const seqs: number[] = [];
  const scanner = new Scanner(({ seq, offset }, found) => {
    assert.deepEqual(Buffer.from(found), Buffer.from(bytes.subarray(offset, offset + found.length)));
    seqs.push(seq);
  });
  for (let from = 0; from < bytes.length; ) {
    const room = scanner.lines.room();
    const count = bytes.copy(room, 0, from, Math.min(from + step, from + room.length));
    scanner.lines.take(count);
    from += count;
  }
  return { seqs, condition: scanner.condition(), scanner };
}

test("Scanner reads the same records from pieces of any size", async () => {
  const bytes = Buffer.concat([...journal(20), line(20, "x".repeat(100_000)), line(21)]);
  for (const step of [1, 7, 64, 1000, bytes.length]) {
    await new Promise(setImmediate);
    const { seqs, condition } = scan(bytes, step);
    assert.equal(seqs.length, 22);
    assert.equal(condition, "whole");
  }
});

test("Scanner keeps every record before a cut at any byte", () => {
  const lines = journal(4);
  const bytes = Buffer.concat(lines);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const { seqs, condition } = scan(bytes.subarray(0, cut));
    const whole = lines.filter((_, index) => Buffer.concat(lines.slice(0, index + 1)).length <= cut).length;
    assert.equal(seqs.length, whole);
    const atEnd = Buffer.concat(lines.slice(0, whole)).length === cut;
    assert.equal(condition, atEnd ? "whole" : "torn");
  }
});

test("Scanner treats half a line that a later writer skipped as noise, not damage", () => {
  const bytes = Buffer.concat([line(0), line(1).subarray(0, 20), Buffer.from("\n"), line(1), line(2)]);
  assert.deepEqual(scan(bytes).seqs, [0, 1, 2]);
  assert.equal(scan(bytes).condition, "whole");
});

test("Scanner counts a batch that was written twice once", () => {
  const bytes = Buffer.concat([line(0), line(1), line(2), line(1), line(2), line(3)]);
  assert.deepEqual(scan(bytes).seqs, [0, 1, 2, 3]);
  assert.equal(scan(bytes).condition, "whole");
});

test("Scanner keeps the records of two concurrent writers", () => {
  const bytes = Buffer.concat([line(0), line(1, "mine"), line(1, "yours"), line(2)]);
  assert.deepEqual(scan(bytes).seqs, [0, 1, 1, 2]);
  assert.equal(scan(bytes).condition, "whole");
});

test("Scanner keeps records behind a missing one and reports damage", () => {
  const { seqs, condition, scanner } = scan(Buffer.concat([line(0), line(1), line(4), line(5)]));
  assert.deepEqual(seqs, [0, 1, 4, 5]);
  assert.equal(condition, "damaged");
  assert.equal(scanner.lost, 2);
  assert.equal(scanner.endsBroken, false);
});

test("Scanner ignores an impossible sequence number with a valid checksum", () => {
  const { seqs, condition } = scan(Buffer.concat([line(0), line(2 ** 40), line(1)]));
  assert.deepEqual(seqs, [0, 1]);
  assert.equal(condition, "whole");
});

test("Scanner reports a journal without its head as damaged and keeps the rest", () => {
  const { seqs, condition } = scan(Buffer.concat([Buffer.from("{broken}\n"), line(1), line(2)]));
  assert.deepEqual(seqs, [1, 2]);
  assert.equal(condition, "damaged");
});

test("Scanner reports zeros, foreign bytes and bad UTF-8 as damage and never throws", () => {
  for (const bytes of [Buffer.alloc(5000), Buffer.from("hello"), Buffer.from([0xff, 0xfe, 10, 0xc3])]) {
    assert.equal(scan(bytes).condition, "damaged");
    const behind = scan(Buffer.concat([line(0), line(1), bytes]));
    assert.deepEqual(behind.seqs, [0, 1]);
    assert.equal(behind.condition, "damaged");
  }
});

test("Scanner loses one record to an overwritten byte, or the two that it joins", () => {
  const lines = journal(6);
  const bytes = Buffer.concat(lines);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
      const broken = Buffer.from(bytes);
      broken[at] = value;
      const isNewline = bytes[at] === 10 && value !== 10;
      const isLast = at === bytes.length - 1;
      assert.ok(scan(broken).seqs.length >= lines.length - (isNewline && !isLast ? 2 : 1));
    }),
  );
});

test("Scanner can continue where another one stopped", () => {
  const first = Buffer.concat(journal(5));
  const { scanner } = scan(first);
  const seqs: number[] = [];
  const later = new Scanner(({ seq }) => seqs.push(seq), scanner.lines.lineStart, scanner.last);
  assert.equal(later.lines.position, first.length);
  later.lines.take(Buffer.concat([line(5), line(6)]).copy(later.lines.room()));
  assert.deepEqual(seqs, [5, 6]);
  assert.equal(later.condition(), "whole");
});
