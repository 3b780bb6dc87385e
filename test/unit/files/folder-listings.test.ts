// What is remembered of a folder, and for how long it is not: a time of a file system is too coarse for what changes at once.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { FolderListings } from "../../../src/files/internal/folder-listings.ts";
import type { Privacy } from "../../../src/files/privacy.ts";
import { ownFolder } from "../../support/one-test.ts";

describe("the listing of a folder", () => {
  const rules: Privacy = () => undefined;

  /** A folder, and how often it was read when it is asked for so many seconds after it was made. */
  function startReading(t: TestContext) {
    const folder = ownFolder(t, "listing");
    const listings = new FolderListings();
    let count = 0;
    const made = Date.now();
    t.mock.timers.enable({ apis: ["Date"], now: made });
    const read = async () => {
      count += 1;
      return { entries: [], hidden: 0 };
    };
    const readAt = async (seconds: number, privacy = rules) => {
      t.mock.timers.setTime(made + seconds * 1000);
      await listings.read(folder, privacy, read);
      return count;
    };
    return { folder, readAt };
  }

  test("is cached once the folder has been unchanged for three seconds", async (t) => {
    const { readAt } = startReading(t);
    assert.equal(await readAt(1), 1);
    assert.equal(await readAt(2), 2);
    assert.equal(await readAt(4), 3);
    assert.equal(await readAt(5), 3);
  });

  test("is read again when the folder or the privacy rules change", async (t) => {
    const { folder, readAt } = startReading(t);
    assert.equal(await readAt(4), 1);
    writeFileSync(join(folder, "new.txt"), "");
    assert.equal(await readAt(9), 2);
    assert.equal(await readAt(10, () => undefined), 3);
  });
});
