// Files and patches made to hold the thread: each comes to a plan or to its refusal. That the thread is not held meanwhile
// is what these tests are watched for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../../src/patch/model.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";
import { workInThread } from "../../support/worker-thread.ts";
import { patchOf } from "./random-edits.ts";

const times = (count: number, make: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => make(at));

interface Input {
  readonly name: string;
  /** For a part of the largest size. */
  readonly make: (part: number) => { readonly text: string; readonly patch: string };
}

const lines = (count: number, make: (at: number) => string) => `${times(count, make).join("\n")}\n`;
const hunks = (count: number, make: (at: number) => readonly string[]) =>
  patchOf(
    "a.txt",
    Array.from({ length: count }, (_, at) => make(at)),
  );

const maxLines = (line: string) => Math.floor((limits.patchBytes - 100) / (line.length + 1));

const inputs: readonly Input[] = [
  {
    name: "a large file and many hunks",
    make: (part) => ({
      text: lines(230_000 * part, (at) => `  const v${at} = ${at % 7};`),
      patch: hunks(1900 * part, (at) => [`-  const v${at * 120} = ${(at * 120) % 7};`, "+  x"]),
    }),
  },
  {
    name: "a large file in other indentation",
    make: (part) => ({
      text: lines(280_000 * part, (at) => `${"\t".repeat(at % 5)}v${at};`),
      patch: hunks(1900 * part, (at) =>
        times(4, (step) => ` ${"    ".repeat((at * 140 + step) % 5)}v${at * 140 + step};`).concat("+    x"),
      ),
    }),
  },
  {
    name: "many stale hunks",
    make: (part) => ({
      text: lines(280_000 * part, (at) => `line ${at % 90_000}`),
      patch: hunks(1900 * part, (at) => [` line ${at}`, `-gone ${at}`, "+x"]),
    }),
  },
  {
    name: "one line, repeated",
    make: (part) => ({
      text: lines(280_000 * part, () => "}"),
      patch: hunks(1900 * part, () => ["-}", "+]"]),
    }),
  },
  {
    name: "long hunks of one line, repeated",
    make: (part) => ({
      text: lines(280_000 * part, () => "}"),
      patch: hunks(20 * part, (at) => times(4000 + at, () => " }").concat("+x")),
    }),
  },
  {
    name: "lines of five megabytes",
    make: (part) => ({ text: `${"a“b ".repeat(800_000 * part)}\nb\n`, patch: hunks(1, () => ["-b", "+c"]) }),
  },
  {
    name: "towers of marks",
    make: (part) => ({
      text: lines(20, () => `a${"\u0301\u0323".repeat(30_000 * part)}`),
      patch: hunks(20, (at) => [` a${"\u0323\u0301".repeat(5000 * part)}`, `+${at}`]),
    }),
  },
  {
    name: "anchors that are everywhere",
    make: (part) => ({
      text: lines(200_000 * part, (at) => `run(run(run(${at}`),
      patch: patchOf("a.txt", []).replace(
        "*** End",
        `${times(300 * part, (at) => `@@ run(...\n-run(run(run(${at * 600}\n+x`).join("\n")}\n*** End`,
      ),
    }),
  },
  {
    name: "typographic lines that change",
    make: (part) => ({
      text: lines(60_000 * part, (at) => `“a ${at}” – ${"it’s ".repeat(8)}`),
      patch: hunks(900 * part, (at) => [
        `-"a ${at * 60}" - ${"it's ".repeat(8)}`,
        `+"b ${at * 60}" - ${"it's ".repeat(8)}`,
      ]),
    }),
  },
  {
    name: "sections by the hundred for one file",
    make: (part) => ({
      text: lines(100_000 * part, (at) => `v${at}`),
      patch: `*** Begin Patch\n${times(190 * part, (at) => `*** Update File: a.txt\n@@\n-v${at * 500}\n+x`).join("\n")}\n*** End Patch\n`,
    }),
  },
  {
    name: "sections by the ten thousand",
    make: (part) => ({
      text: "a\n",
      patch: `*** Begin Patch\n${times(20_000 * part, (at) => `*** Delete File: b${at}.txt`).join("\n")}\n*** End Patch\n`,
    }),
  },
  ...["", "-", "@@ x"].map((line) => ({
    name: `as many lines "${line}" as a patch may have`,
    make: (part: number) => ({
      text: "a\n",
      patch: hunks(1, () => times(maxLines(line) * part, () => line)),
    }),
  })),
  ...["\\/", "&#36;", "//a "].map((sign) => ({
    name: `a new file that is nothing but ${sign}`,
    make: (part: number) => ({
      text: "a\n",
      patch: `*** Begin Patch\n*** Add File: b.json\n+${sign.repeat((1_000_000 / sign.length) * part)}\n*** End Patch\n`,
    }),
  })),
  {
    name: "lines by the hundred thousand, as JSON",
    make: (part) => ({
      text: "a\n",
      patch: JSON.stringify({ input: hunks(1, () => times(300_000 * part, () => "-")) }),
    }),
  },
];

const plan = ({ text, patch }: { text: string; patch: string }) =>
  planPatch(patch, new MemoryWorkspace({ "a.txt": text })).catch((error: unknown) => {
    assert.ok(error instanceof PatchError, String(error));
    return undefined;
  });

for (const { name, make } of inputs)
  test(`planning never holds the thread of the editor for long: ${name}`, async (t) => {
    await workInThread(t);
    await plan(make(1));
  });
