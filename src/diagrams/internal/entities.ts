// Reads entity relationship diagrams: entities with their attributes, and relations.
import { type Reading, unquoted } from "./statements.ts";

const relation =
  /^([\p{L}\p{N}_-]+) (\|\||\|o|o\||\}o|\}\|)(--|\.\.)(\|\||o\||\|o|o\{|\|\{) ([\p{L}\p{N}_-]+) ?: ?(\S.*)$/u;
const begun = /^([\p{L}\p{N}_-]+) ?\{( ?\})?$/u;
const attribute =
  /^([\p{L}_*][\p{L}\p{N}_()[\],.-]*) ([\p{L}_*][\p{L}\p{N}_()[\],.-]*)((?:,? (?:PK|FK|UK),?){1,3})?(?: "([^"]*)")?$/u;

export function readEntities(statements: readonly string[]): Reading | undefined {
  const entities = new Map<string, string[]>();
  const relations: string[] = [];
  let open: string[] | undefined;
  for (const statement of statements) if (!read(statement.replace(/\s+/g, " "))) return undefined;
  if (open !== undefined) return undefined;
  const told = [...entities].flatMap(([id, attributes]) => [`${id} {`, ...attributes, "}"]);
  return {
    lines: ["erDiagram", ...told, ...relations],
    drawn: { entity: entities.size, "er-relationship": relations.length },
  };

  function read(line: string): boolean {
    if (open !== undefined) {
      if (line === "}") open = undefined;
      else {
        const [, type, name, keys = "", comment] = attribute.exec(line) ?? [];
        if (type === undefined) return false;
        const said = comment === undefined ? "" : ` "${comment}"`;
        open.push(`${type} ${name}${keys.replaceAll(",", " ")}${said}`);
      }
      return true;
    }
    if (/^(?:direction (?:TD|TB|LR|BT|RL)|accTitle ?:.*|accDescr ?:.*)$/.test(line)) return true;
    const [, from, left = "", kind = "", right = "", to = "", label = ""] = relation.exec(line) ?? [];
    if (from !== undefined) {
      const words = label === '""' ? "" : unquoted(label);
      if (words === undefined) return false;
      for (const each of [from, to]) entityOf(each);
      // The renderer knows this sign only as it stands on the other side.
      relations.push(`${from} ${left === "}o" ? "o{" : left}${kind}${right} ${to} : "${words}"`);
      return true;
    }
    const [, id, closed] = begun.exec(line) ?? [];
    if (id !== undefined) {
      const found = entityOf(id);
      if (closed === undefined) open = found;
      return true;
    }
    const isName = /^[\p{L}\p{N}_-]+$/u.test(line);
    if (isName) entityOf(line);
    return isName;
  }

  function entityOf(id: string): string[] {
    const found = entities.get(id) ?? [];
    entities.set(id, found);
    return found;
  }
}
