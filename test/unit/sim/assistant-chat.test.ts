// The built-in assistant as a chat model in the panel: it reads what its instructions say of tools, calls them in text,
// and goes on from their answers, so that whoever starts Patchbay with the simulator sees it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAssistant } from "../../sim/assistant/assistant.ts";
import { reading, startTalk } from "../../support/talk.ts";

const start = () =>
  startTalk({
    profile: "interface-strict",
    service: { streamUsage: false },
    assistant: createAssistant({ pace: 0 }),
  });

test("the assistant as a chat model reads a file, and proposes a patch in its block", async () => {
  const talk = await start();
  talk.workspace.write("work/src/total.ts", "export function total(count: number) {\n  return count;\n}\n");
  const turn = await talk.ask("Rename count to amount in src/total.ts.", "svc-k2.6");
  const rows = reading(turn).filter((part) => !part.startsWith("text") && !part.startsWith("reasoning"));
  assert.deepEqual([turn.status, rows], ["done", ["read_file done", "patch proposed"]]);
  assert.doesNotMatch(reading(turn).join("\n"), /<\w+_\w+>|Begin Patch/);
  assert.match(reading(turn).at(-1) ?? "", /^text Done: `src\/total\.ts/);
});

test("the assistant as a chat model searches where the question asks for it", async () => {
  const talk = await start();
  talk.workspace.write("work/a.ts", "const needle = 1;\n");
  const turn = await talk.ask("Where is `needle` used?", "svc-k2.7-code");
  assert.ok(
    reading(turn).some((part) => /^(search_text|find_references) /.test(part)),
    reading(turn).join(),
  );
  assert.equal(turn.status, "done");
});
