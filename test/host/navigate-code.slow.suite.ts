// The model's tools for navigating code, with VS Code's own TypeScript server.
import { strict as assert } from "node:assert";
import { overlayOn } from "../../src/changes/proposed-workspace.ts";
import { guardFiles } from "../../src/files/guarded-files.ts";
import { ownTools } from "../../src/tools/tool-table.ts";
import { callContext } from "../support/call-context.ts";
import { leaveNothing, put, testWorkspace } from "./support/files.ts";

describe("code navigation with VS Code's TypeScript server", function () {
  this.timeout(240_000);
  const workspace = testWorkspace();
  const [folder = ""] = workspace.folders;
  const total =
    "/** Adds up. */\nexport function total(prices: number[]): number {\n  return prices.length;\n}\n";
  const cart =
    'import { total } from "./total.ts";\n\nexport class Cart {\n  sum() {\n    return total([1]);\n  }\n}\n';

  const call = async (name: string, input: object, proposed: Readonly<Record<string, string>> = {}) => {
    const states = Object.entries(proposed).map(([path, text]) => {
      const file = { folder, path };
      return [file, { file, text }] as const;
    });
    const seen = await overlayOn(workspace, { overlaid: async () => states });
    const files = guardFiles(seen.workspace, () => ({ ignore: [], alsoIgnore: [] }), undefined, workspace);
    const tool = ownTools.find((each) => each.name === name);
    assert(tool !== undefined);
    const { run } = tool.prepare(JSON.stringify(input));
    const world = { ...seen, files };
    const context = { ...callContext(files), ...world, overlay: async () => world };
    return (await run(context, new AbortController().signal)).output;
  };

  before(async () => {
    await leaveNothing();
    await put(
      "code/tsconfig.json",
      '{ "compilerOptions": { "strict": true, "allowImportingTsExtensions": true } }',
    );
    await put("code/total.ts", total);
    await put("code/cart.ts", cart);
    // The server needs a while for its start, and answers nothing until then.
    while (!(await call("hover", { path: "code/cart.ts", name: "total", line: 5 })).includes("Adds up"));
  });
  after(leaveNothing);

  it("finds where a name is declared and used, in files that are not open", async () => {
    const at = { path: "code/cart.ts", name: "total", line: 5 };
    assert.equal(
      await call("find_definition", at),
      "code/total.ts\n2:export function total(prices: number[]): number { [to line 4]",
    );
    const uses = await call("find_references", at);
    assert.match(uses, /code\/total\.ts\n2:export function total/);
    assert.match(uses, /code\/cart\.ts\n1:import \{ total \}.*\n5: {4}return total\(\[1\]\);/);
  });

  it("outlines a file and finds a symbol of the workspace", async () => {
    assert.equal(
      await call("outline", { path: "code/cart.ts" }),
      "code/cart.ts\n3–7 class Cart\n  4–6 method sum",
    );
    assert.equal(
      await call("find_symbol", { name: "Cart" }),
      "code/cart.ts\n3:export class Cart { [to line 7]",
    );
  });

  it("shows type and documentation of a name", async () => {
    const shown = await call("hover", { path: "code/cart.ts", name: "total", line: 5 });
    assert.match(shown, /total\(prices: number\[\]\): number/);
    assert.match(shown, /Adds up\./);
  });

  it("tells lines as they are proposed", async () => {
    const at = { path: "code/cart.ts", name: "total", line: 6 };
    const uses = await call("find_references", at, {
      "code/cart.ts": `// One more line.\n${cart}total([]);\n`,
    });
    assert.match(uses, /code\/cart\.ts\n2:import.*\n6: .*\n9:total\(\[\]\); \[proposed\]/);
  });

  it("proposes another name wherever it is used, with what is proposed already", async () => {
    const at = { path: "code/cart.ts", name: "total", new_name: "sumOf" };
    assert.equal(
      await call("rename_symbol", at, { "code/cart.ts": `// One more line.\n${cart}` }),
      "Success. Proposed to the user:\nM code/total.ts, line 2\nM code/cart.ts, lines 2, 6\n",
    );
    const refused = call("rename_symbol", { path: "code/cart.ts", name: "return", new_name: "back" });
    await assert.rejects(refused, /Nothing was renamed\. The language service says: /);
  });

  it("counts declarations outside of the workspace", async () => {
    await put("code/list.ts", "export const list = [1].map(String);\n");
    assert.match(
      await call("find_definition", { path: "code/list.ts", name: "map" }),
      /^\[\d+ places? (is|are) outside of the workspace\.\]$/,
    );
  });

  it("says that nothing answers for a language without a server", async () => {
    await put("code/notes.unknown", "total\n");
    assert.match(
      await call("find_definition", { path: "code/notes.unknown", name: "total" }),
      /^The language service returned nothing for code\/notes\.unknown; there may be none for \.unknown/,
    );
  });
});
