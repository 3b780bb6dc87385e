import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { applyDiff } from "@openai/agents-core";
import { createAssistant } from "../../sim/assistant/assistant.ts";
import { isObject, type JsonObject, listAt, stringAt } from "../../sim/json.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";

const workspace = join(process.cwd(), "test/fixtures/workspace");
const contents = (path: string) => readFileSync(join(workspace, path), "utf8");
const attached = (path: string) => `\`\`\`ts ${path}\n${contents(path)}\`\`\``;

const func = (name: string, properties: JsonObject = {}) => ({
  type: "function",
  name,
  description: name,
  strict: false,
  parameters: { type: "object", properties, required: Object.keys(properties) },
});
const string = { type: "string" };
const patchTool = { type: "custom", name: "apply_patch", description: "Applies a patch." };
const tools = [
  func("list_files"),
  func("read_file", { path: string }),
  func("search_text", { query: string }),
  patchTool,
];

let sim: Simulator;
before(async () => {
  sim = await startSimulator({ assistant: createAssistant({ pace: 0 }) });
});
after(() => sim.close());

test("explaining names the functions of the attached file with their lines, in a list, a table and a code block", async () => {
  const answer = textOf(await ask([user(`Explain this.\n\n${attached("src/cart.ts")}`)]));
  assert.match(answer, /`src\/cart\.ts` \(\d+ lines\) defines one type and 2 functions/);
  assert.match(answer, /^- \*\*`total\(lines\)`\*\* – takes `lines` and calls `bulkDiscount`/m);
  assert.match(answer, /^\| `receipt` \| function \| 18–21 \|$/m);
  assert.match(answer, /^```ts\nexport function total/m);
});

test("a selection is explained by its own lines, in whatever way it was marked", async () => {
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

test("a file of tests, a text and a table are explained by what is in them", async () => {
  const explained = async (path: string) =>
    textOf(await ask([user(`Explain ${path}.\n\n${attached(path)}`)], tools));
  assert.match(await explained("test/cart.test.ts"), /^- \*\*`[^`]+`\*\* – runs `expect`/m);
  assert.match(await explained("docs/pricing.md"), /^`docs\/pricing\.md` \(7 lines\) defines .*heading/);
  assert.match(await explained("data/sales.csv"), /a table of 5 rows with the columns `day`, `article`/);
});

test("the visible bug of the sample workspace is fixed by a patch that applies", async () => {
  const output = await ask([user(`Fix the bug.\n\n${attached("src/discount.ts")}`)], tools);
  const changed = applied(output, "src/discount.ts");
  assert.equal(changed, contents("src/discount.ts").replace("line.quantity > bulk", "line.quantity >= bulk"));
});

const edits: readonly (readonly [question: string, path: string, change: (text: string) => string])[] = [
  ["Rename `total` to `sumOf`", "src/cart.ts", (text) => text.replace(/\btotal\b/g, "sumOf")],
  ["Rename `receipt` to `bill`", "test/cart.test.ts", (text) => text.replaceAll(/\breceipt\b/g, "bill")],
  ["Change the version to 2.0.0", "package.json", (text) => text.replace(/("version": ")[^"]+/, "$12.0.0")],
  [
    "Remove the function total",
    "src/cart.ts",
    (text) => text.replace(/export function total[\s\S]*?\n}\n\n/, ""),
  ],
  [
    "Add a function that formats euros",
    "src/price.ts",
    (text) =>
      `${text}\n/** To be written: formats euros. */\nexport function formatsEuros(): never {\n  throw new Error("formatsEuros is not written yet.");\n}\n`,
  ],
  ["Set bulkRate to 0.2.", "src/discount.ts", (text) => text.replace("bulkRate = 0.1", "bulkRate = 0.2")],
  ['Replace "Total" with "Sum"', "src/cart.ts", (text) => text.replaceAll("Total", "Sum")],
  ["make bulkDiscount return 1", "src/discount.ts", (text) => text.replace("return 0;", "return 1;")],
  [
    "Refactor this",
    "src/price.ts",
    (text) => text.replace('"$" + (cents / 100).toFixed(2)', () => "`$${(cents / 100).toFixed(2)}`"),
  ],
  [
    "Refactor this",
    "src/cart.ts",
    (text) =>
      text.replace(
        /let sum = 0;[\s\S]*?return sum;/,
        "return lines.reduce((sum, line) => sum + line.cents * line.quantity - bulkDiscount(line), 0);",
      ),
  ],
  [
    "Document these functions",
    "src/price.ts",
    (text) =>
      text
        .replace("export function format", "/** Format price, given cents. */\nexport function format")
        .replace("export function parse", "/** Parse price, given text. */\nexport function parse"),
  ],
];

for (const [question, path, change] of edits)
  test(`"${question}" on ${path} becomes a patch that does just that`, async () => {
    const output = await ask([user(`${question}\n\n${attached(path)}`)], tools);
    assert.equal(applied(output, path), change(contents(path)));
  });

test("a name that stands in several attached files is renamed in all of them, by one patch", async () => {
  const files = ["src/discount.ts", "src/price.ts", "src/cart.ts"];
  const question = `Rename \`bulkDiscount\` to \`rebate\`\n\n${files.map(attached).join("\n\n")}`;
  const patch = patchOf(await ask([user(question)], tools));
  const sections = patch
    .slice("*** Begin Patch\n".length, -"*** End Patch\n".length)
    .split("*** Update File: ");
  const changed = sections.slice(1).map((section) => {
    const [path = "", ...lines] = section.split("\n");
    return [path, applyDiff(contents(path), lines.join("\n"))];
  });
  assert.deepEqual(
    changed,
    ["src/discount.ts", "src/cart.ts"].map((path) => [
      path,
      contents(path).replaceAll(/\bbulkDiscount\b/g, "rebate"),
    ]),
  );
});

test("a test is asked for and comes as a new file", async () => {
  const output = await ask([user(`Write tests for this\n\n${attached("src/price.ts")}`)], tools);
  assert.match(
    patchOf(output),
    /^\*\*\* Begin Patch\n\*\*\* Add File: test\/price\.spec\.ts\n(\+.*\n)+\*\*\* End Patch\n$/,
  );
});

test("without the file, it lists the files, reads the one that fits and then patches it", async () => {
  const input: unknown[] = [user("Fix the discount for large orders")];
  const names: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    const output = await ask(input, tools);
    const call = output.find((item) => /call$/.test(stringAt(item, "type") ?? "")) as JsonObject | undefined;
    input.push(...output);
    if (call === undefined) break;
    if (call["name"] === "apply_patch") applied(output, "src/discount.ts");
    names.push(String(call["name"]));
    const type = call["type"] === "function_call" ? "function_call_output" : "custom_tool_call_output";
    input.push({ type, call_id: call["call_id"], output: run(call) });
  }
  assert.deepEqual(names, ["list_files", "read_file", "apply_patch"]);
  assert.match(textOf(input), /Done: `src\/discount\.ts` changed as asked\.$/);
  sim.done();
});

test("a named tool is called with arguments that fit its schema", async () => {
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

test("it searches when the search is offered, with sources when they are asked for", async () => {
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

test("it is cut at the limit of the output", async () => {
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

test("on Chat completions an edit comes as a block of code, and a partial message is continued", async () => {
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

test("the same question gets the same answer", async () => {
  const once = textOf(await ask([user("Hello, who are you?")]));
  assert.equal(textOf(await ask([user("Hello, who are you?")])), once);
  assert.match(once, /Simulate a cut/);
});

test("the same request gets the same bytes on both wires, but for numbers of replies, times and the cache", async () => {
  const question = `Fix the bug.\n\n${attached("src/discount.ts")}`;
  const requests: readonly (readonly [string, JsonObject])[] = [
    ["/v1/responses", { model: "svc-k3", input: [user(question)], tools }],
    ["/v1/chat/completions", { model: "svc-k2.6", messages: [{ role: "user", content: question }] }],
  ];
  for (const [path, body] of requests) {
    const bytes = async () => {
      const answer = await fetch(`${sim.url}${path}`, {
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

test("troubles can be asked for by name", async () => {
  const body = { model: "svc-k3", input: "simulate 503" };
  const answer = await fetch(`${sim.url}/v1/responses`, {
    method: "POST",
    headers: headers(),
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 503);
});

function numbered(text: string, first: number): string {
  return text
    .split("\n")
    .map((line, index) => `${first + index}\t${line}`)
    .join("\n");
}

function user(content: string): JsonObject {
  return { type: "message", role: "user", content };
}

function headers(): Record<string, string> {
  return { authorization: `Bearer ${sim.key}`, "content-type": "application/json" };
}

async function post(path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await fetch(`${sim.url}${path}`, {
    method: "POST",
    headers: headers(),
    body: JSON.stringify(body),
  });
  const whole: unknown = await answer.json();
  assert.ok(isObject(whole));
  assert.equal(answer.status, 200, JSON.stringify(whole));
  return whole;
}

async function ask(
  input: readonly unknown[],
  offered: readonly unknown[] = [],
  more: JsonObject = {},
): Promise<readonly unknown[]> {
  const response = await post("/v1/responses", {
    model: "svc-k3",
    input,
    ...(offered.length > 0 ? { tools: offered } : {}),
    ...more,
  });
  return listAt(response, "output");
}

/** The text of the last message among these items. */
function textOf(items: readonly unknown[]): string {
  const message = items.findLast((item) => stringAt(item, "role") === "assistant");
  return stringAt(listAt(message, "content")[0], "text") ?? "";
}

function chatText(whole: JsonObject): string {
  const [choice] = listAt(whole, "choices");
  return (isObject(choice) ? stringAt(choice["message"], "content") : undefined) ?? "";
}

function patchOf(output: readonly unknown[]): string {
  return (
    stringAt(
      output.find((item) => stringAt(item, "type") === "custom_tool_call"),
      "input",
    ) ?? ""
  );
}

/** What the patch makes of a file, by an implementation that is neither ours nor the simulator's. */
function applied(output: readonly unknown[], path: string): string {
  const patch = patchOf(output);
  const prefix = `*** Begin Patch\n*** Update File: ${path}\n`;
  assert.ok(patch.startsWith(prefix), JSON.stringify(output));
  return applyDiff(contents(path), patch.slice(prefix.length, -"*** End Patch\n".length));
}

/** The sample workspace's side of the tools. */
function run(call: JsonObject): string {
  if (call["name"] === "list_files")
    return "README.md\nsrc/cart.ts\nsrc/discount.ts\nsrc/price.ts\ndocs/pricing.md";
  if (call["name"] === "apply_patch") return "Success. Updated the following files:\nM src/discount.ts\n";
  const { path } = JSON.parse(String(call["arguments"])) as { path: string };
  const lines = contents(path).trimEnd().split("\n");
  return `${path}, lines 1–${lines.length} of ${lines.length}\n${numbered(lines.join("\n"), 1)}`;
}
