// What was half done is put back also where names fold case: a file that answers to its old name is not back under it yet.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { revertWrites } from "../../src/editor/workspace/internal/rollback.ts";
import type { MoveChange } from "../../src/patch/model.ts";
import { MemoryFiles } from "../several/memory-files.ts";

class FoldingFiles extends MemoryFiles {
  override stat(uri: vscode.Uri): vscode.FileStat {
    return super.stat(this.#written(uri));
  }

  override readFile(uri: vscode.Uri): Uint8Array {
    return super.readFile(this.#written(uri));
  }

  override rename(from: vscode.Uri, to: vscode.Uri): void {
    super.rename(this.#written(from), to);
  }

  #written(uri: vscode.Uri): vscode.Uri {
    const path = Object.keys(this.state).find((name) => name.toLowerCase() === uri.path.toLowerCase());
    return path === undefined ? uri : uri.with({ path });
  }
}

describe("a case-only rename", () => {
  const files = new FoldingFiles();
  const [uri, to] = ["/shop/cart.ts", "/shop/Cart.ts"].map((path) =>
    vscode.Uri.from({ scheme: "test-folding", path }),
  );
  assert(uri !== undefined && to !== undefined);
  const bytes = Buffer.from("a\n");
  const point = {
    change: { kind: "move", file: { folder: "shop", path: "cart.ts" } } as MoveChange,
    ...{ uri, to, bytes, contents: undefined, document: undefined, wasClean: true, isFaithful: true },
  };
  const look = async () => ({ kind: "file" }) as never;
  let provider: vscode.Disposable;

  before(() => {
    provider = vscode.workspace.registerFileSystemProvider("test-folding", files, { isCaseSensitive: false });
  });

  after(() => provider.dispose());

  it("reverts to the exact old name", async () => {
    files.put("/shop/Cart.ts", "a\n");
    const left = await revertWrites([point], [], { look, isUnchanged: async () => true });
    assert.deepEqual([Object.keys(files.state), left], [["/shop/cart.ts"], []]);
  });

  it("is reported as not reverted when the rename fails", async () => {
    for (const path of Object.keys(files.state)) files.delete(uri.with({ path }));
    files.put("/shop/Cart.ts", "a\n");
    files.failing = "rename";
    const left = await revertWrites([point], [], { look, isUnchanged: async () => true });
    assert.deepEqual(Object.keys(files.state), ["/shop/Cart.ts"]);
    assert.equal(left.length, 1);
  });
});
