// Every way by which text of a file comes to the model, each with a key in it: no body that goes out holds one. Each
// test says whose way it tries, so that a way which no test tries is found.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Attachment } from "../../../../src/core/conversation/attachment.ts";
import { shownOnly } from "../../../../src/core/session/import-conversation.ts";
import { createLanguageModelChat } from "../../../../src/core/session/language-model-chat.ts";
import { WorkspacePrompts } from "../../../../src/core/session/workspace-prompts.ts";
import type { HostTool } from "../../../../src/core/tools/host-tool.ts";
import { call, patchCall, text } from "../../../sim/script.ts";
import { pem } from "../../../support/sample-secrets.ts";
import { startTalk, type Talk, type TalkOptions } from "../../../support/talk.ts";
import { newsIn, patch } from "./patch-talk.ts";

const token = `ghp${"_"}${"aB3dE5".repeat(6)}`;
const key = pem(`RSA PRIVATE${" KEY"}`, 40).split("\n");
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);
/** A key in the middle of a file: lines around it are no key, lines within it do not say that they are. */
const file = `${[...numbered(10), ...key, ...numbered(10), `const a = "${token}";`].join("\n")}\n`;
const planted = [token, ...key.filter((line) => !line.startsWith("---"))];

const tried = new Set<string>();

/** A test of what these files of the product make of a key. */
function testQuotes(name: string, places: readonly string[], run: () => Promise<void>): void {
  for (const place of places) tried.add(`src/core/${place}.ts`);
  test(name, run);
}

function assertNothingLeft(talk: Talk, words: string): void {
  const bodies = talk.sim.requests.map(({ raw }) => raw.toString("utf8"));
  assert.ok(
    bodies.some((raw) => raw.includes(words)),
    `nothing was quoted: ${words}`,
  );
  for (const raw of bodies) for (const each of planted) assert.ok(!raw.includes(each), each);
  talk.sim.done();
}

async function talkWith(options: TalkOptions = {}): Promise<Talk> {
  const talk = await startTalk(options);
  talk.workspace.write("work/a.ts", file);
  talk.decide = () => ({ kind: "accept" });
  return talk;
}

const attached: readonly (readonly [Attachment, words: string])[] = [
  [{ kind: "file", path: "a.ts" }, "line 10"],
  [{ kind: "selection", path: "a.ts", start: 20, end: 30 }, "selection path"],
  [{ kind: "text", name: "Cell 1", text: file }, "line 10"],
  [{ kind: "terminal", name: "bash", text: file }, "line 10"],
  [
    { kind: "diff", name: "Staged", text: `diff --git a/a.ts b/a.ts\n${file.replace(/^/gm, "+")}` },
    "+line 10",
  ],
  [
    { kind: "diff", name: "Inside of a key", text: `@@ -20,5 +20,5 @@\n ${key.slice(9, 14).join("\n ")}\n` },
    "@@ -20",
  ],
  [{ kind: "problems" }, "cannot use"],
];

for (const [wish, words] of attached)
  testQuotes(
    `a key in what is attached does not go: ${wish.kind}, ${words}`,
    ["tools/read-attachment"],
    async () => {
      const talk = await talkWith();
      const message = `cannot use ${"x".repeat(1985)} ${token}`;
      const place = { file: { folder: "work", path: "a.ts" }, line: 1, column: 1 };
      talk.workspace.markers.push({ ...place, severity: "error", message });
      talk.sim.reply(text("I see."));
      await talk.ask({ prompt: "Look.", attachments: [wish] });
      assertNothingLeft(talk, words);
    },
  );

const calls: readonly (readonly [
  name: string,
  input: Readonly<Record<string, string | number | boolean>>,
  words: string,
  place: string,
])[] = [
  ["read_file", { path: "a.ts" }, "line 10", "files/guarded-files"],
  ["read_file", { path: "a.ts", start_line: 20, end_line: 25 }, "lines 20–25", "files/guarded-files"],
  ["search_text", { query: "[A-Za-z]{3}", regex: true }, "a.ts:1", "tools/search-text"],
  ["list_files", {}, "a.ts", "turn/run-call"],
  ["problems", {}, "a.ts:1:1", "tools/list-problems"],
  ["look_up", {}, "line 10", "turn/run-call"],
  ["break", {}, "failed: line 1", "turn/run-call"],
];

const host = (name: string, answer: () => string): HostTool => ({
  namespace: "other",
  name,
  description: "",
  parameters: {},
  readOnly: true,
  call: async () => ({ output: answer() }),
});

for (const [name, input, words, place] of calls)
  testQuotes(
    `a key in what a tool answers does not go: ${name} ${JSON.stringify(input)}`,
    [place],
    async () => {
      const talk = await talkWith({
        hostTools: [
          host("look_up", () => file),
          host("break", () => {
            throw new Error(file);
          }),
        ],
      });
      talk.settings = {
        ...talk.settings,
        tools: { ...talk.settings.tools, user: new Map([["other", "auto"]]) },
      };
      const place = { file: { folder: "work", path: "a.ts" }, line: 1, column: 1 };
      talk.workspace.markers.push({ ...place, severity: "error", message: `${"x".repeat(1990)} ${token}` });
      const namespace = ["look_up", "break"].includes(name) ? { namespace: "other" } : {};
      talk.sim.reply(call(name, input, namespace));
      talk.sim.reply(text("I see."));
      await talk.ask("Look.");
      assertNothingLeft(talk, words);
    },
  );

const hunk = (...lines: string[]) => patch("*** Update File: a.ts", ...lines);
const patches: readonly (readonly [name: string, sent: string, words: string])[] = [
  ["is not found", hunk("@@", " line 9", " line 10", "-nothing", "+other"), "Failed to find expected lines"],
  ["fits several places", hunk("@@", "-line 3", "+line three"), "fits several places"],
  ["has no anchor", hunk("@@ class None", "-line 3", "+x"), "belongs below"],
  [
    "is there already",
    hunk("@@", " line 10", `-${"x"}`, `+${"-----BEGIN RSA PRIVATE"}${" KEY"}-----`),
    "line 10",
  ],
];

for (const [name, sent, words] of patches)
  testQuotes(
    `a key around a hunk that ${name} does not go with the refusal`,
    ["tools/quotable-text", "tools/propose-patch"],
    async () => {
      const talk = await talkWith();
      talk.workspace.write(
        "work/a.ts",
        `${[...key.slice(0, 30), "line 3", ...key.slice(30), file].join("\n")}`,
      );
      talk.sim.reply(patchCall(sent));
      talk.sim.reply(text("I see."));
      await talk.ask("Change it.");
      assertNothingLeft(talk, words);
    },
  );

testQuotes(
  "a key around what a person wrote into a proposal, and one in it, does not go with how it differs",
  ["session/turns", "turn/tell-decisions"],
  async () => {
    const talk = await talkWith();
    const around = `${key.slice(0, 25).join("\n")}\nmiddle\n${key.slice(25).join("\n")}\nlast\n`;
    talk.workspace.write("work/a.ts", `first\n${around}`);
    talk.decide = () => undefined;
    talk.sim.reply(patchCall(hunk("@@", "-first", "+FIRST"), { callId: "call_e" }));
    talk.sim.reply(text("I see."));
    await talk.ask("Change it.");
    const { changes } = talk.conversation;
    const own = `FIRST ${token}\n${around.replace("middle", "mine")}`;
    await changes.edit(changes.pending[0]?.id ?? "", own, `FIRST\n${around}`);
    talk.decide = () => ({ kind: "accept" });
    talk.sim.reply(text("I see."));
    talk.sim.reply(text("I see."));
    await talk.ask("And now?");
    await talk.ask("And now?");
    assert.equal(talk.workspace.text("work/a.ts"), own);
    assertNothingLeft(talk, "+FIRST");
  },
);

testQuotes(
  "a key in what a person says of a patch, and in the name of its file, does not go with the news of it",
  ["turn/tell-decisions"],
  async () => {
    const talk = await talkWith();
    talk.decide = () => ({ kind: "reject", reason: `It is ${token}.` });
    const added = patch(`*** Add File: ${token}.ts`, "+one");
    talk.sim.reply(patchCall(added, { callId: "call_n" }));
    talk.sim.reply(text("I see."));
    await talk.ask("Change it.");
    talk.sim.reply(text("I see."));
    await talk.ask("And now?");
    // The call itself goes back to whoever made it as it came.
    const news = newsIn(talk);
    assert.match(news, /Patch call_n \(.*\[secret removed\].*The user said: It is .*\[secret removed\]/);
    assert.equal(news.includes(token), false);
    talk.sim.done();
  },
);

testQuotes(
  "a key in a proposed file does not go with what tools read of it",
  ["files/guarded-files"],
  async () => {
    const talk = await talkWith();
    talk.decide = () => undefined;
    talk.sim.reply(patchCall(hunk("@@", " line 9", "-line 10", "+line ten"), { callId: "call_o" }));
    talk.sim.reply(
      call("read_file", { path: "a.ts" }),
      call("search_text", { query: "[A-Za-z]{3}", regex: true }),
    );
    talk.sim.reply(text("I see."));
    await talk.ask("Change it.");
    assertNothingLeft(talk, "line ten");
  },
);

testQuotes("a key in the workspace's instructions does not go", ["turn/instructions"], async () => {
  const talk = await talkWith();
  talk.workspace.write("work/AGENTS.md", file);
  talk.sim.reply(text("I see."));
  await talk.ask("Hello?");
  assertNothingLeft(talk, "line 10");
});

testQuotes(
  "a key in a saved prompt does not go with the question that calls it",
  ["turn/slash-commands"],
  async () => {
    const talk = await talkWith();
    talk.settings = {
      ...talk.settings,
      prompts: [{ name: "own", prompt: file, detail: "", mode: "ask", origin: "user" }],
    };
    talk.sim.reply(text("I see."));
    await talk.ask("/own Please.");
    assertNothingLeft(talk, "line 10");
  },
);

testQuotes(
  "a key in a conversation that was made elsewhere does not go, in its questions nor in its answers",
  ["session/import-conversation"],
  async () => {
    const arriving = shownOnly();
    const records = [
      { type: "started", turn: "t", at: 0, model: "svc-k3", route: "responses", prompt: file },
      { type: "text", turn: "t", part: "p", delta: file },
      { type: "ended", turn: "t", at: 0, ending: "done" },
    ].flatMap((record, seq) => arriving.take({ ...record, seq }));
    const items = [...records, ...arriving.end()].flatMap((record) => (record["items"] ?? []) as string[]);
    assert.equal(items.length, 2);
    for (const item of items) {
      assert.ok(item.includes("line 10"));
      for (const each of planted) assert.ok(!item.includes(each), each);
    }
  },
);

test("a key in a prompt of the workspace is taken out before it is a prompt", async () => {
  const { workspace } = await talkWith();
  workspace.write("work/.patchbay/prompts/own.md", file);
  const { guardFiles } = await import("../../../../src/core/files/guarded-files.ts");
  const prompts = new WorkspacePrompts({
    workspace,
    seen: new Set(),
    files: () => guardFiles(workspace, () => ({ ignore: [], alsoIgnore: [] })),
    now: () => 0,
  });
  await prompts.look();
  assert.match(prompts.list[0]?.prompt ?? "", /line 10/);
  for (const each of planted) assert.ok(!prompts.list[0]?.prompt.includes(each));
});

testQuotes(
  "a key in what another extension asks does not go, in words, answers of its tools and instructions",
  ["turn/language-model-request"],
  async () => {
    const talk = await talkWith();
    const spending = { agreeTo: async () => 0 };
    const [take, newId, now] = [() => {}, () => "id", () => 0];
    const chat = createLanguageModelChat({
      client: talk.client,
      limits: () => ({}),
      spending,
      take,
      newId,
      now,
    });
    for (const _ of [1, 2]) talk.sim.reply(text("I see."));
    const messages = [
      { role: "system", parts: [{ kind: "text", text: file }] },
      { role: "user", parts: [{ kind: "text", text: file }] },
      { role: "assistant", parts: [{ kind: "call", id: "c", name: "look_up", input: {} }] },
      { role: "user", parts: [{ kind: "result", id: "c", text: file }] },
    ] as const;
    const never = new AbortController().signal;
    const nobody = async () => undefined;
    const tools = [{ name: "look_up", description: "", parameters: {} }];
    for await (const _ of chat.ask({ model: "svc-k3", route: "responses", messages, tools }, nobody, never));
    for await (const _ of chat.ask({ model: "svc-k2.6", route: "chat", messages, tools }, nobody, never));
    assertNothingLeft(talk, "line 10");
  },
);

const sources = readdirSync("src", { recursive: true, withFileTypes: true })
  .filter((each) => each.isFile() && each.name.endsWith(".ts"))
  .map((each) => join(each.parentPath, each.name));
const holding = (word: RegExp) => sources.filter((path) => word.test(readFileSync(path, "utf8"))).sort();

test("each way on which the secret filter stands is tried above", () => {
  // What people see of a call, sentences of our own, and what waits on the disk (planted-key.test.ts).
  const others = [
    "src/core/session/draft-attachments.ts",
    "src/core/turn/call-display.ts",
    "src/core/turn/pending-calls.ts",
  ];
  const filters =
    /import \{[^}]*\b(?:cleanText|takeOutSecrets|quotable\w*)\b[^}]*\} from "[^"]*\/(?:secrets|quotable-text)\.ts"/;
  assert.deepEqual(holding(filters), [...tried, ...others].sort());
});

test("only the secret filter makes text that may be sent, and the exceptions are these", () => {
  assert.deepEqual(holding(/ as CleanText\b/), [
    "src/core/conversation/content.ts",
    "src/core/files/secrets.ts",
  ]);
  assert.deepEqual(holding(/\bverbatim\(/), [
    "src/core/session/session-draft.ts",
    "src/core/turn/chat-turn.ts",
    "src/core/turn/hand-over.ts",
    "src/core/turn/history.ts",
    "src/core/turn/language-model-request.ts",
    "src/core/turn/plain-history.ts",
    "src/core/turn/question-items.ts",
    "src/core/turn/run-call.ts",
    "src/core/turn/sent-history.ts",
    "src/core/turn/slash-commands.ts",
    "src/core/turn/tell-decisions.ts",
  ]);
});
