// The eighteen gaps of the interface: the document says what the code does, and a report what holds for its service.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { defaultCapabilities } from "../../../src/service/capabilities.ts";
import { gaps, inUse } from "../../../src/service/internal/connection-report.ts";
import { type ClientSettings, completeSettings } from "../../../src/service/settings.ts";
import { english } from "../../support/english.ts";

const names = (change: readonly string[]) => change.map((name) => `\`${name}\``).join(", ") || "–";
const document = readFileSync("test/interface.md", "utf8");

test("the table of gaps in interface.md matches the code", () => {
  const rows = gaps.map(
    ({ gap, byDefault, learned, change }) =>
      `| ${english(gap)} | ${english(byDefault)} | ${learned === undefined ? "–" : english(learned)} | ${names(change)} |`,
  );
  assert.equal(rows.length, 18);
  const [, table = ""] = document.split("## What the interface does not show");
  const written = table.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| Gap "));
  assert.deepEqual(written, rows);
});

const here = (settings: ClientSettings, found: Partial<typeof defaultCapabilities>) =>
  inUse(
    { settings: completeSettings(settings), mask: (text) => text },
    { ...defaultCapabilities, ...found },
  ).gaps.flatMap(({ gap, here: said }) => (said === undefined ? [] : [`${english(gap)}: ${english(said)}`]));

test("inUse reports no gap with default settings and capabilities", () => {
  assert.deepEqual(here({}, {}), []);
});

test("inUse reports settings and capabilities at the gap they belong to", () => {
  assert.deepEqual(
    here({}, { refused: ["prompt_cache_key", "stream_options"], patch: "text", namespaces: "flat" }),
    [
      "Fields of the tools `custom` and `namespace`: patch tool: without its grammar; namespaces: as single functions",
      "Names of the two identifiers, and what is required: omitted: prompt_cache_key",
      "Other fields of chat completions: omitted: stream_options",
    ],
  );
  assert.deepEqual(
    here(
      {
        cacheKeyField: "session",
        nonceHeader: "x-nonce",
        patchTool: "off",
        extraBody: { chat: { top_p: 1 } },
      },
      {
        refused: ["stream", "top_p"],
        values: [{ path: "reasoning.effort", value: "ultra" }],
        windows: [{ model: "svc-k3", tokens: 262_144 }],
      },
    ),
    [
      "Fields of the tools `custom` and `namespace`: patch tool: off; namespaces: as they are",
      "Names of the two identifiers, and what is required: sent: session, safety_identifier",
      "Other fields of chat completions: omitted: top_p",
      "Name of the nonce's header: sent: x-nonce",
      "Names and payloads of the events: omitted: stream",
      "Other error statuses: not sent again: reasoning.effort: ultra",
      "Size of the input and of the context window: svc-k3: 262144 tokens",
    ],
  );
});

test("inUse returns a profile with every member of the setting and no header values", () => {
  const { profile } = inUse(
    {
      settings: completeSettings({
        extraHeaders: { "x-gateway": "secret" },
        namespaces: "flat",
        idleSeconds: 7,
      }),
      mask: (text) => text,
    },
    defaultCapabilities,
  );
  const read = JSON.parse(profile) as Record<string, unknown>;
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const [setting] = manifest.contributes.configuration.flatMap(
    ({ properties }: { properties: Record<string, { properties?: object }> }) =>
      properties["patchbay.service.profile"] ?? [],
  );
  assert.deepEqual(Object.keys(read).sort(), Object.keys(setting.properties).sort());
  assert.equal(read["namespaces"], "flatten");
  assert.deepEqual(read["timeouts"], {
    connectSeconds: 30,
    firstByteSeconds: 300,
    unstreamedSeconds: 1800,
    idleSeconds: 7,
  });
  assert.doesNotMatch(profile, /secret/);
});
