import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";

test("the simulator for people says where it listens, answers there and ends when told to", async () => {
  const build = spawnSync(process.execPath, ["esbuild.mjs", "sim"], { encoding: "utf8" });
  assert.equal(build.status, 0, build.stderr);
  const args = [".build/sim/people.main.mjs", "--port", "0", "--key", "sk-mine", "--pace", "0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const said = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [name = "", value = ""] = line.split(/ {2,}/);
    said.set(name, value);
    if (line === "Ctrl-C ends it.") break;
  }
  assert.equal(said.get("Key"), "sk-mine");
  const answer = await fetch(`${said.get("Base address")}/v1/responses`, {
    method: "POST",
    headers: { authorization: "Bearer sk-mine", "content-type": "application/json" },
    body: JSON.stringify({ model: "svc-k3", input: "Hello?", stream: true }),
  });
  assert.match(await answer.text(), /event: response\.completed/);
  const { port } = new URL(said.get("Base address") ?? "");
  const second = spawnSync(process.execPath, [".build/sim/people.main.mjs", "--port", port], {
    encoding: "utf8",
  });
  assert.deepEqual(
    [second.status, second.stderr],
    [1, `Port ${port} is taken; choose another with --port, or 0 for any.\n`],
  );
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});
