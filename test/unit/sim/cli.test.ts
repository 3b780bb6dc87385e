import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { readOptions } from "../../sim/cli-options.ts";
import { optionalFields, profileNames, standardToo } from "../../sim/profiles.ts";

test("the simulator command prints its URL, responds there and exits on SIGTERM", async () => {
  const build = spawnSync(process.execPath, ["esbuild.mjs", "sim"], { encoding: "utf8" });
  assert.equal(build.status, 0, build.stderr);
  const args = [".build/sim/cli.main.mjs", "--port", "0", "--key", "sk-mine", "--pace", "0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const said = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const [name = "", value = ""] = line.split(/ {2,}/);
    said.set(name, value);
    if (line === "Ctrl-C ends it.") break;
  }
  assert.equal(said.get("Key"), "sk-mine");
  const answer = await fetch(`${said.get("Service URL")}/v1/responses`, {
    method: "POST",
    headers: { authorization: "Bearer sk-mine", "content-type": "application/json" },
    body: JSON.stringify({ model: "svc-k3", input: "Hello?", stream: true }),
  });
  assert.match(await answer.text(), /event: response\.completed/);
  const { port } = new URL(said.get("Service URL") ?? "");
  const second = spawnSync(process.execPath, [".build/sim/cli.main.mjs", "--port", port], {
    encoding: "utf8",
  });
  assert.deepEqual(
    [second.status, second.stderr],
    [1, `Port ${port} is taken; choose another with --port, or 0 for any.\n`],
  );
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});

test("readOptions fills in defaults and accepts every option", () => {
  const usual = {
    port: 4141,
    key: "sk-simulator-0123456789abcdef",
    pace: 25,
    nonceHeader: "svc-request-nonce",
    proxy: "none",
  };
  assert.deepEqual(readOptions([]), { ...usual, profile: "standard" });
  const told = [
    "--profile",
    "refuses-text",
    "--port=0",
    "--pace=0",
    "--key=sk-mine",
    "--nonce=x-nonce",
    "--proxy=hang",
  ];
  const own = { port: 0, key: "sk-mine", pace: 0, nonceHeader: "x-nonce", proxy: "hang" };
  assert.deepEqual(readOptions(told), { ...own, profile: "refuses-text" });
});

test("the help lists every option and every profile", () => {
  const said = readOptions(["--help"]);
  assert.ok("text" in said);
  assert.equal(said.exitCode, 0);
  const options = ["--port", "--key", "--pace", "--nonce", "--proxy", "--profile"];
  for (const name of [...options, ...profileNames, ...standardToo, ...optionalFields, "refuses-<field>"])
    assert.ok(said.text.includes(name), name);
});

const unknown: readonly (readonly [args: readonly string[], sentence: RegExp])[] = [
  [["--profile", "custom"], /^There is no profile custom\. "npm run sim -- --help" lists what there is\.$/],
  [["--port", "http"], /^http is no port\. "npm run sim/],
  [["--pace", "fast"], /^fast is no number of milliseconds\. "npm run sim/],
  [["--proxy", "socks"], /^There is no proxy socks\. "npm run sim/],
  [["--profil", "strict"], /^Unknown option '--profil'.*\. "npm run sim/],
];

for (const [args, sentence] of unknown)
  test(`readOptions rejects "${args.join(" ")}" with one sentence`, () => {
    const said = readOptions(args);
    assert.ok("text" in said);
    assert.equal(said.exitCode, 1);
    assert.match(said.text, sentence);
    assert.ok(!said.text.includes("\n"));
  });
