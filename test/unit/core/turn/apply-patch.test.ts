import assert from "node:assert/strict";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Turn } from "../../../../src/core/conversation/state.ts";
import { call, patchCall, text } from "../../../sim/script.ts";
import { startTalk, type Talk, type TalkOptions } from "../../../support/talk.ts";

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
const edit = patch("*** Update File: a.ts", "@@", "-one", "+ONE", "@@", "-nine", "+NINE");
const numbers = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";

async function talkWith(options: TalkOptions = {}): Promise<Talk> {
  const talk = await startTalk(options);
  talk.workspace.write("work/a.ts", numbers);
  talk.decide = () => ({ kind: "accept" });
  return talk;
}

/** The model sends this patch and then says that it is done. */
async function propose(talk: Talk, sent: string): Promise<Turn> {
  talk.sim.reply(patchCall(sent, { callId: "call_p" }));
  talk.sim.reply(text("Done."));
  const turn = await talk.ask("Change it.");
  talk.sim.done();
  assert.deepEqual(talk.errors, []);
  return turn;
}

const patchOf = (turn: Turn) => {
  const part = turn.parts.find((each) => each.type === "patch");
  assert.ok(part?.type === "patch");
  return part;
};

/** What the model was told. */
const told = (talk: Talk): string => String(talk.bodies().at(-1)?.input.at(-1)?.["output"]);

const stations = (talk: Talk) =>
  talk.events.flatMap((event) =>
    event.type === "patch" && event.status !== "arriving" ? [event.status] : [],
  );

test("a patch that the user accepts is applied as one step, and the model hears it in the words it knows", async () => {
  const talk = await talkWith();
  const turn = await propose(talk, edit);
  assert.equal(talk.workspace.text("work/a.ts"), numbers.replace("one", "ONE").replace("nine", "NINE"));
  assert.equal(talk.workspace.applied, 1);
  assert.deepEqual(stations(talk), ["proposed", "applying", "applied"]);
  assert.equal(told(talk), "Success. Updated the following files:\nM a.ts\n");
  assert.equal(talk.bodies().at(-1)?.input.at(-1)?.["type"], "custom_tool_call_output");
  const { files } = patchOf(turn);
  assert.deepEqual(
    files.map(({ path, change, added, removed }) => ({ path, change, added, removed })),
    [{ path: "a.ts", change: "update", added: 2, removed: 2 }],
  );
  assert.deepEqual(files[0]?.hunks[0], {
    id: "a.ts#1",
    status: "applied",
    line: 1,
    added: 1,
    removed: 1,
    diff: "-one\n+ONE\n two\n three\n four\n",
  });
  assert.equal(talk.conversation.proposal("call_p")?.applied.length, 1);
});

test("nothing is touched before the user decides", async () => {
  const talk = await talkWith();
  let before: string | undefined;
  talk.decide = () => {
    before = talk.workspace.text("work/a.ts");
    return { kind: "accept" };
  };
  await propose(talk, edit);
  assert.equal(before, numbers);
});

test("a rejected patch changes nothing, and the user's reason reaches the model", async () => {
  const talk = await talkWith();
  talk.decide = () => ({ kind: "reject", reason: "keep it lower case" });
  const turn = await propose(talk, edit);
  assert.equal(talk.workspace.applied, 0);
  assert.equal(patchOf(turn).status, "rejected");
  assert.equal(
    told(talk),
    "The user rejected this patch. Nothing was changed. They said: keep it lower case",
  );
  assert.equal(talk.conversation.proposal("call_p"), undefined);
});

test("a part of a patch is applied as chosen, and the model hears which part", async () => {
  const talk = await talkWith();
  talk.decide = () => ({ kind: "partly", hunks: ["a.ts#2"], reason: "one stays" });
  const turn = await propose(talk, edit);
  assert.equal(talk.workspace.text("work/a.ts"), numbers.replace("nine", "NINE"));
  assert.deepEqual(
    patchOf(turn).files[0]?.hunks.map(({ status }) => status),
    ["rejected", "applied"],
  );
  assert.match(told(talk), /hunk 1 of a.ts: rejected by the user/);
  assert.match(told(talk), /hunk 2 of a.ts: applied/);
  assert.match(told(talk), /They said: one stays$/);
});

test("choosing every hunk is accepting, choosing none is rejecting", async () => {
  const every = await talkWith();
  every.decide = () => ({ kind: "partly", hunks: ["a.ts#1", "a.ts#2"] });
  await propose(every, edit);
  assert.match(told(every), /^Success/);
  const none = await talkWith();
  none.decide = () => ({ kind: "partly", hunks: ["nonsense"] });
  assert.equal(patchOf(await propose(none, edit)).status, "rejected");
  assert.equal(none.workspace.applied, 0);
});

test("files that are added, deleted and moved are chosen one by one", async () => {
  const talk = await talkWith();
  talk.workspace.write("work/old.ts", "old\n");
  talk.workspace.write("work/from.ts", "x\n");
  talk.decide = () => ({ kind: "partly", hunks: ["new.ts", "from.ts"] });
  await propose(
    talk,
    patch(
      "*** Add File: new.ts",
      "+fresh",
      "*** Delete File: old.ts",
      "*** Update File: from.ts",
      "*** Move to: to.ts",
    ),
  );
  const { workspace } = talk;
  assert.deepEqual(
    ["new.ts", "old.ts", "from.ts", "to.ts"].map((name) => workspace.text(`work/${name}`)),
    ["fresh\n", "old\n", undefined, "x\n"],
  );
});

test("a patch that does not fit is refused with what to send next, and nobody is asked", async () => {
  const talk = await talkWith();
  talk.decide = () => assert.fail("asked");
  const turn = await propose(talk, patch("*** Update File: a.ts", "@@", "-eleven", "+ELEVEN"));
  assert.equal(patchOf(turn).status, "failed");
  assert.match(told(talk), /Failed to find expected lines in a.ts/);
  assert.match(told(talk), /Nothing was changed/);
});

test("a model that sends the patch as a function is understood, and answered in kind", async () => {
  const talk = await talkWith();
  talk.sim.reply(call("apply_patch", { input: edit }, { callId: "call_f" }));
  talk.sim.reply(text("Done."));
  await talk.ask("Change it.");
  assert.equal(talk.workspace.applied, 1);
  assert.equal(talk.bodies().at(-1)?.input.at(-1)?.["type"], "function_call_output");
});

for (const profile of ["custom-no", "custom-no-format", "custom-no-output"] as const) {
  test(`a service that is ${profile} gets patches across all the same`, async () => {
    const talk = await talkWith({ profile });
    if (profile === "custom-no") talk.sim.reply(call("apply_patch", { input: edit }));
    else talk.sim.reply(patchCall(edit));
    talk.sim.reply(text("Done."));
    const turn = await talk.ask("Change it.");
    assert.equal(turn.status, "done", JSON.stringify(turn.problem));
    assert.equal(talk.workspace.applied, 1);
  });
}

test("while the patch arrives its files can be seen, and nothing is asked yet", async () => {
  const talk = await talkWith();
  await propose(talk, edit);
  const arriving = talk.events.filter((event) => event.type === "patch" && event.status === "arriving");
  assert.ok(arriving.length >= 2);
  const last = arriving.at(-1);
  assert.ok(last?.type === "patch");
  assert.equal(last.files[0]?.path, "a.ts");
  assert.deepEqual(last.files[0]?.hunks[0], {
    id: "a.ts#1",
    status: "pending",
    added: 1,
    removed: 1,
    diff: "-one\n+ONE\n",
  });
  assert.equal(new Set(talk.events.flatMap((event) => (event.type === "patch" ? [event.part] : []))).size, 1);
});

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
  talk.workspace.refuses = "The file is read-only.";
  const turn = await propose(talk, edit);
  assert.equal(patchOf(turn).message, "The file is read-only.");
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
    let asked = 0;
    talk.decide = () => {
      asked++;
      return { kind: "accept" };
    };
    const turn = await propose(talk, sent);
    assert.equal(patchOf(turn).status, "applied");
    return { asked, caution: patchOf(turn).files[0]?.caution };
  };
  assert.equal((await open(edit)).asked, 0);
  assert.equal((await open(patch("*** Delete File: a.ts"))).asked, 1);
  const dangerous = await open(patch("*** Update File: package.json", "@@", "-{}", '+{"scripts":{}}'));
  assert.equal(dangerous.asked, 1);
  assert.match(dangerous.caution ?? "", /^Look twice: /);
  assert.equal((await open(patch("*** Add File: .vscode/tasks.json", "+{}"))).asked, 1);
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
  assert.equal(patchOf(turn).message, "You edited a.ts before you accepted it.");
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
