import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { applyDiff } from "@openai/agents-core";
import { type JsonObject, stringAt } from "../../sim/json.ts";
import {
  applied,
  attached,
  contents,
  numbered,
  openAssistant,
  patchOf,
  textOf,
  tools,
  user,
} from "./assistant-fixture.ts";

// What the built-in assistant changes when it is asked to, in the sample workspace.

const { ask, done } = openAssistant();

test("the assistant fixes the bug of the sample workspace with a patch that applies", async () => {
  const output = await ask([user(`Fix the bug.\n\n${attached("src/discount.ts")}`)], tools);
  const changed = applied(output, "src/discount.ts");
  assert.equal(changed, contents("src/discount.ts").replace("line.quantity > bulk", "line.quantity >= bulk"));
});

test("the assistant fixes every finding that it reports in the sample workspace", async () => {
  let count = 0;
  for (const path of ["src/cart.ts", "src/discount.ts", "src/price.ts"]) {
    const names = `Review the attached code: ${JSON.stringify(path)}.\na list of findings`;
    const said = textOf(await ask([user(`${names}\n\n${attached(path)}`)], tools));
    for (const { reason, line } of JSON.parse(said.replaceAll(/^```.*$/gm, ""))) {
      count += 1;
      const output = await ask(
        [user(`Fix the problem: ${reason} (${path}:${line})\n\n${attached(path)}`)],
        tools,
      );
      const changed = applied(output, path);
      assert.notEqual(changed.split("\n")[line - 1], contents(path).split("\n")[line - 1]);
    }
  }
  assert.equal(count, 2);
});

test("the tests of the sample workspace fail at the bug and pass after the fix without dependencies", async () => {
  const folder = mkdtempSync(join(tmpdir(), "patchbay-sample-"));
  try {
    cpSync("test/fixtures/workspace", folder, { recursive: true });
    const { scripts } = JSON.parse(contents("package.json"));
    const [program, ...args] = scripts.test.split(" ");
    assert.equal(program, "node");
    // Node knows its own tests by this, and would report to ours instead of as it does to a person.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const run = () =>
      promisify(execFile)(process.execPath, args, { cwd: folder, env }).then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout,
      );
    assert.match(await run(), /^not ok 2 - takes a tenth off ten of one article$/m);
    const output = await ask([user(`Fix the bug.\n\n${attached("src/discount.ts")}`)], tools);
    writeFileSync(join(folder, "src/discount.ts"), applied(output, "src/discount.ts"));
    assert.match(await run(), /^# fail 0$/m);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
  test(`the assistant turns "${question}" on ${path} into a matching patch`, async () => {
    const output = await ask([user(`${question}\n\n${attached(path)}`)], tools);
    assert.equal(applied(output, path), change(contents(path)));
  });

test("the assistant renames a name in all attached files with one patch", async () => {
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

test("the assistant adds a requested test as a new file", async () => {
  const output = await ask([user(`Write tests for this\n\n${attached("src/price.ts")}`)], tools);
  assert.match(
    patchOf(output),
    /^\*\*\* Begin Patch\n\*\*\* Add File: test\/price\.spec\.ts\n(\+.*\n)+\*\*\* End Patch\n$/,
  );
});

test("the assistant lists files, reads the matching one and patches it if none is attached", async () => {
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
  done();
});

/** The sample workspace's side of the tools. */
function run(call: JsonObject): string {
  if (call["name"] === "list_files")
    return "README.md\nsrc/cart.ts\nsrc/discount.ts\nsrc/price.ts\ndocs/pricing.md";
  if (call["name"] === "apply_patch") return "Success. Updated the following files:\nM src/discount.ts\n";
  const { path } = JSON.parse(String(call["arguments"])) as { path: string };
  const lines = contents(path).trimEnd().split("\n");
  return `${path}, lines 1–${lines.length} of ${lines.length}\n${numbered(lines.join("\n"), 1)}`;
}
