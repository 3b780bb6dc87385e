// The list of conversations: what stands where in it, and what that takes of very many.
import assert from "node:assert/strict";
import { test } from "node:test";
import { conversationTree } from "../../../../src/editor/conversations/conversations-view.ts";

const row = (id: string, more: { archived?: true; place?: string; branchOf?: string } = {}) => ({
  ...{ id, archived: false, place: "here" },
  ...more,
});
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).join(" ");

test("a branch is below its trunk, or at the root when the trunk is in another group or gone", () => {
  const tree = conversationTree(
    [
      ...[row("a"), row("b", { branchOf: "a" }), row("c", { branchOf: "b" }), row("d", { branchOf: "gone" })],
      ...[row("e", { archived: true, branchOf: "a" }), row("f", { archived: true, branchOf: "e" })],
      row("g", { place: "elsewhere", branchOf: "a" }),
    ],
    "here",
  );
  assert.deepEqual(
    [undefined, "other" as const, "archived" as const].map((group) => [
      ids(tree.inGroup(group)),
      ids(tree.roots(group)),
    ]),
    [
      ["a b c d", "a d"],
      ["g", "g"],
      ["e f", "e"],
    ],
  );
  assert.deepEqual(
    ["a", "b", "c", "e"].map((id) => ids(tree.branchesOf(id))),
    ["b", "c", "", "f"],
  );
});

test("conversationTree reads each conversation at most a constant number of times", () => {
  let looks = 0;
  const seen: ProxyHandler<ReturnType<typeof row>> = {
    get(of, key) {
      looks++;
      return Reflect.get(of, key);
    },
  };
  const all = Array.from(
    { length: 1000 },
    (_, at) => new Proxy(row(String(at), at === 0 ? {} : { branchOf: "0" }), seen),
  );
  const tree = conversationTree(all, "here");
  for (const { id } of [...tree.roots(undefined), ...tree.branchesOf("0")]) tree.branchesOf(id);
  assert.ok(looks < 30 * all.length, `${looks} looks`);
});
