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
import { english } from "../support/english.ts";
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
const applies = isLong ? 300 : 1;

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

describe("a patch on random files", function () {
  this.timeout(isLong ? 3_600_000 : 180_000);
  afterEach(closeAll);

  for (const [encoding, letters] of Object.entries(encodings))
    it(`keeps every byte outside of its lines in ${encoding} through Undo and Redo`, async () => {
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

describe("the symlink race guard", function () {
  this.timeout(isLong ? 3_600_000 : 180_000);
  let outside: string;
  let race: string;
  beforeEach(() => {
    outside = mkdtempSync(join(tmpdir(), "patchbay-outside-"));
    race = uriOf("race").fsPath;
    mkdirSync(join(race, "folder"), { recursive: true });
  });
  afterEach(() => {
    rmSync(race, { recursive: true });
    rmSync(outside, { recursive: true });
  });

  interface Race {
    readonly turn: () => void;
    readonly turnBack: () => void;
    readonly pause: () => Promise<unknown>;
    readonly swaps: number;
    readonly patches: number;
    readonly section: (number: number) => readonly string[];
  }

  const swapFolder = () => {
    const [folder, aside] = [join(race, "folder"), join(race, "aside")];
    return {
      turn() {
        renameSync(folder, aside);
        symlinkSync(outside, folder);
      },
      turnBack() {
        unlinkSync(folder);
        renameSync(aside, folder);
      },
      section: (number: number) => [`*** Add File: race/folder/${number}.txt`, "+new"],
    };
  };

  const atOnce = () => new Promise((resolve) => setImmediate(resolve));

  /** Patches and swaps until there were enough of both; what was written outside at any time. */
  async function run({ turn, turnBack, pause, swaps, patches, section }: Race): Promise<string[]> {
    const escaped = new Set<string>();
    let swapped = 0;
    let stopped = false;
    const look = () => {
      for (const name of readdirSync(outside)) escaped.add(name);
    };
    const racing = (async () => {
      for (; !stopped; swapped++) {
        turn();
        await pause();
        look();
        turnBack();
        await pause();
      }
    })();
    const workspace = testWorkspace();
    // Most do not even fit, or are stale at the first look: those count that were looked at to the end.
    let toTheEnd = 0;
    for (let tried = 0; swapped < swaps || toTheEnd < patches; tried++) {
      const done = await applyPatch(patchOf(...section(tried)), workspace).catch(() => undefined);
      if (done?.outcome === "refused" || done?.outcome === "applied") toTheEnd += 1;
    }
    stopped = true;
    await racing;
    look();
    return [...escaped];
  }

  it("writes nothing outside the workspace while a folder is swapped for a link", async () => {
    const escaped = await run({ ...swapFolder(), pause: atOnce, swaps, patches: applies });
    assert.deepEqual(escaped, []);
  });

  it("writes nothing outside the workspace when the swaps come at random intervals", async () => {
    const pick = random(101);
    // Its pace is the attack: it waits for nothing.
    const pause = () => new Promise((resolve) => setTimeout(resolve, 3 + pick(100)));
    const escaped = await run({ ...swapFolder(), pause, swaps: isLong ? 1000 : 5, patches: 1 });
    assert.deepEqual(escaped, []);
  });

  // VS Code deletes by path, too, and what it deletes outside nobody could put back: the same guard holds for it.
  it("deletes nothing outside the workspace", async () => {
    const inside = join(race, "folder/inside.txt");
    writeFileSync(join(outside, "inside.txt"), "outside\n");
    writeFileSync(inside, "inside\n");
    const section = () => ["*** Delete File: race/folder/inside.txt"];
    await run({ ...swapFolder(), section, pause: atOnce, swaps, patches: applies });
    assert.deepEqual(readdirSync(outside), ["inside.txt"]);
    assert.equal(readFileSync(join(outside, "inside.txt"), "utf8"), "outside\n");
    assert.equal(readFileSync(inside, "utf8"), "inside\n");
  });

  it("writes no new file through a link that appears and disappears under its name", async () => {
    const name = join(race, "new.txt");
    const turn = () => {
      rmSync(name, { force: true });
      symlinkSync(join(outside, "new.txt"), name);
    };
    const turnBack = () => rmSync(name, { force: true });
    const section = () => ["*** Add File: race/new.txt", "+new"];
    const escaped = await run({ turn, turnBack, section, pause: atOnce, swaps, patches: applies });
    assert.deepEqual(escaped, []);
  });

  it("accepts patches again once the swapping stops", async () => {
    const { turn, turnBack, section } = swapFolder();
    turn();
    turnBack();
    assert.deepEqual(await applyPatch(patchOf(...section(1))), { outcome: "applied" });
    assert.equal(await onDisk("race/folder/1.txt"), "new\n");
  });

  it("reports a write that a swapped folder led out of the workspace", async () => {
    const { turn, turnBack, section } = swapFolder();
    const trap = beforeFiles(async () => turn());
    const back = vscode.workspace.onDidCreateFiles(turnBack);
    const applied = await applyPatch(patchOf(...section(1)));
    trap.dispose();
    back.dispose();
    assert.equal(applied.outcome, "refused");
    const why = "why" in applied ? applied.why : undefined;
    assert.match(english(why), /^The editor wrote race\/folder\/1\.txt, and it is not where it should be/);
    assert.deepEqual(readdirSync(outside), ["1.txt"]);
  });

  for (const [kind, section] of [
    ["new", ["*** Add File: worst/folder/new.txt", "+new"]],
    ["moved", ["*** Update File: worst/here.txt", "*** Move to: worst/folder/moved.txt"]],
    ["deleted", ["*** Delete File: worst/folder/inside.txt"]],
  ] as const)
    it(`refuses a ${kind} file whose folder is swapped for a link after the last check (row 101)`, async () => {
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
    });
});
