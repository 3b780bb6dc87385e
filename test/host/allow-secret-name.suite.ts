// The way out for a file that is kept here for its name alone: offered once, one click, and remembered where the user's
// own settings are.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createSettings } from "../../src/editor/settings/settings.ts";
import { createStartSettings } from "../../src/editor/settings/start-settings.ts";
import { createSecretNameOffer } from "../../src/editor/workspace/protected-files.ts";
import { guardFiles } from "../../src/files/guarded-files.ts";
import { silentLog } from "../../src/util/log.ts";
import { leaveNothing, put, testWorkspace } from "./support/files.ts";
import { configured } from "./support/heard.ts";

describe("a file with a secret's name", () => {
  const own = () => vscode.workspace.getConfiguration("patchbay").inspect<string[]>("context.ignore");
  const settings = createSettings(createStartSettings(silentLog));
  const offered: (readonly string[])[] = [];
  const offer = createSecretNameOffer(
    () => settings.conversation().privacy,
    (error) => assert.fail(String(error)),
  );
  const files = guardFiles(
    testWorkspace(),
    () => settings.conversation().privacy,
    (paths) => {
      offered.push(paths);
      offer(paths);
    },
  );
  const read = (path: string) => files.read(path, AbortSignal.timeout(10_000));

  before(async () => {
    await put("held/secrets.json", '{ "title": "Secrets of good soup" }\n');
    await put("held/secrets.yaml", "title: More of them\n");
  });

  after(async () => {
    const { update } = vscode.workspace.getConfiguration("patchbay");
    await update("context.ignore", undefined, vscode.ConfigurationTarget.Global);
    settings.dispose();
    await leaveNothing();
  });

  it("becomes readable after one click, and no other file does", async () => {
    const before = own()?.globalValue;
    await assert.rejects(read("held/secrets.json"));
    assert.deepEqual(offered, [["held/secrets.json"]]);
    const isAllowed = () => own()?.globalValue?.includes("!/held/secrets.json") === true;
    const allowed = configured(isAllowed);
    let isDone = false;
    void allowed.then(() => {
      isDone = true;
    });
    while (!isDone) await vscode.commands.executeCommand("notification.acceptPrimaryAction");
    assert.match((await read("held/secrets.json")).text, /good soup/);
    assert.deepEqual(own()?.globalValue, [...(before ?? []), "!/held/secrets.json"]);
    assert.equal(own()?.workspaceValue, undefined);
    await assert.rejects(read("held/secrets.yaml"));
  });
});
