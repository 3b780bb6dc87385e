// Three traps of the HTTP library (performance.md §4): what it does to the process it is loaded into, what it drags
// along, and whose timer speaks. The second half of the first two is tested in the real extension host.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { build } from "esbuild";
import libraryClock from "undici/lib/util/timers.js";
import { head, sse, startFaultServer } from "../../support/fault-server.ts";
import { watch } from "../../support/watched-client.ts";

const folder = mkdtempSync(join(tmpdir(), "patchbay-undici-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const bundled = build({
  absWorkingDir: process.cwd(),
  entryPoints: ["src/host/services.ts"],
  outfile: join(folder, "service.cjs"),
  bundle: true,
  external: ["vscode"],
  format: "cjs",
  metafile: true,
  platform: "node",
  logLevel: "error",
});

test("loading the service adds no global symbols to the process", async () => {
  await bundled;
  const script = `
    const before = Object.getOwnPropertySymbols(globalThis).map(String);
    require(${JSON.stringify(join(folder, "service.cjs"))});
    const now = Object.getOwnPropertySymbols(globalThis).map(String);
    console.log(JSON.stringify(now.filter((name) => !before.includes(name))));`;
  assert.equal(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }).trim(), "[]");
});

test("the bundle contains only the used parts of undici, imported by open-connections.ts alone", async () => {
  const { metafile } = await bundled;
  const inputs = Object.entries(metafile.inputs);
  const parts = inputs.map(([name]) => name).filter((name) => name.includes("node_modules/undici/"));
  assert.ok(parts.length > 0);
  assert.deepEqual(
    parts.filter((name) =>
      /undici\/index\.js|lib\/(global|mock|cache)|web\/(fetch\/index|websocket)/.test(name),
    ),
    [],
  );
  const importers = inputs.filter(([name, { imports }]) => {
    return name.startsWith("src/") && imports.some(({ path }) => path.includes("node_modules/undici/"));
  });
  assert.deepEqual(
    importers.map(([name]) => name),
    ["src/service/internal/open-connections.ts"],
  );
});

for (const [what, said, sign] of [
  ["an answer", "", "request"],
  [
    "the next byte",
    head(200) + sse({ type: "response.output_text.delta", item_id: "m", delta: "Hel" }),
    "text",
  ],
] as const) {
  test(`the timers of undici do not end the wait for ${what}`, async () => {
    let asked = false;
    let shown = false;
    let ended = false;
    await using server = await startFaultServer((socket) => {
      asked = true;
      if (said !== "") socket.write(said);
    });
    using watched = watch(server.url);
    const stop = new AbortController();
    const turn = watched.turn({
      signal: stop.signal,
      onEvent: (event) => {
        shown ||= event.type === "text";
        ended ||= event.type === "ended";
      },
    });
    while (!(sign === "text" ? shown : asked)) await turns(1);
    // Twice: a timer of this clock begins with its first tick.
    for (const _ of [1, 2]) libraryClock.tick(3_600_000);
    await turns(20);
    assert.deepEqual([ended, server.requests.length], [false, 1]);
    stop.abort();
    assert.equal((await turn).reply.status, "stopped");
  });
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}
