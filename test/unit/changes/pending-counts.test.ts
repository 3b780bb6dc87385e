// What waits, counted; and what of it deserves a look, by the patches that propose it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type PendingFile, type PendingHunk, waitingIn } from "../../../src/changes/pending-changes.ts";
import { inEnglish } from "../../../src/conversation/english.ts";
import { message } from "../../../src/conversation/messages.ts";
import type { RiskFlag } from "../../../src/risk/flags.ts";

const hunk = (...flags: readonly RiskFlag[]): PendingHunk => ({
  id: "h",
  added: 2,
  removed: 1,
  flags,
  names: [],
});
const file = (path: string, ...hunks: readonly PendingHunk[]): PendingFile =>
  ({
    change: { kind: "update", file: { folder: "f", path } },
    hunks,
    conflicts: [],
    calls: [`of ${path}`],
  }) as unknown as PendingFile;

test("waitingIn counts changes that need attention, and names each with its file and call", () => {
  const pending = [
    file("a.ts", hunk("public-api"), hunk("test-weakened")),
    file("b.ts", hunk()),
    file("c.ts", hunk("public-api")),
  ];
  const waiting = waitingIn({ pending, revision: 4 }, ({ folder, path }) => `${folder}/${path}`);
  assert.deepEqual(waiting?.risks.map(inEnglish), ["1 test weakened", "2 public API changes"]);
  assert.deepEqual(
    waiting?.flagged.map(({ path, calls, flags }) => [path, calls, flags.map(inEnglish)]),
    [
      ["f/a.ts", ["of a.ts"], ["⚠ test weakened", "public API"]],
      ["f/c.ts", ["of c.ts"], ["public API"]],
    ],
  );
  assert.deepEqual([waiting?.files, waiting?.hunks, waiting?.added, waiting?.shown], [3, 4, 8, 4]);
  const stuck = { ...file("d.ts", hunk()), problem: message("changeMissing") };
  const both = waitingIn({ pending: [...pending, stuck], revision: 4 }, ({ path }) => path);
  assert.deepEqual([both?.files, both?.hunks, both?.conflicts], [4, 4, 1], "nothing of it can be accepted");
  assert.equal(
    waitingIn({ pending: [], revision: 4 }, () => ""),
    undefined,
  );
});
