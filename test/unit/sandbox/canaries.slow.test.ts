// The sandbox for real: everything that tries to get out, as root and as an ordinary user, in two versions of bubblewrap, with
// dependencies under an overlay and read-only. Where no bubblewrap can be had, the way without it is what is tested.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { build } from "esbuild";
import { findSandbox } from "../../../src/checks/internal/sandbox/sandbox.ts";
import { asNobody, canBeNobody, isRoot, nobody } from "../../support/ordinary-user.ts";
import type { SandboxReport } from "../../support/sandbox.process.ts";
import { canaries } from "../../support/sandbox-canaries.ts";
import { prepareBubblewrap } from "../../support/tools.mjs";

const programs = await prepareBubblewrap();
const homes: string[] = [];
after(() => {
  for (const each of homes) spawnSync("rm", ["-rf", each]);
});

/** One person's whole round, in a process of that person. */
async function roundOf(person: "root" | "user"): Promise<SandboxReport> {
  // An ordinary user can enter neither root's folders nor, perhaps, those of the tests.
  const home = mkdtempSync(join(person === "user" && isRoot ? "/tmp" : tmpdir(), "patchbay-sandbox-"));
  homes.push(home);
  const driver = join(home, "driver.mjs");
  await build({
    entryPoints: ["test/support/sandbox.process.ts"],
    ...{
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      outfile: driver,
      logLevel: "warning",
    },
  });
  const own = programs.map(({ version, program }) => {
    cpSync(join(program, ".."), join(home, version), { recursive: true });
    return { version, program: join(home, version, "bwrap") };
  });
  const base = join(home, "world");
  mkdirSync(base);
  const isOther = person === "user" && isRoot;
  if (isOther) for (const each of [home, base]) chownSync(each, nobody, nobody);
  const line = [process.execPath, driver, "report", JSON.stringify({ base, programs: own })];
  const [file = "", ...args] = isOther ? [...asNobody, ...line] : line;
  const child = spawn(file, args, {
    env: { ...process.env, HOME: join(base, "home") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pieces: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (piece: string) => pieces.push(piece));
  const [code] = await once(child, "close");
  assert.equal(code, 0, `The round of ${person} has ended with ${code}.`);
  return JSON.parse(pieces.join(""));
}

const persons: readonly ("root" | "user")[] = isRoot
  ? canBeNobody()
    ? ["root", "user"]
    : ["root"]
  : ["user"];
if (programs.length === 0) console.log("  No bubblewrap: the way without a sandbox is tested.");
else {
  console.log(
    `  Locked in by bubblewrap ${programs.map(({ version }) => version).join(" and ")}, as ${persons}.`,
  );
  if (isRoot && persons.length === 1) console.log("  This machine lets nobody else run Node.");
}
const rounds = programs.length === 0 ? [] : persons.map((person) => ({ person, round: roundOf(person) }));
// Whoever needs it says what is wrong.
for (const { round } of rounds) round.catch(() => {});

describe("findSandbox without bubblewrap", () => {
  test("reports it as missing", async () => {
    const storage = mkdtempSync(join(tmpdir(), "patchbay-none-"));
    homes.push(storage);
    // The system's own, where there is one, lies in a workspace here, from which no program is taken.
    const state = await findSandbox({ storage, workspaceFolders: ["/usr"], path: "/usr/bin:/bin" });
    assert.deepEqual([state.kind, state.kind === "none" && state.why], ["none", "missing"]);
  });
});

test("the list of canaries has at least 45, each with its own name", () => {
  assert.ok(canaries.length >= 45, String(canaries.length));
  assert.equal(new Set(canaries.map(({ name }) => name)).size, canaries.length);
});

for (const { person, round } of rounds)
  describe(`canaries of ${person === "root" ? "root" : "an ordinary user"}`, () => {
    test("escape without a sandbox", async () => {
      const { bare, hasPython } = await round;
      const held = canaries.filter(({ name }) => bare.run.includes(name) && !bare.out.includes(name));
      const unexplained = held.filter((each) => each.bare !== "kernel").map(({ name }) => name);
      assert.deepEqual(unexplained, []);
      const lacking = held.map(({ name }) => name).join("; ");
      if (held.length > 0)
        console.log(`  ${person}: this kernel does not offer, or not to this person: ${lacking}`);
      if (!hasPython) console.log("  Without python3 its canaries are not let loose.");
    });
    for (const { version } of programs) {
      for (const dependencies of ["overlay", "read-only"] as const)
        test(`are held by bubblewrap ${version}, dependencies ${dependencies}`, async () => {
          const { locked, facts, hasPython } = await round;
          const one = locked.find((each) => each.version === version && each.dependencies === dependencies);
          assert.ok(one, JSON.stringify(facts[version]));
          assert.deepEqual(one.out, []);
          assert.deepEqual(one.changed, []);
          const run = canaries.filter(({ language }) => hasPython || language !== "python");
          assert.deepEqual(one.run.toSorted(), run.map(({ name }) => name).toSorted());
          assert.deepEqual([...new Set(one.ends)], ["done"]);
        });
      const factsOf = async () => {
        const { facts } = await round;
        const own = facts[version] as Record<string, Record<string, never>> | undefined;
        assert.ok(own?.["works"], JSON.stringify(own));
        return own;
      };
      test(`find in bubblewrap ${version} what a check needs`, async () => {
        const works = (await factsOf())["works"] as Record<
          string,
          { end: string; code: number; output: string }
        >;
        const said = (name: string) => works[name]?.output;
        assert.match(said("folder") ?? "", /\/projects\/real$/);
        for (const [name, output] of Object.entries(expected)) assert.equal(said(name), output, name);
        assert.equal(works["code"]?.code, 137);
        assert.deepEqual([works["left"]?.end, works["left"]?.code], ["done", 3]);
        const { copy, cached, remains, broken } = works as Record<string, unknown>;
        assert.deepEqual([copy, cached, remains, broken], ["changed\n", true, [], "broken"]);
      });
      test(`are limited in memory, processes, disk, output and time by bubblewrap ${version}`, async () => {
        const limits = (await factsOf())["limits"] as Record<
          string,
          { end: string; letters: number; code: number }
        >;
        const ends = Object.entries(limits).flatMap(([name, each]) => (each?.end ? [[name, each.end]] : []));
        const { hasPython } = await round;
        assert.deepEqual(Object.fromEntries(ends), {
          ...{ memory: "memory", memoryInFiles: "memory", ...(hasPython && { memoryOfForks: "done" }) },
          ...{ sharedFolder: "done", processes: "processes", disk: "disk", freeDisk: "disk" },
          ...{ file: "done", output: "output", time: "timeout" },
        });
        assert.notEqual(limits["sharedFolder"]?.code, 0);
        assert.equal(limits["output"]?.letters, 100_000);
        const { fileSize, stillRuns } = limits as Record<string, unknown>;
        assert.ok(Number(fileSize) <= 10_000_384, String(fileSize));
        assert.equal(stillRuns, false);
      });
      test(`end with the process that started bubblewrap ${version}`, async () => {
        assert.deepEqual((await factsOf())["ends"], {
          ...{ reason: "stopped by the test", isLeft: false, reasonBefore: "stopped by the test" },
          endsWithHost: true,
        });
      });
      test(`reach no socket of this machine through the network of bubblewrap ${version}`, async () => {
        assert.deepEqual((await factsOf())["withNetwork"], {
          ...{ begun: true, out: [], page: "heard", child: "heard", pair: "heard" },
        });
      });
      test(`do not run twice when bubblewrap ${version} is ended`, async () => {
        assert.deepEqual((await factsOf())["killed"], { end: "done", ran: "run\n" });
      });
      test(`cannot redirect mounts of bubblewrap ${version} by links`, async () => {
        const places = Object.entries((await factsOf())["mountPoints"] ?? {});
        assert.equal(places.length, 10);
        for (const [name, fact] of places)
          assert.deepEqual(fact, { end: "done", code: 0, isUnchanged: true, isOurs: true }, name);
      });
      test(`leave nothing in bubblewrap ${version} that cannot be removed`, async () => {
        const facts = await factsOf();
        const { byNode, ...longPaths } = facts["longPaths"] ?? {};
        assert.deepEqual(longPaths, { end: "done", code: 0, isLeft: false, isThere: false });
        assert.notEqual(byNode, "removed");
        assert.equal(facts["isUnchanged"], true);
      });
    }
  });

const expected = {
  ...{
    home: "kept",
    temporary: "kept\nkept",
    tool: "tool\ntool",
    node: "2",
    loopback: "served",
    sockets: "served",
  },
  ...{ changed: "changed", dependency: "{}\nmodule.exports = 2;", cache: "kept", ownCache: "kept" },
  ...{ quotes: "it's $HOME", nobody: "not a tty" },
};
