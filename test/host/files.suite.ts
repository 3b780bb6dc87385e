// The commands on uploaded files, with the simulator outside and the native dialogs answered: VS Code shows none
// in tests.
import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { createServiceClient, type ServiceClient } from "../../src/core/api/service-client.ts";
import type { FileOutcome } from "../../src/core/ledger/delete-many.ts";
import { FileLedger } from "../../src/core/ledger/file-ledger.ts";
import { createUploadedFiles, type UploadedFiles } from "../../src/core/ledger/uploaded-files.ts";
import { nodeFileSystem } from "../../src/core/store/file-system.ts";
import { silentLog } from "../../src/core/util/log.ts";
import { createFilesCommands } from "../../src/shell/uploaded-files/files-commands.ts";
import { withItsLines } from "../../src/shell/uploaded-files/text-with-ids.ts";
import { status } from "../sim/http-answers.ts";
import { type Simulator, startSimulator } from "../sim/simulator.ts";

describe("uploaded files", () => {
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
    client = createServiceClient({
      connection: async () => ({ baseUrl: sim.url, key: sim.key }),
      settings: () => ({}),
      log: silentLog,
      wait: async () => {},
    });
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

  it("puts ids on the list, copies them and takes them off it, and asks the service nothing", async () => {
    assert.deepEqual(await states(), ["file-1 listed", "file-2 listed", "file-3 listed"]);
    chosen = ["file-2", "file-3"];
    await run()["patchbay.files.copyId"](undefined, undefined);
    assert.equal(await vscode.env.clipboard.readText(), "file-2\nfile-3");
    await run()["patchbay.files.forget"](undefined, undefined);
    assert.deepEqual(await states(), ["file-1 listed"]);
    assert.equal(sim.requests.length, 0);
  });

  it("deletes nothing without a yes to a dialog that knows the ids and where they are used", async () => {
    [chosen, agrees] = [["file-1"], false];
    await run()["patchbay.files.delete"](undefined, undefined);
    assert.deepEqual(asked, [{ ids: ["file-1"], uses: 1 }]);
    assert.equal(sim.requests.length, 0);
  });

  // The third was never there: after an answer of 500 nobody can tell that from a deletion, and gone it is.
  it("says that not all were looked for, and what was deleted before a key was refused", async () => {
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

  it("deletes several, tries again what failed, and reports each", async () => {
    chosen = ["file-1", "file-2", "file-3"];
    for (let at = 0; at < 3; at += 1) sim.replyTo("delete", status(500));
    wishes.push("retry", "report");
    await run()["patchbay.files.deleteMany"](undefined, undefined);
    assert.equal(sim.files.size, 0);
    assert.deepEqual(await states(), ["file-1 deleted", "file-2 deleted", "file-3 deleted"]);
    assert.ok(told.length >= 1 && shown.length <= 1);
  });

  it("knows what was pasted into a box that swallows line breaks", () => {
    assert.equal(withItsLines("file-afile-b", "file-a\nfile-b\n"), "file-a\nfile-b");
    assert.equal(withItsLines("file-c", "file-a\nfile-b"), "file-c");
  });
});
