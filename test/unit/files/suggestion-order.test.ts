// Whether the file somebody means is among the first three, however many other files are open: queries as people type
// them, in two repositories side by side (test/fixtures/suggestions).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { createFileSuggestions } from "../../../src/files/file-suggestions.ts";
import type { FileFinder } from "../../../src/files/workspace.ts";
import { defaultConversationSettings } from "../../../src/session/session-context.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";

interface Kept {
  /** Files that somebody has open in the middle of their work, the latest first. */
  readonly open: readonly string[];
  readonly queries: readonly (readonly [typed: string, meant: string])[];
}

const folder = "test/fixtures/suggestions";
const paths = readFileSync(`${folder}/paths.txt`, "utf8").trimEnd().split("\n");
const { open, queries }: Kept = JSON.parse(readFileSync(`${folder}/queries.json`, "utf8"));

/** Of what was typed: files that have its letters, far from each other. */
function scattered(typed: string, meant: string): readonly string[] {
  const letters = [...typed.toLowerCase()].map((letter) => letter.replace(/\W/, String.raw`\$&`));
  const fits = new RegExp(letters.join(".*"));
  return paths.filter((path) => {
    const lower = path.toLowerCase();
    return path !== meant && fits.test(lower) && !lower.includes(typed.toLowerCase());
  });
}

/** Queries after which the file that was meant is not among the first three. */
async function missed(openFor: (typed: string, meant: string) => readonly string[]) {
  let recent: readonly string[] = [];
  const finder: FileFinder = {
    find: async () => paths,
    heedsIgnoreFiles: () => true,
    onChange: () => ({ dispose() {} }),
    recent: () => recent.map((path) => ({ folder: "work", path })),
  };
  const workspace = createFolderWorkspace("work");
  const { privacy } = defaultConversationSettings;
  const suggestions = createFileSuggestions({ workspace, finder, privacy: () => privacy });
  const found: string[] = [];
  for (const [typed, meant] of queries) {
    recent = openFor(typed, meant);
    let labels: readonly string[] = [];
    for await (const { items } of suggestions.suggest(typed, new AbortController().signal))
      labels = items.map(({ label }) => label);
    if (!labels.slice(0, 3).includes(meant)) found.push(`${typed}: ${labels.slice(0, 3).join(", ")}`);
  }
  suggestions.dispose();
  return found;
}

describe("the file meant by a query", () => {
  for (const count of [0, 4, 10]) {
    const most = Math.floor(queries.length / 20);
    test(`is among the first three with ${count} files open`, async () => {
      assert.ok(queries.length >= 60);
      const found = await missed((_, meant) => open.filter((path) => path !== meant).slice(0, count));
      assert.ok(found.length <= most, found.join("\n"));
    });

    if (count === 0) continue;
    test(`is among the first three with ${count} files open that have its letters as well`, async () => {
      const found = await missed((typed, meant) => scattered(typed, meant).slice(0, count));
      assert.ok(found.length <= most, found.join("\n"));
    });
  }
});
