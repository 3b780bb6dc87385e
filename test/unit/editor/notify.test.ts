// Threats, B15: what is told in a corner of the window holds no link, whoever's words are in it.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withoutLinks } from "../../../src/editor/notify.ts";

/** As VS Code itself finds them (linkedText.ts). */
const links = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;

test("withoutLinks removes every link and keeps other text unchanged", () => {
  for (const words of [
    "[Undo](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22x%22%7D) was edited.",
    '[a](https://attacker.example/ "b")[c](file:///etc/passwd)',
    "[[x]](command:x) [y](COMMAND:z)",
    "[a\n](command:b)",
  ]) {
    assert.ok(words.search(links) >= 0, words);
    assert.ok(withoutLinks(words).search(links) < 0, words);
  }
  for (const words of ["a[0] (b)", "src/[slug]/page.ts was edited.", "1 file", ""])
    assert.equal(withoutLinks(words), words);
});

test("only notify.ts shows notifications, and progress titles pass through withoutLinks", () => {
  const telling = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith("editor/notify.ts"))
    .flatMap((name) => {
      const source = readFileSync(join("src", name), "utf8");
      const calls = source.matchAll(/\bshow(?:Information|Warning|Error)Message\b[^;]*/g);
      const titles = source.matchAll(/\bProgressLocation\b[^;]*;[^;]*/g);
      return [
        ...[...calls].filter(([call]) => !/modal: true|, options,/.test(call)),
        ...[...titles].filter(() => !source.includes("withoutLinks(")),
      ].map(([found]) => `${name}: ${found}`);
    });
  assert.deepEqual(telling, []);
});
