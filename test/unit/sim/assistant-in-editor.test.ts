import assert from "node:assert/strict";
import { test } from "node:test";
import { type JsonObject, stringAt } from "../../sim/json.ts";
import { contents, func, openAssistant, string, textOf, user } from "./assistant-fixture.ts";

// What the built-in assistant answers VS Code's own chat, which wraps what a person says in frames of its own. The frames
// are those that VS Code 1.139 has sent.

const { ask } = openAssistant();

const root = "/home/me/shop";
const number = { type: "number" };
const tools = [
  func("create_directory", { dirPath: string }),
  func("create_file", { filePath: string, content: string }),
  func("file_search", { query: string }),
  func("get_errors"),
  func("github_text_search", { query: string }),
  func("grep_search", { query: string, isRegexp: { type: "boolean" } }),
  func("insert_edit_into_file", { filePath: string, code: string }),
  func("list_dir", { path: string }),
  func("manage_todo_list", { todoList: { type: "array" } }),
  func("read_file", { filePath: string, startLine: number, endLine: number }),
  func("replace_string_in_file", { filePath: string, oldString: string, newString: string }),
  func("run_in_terminal", { command: string }),
];
const replaceTool = tools.filter(({ name }) => name === "replace_string_in_file");

const surroundings = user(`<environment_info>
The user's current OS is: Linux
</environment_info>
<workspace_info>
I am working in a workspace with the following folders:
- ${root} 
I am working in a workspace that has the following structure:
\`\`\`
package.json
README.md
docs/
\tpricing.md
src/
\tcart.ts
\tdiscount.ts
\tinner/
\t\tdeep.ts
\tprice.ts
\`\`\`
This is the state of the context at this point in the conversation.
</workspace_info>
<userMemory>
No user preferences or notes saved yet.
</userMemory>
`);

const asked = (question: string, before = "") =>
  user(`${before}<context>
The current date is 2026-11-23.
</context>
<reminderInstructions>
When using the insert_edit_into_file tool, avoid repeating existing code, instead use a line comment.
When using the replace_string_in_file tool, include 3-5 lines of unchanged code before and after the string.
</reminderInstructions>
<userRequest>
${question}
</userRequest>
`);

const called = (name: string, args: JsonObject, output: string) => [
  { type: "function_call", call_id: `call-${name}`, name, arguments: JSON.stringify(args) },
  { type: "function_call_output", call_id: `call-${name}`, output },
];
const read = (path: string) =>
  called("read_file", { filePath: `${root}/${path}`, startLine: 1, endLine: 500 }, contents(path));

/** Names and arguments of what is to be called. */
const callsOf = (output: readonly unknown[]) =>
  output
    .filter((item) => stringAt(item, "type") === "function_call")
    .map((item) => [
      stringAt(item, "name"),
      JSON.parse(stringAt(item, "arguments") ?? "") as Record<string, string>,
    ]);

test("the assistant reads a mentioned file by absolute path and explains it by its relative path", async () => {
  const question = [surroundings, asked("What does src/cart.ts do?")];
  const range = { startLine: 1, endLine: 500 };
  assert.deepEqual(callsOf(await ask(question, tools)), [
    ["read_file", { filePath: `${root}/src/cart.ts`, ...range }],
  ]);
  const answer = textOf(await ask([...question, ...read("src/cart.ts")], tools));
  assert.match(answer, /^`src\/cart\.ts` \(\d+ lines\) defines one type and 2 functions/);

  for (const [words, path] of [
    ["Fix the bug in discount.ts", "src/discount.ts"],
    ["How are discounts counted?", "src/discount.ts"],
    ["What does deep.ts hold?", "src/inner/deep.ts"],
  ] as const)
    assert.deepEqual(
      callsOf(await ask([surroundings, asked(words)], tools)),
      [["read_file", { filePath: `${root}/${path}`, ...range }]],
      words,
    );
});

test("the assistant refers to the file that is attached, open in the editor or read before", async () => {
  const attachment = `<attachments>
<attachment id="price.ts" filePath="${root}/src/price.ts">
${contents("src/price.ts")}</attachment>

</attachments>
`;
  const attached = await ask([surroundings, asked("What does this file do?", attachment)], tools);
  assert.match(textOf(attached), /^`src\/price\.ts` \(7 lines\) defines 2 functions/);

  const open = `<editorContext>\nThe user's current file is ${root}/src/price.ts. \n</editorContext>\n`;
  const path = async (input: readonly unknown[]) => {
    const [name, args] = callsOf(await ask(input, tools))[0] ?? [];
    assert.equal(name, "read_file");
    return (args as Record<string, string>)["filePath"];
  };
  assert.equal(await path([surroundings, asked("Explain this", open)]), `${root}/src/price.ts`);
  // Once more, because somebody may have changed it since.
  const before = [surroundings, asked("What does src/cart.ts do?"), ...read("src/cart.ts")];
  assert.equal(await path([...before, asked("Rename total to sum in it")]), `${root}/src/cart.ts`);
});

test("the assistant replaces text that occurs once in the file and describes the edit", async () => {
  for (const [question, path, changed, said] of [
    [
      "Fix the bug in src/discount.ts",
      "src/discount.ts",
      "line.quantity >= bulkQuantity",
      /compares with `>=`/,
    ],
    [
      "Rename total to sum in src/cart.ts",
      "src/cart.ts",
      "formatPrice(sum(lines))",
      /`total` is called `sum`/,
    ],
    ["Document src/price.ts", "src/price.ts", "/** Format price, given cents. */", /have comments/],
    [
      "Add a function that formats euros to src/price.ts",
      "src/price.ts",
      "formatsEuros",
      /stands at the end/,
    ],
    ["Remove the function parsePrice from src/price.ts", "src/price.ts", "", /is gone/],
  ] as const) {
    const seen = [surroundings, asked(question), ...read(path)];
    const [[name, args] = [], ...more] = callsOf(await ask(seen, tools));
    assert.deepEqual([name, more], ["replace_string_in_file", []], question);
    const { filePath, oldString = "", newString = "" } = args as Record<string, string>;
    assert.equal(filePath, `${root}/${path}`);
    assert.equal(contents(path).split(oldString).length, 2, question);
    assert.notEqual(oldString, newString);
    assert.ok(contents(path).replace(oldString, newString).includes(changed), newString);
    const result = `The following files were successfully edited:\n${root}/${path}\n`;
    const done = await ask(
      [
        ...seen,
        ...called("replace_string_in_file", { filePath: `${root}/${path}`, oldString, newString }, result),
      ],
      tools,
    );
    assert.deepEqual(callsOf(done), []);
    assert.match(textOf(done), /^Done\. /);
    assert.match(textOf(done), said);
  }
});

test("the assistant creates a new file and reports a refused edit as not done", async () => {
  const seen = [surroundings, asked("Write tests for src/price.ts"), ...read("src/price.ts")];
  const [[name, args] = []] = callsOf(await ask(seen, tools));
  const { filePath, content = "" } = args as Record<string, string>;
  assert.deepEqual([name, filePath], ["create_file", `${root}/test/price.spec.ts`]);
  assert.match(content, /import \{ formatPrice \}.*\n[\s\S]*\}\);\n$/);
  const refused = called("create_file", { filePath: filePath ?? "" }, "ERROR: File already exists.");
  assert.match(textOf(await ask([...seen, ...refused], tools)), /was not changed:\n\n> ERROR: File already/);
});

test("the assistant calls tools with side effects only if the question names them", async () => {
  const callsFor = async (question: string) => callsOf(await ask([surroundings, asked(question)], tools));
  assert.deepEqual(await callsFor("Which files are there? List them."), [["list_dir", { path: root }]]);
  assert.deepEqual(await callsFor("Where is `total` used?"), [
    ["grep_search", { query: "total", isRegexp: false }],
  ]);
  assert.deepEqual(await callsFor("Hello there"), []);
  assert.deepEqual(await callsFor('Use run_in_terminal with "ls"'), [["run_in_terminal", { command: "ls" }]]);
});

test("inline chat edits the open file, within the selected lines if possible", async () => {
  const path = `${root}/src/price.ts`;
  const about = (marked: string) =>
    user(
      `The filepath is \`${path}\` and this is its content:\n<file>\n\`\`\`typescript\n${contents("src/price.ts").trimEnd()}\n\`\`\`\n</file>\n${marked}\n<reminder>\nDo not make code changes that are not related to the user's prompt.\n</reminder>\n`,
    );
  const newText = async (marked: string, prompt: string) => {
    const input = [about(marked), user(`<prompt>\n${prompt}\n</prompt>\n`)];
    const [[name, args] = [], ...more] = callsOf(await ask(input, replaceTool));
    const { filePath, oldString = "", newString = "" } = args as Record<string, string>;
    assert.deepEqual([name, filePath, more], ["replace_string_in_file", path, []]);
    assert.equal(contents("src/price.ts").split(oldString).length, 2);
    return contents("src/price.ts").replace(oldString, newString);
  };
  const cursor =
    "<file-cursor-context>\n```typescript\n$CURSOR$export function formatPrice\n```\n</file-cursor-context>";
  assert.equal((await newText(cursor, "Add comments")).match(/\/\*\*/g)?.length, 2);
  const selection =
    "<file-selection>\n```typescript\nexport function parsePrice(text: string): number {\n  return Math.round(\n```\n</file-selection>";
  const changed = await newText(selection, "Document this");
  assert.match(changed, /\n\n\/\*\* Parse price, given text\. \*\/\nexport function parsePrice/);
  assert.equal(changed.match(/\/\*\*/g)?.length, 1);

  const hello = [about(cursor), user("<prompt>\nHello\n</prompt>\n")];
  assert.deepEqual(callsOf(await ask(hello, replaceTool)), []);
});

test("the assistant fulfills requests for titles, messages, names and summaries in the requested form", async () => {
  const answer = async (...messages: readonly string[]) => textOf(await ask(messages.map(user)));
  assert.equal(
    await answer(
      "Please write a brief title for the following request:\n\nFix the bug in src/discount.ts, and say why.",
    ),
    "Fix bug in src/discount.ts, and say",
  );
  const list = await answer(
    'Please generate exactly 10 unique progress messages for the "edit code" scenario.\nReturn only a JSON array of strings, no other text.',
  );
  assert.equal(new Set(JSON.parse(list) as string[]).size, 10);
  assert.equal(
    await answer(
      '<prompt>\nFix the bug\n</prompt>\n<file name="discount.ts" />\nGenerate a single short progress message that is specific to this request.',
    ),
    "Hunting down the bug",
  );
  assert.deepEqual(
    JSON.parse(
      await answer(
        "Think of the purpose of `formatPrice`. Reply with a JSON array of strings of at least four new names for `formatPrice`.",
      ),
    ),
    ["formatPriceText", "priceText", "toPrice", "describePrice"],
  );
  assert.equal(
    await answer(
      "# CODE CHANGES:\n```diff\n--- a/src/cart.ts\n+++ b/src/cart.ts\n@@ -1 +1 @@\n-a\n+b\n```\nNow generate a commit messages that describe the CODE CHANGES.\nONLY return a single markdown code block, NO OTHER PROSE!",
    ),
    "```text\nChange src/cart.ts\n```",
  );
  const summary = await ask([
    surroundings,
    asked("What does src/cart.ts do?"),
    user("Summarize the conversation history so far, paying special attention to the most recent commands."),
  ]);
  assert.match(textOf(summary), /^<summary>\nThe user asked:\n- What does src\/cart\.ts do\?\n<\/summary>$/);
});
