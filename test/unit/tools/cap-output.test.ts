import assert from "node:assert/strict";
import { test } from "node:test";
import { capOutput, maxOutputBytes } from "../../../src/tools/tool.ts";
import type { HostTool } from "../../../src/tools/tool-table.ts";
import { call, text } from "../../sim/script.ts";
import { startTalk } from "../../support/talk.ts";

test("capOutput keeps the beginning and end of a long output and reports the bytes left out", () => {
  const long = `first\n${"x".repeat(200_000)}\nlast`;
  const capped = capOutput(long);
  assert.match(capped, /^first\nx+\n\[… (\d+) bytes are left out here …\]\nx+\nlast$/);
  const missing = Number(/… (\d+) bytes/.exec(capped)?.[1]);
  const note = `\n[… ${missing} bytes are left out here …]\n`;
  assert.equal(Buffer.byteLength(capped) - Buffer.byteLength(note) + missing, Buffer.byteLength(long));
  assert.ok(Buffer.byteLength(capped) <= maxOutputBytes + 100);
});

test("capOutput splits no character and leaves a fitting output unchanged", () => {
  for (const letter of ["é", "價", "🦜"])
    for (let shift = 0; shift < 4; shift++) {
      const capped = capOutput("a".repeat(shift) + letter.repeat(40_000));
      assert.ok(!capped.includes("\ufffd"), letter);
    }
  const fits = "é".repeat(maxOutputBytes / 2);
  assert.equal(capOutput(fits), fits);
});

test("an output is capped once, and later requests send the same bytes", async () => {
  const host: HostTool = {
    namespace: "log",
    name: "dump",
    description: "Dumps.",
    parameters: {},
    readOnly: true,
    call: async () => ({ output: "line\n".repeat(100_000) }),
  };
  const settings = { tools: { user: new Map([["log", "auto" as const]]), workspace: new Map() } };
  const talk = await startTalk({ hostTools: [host], settings });
  talk.sim.reply(call("dump", {}, { namespace: "log" }));
  talk.sim.reply(text("Long."));
  await talk.ask("Dump.");
  talk.sim.reply(text("Yes."));
  await talk.ask("Sure?");
  const outputs = talk.bodies().flatMap(({ input }) => input.flatMap(({ output }) => output ?? []));
  assert.equal(outputs.length, 2);
  assert.equal(outputs[0], outputs[1]);
  assert.ok(String(outputs[0]).length < maxOutputBytes + 100);
  talk.sim.done();
});

test("outputs of one request are capped together: less each for many, the full size for a few", async () => {
  const host: HostTool = {
    ...{ namespace: "log", name: "dump", description: "Dumps.", parameters: {}, readOnly: true },
    call: async ({ n }) => ({ output: `${n}\n`.repeat(40_000) }),
  };
  const settings = { tools: { user: new Map([["log", "auto" as const]]), workspace: new Map() } };
  for (const [count, each] of [
    [1, 64 * 1024],
    [16, 64 * 1024],
    [64, 16 * 1024],
    [200, 16 * 1024],
  ] as const) {
    const talk = await startTalk({ hostTools: [host], settings });
    talk.sim.reply(
      ...Array.from({ length: count }, (_, index) => call("dump", { n: 100 + index }, { namespace: "log" })),
    );
    talk.sim.reply(text("Long."));
    await talk.ask("Dump.");
    const sizes = talk
      .bodies()
      .at(-1)
      ?.input.flatMap(({ output }) => (output === undefined ? [] : [Buffer.byteLength(String(output))]));
    assert.equal(sizes?.length, count, "each call has its answer");
    for (const size of sizes.slice(0, 64)) assert.ok(size > each && size < each + 100, `${count}: ${size}`);
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 1.1 * 1024 * 1024, `${count}`);
    talk.sim.done();
  }
});
