// Runs of the live trial played again, without a player: the replies that somebody wrote to an earlier product are taken by
// this one as they were then. What came of a run stands in its outcome.json; after a change that is meant to change it,
//   PATCHBAY_GOLDEN=write npm test -- live-replay
// writes it anew. Where a run needs other replies, it is played and recorded again: test/live/README.md.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { figuresOf, refusedIn } from "../live/figures.ts";
import { judge } from "../live/hidden-tests.ts";
import { play } from "../live/play.ts";
import {
  keepOutcome,
  keepReplies,
  recordedNames,
  recordedOutcome,
  recordedReplies,
} from "../live/recorded.ts";
import { startRelay } from "../live/relay.ts";
import { folderName, readTask } from "../live/task.ts";

const isWriting = process.env["PATCHBAY_GOLDEN"] === "write";

async function replay(name: string, t: TestContext) {
  const task = readTask(name);
  assert.ok("own" in task.folder, "Only folders of our own are there to be played again.");
  const storage = mkdtempSync(join(realpathSync(tmpdir()), "patchbay-replay-"));
  const root = join(storage, folderName(task));
  cpSync(join("test/live/own", task.folder.own), root, { recursive: true });
  const replies = recordedReplies(name);
  const relay = await startRelay(async ({ number }) => replies[number - 1], task.profile);
  t.after(async () => {
    await relay.close();
    rmSync(storage, { recursive: true, force: true });
  });
  const events: unknown[] = [];
  const { steps } = await play(task, { root, relay, onEvent: (event) => events.push(event) });
  const { requests, calls, wasted } = figuresOf(relay.requests, refusedIn(events));
  const verdict = await judge(task, root);
  return {
    replies,
    verdict,
    outcome: {
      requests,
      calls,
      wasted,
      // The sentences that were asked and said may be worded otherwise.
      steps: steps.map(({ text: _, asked, ...step }) => ({ ...step, asked: asked.length })),
      isSolved: verdict?.isSolved ?? null,
    },
  };
}

describe("a recorded run of the live trial", () => {
  for (const name of recordedNames())
    test(`replays to its recorded outcome: ${name}`, async (t) => {
      const { outcome, replies, verdict } = await replay(name, t);
      if (isWriting) {
        keepOutcome(name, outcome);
        // What is not asked for any more.
        keepReplies(name, replies.slice(0, outcome.requests));
      }
      assert.deepEqual(outcome, recordedOutcome(name), JSON.stringify(verdict, null, 1));
      assert.equal(
        outcome.requests,
        recordedReplies(name).length,
        "A reply was not asked for, or one is missing.",
      );
      assert.notEqual(outcome.isSolved, false, JSON.stringify(verdict, null, 1));
    });
});
