// A change set over files in memory: what a person sees and decides, case by case.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changeSet } from "../../../support/change-set.ts";

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

test("a patch is a second text: the file stays, the tools read the other", async () => {
  const set = await proposed(replace("a.txt", ["two", "TWO"]));
  assert.equal(set.live("a.txt"), count);
  assert.equal(set.proposed("a.txt"), count.replace("two", "TWO"));
  assert.deepEqual(
    set.hunks().map(({ path, removed, added, conflict }) => ({ path, removed, added, conflict })),
    [{ path: "a.txt", removed: ["two"], added: ["TWO"], conflict: false }],
  );
});

test("a second patch builds on the first, and what only fits the file is refused", async () => {
  const set = await proposed(replace("a.txt", ["two", "TWO"]), replace("a.txt", ["TWO", "2"]));
  assert.equal(set.proposed("a.txt"), count.replace("two", "2"));
  assert.equal(set.hunks().length, 1);
  const refused = await set.propose(replace("a.txt", ["two", "zwei"]));
  assert.equal(refused.ok, false);
});

test("hunks are accepted one by one, keep their names, and the rest waits", async () => {
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

test("what is not shown any more is not accepted", async () => {
  const set = await proposed(replace("a.txt", ["two", "TWO"]));
  const [hunk] = set.hunks();
  assert.deepEqual(await set.propose(replace("a.txt", ["TWO", "2"])), { ok: true });
  assert.equal(set.accept([hunk?.id ?? ""]), false);
  assert.equal(set.live("a.txt"), count);
});

test("what is typed elsewhere stays and moves the proposal along; typed back, all is as it was", async () => {
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

test("what stands aside stays when the rest is accepted", async () => {
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

test("an accepted patch is taken back beside what was typed since", async () => {
  const set = await proposed(replace("a.txt", ["two", "TWO"]));
  set.accept();
  set.type("a.txt", `${set.live("a.txt")}eleven\n`);
  set.undo();
  assert.equal(set.live("a.txt"), `${count}eleven\n`);
  assert.match(set.news().join(), /was accepted and taken back later/);
  assert.deepEqual(set.hunks(), []);
});

test("what a person has taken out as well is theirs: taking back all that was accepted does not bring it back", async () => {
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

test("rejecting the first of two that build on each other leaves the second aside, never a wrong edit", async () => {
  const set = await proposed(
    replace("a.txt", ["two", "TWO"], ["five", "FIVE"]),
    replace("a.txt", ["TWO", "2"], ["nine", "NINE"]),
  );
  set.rejectCall(1);
  assert.equal(set.proposed("a.txt"), count.replace("nine", "NINE"));
  assert.match(
    set.news().join("\n"),
    /call-1 .*all of it was rejected[\s\S]*call-2 .*a\.txt#1 no longer fits/,
  );
  set.accept();
  assert.equal(set.live("a.txt"), count.replace("nine", "NINE"));
});

test("a change that stands aside does so as a whole: nothing waits that nobody could take back", async () => {
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

test("new, deleted and moved files are whole, and one that takes a freed name takes along what frees it", async () => {
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

test("a file that was proposed new and changed again is one new file", async () => {
  const set = await proposed(patch("*** Add File: n.txt", "+one", "+two"), replace("n.txt", ["two", "2"]));
  assert.deepEqual(
    set.hunks().map(({ path, added }) => ({ path, added })),
    [{ path: "n.txt", added: ["one", "2"] }],
  );
  set.reject();
  assert.equal(set.proposed("n.txt"), undefined);
  assert.deepEqual(set.hunks(), []);
});

test("a move waits on while later patches go on with the file", async () => {
  const set = await proposed(
    patch("*** Update File: b.txt", "*** Move to: c.txt"),
    replace("c.txt", ["b", "B"]),
    replace("c.txt", ["B", "bee"]),
  );
  assert.deepEqual(set.news(), [], "nothing is decided");
  set.accept();
  assert.match(set.news().join("\n"), /call-1 .*was accepted[\s\S]*call-3 .*was accepted/);
});

test("a deletion in whose place a later patch puts another file is decided with that", async () => {
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

test("a patch that takes back what was proposed before leaves nothing that waits", async () => {
  const set = await proposed(replace("a.txt", ["two", "TWO"]), replace("a.txt", ["TWO", "two"]));
  assert.deepEqual(set.hunks(), []);
  assert.match(set.news().join("\n"), /call-1 .*no longer part of[\s\S]*call-2 .*no longer part of/);
});

test("a person who writes the file's own words into the proposal leaves nothing that waits", async () => {
  const set = await proposed(replace("a.txt", ["two", "TWO"]));
  set.edit("a.txt", count);
  assert.deepEqual(set.hunks(), []);
  assert.match(set.news().join("\n"), /call-1 .*no longer part of/);
});

test("what is accepted takes along what it needs, and what that needs", async () => {
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

test("what needs a deletion that the file does not let in is not accepted, and nothing is deleted", async () => {
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

test("a change of a file that is in the way is one conflict as a whole, which is rejected like any other", async () => {
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

test("a file that was typed into since it was to be deleted may be proposed for deletion again", async () => {
  const set = await proposed(patch("*** Delete File: b.txt"));
  set.type("b.txt", text("b", "typed since"));
  assert.deepEqual(await set.propose(patch("*** Delete File: b.txt")), { ok: true });
  assert.equal(set.hunks().length, 1);
  set.accept();
  assert.equal(set.live("b.txt"), undefined);
  assert.match(set.news().join("\n"), /call-1 .*no longer fits[\s\S]*call-2 .*was accepted/);
});
