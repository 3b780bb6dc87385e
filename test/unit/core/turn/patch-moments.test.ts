// What happens to a patch between its proposal and the files: typing, stops, settings, edits of a person.
import assert from "node:assert/strict";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Applied } from "../../../../src/core/workspace.ts";
import { patchCall, text } from "../../../sim/script.ts";
import { english, verbatim } from "../../../support/english.ts";
import { edit, numbers, patch, patchOf, propose, stations, talkWith, told } from "./patch-talk.ts";

test("what the user types while the patch is reviewed is never lost: they are asked again about the new text", async () => {
  const talk = await talkWith();
  const file = { folder: "work", path: "a.ts" };
  let asked = 0;
  talk.decide = () => {
    if (++asked === 1) talk.workspace.type(file, `zero\n${numbers}`);
    return { kind: "accept" };
  };
  await propose(talk, edit);
  assert.equal(asked, 2);
  assert.equal(
    talk.workspace.text("work/a.ts"),
    `zero\n${numbers}`.replace("one", "ONE").replace("nine", "NINE"),
  );
});

test("typing in the very moment of applying brings the patch back to review", async () => {
  const talk = await talkWith();
  const file = { folder: "work", path: "a.ts" };
  talk.workspace.beforeApply = () => {
    talk.workspace.beforeApply = () => {};
    talk.workspace.type(file, `${numbers}ten\n`);
  };
  await propose(talk, edit);
  assert.deepEqual(stations(talk), ["proposed", "applying", "proposed", "applying", "applied"]);
  assert.match(talk.workspace.text("work/a.ts") ?? "", /^ONE[\s\S]*NINE\nten\n$/);
});

test("a patch whose place the user rewrote meanwhile is refused, not forced", async () => {
  const talk = await talkWith();
  talk.decide = () => {
    talk.workspace.type({ folder: "work", path: "a.ts" }, "all new\n");
    return { kind: "accept" };
  };
  const turn = await propose(talk, edit);
  assert.equal(patchOf(turn).status, "failed");
  assert.equal(talk.workspace.text("work/a.ts"), "all new\n");
});

test("an editor that does not apply says why, to the user and to the model", async () => {
  const talk = await talkWith();
  talk.workspace.refuses = verbatim("The file is read-only.");
  const turn = await propose(talk, edit);
  assert.equal(english(patchOf(turn).message), "The file is read-only.");
  assert.match(told(talk), /did not apply the patch: The file is read-only. Nothing was changed/);
});

test("a stop while the patch waits applies nothing, and says so when the conversation goes on", async () => {
  const talk = await talkWith();
  talk.decide = () => {
    talk.conversation.stop();
    return undefined;
  };
  talk.sim.reply(patchCall(edit));
  const turn = await talk.ask("Change it.");
  assert.equal(turn.status, "stopped");
  assert.equal(patchOf(turn).status, "stopped");
  assert.equal(talk.workspace.applied, 0);
  talk.sim.reply(text("Ok."));
  assert.equal((await talk.ask("Never mind.")).status, "done");
  assert.match(
    JSON.stringify(talk.bodies().at(-1)?.input),
    /before deciding about this patch. Nothing was changed/,
  );
  talk.sim.done();
});

test("an editor that never answers holds no turn up for ever: after a stop it ends, and says that nobody knows", async (t) => {
  const talk = await talkWith();
  let answer: (applied: Applied) => void = () => {};
  talk.workspace.apply = () => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    setImmediate(() => {
      talk.conversation.stop();
      t.mock.timers.tick(9_999);
      assert.equal(talk.last().status, "running", "it is given time to come to its end");
      t.mock.timers.tick(1);
      t.mock.timers.reset();
    });
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  talk.sim.reply(patchCall(edit));
  const turn = await talk.ask("Change it.");
  assert.deepEqual([turn.status, patchOf(turn).status], ["stopped", "unsure"]);
  const before = talk.events.length;
  answer({ outcome: "applied" });
  talk.sim.reply(text("I see."));
  assert.equal((await talk.ask("What now?")).status, "done");
  assert.match(JSON.stringify(talk.bodies().at(-1)?.input), /nothing can be said about its result/);
  assert.deepEqual(
    talk.events
      .slice(before)
      .map(({ type }) => type)
      .filter((type) => type === "patch"),
    [],
  );
  assert.deepEqual(talk.errors, []);
  talk.sim.done();
});

test("row 60: a stop between the decision and the files is one thing or the other, and both know which", async () => {
  const talk = await talkWith();
  talk.workspace.beforeApply = () => talk.conversation.stop();
  talk.sim.reply(patchCall(edit));
  const turn = await talk.ask("Change it.");
  assert.equal(turn.status, "stopped");
  assert.equal(patchOf(turn).status, "applied");
  assert.match(talk.workspace.text("work/a.ts") ?? "", /^ONE/);
  talk.sim.reply(text("Ok."));
  await talk.ask("Go on.");
  assert.match(JSON.stringify(talk.bodies().at(-1)?.input), /Success. Updated the following files/);
});

test("where patches are applied by themselves, dangerous files and deletions are still asked about", async () => {
  const settings = { tools: { user: new Map([["apply_patch", "auto" as const]]), workspace: new Map() } };
  const open = async (sent: string) => {
    const talk = await talkWith({ settings });
    talk.workspace.write("work/package.json", "{}\n");
    talk.workspace.write("work/.gitignore", "dist\n");
    let asked = 0;
    talk.decide = () => {
      asked++;
      return { kind: "accept" };
    };
    const turn = await propose(talk, sent);
    assert.equal(patchOf(turn).status, "applied");
    return { asked, caution: english(patchOf(turn).files[0]?.caution) };
  };
  assert.equal((await open(edit)).asked, 0);
  assert.equal((await open(patch("*** Delete File: a.ts"))).asked, 1);
  const dangerous = await open(patch("*** Update File: package.json", "@@", "-{}", '+{"scripts":{}}'));
  assert.equal(dangerous.asked, 1);
  assert.match(dangerous.caution, /^Look twice: /);
  assert.equal((await open(patch("*** Add File: .vscode/tasks.json", "+{}"))).asked, 1);
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
    assert.deepEqual(await open(patch(...sent)), { asked: 1, caution: `Look twice: ${caution}.` });
});

test("a workspace can make patches ask, and never make them run unasked", async () => {
  const tools = {
    user: new Map([["apply_patch", "auto" as const]]),
    workspace: new Map([["apply_patch", "ask" as const]]),
  };
  const talk = await talkWith({ settings: { tools } });
  let asked = 0;
  talk.decide = () => {
    asked++;
    return { kind: "accept" };
  };
  await propose(talk, edit);
  assert.equal(asked, 1);
  const loose = await talkWith({
    settings: { tools: { user: new Map(), workspace: new Map([["apply_patch", "auto"]]) } },
  });
  let looseAsked = 0;
  loose.decide = () => {
    looseAsked++;
    return { kind: "accept" };
  };
  await propose(loose, edit);
  assert.equal(looseAsked, 1);
});

test("a patch is no way to read what is never sent", async () => {
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

test("a key in the lines that a refusal quotes is taken out", async () => {
  const talk = await talkWith();
  const key = ["ghp", "c".repeat(36)].join("_");
  talk.workspace.write("work/b.ts", `one\nconst token = "${key}";\ntwo\n`);
  await propose(talk, patch("*** Update File: b.ts", "@@", " one", "-const token = 1;", "+const token = 2;"));
  assert.match(told(talk), /Failed to find/);
  for (const { raw } of talk.bodies()) assert.ok(!raw.includes(key));
  for (const line of talk.lines) assert.ok(!line.includes(key));
});

test("what a person wrote into the proposal is what is applied, and the model hears how it differs", async () => {
  const talk = await talkWith();
  talk.decide = () => {
    const edited = talk.conversation.proposal("call_p")?.edited;
    edited?.set("a.ts", numbers.replace("one", "UNO").replace("nine", "NINE").replace("five\n", ""));
    return { kind: "accept" };
  };
  const turn = await propose(talk, edit);
  const text = numbers.replace("one", "UNO").replace("nine", "NINE").replace("five\n", "");
  assert.equal(talk.workspace.text("work/a.ts"), text);
  assert.match(told(talk), /^Success\. Updated the following files:\nM a\.ts\n/);
  assert.match(told(talk), /The user edited a\.ts before accepting it/);
  assert.match(told(talk), /^-ONE\n\+UNO$/m);
  assert.match(told(talk), /^-five$/m);
  assert.doesNotMatch(told(talk), /^[-+]NINE$/m);
  assert.equal(english(patchOf(turn).message), "You edited a.ts before you accepted it.");
});

test("a file that a person has edited is taken whole or not at all", async () => {
  const talk = await talkWith();
  let asked = 0;
  talk.decide = () => {
    asked += 1;
    talk.conversation.proposal("call_p")?.edited?.set("a.ts", "mine\n");
    return asked === 1 ? { kind: "partly", hunks: ["a.ts#1"] } : { kind: "reject" };
  };
  const turn = await propose(talk, edit);
  assert.equal(asked, 2);
  assert.equal(patchOf(turn).status, "rejected");
  assert.equal(talk.workspace.text("work/a.ts"), numbers);
});

test("what was typed elsewhere while the patch waited is kept, and nobody is asked again", async () => {
  const talk = await talkWith();
  let asked = 0;
  talk.decide = () => {
    asked += 1;
    talk.workspace.write("work/a.ts", `typed\n${numbers}`);
    return { kind: "accept" };
  };
  await propose(talk, patch("*** Update File: a.ts", "@@", " seven", "-eight", "+EIGHT", " nine"));
  assert.equal(asked, 1);
  assert.equal(talk.workspace.text("work/a.ts"), `typed\n${numbers.replace("eight", "EIGHT")}`);
});
