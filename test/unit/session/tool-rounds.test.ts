// Rounds of tools: calls side by side, wrong ones, ones that ask, ones without end.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostTool } from "../../../src/tools/tool-table.ts";
import { drip } from "../../sim/delivery-faults.ts";
import { call, interleaved, patchCall, reasoning, text } from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { english } from "../../support/english.ts";
import { lastBody, outputs, reading, startTalk } from "../../support/talk.ts";

test("a tool round sends the call back with its output, and the final response ends the turn", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\ntwo\n");
  talk.sim.reply(reasoning("look first"), call("read_file", { path: "a.ts" }, { callId: "call_a" }));
  talk.sim.reply(text("It says one and two."));
  const turn = await talk.ask("What is in a.ts?");
  assert.equal(turn.status, "done");
  assert.deepEqual(reading(turn), ["reasoning look first", "read_file done", "text It says one and two."]);
  const [first, second] = talk.bodies();
  assert.ok(first && second);
  assert.deepEqual(outputs(second), [["call_a", "a.ts, lines 1–2 of 2\n1\tone\n2\ttwo"]]);
  const types = second.input.map(({ type }) => type);
  assert.deepEqual(types, ["message", "reasoning", "function_call", "function_call_output"]);
  assert.equal(turn.usage.length, 2);
  talk.sim.done();
});

test("read_file omits lines it has returned before, unless more is requested or they have changed", async () => {
  const talk = await startTalk();
  const lines = Array.from({ length: 60 }, (_, at) => `const value${at + 1} = ${at + 1};`);
  talk.workspace.write("work/a.ts", `${lines.join("\n")}\n`);
  const told = async (...inputs: readonly Record<string, string | number>[]) => {
    talk.sim.reply(...inputs.map((input, at) => call("read_file", input, { callId: `c${at}` })));
    talk.sim.reply(text("Read."));
    await talk.ask("Read.");
    return outputs(lastBody(talk))
      .slice(-inputs.length)
      .map(([, output]) => String(output));
  };
  const part = { path: "a.ts", start_line: 11, end_line: 40 };
  const shown = (start: number, end: number) =>
    [
      `a.ts, lines ${start}–${end} of 60`,
      ...lines.slice(start - 1, end).map((line, at) => `${start + at}\t${line}`),
    ].join("\n");
  const known = "a.ts, lines 11–40 of 60: you have read them above, and they have not changed.";
  assert.deepEqual(await told({ path: "a.ts", end_line: 50 }), [shown(1, 50)]);
  assert.deepEqual(await told(part), [known]);
  assert.deepEqual(await told({ ...part, end_line: 60 }), [shown(11, 60)], "not all of them were read");
  talk.workspace.write("work/a.ts", `${lines.join("\n").replace("value20 =", "changed =")}\n`);
  assert.match((await told(part))[0] ?? "", /\n20\tconst changed = 20;\n/);
  talk.sim.done();
});

test("read_file returns known lines again on a repeated request or after another version was read", async () => {
  const talk = await startTalk();
  const write = (word: string) => talk.workspace.write("work/a.ts", `${word} words of a line\n`.repeat(40));
  const read = async (...callIds: readonly string[]) => {
    const part = { path: "a.ts", start_line: 1, end_line: 30 };
    for (const callId of callIds) talk.sim.reply(call("read_file", part, { callId }));
    talk.sim.reply(text("Enough."));
    await talk.ask("Read.");
    return outputs(lastBody(talk)).map(([, output]) => String(output));
  };
  write("some");
  const [first = ""] = await read("c1");
  assert.match(first, /\n30\tsome words/);
  const [, known, again] = await read("c2", "c3");
  assert.match(known ?? "", /^a\.ts, lines 1–30 of 40: you have read them above/);
  assert.equal(again, first);
  write("other");
  assert.match((await read("c4")).at(-1) ?? "", /\n30\tother words/);
  write("some");
  assert.equal((await read("c5")).at(-1), first);
  talk.sim.done();
});

test("a turn that ends without text after its calls is incomplete and offers Continue and Retry", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  talk.sim.reply(call("read_file", { path: "a.ts" }));
  talk.sim.reply(reasoning("That is all I wanted to know."));
  const turn = await talk.ask("What is in a.ts?");
  assert.equal(turn.problem?.message.code, "problemNoFinal");
  assert.deepEqual([turn.status, turn.problem?.actions], ["incomplete", ["continue", "retry"]]);
  talk.sim.reply(text("It says one."));
  await talk.conversation.retry("continue", asking());
  assert.deepEqual(reading(talk.last()), ["text It says one."]);
  talk.sim.done();
});

// Of each kind of service one: all of them are in every-dialect.slow.test.ts, and how each writes a call in service/dialects.
for (const profile of [
  "standard",
  "interface-strict",
  "nostream",
  "namespace-no",
  "replay-strict",
  "items-only",
  "deltas-only",
] as const) {
  test(`parallel calls are answered in one request, once each and in order (${profile})`, async () => {
    const talk = await startTalk({ profile });
    talk.workspace.write("work/a.ts", "alpha\n");
    const calls = [
      call("read_file", { path: "a.ts" }, { callId: "call_1" }),
      call("read_file", { path: "gone.ts" }, { callId: "call_2" }),
      call("search_text", { query: "alpha" }, { callId: "call_3" }),
    ];
    talk.sim.reply(...calls, interleaved());
    talk.sim.reply(text("Done."));
    const turn = await talk.ask("Look around.");
    assert.equal(turn.status, "done", JSON.stringify(turn.problem));
    assert.deepEqual(outputs(lastBody(talk)), [
      ["call_1", "a.ts, lines 1–1 of 1\n1\talpha"],
      ["call_2", 'There is no "gone.ts".'],
      ["call_3", "a.ts\n1:alpha"],
    ]);
    const shown = reading(turn).filter((part) => !part.startsWith("note"));
    assert.deepEqual(shown, ["read_file done", "read_file failed", "search_text done", "text Done."]);
    talk.sim.done();
  });
}

test("row 56: an invalid call gets an error output, and the turn continues", async () => {
  const talk = await startTalk({
    settings: {
      tools: { user: new Map([["problems", "off"]]), workspace: new Map([["list_files", "off"]]) },
    },
  });
  talk.sim.reply(
    call("run_shell", { command: "rm -rf /" }, { callId: "c1" }),
    call("read_file", '{"path": "a', { callId: "c2" }),
    call("read_file", { file: "a.ts" }, { callId: "c3" }),
    call("read_file", { path: "../../etc/passwd" }, { callId: "c4" }),
    call("problems", {}, { callId: "c5" }),
    call("list_files", {}, { callId: "c6" }),
  );
  talk.sim.reply(text("I see."));
  const turn = await talk.ask("Try things.");
  assert.equal(turn.status, "done");
  const said = outputs(lastBody(talk)).map(([, output]) => String(output));
  const expected = [
    /no tool named "run_shell"/,
    /not valid JSON/,
    /path: must be a string/,
    /leads upwards/,
    /switched problems off/,
    /switched list_files off/,
  ];
  assert.equal(said.length, expected.length);
  for (const [index, sentence] of expected.entries()) assert.match(said[index] ?? "", sentence);
  talk.sim.done();
});

test("a tool set to ask runs when the user agrees, and otherwise reports the refusal to the model", async () => {
  const talk = await startTalk({
    settings: { tools: { user: new Map([["read_file", "ask"]]), workspace: new Map() } },
  });
  talk.workspace.write("work/a.ts", "x\n");
  talk.decide = ({ call: id }) =>
    id === "yes" ? { kind: "accept" } : { kind: "reject", reason: "that file is private" };
  talk.sim.reply(
    call("read_file", { path: "a.ts" }, { callId: "yes" }),
    call("read_file", { path: "a.ts", start_line: 1 }, { callId: "no" }),
  );
  talk.sim.reply(text("Fine."));
  const turn = await talk.ask("Read it.");
  assert.deepEqual(reading(turn), ["read_file done", "read_file refused", "text Fine."]);
  assert.deepEqual(outputs(lastBody(talk)), [
    ["yes", "a.ts, lines 1–1 of 1\n1\tx"],
    ["no", "The user declined this call. They said: that file is private"],
  ]);
  const stations = talk.events.flatMap((event) =>
    event.type === "tool" ? [`${event.call} ${event.status}`] : [],
  );
  assert.deepEqual(
    stations.filter((each) => each.startsWith("yes")),
    ["yes asked", "yes running", "yes done"],
  );
  assert.deepEqual(
    stations.filter((each) => each.startsWith("no")),
    ["no asked", "no refused"],
  );
});

test("the third identical call asks the user, even where the tool is allowed", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "x\n");
  let asked = 0;
  talk.decide = () => {
    asked++;
    return { kind: "reject" };
  };
  for (let round = 0; round < 3; round++) talk.sim.reply(call("read_file", { path: "a.ts" }));
  talk.sim.reply(text("I give up."));
  const turn = await talk.ask("Loop.");
  assert.equal(asked, 1);
  assert.deepEqual(reading(turn), [
    "read_file done",
    "read_file done",
    "read_file refused",
    "text I give up.",
  ]);
});

test("row 58: a turn that keeps calling tools stops after 25 requests and offers Continue", async () => {
  const talk = await startTalk();
  for (let round = 0; round < 25; round++) talk.sim.reply(call("search_text", { query: `q${round}` }));
  const turn = await talk.ask("Go on and on.");
  assert.equal(talk.sim.requests.length, 25);
  assert.equal(turn.status, "incomplete");
  assert.match(english(turn.problem), /25 requests for this question/);
  assert.deepEqual(turn.problem?.actions, ["continue"]);
  talk.sim.reply(text("Now I am done."));
  await talk.conversation.retry("continue", asking());
  assert.equal(talk.last().status, "done");
  assert.equal(lastBody(talk).input.at(-1)?.["type"], "function_call_output", "nothing is said in between");
  talk.sim.done();
});

test("an untrusted workspace has no tools, also when trust is withdrawn later", async () => {
  const talk = await startTalk();
  talk.workspace.trusted = false;
  talk.sim.reply(text("Hello."));
  await talk.ask("Hi.");
  assert.equal(talk.bodies()[0]?.body["tools"], undefined);

  const other = await startTalk();
  other.workspace.write("work/a.ts", "x\n");
  other.sim.reply(text("Hello."));
  await other.ask("Hi.");
  assert.ok(other.bodies()[0]?.body["tools"]);
  other.workspace.trusted = false;
  other.sim.reply(call("read_file", { path: "a.ts" }));
  other.sim.reply(text("I may not."));
  const turn = await other.ask("Read.");
  assert.deepEqual(reading(turn), ["read_file refused", "text I may not."]);
  assert.deepEqual(other.workspace.handedOut, []);
});

test("read-only calls run in parallel, and writing calls run alone in the order of the reply", async () => {
  const happened: string[] = [];
  let meet = () => {};
  const both = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const tool = (name: string, readOnly: boolean): HostTool => ({
    ...{ namespace: "others", name, description: name, parameters: {}, readOnly },
    async call({ id }) {
      happened.push(`${id} begins`);
      if (happened.includes("a begins") && happened.includes("b begins")) meet();
      // One reader that had to wait for the other would wait for ever.
      await both;
      await new Promise(setImmediate);
      happened.push(`${id} ends`);
      return { output: String(id) };
    },
  });
  const user = new Map([["others", "auto" as const]]);
  const talk = await startTalk({
    hostTools: [tool("look", true), tool("write", false)],
    settings: { tools: { user, workspace: new Map() } },
  });
  const calls = Object.entries({ a: "look", b: "look", c: "write", d: "write", e: "look" });
  talk.sim.reply(...calls.map(([id, name]) => call(name, { id }, { namespace: "others", callId: id })));
  talk.sim.reply(text("Done."));
  assert.equal((await talk.ask("Do it.")).status, "done");
  const [readers, rest] = [happened.slice(0, 4), happened.slice(4)];
  assert.deepEqual(readers.slice(0, 2).sort(), ["a begins", "b begins"]);
  assert.deepEqual(rest, ["c begins", "c ends", "d begins", "d ends", "e begins", "e ends"]);
  assert.deepEqual(
    outputs(lastBody(talk)).map(([id, output]) => [id, output]),
    ["a", "b", "c", "d", "e"].map((id) => [id, id]),
  );
});

test("the model is told which calls a stop has left unrun, and what came of those before", async () => {
  const talk = await startTalk();
  talk.workspace.write("work/a.ts", "one\n");
  const listening = talk.onEvent((event) => {
    if (event.type === "patch" && event.status === "proposed") talk.stop();
  });
  const added = (path: string) => `*** Begin Patch\n*** Add File: ${path}\n+one\n*** End Patch\n`;
  talk.sim.reply(
    patchCall("*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+ONE\n*** End Patch\n", {
      callId: "call_p",
    }),
    patchCall(added("b.ts"), { callId: "call_q" }),
    call("read_file", { path: "a.ts" }, { callId: "call_r" }),
  );
  assert.equal((await talk.ask("Change it.")).status, "stopped");
  listening.dispose();
  talk.sim.reply(text("I see."));
  await talk.ask("Why did you stop?");
  const unrun = "The user stopped the turn before this call was run.";
  const [[, placed], ...others] = outputs(lastBody(talk)) as [[string, string], ...[string, string][]];
  assert.match(placed, /^Success/);
  assert.deepEqual(others, [
    ["call_q", unrun],
    ["call_r", unrun],
  ]);
  const later = talk.onEvent((event) => {
    if (event.type === "text") talk.stop();
  });
  talk.sim.reply(call("read_file", { path: "a.ts" }, { callId: "call_s" }), text("And so on."), drip(400, 1));
  assert.equal((await talk.ask("Look again.")).status, "stopped");
  later.dispose();
  talk.sim.reply(text("I see."));
  await talk.ask("Well?");
  assert.deepEqual(outputs(lastBody(talk)).at(-1), ["call_s", unrun], "its reply had not ended");
  talk.sim.done();
});

test("outputs follow in the order of the calls after a stop in one of them, and the picture of an earlier one last", async () => {
  const image = "data:image/png;base64,cGljdHVyZQ==";
  const tool = (name: string, called: HostTool["call"]): HostTool => ({
    ...{ namespace: "o", name, description: "D.", parameters: {}, readOnly: false },
    call: called,
  });
  const talk = await startTalk({
    hostTools: [
      tool("draw", async () => ({ output: "drawn", images: [image] })),
      tool("wait", () => {
        talk.stop();
        return new Promise(() => {});
      }),
    ],
    settings: { tools: { user: new Map([["o", "auto"]]), workspace: new Map() } },
  });
  const added = patchCall("*** Begin Patch\n*** Add File: b.ts\n+one\n*** End Patch\n", { callId: "call_r" });
  talk.sim.reply(
    call("draw", {}, { callId: "call_p", namespace: "o" }),
    call("wait", {}, { callId: "call_q", namespace: "o" }),
    added,
  );
  assert.equal((await talk.ask("Draw it.")).status, "stopped");
  talk.sim.reply(text("I see."));
  await talk.ask("Well?");
  const { input } = lastBody(talk);
  assert.deepEqual(
    outputs(lastBody(talk)).map(([id]) => id),
    ["call_p", "call_q", "call_r"],
  );
  const types = input.map(({ type }) => String(type).replace(/^.*_output$/, "output"));
  const at = types.indexOf("output");
  assert.deepEqual(types.slice(at, at + 4), ["output", "output", "output", "message"]);
  assert.match(JSON.stringify(input[at + 3]), /cGljdHVyZQ/);
  const [, during, after] = outputs(lastBody(talk)).map(([, output]) => String(output));
  assert.match(during ?? "", /nothing can be said about its result/);
  assert.equal(after, "The user stopped the turn before this call was run.");
  talk.sim.done();
});
