// Damage in what is kept beside conversations: it is told once, what is whole stays, and the damaged file is kept. What the
// disk refuses waits.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import type { UsageRow } from "../../../src/tokens/usage-rows.ts";
import { addFiles, FileLedger } from "../../../src/uploaded-files/file-ledger.ts";
import { usageLedger } from "../../../src/usage/ledger.ts";
import { english } from "../../support/english.ts";
import { failingFileSystem } from "../store/failing-file-system.ts";
import { full } from "../store/person-support.ts";
import { temporaryFolder } from "../store/store-support.ts";

const april = Date.UTC(2024, 3, 1);
const row = (number: number): UsageRow => ({
  ...{ at: april + number, conversation: "c", turn: `t${number}`, request: 1, input: 100 + number },
});

/** A ledger in a new process. */
function opened(folder: string, fs = nodeFileSystem) {
  const ledger = usageLedger(fs, folder);
  const told: string[] = [];
  ledger.onDamage((message) => void told.push(english(message)));
  return { ledger, told, since: () => ledger.since(0) };
}

const without = <T>(all: readonly T[], kept: readonly T[]) =>
  all.filter((each) => !kept.some((other) => isDeepStrictEqual(other, each)));

test("the usage ledger reports a damaged byte once and keeps every other line", async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "usage", "2024-04.jsonl");
  const rows = [row(0), row(1), row(2)];
  for (const each of rows) await opened(folder).ledger.add(each);
  const whole = readFileSync(path);
  // The last line feed is not missed: what has none may still be being written.
  for (let at = 0; at < whole.length - 1; at += 7) {
    const spoilt = Buffer.from(whole);
    spoilt[at] = (spoilt[at] ?? 0) ^ 1;
    writeFileSync(path, spoilt);
    const { since, told } = opened(folder);
    const kept = await since();
    assert.equal(without(kept, rows).length, 0, `byte ${at}: a row that nobody wrote`);
    const lost = rows.length - kept.length;
    assert.ok(lost === 1 || (lost === 2 && whole[at] === 10), `byte ${at}: ${lost} rows are lost`);
    assert.match(told.join(), /^Damaged lines of the usage history were skipped: [12]\./);
    const again = opened(folder);
    assert.equal((await again.since()).length, kept.length);
    assert.deepEqual(again.told, [], "it was told before");
  }
  const asides = readdirSync(join(folder, "usage")).filter((name) => name.includes(".corrupt-"));
  assert.ok(asides.length >= 3);
  await opened(folder).ledger.forgetBefore(Date.UTC(2024, 4, 1));
  assert.deepEqual(readdirSync(join(folder, "usage")), []);
});

test("the usage ledger counts rows that the disk refuses and writes them once when there is room", async (t) => {
  const folder = temporaryFolder(t);
  for (const half of [true, false])
    for (let at = 1; at <= 12; at += 1) {
      const place = join(folder, `${half} ${at}`);
      const fs = failingFileSystem({ at, code: "ENOSPC", forGood: true, half });
      const { ledger, since } = opened(place, fs);
      const rows = [row(0), row(1), row(2)];
      const told = await Promise.allSettled(rows.map((each) => ledger.add(each)));
      if (fs.failed.length > 0) assert.ok(told.some(({ status }) => status === "rejected"));
      fs.heal();
      assert.deepEqual(await since(), rows, `call ${at}: in memory`);
      await ledger.add(row(3));
      assert.deepEqual(await since(), [...rows, row(3)]);
      const later = opened(place);
      assert.deepEqual(await later.since(), [...rows, row(3)], `call ${at}: on the disk, each once`);
      assert.deepEqual(later.told, [], "a try that was refused half-way is no damage");
    }
});

test("the usage ledger limits the rows that wait for a full disk and reports the limit", async (t) => {
  const open = () => Promise.reject(full);
  const { ledger, since } = opened(temporaryFolder(t), { ...nodeFileSystem, open });
  const large = (number: number) => ({ ...row(number), turn: "x".repeat(1024 * 1024) });
  for (let number = 0; number < 3; number += 1)
    await assert.rejects(ledger.add(large(number)), /the disk is full/);
  await assert.rejects(ledger.add(large(3)), /the disk is too slow/);
  assert.equal((await since()).length, 3);
});

test("the file ledger reports a damaged byte once and still lists the other files", async (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, "files.json");
  await new FileLedger(nodeFileSystem, folder).change((entries) => addFiles(entries, ["f1", "f2", "f3"], 1));
  const whole = readFileSync(path);
  const versionAt = whole.indexOf("1,");
  for (let at = 0; at < whole.length; at += 5) {
    // A list of a later version is left alone.
    if (at === versionAt) continue;
    const spoilt = Buffer.from(whole);
    spoilt[at] = (spoilt[at] ?? 0) ^ 1;
    writeFileSync(path, spoilt);
    const ledger = new FileLedger(nodeFileSystem, folder);
    const told: string[] = [];
    ledger.onDamage((message) => void told.push(english(message)));
    const ids = (await ledger.read()).map(({ id }) => id);
    assert.ok(ids.length >= 1 && ids.every((id) => /^f[123]$/.test(id)), `byte ${at}: ${ids}`);
    assert.match(told.join(), /^The list of uploaded files was damaged \(files left: [123]\)\./);
    assert.deepEqual(
      (await ledger.read()).map(({ id }) => id),
      ids,
    );
    assert.equal(told.length, 1);
    const kept = readdirSync(folder).filter((name) => name.startsWith("files.corrupt-"));
    assert.ok(
      kept.some((name) => readFileSync(join(folder, name)).equals(spoilt)),
      `byte ${at} is kept`,
    );
  }
});
