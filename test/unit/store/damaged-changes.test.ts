// What is proposed for files, on a disk that has spoilt it or does not let it be read.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { nodeFileSystem } from "../../../src/store/file-system.ts";
import { changesNameOf } from "../../../src/store/internal/draft-file.ts";
import { english } from "../../support/english.ts";
import { openTestApp } from "./person-support.ts";
import { addTurn, libraryOn, temporaryFolder } from "./store-support.ts";

const state = '{"version":1,"proposals":[],"steps":[],"notes":[]}';

async function withChanges(folder: string) {
  const journal = await libraryOn(folder).create("c");
  await addTurn(journal, "t");
  await journal.changes.write(state, false);
  await journal.close();
  return join(folder, "conversations", "c", changesNameOf(""));
}

test("a changes file with any damaged byte is discarded, copied aside and reported once", async (t) => {
  const folder = temporaryFolder(t);
  const path = await withChanges(folder);
  const whole = readFileSync(path);
  for (let at = 0; at < whole.length; at += 3) {
    const spoilt = Buffer.from(whole);
    spoilt[at] = (spoilt[at] ?? 0) ^ 1;
    writeFileSync(path, spoilt);
    const journal = await libraryOn(folder).open("c");
    assert.deepEqual(journal.mended, ["changes"], `byte ${at}`);
    assert.equal(await journal.changes.read(), "");
    await journal.close();
    const kept = readdirSync(join(path, "..")).filter((name) => name.includes(".corrupt-"));
    assert.ok(kept.some((name) => readFileSync(join(path, "..", name)).equals(spoilt)));
    const again = await libraryOn(folder).open("c");
    assert.deepEqual(again.mended, []);
    await again.close();
  }
});

test("a damaged changes file is reported to the user", async (t) => {
  const folder = temporaryFolder(t);
  const path = await withChanges(folder);
  writeFileSync(path, readFileSync(path, "utf8").replace("proposals", "proposalS"));
  const app = await openTestApp(t, { folder });
  assert.match(
    english(app.session.repaired),
    /Proposed changes were damaged.*A copy of the file was kept\.$/,
  );
});

test("a changes file that is unreadable for a moment is not treated as empty", async (t) => {
  const folder = temporaryFolder(t);
  const path = await withChanges(folder);
  let isRefusing = false;
  const fs = {
    ...nodeFileSystem,
    async read(of: string) {
      if (isRefusing && basename(of) === basename(path))
        throw Object.assign(new Error("EMFILE"), { code: "EMFILE" });
      return nodeFileSystem.read(of);
    },
  };
  const journal = await libraryOn(folder, fs).open("c");
  isRefusing = true;
  await assert.rejects(journal.changes.read(), /too many files are open/);
  isRefusing = false;
  assert.equal(await journal.changes.read(), state);
});

test("remarks belong to the workspace whose proposals they are about", async (t) => {
  const folder = temporaryFolder(t);
  const here = await libraryOn(folder, nodeFileSystem, "file:///here").create("c");
  await addTurn(here, "t");
  await here.writeRemarks("mine");
  await here.close();
  const there = await libraryOn(folder, nodeFileSystem, "file:///there").open("c");
  assert.equal(await there.readRemarks(), "");
  await there.close();
  const again = await libraryOn(folder, nodeFileSystem, "file:///here").open("c");
  assert.equal(await again.readRemarks(), "mine");
  await again.close();
});
