// Every way by which text of a file comes to the model, each with a key in it: no body that goes out holds one. Each
// test says whose way it tries, so that a way which no test tries is found.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { cleanOutput, LiveOutput } from "../../../src/commands/internal/command-output.ts";
import type { Attachment } from "../../../src/conversation/state.ts";
import { importVisible } from "../../../src/session/internal/sanitize-import.ts";
import { createLanguageModelChat } from "../../../src/session/language-model-chat.ts";
import { WorkspacePrompts } from "../../../src/session/slash-commands.ts";
import type { HostTool } from "../../../src/tools/tool-table.ts";
import { taskPrompt } from "../../../src/trials/internal/compare-models.ts";
import { call, patchCall, text } from "../../sim/script.ts";
import { pem } from "../../support/sample-secrets.ts";
import { startTalk, type Talk, type TalkOptions } from "../../support/talk.ts";
import { withDisk } from "../../support/with-disk.ts";
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
  for (const place of places) tried.add(`src/${place}.ts`);
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
    `an attachment is sent without its secrets: ${wish.kind}, ${words}`,
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
  ["search_text", { query: "[A-Za-z]{3}", regex: true }, "a.ts\\n1:", "files/guarded-files"],
  ["list_files", {}, "a.ts", "session/internal/run-tool-call"],
  ["problems", {}, "a.ts:1:1", "tools/internal/list-problems"],
  ["hover", { path: "a.ts", name: "line" }, "a line of code", "tools/internal/navigate-code"],
  ["outline", { path: "a.ts" }, "function line", "tools/internal/navigate-code"],
  ["git_log", {}, "Ada: title", "tools/internal/git-tools"],
  ["git_diff", {}, "line 10", "tools/internal/git-tools"],
  ["git_blame", { path: "a.ts" }, "line 10", "tools/internal/git-tools"],
  ["look_up", {}, "line 10", "session/internal/run-tool-call"],
  ["break", {}, "failed: line 1", "session/internal/run-tool-call"],
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
    `a tool output is sent without its secrets: ${name} ${JSON.stringify(input)}`,
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
      const symbol = { kind: "function", line: 1, depth: 0 };
      talk.workspace.languages = {
        outline: async () => ["line", token].map((name) => ({ ...symbol, name })),
        symbols: async () => [],
        places: async () => ({ places: [], outside: 0 }),
        rename: async () => ({ edits: [], others: 0 }),
        hover: async () => [`a line of code\n${file}`],
      };
      talk.workspace.git = {
        log: async () => [{ hash: "1234", author: "Ada", date: undefined, message: `title\n${file}` }],
        diff: async () =>
          `diff --git a/a.ts b/a.ts\n@@ -0,0 +1,${file.split("\n").length} @@\n${file.replace(/^/gm, "+")}`,
        rootOf: async () => pathToFileURL(talk.workspace.root).href,
        blame: async () =>
          file
            .split("\n")
            .map((line, at) => `^1a2b3c4 (Ada 2026-02-03 10:00:00 +0100 ${at + 1}) ${line}`)
            .join("\n"),
      };
      const namespace = ["look_up", "break"].includes(name) ? { namespace: "other" } : {};
      talk.sim.reply(call(name, input, namespace));
      talk.sim.reply(text("I see."));
      await talk.ask("Look.");
      assertNothingLeft(talk, words);
    },
  );

testQuotes(
  "a search in a large file is sent without its secrets",
  ["tools/internal/search/search-large-file"],
  async () => {
    const talk = await talkWith();
    talk.workspace.write("work/large.log", `${"filled\n".repeat(800_000)}${file}`);
    Object.assign(talk.workspace, { disk: withDisk(talk.workspace).disk });
    talk.sim.reply(call("search_text", { query: "line 10", path: "large.log", context: 10 }));
    talk.sim.reply(text("I see."));
    await talk.ask("Look.");
    assertNothingLeft(talk, "line 10");
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
    `the refusal of a hunk that ${name} quotes no secret around it`,
    ["tools/apply-patch"],
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
  "the report of a user's edit to a proposal quotes no secret in or around it",
  ["session/internal/conversation-state", "session/internal/decision-report"],
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
  "the report on a patch contains no secret from the user's reason or the file name",
  ["session/internal/decision-report"],
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
  "read_file and search_text return a proposed file without its secrets",
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

testQuotes(
  "the workspace's instructions are sent without their secrets",
  ["session/internal/instruction-files"],
  async () => {
    const talk = await talkWith();
    talk.workspace.write("work/AGENTS.md", file);
    talk.sim.reply(text("I see."));
    await talk.ask("Hello?");
    assertNothingLeft(talk, "line 10");
  },
);

testQuotes("a custom agent is told without its secrets", ["session/internal/custom-agents"], async () => {
  const talk = await startTalk();
  const path = ".github/agents/own.agent.md";
  talk.workspace.write(`work/${path}`, `---\nname: Own\n---\n${file}`);
  talk.conversation.choose({ agent: path });
  talk.sim.reply(text("I see."));
  await talk.ask("Do it.");
  assertNothingLeft(talk, "line 10");
});

testQuotes("skills are listed and read without their secrets", ["session/internal/skills"], async () => {
  const talk = await talkWith();
  talk.workspace.write("work/.github/skills/own/SKILL.md", `---\ndescription: Mine\n---\n${file}`);
  talk.sim.reply(call("read_skill", { name: "own" }));
  talk.sim.reply(text("I see."));
  await talk.ask("Hello?");
  assertNothingLeft(talk, "line 10");
});

testQuotes("a saved prompt is sent without its secrets", ["session/slash-commands"], async () => {
  const talk = await talkWith();
  talk.settings = {
    ...talk.settings,
    prompts: [{ name: "own", prompt: file, detail: "", mode: "ask", origin: "user" }],
  };
  talk.sim.reply(text("I see."));
  await talk.ask("/own Please.");
  assertNothingLeft(talk, "line 10");
});

testQuotes(
  "an imported conversation is sent without the secrets in its questions and responses",
  ["session/internal/sanitize-import"],
  async () => {
    const arriving = importVisible();
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

test("WorkspacePrompts removes secrets from a prompt file", async () => {
  const { workspace } = await talkWith();
  workspace.write("work/.patchbay/prompts/own.md", file);
  const { guardFiles } = await import("../../../src/files/guarded-files.ts");
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
  "the output of a command is shown and sent without secrets",
  ["commands/internal/command-output"],
  async () => {
    const live = new LiveOutput();
    live.add(`${file}\n`);
    for (const output of [await cleanOutput(file), await live.text()])
      for (const each of planted) assert.ok(!output.includes(each), each);
    assert.match(await cleanOutput(file), /line 10/);
  },
);

testQuotes(
  "the message of a commit is a task without secrets",
  ["trials/internal/compare-models"],
  async () => {
    const prompt = await taskPrompt(file);
    for (const each of planted) assert.ok(!prompt.includes(each), each);
    assert.match(prompt, /line 10/);
  },
);

testQuotes(
  "a request of another extension is sent without secrets in messages, tool results and instructions",
  ["session/internal/language-model-request"],
  async () => {
    const talk = await talkWith();
    const spending = { agreeTo: async () => true };
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

test("every source file that uses the secret filter has a test above or is listed as an exception", () => {
  // What people see of a call, sentences of our own (compaction.test.ts), what waits on the disk (planted-key.test.ts),
  // what is counted, and what is quoted (session-remarks.test.ts).
  const others = [
    "src/risk/internal/rules.ts",
    "src/session/internal/draft-attachments.ts",
    "src/session/internal/compaction.ts",
    "src/tools/attached-text.ts",
    "src/session/internal/surroundings.ts",
    "src/session/internal/history.ts",
    "src/session/internal/plan.ts",
  ];
  const filters = /import \{[^}]*\b(?:cleanText|takeOutSecrets)\b[^}]*\} from "[^"]*\/privacy\.ts"/;
  assert.deepEqual(holding(filters), [...tried, ...others].sort());
});

test("only the secret filter and the listed exceptions make text that may be sent", () => {
  assert.deepEqual(holding(/ as CleanText\b/), ["src/conversation/events.ts", "src/files/privacy.ts"]);
  // Sentences of ours, and what went through the filter before.
  assert.deepEqual(holding(/\bverbatim\(/), [
    "src/session/internal/ask-again.ts",
    "src/session/internal/compaction.ts",
    "src/session/internal/decision-report.ts",
    "src/session/internal/history.ts",
    "src/session/internal/language-model-request.ts",
    "src/session/internal/plan.ts",
    "src/session/internal/run-tool-call.ts",
    "src/session/internal/session-draft.ts",
    "src/session/internal/surroundings.ts",
    "src/session/internal/told-instructions.ts",
    "src/session/internal/transcript.ts",
    "src/session/internal/user-question.ts",
    "src/session/slash-commands.ts",
  ]);
});
