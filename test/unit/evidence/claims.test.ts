// Claims of labelled responses: those the matcher was made with, and those that were kept aside until it stood.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { type Claim, findClaims, judgeClaims } from "../../../src/evidence/claims.ts";
import { claimCases, type LabelledClaim, type LabelledResponse } from "../../support/claim-corpus.ts";
import { leastTime } from "../../support/thread-time.ts";

interface Measured {
  readonly response: LabelledResponse;
  readonly found: readonly Claim[];
}

const measure = (response: LabelledResponse): Measured => ({
  response,
  found: judgeClaims(findClaims(response.text), response.facts),
});

const isOf = (claim: Claim, { kind, words }: LabelledClaim): boolean =>
  claim.kind === kind && (claim.quote.includes(words) || words.includes(claim.quote));

/** Spells what went wrong, so that a failure shows the sentence. */
const spelled = ({ verdict, kind, quote }: Claim): string => `${kind} ${verdict}: ${quote}`;

function wrongly(verdict: Claim["verdict"], all: readonly Measured[]): string[] {
  return all.flatMap(({ response, found }) =>
    found
      .filter((claim) => claim.verdict === verdict)
      .filter((claim) => !response.claims.some((label) => label.verdict === verdict && isOf(claim, label)))
      .map((claim) => `${spelled(claim)} ← ${response.text}`),
  );
}

function missed(verdict: Claim["verdict"], all: readonly Measured[]) {
  const labels = all.flatMap(({ response, found }) =>
    response.claims.filter((label) => label.verdict === verdict).map((label) => ({ label, found })),
  );
  const left = labels.filter(
    ({ label, found }) => !found.some((claim) => claim.verdict === verdict && isOf(claim, label)),
  );
  return { count: labels.length, left: left.map(({ label }) => `${label.kind}: ${label.words}`) };
}

for (const half of ["known", "aside"] as const)
  describe(`claims of labelled responses (${half})`, () => {
    const all = claimCases(half).map(measure);
    it("are at least fifty responses of several manners in both languages", () => {
      assert.ok(all.length >= 50);
      assert.ok(new Set(all.map(({ response }) => response.manner)).size >= 5);
      assert.ok(all.filter(({ response }) => response.language === "zh").length >= 10);
    });
    it("are never proven without a fact that proves them", () => {
      assert.deepEqual(wrongly("proven", all), []);
    });
    it("are never contradicted without a fact against them", () => {
      assert.deepEqual(wrongly("contradicted", all), []);
    });
    it("are contradicted in at least nine of ten cases", () => {
      const { count, left } = missed("contradicted", all);
      assert.ok(left.length <= count / 10, left.join("\n"));
    });
    it("are proven in at least eight of ten cases that facts prove", () => {
      const { count, left } = missed("proven", all);
      assert.ok(left.length <= count / 5, left.join("\n"));
    });
  });

describe("findClaims of a hostile clause", () => {
  /** Every word that stands in a pattern, and so each that could be read in two ways. */
  const wordsIn = (file: string, word: RegExp): readonly string[] => [
    ...new Set(readFileSync(`src/evidence/internal/${file}.ts`, "utf8").match(word) ?? []),
  ];
  const growsTooFast = (unit: string, end: string): boolean => {
    let before = Number.POSITIVE_INFINITY;
    for (const letters of [18, 36, 72, 144, 280]) {
      const text = `${unit.repeat(Math.ceil(letters / unit.length))}${end}`;
      const find = () => findClaims(text);
      const time = leastTime(2, find);
      // Twice the letters may take a few times as long, and noise a few milliseconds, but not each time.
      const most = 8 * before + 3;
      if (time > most && leastTime(5, find) > most) return true;
      before = time;
    }
    return false;
  };

  it("does not take twice as long for each word, in Chinese", () => {
    const words = wordsIn("claims-in-chinese", /\p{Script=Han}+/gu);
    assert.ok(words.length > 100);
    const slow = words.flatMap((word) =>
      ["甲测试通过", "测试甲", "编译甲通过"].filter((end) => growsTooFast(word, end)),
    );
    assert.deepEqual(slow, []);
    assert.ok(!growsTooFast("已验证", "甲测试通过"));
  });

  it("does not take twice as long for each word, in English", () => {
    const words = ["claims-in-english", "checks-in-english", "whole-clauses-in-english"].flatMap((file) =>
      wordsIn(file, /[a-z]{2,}/g),
    );
    assert.ok(words.length > 300);
    assert.deepEqual(
      words.filter((word) => growsTooFast(`${word} `, "zz tests pass")),
      [],
    );
  });
});
