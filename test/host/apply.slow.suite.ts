// One file, one patch: what stands in the document and on disk afterwards, byte for byte, and after Undo and Redo.

import { strict as assert } from "node:assert";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { message } from "../../src/conversation/messages.ts";
import {
  applyPatch,
  closeAll,
  discard,
  onDisk,
  open,
  patchOf,
  plan,
  put,
  refusedFor,
  show,
  testWorkspace,
  textOf,
  type,
  undoIn,
} from "./support/files.ts";
import { heard } from "./support/heard.ts";

const patch = (path: string) =>
  patchOf(`*** Update File: ${path}`, "@@", " one", "-two", "+zwei", "+drei", " three");

const utf16 = (text: string, bigEndian: boolean) => {
  const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
  return bigEndian ? bytes.swap16() : bytes;
};

const encodings: readonly (readonly [name: string, encode: (text: string) => Buffer])[] = [
  ["UTF-8", (text) => Buffer.from(text)],
  ["UTF-8 with a byte order mark", (text) => Buffer.from(`\uFEFF${text}`)],
  ["UTF-16, little endian", (text) => utf16(text, false)],
  ["UTF-16, big endian", (text) => utf16(text, true)],
];

const ends: readonly (readonly [name: string, end: string, last: string])[] = [
  ["LF", "\n", "\n"],
  ["CRLF", "\r\n", "\r\n"],
  ["LF without a last one", "\n", ""],
  ["CRLF without a last one", "\r\n", ""],
];

const keysPerSecond = 20;
/** The long run is the one of the issue: 200. */
const rounds = process.env["PATCHBAY_LONG"] === undefined ? 20 : 200;

describe("a patch on one file", () => {
  afterEach(closeAll);

  for (const [encoding, encode] of encodings)
    it(`changes only its lines in ${encoding}, and Undo and Redo restore the exact bytes (row 97)`, async () => {
      for (const [ending, end, last] of ends) {
        const name = `bytes-${encoding}-${ending}.txt`.replaceAll(/[ ,]+/g, "-");
        const before = encode(`é one${end}one${end}two${end}three${last}`);
        const after = encode(`é one${end}one${end}zwei${end}drei${end}three${last}`);
        const saved = async () => {
          await (await open(name)).save();
          return onDisk(name);
        };
        await put(name, before);
        assert.deepEqual(await applyPatch(patch(name)), { outcome: "applied" });
        assert.equal(await onDisk(name), before.toString("latin1"), "not saved by itself");
        assert.equal(await saved(), after.toString("latin1"), ending);
        await undoIn(name);
        assert.equal(await saved(), before.toString("latin1"), ending);
        await undoIn(name, "redo");
        assert.equal(await saved(), after.toString("latin1"), ending);
      }
    });

  it("changes only its lines in a legacy encoding (row 97)", async () => {
    const files = vscode.workspace.getConfiguration("files");
    await files.update("encoding", "windows1252", vscode.ConfigurationTarget.Workspace);
    try {
      await put("legacy.txt", Buffer.from("\xe9 \x80\none\ntwo\nthree\n", "latin1"));
      assert.deepEqual(await applyPatch(patch("legacy.txt")), { outcome: "applied" });
      await (await open("legacy.txt")).save();
      assert.equal(await onDisk("legacy.txt"), "\xe9 \x80\none\nzwei\ndrei\nthree\n");
    } finally {
      await files.update("encoding", undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it("refuses a file whose bytes are not valid in its encoding", async () => {
    const before = "\xe9\none\ntwo\nthree\n";
    await put("wrong.txt", "e\none\ntwo\nthree\n");
    const workspace = testWorkspace();
    const changes = await plan(patch("wrong.txt"), workspace);
    await put("wrong.txt", Buffer.from(before, "latin1"));
    const applied = await workspace.apply(changes, "test");
    assert.deepEqual(
      applied,
      refusedFor("wrong.txt", message("editsEncoding", { name: "wrong.txt", encoding: "UTF-8" })),
    );
    assert.equal(await onDisk("wrong.txt"), before);
    await assert.rejects(plan(patch("wrong.txt"), workspace), /bytes that are not valid UTF-8/);
  });

  it("changes unsaved text and leaves the file unsaved (row 87)", async () => {
    await put("dirty.txt", "one\ntwo\nthree\n");
    await type("dirty.txt", 0, "typed\n");
    const saving = testWorkspace({ savesAfterApply: () => true });
    const done = await applyPatch(patch("dirty.txt"), saving);
    assert(done.outcome === "applied");
    assert.deepEqual(
      done.unsaved?.map(({ path }) => path),
      ["dirty.txt"],
    );
    assert.equal(await textOf("dirty.txt"), "typed\none\nzwei\ndrei\nthree\n");
    assert.equal(await onDisk("dirty.txt"), "one\ntwo\nthree\n");
    await discard("dirty.txt");
  });

  it("saves a clean file when the setting says so", async () => {
    await put("saved.txt", "one\ntwo\nthree\n");
    await applyPatch(patch("saved.txt"), testWorkspace({ savesAfterApply: () => true }));
    assert.equal(await onDisk("saved.txt"), "one\nzwei\ndrei\nthree\n");
    assert.equal((await open("saved.txt")).isDirty, false);
  });

  it("leaves a file unsaved when saving would change other line endings", async () => {
    await put("mixed.txt", "one\r\none\ntwo\nthree\n");
    const saving = testWorkspace({ savesAfterApply: () => true });
    const done = await applyPatch(patch("mixed.txt"), saving);
    assert.equal(done.outcome, "applied");
    assert(done.outcome === "applied");
    assert.deepEqual(
      done.unsaved?.map(({ path }) => path),
      ["mixed.txt"],
    );
    assert.equal(await onDisk("mixed.txt"), "one\r\none\ntwo\nthree\n");
    await discard("mixed.txt");
  });

  it("keeps the cursor of an open editor on its line", async () => {
    const body = Array.from({ length: 200 }, (_, row) => `row ${row}`).join("\n");
    await put("cursor.txt", `one\ntwo\nthree\n${body}\n`);
    const editor = await show("cursor.txt");
    const cursor = new vscode.Position(150, 3);
    editor.selection = new vscode.Selection(cursor, cursor);
    editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenter);
    await applyPatch(patch("cursor.txt"));
    assert.deepEqual(editor.selection.active, cursor.translate(1));
    await discard("cursor.txt");
  });

  it("keeps folded regions above and below its lines folded", async () => {
    const block = (name: string) => [name, ...Array.from({ length: 4 }, (_, row) => `  ${name} ${row}`)];
    const before = [...block("upper"), "one", "two", "three", ...block("lower"), "end", ""];
    await put("folds.txt", before.join("\n"));
    const editor = await show("folds.txt");
    const whole = () => editor.visibleRanges.length === 1;
    const hidden = () => {
      const seen = editor.visibleRanges.map(({ start, end }) => [start.line, end.line]);
      return seen.slice(1).map(([start = 0], at) => [(seen[at]?.[1] ?? 0) + 1, start - 1]);
    };
    // VS Code finds what can be folded in its own time.
    while (whole()) await vscode.commands.executeCommand("editor.foldAll");
    /** VS Code tells which lines are in sight a moment after they are; where it never does, what it told last is wrong. */
    const hides = async (...folds: readonly (readonly number[])[]) => {
      const so = heard(
        () => isDeepStrictEqual(hidden(), folds) || undefined,
        vscode.window.onDidChangeTextEditorVisibleRanges,
      );
      const late = AbortSignal.timeout(20_000);
      await Promise.race([so, new Promise((resolve) => late.addEventListener("abort", resolve))]);
      assert.deepEqual(hidden(), folds);
    };
    await hides([1, 4], [9, 12]);
    await applyPatch(patch("folds.txt"));
    await hides([1, 4], [10, 13]);
    await discard("folds.txt");
  });

  it("replaces only the characters that differ", async () => {
    await put("small.txt", "const price = 1;\n");
    const changes: vscode.TextDocumentContentChangeEvent[] = [];
    const listening = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document.uri.path.endsWith("/small.txt")) changes.push(...contentChanges);
    });
    await applyPatch(patchOf("*** Update File: small.txt", "@@", "-const price = 1;", "+const price = 12;"));
    listening.dispose();
    assert.deepEqual(
      changes.map(({ text, rangeLength }) => ({ text, rangeLength })),
      [{ text: "2", rangeLength: 0 }],
    );
    await discard("small.txt");
  });

  it("is stale when the lines that it changes were edited meanwhile (row 86)", async () => {
    await put("stale.txt", "one\ntwo\nthree\n");
    const workspace = testWorkspace();
    const changes = await plan(patch("stale.txt"), workspace);
    await type("stale.txt", 1, "typed\n");
    assert.deepEqual(await workspace.apply(changes, "test"), { outcome: "stale" });
    assert.equal(await textOf("stale.txt"), "one\ntyped\ntwo\nthree\n");
    await discard("stale.txt");
  });

  it("changes a file that was opened meanwhile", async () => {
    await put("opened.txt", Buffer.from("\uFEFFone\r\ntwo\r\nthree"));
    const workspace = testWorkspace();
    const changes = await plan(patch("opened.txt"), workspace);
    await show("opened.txt");
    assert.deepEqual(await workspace.apply(changes, "test"), { outcome: "applied" });
    await discard("opened.txt");
  });

  it("refuses a file that the user's settings make read-only (row 95)", async () => {
    await put("fixed/read-only.txt", "one\ntwo\nthree\n");
    const files = vscode.workspace.getConfiguration("files");
    await files.update("readonlyInclude", { "fixed/**": true }, vscode.ConfigurationTarget.Workspace);
    try {
      const path = "fixed/read-only.txt";
      const why = message("editsReadOnlySetting", { name: path });
      assert.deepEqual(await applyPatch(patch(path)), refusedFor(path, why));
    } finally {
      await files.update("readonlyInclude", undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it("loses no key of a person who types 20 keys a second meanwhile (row 86)", async function () {
    await put("typist.txt", "one\ntwo\nthree\n\n\n\n");
    const editor = await show("typist.txt");
    const { document } = editor;
    const workspace = testWorkspace();
    let typed = "";
    // What stands in the second line: it is the last round that decides, and how many there are is up to the machine.
    let [from, to] = ["zwei", "two"];
    editor.selection = new vscode.Selection(document.lineCount, 0, document.lineCount, 0);
    const began = performance.now();
    let isPressed = false;
    let looksUp = false;
    // At each beat a key, unless the one before is still on its way: where the machine is slow, they do not pile up. And
    // people look up now and then, until a patch has landed, or none would ever get in between two keys there.
    const beat = setInterval(() => {
      if (isPressed || looksUp) return;
      const letter = "abcdefghijklmnopqrstuvwxyz"[typed.length % 26] ?? "a";
      typed += letter;
      looksUp = typed.length % 10 === 0;
      isPressed = true;
      vscode.commands.executeCommand("type", { text: letter }).then(
        () => {
          isPressed = false;
        },
        // The window has refused the key: nobody has typed it, and the finger tries again.
        () => {
          typed = typed.slice(0, -1);
          [isPressed, looksUp] = [false, false];
        },
      );
    }, 1000 / keysPerSecond);
    try {
      for (let round = 0; !this.runnable().timedOut && (round < rounds || typed.length <= 10); round++) {
        [from, to] = [to, from];
        const text = patchOf("*** Update File: typist.txt", "@@", " one", `-${from}`, `+${to}`, " three");
        let outcome = "";
        // VS Code refuses an edit that crosses a key on its way; nothing is lost, and it is tried again.
        while (outcome !== "applied" && !this.runnable().timedOut)
          ({ outcome } = await applyPatch(text, workspace));
        looksUp = false;
      }
    } finally {
      clearInterval(beat);
    }
    if (rounds > 100)
      console.log(`    ${typed.length} keys in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    const whole = () => document.getText() === `one\n${to}\nthree\n\n\n\n${typed}`;
    await new Promise<void>((resolve) => {
      if (whole()) resolve();
      else vscode.workspace.onDidChangeTextDocument(() => whole() && resolve());
    });
    await discard("typist.txt");
  });
});
