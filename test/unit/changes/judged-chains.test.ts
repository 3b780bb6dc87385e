// Chains of steps on which two ways to follow a change differed: comparing texts again at each step, and lines with an
// identity. The README of `src/changes` says for each kind which one is right, and why; here is its shortest chain.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { changedLines, changeSet, type LineChange } from "../../support/change-set.ts";

const path = "a.txt";
const start = Array.from({ length: 24 }, (_, at) => `${at}\n`).join("");
/** Three different lines, again and again. */
const alike = Array.from({ length: 24 }, (_, at) => `${"ab}"[at % 3]}\n`).join("");

function setOf(text: string) {
  const set = changeSet({ [path]: text });
  const proposed = () => set.proposed(path) ?? "";
  const live = () => set.live(path) ?? "";
  /** The names of the hunks at these places of the list. */
  const at = (...places: readonly number[]) => places.map((place) => set.hunks()[place]?.id ?? "");
  return {
    ...set,
    propose: (...changes: readonly LineChange[]) => set.proposeText(path, changedLines(proposed(), changes)),
    /** Two changes are one hunk. */
    proposePairs: (...changes: readonly LineChange[]) =>
      set.proposeText(path, changedLines(proposed(), changes), 2),
    type: (...changes: readonly LineChange[]) => set.type(path, changedLines(live(), changes)),
    edit: (...changes: readonly LineChange[]) => set.edit(path, changedLines(proposed(), changes)),
    accept: (...places: readonly number[]) => set.accept(at(...places)),
    reject: (...places: readonly number[]) => set.reject(at(...places)),
    acceptCall: (call: number) => set.accept(set.hunksOf(call)),
    file: (...changes: readonly LineChange[]) => assert.equal(live(), changedLines(text, changes)),
    shown: (...changes: readonly LineChange[]) => assert.equal(proposed(), changedLines(text, changes)),
    /** What is pending: what is out, what is in, and `!` for a conflict. */
    waiting: () =>
      set.hunks().map(({ removed, added, conflict }) => {
        return `${removed.join(" ")} > ${added.join(" ")}${conflict ? " !" : ""}`;
      }),
    /** The changes of the model alone. */
    statuses: (call: number) =>
      [...set.statuses(call)].flatMap(([id, status]) => (id.startsWith(path) ? [status] : [])).join(),
  };
}

describe("a rejected call", () => {
  test("leaves nothing proposed that a later call had written over, which is rejected as a conflict with it", () => {
    const set = setOf(start);
    set.propose([1, 2, "m1", "m2"], [5, 0, "m3"]);
    set.propose([3, 3, "m4", "m5"]);
    set.rejectCall(1);
    set.shown();
    assert.deepEqual([set.statuses(1), set.statuses(2)], ["rejected,replaced", "conflict"]);
  });

  test("is not proposed again when the call that wrote over it is rejected after it", () => {
    const set = setOf(start);
    set.propose([6, 1, "m1"], [20, 1, "m2"]);
    set.propose([6, 1, "m3"]);
    set.rejectCall(1);
    assert.deepEqual(set.waiting(), ["6 > m3"]);
    set.rejectCall(2);
    set.shown();
    assert.deepEqual([set.statuses(1), set.statuses(2)], ["replaced,rejected", "rejected"]);
  });

  test("leaves the change of an earlier call whose line it had brought back", () => {
    const set = setOf(start);
    set.propose([6, 1, "m1"]);
    set.propose([6, 1, "6"], [20, 1, "m2"]);
    set.propose([6, 1, "m3"]);
    assert.equal(set.statuses(2), "replaced,pending");
    set.rejectCall(2);
    assert.deepEqual(set.waiting(), ["6 > m3"]);
    set.rejectCall(3);
    assert.deepEqual(set.waiting(), ["6 > m1"]);
    set.rejectCall(1);
    set.shown();
  });

  /** A call is rejected that changed two places with one hunk, after these have written over both. */
  const inTwoPlaces = (...later: readonly (readonly LineChange[])[]) => {
    const set = setOf(start);
    set.proposePairs([5, 1, "m1"], [9, 1, "m2"], [20, 1, "m3"]);
    for (const changes of later) set.propose(...changes);
    assert.equal(set.statuses(1), "replaced,pending");
    set.rejectCall(1);
    return set;
  };

  test("leaves to whoever wrote over one place of its hunk what it had removed there alone", () => {
    const last = inTwoPlaces([[5, 1, "m4"]], [[9, 1, "m5"]]);
    assert.deepEqual(last.waiting(), ["5 > m4", "9 > m5"]);
    last.rejectCall(3);
    assert.deepEqual(last.waiting(), ["5 > m4"]);
    last.rejectCall(2);
    last.shown();
    const first = inTwoPlaces([[5, 1, "m4"]], [[9, 1, "m5"]]);
    first.rejectCall(2);
    assert.deepEqual(first.waiting(), ["9 > m5"]);
    assert.equal(first.statuses(3), "pending");
  });

  test("leaves two hunks that wrote over the two places of its hunk to be decided alone", () => {
    const set = inTwoPlaces([
      [5, 1, "m4"],
      [9, 1, "m5"],
    ]);
    set.reject(0);
    assert.equal(set.statuses(2), "rejected,pending");
    set.accept(0);
    assert.equal(set.statuses(2), "rejected,applied");
    set.file([9, 1, "m5"]);
  });

  test("leaves each place of its hunk alone also where nothing between them is proposed any more", () => {
    const set = inTwoPlaces([[5, 1, "m4"]], [[9, 1, "m5"]], [[6, 3]]);
    assert.deepEqual(set.waiting(), ["5 6 7 8 9 > m4 m5"]);
    set.rejectCall(4);
    assert.deepEqual(set.waiting(), ["5 > m4", "9 > m5"]);
    set.rejectCall(3);
    assert.deepEqual(set.waiting(), ["5 > m4"]);
  });

  test("does not remove again what a later call had brought back", () => {
    const set = setOf(start);
    set.propose([6, 1], [20, 1, "m1"]);
    set.propose([6, 0, "m2", "6"]);
    assert.deepEqual([set.statuses(1), set.waiting()[0]], ["replaced,pending", " > m2"]);
    set.propose([2, 1, "m3"]);
    set.rejectCall(1);
    set.rejectCall(2);
    set.shown([2, 1, "m3"]);
  });

  test("is not proposed again in a file in which all of it was written over", () => {
    const set = setOf(start);
    set.propose([6, 1, "m1"]);
    set.propose([6, 1, "m2"], [20, 1, "m3"]);
    set.rejectCall(1);
    assert.deepEqual(set.waiting(), ["6 > m2", "20 > m3"]);
    set.rejectCall(2);
    set.shown();
    assert.deepEqual([set.statuses(1), set.statuses(2)], ["replaced", "rejected,rejected"]);
  });

  test("gives back the lines that it only removed, while another change of their call is pending", () => {
    const set = setOf(start);
    set.propose([6, 0, "m1"], [20, 1, "m2"]);
    set.propose([6, 1]);
    assert.deepEqual([set.statuses(1), set.statuses(2)], ["replaced,pending", "replaced"]);
    set.rejectCall(2);
    assert.deepEqual(set.waiting(), [" > m1", "20 > m2"]);
    assert.equal(set.statuses(1), "pending,pending");
  });

  test("gives what it had itself written over back when the last of three is rejected", () => {
    const set = setOf(start);
    set.propose([6, 1, "m1"]);
    set.propose([6, 1, "m2"], [20, 1, "m3"]);
    set.propose([6, 1, "m4"]);
    set.rejectCall(2);
    assert.deepEqual(set.waiting(), ["6 > m4"]);
    set.rejectCall(3);
    assert.deepEqual(set.waiting(), ["6 > m1"]);
    assert.equal(set.statuses(1), "pending");
  });

  test("takes a later deletion of its lines along", () => {
    const set = setOf(start);
    set.propose([3, 1, "m1"], [11, 3, "m2", "m3"]);
    set.propose([0, 1, "m4"], [12, 1]);
    assert.equal(set.statuses(2), "pending,pending");
    set.rejectCall(1);
    assert.equal(set.statuses(2), "pending,rejected");
    set.shown([0, 1, "m4"]);
  });

  test("leaves a person's lines beside a later call, and what was made of them", () => {
    const set = setOf(start);
    set.propose([5, 1, "m1"], [16, 2, "m2"]);
    set.propose([2, 3, "m3"]);
    set.edit([1, 1, "p1", "p2", "p3"]);
    set.propose([2, 1, "m4"]);
    set.rejectCall(1);
    set.shown([1, 1, "p1", "m4", "p3"]);
    assert.deepEqual([set.statuses(2), set.statuses(3)], ["conflict", "pending"]);
  });

  test("lets what it had written over wait again, as a conflict where somebody has typed", () => {
    const set = setOf(start);
    set.propose([2, 1, "m1"], [20, 1, "m2"]);
    set.propose([2, 1, "m3"], [12, 1, "m4"]);
    set.type([1, 2, "typed"]);
    set.rejectCall(2);
    assert.deepEqual(set.waiting(), ["20 > m2", "typed > 1 m1 !"]);
    assert.equal(set.statuses(1), "pending,pending");
  });
});

describe("a person's lines in the proposed text", () => {
  test("are part of the change whose lines they replace, also next to another one", () => {
    const set = setOf(start);
    set.propose([10, 3, "m1"]);
    set.propose([7, 3, "m2"], [16, 0, "m3"]);
    set.edit([8, 1, "p1", "p2"]);
    assert.equal(set.statuses(1), "pending");
    set.accept(0);
    assert.deepEqual([set.statuses(1), set.statuses(2)], ["applied", "applied,pending"]);
  });

  test("between two changes of a call are accepted with that call, not with the last one", () => {
    const set = setOf(start);
    set.propose([3, 1, "m1", "m2"], [7, 3, "m3"]);
    set.propose([17, 2, "m4"]);
    set.edit([5, 3, "p1"]);
    set.acceptCall(2);
    set.file([18, 2, "m4"]);
    assert.deepEqual(set.waiting(), ["3 4 5 6 7 8 9 > m1 m2 p1 m3"]);
  });

  test("leave nothing to decide of a call that removes only them", () => {
    const set = setOf(start);
    set.propose([4, 2, "m1"]);
    set.edit([5, 0, "p1", "p2"]);
    set.propose([5, 2]);
    assert.deepEqual([set.statuses(1), set.statuses(2)], ["pending", "replaced"]);
    assert.deepEqual(set.hunksOf(2), []);
    assert.match(set.news().join("\n"), /call-2 \(a\.txt\): all of it leaves nothing to decide/);
  });

  test("in the place of a whole change leave nothing of a deletion within it", () => {
    const set = setOf(start);
    set.propose([4, 0, "m1", "m2"]);
    set.propose([5, 1], [20, 1, "m3"]);
    set.edit([4, 2]);
    assert.deepEqual([set.statuses(1), set.statuses(2)], ["replaced", "replaced,pending"]);
    assert.deepEqual(set.waiting(), ["4 > ", "18 > m3"]);
  });

  test("round a deletion do not end it when a later call replaces them", () => {
    const set = setOf(start);
    set.propose([5, 1, "m1"], [11, 1]);
    set.edit([10, 2, "p1"]);
    set.propose([10, 1, "m2"]);
    assert.equal(set.statuses(1), "pending,pending");
    assert.deepEqual(set.waiting(), ["5 > m1", "10 11 12 > m2"]);
  });
});

describe("an accepted change", () => {
  test("is undone although a person has replaced its lines in the proposed text since", () => {
    const set = setOf(start);
    set.propose([12, 2, "m1", "m2", "m3"], [19, 2, "m4"]);
    set.accept(0);
    set.edit([13, 1, "p1"]);
    assert.deepEqual(set.undo(), []);
    set.file();
    assert.equal(set.statuses(1), "undone,pending");
  });

  test("stays where a person has typed onto it, also when they changed the proposed text beside it", () => {
    const set = setOf(start);
    set.propose([4, 0, "m1"], [6, 3, "m2", "m3"]);
    set.accept(1);
    set.edit([6, 2]);
    set.type([7, 1, "typed"]);
    assert.deepEqual(set.undo(), ["editsTouched"]);
    set.file([6, 3, "m2", "typed"]);
    assert.equal(set.statuses(1).split(",")[1], "applied");
  });

  test("is applied again beside what a person has proposed", () => {
    const set = setOf(start);
    set.propose([1, 3, "m1"], [23, 1]);
    set.accept(1);
    set.undo();
    set.edit([17, 3, "p1"]);
    set.acceptAgain(1);
    set.file([23, 1]);
    assert.equal(set.statuses(1), "pending,applied");
  });

  test("stays undone where it no longer has a place", () => {
    const set = setOf(start);
    set.propose([12, 0, "m1"], [20, 1, "m2"]);
    set.accept(0);
    set.undo();
    set.edit([11, 2, "p1"]);
    set.accept(0);
    set.acceptAgain(1);
    set.file([11, 2, "p1"]);
    assert.equal(set.statuses(1), "undone,pending");
  });

  test("is undone while one that stands aside still waits", () => {
    const set = setOf(start);
    set.propose([3, 1, "m1"], [8, 2, "m2"]);
    set.accept(1);
    set.type([2, 2, "typed"]);
    assert.deepEqual(set.undo(), []);
    set.file([2, 2, "typed"]);
    assert.deepEqual([set.statuses(1), set.waiting().length], ["pending,undone", 1]);
  });
});

test("a deletion is rejected with the run that it is in", () => {
  const set = setOf(start);
  set.propose([12, 3]);
  set.propose([11, 2, "m1"]);
  assert.deepEqual(set.waiting(), ["11 12 13 14 15 > m1"]);
  set.reject(0);
  set.shown();
  assert.deepEqual([set.statuses(1), set.statuses(2)], ["rejected", "rejected"]);
});

describe("a change between equal lines", () => {
  test("is shown in the place where it was proposed", () => {
    const set = setOf(alike);
    set.propose([6, 1, "b", "}", "}"]);
    set.propose([3, 3]);
    assert.deepEqual(set.waiting(), ["a b } a > b } }"]);
    const other = setOf(alike);
    other.propose([13, 1]);
    other.edit([23, 0, "a", "b", "}"]);
    assert.deepEqual(other.waiting(), ["b > ", " > a b }"]);
  });

  test("waits while another one brings equal lines elsewhere", () => {
    const set = setOf(alike);
    set.propose([21, 3]);
    set.edit([8, 0, "b", "}", "a"]);
    assert.equal(set.statuses(1), "pending");
    assert.deepEqual(set.waiting(), [" > b } a", "a b } > "]);
  });

  test("has nothing to decide once its line is proposed again in its place", () => {
    const set = setOf(alike);
    set.propose([3, 1], [5, 1]);
    set.propose([3, 0, "a", "x"]);
    assert.deepEqual(set.waiting(), [" > x", "} > "]);
    assert.deepEqual([set.statuses(1), set.statuses(2)], ["replaced,pending", "pending"]);
  });

  test("is applied or rejected alone, and not with an equal one", () => {
    for (const [decide, status] of [
      ["accept", "applied"],
      ["reject", "rejected"],
    ] as const) {
      const set = setOf(alike);
      set.propose([12, 2], [21, 1, "b"]);
      set.propose([5, 0, "a"], [12, 0, "b", "}"]);
      const [first = ""] = set.hunksOf(1);
      const at = set.hunks().findIndex(({ id }) => id === first);
      set[decide](at);
      assert.equal(set.statuses(1).split(",")[0], status);
      assert.equal(set.statuses(1).split(",")[1], "pending");
    }
  });
});
