// Patches of the corpus with damage done to them, against their own files: whatever comes, the engine answers with a
// plan that is true to the file or with a PatchError.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileChange, UpdateChange } from "../../../src/patch/model.ts";
import { PatchError } from "../../../src/patch/patch-error.ts";
import { planPatch } from "../../../src/patch/plan.ts";
import { MemoryWorkspace } from "../../support/memory-workspace.ts";
import { random as createRandom, type Pick } from "../../support/random-text.ts";
import { patchFixtures } from "./patched.ts";

const long = process.env["PATCHBAY_LONG"] !== undefined;
const runs = long ? 1_000_000 : 4_000;

const cases = patchFixtures();

const odd = [
  "\0",
  "\uFEFF",
  "\r",
  "\u2028",
  "\uD800",
  "💥",
  "\t",
  " ",
  "*** ",
  "@@ ",
  "\\",
  '"',
  "`",
  "é",
  "’",
];
const markers = [
  "*** Begin Patch",
  "*** End Patch",
  "*** End of File",
  "*** Move to: b.txt",
  "*** Update File: a.txt",
  "*** Delete File: a.txt",
  "*** Add File: new.txt",
  "@@",
  "@@ -2,1 +2,1 @@",
  "",
  " ",
  "-",
  "+",
  "```",
];

function damage(patch: string, other: string, random: Pick): string {
  const lines = patch.split("\n");
  const pick = (list: readonly string[]) => list[random(list.length)] ?? "";
  for (let times = 1 + random(3); times > 0; times--) {
    const at = random(lines.length);
    const line = lines[at] ?? "";
    const column = random(line.length + 1);
    const ways = [
      () => lines.splice(at, 1),
      () => lines.splice(at, 0, line),
      () => lines.splice(at, 0, pick(markers)),
      () => lines.splice(at, 0, pick(other.split("\n"))),
      () => lines.splice(at, 2, lines[at + 1] ?? "", line),
      () => lines.splice(at, 1, line.slice(0, column) + pick(odd) + line.slice(column)),
      () => lines.splice(at, 1, line.slice(0, column) + line.slice(column + 1)),
      () => lines.splice(at, 1, pick([" ", "-", "+", ""]) + line.slice(1)),
      () => lines.splice(at, 1, line.trim()),
    ];
    ways[random(ways.length)]?.();
  }
  return lines.join("\n");
}

async function plan(patch: string, files: Readonly<Record<string, string>>) {
  try {
    return (await planPatch(patch, new MemoryWorkspace(files))).changes;
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    assert.match(error.message, /^.+\.$/s);
    assert.match(error.forModel, /^apply_patch verification failed: .+\n\nNothing was changed\.$/s);
    return undefined;
  }
}

/** Edits are in order, apart from each other, and remove what stands there. */
function assertTrue(change: FileChange, files: Readonly<Record<string, string>>): void {
  if (change.kind === "add") return;
  assert.equal(change.base.text, files[change.file.path]);
  if (change.kind === "delete") return;
  let before = 0;
  for (const { start, end, removed, text } of change.edits) {
    assert.ok(start >= before && end >= start, "edits overlap");
    assert.equal(change.base.text.slice(start, end), removed);
    assert.notEqual(text, removed);
    before = end;
  }
}

/** Its hunks stand from top to bottom and nothing but lines says where: in the same text twice they fit twice. */
function fitsTwiceInTwo(patch: string, { base, edits, hunks }: UpdateChange): boolean {
  if (/@@ *[^\s]|End of File|^\s*$|\\n|Move|Add|Delete/m.test(patch)) return false;
  if (patch.match(/Update/g)?.length !== 1) return false;
  const order = edits.flatMap((edit) => edit.hunks);
  const allChange = hunks.every((_, hunk) => order.includes(hunk));
  const inOrder = order.every((hunk, at) => hunk >= (order[at - 1] ?? 0));
  const onBase = hunks.every((hunk) => !hunk.onEarlier);
  return allChange && inOrder && onBase && base.text.endsWith("\n") && !base.text.startsWith("\uFEFF");
}

test("a damaged patch gives a plan true to the file or a PatchError, never one of two readings", async (t) => {
  const random = createRandom(20_261_121);
  const counts = { planned: 0, doubled: 0 };
  for (let run = 0; run < runs; run++) {
    const { files, patch } = cases[random(cases.length)] ?? { files: {}, patch: "" };
    const other = cases[random(cases.length)]?.patch ?? "";
    const damaged = damage(patch, other, random);
    const changes = await plan(damaged, files);
    for (const change of changes ?? []) assertTrue(change, files);
    if (changes !== undefined) counts.planned += 1;
    const [only] = changes ?? [];
    if (changes?.length !== 1 || only?.kind !== "update" || !fitsTwiceInTwo(damaged, only)) continue;
    counts.doubled += 1;
    const twice = await plan(damaged, { ...files, [only.file.path]: only.base.text.repeat(2) });
    assert.equal(twice, undefined, `applied to one of two equal places:\n${damaged}`);
  }
  t.diagnostic(`${runs} patches, ${counts.planned} planned, ${counts.doubled} tried on the text twice`);
  assert.ok(counts.planned > runs / 20 && counts.doubled > runs / 400, JSON.stringify(counts));
});
