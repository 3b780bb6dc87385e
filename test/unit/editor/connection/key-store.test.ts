// Where the key is: in the system's store under the origin it was entered for, or, where that store does not work and a
// person says so, in the memory of one window.
import assert from "node:assert/strict";
import { test } from "node:test";
import type * as vscode from "vscode";
import { createKeys } from "../../../../src/editor/connection/credentials.ts";

function store(fail = false) {
  const slots = new Map<string, string>();
  const listeners = new Set<(event: unknown) => void>();
  const told = () => {
    if (fail) throw new Error("no keyring");
    for (const listener of listeners) listener({});
  };
  const secrets = {
    get: async (slot: string) => slots.get(slot),
    keys: async () => [...slots.keys()],
    async store(slot: string, value: string) {
      told();
      slots.set(slot, value);
    },
    async delete(slot: string) {
      slots.delete(slot);
      told();
    },
    onDidChange(listener: (event: unknown) => void) {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
  };
  return { secrets: secrets as unknown as vscode.SecretStorage, slots, listeners };
}

test("a key store returns a key only for its origin and removes it completely", async () => {
  const { secrets, slots } = store();
  const keys = createKeys(secrets, undefined);
  await keys.set("https://a", "key-a");
  assert.equal(await keys.get("https://a"), "key-a");
  for (const other of ["https://b", "http://a", "https://a:444", ""])
    assert.equal(await keys.get(other), undefined);
  await keys.set("https://b", "key-b");
  await keys.remove("https://a");
  assert.deepEqual([await keys.get("https://a"), await keys.get("https://b")], [undefined, "key-b"]);
  await keys.removeAll(undefined);
  assert.equal(slots.size, 0);
});

test("a key store notifies every window of stored and removed keys until its listener is disposed", async () => {
  const { secrets, listeners } = store();
  const [one, other] = [createKeys(secrets, undefined), createKeys(secrets, undefined)];
  let heard = 0;
  const listening = other.onDidChange(() => heard++);
  await one.set("https://a", "key");
  assert.equal(heard, 1);
  assert.equal(await other.get("https://a"), "key");
  await one.remove("https://a");
  assert.equal(heard, 2);
  listening.dispose();
  assert.equal(listeners.size, 0);
});

test("a key store holds a key in memory when secret storage fails, and drops it on remove", async () => {
  const { secrets, slots } = store(true);
  const keys = createKeys(secrets, undefined);
  await assert.rejects(keys.set("https://a", "key"), /no keyring/);
  assert.equal(await keys.get("https://a"), undefined);
  let heard = 0;
  keys.onDidChange(() => heard++);
  keys.hold("https://a", "key");
  assert.deepEqual([heard, await keys.get("https://a"), await keys.get("https://b")], [1, "key", undefined]);
  await assert.rejects(keys.remove("https://a"));
  assert.deepEqual([heard, await keys.get("https://a"), slots.size], [2, undefined, 0]);
});

test("a key store tells of the key that replaces a held one, and of held keys that are all removed", async () => {
  const { secrets } = store();
  const keys = createKeys(secrets, undefined);
  const seen: (string | undefined)[] = [];
  const looked: Promise<unknown>[] = [];
  keys.onDidChange(() => void looked.push(keys.get("https://a").then((key) => seen.push(key))));
  keys.hold("https://a", "held");
  await keys.set("https://a", "stored");
  await Promise.all(looked);
  assert.equal(seen.at(-1), "stored");
  keys.hold("https://b", "held");
  const before = looked.length;
  await keys.removeAll(undefined);
  assert.ok(looked.length > before);
  assert.equal(await keys.get("https://b"), undefined);
});
