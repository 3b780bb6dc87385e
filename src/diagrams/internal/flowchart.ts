// Reads flowcharts: nodes with their last words and shape, the group that each stands in, and every line between two.
import { kept, plainNames, type Reading, statementsIn, unquoted } from "./statements.ts";

const name = /[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.]|-(?=[\p{L}\p{N}_]))*/uy;
const link = /(<?)(-{2,}[->]|-\.+->?|={2,}[=>])/y;
/** Lines with words in them; those with circles and crosses are not drawn. */
const worded = [
  /(<?)--(?![xo])((?:[^-]|-(?!-))+)(-{2,}[->])/y,
  /(<?)-\.(?![xo])((?:[^.]|\.(?!-))+)(\.-+>?)/y,
  /(<?)==(?![xo])((?:[^=]|=(?!=))+)(={2,}[=>])/y,
];
/** Each with what ends it, and as the renderer is told. */
const shapes: readonly (readonly [open: string, close: string, told?: readonly [string, string]])[] = [
  ...([
    ["(((", ")))"],
    ["([", "])"],
    ["((", "))"],
    ["[[", "]]"],
    ["[(", ")]"],
    ["{{", "}}"],
  ] as const),
  ["[/", "/]", ["[", "]"]],
  ["[/", "\\]"],
  ["[\\", "/]"],
  ...([
    ["[", "]"],
    ["(", ")"],
    ["{", "}"],
    [">", "]"],
  ] as const),
];

interface Group {
  readonly id: string;
  readonly words: string;
  readonly inner: Group[];
  readonly named: string[];
  direction?: string;
}

export function readFlowchart(header: string, lines: readonly string[]): Reading | undefined {
  const plain = plainNames();
  const [, direction = "TD"] = header.split(/\s+/);
  /** What the renderer is told for each node. */
  const nodes = new Map<string, string>();
  const links: string[] = [];
  const looks: string[] = [];
  const top: Group = { id: "", words: "", inner: [], named: [] };
  const open = [top];
  const placed = new Map<string, Group>();
  const groups = new Set<string>();
  for (const statement of lines.flatMap(statementsIn)) if (!read(statement)) return undefined;
  if (open.length > 1) return undefined;
  const members = [...nodes].filter(([id]) => !groups.has(id));
  if ([...nodes].some(([id, told]) => groups.has(id) && told !== "")) return undefined;
  const told = (group: Group): readonly string[] => [
    ...members.flatMap(([id, as]) =>
      (placed.get(id) ?? top) === group ? [`${plain(id)}${as === "" ? `[${kept(id)}]` : as}`] : [],
    ),
    ...group.inner.flatMap((inner) => [
      `subgraph ${inner.id} [${kept(inner.words)}]`,
      ...(inner.direction === undefined ? [] : [`direction ${inner.direction}`]),
      ...told(inner),
      "end",
    ]),
  ];
  return {
    lines: [`flowchart ${direction}`, ...told(top), ...links, ...looks],
    drawn: { edge: links.length, node: members.length, subgraph: groups.size },
  };

  function read(statement: string): boolean {
    const [keyword = "", ...words] = statement.split(/\s+/);
    const rest = words.join(" ");
    if (/^(?:click|accTitle:?|accDescr:?)$/.test(keyword) && rest !== "") return true;
    if (keyword === "subgraph") return begin(rest);
    if (statement === "end") return end();
    if (keyword === "direction") {
      const group = open.at(-1);
      if (!/^(?:TD|TB|LR|BT|RL)$/.test(rest) || group === undefined || group === top) return false;
      group.direction = rest;
      return true;
    }
    if (/^(?:classDef|class|style|linkStyle)$/.test(keyword)) return look(keyword, words);
    return chain(statement);
  }

  function look(keyword: string, words: readonly string[]): boolean {
    if (words.length < 2) return false;
    if (keyword === "linkStyle") {
      looks.push(["linkStyle", ...words].join(" "));
      return true;
    }
    const last = keyword === "class" ? words.length - 1 : 1;
    const names = words.slice(0, last).join("").split(",");
    const value = words.slice(last).join(" ");
    for (const each of names)
      looks.push(`${keyword} ${keyword === "classDef" ? each : plain(each)} ${value}`);
    return true;
  }

  function begin(rest: string): boolean {
    const bracket = rest.indexOf("[");
    const isNamed = bracket > 0 && rest.endsWith("]");
    const words = unquoted(isNamed ? rest.slice(bracket + 1, -1) : rest);
    const id = isNamed ? rest.slice(0, bracket).trim() : rest;
    if (words === undefined || groups.has(id) || (!isNamed && /[[\](){}|<>&]/.test(words))) return false;
    const group = { id: plain(id), words, inner: [], named: [] };
    groups.add(id);
    open.at(-1)?.inner.push(group);
    open.push(group);
    return true;
  }

  /** A node belongs to the first group that is whole and names it. */
  function end(): boolean {
    const group = open.pop();
    if (group === undefined || group === top) return false;
    for (const id of group.named) if (!placed.has(id)) placed.set(id, group);
    return group.named.length + group.inner.length > 0;
  }

  function chain(text: string): boolean {
    let at = 0;
    const skip = () => {
      while (text[at] === " " || text[at] === "\t") at += 1;
    };
    const take = (pattern: RegExp): RegExpExecArray | undefined => {
      pattern.lastIndex = at;
      const found = pattern.exec(text) ?? undefined;
      if (found !== undefined) at = pattern.lastIndex;
      return found;
    };
    let before = takeNodes();
    while (before !== undefined && at < text.length) {
      const as = takeLink();
      const next = as === undefined ? undefined : takeNodes();
      if (next === undefined) return false;
      for (const from of before) for (const to of next) links.push(`${plain(from)} ${as} ${plain(to)}`);
      before = next;
    }
    return before !== undefined;

    function takeNodes(): readonly string[] | undefined {
      const found: string[] = [];
      do {
        skip();
        const id = takeNode();
        if (id === undefined) return undefined;
        found.push(id);
        skip();
      } while (take(/&/y) !== undefined);
      return found;
    }

    function takeNode(): string | undefined {
      const id = take(name)?.[0];
      if (id === undefined) return undefined;
      const shape = shapes.some(([opening]) => text.startsWith(opening, at)) ? takeShape() : "";
      if (shape === undefined) return undefined;
      if (shape !== "" || !nodes.has(id)) nodes.set(id, shape);
      open.at(-1)?.named.push(id);
      const style = take(/:::(\w+)/y)?.[1];
      if (style !== undefined) looks.push(`class ${plain(id)} ${style}`);
      return id;
    }

    function takeShape(): string | undefined {
      for (const [opening, close, as = [opening, close]] of shapes) {
        if (!text.startsWith(opening, at)) continue;
        const from = at + opening.length;
        const isQuoted = text[from] === '"';
        const quote = isQuoted ? text.indexOf('"', from + 1) : from;
        const to = quote < 0 ? -1 : isQuoted ? quote + 1 : text.indexOf(close, from);
        const words = to < 0 || !text.startsWith(close, to) ? undefined : unquoted(text.slice(from, to));
        if (words === undefined || (!isQuoted && /[[\](){}|]/.test(words))) continue;
        at = to + close.length;
        return `${as[0]}${kept(words)}${as[1]}`;
      }
      return undefined;
    }

    function takeLink(): string | undefined {
      const plainLink = take(link);
      if (plainLink !== undefined) {
        const [, start = "", line = ""] = plainLink;
        if (!line.endsWith(">") && /[xo=.-]/.test(text.charAt(at))) return undefined;
        skip();
        if (text[at] !== "|") return arrow(start, line);
        const words = unquoted(take(/\|(\s*"[^"]*"\s*|[^|"]*)\|/y)?.[1] ?? "");
        return words === undefined ? undefined : arrow(start, line, words);
      }
      for (const pattern of worded) {
        const [, start = "", said = "", line = ""] = take(pattern) ?? [];
        const words = unquoted(said);
        if (line === "") continue;
        const isOpen = !line.endsWith(">") && /[xo=.-]/.test(text.charAt(at));
        return words === undefined || isOpen ? undefined : arrow(start, line, words);
      }
      return undefined;
    }
  }
}

function arrow(start: string, line: string, words?: string): string | undefined {
  const isArrow = line.endsWith(">");
  if (start !== "" && !isArrow) return undefined;
  const [open, ended] = line.includes(".")
    ? ["-.-", "-.->"]
    : line.includes("=")
      ? ["===", "==>"]
      : ["---", "-->"];
  return `${start}${isArrow ? ended : open}${words === undefined ? "" : `|${kept(words)}|`}`;
}
