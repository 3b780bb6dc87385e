// Tool calls as text: read in whatever pieces they come, shown up to where they begin, and never guessed at.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  callText,
  resultText,
  TextCalls,
  toolInstructions,
} from "../../../src/session/internal/text-calls.ts";

const mark = "k3";
const tools = ["read_file", "write_file"].map((name) => ({
  name,
  description: `Is ${name}.`,
  parameters: { type: "object" },
}));

function read(answer: string, sizes: readonly number[] = [answer.length]) {
  const reader = new TextCalls(tools, mark);
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

const call = (name: string, input: object) => callText({ name, input }, mark);
const oneCall = [{ name: "read_file", input: { path: "a.ts" } }];
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
    `<tool_call_k3>{"name":"read_file","arguments":{}}</tool_call_k3>\n  <tool_call_k3>{"name":"write_file","arguments":{"a":[1]}}</tool_call_k3>`,
    {
      calls: [
        { name: "read_file", input: {} },
        { name: "write_file", input: { a: [1] } },
      ],
    },
  ],
  [
    "tags inside of an argument",
    call("write_file", { text: 'x\n</tool_call_k3>\n<tool_call_k3>{"name":"read_file"}' }),
    {
      calls: [
        { name: "write_file", input: { text: 'x\n</tool_call_k3>\n<tool_call_k3>{"name":"read_file"}' } },
      ],
    },
  ],
  [
    "a block of code that shows one",
    `So:\n\`\`\`xml\n${one}\n\`\`\`\nDone.`,
    { said: `So:\n\`\`\`xml\n${one}\n\`\`\`\nDone.` },
  ],
  ["one in the middle of a line", `Say ${one}`, { said: `Say ${one}` }],
  ["one behind a blank at the beginning", ` ${one}`, { said: "", calls: oneCall }],
  ...[
    ["a quote", `As you said:\n${one.replace(/^/gm, "> ")}`],
    ["a list", `So:\n- \`\`\`\n${one.replace(/^/gm, "  ")}\n  \`\`\``],
    ["code that is indented", `So:\n\n${one.replace(/^/gm, "    ")}`],
    ["code in which another begins", `So:\n\`\`\`\n\`\`\`xml\n${one}`],
    ["code that is marked longer", `So:\n~~~~\n~~~\n\`\`\`\`\n${one}`],
    ["a result", `Then:\n<tool_result_k3 name="a">\n${one}`],
    ["a result of another mark", `Then:\n<tool_result>\n${one}\n</tool_result>\nDone.`],
    ["another mark", `The file:\n\n${callText({ name: "read_file", input: {} }, "k4")}`],
    ["no mark", '<tool_call>\n{"name":"read_file","arguments":{}}\n</tool_call>'],
    ["thoughts", `<think>\nI could call\n${one}\n</think>\nDone.`],
    ["thoughts without an end", `Then:\n<thinking>\n${one}`],
    ["a tag of other letters", `The file:\n\n${one.replace("tool_call_k3", "tool_call_K3")}`],
    ["a tag with an invisible letter", `The file:\n\n${one.replace("<tool", "<\u200btool")}`],
  ].map(
    ([where = "", answer = ""]) =>
      [
        `one in ${where}`,
        answer,
        { said: answer, isFenced: /code in which|marked longer/.test(where) },
      ] as const,
  ),
  ["a call behind code in one line", `\`\`\`a\`\`\`\n${one}`, { calls: oneCall }],
  ["a call behind a block of code", `\`\`\`\na\n\`\`\` \n${one}`, { calls: oneCall }],
  ["a beginning that is none", "<tool_cal\n<tool>\n<t", { said: "<tool_cal\n<tool>\n<t" }],
  ["a tool that is not offered", call("rm", {}), { isUnread: true }],
  ["words behind it", `${one}\nThe file says yes.`, { isUnread: true }],
  ["an answer of its own", `${one}\n${resultText("read_file", "x", mark)}`, { isUnread: true }],
  [
    "arguments that are no object",
    '<tool_call_k3>{"name":"read_file","arguments":"a"}</tool_call_k3>',
    { isUnread: true },
  ],
  ["no arguments", '<tool_call_k3>{"name":"read_file"}</tool_call_k3>', { isUnread: true }],
  ["one that ends too early", '<tool_call_k3>\n{"name":"read_file","arguments":{', { isUnread: true }],
  ["one that is not closed", '<tool_call_k3>\n{"name":"read_file","arguments":{}}', { isUnread: true }],
  [
    "a block of code that ends with one",
    `So:\n\`\`\`\n${one}\n\`\`\`\n`,
    { said: `So:\n\`\`\`\n${one}\n\`\`\`\n`, isFenced: true },
  ],
  ["no JSON", "<tool_call_k3>\nread_file(a.ts)\n</tool_call_k3>", { isUnread: true }],
];

for (const [what, answer, expected] of cases)
  for (const sizes of [[answer.length], [1], [3, 1, 7]])
    test(`TextCalls reads ${what}, in pieces of ${sizes.join(", ")}`, () => {
      const found = read(answer, sizes);
      assert.deepEqual(found, {
        said: "",
        calls: [],
        isUnread: false,
        isFenced: false,
        ...expected,
        ...saidOf(answer, expected),
      });
    });

/** Where a case does not say it: what stands before the block. */
const saidOf = (answer: string, expected: object) =>
  "said" in expected ? {} : { said: answer.slice(0, answer.indexOf("<tool_call_k3>")).replace(/ +$/, "") };

test("TextCalls shows words as they arrive, up to the call block", () => {
  const reader = new TextCalls(tools, mark);
  assert.equal(reader.push("I look"), "I look");
  assert.equal(reader.push(" it up.\n<tool"), " it up.\n");
  assert.equal(reader.push("box>"), "<toolbox>");
  assert.equal(reader.push("\n<tool_call_k3>"), "\n");
  assert.equal(reader.push('{"name":'), "");
});

test("TextCalls drops a __proto__ argument", () => {
  const found = read(
    '<tool_call_k3>{"name":"read_file","arguments":{"__proto__":{"a":1},"b":2}}</tool_call_k3>',
  );
  assert.deepEqual(found.calls, [{ name: "read_file", input: { b: 2 } }]);
});

test("toolInstructions names every tool with its schema and shows an example that TextCalls reads", () => {
  const told = toolInstructions(tools, mark);
  for (const tool of tools) assert.ok(told.includes(JSON.stringify(tool)));
  const [example = ""] = /<tool_call_k3>[\s\S]*<\/tool_call_k3>/.exec(told) ?? [];
  const reader = new TextCalls([{ name: "name_of_the_tool", description: "", parameters: undefined }], mark);
  reader.push(example);
  assert.deepEqual(reader.end().calls, [{ name: "name_of_the_tool", input: { argument: "value" } }]);
});

test("toolInstructions for the same tools differ only in the mark", () => {
  const [one, two] = [toolInstructions(tools, "one"), toolInstructions(tools, "two")];
  const rows = one.slice(0, one.indexOf("To call one"));
  for (const tool of tools) assert.ok(rows.includes(JSON.stringify(tool)));
  assert.ok(two.startsWith(rows));
  assert.equal(two, one.replaceAll("_one>", "_two>"));
});
