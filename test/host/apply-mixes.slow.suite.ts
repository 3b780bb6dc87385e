// Every mix of edited, new, moved and deleted files, and every step of it failing at the worst moment: afterwards all of
// it is there, or nothing.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import {
  applyPatch,
  beforeFiles,
  leaveNothing,
  onDisk,
  patchOf,
  put,
  textOf,
  tree,
  uriOf,
} from "./support/files.ts";

const kinds = ["edit", "create", "move", "delete"] as const;
type Kind = (typeof kinds)[number];

const sections: Readonly<Record<Kind, (folder: string) => readonly string[]>> = {
  edit: (folder) => [`*** Update File: ${folder}/edit.txt`, "@@", "-one", "+eins"],
  create: (folder) => [`*** Add File: ${folder}/create.txt`, "+created"],
  move: (folder) => [
    ...[`*** Update File: ${folder}/move.txt`, `*** Move to: ${folder}/moved.txt`],
    ...["@@", "-one", "+eins"],
  ],
  delete: (folder) => [`*** Delete File: ${folder}/delete.txt`],
};

/** What somebody else does between VS Code's beginning and its step. */
const sabotage: Readonly<Record<Exclude<Kind, "edit">, (folder: string) => Thenable<unknown>>> = {
  create: (folder) => put(`${folder}/create.txt`, "theirs\n"),
  move: (folder) => put(`${folder}/moved.txt`, "theirs\n"),
  delete: (folder) => vscode.workspace.fs.delete(uriOf(`${folder}/delete.txt`)),
};

const mixes = Array.from({ length: 2 ** kinds.length - 1 }, (_, at) =>
  kinds.filter((_kind, index) => ((at + 1) & (1 << index)) !== 0),
);

/** Text as a person sees it, of everything that is a file; what the saboteur wrote is theirs. */
async function state(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [path, bytes] of Object.entries(await tree(folder)))
    if (bytes !== "folder") found[path.slice(folder.length + 1)] = await textOf(path);
  return found;
}

describe("a patch with a mix of changes", () => {
  afterEach(leaveNothing);

  const nameOf = (mix: readonly Kind[]) => `mix-${mix.join("-")}`;

  // All at once: into a folder that is as young as that nothing is written before it has stood still for a while.
  before(async () => {
    const folders = mixes.flatMap((mix) => [
      nameOf(mix),
      ...mix.map((kind) => `${nameOf(mix)}-fails-${kind}`),
    ]);
    for (const folder of folders)
      for (const kind of ["edit", "move", "delete"]) await put(`${folder}/${kind}.txt`, "one\ntwo\n");
  });

  const after = (before: Record<string, string>, mix: readonly Kind[]): Record<string, string> => {
    const { "delete.txt": deleted, "move.txt": moved, ...others } = before;
    return {
      ...others,
      ...(mix.includes("edit") && { "edit.txt": "eins\ntwo\n" }),
      ...(mix.includes("create") && { "create.txt": "created\n" }),
      ...(mix.includes("move") ? { "moved.txt": "eins\ntwo\n" } : { "move.txt": moved ?? "" }),
      ...(!mix.includes("delete") && { "delete.txt": deleted ?? "" }),
    };
  };

  for (const mix of mixes)
    it(`applies ${mix.join(", ")} completely, or not at all when a step fails (row 89)`, async () => {
      const name = nameOf(mix);
      const patch = (folder: string) => patchOf(...mix.flatMap((kind) => sections[kind](folder)));
      const before = await state(name);
      assert.deepEqual(await applyPatch(patch(name)), { outcome: "applied" });
      assert.deepEqual(await state(name), after(before, mix));
      for (const kind of mix) {
        if (kind === "edit") continue;
        const folder = `${name}-fails-${kind}`;
        const untouched = await state(folder);
        const trap = beforeFiles(() => sabotage[kind](folder));
        const { outcome } = await applyPatch(patch(folder));
        trap.dispose();
        assert.notEqual(outcome, "applied", kind);
        const { "create.txt": created, "moved.txt": moved, ...left } = await state(folder);
        assert.deepEqual(left, untouched, kind);
        assert.equal(created, kind === "create" ? "theirs\n" : undefined, kind);
        assert.equal(moved, kind === "move" ? "theirs\n" : undefined, kind);
        assert.equal(await onDisk(`${folder}/edit.txt`), "one\ntwo\n", kind);
      }
    });
});
