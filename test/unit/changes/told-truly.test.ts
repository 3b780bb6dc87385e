// What a change set says of each change of a call is what is so: it is proposed, in the file, or neither. The shortest chains
// in which something else was said.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { changedLines, changeSet, type LineChange } from "../../support/change-set.ts";

const path = "a.txt";
const start = Array.from({ length: 24 }, (_, at) => `line ${at}\n`).join("");
/** Three different lines, again and again. */
const alike = Array.from({ length: 24 }, (_, at) => `${"ab}"[at % 3]}\n`).join("");

function setOf(text: string) {
  const set = changeSet({ [path]: text });
  const proposed = () => set.proposed(path) ?? "";
  const live = () => set.live(path) ?? "";
  return {
    ...set,
    inFile: live,
    propose: (...changes: readonly LineChange[]) => set.proposeText(path, changedLines(proposed(), changes)),
    /** All of it is one hunk. */
    proposeTogether: (...changes: readonly LineChange[]) =>
      set.proposeText(path, changedLines(proposed(), changes), changes.length),
    typed: (...changes: readonly LineChange[]) => set.type(path, changedLines(live(), changes)),
    written: (...changes: readonly LineChange[]) => set.edit(path, changedLines(proposed(), changes)),
    waiting: () => set.hunks().map(({ removed, added }) => [removed.join(), added.join()]),
    statusesOf: (call: number) => [...set.statuses(call).values()],
    /** By what it would write. */
    named: (added: string) =>
      set
        .hunks()
        .filter((hunk) => hunk.added.join() === added)
        .map(({ id }) => id),
  };
}

describe("a conflicting change", () => {
  test("is reported as left out once a person edits the proposed text elsewhere", () => {
    const set = setOf(start);
    set.propose([2, 1, "model 2"], [15, 1, "model 15"]);
    set.typed([15, 1, "typed"]);
    set.written([0, 0, "person"]);
    assert.deepEqual(set.waiting(), [
      ["", "person"],
      ["line 2", "model 2"],
    ]);
    assert.deepEqual(set.statusesOf(1).slice(0, 2), ["pending", "conflict"]);
    assert.match(set.news().join(), /a\.txt#2 no longer fits the files and was left out/);
    set.accept(set.named("model 2"));
    assert.doesNotMatch(set.news().join(), /a\.txt#2 still waits/);
  });

  test("stays left out when a person has removed the same line and a later call beside it is rejected", () => {
    const set = setOf(start);
    set.propose([0, 1, "model 0"], [3, 0, "model 3"]);
    set.typed([1, 1]);
    set.written([0, 1]);
    set.propose([0, 1]);
    set.rejectCall(2);
    assert.deepEqual(set.waiting(), [
      ["line 0", ""],
      ["", "model 3"],
    ]);
    assert.deepEqual(set.statusesOf(1).slice(0, 2), ["conflict", "pending"]);
  });

  test("is replaced when the file already contains it and a person edits the proposed text elsewhere", () => {
    const set = setOf(start);
    set.propose([3, 3]);
    set.propose([9, 0, "model"]);
    set.typed([3, 3]);
    set.written([20, 0, "person"]);
    assert.deepEqual(set.statusesOf(1), ["replaced"]);
  });
});

describe("a change that a later call overwrites", () => {
  test("is replaced at once and never reported as accepted", () => {
    const set = setOf(start);
    set.propose([6, 0, "model A"]);
    set.propose([6, 1, "model B"]);
    assert.deepEqual(set.statusesOf(1), ["replaced"]);
    assert.deepEqual(set.hunksOf(1), []);
    set.accept();
    assert.deepEqual([set.statusesOf(1), set.statusesOf(2)], [["replaced"], ["applied"]]);
    const [first = ""] = set.news();
    assert.match(first, /Patch call-1 \(a\.txt\): all of it was replaced by later changes of yours/);
  });

  test("leaves no line that the later call removed when that one is undone", () => {
    const set = setOf(start);
    set.propose([6, 0, "one", "two"]);
    set.propose([6, 1, "three"]);
    set.accept();
    set.undoCall(2);
    assert.equal(set.inFile(), changedLines(start, [[6, 0, "two"]]));
    set.undoCall(1);
    assert.equal(set.inFile(), start);
  });

  test("takes along a later deletion of its lines, whatever becomes of it", () => {
    for (const [decide, status] of [
      ["accept", "applied"],
      ["reject", "rejected"],
    ] as const) {
      const set = setOf(start);
      set.propose([2, 0, "one", "two"]);
      set.propose([3, 1]);
      assert.deepEqual(set.statusesOf(2), ["pending"]);
      set[decide]();
      assert.deepEqual([set.statusesOf(1), set.statusesOf(2)], [[status], [status]]);
    }
  });

  test("stays pending as long as one of its lines is left", () => {
    const set = setOf(start);
    set.propose([6, 0, "one", "two"]);
    set.propose([6, 1, "three"]);
    assert.deepEqual(set.statusesOf(1), ["pending"]);
    set.propose([7, 1, "four"]);
    assert.deepEqual([set.statusesOf(1), set.statusesOf(2)], [["replaced"], ["pending"]]);
  });

  test("is pending again when the later call is rejected", () => {
    const set = setOf(start);
    set.propose([6, 1, "model A"], [20, 1, "beside"]);
    set.propose([6, 1, "model B"]);
    assert.deepEqual(set.statusesOf(1), ["replaced", "pending"]);
    set.rejectCall(2);
    assert.deepEqual([set.statusesOf(1), set.statusesOf(2)], [["pending", "pending"], ["rejected"]]);
    set.accept();
    assert.deepEqual(set.statusesOf(1), ["applied", "applied"]);
    assert.equal(
      set.inFile(),
      changedLines(start, [
        [6, 1, "model A"],
        [20, 1, "beside"],
      ]),
    );
  });

  test("is pending again when the later call is rejected, also if nothing else is pending", () => {
    const set = setOf(start);
    set.propose([6, 1, "model A"]);
    set.propose([6, 1, "model B"]);
    set.propose([6, 1, "model C"]);
    set.rejectCall(3);
    assert.deepEqual([set.statusesOf(1), set.statusesOf(2)], [["replaced"], ["pending"]]);
    set.rejectCall(2);
    assert.deepEqual([set.statusesOf(1), set.statusesOf(2)], [["pending"], ["rejected"]]);
    assert.deepEqual(set.waiting(), [["line 6", "model A"]]);
    set.rejectCall(1);
    assert.deepEqual([set.statusesOf(1), set.waiting()], [["rejected"], []]);
    assert.equal(set.proposed(path), start);
  });

  test("stays replaced when a third call is rejected and the later one is pending again", () => {
    const set = setOf(start);
    set.propose([4, 3, "one", "ONE"], [12, 1, "other"]);
    set.propose([3, 3, "two", "TWO"]);
    set.propose([3, 2, "three"]);
    set.rejectCall(3);
    assert.deepEqual(set.waiting(), [
      ["line 3,line 4,line 5,line 6", "two,TWO"],
      ["line 12", "other"],
    ]);
    assert.deepEqual(set.statusesOf(1), ["replaced", "pending"]);
    assert.deepEqual(set.statusesOf(2), ["pending"]);
  });

  test("leaves nothing in the file after undo, and the later call can be accepted again", () => {
    const set = setOf(start);
    set.propose([6, 1, "one", "two"]);
    set.propose([6, 1, "three"]);
    set.propose([7, 1, "four"]);
    set.propose([6, 2, "five"]);
    set.accept();
    set.undo();
    assert.equal(set.inFile(), start);
    set.typed([20, 1, "typed"]);
    set.acceptAgain(4);
    assert.equal(
      set.inFile(),
      changedLines(start, [
        [6, 1, "five"],
        [20, 1, "typed"],
      ]),
    );
  });
});

describe("a call", () => {
  test("is not pending when a person has deleted all lines it would insert", () => {
    const set = setOf(start);
    set.propose([1, 0, "model 1", "model 2"]);
    set.written([0, 3]);
    assert.equal(set.statusesOf(1)[0], "replaced");
    assert.deepEqual(set.waiting(), [["line 0", ""]]);
  });

  test("is not pending without hunks once its deletion was typed into the file", () => {
    const set = setOf(start);
    set.propose([21, 2]);
    set.propose([2, 2, "model"]);
    set.typed([19, 3, "typed"]);
    set.written([2, 0, "person"]);
    assert.notDeepEqual(set.statusesOf(1), ["pending"]);
    assert.notDeepEqual(set.hunksOf(2), []);
  });

  test("restores nothing that a person has deleted from the file when it is rejected", () => {
    const set = setOf(start);
    set.propose([0, 0, "model 2", "model 3", "model 1"]);
    set.typed([1, 3]);
    set.propose([2, 3], [8, 2, "model 4", "model 5"]);
    set.written([6, 3, "person 6", "person 7", "person 8"]);
    set.rejectCall(1);
    assert.doesNotMatch(set.proposed(path) ?? "", /^line [123]$/m);
  });

  test("keeps a person's lines in another call's change when it is rejected", () => {
    const set = setOf(start);
    set.propose([2, 1, "model 1"]);
    set.propose([9, 0, "model 2"]);
    set.written([2, 1, "person"]);
    set.rejectCall(2);
    assert.deepEqual(set.waiting(), [["line 2", "person"]]);
    assert.deepEqual([set.statusesOf(1)[0], set.statusesOf(2)], ["pending", ["rejected"]]);
  });
});

describe("changes between equal lines", () => {
  test("keep their own decisions after others were rejected", () => {
    const set = setOf(alike);
    set.propose([8, 2], [12, 0, "}"], [22, 1], [24, 0, "a"]);
    for (const hunk of [0, 0, 1]) assert.equal(set.reject([set.hunks()[hunk]?.id ?? ""]), true);
    assert.deepEqual(set.statusesOf(1), ["rejected", "rejected", "pending", "rejected"]);
    set.accept();
    assert.deepEqual(set.statusesOf(1), ["rejected", "rejected", "applied", "rejected"]);
  });

  test("belong to the call without which they would not exist", () => {
    const set = setOf(alike);
    set.propose([1, 1, "}"], [20, 1]);
    set.propose([1, 0, "b", "}", "a"]);
    assert.notDeepEqual(set.hunksOf(2), []);
    set.accept();
    assert.deepEqual([set.statusesOf(1), set.statusesOf(2)], [["applied", "applied"], ["applied"]]);
  });
});

describe("a hunk that changes two places", () => {
  /** Lines are inserted before the first and the third one. */
  const inserted = () => {
    const set = setOf(start);
    set.proposeTogether([0, 0, "one"], [2, 0, "two"]);
    return set;
  };

  test("leaves nothing to decide of a later deletion of all that it has in one of them", () => {
    const set = inserted();
    set.propose([3, 1]);
    assert.deepEqual(set.waiting(), [["", "one"]]);
    assert.deepEqual([set.statusesOf(1), set.statusesOf(2)], [["pending"], ["replaced"]]);
    assert.match(set.news().join(), /Patch call-2 \(a\.txt\): all of it leaves nothing to decide/);
    set.accept();
    assert.deepEqual([set.statusesOf(1), set.statusesOf(2)], [["applied"], ["replaced"]]);
    assert.equal(set.inFile(), changedLines(start, [[0, 0, "one"]]));
  });

  test("has those lines again when the call that deleted them is rejected", () => {
    const set = inserted();
    set.propose([3, 1]);
    set.rejectCall(2);
    assert.deepEqual(set.waiting(), [
      ["", "one"],
      ["", "two"],
    ]);
    assert.deepEqual(set.statusesOf(1), ["pending"]);
  });

  test("is not applied when what a later call has written in the place of one is, and the other is rejected", () => {
    const set = inserted();
    set.propose([0, 1, "three"]);
    assert.deepEqual([set.statusesOf(1), set.statusesOf(2)], [["pending"], ["pending"]]);
    set.accept(set.named("three"));
    assert.deepEqual([set.statusesOf(1), set.statusesOf(2)], [["pending"], ["applied"]]);
    set.reject();
    assert.equal(set.inFile(), changedLines(start, [[0, 0, "three"]]));
    assert.deepEqual([set.statusesOf(1), set.statusesOf(2)], [["rejected"], ["applied"]]);
  });

  test("is not pending in a place that a later call wrote over again when that is rejected", () => {
    const set = setOf(start);
    set.proposeTogether([0, 1, "one"], [9, 1, "two"]);
    set.propose([0, 1, "three"]);
    set.reject(set.named("two"));
    assert.deepEqual(set.statusesOf(1), ["rejected"]);
    set.rejectCall(2);
    assert.deepEqual([set.statusesOf(1), set.statusesOf(2), set.waiting()], [["rejected"], ["rejected"], []]);
  });

  test("leaves nothing to decide of a deletion of all that it has on one side of a line that it brought back", () => {
    const set = setOf(start);
    set.propose([5, 1, "one"], [20, 1, "beside"]);
    set.propose([5, 1, "two", "line 5", "three"]);
    assert.deepEqual(set.waiting(), [
      ["", "two"],
      ["", "three"],
      ["line 20", "beside"],
    ]);
    set.propose([7, 1]);
    assert.deepEqual([set.statusesOf(2), set.statusesOf(3)], [["pending"], ["replaced"]]);
    set.rejectCall(3);
    set.rejectCall(2);
    assert.deepEqual(set.waiting(), [
      ["line 5", "one"],
      ["line 20", "beside"],
    ]);
  });
});

describe("a call that is rejected right after it was proposed", () => {
  test("leaves pending the other place of a hunk of which one was accepted", () => {
    const set = setOf(start);
    set.proposeTogether([5, 1, "one"], [9, 1, "two"]);
    set.accept(set.named("one"));
    set.propose([9, 1, "three"]);
    assert.deepEqual([set.statusesOf(1), set.statusesOf(2)], [["applied"], ["pending"]]);
    set.rejectCall(2);
    assert.deepEqual([set.statusesOf(1), set.statusesOf(2)], [["pending"], ["rejected"]]);
    assert.deepEqual(set.waiting(), [["line 9", "two"]]);
  });

  test("leaves a line out that it has only brought back", () => {
    const set = setOf(start);
    set.propose([6, 1, "one"]);
    set.propose([6, 1, "line 6", "one"]);
    assert.deepEqual([set.statusesOf(2), set.waiting()], [["replaced"], [["", "one"]]]);
    set.rejectCall(2);
    assert.deepEqual(set.waiting(), [["line 6", "one"]]);
    assert.deepEqual(set.statusesOf(1), ["pending"]);
  });

  test("leaves out all lines that it has only brought back, also some on both sides of one that stays out", () => {
    const set = setOf(start);
    set.propose([6, 3]);
    set.propose([6, 0, "line 6", "line 8"]);
    assert.deepEqual(set.waiting(), [["line 7", ""]]);
    set.rejectCall(2);
    assert.deepEqual(set.waiting(), [["line 6,line 7,line 8", ""]]);
  });

  test("leaves a line in that another one has brought back", () => {
    const set = setOf(start);
    set.propose([6, 1, "one"]);
    set.propose([6, 0, "line 6"]);
    set.propose([6, 1]);
    assert.deepEqual(set.waiting(), [["line 6", "one"]]);
    set.rejectCall(3);
    assert.deepEqual(set.waiting(), [["", "one"]]);
    set.rejectCall(2);
    assert.deepEqual(set.waiting(), [["line 6", "one"]]);
  });
});

describe("a change of which one place was accepted", () => {
  /** One change of a call in two places; the first one is accepted. */
  function halfAccepted() {
    const set = changeSet({ [path]: start });
    const twice = [
      "@@",
      " line 1",
      "-line 2",
      "+LINE 2",
      " line 3",
      " line 4",
      " line 5",
      "-line 6",
      "+LINE 6",
    ];
    const patch = ["*** Begin Patch", `*** Update File: ${path}`, ...twice, "*** End Patch", ""].join("\n");
    return { set, propose: () => set.propose(patch), at: (hunk: number) => set.hunks()[hunk]?.id ?? "" };
  }

  test("is undone in the file while the other place waits, and not called accepted afterwards", async () => {
    const { set, propose, at } = halfAccepted();
    await propose();
    set.accept([at(0)]);
    assert.deepEqual([...set.statuses(1).values()], ["pending"]);
    set.undo();
    assert.equal(set.live(path), start);
    set.rejectCall(1);
    assert.deepEqual([...set.statuses(1).values()], ["rejected"]);
    assert.match(set.news().join(), /was rejected by the user and is not in the files/);
  });

  test("is applied once the rest is rejected, whichever way that is done", async () => {
    for (const reject of ["call", "all"] as const) {
      const { set, propose, at } = halfAccepted();
      await propose();
      set.accept([at(0)]);
      if (reject === "call") set.rejectCall(1);
      else set.reject();
      assert.deepEqual([...set.statuses(1).values()], ["applied"], reject);
      set.undo();
      assert.equal(set.live(path), start);
      assert.deepEqual([...set.statuses(1).values()], ["undone"], reject);
    }
  });

  test("stays applied while a part of it that a person has edited is in the file, and is undone later", async () => {
    const { set, propose, at } = halfAccepted();
    await propose();
    set.accept([at(0)]);
    set.accept();
    const both = set.live(path) ?? "";
    set.type(path, both.replace("LINE 2\n", "LINE 2 typed\n"));
    assert.deepEqual(set.undo(), ["editsTouched"]);
    assert.equal(set.live(path), start.replace("line 2\n", "LINE 2 typed\n"));
    assert.deepEqual([...set.statuses(1).values()], ["applied"]);
    set.type(path, start.replace("line 2\n", "LINE 2\n"));
    set.undoCall(1);
    assert.equal(set.live(path), start);
    assert.deepEqual([...set.statuses(1).values()], ["undone"]);
  });
});
