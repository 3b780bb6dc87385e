// Chains of additions, deletions, updates and moves drawn at random, on a real folder with links inside it and out of
// it. A list of names and lines, kept here without the engine, says what each chain must leave behind.
import assert from "node:assert/strict";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { applyToFolder } from "../../support/disk-workspace.ts";

const long = process.env["PATCHBAY_LONG"] !== undefined;

const start: Readonly<Record<string, string>> = {
  "a.txt": "a1\na2\na3\n",
  "b.txt": "b1\r\nb2\r\nb3",
  "d/c.txt": "c1\nc2\nc3\n",
  "d/e/f.txt": "f1\nf2\nf3\n",
};
const outside: Readonly<Record<string, string>> = { "secret.txt": "s1\ns2\n", "dir/x.txt": "x1\nx2\n" };
const links: Readonly<Record<string, string>> = {
  "link.txt": "a.txt",
  dl: "d",
  "chain.txt": "link.txt",
  "out.txt": "../outside/secret.txt",
  outdir: "../outside/dir",
  "dangling.txt": "nowhere.txt",
  "danglingout.txt": "../outside/nowhere.txt",
  "loop.txt": "loop.txt",
};
/** What a link inside the folder stands for. */
const real = (name: string) =>
  name
    .replace(/^\.\//, "")
    .replace(/\/\/|\/\.\//g, "/")
    .replace(/^(link|chain)\.txt$/, "a.txt")
    .replace(/^dl\//, "d/");

const there = fc.constantFrom(
  ...Object.keys(start),
  "./a.txt",
  "d//c.txt",
  "dl/c.txt",
  "link.txt",
  "chain.txt",
);
const free = fc.constantFrom("new.txt", "d/new.txt", "new/deep.txt", "dl/new.txt", "new");
const odd = fc.constantFrom(
  ...[
    "a.txt/x",
    "A.txt",
    "D/c.txt",
    "D/new.txt",
    "NEW.txt",
    "d",
    "out.txt",
    "outdir/x.txt",
    "outdir/new.txt",
    "dangling.txt",
  ],
  ...["danglingout.txt", "loop.txt", "hard.txt", "dl/e/f.txt"],
);
const names = fc.oneof({ weight: 6, arbitrary: there }, { weight: 4, arbitrary: free }, odd);

type Step =
  | { readonly kind: "add"; readonly name: string }
  | { readonly kind: "delete"; readonly name: string }
  | {
      readonly kind: "update";
      readonly name: string;
      readonly line: string;
      readonly to: string | undefined;
    };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("add" as const), name: fc.oneof({ weight: 5, arbitrary: free }, names) }),
    fc.record({ kind: fc.constant("delete" as const), name: names }),
    fc.record({
      kind: fc.constant("update" as const),
      name: names,
      line: fc.constantFrom("1", "1", "2", "3", "1!"),
      to: fc.option(fc.oneof({ weight: 5, arbitrary: free }, names), { nil: undefined, freq: 2 }),
    }),
  ),
  { minLength: 1, maxLength: 4 },
);

/** The lines of every file begin with a letter of their own. */
function lineOf(step: Step & { kind: "update" }): string {
  const name = real(step.name).split("/").at(-1) ?? "";
  const letter = /^(hard|out)/.test(name) ? "s" : name.charAt(0).toLowerCase();
  return letter + step.line;
}

function patchOf(chain: readonly Step[]): string {
  const sections = chain.flatMap((step) => {
    if (step.kind === "add") return [`*** Add File: ${step.name}`, "+n1", "+n2"];
    if (step.kind === "delete") return [`*** Delete File: ${step.name}`];
    const move = step.to === undefined ? [] : [`*** Move to: ${step.to}`];
    return [`*** Update File: ${step.name}`, ...move, "@@", `-${lineOf(step)}`, `+${lineOf(step)}!`];
  });
  return ["*** Begin Patch", ...sections, "*** End Patch", ""].join("\n");
}

/** The files after the chain, or undefined where some step is impossible. */
function play(chain: readonly Step[]): Map<string, string> | undefined {
  const files = new Map([...Object.entries(start), ["hard.txt", outside["secret.txt"] ?? ""]]);
  for (const step of chain) {
    const name = real(step.name);
    const text = files.get(name);
    if (step.kind === "add") {
      if (!isFree(files, name)) return undefined;
      files.set(name, "n1\nn2\n");
    } else if (text === undefined) return undefined;
    else if (step.kind === "delete") {
      if (name in links || isLink(step.name)) return undefined;
      files.delete(name);
    } else {
      const changed = text.replace(new RegExp(`^${lineOf(step)}(?=\\r?$)`, "m"), `${lineOf(step)}!`);
      if (changed === text) return undefined;
      const to = step.to === undefined ? name : real(step.to);
      if (to !== name && !isFree(files, to)) return undefined;
      files.delete(name);
      files.set(to, changed);
    }
  }
  const nested = [...files.keys()].some((name) =>
    [...files.keys()].some((own) => own.startsWith(`${name}/`)),
  );
  return nested ? undefined : files;
}

const isLink = (name: string) => name.replace(/^\.\//, "") in links;

function isFree(files: ReadonlyMap<string, string>, name: string): boolean {
  const first = name.split("/")[0] ?? "";
  return !files.has(name) && !(first in links) && name !== "d";
}

function build(root: string): void {
  for (const [folder, files] of [
    ["inside", start],
    ["outside", outside],
  ] as const) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, folder, name)), { recursive: true });
      writeFileSync(join(root, folder, name), text);
    }
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, "inside", name));
  linkSync(join(root, "outside/secret.txt"), join(root, "inside/hard.txt"));
}

/** Everything below a folder: files with their bytes, links with their targets and not followed. */
function seen(root: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
    const name = join(below, entry.name);
    if (entry.isDirectory()) Object.assign(found, seen(root, name));
    else if (entry.isSymbolicLink()) found[name] = `-> ${readlinkSync(join(root, name))}`;
    else found[name] = readFileSync(join(root, name), "latin1");
  }
  return found;
}

/** What stands outside and every link, and in place of the files these. */
function withFiles(before: Readonly<Record<string, string>>, files: ReadonlyMap<string, string>) {
  const kept = Object.entries(before).filter(
    ([name]) => name.startsWith("outside/") || name.slice(7) in links,
  );
  const own = [...files].map(([name, text]) => [`inside/${name}`, text]);
  return Object.fromEntries([...kept, ...own]);
}

async function check(root: string, chain: readonly Step[]): Promise<void> {
  build(root);
  const before = seen(root);
  const meant = play(chain);
  try {
    await applyToFolder(join(root, "inside"), patchOf(chain));
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    assert.deepEqual(seen(root), before);
    return;
  }
  assert.ok(meant !== undefined, "a chain that cannot be carried out was");
  assert.deepEqual(seen(root), withFiles(before, meant));
}

test("a chain of sections gives what it says or changes nothing, and leaves outside files alone", () =>
  fc.assert(
    fc.asyncProperty(steps, async (chain) => {
      const root = mkdtempSync(join(tmpdir(), "patchbay-"));
      try {
        await check(root, chain);
      } finally {
        rmSync(root, { recursive: true });
      }
    }),
    { numRuns: long ? 20_000 : 70, includeErrorInReport: true },
  ));
