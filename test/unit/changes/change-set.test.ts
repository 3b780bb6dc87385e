// A change set over files in memory: what a person sees and decides, case by case.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changeSet } from "../../support/change-set.ts";

const text = (...lines: string[]) => lines.map((line) => `${line}\n`).join("");
const count = text("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten");
const files = { "a.txt": count, "b.txt": text("b") };
const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
const replace = (path: string, ...pairs: [string, string][]) =>
  patch(`*** Update File: ${path}`, ...pairs.flatMap(([old, now]) => ["@@", `-${old}`, `+${now}`]));

const proposed = async (...patches: string[]) => {
  const set = changeSet(files);
  for (const each of patches) assert.deepEqual(await set.propose(each), { ok: true });
  return set;
};

test("a proposed patch changes what the tools read and leaves the file on disk unchanged", async () => {
  const set = await proposed(replace("a.txt", ["two", "TWO"]));
  assert.equal(set.live("a.txt"), count);
  assert.equal(set.proposed("a.txt"), count.replace("two", "TWO"));
  assert.deepEqual(
    set.hunks().map(({ path, removed, added, conflict }) => ({ path, removed, added, conflict })),
    [{ path: "a.txt", removed: ["two"], added: ["TWO"], conflict: false }],
  );
});

test("a second patch builds on the first, and one that only fits the file on disk is refused", async () => {
  const set = await proposed(replace("a.txt", ["two", "TWO"]), replace("a.txt", ["TWO", "2"]));
  assert.equal(set.proposed("a.txt"), count.replace("two", "2"));
  assert.equal(set.hunks().length, 1);
  const refused = await set.propose(replace("a.txt", ["two", "zwei"]));
  assert.equal(refused.ok, false);
});

test("hunks are accepted and rejected one by one, and the others keep their ids and stay pending", async () => {
  const set = await proposed(replace("a.txt", ["two", "TWO"], ["five", "FIVE"], ["nine", "NINE"]));
  const [first, second, third] = set.hunks();
  assert.ok(first && second && third);
  assert.equal(set.accept([second.id]), true);
  assert.equal(set.live("a.txt"), count.replace("five", "FIVE"));
  assert.deepEqual(set.hunks(), [first, third]);
  assert.equal(set.reject([first.id], "not that"), true);
  assert.equal(set.live("a.txt"), count.replace("five", "FIVE"));
  assert.deepEqual(set.hunks(), [third]);
  assert.deepEqual(set.news(), [
    "- Patch call-1 (a.txt): a.txt#2 was accepted and is in the files; a.txt#1 was rejected by the user and is not in the files; a.txt#3 still waits for the user's decision. The user said: not that",
  ]);
  assert.deepEqual(set.news(), []);
});

test("accepting a hunk that is no longer shown is refused", async () => {
  const set = await proposed(replace("a.txt", ["two", "TWO"]));
  const [hunk] = set.hunks();
  assert.deepEqual(await set.propose(replace("a.txt", ["TWO", "2"])), { ok: true });
  assert.equal(set.accept([hunk?.id ?? ""]), false);
  assert.equal(set.live("a.txt"), count);
});

test("a proposal follows edits elsewhere in the file, and is restored when a conflicting edit is undone", async () => {
  const set = await proposed(replace("a.txt", ["nine", "NINE"]));
  const before = set.hunks();
  set.type("a.txt", `zero\n${count}`);
  assert.deepEqual(set.hunks(), before);
  set.type("a.txt", count.replace("nine", "neun"));
  assert.deepEqual(
    set.hunks().map(({ removed, added, conflict }) => ({ removed, added, conflict })),
    [{ removed: ["neun"], added: ["NINE"], conflict: true }],
  );
  assert.equal(
    set.proposed("a.txt"),
    count.replace("nine", "neun"),
    "where it stands aside the file is read",
  );
  set.type("a.txt", count);
  assert.deepEqual(set.hunks(), before);
  set.accept();
  assert.equal(set.live("a.txt"), count.replace("nine", "NINE"));
});

test("a conflicting change stays pending when the rest is accepted", async () => {
  const set = await proposed(replace("a.txt", ["two", "TWO"], ["nine", "NINE"]));
  set.type("a.txt", count.replace("nine", "neun"));
  assert.equal(set.accept(), true);
  assert.equal(set.live("a.txt"), count.replace("nine", "neun").replace("two", "TWO"));
  assert.deepEqual(
    set.hunks().map(({ added, conflict }) => ({ added, conflict })),
    [{ added: ["NINE"], conflict: true }],
  );
  set.type("a.txt", count.replace("two", "TWO"));
  assert.deepEqual(
    set.hunks().map(({ conflict }) => conflict),
    [false],
  );
});

test("undoing an accepted patch keeps what was typed since", async () => {
  const set = await proposed(replace("a.txt", ["two", "TWO"]));
  set.accept();
  set.type("a.txt", `${set.live("a.txt")}eleven\n`);
  set.undo();
  assert.equal(set.live("a.txt"), `${count}eleven\n`);
  assert.match(set.news().join(), /was accepted and later undone/);
  assert.deepEqual(set.hunks(), []);
});

test("undo does not restore lines that the person has deleted as well", async () => {
  const out = (...lines: string[]) =>
    patch("*** Update File: a.txt", "@@", ...lines.map((line) => `-${line}`));
  const set = await proposed(out("five", "six"), replace("a.txt", ["nine", "NINE"]));
  const typed = count.replace("five\nsix\n", "");
  set.type("a.txt", typed);
  assert.deepEqual(await set.propose(out("four")), { ok: true });
  assert.equal(set.accept(), true);
  assert.equal(set.live("a.txt"), typed.replace("four\n", "").replace("nine", "NINE"));
  set.undo();
  assert.equal(set.live("a.txt"), typed);
});

test("rejecting the first of two calls keeps what the second has written over it", async () => {
  const set = await proposed(
    replace("a.txt", ["two", "TWO"], ["five", "FIVE"]),
    replace("a.txt", ["TWO", "2"], ["nine", "NINE"]),
  );
  set.rejectCall(1);
  const left = count.replace("two", "2").replace("nine", "NINE");
  assert.equal(set.proposed("a.txt"), left);
  assert.match(
    set.news().join("\n"),
    /call-1 .*a\.txt#2 was rejected by the user[^;]*; a\.txt#1 was replaced by later changes of yours/,
  );
  set.accept();
  assert.equal(set.live("a.txt"), left);
  assert.match(set.news().join("\n"), /call-2 .*all of it was accepted/);
});

test("a change that conflicts after an earlier call is rejected is left out as a whole", async () => {
  const set = await proposed(patch("*** Update File: a.txt", "@@", " one", "+model"));
  set.type("a.txt", `zero\n${count}`);
  assert.deepEqual(await set.propose(patch("*** Update File: a.txt", "@@", "-zero", "-one", " model")), {
    ok: true,
  });
  set.rejectCall(1);
  assert.equal(set.proposed("a.txt"), `zero\n${count}`);
  assert.deepEqual(set.hunks(), []);
  assert.match(set.news().join("\n"), /call-2 .*no longer fits the files/);
});

test("added, deleted and moved files are decided whole, each with the move that frees its name", async () => {
  const set = await proposed(
    patch("*** Update File: b.txt", "*** Move to: c.txt"),
    patch("*** Add File: b.txt", "+new"),
    patch("*** Delete File: a.txt"),
  );
  assert.equal(set.proposed("a.txt"), undefined);
  assert.equal(set.proposed("b.txt"), "new\n");
  assert.equal(set.proposed("c.txt"), "b\n");
  const added = set.hunks().find(({ path }) => path === "b.txt");
  assert.equal(set.accept([added?.id ?? ""]), true);
  assert.equal(set.live("b.txt"), "new\n");
  assert.equal(set.live("c.txt"), "b\n");
  assert.equal(set.live("a.txt"), count);
  set.accept();
  assert.equal(set.live("a.txt"), undefined);
  set.undo();
  assert.equal(set.live("a.txt"), count);
});

test("a file that is proposed as new and then changed stays one new file", async () => {
  const set = await proposed(patch("*** Add File: n.txt", "+one", "+two"), replace("n.txt", ["two", "2"]));
  assert.deepEqual(
    set.hunks().map(({ path, added }) => ({ path, added })),
    [{ path: "n.txt", added: ["one", "2"] }],
  );
  set.reject();
  assert.equal(set.proposed("n.txt"), undefined);
  assert.deepEqual(set.hunks(), []);
});

test("a move stays pending while later patches change the moved file", async () => {
  const set = await proposed(
    patch("*** Update File: b.txt", "*** Move to: c.txt"),
    replace("c.txt", ["b", "B"]),
    replace("c.txt", ["B", "bee"]),
  );
  assert.deepEqual(
    set.news(),
    ["- Patch call-2 (c.txt): all of it was replaced by later changes of yours."],
    "the move is not decided",
  );
  set.accept();
  assert.match(set.news().join("\n"), /call-1 .*was accepted[\s\S]*call-3 .*was accepted/);
});

test("a deletion is decided together with the file that a later patch adds in its place", async () => {
  const again = ["*** Add File: b.txt", "+another"];
  const kept = await proposed(patch("*** Delete File: b.txt"), patch(...again));
  kept.accept();
  assert.equal(kept.live("b.txt"), "another\n");
  assert.match(kept.news().join("\n"), /call-1 .*was accepted[\s\S]*call-2 .*was accepted/);
  kept.undo();
  assert.equal(kept.live("b.txt"), "b\n");
  const out = await proposed(patch("*** Delete File: b.txt"), patch(...again));
  out.reject();
  assert.match(out.news().join("\n"), /call-1 .*was rejected[\s\S]*call-2 .*was rejected/);
});

test("a patch that reverts an earlier proposal leaves nothing pending", async () => {
  const set = await proposed(replace("a.txt", ["two", "TWO"]), replace("a.txt", ["TWO", "two"]));
  assert.deepEqual(set.hunks(), []);
  assert.match(
    set.news().join("\n"),
    /call-1 .*replaced by later changes of yours[\s\S]*call-2 .*leaves nothing to decide/,
  );
});

test("editing the proposed text back to the file's text leaves nothing pending", async () => {
  const set = await proposed(replace("a.txt", ["two", "TWO"]));
  set.edit("a.txt", count);
  assert.deepEqual(set.hunks(), []);
  assert.match(set.news().join("\n"), /call-1 .*leaves nothing to decide/);
});

test("accepting a move also accepts the moves it requires, and those that they require", async () => {
  const set = changeSet({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
  for (const [from, to] of [
    ["c.txt", "d.txt"],
    ["b.txt", "c.txt"],
    ["a.txt", "b.txt"],
  ] as const)
    assert.deepEqual(await set.propose(patch(`*** Update File: ${from}`, `*** Move to: ${to}`)), {
      ok: true,
    });
  const last = set.hunks().find(({ path }) => path === "b.txt");
  assert.equal(set.accept([last?.id ?? ""]), true);
  assert.deepEqual(["a.txt", "b.txt", "c.txt", "d.txt"].map(set.live), [undefined, "a\n", "b\n", "c\n"]);
});

test("a move onto a deleted file is refused while the deletion conflicts, and nothing is deleted", async () => {
  const set = await proposed(patch("*** Delete File: b.txt", "*** Update File: a.txt", "*** Move to: b.txt"));
  set.type("b.txt", text("b", "typed since"));
  const hunks = set.hunks();
  assert.ok(hunks.length > 0 && hunks.every(({ conflict }) => conflict));
  for (const { id } of hunks) assert.equal(set.accept([id]), false);
  assert.equal(set.live("b.txt"), text("b", "typed since"));
  set.type("b.txt", text("b"));
  assert.equal(set.accept(), true);
  assert.equal(set.live("b.txt"), count);
});

test("a change whose target name is taken is one conflict, which is rejected as a whole", async () => {
  const set = await proposed(
    patch(
      "*** Update File: a.txt",
      "*** Move to: c.txt",
      "@@",
      "-two",
      "+TWO",
      " three",
      "@@",
      "-nine",
      "+9",
    ),
  );
  const before = set.hunks();
  assert.equal(before.length, 3);
  set.type("c.txt", "somebody's\n");
  const [stuck, ...others] = set.hunks();
  assert.deepEqual([stuck?.conflict, others], [true, []]);
  assert.equal(set.accept([stuck?.id ?? ""]), false);
  assert.equal(set.reject([stuck?.id ?? ""], "not there"), true);
  assert.deepEqual(set.hunks(), []);
  assert.match(set.news().join(), /all of it was rejected by the user .*The user said: not there/);
  assert.deepEqual(["a.txt", "c.txt"].map(set.live), [count, "somebody's\n"]);
});

test("a file edited since its deletion was proposed can be proposed for deletion again", async () => {
  const set = await proposed(patch("*** Delete File: b.txt"));
  set.type("b.txt", text("b", "typed since"));
  assert.deepEqual(await set.propose(patch("*** Delete File: b.txt")), { ok: true });
  assert.equal(set.hunks().length, 1);
  set.accept();
  assert.equal(set.live("b.txt"), undefined);
  assert.match(set.news().join("\n"), /call-1 .*no longer fits[\s\S]*call-2 .*was accepted/);
});

test("rejecting the call that adds a file also drops what a later call changed in it", async () => {
  const set = await proposed(
    patch("*** Add File: c.txt", "+one", "+two"),
    patch("*** Update File: c.txt", "@@", "-two", "+2"),
  );
  set.rejectCall(1);
  assert.deepEqual([set.hunks(), set.live("c.txt")], [[], undefined]);
  const [first = "", second = ""] = set.news();
  assert.match(first, /call-1 \(c\.txt\).*was rejected by the user/);
  assert.match(second, /call-2 \(c\.txt\)/);
  assert.doesNotMatch(second, /was rejected by the user/);
});
