// Lines between boxes, horizontal and vertical alone. A layout gives each line one point for each layer that it passes.
// Between two layers a line turns twice, at a height that it shares with no line that it would run into.

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Line {
  /** Names of boxes. */
  readonly from: string;
  readonly to: string;
  /** In the order of the layers; the first and the last are at the boxes. */
  readonly points: readonly Point[];
}

/** Between two lines side by side. */
const apart = 10;
/** A line that turns by less goes straight. */
const straight = 2;

/** `isSideways`: the layers lie beside each other, not below. */
export function routeLines(
  lines: readonly Line[],
  boxes: ReadonlyMap<string, Rectangle>,
  isSideways: boolean,
): readonly (readonly Point[])[] {
  const turned = isSideways ? turn : (point: Point) => point;
  const known = new Map([...boxes].map(([name, box]) => [name, isSideways ? turnBox(box) : box]));
  const drafts = lines.map((line) => draftOf({ ...line, points: line.points.map(turned) }, known));
  spreadEnds(drafts);
  spreadTurns(drafts);
  return drafts.map((draft) => pathOf(draft).map(turned));
}

const turn = ({ x, y }: Point): Point => ({ x: y, y: x });
const turnBox = ({ left, top, right, bottom }: Rectangle): Rectangle => ({
  left: top,
  top: left,
  right: bottom,
  bottom: right,
});

interface Turn {
  readonly x1: number;
  readonly x2: number;
  /** It may lie between these. */
  readonly top: number;
  readonly bottom: number;
  y: number;
}

interface Draft {
  readonly from: Rectangle;
  readonly to: Rectangle;
  readonly isLoop: boolean;
  readonly isDown: boolean;
  /** Between the boxes. */
  readonly middle: readonly Point[];
  start: number;
  end: number;
  turns: readonly Turn[];
}

export const nowhere: Rectangle = { left: 0, top: 0, right: 0, bottom: 0 };

function draftOf({ from, to, points }: Line, boxes: ReadonlyMap<string, Rectangle>): Draft {
  const [source, target] = [boxes.get(from) ?? nowhere, boxes.get(to) ?? nowhere];
  const isDown = target.top >= source.top;
  const [start, end] = isDown ? [source.bottom, target.top] : [source.top, target.bottom];
  const isBetween = ({ y }: Point) =>
    isDown ? y > start + apart && y < end - apart : y < start - apart && y > end + apart;
  return {
    ...{
      from: source,
      to: target,
      isDown,
      isLoop: from === to,
      middle: points.slice(1, -1).filter(isBetween),
    },
    ...{ start: centreOf(source), end: centreOf(target), turns: [] },
  };
}

const centreOf = ({ left, right }: Rectangle): number => (left + right) / 2;

/** Lines that end at one side of a box end beside each other, in the order in which they come. */
function spreadEnds(drafts: readonly Draft[]): void {
  const sides = new Map<Rectangle, { above: Ending[]; below: Ending[] }>();
  const sideOf = (box: Rectangle, side: "above" | "below"): Ending[] => {
    const known = sides.get(box) ?? { above: [], below: [] };
    sides.set(box, known);
    return known[side];
  };
  for (const draft of drafts) {
    if (draft.isLoop) continue;
    const [first = centreOf(draft.to), last = centreOf(draft.from)] = [
      draft.middle[0]?.x,
      draft.middle.at(-1)?.x,
    ];
    sideOf(draft.from, draft.isDown ? "below" : "above").push({ draft, end: "start", towards: first });
    sideOf(draft.to, draft.isDown ? "above" : "below").push({ draft, end: "end", towards: last });
  }
  for (const [box, { above, below }] of sides)
    for (const endings of [above, below]) {
      endings.sort((one, other) => one.towards - other.towards);
      const step = Math.min(2 * apart, (box.right - box.left) / (endings.length + 1));
      for (const [index, { draft, end }] of endings.entries())
        draft[end] = centreOf(box) + (index - (endings.length - 1) / 2) * step;
    }
}

interface Ending {
  readonly draft: Draft;
  readonly end: "start" | "end";
  readonly towards: number;
}

/** Each turn lies in the middle between two layers, or above or below it where another one is in its way. */
function spreadTurns(drafts: readonly Draft[]): void {
  for (const draft of drafts) if (!draft.isLoop) draft.turns = turnsOf(draft);
  const all = drafts.flatMap(({ turns }) => turns).filter(({ x1, x2 }) => Math.abs(x1 - x2) > straight);
  all.sort((one, other) => one.top - other.top || Math.min(one.x1, one.x2) - Math.min(other.x1, other.x2));
  const placed: Turn[] = [];
  for (const each of all) {
    const middle = (each.top + each.bottom) / 2;
    const room = Math.max(0, (each.bottom - each.top) / 2 - 8);
    for (let step = 0; step * apart <= 2 * room; step += 1) {
      const y = middle + (step % 2 === 0 ? 1 : -1) * Math.ceil(step / 2) * apart;
      each.y = y;
      if (Math.abs(y - middle) <= room && !placed.some((other) => isInTheWay(each, other))) break;
      each.y = middle;
    }
    placed.push(each);
  }
}

function isInTheWay(one: Turn, other: Turn): boolean {
  if (Math.abs(one.y - other.y) >= apart - 1) return false;
  const [left, right] = [Math.min(one.x1, one.x2), Math.max(one.x1, one.x2)];
  return Math.max(other.x1, other.x2) > left - apart && Math.min(other.x1, other.x2) < right + apart;
}

function turnsOf(draft: Draft): readonly Turn[] {
  const stops = stopsOf(draft);
  return stops.slice(1).map((stop, index) => {
    const before = stops[index] ?? stop;
    const [top, bottom] = [Math.min(before.y, stop.y), Math.max(before.y, stop.y)];
    return { x1: before.x, x2: stop.x, top, bottom, y: (top + bottom) / 2 };
  });
}

function stopsOf({ from, to, isDown, middle, start, end }: Draft): readonly Point[] {
  return [
    { x: start, y: isDown ? from.bottom : from.top },
    ...middle,
    { x: end, y: isDown ? to.top : to.bottom },
  ];
}

function pathOf(draft: Draft): readonly Point[] {
  if (draft.isLoop) return loopAt(draft.from);
  const stops = stopsOf(draft);
  const path: Point[] = stops.slice(0, 1);
  let { x } = stops[0] ?? { x: 0 };
  for (const [index, { y, x1, x2 }] of draft.turns.entries()) {
    const isLast = index === draft.turns.length - 1;
    const stop = stops[index + 1];
    // Where it goes on a little beside of where it came from, it goes straight.
    if (Math.abs(x1 - x2) > straight || (isLast && Math.abs(x - x2) > 0)) {
      path.push({ x, y }, { x: x2, y });
      x = x2;
    }
    if (stop !== undefined && isLast) path.push({ x, y: stop.y });
  }
  return withoutStops(path);
}

/** Of points on one line, the ends. */
function withoutStops(path: readonly Point[]): readonly Point[] {
  return path.filter((point, index) => {
    const [before, after] = [path[index - 1], path[index + 1]];
    if (before === undefined || after === undefined) return true;
    return !((before.x === point.x && point.x === after.x) || (before.y === point.y && point.y === after.y));
  });
}

function loopAt({ right, top, bottom }: Rectangle): readonly Point[] {
  const [quarter, out] = [(bottom - top) / 4, right + 2 * apart];
  return [
    { x: right, y: top + quarter },
    { x: out, y: top + quarter },
    { x: out, y: bottom - quarter },
    { x: right, y: bottom - quarter },
  ];
}

/** How far a point is from a line. */
export function distanceTo(path: readonly Point[], { x, y }: Point): number {
  const distances = path.slice(1).map((end, index) => {
    const start = path[index] ?? end;
    const across = beyond(x, start.x, end.x);
    const along = beyond(y, start.y, end.y);
    return Math.hypot(across, along);
  });
  return distances.reduce((least, distance) => Math.min(least, distance), Infinity);
}

const beyond = (at: number, one: number, other: number): number =>
  Math.max(0, Math.min(one, other) - at, at - Math.max(one, other));

/** The middle of its longest part. */
export function middleOf(path: readonly Point[]): Point {
  let longest = -1;
  let middle = path[0] ?? { x: 0, y: 0 };
  for (const [index, end] of path.entries()) {
    const start = path[index - 1] ?? end;
    const length = Math.abs(end.x - start.x) + Math.abs(end.y - start.y);
    if (length <= longest) continue;
    longest = length;
    middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
  }
  return middle;
}
