// Reads class diagrams: classes with their members, and relations.
import { type Reading, unquoted } from "./statements.ts";

const declared =
  /^class ([\p{L}_][\p{L}\p{M}\p{N}_]*)(?:~([\p{L}\p{N}_]+)~)?(?: ?(\{)(?: ?<<(\w+)>> ?\}|(\}))?)?$/u;
const annotation = /^<<(\w+)>>(?: ([\p{L}_][\p{L}\p{M}\p{N}_]*))?$/u;
const inline = /^([\p{L}_][\p{L}\p{M}\p{N}_]*) ?: ?(\S.*)$/u;
const relation =
  /^([\p{L}_][\p{L}\p{M}\p{N}_]*)(?:~[\p{L}\p{N}_]+~)? ?(?:"([^"]*)" ?)?(<\|--|<\|\.\.|\*--|o--|-->|--\*|--o|--\|>|\.\.>|\.\.\|>|<--|<\.\.) ?(?:"([^"]*)" ?)?([\p{L}_][\p{L}\p{M}\p{N}_]*)(?:~[\p{L}\p{N}_]+~)?(?: ?: ?(\S.*))?$/u;
const looks =
  /^(?:direction (?:TD|TB|LR|BT|RL)|(?:classDef|cssClass|style|click) \S.*|accTitle ?:.*|accDescr ?:.*)$/;

interface Class {
  readonly members: string[];
  generic?: string;
  annotation?: string;
}

export function readClasses(statements: readonly string[]): Reading | undefined {
  const classes = new Map<string, Class>();
  const relations: string[] = [];
  let open: Class | undefined;
  for (const statement of statements) if (!read(statement.replace(/\s+/g, " "))) return undefined;
  if (open !== undefined) return undefined;
  const told = [...classes].flatMap(([id, { members, generic, annotation: kind }]) => [
    `class ${id}${generic === undefined ? "" : `~${generic}~`} {`,
    ...(kind === undefined ? [] : [`<<${kind}>>`]),
    ...members,
    "}",
  ]);
  return {
    lines: ["classDiagram", ...told, ...relations],
    drawn: { "class-node": classes.size, "class-relationship": relations.length },
  };

  function read(line: string): boolean {
    if (open !== undefined) return readInside(line, open);
    if (looks.test(line)) return true;
    const [, id, generic, brace, kind, closed] = declared.exec(line) ?? [];
    if (id !== undefined) {
      const found = classOf(id);
      if (generic !== undefined) found.generic = generic;
      if (kind !== undefined) found.annotation = kind;
      if (brace !== undefined && kind === undefined && closed === undefined) open = found;
      return true;
    }
    const [, said, annotated] = annotation.exec(line) ?? [];
    if (said !== undefined && annotated !== undefined) return annotate(classOf(annotated), said);
    const [, from, fromCount, arrow, toCount, to = "", label] = relation.exec(line) ?? [];
    if (from !== undefined) {
      const words = label === undefined ? "" : unquoted(label);
      if (words === undefined) return false;
      for (const each of [from, to]) classOf(each);
      const count = (written?: string) => (written === undefined || written === "" ? "" : ` "${written}"`);
      relations.push(
        `${from}${count(fromCount)} ${arrow}${count(toCount)} ${to}${words === "" ? "" : ` : ${words}`}`,
      );
      return true;
    }
    const [, owner, member = ""] = inline.exec(line) ?? [];
    return owner !== undefined && addMember(classOf(owner), member);
  }

  function readInside(line: string, inside: Class): boolean {
    if (line === "}") {
      open = undefined;
      return true;
    }
    const [, said, other] = annotation.exec(line) ?? [];
    if (said !== undefined) return other === undefined && annotate(inside, said);
    return addMember(inside, line);
  }

  function classOf(id: string): Class {
    const found = classes.get(id) ?? { members: [] };
    classes.set(id, found);
    return found;
  }
}

function annotate(to: Class, said: string): boolean {
  if (to.annotation !== undefined && to.annotation !== said) return false;
  to.annotation = said;
  return true;
}

/** The type stands before a field's name and behind a method, without a colon; generic ones are between tildes. */
function addMember(to: Class, line: string): boolean {
  if (/[{}]/.test(line)) return false;
  const generic = line.replace(/~([\w, ]+)~/g, "<$1>");
  const [, visibility = "", name = "", type] =
    /^([-+#~]?) ?([\p{L}\p{N}_]+) ?: ?([^()]+)$/u.exec(generic) ?? [];
  to.members.push(
    type === undefined
      ? generic.replace(/\) ?: ?/, ") ")
      : `${visibility}${type.replaceAll(" ", "")} ${name}`,
  );
  return true;
}
