// Reads state diagrams: states with their words, composite ones, and transitions.
import { kept, plainNames, type Reading, unquoted } from "./statements.ts";

const transition =
  /^(\[\*\]|[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*) ?--> ?(\[\*\]|[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)(?: ?: ?(\S.*))?$/u;
const described = /^([\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)(?: ?: ?(\S.*))?$/u;
const declared =
  /^state (?:"([^"]+)" as )?([\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)(?: ?: ?([^\s{][^{]*))? ?(\{)?$/u;

interface Composite {
  readonly id: string;
  readonly lines: string[];
  readonly states: Set<string>;
  readonly inner: Composite[];
}

export function readStates(statements: readonly string[]): Reading | undefined {
  const plain = plainNames("s");
  const words = new Map<string, string>();
  const top: Composite = { id: "", lines: [], states: new Set(), inner: [] };
  const open = [top];
  const composites = new Set<string>();
  const placed = new Map<string, Composite>();
  const drawn = { edge: 0, node: 0 };
  for (const statement of statements) if (!read(statement.replace(/\s+/g, " "))) return undefined;
  if (open.length > 1) return undefined;
  const called = (id: string) => kept(words.get(id) ?? id);
  const told = (composite: Composite): readonly string[] => [
    ...[...placed].flatMap(([id, place]) =>
      place === composite && !composites.has(id) ? [`state "${called(id)}" as ${plain(id)}`] : [],
    ),
    ...composite.inner.flatMap((inner) => [
      `state "${called(inner.id)}" as ${plain(inner.id)} {`,
      ...told(inner),
      "}",
    ]),
    ...composite.lines,
  ];
  const node = drawn.node + [...placed.keys()].filter((id) => !composites.has(id)).length;
  return {
    lines: ["stateDiagram-v2", ...told(top)],
    drawn: { ...drawn, node, subgraph: composites.size },
  };

  function read(line: string): boolean {
    const here = open.at(-1) ?? top;
    if (/^(?:hide empty description|(?:classDef|class|style) \S.*|accTitle ?:.*|accDescr ?:.*)$/.test(line))
      return true;
    if (/^direction (?:TD|TB|LR|BT|RL)$/.test(line)) return here.lines.push(line) > 0;
    if (line === "}") {
      open.pop();
      return here !== top && here.states.size + here.inner.length > 0;
    }
    const [, from, to = "", said] = transition.exec(line) ?? [];
    if (from !== undefined) {
      drawn.edge += 1;
      const ends = [from, to].map((id) => (id === "[*]" ? id : plain(id)));
      here.lines.push(`${ends.join(" --> ")}${said === undefined ? "" : ` : ${said}`}`);
      return [from, to].every((id) => place(id, here));
    }
    const [, alias, declaredId, text, brace] = declared.exec(line) ?? [];
    if (declaredId !== undefined) {
      if (!name(declaredId, alias) || !name(declaredId, text)) return false;
      return brace === undefined ? place(declaredId, here) : begin(declaredId, here);
    }
    const [, id, description] = described.exec(line) ?? [];
    return id !== undefined && id !== "state" && name(id, description) && place(id, here);
  }

  /** A second description would be a second line, which is not drawn. */
  function name(id: string, given: string | undefined): boolean {
    if (given === undefined) return true;
    const said = unquoted(given);
    if (said === undefined || words.has(id)) return false;
    words.set(id, said);
    return true;
  }

  function begin(id: string, here: Composite): boolean {
    if (composites.has(id)) return false;
    const composite: Composite = { id, lines: [], states: new Set(), inner: [] };
    composites.add(id);
    here.inner.push(composite);
    open.push(composite);
    return true;
  }

  /** A state stands in the one composite that names it; those around it may name it too. */
  function place(id: string, here: Composite): boolean {
    if (id === "[*]") {
      drawn.node += 1;
      here.states.add(id);
      return true;
    }
    here.states.add(id);
    const before = placed.get(id) ?? top;
    if (before === top || here === top) placed.set(id, before === top ? here : before);
    else if (before !== here) return false;
    return true;
  }
}
