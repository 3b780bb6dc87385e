// Which row of a list a key was pressed on, told from what our keys do to its selection.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TreeView } from "vscode";
import { followFocusedRow } from "../../../../src/editor/ui/focused-row.ts";

interface Row {
  readonly name: string;
}

function list() {
  const heard = new Set<(change: { selection: readonly Row[] }) => void>();
  const view = {
    onDidChangeSelection(listener: (change: { selection: readonly Row[] }) => void) {
      heard.add(listener);
      return { dispose: () => heard.delete(listener) };
    },
  } as unknown as TreeView<Row>;
  const select = (...names: string[]) => {
    for (const listener of heard) listener({ selection: names.map((name) => ({ name })) });
  };
  return { focused: followFocusedRow(view, ({ name }) => name), select, heard };
}

test("followFocusedRow reports the row whose selection was toggled twice, selected or not", () => {
  const { focused, select } = list();
  select("a");
  select("a", "b");
  select("a");
  assert.equal(focused.node?.name, "b");
  select();
  select("a");
  assert.equal(focused.node?.name, "a");
});

test("followFocusedRow ignores a repeated selection and removes its listener on dispose", () => {
  const { focused, select, heard } = list();
  assert.equal(focused.node, undefined);
  select("a");
  select("a");
  assert.equal(focused.node, undefined);
  focused.dispose();
  assert.equal(heard.size, 0);
});
