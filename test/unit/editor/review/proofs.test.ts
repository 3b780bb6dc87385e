// The list of what is done in the editor (test/fixtures/review/proofs.txt) against the manifest, which grows, and the tests,
// which change their names: nothing is without a proof, and no proof is without its test.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const read = (...path: string[]) => readFileSync(join(process.cwd(), ...path), "utf8");

const proofs = new Map<string, string[]>();
for (const line of read("test/fixtures/review/proofs.txt").split("\n")) {
  if (line.trim() === "" || line.startsWith("#")) continue;
  if (line.startsWith(" ")) [...proofs.values()].at(-1)?.push(line.trim());
  else proofs.set(line, []);
}

const titlesIn = (folders: readonly string[]) =>
  folders.flatMap((folder) =>
    readdirSync(join(process.cwd(), folder), { recursive: true })
      .map(String)
      .filter((name) => /\.(test|suite)\.ts$/.test(name))
      .flatMap((name) => [
        ...read(folder, name).matchAll(/\b(?:test|it|vscodeTest)\(\s*(?:"([^"\n]*)"|`([^`\n]*)`)/g),
      ])
      .map(([, plain, template]) => plain ?? template ?? ""),
  );
const titles = new Set(titlesIn(["test/unit", "test/host", "test/ui"]));

interface Entry {
  readonly command?: string;
  readonly when?: string;
}

const { contributes } = JSON.parse(read("package.json")) as {
  contributes: { commands: Entry[]; menus: Record<string, Entry[]>; keybindings: Entry[] };
};
const isOfReview = ({ command }: Entry) => command?.startsWith("patchbay.review.") === true;
const isOurs = ({ command = "" }: Entry) =>
  /^patchbay\.(review|do|attach|code)\.|^patchbay\.agent\.chooseTools$/.test(command);
const places = [...Object.values(contributes.menus).flat(), ...contributes.keybindings].filter(isOfReview);

test("every editor command, review menu place and fault row of files has a proof, and no proof is unused", () => {
  const wanted = [
    ...contributes.commands.filter(isOurs).map(({ command }) => String(command)),
    ...places.map(({ when }) => `when ${when}`),
  ];
  for (const name of new Set(wanted)) assert.ok((proofs.get(name)?.length ?? 0) > 0, `${name} has no proof`);
  for (let row = 86; row <= 103; row++) {
    const [, found = []] = [...proofs].find(([name]) => name.startsWith(`row ${row} `)) ?? [];
    assert.ok(found.length > 0, `row ${row} has no proof`);
  }
  const rows = /^row (8[6-9]|9\d|10[0-3]) /;
  for (const name of proofs.keys())
    assert.ok(wanted.includes(name) || rows.test(name), `${name} is nothing that has to be proved`);
});

test("every proof names an existing test", () => {
  for (const [name, own] of proofs)
    for (const title of own) assert.ok(titles.has(title), `${name}: there is no test “${title}”`);
});

/** Pressed where only a person can: in a list that has the focus. */
const seenOnlyByPersons = ["patchbay.review.list"];

test("every editor command is tested in the extension host, except those that only a person can press", () => {
  const inHost = new Set(titlesIn(["test/host"]));
  const others = contributes.commands
    .filter(isOurs)
    .map(({ command = "" }) => command)
    .filter((command) => proofs.get(command)?.some((title) => inHost.has(title)) !== true);
  assert.deepEqual(others.sort(), seenOnlyByPersons);
});

test("every menu condition of the review matches a row kind of the tree", () => {
  const source = read("src/editor/review/internal/review-tree.ts");
  const kinds = [...source.matchAll(/"((?:set|file|hunk)\.[a-z.]+)"/g)].map(([, kind = ""]) => kind);
  assert.ok(kinds.length > 2);
  for (const { when = "" } of places) {
    const [, is] = /viewItem == (\S+)/.exec(when) ?? [];
    const [, like] = /viewItem =~ \/(.+)\//.exec(when) ?? [];
    if (is !== undefined) assert.ok(kinds.includes(is), when);
    if (like !== undefined)
      assert.ok(
        kinds.some((kind) => new RegExp(like).test(kind)),
        when,
      );
  }
});
