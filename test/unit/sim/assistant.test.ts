import assert from "node:assert/strict";
import { test } from "node:test";
import { isObject, type JsonObject, listAt, stringAt } from "../../sim/json.ts";
import {
  attached,
  contents,
  func,
  numbered,
  openAssistant,
  string,
  textOf,
  tools,
  user,
} from "./assistant-fixture.ts";

// What the built-in assistant says, calls and looks up.

const { url, headers, post, ask } = openAssistant();

test("the assistant explains a file with a list and a table of its functions and a code block", async () => {
  const output = await ask([user(`Explain this.\n\n${attached("src/cart.ts")}`)]);
  assert.match(String(JSON.stringify(output[0])), /"type":"reasoning".*It defines Line, total, receipt/);
  const answer = textOf(output);
  assert.match(answer, /`src\/cart\.ts` \(\d+ lines\) defines one type and 2 functions/);
  assert.match(answer, /^- \*\*`total\(lines\)`\*\* – takes `lines` and calls `bulkDiscount`/m);
  assert.match(answer, /^\| `receipt` \| function \| 18–21 \|$/m);
  assert.match(answer, /^```ts\nexport function total/m);
});

test("the assistant explains a selection by its lines in every format of the selection", async () => {
  const lines = contents("src/discount.ts").split("\n").slice(5, 12).join("\n");
  const forms = [
    `<selection path="src/discount.ts" lines="6-12">\n${lines}\n</selection>`,
    `\`\`\`ts src/discount.ts:6-12\n${lines}\n\`\`\``,
    `src/discount.ts, lines 6–12\n\n\`\`\`\n${numbered(lines, 6)}\n\`\`\``,
    `From \`src/discount.ts\`, lines 6-12:\n\n\`\`\`ts\n${lines}\n\`\`\``,
  ];
  for (const form of forms) {
    const answer = textOf(await ask([user(`What does this do?\n\n${form}`)]));
    assert.match(answer, /Lines 6–12 of `src\/discount\.ts` define one function/);
    assert.match(answer, /Look at line 8/);
  }
});

test("the assistant explains a test file, a text and a table by their content", async () => {
  const explained = async (path: string) =>
    textOf(await ask([user(`Explain ${path}.\n\n${attached(path)}`)], tools));
  assert.match(await explained("test/cart.test.ts"), /^- \*\*`[^`]+`\*\* – runs `total`/m);
  assert.match(await explained("docs/pricing.md"), /^`docs\/pricing\.md` \(7 lines\) defines .*heading/);
  assert.match(await explained("data/sales.csv"), /a table of 5 rows with the columns `day`, `article`/);
});

test("the assistant navigates code, reads ranges and asks Git where these tools are offered", async () => {
  const place = { path: string, name: string, line: { type: "integer" } };
  const offered = [
    ...["find_definition", "find_references", "hover"].map((name) => func(name, place, ["path", "name"])),
    ...["outline", "git_blame"].map((name) => func(name, { path: string }, ["path"])),
    func("find_symbol", { name: string }, ["name"]),
    func("git_log", { path: string }, []),
    func("read_file", { path: string, ranges: string }, ["path"]),
    func("search_text", { query: string }, ["query"]),
  ];
  const path = "src/cart.ts";
  for (const [question, name, args] of [
    [`Where is total defined in ${path}?`, "find_definition", { path, name: "total" }],
    [`Where is \`total\` used? See ${path}.`, "find_references", { path, name: "total" }],
    [`What is the type of total in ${path}?`, "hover", { path, name: "total" }],
    [`Show the outline of ${path}`, "outline", { path }],
    [`Who wrote ${path}?`, "git_blame", { path }],
    ["Is there a symbol Cart?", "find_symbol", { name: "Cart" }],
    ["Show the history of the project", "git_log", {}],
    [`Read lines 1-5 and 9-12 of ${path}`, "read_file", { path, ranges: "1-5, 9-12" }],
    ["Where is `total` used?", "search_text", { query: "total" }],
  ] as const) {
    const output = await ask([user(question)], offered);
    const call = output.find((item) => stringAt(item, "type") === "function_call");
    assert.ok(isObject(call), question);
    assert.deepEqual([call["name"], JSON.parse(String(call["arguments"]))], [name, args], question);
  }
});

test("the assistant calls a named tool with arguments that match its schema", async () => {
  const tracker = {
    type: "namespace",
    name: "mcp__tracker",
    description: "Tracker",
    tools: [func("search_issues", { q: string, limit: { type: "integer" } })],
  };
  const output = await ask([user('Use search issues to find "crash"')], [tracker]);
  const call = output.find((item) => stringAt(item, "type") === "function_call");
  assert.ok(isObject(call));
  assert.deepEqual(
    [call["namespace"], call["name"], call["arguments"]],
    ["mcp__tracker", "search_issues", '{"q":"crash","limit":1}'],
  );
});

test("the assistant searches if the search tool is offered and includes requested sources", async () => {
  const include = ["web_search_call.action.sources"];
  const [first, , last] = await ask([user("Search the web for vitest snapshots")], [{ type: "web_search" }], {
    include,
  });
  assert.ok(isObject(first) && isObject(last));
  assert.equal(first["type"], "web_search_call");
  assert.equal(stringAt(first["action"], "query"), "vitest snapshots");
  assert.equal(listAt(first["action"], "sources").length, 2);
  assert.equal(listAt(listAt(last, "content")[0], "annotations").length, 2);
});

test("the assistant stops at max_output_tokens with an incomplete response", async () => {
  const response = await post("/v1/responses", {
    model: "svc-k3",
    input: "Write 200 lines",
    max_output_tokens: 50,
  });
  assert.equal(response["status"], "incomplete");
  assert.deepEqual(response["incomplete_details"], { reason: "max_output_tokens" });
  const usage = response["usage"];
  assert.ok(isObject(usage) && Number(usage["output_tokens"]) <= 50);
});

test("the assistant sends edits as code blocks in chat completions and continues a partial message", async () => {
  const messages = [{ role: "user", content: `Fix the bug.\n\n${attached("src/discount.ts")}` }];
  assert.match(
    chatText(await post("/v1/chat/completions", { model: "svc-k2.6", messages })),
    /```ts\n {2}if \(line\.quantity >= bulkQuantity\)/,
  );
  const partial = [...messages, { role: "assistant", content: "It begins", partial: true }];
  assert.match(
    chatText(await post("/v1/chat/completions", { model: "svc-k2.6", messages: partial })),
    /^ … and so it goes on/,
  );
});

test("the assistant gives the same response to the same question", async () => {
  const once = textOf(await ask([user("Hello, who are you?")]));
  assert.equal(textOf(await ask([user("Hello, who are you?")])), once);
  assert.match(once, /Simulate a cut/);
});

test("the assistant sends the same bytes for the same request, except for ids, times and cache figures", async () => {
  const question = `Fix the bug.\n\n${attached("src/discount.ts")}`;
  const requests: readonly (readonly [string, JsonObject])[] = [
    ["/v1/responses", { model: "svc-k3", input: [user(question)], tools }],
    ["/v1/chat/completions", { model: "svc-k2.6", messages: [{ role: "user", content: question }] }],
  ];
  for (const [path, body] of requests) {
    const bytes = async () => {
      const answer = await fetch(`${url()}${path}`, {
        method: "POST",
        headers: headers(),
        body: JSON.stringify({ ...body, stream: true }),
      });
      return (await answer.text())
        .replaceAll(/((?:resp|rs|msg|ctc|call)_|chatcmpl-)\d+/g, "$1n")
        .replaceAll(/"(created_at|completed_at|created|cached_tokens|cache_write_tokens)":\d+/g, '"$1":0');
    };
    assert.equal(await bytes(), await bytes());
  }
});

test("the assistant simulates a fault that the question names", async () => {
  const body = { model: "svc-k3", input: "simulate 503" };
  const answer = await fetch(`${url()}/v1/responses`, {
    method: "POST",
    headers: headers(),
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 503);
});

function chatText(whole: JsonObject): string {
  const [choice] = listAt(whole, "choices");
  return (isObject(choice) ? stringAt(choice["message"], "content") : undefined) ?? "";
}

test("the assistant returns review findings for files and for the added lines of a diff", async () => {
  const question = (name: string) =>
    `Review the attached code like a careful colleague: "${name}".\nAnswer with a list of findings and nothing else.`;
  const listed = async (name: string, code: string) => {
    const answer = textOf(await ask([user(`${question(name)}\n\n${code}`)]));
    const [, json = ""] = /^```json\n([\s\S]*)\n```$/.exec(answer) ?? [];
    return (JSON.parse(json) as Record<string, unknown>[]).map(({ file, line, code }) => [file, line, code]);
  };
  const limit = "  if (line.quantity > bulkQuantity) {";
  assert.deepEqual(await listed("src/discount.ts", attached("src/discount.ts")), [
    ["src/discount.ts", 8, limit],
  ]);
  const diff = `<diff name="a.ts">\n--- a/a.ts\n+++ b/a.ts\n@@ -7,2 +7,3 @@\n let a;\n-a == b;\n+a == c;\n+done();\n</diff>`;
  assert.deepEqual(await listed("a.ts", diff), [["a.ts", 8, "a == c;"]]);
  assert.deepEqual(await listed("src/cart.ts", attached("src/cart.ts")), []);
});

test("the assistant that is asked for a plan asks one question, shows the plan, and does it after Go", async () => {
  const both = [...tools, func("update_plan"), func("ask_user")];
  const said: JsonObject[] = [user("Plan a discount for many items.")];
  const answer = async (output: string) => {
    const item = (await ask(said, both)).find((each) => isObject(each) && each["type"] === "function_call");
    const made = isObject(item) ? item : assert.fail();
    said.push(made, { type: "function_call_output", call_id: made["call_id"] ?? "", output });
    return [stringAt(made, "name"), stringAt(made, "arguments")];
  };
  assert.deepEqual((await answer("The user answers:\nOnly this file"))[0], "ask_user");
  const [name, input] = await answer("The user sees it.");
  assert.equal(name, "update_plan");
  assert.match(input ?? "", /"in_progress"[^}]*\}[^}]*"pending"/);
  assert.match(textOf(await ask(said, both)), /That is my plan/);
  said.push(user("Go ahead with the plan."));
  assert.doesNotMatch((await answer("The user sees it."))[1] ?? "", /pending|in_progress/);
  assert.match(textOf(await ask(said, both)), /All steps are done/);
});
