// A key that a person removes goes nowhere any more, although an operation was waiting with it; and a place of keys that
// fails is told, not thrown (requirements A12, A13).
import assert from "node:assert/strict";
import { test } from "node:test";
import { message as messageOf } from "../../../src/conversation/messages.ts";
import type { Problem } from "../../../src/conversation/problem.ts";
import { localProblem } from "../../../src/service/internal/fault-to-problem.ts";
import { createServiceClient, type ServiceClient } from "../../../src/service/service-client.ts";
import type { Connection } from "../../../src/service/url-and-key.ts";
import { silentLog } from "../../../src/util/log.ts";
import { english } from "../../support/english.ts";
import { json, startFaultServer } from "../../support/fault-server.ts";
import { operations } from "./operations.ts";

const busy = json(429, { error: { message: "Busy." } }, { "retry-after": "50" });

type Found = Connection | Problem;

/** `then`: what the connection is when the waiting of an operation is over. */
async function waiting(
  run: (client: ServiceClient) => Promise<Problem | undefined>,
  then: (now: Connection) => Found,
) {
  await using server = await startFaultServer(busy);
  const first = { baseUrl: server.url, key: "sk-first-0123456789" };
  let connection: Found = first;
  const client = createServiceClient({
    connection: async () => connection,
    settings: () => ({}),
    log: silentLog,
    wait: async () => {
      connection = then(first);
    },
    environment: {},
  });
  const problem = await run(client);
  client.dispose();
  return { problem, sent: server.requests.map(({ headers }) => headers.get("authorization")) };
}

const noKey = localProblem("no-key", messageOf("keyMissing", { origin: "https://x" }), ["set-key"]);

for (const [name, run] of Object.entries(operations)) {
  test(`a key that is removed while ${name} waits for a retry is not sent again`, async () => {
    const { problem, sent } = await waiting(run, () => noKey);
    assert.deepEqual(sent, ["Bearer sk-first-0123456789"]);
    assert.deepEqual(problem, noKey);
  });

  test(`a key that is replaced while ${name} waits for a retry is used for the later requests`, async () => {
    const { sent } = await waiting(run, (now) => ({ ...now, key: "sk-second-0123456789" }));
    assert.deepEqual(new Set(sent.slice(1)), new Set(["Bearer sk-second-0123456789"]));
  });

  test(`a service URL that changes while ${name} waits for a retry ends the operation`, async () => {
    const { problem, sent } = await waiting(run, (now) => ({ ...now, baseUrl: "https://other.test" }));
    assert.equal(sent.length, 1);
    assert.match(english(problem), /service URL changed/);
  });

  test(`a failure to read the key ends ${name} with the problem no-key`, async () => {
    const client = createServiceClient({
      connection: () => Promise.reject(new Error("no keyring")),
      settings: () => ({}),
      log: silentLog,
    });
    const problem = await run(client);
    assert.deepEqual([problem?.kind, problem?.actions], ["no-key", ["set-key"]]);
    client.dispose();
  });
}
