// Whose a copy is: one owner at a time, also where several windows come at once after a crash.
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { takeCopy } from "../../../src/checks/internal/copy/owner.ts";
import { ownFolder } from "../../support/one-test.ts";

function setUp(t: TestContext): string {
  const folder = ownFolder(t, "owner");
  return join(folder, "copy");
}

/** As a process that has ended in a crash leaves it. */
function abandon(home: string, owner = "owner.4194999.1.token"): string {
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(join(home, owner), "");
  return join(home, owner);
}

async function takenByHowMany(home: string): Promise<number> {
  const all = await Promise.all(Array.from({ length: 8 }, () => takeCopy(home)));
  const owners = all.filter((each) => each !== undefined);
  await Promise.all(owners.map((each) => each.release()));
  return owners.length;
}

describe("takeCopy", () => {
  test("admits one owner at a time, and the next one after a release", async (t) => {
    const home = setUp(t);
    const first = await takeCopy(home);
    assert.equal(await first?.holds(), true);
    assert.equal(await takeCopy(home), undefined);
    await first?.release();
    assert.equal(await first?.holds(), false);
    const second = await takeCopy(home);
    assert.equal(await second?.holds(), true);
    await second?.release();
  });

  test("admits at most one of several concurrent owners", async (t) => {
    const home = setUp(t);
    for (let round = 0; round < 60; round++) {
      const found = ["nothing", "a crash", "no owner", "free"][round % 4];
      if (found !== "free") fs.rmSync(home, { recursive: true, force: true });
      if (found === "a crash") abandon(home);
      if (found === "no owner") fs.mkdirSync(home);
      const count = await takenByHowMany(home);
      assert.ok(count <= 1, `${found}: ${count}`);
      if (count === 1) continue;
      // Two that see each other both step back, which locks nobody out.
      const next = await takeCopy(home);
      assert.equal(await next?.holds(), true, found);
      await next?.release();
    }
  });

  test("takes over from a process that is gone or whose pid was reused", async (t) => {
    const home = setUp(t);
    abandon(home);
    await (await takeCopy(home))?.release();
    fs.rmSync(home, { recursive: true });
    // This very process began at another time.
    abandon(home, `owner.${process.pid}.1.token`);
    const owner = await takeCopy(home);
    assert.equal(await owner?.holds(), true);
    await owner?.release();
  });

  test("leaves a copy to a running process until its heartbeat is too old", async (t) => {
    const home = setUp(t);
    const beat = { every: 10, silent: 60_000 };
    // Where nobody tells when a process began.
    const owner = abandon(home, `owner.${process.pid}..token`);
    assert.equal(await takeCopy(home, beat), undefined);
    fs.utimesSync(owner, 1, 1);
    const next = await takeCopy(home, beat);
    assert.equal(await next?.holds(), true);
    await next?.release();
  });

  test("leaves a copy to a process of another container, whose processes cannot be seen", async (t) => {
    const home = setUp(t);
    const beat = { every: 10, silent: 60_000 };
    const owner = abandon(home, "owner.4194999.1.1.token");
    const later = Date.now() / 1000 + 3600;
    fs.utimesSync(owner, later, later);
    assert.equal(await takeCopy(home, beat), undefined);
    fs.utimesSync(owner, 1, 1);
    const next = await takeCopy(home, beat);
    assert.equal(await next?.holds(), true);
    await next?.release();
  });

  test("notices when another owner has taken the copy", async (t) => {
    const home = setUp(t);
    const owner = await takeCopy(home);
    const [name = ""] = fs.readdirSync(home);
    fs.renameSync(join(home, name), join(home, "owner.1.1.other"));
    assert.equal(await owner?.holds(), false);
    await owner?.release();
    assert.deepEqual(fs.readdirSync(home), ["owner.1.1.other"]);
  });

  test("refuses a link in place of a copy", async (t) => {
    const home = setUp(t);
    const elsewhere = `${home}-elsewhere`;
    fs.mkdirSync(elsewhere);
    fs.symlinkSync(elsewhere, home);
    await assert.rejects(takeCopy(home), /is no folder/);
    assert.deepEqual(fs.readdirSync(elsewhere), []);
  });
});
