// The disk fails at every call while somebody talks: nothing is thrown, the conversation goes on, and once the disk works
// again all of it is there, as it was shown.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { noWorkspace } from "../../src/files/workspace.ts";
import { conversationStore } from "../../src/session/conversation-store.ts";
import { importVisible } from "../../src/session/internal/sanitize-import.ts";
import type { Session } from "../../src/session/session.ts";
import { defaultConversationSettings } from "../../src/session/session-context.ts";
import { type FileSystem, nodeFileSystem } from "../../src/store/file-system.ts";
import { createLibrary } from "../../src/store/library.ts";
import { silentLog } from "../../src/util/log.ts";
import { text } from "../sim/script.ts";
import { type Simulator, startSimulator } from "../sim/simulator.ts";
import { clientOf } from "../support/simulated-client.ts";
import { showLatest } from "../support/test-app.ts";
import { type Failure, failingFileSystem } from "./store/failing-file-system.ts";
import { started } from "./store/store-support.ts";

const long = process.env["PATCHBAY_LONG"] !== undefined;

interface Window {
  readonly session: Session;
  close(): Promise<void>;
}

async function openWindow(sim: Simulator, fs: FileSystem, folder: string): Promise<Window> {
  const client = clientOf(sim);
  const library = createLibrary({
    ...{ fs, folder, place: "", now: Date.now, arriving: importVisible },
  });
  const shown = await showLatest({
    ...{ client, workspace: noWorkspace, store: conversationStore(library), log: silentLog, now: Date.now },
    newId: randomUUID,
    settings: () => defaultConversationSettings,
    defaultModel: () => "svc-k3",
  });
  return {
    session: shown.session,
    async close() {
      await shown.close();
      await library.close();
      client.dispose();
    },
  };
}

/** Two questions, one of them asked again in other words, a draft; then the disk works again, and one more. */
async function live(sim: Simulator, folder: string, failure: Failure | undefined): Promise<number> {
  const fs = failingFileSystem(failure);
  const { session, close } = await openWindow(sim, fs, folder);
  const ask = async (prompt: string) => {
    sim.reply(text(`Answer to ${prompt}`));
    const turn = await session.send({ prompt });
    assert.equal(turn?.status, "done", `${JSON.stringify(failure)} ${prompt}`);
  };
  await ask("One?");
  await ask("Two?");
  sim.reply(text("Answer to Three?"));
  const edited = new Promise<void>((resolve) =>
    session.onEvent(({ type }) => type === "ended" && setImmediate(resolve)),
  );
  void session.edit(session.state.turns[1]?.id ?? "", "Three?");
  await edited;
  session.draft.write("half a sen");
  fs.heal();
  await ask("Four?");
  const shown = session.state;
  assert.deepEqual(
    shown.turns.map(({ prompt, status }) => `${prompt} ${status}`),
    ["One? done", "Three? done", "Four? done"],
    JSON.stringify(failure),
  );
  await close().catch((error: unknown) => assert.fail(`${JSON.stringify(failure)}: ${String(error)}`));
  const again = await openWindow(sim, nodeFileSystem, folder);
  const kept = { shown: again.session.state, draft: again.session.draft.text };
  await again.close();
  const why = JSON.stringify({ failure, failed: fs.failed.slice(0, 5) });
  assert.deepEqual(kept.shown.turns, shown.turns, why);
  assert.equal(kept.draft, "half a sen", why);
  return fs.calls;
}

for (const forGood of [false, true])
  test(`a conversation continues and is kept when the disk fails ${forGood ? "from some call on" : "once, at some call"}`, async (t) => {
    const sim = await startSimulator();
    t.after(() => sim.close());
    const run = async (failure: Failure | undefined) => {
      const folder = mkdtempSync(join(tmpdir(), "patchbay-talk-"));
      try {
        return await live(sim, folder, failure);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    };
    const calls = await run(undefined);
    const step = long ? 1 : 23;
    for (let at = forGood ? 3 : 1; at <= calls; at += step)
      for (const half of long ? [false, true] : [at % 2 === 0])
        await run({ at, code: at % 3 === 0 ? "EIO" : "ENOSPC", forGood, half });
  });

test("an interrupted conversation opens, or stays available to another window, when the disk fails once", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-cut-off-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const openOn = (fs: FileSystem) =>
    createLibrary({ ...{ fs, folder, place: "", now: Date.now, arriving: importVisible } });
  const before = openOn(nodeFileSystem);
  await (await before.create("c")).append(started("1"), { durable: true });
  await before.close();
  let refused = 0;
  const run = async (failure: Failure | undefined): Promise<number> => {
    const fs = failingFileSystem(failure);
    const library = openOn(fs);
    const journal = await conversationStore(library)
      .open("c")
      .catch(() => undefined);
    fs.heal();
    if (journal === undefined) {
      refused += 1;
      const otherWindow = openOn(nodeFileSystem);
      const { readOnly } = await otherWindow.open("c");
      assert.equal(readOnly, undefined, JSON.stringify({ failure, failed: fs.failed }));
      await otherWindow.close();
    }
    await journal?.close();
    await library.close();
    return fs.calls;
  };
  const calls = await run(undefined);
  for (let at = 1; at <= calls; at += 1) await run({ at, code: "EIO", forGood: false, half: false });
  assert.ok(refused > 0);
});
