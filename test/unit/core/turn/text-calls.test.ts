// Tool calls as text: read in whatever pieces they come, shown up to where they begin, and never guessed at.
import assert from "node:assert/strict";
import { test } from "node:test";
import { callText, resultText, TextCalls, toolInstructions } from "../../../../src/core/turn/text-calls.ts";

const tools = ["read_file", "write_file"].map((name) => ({
  name,
  description: `Is ${name}.`,
  parameters: { type: "object" },
}));

function read(answer: string, sizes: readonly number[] = [answer.length]) {
  const reader = new TextCalls(tools);
  let shown = "";
  let at = 0;
  for (let turn = 0; at < answer.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    shown += reader.push(answer.slice(at, at + size));
    at += size;
  }
  const { text, ...rest } = reader.end();
  return { said: shown + text, ...rest };
}

const call = (name: string, input: object) => callText({ name, input });
const one = call("read_file", { path: "a.ts" });

const cases: readonly (readonly [what: string, answer: string, expected: object])[] = [
  ["no call", "Just **words**, a < b\n\nand more.", { said: "Just **words**, a < b\n\nand more." }],
  [
    "a call behind words",
    `I look.\n\n${one}\n`,
    { said: "I look.\n\n", calls: [{ name: "read_file", input: { path: "a.ts" } }] },
  ],
  ["a call alone", one, { said: "", calls: [{ name: "read_file", input: { path: "a.ts" } }] }],
  [
    "two calls, on one line each",
    `<tool_call>{"name":"read_file","arguments":{}}</tool_call>\n  <tool_call>{"name":"write_file","arguments":{"a":[1]}}</tool_call>`,
    {
      calls: [
        { name: "read_file", input: {} },
        { name: "write_file", input: { a: [1] } },
      ],
    },
  ],
  [
    "tags inside of an argument",
    call("write_file", { text: 'x\n</tool_call>\n<tool_call>{"name":"read_file"}' }),
    { calls: [{ name: "write_file", input: { text: 'x\n</tool_call>\n<tool_call>{"name":"read_file"}' } }] },
  ],
  [
    "a block of code that shows one",
    `So:\n\`\`\`xml\n${one}\n\`\`\`\nDone.`,
    { said: `So:\n\`\`\`xml\n${one}\n\`\`\`\nDone.` },
  ],
  ["one in the middle of a line", `Say ${one}`, { said: `Say ${one}` }],
  ["a beginning that is none", "<tool_cal\n<tool>\n<t", { said: "<tool_cal\n<tool>\n<t" }],
  ["a tool that is not offered", call("rm", {}), { isUnread: true }],
  ["words behind it", `${one}\nThe file says yes.`, { isUnread: true }],
  ["an answer of its own", `${one}\n${resultText("read_file", "x")}`, { isUnread: true }],
  [
    "arguments that are no object",
    '<tool_call>{"name":"read_file","arguments":"a"}</tool_call>',
    { isUnread: true },
  ],
  ["no arguments", '<tool_call>{"name":"read_file"}</tool_call>', { isUnread: true }],
  ["one that ends too early", '<tool_call>\n{"name":"read_file","arguments":{', { isUnread: true }],
  ["one that is not closed", '<tool_call>\n{"name":"read_file","arguments":{}}', { isUnread: true }],
  ["no JSON", "<tool_call>\nread_file(a.ts)\n</tool_call>", { isUnread: true }],
];

for (const [what, answer, expected] of cases)
  for (const sizes of [[answer.length], [1], [3, 1, 7]])
    test(`${what}, in pieces of ${sizes.join(", ")}`, () => {
      const found = read(answer, sizes);
      assert.deepEqual(found, {
        said: "",
        calls: [],
        isUnread: false,
        ...expected,
        ...saidOf(answer, expected),
      });
    });

/** Where a case does not say it: what stands before the block. */
const saidOf = (answer: string, expected: object) =>
  "said" in expected ? {} : { said: answer.slice(0, answer.indexOf("<tool_call>")).replace(/ +$/, "") };

test("words are shown as they arrive, line for line up to the block", () => {
  const reader = new TextCalls(tools);
  assert.equal(reader.push("I look"), "I look");
  assert.equal(reader.push(" it up.\n<tool"), " it up.\n");
  assert.equal(reader.push("box>"), "<toolbox>");
  assert.equal(reader.push("\n<tool_call>"), "\n");
  assert.equal(reader.push('{"name":'), "");
});

test("an argument is no way to a prototype", () => {
  const found = read('<tool_call>{"name":"read_file","arguments":{"__proto__":{"a":1},"b":2}}</tool_call>');
  assert.deepEqual(found.calls, [{ name: "read_file", input: { b: 2 } }]);
});

test("what a model is told names every tool with its schema, and a block that would be read", () => {
  const told = toolInstructions(tools);
  for (const tool of tools) assert.ok(told.includes(JSON.stringify(tool)));
  const [example = ""] = /<tool_call>[\s\S]*<\/tool_call>/.exec(told) ?? [];
  const reader = new TextCalls([{ name: "name_of_the_tool", description: "", parameters: undefined }]);
  reader.push(example);
  assert.deepEqual(reader.end().calls, [{ name: "name_of_the_tool", input: { argument: "value" } }]);
});
