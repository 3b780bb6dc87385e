// The whole of carrying out a plan against a racer that turns a step of the way elsewhere at any call of the file system,
// and hides it: ours or the editor's, before the write, within it or after it, while it is saved or taken back. What it
// led elsewhere is told; what is said to be applied is there. PATCHBAY_LONG=1 makes it 10,000 applies.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { toUri } from "../../../../src/editor/workspace/file-uris.ts";
import { lookOnDisk } from "../../../../src/editor/workspace/internal/look-on-disk.ts";
import { liveText } from "../../../../src/editor/workspace/internal/pre-edit-state.ts";
import { SymlinkRaceGuard } from "../../../../src/editor/workspace/internal/symlink-race-guard.ts";
import { createApply } from "../../../../src/editor/workspace/internal/write-file-changes.ts";
import type { ApplyOutcome } from "../../../../src/files/workspace.ts";
import type { FileName } from "../../../../src/patch/model.ts";
import { planPatch } from "../../../../src/patch/plan.ts";
import { draws } from "../../../support/draws.ts";
import { openFolder } from "../../../support/editor-on-disk.ts";
import { atEveryCall, HidingRacer, type Turn, textAt } from "../../../support/hiding-racer.ts";
import { random } from "../../../support/random-text.ts";

const pick = random(15);
const one = <T>(among: readonly T[]): T => among[pick(among.length)] as T;

const applies = process.env["PATCHBAY_LONG"] === undefined ? 200 * draws : 10_000;

/** A path, and the text there; none where nothing is left. */
type Left = readonly [path: string, text?: string];

/** What a plan may do. */
const parts: readonly { readonly patch: readonly string[]; readonly leaves: readonly Left[] }[] = [
  {
    patch: ["*** Update File: src/deep/edit.txt", "@@", "-one", "+eins"],
    leaves: [["src/deep/edit.txt", "eins\ntwo\n"]],
  },
  { patch: ["*** Add File: src/deep/new.txt", "+new"], leaves: [["src/deep/new.txt", "new\n"]] },
  { patch: ["*** Add File: src/deep/fresh/new.txt", "+new"], leaves: [["src/deep/fresh/new.txt", "new\n"]] },
  {
    patch: ["*** Update File: src/deep/move.txt", "*** Move to: src/deep/moved.txt", "@@", "-one", "+eins"],
    leaves: [["src/deep/move.txt"], ["src/deep/moved.txt", "eins\ntwo\n"]],
  },
  {
    patch: ["*** Update File: src/deep/as-is.txt", "*** Move to: src/deep/moved-as-is.txt"],
    leaves: [["src/deep/as-is.txt"], ["src/deep/moved-as-is.txt", "one\ntwo\n"]],
  },
  { patch: ["*** Delete File: src/deep/gone.txt"], leaves: [["src/deep/gone.txt"]] },
];
/** How many calls of the file system most applies take. */
const usualCalls = 300;
const writes = ["mkdir", "rename", "rm", "rmdir", "writeFile"];
const files = ["edit.txt", "move.txt", "as-is.txt", "gone.txt"];

const root = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-races-")));
after(() => rmSync(root, { recursive: true }));
const at = (path: string): string => join(root, path);

const world = {
  folders: ["work"],
  look: ({ path }: FileName) => lookOnDisk(at("work"), path, []),
  read: (file: FileName) => liveText(toUri(file)),
  sha256: (text: string) => createHash("sha256").update(text).digest("hex"),
};

/** Everything that nobody has asked to be changed, and its bytes. */
function elsewhere(): string {
  const paths = ["outside", "work/else"].flatMap((folder) =>
    readdirSync(at(folder), { recursive: true }).map((name) => `${folder}/${name}`),
  );
  return JSON.stringify(paths.sort().map((path) => [path, textAt(at(path))]));
}

/** All as it is before: what lies elsewhere has the same names, and often the same bytes. */
function layOut(elsewhere: string): void {
  for (const folder of ["work", "outside"]) rmSync(at(folder), { recursive: true, force: true });
  for (const folder of ["work/src/deep", "work/else/deep", "outside/deep"])
    mkdirSync(at(folder), { recursive: true });
  for (const name of files) {
    writeFileSync(at(`work/src/deep/${name}`), "one\ntwo\n");
    for (const folder of ["work/else/deep", "outside/deep"])
      writeFileSync(at(`${folder}/${name}`), elsewhere);
  }
  openFolder(at("work"));
}

/** An hour later or at once: then nobody needs to wait, or only the clock does. */
function steadiness(): SymlinkRaceGuard {
  let ahead = one([0, 3_600_000]);
  return new SymlinkRaceGuard({
    now: () => Date.now() + ahead,
    async wait(milliseconds) {
      ahead += milliseconds;
    },
  });
}

const [yes, no] = [() => true, () => false];
const isApplied = (outcome: ApplyOutcome): boolean => outcome.outcome === "applied";
const isTold = (outcome: ApplyOutcome): boolean => outcome.outcome === "refused" && outcome.halfDone === true;

/**
 * A step of the way to what the plan does, turned to somewhere outside or to other files of the folder. Not a file in a
 * folder that the edit itself makes: in it nobody can listen before.
 */
function turnFor(leaves: readonly Left[]): Turn {
  const step = one([
    "src",
    "src/deep",
    ...leaves.map(([path]) => path).filter((path) => !path.includes("fresh")),
  ]);
  return {
    step: at(`work/${step}`),
    target: at(`work/${step.replace("src", one(["../outside", "else"]))}`),
    by: one(["link", "link", "itself"]),
    hidden: one(["at once", "times", "entry", "copy", "copy and times"]),
    meant: new Map(leaves.map(([path, text]) => [at(`work/${path}`), text])),
  };
}

/** Turns at some call or at some write, and back some calls later; answers what ends it. */
function race(turn: Turn): () => void {
  const racer = new HidingRacer(turn);
  const isAtWrite = pick(2) === 0;
  // What is moved there for longer than all of it takes is no other folder, but the one that the edit is made in.
  const length = 1 + pick(one(turn.by === "link" ? [3, 10, usualCalls] : [3, 10]));
  let [before, left] = [pick(isAtWrite ? 8 : usualCalls), Number.POSITIVE_INFINITY];
  const end = atEveryCall((name) => {
    left -= 1;
    if (left === 0) racer.turnBack();
    if (isAtWrite && !writes.includes(name)) return;
    before -= 1;
    if (before !== -1) return;
    left = length;
    racer.turn();
  });
  return () => {
    end();
    racer.turnBack();
  };
}

test(`apply reports every write led elsewhere in ${applies} applies with a racer that hides its swaps`, async () => {
  let [ledElsewhere, applied] = [0, 0];
  const untold: string[] = [];
  for (let run = 0; run < applies; run++) {
    layOut(one(["one\ntwo\n", "theirs\n"]));
    const asked = parts.filter(() => pick(2) === 0);
    const some = asked.length === 0 ? [one(parts)] : asked;
    const patch = ["*** Begin Patch", ...some.flatMap((part) => part.patch), "*** End Patch", ""].join("\n");
    const { changes } = await planPatch(patch, world);
    const before = elsewhere();
    const turn = turnFor(some.flatMap((part) => part.leaves));
    const apply = createApply(
      { world, agree: async () => true, savesAfterApply: one([yes, no]) },
      steadiness(),
    );
    const end = race(turn);
    // Refused with an error where a look went wrong before anything was written.
    const outcome = await apply(changes, "test")
      .catch((): ApplyOutcome => ({ outcome: "stale" }))
      .finally(end);
    if (isApplied(outcome)) applied += 1;
    if (elsewhere() === before) continue;
    ledElsewhere += 1;
    if (!isTold(outcome)) untold.push(`${run}: ${JSON.stringify([turn, outcome])}`);
  }
  assert.deepEqual(untold, []);
  assert.ok(
    ledElsewhere > applies / 20 && applied > applies / 2,
    `${ledElsewhere} led elsewhere, ${applied} applied`,
  );
});
