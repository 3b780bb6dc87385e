// Calls as bridges and other models make them: under a namespace of their own, with ids that start over, without an id, as an
// operation, and never told to be over.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { verbatim } from "../../../src/conversation/events.ts";
import type { Reply } from "../../../src/service/reply.ts";
import { callOutput } from "../../../src/service/response-items.ts";
import { type Answer, answer, sse, startFaultServer } from "../../support/fault-server.ts";
import { watch } from "../../support/watched-client.ts";
import { namespace, never, patchTool, reply, searchIssues, user } from "./simulator-ground.ts";

const readFile = JSON.stringify({ ...searchIssues, name: "read_file" });

const completed = (...output: object[]): Answer =>
  answer(200, sse({ type: "response.completed", response: { id: "resp_1", status: "completed", output } }));

async function ask(input: readonly string[], ...output: object[]): Promise<Reply> {
  await using server = await startFaultServer(completed(...output));
  using watched = watch(server.url);
  const tools = [readFile, patchTool, namespace];
  return (await reply(watched.client.respond({ input, tools }, never))).reply;
}

const call = (given: object) => ({
  ...{ id: "fc_1", type: "function_call", status: "completed", call_id: "call_1", name: "read_file" },
  ...{ arguments: '{"path":"a.ts"}', ...given },
});

describe("a call in an unknown namespace", () => {
  for (const given of [
    { namespace: "functions" },
    { namespace: "default" },
    { name: "functions.read_file" },
    { name: "default_api:read_file" },
    { name: "functions__read_file", namespace: "functions" },
  ])
    test(`resolves to the tool of that name: ${JSON.stringify(given)}`, async () => {
      const { runnable } = await ask([user("Hi")], call(given));
      assert.deepEqual(
        runnable.map(({ name, namespace: space }) => [name, space]),
        [["read_file", undefined]],
      );
    });

  test("resolves to a tool of that name in another namespace", async () => {
    const { runnable } = await ask([user("Hi")], call({ namespace: "functions", name: "search" }));
    assert.deepEqual(
      runnable.map(({ name, namespace: space }) => [name, space]),
      [["search", "tracker"]],
    );
  });

  test("keeps its name and namespace if no tool matches", async () => {
    const { runnable } = await ask([user("Hi")], call({ namespace: "shell", name: "run" }));
    assert.deepEqual(
      runnable.map(({ name, namespace: space }) => [name, space]),
      [["run", "shell"]],
    );
  });
});

describe("a call with a repeated id", () => {
  for (const id of ["call_1", "fc_call_1"])
    test(`is runnable if its input differs and ignored as a replay if it is identical (${id})`, async () => {
      const first = await ask([user("Hi")], call({ id }));
      const [called] = first.runnable;
      assert.ok(called !== undefined);
      const history = [user("Hi"), ...first.items.map(({ raw }) => raw), callOutput(called, verbatim("x"))];
      const other = await ask(history, call({ id, arguments: '{"path":"b.ts"}' }));
      assert.deepEqual(
        other.runnable.map(({ input }) => input),
        ['{"path":"b.ts"}'],
      );
      const again = await ask(history, call({ id }));
      assert.deepEqual(again.runnable, [], "word for word it is a replay");
    });
});

describe("a call without an id", () => {
  // The id only ties a result to its call: a name and whole arguments say all that is to be done, so it runs, under an id
  // that goes back with it. Otherwise every call of such a service would end the turn.
  for (const given of [{ call_id: "" }, { call_id: undefined }, { call_id: null }])
    test(`gets a generated id that its item and its result share: ${JSON.stringify(given)}`, async () => {
      const { runnable, items } = await ask([user("Hi")], call(given), call({ ...given, id: "fc_2" }));
      assert.equal(new Set(runnable.map(({ callId }) => callId)).size, 2, "each has its own");
      for (const [index, one] of runnable.entries()) {
        assert.notEqual(one.callId, "");
        const item = JSON.parse(items[index]?.raw ?? "");
        const output = JSON.parse(callOutput(one, verbatim("x")));
        assert.equal(item.call_id, output.call_id);
      }
    });
});

describe("a call that is still in progress", () => {
  test("is runnable if the response is completed and its arguments are complete JSON", async () => {
    const { runnable } = await ask([user("Hi")], call({ status: "in_progress" }));
    assert.equal(runnable.length, 1);
    assert.deepEqual((await ask([user("Hi")], call({ status: "incomplete" }))).runnable, []);
    const half = call({ status: "in_progress", arguments: '{"path":' });
    assert.deepEqual((await ask([user("Hi")], half)).runnable, []);
  });
});

describe("an apply_patch_call", () => {
  for (const [operation, lines] of [
    [{ type: "create_file", path: "a.md", diff: "+one\n+two\n" }, ["*** Add File: a.md", "+one", "+two"]],
    [
      { type: "update_file", path: "a.ts", diff: "@@\n-one\n+ONE" },
      ["*** Update File: a.ts", "@@", "-one", "+ONE"],
    ],
    [{ type: "delete_file", path: "a.ts" }, ["*** Delete File: a.ts"]],
  ] as const)
    test(`becomes an apply_patch call with a full patch: ${operation.type}`, async () => {
      const item = {
        id: "apc_1",
        type: "apply_patch_call",
        status: "completed",
        call_id: "call_1",
        operation,
      };
      const { runnable } = await ask([user("Hi")], item);
      assert.deepEqual(
        runnable.map(({ name, input }) => [name, input]),
        [["apply_patch", ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")]],
      );
    });
});
