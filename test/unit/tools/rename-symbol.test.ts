import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { overlayOn } from "../../../src/changes/proposed-workspace.ts";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import type { Languages, NameChanges, NameEdit } from "../../../src/files/workspace.ts";
import { applyEdits } from "../../../src/patch/edits.ts";
import type { FileChange, FileName } from "../../../src/patch/model.ts";
import { renameSymbol } from "../../../src/tools/internal/rename-symbol.ts";
import { callContext } from "../../support/call-context.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";

const file = (path: string): FileName => ({ folder: "work", path });
const twice = "area(1);\n// same\n// same\n// same\n";
const texts: Readonly<Record<string, string>> = {
  "a.ts": `export const area = (x: number) => x;\n${twice.repeat(4)}`,
  "b.ts": 'import { area } from "./a.ts";\r\narea(area(2));\r\n',
  "hidden/c.ts": "area(3);\n",
};

/** Every place where the name stands by its letters, as a language service finds it in these texts. */
function everyPlace(paths: readonly string[], to: string): readonly NameEdit[] {
  return paths.flatMap((path) =>
    (texts[path] ?? "").split(/\r?\n/).flatMap((line, index) =>
      [...line.matchAll(/\barea\b/g)].map((match) => ({
        ...{ file: file(path), line: index + 1, column: match.index + 1 },
        ...{ length: "area".length, text: to },
      })),
    ),
  );
}

interface Renamed {
  readonly output: string;
  /** The proposed texts. */
  readonly files: Readonly<Record<string, string>>;
}

async function rename(
  found: NameChanges | ((to: string) => NameChanges),
  proposed: Readonly<Record<string, string>> = {},
  input: object = { path: "a.ts", name: "area", new_name: "size" },
): Promise<Renamed> {
  const workspace = createFolderWorkspace();
  for (const [path, text] of Object.entries(texts)) workspace.write(`work/${path}`, text);
  const languages: Languages = {
    ...{ outline: async () => [], symbols: async () => [], hover: async () => [] },
    places: async () => ({ places: [], outside: 0 }),
    rename: async (_, __, to) => (typeof found === "function" ? found(to) : found),
  };
  const states = Object.entries(proposed).map(
    ([path, text]) => [file(path), { file: file(path), text }] as const,
  );
  const under = { ...workspace, languages };
  const seen = await overlayOn(under, { overlaid: async () => states });
  const files = guardFiles(seen.workspace, () => ({ ignore: ["hidden/"], alsoIgnore: [] }), undefined, under);
  const changes: FileChange[] = [];
  const context = {
    ...{ ...callContext(files), ...seen, overlay: async () => ({ ...seen, files }) },
    changes: {
      async propose(all: readonly { readonly change: FileChange }[]) {
        changes.push(...all.map(({ change }) => change));
        return "kept" as const;
      },
      statusesOf: () => new Map(),
    },
  };
  const { output } = await renameSymbol
    .prepare(JSON.stringify(input))
    .run(context, new AbortController().signal);
  const texted = changes.map((change) =>
    "edits" in change
      ? [change.file.path, applyEdits(change.base.text, change.edits)]
      : [change.file.path, ""],
  );
  return { output, files: Object.fromEntries(texted) };
}

const everywhere = (to: string): NameChanges => ({ edits: everyPlace(["a.ts", "b.ts"], to), others: 0 });
const renamed = (path: string) => (texts[path] ?? "").replaceAll(/\barea\b/g, "size");

describe("rename_symbol", () => {
  it("proposes the new name in every file, also where the same lines stand several times", async () => {
    const { output, files } = await rename(everywhere);
    assert.deepEqual(files, { "a.ts": renamed("a.ts"), "b.ts": renamed("b.ts") });
    assert.match(
      output,
      /^Success\. Proposed to the user:\nM a\.ts, lines 1-2, 6, 10, 14\nM b\.ts, lines 1-2\n$/,
    );
  });

  it("changes only the places that the language service names", async () => {
    const { files } = await rename((to) => {
      const [, , , third] = everyPlace(["a.ts"], to);
      assert.ok(third !== undefined);
      return { edits: [third], others: 0 };
    });
    const lines = (texts["a.ts"] ?? "").split("\n");
    assert.deepEqual(files, { "a.ts": lines.with(9, "size(1);").join("\n") });
  });

  it("renames in the lines of a proposal, and tells which of them it does not know", async () => {
    const before = "// One more line.\n";
    const { output, files } = await rename(everywhere, { "a.ts": `${before}${texts["a.ts"]}area(9);\n` });
    assert.equal(files["a.ts"], `${before}${renamed("a.ts")}area(9);\n`);
    assert.match(output, /\[Not renamed, because these lines are only proposed: a\.ts:19\.\]$/);
  });

  it("tells some of the proposed lines, and how many more there are", async () => {
    const added = Array.from({ length: 25 }, (_, at) => `area(${at + 100});\n`).join("");
    const { output } = await rename(everywhere, { "b.ts": `${texts["b.ts"]}${added}` });
    assert.match(output, /only proposed: b\.ts:3, (?:b\.ts:\d+, ){18}b\.ts:22 and 5 more places\.\]$/);
  });

  it("renames nothing where a place is never sent, outside of the workspace or unknown", async () => {
    const hidden = (to: string): NameChanges => ({
      edits: everyPlace(["a.ts", "hidden/c.ts"], to),
      others: 0,
    });
    await assert.rejects(
      rename(hidden),
      /Nothing was renamed: 1 of the places are in files that are never sent/,
    );
    await assert.rejects(
      rename((to) => ({ ...everywhere(to), others: 2 })),
      /2 of the places/,
    );
    await assert.rejects(rename({ edits: [], others: 0 }), /language service returned nothing for a\.ts/);
    const why = "You cannot rename this element.";
    await assert.rejects(
      rename({ edits: [], others: 0, why }),
      /The language service says: You cannot rename this/,
    );
    await assert.rejects(
      rename(
        { edits: [], others: 0 },
        { "new.ts": "const area = 1;\n" },
        { path: "new.ts", name: "area", new_name: "b" },
      ),
      /only in proposed lines|returned nothing/,
    );
  });

  it("moves a file that is named for the name, with its changes or without", async () => {
    const moves = [{ from: file("a.ts"), to: file("size.ts") }];
    const { output, files } = await rename((to) => ({ ...everywhere(to), moves, otherFiles: 0 }));
    assert.equal(files["a.ts"], renamed("a.ts"));
    assert.match(output, /^Success\. Proposed to the user:\nM size\.ts, lines 1-2, 6, 10, 14\nM b\.ts/);
    const alone = await rename({ edits: [], others: 0, moves });
    assert.match(alone.output, /^Success\. Proposed to the user:\nM size\.ts\n$/);
  });

  it("renames nothing where a file would be created, removed or moved onto another, or is never sent", async () => {
    await assert.rejects(
      rename((to) => ({ ...everywhere(to), otherFiles: 1 })),
      /Nothing was renamed: the language service would also create or remove 1 files/,
    );
    const onto = [{ from: file("a.ts"), to: file("b.ts") }];
    const { output, files } = await rename((to) => ({ ...everywhere(to), moves: onto }));
    assert.deepEqual(files, {});
    assert.match(output, / b\.ts already exists\..*\nNothing was changed\.$/s);
    const hidden = [{ from: file("hidden/c.ts"), to: file("size.ts") }];
    await assert.rejects(
      rename((to) => ({ ...everywhere(to), moves: hidden })),
      /1 of the places/,
    );
  });

  it("refuses more places than a proposal may have", async () => {
    const [first] = everyPlace(["a.ts"], "size");
    assert.ok(first !== undefined);
    await assert.rejects(
      rename({ edits: Array(2001).fill(first), others: 0 }),
      /2001 places are more than the 2000/,
    );
  });
});
