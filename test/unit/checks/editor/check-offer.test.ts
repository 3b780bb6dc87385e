import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCheckOffer, type OfferDeps } from "../../../../src/checks/editor/check-offer.ts";
import type { SuggestedCheck } from "../../../../src/checks/internal/suggest-checks.ts";

const tests: SuggestedCheck = { name: "tests", kind: "tests", command: "npm test", from: "package.json" };
const types: SuggestedCheck = { name: "types", kind: "static", command: "npx tsc", from: "tsconfig.json" };

function open(kept = new Map<string, unknown>(), suggested = [types, tests]) {
  let hasAny = false;
  let tellHost = () => {};
  let changes = 0;
  const checks = {
    host: {
      obstacle: undefined,
      get hasAny() {
        return hasAny;
      },
      onDidChange(listener: () => void) {
        tellHost = listener;
        return { dispose: () => {} };
      },
    },
    roots: () => [{ folder: "shop", path: "/shop" }],
    suggest: async () => suggested,
    bodyOf: async () => "node --test",
  } as unknown as OfferDeps["checks"];
  const memory = {
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => void kept.set(key, value),
  } as OfferDeps["memory"];
  const offer = createCheckOffer({
    ...{ checks, memory },
    changed: () => void changes++,
    report: (error) => assert.fail(String(error)),
  });
  return {
    ...{ offer, kept },
    get changes() {
      return changes;
    },
    setUp() {
      hasAny = true;
      tellHost();
    },
    /** It has looked for what the folder has. */
    looked: () => new Promise<void>((resolve) => setImmediate(resolve)),
  };
}

describe("the offer of a check", () => {
  test("names the tests of a folder while its first proposal is pending", async () => {
    const there = open();
    const said = () => [there.offer.current?.check.command, there.offer.current?.body];
    there.offer.follow(0);
    await there.looked();
    assert.deepEqual(said(), [undefined, undefined]);
    there.offer.follow(1);
    await there.looked();
    assert.deepEqual(said(), ["npm test", "node --test"]);
    assert.equal(there.changes, 1);
  });

  test("is made once per folder, even if it is ignored", async () => {
    const took = open();
    took.offer.follow(1);
    await took.looked();
    assert.equal(took.offer.take()?.check, tests);
    const passed = open();
    passed.offer.follow(2);
    await passed.looked();
    passed.offer.follow(0);
    for (const { kept, offer } of [took, passed]) {
      assert.equal(offer.current, undefined);
      const later = open(kept);
      later.offer.follow(1);
      await later.looked();
      assert.equal(later.offer.current, undefined);
    }
  });

  test("is not made without tests, and ends once checks are set up in another way", async () => {
    const bare = open(new Map(), [types]);
    bare.offer.follow(1);
    await bare.looked();
    assert.equal(bare.offer.current, undefined);
    const there = open();
    there.offer.follow(1);
    await there.looked();
    there.setUp();
    assert.equal(there.offer.current, undefined);
    const setUp = open();
    setUp.setUp();
    setUp.offer.follow(1);
    await setUp.looked();
    assert.equal(setUp.offer.current, undefined);
  });
});
