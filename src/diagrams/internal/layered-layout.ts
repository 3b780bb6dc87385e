// Where the boxes and lines of a diagram lie: what the package `elkjs` does for the renderer, in its input and output
// format, by `dagre`. The renderer asks for layered layouts with orthogonal lines and nothing else, and dagre with the
// lines below is a twentieth of elkjs, and several times as fast.
import { Graph, type GraphLabel, layout } from "@dagrejs/dagre";
import {
  distanceTo,
  type Line,
  middleOf,
  nowhere,
  type Point,
  type Rectangle,
  routeLines,
} from "./orthogonal-lines.ts";

interface Label extends Partial<Point> {
  readonly width?: number;
  readonly height?: number;
}

interface LayoutEdge {
  readonly id: string;
  readonly sources: readonly string[];
  readonly targets: readonly string[];
  readonly labels?: readonly Label[];
  sections?: readonly { startPoint: Point; endPoint: Point; bendPoints: readonly Point[] }[];
}

export interface LayoutNode {
  readonly id: string;
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  readonly layoutOptions?: Readonly<Record<string, string>>;
  readonly ports?: readonly { readonly id: string }[];
  children?: LayoutNode[];
  edges?: LayoutEdge[];
}

const directions: Readonly<Record<string, "TB" | "BT" | "LR" | "RL">> = {
  DOWN: "TB",
  UP: "BT",
  RIGHT: "LR",
  LEFT: "RL",
};

/** Inside of a group: above is its title. */
const inset = { side: 16, top: 40 };
/** Room between layers for each line that turns there. */
const gap = 16;

/** Changes `root`: its nodes, labels and lines get places, relative to the node that they belong to. */
export function layOut(root: LayoutNode): LayoutNode {
  const direction = directions[root.layoutOptions?.["elk.direction"] ?? "DOWN"] ?? "TB";
  const isSideways = direction === "LR" || direction === "RL";
  const margin = Number(/top=(\d+)/.exec(root.layoutOptions?.["elk.padding"] ?? "")?.[1] ?? gap);
  const tree = readTree(root);
  const options = {
    rankdir: direction,
    rankalign: "top" as const,
    nodesep: optionOf(root, "elk.spacing.nodeNode", 28) + (isSideways && tree.groups.length > 0 ? gap : 0),
    ranksep: optionOf(root, "elk.layered.spacing.nodeNodeBetweenLayers", 48),
    edgesep: gap,
  };
  const draft = arrange(tree, options, () => false);
  // A line back to a group begins at the first of its nodes and ends at the last, not the other way round.
  const isBack = ({ from, to }: Ends) => {
    const [source = nowhere, target = nowhere] = [draft.boxes.get(from.end), draft.boxes.get(to.end)];
    const [down, right] = [target.top - source.top, target.left - source.left];
    return { TB: down, BT: -down, LR: right, RL: -right }[direction] < 0;
  };
  const hasGroupEnds = draft.ends.some(
    (ends) => ends !== undefined && (ends.from.end !== ends.from.leaf || ends.to.end !== ends.to.leaf),
  );
  const { boxes, ends, lines } = hasGroupEnds ? arrange(tree, options, isBack) : draft;
  const routed = routeLines(lines, boxes, isSideways);
  const shift = shiftOf([...boxes.values()], routed.flat(), margin);
  place(root, boxes, { x: -shift.x, y: -shift.y });
  Object.assign(root, { width: shift.width, height: shift.height });
  // All of them are drawn from the root: a line may cross the border of a group.
  const paths = routed.values();
  root.edges = tree.edges.map((edge, index) => {
    const path = ends[index] === undefined ? [] : (paths.next().value ?? []);
    const points = path.map(({ x, y }) => ({ x: x + shift.x, y: y + shift.y }));
    const [startPoint, ...bendPoints] = points;
    const endPoint = bendPoints.pop();
    if (startPoint === undefined || endPoint === undefined) return edge;
    const middle = labelPlace(points, ends[index]?.label, shift);
    const labels = (edge.labels ?? []).map((label) => ({
      ...label,
      x: middle.x - (label.width ?? 0) / 2,
      y: middle.y - (label.height ?? 0) / 2,
    }));
    return { ...edge, labels, sections: [{ startPoint, bendPoints, endPoint }] };
  });
  return root;
}

const optionOf = (root: LayoutNode, name: string, usual: number): number =>
  Number(root.layoutOptions?.[name] ?? usual);

interface Ends {
  readonly from: End;
  readonly to: End;
  /** The place that is kept free for the label. */
  readonly label?: Point;
}

type Tree = ReturnType<typeof readTree>;

function arrange(tree: Tree, options: GraphLabel, isBack: (ends: Ends) => boolean) {
  const graph = new Graph({ compound: true, multigraph: true });
  graph.setGraph(options);
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of tree.leaves) graph.setNode(id, { width, height });
  for (const { id } of tree.groups) graph.setNode(id, {});
  for (const [child, parent] of tree.parents) graph.setParent(child, parent);
  const known = tree.edges.map(({ sources, targets }): Ends | undefined => {
    const endsOf = (one: "first" | "last", other: "first" | "last"): Ends | undefined => {
      const [from, to] = [tree.endOf(sources[0], one), tree.endOf(targets[0], other)];
      return from === undefined || to === undefined ? undefined : { from, to };
    };
    const forth = endsOf("last", "first");
    return forth !== undefined && isBack(forth) ? endsOf("first", "last") : forth;
  });
  for (const [index, { id, labels }] of tree.edges.entries()) {
    const ends = known[index];
    if (ends === undefined) continue;
    const size = { width: labels?.[0]?.width ?? 0, height: labels?.[0]?.height ?? 0 };
    graph.setEdge(ends.from.leaf, ends.to.leaf, { ...size, labelpos: "c" }, id);
  }
  layout(graph);
  const boxes = new Map<string, Rectangle>();
  for (const { id } of tree.leaves) boxes.set(id, boxAt(graph.node(id)));
  for (const group of tree.groups) {
    const inside = (group.children ?? []).flatMap(({ id }) => boxes.get(id) ?? []);
    boxes.set(group.id, around(inside));
  }
  const lines: Line[] = [];
  const ends = tree.edges.map(({ id }, index): Ends | undefined => {
    const each = known[index];
    if (each === undefined) return undefined;
    const { points = [], x, y } = graph.edge(each.from.leaf, each.to.leaf, id);
    // Between two layers there is a point for the label, and nothing to turn for without one.
    const isPlain = points.length === 3 && (tree.edges[index]?.labels ?? []).length === 0;
    const stops = isPlain ? [points[0], points[2]].filter((point) => point !== undefined) : points;
    lines.push({ from: each.from.end, to: each.to.end, points: stops });
    return x === undefined || y === undefined ? each : { ...each, label: { x, y } };
  });
  return { boxes, ends, lines };
}

/** Where the layout has kept it free, if the line passes there. */
function labelPlace(points: readonly Point[], kept: Point | undefined, shift: Point): Point {
  const wanted = kept === undefined ? undefined : { x: kept.x + shift.x, y: kept.y + shift.y };
  if (wanted !== undefined && distanceTo(points, wanted) < 4) return wanted;
  return middleOf(points);
}

interface End {
  /** The box in which the line ends: a node, or a group as a whole. */
  readonly end: string;
  /** The node that stands for it in the layout, where lines end at nodes alone. */
  readonly leaf: string;
}

function readTree(root: LayoutNode) {
  const leaves: { readonly id: string; readonly width: number; readonly height: number }[] = [];
  /** Inner ones come before those around them. */
  const groups: LayoutNode[] = [];
  const parents: [string, string][] = [];
  const found: LayoutEdge[] = [];
  const known = new Set<string>();
  const ports = new Set<string>();
  const read = (node: LayoutNode): readonly string[] => {
    for (const edge of node.edges ?? []) found.push(edge);
    // A node that is named in two groups stays in the first.
    node.children = (node.children ?? []).filter(({ id }) => !known.has(id) && known.add(id));
    const inside = node.children.flatMap((child) => {
      if (node !== root) parents.push([child.id, node.id]);
      for (const { id } of child.ports ?? []) ports.add(id);
      const isGroup = (child.children ?? []).length > 0;
      const under = isGroup ? read(child) : [];
      if (isGroup && under.length > 0) {
        groups.push(child);
        members.set(child.id, under);
        return under;
      }
      leaves.push({ id: child.id, width: child.width ?? 80, height: child.height ?? 40 });
      return [child.id];
    });
    if (node !== root) node.edges = [];
    return inside;
  };
  const members = new Map<string, readonly string[]>();
  read(root);

  // Where the borders of groups have ports, a line is in pieces: the inner ones tell which node it comes from.
  const behind = new Map<string, string>();
  const edges = found.filter(({ sources: [from = ""], targets: [to = ""] }) => {
    if (!ports.has(from) && !ports.has(to)) return true;
    if (ports.has(from) && !ports.has(to) && known.has(to) && isInner(from, to)) behind.set(from, to);
    else if (ports.has(to) && !ports.has(from) && known.has(from) && isInner(to, from)) behind.set(to, from);
    else return true;
    return false;
  });
  return { leaves, groups, parents, edges, endOf };

  /** The port is on a group that has the node. */
  function isInner(port: string, node: string): boolean {
    return groups.some(
      (group) => group.ports?.some(({ id }) => id === port) && members.get(group.id)?.includes(node),
    );
  }

  function endOf(named: string | undefined, which: "first" | "last"): End | undefined {
    const end = behind.get(named ?? "") ?? named ?? "";
    const leaf = members.get(end)?.at(which === "first" ? 0 : -1) ?? end;
    return known.has(leaf) ? { end, leaf } : undefined;
  }
}

const boxAt = ({ x = 0, y = 0, width = 0, height = 0 }): Rectangle => ({
  left: x - width / 2,
  top: y - height / 2,
  right: x + width / 2,
  bottom: y + height / 2,
});

const around = (boxes: readonly Rectangle[]): Rectangle => ({
  left: boxes.reduce((least, { left }) => Math.min(least, left), Infinity) - inset.side,
  top: boxes.reduce((least, { top }) => Math.min(least, top), Infinity) - inset.top,
  right: boxes.reduce((most, { right }) => Math.max(most, right), -Infinity) + inset.side,
  bottom: boxes.reduce((most, { bottom }) => Math.max(most, bottom), -Infinity) + inset.side,
});

/** So that everything lies within the margin. */
function shiftOf(boxes: readonly Rectangle[], points: readonly Point[], margin: number) {
  const xs = [...boxes.flatMap(({ left, right }) => [left, right]), ...points.map(({ x }) => x)];
  const ys = [...boxes.flatMap(({ top, bottom }) => [top, bottom]), ...points.map(({ y }) => y)];
  const [left, top] = [xs.reduce((a, b) => Math.min(a, b), 0), ys.reduce((a, b) => Math.min(a, b), 0)];
  const [right, bottom] = [xs.reduce((a, b) => Math.max(a, b), 0), ys.reduce((a, b) => Math.max(a, b), 0)];
  return {
    x: margin - left,
    y: margin - top,
    width: right - left + 2 * margin,
    height: bottom - top + 2 * margin,
  };
}

function place(node: LayoutNode, boxes: ReadonlyMap<string, Rectangle>, origin: Point): void {
  for (const child of node.children ?? []) {
    const box = boxes.get(child.id);
    if (box === undefined) continue;
    child.x = box.left - origin.x;
    child.y = box.top - origin.y;
    child.width = box.right - box.left;
    child.height = box.bottom - box.top;
    place(child, boxes, { x: box.left, y: box.top });
  }
}

class FakeWorker {
  onmessage: ((answer: { readonly data: { readonly data: LayoutNode } }) => void) | null = null;
  readonly dispatcher = {
    saveDispatch: ({ data }: { readonly data: { readonly graph: LayoutNode } }): void =>
      this.onmessage?.({ data: { data: layOut(data.graph) } }),
  };
}

/** As the package `elkjs` is called by the renderer: it answers at once, through what its thread would post to. */
// biome-ignore lint/style/noDefaultExport: the renderer imports the default export of elkjs.
export default class Layout {
  readonly worker = { worker: new FakeWorker() };
}
