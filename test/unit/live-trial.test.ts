// The live trial itself: how replies are written, what a run costs, how player and product meet, and how folders are laid out.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { type Cost, costsOf, lettersAsTokens } from "../live/costs.ts";
import { figuresOf, refusedIn } from "../live/figures.ts";
import { judge } from "../live/hidden-tests.ts";
import { play } from "../live/play.ts";
import { prepare } from "../live/prepare.ts";
import { type RelayedRequest, startRelay } from "../live/relay.ts";
import { readReply } from "../live/reply-form.ts";
import {
  end,
  filePlayer,
  forget,
  headOfRequest,
  openRequest,
  repliesOf,
  requestText,
  rootOf,
  say,
  untilAsked,
  wasPlayed,
} from "../live/runs.ts";
import { readTask, type Task, taskNames } from "../live/task.ts";
import { responsesTokens } from "../sim/tokens.ts";
import { liveSession } from "../support/corpus.ts";
import { ownFolder, withVariable } from "../support/one-test.ts";

const patch = "*** Begin Patch\n*** Delete File: a.ts\n*** End Patch";
const withPatches = { tools: [{ type: "custom", name: "apply_patch" }] };

describe("a reply", () => {
  test("parses into text, reasoning, calls and a patch in the order written", () => {
    const written = `Hello\n#reasoning\nI think\n#text\nthere\n#call read_file {"path":\n"a.ts"}\n${patch}\n`;
    assert.deepEqual(
      readReply(written, withPatches).map((part) => (part.part === "piece" ? part.piece : part)),
      [
        { kind: "message", parts: [{ kind: "text", text: "Hello", citations: [] }] },
        { kind: "reasoning", summary: ["I think"] },
        { kind: "message", parts: [{ kind: "text", text: "there", citations: [] }] },
        { kind: "call", name: "read_file", arguments: '{"path":\n"a.ts"}' },
        { kind: "patch", input: `${patch}\n` },
      ],
    );
  });

  test("calls apply_patch in the form the request offers, and otherwise keeps the patch as text", () => {
    const kindOf = (request: Parameters<typeof readReply>[1]) => {
      const [part] = readReply(patch, request);
      return part?.part === "piece" ? part.piece.kind : part;
    };
    assert.equal(kindOf(withPatches), "patch");
    assert.equal(kindOf({ tools: [{ type: "function", name: "apply_patch" }] }), "call");
    assert.equal(kindOf({ messages: [] }), "message");
  });

  test("leaves a block as it is that a player has written themselves", () => {
    const block = `<apply_patch_1a2b>\n${patch}\n</apply_patch_1a2b>`;
    const parts = readReply(`Done.\n${block}`, withPatches);
    assert.deepEqual(
      parts.map((part) => (part.part === "piece" ? part.piece : part)),
      [{ kind: "message", parts: [{ kind: "text", text: `Done.\n${block}`, citations: [] }] }],
    );
  });

  test("is refused when the JSON of a call is incomplete", () => {
    assert.throws(() => readReply('#call read_file {"path":', {}), /does not end/);
  });
});

describe("the figures of a run", () => {
  const called = (id: string, name: string, args: string, output: string) => [
    { type: "function_call", call_id: id, name, arguments: args },
    { type: "function_call_output", call_id: id, output },
  ];
  const request = (number: number, input: readonly object[], reply: string): RelayedRequest => ({
    number,
    body: { input },
    tokens: 100,
    cached: 25,
    reply,
  });

  test("count refused, repeated and unused calls", () => {
    const first = [
      ...called("used", "read_file", '{"path":"src/a.ts"}', "one"),
      ...called("vain", "read_file", '{"path":"src/b.ts"}', "two"),
      ...called("none", "search_text", '{"query":"x"}', "No matches."),
      ...called("refused", "read_file", '{"path":"c.ts"}', "There is none."),
    ];
    const second = [...first, ...called("again", "read_file", '{"path":"src/a.ts"}', "one")];
    const requests = [
      request(1, [], "#call …"),
      request(2, first, "#call …"),
      request(3, second, "It stands in a.ts."),
    ];
    // After a summary it has to be read once more.
    requests.push(
      request(4, called("fresh", "read_file", '{"path":"src/a.ts"}', "one"), "It stands in a.ts."),
    );
    const refused = refusedIn([
      { type: "tool", call: "refused", status: "failed" },
      { type: "tool", call: "used", status: "done" },
    ]);
    assert.deepEqual(figuresOf(requests, refused), {
      requests: 4,
      inputTokens: 400,
      cachedShare: 25,
      calls: { read_file: 5, search_text: 1 },
      wasted: { refused: 1, repeated: 1, unused: 1 },
    });
  });

  test("count the patch that ends a task", () => {
    const last: RelayedRequest = {
      number: 1,
      body: withPatches,
      tokens: 1,
      cached: 0,
      reply: `Done.\n${patch}`,
    };
    assert.deepEqual(figuresOf([last], new Set()).calls, { apply_patch: 1 });
  });
});

function storage(t: TestContext): string {
  const folder = ownFolder(t, "trial");
  withVariable(t, "PATCHBAY_LIVE", join(folder, "runs"));
  return folder;
}

describe("the costs of a run", () => {
  test("list the tokens of each kind of text, once and as often as it was sent", () => {
    const instructions = "You are one.\nAround you:\n<workspace>\nFolder: a\n</workspace>";
    const question = { type: "message", role: "user", content: "Where is it?" };
    const call = { type: "function_call", call_id: "c", name: "read_file", arguments: '{"path":"a.ts"}' };
    const output = { type: "function_call_output", call_id: "c", output: "1\tconst one = 1;" };
    const bodies = [[question], [question, call, output], [question, call, output]];
    const requests = bodies.map((input) => ({
      body: { instructions, tools: [{ name: "read_file" }], input },
    }));
    const costs = costsOf(requests);
    const sums = requests.map(({ body }) => responsesTokens(body).length);
    const framing = 2 * requests.length;
    assert.equal(
      costs.reduce((sum, { sent }) => sum + sent, 0),
      sums.reduce((sum, each) => sum + each, 0) - framing,
      "all that was sent but the two marks around instructions",
    );
    const timesOf = ({ once, sent }: Cost) => sent / once;
    const times = Object.fromEntries(costs.map((cost) => [cost.what, timesOf(cost)]));
    assert.deepEqual(times, {
      ...{ "definitions of tools": 3, instructions: 3, surroundings: 3, questions: 3 },
      ...{ "call of read_file": 2, "result of read_file": 2 },
    });
    const [first] = requests;
    assert.equal(first && lettersAsTokens(first), Math.round((22 + instructions.length + 12) / 4));
  });
});

test("the costs of a chat model's run are split like those of others", () => {
  const system = "You are one.\nYou can call tools. These are the tools:\n{}";
  const result = '<tool_result_1a name="read_file" of="a.ts">\n1\tone\n</tool_result_1a>';
  const messages = [
    { role: "system", content: system },
    { role: "user", content: "Where is it?" },
    { role: "assistant", content: "<tool_call_1a>…" },
    { role: "user", content: result },
  ];
  const costs = costsOf([{ body: { messages: messages.slice(0, 2) } }, { body: { messages } }]);
  assert.deepEqual(Object.fromEntries(costs.map(({ what, once, sent }) => [what, sent / once])), {
    ...{ "definitions of tools": 2, instructions: 2, questions: 2 },
    ...{ "text and calls of the model": 1, "result of read_file": 1 },
  });
});

describe("a player", () => {
  test("sees the head of a long request and the path of its file, and cannot end a run without a process", (t) => {
    const run = join(storage(t), "runs", "some-task");
    mkdirSync(run, { recursive: true });
    const lines = Array.from({ length: 160 }, (_, at) => `line ${at + 1}`);
    const file = join(run, "request-1.txt");
    writeFileSync(file, lines.join("\n"));
    const shown = headOfRequest("some-task", 1).split("\n");
    assert.deepEqual(shown.slice(0, -1), lines.slice(0, 150));
    assert.equal(shown.at(-1), `[10 more lines: ${file}, from line 151]`);
    assert.equal(end("some-task"), false, "there is no process of it");
    writeFileSync(join(run, "pid"), "4194305");
    assert.equal(end("some-task"), false);
  });

  test("reads only the new part of each request from a file and replies by a file", async (t) => {
    const folder = join(storage(t), "work");
    mkdirSync(folder);
    writeFileSync(join(folder, "a.ts"), "one\n");
    const relay = await startRelay(filePlayer("trial"));
    const session = liveSession(folder, { baseUrl: relay.url, key: relay.key });
    t.after(async () => {
      await session.close();
      await relay.close();
    });
    assert.throws(() => say("trial", "Nobody has asked."), /No request of trial waits/);
    const answer = session.send("What is in a.ts?");
    await untilAsked(["trial"], 30);
    assert.match(requestText("trial", 1), /=== tools[\s\S]*What is in a\.ts\?/);
    assert.throws(() => say("trial", "\n"), /says nothing/);
    assert.equal(say("trial", '#call read_file {"path":"a.ts"}'), 1);
    while (openRequest("trial") !== 2) await untilAsked(["trial"], 1);
    const fresh = requestText("trial", 2);
    assert.match(fresh, /as in request 1[\s\S]*1\tone/);
    assert.doesNotMatch(fresh, /What is in a\.ts\?/);
    say("trial", "A one.");
    assert.equal((await answer).text, "A one.");
    assert.deepEqual(repliesOf("trial"), ['#call read_file {"path":"a.ts"}', "A one."]);
    assert.equal(wasPlayed("trial"), true);
    forget("trial");
    assert.deepEqual([wasPlayed("trial"), repliesOf("trial")], [false, []]);
  });

  test("without a reply fails the turn without a retry", async (t) => {
    const folder = join(storage(t), "work");
    mkdirSync(folder);
    const relay = await startRelay(async () => undefined);
    const session = liveSession(folder, { baseUrl: relay.url, key: relay.key });
    t.after(async () => {
      await session.close();
      await relay.close();
    });
    assert.equal((await session.send("Hello")).status, "failed");
    assert.equal(relay.requests.length, 1);
  });
});

describe("a task", () => {
  test("is read from its file, and an unknown name is refused", () => {
    for (const name of taskNames()) assert.ok(readTask(name).steps.length > 0, name);
    assert.throws(() => readTask("nothing"), /There is no task nothing: .*chat-only/);
  });

  test("of a repository is laid out from a local mirror, edited, and judged by a later commit", async (t) => {
    const folder = storage(t);
    const mirror = join(folder, "mirrors", "somebody+thing.git");
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", mirror, "-c", "user.name=t", "-c", "user.email=t@t.example", ...args]);
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(mirror, path)), { recursive: true });
      writeFileSync(join(mirror, path), text);
    };
    mkdirSync(mirror, { recursive: true });
    git("init", "-q");
    write("a.mjs", "export const a = 1;\n");
    write("AGENTS.md", "Run it.\n");
    git("add", ".");
    git("commit", "-q", "-m", "before");
    write("a.mjs", "export const a = 2;\n");
    write("test/a.mjs", 'import { a } from "../a.mjs";\nif (a !== 2) throw new Error(String(a));\n');
    git("add", ".");
    git("commit", "-q", "-m", "after");
    const head = git("rev-parse", "HEAD").toString().trim();
    const task: Task = {
      about: "one",
      folder: {
        repository: "somebody/thing",
        commit: `${head}^`,
        edits: [{ path: "a.mjs", find: "1;", replace: "$&0;" }],
        without: ["AGENTS.md"],
      },
      steps: [{ ask: "Change it." }],
      hidden: { ofCommit: { commit: head, paths: ["test/a.mjs"] }, commands: ["node test/a.mjs"] },
    };
    await assert.rejects(prepare("thing", task), /needs a mirror of somebody\/thing/);
    await prepare("thing", task, join(folder, "mirrors"));
    const root = rootOf("thing", task);
    assert.equal(readFileSync(join(root, "a.mjs"), "utf8"), "export const a = $&0;\n");
    assert.deepEqual([existsSync(join(root, "AGENTS.md")), existsSync(join(root, "test"))], [false, false]);
    assert.equal((await judge(task, root))?.isSolved, false);
    writeFileSync(join(root, "a.mjs"), "export const a = 2;\n");
    assert.equal((await judge(task, root))?.isSolved, true);
    assert.equal(existsSync(join(root, "test")), false);
    await prepare("thing", { ...task, folder: { ...task.folder, history: false } }, join(folder, "mirrors"));
    const said = (...args: string[]) => execFileSync("git", ["-C", root, ...args]).toString();
    assert.equal(said("status", "--porcelain"), "");
    assert.equal(said("log", "--all", "--format=%s"), "Begin\n");
    assert.equal(said("show", "HEAD:a.mjs"), "export const a = $&0;\n");
  });

  test("is steered once an edit is proposed, and what touches the folder before that is told", async (t) => {
    const folder = join(storage(t), "work");
    mkdirSync(folder);
    writeFileSync(join(folder, "a.ts"), "one\n");
    const asked: string[] = [];
    const relay = await startRelay(async ({ number, fresh }) => {
      asked.push(fresh);
      if (number === 2) writeFileSync(join(folder, "b.ts"), "somebody's\n");
      return ['#call read_file {"path":"a.ts"}', patch, "Done."][number - 1];
    });
    t.after(() => relay.close());
    const task: Task = {
      about: "one",
      folder: { own: "durations" },
      steps: [{ ask: "Delete it.", steer: "And then stop." }],
    };
    const { steps } = await play(task, { root: folder, relay });
    assert.deepEqual(
      asked.map((text) => text.includes("And then stop.")),
      [false, false, true],
    );
    assert.deepEqual(steps[0]?.touched, [join(folder, "b.ts")]);
    assert.equal(existsSync(join(folder, "a.ts")), false);
  });

  test("is stopped in the middle of a reply, and goes on with what is said then", async (t) => {
    const folder = join(storage(t), "work");
    mkdirSync(folder);
    for (const name of ["a", "b", "c"]) writeFileSync(join(folder, `${name}.ts`), `${name}\n`);
    const deletes = (...names: readonly string[]) => names.map((name) => patch.replace("a.ts", `${name}.ts`));
    const requests: string[] = [];
    const relay = await startRelay(async ({ number, request }) => {
      requests.push(JSON.stringify(request.body));
      return [deletes("a").join("\n"), deletes("b", "c").join("\n"), "All but one."][number - 1];
    });
    t.after(() => relay.close());
    const task: Task = {
      about: "one",
      folder: { own: "durations" },
      steps: [{ ask: "Delete them.", interrupt: { atEdit: 2, say: "Leave c.ts alone." } }],
    };
    const { steps } = await play(task, { root: folder, relay });
    assert.equal(requests.length, 3);
    assert.match(requests[2] ?? "", /user stopped this request before it was done.*Leave c\.ts alone\./);
    assert.deepEqual(
      steps.map(({ status, interrupted, text }) => [status, interrupted, text.trim()]),
      [["done", true, "All but one."]],
    );
    const left = ["a", "b", "c"].filter((name) => existsSync(join(folder, `${name}.ts`)));
    assert.deepEqual(left, ["c"], "what was proposed before Stop stays proposed");
  });

  test("is judged by what the answer says", async (t) => {
    const root = join(storage(t), "work");
    mkdirSync(root);
    const says = "cannot.*wait";
    const task: Task = {
      about: "one",
      folder: { own: "durations" },
      steps: [{ ask: "Do it." }],
      hidden: { commands: [], answer: [{ fact: "It is not possible", says }] },
    };
    assert.deepEqual((await judge(task, root, "Done."))?.unsaid, ["It is not possible"]);
    assert.equal((await judge(task, root, "Done."))?.isSolved, false);
    assert.equal((await judge(task, root, "It Cannot\nwait."))?.isSolved, true);
  });
});
