import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { overlayOn } from "../../../src/changes/proposed-workspace.ts";
import { guardFiles } from "../../../src/files/guarded-files.ts";
import { Refusal } from "../../../src/files/refusal.ts";
import type { CodePlaces, Languages } from "../../../src/files/workspace.ts";
import type { FileName } from "../../../src/patch/model.ts";
import {
  findDefinition,
  findReferences,
  findSymbol,
  hover,
  outline,
} from "../../../src/tools/internal/navigate-code.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { callContext } from "../../support/call-context.ts";
import { createFolderWorkspace, type FolderWorkspace } from "../../support/folder-workspace.ts";

const file = (path: string): FileName => ({ folder: "work", path });
const nothing: Languages = {
  outline: async () => [],
  symbols: async () => [],
  places: async () => ({ places: [], outside: 0 }),
  rename: async () => ({ edits: [], others: 0 }),
  hover: async () => [],
};

const shop = [
  'import { total } from "./total.ts";',
  "export class Cart {",
  "  sum = 0;",
  "  add() {",
  "    this.sum = total(this);",
  "  }",
  "}",
  "",
].join("\n");

function shopWorkspace(): FolderWorkspace {
  const workspace = createFolderWorkspace();
  workspace.write("work/src/cart.ts", shop);
  workspace.write("work/src/total.ts", "// Sums.\nexport const total = (cart) => 0;\n");
  return workspace;
}

/** Calls tools over these files and language services, with these texts proposed (none: the file is deleted). */
function use(
  workspace: FolderWorkspace,
  languages: Partial<Languages>,
  proposed: Readonly<Record<string, string | undefined>> = {},
) {
  const states = Object.entries(proposed).map(([path, text]) => {
    const name = file(path);
    return [name, text === undefined ? undefined : { file: name, text }] as const;
  });
  return async (tool: Tool, input: object): Promise<string> => {
    const under = { ...workspace, languages: { ...nothing, ...languages } };
    const seen = await overlayOn(under, { overlaid: async () => states });
    const settings = { ignore: ["hidden/"], alsoIgnore: [] };
    const files = guardFiles(seen.workspace, () => settings, undefined, under);
    const context = { ...callContext(files), ...seen, offers: (name: string) => name === "search_text" };
    return (await tool.prepare(JSON.stringify(input)).run(context, new AbortController().signal)).output;
  };
}

const places = (...all: readonly (readonly [path: string, line: number])[]): CodePlaces => ({
  places: all.map(([path, line]) => ({ file: file(path), line, column: 1 })),
  outside: 0,
});

describe("find_definition", () => {
  test("asks for the place of the name in the nearest line that has it, and shows the line found", async () => {
    const asked: unknown[] = [];
    const run = use(shopWorkspace(), {
      async places(kind, name, at) {
        asked.push([kind, name, at.file.path, at.line, at.column]);
        return places(["src/total.ts", 2]);
      },
    });
    const input = { path: "src/cart.ts", name: "total", line: 4 };
    assert.equal(await run(findDefinition, input), "src/total.ts\n2:export const total = (cart) => 0;");
    assert.deepEqual(asked, [["definition", "total", "src/cart.ts", 5, 16]]);
    await run(findDefinition, { path: "src/cart.ts", name: "total" });
    assert.deepEqual(asked[1], ["definition", "total", "src/cart.ts", 1, 10]);
  });

  test("says where a declaration ends, also where a proposal has moved it", async () => {
    const cart = { file: file("src/cart.ts"), line: 2, column: 14, last: 7 };
    const known = { places: async () => ({ places: [cart], outside: 0 }) };
    const input = { path: "src/cart.ts", name: "Cart" };
    assert.equal(
      await use(shopWorkspace(), known)(findDefinition, input),
      "src/cart.ts\n2:export class Cart { [to line 7]",
    );
    const moved = { "src/cart.ts": `// first\n${shop}` };
    assert.equal(
      await use(shopWorkspace(), known, moved)(findDefinition, input),
      "src/cart.ts\n3:export class Cart { [to line 8]",
    );
  });

  test("refuses a name that is only a part of others", async () => {
    const looking = use(shopWorkspace(), {})(findDefinition, { path: "src/cart.ts", name: "tot" });
    await assert.rejects(
      looking,
      (error) => error instanceof Refusal && /"tot" does not stand in/.test(error.message),
    );
  });

  test("counts what lies outside of the workspace and in files that are never read", async () => {
    const workspace = shopWorkspace();
    workspace.write("work/hidden/keys.ts", "export const total = 1;\n");
    const run = use(workspace, { places: async () => ({ ...places(["hidden/keys.ts", 1]), outside: 2 }) });
    assert.equal(
      await run(findDefinition, { path: "src/cart.ts", name: "total" }),
      "[2 places are outside of the workspace.]\n[1 place is in files that are not read.]",
    );
  });

  test("says that there may be no language service, after it has asked twice", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let asked = 0;
    const run = use(shopWorkspace(), {
      async places() {
        asked++;
        // The second attempt waits by the time when the first one has come to nothing.
        if (asked === 1) setImmediate(() => setImmediate(() => t.mock.timers.tick(1500)));
        return places();
      },
    });
    assert.equal(
      await run(findDefinition, { path: "src/cart.ts", name: "total" }),
      "The language service returned nothing for src/cart.ts; there may be none for .ts, or it is still starting. search_text finds names by their letters.",
    );
    assert.equal(asked, 2);
  });

  test("asks once where the service knows the file", async () => {
    let asked = 0;
    const symbol = { name: "Cart", kind: "class", line: 2, depth: 0 };
    const run = use(shopWorkspace(), {
      outline: async () => [symbol],
      async places() {
        asked++;
        return places();
      },
    });
    assert.match(await run(findDefinition, { path: "src/cart.ts", name: "total" }), /returned nothing/);
    assert.equal(asked, 1);
  });
});

describe("find_references on proposed text", () => {
  const proposed = ["// A new first line.", ...shop.split("\n")];
  proposed.splice(6, 0, "    total(other);");

  test("carries places over to the proposed lines, and finds names in new lines by their letters", async () => {
    const asked: number[] = [];
    const run = use(
      shopWorkspace(),
      {
        async places(_, __, at) {
          asked.push(at.line);
          return places(["src/cart.ts", 1], ["src/cart.ts", 5], ["src/total.ts", 2]);
        },
      },
      { "src/cart.ts": proposed.join("\n") },
    );
    const found = await run(findReferences, { path: "src/cart.ts", name: "total", line: 6 });
    assert.deepEqual(asked, [5]);
    assert.equal(
      found,
      [
        "src/cart.ts",
        '2:import { total } from "./total.ts";',
        "6:    this.sum = total(this);",
        "7:    total(other); [proposed]",
        "",
        "src/total.ts",
        "2:export const total = (cart) => 0;",
        "",
        "[[proposed]: in a line that is not in the editor yet, found by its letters.]",
      ].join("\n"),
    );
  });

  test("asks at another line with the same name where the line itself is only proposed", async () => {
    const asked: number[] = [];
    const languages = {
      async places(_: unknown, __: unknown, at: { readonly line: number }) {
        asked.push(at.line);
        return places();
      },
      outline: async () => [{ name: "Cart", kind: "class", line: 2, depth: 0 }],
    };
    const run = use(shopWorkspace(), languages, { "src/cart.ts": proposed.join("\n") });
    await run(findReferences, { path: "src/cart.ts", name: "total", line: 7 });
    assert.deepEqual(asked, [1]);
  });

  test("leaves out lines that the proposal removes", async () => {
    const run = use(
      shopWorkspace(),
      { places: async () => places(["src/cart.ts", 5], ["src/total.ts", 2]) },
      { "src/cart.ts": shop.replace("    this.sum = total(this);\n", "") },
    );
    assert.equal(
      await run(findReferences, { path: "src/total.ts", name: "total" }),
      "src/total.ts\n2:export const total = (cart) => 0;",
    );
  });

  test("finds a name of a file that is only proposed in the other proposed lines", async () => {
    const run = use(
      shopWorkspace(),
      {},
      { "src/new.ts": "export const fresh = 1;\n", "src/cart.ts": `fresh;\n${shop}` },
    );
    assert.match(
      await run(findReferences, { path: "src/new.ts", name: "fresh" }),
      /^src\/new\.ts\n1:export const fresh = 1; \[proposed\]\n\nsrc\/cart\.ts\n1:fresh; \[proposed\]/,
    );
  });
});

describe("outline", () => {
  test("lists symbols with their lines, as proposed", async () => {
    const languages = {
      outline: async () => [
        { name: "Cart", kind: "class", line: 2, last: 7, depth: 0 },
        { name: "add", kind: "method", line: 4, last: 6, depth: 1 },
        { name: "sum", kind: "property", line: 3, last: 3, depth: 1 },
      ],
    };
    const input = { path: "src/cart.ts" };
    assert.equal(
      await use(shopWorkspace(), languages)(outline, input),
      "src/cart.ts\n2–7 class Cart\n  4–6 method add\n  3 property sum",
    );
    assert.equal(
      await use(shopWorkspace(), languages, {
        "src/cart.ts": `// New.\n${shop.replace("  sum = 0;\n", "")}`,
      })(outline, input),
      "src/cart.ts\n3–7 class Cart\n  4–6 method add",
    );
  });

  test("leaves out what a line with a secret declares", async () => {
    const workspace = createFolderWorkspace();
    const secret = `ghp_${"a1B2".repeat(9)}`;
    workspace.write("work/a.yml", `token: ${secret}\nname: shop\n`);
    const languages = {
      outline: async () => [
        { name: secret, kind: "string", line: 1, depth: 0 },
        { name: "name", kind: "string", line: 2, depth: 0 },
      ],
    };
    const found = await use(workspace, languages)(outline, { path: "a.yml" });
    assert.equal(found, "a.yml\n2 string name\n[1 more are not shown.]");
  });
});

describe("find_symbol", () => {
  test("shows the declarations of that very name, or else those with names like it", async () => {
    const named = (name: string, path: string, line: number) => ({
      ...{ name, kind: "function", line, depth: 0 },
      file: file(path),
    });
    const languages = {
      symbols: async () => [named("subtotal", "src/cart.ts", 5), named("total", "src/total.ts", 2)],
    };
    const run = use(shopWorkspace(), languages);
    assert.equal(
      await run(findSymbol, { name: "Total" }),
      "src/total.ts\n2:export const total = (cart) => 0;",
    );
    assert.match(await run(findSymbol, { name: "tot" }), /^src\/total\.ts\n.+\n\nsrc\/cart\.ts\n/);
  });
});

describe("hover", () => {
  const input = { path: "src/cart.ts", name: "total" };

  test("shows what the editor shows, without secrets, and says what is cut", async () => {
    const languages = {
      places: async () => places(["src/total.ts", 2]),
      hover: async () => [`const total: number // ghp_${"a1B2".repeat(9)}`, "x".repeat(5000)],
    };
    const found = await use(shopWorkspace(), languages)(hover, input);
    assert.doesNotMatch(found, /ghp_a1B2/);
    assert.match(found, /^const total: number .*\n\nx+\n\[\d+ more characters\]$/);
  });

  test("shows nothing of what is declared in a file that is never read", async () => {
    const workspace = shopWorkspace();
    workspace.write("work/hidden/keys.ts", "export const total = 1;\n");
    const languages = {
      places: async () => places(["hidden/keys.ts", 1]),
      hover: async () => ["const total: 1"],
    };
    assert.equal(await use(workspace, languages)(hover, input), "[1 place is in files that are not read.]");
  });
});
