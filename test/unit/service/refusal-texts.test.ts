// How services word what they refuse, from public threads and code: each is understood – what is left out or changed –
// answered with the plainest form where it says nothing, or rightly left alone. What is right stands in the fixture.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { defaultCapabilities } from "../../../src/service/capabilities.ts";
import { adapt } from "../../../src/service/internal/adapt-request.ts";
import { isUnexplained } from "../../../src/service/internal/adapted-retry.ts";
import { chatBody, responsesBody } from "../../../src/service/internal/body.ts";
import { readErrorBody } from "../../../src/service/internal/fault.ts";
import { resultType } from "../../../src/service/internal/request-shapes.ts";
import { plainSettings } from "./plain-settings.ts";
import { namespace, patchTool, searchIssues, user } from "./simulator-ground.ts";

interface Refusal {
  readonly source: string;
  readonly route: "responses" | "chat";
  readonly status: number;
  readonly body: unknown;
  /** What is given up, `field=value` for a value; `plain`: nobody can tell; empty: it is about something else. */
  readonly heals: string;
}

const refusals = JSON.parse(readFileSync("test/fixtures/refusals.json", "utf8")) as readonly Refusal[];

const settings = { ...plainSettings, userId: "u".repeat(64) };
const asked = {
  responses: responsesBody(
    {
      input: [
        user("Hi"),
        JSON.stringify({
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: "Hm." }],
        }),
        `{${resultType},"call_id":"call_1","output":"Done."}`,
      ],
      instructions: "Be brief.",
      tools: [
        JSON.stringify({ ...searchIssues, name: "read_file" }),
        patchTool,
        namespace,
        '{"type":"web_search"}',
      ],
      maxOutputTokens: 100,
      effort: "ultra",
      include: ["web_search_call.action.sources", "web_search_call.results"],
      cacheTtl: "1h",
      cacheId: "conversation-1",
    },
    settings,
    defaultCapabilities,
  ),
  chat: chatBody(
    { model: "svc-k2.6", messages: [{ role: "user", content: "Hi" }] },
    settings,
    defaultCapabilities,
  ),
};

function healed({ route, body }: Refusal): string {
  const sent = asked[route];
  assert.ok(sent.ok);
  const words = readErrorBody(JSON.stringify(body));
  const adaptation = adapt(words, sent.offered, defaultCapabilities);
  if (adaptation === undefined) return isUnexplained(words, sent.offered) ? "plain" : "";
  const [value] = adaptation.found.values;
  return value === undefined ? adaptation.field : `${value.path}=${value.value}`;
}

test("the fixture holds at least 80 distinct refusals", () => {
  assert.ok(refusals.length >= 80, String(refusals.length));
  assert.equal(new Set(refusals.map(({ body }) => JSON.stringify(body))).size, refusals.length);
});

for (const refusal of refusals)
  test(`the refusal ${JSON.stringify(refusal.body).slice(0, 160)} is understood`, () => {
    assert.equal(healed(refusal), refusal.heals);
  });
