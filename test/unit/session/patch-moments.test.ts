// What happens to a patch between its proposal and the files: typing, stops, refusals, edits of a person.
import assert from "node:assert/strict";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { patchCall, text } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { acceptPatch } from "../../support/decide-patches.ts";
import { english, verbatim } from "../../support/english.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import type { TalkOptions } from "../../support/talk.ts";
import {
  edit,
  hunkIds,
  news,
  nobody,
  numbers,
  patch,
  patchOf,
  propose,
  talkWith,
  told,
} from "./patch-talk.ts";

const file = { folder: "work", path: "a.ts" };

/** Proposed, and decided by hand. */
async function proposed(sent: string, options?: TalkOptions) {
  const talk = await talkWith(options);
  talk.decide = nobody;
  await propose(talk, sent);
  const decider = { changes: talk.conversation.changes, onEvent: talk.onEvent };
  return { talk, decider, ...decider };
}

test("accepting a patch keeps what the user has typed since", async () => {
  const { talk, decider } = await proposed(edit);
  const typed = numbers.replace("five", "typed");
  talk.workspace.type(file, typed);
  assert.deepEqual(await acceptPatch(decider, "call_p"), { outcome: "done" });
  assert.equal(talk.workspace.text("work/a.ts"), typed.replace("one", "ONE").replace("nine", "NINE"));
});

test("accepting a patch keeps what the user types during the apply, in one step", async () => {
  const { talk, decider } = await proposed(edit);
  let times = 0;
  talk.workspace.beforeApply = () => {
    if (++times === 1) talk.workspace.type(file, numbers.replace("five", "typed"));
  };
  assert.deepEqual(await acceptPatch(decider, "call_p"), { outcome: "done" });
  assert.deepEqual([times, talk.workspace.applied], [2, 1]);
  assert.match(talk.workspace.text("work/a.ts") ?? "", /^ONE[\s\S]*typed[\s\S]*NINE\n$/);
});

test("a hunk whose lines are overwritten during the apply is not applied", async () => {
  const { talk, changes } = await proposed(patch("*** Update File: a.ts", "@@", "-one", "+ONE"));
  const shown = await changes.hunksOf(["call_p"]);
  talk.workspace.beforeApply = () => talk.workspace.type(file, numbers.replace("one", "mine"));
  assert.deepEqual(await changes.accept(shown), { outcome: "unfit" });
  assert.equal(talk.workspace.text("work/a.ts"), numbers.replace("one", "mine"));
  assert.equal(changes.pending[0]?.conflicts.length, 1);
});

test("a patch whose lines the user has rewritten becomes a conflict and keeps the user's lines", async () => {
  const { talk, decider, changes } = await proposed(edit);
  const shown = hunkIds(talk);
  talk.workspace.type(file, "all new\n");
  assert.deepEqual(await changes.accept(shown), { outcome: "unfit" });
  assert.deepEqual(await acceptPatch(decider, "call_p"), { outcome: "unfit" });
  assert.equal(talk.workspace.text("work/a.ts"), "all new\n");
  assert.deepEqual([hunkIds(talk), changes.pending[0]?.conflicts.length], [[], 1]);
  talk.workspace.type(file, numbers);
  await changes.refresh();
  assert.deepEqual(hunkIds(talk), shown, "typed back, it is as it was");
});

test("an apply that the editor refuses reports why and keeps the patch pending", async () => {
  const { talk, decider, changes } = await proposed(edit);
  const why = verbatim("The file is read-only.");
  talk.workspace.refuses = why;
  assert.deepEqual(await acceptPatch(decider, "call_p"), { outcome: "refused", why, isInRows: true });
  assert.deepEqual([patchOf(talk.last()).status, hunkIds(talk).length], ["proposed", 2]);
  talk.workspace.refuses = undefined;
  talk.workspace.beforeApply = () => {
    throw new Error("It fell over.");
  };
  const broken = await acceptPatch(decider, "call_p");
  assert.equal(broken.outcome, "refused");
  assert.equal(changes.pending.length, 1);
  assert.equal(talk.workspace.text("work/a.ts"), numbers);
  assert.match(talk.errors.join(), /It fell over/);
});

test("an apply that the user declines in the editor keeps the patch pending", async () => {
  const { talk, decider } = await proposed(edit);
  talk.workspace.declines = true;
  assert.deepEqual(await acceptPatch(decider, "call_p"), { outcome: "declined" });
  assert.deepEqual([patchOf(talk.last()).status, hunkIds(talk).length], ["proposed", 2]);
  talk.workspace.declines = false;
  assert.deepEqual(await acceptPatch(decider, "call_p"), { outcome: "done" });
});

test("a stopped turn keeps its patch, which can be accepted afterwards", async () => {
  const talk = await talkWith();
  talk.decide = nobody;
  talk.onEvent((event) => {
    if (event.type === "patch" && event.status === "proposed") talk.stop();
  });
  talk.sim.reply(patchCall(edit, { callId: "call_p" }));
  const turn = await talk.ask("Change it.");
  assert.deepEqual([turn.status, patchOf(turn).status], ["stopped", "proposed"]);
  assert.equal(hunkIds(talk).length, 2);
  const decider = { changes: talk.conversation.changes, onEvent: talk.onEvent };
  assert.deepEqual(await acceptPatch(decider, "call_p"), { outcome: "done" });
  assert.match(talk.workspace.text("work/a.ts") ?? "", /^ONE/);
  assert.match(await news(talk), /Patch call_p \(a\.ts\): all of it was accepted and is in the files\./);
  talk.sim.done();
});

test("a stop between a proposal and its row keeps both", async () => {
  const talk = await talkWith();
  talk.decide = nobody;
  const listening = talk.conversation.changes.onDidChange(() => talk.stop());
  talk.sim.reply(patchCall(edit, { callId: "call_p" }));
  const turn = await talk.ask("Change it.");
  listening.dispose();
  assert.equal(hunkIds(talk).length, 2);
  assert.deepEqual([turn.status, patchOf(turn).status], ["stopped", "proposed"]);
  assert.equal(patchOf(turn).files[0]?.hunks.length, 2);
  talk.sim.done();
});

test("row 60: a stop between the decision and the write affects neither", async () => {
  const { talk, decider } = await proposed(edit);
  talk.workspace.beforeApply = () => talk.stop();
  assert.deepEqual(await acceptPatch(decider, "call_p"), { outcome: "done" });
  assert.equal(patchOf(talk.last()).status, "applied");
  assert.match(talk.workspace.text("work/a.ts") ?? "", /^ONE/);
});

test("a hanging apply holds up no turn, and a second accept of the same hunks applies nothing", async () => {
  const workspace = createFolderWorkspace();
  const { apply } = workspace;
  let begin = () => {};
  let answer = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  workspace.apply = async (...changes) => {
    begin();
    await answered;
    return apply(...changes);
  };
  const { talk, changes } = await proposed(edit, { workspace });
  const shown = hunkIds(talk);
  const both = [changes.accept(shown), changes.accept(shown)];
  await begun;
  talk.sim.reply(text("I see."));
  assert.equal((await talk.conversation.send({ prompt: "What now?" }, asking()))?.status, "done");
  assert.equal(workspace.text("work/a.ts"), numbers);
  answer();
  assert.deepEqual(await Promise.all(both), [{ outcome: "done" }, { outcome: "revised" }]);
  assert.equal(workspace.applied, 1);
});

test("dangerous files, deletions and hidden characters need confirmation with a caution", async () => {
  const open = async (sent: string) => {
    const talk = await talkWith();
    talk.workspace.write("work/package.json", "{}\n");
    talk.workspace.write("work/.gitignore", "dist\n");
    talk.decide = nobody;
    const turn = await propose(talk, sent);
    const [pending] = talk.conversation.changes.pending;
    return { verdict: pending?.change.permission.verdict, caution: english(patchOf(turn).files[0]?.caution) };
  };
  assert.equal((await open(edit)).verdict, "allow");
  assert.equal(
    (await open(patch("*** Update File: package.json", "@@", "-{}", '+{"scripts":{}}'))).verdict,
    "confirm",
  );
  assert.equal((await open(patch("*** Add File: .vscode/tasks.json", "+{}"))).verdict, "confirm");
  const all = numbers.trimEnd().split("\n");
  for (const [sent, caution] of [
    [["*** Add File: eslint.config.js", "+export default [];"], "it runs with a development tool"],
    [["*** Add File: node_modules/.bin/tsc", "+#!/bin/sh"], "it is run as a command"],
    [["*** Update File: a.ts", ...all.map((line) => `-${line}`)], "all of its text is removed"],
    [["*** Delete File: a.ts", "*** Add File: a.ts", "+other"], "all of its text is replaced"],
    [["*** Update File: a.ts", "*** Move to: dist/a.ts", "-one", "+two"], "Git ignores it"],
    [["*** Add File: b.ts", "+const a\u{e0100} = 1;"], "it adds invisible characters"],
    [["*** Add File: b.ts", "+a\u2028b"], "it adds invisible characters"],
    [["*** Add File: b.ts", "+a\u001b[2Kb"], "it adds control characters"],
  ] as const)
    assert.deepEqual(await open(patch(...sent)), {
      verdict: "confirm",
      caution: `Check carefully: ${caution}.`,
    });
});

test("apply_patch reveals nothing of a private file", async () => {
  const talk = await talkWith();
  talk.workspace.write("work/.env", "TOKEN=canary\n");
  symlinkSync(".env", join(talk.workspace.root, "work/notes.txt"));
  const guesses = [".env", "notes.txt", ".ENV"];
  for (const name of guesses)
    talk.sim.reply(patchCall(patch(`*** Update File: ${name}`, "@@", "-TOKEN=x", "+TOKEN=y")));
  talk.sim.reply(patchCall(patch("*** Delete File: .env")));
  talk.sim.reply(patchCall(patch("*** Update File: .env", "*** Move to: env.txt")));
  talk.sim.reply(text("I give up."));
  await talk.ask("Read the secret.");
  for (const { raw } of talk.bodies()) assert.doesNotMatch(raw, /canary/);
  assert.equal(readFileSync(join(talk.workspace.root, "work/.env"), "utf8"), "TOKEN=canary\n");
  assert.ok(!talk.workspace.handedOut.includes("work/.env"));
  talk.sim.done();
});

test("a refusal quotes lines without their secrets", async () => {
  const talk = await talkWith();
  const key = ["ghp", "c".repeat(36)].join("_");
  talk.workspace.write("work/b.ts", `one\nconst token = "${key}";\ntwo\n`);
  await propose(talk, patch("*** Update File: b.ts", "@@", " one", "-const token = 1;", "+const token = 2;"));
  assert.match(told(talk), /Failed to find/);
  for (const { raw } of talk.bodies()) assert.ok(!raw.includes(key));
  for (const line of talk.lines) assert.ok(!line.includes(key));
});

test("a proposal edited by the user is applied as edited, and the model gets the difference", async () => {
  const { talk, decider, changes } = await proposed(edit);
  const [pending] = changes.pending;
  const own = numbers.replace("one", "UNO").replace("nine", "NINE").replace("five\n", "");
  await changes.edit(pending?.id ?? "", own, numbers.replace("one", "ONE").replace("nine", "NINE"));
  assert.equal(talk.workspace.text("work/a.ts"), numbers);
  assert.equal(changes.pending[0]?.isEdited, true);
  assert.deepEqual(await acceptPatch(decider, "call_p"), { outcome: "done" });
  assert.equal(talk.workspace.text("work/a.ts"), own);
  assert.equal(english(patchOf(talk.last()).message), "You edited a.ts before you accepted it.");
  const told = await news(talk);
  assert.match(told, /all of it was accepted and is in the files/);
  assert.match(told, /The user edited it before accepting it/);
  assert.match(told, /^-ONE\n\+UNO$/m);
  assert.match(told, /^-five$/m);
  assert.doesNotMatch(told, /^[-+]NINE$/m);
  assert.deepEqual(await changes.undo(["call_p"]), { outcome: "done", left: [] });
  assert.equal(talk.workspace.text("work/a.ts"), numbers, "it is taken back with what was written into it");
});

test("the row of a proposal that the user has edited shows what was written and marks it", async () => {
  const { talk, decider, changes } = await proposed(edit);
  const [pending] = changes.pending;
  const theirs = numbers.replace("one", "ONE").replace("nine", "NINE");
  const key = ["ghp", "c".repeat(36)].join("_");
  const own = theirs.replace("ONE", "UNO").replace("five\n", `five\n${key}\n`);
  const rows = () =>
    patchOf(talk.last()).files.map(({ added, removed, hunks }) => ({
      ...{ added, removed },
      hunks: hunks.map(({ status, edited, diff = "" }) => [
        `${status}${edited === true ? ", edited" : ""}`,
        ...diff.split("\n").filter((line) => /^[-+]/.test(line)),
      ]),
    }));
  const before = rows();
  await changes.edit(pending?.id ?? "", own, theirs);
  assert.deepEqual(rows(), before, "nothing of it is in the file");
  assert.deepEqual(await acceptPatch(decider, "call_p"), { outcome: "done" });
  assert.equal(talk.workspace.text("work/a.ts"), own);
  const [{ hunks: [, added] = [] } = {}] = rows();
  const shown = (status: string) => [
    {
      ...{ added: 3, removed: 2 },
      hunks: [
        [`${status}, edited`, "-one", "+UNO"],
        [`${status}, edited`, ...(added?.slice(1) ?? [])],
        [status, "-nine", "+NINE"],
      ],
    },
  ];
  assert.deepEqual(rows(), shown("applied"));
  assert.match(added?.[1] ?? "", /^\+/);
  assert.ok(!JSON.stringify(rows()).includes(key), "a row quotes no secrets");
  const later = talk.reopen();
  const count = talk.lines.length;
  await later.conversation.changes.refresh();
  assert.equal(talk.lines.length, count, "a row that is up to date is not stored again");
  assert.deepEqual(await changes.undo(["call_p"]), { outcome: "done", left: [] });
  assert.deepEqual(rows(), shown("undone"));
});

test("the row of a new file that the user has edited shows it as it was written", async () => {
  const { talk, decider, changes } = await proposed(patch("*** Add File: new.ts", "+one", "+two"));
  const [pending] = changes.pending;
  await changes.edit(pending?.id ?? "", "one\nthree\n", "one\ntwo\n");
  assert.deepEqual(await acceptPatch(decider, "call_p"), { outcome: "done" });
  const [{ hunks = [] } = {}] = patchOf(talk.last()).files;
  assert.deepEqual(
    hunks.map(({ status, edited, diff }) => [status, edited, diff]),
    [["applied", true, "+one\n+three\n"]],
  );
});

test("of two patches in one file, those that the user has edited are marked and say so, and the model hears once", async () => {
  const both = numbers.replace("one", "ONE").replace("nine", "NINE");
  const [uno, nove] = [both.replace("ONE", "UNO"), both.replace("NINE", "NOVE")];
  for (const [edits, isFirst, isSecond] of [
    [[uno], true, false],
    [[nove], false, true],
    [[uno, uno.replace("NINE", "NOVE")], true, true],
    [[nove, nove.replace("ONE", "UNO")], true, true],
    // One edit of both is part of both; the model hears of it with the later one.
    [[uno.replace("NINE", "NOVE")], true, true],
  ] as const) {
    const { talk, changes } = await proposed(patch("*** Update File: a.ts", "@@", "-one", "+ONE"));
    talk.sim.reply(patchCall(patch("*** Update File: a.ts", "@@", "-nine", "+NINE"), { callId: "call_q" }));
    talk.sim.reply(text("Done."));
    await talk.ask("And the last one.");
    for (const [at, own] of edits.entries())
      await changes.edit(changes.pending[0]?.id ?? "", own, edits[at - 1] ?? both);
    assert.deepEqual(await changes.accept(hunkIds(talk)), { outcome: "done" });
    assert.equal(talk.workspace.text("work/a.ts"), edits.at(-1));
    const rows = talk.conversation.state.turns.map((turn) => {
      const { files, message } = patchOf(turn);
      return [files.some(({ hunks }) => hunks.some(({ edited }) => edited)), english(message)];
    });
    const said = (isEdited: boolean) =>
      isEdited ? [true, "You edited a.ts before you accepted it."] : [false, ""];
    assert.deepEqual(rows, [said(isFirst), said(isSecond)]);
    const heard = (await news(talk)).split("- Patch ").slice(1);
    const isTold = heard.map((each) => each.includes("The user edited it before accepting it"));
    assert.deepEqual(isTold, [isFirst && !isSecond, isSecond]);
  }
});

test("an accepted patch in an unsaved file is reported once to user and model, until it is undone", async () => {
  const { talk, decider, changes } = await proposed(edit);
  talk.workspace.unsaved = [file, { folder: "work", path: "of-nobody.ts" }];
  assert.deepEqual(await acceptPatch(decider, "call_p"), { outcome: "done" });
  const row = () => english(patchOf(talk.last()).message);
  assert.equal(row(), "Not saved yet: a.ts. The change is in the editor.");
  const later = talk.reopen();
  await later.conversation.changes.refresh();
  assert.deepEqual(later.conversation.changes.noteOf("call_p")?.unsaved, ["a.ts"], "it is kept");
  const heard = await news(talk);
  assert.match(heard, /is in the files\. a\.ts is not saved yet: the editor holds the new text/);
  assert.equal(await news(talk), heard, "nothing new is said");
  talk.workspace.unsaved = undefined;
  assert.deepEqual(await changes.undo(["call_p"]), { outcome: "done", left: [] });
  assert.deepEqual(changes.noteOf("call_p")?.unsaved, []);
  const last = (await news(talk)).split("\n").at(-2) ?? "";
  assert.match(last, /a\.ts/);
  assert.doesNotMatch(last, /not saved yet/);
});

test("the unsaved note of a patch disappears once its file is saved", async () => {
  const { talk, decider, changes } = await proposed(edit);
  talk.workspace.unsaved = [file];
  await acceptPatch(decider, "call_p");
  await changes.saved({ folder: "work", path: "of-nobody.ts" });
  assert.deepEqual(changes.noteOf("call_p")?.unsaved, ["a.ts"]);
  await changes.saved(file);
  assert.equal(patchOf(talk.last()).message, undefined);
  assert.doesNotMatch(await news(talk), /not saved yet/);
});

test("an edit of a proposal merges with changes of the file and of the model, and wins over them", async () => {
  const { talk, changes } = await proposed(edit);
  const before = numbers.replace("one", "ONE").replace("nine", "NINE");
  talk.workspace.write("work/a.ts", numbers.replace("three", "three, typed"));
  talk.sim.reply(
    patchCall(patch("*** Update File: a.ts", "@@", "-five", "+FIVE", "@@", "-NINE", "+9"), {
      callId: "call_q",
    }),
  );
  talk.sim.reply(text("Done."));
  await talk.ask("And more.");
  const own = before.replace("seven", "mine").replace("NINE", "my nine");
  await changes.edit(changes.pending[0]?.id ?? "", own, before);
  assert.deepEqual(await changes.accept(hunkIds(talk)), { outcome: "done" });
  assert.equal(
    talk.workspace.text("work/a.ts"),
    own.replace("three", "three, typed").replace("five", "FIVE"),
  );
});

test("patches with the same call id in several replies are decided separately", async () => {
  const talk = await talkWith();
  talk.decide = nobody;
  const send = async (...lines: string[]) => {
    talk.sim.reply(patchCall(patch("*** Update File: a.ts", "@@", ...lines), { callId: "apply_patch:0" }));
    talk.sim.reply(text("Done."));
    return patchOf(await talk.ask("Change it.")).call;
  };
  const refused = await send("-nowhere", "+NOWHERE");
  const [first, second] = [await send("-one", "+ONE"), await send("-nine", "+NINE")];
  assert.equal(new Set([refused, first, second]).size, 3);
  const { changes } = talk.conversation;
  await changes.rejectCall(first, "not this one");
  assert.deepEqual(await changes.accept(await changes.hunksOf([second])), { outcome: "done" });
  assert.equal(talk.workspace.text("work/a.ts"), numbers.replace("nine", "NINE"));
  const rows = talk.conversation.state.turns.map((turn) => patchOf(turn).status);
  assert.deepEqual(rows, ["failed", "rejected", "applied"]);
  const said = await news(talk);
  assert.match(said, /rejected by the user[^\n]*not this one/);
  assert.match(said, /accepted and is in the files/);
  assert.deepEqual(talk.reopen().conversation.state, talk.conversation.state);
});
