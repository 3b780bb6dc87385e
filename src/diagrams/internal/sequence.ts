// Reads sequence diagrams: those who take part, messages, notes and blocks.
import { plainNames, type Reading } from "./statements.ts";

const declared = /^(participant|actor)\s+([\p{L}\p{M}\p{N}_.-]+)(?:\s+as\s+(\S.*))?$/u;
const message =
  /^([\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.]|-(?!x)(?=[\p{L}\p{N}_]))*) ?(--?>>?|--?\)) ?([+-]?) ?([\p{L}\p{M}\p{N}_.-]+) ?: ?(\S.*)$/u;
const note = /^note (left of|right of|over) ([\p{L}\p{M}\p{N}_., -]+): ?(\S.*)$/iu;
const block = /^(loop|alt|opt|par|break)(?: (.*))?$/;
const divider = /^(else|and)(?: (.*))?$/;
const activation = /^(?:activate|deactivate) [\p{L}\p{M}\p{N}_.-]+$/u;

export function readSequence(statements: readonly string[]): Reading | undefined {
  const plain = plainNames("p");
  const actors = new Map<string, string>();
  const lines: string[] = [];
  const open: string[] = [];
  const drawn = { actor: 0, message: 0, note: 0, block: 0 };
  /** The next message's, where they are numbered. */
  let number: number | undefined;
  for (const statement of statements) if (!read(statement.replace(/\s+/g, " "))) return undefined;
  if (open.length > 0) return undefined;
  return {
    lines: ["sequenceDiagram", ...actors.values(), ...lines],
    drawn: { ...drawn, actor: actors.size },
  };

  function read(line: string): boolean {
    if (line === "autonumber") {
      number ??= 1;
      return true;
    }
    const [, kind, actor = "", called = actor] = declared.exec(line) ?? [];
    if (kind !== undefined) {
      if (!actors.has(actor)) actors.set(actor, `${kind} ${plain(actor)} as ${called}`);
      return true;
    }
    const [, from = "", arrow, mark = "", to = "", said = ""] = message.exec(line) ?? [];
    if (arrow !== undefined) {
      if (said.includes(";")) return false;
      drawn.message += 1;
      const words = number === undefined ? said : `${number++}. ${said}`;
      lines.push(`${idOf(from)}${arrow}${mark}${idOf(to)}: ${words}`);
      return true;
    }
    const [, place, over = "", remark] = note.exec(line) ?? [];
    if (place !== undefined) {
      drawn.note += 1;
      const names = over.split(",").map((each) => each.trim());
      if (names.length > 2 || names.some((each) => each === "" || each.includes(" "))) return false;
      lines.push(`Note ${place.toLowerCase()} ${names.map(idOf).join(",")}: ${remark}`);
      return true;
    }
    const [, began] = block.exec(line) ?? [];
    const [, divided] = divider.exec(line) ?? [];
    if (began !== undefined) open.push(began);
    else if (divided !== undefined && open.at(-1) !== (divided === "and" ? "par" : "alt")) return false;
    else if (line === "end") {
      if (open.pop() === undefined) return false;
      drawn.block += 1;
    } else if (divided === undefined) return activation.test(line) || /^accTitle ?:|^accDescr ?:/.test(line);
    lines.push(line);
    return true;
  }

  function idOf(actor: string): string {
    if (!actors.has(actor)) actors.set(actor, `participant ${plain(actor)} as ${actor}`);
    return plain(actor);
  }
}
