// `npm run sim` and what is left of it.
import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { test } from "node:test";

test("npm run sim frees its port when npm is killed", async () => {
  const npm = spawn("npm", ["run", "sim", "--", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  const lines = createInterface({ input: npm.stdout });
  let port = 0;
  for await (const line of lines) {
    port = Number(/^Service URL .*:(\d+)/.exec(line)?.[1] ?? port);
    if (line.startsWith("Ctrl-C")) break;
  }
  assert.equal(await answers(port), true);
  // Without a chance to hand that on to what it has started.
  npm.kill("SIGKILL");
  // Its output closes when the last process that holds it has ended.
  await once(npm, "close");
  assert.equal(await answers(port), false);
});

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
