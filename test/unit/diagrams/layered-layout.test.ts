import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type LayoutNode, layOut } from "../../../src/diagrams/internal/layered-layout.ts";

const node = (id: string): LayoutNode => ({ id, width: 60, height: 30 });
const edge = (id: string, from: string, to: string) => ({ id, sources: [from], targets: [to] });
const graph = (children: LayoutNode[], edges: LayoutNode["edges"], direction = "DOWN"): LayoutNode => ({
  id: "root",
  layoutOptions: { "elk.direction": direction, "elk.padding": "[top=10,left=10]" },
  children,
  edges: edges ?? [],
});

interface Placed {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Boxes by their names, from the corner of the picture. */
function boxesIn(root: LayoutNode, left = 0, top = 0): Map<string, Placed> {
  const boxes = new Map<string, Placed>();
  for (const child of root.children ?? []) {
    const [x, y] = [left + (child.x ?? Number.NaN), top + (child.y ?? Number.NaN)];
    boxes.set(child.id, { left: x, top: y, right: x + (child.width ?? 0), bottom: y + (child.height ?? 0) });
    for (const [id, box] of boxesIn(child, x, y)) boxes.set(id, box);
  }
  return boxes;
}

const pathsIn = ({ edges = [] }: LayoutNode) =>
  edges.map(({ sections: [section] = [] }) =>
    section === undefined ? [] : [section.startPoint, ...section.bendPoints, section.endPoint],
  );

const isOn = ({ left, top, right, bottom }: Placed, { x, y }: { x: number; y: number }): boolean =>
  x >= left - 0.01 && x <= right + 0.01 && y >= top - 0.01 && y <= bottom + 0.01;

describe("layOut", () => {
  it("lays boxes out in layers, apart from each other, with lines that turn at right angles", () => {
    for (const direction of ["DOWN", "UP", "LEFT", "RIGHT"]) {
      const names = ["a", "b", "c", "d", "e"];
      const edges = ["ab", "ac", "bd", "cd", "ae", "da"].map((id) => edge(id, id[0] ?? "", id[1] ?? ""));
      const root = layOut(graph(names.map(node), edges, direction));
      const boxes = boxesIn(root);
      for (const one of names)
        for (const other of names.filter((each) => each > one)) {
          const [a, b] = [boxes.get(one), boxes.get(other)];
          assert.ok(a && b && (a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top));
        }
      for (const [index, path] of pathsIn(root).entries()) {
        const { sources = [], targets = [] } = edges[index] ?? {};
        const [from, to] = [boxes.get(sources[0] ?? ""), boxes.get(targets[0] ?? "")];
        const [first, last] = [path[0], path.at(-1)];
        assert.ok(
          from && to && first && last && isOn(from, first) && isOn(to, last),
          `${direction} ${index}`,
        );
        for (const [step, point] of path.slice(1).entries())
          assert.ok(point.x === path[step]?.x || point.y === path[step]?.y, `${direction} ${index}`);
      }
    }
  });

  it("draws two lines that turn between the same layers beside each other", () => {
    const names = ["a", "b", "c", "d"];
    const root = layOut(
      graph(names.map(node), [
        edge("1", "a", "d"),
        edge("2", "b", "c"),
        edge("3", "a", "c"),
        edge("4", "b", "d"),
      ]),
    );
    const turns = pathsIn(root).flatMap((path) =>
      path.slice(1).flatMap((point, index) => {
        const before = path[index];
        return before?.y === point.y
          ? [{ y: point.y, xs: [before.x, point.x].toSorted((a, b) => a - b) }]
          : [];
      }),
    );
    assert.ok(turns.length >= 2);
    for (const [index, { y, xs }] of turns.entries())
      for (const other of turns.slice(index + 1)) {
        const [left = 0, right = 0] = xs;
        const [otherLeft = 0, otherRight = 0] = other.xs;
        assert.ok(y !== other.y || right < otherLeft || otherRight < left, JSON.stringify(turns));
      }
  });

  it("keeps groups around their nodes, lines to a group at its border, and a node named twice in the first", () => {
    const inner: LayoutNode = { id: "inner", children: [node("c")] };
    const outer: LayoutNode = { id: "outer", children: [node("b"), inner] };
    const other: LayoutNode = { id: "other", children: [node("b"), node("d")] };
    const root = layOut(
      graph(
        [node("a"), outer, other],
        [edge("1", "a", "outer"), edge("2", "c", "d"), edge("3", "other", "outer")],
      ),
    );
    const boxes = boxesIn(root);
    const box = (id: string) => boxes.get(id) ?? { left: 0, top: 0, right: 0, bottom: 0 };
    for (const [group, member] of [
      ["outer", "b"],
      ["outer", "inner"],
      ["inner", "c"],
      ["other", "d"],
    ] as const)
      assert.ok(
        isOn(box(group), { x: box(member).left, y: box(member).top }) &&
          isOn(box(group), { x: box(member).right, y: box(member).bottom }),
        member,
      );
    assert.deepEqual(
      root.children?.map(({ id, children }) => [id, (children ?? []).map((child) => child.id)]),
      [
        ["a", []],
        ["outer", ["b", "inner"]],
        ["other", ["d"]],
      ],
    );
    for (const [index, [from, to]] of [
      ["a", "outer"],
      ["c", "d"],
      ["other", "outer"],
    ].entries()) {
      const path = pathsIn(root)[index] ?? [];
      const [first = { x: -1, y: -1 }, last = { x: -1, y: -1 }] = [path[0], path.at(-1)];
      assert.ok(isOn(box(from ?? ""), first) && isOn(box(to ?? ""), last), `${from} to ${to}`);
    }
  });

  it("draws a line to itself, and keeps a line to nothing without a place", () => {
    const root = layOut(graph([node("a")], [edge("1", "a", "a"), edge("2", "a", "nowhere")]));
    const [loop = [], lost] = pathsIn(root);
    assert.ok(loop.length === 4 && loop.every(({ x }) => x >= (boxesIn(root).get("a")?.right ?? 0)));
    assert.deepEqual(lost, []);
    assert.ok((root.width ?? 0) >= Math.max(...loop.map(({ x }) => x)));
  });
});
