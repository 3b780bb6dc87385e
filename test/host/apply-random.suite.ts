// Files that nobody would think of, in every encoding that counts: what a patch does not touch keeps its bytes, and
// Undo and Redo give back exactly what was there. And a racer that turns folders into links while patches are applied.
import { strict as assert } from "node:assert";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { type Pick, random } from "../support/random-text.ts";
import {
  applyPatch,
  beforeFiles,
  closeAll,
  onDisk,
  patchOf,
  put,
  testWorkspace,
  undoIn,
  uriOf,
} from "./support/files.ts";

/** The long run is the one of the issue: 1,000 files in each encoding, 10,000 swaps. */
const isLong = process.env["PATCHBAY_LONG"] !== undefined;
const files = isLong ? 1000 : 3;
/** As many go into one patch: VS Code keeps fifty documents open that nobody shows. */
const together = 40;
const swaps = isLong ? 10_000 : 200;
/** Swaps are quick: so many patches go into the long run of them, too. */
const applies = isLong ? 500 : 0;

const encodings = {
  utf8: "aé€漢😀",
  utf8bom: "aé€漢😀",
  utf16le: "aé€漢😀",
  utf16be: "aé€漢😀",
  windows1252: "aé€ß",
  iso88592: "ačłß",
  gbk: "a汉字中",
  shiftjis: "aかな漢",
} as const;

interface Made {
  readonly lines: readonly string[];
  readonly end: string;
  readonly last: string;
}

function make(pick: Pick, letters: readonly string[]): Made {
  const word = () => Array.from({ length: pick(8) }, () => letters[pick(letters.length)]).join("");
  const lines = Array.from({ length: 3 + pick(30) }, (_, row) => `${row} ${word()}${" ".repeat(pick(3))}`);
  const end = pick(2) === 0 ? "\n" : "\r\n";
  return { lines, end, last: pick(2) === 0 ? "" : end };
}

const textOf = ({ lines, end, last }: Made): string => lines.join(end) + last;

/** One of them, before and after its patch. */
interface Changing {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly section: readonly string[];
  readonly document: vscode.TextDocument;
}

describe("random files", function () {
  this.timeout(isLong ? 3_600_000 : 180_000);
  afterEach(closeAll);

  for (const [encoding, letters] of Object.entries(encodings))
    it(`in ${encoding} keep every byte outside of what a patch changes, through Undo and Redo`, async () => {
      const pick = random(encoding.length * 7919);
      const bytes = async (text: string) =>
        Buffer.from(await vscode.workspace.encode(text, { encoding })).toString("latin1");

      async function prepare(number: number): Promise<Changing> {
        const made = make(pick, [...letters]);
        const row = pick(made.lines.length);
        const line = made.lines[row] ?? "";
        const changed = { ...made, lines: made.lines.with(row, `changed ${line}`) };
        const name = `random/${encoding}-${number}.txt`;
        const [before, after] = await Promise.all([bytes(textOf(made)), bytes(textOf(changed))]);
        writeFileSync(uriOf(name).fsPath, before, "latin1");
        const document = await vscode.workspace.openTextDocument(uriOf(name), { encoding });
        const section = [`*** Update File: ${name}`, "@@", `-${line}`, `+changed ${line}`];
        return { name, before, after, section, document };
      }

      mkdirSync(uriOf("random").fsPath, { recursive: true });
      for (let first = 0; first < files; first += together) {
        const numbers = Array.from({ length: Math.min(together, files - first) }, (_, at) => first + at);
        const some = await Promise.all(numbers.map(prepare));
        const patch = patchOf(...some.flatMap(({ section }) => section));
        assert.deepEqual(await applyPatch(patch), { outcome: "applied" }, patch);
        for (const [step, side] of [
          ["apply", "after"],
          ["undo", "before"],
          ["redo", "after"],
        ] as const) {
          // One step of the editor takes all of them with it.
          if (step !== "apply") await undoIn(some[0]?.name ?? "", step);
          await Promise.all(some.map(({ document }) => document.save()));
          for (const { name, [side]: expected } of some)
            assert.equal(readFileSync(uriOf(name).fsPath, "latin1"), expected, `${step} ${name}`);
        }
        await closeAll();
      }
    });
});

describe("a racer that swaps a folder for a link out of the workspace", function () {
  this.timeout(isLong ? 3_600_000 : 180_000);

  it("never gets anything written outside", async () => {
    const outside = mkdtempSync(join(tmpdir(), "patchbay-outside-"));
    const race = uriOf("race").fsPath;
    mkdirSync(join(race, "folder"), { recursive: true });
    const [folder, aside] = [join(race, "folder"), join(race, "aside")];
    const escaped = new Set<string>();
    let swapped = 0;
    let stopped = false;
    const look = () => {
      for (const name of readdirSync(outside)) escaped.add(name);
    };
    const racing = (async () => {
      while (!stopped) {
        renameSync(folder, aside);
        symlinkSync(outside, folder);
        await new Promise((resolve) => setImmediate(resolve));
        look();
        unlinkSync(folder);
        renameSync(aside, folder);
        swapped += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const workspace = testWorkspace();
    let [tried, applied] = [0, 0];
    for (; swapped < swaps || tried < applies; tried++) {
      const patch = patchOf(`*** Add File: race/folder/${tried}.txt`, "+new");
      const done = await applyPatch(patch, workspace).catch(() => undefined);
      if (done?.outcome === "applied") applied += 1;
    }
    stopped = true;
    await racing;
    look();
    if (isLong) console.log(`    ${swapped} swaps, ${tried} patches, ${applied} of them applied`);
    assert.deepEqual([...escaped], [], `${swapped} swaps`);
    rmSync(outside, { recursive: true });
  });

  for (const [kind, section] of [
    ["new", ["*** Add File: worst/folder/new.txt", "+new"]],
    ["moved", ["*** Update File: worst/here.txt", "*** Move to: worst/folder/moved.txt"]],
    ["deleted", ["*** Delete File: worst/folder/inside.txt"]],
  ] as const)
    it(`leaves nothing outside that is ${kind} when it turns the folder once all was looked at (row 101)`, async () => {
      const outside = mkdtempSync(join(tmpdir(), "patchbay-outside-"));
      await put("worst/folder/inside.txt", "inside\n");
      await put("worst/here.txt", "here\n");
      const folder = uriOf("worst/folder").fsPath;
      const turn = async () => {
        renameSync(folder, `${folder}-aside`);
        symlinkSync(outside, folder);
      };
      const trap = beforeFiles(turn);
      const applied = await applyPatch(patchOf(...section));
      trap.dispose();
      assert.notEqual(applied.outcome, "applied");
      assert.deepEqual(readdirSync(outside), []);
      assert.equal(readFileSync(join(`${folder}-aside`, "inside.txt"), "utf8"), "inside\n");
      assert.equal(await onDisk("worst/here.txt"), "here\n");
      rmSync(uriOf("worst").fsPath, { recursive: true });
      rmSync(outside, { recursive: true });
    });
});
