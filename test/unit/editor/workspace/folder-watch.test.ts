// Folders of a real disk, in which other programs write.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { FolderWatch } from "../../../../src/editor/workspace/watch-files.ts";

describe("the folders of followed files", () => {
  let root = "";
  let told = 0;
  let wake = () => {};
  let watch = new FolderWatch(() => {});

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "patchbay-folders-"));
    told = 0;
    watch = new FolderWatch(() => {
      told += 1;
      wake();
    });
  });
  afterEach(() => {
    watch.dispose();
    rmSync(root, { recursive: true, force: true });
  });

  /** Once it is told that something has happened since. */
  const untilTold = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  /** Tells of this name come behind all that happened before. */
  async function settle(): Promise<void> {
    const heard = untilTold();
    writeFileSync(join(root, "last.txt"), "");
    await heard;
  }

  test("report writes, replacements and removals of followed files only", async () => {
    const file = join(root, "a.txt");
    writeFileSync(file, "one");
    watch.follow([file, join(root, "last.txt")]);
    const happen = [
      () => writeFileSync(file, "two"),
      () => {
        writeFileSync(join(root, "b.txt"), "three");
        renameSync(join(root, "b.txt"), file);
      },
      () => rmSync(file),
      () => writeFileSync(file, "four"),
    ];
    for (const step of happen) {
      const heard = untilTold();
      step();
      await heard;
    }
    await settle();
    watch.follow([join(root, "last.txt")]);
    told = 0;
    writeFileSync(file, "five");
    writeFileSync(join(root, "other.txt"), "");
    await settle();
    assert.equal(told, 1);
  });

  test("are watched again after they were deleted and recreated", async () => {
    const folder = join(root, "deep");
    const file = join(folder, "a.txt");
    mkdirSync(folder);
    writeFileSync(file, "one");
    watch.follow([file, folder]);
    const gone = untilTold();
    rmSync(folder, { recursive: true });
    await gone;
    await new Promise((resolve) => setImmediate(resolve));
    mkdirSync(folder);
    watch.listen();
    const heard = untilTold();
    writeFileSync(file, "two");
    await heard;
  });
});
