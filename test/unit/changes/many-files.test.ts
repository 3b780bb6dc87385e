// A change set of many files holds the thread for a small part of what it takes: each file is a step of its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ChangeSet } from "../../../src/changes/change-set.ts";
import { memoryChangeStore } from "../../../src/changes/change-store.ts";
import { overlayOn } from "../../../src/changes/proposed-workspace.ts";
import type { Workspace } from "../../../src/files/workspace.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { silentLog } from "../../../src/util/log.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";
import { stretchesOf } from "../../support/stretches.ts";

const paths = Array.from({ length: 200 }, (_, at) => `file-${at}.ts`);
const lineOf = (at: number) => `line ${at} of some code, as long as lines are\n`;
const text = Array.from({ length: 100 }, (_, at) => lineOf(at)).join("");
const hunk = (at: number) => `@@\n ${lineOf(at - 1)}-${lineOf(at)}+changed ${at}\n ${lineOf(at + 1)}`;
const hunks = Array.from({ length: 10 }, (_, at) => hunk(10 * at + 2)).join("");
const sections = paths.map((path) => `*** Update File: ${path}\n${hunks}`);
const patch = `*** Begin Patch\n${sections.join("")}*** End Patch\n`;

function openedTwice() {
  const memory = new MemoryWorkspace(Object.fromEntries(paths.map((path) => [path, text])));
  const seen: Workspace = {
    ...{ trusted: true, folders: memory.folders, roots: memory.roots },
    look: (file) => memory.look(file),
    read: (file) => memory.read(file),
    sha256: (read) => memory.sha256(read),
    bytes: async ({ path }) => Buffer.from(memory.files.get(path) ?? ""),
    follow: async (address) => [address],
    list: async () => [],
    problems: () => [],
    async apply(changes) {
      memory.apply(changes);
      return { outcome: "applied" };
    },
  };
  const store = memoryChangeStore();
  let ids = 0;
  const open = () =>
    new ChangeSet({
      world: () => seen,
      apply: seen.apply,
      store,
      log: silentLog,
      newId: () => `p${++ids}`,
      decided: async () => {},
      nameOf: ({ path }) => path,
      redact: async (read) => read,
      isFull: () => false,
    });
  return { seen, open };
}

test("a set of many files is listed and accepted without holding the thread", async () => {
  const { seen, open } = openedTwice();
  const changes = open();
  const plan = await planPatch(patch, (await overlayOn(seen, changes)).workspace);
  const named = plan.changes.map((change) => ({
    change,
    ids: Array.from({ length: 10 }, (_, at) => `${change.file.path}#${at}`),
  }));
  assert.equal(await changes.propose(named, { call: "call", turn: "turn" }), "kept");
  const other = open();
  const listed = await stretchesOf(() => other.refresh());
  assert.equal(other.pending.length, paths.length);
  const ids = other.pending.flatMap((file) => file.hunks.map(({ id }) => id));
  const accepted = await stretchesOf(() => other.accept(ids));
  assert.deepEqual(other.pending, []);
  for (const { longest, total } of [listed, accepted])
    assert.ok(longest < total / 3, `${longest.toFixed(0)} of ${total.toFixed(0)} ms at a stretch`);
});
