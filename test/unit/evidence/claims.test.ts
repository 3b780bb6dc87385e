// Claims of labelled responses: those the matcher was made with, and those that were kept aside until it stood.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Claim, findClaims, judgeClaims } from "../../../src/evidence/claims.ts";
import { claimCases, type LabelledClaim, type LabelledResponse } from "../../support/claim-corpus.ts";

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
