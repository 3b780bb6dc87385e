// Activation is cheap because of what it cannot reach: no file, no process, no network, until somebody uses Patchbay.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

/** What is loaded with the first file: all that it imports, and what that imports, but not what is only types. */
function loadedWith(file: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (found.has(file)) return found;
  const source = readFileSync(file, "utf8");
  found.set(file, source);
  for (const [, types, name = ""] of source.matchAll(/^import (type )?[^;]*?from "([^"]+)";$/gm)) {
    if (types !== undefined) continue;
    if (name.startsWith(".")) loadedWith(join(dirname(file), name), found);
    else found.set(name, "");
  }
  return found;
}

const loaded = loadedWith("src/main/extension.ts");

test("activation loads no module but vscode", () => {
  const modules = [...loaded.keys()].filter((name) => !name.endsWith(".ts"));
  assert.deepEqual(modules.sort(), ["vscode"]);
  assert.ok(loaded.has("src/editor/status/status-bar.ts"), "imports are followed");
  assert.ok(!loaded.has("src/main/container.ts"), "what does the work is loaded at first use");
});

test("the code loaded at activation neither reads files through VS Code nor sends requests", () => {
  const reaching =
    /\bworkspace\.(fs\.|findFiles|openTextDocument)|\bfetch\(|createFileSystemWatcher|storageUri\.fsPath/;
  const those = [...loaded].filter(([, source]) => reaching.test(source)).map(([file]) => file);
  assert.deepEqual(those, []);
});
