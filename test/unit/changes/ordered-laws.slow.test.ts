// The laws of what is ordered: proposals, a person's own words in the file and in the proposed text, decisions, the way
// back and conflicts, in any order that there is. Every line that anybody writes is one of its kind, so that a line that is
// written twice, lost or comes from nowhere shows itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { linesOf } from "../../../src/patch/diff-and-merge.ts";
import { patchFrom } from "../../support/change-set.ts";
import { changeSet, merge3 } from "../../support/corpus.ts";

const runs = {
  numRuns: process.env["PATCHBAY_LONG"] === undefined ? 150 : 10_000,
  includeErrorInReport: true,
};
const path = "a.txt";
const start = Array.from({ length: 24 }, (_, at) => `line ${at}\n`).join("");

/** At a place of a text, counted as far as it goes: so many lines go, so many come. */
const rewriting = fc.record({ at: fc.nat(30), out: fc.nat(3), into: fc.nat(3) });
type Rewriting = typeof rewriting extends fc.Arbitrary<infer T> ? T : never;
/** Which of the changes that wait, the first of them by the lowest bit. */
const which = fc.nat(2 ** 16);

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("propose"), how: rewriting }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("type"), how: rewriting }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("edit"), how: rewriting }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("accept"), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("reject"), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rejectCall"), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("undo") }) },
) as fc.Arbitrary<
  | { readonly kind: "propose" | "type" | "edit"; readonly how: Rewriting }
  | { readonly kind: "accept" | "reject" | "rejectCall"; readonly which: number }
  | { readonly kind: "undo" }
>;
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A set with somebody who does one thing after the other. */
function begin() {
  const set = changeSet({ [path]: start });
  let written = 0;
  let calls = 0;
  const live = () => set.live(path) ?? "";
  const proposed = () => set.proposed(path) ?? "";
  const rewrite = (text: string, { at, out, into }: Rewriting, by: string) => {
    const lines = linesOf(text);
    const from = at % (lines.length + 1);
    const come = Array.from({ length: into }, () => `${by} ${++written}\n`);
    return [...lines.slice(0, from), ...come, ...lines.slice(from + out)].join("");
  };
  const chosen = (mask: number) =>
    set
      .hunks()
      .filter(({ conflict }) => !conflict)
      .filter((_, at) => ((mask >> (at % 16)) & 1) === 1);
  const free = () => set.hunks().filter(({ id }) => !id.includes(":aside."));
  return { set, live, proposed, rewrite, chosen, free, next: () => ++calls, count: () => calls };
}

type World = ReturnType<typeof begin>;

const without = (all: readonly string[], gone: readonly string[]) => {
  const left = [...all];
  for (const line of gone) {
    const at = left.indexOf(line);
    assert.ok(at >= 0, `${JSON.stringify(line)} was to go, and is not there`);
    left.splice(at, 1);
  }
  return left;
};
const ends = (lines: readonly string[]) => lines.map((line) => `${line}\n`);

async function take(world: World, each: Step): Promise<void> {
  const { set, live, proposed, rewrite, chosen } = world;
  const before = { live: live(), proposed: proposed() };
  switch (each.kind) {
    case "propose": {
      const wanted = rewrite(before.proposed, each.how, "model");
      if (wanted === before.proposed) return;
      world.next();
      assert.deepEqual(await set.propose(patchFrom(path, before.proposed, wanted)), { ok: true });
      assert.equal(proposed(), wanted, "its own tools read what it has proposed");
      break;
    }
    case "type":
      set.type(path, rewrite(before.live, each.how, "typed"));
      return;
    case "edit": {
      if (world.free().length === 0) return;
      const wanted = rewrite(before.proposed, each.how, "person");
      set.edit(path, wanted);
      assert.equal(proposed(), wanted, "what a person writes there is the proposal from then on");
      break;
    }
    case "accept": {
      const hunks = chosen(each.which);
      if (hunks.length === 0) return;
      assert.equal(set.accept(hunks.map(({ id }) => id)), true);
      const left = without(linesOf(before.live), ends(hunks.flatMap(({ removed }) => removed)));
      const wanted = [...left, ...ends(hunks.flatMap(({ added }) => added))];
      assert.deepEqual(linesOf(live()).toSorted(), wanted.toSorted(), "exactly these are in the file now");
      assert.equal(proposed(), before.proposed, "and nothing else that is proposed has changed");
      return;
    }
    case "reject": {
      const hunks = chosen(each.which);
      if (hunks.length === 0) return;
      assert.equal(set.reject(hunks.map(({ id }) => id)), true);
      const left = without(linesOf(before.proposed), ends(hunks.flatMap(({ added }) => added)));
      const wanted = [...left, ...ends(hunks.flatMap(({ removed }) => removed))];
      assert.deepEqual(linesOf(proposed()).toSorted(), wanted.toSorted(), "exactly these are given up");
      break;
    }
    case "rejectCall":
      if (world.count() > 0) set.rejectCall(1 + (each.which % world.count()));
      break;
    case "undo":
      set.undo();
      return;
    default:
      each satisfies never;
  }
  assert.equal(live(), before.live, `${each.kind} leaves every byte of the file`);
}

function assertSound({ set, live, proposed, free }: World): void {
  for (const text of [live(), proposed()]) {
    const lines = linesOf(text);
    assert.equal(new Set(lines).size, lines.length, `a line is there twice:\n${text}`);
  }
  const isOpen = set.hunks().length > 0;
  if (!isOpen) assert.equal(proposed(), live(), "where nothing waits the two texts are one");
  // Each of what waits is what it says: its lines are those of the texts.
  for (const { removed, added, conflict } of free()) {
    if (conflict) continue;
    without(linesOf(live()), ends(removed));
    without(linesOf(proposed()), ends(added));
  }
}

const law = <T>(name: string, one: fc.Arbitrary<T>, holds: (value: T) => Promise<void>) =>
  test(name, () => fc.assert(fc.asyncProperty(one, holds), runs));

const steps = fc.array(step, { maxLength: 14 });

law(
  "no order of steps duplicates, loses or changes a line unasked, and accepting all gives what was shown",
  steps,
  async (all) => {
    const world = begin();
    for (const each of all) {
      await take(world, each);
      assertSound(world);
    }
    const shown = world.proposed();
    const isFree = world.free().some(({ conflict }) => !conflict);
    if (isFree) world.set.accept();
    if (isFree) assert.equal(world.live(), shown);
  },
);

/** `mayStay`: what stays, and is named, may be another text. */
async function assertTakenBack(all: readonly Step[], mayStay = false): Promise<void> {
  const world = begin();
  for (const each of all) await take(world, each);
  if (!world.free().some(({ conflict }) => !conflict)) return;
  const before = world.live();
  world.set.accept();
  const left = world.set.undo();
  if (mayStay && left.length > 0) return;
  assert.deepEqual(left, []);
  assert.equal(world.live(), before);
}

// Undo takes back all that was ever accepted of a call.
law("undo after any steps reverts exactly what was just accepted of calls", steps, (all) =>
  assertTakenBack(all.filter(({ kind }) => !["accept", "undo", "edit"].includes(kind))),
);

law(
  "undo reverts what a person wrote into the proposed text along with the calls, or names what stays",
  steps,
  async (all) => {
    const done = all.filter(({ kind }) => ["propose", "edit", "reject"].includes(kind));
    await assertTakenBack(
      done,
      done.some(({ kind }) => kind === "edit"),
    );
  },
);

law(
  "rejecting all after any steps leaves the file unchanged and only conflicts pending",
  steps,
  async (all) => {
    const world = begin();
    for (const each of all) await take(world, each);
    const before = world.live();
    world.set.reject();
    assert.equal(world.live(), before);
    assert.deepEqual(world.free(), []);
  },
);

law(
  "edits in the proposed text merge with edits in the file as git merges them",
  fc.tuple(rewriting, rewriting, rewriting),
  async ([model, person, typed]) => {
    const world = begin();
    await take(world, { kind: "propose", how: model });
    await take(world, { kind: "edit", how: person });
    const edited = world.proposed();
    await take(world, { kind: "type", how: typed });
    const { text, conflicts } = merge3(start, world.live(), edited);
    assert.equal(world.proposed(), edited === start ? world.live() : text);
    if (edited !== start)
      assert.equal(world.set.hunks().filter(({ conflict }) => conflict).length, conflicts);
  },
);

law(
  "where file and proposal change the same lines the file's stay, and typing back restores the proposal",
  fc.tuple(
    fc.array(rewriting, { minLength: 1, maxLength: 4 }),
    fc.array(rewriting, { minLength: 1, maxLength: 4 }),
  ),
  async ([models, typings]) => {
    const world = begin();
    for (const how of models) await take(world, { kind: "propose", how });
    const before = [world.set.hunks(), world.proposed()];
    for (const how of typings) await take(world, { kind: "type", how });
    const typed = linesOf(world.live()).filter((line) => line.startsWith("typed"));
    const aside = world.set.hunks().filter(({ id }) => id.includes(":aside."));
    const copy = world.live();
    if (world.free().length > 0) world.set.accept();
    for (const line of typed) assert.ok(linesOf(world.live()).includes(line), `${line} is gone`);
    for (const line of ends(aside.flatMap(({ added }) => added)))
      assert.ok(!linesOf(world.live()).includes(line), `${line} was aside, and is in the file`);
    if (world.live() !== copy) return;
    world.set.type(path, start);
    assert.deepEqual([world.set.hunks(), world.proposed()], before);
  },
);

law(
  "rejecting the first of two independent calls leaves the second as if it had been alone",
  fc.tuple(rewriting, rewriting),
  async ([one, two]) => {
    const world = begin();
    await take(world, { kind: "propose", how: one });
    const first = world.proposed();
    await take(world, { kind: "propose", how: two });
    const second = world.proposed();
    if (first === start || second === first) return;
    world.set.rejectCall(1);
    const { text, conflicts } = merge3(first, start, second);
    if (conflicts === 0) assert.equal(world.proposed(), text);
    // Where it has: never a part of the first that nobody sees, and what is left can be accepted as it is shown.
    assertSound(world);
    const shown = world.proposed();
    if (world.free().some(({ conflict }) => !conflict)) {
      world.set.accept();
      assert.equal(world.live(), shown);
    }
  },
);
