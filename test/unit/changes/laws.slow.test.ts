// The laws of a change set, over random texts, proposals, typing and decisions: what people may rely on in any order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import {
  ChangeFile,
  type ChangeStore,
  type KeptChanges,
  memoryChangeStore,
  Texts,
} from "../../../src/changes/change-store.ts";
import { chooseHunks, type ShownProposal } from "../../../src/changes/internal/accept-files.ts";
import { ChangeSetState } from "../../../src/changes/internal/change-set-state.ts";
import { viewProposal } from "../../../src/changes/internal/proposal-index.ts";
import { pendingFiles } from "../../../src/changes/pending-changes.ts";
import type { PathLookup } from "../../../src/changes/plan-undo.ts";
import { linesOf } from "../../../src/patch/diff-and-merge.ts";
import { applyEdits, lineEdits } from "../../../src/patch/edits.ts";
import { defaultPathInfo } from "../../../src/patch/model.ts";
import { silentLog } from "../../../src/util/log.ts";
import { changeSet, patchFrom } from "../../support/change-set.ts";

const runs = { numRuns: process.env["PATCHBAY_LONG"] === undefined ? 150 : 5000, includeErrorInReport: true };
const path = "a.txt";

/** Distinct lines, so that a patch finds its place; in blocks, each of which may be changed by itself. */
const blocks = 12;
const size = 6;
const textOf = (rows: readonly (readonly string[])[]) =>
  rows.flatMap((lines) => lines.map((line) => `${line}\n`)).join("");
const original = Array.from({ length: blocks }, (_, block) =>
  Array.from({ length: size }, (_, line) => `block ${block} line ${line}`),
);

/** What becomes of the middle of a block: nothing, other lines, fewer, more. */
const changed = fc.array(fc.stringMatching(/^[a-z]{1,4}$/), { maxLength: 3 });
type Edits = ReadonlyMap<number, readonly string[]>;
const edits = (by: string, most = blocks): fc.Arbitrary<Edits> =>
  fc
    .uniqueArray(fc.tuple(fc.nat(blocks - 1), changed), { selector: ([block]) => block, maxLength: most })
    .map((pairs) => new Map(pairs.map(([block, lines]) => [block, lines.map((line) => `${by} ${line}`)])));

const edited = (rows: readonly (readonly string[])[], changes: Edits) =>
  rows.map((lines, block) => {
    const inner = changes.get(block);
    return inner === undefined ? lines : [...lines.slice(0, 2), ...inner, ...lines.slice(4)];
  });

/** A set in which this is proposed, in one patch for each step. */
async function setWith(text: string, ...steps: readonly string[]) {
  const set = changeSet({ [path]: text, "other.txt": "other\n" });
  let before = text;
  for (const step of steps) {
    if (step !== before) assert.deepEqual(await set.propose(patchFrom(path, before, step)), { ok: true });
    before = step;
  }
  return set;
}

const start = textOf(original);
const live = (set: Awaited<ReturnType<typeof setWith>>) => set.live(path);
const law = <T>(name: string, one: fc.Arbitrary<T>, holds: (value: T) => Promise<void>) =>
  test(name, () => fc.assert(fc.asyncProperty(one, holds), runs));

const twoSteps = fc.tuple(edits("first"), edits("second", 4));
/** Two proposals, one on the other. */
const proposals = twoSteps.map(([one, two]) => {
  const first = edited(original, one);
  // The second writes only where the first has left the lines that it knows.
  const second = edited(first, new Map([...two].filter(([block]) => !one.has(block))));
  return [textOf(first), textOf(second)] as const;
});

law("accepting all gives the text that was shown and leaves nothing pending", proposals, async (steps) => {
  const set = await setWith(start, ...steps);
  const shown = set.proposed(path);
  assert.equal(shown, steps[1]);
  set.accept();
  assert.equal(live(set), shown);
  assert.deepEqual(set.hunks(), []);
  assert.equal(set.live("other.txt"), "other\n");
});

law(
  "rejecting all leaves every byte of the file, including what was typed",
  fc.tuple(proposals, edits("typed")),
  async ([steps, typing]) => {
    const set = await setWith(start, ...steps);
    const typed = textOf(edited(original, typing));
    set.type(path, typed);
    set.reject();
    assert.equal(live(set), typed);
    assert.deepEqual(
      set.hunks().filter(({ conflict }) => !conflict),
      [],
    );
  },
);

law(
  "accepting and rejecting different hunks commute, and only accepting changes the file",
  fc.tuple(proposals, fc.array(fc.boolean(), { minLength: blocks * 2, maxLength: blocks * 2 }), fc.nat()),
  async ([steps, taken, seed]) => {
    const decide = async (turned: (ids: readonly string[]) => readonly string[]) => {
      const set = await setWith(start, ...steps);
      const ids = set.hunks().map(({ id }) => id);
      const isTaken = new Map(ids.map((id, at) => [id, taken[at] === true]));
      for (const id of turned(ids)) {
        const before = live(set);
        assert.equal(isTaken.get(id) ? set.accept([id]) : set.reject([id]), true);
        if (isTaken.get(id) !== true) assert.equal(live(set), before);
      }
      assert.deepEqual(set.hunks(), []);
      return live(set);
    };
    const inOrder = await decide((ids) => ids);
    assert.equal(await decide((ids) => ids.toReversed()), inOrder);
    const at = (ids: readonly string[]) => (ids.length === 0 ? 0 : seed % ids.length);
    assert.equal(await decide((ids) => [...ids.slice(at(ids)), ...ids.slice(0, at(ids))]), inOrder);
  },
);

/** Typed in blocks that nothing is proposed for. */
const apart = fc
  .tuple(twoSteps, edits("typed"))
  .map(([[one], typing]) => [one, new Map([...typing].filter(([block]) => !one.has(block)))] as const);

law("typing and accepting commute when they touch different blocks", apart, async ([one, typing]) => {
  const proposed = textOf(edited(original, one));
  const both = textOf(edited(edited(original, one), typing));
  const typedFirst = await setWith(start, proposed);
  typedFirst.type(path, textOf(edited(original, typing)));
  assert.equal(typedFirst.proposed(path), both);
  typedFirst.accept();
  const acceptedFirst = await setWith(start, proposed);
  acceptedFirst.accept();
  acceptedFirst.type(path, both);
  assert.deepEqual([live(typedFirst), live(acceptedFirst)], [both, both]);
  assert.deepEqual(typedFirst.hunks(), []);
});

law(
  "accepting one hunk leaves the other hunks and the shown text unchanged beside typed lines",
  apart,
  async ([one, typing]) => {
    const set = await setWith(start, textOf(edited(original, one)));
    set.type(path, textOf(edited(original, typing)));
    const [first, ...others] = set.hunks();
    if (first === undefined) return;
    const shown = set.proposed(path);
    assert.equal(set.accept([first.id]), true);
    assert.deepEqual(set.hunks(), others);
    assert.equal(set.proposed(path), shown);
  },
);

law(
  "undo removes exactly what was accepted and keeps what was typed elsewhere since",
  apart,
  async ([one, typing]) => {
    const set = await setWith(start, textOf(edited(original, one)));
    if (set.hunks().length === 0) return;
    set.accept();
    set.type(path, textOf(edited(edited(original, one), typing)));
    set.undo();
    assert.equal(live(set), textOf(edited(original, typing)));
    assert.deepEqual(set.hunks(), []);
  },
);

law(
  "a file that changes and changes back leaves the change set as it was",
  fc.tuple(proposals, fc.array(edits("typed"), { maxLength: 3 }), fc.boolean()),
  async ([steps, typings, isReplaced]) => {
    const set = await setWith(start, ...steps);
    const before = [set.hunks(), set.proposed(path)];
    for (const typing of typings) {
      set.type(path, isReplaced ? "another branch\n" : textOf(edited(original, typing)));
      set.hunks();
      set.proposed(path);
    }
    set.type(path, start);
    assert.deepEqual([set.hunks(), set.proposed(path)], before);
    assert.equal(live(set), start);
  },
);

law(
  "accepting keeps the bytes and line ends of lines that no hunk names",
  fc.tuple(edits("new"), fc.array(fc.constantFrom("\n", "\r\n"), { minLength: blocks, maxLength: blocks })),
  async ([one, ends]) => {
    const spell = (rows: readonly (readonly string[])[]) =>
      rows.flatMap((lines, block) => lines.map((line) => `${line}${ends[block]}`)).join("");
    const text = spell(original);
    const set = await setWith(text, spell(edited(original, one)));
    set.accept();
    const before = new Set(linesOf(text));
    const left = (lines: string) => linesOf(lines).filter((line) => before.has(line));
    assert.deepEqual(left(live(set) ?? ""), left(spell(edited(original, one))));
  },
);

const name = { folder: "work", path };
const permission = { verdict: "allow", reasons: [], real: path } as const;
const standing = { ...defaultPathInfo, kind: "file", real: path } as const;
const plain = ({ proposals, steps, notes }: KeptChanges): unknown =>
  JSON.parse(JSON.stringify({ proposals, steps, notes }));

law(
  "a window that closes at any moment leaves one of the two adjacent states, with all its texts",
  fc.tuple(proposals, fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 6 }), fc.nat(30)),
  async ([steps, decisions, writes]) => {
    const kept = memoryChangeStore();
    // From that write on nothing reaches the disk.
    let left = writes;
    const store: ChangeStore = {
      ...kept,
      put: async (text) => (left-- > 0 ? kept.put(text) : undefined),
      write: async (state, waits) => (left-- > 0 ? kept.write(state, waits) : undefined),
    };
    const texts = new Texts(store);
    const file = new ChangeFile(store, texts, silentLog);
    let ids = 0;
    const changes = new ChangeSetState(texts, () => `p${++ids}`);
    let text = start;
    const stands: PathLookup = () => ({
      live: { kind: "text", text },
      info: standing,
    });
    const sets = [plain(changes.kept)];
    /** Which of them were on the disk when they should have been. */
    let promised = 0;
    const keep = async () => {
      await file.write(changes.kept);
      sets.push(plain(changes.kept));
      if (left >= 0) promised = sets.length - 1;
    };
    for (const [at, step] of steps.entries()) {
      const before = at === 0 ? start : (steps[at - 1] ?? start);
      if (step === before) continue;
      const edits = lineEdits(before, step).map((edit, hunk) => ({ ...edit, hunks: [hunk] }));
      const base = { text: before, sha256: "", version: undefined };
      const change = { kind: "update", file: name, permission, base, edits, hunks: [] } as const;
      changes.enter(
        { change, ids: edits.map((_, hunk) => `${at}#${hunk}`) },
        { call: `c${at}`, turn: "t" },
        stands,
      );
      await keep();
    }
    for (const [which, isAccepted] of decisions) {
      const shown: ShownProposal[] = [];
      for (const proposal of changes.open) {
        const { view, requires } = viewProposal(proposal, changes, stands);
        const looked = { view, live: stands(name).info, target: stands(name).info };
        const [file] = await pendingFiles([{ proposal, viewed: looked, requires }]);
        if (file !== undefined) shown.push({ proposal, view, file });
      }
      const hunks = shown[0]?.file.hunks ?? [];
      const id = hunks[which % Math.max(hunks.length, 1)]?.id;
      if (id === undefined) break;
      const parts = isAccepted ? chooseHunks([id], shown) : undefined;
      if (parts !== undefined) {
        for (const { change } of parts) if ("edits" in change) text = applyEdits(text, change.edits);
        changes.accepted(parts.map((part) => changes.accepting(part)));
      } else changes.reject([id], shown);
      await keep();
    }
    const found = plain(await new ChangeFile(kept, new Texts(kept), silentLog).read());
    // Two that follow one another may say the same.
    const is = sets.findLastIndex((set) => isDeepStrictEqual(set, found));
    assert.ok(is >= promised, `set ${is} of ${sets.length} is there, and ${promised} was promised`);
    assert.ok(sets.slice(promised, promised + 2).some((set) => isDeepStrictEqual(set, found)));
  },
);
