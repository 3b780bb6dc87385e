// What leaves by the clipboard, what comes by a link, and what is gone when a person says so.
import { strict as assert } from "node:assert";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, hostname, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { createDeepLinkHandler } from "../../src/editor/chat/deep-links.ts";
import { createKeys } from "../../src/editor/connection/credentials.ts";
import { pruneHistory } from "../../src/editor/conversations/delete-old-conversations.ts";
import { diagnostics } from "../../src/editor/data/diagnostics.ts";
import { eraseAllData } from "../../src/editor/data/stored-data.ts";
import { openLibrary } from "../../src/session/conversation-store.ts";
import type { Library } from "../../src/store/library.ts";

const extension = vscode.extensions.getExtension("patchbay.patchbay");

describe("a person's own data", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "patchbay-data-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is absent from the diagnostics: no name, path, URL or text of a setting", async () => {
    assert(extension !== undefined);
    const settings = vscode.workspace.getConfiguration("patchbay");
    const { Global } = vscode.ConfigurationTarget;
    await settings.update("baseUrl", "https://secret-host.example.com", Global);
    await settings.update("agent.maxSteps", 7, Global);
    const connection = { problem: undefined, current: async () => ({ baseUrl: "", key: "" }) };
    const text = diagnostics({ connection, extension, more: () => [] });
    for (const name of ["baseUrl", "agent.maxSteps"]) await settings.update(name, undefined, Global);
    assert.match(text, /^Patchbay \d/);
    assert.match(text, /Changed settings: baseUrl, agent\.maxSteps=7/);
    for (const own of [homedir(), hostname(), "secret-host", folder])
      assert.equal(text.includes(own), false, own);
    const { username } = userInfo();
    if (username.length > 4) assert.equal(text.includes(username), false);
  });

  it("is erased from the disk and the secret store after everything is closed", async () => {
    mkdirSync(join(folder, "conversations/c"), { recursive: true });
    writeFileSync(join(folder, "conversations/c/log.jsonl"), "{}");
    const kept = new Map([
      ["key:https://a.test", "sk-a"],
      ["key:https://b.test", "sk-b"],
      ["other", "stays"],
    ]);
    const secrets = {
      keys: async () => [...kept.keys()],
      get: async (name: string) => kept.get(name),
      store: async () => {},
      delete: async (name: string) => void kept.delete(name),
      onDidChange: () => ({ dispose() {} }),
    };
    const keys = createKeys(secrets, undefined);
    const order: string[] = [];
    await eraseAllData({
      storage: vscode.Uri.file(folder),
      async close() {
        order.push(existsSync(folder) ? "closed before" : "closed after");
      },
      forgetKeys: () => keys.removeAll("https://a.test"),
      anonymousId: { forget: async () => void order.push("id") },
    });
    assert.deepEqual(order, ["closed before", "id"]);
    assert.equal(existsSync(folder), false);
    assert.deepEqual([...kept.keys()], ["other"]);
  });

  it("is erased from the secret store even if its folder cannot be removed", async () => {
    const forgotten: string[] = [];
    const erased = eraseAllData({
      storage: { fsPath: "no name of a folder: \0" } as vscode.Uri,
      close: async () => {},
      forgetKeys: async () => void forgotten.push("keys"),
      anonymousId: { forget: async () => void forgotten.push("id") },
    });
    await assert.rejects(erased);
    assert.deepEqual(forgotten, ["keys", "id"]);
  });

  it("receives a link's text only after a confirmation that shows it, one link at a time", async () => {
    const { showInformationMessage, showWarningMessage } = vscode.window;
    const filled: string[] = [];
    const asked: string[] = [];
    const told: string[] = [];
    let press = (_: boolean): void => {};
    Object.assign(vscode.window, {
      showInformationMessage: (question: string, { detail }: vscode.MessageOptions, yes: string) => {
        asked.push(`${question} ${detail}`);
        return new Promise<string | undefined>((resolve) => {
          press = (isYes) => resolve(isYes ? yes : undefined);
        });
      },
      showWarningMessage: async (sentence: string) => void told.push(sentence),
    });
    const { handleUri } = createDeepLinkHandler({
      fill: async (text) => void filled.push(text),
      report: assert.fail,
    });
    const open = (query: string) => handleUri(vscode.Uri.parse(`vscode://patchbay.patchbay/ask?${query}`));
    try {
      const first = open("prompt=Why%3F%E2%80%AE");
      await open("prompt=Another");
      press(false);
      await first;
      const second = open(`prompt=${"a".repeat(1_000)}`);
      press(true);
      await second;
      await open(`prompt=${"a".repeat(2_001)}`);
      await open("prompt=Hi&file=src/cart.ts");
    } finally {
      Object.assign(vscode.window, { showInformationMessage, showWarningMessage });
    }
    assert.equal(asked.length, 2);
    assert.match(asked[0] ?? "", /^Another program .*\. Why\?\\u\{202E\}\n\n.*Nothing is sent/s);
    assert.match(asked[1] ?? "", / a{600}\n\n… \(600 of 1000 characters are shown\)\n\n/);
    assert.deepEqual(filled, ["a".repeat(1_000)]);
    assert.deepEqual(told, [
      "The text of this link is longer than 2000 characters.",
      "Patchbay opens only links that put text in the chat box.",
    ]);
  });

  describe("the history of conversations", () => {
    let library: Library;
    let kept: number | undefined;
    let answer = false;
    let asked: string[] = [];
    let open: readonly string[] = [];

    beforeEach(async () => {
      [kept, answer, asked, open] = [undefined, false, [], []];
      const day = 24 * 60 * 60_000;
      let now = Date.now() - 40 * day;
      library = openLibrary(folder, "", () => now);
      for (const words of ["old", "new"]) {
        const journal = await library.create();
        const started = { type: "started", turn: words, at: now, model: "svc-k3", route: "responses" };
        await journal.append({ ...started, prompt: words }, { durable: true });
        await journal.append({ type: "ended", turn: words, at: now, ending: "done" }, { durable: true });
        await journal.close();
        now += 40 * day;
      }
    });
    afterEach(() => library.close());

    const titles = async () => (await library.list()).map(({ title }) => title).sort();
    const prune = (days: number, megabytes = 0, meanwhile: () => unknown = () => undefined) => {
      const bytes = megabytes * 1024 * 1024;
      return pruneHistory({
        library: {
          list: () => library.list(),
          remove: (id) => library.remove(id),
          sizes: async () =>
            new Map((await library.list()).map(({ id, title }) => [id, title === "old" ? bytes : 1])),
        },
        keepDays: () => days,
        isOpen: (id) => open.includes(id),
        memory: {
          keys: () => [],
          get: <T>(_: string, before?: T) => (kept as T | undefined) ?? before,
          update: async (_: string, value: number | undefined) => {
            kept = value;
          },
        } as vscode.Memento,
        agree: async (found) => {
          asked.push(found.map(({ summary, why }) => `${summary.title}: ${why}`).join());
          await meanwhile();
          return answer;
        },
      });
    };

    it("is kept for as many days as the setting says, and deleted only after consent", async () => {
      await prune(30);
      assert.deepEqual(await titles(), ["new", "old"]);
      answer = true;
      await prune(0);
      assert.deepEqual(await titles(), ["new", "old"]);
      await prune(30);
      assert.deepEqual(await titles(), ["new"]);
      assert.deepEqual(asked, ["old: old", "old: old"]);
    });

    it("keeps a conversation that is reopened while the question is open", async () => {
      answer = true;
      await prune(30, 0, async () => {
        open = (await library.list()).map(({ id }) => id);
      });
      assert.deepEqual(await titles(), ["new", "old"]);
      assert.deepEqual(asked, ["old: old"]);
    });

    it("asks when it is very large, and again when it has grown by as much", async () => {
      for (const megabytes of [150, 250, 350, 500]) await prune(0, megabytes);
      assert.deepEqual(asked, ["old: large", "old: large"]);
      assert.deepEqual(await titles(), ["new", "old"]);
      answer = true;
      await prune(0, 900);
      assert.deepEqual(await titles(), ["new"]);
    });
  });
});
