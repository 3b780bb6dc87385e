// The commands on uploaded files, with the simulator outside and the native dialogs answered: VS Code shows none
// in tests.

import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { ServiceClient } from "../../src/service/service-client.ts";
import { nodeFileSystem } from "../../src/store/file-system.ts";
import { createFilesCommands, withItsLines } from "../../src/uploaded-files/editor/uploaded-files.ts";
import { FileLedger } from "../../src/uploaded-files/file-ledger.ts";
import type { FileOutcome } from "../../src/uploaded-files/internal/delete-files.ts";
import { createUploadedFiles, type UploadedFiles } from "../../src/uploaded-files/uploaded-files.ts";
import { status } from "../sim/http-answers.ts";
import { type Simulator, startSimulator } from "../sim/simulator.ts";
import { clientOf } from "../support/simulated-client.ts";
import { enter, until } from "./support/impatient.ts";

describe("the commands on uploaded files", () => {
  let folder: string;
  let sim: Simulator;
  let client: ServiceClient;
  let files: UploadedFiles;
  /** The items of the list that a command is called on. */
  let chosen: readonly string[];
  let lookedForAll: boolean | undefined;
  let agrees: boolean;
  const asked: { ids: readonly string[]; uses: number }[] = [];
  const told: (readonly FileOutcome[])[] = [];
  const wishes: ("retry" | "report" | undefined)[] = [];
  const shown: string[] = [];

  const run = () =>
    createFilesCommands({
      files,
      view: {
        chosen: () => chosen.map((id) => ({ id, addedAt: 0, state: "listed" as const })),
        conversationOf: () => undefined,
      },
      documents: { show: async (_title, _type, text) => void shown.push(text), dispose() {} },
      openConversation: async () => {},
      readText: async () => '["file-1", "file-2"]\nfile-3',
      dialog: {
        async agreeToDelete(ids, uses, areAll) {
          asked.push({ ids, uses: uses.length });
          lookedForAll = areAll;
          return agrees;
        },
        async tellOutcome(outcomes) {
          told.push(outcomes);
          return wishes.shift();
        },
      },
    });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "patchbay-files-"));
    sim = await startSimulator({ files: ["file-1", "file-2"] });
    client = clientOf(sim, { wait: async () => {} });
    files = createUploadedFiles({
      ledger: new FileLedger(nodeFileSystem, folder),
      deleteFile: client.deleteFile,
      async *search(text) {
        if (text === "file-1")
          yield { conversation: "c", title: "", turn: "t", excerpt: text, start: 0, length: text.length };
      },
      now: Date.now,
    });
    for (const list of [asked, told, wishes, shown]) list.length = 0;
    [chosen, agrees] = [[], true];
    await run()["patchbay.files.add"]();
  });
  afterEach(async () => {
    client.dispose();
    await sim.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const states = async () => (await files.list()).map(({ id, state }) => `${id} ${state}`);

  it("add, copy and forget file IDs without a request to the service", async () => {
    assert.deepEqual(await states(), ["file-1 listed", "file-2 listed", "file-3 listed"]);
    chosen = ["file-2", "file-3"];
    await run()["patchbay.files.copyId"](undefined, undefined);
    assert.equal(await vscode.env.clipboard.readText(), "file-2\nfile-3");
    await run()["patchbay.files.forget"](undefined, undefined);
    assert.deepEqual(await states(), ["file-1 listed"]);
    assert.equal(sim.requests.length, 0);
  });

  it("count added and known file IDs in singular and plural", async () => {
    const { showInformationMessage } = vscode.window;
    const said: string[] = [];
    const tell = async (sentence: string) => void said.push(sentence);
    Object.assign(vscode.window, { showInformationMessage: tell });
    try {
      await run()["patchbay.files.add"]();
      await files.forget(["file-3"]);
      await run()["patchbay.files.add"]();
      await files.forget(["file-2", "file-3"]);
      await run()["patchbay.files.add"]();
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
    }
    assert.deepEqual(said, [
      "0 file IDs added. 3 were on the list already.",
      "1 file ID added. 2 were on the list already.",
      "2 file IDs added. 1 was on the list already.",
    ]);
  });

  it("delete nothing without consent in a dialog that receives the IDs and their uses", async () => {
    [chosen, agrees] = [["file-1"], false];
    await run()["patchbay.files.delete"](undefined, undefined);
    assert.deepEqual(asked, [{ ids: ["file-1"], uses: 1 }]);
    assert.equal(sim.requests.length, 0);
  });

  // The third was never there: after an answer of 500 nobody can tell that from a deletion, and gone it is.
  it("report an incomplete search for uses, and what was deleted before the key was refused", async () => {
    const many = Array.from({ length: 30 }, (_, at) => `file-${at}`);
    chosen = many;
    agrees = false;
    await run()["patchbay.files.deleteMany"](undefined, undefined);
    assert.equal(lookedForAll, false);
    agrees = true;
    chosen = ["file-1", "file-2"];
    sim.replyTo("delete", status(401));
    await run()["patchbay.files.deleteMany"](undefined, undefined);
    assert.equal(lookedForAll, true);
    assert.deepEqual(
      told
        .at(-1)
        ?.map(({ outcome }) => outcome)
        .toSorted(),
      ["deleted", "failed"],
    );
  });

  it("delete several files, retry those that failed and report each", async () => {
    chosen = ["file-1", "file-2"];
    for (const _ of chosen) sim.replyTo("delete", status(400));
    wishes.push("retry", "report");
    await run()["patchbay.files.deleteMany"](undefined, undefined);
    assert.equal(sim.files.size, 0);
    assert.deepEqual(await states(), ["file-1 deleted", "file-2 deleted", "file-3 listed"]);
    const outcomes = told.map((each) => each.map(({ id, outcome }) => `${id} ${outcome}`).toSorted());
    assert.deepEqual(outcomes, [
      ["file-1 failed", "file-2 failed"],
      ["file-1 deleted", "file-2 deleted"],
    ]);
    assert.equal(shown.length, 1);
    for (const id of chosen) assert.match(shown[0] ?? "", new RegExp(`^${id}\\b.*deleted`, "m"));
  });

  it("offer no deleted file for deletion", async () => {
    chosen = ["file-1", "file-2"];
    await run()["patchbay.files.deleteMany"](undefined, undefined);
    [chosen, agrees] = [[], false];
    // What stands first in the list is taken.
    await until(run()["patchbay.files.delete"](undefined, undefined), enter);
    assert.deepEqual(asked.at(-1)?.ids, ["file-3"]);
    chosen = ["file-3"];
    agrees = true;
    await run()["patchbay.files.delete"](undefined, undefined);
    chosen = [];
    await assert.rejects(
      run()["patchbay.files.delete"](undefined, undefined),
      /All files on the list have been deleted/,
    );
  });

  it("restore the line breaks of IDs that were pasted into an input box", () => {
    assert.equal(withItsLines("file-afile-b", "file-a\nfile-b\n"), "file-a\nfile-b");
    assert.equal(withItsLines("file-c", "file-a\nfile-b"), "file-c");
  });
});
